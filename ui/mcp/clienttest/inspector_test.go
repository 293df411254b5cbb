package clienttest_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// inspect asks the inspector's command line for one thing. Over stdio each time starts the program anew, so nothing can live in a session.
func inspect[T any](t *testing.T, dir string, to []string, args ...string) T {
	t.Helper()
	return inspected[T](t, dir, 0, to, args...)
}

// inspected is inspect with the exit code that is to come.
func inspected[T any](t *testing.T, dir string, code int, to []string, args ...string) (answer T) {
	t.Helper()
	args = append(args, "--format", "json", "--quiet")
	out := node(t, dir, code, append(append([]string{"node_modules/.bin/mcp-inspector", "--cli"}, to...), args...)...)
	var told struct{ Result json.RawMessage }
	if err := json.Unmarshal(out, &told); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := json.Unmarshal(told.Result, &answer); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return answer
}

// How the inspector exits when it has called a tool.
const (
	answered = 0
	refused  = 5
)

// call calls a tool by the inspector.
func call[T any](t *testing.T, dir string, code int, to []string, name string, args map[string]any) T {
	t.Helper()
	text, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	result := inspected[struct{ StructuredContent T }](t, dir, code, to, "--method", "tools/call", "--tool-name", name, "--tool-args-json", string(text))
	return result.StructuredContent
}

// TestInspector plays a whole game with the inspector's command line, over both doors.
func TestInspector(t *testing.T) {
	dir := clients(t)
	for door, to := range doors(t) {
		t.Run(door, func(t *testing.T) {
			t.Parallel()
			// With --strict it also fails on schemas that some client or model does not take.
			listed := inspect[struct{ Tools []tool }](t, dir, to, "--method", "tools/list", "--strict")
			checkTools(t, listed.Tools, allTools)
			templates := inspect[struct{ ResourceTemplates []any }](t, dir, to, "--method", "resources/templates/list")
			prompts := inspect[struct{ Prompts []any }](t, dir, to, "--method", "prompts/list")
			if len(templates.ResourceTemplates) != 3 || len(prompts.Prompts) != 2 {
				t.Errorf("resources %v, prompts %v", templates, prompts)
			}
			rules := inspect[struct{ Contents []struct{ Text string } }](t, dir, to, "--method", "resources/read", "--uri", "duel://rules/dilemma%20target=13")
			if len(rules.Contents) != 1 || !strings.Contains(rules.Contents[0].Text, "multiple of 13") {
				t.Errorf("the rules are %v", rules)
			}
			begun := call[state](t, dir, answered, to, "new_game", map[string]any{"rules": "highest", "side": "second", "seed": 1<<53 - 1, "show_moves": true})
			if wrong := call[state](t, dir, refused, to, "play", map[string]any{"game": begun.Game, "move": "0a"}); wrong.TriesLeft != 2 || wrong.Fault != "illegal" {
				t.Errorf("0a is answered %+v", wrong)
			}
			now := begun
			for now.Result == "*" {
				now = call[state](t, dir, answered, to, "play", map[string]any{"game": now.Game, "move": now.Moves[0]})
			}
			if now.Game != begun.Game || now.Ply != 6 {
				t.Errorf("the game ends as %+v", now)
			}
			checkGame(t, now, call[report](t, dir, answered, to, "report", map[string]any{"game": now.Game}))
		})
	}
}
