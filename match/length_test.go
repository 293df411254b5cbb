package match

import (
	"errors"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/digit"
)

// TestAskedTooOften repeats a script until a word is refused: requests are limited for each player,
// and the limit of one player leaves the opponent's game and series alone.
func TestAskedTooOften(t *testing.T) {
	series := adaBen
	series.BestOf = 3
	free := adaBen
	free.FreeUndo = true
	for _, tt := range []struct {
		script, refused string
		setup           Setup
	}{
		{"hints:2 nohints:2", "hints:2", series},
		{"leave:2 back:2", "leave:2", series},
		{"leave:2 replace:1=casual back:2", "leave:2", series},
		{"undo:2 refuse:1", "undo:2", series},
		{"undo:2 agree:1 8a", "undo:2", series},
		{"undo:2 8a", "undo:2", free},
	} {
		table := open(t, tt.setup)
		if err := act(t, table, "9a 8a"); err != nil {
			t.Fatal(err)
		}
		var err error
		var word string
		for n := 0; err == nil && n < 2*MostEvents; n++ {
			words := strings.Fields(tt.script)
			word = words[n%len(words)]
			err = act(t, table, word)
		}
		s := table.State()
		if !errors.Is(err, ErrOften) || word != tt.refused ||
			s.Asked != [2]uint16{0, MostAsked} || s.Seq > 5*MostAsked {
			t.Errorf("%s: after %d events %s: %v", tt.script, s.Seq, word, err)
		}
		if err := act(t, table, "hints:1 nohints:1 leave:1 back:1 1b 7b resign:2"); err != nil {
			t.Errorf("%s: the other player: %v", tt.script, err)
		}
	}
}

// TestAskedPerSeries checks that requests are counted separately for each series.
func TestAskedPerSeries(t *testing.T) {
	table := open(t, adaBen)
	for range MostAsked - 1 {
		if err := act(t, table, "hints:1 nohints:1"); err != nil {
			t.Fatal(err)
		}
	}
	if err := act(t, table, "resign:1 again:1 again:2"); err != nil || table.State().Asked != [2]uint16{} {
		t.Errorf("%v, asked %v", err, table.State().Asked)
	}
}

// TestLong checks that at a table with too many events only the current game can be finished and
// earlier requests can be answered.
func TestLong(t *testing.T) {
	for _, tt := range []struct{ script, long, fits string }{
		{"9a", "hints:1, undo:1", "8a nohints:2 7b 6b 5c 4c"},
		{"9a undo:1", "hints:1", "agree:2 7b 6b"},
		{"9a undo:1", "hints:1", "refuse:2 resign:1"},
		{"leave:1", "hints:1", "claim:2"},
		{"leave:1", "hints:1", "replace:2=casual back:1 leave:1 claim:2"},
		{"resign:1", "begin, next:1, hints:1", "nohints:2 leave:1 back:1"},
		{"resign:1 next:2", "hints:1", "next:1 9a"},
		{"resign:1 begin resign:1 again:1", "again:2, hints:1", "refuse-again:2"},
		{"resign:1 begin resign:1", "again:2", ""},
	} {
		setup := adaBen
		setup.BestOf = 3
		store := new(Memory)
		s := saveTable(t, store, "t", setup, "begin hints:2")
		for n := MostEvents - len(strings.Fields(tt.script)); s.Seq < n; { // as in a table of an older program
			e := Event{Seq: s.Seq + 1, Kind: map[bool]Kind{true: HintsEnded, false: HintsAgreed}[s.Hints[One]]}
			if err := store.Append(t.Context(), "t", e, s); err != nil {
				t.Fatal(err)
			}
			s, _ = s.Apply(e)
		}
		table, err := Resume(t.Context(), "t", store, nil)
		if err != nil {
			t.Fatal(err)
		}
		table.log.now.Asked, table.log.now.Hints[One] = [2]uint16{}, false
		if err := act(t, table, tt.script); err != nil || table.State().Seq != MostEvents {
			t.Fatalf("%s: %v with %d events", tt.script, err, table.State().Seq)
		}
		for word := range strings.SplitSeq(tt.long, ", ") {
			if err := act(t, table, word); !errors.Is(err, ErrLong) {
				t.Errorf("%s: %s: %v", tt.script, word, err)
			}
		}
		if err := act(t, table, tt.fits); err != nil {
			t.Errorf("%s: %s: %v", tt.script, tt.fits, err)
		}
		table.Close()
	}
}

// TestLongestSeries checks that the longest possible series fits, with two players who make every
// request they may.
func TestLongestSeries(t *testing.T) {
	rules, err := digit.ParseRules("divisibility pool=0-f target=997 win=full final=draw")
	if err != nil {
		t.Fatal(err)
	}
	setup := Setup{
		Rules: rules, Terms: Terms{BestOf: MaxBestOf, Swap: true, TurnTime: time.Hour}, Open: [2]bool{true, true},
	}
	table, err := Open(t.Context(), "t", setup, new(Memory), nil)
	if err != nil {
		t.Fatal(err)
	}
	do := func(s State, err error) State {
		if err != nil {
			t.Fatalf("after %d events: %v", table.State().Seq, err)
		}
		return s
	}
	rng := rand.New(rand.NewPCG(1, 1))
	play := func(s State) State {
		m, _ := rules.Pick(s.Position, rng.IntN)
		return do(table.Play(t.Context(), s.Turn(), m, 0))
	}
	table.here = func(Seat) bool { return false }
	do(table.Sit(t.Context(), One, "", ""))
	s := do(table.Sit(t.Context(), Two, "", ""))
	for !s.SeriesOver() {
		if s.Game > 0 {
			do(table.Do(t.Context(), One, Next, ""))
		}
		for s = do(table.Do(t.Context(), Two, Next, "")); s.Playing(); s = play(s) {
			if s.Waits {
				s = do(table.Arrive(t.Context(), s.Turn()))
			}
			if s.MaySwap() {
				s = do(table.Do(t.Context(), s.Turn(), Swap, ""))
			}
			for seat := s.Turn(); len(s.Moves) > 2 && s.Asked[seat] < MostAsked; {
				do(table.Do(t.Context(), seat, Undo, ""))
				s = play(play(do(table.Do(t.Context(), seat.Other(), AgreeUndo, ""))))
			}
		}
	}
	want := 3 + 2*MaxBestOf*20 - 1 + 2*MostAsked*4
	if s.Game != 2*MaxBestOf || s.Seq != want || s.Seq > MostEvents {
		t.Errorf("%d games in %d events, want %d", s.Game, s.Seq, want)
	}
}

// TestFlighty checks that a player who has left too often is no longer reported as gone, and that
// no error is logged.
func TestFlighty(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := new(logBuffer)
		hall := newHall(t, new(Memory), HallConfig{Grace: time.Second, Log: slog.New(slog.NewTextHandler(log, nil))})
		v := enter(t, hall, "t", &adaBen, "begin")
		defer v.Close()
		defer stay(t, v, One)()
		for range MostAsked + 20 {
			leave := stay(t, v, Two)
			advance(time.Second)
			leave()
			advance(5 * time.Second)
		}
		if s := v.Table.State(); s.Asked[Two] != MostAsked || s.Seq != 2+2*MostAsked || log.String() != "" {
			t.Errorf("left %d times, %d events, log:\n%s", s.Asked[Two], s.Seq, log)
		}
	})
}
