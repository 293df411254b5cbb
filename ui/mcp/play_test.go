package mcp

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// TestPlay plays games of every book to their ends.
func TestPlay(t *testing.T) {
	g := open(t, &match.Memory{}, nil).guest(t)
	for i, b := range digit.Books {
		rng := chance(uint64(i))
		s := got[State](g, "new_game", args{"rules": b.Name, "seed": i, "show_moves": true})
		for s.Result == "*" {
			if s.Turn != s.You || len(s.Moves) == 0 || s.TriesLeft != 3 {
				t.Fatalf("%s: %+v", b.Name, s)
			}
			next := got[State](g, "play", args{"game": s.Game, "move": s.Moves[rng.IntN(len(s.Moves))], "ply": s.Ply})
			if next.Ply <= s.Ply {
				t.Fatalf("%s: %+v after %+v", b.Name, next, s)
			}
			s = next
		}
		if s.Turn != "none" || len(s.Moves) != 0 {
			t.Errorf("%s is over: %+v", b.Name, s)
		}
	}
}

// TestFaults makes mistakes in a game; each line has the consequence.
func TestFaults(t *testing.T) {
	g := open(t, &match.Memory{}, nil).guest(t)
	s := got[State](g, "new_game", args{"rules": "dilemma", "side": "first", "opponent": "beginner", "seed": 1})
	for _, tt := range []struct {
		move   string
		ply    any
		fault  string // "-": the move is played; empty: an error that costs nothing
		tries  int
		reason string
	}{
		{"seven", nil, "unreadable", 2, `move "seven": it does not begin with a digit; a move is a digit and one of the places a b c, from left to right: 9a puts 9 in the place on the left`},
		{"7L", nil, "illegal", 1, "7L: there is no place L; allowed: a b c"},
		{"7a", 1, "", 1, "ply 1: the game is at ply 0; nothing was played"},
		{"7a", -1, "", 1, "ply -1: "},
		{" 7a\n", 0, "-", 3, ""},
		{"7a", 0, "-", 3, ""}, // the answer was lost
		{"8b", 0, "", 3, "ply 0: the game is at ply 2"},
		{"8b", 1, "", 3, "ply 1: the game is at ply 2"},
		{"x", 0, "", 3, "ply 0: the game is at ply 2"},
		{"7a", nil, "illegal", 2, "7a: 7 is taken; left: "}, // without a ply it is one more move
		{"7b", 2, "illegal", 1, "7b: 7 is taken; left: "},
		{"", nil, "unreadable", 0, "it is empty; a move is a digit and one of the places a b c"},
		{"8b", nil, "", 0, "the game is over: 0-1 forfeit"},
		{"x", nil, "", 0, "the game is over: 0-1 forfeit"},
	} {
		a := args{"game": s.Game, "move": tt.move}
		if tt.ply != nil {
			a["ply"] = tt.ply
		}
		next, refused := try[State](g, "play", a)
		played := tt.fault == "-"
		if refused == played || !played && (next.Fault != tt.fault || !strings.Contains(next.Reason, tt.reason)) || played && next.Refusal != (Refusal{}) || next.TriesLeft != tt.tries {
			t.Errorf("%q at %v: %v %+v", tt.move, tt.ply, refused, next)
		}
		if played && next.Ply != 2 {
			t.Errorf("%q: played %v", tt.move, next.Played)
		}
		s = next
	}
	if !strings.HasSuffix(got[State](g, "state", args{"game": s.Game}).Result, "0-1 forfeit") {
		t.Errorf("the game is not lost: %+v", s)
	}
}

// TestLastTry says that no try is left.
func TestLastTry(t *testing.T) {
	g := open(t, &match.Memory{}, func(c *Config) { c.Tries = 1 }).guest(t)
	s := got[State](g, "new_game", args{"side": "second"})
	if s, refused := try[State](g, "play", args{"game": s.Game, "move": "?"}); !refused || s.Fault != "unreadable" || s.Result != "1-0 forfeit" || !strings.HasSuffix(s.Reason, "that was the last try, and the game is lost") {
		t.Errorf("%+v", s)
	}
}

// TestAtOnce plays every legal move of a state at once, by several clients: one of them is played,
// and nobody is charged with a fault.
func TestAtOnce(t *testing.T) {
	h := open(t, &match.Memory{}, nil)
	guests := []*guest{h.guest(t), h.guest(t), h.guest(t)}
	s := got[State](guests[0], "new_game", args{"rules": "highest", "show_moves": true, "opponent": "beginner"})
	for s.Result == "*" {
		var wait sync.WaitGroup
		var mu sync.Mutex
		played := 0
		for i, move := range s.Moves {
			wait.Go(func() {
				next, refused := try[State](guests[i%3], "play", args{"game": s.Game, "move": move, "ply": s.Ply})
				mu.Lock()
				defer mu.Unlock()
				if !refused {
					played++
				}
				if next.Fault != "" {
					t.Errorf("%s: %+v", move, next.Refusal)
				}
			})
		}
		wait.Wait()
		next := got[State](guests[0], "state", args{"game": s.Game})
		if played != 1 || next.TriesLeft != 3 && next.Result == "*" || next.Ply <= s.Ply || next.Ply > s.Ply+2 {
			t.Fatalf("%d moves were played: %+v after %+v", played, next, s)
		}
		s = next
	}
}

// TestFaultsAtOnce answers a move with nonsense many times at once: as many faults are charged as
// there are tries, and no call breaks.
func TestFaultsAtOnce(t *testing.T) {
	var log strings.Builder
	h := open(t, &match.Memory{}, func(c *Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	guests := []*guest{h.guest(t), h.guest(t), h.guest(t)}
	s := got[State](guests[0], "new_game", args{"rules": "highest", "side": "first"})
	var faults atomic.Int32
	var wait sync.WaitGroup
	for i := range 30 {
		wait.Go(func() {
			next, refused := try[State](guests[i%3], "play", args{"game": s.Game, "move": []string{"?", "0a"}[i%2]})
			if next.Fault != "" {
				faults.Add(1)
			}
			if !refused || next.Reason == "" || next.Board == "" {
				t.Errorf("%v %+v", refused, next)
			}
		})
	}
	wait.Wait()
	if faults.Load() != 3 || log.Len() > 0 {
		t.Errorf("%d faults: %s", faults.Load(), log.String())
	}
}

// TestNames refuses callers without a seat: a watcher has no token, and that of another game or
// seat is not valid.
func TestNames(t *testing.T) {
	h := open(t, &match.Memory{}, nil)
	g := h.guest(t)
	mine, other := got[State](g, "new_game", nil).Game, got[State](g, "new_game", nil).Game
	table, token, _ := strings.Cut(mine, ".")
	_, otherToken, _ := strings.Cut(other, ".")
	for _, game := range []string{"", ".", table, table + ".", "." + token, table + "." + otherToken, table + "." + token + "x", table + "." + h.Keys.Token(table, match.Two), "nosuchtable." + token, mine + "." + token} {
		for _, tool := range []string{"state", "legal_moves", "report", "play"} {
			r, refused := try[Refusal](g, tool, args{"game": game, "move": "7a"}.only(tool))
			want := "game: no such game; allowed: the id that new_game returned"
			if tool == "report" && game == "" {
				want = "missing game or exam; allowed: the id of a game or of an exam"
			}
			if !refused || r.Reason != want {
				t.Errorf("%s %q: %+v", tool, game, r)
			}
		}
	}
}

// TestPeoplesTables keeps agents from the seats of people: what is refused there is no fault of
// theirs.
func TestPeoplesTables(t *testing.T) {
	h := open(t, &match.Memory{}, nil)
	v, err := h.Hall.Open(t.Context(), "people", match.Setup{Rules: digit.Dilemma, Levels: [2]string{"", "novice"}, Names: [2]string{"Ada", "Computer"}})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if _, err := v.Table.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r, refused := try[Refusal](h.guest(t), "state", args{"game": "people." + h.Keys.Token("people", match.One)}); !refused {
		t.Errorf("%+v", r)
	}
}

// TestElsewhere goes on with a game at another server of the same store, back and forth, as after a
// restart.
func TestElsewhere(t *testing.T) {
	store := &match.Memory{}
	here, there := open(t, store, nil).guest(t), open(t, store, nil).guest(t)
	s := got[State](here, "new_game", args{"rules": "highest", "show_moves": true, "seed": 5})
	for turn := 0; s.Result == "*"; turn++ {
		g, other := here, there
		if turn%2 == 1 {
			g, other = there, here
		}
		s = got[State](g, "play", args{"game": s.Game, "move": s.Moves[0]})
		if again := got[State](other, "state", args{"game": s.Game}); fmt.Sprint(again) != fmt.Sprint(s) {
			t.Fatalf("%+v here is %+v elsewhere", s, again)
		}
	}
}

// TestSeed plays the same game again by its seed, whatever happens in between.
func TestSeed(t *testing.T) {
	for _, rules := range []string{"dilemma", "sevens", "divisibility target=101"} {
		var first []string
		for range 3 {
			g := open(t, &match.Memory{}, nil).guest(t)
			s := got[State](g, "new_game", args{"rules": rules, "seed": 1<<53 - 1, "opponent": "casual", "show_moves": true})
			for s.Result == "*" {
				s = got[State](g, "play", args{"game": s.Game, "move": s.Moves[len(s.Moves)/2]})
			}
			if first == nil {
				first = s.Played
			}
			if fmt.Sprint(first) != fmt.Sprint(s.Played) {
				t.Errorf("%s: %v and %v", rules, first, s.Played)
			}
		}
	}
}

// TestManyMoves holds that an answer does not grow with the orders in which digits can be called,
// and says how many moves there are.
func TestManyMoves(t *testing.T) {
	t.Parallel()
	g := open(t, new(match.Memory), func(c *Config) { c.Coach = true }).guest(t)
	state := got[State](g, "new_game", args{"rules": "sevens width=6 pool=0-b", "start": "01234/56789", "side": "first", "show_moves": true})
	const want = 2 * (1 + 720 - 120) // those that begin with 0 are no numbers
	listed := got[LegalMoves](g, "legal_moves", args{"game": state.Game})
	if len(state.Moves) != mostMoves || state.AllMoves != want || len(listed.Moves) != mostMoves || listed.AllMoves != want {
		t.Errorf("%d moves of %d, and %d of %d, want %d of %d", len(state.Moves), state.AllMoves, len(listed.Moves), listed.AllMoves, mostMoves, want)
	}
	if a := got[Analysis](g, "analyze", args{"game": state.Game}); len(a.Options) != mostMoves || a.AllOptions != want {
		t.Errorf("%d options of %d, want %d of %d", len(a.Options), a.AllOptions, mostMoves, want)
	}
	few := got[State](g, "new_game", args{"rules": "sevens", "side": "first", "show_moves": true})
	if len(few.Moves) != 10 || few.AllMoves != 0 {
		t.Errorf("%d moves of %d", len(few.Moves), few.AllMoves)
	}
}

// TestBroken reports an internal error in the log alone, and continues.
func TestBroken(t *testing.T) {
	var log strings.Builder
	panics := false
	h := open(t, &match.Memory{}, func(c *Config) {
		c.Log = slog.New(slog.NewTextHandler(&log, nil))
		link := c.Link
		c.Link = func(ctx context.Context, table string) string {
			if panics {
				panic("the secret reason")
			}
			return link(ctx, table)
		}
	})
	g := h.guest(t)
	s := got[State](g, "new_game", nil)
	panics = true
	if _, err := g.session.CallTool(t.Context(), &sdk.CallToolParams{Name: "state", Arguments: args{"game": s.Game}}); err == nil || !strings.Contains(err.Error(), rulebook.Broken.Long) || strings.Contains(err.Error(), "secret") {
		t.Errorf("a panic is told as %v", err)
	}
	panics = false
	got[State](g, "state", args{"game": s.Game})
	h.Hall.Close()
	if r, refused := try[Refusal](g, "state", args{"game": s.Game}); !refused || r != (Refusal{Reason: rulebook.Broken.Long}) {
		t.Errorf("a fault is told as %+v", r)
	}
	if !strings.Contains(log.String(), "the secret reason") || !strings.Contains(log.String(), "tool failed") {
		t.Errorf("the log has %s", log.String())
	}
}
