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
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/match"
)

// A stdioClient is a client that can write arbitrary lines.
type stdioClient struct {
	testing.TB
	in     *io.PipeWriter
	out    *bufio.Scanner
	lastID int
	ended  chan error
}

// stdioClient returns a client of a session over pipes.
func (srv *testServer) stdioClient(t testing.TB) *stdioClient {
	in, write := io.Pipe()
	read, out := io.Pipe()
	w := &stdioClient{TB: t, in: write, out: bufio.NewScanner(read), ended: make(chan error, 1)}
	w.out.Buffer(nil, 4<<20)
	go func() {
		err := srv.Stdio(t.Context(), in, out)
		_ = out.Close() // a pipe in memory closes without an error
		w.ended <- err
	}()
	t.Cleanup(func() { _ = write.Close(); _ = read.Close() })
	return w
}

// write writes a line.
func (w *stdioClient) write(line string) {
	w.Helper()
	if _, err := io.WriteString(w.in, line+"\n"); err != nil {
		w.Fatal(err)
	}
}

// close closes the input of the server.
func (w *stdioClient) close() {
	w.Helper()
	if err := w.in.Close(); err != nil {
		w.Fatal(err)
	}
}

// An answerLine is a line that the server writes.
type answerLine struct {
	Version string           `json:"jsonrpc"`
	ID      *json.RawMessage `json:"id"`
	Result  json.RawMessage  `json:"result"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// read reads the next answer.
func (w *stdioClient) read() (a answerLine) {
	w.Helper()
	if !w.out.Scan() {
		w.Fatalf("no answer: %v", w.out.Err())
	}
	if err := json.Unmarshal(w.out.Bytes(), &a); err != nil || a.Version != "2.0" ||
		(a.Result == nil) == (a.Error == nil) {
		w.Fatalf("%s: %v", w.out.Text(), err)
	}
	return a
}

// request sends a request and returns its answer. It skips answers to earlier lines.
func (w *stdioClient) request(method, params string) answerLine {
	w.Helper()
	w.lastID++
	w.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, w.lastID, method, params))
	for {
		a := w.read()
		if a.ID != nil && string(*a.ID) == fmt.Sprint(w.lastID) {
			return a
		}
	}
}

const initParams = `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"wire","version":"1"}}`

// initialize starts the session.
func (w *stdioClient) initialize() *stdioClient {
	w.Helper()
	if a := w.request("initialize", initParams); a.Error != nil {
		w.Fatalf("%+v", a)
	}
	w.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return w
}

// checkAlive checks that the session still answers.
func (w *stdioClient) checkAlive() {
	w.Helper()
	if a := w.request("tools/call", `{"name":"new_game","arguments":{}}`); a.Error != nil ||
		!strings.Contains(string(a.Result), `"position"`) {
		w.Fatalf("new_game: got %+v", a)
	}
}

// TestRubbish writes lines that are not valid requests. Lines that are not messages end the session
// with an error, after the answer to the previous request.
func TestRubbish(t *testing.T) {
	const ends = 1
	for name, tt := range map[string]struct {
		line string
		code int    // of the error; 0: the line is ignored
		id   string // of the answer
	}{
		"words":            {`hello`, ends, ""},
		"half":             {`{"jsonrpc":"2.0","id":7,"method":"ping"`, ends, ""},
		"two":              {`{"jsonrpc":"2.0","id":7,"method":"ping"}{}`, ends, ""},
		"nul":              {"\x00", ends, ""},
		"nul after":        {`{"jsonrpc":"2.0","id":7,"method":"ping"}` + "\x00", ends, ""},
		"deep":             {strings.Repeat("[", 20_000), ends, ""},
		"deep and whole":   {strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000), ends, ""},
		"numbers":          {`[1,2]`, ends, ""},
		"nothing":          {`[]`, ends, ""},
		"a number":         {`42`, ends, ""},
		"a text":           {`"x"`, ends, ""},
		"null":             {`null`, ends, ""},
		"true":             {`true`, ends, ""},
		"empty":            {`{}`, ends, ""},
		"old":              {`{"jsonrpc":"1.0","id":7,"method":"ping"}`, ends, ""},
		"no version":       {`{"id":"a","method":"ping"}`, ends, ""},
		"no method":        {`{"jsonrpc":"2.0"}`, ends, ""},
		"a number there":   {`{"jsonrpc":"2.0","id":7,"method":5}`, ends, ""},
		"a list as id":     {`{"jsonrpc":"2.0","id":[1],"method":"ping"}`, ends, ""},
		"too long":         {`{"jsonrpc":"2.0","id":7,"method":"` + strings.Repeat("x", 2*maxLine) + `"}`, ends, ""},
		"deep inside":      {`{"jsonrpc":"2.0","id":7,"method":"ping","params":` + strings.Repeat("[", 2_000) + strings.Repeat("]", 2_000) + `}`, ends, ""},
		"no such method":   {`{"jsonrpc":"2.0","id":7,"method":"nothing"}`, -32601, "7"},
		"no params":        {`{"jsonrpc":"2.0","id":7,"method":"tools/call"}`, -32600, "7"},
		"wrong params":     {`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":5}`, -32602, "7"},
		"null params":      {`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":null}`, -32600, "7"},
		"no such tool":     {`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"nothing"}}`, -32602, "7"},
		"nothing in it":    {``, 0, ""},
		"spaces":           {"  \t ", 0, ""},
		"Windows":          {"\r", 0, ""},
		"null as id":       {`{"jsonrpc":"2.0","id":null,"method":"ping"}`, 0, ""},
		"a notification":   {`{"jsonrpc":"2.0","method":"nothing"}`, 0, ""},
		"an answer":        {`{"jsonrpc":"2.0","id":99,"result":{}}`, 0, ""},
		"a strange cancel": {`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTestServer(t, &match.Memory{}, nil).stdioClient(t).initialize()
			if tt.code == ends {
				go func() { // the server may not read all of it
					_, _ = io.WriteString(w.in, pingRequest+"\n"+tt.line+"\n\n")
				}()
				if a := w.read(); a.Error != nil || idText(a) != "1" {
					t.Errorf("the previous request is answered by %+v", a)
				}
				// Otherwise the server waits for the rest of the message.
				if tt.line == `{"jsonrpc":"2.0","id":7,"method":"ping"` {
					w.close()
				}
				if w.out.Scan() {
					t.Errorf("%.80s: got the answer %s", tt.line, w.out.Text())
				}
				if err := <-w.ended; err == nil {
					t.Errorf("%.80s: the session ended without an error", tt.line)
				}
				return
			}
			w.write(tt.line)
			if tt.code != 0 {
				if a := w.read(); a.Error == nil || a.Error.Code != tt.code ||
					a.Error.Message == "" || idText(a) != tt.id {
					t.Errorf("%.80s: got %+v for %s", tt.line, a.Error, idText(a))
				}
			}
			w.checkAlive()
		})
	}
}

// idText returns the ID of an answer, or "null".
func idText(a answerLine) string {
	if a.ID == nil {
		return "null"
	}
	return string(*a.ID)
}

// TestTooEarly checks that a call before the session is initialized is refused, and that the
// session can still be initialized.
func TestTooEarly(t *testing.T) {
	w := newTestServer(t, &match.Memory{}, nil).stdioClient(t)
	if a := w.request("tools/call", `{"name":"new_game","arguments":{}}`); a.Error == nil ||
		!strings.Contains(a.Error.Message, "initialization") {
		t.Errorf("%+v", a)
	}
	w.initialize().checkAlive()
}

// TestWindows checks that lines may end with a carriage return, as on Windows.
func TestWindows(t *testing.T) {
	w := newTestServer(t, &match.Memory{}, nil).stdioClient(t)
	w.lastID++
	w.write(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":` + initParams + "}\r")
	if a := w.read(); a.Error != nil {
		t.Fatalf("%+v", a.Error)
	}
	w.checkAlive()
}

// TestEnd closes the input: all requests are answered, and the session ends without an error.
func TestEnd(t *testing.T) {
	// The last line has no newline.
	for _, last := range []string{"", `{"jsonrpc":"2.0","id":100,"method":"ping"}`} {
		w := newTestServer(t, &match.Memory{}, nil).stdioClient(t).initialize()
		for id := range 50 {
			w.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call",`+
				`"params":{"name":"new_game","arguments":{}}}`, id+2))
		}
		w.write(`{"jsonrpc":"2.0","id":99,"method":"subscriptions/listen","params":` +
			`{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},"notifications":{}}}`)
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

// TestStop stops a server while the client neither writes nor reads.
func TestStop(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	in, write := io.Pipe()
	read, out := io.Pipe()
	t.Cleanup(func() { _ = write.Close(); _ = read.Close() })
	ended := make(chan error, 1)
	srv := newTestServer(t, &match.Memory{}, nil)
	go func() { ended <- srv.Stdio(ctx, in, out) }()
	// The answer is not read.
	if _, err := io.WriteString(write, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestReusedID reuses the ID of a request whose answer the client has read, but whose write has not
// returned: at the end of the input, the second request is still answered.
func TestReusedID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		id, err := jsonrpc.MakeID("1")
		if err != nil {
			t.Fatal(err)
		}
		c := &connection{message: &jsonrpc.Request{ID: id, Method: "ping"}}
		d := &draining{pending: map[jsonrpc.ID]bool{}, Connection: c}
		d.answered.L = &d.mu
		read := func() { _, _ = d.Read(t.Context()) }
		read()
		c.written = read
		if err := d.Write(t.Context(), &jsonrpc.Response{ID: id}); err != nil {
			t.Fatal(err)
		}
		c.message, c.err, c.written = nil, io.EOF, func() {}
		ended := false
		go func() { read(); ended = true }()
		synctest.Wait()
		if ended {
			t.Error("the input ended before the second request was answered")
		}
		if err := d.Write(t.Context(), &jsonrpc.Response{ID: id}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if !ended {
			t.Error("the input does not end after the last answer")
		}
	})
}

// A connection returns the same message or error from every Read.
type connection struct {
	sdk.Connection
	message jsonrpc.Message
	err     error
	written func()
}

func (c *connection) Read(context.Context) (jsonrpc.Message, error) { return c.message, c.err }

func (c *connection) Write(context.Context, jsonrpc.Message) error {
	c.written()
	return nil
}

// A brokenWriter fails every write.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("the pipe is broken") }

// TestGone checks that the session ends when answers can no longer be written.
func TestGone(t *testing.T) {
	in, write := io.Pipe()
	t.Cleanup(func() { _ = write.Close() })
	ended := make(chan error, 1)
	srv := newTestServer(t, &match.Memory{}, nil)
	go func() { ended <- srv.Stdio(t.Context(), in, brokenWriter{}) }()
	if _, err := io.WriteString(write, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if err == nil {
			t.Error("the session ended without an error")
		}
	case <-time.After(time.Minute):
		t.Fatal("the session does not end")
	}
}

// FuzzLine checks that after any line the previous request is answered, and that the session ends
// soon after the input.
func FuzzLine(f *testing.F) {
	for _, line := range []string{
		`[1,2]`, `{}`, `null`, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":{},"method":"ping","params":[]}`, "\xff", "\x00\r\n\n{",
		`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"play","arguments":{"game":1}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"duel://rules/%20%zz"}}`,
		`{"jsonrpc":"2.0","id":3,"method":"completion/complete","params":{"ref":{"type":"ref/prompt"}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"x"}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"x","_meta":{"io.modelcontextprotocol/protocolVersion":5}}}`,
	} {
		f.Add([]byte(line))
	}
	srv := &testServer{Server: New(Config{
		Hall: match.NewHall(&match.Memory{}, match.HallConfig{}), Solve: solver.Solve,
		Link: func(context.Context, string) string { return "" }, Now: time.Now,
	})}
	f.Fuzz(func(t *testing.T, junk []byte) {
		w := srv.stdioClient(t).initialize()
		w.lastID = 1_000_000_000 // an ID that the line does not use
		if a := w.request("resources/read", `{"uri":"duel://rules/dilemma"}`); a.Error != nil {
			t.Fatalf("%+v", a.Error)
		}
		_, _ = w.in.Write(junk) // it may end the session
		w.close()
		closed := time.Now()
		for w.out.Scan() {
		}
		if <-w.ended; time.Since(closed) >= drainTime {
			t.Fatalf("%q: the session ended %v after the input", junk, time.Since(closed))
		}
	})
}

// TestSubscribed checks that the end of the input does not wait for the answer to a subscription.
func TestSubscribed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		id, err := jsonrpc.MakeID("1")
		if err != nil {
			t.Fatal(err)
		}
		c := &connection{message: &jsonrpc.Request{ID: id, Method: "subscriptions/listen"}}
		d := &draining{pending: map[jsonrpc.ID]bool{}, Connection: c}
		d.answered.L = &d.mu
		_, _ = d.Read(t.Context())
		c.message, c.err = nil, io.EOF
		began := time.Now()
		if _, _ = d.Read(t.Context()); time.Since(began) > 0 {
			t.Errorf("the input ends after %v", time.Since(began))
		}
	})
}
