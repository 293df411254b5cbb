package clienttest_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// An entry is the configuration of a server in a client.
type entry struct {
	Type, Command           string
	Args                    []string
	URL, ServerURL, HTTPURL string
}

// TestSnippets reads the settings for clients in docs/agents.md, and starts the servers in them.
func TestSnippets(t *testing.T) {
	forms := map[string]bool{}
	for _, block := range blocks(t, "json") {
		var settings map[string]map[string]entry
		if err := json.Unmarshal([]byte(block), &settings); err != nil || len(settings) != 1 {
			t.Errorf("%v: %s", err, block)
		}
		for form, servers := range settings {
			server, ok := servers["duel"]
			if !ok {
				t.Fatalf("no server duel in %s", block)
			}
			if address := server.URL + server.ServerURL + server.HTTPURL; address != "" {
				if address != "http://127.0.0.1:8080/mcp" || server.Command != "" {
					t.Errorf("address %s: %s", address, block)
				}
				continue
			}
			forms[form] = true
			if server.Command != "duel" {
				t.Fatalf("got command %q, want duel", server.Command)
			}
			c, _ := startClient(t, "2025-11-25", slices.Insert(server.Args, 0, duel)...)
			var list struct{ Tools []tool }
			c.request("tools/list", map[string]any{}, &list)
			want := allTools
			if slices.Contains(server.Args, "--opponent") {
				want = runTools
			}
			checkTools(t, list.Tools, want)
		}
	}
	if len(forms) != 3 {
		t.Errorf("got forms %v, want 3", forms)
	}
}

// programOnPath returns an environment with the program on the path.
func programOnPath(t *testing.T) []string {
	path := filepath.Dir(duel) + string(os.PathListSeparator) + os.Getenv("PATH")
	return append(environment(t), "PATH="+path)
}

// TestProgram runs the JavaScript program of docs/agents.md.
func TestProgram(t *testing.T) {
	dir := clients(t)
	script := []byte(blocks(t, "js")[0])
	if err := os.WriteFile(filepath.Join(dir, "page.mjs"), script, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "page.mjs")
	cmd.Dir, cmd.Env = dir, programOnPath(t)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "first   ") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestLines sends the lines of docs/agents.md unchanged.
func TestLines(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), duel, "mcp")
	lines := strings.ReplaceAll(blocks(t, "lines")[0], "> ", "")
	cmd.Env, cmd.Stdin = environment(t), strings.NewReader(lines)
	out, err := cmd.Output()
	answers := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(answers) != 2 || !strings.Contains(answers[1], `"rules":"highest"`) {
		t.Errorf("%v: %s", err, out)
	}
}

// TestTold checks that docs/agents.md mentions every tool, argument and field.
func TestTold(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	c, _ := startClient(t, "2025-11-25", duel, "mcp", "--coach", "--db", filepath.Join(t.TempDir(), "games.db"))
	var list struct{ Tools []tool }
	c.request("tools/list", map[string]any{}, &list)
	if len(list.Tools) != 10 {
		t.Errorf("got %d tools, want 10", len(list.Tools))
	}
	for _, tool := range list.Tools {
		names := []string{tool.Name}
		for _, schema := range []json.RawMessage{tool.InputSchema, tool.OutputSchema} {
			var object struct{ Properties map[string]any }
			if err := json.Unmarshal(schema, &object); err != nil {
				t.Fatal(err)
			}
			// The page does not describe the fields of the coach's tools.
			if !slices.Contains([]string{"analyze", "hint", "review"}, tool.Name) {
				for name := range object.Properties {
					names = append(names, name)
				}
			}
		}
		for _, name := range names {
			if !strings.Contains(string(text), "`"+name+"`") {
				t.Errorf("%s: docs/agents.md does not mention %s", tool.Name, name)
			}
		}
	}
}
