package digit

import (
	"fmt"
	"slices"
	"strings"
)

// A Record is one game: its rules, its moves and how it ended. Its text is one line: "dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple".
type Record struct {
	Rules  Rules
	Moves  []Move
	Result Result
}

func (rec Record) String() string {
	b := []byte(rec.Rules.String())
	for _, m := range rec.Moves {
		b = m.append(append(b, ' '))
	}
	return string(b) + " " + rec.Result.String()
}

// ParseRecord reads a record and plays it through, so that what it returns is a game that can have been played.
// The error is a [*ParseError], a [*RulesError], or a [*RecordError] where the game itself is wrong.
func ParseRecord(line string) (Record, error) {
	words := strings.Fields(line)
	isMove := func(word string) bool { // a key of the rules is longer than the digit of a move
		return !strings.Contains(word, "=") || strings.Index(word, "=") == 1
	}
	isScore := func(word string) bool { return slices.Contains(scoreNames, word) }
	rules := min(1, len(words))
	for rules < len(words) && !isMove(words[rules]) {
		rules++
	}
	end := slices.IndexFunc(words, isScore)
	if end < rules {
		return Record{}, &ParseError{"record", line, "a record is the rules, the moves and the result on one line, as in dilemma 7a 3b *"}
	}
	var rec Record
	var err error
	if rec.Rules, err = ParseRules(strings.Join(words[:rules], " ")); err != nil {
		return Record{}, err
	}
	for _, word := range words[rules:end] {
		m, err := ParseMove(word)
		if err != nil {
			return Record{}, err
		}
		rec.Moves = append(rec.Moves, m)
	}
	if rec.Result, err = ParseResult(strings.Join(words[end:], " ")); err != nil {
		return Record{}, err
	}
	if _, err = rec.Positions(); err != nil {
		return Record{}, err
	}
	return rec, nil
}

// A RecordError says which move of a record is wrong, or that its result is.
type RecordError struct {
	Ply int // the number of the move, counted from 1; 0 for the result
	Err error
}

func (e *RecordError) Error() string {
	if e.Ply == 0 {
		return e.Err.Error()
	}
	return fmt.Sprintf("move %d: %v", e.Ply, e.Err)
}

func (e *RecordError) Unwrap() error { return e.Err }

// Positions returns the position before the first move and after each one. The error is a [*RecordError].
func (rec Record) Positions() ([]Position, error) {
	positions := make([]Position, 1, len(rec.Moves)+1)
	var p Position
	for i, m := range rec.Moves {
		var err error
		if p, err = rec.Rules.Play(p, m); err != nil {
			return positions, &RecordError{i + 1, err}
		}
		positions = append(positions, p)
	}
	wrong := func(why string) ([]Position, error) {
		return positions, &RecordError{0, fmt.Errorf("result %v: %s", rec.Result, why)}
	}
	winner, _ := rec.Result.Winner()
	switch derived := rec.Rules.Result(p); {
	case derived.Over() && derived != rec.Result:
		return wrong("the moves end the game with " + derived.String())
	case derived.Over() || !rec.Result.Over() || rec.Result.Reason == Resignation || rec.Result.Reason == Departure:
		return positions, nil
	case rec.Result.Reason != TimeOut:
		return wrong("the moves do not end the game; allowed: *, and 1-0 or 0-1 with time, resigned or left")
	case winner == rec.Rules.Turn(p):
		return wrong("time runs out for the side to move, which is the " + winner.String())
	}
	return positions, nil
}

// MarshalText implements [encoding.TextMarshaler].
func (rec Record) MarshalText() ([]byte, error) { return []byte(rec.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (rec *Record) UnmarshalText(text []byte) (err error) {
	*rec, err = ParseRecord(string(text))
	return err
}
