package web

import (
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// played returns how a table stands after a game.
func played(t *testing.T, line string) match.State {
	t.Helper()
	rec, err := digit.ParseRecord(line)
	if err != nil {
		t.Fatal(err)
	}
	positions, err := rec.Positions()
	if err != nil {
		t.Fatal(err)
	}
	return match.State{
		Setup: match.Setup{Rules: rec.Rules, Names: [2]string{"Ada", "Ben"}}, Seq: 2 + len(rec.Moves), Game: 1,
		Position: positions[len(positions)-1], Moves: rec.Moves, Result: rec.Result,
	}
}

// TestEndings tells how games end to somebody who watches, and to the second player.
func TestEndings(t *testing.T) {
	for _, test := range []struct{ record, watcher, second string }{
		{"dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple", "Ben wins. 532 = 7·76, a multiple of 7.", "You win. 532 = 7·76, a multiple of 7."},
		{"dilemma pool=0-f 2a 3a 1c 4b 6b 1-0 multiple", "Ada wins. 261 (609) = 7·87, a multiple of 7.", "Ada wins. 261 (609) = 7·87, a multiple of 7."},
		{"dilemma 1a 2a 3b 4b 5c 6c 1-0 above", "Ada wins. 135 is 5 below a multiple of 7, and 246 is 6.", "Ada wins. 135 is 5 below a multiple of 7, and 246 is 6."},
		{"sevens 7 3 2 5 1=721 1-0 multiple", "Ada wins. 721 = 7·103, a multiple of 7.", "Ada wins. 721 = 7·103, a multiple of 7."},
		{"sevens 7 3 2 5 1=712 0-1 miscalled", "Ben wins. Ada called 712 = 7·101 + 5, which is no multiple of 7.", "You win. Ada called 712 = 7·101 + 5, which is no multiple of 7."},
		{"sevens win=full 7 3 2 5 1 1-0 multiple", "Ada wins. 721 = 7·103, a multiple of 7.", "Ada wins. 721 = 7·103, a multiple of 7."},
		{"highest 9a 8a 2c 7b 5b 6c 1-0 higher", "Ada wins. 952 is higher than 876.", "Ada wins. 952 is higher than 876."},
		{"reverse 9a 8a 2c 7b 5b 6c 0-1 lower", "Ben wins. 876 is lower than 952.", "You win. 876 is lower than 952."},
		{"reverse final=later 9a 8a 2c 7b 5b 6c 0-1 later", "Ben wins. The last digit decides.", "You win. The last digit decides."},
		{"divisibility pool=1-4 1R 2R 3R 4R 0-1 below", "Ben wins. 24 is 3 above a multiple of 7, and 13 is 6.", "You win. 24 is 3 above a multiple of 7, and 13 is 6."},
		{"divisibility pool=1,2 final=draw 1R 2R 1/2 equal", "A draw. Nothing decides between 1 and 2.", "A draw. Nothing decides between 1 and 2."},
		{"dilemma 7a 1-0 resigned", "Ada wins. Ben resigned.", "Ada wins. You resigned."},
		{"dilemma 7a 1-0 time", "Ada wins. Ben ran out of time.", "Ada wins. You ran out of time."},
		{"dilemma 7a 0-1 left", "Ben wins. Ada left the table.", "You win. Ada left the table."},
	} {
		rec, err := digit.ParseRecord(test.record)
		if err != nil {
			t.Errorf("%s: %v", test.record, err)
			continue
		}
		s := played(t, rec.String())
		for i, v := range []viewer{{}, {match.Two, true}} {
			who, why := ending(s, v)
			if got, want := who+". "+why, [2]string{test.watcher, test.second}[i]; got != want {
				t.Errorf("%s is told as %q, want %q", test.record, got, want)
			}
		}
	}
}

// TestTell tells events, each to somebody who watches and to the first player.
func TestTell(t *testing.T) {
	s := played(t, "dilemma 7a 3b *")
	move := s.Moves[1]
	for _, test := range []struct {
		event          match.Event
		watcher, first string
	}{
		{match.Event{Kind: match.Opened}, "", ""},
		{match.Event{Kind: match.Seated, Seat: match.Two}, "Ben has joined.", "Ben has joined."},
		{match.Event{Kind: match.Began}, "Game 1 begins. Ada starts.", "Game 1 begins. You start. Your turn."},
		{match.Event{Kind: match.Moved, Seat: match.Two, Move: &move}, "Ben put 3 in the middle: empty 3 empty.", "Ben put 3 in the middle: empty 3 empty. Your turn."},
		{match.Event{Kind: match.Moved, Seat: match.Two, Move: &move, Auto: true}, "Time ran out, and a move was played by chance: Ben put 3 in the middle: empty 3 empty.", "Time ran out, and a move was played by chance: Ben put 3 in the middle: empty 3 empty. Your turn."},
		{match.Event{Kind: match.UndoAsked, Seat: match.One}, "Ada wants to take back a move.", "You want to take back a move."},
		{match.Event{Kind: match.UndoRefused, Seat: match.Two}, "Ben did not agree to take back the move.", "Ben did not agree to take back the move."},
		{match.Event{Kind: match.Undone, Seat: match.One}, "The last move of Ada was taken back.", "Your last move was taken back. Your turn."},
		{match.Event{Kind: match.Left, Seat: match.Two}, "Ben has left.", "Ben has left."},
		{match.Event{Kind: match.Back, Seat: match.One}, "Ada has come back.", "You have come back."},
		{match.Event{Kind: match.Replaced, Seat: match.Two}, "The computer plays on for Ben.", "The computer plays on for Ben."},
		{match.Event{Kind: match.RematchAsked, Seat: match.Two}, "Ben wants to play again.", "Ben wants to play again."},
		{match.Event{Kind: match.RematchRefused, Seat: match.Two}, "Ben did not want to play again.", "Ben did not want to play again."},
		{match.Event{Kind: match.HintsAgreed, Seat: match.Two}, "Ben agreed to hints.", "Ben agreed to hints."},
		{match.Event{Kind: match.HintsEnded, Seat: match.One}, "Ada no longer agrees to hints.", "You no longer agree to hints."},
	} {
		steps := []match.Step{{Event: test.event, After: s}}
		for i, v := range []viewer{{}, {match.One, true}} {
			if got, want := tell(steps, v), [2]string{test.watcher, test.first}[i]; got != want {
				t.Errorf("%s is told as %q, want %q", test.event.Kind, got, want)
			}
		}
	}
}

// TestMoveWords says moves of every kind of place.
func TestMoveWords(t *testing.T) {
	for _, test := range []struct{ record, done, planned string }{
		{"dilemma 7a *", "put 7 on the left", "put 7 on the left"},
		{"dilemma 7b *", "put 7 in the middle", "put 7 in the middle"},
		{"highest 7c *", "put 7 in the units place", "put 7 in the units place"},
		{"dilemma pool=0-f width=4 fd *", "put f in place d", "put f in place d"},
		{"divisibility 4R *", "began with 4", "begin with 4"},
		{"divisibility 4R 1R 3L *", "put 3 at the left end", "put 3 at the left end"},
		{"sevens 7 *", "took 7", "take 7"},
		{"sevens 7 3 2 5 1=721 1-0 multiple", "took 1 and called 721", "take 1 and call 721"},
	} {
		s := played(t, test.record)
		r, last := s.Setup.Rules, s.Moves[len(s.Moves)-1]
		made := r.Number(s.Position, r.Turn(s.Position).Other())
		before, err := digit.Record{Rules: r, Moves: s.Moves[:len(s.Moves)-1]}.Positions()
		if err != nil {
			t.Fatal(err)
		}
		at := before[len(before)-1]
		if got := did(r, last, made); got != test.done {
			t.Errorf("%s is told as %q, want %q", test.record, got, test.done)
		}
		if got := planned(r, last, r.Number(at, r.Turn(at))); got != test.planned {
			t.Errorf("%s is planned as %q, want %q", test.record, got, test.planned)
		}
	}
}

// TestSmallWords says times, counts and sentences.
func TestSmallWords(t *testing.T) {
	for got, want := range map[string]string{
		sentence("seat is taken"):          "Seat is taken.",
		sentence("éa!"):                    "Éa!",
		sentence(""):                       "",
		isolate("Ada"):                     "Ada",
		isolate("שרה"):                     "\u2068שרה\u2069",
		clockText(9500 * time.Millisecond): "0:10",
		clockText(-time.Second):            "0:00",
		clockText(3661 * time.Second):      "1:01:01",
		timeText(90 * time.Second):         "90 seconds",
		timeText(2 * time.Minute):          "2 minutes",
		timeText(time.Hour):                "1 hour",
		ago(30 * time.Second):              "just now",
		ago(90 * time.Second):              "1 minute ago",
		ago(5 * time.Hour):                 "5 hours ago",
		ago(100 * time.Hour):               "4 days ago",
		agreementOf(0, 0):                  "one game",
		agreementOf(3, 30*time.Second):     "best of 3, 30 seconds a turn",
		titleOf(digit.Sevens):              "Digit Duel: sevens",
		titleOf(digit.Dilemma):             "Digit Dilemma",
		changesOf(digit.Dilemma):           "",
		watchersText(2):                    "2 people watch",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
