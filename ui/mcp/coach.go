package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/arena"
	"digitduel/arena/speech"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
)

// addCoachTools adds the tools that evaluate positions.
func (s *Server) addCoachTools() {
	addTool(s, sdk.Tool{
		Name: "analyze", Title: "Analyze a position", Annotations: looks,
		Description: "Evaluate a position and each of its moves under perfect play: of a game, " +
			"or any position under some rules.",
	}, s.analyze)
	addGameTool(s, sdk.Tool{
		Name: "hint", Title: "Give a hint", Annotations: looks,
		Description: "Show the best move in a game and explain it in steps: what to look for, " +
			"the idea, the move with its proof.",
	}, s.hint)
	addGameTool(s, sdk.Tool{
		Name: "review", Title: "Review a game", Annotations: looks,
		Description: "Judge every move of a game, with reasons.",
	}, s.review)
}

// Analyze has the arguments of analyze.
type Analyze struct {
	Game     string `json:"game,omitempty" jsonschema:"the id of a game, instead of rules"`
	Rules    string `json:"rules,omitempty" jsonschema:"{rules}"`
	Position string `json:"position,omitempty" jsonschema:"such as 7_1/53_, or moves such as 7a 3b"`
}

// An Analysis is the value of a position and of its moves.
type Analysis struct {
	Rules      string   `json:"rules" jsonschema:"the name of the game"`
	Position   string   `json:"position" jsonschema:"what first and second have"`
	Turn       string   `json:"turn" jsonschema:"the side to move: first or second"`
	Outcome    string   `json:"outcome" jsonschema:"its value to that side: win, draw or loss"`
	Plies      int      `json:"plies" jsonschema:"turns until the end with best play"`
	Options    []Option `json:"options" jsonschema:"every legal move"`
	AllOptions int      `json:"all_options,omitempty" jsonschema:"{all moves}"`
}

// An Option is a move and its value to the player who makes it.
type Option struct {
	Move    string `json:"move" jsonschema:"the move"`
	Outcome string `json:"outcome" jsonschema:"its value to the side to move: win, draw or loss"`
	Plies   int    `json:"plies" jsonschema:"how many turns of both sides the game then lasts"`
}

func (s *Server) analyze(ctx context.Context, asked Analyze) (Analysis, error) {
	switch {
	case asked.Game == "" && asked.Rules == "":
		return Analysis{}, refusef("missing game or rules; " + analyzed)
	case asked.Game == "":
		return s.analyzePosition(ctx, asked)
	case asked.Rules != "" || asked.Position != "":
		return Analysis{}, refusef("game: it has its own rules and position; " + analyzed)
	}
	v, err := s.sit(ctx, asked.Game)
	if err != nil {
		return Analysis{}, err
	}
	defer v.Close()
	now, solution, err := s.coached(ctx, v)
	if err != nil {
		return Analysis{}, err
	}
	if !now.Playing() {
		return Analysis{}, refusef("the game is over: %s", v.Result(now.Result))
	}
	return analysisOf(v, solution, now.Position), nil
}

const analyzed = "allowed: the id of a game, or rules and a position"

// analyzePosition analyzes a position that belongs to no game.
func (s *Server) analyzePosition(ctx context.Context, asked Analyze) (Analysis, error) {
	r, err := digit.ParseRules(asked.Rules)
	if err != nil {
		return Analysis{}, refusef("%v", err)
	}
	solution, err := s.solved(ctx, r)
	if err != nil {
		return Analysis{}, err
	}
	p, err := arena.StartOf(solution, asked.Position, 0)
	if err != nil {
		return Analysis{}, refusef("%v", err)
	}
	return analysisOf(speech.Plain(r), solution, p), nil
}

func analysisOf(words speech.Speech, solution *solve.Solution, p digit.Position) Analysis {
	value := solution.Value(p)
	a := Analysis{
		Rules: words.Rules(), Position: words.Position(p), Turn: solution.Rules().Turn(p).String(),
		Outcome: value.Outcome.String(), Plies: value.Plies, Options: []Option{},
	}
	all := 0
	for m, value := range solution.Moves(p) {
		if all++; all <= mostMoves {
			option := Option{words.Move(m), value.Outcome.String(), value.Plies}
			a.Options = append(a.Options, option)
		}
	}
	if all > mostMoves {
		a.AllOptions = all
	}
	return a
}

// coached returns the state of a game and its solution.
func (s *Server) coached(
	ctx context.Context, v *seat,
) (now match.State, solution *solve.Solution, err error) {
	now = v.await(ctx)
	solution, err = s.solved(ctx, now.Setup.Rules)
	if err == nil && now.Setup.Agent.Disguised {
		err = refusef("a game in disguise has no coach: it would reveal the disguise")
	}
	return now, solution, err
}

// cast returns the players by side, with the agent as "you".
func (v *seat) cast(now match.State) rulebook.Cast {
	you := [2]bool{v.at == match.One, v.at == match.Two}
	return rulebook.Narrator{State: now, You: you}.Sides()
}

// A Hint is a move to make, with reasons.
type Hint struct {
	Look    string `json:"look" jsonschema:"what to look for"`
	Idea    string `json:"idea,omitempty" jsonschema:"the idea of the move"`
	Why     string `json:"why" jsonschema:"the move in words, with its proof"`
	Move    string `json:"move" jsonschema:"the move"`
	Outcome string `json:"outcome" jsonschema:"its value to you: win, draw or loss"`
	Plies   int    `json:"plies" jsonschema:"how many turns of both sides the game then lasts"`
}

func (s *Server) hint(ctx context.Context, v *seat, _ Named) (Hint, error) {
	now, solution, err := s.coached(ctx, v)
	if err != nil {
		return Hint{}, err
	}
	if !now.Playing() {
		return Hint{}, refusef("the game is over: %s", v.Result(now.Result))
	}
	h, _ := coach.Advise(solution, now.Position, v.cast(now))
	value := h.Value
	return Hint{h.Look, h.Idea, h.Reason, v.Move(h.Move), value.Outcome.String(), value.Plies}, nil
}

// A Review is a game with every move judged.
type Review struct {
	Result string     `json:"result" jsonschema:"* during the game; then who won, and why"`
	Course string     `json:"course" jsonschema:"who was winning when"`
	Moves  []Reviewed `json:"moves" jsonschema:"the moves of both sides"`
}

// A Reviewed is a judged move of a game.
type Reviewed struct {
	Move  string  `json:"move" jsonschema:"the move"`
	Side  string  `json:"side" jsonschema:"the side that made it: first or second"`
	Grade string  `json:"grade" jsonschema:"best, fine, mistake, blunder, or given for the opening"`
	Lost  float64 `json:"lost" jsonschema:"the points that it threw away: 0, 0.5 or 1"`
	Text  string  `json:"told" jsonschema:"the judgement in words"` //english:ok a field of the tool
}

func (s *Server) review(ctx context.Context, v *seat, _ Named) (Review, error) {
	now, solution, err := s.coached(ctx, v)
	if err != nil {
		return Review{}, err
	}
	cast := v.cast(now)
	judged, err := coach.ReviewGame(solution, now.Record(), cast)
	if err != nil {
		return Review{}, err
	}
	out := Review{Result: v.Result(now.Result), Course: judged.Course(cast), Moves: []Reviewed{}}
	for _, m := range judged.Moves {
		move := Reviewed{v.Move(m.Move), m.Side.String(), m.Grade.String(), m.Lost, m.Text}
		out.Moves = append(out.Moves, move)
	}
	return out, nil
}
