package mcp

import (
	"context"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// TestNewGame asks for games; each line says how one begins.
func TestNewGame(t *testing.T) {
	g := open(t, &match.Memory{}, nil).guest(t)
	for _, tt := range []struct {
		asked                       args
		rules, opponent, you, start string // empty: any
	}{
		{args{}, "dilemma", "skilled", "", "___/___"},
		{args{"rules": "SEVENS", "opponent": "Perfect", "side": "SECOND", "start": "Start"}, "sevens", "perfect", "second", "/"},
		{args{"rules": "highest", "start": "Won", "seed": 3}, "highest", "", "", ""},
		{args{"rules": "divisibility target=11 pool=0-9", "side": "first"}, "divisibility target=11 pool=0-9", "", "first", "/"},
		{args{"side": "first", "start": "start"}, "dilemma", "", "first", "___/___"},
		{args{"side": "first", "start": "7a 3b"}, "dilemma", "", "first", "7__/_3_"},
		{args{"side": "second", "start": "7a"}, "dilemma", "", "second", "7__/___"},
		{args{"side": "first", "start": "7__/___"}, "dilemma", "", "first", "7__/___"}, // the computer moves
		{args{"side": "first", "start": "7_1/53_"}, "dilemma", "", "first", "7_1/53_"},
		{args{"rules": "sevens", "side": "first", "start": "12/34"}, "sevens", "", "first", "12/34"},
		{args{"rules": "divisibility", "side": "first", "start": "9284/613"}, "divisibility", "", "first", "9284/613"},
		{args{"rules": nil, "opponent": nil, "side": nil, "start": nil, "seed": nil, "show_moves": nil, "player": nil}, "dilemma", "skilled", "", "___/___"},
		{args{"side": "random", "player": "  Some   Model 4.5 "}, "", "", "", ""},
	} {
		s := got[State](g, "new_game", tt.asked)
		for _, is := range [][2]string{{s.Rules, tt.rules}, {s.Opponent, tt.opponent}, {s.You, tt.you}, {s.Start, tt.start}} {
			if is[1] != "" && is[0] != is[1] {
				t.Errorf("%v: %q, want %q", tt.asked, is[0], is[1])
			}
		}
		if s.Turn != s.You || s.Result != "*" || s.Ply > 1 || !strings.Contains(s.Watch, "http://duel.test/t/") {
			t.Errorf("%v: %+v", tt.asked, s)
		}
	}
}

// TestNoNewGame asks for games that do not exist; the errors list those that do.
func TestNoNewGame(t *testing.T) {
	g := open(t, &match.Memory{}, func(c *Config) {
		small := solve.Solver{Config: solve.Config{Budget: 1 << 20}}
		c.Solve = func(ctx context.Context, r digit.Rules) (*solve.Solution, error) { return small.Solve(ctx, r) }
	}).guest(t)
	for _, tt := range []struct {
		asked args
		want  string
	}{
		{args{"rules": "chess"}, `book "chess": no such book; books: dilemma`},
		{args{"rules": "dilemma target=x"}, `target "x": `},
		{args{"rules": "dilemma width=4"}, "the computer cannot play this: "},
		{args{"opponent": "weak"}, `unknown level "weak" (use one of beginner, novice`},
		{args{"side": "third"}, `side "third": allowed: first, second, random`},
		{args{"start": "middle"}, `start: "middle": allowed: start, won, decision, a position, or moves; `},
		{args{"start": "won:ply=99"}, `starts "won:ply=99": allowed: `},
		{args{"start": "777/___"}, `start: position "777/___": a digit appears twice; `},
		{args{"start": "7a 7b"}, "start: 7b: 7 is taken; left: "},
		{args{"start": "7a 3b 1c 5a 4b 2c"}, "the game is over there"},
		{args{"rules": "highest final=later", "start": "won"}, "no such position was found"},
		{args{"seed": -1}, "seed -1: allowed: a whole number, 0 to 9007199254740991"},
		{args{"seed": 1.5}, "seed 1.5: allowed: a whole number, 0 to 9007199254740991"},
		{args{"seed": "7"}, `seed "7": allowed: a whole number, 0 to 9007199254740991`},
		{args{"seed": uint64(1 << 53)}, "seed 9007199254740992: allowed: a whole number, 0 to 9007199254740991"},
		{args{"rules": 7}, "rules 7: allowed: a text"},
		{args{"show_moves": "yes"}, `show_moves "yes": allowed: true or false`},
		{args{"sede": 1}, `unknown argument "sede"; arguments: rules, opponent, side, start, seed, `},
		{args{"player": strings.Repeat("x", 25)}, "it is too long; allowed: up to 24 characters"},
	} {
		if r, refused := try[Refusal](g, "new_game", tt.asked); !refused || !strings.Contains(r.Reason, tt.want) || r.Fault != "" {
			t.Errorf("%v: %+v", tt.asked, r)
		}
	}
}

// TestDrawn begins games from positions that are drawn: the agent is to move there, and has what it
// was drawn for.
func TestDrawn(t *testing.T) {
	h := open(t, &match.Memory{}, nil)
	g := h.guest(t)
	sides, starts := map[string]int{}, map[string]int{}
	for seed := range 60 {
		start := []string{"won", "decision"}[seed%2]
		r := digit.Books[seed/2%len(digit.Books)].Rules
		s := got[State](g, "new_game", args{"rules": r.String(), "start": start, "seed": seed})
		solution, err := h.solver.Solve(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		p, err := r.ParsePosition(s.Start)
		if err != nil {
			t.Fatal(err)
		}
		choices := solution.Choices(p)
		if s.Ply != 0 || s.Turn != s.You || solve.Keep(choices) == len(choices) || start == "won" && solution.Value(p).Outcome != solve.Win {
			t.Errorf("%s %v: %+v", start, r, s)
		}
		sides[s.You]++
		starts[s.Start]++
	}
	if sides["first"] == 0 || sides["second"] == 0 || len(starts) < 50 {
		t.Errorf("%v %v", sides, starts)
	}
}

// TestSides draws sides by the seed, each as often as the other.
func TestSides(t *testing.T) {
	g := open(t, &match.Memory{}, nil).guest(t)
	firsts := 0
	for seed := range 100 {
		if got[State](g, "new_game", args{"rules": "highest", "seed": seed}).You == "first" {
			firsts++
		}
	}
	if firsts < 35 || firsts > 65 {
		t.Errorf("first in %d of 100 games", firsts)
	}
}

// TestPlayer calls an agent what it says, and otherwise what its client is called.
func TestPlayer(t *testing.T) {
	h := open(t, &match.Memory{}, nil)
	g := h.guest(t)
	for asked, want := range map[string]string{"": "guest", "  Some   Model 4.5 ": "Some Model 4.5", "\u200b": "Agent"} {
		a := args{}
		if asked != "" {
			a["player"] = asked
		}
		table, _, _ := strings.Cut(got[State](g, "new_game", a).Game, ".")
		v, err := h.Hall.Visit(t.Context(), table)
		if err != nil {
			t.Fatal(err)
		}
		if name := v.Table.State().Setup.Name(agentSeat); name != want {
			t.Errorf("%q is called %q, want %q", asked, name, want)
		}
		v.Close()
	}
}
