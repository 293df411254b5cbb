package rulebook

import (
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/match"
)

// TestNarrator checks the texts about the last event of a script, for Ada on seat 1 and for a
// watcher.
func TestNarrator(t *testing.T) {
	people := match.Setup{Rules: digit.Highest, Names: [2]string{"Ada", "Ben"}}
	with := func(change func(*match.Setup)) match.Setup {
		s := people
		change(&s)
		return s
	}
	single := with(func(s *match.Setup) { s.BestOf = 1 })
	series := with(func(s *match.Setup) { s.BestOf = 3 })
	pair := with(func(s *match.Setup) { s.Pair = true })
	swap := with(func(s *match.Setup) { s.Swap = true })
	calls := with(func(s *match.Setup) { s.Rules, s.AutoCall = digit.Sevens, true })
	second := with(func(s *match.Setup) { s.First = match.Two })
	computer := with(func(s *match.Setup) {
		s.First, s.Names[1], s.Levels[1] = match.Two, "casual bot", "casual"
	})
	for _, test := range []struct {
		setup        match.Setup
		script       string // a move, or an act and its seat
		ada, watcher string
	}{
		{people, "begin", "You start.", "Ada starts."},
		{second, "begin", "Ben starts.", "Ben starts."},
		{computer, "begin", "The computer starts.", "casual bot starts."},
		{
			computer, "begin 9a",
			"The computer put 9 in the hundreds place: 9 _ _.",
			"casual bot put 9 in the hundreds place: 9 _ _.",
		},
		{single, "begin resign:1", "You resigned. Ben wins.", "Ada resigned. Ben wins."},
		{
			series, "begin resign:1 begin",
			"Game 2, best of 3: Ben starts.",
			"Game 2, best of 3: Ben starts.",
		},
		{
			series, "begin resign:1 begin resign:1",
			"You resigned. Ben wins. Ben wins the series 2–0.",
			"Ada resigned. Ben wins. Ben wins the series 2–0.",
		},
		{pair, "begin resign:1 begin", "Game 2 of 2: Ben starts.", "Game 2 of 2: Ben starts."},
		{people, "begin 9a resign:2", "Ben resigned. You win.", "Ben resigned. Ada wins."},
		{people, "begin resign:1 rematch:1 rematch:2", "Ben starts.", "Ben starts."},
		{
			swap, "begin 9a swap:2",
			"Ben took over 9 in the hundreds place, so it's your turn again.",
			"Ben took over the first move.",
		},
		{
			swap, "begin 9a swap:2 undo:2",
			"Ben wants to give 9 in the hundreds place back.",
			"Ben wants to give the move back.",
		},
		{
			swap, "begin 9a swap:2 undo:2 agree-undo:1",
			"Ben gave 9 in the hundreds place back to you.",
			"Ben gave the first move back.",
		},
		{
			swap, "begin 9a swap:2 8a undo:1 agree-undo:2",
			"You took back 8 in the hundreds place.",
			"Ada took back 8 in the hundreds place.",
		},
		{
			people, "begin 9a 8a undo:1 agree-undo:2",
			"You took back 9 in the hundreds place.",
			"Ada took back 9 in the hundreds place.",
		},
		{calls, "begin 7 5 1 8", "Ben took 8 and holds 5 and 8.", "Ben took 8 and holds 5 and 8."},
		{
			calls, "begin 7 5 1 8 2",
			"You took 2. The game called 721 = 7 × 103 for you. You win!",
			"Ada took 2. The game called 721 = 7 × 103 for Ada. Ada wins!",
		},
	} {
		at := playScript(t, test.setup, test.script)
		steps, _ := at.Since(0)
		n := len(steps)
		for i, you := range [][2]bool{{true, false}, {}} {
			got := Narrator{steps[n-1].After, you}.Event(steps[n-1].Event, steps[n-2].After).Long
			if want := []string{test.ada, test.watcher}[i]; got != want {
				t.Errorf("%s to %v:\n got %q\nwant %q", test.script, you, got, want)
			}
		}
	}
}

// playScript plays a script at a new table: moves, and acts with their seats.
func playScript(t *testing.T, setup match.Setup, script string) *match.Table {
	t.Helper()
	at, err := match.Open(t.Context(), "t", setup, new(match.Memory), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(at.Close)
	for word := range strings.FieldsSeq(script) {
		act, seat, isAct := strings.Cut(word, ":")
		switch {
		case word == "begin":
			_, err = at.Begin(t.Context())
		case isAct:
			_, err = at.Do(t.Context(), match.Seat(seat[0]-'1'), match.Act(act), "")
		default:
			var m digit.Move
			if m, err = digit.ParseMove(word); err == nil {
				_, err = at.Play(t.Context(), at.State().Turn(), m, 0)
			}
		}
		if err != nil {
			t.Fatalf("%s: %s: %v", script, word, err)
		}
	}
	return at
}

// TestStart checks that the start of a game is described until the next move, and not after its
// end.
func TestStart(t *testing.T) {
	const opening = match.Openings("5b")
	for _, test := range []struct {
		openings     match.Openings
		script, want string
	}{
		{"", "begin 9a", ""},
		{"", "begin 9a swap:2", "Ben took over 9 in the hundreds place, so it's your turn again."},
		{"", "begin 9a swap:2 8a", ""},
		{"", "begin 9a swap:2 resign:1", ""},
		{opening, "begin", "The game starts with 5 in the tens place for you."},
		{opening, "begin 8a", ""},
	} {
		setup := match.Setup{Rules: digit.Highest, Names: [2]string{"Ada", "Ben"}}
		setup.Swap, setup.Openings = test.openings == "", test.openings
		setup.Pair = test.openings != ""
		n := Narrator{playScript(t, setup, test.script).State(), [2]bool{true, false}}
		if got := n.Start().Long; got != test.want {
			t.Errorf("%s: got %q, want %q", test.script, got, test.want)
		}
	}
}

// TestSides checks that the players of a table are returned by side, with either seat first.
func TestSides(t *testing.T) {
	setup := match.Setup{Names: [2]string{"Ada", "casual bot"}, Levels: [2]string{"", "casual"}}
	for _, first := range match.Seats {
		setup.First = first
		n := Narrator{match.State{Setup: setup, Levels: setup.Levels}, [2]bool{true, false}}
		c := n.Sides()
		for _, seat := range match.Seats {
			side, ada := n.Side(seat), seat == match.One
			if c.Names[side] != setup.Names[seat] || c.Levels[side] != setup.Levels[seat] ||
				c.You[side] != ada || c.Computer[side] == ada {
				t.Errorf("%v starts: the players are %+v", first, c)
			}
		}
	}
}

// TestReplaced checks the texts about the computer that plays for Ben, who has left, to Ada.
func TestReplaced(t *testing.T) {
	setup := match.Setup{
		Rules: digit.Highest, Names: [2]string{"Ada", "Ben"}, First: match.Two,
	}
	now := match.State{
		Setup: setup, Game: 1, Away: [2]bool{false, true}, Levels: [2]string{"", "casual"},
	}
	n := Narrator{now, [2]bool{true, false}}
	event := n.Event(match.Event{Kind: match.Replaced, Seat: match.Two}, match.State{}).Long
	if want := "The computer plays for Ben now."; event != want {
		t.Errorf("got %q, want %q", event, want)
	}
	turn := Turn(n.Rules(), n.Position, n.Sides(), false).Long
	if want := "The computer is thinking."; turn != want {
		t.Errorf("got %q, want %q", turn, want)
	}
}
