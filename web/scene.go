package web

import (
	"fmt"
	"strings"
	"time"

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
	Rules    digit.Rules
	Series   string // which game of what
	Won      bool   // by the viewer
	Game     int
	MyTurn   bool
	Boards   [2]board // the upper one is the other player's
	Play     play
	Moves    []moveLine
	Watchers string
	Timed    bool
	Left     time.Duration // on the clock
	Acts     actView
	Invite   *invite   // how to bring a friend; nil: no seat is open, or it is not the viewer's to fill
	Sit      *sitView  // how to take a seat; nil: there is none to take
	Analysis *analysis // nil: not asked for, or not allowed
	Alert    string    // why the last thing the viewer asked for was refused
}

// A board is a player with the number.
type board struct {
	Seat     int
	Mark     string
	Name     string
	You      bool
	Turn     bool
	Wins     string // of the series; empty: there is none
	Winner   bool
	Presence string
	Place    string // slots, ends or hand
	Cells    []cell
	Worth    string // what a number is by the target, once the game is over
}

// A moveLine is a move as the list of moves shows it.
type moveLine struct {
	Mark   string
	Seat   int
	Name   string
	Did    string
	Number string
}

// An actView is what the viewer can do beside moving.
type actView struct {
	Resign, Undo, UndoAsked     bool
	UndoBy                      string // who asks to take back a move
	Left                        string // who has left and can be replaced
	Next, Rematch, RematchAsked bool
	RematchBy                   string
	Hint                        bool // hints are allowed now
	HintsOff, HintsOn           bool // the viewer can agree to hints, or withdraw that
	HintsWait                   bool // the viewer agreed and the other player did not
	HintsBy                     string
	Review                      bool
}

// An invite is the link by which a friend takes the open seat.
type invite struct {
	Link string
	Code *code
}

// A sitView is the seat that the viewer can take.
type sitView struct {
	Name  string // what the viewer was called the last time
	Hints bool   // whether hints are allowed there
}

// marks stand for the players beside colours.
var marks = [2]string{"●", "◆"}

// sceneOf returns a table as a viewer sees it.
func sceneOf(id string, s match.State, p match.Presence, v viewer, now time.Time) scene {
	r := s.Setup.Rules
	view := scene{
		ID: id, Seq: s.Seq, Phase: s.Phase(), Rules: r, Game: s.Game,
		Play: playOf(r, s.Position), Moves: movesOf(s, v), Watchers: watchersText(p.Watchers),
	}
	if v.plays {
		view.Seat = int(v.seat) + 1
	}
	view.MyTurn = s.Playing() && v.is(s.Turn())
	upper := match.One
	if v.plays {
		upper = v.seat.Other()
	}
	view.Boards = [2]board{boardOf(s, p, upper, v), boardOf(s, p, upper.Other(), v)}
	view.Head, view.More, view.Note = headline(s, v)
	view.Title = view.Head + " – " + titleOf(r)
	view.Series = seriesText(s)
	if winner, ok := s.Winner(); ok && s.Result.Over() {
		view.Won = v.is(winner)
	}
	if at, timed := s.Deadline(); timed {
		view.Timed, view.Left = true, max(0, at.Sub(now))
	}
	if v.plays && !s.Open[v.seat] {
		view.Acts = actsOf(s, v)
	}
	view.Acts.Review = s.Result.Over()
	return view
}

func boardOf(s match.State, p match.Presence, seat match.Seat, v viewer) board {
	r, side := s.Setup.Rules, s.Side(seat)
	var last *digit.Move
	if n := len(s.Moves); n > 0 && s.Turn() != seat {
		last = &s.Moves[n-1]
	}
	turn := s.Playing() && s.Turn() == seat
	winner, won := s.Winner()
	b := board{
		Seat: int(seat) + 1, Mark: marks[seat], Name: s.Setup.Name(seat), You: v.is(seat), Turn: turn,
		Winner: won && winner == seat, Presence: presenceText(s, p, seat), Place: r.Place.String(),
		Cells: cellsOf(r, s.Position, side, turn && v.is(seat), last),
	}
	if s.Setup.BestOf > 1 {
		b.Wins = fmt.Sprintf("%d won", s.Wins[seat])
	}
	n := r.Best(r.Number(s.Position, side))
	if called, ok := r.Called(s.Position); ok && r.Turn(s.Position) != side {
		n = called
	}
	if s.Result.Over() && r.Target > 0 && n.Len() > 0 && n.Full() {
		b.Worth = sum(r, n)
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

// seriesText says which game of a series it is, and what is agreed.
func seriesText(s match.State) string {
	agreed := agreementOf(s.Setup.BestOf, s.Setup.TurnTime)
	if s.Game == 0 {
		return agreed
	}
	text := fmt.Sprintf("Game %d", s.Game-s.Before)
	if s.Setup.BestOf > 1 || s.Setup.TurnTime > 0 {
		text += ", " + strings.TrimPrefix(agreed, "one game, ")
	}
	if s.Draws > 0 {
		text += fmt.Sprintf(", %d drawn", s.Draws)
	}
	return text
}

// movesOf returns the moves of the game with the numbers as they grew.
func movesOf(s match.State, v viewer) []moveLine {
	r := s.Setup.Rules
	lines := make([]moveLine, len(s.Moves))
	var p digit.Position
	for i, m := range s.Moves {
		side := r.Turn(p)
		seat := s.SeatOf(side)
		p, _ = r.Play(p, m) // it was played
		made := r.Number(p, side)
		lines[i] = moveLine{marks[seat], int(seat) + 1, v.name(s, seat), did(r, m, made), made.String()}
	}
	return lines
}

// headline says what there is to know now.
func headline(s match.State, v viewer) (head, more, note string) {
	switch phase := s.Phase(); {
	case phase == match.Waiting:
		head, more = waiting(s, v)
		return head, more, ""
	case s.Game == 0:
		return "Ready", "The first game has not begun.", ""
	case phase != match.UnderWay:
		head, more = ending(s, v)
		return head, more, seriesEnd(s, v)
	}
	turn := s.Turn()
	if !v.is(turn) {
		return isolate(s.Setup.Name(turn)) + " to move", "", ""
	}
	return "Your turn", asks(s.Setup.Rules, s.Position), ""
}

// asks says what to do in a turn.
func asks(r digit.Rules, p digit.Position) string {
	n := r.Number(p, r.Turn(p))
	switch {
	case r.Place == digit.Slots:
		return "Choose a digit, then a place for it."
	case r.Place == digit.Ends && n.Len() == 0:
		return "Choose a digit to begin with."
	case r.Place == digit.Ends:
		return "Choose a digit, then the end it goes to."
	case r.MayCall(p):
		return "This digit fills your hand. You may call a number with it: a multiple wins, any other call loses."
	default:
		return "Choose a digit for your hand."
	}
}

// waiting says what there is to know of a table with an open seat.
func waiting(s match.State, v viewer) (head, more string) {
	host := match.One
	if s.Open[match.One] {
		host = match.Two
	}
	switch {
	case v.is(host) && s.Setup.Listed:
		return "Waiting for somebody to join", "Your table is in the lobby. The game begins when somebody takes the seat."
	case v.is(host):
		return "Invite a friend", "Send your friend this link. The game begins when the seat is taken."
	case v.plays:
		return isolate(s.Setup.Name(host)) + " invites you", "Take the seat, and the game begins."
	case s.Setup.Listed:
		return isolate(s.Setup.Name(host)) + " looks for somebody to play", "Take the seat, and the game begins."
	default:
		return "Waiting for the second player", ""
	}
}

// actsOf returns what the player who views a table can do.
func actsOf(s match.State, v viewer) actView {
	other := v.seat.Other()
	name := isolate(s.Setup.Name(other))
	a := actView{
		Resign: s.Playing(),
		Next:   s.Phase() == match.Between && s.Open == [2]bool{},
		Hint:   s.Playing() && s.HintsAllowed(),
	}
	if s.Playing() {
		a.UndoAsked = s.Asking && s.Asker == v.seat
		a.Undo = !s.Asking && s.Setup.Rules.Held(s.Position, s.Side(v.seat)).Len() > 0
		if s.Asking && s.Asker == other {
			a.UndoBy = name
		}
		if s.Away[other] && s.Levels[other] == "" {
			a.Left = name
		}
	}
	if s.Phase() == match.Over {
		a.RematchAsked = s.Again[v.seat]
		a.Rematch = !a.RematchAsked
		if s.Again[other] {
			a.RematchBy = name
		}
	}
	if s.Phase() != match.Over {
		a.HintsOn, a.HintsOff = s.Hints[v.seat], !s.Hints[v.seat]
		a.HintsWait = a.HintsOn && !s.HintsAllowed()
		if a.HintsOff && s.Levels[other] == "" && s.Hints[other] {
			a.HintsBy = name
		}
	}
	return a
}

// Clock returns what the clock shows.
func (v scene) Clock() string { return clockText(v.Left) }

// Changes returns the options in which the rules differ from their book.
func (v scene) Changes() string { return changesOf(v.Rules) }

// Book returns the name of the book.
func (v scene) Book() string { return v.Rules.Book().Name }

// Line tells the book in one line.
func (v scene) Line() string { return sentence(rulebook.Line(v.Rules)) }

// Over reports whether the game that is shown is over.
func (v scene) Over() bool { return v.Acts.Review }

// Levels returns the levels that the computer plays at.
func (v scene) Levels() []bot.Level { return bot.Levels }
