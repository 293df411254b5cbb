package clienttest_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the answers of the session in docs/agents.md")

const page = "../../../docs/agents.md"

// blocks returns what is in the blocks of a kind in docs/agents.md.
func blocks(t *testing.T, kind string) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, block := range strings.Split(string(text), "\n```"+kind+"\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		found = append(found, block)
	}
	if len(found) == 0 {
		t.Fatalf("%s has no %s", page, kind)
	}
	return found
}

// A dialogue is a program that is spoken to line by line, without any library.
type dialogue struct {
	t       *testing.T
	in      io.Writer
	answers *bufio.Scanner
	asked   int
}

// speak starts a program and says hello in a version of the protocol.
func speak(t *testing.T, version string, command ...string) (d *dialogue, agreed string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir, cmd.Env, cmd.Stderr = t.TempDir(), environment(t), t.Output()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	d = &dialogue{t: t, in: in, answers: bufio.NewScanner(out)}
	d.answers.Buffer(nil, 1<<20)
	t.Cleanup(func() {
		_ = in.Close()
		for d.answers.Scan() {
		}
		if err := cmd.Wait(); err != nil && t.Context().Err() == nil {
			t.Errorf("%q: %v", command, err)
		}
	})
	var hello struct{ ProtocolVersion string }
	d.ask("initialize", map[string]any{"protocolVersion": version, "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "me", "version": "1"}}, &hello)
	d.write(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return d, hello.ProtocolVersion
}

func (d *dialogue) write(message any) {
	d.t.Helper()
	text, err := json.Marshal(message)
	if err == nil {
		_, err = d.in.Write(append(text, '\n'))
	}
	if err != nil {
		d.t.Fatal(err)
	}
}

// ask sends a request and reads its answer.
func (d *dialogue) ask(method string, params, answer any) {
	d.t.Helper()
	d.asked++
	d.write(map[string]any{"jsonrpc": "2.0", "id": d.asked, "method": method, "params": params})
	if !d.answers.Scan() {
		d.t.Fatalf("%s is not answered: %v", method, d.answers.Err())
	}
	var told struct {
		ID            int
		Result, Error json.RawMessage
	}
	if err := json.Unmarshal(d.answers.Bytes(), &told); err != nil || told.ID != d.asked || told.Error != nil {
		d.t.Fatalf("%s is answered %s: %v", method, d.answers.Text(), err)
	}
	if err := json.Unmarshal(told.Result, answer); err != nil {
		d.t.Fatal(err)
	}
}

// TestVersions says hello in every version of the protocol that begins so.
func TestVersions(t *testing.T) {
	for _, test := range []struct{ asked, agreed string }{
		{"2024-11-05", "2024-11-05"},
		{"2025-03-26", "2025-03-26"},
		{"2025-06-18", "2025-06-18"},
		{"2025-11-25", "2025-11-25"},
		{"2099-01-01", "2025-11-25"}, // a client that cannot take it ends the session
		{"once", "2025-11-25"},
	} {
		d, agreed := speak(t, test.asked, duel, "mcp", "--db", filepath.Join(t.TempDir(), "games.db"))
		if agreed != test.agreed {
			t.Errorf("%s is answered with %s, want %s", test.asked, agreed, test.agreed)
		}
		var result struct{ Content []struct{ Text string } }
		if d.ask("tools/call", map[string]any{"name": "new_game", "arguments": map[string]any{}}, &result); len(result.Content) != 1 {
			t.Errorf("%s: new_game is answered %v", test.asked, result)
		}
	}
}

// TestArguments sends arguments as some clients write them.
func TestArguments(t *testing.T) {
	d, _ := speak(t, "2025-11-25", duel, "mcp", "--db", filepath.Join(t.TempDir(), "games.db"))
	var told struct {
		StructuredContent state
		IsError           bool
	}
	call := func(name, arguments string) bool {
		d.ask("tools/call", map[string]any{"name": name, "arguments": json.RawMessage(arguments)}, &told)
		return !told.IsError
	}
	for _, arguments := range []string{`null`, `{}`, `{"rules":null,"seed":null,"show_moves":null}`, `{"seed":7.0}`, `{"seed":9.007199254740991e15}`} {
		if !call("new_game", arguments) {
			t.Errorf("%s: %s", arguments, told.StructuredContent.Reason)
		}
	}
	call("new_game", `{"side":"first"}`)
	if game := told.StructuredContent.Game; !call("play", `{"game":"`+game+`","move":" 7a\n","ply":null}`) {
		t.Errorf("spaces around a move: %s", told.StructuredContent.Reason)
	}
}

var (
	gameID = regexp.MustCompile(`[a-z0-9]+\.[A-Za-z0-9_-]{32}`)
	varies = regexp.MustCompile(`(\bms=|\bat=|/t/)[^\s;]+`) // times, and the table at the end of a link
)

// TestSession plays the session of docs/agents.md again: every answer, word for word.
func TestSession(t *testing.T) {
	session := blocks(t, "session")[0]
	d, _ := speak(t, "2025-11-25", duel, "mcp", "--db", filepath.Join(t.TempDir(), "games.db"))
	var played strings.Builder
	game, before := "", ""
	for line := range strings.Lines(session) {
		call, ok := strings.CutPrefix(strings.TrimSpace(line), "> ")
		if !ok {
			continue
		}
		name, arguments, _ := strings.Cut(call, " ")
		params := map[string]any{"name": name, "arguments": json.RawMessage(strings.ReplaceAll(arguments, "GAME", game))}
		var result struct{ Content []struct{ Text string } }
		d.ask("tools/call", params, &result)
		text := result.Content[0].Text
		if game == "" {
			game = gameID.FindString(text)
		}
		text = varies.ReplaceAllString(strings.ReplaceAll(text, game, "GAME"), "${1}…")
		played.WriteString("> " + call + "\n")
		for line := range strings.Lines(text) {
			if strings.Contains(before, "\n"+line) { // unchanged since the last answer
				line = "…\n"
			}
			if line != "…\n" || !strings.HasSuffix(played.String(), "\n…\n") {
				played.WriteString(line)
			}
		}
		before = "\n" + text
	}
	if played.String() == session {
		return
	}
	if !*update {
		t.Fatalf("the session goes\n%s", played.String())
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(page, []byte(strings.Replace(string(text), session, played.String(), 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}
