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

// A scene is a table as one viewer sees it at a moment.
type scene struct {
	ID       string
	Seq      int
	Seat     int // the viewer's, 1 or 2; 0: none
	Phase    match.Phase
	Title    string // of the window
	Head     string // the one thing to know now
	More     string
	Note     string
	Step     string // the first thing to do, for who plays for the first time
	Rules    digit.Rules
	Goal     goalView
	Changes  string // the options in which the rules of all games differ from their book
	Series   string // which game of what
	Program  string // that a program plays, and against whom
	Game     int
	MyTurn   bool
	First    bool     // the viewer plays for the first time, and is told the steps
	Asks     bool     // a digit alone makes the move, or something can be called with it, so that a button plays it
	End      *endView // how the game ended; nil: it is not over
	Boards   [2]board // the upper one is the other player's
	Play     play
	Moves    []moveLine
	Watchers string
	Listed   bool
	Timed    bool
	Left     time.Duration // on the clock
	Acts     actView
	Publish  *publishView // who finds the games that were played; nil: not the viewer's to say
	Next     *nextView    // what is said of the next game; nil: nobody is ready for it
	Invite   *invite      // how to bring a friend; nil: no seat is open, or it is not the viewer's to fill
	Sit      *sitView     // how to take a seat; nil: there is none to take
	How      []string     // the game in three steps, for who does not play yet
	Analysis *analysis    // nil: not asked for, or not allowed
	Agreed   string       // beside the rules
	Origin   string       // the start of links to this server; empty: a script adds it
	Watch    string       // the path for everyone
	Mine     string       // the link of the viewer's own seat; empty: none
	Key      string       // by which that link can be changed once
	Share    *shareView   // of a game that is over
	Turned   *turnView    // where the viewer lost it; nil: not told
	Alert    string       // why the last thing the viewer asked for was refused, or what came of a link
	Refused  bool         // it was refused
}

// A board is a player with the number.
type board struct {
	Seat     int
	Mark     string
	Name     string
	You      bool
	Turn     bool
	Winner   bool
	Presence string
	Place    string // slots, ends or hand
	Step     string // what to do with it, for who plays for the first time
	Cells    []cell
	Did      string // the last move, if it was this player's: "put 5 on the left"
	Worth    string // what a number is by the target, once the game is over
}

// A moveLine is a move as the list of moves shows it.
type moveLine struct {
	Mark   string
	Seat   int
	Did    string // and who did it
	Number string
}

// An actView holds the acts that the viewer may do and the texts about them; an empty text means not now.
type actView struct {
	Resign            string        // what is asked before
	Swap              rulebook.Said // the offer to take over the first move
	Buttons           []rulebook.Command
	UndoAsked, UndoBy string
	Left              string // that the other player has left and can be replaced
	Next, Rematch     bool
	RematchAsked      string
	RematchBy         string
	Hint              bool   // hints are allowed now
	HintsOff, HintsOn string // the viewer can agree to hints, or withdraw that
	HintsBy           string
	Review            bool
}

// An invite is the link by which a friend takes the open seat.
type invite struct {
	Links     []joinLink
	LocalPort string // the port of the server, if the link leads nowhere but on this machine
	Text      string // what the friend is told with it
}

// A sitView is the seat that the viewer can take.
type sitView struct {
	Name   string // what the viewer was called the last time
	Hints  bool   // whether hints are allowed there
	Starts string // who starts
	Taken  string // what is said when somebody else takes it
}

// marks stand for the players beside colours.
var marks = [2]string{"●", "◆"}

// sceneOf returns a table as a viewer sees it.
func sceneOf(id string, s match.State, p match.Presence, v viewer, now time.Time) scene {
	r := s.Setup.Rules
	view := scene{
		ID: id, Seq: s.Seq, Phase: s.Phase(), Rules: rulesFor(s.Setup), Game: s.Game, Goal: goalOf(rulesFor(s.Setup)), Changes: changesOf(withoutTarget(r)),
		Play: playOf(rulesFor(s.Setup), s.Position, s.Starter()), Moves: movesOf(s, v), Watchers: watchersText(p.Watchers), Agreed: agreed(s.Setup), Listed: s.Setup.Listed,
	}
	if v.plays {
		view.Seat = int(v.seat) + 1
	}
	view.MyTurn = s.Playing() && v.is(s.Turn())
	view.Asks = view.MyTurn && (r.Place == digit.Hand || r.Place == digit.Ends && r.Held(s.Position, s.Side(v.seat)) == 0)
	upper := match.One
	if v.plays {
		upper = v.seat.Other()
	}
	view.Boards = [2]board{boardOf(s, p, upper, v), boardOf(s, p, upper.Other(), v)}
	view.Title, view.Head, view.More = headline(s, v)
	view.Title += " – " + rulebook.Title(r)
	n := v.narrator(s)
	view.Note = n.Start().Then(n.Fault()).Then(n.SeriesEnd()).Long
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
	view.Acts.Review = s.Result.Over()
	if view.Acts.Swap.Long != "" { // there is no room for both
		view.More = ""
	}
	return view
}

// withoutTarget returns rules with the target of their book, for the one they have is in the goal.
func withoutTarget(r digit.Rules) digit.Rules {
	if !isFair(r) {
		r.Target = r.Book().Rules.Target
	}
	return r
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
	b := board{
		Seat: int(seat) + 1, Mark: marks[seat], Name: s.Setup.Name(seat), You: v.is(seat), Turn: turn,
		Winner: won && winner == seat, Presence: presenceText(s, p, seat), Place: r.Place.String(),
		Cells: cellsOf(r, s.Position, side, turn && v.is(seat), last),
	}
	if last != nil {
		before := s.PositionAt(n - 1)
		b.Did = longText(r, rulebook.Cast{}, func(w rulebook.Voice) string {
			switch {
			case n <= int(s.Given):
				return "given: " + w.Back(before, *last)
			case s.Swapped && n == 1:
				return "took over " + w.Back(before, *last)
			default:
				return w.Did(before, *last)
			}
		})
	}
	f := rulebook.Finished(r, s.Position, s.Result)
	made := f.Numbers[side]
	if s.Result.Over() && r.Target > 0 && made.Len() > 0 && made.Full() {
		b.Worth = longText(r, rulebook.Cast{}, func(w rulebook.Voice) string { return w.Worth(f, made) })
	}
	return b
}

// presenceText says whether a player is there.
func presenceText(s match.State, p match.Presence, seat match.Seat) string {
	switch {
	case s.Open[seat]:
		return "seat is free"
	case s.Levels[seat] != "" && s.Away[seat]:
		return "left; the computer plays on"
	case s.Levels[seat] != "": // as the name says
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

// seriesText says which game of a series it is, and how the series stands.
func seriesText(s match.State, v viewer) string {
	if s.Game == 0 || s.Setup.Length() <= 1 && s.Game == 1 {
		return ""
	}
	text := fmt.Sprintf("Game %d", s.Game-s.Before)
	if s.Setup.Pair {
		text += " of 2"
	}
	if s.Setup.Length() > 1 && !s.SeriesOver() && (s.Wins != [2]int{} || s.Draws > 0) {
		text += ". " + rulebook.Series(v.narrator(s).Seats(), rulebook.Score{Wins: s.Wins, Draws: s.Draws}).Long
	}
	return text
}

// programText tells that a program plays; it is empty where none does.
func programText(s match.State) string {
	for _, seat := range match.Seats {
		if s.Setup.IsAgent(seat) {
			return rulebook.ByProgram(s.Levels[seat.Other()], int(s.Given))
		}
	}
	return ""
}

// movesOf returns the moves of the game with the numbers as they grew.
func movesOf(s match.State, v viewer) []moveLine {
	r, cast := s.Setup.Rules, v.narrator(s).Sides()
	lines := make([]moveLine, len(s.Moves))
	var p digit.Position
	for i, m := range s.Moves {
		side := r.Turn(p)
		did := longText(r, cast, func(w rulebook.Voice) string {
			switch {
			case i < int(s.Given):
				return w.Given(p, m)
			case i == 0 && s.Swapped:
				return w.TookOver(m)
			case s.Lent>>i&1 != 0:
				return w.StandIn(side) + " " + w.Did(p, m)
			default:
				return w.Who(side) + " " + w.Did(p, m)
			}
		})
		p, _ = r.Play(p, m) // it was played
		seat := s.SeatOf(side)
		lines[i] = moveLine{marks[seat], int(seat) + 1, did, r.Number(p, side).String()}
	}
	return lines
}

// headline says what there is to know now: short for the title, the heading, and what is more.
func headline(s match.State, v viewer) (title, head, more string) {
	var said rulebook.Said
	switch phase := s.Phase(); {
	case phase == match.Waiting:
		said = waiting(s, v)
		if v.invited { // the rest is the goal, which is there
			return said.Short, said.Short, ""
		}
	case s.Game == 0:
		said = rulebook.NoGameNow
	case phase != match.UnderWay:
		r, cast := rulesFor(s.Setup), v.narrator(s).Sides()
		why := rulebook.Why(r, s.Position, s.Result, cast)
		return why.Short, rulebook.Outcome(r, s.Result, cast).Long, why.Long
	default:
		said = rulebook.Turn(rulesFor(s.Setup), s.Position, v.narrator(s).Sides(), v.is(s.Turn()))
		if v.is(s.Turn()) {
			head, more, _ = strings.Cut(said.Long, ". ")
			return said.Short, head, more
		}
	}
	head, more = headOf(said)
	return said.Short, head, more
}

// headOf returns what is said as a heading: all of it if that has room, else in short and then all of it, or what is more.
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

// waiting says what there is to know of a table with an open seat.
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
		if c.Button != "" && !s.Asking && c.Act.May(s, v.seat) {
			a.Buttons = append(a.Buttons, c)
		}
	}
	if s.Playing() {
		a.Resign = rulebook.AskResign(n.Seats(), digit.Side(v.seat)).Long
		a.UndoAsked = said(s.Asking && s.Asker == v.seat, match.UndoAsked, v.seat)
	}
	if match.Swap.May(s, v.seat) {
		a.Swap = rulebook.AskSwap(n.Sides(), s.Side(v.seat), n.Back(0))
	}
	if s.Phase() == match.Over {
		a.RematchAsked = said(s.Again[v.seat], match.RematchAsked, v.seat)
		a.RematchBy = said(s.Again[other], match.RematchAsked, other)
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

// teach tells somebody who plays for the first time the steps of a turn, each where it is done.
func (v *scene) teach() {
	steps := rulebook.FirstSteps(v.Rules)
	v.First, v.Step, v.Boards[1].Step, v.Goal.Step = true, steps[0], steps[1], steps[2]
}

// Found says who finds a table that waits.
func (v scene) Found() string { return foundBy(v.Listed).Long }

// foundBy says who finds a table that is listed, or not.
func foundBy(listed bool) rulebook.Said {
	if listed {
		return rulebook.IsPublic
	}
	return rulebook.IsPrivate
}

// Clock returns what the clock shows.
func (v scene) Clock() string { return clockText(v.Left) }

// RulesLink returns where the rules of the game are told.
func (v scene) RulesLink() string { return rulesLink(v.Rules, v.ID) }

// Over reports whether the game that is shown is over.
func (v scene) Over() bool { return v.Acts.Review }

// Levels returns the levels that the computer plays at.
func (v scene) Levels() []bot.Level { return bot.Levels }
