package browsertest_test

import (
	"encoding/json"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/digit"
)

// TestAgent lets an agent play by its tools while somebody watches by the link that the agent was given, on a page that is never loaded again and
// on which nothing can be played.
func TestAgent(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	client := sdk.NewClient(&sdk.Implementation{Name: "Robo", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: h.url("/mcp"), DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	}()
	type state struct {
		Game, Turn, Result, Watch string
		Moves, Played             []string
	}
	call := func(tool string, arguments map[string]any) (s state) {
		t.Helper()
		answer, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil || answer.IsError {
			t.Fatalf("%s %v: %v %v", tool, arguments, answer, err)
		}
		text, err := json.Marshal(answer.StructuredContent)
		if err == nil {
			err = json.Unmarshal(text, &s)
		}
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for i, b := range digit.Books {
		t.Run(b.Name, func(t *testing.T) {
			game := call("new_game", map[string]any{"rules": b.Name, "side": "first", "opponent": "casual", "seed": i, "show_moves": true, "player": "Robo"})
			path := strings.TrimPrefix(game.Watch, h.url(""))
			d := &duel{t: t, testServer: h, id: strings.TrimPrefix(path, "/t/"), rules: b.Rules}
			eve := h.visit(t, "Eve")
			eve.open(path)
			eve.mark()
			for d.shows(eve); game.Result == "*"; d.shows(eve) {
				if eve.there("form[method=post]") {
					t.Error("whoever watches can do something")
				}
				game = call("play", map[string]any{"game": game.Game, "move": game.Moves[len(game.Moves)/2]})
				d.moves = d.parse(strings.Join(game.Played, " "))
			}
			switch game.Result[:3] {
			case "1-0":
				eve.reads("#status", "Robo wins")
			case "0-1":
				eve.reads("#status", "Computer wins")
			}
			eve.same()
		})
	}
}
