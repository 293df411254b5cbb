package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/arena"
	"digitduel/arena/speech"
	"digitduel/digit"
	"digitduel/match"
)

// A GameReport measures an agent's moves in a game against perfect play. Its figures are those of
// matches between programs.
type GameReport struct {
	Game       string   `json:"game" jsonschema:"the id of the game"`
	Rules      string   `json:"rules" jsonschema:"the name of the game"`
	Opponent   string   `json:"opponent" jsonschema:"the level of the computer"`
	You        string   `json:"you" jsonschema:"your side: first or second"`
	Start      string   `json:"start" jsonschema:"the first position"`
	Position   string   `json:"position" jsonschema:"the position at the end"`
	Result     string   `json:"result" jsonschema:"{result}"`
	Score      float64  `json:"score" jsonschema:"your points: win 1, draw 0.5, loss 0"`
	Value      float64  `json:"value" jsonschema:"your points under perfect play"`
	Lost       float64  `json:"lost" jsonschema:"{lost}"`
	Decisions  int      `json:"decisions" jsonschema:"{decisions}"`
	Kept       *float64 `json:"kept,omitempty" jsonschema:"{kept}"`
	Chance     *float64 `json:"chance,omitempty" jsonschema:"what random moves would keep"`
	Kappa      *float64 `json:"kappa,omitempty" jsonschema:"{kappa}"`
	CleanKappa *float64 `json:"clean_kappa,omitempty" jsonschema:"kappa without a forfeit"`
	Keep       int      `json:"keep,omitempty" jsonschema:"{keep}"`
	Of         int      `json:"of,omitempty" jsonschema:"after your forfeit: the number of choices"`
	PliesLost  int      `json:"plies_lost" jsonschema:"{plies lost}"`
	Faults     []string `json:"faults" jsonschema:"your faults in order: illegal or unreadable"`

	Moves []ReportMove `json:"moves" jsonschema:"the moves of both sides"`

	Seed     uint64 `json:"seed" jsonschema:"{same seed}"`
	Record   string `json:"record,omitempty" jsonschema:"the game as one line"`
	Disguise string `json:"disguise,omitempty" jsonschema:"the key of the disguise"`
}

// A ReportMove is a move of a finished game.
type ReportMove struct {
	Move      string  `json:"move" jsonschema:"the move"`
	Side      string  `json:"side" jsonschema:"the side that made it: first or second"`
	Lost      float64 `json:"lost" jsonschema:"the points that it threw away: 0, 0.5 or 1"`
	PliesLost int     `json:"plies_lost" jsonschema:"if lost is 0: {plies lost}"`
	Keep      int     `json:"keep" jsonschema:"how many of the choices threw away nothing"`
	Of        int     `json:"of" jsonschema:"how many choices, without those of a call"`
	Tries     int     `json:"tries" jsonschema:"how many answers it took"`
	Ms        float64 `json:"ms" jsonschema:"how many milliseconds it took"`
}

func (s *Server) addReport() {
	addTool(s, sdk.Tool{
		Name: "report", Title: "Report on a game or an exam", Annotations: looks,
		Description: "Show what each of your moves in a game kept and threw away, measured " +
			"against perfect play, or grade your answers in an exam. " +
			"Only when the game is over, or all items are answered.",
		OutputSchema: answerSchema(schemaOf[GameReport](), schemaOf[ExamReport]()),
	}, s.report)
}

// Reported has the arguments of report.
type Reported struct {
	Game string `json:"game,omitempty" jsonschema:"the id of a game, as new_game returned it"`
	Exam string `json:"exam,omitempty" jsonschema:"or the id of an exam, as next_item returned it"`
}

func (s *Server) report(ctx context.Context, asked Reported) (any, error) {
	switch {
	case asked.Game != "" && asked.Exam != "":
		return nil, refusef("game, exam: allowed: only one of them")
	case asked.Game == "" && asked.Exam == "":
		return nil, refusef("missing game or exam; allowed: the id of a game or of an exam")
	case asked.Exam != "":
		return s.examReport(ctx, asked.Exam)
	}
	return s.gameReport(ctx, asked.Game)
}

func (s *Server) gameReport(ctx context.Context, game string) (GameReport, error) {
	v, err := s.sit(ctx, game)
	if err != nil {
		return GameReport{}, err
	}
	defer v.Close()
	now := v.await(ctx)
	if s.saveGame(v.Table, now); now.Playing() { // another program may have ended it
		return GameReport{}, refusef("the game is not over; call report when it is")
	}
	if s.planned() && !s.Desk.Complete() {
		return GameReport{}, refusef("the game is over: %s; "+
			"this run has reports after all %d games", v.Result(now.Result), s.Desk.Plan.Games())
	}
	g, err := s.judged(ctx, v.Table)
	if err != nil {
		return GameReport{}, err
	}
	return reportOf(v, now, &g), nil
}

// reportOf returns the report of a judged game for an agent.
func reportOf(v *seat, now match.State, g *arena.Game) GameReport {
	side := now.Side(v.at)
	mine, total := g.First, g.Total(side)
	if side == digit.Second {
		mine = g.Second
	}
	start := startOf(now)
	report := GameReport{
		Game: v.game, Rules: v.Rules(), Opponent: now.Setup.Levels[v.at.Other()],
		You: side.String(), Start: v.Position(start), Position: v.Position(now.Position),
		Result: v.Result(now.Result), Score: mine.Score, Value: mine.Value, Lost: mine.Regret,
		Decisions: total.Decisions, Kept: total.Kept, Chance: total.Chance, Kappa: total.Kappa,
		CleanKappa: total.CleanKappa, Keep: g.Keep, Of: g.Of,
		Faults: []string{}, Moves: []ReportMove{}, Seed: now.Setup.Agent.Seed,
		Record: now.Record().String(), Disguise: speech.Key(v.Speech),
	}
	turn := g.Rules.Turn(start)
	for _, m := range g.Moves {
		report.Moves = append(report.Moves, ReportMove{
			Move: v.Move(m.Move), Side: turn.String(), Lost: m.Regret, PliesLost: m.PliesLost,
			Keep: m.Keep, Of: m.Of, Tries: m.Tries, Ms: m.MS,
		})
		if turn == side {
			report.PliesLost += m.PliesLost
		}
		turn = turn.Other()
	}
	for step := range v.Table.Past(0) {
		if step.Event.Kind == match.Faulted {
			report.Faults = append(report.Faults, step.Event.Fault.String())
		}
	}
	return report
}
