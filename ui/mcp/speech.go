package mcp

import (
	"errors"
	"fmt"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
)

// A speech is the words in which an agent is told of a game, and in which it answers.
type speech interface {
	Rules() string                        // which game it is
	Goal() string                         // what it is played for
	Notation() string                     // how a move is written
	Move(m digit.Move) string             // and one move
	ParseMove(string) (digit.Move, error) // undoes it
	Position(p digit.Position) string
	Left(p digit.Position) string  // what there is to take
	Board(p digit.Position) string // the position for whoever would see it
	Result(r digit.Result) string
	Record(rec digit.Record) string                      // a finished game as a line; empty: it would tell too much
	Refused(p digit.Position, e *digit.MoveError) string // why a move is not legal there, and what is
}

// plain speech is that of the program itself: its one spelling of everything.
type plain struct{ rules digit.Rules }

func (s plain) Rules() string                                       { return s.rules.String() }
func (s plain) Move(m digit.Move) string                            { return m.String() }
func (s plain) Position(p digit.Position) string                    { return s.rules.Text(p) }
func (s plain) Left(p digit.Position) string                        { return s.rules.Left(p).List(" ") }
func (s plain) Result(r digit.Result) string                        { return r.String() }
func (s plain) Record(rec digit.Record) string                      { return rec.String() }
func (s plain) Refused(_ digit.Position, e *digit.MoveError) string { return e.Error() }

// ends are the only capitals in a move.
var ends = strings.NewReplacer("l", "L", "r", "R")

// ParseMove reads a move. As in a disguise, spaces and capitals do not matter: the same agent is measured in both. Who writes none is told
// how moves of this game are written, instead of those of all.
func (s plain) ParseMove(text string) (digit.Move, error) {
	m, err := digit.ParseMove(ends.Replace(strings.ToLower(strings.Join(strings.Fields(text), ""))))
	var unreadable *digit.ParseError
	if errors.As(err, &unreadable) {
		why, _, _ := strings.Cut(unreadable.Why, ";")
		err = &digit.ParseError{What: unreadable.What, Text: text, Why: why + "; a move is " + s.Notation()}
	}
	return m, err
}

// Goal is all there is to know to play the game. It leaves out the warning of the rulebook, which tells who can win.
func (s plain) Goal() string {
	parts := map[string]string{}
	for _, part := range rulebook.Sections(s.rules) {
		parts[part.Heading] = part.Text
	}
	goal := strings.TrimSuffix(rulebook.Goal(s.rules).Long, rulebook.Warning(s.rules).Long)
	return strings.TrimSpace(parts["Digits"] + " " + strings.TrimSpace(goal) + " " + parts["Zero"])
}

// explain tells the rules to whoever has to find out alone what they come to: who can win, and how to reckon, is left out.
func (s plain) explain() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%v)\n", rulebook.Title(s.rules), s.rules)
	for _, part := range rulebook.Sections(s.rules) {
		switch part.Heading {
		case "Start", "Reckoning", "Fair", "Careful", "If you like":
		default:
			fmt.Fprintf(&b, "\n%s\n%s\n", part.Heading, part.Text)
		}
	}
	fmt.Fprintf(&b, "\nMoves\nA move is written as %s.\n", s.Notation())
	return b.String()
}

func (s plain) Notation() string {
	var digits []digit.Digit
	for d := range s.rules.Pool.All() {
		digits = append(digits, d)
	}
	d := digits[len(digits)-1]
	switch s.rules.Place {
	case digit.Slots:
		var places []string
		for i := range int(s.rules.Width) {
			places = append(places, digit.SlotAt(i).String())
		}
		return fmt.Sprintf("a digit and one of the places %s, from left to right: %va puts %v in the place on the left", strings.Join(places, " "), d, d)
	case digit.Ends:
		return fmt.Sprintf("a digit and an end: %vL puts %v at the left end of your number, %vR at the right end; your first digit is written with R", d, d, d)
	case digit.Hand:
	}
	if s.rules.Win != digit.OnCall {
		return fmt.Sprintf("a digit: %v takes %v", d, d)
	}
	var call strings.Builder
	for i := range int(s.rules.Width) {
		call.WriteString(digits[len(digits)-1-i].String())
	}
	return fmt.Sprintf("a digit: %v takes %v; to call a number with your last digit, the number follows: %v=%s", d, d, d, call.String())
}

func (s plain) Board(p digit.Position) string {
	v := rulebook.Voice{Rules: s.rules}
	row := func(side digit.Side) string { return v.Row(s.rules.Number(p, side)) }
	return fmt.Sprintf("first   %s\nsecond  %s\nleft    %s", row(digit.First), row(digit.Second), s.Left(p))
}
