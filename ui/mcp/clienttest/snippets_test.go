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

// TestSnippets reads what is to be put into the settings of clients, and starts what they would.
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
				t.Fatalf("there is no duel in %s", block)
			}
			if address := server.URL + server.ServerURL + server.HTTPURL; address != "" {
				if address != "http://127.0.0.1:8080/mcp" || server.Command != "" {
					t.Errorf("address %s: %s", address, block)
				}
				continue
			}
			forms[form] = true
			if server.Command != "duel" {
				t.Fatalf("command %q", server.Command)
			}
			d, _ := speak(t, "2025-11-25", slices.Insert(server.Args, 0, duel)...)
			var list struct{ Tools []tool }
			d.ask("tools/list", map[string]any{}, &list)
			want := allTools
			if slices.Contains(server.Args, "--opponent") {
				want = runTools
			}
			checkTools(t, list.Tools, want)
		}
	}
	if len(forms) != 3 {
		t.Errorf("forms: %v", forms)
	}
}

// onPath returns the environment of a test in which the program is found by its name.
func onPath(t *testing.T) []string {
	return append(environment(t), "PATH="+filepath.Dir(duel)+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// TestProgram runs the program in JavaScript on the page.
func TestProgram(t *testing.T) {
	dir := clients(t)
	if err := os.WriteFile(filepath.Join(dir, "page.mjs"), []byte(blocks(t, "js")[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "page.mjs")
	cmd.Dir, cmd.Env = dir, onPath(t)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "first   ") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestLines sends the lines on the page as they stand.
func TestLines(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), duel, "mcp")
	cmd.Env, cmd.Stdin = environment(t), strings.NewReader(strings.ReplaceAll(blocks(t, "lines")[0], "> ", ""))
	out, err := cmd.Output()
	if answers := strings.Split(strings.TrimSpace(string(out)), "\n"); err != nil || len(answers) != 2 || !strings.Contains(answers[1], `"rules":"highest"`) {
		t.Errorf("%v: %s", err, out)
	}
}

// TestTold holds the page to what the program offers: it mentions every tool, argument and field.
func TestTold(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	d, _ := speak(t, "2025-11-25", duel, "mcp", "--coach", "--db", filepath.Join(t.TempDir(), "games.db"))
	var list struct{ Tools []tool }
	d.ask("tools/list", map[string]any{}, &list)
	if len(list.Tools) != 10 {
		t.Errorf("%d tools", len(list.Tools))
	}
	for _, tool := range list.Tools {
		names := []string{tool.Name}
		for _, schema := range []json.RawMessage{tool.InputSchema, tool.OutputSchema} {
			var object struct{ Properties map[string]any }
			if err := json.Unmarshal(schema, &object); err != nil {
				t.Fatal(err)
			}
			if !slices.Contains([]string{"analyze", "hint", "review"}, tool.Name) { // mentioned briefly
				for name := range object.Properties {
					names = append(names, name)
				}
			}
		}
		for _, name := range names {
			if !strings.Contains(string(text), "`"+name+"`") {
				t.Errorf("%s: the page does not tell of %s", tool.Name, name)
			}
		}
	}
}
