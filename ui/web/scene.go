package web

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A scene is a table as one viewer sees it.
type scene struct {
	ID      string
	Seq     int
	Seat    int // the viewer's, 1 or 2; 0: none
	Phase   match.Phase
	Title   string // of the window
	Head    string // the most important information now
	More    string
	Note    string
	Aside   string // what else was open at the end
	Step    string // the first step, for a beginner
	Rules   digit.Rules
	Goal    goalView
	Changes string // the options that differ from the book in all games
	Series  string // the number of the game in its series
	Program string // which player is a program
	Game    int
	MyTurn  bool
	First   bool // the viewer plays for the first time, and is shown the steps
	// a digit alone makes the move, or may come with a call, so that a button plays it
	Asks     bool
	Hand     bool     // digits go into a hand
	Shared   bool     // both players look at it
	End      *endView // how the game ended; nil: it is not over
	Boards   [2]board // the upper one is the opponent's
	Play     play
	Moves    []moveLine
	Watchers string
	Listed   bool
	Timed    bool
	Left     time.Duration // on the clock
	Acts     actView
	Publish  *publishView // who finds the games that were played; nil: not for the viewer to decide
	Next     *nextView    // nil: no player is ready for the next game
	// the invitation for a friend; nil: no seat is open, or it is not the viewer's to fill
	Invite   *invite
	Sit      *sitView    // the seat to take; nil: there is none
	How      []string    // the game in three steps, for a visitor who does not play yet
	Analysis *analysis   // nil: not requested, or not allowed
	Agreed   string      // the terms, in addition to the rules
	Origin   string      // the start of links to this server; empty: a script adds it
	Mine     string      // the one-time link of the viewer's own seat; empty: none
	Recall   string      // that of the opponent, who has left
	Move     string      // asks whether to move a seat to this device
	Key      string      // for changing that link once
	Share    *shareView  // of a finished game
	Turned   *momentView // where the viewer lost it; nil: not shown
	Alert    string      // why the last request was refused, or the result of following a link
	Refused  bool        // it was refused
	Class    string      // the class whose table it is; empty: none
	Friendly bool        // the game does not count in the class
}

// A board is a player with a number.
type board struct {
	Seat     int
	Name     string
	You      bool
	Low      bool // it is the lower one, which is larger
	Turn     bool
	Winner   bool
	Presence string
	Place    string // slots, ends or hand
	Step     string // the next step, for a beginner
	Cells    []cell
	Did      string // the last move, if this player made it: "put 5 on the left"
	Worth    string // the number measured by the target, after the game
}

// A moveLine is a move in the list of moves.
type moveLine struct {
	Seat   int
	Did    string // the move and its player
	Number string
}

// An actView holds the texts of the acts that the viewer may do; an empty text means not now.
type actView struct {
	Resign            string             // the question before
	Swap              rulebook.Said      // the offer to take over the first move
	Buttons, Idle     []rulebook.Command // Idle: not now, but their places are kept
	UndoAsked, UndoBy string
	Left              string // the opponent has left and can be replaced
	Next, Rematch     bool
	RematchAsked      string
	RematchBy         string
	Hint              bool   // hints are allowed now
	HintsOff, HintsOn string // the viewer can agree to hints, or withdraw that
	HintsBy           string
}

// An invite is the link by which a friend takes the open seat.
type invite struct {
	Links     []joinLink
	LocalPort string // the port of the server, if the link works only on this machine
	Text      string // the message for the friend
}

// A sitView is a seat that the viewer can take.
type sitView struct {
	Name   string // the viewer's last name
	Hints  bool   // whether hints are allowed there
	Starts string // who starts
	Taken  string // the message when another player takes it
}

// marks are the symbols of the players by seat from 1, in addition to colours.
var marks = [3]string{1: "●", 2: "◆"}

// sceneOf returns a table as a viewer sees it.
func sceneOf(id string, s match.State, p match.Presence, v viewer, now time.Time) scene {
	r := s.Setup.Rules
	view := scene{
		ID: id, Seq: s.Seq, Phase: s.Phase(), Rules: rulesFor(s.Setup), Game: s.Game,
		Goal: goalOf(rulesFor(s.Setup)), Changes: changesOf(withoutTarget(r)),
		Play: playOf(rulesFor(s.Setup), s.Position, s.Starter()), Moves: movesOf(s, v),
		Watchers: watchersText(p.Watchers), Agreed: agreed(s.Setup), Listed: s.Setup.Listed,
		Class: s.Setup.Class, Friendly: s.Setup.Class != "" && s.Levels != [2]string{},
	}
	if v.plays {
		view.Seat = int(v.seat) + 1
	}
	view.Hand = r.Place == digit.Hand
	view.MyTurn = s.Playing() && v.is(s.Turn())
	view.Asks = view.MyTurn &&
		(r.Place == digit.Hand || r.Place == digit.Ends && r.Held(s.Position, s.Side(v.seat)) == 0)
	upper := match.One
	switch view.Shared = v.both; {
	case v.both:
		upper = match.Two
	case v.plays:
		upper = v.seat.Other()
	}
	view.Boards = [2]board{boardOf(s, p, upper, v), boardOf(s, p, upper.Other(), v)}
	view.Boards[0].Worth, view.Boards[1].Low = "", true
	if low := &view.Boards[1]; s.Result.Reason != digit.Multiple || low.Winner ||
		!r.Full(s.Position, s.Side(upper.Other())) { // the end shows it, or it is not whole
		low.Worth = ""
	}
	view.Title, view.Head, view.More = headline(s, v)
	if v.both {
		view.share(s)
	}
	view.Title += " – " + rulebook.Title(r)
	n := v.narrator(s)
	view.Note = n.Start().Then(n.Fault()).Then(n.SeriesEnd()).Long
	view.Aside = n.Aside().Long
	view.Series, view.Program = seriesText(s, v), programText(s)
	if s.Result.Over() {
		view.End = endOf(s, v)
	}
	if at, timed := s.Deadline(); timed {
		view.Timed, view.Left = true, max(0, at.Sub(now))
	}
	if v.plays {
		view.Acts = actsOf(s, v)
	}
	view.Publish = publishOf(id, s, v)
	if s.Ready != [2]bool{} {
		view.Next = nextOf(id, s, v, now)
	}
	if view.Acts.Swap.Long != "" { // there is no room for both
		view.More = ""
	}
	return view
}

func boardOf(s match.State, p match.Presence, seat match.Seat, v viewer) board {
	r, side := s.Setup.Rules, s.Side(seat)
	var last *digit.Move
	n := len(s.Moves)
	if n > 0 && s.Turn() != seat {
		last = &s.Moves[n-1]
	}
	turn := s.Playing() && s.Turn() == seat
	winner, won := s.Winner()
	b := numberOf(r, s.Position, side, seat, s.Setup.Name(seat), turn && v.is(seat), last)
	b.You, b.Turn, b.Winner = v.is(seat), turn, won && winner == seat
	b.Presence = presenceText(s, p, seat)
	voice := rulebook.Voice{Rules: r}
	if last != nil {
		before := s.PositionAt(n - 1)
		switch {
		case n <= int(s.Given):
			b.Did = "given: " + voice.Back(before, *last)
		case s.Swapped && n == 1:
			b.Did = "took over " + voice.Back(before, *last)
		default:
			b.Did = voice.Did(before, *last)
		}
	}
	f := rulebook.Finished(r, s.Position, s.Result)
	made := f.Numbers[side]
	if s.Result.Over() && r.Target > 0 && made.Len() > 0 && made.Full() {
		b.Worth = voice.Worth(f, made)
	}
	if s.Result.Reason == digit.Resignation && !b.Winner {
		b.Did = "resigned"
	}
	return b
}

// presenceText describes whether a player is present.
func presenceText(s match.State, p match.Presence, seat match.Seat) string {
	switch {
	case s.Open[seat]:
		return "seat is free"
	case s.Levels[seat] != "" && s.Away[seat]:
		return "left; the computer plays on"
	case s.Levels[seat] != "": // the name says so
		return ""
	case s.Setup.IsAgent(seat):
		return "a program"
	case p.Seats[seat]:
		return "here"
	case s.Away[seat]:
		return "has left"
	default:
		return "not here now"
	}
}

func watchersText(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 person watches"
	default:
		return fmt.Sprintf("%d people watch", n)
	}
}

// seriesText describes the number of the game in its series, and the score.
func seriesText(s match.State, v viewer) string {
	if s.Game == 0 || s.Setup.Length() <= 1 && s.Game == 1 {
		return ""
	}
	n := s.Game - s.Before
	if s.Setup.Length() <= 1 { // each is a series of its own
		n = s.Game
	}
	text := fmt.Sprintf("Game %d", n)
	if s.Setup.Pair {
		text += " of 2"
	}
	if s.Setup.Length() > 1 && !s.SeriesOver() && (s.Wins != [2]int{} || s.Draws > 0) {
		text += ". " + rulebook.Series(v.narrator(s).Seats(),
			rulebook.Score{Wins: s.Wins, Draws: s.Draws}).Long
	}
	return text
}

// programText says which player is a program. It is empty if none is.
func programText(s match.State) string {
	for _, seat := range match.Seats {
		if s.Setup.IsAgent(seat) {
			return rulebook.ByProgram(s.Levels[seat.Other()], int(s.Given))
		}
	}
	return ""
}

// movesOf returns the moves of the game with the numbers after each.
func movesOf(s match.State, v viewer) []moveLine {
	r := s.Setup.Rules
	voice := rulebook.LongVoice(r, v.narrator(s).Sides())
	lines := make([]moveLine, len(s.Moves))
	var p digit.Position
	for i, m := range s.Moves {
		side, did := r.Turn(p), ""
		switch {
		case i < int(s.Given):
			did = voice.Given(p, m)
		case i == 0 && s.Swapped:
			did = voice.TookOver(m)
		case s.Lent>>i&1 != 0:
			did = voice.StandIn(side) + " " + voice.Did(p, m)
		default:
			did = voice.Who(side) + " " + voice.Did(p, m)
		}
		p, _ = r.Play(p, m) // it was played
		lines[i] = moveLine{int(s.SeatOf(side)) + 1, did, r.Number(p, side).String()}
	}
	return lines
}

// headline returns the state in words: short for the window title, as a heading, and the rest.
func headline(s match.State, v viewer) (title, head, more string) {
	var said rulebook.Said
	switch phase := s.Phase(); {
	case phase == match.Waiting:
		said = waiting(s, v)
		if v.invited { // the rest is the goal, which the page shows anyway
			return said.Short, said.Short, ""
		}
	case s.Game == 0:
		said = rulebook.NoGameNow
	case phase != match.UnderWay:
		r, cast := rulesFor(s.Setup), v.narrator(s).Sides()
		why := rulebook.Why(r, s.Position, s.Result, cast)
		return why.Short, rulebook.Outcome(r, s.Result, shortNames(cast)).Long, why.Long
	default:
		said = rulebook.Turn(rulesFor(s.Setup), s.Position, v.narrator(s).Sides(), v.is(s.Turn()))
		if v.is(s.Turn()) {
			head, more, _ = strings.Cut(said.Short, ": ")
			return said.Short, head, rulebook.Complete(more)
		}
	}
	head, more = headOf(said)
	return said.Short, head, more
}

// headOf returns a text as a heading: all of it if there is room, else its short form, and then the
// long form or the rest.
func headOf(said rulebook.Said) (head, more string) {
	if rest, ok := strings.CutPrefix(said.Long, said.Short+". "); ok {
		return said.Short, rest
	}
	const room = 60 // characters
	if utf8.RuneCountInString(said.Long) <= room {
		if one := strings.TrimSuffix(said.Long, "."); !strings.Contains(one, ". ") {
			return one, ""
		}
		return said.Long, ""
	}
	return said.Short, said.Long
}

// waiting describes a table with an open seat.
func waiting(s match.State, v viewer) rulebook.Said {
	host := match.One
	if s.Open[match.One] {
		host = match.Two
	}
	toHost, toGuest := rulebook.Invitation(s.Setup.Rules, s.Setup.Name(host))
	switch {
	case v.is(host) && s.Setup.Listed:
		return rulebook.WaitingForAnybody
	case v.is(host):
		return toHost
	case v.invited:
		return toGuest
	case s.Setup.Listed:
		return rulebook.LookingForAnybody(s.Setup.Rules, s.Setup.Name(host))
	default:
		return rulebook.NotInvited(s.Setup.Name(host))
	}
}

// actsOf returns the acts of the player who views a table.
func actsOf(s match.State, v viewer) actView {
	other, n := v.seat.Other(), v.narrator(s)
	said := func(when bool, k match.Kind, seat match.Seat) string {
		if !when {
			return ""
		}
		return n.Offer(k, seat).Long
	}
	a := actView{
		Next:    s.Phase() == match.Between && s.Ready == [2]bool{},
		Hint:    s.Playing() && s.HintsAllowed(),
		UndoBy:  said(match.AgreeUndo.May(s, v.seat), match.UndoAsked, other),
		Left:    said(match.Claim.May(s, v.seat), match.Left, other),
		Rematch: match.Rematch.May(s, v.seat),
	}
	for _, c := range rulebook.Commands {
		mover := v.acting(s, c.Act)[0].seat
		switch {
		case c.Button == "" || !s.Playing():
		case a.UndoBy == "" && c.Act.May(s, mover):
			a.Buttons = append(a.Buttons, c)
		case c.Act == match.Undo && !match.WithdrawUndo.May(s, mover) && s.Setup.Class == "":
			a.Idle = append(a.Idle, c)
		}
	}
	if match.Resign.May(s, v.seat) {
		a.Resign = rulebook.AskResign(n.Seats(), digit.Side(v.seat)).Long
	}
	a.UndoAsked = said(s.Playing() && s.Asking && s.Asker == v.seat, match.UndoAsked, v.seat)
	if match.Swap.May(s, v.seat) {
		a.Swap = rulebook.AskSwap(n.Sides(), s.Side(v.seat), n.Back(0))
	}
	if s.Phase() == match.Over {
		a.RematchAsked = said(s.Again[v.seat], match.RematchAsked, v.seat)
		a.RematchBy = said(s.Again[other], match.RematchAsked, other)
		return a
	}
	if v.both || s.Setup.Class != "" {
		return a
	}
	if s.Hints[v.seat] {
		a.HintsOn = n.Offer(match.HintsAgreed, v.seat).Long
		return a
	}
	a.HintsOff = rulebook.HintsOff.Long
	a.HintsBy = said(s.Levels[other] == "" && s.Hints[other], match.HintsAgreed, other)
	return a
}

// share shows the table to two players who share a device: both boards alike, and 6 and 9 marked,
// because one of the players sees them from above.
func (v *scene) share(s match.State) {
	if s.Playing() {
		name := shortNames(viewer{both: true}.narrator(s).Seats()).Names[s.Turn()]
		v.Head, v.More = name+", your turn", v.Goal.Short
	}
	marks := func(digit string) bool { return digit == "6" || digit == "9" }
	for i := range v.Boards {
		b := &v.Boards[i]
		b.Presence, b.Did, b.Low = "", "", true
		for j := range b.Cells {
			b.Cells[j].Bar = marks(b.Cells[j].Digit)
		}
	}
	for i := range v.Play.Tiles {
		v.Play.Tiles[i].Bar = marks(v.Play.Tiles[i].Digit)
	}
}

// teach adds the steps of a turn for a beginner, each where it is done.
func (v *scene) teach() {
	steps := rulebook.FirstSteps(v.Rules)
	v.First, v.Step, v.Boards[1].Step, v.Goal.Step = true, steps[0], steps[1], steps[2]
}

// Found explains who can find a table that waits.
func (v scene) Found() string {
	if v.Listed {
		return rulebook.IsPublic.Long
	}
	return rulebook.IsPrivate.Long
}

// Levels returns the levels of the computer.
func (v scene) Levels() []bot.Level { return bot.Levels }
