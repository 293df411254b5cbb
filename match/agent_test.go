package match

import (
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/digit"
)

// agentSetup lets a program play against the computer, with three tries for each move.
var agentSetup = Setup{
	Rules: digit.Highest, Names: [2]string{"Robo", "Casual"}, Levels: [2]string{"", "casual"},
	Agent: Agent{Seed: 7, Tries: 3},
}

// TestTries checks that a program loses when it has used up its tries for one move, and that the
// tries are counted again for each move.
func TestTries(t *testing.T) {
	for _, tt := range []struct {
		script string
		want   error
		result string
		tried  uint8
	}{
		{"fault:1=illegal", nil, "*", 1},
		{"fault:1=illegal fault:1=unreadable", nil, "*", 2},
		{"fault:1=illegal fault:1=illegal 9a", nil, "*", 0},
		{"fault:1=illegal fault:1=illegal 9a 8a fault:1=illegal fault:1=illegal", nil, "*", 2},
		{"fault:1=illegal fault:1=unreadable fault:1=illegal", nil, "0-1 forfeit", 3},
		{"9a 8a fault:1=illegal fault:1=illegal fault:1=illegal", nil, "0-1 forfeit", 3},
		{"fault:1=illegal fault:1=illegal fault:1=illegal fault:1=illegal", ErrNoGame, "0-1 forfeit", 3},
		{"9a fault:1=illegal", ErrTurn, "*", 0},
		{"9a fault:2=illegal", ErrNoAgent, "*", 0},
		{"9a 8a undo:1", ErrNoUndo, "*", 0},
		{"9a 8a undo:2", ErrNoUndo, "*", 0},
		{"leave:1", ErrAgent, "*", 0},
		{"fault:1=illegal fault:1=illegal fault:1=illegal again:1 fault:2=illegal", ErrNoAgent, "*", 0},
	} {
		table := open(t, agentSetup)
		if err := act(t, table, tt.script); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.script, err, tt.want)
		}
		if s := table.State(); s.Result.String() != tt.result || s.Tried != tt.tried ||
			s.Playing() && s.TriesLeft() != 3-int(tt.tried) {
			t.Errorf("%s: %v, tried %d; want %s, %d", tt.script, s.Result, s.Tried, tt.result, tt.tried)
		}
	}
	if _, err := open(t, agentSetup).Fault(t.Context(), One, 3); err == nil || err.Error() != "fault 3: allowed: 1, 2" {
		t.Error(err)
	}
	var e Event
	err := json.Unmarshal([]byte(`{"kind":"faulted","fault":"late"}`), &e)
	if err == nil || err.Error() != `fault "late": allowed: illegal, unreadable` {
		t.Error(err)
	}
	if err := act(t, open(t, adaBen), "fault:1=illegal"); !errors.Is(err, ErrNoAgent) {
		t.Errorf("fault of a person: got %v, want ErrNoAgent", err)
	}
}

// TestIllegal checks that an illegal move costs a program a try, once for each state it was meant
// for, and that it costs a person nothing.
func TestIllegal(t *testing.T) {
	table := open(t, agentSetup)
	if err := act(t, table, "9a 8a"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		seat   Seat
		move   string
		seen   int
		want   string
		result string
		tried  uint8
	}{
		{Two, "9b", 0, ErrTurn.Error(), "*", 0},
		{One, "9b", 3, ErrStale.Error(), "*", 0},
		{One, "9b", 4, "9b: 9 is taken; left: 1 2 3 4 5 6 7", "*", 1},
		{One, "9b", 4, ErrStale.Error(), "*", 1}, // the answer got lost
		{One, "7a", 0, "7a: place a is filled; free: b c", "*", 2},
		{One, "9b", 0, "9b: 9 is taken; left: 1 2 3 4 5 6 7", "0-1 forfeit", 3},
		{One, "9b", 0, ErrNoGame.Error(), "0-1 forfeit", 3},
	} {
		m, err := digit.ParseMove(tt.move)
		if err != nil {
			t.Fatal(err)
		}
		s, err := table.Play(t.Context(), tt.seat, m, tt.seen)
		if err == nil || err.Error() != tt.want || s.Result.String() != tt.result || s.Tried != tt.tried {
			t.Errorf("%s by %v: %v, %v, tried %d; want %s, %s, %d",
				tt.move, tt.seat, err, s.Result, s.Tried, tt.want, tt.result, tt.tried)
		}
	}
	person := open(t, adaBen)
	if err := act(t, person, "9a 9b"); err == nil || person.State().Seq != 3 {
		t.Errorf("illegal move of a person: got %v, event %d", err, person.State().Seq)
	}
}

// TestAgentOpening checks that a program's game may begin in any position, even without a pair.
func TestAgentOpening(t *testing.T) {
	setup := agentSetup
	p, err := digit.Highest.ParsePosition("5_1/4_9")
	if err != nil {
		t.Fatal(err)
	}
	moves, ok := digit.Highest.Path(p)
	if !ok {
		t.Fatal("no path")
	}
	setup.Openings = OpeningsOf(moves)
	if s := open(t, setup).State(); s.Position != p || s.Turn() != One || s.Given != 4 {
		t.Errorf("%s, %v to move, %d given", s.Setup.Rules.Text(s.Position), s.Turn(), s.Given)
	}
}

// TestLongestOfAgent checks that a program cannot fill a table by using all its tries but one for
// every move.
func TestLongestOfAgent(t *testing.T) {
	rules, err := digit.ParseRules("divisibility pool=0-f target=997 win=full final=draw")
	if err != nil {
		t.Fatal(err)
	}
	table := open(t, Setup{
		Rules: rules, Levels: [2]string{"", "casual"}, Terms: Terms{Pair: true}, Agent: Agent{Tries: MaxTries},
	})
	for !table.State().SeriesOver() {
		s := table.State()
		switch {
		case !s.Playing():
			_, err = table.Do(t.Context(), One, Next, "")
		case s.Turn() == One && s.Tried < MaxTries-1:
			_, err = table.Fault(t.Context(), One, Unreadable)
		default:
			m, _ := rules.Pick(s.Position, func(int) int { return 0 })
			_, err = table.Play(t.Context(), s.Turn(), m, 0)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	const faults, moves = 2 * 8 * (MaxTries - 1), 2 * 16
	if n := table.State().Seq; n != 3+faults+moves || n+2*MostAsked > MostEvents {
		t.Errorf("got %d events", n)
	}
}

// TestAgentThinks checks that a program that is silent for hours does not count as gone.
func TestAgentThinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := new(logBuffer)
		hall := newHall(t, new(Memory), HallConfig{Grace: time.Second, Log: slog.New(slog.NewTextHandler(log, nil))})
		v := enter(t, hall, "t", &agentSetup, "begin")
		defer v.Close()
		defer stay(t, v, Two)()
		advance(3 * time.Hour)
		if s := v.Table.State(); s.Seq != 2 || s.Away != [2]bool{} || log.String() != "" {
			t.Errorf("%d events, away %v, log:\n%s", s.Seq, s.Away, log)
		}
	})
}
