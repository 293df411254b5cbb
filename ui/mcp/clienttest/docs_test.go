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

// page is the file with the examples for agents.
const page = "../../../docs/agents.md"

// blocks returns the code blocks of a kind in docs/agents.md.
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
		t.Fatalf("%s has no block of %s", page, kind)
	}
	return found
}

// A stdioClient sends lines to a program without using a library.
type stdioClient struct {
	t       *testing.T
	in      io.Writer
	answers *bufio.Scanner
	lastID  int
}

// startClient starts a program and initializes a session with a version of the protocol. It returns
// the version of the answer.
func startClient(t *testing.T, version string, command ...string) (c *stdioClient, agreed string) {
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
	c = &stdioClient{t: t, in: in, answers: bufio.NewScanner(out)}
	c.answers.Buffer(nil, 1<<20)
	t.Cleanup(func() {
		_ = in.Close()
		for c.answers.Scan() {
		}
		if err := cmd.Wait(); err != nil && t.Context().Err() == nil {
			t.Errorf("%q: %v", command, err)
		}
	})
	var hello struct{ ProtocolVersion string }
	c.request("initialize", map[string]any{
		"protocolVersion": version, "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "me", "version": "1"},
	}, &hello)
	c.write(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return c, hello.ProtocolVersion
}

func (c *stdioClient) write(message any) {
	c.t.Helper()
	text, err := json.Marshal(message)
	if err == nil {
		_, err = c.in.Write(append(text, '\n'))
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// request sends a request and reads its result.
func (c *stdioClient) request(method string, params, answer any) {
	c.t.Helper()
	c.lastID++
	c.write(map[string]any{"jsonrpc": "2.0", "id": c.lastID, "method": method, "params": params})
	if !c.answers.Scan() {
		c.t.Fatalf("%s: no answer: %v", method, c.answers.Err())
	}
	var message struct {
		ID            int
		Result, Error json.RawMessage
	}
	if err := json.Unmarshal(c.answers.Bytes(), &message); err != nil || message.ID != c.lastID ||
		message.Error != nil {
		c.t.Fatalf("%s: got %s: %v", method, c.answers.Text(), err)
	}
	if err := json.Unmarshal(message.Result, answer); err != nil {
		c.t.Fatal(err)
	}
}

// TestVersions initializes a session with every version of the protocol that does so.
func TestVersions(t *testing.T) {
	for _, test := range []struct{ asked, agreed string }{
		{"2024-11-05", "2024-11-05"},
		{"2025-03-26", "2025-03-26"},
		{"2025-06-18", "2025-06-18"},
		{"2025-11-25", "2025-11-25"},
		{"2099-01-01", "2025-11-25"}, // a client that does not support it ends the session
		{"once", "2025-11-25"},
	} {
		c, agreed := startClient(t, test.asked, duel, "mcp", "--db", filepath.Join(t.TempDir(), "games.db"))
		if agreed != test.agreed {
			t.Errorf("%s: got version %s, want %s", test.asked, agreed, test.agreed)
		}
		var result struct{ Content []struct{ Text string } }
		c.request("tools/call", map[string]any{"name": "new_game", "arguments": map[string]any{}}, &result)
		if len(result.Content) != 1 {
			t.Errorf("%s: new_game: got %v", test.asked, result)
		}
	}
}

// TestArguments checks that unusual forms of arguments, which some clients send, are accepted.
func TestArguments(t *testing.T) {
	c, _ := startClient(t, "2025-11-25", duel, "mcp", "--db", filepath.Join(t.TempDir(), "games.db"))
	var answer struct {
		StructuredContent state
		IsError           bool
	}
	call := func(name, arguments string) bool {
		c.request("tools/call", map[string]any{"name": name, "arguments": json.RawMessage(arguments)}, &answer)
		return !answer.IsError
	}
	for _, arguments := range []string{
		`null`, `{}`, `{"rules":null,"seed":null,"show_moves":null}`, `{"seed":7.0}`,
		`{"seed":9.007199254740991e15}`,
	} {
		if !call("new_game", arguments) {
			t.Errorf("%s: %s", arguments, answer.StructuredContent.Reason)
		}
	}
	call("new_game", `{"side":"first"}`)
	if game := answer.StructuredContent.Game; !call("play", `{"game":"`+game+`","move":" 7a\n","ply":null}`) {
		t.Errorf("spaces around a move: %s", answer.StructuredContent.Reason)
	}
}

var (
	gameID = regexp.MustCompile(`[a-z0-9]+\.[A-Za-z0-9_-]{32}`)
	varies = regexp.MustCompile(`(\bms=|\bat=|/t/)[^\s;]+`) // times and table IDs in links
)

// TestSession replays the session of docs/agents.md and compares every answer.
func TestSession(t *testing.T) {
	session := blocks(t, "session")[0]
	c, _ := startClient(t, "2025-11-25", duel, "mcp", "--db", filepath.Join(t.TempDir(), "games.db"))
	var played strings.Builder
	game, before := "", ""
	for line := range strings.Lines(session) {
		call, ok := strings.CutPrefix(strings.TrimSpace(line), "> ")
		if !ok {
			continue
		}
		name, arguments, _ := strings.Cut(call, " ")
		arguments = strings.ReplaceAll(arguments, "GAME", game)
		params := map[string]any{"name": name, "arguments": json.RawMessage(arguments)}
		var result struct{ Content []struct{ Text string } }
		c.request("tools/call", params, &result)
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
		t.Fatalf("the session in docs/agents.md differs; got\n%s", played.String())
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text = []byte(strings.Replace(string(text), session, played.String(), 1))
	if err := os.WriteFile(page, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
