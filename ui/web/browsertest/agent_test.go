package browsertest_test

import (
	"encoding/json"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/digit"
)

// TestAgent checks that a watcher sees every move of an agent that plays through MCP tools. The
// watcher opens the link that the agent got; the page is never reloaded and has no controls.
func TestAgent(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	client := sdk.NewClient(&sdk.Implementation{Name: "Robo", Version: "1"}, nil)
	transport := &sdk.StreamableClientTransport{
		Endpoint: srv.url("/mcp"), DisableStandaloneSSE: true,
	}
	session, err := client.Connect(t.Context(), transport, nil)
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
		params := &sdk.CallToolParams{Name: tool, Arguments: arguments}
		answer, err := session.CallTool(t.Context(), params)
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
			game := call("new_game", map[string]any{
				"rules": b.Name, "side": "first", "opponent": "casual",
				"seed": i, "show_moves": true, "player": "Robo",
			})
			path := strings.TrimPrefix(game.Watch, srv.url(""))
			d := &duel{t: t, testServer: srv, id: strings.TrimPrefix(path, "/t/"), rules: b.Rules}
			eve := srv.visit(t, "Eve")
			eve.open(path)
			eve.markPage()
			for d.shows(eve); game.Result == "*"; d.shows(eve) {
				if eve.there("form[method=post]") {
					t.Error("the page of a watcher has a form")
				}
				move := game.Moves[len(game.Moves)/2]
				game = call("play", map[string]any{"game": game.Game, "move": move})
				d.moves = d.parse(strings.Join(game.Played, " "))
			}
			switch game.Result[:3] {
			case "1-0":
				eve.reads("#status", "Robo wins")
			case "0-1":
				eve.reads("#status", "Computer wins")
			}
			eve.checkSamePage()
		})
	}
}
