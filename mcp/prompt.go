package mcp

import (
	"cmp"
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/bot"
	"digitduel/digit"
)

func (s *Server) addPrompts() {
	s.server.AddPrompt(&sdk.Prompt{
		Name: "play", Title: "Play a game", Description: "Play one game to its end, and tell what came of it.",
		Arguments: []*sdk.PromptArgument{
			{Name: "rules", Description: "a game and options that differ from it (default: " + usualRules + ")"},
			{Name: "opponent", Description: "the level of the computer (default: " + usualLevel + ")"},
		},
	}, playPrompt)
}

func playPrompt(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	rules, err := digit.ParseRules(cmp.Or(req.Params.Arguments["rules"], usualRules))
	if err != nil {
		return nil, wrongArgument(err)
	}
	level, err := bot.ParseLevel(cmp.Or(req.Params.Arguments["opponent"], usualLevel))
	if err != nil {
		return nil, wrongArgument(err)
	}
	return asks("Play a game", fmt.Sprintf("Play a game of %s against the computer at level %s, and win it if you can. Begin it with new_game, with rules %q and opponent %q. "+
		"Read the goal and the notation in the state. Then play a move at a time: think about what the opponent can answer, call play with your move and the ply of the state, "+
		"and go on until the result is no longer *. Then call report, and tell me in a few sentences how it went and which of your moves threw something away.",
		rules, level.Name, rules.String(), level.Name)), nil
}

// asks returns a prompt of one message.
func asks(about, text string) *sdk.GetPromptResult {
	return &sdk.GetPromptResult{Description: about, Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}}}
}

func wrongArgument(err error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
}
