package mcp

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
)

// A speech is the wording in which an agent reads about a game and answers.
type speech interface {
	Rules() string                        // the name of the game
	Goal() string                         // the goal of the game
	Notation() string                     // how a move is written
	Move(m digit.Move) string             // a move in this notation
	ParseMove(string) (digit.Move, error) // the inverse of Move
	Position(p digit.Position) string
	Left(p digit.Position) string  // the digits left to take
	Board(p digit.Position) string // the position as a picture
	Result(r digit.Result) string
	// Record returns a finished game as a line.
	Record(rec digit.Record) string
	// Refused explains why a move is illegal and which moves are legal.
	Refused(p digit.Position, e *digit.MoveError) string
}

// plain is the program's own wording.
type plain struct{ rules digit.Rules }

func (s plain) Rules() string                    { return s.rules.String() }
func (s plain) Move(m digit.Move) string         { return m.String() }
func (s plain) Position(p digit.Position) string { return s.rules.Text(p) }
func (s plain) Left(p digit.Position) string     { return s.rules.Left(p).List(" ") }
func (s plain) Result(r digit.Result) string     { return r.String() }
func (s plain) Record(rec digit.Record) string   { return rec.String() }

func (s plain) Refused(_ digit.Position, e *digit.MoveError) string { return e.Error() }

// ends makes the letters of the ends, the only capitals in a move, upper case.
var ends = strings.NewReplacer("l", "L", "r", "R")

// ParseMove parses a move. It ignores spaces and case, as a disguise does, since the same agent is
// measured in both. Its error explains how moves of this game are written, not those of all games.
func (s plain) ParseMove(text string) (digit.Move, error) {
	m, err := digit.ParseMove(ends.Replace(strings.ToLower(strings.Join(strings.Fields(text), ""))))
	var unreadable *digit.ParseError
	if errors.As(err, &unreadable) {
		why, _, _ := strings.Cut(unreadable.Why, ";")
		why += "; a move is " + s.Notation()
		err = &digit.ParseError{What: unreadable.What, Text: text, Why: why}
	}
	return m, err
}

// Goal returns all that is needed to play the game. It omits the warning of the rulebook, which
// reveals who can win.
func (s plain) Goal() string {
	parts := map[string]string{}
	for _, part := range rulebook.Sections(s.rules) {
		parts[part.Heading] = part.Text
	}
	goal := strings.TrimSuffix(rulebook.Goal(s.rules).Long, rulebook.Warning(s.rules).Long)
	return strings.TrimSpace("Digits: " + parts["Digits"] + " " + strings.TrimSpace(goal) + " " +
		parts["Zero"])
}

// explain returns the rules without who can win and how to calculate, which the agent must find
// out.
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
	digits := slices.Collect(s.rules.Pool.All())
	d := digits[len(digits)-1]
	switch s.rules.Place {
	case digit.Slots:
		var places []string
		for i := range int(s.rules.Width) {
			places = append(places, digit.SlotAt(i).String())
		}
		return fmt.Sprintf("a digit and one of the places %s, from left to right: "+
			"%va puts %v in the place on the left", strings.Join(places, " "), d, d)
	case digit.Ends:
		return fmt.Sprintf("a digit and an end: %vL puts %v at the left end of your number, "+
			"%vR at the right end; your first digit is written with R", d, d, d)
	case digit.Hand:
	}
	if s.rules.Win != digit.OnCall {
		return fmt.Sprintf("a digit: %v takes %v", d, d)
	}
	var call strings.Builder
	for i := range int(s.rules.Width) {
		call.WriteString(digits[len(digits)-1-i].String())
	}
	return fmt.Sprintf("a digit: %v takes %v; to call a number with your last digit, "+
		"the number follows: %v=%s", d, d, d, call.String())
}

func (s plain) Board(p digit.Position) string {
	v := rulebook.Voice{Rules: s.rules}
	row := func(side digit.Side) string { return v.Row(s.rules.Number(p, side)) }
	return fmt.Sprintf("first   %s\nsecond  %s\nleft    %s",
		row(digit.First), row(digit.Second), s.Left(p))
}
