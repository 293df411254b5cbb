package mcp

import (
	"context"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// TestNewGame checks the first state of new games.
func TestNewGame(t *testing.T) {
	cl := newTestServer(t, &match.Memory{}, nil).client(t)
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
		{args{"side": "first", "start": "7__/___"}, "dilemma", "", "first", "7__/___"}, // the computer moves first
		{args{"side": "first", "start": "7_1/53_"}, "dilemma", "", "first", "7_1/53_"},
		{args{"rules": "sevens", "side": "first", "start": "12/34"}, "sevens", "", "first", "12/34"},
		{args{"rules": "divisibility", "side": "first", "start": "9284/613"}, "divisibility", "", "first", "9284/613"},
		{args{"rules": nil, "opponent": nil, "side": nil, "start": nil, "seed": nil, "show_moves": nil, "player": nil}, "dilemma", "skilled", "", "___/___"},
		{args{"side": "random", "player": "  Some   Model 4.5 "}, "", "", "", ""},
	} {
		s := mustCall[State](cl, "new_game", tt.asked)
		for _, is := range [][2]string{
			{s.Rules, tt.rules}, {s.Opponent, tt.opponent}, {s.You, tt.you}, {s.Start, tt.start},
		} {
			if is[1] != "" && is[0] != is[1] {
				t.Errorf("%v: got %q, want %q", tt.asked, is[0], is[1])
			}
		}
		if s.Turn != s.You || s.Result != "*" || s.Ply > 1 ||
			!strings.Contains(s.Watch, "http://duel.test/t/") {
			t.Errorf("%v: %+v", tt.asked, s)
		}
	}
}

// TestNoNewGame checks that wrong arguments are refused with a message that lists the allowed ones.
func TestNoNewGame(t *testing.T) {
	cl := newTestServer(t, &match.Memory{}, func(c *Config) {
		small := solve.Solver{Config: solve.Config{Budget: 1 << 20}}
		c.Solve = func(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
			return small.Solve(ctx, r)
		}
	}).client(t)
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
		if r, refused := tryCall[Refusal](cl, "new_game", tt.asked); !refused ||
			!strings.Contains(r.Reason, tt.want) || r.Fault != "" {
			t.Errorf("%v: got %+v, want %s", tt.asked, r, tt.want)
		}
	}
}

// TestDrawn starts games from random positions: the agent is to move, and has a win or a decision,
// as requested.
func TestDrawn(t *testing.T) {
	srv := newTestServer(t, &match.Memory{}, nil)
	cl := srv.client(t)
	sides, starts := map[string]int{}, map[string]int{}
	for seed := range 60 {
		start := []string{"won", "decision"}[seed%2]
		r := digit.Books[seed/2%len(digit.Books)].Rules
		s := mustCall[State](cl, "new_game", args{
			"rules": r.String(), "start": start, "seed": seed,
		})
		solution, err := srv.solver.Solve(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		p, err := r.ParsePosition(s.Start)
		if err != nil {
			t.Fatal(err)
		}
		choices := solution.Choices(p)
		if s.Ply != 0 || s.Turn != s.You || solve.Keep(choices) == len(choices) ||
			start == "won" && solution.Value(p).Outcome != solve.Win {
			t.Errorf("%s %v: %+v", start, r, s)
		}
		sides[s.You]++
		starts[s.Start]++
	}
	if sides["first"] == 0 || sides["second"] == 0 || len(starts) < 50 {
		t.Errorf("got sides %v and starts %v", sides, starts)
	}
}

// TestSides checks that random seeds give the agent each side about equally often.
func TestSides(t *testing.T) {
	cl := newTestServer(t, &match.Memory{}, nil).client(t)
	firsts := 0
	for seed := range 100 {
		if mustCall[State](cl, "new_game", args{"rules": "highest", "seed": seed}).You == "first" {
			firsts++
		}
	}
	if firsts < 35 || firsts > 65 {
		t.Errorf("the agent is first in %d of 100 games", firsts)
	}
}

// TestPlayer checks the name of an agent: its argument, or else the name of its client.
func TestPlayer(t *testing.T) {
	srv := newTestServer(t, &match.Memory{}, nil)
	cl := srv.client(t)
	for asked, want := range map[string]string{
		"": "guest", "  Some   Model 4.5 ": "Some Model 4.5", "\u200b": "Agent",
	} {
		a := args{}
		if asked != "" {
			a["player"] = asked
		}
		table, _, _ := strings.Cut(mustCall[State](cl, "new_game", a).Game, ".")
		v, err := srv.Hall.Visit(t.Context(), table)
		if err != nil {
			t.Fatal(err)
		}
		if name := v.Table.State().Setup.Name(agentSeat); name != want {
			t.Errorf("player %q: got name %q, want %q", asked, name, want)
		}
		v.Close()
	}
}
