package match

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"digitduel/digit"
)

// TestPair checks a pair of games: each player starts one, a win each is a draw, and then another
// pair may follow.
func TestPair(t *testing.T) {
	pair := adaBen
	pair.Pair = true
	for _, tt := range []struct {
		script string
		wins   [2]int
		leads  string
	}{
		{"resign:1 begin resign:2", [2]int{1, 1}, ""},
		{"resign:1 begin resign:1", [2]int{0, 2}, "Ben"},
		{"resign:2 begin resign:2", [2]int{2, 0}, "Ada"},
	} {
		table := open(t, pair)
		if err := act(t, table, tt.script); err != nil {
			t.Fatal(err)
		}
		s := table.State()
		leads := ""
		if seat, ok := s.Leader(); ok {
			leads = s.Setup.Name(seat)
		}
		if s.Wins != tt.wins || leads != tt.leads || !s.SeriesOver() || s.Starter() != Two {
			t.Errorf("%s: wins %v, leader %q, over %v", tt.script, s.Wins, leads, s.SeriesOver())
		}
		if err := act(t, table, "begin"); !errors.Is(err, ErrSeries) {
			t.Errorf("%s: a third game: %v", tt.script, err)
		}
		if err := act(t, table, "again:1 again:2"); err != nil || table.State().Starter() != One || table.State().Wins != [2]int{} {
			t.Errorf("%s: another pair: %v, %+v", tt.script, err, table.State())
		}
	}
}

// TestSwap checks that the second player may take over the first move once, in their first turn,
// and that it then counts as theirs in every respect.
func TestSwap(t *testing.T) {
	swap := adaBen
	swap.Swap = true
	for _, tt := range []struct {
		script string
		want   error
		record string // names by side and moves
	}{
		{"swap:1", ErrNoSwap, "Ada Ben"},
		{"swap:2", ErrTurn, "Ada Ben"},
		{"9a swap:1", ErrTurn, "Ada Ben 9a"},
		{"9a swap:2", nil, "Ben Ada 9a"},
		{"9a swap:2 swap:1", ErrNoSwap, "Ben Ada 9a"},
		{"9a swap:2 8a 7b", nil, "Ben Ada 9a 8a 7b"},
		{"9a 8a swap:1", ErrNoSwap, "Ada Ben 9a 8a"},
		{"9a swap:2 8a 2b 7b 3c 6c", nil, "Ben Ada 9a 8a 2b 7b 3c 6c"},
		{"9a swap:2 undo:2", nil, "Ada Ben 9a"},
		{"9a swap:2 8a undo:2", nil, "Ada Ben 9a"},
		{"9a swap:2 8a undo:2 swap:2 7a", nil, "Ben Ada 9a 7a"},
		{"9a swap:2 8a undo:1", nil, "Ben Ada 9a"},
		{"9a swap:2 undo:1", ErrNoUndo, "Ben Ada 9a"},
		{"9a swap:2 8a 2b undo:2", nil, "Ben Ada 9a 8a"},
	} {
		setup := swap
		setup.FreeUndo = true
		table := open(t, setup)
		if err := act(t, table, tt.script); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.script, err, tt.want)
		}
		rec := table.State().Record()
		words := []string{rec.Tag("first"), rec.Tag("second")}
		for _, m := range rec.Moves {
			words = append(words, m.String())
		}
		if got := strings.Join(words, " "); got != tt.record {
			t.Errorf("%s: %s, want %s", tt.script, got, tt.record)
		}
	}
	table := open(t, swap)
	if err := act(t, table, "9a swap:2 8a 2b 7b 3c 6c"); err != nil {
		t.Fatal(err)
	}
	if seat, ok := table.State().Winner(); !ok || seat != Two { // 923 against 876
		t.Errorf("%v wins, %v", seat, ok)
	}
	plain := open(t, adaBen)
	if err := act(t, plain, "9a swap:2"); !errors.Is(err, ErrNoSwap) {
		t.Errorf("swap without the option: got %v, want ErrNoSwap", err)
	}
}

// TestOpenings checks that both games of a pair begin with the same moves, which cannot be taken
// back, and that the next pair begins with the next opening.
func TestOpenings(t *testing.T) {
	setup := adaBen
	setup.Pair, setup.FreeUndo = true, true
	setup.Openings = OpeningsOf([]digit.Move{mustMove("5a"), mustMove("4a")}, []digit.Move{mustMove("1c")})
	if setup.Openings != "5a 4a,1c" {
		t.Errorf("openings %q", setup.Openings)
	}
	table := open(t, setup)
	for _, want := range []string{"5__/4__ Player 1", "5__/4__ Player 2", "__1/___ Player 2", "__1/___ Player 1", "5__/4__ Player 1"} {
		s := table.State()
		if got := s.Setup.Rules.Text(s.Position) + " " + s.Turn().String(); got != want {
			t.Errorf("game %d begins as %s, want %s", s.Game, got, want)
		}
		if err := act(t, table, "undo:1"); !errors.Is(err, ErrNoUndo) {
			t.Errorf("game %d: %v", s.Game, err)
		}
		if played, err := GameInfoOf(s.Record()); err != nil || played.Given != len(s.Moves) {
			t.Errorf("%v: %+v, %v", s.Record(), played, err)
		}
		next := "resign:1 begin"
		if s.Game%2 == 0 {
			next = "resign:1 again:1 again:2"
		}
		if err := act(t, table, next); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFairStartRefused(t *testing.T) {
	for _, tt := range []struct {
		setup Setup
		want  string
	}{
		{Setup{Terms: Terms{Pair: true, BestOf: 3}}, "a pair and best of 3: allowed: one of them; a pair is two games"},
		{Setup{Openings: "9a"}, "openings 9a: openings need a pair; set a pair, or leave them out"},
		{Setup{Terms: Terms{Pair: true, Swap: true}, Openings: "9a"}, "swap: the first move is part of the opening; leave out the openings, or the swap"},
		{Setup{Terms: Terms{Pair: true}, Openings: "9a 9b"}, `opening "9a 9b": 9b: 9 is taken; left: 1 2 3 4 5 6 7 8`},
		{Setup{Terms: Terms{Pair: true}, Openings: "9a,"}, `opening "": allowed: moves that begin a game and do not end it, as in 1a`},
		{Setup{Terms: Terms{Pair: true}, Openings: "zz"}, `opening "zz": move "zz": `},
		{Setup{Terms: Terms{Pair: true}, Openings: "9a 8a 7b 6b 5c 4c"}, `opening "9a 8a 7b 6b 5c 4c": allowed: moves that begin a game and do not end it, as in 1a`},
		{Setup{Terms: Terms{Pair: true}, Openings: "1a,2a,3a,4a,5a,6a,7a,8a,9a"}, "9 openings: allowed: up to 8"},
	} {
		tt.setup.Rules = digit.Highest
		if _, err := Open(t.Context(), "t", tt.setup, new(Memory), nil); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %s", tt.setup, err, tt.want)
		}
	}
}

// TestFairStartRecorded reads back the tags of pair, swap and opening, and refuses invalid ones.
func TestFairStartRecorded(t *testing.T) {
	for _, tt := range []struct{ tags, want string }{
		{"pair=2", ""}, {"pair=3", `tag "pair=3": allowed: 1, 2`}, {"swap=taken", ""}, {"swap=left", ""}, {"swap=on", `tag "swap=on": allowed: taken, left`},
		{"opening=1", ""}, {"opening=2", `tag "opening=2": allowed: the number of moves in the opening, as in 2`},
	} {
		rec, err := digit.ParseRecord("highest 9a *; " + tt.tags)
		if err != nil {
			t.Fatal(err)
		}
		switch _, err := GameInfoOf(rec); {
		case tt.want == "" && err != nil, tt.want != "" && (err == nil || err.Error() != tt.want):
			t.Errorf("%s: %v, want %q", tt.tags, err, tt.want)
		}
	}
}

func mustMove(text string) digit.Move {
	m, err := digit.ParseMove(text)
	if err != nil {
		panic(err)
	}
	return m
}

// TestClass checks the acts allowed at the table of a class: move, swap, resign, claim and start
// the next game, and nothing else.
func TestClass(t *testing.T) {
	setup := adaBen
	setup.Pair, setup.Swap, setup.FreeUndo, setup.Class = true, true, true, "c"
	for _, tt := range []struct {
		script string
		want   error
	}{
		{"9a swap:2 8a 2b leave:1 claim:2 next:2 next:1 resign:1 rekey:1=s back:1", nil},
		{"9a undo:1", ErrClass},
		{"9a refuse:2", ErrClass},
		{"9a withdraw:1", ErrClass},
		{"hints:1", ErrClass},
		{"nohints:1", ErrClass},
		{"leave:1 replace:2=casual", ErrClass},
		{"resign:1 next:1 next:2 resign:2 again:1", ErrClass},
		{"resign:1 next:1 next:2 resign:2 begin", ErrSeries},
	} {
		if err := act(t, open(t, setup), tt.script); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.script, err, tt.want)
		}
	}
	table := open(t, setup)
	if err := act(t, table, "resign:1"); err != nil {
		t.Fatal(err)
	}
	if _, err := table.Do(t.Context(), One, Publish, ""); !errors.Is(err, ErrClass) {
		t.Errorf("publish: got %v, want ErrClass", err)
	}
	opened, _ := table.Last(1, Opened)
	if sent, err := opened.Wire().Read(); err != nil || sent.Setup.Class != "c" {
		t.Errorf("sent as %+v, %v", sent.Setup, err)
	}
}

// TestGames checks that Games returns each finished game once, in the state in which it ended.
func TestGames(t *testing.T) {
	setup := adaBen
	setup.BestOf = 3
	for _, tt := range []struct{ script, want string }{
		{"", ""},
		{"9a", ""},
		{"9a resign:2", "1:9a=1"},
		{"9a resign:2 leave:1 back:1 next:1", "1:9a=1"},
		{"9a resign:2 next:1 next:2 8a", "1:9a=1"},
		{"9a resign:2 next:1 next:2 8a 7a resign:2 again:1 again:2 6a resign:1", "1:9a=1 2:8a 7a=1 3:6a=2"},
	} {
		table := open(t, setup)
		if err := act(t, table, tt.script); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range table.Games() {
			var moves []string
			for _, m := range s.Moves {
				moves = append(moves, m.String())
			}
			winner, _ := s.Winner()
			got = append(got, fmt.Sprintf("%d:%s=%d", s.Game, strings.Join(moves, " "), winner+1))
			if s.Ready != [2]bool{} || s.Away != [2]bool{} || s.Again != [2]bool{} {
				t.Errorf("%s: game %d has the state of a later event", tt.script, s.Game)
			}
		}
		if text := strings.Join(got, " "); text != tt.want {
			t.Errorf("%s: got %s, want %s", tt.script, text, tt.want)
		}
	}
}
