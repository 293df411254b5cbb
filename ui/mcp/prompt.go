package mcp

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/bot"
	"digitduel/digit"
)

func (s *Server) addPrompts() {
	play := &sdk.Prompt{
		Name: "play", Title: "Play a game",
		Description: "Play one game to its end and report on it.",
	}
	switch {
	case s.ExamsOnly:
	case s.planned():
		s.server.AddPrompt(play, plannedPrompt)
	default:
		play.Arguments = []*sdk.PromptArgument{
			{Name: "rules", Description: "a game and its options (default: " + defaultRules + ")"},
			{Name: "opponent", Description: "the computer's level (default: " + defaultLevel + ")"},
		}
		s.server.AddPrompt(play, playPrompt)
	}
	if !s.examines() {
		return
	}
	s.server.AddPrompt(&sdk.Prompt{
		Name: "exam", Title: "Sit an exam",
		Description: "Choose moves in single positions and report the grade.",
	}, examPrompt)
}

func examPrompt(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	return promptOf("Sit an exam", "Call next_item. It returns a position of a game in which some "+
		"moves throw something away, and the id of the exam. Read the rules, the goal and the "+
		"notation, and think about the opponent's answers. Then call answer with the id, the "+
		"number of the item and your move: the first answer counts, and you do not learn whether "+
		"it is right. Call next_item with the id for the next item, and continue until remaining "+
		"is 0. Then call report with the id, and summarize the result for me in a few "+
		"sentences."), nil
}

func playPrompt(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	rules, err := digit.ParseRules(cmp.Or(req.Params.Arguments["rules"], defaultRules))
	if err != nil {
		return nil, wrongArgument(err)
	}
	opponent := strings.ToLower(cmp.Or(req.Params.Arguments["opponent"], defaultLevel))
	level, err := bot.ParseLevel(opponent)
	if err != nil {
		return nil, wrongArgument(err)
	}
	return promptOf("Play a game", fmt.Sprintf("Play a game of %s against the computer at "+
		"level %s, and win it if you can. Start it with new_game, with rules %q and opponent %q. ",
		rules, level.Name, rules.String(), level.Name)+howToPlay+
		"Then call report, and summarize for me in a few sentences how it went and which of your "+
		"moves threw something away."), nil
}

const howToPlay = "Read the goal and the notation in the state. Then play one move at a time: " +
	"think about the opponent's answers, call play with your move and the ply of the state, " +
	"and continue until the result is no longer *. "

// plannedPrompt asks for the next game of a planned run, which has reports only at its end.
func plannedPrompt(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	return promptOf("Play a game", "Play the next game of this run against the computer, "+
		"and win it if you can. Start it with new_game, without arguments. "+howToPlay+
		"Then give me the result. If new_game says that all games are played, report that."), nil
}

// promptOf returns a prompt of one message.
func promptOf(about, text string) *sdk.GetPromptResult {
	message := &sdk.PromptMessage{Role: "user", Content: &sdk.TextContent{Text: text}}
	return &sdk.GetPromptResult{Description: about, Messages: []*sdk.PromptMessage{message}}
}

// wrongArgument returns the error for an invalid argument of a prompt, or a wrong address.
func wrongArgument(err error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
}
