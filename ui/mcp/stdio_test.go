package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"digitduel/match"
)

// A wire is a client that writes and reads lines, as it likes.
type wire struct {
	testing.TB
	in    *io.PipeWriter
	out   *bufio.Scanner
	asked int
	ended chan error
}

func (h *house) wire(t testing.TB) *wire {
	in, write := io.Pipe()
	read, out := io.Pipe()
	w := &wire{TB: t, in: write, out: bufio.NewScanner(read), ended: make(chan error, 1)}
	w.out.Buffer(nil, 4<<20)
	go func() {
		err := h.Stdio(t.Context(), in, out)
		_ = out.Close() // a pipe in memory closes well
		w.ended <- err
	}()
	t.Cleanup(func() { _ = write.Close(); _ = read.Close() })
	return w
}

func (w *wire) write(line string) {
	w.Helper()
	if _, err := io.WriteString(w.in, line+"\n"); err != nil {
		w.Fatal(err)
	}
}

// close ends the input.
func (w *wire) close() {
	w.Helper()
	if err := w.in.Close(); err != nil {
		w.Fatal(err)
	}
}

// An answerLine is a line that a client reads.
type answerLine struct {
	Version string           `json:"jsonrpc"`
	ID      *json.RawMessage `json:"id"`
	Result  json.RawMessage  `json:"result"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func (w *wire) read() (a answerLine) {
	w.Helper()
	if !w.out.Scan() {
		w.Fatalf("no answer: %v", w.out.Err())
	}
	if err := json.Unmarshal(w.out.Bytes(), &a); err != nil || a.Version != "2.0" || (a.Result == nil) == (a.Error == nil) {
		w.Fatalf("%s: %v", w.out.Text(), err)
	}
	return a
}

// ask asks for something, and passes over refusals of what was written before.
func (w *wire) ask(method, params string) answerLine {
	w.Helper()
	w.asked++
	w.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, w.asked, method, params))
	for {
		a := w.read()
		if a.ID != nil && string(*a.ID) == fmt.Sprint(w.asked) {
			return a
		}
	}
}

const hello = `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"wire","version":"1"}}`

func (w *wire) begin() *wire {
	w.Helper()
	if a := w.ask("initialize", hello); a.Error != nil {
		w.Fatalf("%+v", a)
	}
	w.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return w
}

// alive fails if the session has ended.
func (w *wire) alive() {
	w.Helper()
	if a := w.ask("tools/call", `{"name":"new_game","arguments":{}}`); a.Error != nil || !strings.Contains(string(a.Result), `"position"`) {
		w.Fatalf("a call is answered by %+v", a)
	}
}

// TestRubbish writes what is no message, and goes on.
func TestRubbish(t *testing.T) {
	for name, tt := range map[string]struct {
		line string
		code int    // 0: it is passed over
		id   string // of the answer
	}{
		"words":            {`hello`, -32700, "null"},
		"half":             {`{"jsonrpc":"2.0","id":7,"method":"ping"`, -32700, "null"},
		"two":              {`{"jsonrpc":"2.0","id":7,"method":"ping"}{}`, -32700, "null"},
		"nul":              {"\x00", -32700, "null"},
		"nul after":        {`{"jsonrpc":"2.0","id":7,"method":"ping"}` + "\x00", -32700, "null"},
		"not UTF-8":        {`{"jsonrpc":"2.0","id":7,"method":"p` + "\xff" + `"}`, -32700, "null"},
		"deep":             {strings.Repeat("[", 20_000), -32700, "null"},
		"deep and whole":   {strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000), -32600, "null"},
		"deep inside":      {`{"jsonrpc":"2.0","id":7,"method":"ping","params":` + strings.Repeat("[", 2_000) + strings.Repeat("]", 2_000) + `}`, -32600, "7"},
		"numbers":          {`[1,2]`, -32600, "null"},
		"nothing":          {`[]`, -32600, "null"},
		"batch":            {`[{"jsonrpc":"2.0","id":7,"method":"ping"}]`, -32600, "null"},
		"a number":         {`42`, -32600, "null"},
		"a text":           {`"x"`, -32600, "null"},
		"null":             {`null`, -32600, "null"},
		"true":             {`true`, -32600, "null"},
		"empty":            {`{}`, -32600, "null"},
		"old":              {`{"jsonrpc":"1.0","id":7,"method":"ping"}`, -32600, "7"},
		"no version":       {`{"id":"a","method":"ping"}`, -32600, `"a"`},
		"no method":        {`{"jsonrpc":"2.0"}`, -32600, "null"},
		"a number there":   {`{"jsonrpc":"2.0","id":7,"method":5}`, -32600, "7"},
		"null as id":       {`{"jsonrpc":"2.0","id":null,"method":"ping"}`, -32600, "null"},
		"a list as id":     {`{"jsonrpc":"2.0","id":[1],"method":"ping"}`, -32600, "null"},
		"a part as id":     {`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, -32600, "null"},
		"a rounded id":     {`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, -32600, "null"},
		"too long":         {`{"jsonrpc":"2.0","id":7,"method":"` + strings.Repeat("x", maxLine) + `"}`, -32600, "null"},
		"no such method":   {`{"jsonrpc":"2.0","id":7,"method":"nothing"}`, -32601, "7"},
		"no params":        {`{"jsonrpc":"2.0","id":7,"method":"tools/call"}`, -32600, "7"},
		"wrong params":     {`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":5}`, -32602, "7"},
		"null params":      {`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":null}`, -32600, "7"},
		"no such tool":     {`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"nothing"}}`, -32602, "7"},
		"nothing in it":    {``, 0, ""},
		"spaces":           {"  \t ", 0, ""},
		"Windows":          {"\r", 0, ""},
		"a notification":   {`{"jsonrpc":"2.0","method":"nothing"}`, 0, ""},
		"an answer":        {`{"jsonrpc":"2.0","id":99,"result":{}}`, 0, ""},
		"a strange cancel": {`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, &match.Memory{}, nil).wire(t).begin()
			w.write(tt.line)
			if tt.code != 0 {
				if a := w.read(); a.Error == nil || a.Error.Code != tt.code || a.Error.Message == "" || idText(a) != tt.id {
					t.Errorf("%.80s: answered by %+v for %s", tt.line, a.Error, idText(a))
				}
			}
			w.alive()
		})
	}
}

func idText(a answerLine) string {
	if a.ID == nil {
		return "null"
	}
	return string(*a.ID)
}

// TestTooEarly calls a tool before the session is begun: that is refused by a code of JSON-RPC, and
// the session can still be begun.
func TestTooEarly(t *testing.T) {
	w := open(t, &match.Memory{}, nil).wire(t)
	if a := w.ask("tools/call", `{"name":"new_game","arguments":{}}`); a.Error == nil || a.Error.Code != -32600 || !strings.Contains(a.Error.Message, "initialization") {
		t.Errorf("%+v", a)
	}
	w.begin().alive()
}

// TestWindows ends lines as Windows does, and begins with a mark of the byte order.
func TestWindows(t *testing.T) {
	w := open(t, &match.Memory{}, nil).wire(t)
	w.asked++
	w.write("\ufeff" + `{"jsonrpc":"2.0","id":1,"method":"initialize","params":` + hello + "}\r")
	if a := w.read(); a.Error != nil {
		t.Fatalf("%+v", a.Error)
	}
	w.alive()
}

// TestMuchRubbish writes ten thousand lines of rubbish, and a call after each thousand.
func TestMuchRubbish(t *testing.T) {
	w := open(t, &match.Memory{}, nil).wire(t).begin()
	const letters = "{}[]\",:0123456789jsonrpc\x00\xff\r\\ "
	rng := chance(1)
	for i := range 10_000 {
		line := make([]byte, rng.IntN(300))
		for j := range line {
			line[j] = letters[rng.IntN(len(letters))]
		}
		w.write(string(line))
		if i%1000 == 999 {
			w.alive()
		}
	}
}

// TestUnread writes all of that without reading an answer: neither end blocks.
func TestUnread(t *testing.T) {
	w := open(t, &match.Memory{}, nil).wire(t).begin()
	for range 3 * maxUnread {
		w.write("[")
	}
	w.alive()
}

// TestEnd ends the input: what was asked before is answered, and the session ends without a fault.
func TestEnd(t *testing.T) {
	for _, last := range []string{"", `{"jsonrpc":"2.0","id":100,"method":"ping"}`, "{"} { // a last line without an end
		w := open(t, &match.Memory{}, nil).wire(t).begin()
		for id := range 50 {
			w.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"new_game","arguments":{}}}`, id+2))
		}
		w.write(`{"jsonrpc":"2.0","id":99,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},"notifications":{}}}`)
		if _, err := io.WriteString(w.in, last); err != nil {
			t.Fatal(err)
		}
		w.close()
		answers := 0
		for w.out.Scan() {
			if strings.Contains(w.out.Text(), `"position"`) {
				answers++
			}
		}
		if err := <-w.ended; err != nil || answers != 50 {
			t.Errorf("after %q the session ended with %v and %d of 50 answers", last, err, answers)
		}
	}
}

// TestStop stops a server while a client neither writes nor reads.
func TestStop(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	in, write := io.Pipe()
	read, out := io.Pipe()
	t.Cleanup(func() { _ = write.Close(); _ = read.Close() })
	ended := make(chan error, 1)
	h := open(t, &match.Memory{}, nil)
	go func() { ended <- h.Stdio(ctx, in, out) }()
	if _, err := io.WriteString(write, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"); err != nil { // the answer is not read
		t.Fatal(err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A broken writer fails.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("the pipe is broken") }

// TestGone ends the session when answers cannot be written any more.
func TestGone(t *testing.T) {
	in, write := io.Pipe()
	t.Cleanup(func() { _ = write.Close() })
	ended := make(chan error, 1)
	h := open(t, &match.Memory{}, nil)
	go func() { ended <- h.Stdio(t.Context(), in, broken{}) }()
	if _, err := io.WriteString(write, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if err == nil {
			t.Error("it ended as if all were well")
		}
	case <-time.After(time.Minute):
		t.Fatal("the session goes on for nobody")
	}
}

// FuzzLine holds that whatever a line is, what comes after it is answered, and that nothing is
// waited for at the end.
func FuzzLine(f *testing.F) {
	for _, line := range []string{
		`[1,2]`, `{}`, `null`, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":{},"method":"ping","params":[]}`, "\xff", "\x00\r\n\n{",
		`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"play","arguments":{"game":1}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"duel://rules/%20%zz"}}`,
		`{"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{"name":"play","arguments":{"rules":"x"}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"completion/complete","params":{"ref":{"type":"ref/prompt"}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"x"}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"x","_meta":{"io.modelcontextprotocol/protocolVersion":5}}}`,
	} {
		f.Add([]byte(line))
	}
	h := &house{Server: New(Config{Hall: match.NewHall(&match.Memory{}, match.HallConfig{}), Link: func(context.Context, string) string { return "" }, Now: time.Now, Solve: solver.Solve})}
	f.Fuzz(func(t *testing.T, junk []byte) {
		w := h.wire(t).begin()
		w.write(string(junk))
		w.asked = 1_000_000_000 // which the junk may not have asked with
		if a := w.ask("prompts/get", `{"name":"play"}`); a.Error != nil && !strings.Contains(string(junk), "1000000001") {
			t.Fatalf("after %q: %+v", junk, a.Error)
		}
		w.close()
		closed := time.Now()
		for w.out.Scan() {
		}
		if err := <-w.ended; err != nil || time.Since(closed) >= drainTime {
			t.Fatalf("after %q: %v after %v", junk, err, time.Since(closed))
		}
	})
}
