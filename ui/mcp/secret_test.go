package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/arena"
	"digitduel/arena/speech"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// TestNoValue plays games without a coach, and checks that no answer reveals the value of a
// position: during a game no tool asks the solver, and every answer follows from the rules and the
// moves.
func TestNoValue(t *testing.T) {
	var asked atomic.Int32
	srv := newTestServer(t, &match.Memory{}, func(c *Config) {
		solved := c.Solve
		c.Solve = func(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
			asked.Add(1)
			return solved(ctx, r)
		}
	})
	cl := srv.client(t)
	rng := newRand(4)
	for game := range 60 {
		rules := slices.Concat(digit.Books, digit.Fair)[game%10].Rules
		start := []string{"start", "won", "decision"}[game%3]
		a := args{
			"rules": rules.String(), "opponent": "beginner", "start": start, "seed": game,
			"show_moves": game%2 == 0,
		}
		s, none := tryCall[State](cl, "new_game", a)
		if none && start != "start" {
			continue // this game has no such start
		}
		asked.Store(0)
		for s.Result == "*" {
			cl.checkState(s, rules, a)
			for _, tool := range []string{"state", "play"} { // play with an unreadable move
				again, _ := tryCall[State](cl, tool, args{"game": s.Game, "move": "?"}.only(tool))
				again.Refusal = Refusal{}
				cl.checkState(again, rules, a)
				s = again
				if s.Result != "*" {
					break
				}
			}
			if s.Result != "*" {
				break
			}
			legal := mustCall[LegalMoves](cl, "legal_moves", args{"game": s.Game})
			if want := movesIn(rules, s); legal.Ply != s.Ply || !slices.Equal(legal.Moves, want) {
				t.Fatalf("got legal moves %v, want %v", legal.Moves, want)
			}
			if r, refused := tryCall[Refusal](cl, "report", args{"game": s.Game}); !refused ||
				r != (Refusal{Reason: "the game is not over; call report when it is"}) {
				t.Fatalf("report of an unfinished game: got %+v", r)
			}
			s = mustCall[State](cl, "play", args{
				"game": s.Game, "move": legal.Moves[rng.IntN(len(legal.Moves))],
			})
			if s.Result == "*" && asked.Load() != 0 {
				t.Fatalf("a tool asked the solver during a game")
			}
		}
		cl.checkState(s, rules, a)
	}
}

// only returns the arguments that a tool accepts.
func (a args) only(tool string) args {
	if tool != "play" {
		return args{"game": a["game"]}
	}
	return a
}

// checkState compares a state with the one that follows from the rules and the moves.
func (cl *testClient) checkState(s State, r digit.Rules, asked args) {
	cl.Helper()
	p, err := r.ParsePosition(s.Start)
	if err != nil {
		cl.Fatal(err)
	}
	for _, word := range s.Played {
		m, err := digit.ParseMove(word)
		if err == nil {
			p, err = r.Play(p, m)
		}
		if err != nil {
			cl.Fatal(err)
		}
	}
	result, turn, tries := r.Result(p), r.Turn(p).String(), s.TriesLeft
	if strings.HasSuffix(s.Result, " forfeit") {
		result.Score, result.Reason = digit.WinFor(r.Turn(p).Other()), digit.Forfeit
	}
	if result.Over() {
		turn, tries = "none", 0
	}
	want := State{
		Game: s.Game, Rules: r.String(), Goal: speech.Plain(r).Goal(), Notation: speech.Plain(r).Notation(),
		Opponent: asked["opponent"].(string), You: s.You, Turn: turn,
		Start: s.Start, Played: s.Played, Ply: len(s.Played), Position: r.Text(p), Left: r.Left(p).List(" "),
		Moves: []string{}, Result: result.String(), TriesLeft: tries,
		Watch: "http://duel.test/t/" + strings.Split(s.Game, ".")[0], Board: speech.Plain(r).Board(p),
	}
	if asked["show_moves"] == true && !result.Over() {
		want.Moves = movesIn(r, s)
	}
	if diff := cmp.Diff(want, s); diff != "" {
		cl.Fatal(diff)
	}
}

// movesIn returns the legal moves of a state.
func movesIn(r digit.Rules, s State) []string {
	moves := []string{}
	p, _ := r.ParsePosition(s.Position)
	for m := range r.Moves(p) {
		moves = append(moves, m.String())
	}
	return moves
}

// TestGoal checks that the goal and the rules of a game do not reveal its winner.
func TestGoal(t *testing.T) {
	for _, b := range slices.Concat(digit.Books, digit.Fair) {
		for _, text := range []string{speech.Plain(b.Rules).Goal(), speech.Plain(b.Rules).Explain()} {
			for _, word := range []string{
				"starter can", "force", "Careful", "settled", "best play", "fair", "openings",
			} {
				if strings.Contains(text, word) {
					t.Errorf("%s: %q in %s", b.Name, word, text)
				}
			}
		}
	}
}

// TestGoalIsEnough checks that the goal explains the digits, so that an agent need not read the
// rules.
func TestGoalIsEnough(t *testing.T) {
	for rules, want := range map[string]string{
		"highest":          "1 to 9, each once. A digit that either player takes is gone. Each turn, put a digit in",
		"dilemma pool=0-f": "in base 16 (a is 10, f is 15). A digit that either player takes is gone. Each turn, put a digit in",
	} {
		r, err := digit.ParseRules(rules)
		if err != nil {
			t.Fatal(err)
		}
		if goal := speech.Plain(r).Goal(); !strings.Contains(goal, want) {
			t.Errorf("%s: got %[3]s, want it to contain %[2]q", rules, want, goal)
		}
	}
}

// TestTools checks the tools of each kind of server, and that clients can accept their schemas.
func TestTools(t *testing.T) {
	player := []string{"answer", "legal_moves", "new_game", "next_item", "play", "report", "state"}
	for _, tt := range []struct {
		coach, exams, planned, shown bool
		want                         []string
	}{
		{want: player},
		{coach: true, want: append([]string{"analyze", "hint", "review"}, player...)},
		{exams: true, want: []string{"answer", "next_item", "report"}},
		{planned: true, want: []string{"new_game", "play", "report", "state"}},
		{planned: true, shown: true, want: []string{"legal_moves", "new_game", "play", "report", "state"}},
	} {
		cl := newTestServer(t, &match.Memory{}, func(c *Config) {
			if c.Coach, c.ExamsOnly = tt.coach, tt.exams; tt.planned {
				plan, _ := runPlan(t, func(p *arena.Plan) { p.ShowMoves = tt.shown })
				c.Desk = openDesk(t, t.TempDir(), plan)
			}
		}).client(t)
		tools, err := cl.session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tool := range tools.Tools {
			names = append(names, tool.Name)
			cl.checkTool(tool)
		}
		slices.Sort(names)
		slices.Sort(tt.want)
		if diff := cmp.Diff(tt.want, names); diff != "" {
			t.Errorf("coach: %v, only exams: %v, planned run: %v: (-want +got)\n%s",
				tt.coach, tt.exams, tt.planned, diff)
		}
	}
}

// checkTool checks that clients can accept the description of a tool.
func (cl *testClient) checkTool(tool *sdk.Tool) {
	cl.Helper()
	text, err := json.Marshal(tool)
	if err != nil {
		cl.Fatal(err)
	}
	if strings.Contains(string(text), `"null"`) {
		cl.Errorf("%s: null in %s", tool.Name, text)
	}
	if a := tool.Annotations; a == nil || a.OpenWorldHint == nil || *a.OpenWorldHint ||
		a.DestructiveHint == nil || *a.DestructiveHint {
		cl.Errorf("%s: %+v", tool.Name, a)
	}
	if again := tool.Annotations.ReadOnlyHint ||
		tool.Name == "answer"; tool.Annotations.IdempotentHint != again {
		cl.Errorf("%s: IdempotentHint is %v, want %v", tool.Name, !again, again)
	}
	if tool.Title == "" || tool.Description == "" || tool.OutputSchema == nil {
		cl.Errorf("%s has no title, description or output schema: %s", tool.Name, text)
	}
	for _, schema := range []any{tool.InputSchema, tool.OutputSchema} {
		// Some clients reject a schema without properties, even if there are none.
		properties, ok := schema.(map[string]any)["properties"].(map[string]any)
		if schema.(map[string]any)["type"] != "object" || !ok {
			cl.Errorf("%s: %v", tool.Name, schema)
		}
		for name, p := range properties {
			if p.(map[string]any)["description"] == nil || p.(map[string]any)["type"] == nil {
				cl.Errorf("%s: %s has no description or type: %v", tool.Name, name, p)
			}
		}
	}
}
