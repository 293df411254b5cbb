package mcp

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/arena"
	"digitduel/bot"
	"digitduel/digit"
)

func (s *Server) addPrompts() {
	play := &sdk.Prompt{Name: "play", Title: "Play a game", Description: "Play one game to its end, and tell what came of it."}
	switch {
	case s.ExamsOnly:
	case s.planned():
		s.server.AddPrompt(play, plannedPrompt)
	default:
		play.Arguments = []*sdk.PromptArgument{
			{Name: "rules", Description: "a game and options that differ from it (default: " + usualRules + ")"},
			{Name: "opponent", Description: "the level of the computer (default: " + usualLevel + ")"},
		}
		s.server.AddPrompt(play, playPrompt)
	}
	if !s.examines() {
		return
	}
	s.server.AddPrompt(&sdk.Prompt{
		Name: "exam", Title: "Sit an exam", Description: "Choose moves in single positions, and tell what they come to.",
		Arguments: []*sdk.PromptArgument{
			{Name: "exam", Description: arena.Standard().Name + " for the standard exam, or the id of one to go on with (default: a new one)"},
			{Name: "rules", Description: "of a new exam: a game and options that differ from it (default: the five books)"},
			{Name: "items", Description: fmt.Sprintf("of a new exam: how many items for each game (default: %d)", usualItems)},
			{Name: "disguise", Description: "a number: the games are told in other words, by this number (default: none)"},
		},
	}, examPrompt)
}

func examPrompt(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	asked := req.Params.Arguments
	if rules := asked["rules"]; rules != "" {
		if _, err := digit.ParseRules(rules); err != nil {
			return nil, wrongArgument(err)
		}
	}
	with := []string{}
	for _, name := range []string{"exam", "rules"} {
		if asked[name] != "" {
			with = append(with, fmt.Sprintf("%s %q", name, asked[name]))
		}
	}
	for _, name := range []string{"items", "disguise"} {
		n, err := strconv.ParseUint(cmp.Or(asked[name], "0"), 10, 53)
		if err != nil {
			return nil, wrongArgument(fmt.Errorf("%s %q: allowed: a number", name, asked[name]))
		}
		if asked[name] != "" {
			with = append(with, fmt.Sprintf("%s %d", name, n))
		}
	}
	begin := "Call next_item"
	if len(with) > 0 {
		begin += " with " + strings.Join(with, ", ")
	}
	return asks("Sit an exam", begin+". It returns a position of a game in which some moves throw something away, and the id of the exam. Read the rules, the goal and the notation, and think about what "+
		"the opponent can answer. Then call answer with the id, the number of the item and your move: the first answer counts, and you are not told whether it is right. "+
		"Call next_item with the id for the next one, and go on until remaining is 0. Then call report with the id, and tell me in a few sentences how it went."), nil
}

func playPrompt(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	rules, err := digit.ParseRules(cmp.Or(req.Params.Arguments["rules"], usualRules))
	if err != nil {
		return nil, wrongArgument(err)
	}
	level, err := bot.ParseLevel(strings.ToLower(cmp.Or(req.Params.Arguments["opponent"], usualLevel)))
	if err != nil {
		return nil, wrongArgument(err)
	}
	return asks("Play a game", fmt.Sprintf("Play a game of %s against the computer at level %s, and win it if you can. Begin it with new_game, with rules %q and opponent %q. ",
		rules, level.Name, rules.String(), level.Name)+howToPlay+"Then call report, and tell me in a few sentences how it went and which of your moves threw something away."), nil
}

const howToPlay = "Read the goal and the notation in the state. Then play a move at a time: think about what the opponent can answer, call play with your move and the ply of the state, " +
	"and go on until the result is no longer *. "

// plannedPrompt asks for a game of a plan, which says what is played and reports on it at the end of all.
func plannedPrompt(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	return asks("Play a game", "Play the next game of this run against the computer, and win it if you can. Begin it with new_game, without arguments. "+
		howToPlay+"Then tell me the result. If new_game says that all games are played, tell me that."), nil
}

// asks returns a prompt of one message.
func asks(about, text string) *sdk.GetPromptResult {
	return &sdk.GetPromptResult{Description: about, Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}}}
}

func wrongArgument(err error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
}
