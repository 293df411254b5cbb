package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"digitduel/match"
)

// A toolbox is duel mcp as a process, and the client at its other end, which writes and reads lines.
type toolbox struct {
	*testing.T
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
	log     bytes.Buffer
	asked   int
}

func openToolbox(t *testing.T, args ...string) *toolbox {
	t.Helper()
	b := &toolbox{T: t, process: exec.CommandContext(t.Context(), "duel", append([]string{"mcp"}, args...)...)}
	b.process.Env, b.process.Stderr = environment(t), &b.log
	var err error
	if b.in, err = b.process.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := b.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	b.out = bufio.NewScanner(out)
	b.out.Buffer(nil, 4<<20)
	if err := b.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.process.Process.Kill(); _ = b.process.Wait() }) // it may have ended
	b.ask("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "toolbox", "version": "1"}})
	b.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return b
}

func (b *toolbox) write(line string) {
	b.Helper()
	if _, err := io.WriteString(b.in, line+"\n"); err != nil {
		b.Fatalf("%v: %s", err, &b.log)
	}
}

// send sends a request, and does not wait for the answer.
func (b *toolbox) send(method string, params any) {
	b.Helper()
	b.asked++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": b.asked, "method": method, "params": params})
	if err != nil {
		b.Fatal(err)
	}
	b.write(string(line))
}

// ask sends a request and returns what is answered, also after refusals of what was no request.
func (b *toolbox) ask(method string, params any) json.RawMessage {
	b.Helper()
	b.send(method, params)
	for b.out.Scan() {
		var a struct {
			Version string          `json:"jsonrpc"`
			ID      *int            `json:"id"`
			Result  json.RawMessage `json:"result"`
			Error   json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal(b.out.Bytes(), &a); err != nil || a.Version != "2.0" || (a.Result == nil) == (a.Error == nil) {
			b.Fatalf("no answer of the protocol: %s %v", b.out.Text(), err)
		}
		if a.ID != nil && *a.ID == b.asked {
			if a.Error != nil {
				b.Fatalf("%s %v: %s", method, params, a.Error)
			}
			return a.Result
		}
	}
	b.Fatalf("%s: no answer: %v %s", method, b.out.Err(), &b.log)
	return nil
}

// A gameState is some of what a tool answers of a game.
type gameState struct {
	Game, Result, Fault, Reason, Watch string
	Played, Moves                      []string
	Ply                                int
	TriesLeft                          int `json:"tries_left"`
}

func (b *toolbox) call(tool string, arguments map[string]any) (s gameState) {
	b.Helper()
	var a struct{ StructuredContent json.RawMessage }
	if err := json.Unmarshal(b.ask("tools/call", map[string]any{"name": tool, "arguments": arguments}), &a); err != nil {
		b.Fatal(err)
	}
	if err := json.Unmarshal(a.StructuredContent, &s); err != nil {
		b.Fatal(err)
	}
	return s
}

// end ends the input, and fails unless the program then ends well, with nothing more said.
func (b *toolbox) end() {
	b.Helper()
	began := time.Now()
	if err := b.in.Close(); err != nil {
		b.Fatal(err)
	}
	for b.out.Scan() {
		b.Errorf("said at the end: %s", b.out.Text())
	}
	if err := b.process.Wait(); err != nil || b.log.Len() > 0 {
		b.Errorf("ended with %v: %s", err, &b.log)
	}
	if took := time.Since(began); took > 10*time.Second { // it takes milliseconds
		b.Errorf("it took %v to end", took)
	}
}

// pick returns a move that depends on the state alone.
func (s gameState) pick() string { return s.Moves[len(s.Moves)*2/3] }

// TestToolsAfterKill kills duel mcp in the middle of games, also while it plays, and goes on with them: the computer answers as it does
// when nobody is killed, and what is asked again is no fault.
func TestToolsAfterKill(t *testing.T) {
	asked := map[string]any{"rules": "divisibility target=101", "seed": 11, "opponent": "casual", "show_moves": true}
	whole := openToolbox(t, "--db", filepath.Join(t.TempDir(), "whole.db"))
	s := whole.call("new_game", asked)
	for s.Result == "*" {
		s = whole.call("play", map[string]any{"game": s.Game, "move": s.pick(), "ply": s.Ply})
	}
	whole.end()
	want := s.Played
	if len(want) < 5 {
		t.Fatalf("the game is too short: %v", want)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 3 {
		db := filepath.Join(t.TempDir(), "killed.db")
		b := openToolbox(t, "--db", db)
		s := b.call("new_game", asked)
		for s.Result == "*" {
			move := map[string]any{"game": s.Game, "move": s.pick(), "ply": s.Ply}
			b.send("tools/call", map[string]any{"name": "play", "arguments": move})
			time.Sleep(time.Duration(rng.IntN(6)) * time.Millisecond) // any moment will do
			if err := b.process.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = b.process.Wait() // it was killed
			b = openToolbox(t, "--db", db)
			next := b.call("play", move)
			if next.Fault != "" || next.Reason != "" || next.Ply <= s.Ply || next.Result == "*" && next.TriesLeft != 3 {
				t.Fatalf("round %d: %+v after %+v", round, next, s)
			}
			s = next
		}
		b.end()
		if !slices.Equal(s.Played, want) {
			t.Errorf("round %d: %v, and without a kill %v", round, s.Played, want)
		}
	}
}

// TestToolsPiped pipes a whole session into the program: everything is answered, although the input has ended.
func TestToolsPiped(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "duel", "mcp", "--db", filepath.Join(t.TempDir(), "games.db"))
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"new_game","arguments":{"rules":"divisibility"}}}
{"jsonrpc":"2.0","id":3,"method":"tools/list"}`)
	out, err := cmd.Output()
	if got := strings.Count(string(out), "\n"); err != nil || got != 3 || !strings.Contains(string(out), `"position"`) {
		t.Errorf("%v: %d of 3 answers: %s", err, got, out)
	}
}

// TestToolsAfterRubbish writes a line that is not a message, which ends the program with a reason.
func TestToolsAfterRubbish(t *testing.T) {
	b := openToolbox(t, "--db", filepath.Join(t.TempDir(), "games.db"))
	b.call("new_game", nil)
	b.write("hello")
	if b.out.Scan() {
		t.Errorf("answered by %s", b.out.Text())
	}
	if err := b.process.Wait(); err == nil || !strings.Contains(b.log.String(), "invalid character 'h'") {
		t.Errorf("ended with %v: %s", err, &b.log)
	}
}

// TestToolsStop ends the program by a signal, while its client waits.
func TestToolsStop(t *testing.T) {
	b := openToolbox(t, "--db", filepath.Join(t.TempDir(), "games.db"))
	b.call("new_game", nil)
	if err := b.process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for b.out.Scan() {
		t.Errorf("said at the end: %s", b.out.Text())
	}
	if err := b.process.Wait(); err != nil || b.log.Len() > 0 {
		t.Errorf("ended with %v: %s", err, &b.log)
	}
}

// TestToolsTogether has two programs and a server at one database: a game goes on by either, and can be watched while it does.
func TestToolsTogether(t *testing.T) {
	db := filepath.Join(t.TempDir(), "games.db")
	s := newServer(t, "--db", db)
	s.start()
	base := "http://" + s.addr
	one, two := openToolbox(t, "--db", db, "--base-url", base+"/"), openToolbox(t, "--db", db, "--base-url", base)
	g := one.call("new_game", map[string]any{"rules": "highest", "side": "first", "show_moves": true, "player": "Some Model"})
	path, ok := strings.CutPrefix(g.Watch, base)
	if !ok {
		t.Fatalf("it is watched at %s", g.Watch)
	}
	told, leave := s.stay(strings.TrimPrefix(path, "/t/"), "")
	defer leave()
	one.call("play", map[string]any{"game": g.Game, "move": "9z"})
	for turn := 0; g.Result == "*"; turn++ {
		b := one
		if turn%2 == 1 {
			b = two
		}
		g = b.call("play", map[string]any{"game": g.Game, "move": g.pick(), "ply": g.Ply})
		if status, page, err := s.ask("GET", path, "", ""); err != nil || status != 200 || !strings.Contains(page, "Some Model") {
			t.Fatalf("%s: %d %v: %s", path, status, err, page)
		}
	}
	var heard []match.Kind
	for late := time.After(time.Minute); len(heard) < 2+len(g.Played); {
		select {
		case a := <-told:
			heard = append(heard, a.Kind)
		case <-late:
			t.Fatalf("the server told of %v", heard)
		}
	}
	if want := slices.Concat([]match.Kind{match.Began, match.Faulted}, slices.Repeat([]match.Kind{match.Moved}, len(g.Played))); !slices.Equal(heard, want) {
		t.Errorf("the server told of %v, want %v", heard, want)
	}
	one.end()
	two.end()
}

// TestToolsFlags says what is wrong with flags.
func TestToolsFlags(t *testing.T) {
	for args, want := range map[string]string{
		"--retries -1":         "retries -1: allowed: 0 to 99",
		"--retries 100":        "retries 100: allowed: 0 to 99",
		"--retries x":          `retries "x": allowed: a whole number`,
		"--base-url here":      `base-url "here": allowed: an address such as https://duel.example`,
		"--base-url ftp://x/y": `base-url "ftp://x/y": allowed: an address such as https://duel.example`,
		"--exams --coach":      "exams with coach: analysis gives the answers; leave out one of them",
		"--exams --out x":      "exams with out: a run consists of games; leave out one of them",
		"now":                  `unexpected argument "now" (see: duel mcp --help)`,
	} {
		out, err := exec.CommandContext(t.Context(), "duel", append([]string{"mcp"}, strings.Fields(args)...)...).CombinedOutput()
		if err == nil || err.Error() != "exit status 2" || string(out) != "duel: "+want+"\n" {
			t.Errorf("%s: %v: %s", args, err, out)
		}
	}
	b := openToolbox(t, "--db", filepath.Join(t.TempDir(), "games.db"), "--retries", "0", "--coach")
	s := b.call("new_game", map[string]any{"side": "first"})
	if s = b.call("play", map[string]any{"game": s.Game, "move": "?"}); s.Result != "0-1 forfeit" {
		t.Errorf("without retries: %+v", s)
	}
	if tools := string(b.ask("tools/list", map[string]any{})); !strings.Contains(tools, `"name":"hint"`) {
		t.Errorf("with a coach: %s", tools)
	}
	b.end()
	b = openToolbox(t, "--db", filepath.Join(t.TempDir(), "games.db"), "--exams")
	if tools := string(b.ask("tools/list", map[string]any{})); strings.Contains(tools, `"name":"new_game"`) || !strings.Contains(tools, `"name":"next_item"`) {
		t.Errorf("exams alone: %s", tools)
	}
	b.end()
}
