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

// An mcpClient is a process of duel mcp and its client, which writes and reads lines.
type mcpClient struct {
	*testing.T
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
	log     bytes.Buffer
	asked   int
}

func startMCP(t *testing.T, args ...string) *mcpClient {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "duel", append([]string{"mcp"}, args...)...)
	b := &mcpClient{T: t, process: cmd}
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
	b.ask("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "toolbox", "version": "1"},
	})
	b.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return b
}

func (b *mcpClient) write(line string) {
	b.Helper()
	if _, err := io.WriteString(b.in, line+"\n"); err != nil {
		b.Fatalf("%v: %s", err, &b.log)
	}
}

// send sends a request and does not wait for the answer.
func (b *mcpClient) send(method string, params any) {
	b.Helper()
	b.asked++
	line, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": b.asked, "method": method, "params": params,
	})
	if err != nil {
		b.Fatal(err)
	}
	b.write(string(line))
}

// ask sends a request and returns its result, skipping answers to other requests.
func (b *mcpClient) ask(method string, params any) json.RawMessage {
	b.Helper()
	b.send(method, params)
	for b.out.Scan() {
		var a struct {
			Version string          `json:"jsonrpc"`
			ID      *int            `json:"id"`
			Result  json.RawMessage `json:"result"`
			Error   json.RawMessage `json:"error"`
		}
		err := json.Unmarshal(b.out.Bytes(), &a)
		if err != nil || a.Version != "2.0" || (a.Result == nil) == (a.Error == nil) {
			b.Fatalf("not an answer of the protocol: %s %v", b.out.Text(), err)
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

// A gameState is a part of the answer of a tool about a game.
type gameState struct {
	Game, Result, Fault, Reason, Watch string
	Played, Moves                      []string
	Ply                                int
	TriesLeft                          int `json:"tries_left"`
}

func (b *mcpClient) call(tool string, arguments map[string]any) (s gameState) {
	b.Helper()
	var a struct{ StructuredContent json.RawMessage }
	result := b.ask("tools/call", map[string]any{"name": tool, "arguments": arguments})
	if err := json.Unmarshal(result, &a); err != nil {
		b.Fatal(err)
	}
	if err := json.Unmarshal(a.StructuredContent, &s); err != nil {
		b.Fatal(err)
	}
	return s
}

// end closes the input, and checks that the program then ends without an error and without more
// output.
func (b *mcpClient) end() {
	b.Helper()
	began := time.Now()
	if err := b.in.Close(); err != nil {
		b.Fatal(err)
	}
	for b.out.Scan() {
		b.Errorf("printed at the end: %s", b.out.Text())
	}
	if err := b.process.Wait(); err != nil || b.log.Len() > 0 {
		b.Errorf("ended with %v: %s", err, &b.log)
	}
	if took := time.Since(began); took > 10*time.Second { // it takes milliseconds
		b.Errorf("the program took %v to end", took)
	}
}

// pick returns a move that depends on the state alone.
func (s gameState) pick() string { return s.Moves[len(s.Moves)*2/3] }

// TestToolsAfterKill kills duel mcp during games, also while it plays, and continues them. The
// computer plays the moves that it plays without a kill, and a repeated request is not a fault.
func TestToolsAfterKill(t *testing.T) {
	asked := map[string]any{
		"rules": "divisibility target=101", "seed": 11, "opponent": "casual", "show_moves": true,
	}
	whole := startMCP(t, "--db", filepath.Join(t.TempDir(), "whole.db"))
	s := whole.call("new_game", asked)
	for s.Result == "*" {
		s = whole.call("play", map[string]any{"game": s.Game, "move": s.pick(), "ply": s.Ply})
	}
	whole.end()
	want := s.Played
	if len(want) < 5 {
		t.Fatalf("the game is too short for this test: %v", want)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 3 {
		db := filepath.Join(t.TempDir(), "killed.db")
		b := startMCP(t, "--db", db)
		s := b.call("new_game", asked)
		for s.Result == "*" {
			move := map[string]any{"game": s.Game, "move": s.pick(), "ply": s.Ply}
			b.send("tools/call", map[string]any{"name": "play", "arguments": move})
			time.Sleep(time.Duration(rng.IntN(6)) * time.Millisecond) // any moment will do
			if err := b.process.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = b.process.Wait() // it was killed
			b = startMCP(t, "--db", db)
			next := b.call("play", move)
			if next.Fault != "" || next.Reason != "" || next.Ply <= s.Ply ||
				next.Result == "*" && next.TriesLeft != 3 {
				t.Fatalf("round %d: %+v after %+v", round, next, s)
			}
			s = next
		}
		b.end()
		if !slices.Equal(s.Played, want) {
			t.Errorf("round %d: got %v, want %v as without a kill", round, s.Played, want)
		}
	}
}

// TestToolsPiped pipes a whole session into the program, and checks that it answers all requests
// although the input has ended.
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

// TestToolsAfterRubbish writes a line that is not a message: the program ends with an error.
func TestToolsAfterRubbish(t *testing.T) {
	b := startMCP(t, "--db", filepath.Join(t.TempDir(), "games.db"))
	b.call("new_game", nil)
	b.write("hello")
	if b.out.Scan() {
		t.Errorf("answered by %s", b.out.Text())
	}
	if err := b.process.Wait(); err == nil || !strings.Contains(b.log.String(), "invalid character 'h'") {
		t.Errorf("ended with %v: %s", err, &b.log)
	}
}

// TestToolsStop ends the program with a signal while its client waits.
func TestToolsStop(t *testing.T) {
	b := startMCP(t, "--db", filepath.Join(t.TempDir(), "games.db"))
	b.call("new_game", nil)
	if err := b.process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for b.out.Scan() {
		t.Errorf("printed at the end: %s", b.out.Text())
	}
	if err := b.process.Wait(); err != nil || b.log.Len() > 0 {
		t.Errorf("ended with %v: %s", err, &b.log)
	}
}

// TestToolsTogether has two programs and a server use one database: either program can continue a
// game, and the server shows it.
func TestToolsTogether(t *testing.T) {
	db := filepath.Join(t.TempDir(), "games.db")
	s := newServer(t, "--db", db)
	s.start()
	base := "http://" + s.addr
	one := startMCP(t, "--db", db, "--base-url", base+"/")
	two := startMCP(t, "--db", db, "--base-url", base)
	g := one.call("new_game", map[string]any{
		"rules": "highest", "side": "first", "show_moves": true, "player": "Some Model",
	})
	path, ok := strings.CutPrefix(g.Watch, base)
	if !ok {
		t.Fatalf("the link to watch is %s, want one below %s", g.Watch, base)
	}
	events, leave := s.openStream(strings.TrimPrefix(path, "/t/"), "")
	defer leave()
	one.call("play", map[string]any{"game": g.Game, "move": "9z"})
	for turn := 0; g.Result == "*"; turn++ {
		b := one
		if turn%2 == 1 {
			b = two
		}
		g = b.call("play", map[string]any{"game": g.Game, "move": g.pick(), "ply": g.Ply})
		status, page, err := s.ask("GET", path, "", "")
		if err != nil || status != 200 || !strings.Contains(page, "Some Model") {
			t.Fatalf("%s: %d %v: %s", path, status, err, page)
		}
	}
	var kinds []match.Kind
	for late := time.After(time.Minute); len(kinds) < 2+len(g.Played); {
		select {
		case a := <-events:
			kinds = append(kinds, a.Kind)
		case <-late:
			t.Fatalf("the server sent only %v", kinds)
		}
	}
	want := slices.Concat([]match.Kind{match.Began, match.Faulted},
		slices.Repeat([]match.Kind{match.Moved}, len(g.Played)))
	if !slices.Equal(kinds, want) {
		t.Errorf("the server sent %v, want %v", kinds, want)
	}
	one.end()
	two.end()
}

// TestToolsFlags checks the errors of flags, and the tools that flags add and remove.
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
		words := append([]string{"mcp"}, strings.Fields(args)...)
		out, err := exec.CommandContext(t.Context(), "duel", words...).CombinedOutput()
		if err == nil || err.Error() != "exit status 2" || string(out) != "duel: "+want+"\n" {
			t.Errorf("%s: %v: %s", args, err, out)
		}
	}
	b := startMCP(t, "--db", filepath.Join(t.TempDir(), "games.db"), "--retries", "0", "--coach")
	s := b.call("new_game", map[string]any{"side": "first"})
	if s = b.call("play", map[string]any{"game": s.Game, "move": "?"}); s.Result != "0-1 forfeit" {
		t.Errorf("without retries: %+v", s)
	}
	if tools := string(b.ask("tools/list", map[string]any{})); !strings.Contains(tools, `"name":"hint"`) {
		t.Errorf("with a coach: %s", tools)
	}
	b.end()
	b = startMCP(t, "--db", filepath.Join(t.TempDir(), "games.db"), "--exams")
	tools := string(b.ask("tools/list", map[string]any{}))
	if strings.Contains(tools, `"name":"new_game"`) ||
		!strings.Contains(tools, `"name":"next_item"`) {
		t.Errorf("exams alone: %s", tools)
	}
	b.end()
}
