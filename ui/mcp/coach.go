package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/arena"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
)

// addCoachTools adds what tells the worth of positions.
func (s *Server) addCoachTools() {
	addTool(s, sdk.Tool{
		Name: "analyze", Title: "Analyze a position", Annotations: looks,
		Description: "Tell what a position is worth to the side to move if both sides play perfectly, and every move: of a game, or of any position under some rules.",
	}, s.analyze)
	addTool(s, sdk.Tool{
		Name: "hint", Title: "Give a hint", Annotations: looks,
		Description: "Tell the best move in a game and why, in steps: what to look for, the idea, the move with its proof.",
	}, s.hint)
	addTool(s, sdk.Tool{
		Name: "review", Title: "Review a game", Annotations: looks,
		Description: "Judge every move that was played in a game, with reasons.",
	}, s.review)
}

// Analyze is the arguments of analyze.
type Analyze struct {
	Game     string `json:"game,omitempty" jsonschema:"the id of a game; or instead rules and position"`
	Rules    string `json:"rules,omitempty" jsonschema:"a game and options that differ from it, as in dilemma or divisibility target=11"`
	Position string `json:"position,omitempty" jsonschema:"a position such as 7_1/53_ under these rules, or moves from the beginning such as 7a 3b"`
}

// An Analysis is what a position is worth.
type Analysis struct {
	Rules      string   `json:"rules" jsonschema:"which game it is"`
	Position   string   `json:"position" jsonschema:"what first and second have"`
	Turn       string   `json:"turn" jsonschema:"the side to move: first or second"`
	Outcome    string   `json:"outcome" jsonschema:"what it is worth to that side: win, draw or loss"`
	Plies      int      `json:"plies" jsonschema:"how many turns of both sides the game then lasts, when the winner hurries and the loser delays"`
	Options    []Option `json:"options" jsonschema:"every legal move"`
	AllOptions int      `json:"all_options,omitempty" jsonschema:"how many legal moves there are, if not all of them are listed"`
}

// An Option is a move and what it is worth to who makes it.
type Option struct {
	Move    string `json:"move" jsonschema:"the move"`
	Outcome string `json:"outcome" jsonschema:"what it is worth to who makes it: win, draw or loss"`
	Plies   int    `json:"plies" jsonschema:"how many turns of both sides the game then lasts"`
}

func (s *Server) analyze(ctx context.Context, _ *sdk.CallToolRequest, asked Analyze) (Analysis, error) {
	switch {
	case asked.Game == "" && asked.Rules == "":
		return Analysis{}, refusef("game, rules: both are missing; allowed: the id of a game, or rules and a position")
	case asked.Game == "":
		return s.analyzePosition(ctx, asked)
	case asked.Rules != "" || asked.Position != "":
		return Analysis{}, refusef("game: it has its own rules and position; allowed: the id of a game, or rules and a position")
	}
	v, now, solution, err := s.coached(ctx, asked.Game)
	if err != nil {
		return Analysis{}, err
	}
	defer v.Close()
	if !now.Playing() {
		return Analysis{}, refusef("the game is over: %s", v.Result(now.Result))
	}
	return analysisOf(v, solution, now.Position), nil
}

// analyzePosition analyzes what is nobody's game.
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
	return analysisOf(plain{r}, solution, p), nil
}

func analysisOf(words speech, solution *solve.Solution, p digit.Position) Analysis {
	value := solution.Value(p)
	a := Analysis{
		Rules: words.Rules(), Position: words.Position(p), Turn: solution.Rules().Turn(p).String(),
		Outcome: value.Outcome.String(), Plies: value.Plies, Options: []Option{},
	}
	all := 0
	for m, value := range solution.Moves(p) {
		if all++; all <= mostMoves {
			a.Options = append(a.Options, Option{words.Move(m), value.Outcome.String(), value.Plies})
		}
	}
	if all > mostMoves {
		a.AllOptions = all
	}
	return a
}

// coached visits a game and solves it. The caller closes the visit.
func (s *Server) coached(ctx context.Context, game string) (*seat, match.State, *solve.Solution, error) {
	v, err := s.sit(ctx, game)
	if err != nil {
		return nil, match.State{}, nil, err
	}
	now := v.await(ctx)
	solution, err := s.solved(ctx, now.Setup.Rules)
	if err == nil && now.Setup.Agent.Disguised {
		err = refusef("a game in other words has no coach: it would tell what they stand for")
	}
	if err != nil {
		v.Close()
		return nil, now, nil, err
	}
	return v, now, solution, nil
}

// cast returns the players by side, with the agent as "you".
func (v *seat) cast(now match.State) rulebook.Cast {
	return rulebook.Narrator{State: now, You: [2]bool{v.at == match.One, v.at == match.Two}}.Sides()
}

// A Hint is a move to make, and why.
type Hint struct {
	Look    string `json:"look" jsonschema:"what kind of thing to look for"`
	Idea    string `json:"idea,omitempty" jsonschema:"more than that"`
	Why     string `json:"why" jsonschema:"the move in words, and what proves it"`
	Move    string `json:"move" jsonschema:"the move"`
	Outcome string `json:"outcome" jsonschema:"what it is worth to you: win, draw or loss"`
	Plies   int    `json:"plies" jsonschema:"how many turns of both sides the game then lasts"`
}

func (s *Server) hint(ctx context.Context, _ *sdk.CallToolRequest, asked Named) (Hint, error) {
	v, now, solution, err := s.coached(ctx, asked.Game)
	if err != nil {
		return Hint{}, err
	}
	defer v.Close()
	if !now.Playing() {
		return Hint{}, refusef("the game is over: %s", v.Result(now.Result))
	}
	h, _ := coach.Advise(solution, now.Position, v.cast(now))
	return Hint{h.Look, h.Idea, h.Reason, v.Move(h.Move), h.Value.Outcome.String(), h.Value.Plies}, nil
}

// A Review is a game with every move judged.
type Review struct {
	Result string     `json:"result" jsonschema:"* while the game goes on; then who won, and why"`
	Course string     `json:"course" jsonschema:"who was winning when"`
	Moves  []Reviewed `json:"moves" jsonschema:"the moves of both sides"`
}

// A Reviewed is one move of a game.
type Reviewed struct {
	Move  string  `json:"move" jsonschema:"the move"`
	Side  string  `json:"side" jsonschema:"who made it: first or second"`
	Grade string  `json:"grade" jsonschema:"best, fine, mistake, blunder, or given for what the game began with"`
	Lost  float64 `json:"lost" jsonschema:"the points that it threw away: 0, 0.5 or 1"`
	Told  string  `json:"told" jsonschema:"the judgement in words"`
}

func (s *Server) review(ctx context.Context, _ *sdk.CallToolRequest, asked Named) (Review, error) {
	v, now, solution, err := s.coached(ctx, asked.Game)
	if err != nil {
		return Review{}, err
	}
	defer v.Close()
	cast := v.cast(now)
	judged, err := coach.ReviewGame(solution, now.Record(), cast)
	if err != nil {
		return Review{}, err
	}
	out := Review{Result: v.Result(now.Result), Course: judged.Course(cast), Moves: []Reviewed{}}
	for _, m := range judged.Moves {
		out.Moves = append(out.Moves, Reviewed{v.Move(m.Move), m.Side.String(), m.Grade.String(), m.Lost, m.Told})
	}
	return out, nil
}
