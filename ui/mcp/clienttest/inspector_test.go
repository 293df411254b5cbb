package clienttest_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// An inspector runs commands of the MCP inspector. Over stdio each command starts the program
// again, so no state can be kept in a session.
type inspector struct {
	t      *testing.T
	server []string // the arguments that select the server
	in     *json.Encoder
	out    *json.Decoder
	stderr bytes.Buffer
}

// newInspector starts an inspector, which stops at the end of the test.
func newInspector(t *testing.T, dir string, server []string) *inspector {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", "inspector.mjs")
	i := &inspector{t: t, server: server}
	cmd.Dir, cmd.Env, cmd.Stderr = dir, environment(t), &i.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Wait() // it is killed at the end of the test
	})
	i.in, i.out = json.NewEncoder(in), json.NewDecoder(out)
	return i
}

// inspect runs a command that must exit with a code, and returns its result.
func inspect[T any](i *inspector, code int, args ...string) (answer T) {
	i.t.Helper()
	args = slices.Concat(i.server, args, []string{"--format", "json", "--quiet"})
	if err := i.in.Encode(args); err != nil {
		i.t.Fatal(err)
	}
	var ran struct {
		Code       int
		Out, Error string
	}
	if err := i.out.Decode(&ran); err != nil {
		i.t.Fatalf("%q: %v: %s", args, err, i.stderr.String())
	}
	var output struct{ Result json.RawMessage }
	err := json.Unmarshal([]byte(ran.Out), &output)
	if err == nil {
		err = json.Unmarshal(output.Result, &answer)
	}
	if err != nil || ran.Code != code {
		i.t.Fatalf("%q: %v: exit code %d, %s, %s", args, err, ran.Code, ran.Out, ran.Error)
	}
	return answer
}

// Exit codes of the inspector after a call of a tool.
const (
	answered = 0
	refused  = 5
)

// call calls a tool and returns its structured result.
func call[T any](i *inspector, code int, name string, args map[string]any) T {
	i.t.Helper()
	text, err := json.Marshal(args)
	if err != nil {
		i.t.Fatal(err)
	}
	return inspect[struct{ StructuredContent T }](i, code,
		"--method", "tools/call", "--tool-name", name, "--tool-args-json", string(text)).StructuredContent
}

// TestInspector plays a whole game with the inspector, over both transports.
func TestInspector(t *testing.T) {
	dir := clients(t)
	for transport, server := range transports(t) {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			i := newInspector(t, dir, server)
			// With --strict it also fails on schemas that some clients or models reject.
			listed := inspect[struct{ Tools []tool }](i, answered, "--method", "tools/list", "--strict")
			checkTools(t, listed.Tools, allTools)
			templates := inspect[struct{ ResourceTemplates []any }](i, answered,
				"--method", "resources/templates/list")
			if len(templates.ResourceTemplates) != 1 {
				t.Errorf("got resources %v, want 1", templates)
			}
			rules := inspect[struct{ Contents []struct{ Text string } }](i, answered,
				"--method", "resources/read", "--uri", "duel://rules/dilemma%20target=13")
			if len(rules.Contents) != 1 ||
				!strings.Contains(rules.Contents[0].Text, "multiple of 13") {
				t.Errorf("the rules are %v", rules)
			}
			begun := call[state](i, answered, "new_game", map[string]any{
				"rules": "highest", "side": "second", "seed": 1<<53 - 1, "show_moves": true,
			})
			wrong := call[state](i, refused, "play", map[string]any{
				"game": begun.Game, "move": "0a",
			})
			if wrong.TriesLeft != 2 || wrong.Fault != "illegal" {
				t.Errorf("0a: got %+v", wrong)
			}
			now := begun
			for now.Result == "*" {
				now = call[state](i, answered, "play", map[string]any{
					"game": now.Game, "move": now.Moves[0],
				})
			}
			if now.Game != begun.Game || now.Ply != 6 {
				t.Errorf("the final state is %+v", now)
			}
			checkGame(t, now, call[report](i, answered, "report", map[string]any{"game": now.Game}))
		})
	}
}
