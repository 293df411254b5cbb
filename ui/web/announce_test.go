package web

import (
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/match"
)

// played returns the state of a table after a game.
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
		Setup: match.Setup{Rules: rec.Rules, Names: [2]string{"Ada", "Ben"}},
		Seq:   2 + len(rec.Moves), Game: 1,
		Position: positions[len(positions)-1], Moves: rec.Moves, Result: rec.Result,
	}
}

// TestAnnouncement checks the text for each event, for a watcher and for the first player.
func TestAnnouncement(t *testing.T) {
	s := played(t, "dilemma 7a 3b *")
	move := s.Moves[1]
	const turn = "Your turn. Pick a digit, then a place for it. Still in the pool: 0, 1, 2, 4, 5, 6, 8, 9. Your number: left 7, middle blank, right blank."
	for _, test := range []struct {
		event          match.Event
		watcher, first string
	}{
		{match.Event{Kind: match.Opened}, "", ""},
		{match.Event{Kind: match.Seated, Seat: match.Two}, "Ben joined.", "Ben joined the table."},
		{match.Event{Kind: match.Began}, "Ada starts.", "You start. " + turn},
		{match.Event{Kind: match.Moved, Seat: match.Two, Move: &move}, "Ben put 3 in the middle. Ben has blank 3 blank.", "Ben put 3 in the middle. Ben has blank 3 blank. " + turn},
		{match.Event{Kind: match.Moved, Seat: match.Two, Move: &move, Auto: true}, "Ben's time ran out, so a random digit was played: 3 in the middle. Ben has blank 3 blank.",
			"Ben's time ran out, so a random digit was played: 3 in the middle. Ben has blank 3 blank. " + turn},
		{match.Event{Kind: match.UndoAsked, Seat: match.One}, "Ada wants to take back a move.", "You asked Ben to let you take back 7 on the left."},
		{match.Event{Kind: match.UndoAsked, Seat: match.Two}, "Ben wants to take back a move.", "Ben wants to take back 3 in the middle."},
		{match.Event{Kind: match.UndoRefused, Seat: match.Two}, "Ben said no.", "Ben said no. The move stands."},
		{match.Event{Kind: match.Undone, Seat: match.One}, "Ada took back a move.", "You took back a move. " + turn},
		{match.Event{Kind: match.Left, Seat: match.Two}, "Ben has left.", "Ben has left. Wait, take the win, or let the computer play."},
		{match.Event{Kind: match.Back, Seat: match.One}, "Ada is back.", "You are back."},
		{match.Event{Kind: match.Replaced, Seat: match.Two}, "The computer plays for Ben.", "The computer plays for Ben now."},
		{match.Event{Kind: match.RematchAsked, Seat: match.Two}, "Ben wants a rematch.", "Ben wants a rematch."},
		{match.Event{Kind: match.RematchRefused, Seat: match.Two}, "Ben doesn't want a rematch.", "Ben doesn't want a rematch."},
		{match.Event{Kind: match.HintsAgreed, Seat: match.Two}, "Ben wants hints.", "Ben wants hints for both of you. Agree?"},
		{match.Event{Kind: match.HintsEnded, Seat: match.One}, "Ada turned hints off.", "You turned hints off."},
		{match.Event{Kind: match.Published, Seat: match.Two}, "Ben wants to publish the games.", "Ben wants to publish the games you played here, so that anyone can find them."},
	} {
		steps := []match.Step{{Event: test.event, After: s}}
		for i, v := range []viewer{{}, {seat: match.One, plays: true}} {
			if got, want := announcement(steps, v, match.State{}),
				[2]string{test.watcher, test.first}[i]; got != want {
				t.Errorf("%s is announced as %q, want %q", test.event.Kind, got, want)
			}
		}
	}
}

// TestNews checks where Ada, Ben and Eve see the last event: the status has it only if no other
// part of the page does.
func TestNews(t *testing.T) {
	h := newTestServer(t)
	for _, test := range []struct{ line, at, ada, ben, eve string }{
		{"1:7a", "more", "", "Pick a digit and a place.", ""},
		{"1:7a 1:undo", "more", "", "Pick a digit and a place.", "Ada wants to take back a move."},
		{"1:7a 1:undo 2:refuse-undo", "more", "Ben said no.", "You said no.", "Ben said no."},
		{"1:7a 1:undo 2:refuse-undo 2:3b", "more", "Pick a digit and a place.", "", ""},
		{"1:7a 1:undo 2:agree-undo", "more", "Pick a digit and a place.", "", ""},
		{"1:hints", "more", "You agreed to hints.", "", "Ada wants hints."},
		{"1:hints 2:hints", "more", "Hints are on.", "Hints are on.", "Hints are on."},
		{"1:resign 2:rematch", "note", "", "", "Ben wants a rematch."},
		{"1:resign 2:rematch 1:refuse-rematch", "note", "", "Ada doesn't want a rematch.", "Ada doesn't want a rematch."},
	} {
		at := h.open(`{"rules":"dilemma","names":["Ada","Ben"]}`)
		for step := range strings.FieldsSeq(test.line) {
			at.say(step)
		}
		for seat, want := range []string{test.ada, test.ben, test.eve} {
			b := h.browser(t)
			if seat < 2 {
				b.get("/t/" + at.id + "/seat/" + at.tokens[seat])
			}
			got := ""
			if b.get("/t/" + at.id); b.page.one("[id="+test.at+"]") != nil {
				got = b.textOf("[id=" + test.at + "]")
			}
			if got != want {
				t.Errorf("%s: reader %d sees %q, want %q", test.line, seat+1, got, want)
			}
		}
	}
}
