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

// TestPlay plays a game of each book to the end.
func TestPlay(t *testing.T) {
	cl := newTestServer(t, &match.Memory{}, nil).client(t)
	for i, b := range digit.Books {
		rng := newRand(uint64(i))
		s := mustCall[State](cl, "new_game", args{"rules": b.Name, "seed": i, "show_moves": true})
		for s.Result == "*" {
			if s.Turn != s.You || len(s.Moves) == 0 || s.TriesLeft != 3 {
				t.Fatalf("%s: %+v", b.Name, s)
			}
			next := mustCall[State](cl, "play", args{
				"game": s.Game, "move": s.Moves[rng.IntN(len(s.Moves))], "ply": s.Ply,
			})
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

// TestFaults makes mistakes in a game and checks their consequences.
func TestFaults(t *testing.T) {
	cl := newTestServer(t, &match.Memory{}, nil).client(t)
	s := mustCall[State](cl, "new_game", args{
		"rules": "dilemma", "side": "first", "opponent": "beginner", "seed": 1,
	})
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
		{"7a", nil, "illegal", 2, "7a: 7 is taken; left: "}, // without a ply it is a new move
		{"7b", 2, "illegal", 1, "7b: 7 is taken; left: "},
		{"", nil, "unreadable", 0, "it is empty; a move is a digit and one of the places a b c"},
		{"8b", nil, "", 0, "the game is over: 0-1 forfeit"},
		{"x", nil, "", 0, "the game is over: 0-1 forfeit"},
	} {
		a := args{"game": s.Game, "move": tt.move}
		if tt.ply != nil {
			a["ply"] = tt.ply
		}
		next, refused := tryCall[State](cl, "play", a)
		played := tt.fault == "-"
		if refused == played ||
			!played && (next.Fault != tt.fault || !strings.Contains(next.Reason, tt.reason)) ||
			played && next.Refusal != (Refusal{}) || next.TriesLeft != tt.tries {
			t.Errorf("%q at %v: %v %+v", tt.move, tt.ply, refused, next)
		}
		if played && next.Ply != 2 {
			t.Errorf("%q: got moves %v", tt.move, next.Played)
		}
		s = next
	}
	if !strings.HasSuffix(mustCall[State](cl, "state", args{"game": s.Game}).Result, "0-1 forfeit") {
		t.Errorf("the game is not forfeited: %+v", s)
	}
}

// TestLastTry checks that a fault in the last try loses the game.
func TestLastTry(t *testing.T) {
	cl := newTestServer(t, &match.Memory{}, func(c *Config) { c.Tries = 1 }).client(t)
	s := mustCall[State](cl, "new_game", args{"side": "second"})
	if s, refused := tryCall[State](cl, "play", args{"game": s.Game, "move": "?"}); !refused ||
		s.Fault != "unreadable" || s.Result != "1-0 forfeit" ||
		!strings.HasSuffix(s.Reason, "that was the last try, and the game is lost") {
		t.Errorf("%+v", s)
	}
}

// TestAtOnce plays all legal moves of a state at the same time with several clients: one move is
// played, and none counts as a fault.
func TestAtOnce(t *testing.T) {
	srv := newTestServer(t, &match.Memory{}, nil)
	clients := []*testClient{srv.client(t), srv.client(t), srv.client(t)}
	s := mustCall[State](clients[0], "new_game", args{
		"rules": "highest", "show_moves": true, "opponent": "beginner",
	})
	for s.Result == "*" {
		var wait sync.WaitGroup
		var mu sync.Mutex
		played := 0
		for i, move := range s.Moves {
			wait.Go(func() {
				next, refused := tryCall[State](clients[i%3], "play", args{
					"game": s.Game, "move": move, "ply": s.Ply,
				})
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
		next := mustCall[State](clients[0], "state", args{"game": s.Game})
		if played != 1 || next.TriesLeft != 3 && next.Result == "*" || next.Ply <= s.Ply ||
			next.Ply > s.Ply+2 {
			t.Fatalf("%d moves were played, want 1: %+v after %+v", played, next, s)
		}
		s = next
	}
}

// TestFaultsAtOnce sends many wrong moves at the same time: the number of faults is that of tries,
// and no call fails.
func TestFaultsAtOnce(t *testing.T) {
	var log strings.Builder
	srv := newTestServer(t, &match.Memory{}, func(c *Config) {
		c.Log = slog.New(slog.NewTextHandler(&log, nil))
	})
	clients := []*testClient{srv.client(t), srv.client(t), srv.client(t)}
	s := mustCall[State](clients[0], "new_game", args{"rules": "highest", "side": "first"})
	var faults atomic.Int32
	var wait sync.WaitGroup
	for i := range 30 {
		wait.Go(func() {
			move := []string{"?", "0a"}[i%2]
			next, refused := tryCall[State](clients[i%3], "play", args{
				"game": s.Game, "move": move,
			})
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
		t.Errorf("got %d faults, want 3; log: %s", faults.Load(), log.String())
	}
}

// TestNames checks that the ID of a game without a token, or with that of another game or seat, is
// refused.
func TestNames(t *testing.T) {
	srv := newTestServer(t, &match.Memory{}, nil)
	cl := srv.client(t)
	mine, other := mustCall[State](cl, "new_game", nil).Game, mustCall[State](cl, "new_game", nil).Game
	table, token, _ := strings.Cut(mine, ".")
	_, otherToken, _ := strings.Cut(other, ".")
	for _, game := range []string{
		"", ".", table, table + ".", "." + token, table + "." + otherToken, table + "." + token + "x",
		table + "." + srv.Keys.Token(table, match.Two), "nosuchtable." + token, mine + "." + token,
	} {
		for _, tool := range []string{"state", "legal_moves", "report", "play"} {
			r, refused := tryCall[Refusal](cl, tool, args{"game": game, "move": "7a"}.only(tool))
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

// TestPeoplesTables checks that agents cannot use the seats of people.
func TestPeoplesTables(t *testing.T) {
	srv := newTestServer(t, &match.Memory{}, nil)
	v, err := srv.Hall.Open(t.Context(), "people", match.Setup{
		Rules: digit.Dilemma, Levels: [2]string{"", "novice"}, Names: [2]string{"Ada", "Computer"},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if _, err := v.Table.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	game := "people." + srv.Keys.Token("people", match.One)
	if r, refused := tryCall[Refusal](srv.client(t), "state", args{"game": game}); !refused {
		t.Errorf("%+v", r)
	}
}

// TestElsewhere plays a game alternately at two servers with the same store, as after restarts.
func TestElsewhere(t *testing.T) {
	store := &match.Memory{}
	here, there := newTestServer(t, store, nil).client(t), newTestServer(t, store, nil).client(t)
	s := mustCall[State](here, "new_game", args{"rules": "highest", "show_moves": true, "seed": 5})
	for turn := 0; s.Result == "*"; turn++ {
		cl, other := here, there
		if turn%2 == 1 {
			cl, other = there, here
		}
		s = mustCall[State](cl, "play", args{"game": s.Game, "move": s.Moves[0]})
		if again := mustCall[State](other, "state", args{"game": s.Game}); fmt.Sprint(again) != fmt.Sprint(s) {
			t.Fatalf("got %+v, and %+v at the other server", s, again)
		}
	}
}

// TestSeed checks that the same seed and moves give the same game.
func TestSeed(t *testing.T) {
	for _, rules := range []string{"dilemma", "sevens", "divisibility target=101"} {
		var first []string
		for range 3 {
			cl := newTestServer(t, &match.Memory{}, nil).client(t)
			s := mustCall[State](cl, "new_game", args{
				"rules": rules, "seed": 1<<53 - 1, "opponent": "casual", "show_moves": true,
			})
			for s.Result == "*" {
				s = mustCall[State](cl, "play", args{
					"game": s.Game, "move": s.Moves[len(s.Moves)/2],
				})
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

// TestManyMoves checks that answers list at most mostMoves moves, and the number of all moves.
func TestManyMoves(t *testing.T) {
	t.Parallel()
	cl := newTestServer(t, new(match.Memory), func(c *Config) { c.Coach = true }).client(t)
	state := mustCall[State](cl, "new_game", args{
		"rules": "sevens width=6 pool=0-b", "start": "01234/56789", "side": "first", "show_moves": true,
	})
	const want = 2 * (1 + 720 - 120) // a number cannot start with 0
	listed := mustCall[LegalMoves](cl, "legal_moves", args{"game": state.Game})
	if len(state.Moves) != mostMoves || state.AllMoves != want || len(listed.Moves) != mostMoves ||
		listed.AllMoves != want {
		t.Errorf("got %d moves of %d, and %d of %d, want %d of %d", len(state.Moves), state.AllMoves,
			len(listed.Moves), listed.AllMoves, mostMoves, want)
	}
	if a := mustCall[Analysis](cl, "analyze", args{"game": state.Game}); len(a.Options) != mostMoves ||
		a.AllOptions != want {
		t.Errorf("got %d options of %d, want %d of %d", len(a.Options), a.AllOptions, mostMoves, want)
	}
	few := mustCall[State](cl, "new_game", args{
		"rules": "sevens", "side": "first", "show_moves": true,
	})
	if len(few.Moves) != 10 || few.AllMoves != 0 {
		t.Errorf("got %d moves of %d", len(few.Moves), few.AllMoves)
	}
}

// TestBroken checks that the details of an internal error are only logged, and that the server
// continues.
func TestBroken(t *testing.T) {
	var log strings.Builder
	panics := false
	srv := newTestServer(t, &match.Memory{}, func(c *Config) {
		c.Log = slog.New(slog.NewTextHandler(&log, nil))
		link := c.Link
		c.Link = func(ctx context.Context, table string) string {
			if panics {
				panic("the secret reason")
			}
			return link(ctx, table)
		}
	})
	cl := srv.client(t)
	s := mustCall[State](cl, "new_game", nil)
	panics = true
	params := &sdk.CallToolParams{Name: "state", Arguments: args{"game": s.Game}}
	if _, err := cl.session.CallTool(t.Context(), params); err == nil ||
		!strings.Contains(err.Error(), rulebook.Broken.Long) ||
		strings.Contains(err.Error(), "secret") {
		t.Errorf("after a panic: got %v", err)
	}
	panics = false
	mustCall[State](cl, "state", args{"game": s.Game})
	srv.Hall.Close()
	if r, refused := tryCall[Refusal](cl, "state", args{"game": s.Game}); !refused ||
		r != (Refusal{Reason: rulebook.Broken.Long}) {
		t.Errorf("after an error: got %+v", r)
	}
	if !strings.Contains(log.String(), "the secret reason") ||
		!strings.Contains(log.String(), "tool failed") {
		t.Errorf("the log has %s", log.String())
	}
}
