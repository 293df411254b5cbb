// Package speech words a game for programs that read and answer in text: in the words of the
// books, or in those of a disguise.
package speech

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"digitduel/arena/answer"
	"digitduel/arena/disguise"
	"digitduel/digit"
	"digitduel/rulebook"
)

// A Speech is the wording in which a program reads about a game and answers.
type Speech interface {
	Rules() string                        // the name of the game, or in a disguise all its rules
	Explain() string                      // all rules, and how a move is written
	Goal() string                         // the goal of the game
	Notation() string                     // how a move is written
	Move(m digit.Move) string             // a move in this notation
	ParseMove(string) (digit.Move, error) // the move in an answer, by [answer.Read]
	Position(p digit.Position) string
	Left(p digit.Position) string  // the digits left to take
	Board(p digit.Position) string // the position as a picture
	Result(r digit.Result) string
	// Refused explains why a move is illegal and which moves are legal.
	Refused(p digit.Position, e *digit.MoveError) string
}

// Plain returns the wording of the books.
func Plain(r digit.Rules) Speech { return plain{r} }

// InWords returns the wording of a disguise, which does not reveal the game.
func InWords(d *disguise.Disguise) Speech { return disguised{d} }

// A Refusal reports that an answer is not a legal move.
type Refusal struct {
	Fault string // illegal or, if it is not a move, unreadable
	Text  string
}

func (r *Refusal) Error() string { return r.Text }

// Answer returns the move in an answer. The error is a [*Refusal].
func Answer(s Speech, r digit.Rules, p digit.Position, text string) (digit.Move, error) {
	m, err := s.ParseMove(text)
	if err != nil {
		return m, &Refusal{"unreadable", err.Error()}
	}
	_, err = r.Play(p, m)
	if illegal, ok := errors.AsType[*digit.MoveError](err); ok {
		return m, &Refusal{"illegal", s.Refused(p, illegal)}
	}
	return m, err
}

// disguised is the wording of a disguise.
type disguised struct{ *disguise.Disguise }

func (s disguised) Rules() string    { return s.Game.Text(true) }
func (s disguised) Explain() string  { return s.Game.Text(true) }
func (s disguised) Goal() string     { return s.Game.Goal() }
func (s disguised) Notation() string { return s.Game.Writing() }

// ParseMove implements [Speech].
func (s disguised) ParseMove(text string) (digit.Move, error) {
	move, ok := answer.Read(text)
	if !ok && strings.TrimSpace(text) != "" {
		return digit.Move{}, errNoMove
	}
	return s.Disguise.ParseMove(move)
}

// errNoMove reports that an answer is neither a move nor has a line with one.
var errNoMove = errors.New("the answer has no line MOVE: with a move")

// Key returns the game and the meaning of the words of a disguise, or "" for plain words.
func Key(s Speech) string {
	words, ok := s.(disguised)
	if !ok {
		return ""
	}
	m := words.Map()
	var pairs []string
	for _, to := range []map[string]string{m.Digits, m.Spots} {
		for _, word := range slices.Sorted(maps.Keys(to)) {
			pairs = append(pairs, word+"="+to[word])
		}
	}
	return fmt.Sprintf("%v in disguise %d: %s", words.Disguise.Rules, words.Seed,
		strings.Join(pairs, ", "))
}

func (s disguised) Board(p digit.Position) string {
	return board(s.Row(p, digit.First), s.Row(p, digit.Second), s.Left(p))
}

func board(first, second, left string) string {
	return fmt.Sprintf("first   %s\nsecond  %s\nleft    %s", first, second, left)
}

// plain is the wording of the books.
type plain struct{ rules digit.Rules }

func (s plain) Rules() string                    { return s.rules.String() }
func (s plain) Move(m digit.Move) string         { return m.String() }
func (s plain) Position(p digit.Position) string { return s.rules.Text(p) }
func (s plain) Left(p digit.Position) string     { return s.rules.Left(p).List(" ") }
func (s plain) Result(r digit.Result) string     { return r.String() }

func (s plain) Refused(_ digit.Position, e *digit.MoveError) string { return e.Error() }

// ParseMove parses a move. It ignores spaces and case, as a disguise does, since the same program
// is measured in both. Its error explains how moves of this game are written, not those of all
// games.
func (s plain) ParseMove(text string) (digit.Move, error) {
	move, ok := answer.Read(text)
	if !ok && strings.TrimSpace(text) != "" {
		return digit.Move{}, errNoMove
	}
	m, err := digit.ReadMove(move)
	if unreadable, ok := errors.AsType[*digit.ParseError](err); ok {
		why, _, _ := strings.Cut(unreadable.Why, ";")
		why += "; a move is " + s.Notation()
		err = &digit.ParseError{What: unreadable.What, Text: move, Why: why}
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

// Explain returns the rules without who can win and how to calculate, which the program must find
// out.
func (s plain) Explain() string {
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
	return board(row(digit.First), row(digit.Second), s.Left(p))
}
