package digit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Record is one game: its rules, its moves and how it ended, and what else is known of it. Its text is one line:
// "dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple", or with tags "dilemma 7a 3b *; first=Ada second=\"Ben B.\"".
type Record struct {
	Rules  Rules
	Moves  []Move
	Result Result
	Tags   []Tag // each key once
}

// A Tag is a fact about a game besides its moves, such as a player's name or the date. The front
// ends choose the keys; a key is lower-case letters and dashes. A value is any text that
// [Printable] leaves as it is; any other text is read as Printable returns it.
type Tag struct{ Key, Value string }

// Tag returns the value of a key, which is empty if it is not there.
func (rec Record) Tag(key string) string {
	for _, tag := range rec.Tags {
		if tag.Key == key {
			return tag.Value
		}
	}
	return ""
}

// The keys of tags that say for which moves nobody is to be blamed, and what a program did beside moving.
const (
	OpeningTag    = "opening"    // how many of the moves the game began with, which nobody chose
	SwapTag       = "swap"       // that the second player might take over the first move
	ProgramTag    = "program"    // the side of a program that came to play by itself
	IllegalTag    = "illegal"    // how many of its answers were moves that were not legal
	UnreadableTag = "unreadable" // and how many no moves at all
)

// Given returns how many of the moves the game began with.
func (rec Record) Given() int {
	if n := rec.count(OpeningTag); n <= len(rec.Moves) {
		return n
	}
	return 0
}

// Faults returns how many answers of the program on a side were moves that were not legal, and how many no moves at all.
func (rec Record) Faults(s Side) (illegal, unreadable int) {
	if rec.Tag(ProgramTag) != s.String() {
		return 0, 0
	}
	return rec.count(IllegalTag), rec.count(UnreadableTag)
}

// count returns the value of a key that is a count, which is 0 if it is not there.
func (rec Record) count(key string) int {
	n, err := strconv.Atoi(rec.Tag(key))
	if err != nil {
		return 0
	}
	return max(0, n)
}

func (rec Record) String() string {
	b := []byte(rec.Rules.String())
	for _, m := range rec.Moves {
		b = m.append(append(b, ' '))
	}
	b = append(append(b, ' '), rec.Result.String()...)
	for i, tag := range rec.Tags {
		if i == 0 {
			b = append(b, ';')
		}
		b = append(append(append(b, ' '), tag.Key...), '=')
		if plainValue(tag.Value) {
			b = append(b, tag.Value...)
		} else {
			b = strconv.AppendQuote(b, tag.Value)
		}
	}
	return string(b)
}

// plainValue reports whether the value of a tag stands as it is: letters, digits and what dates and levels are made of.
func plainValue(value string) bool {
	return value != "" && !strings.ContainsFunc(value, func(c rune) bool {
		return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("-+.:/,", c))
	})
}

func plainKey(key string) bool {
	return key != "" && !strings.ContainsFunc(key, func(c rune) bool { return c != '-' && (c < 'a' || c > 'z') })
}

// parseTags reads what stands behind the semicolon of a record.
func parseTags(text string) ([]Tag, error) {
	bad := func(at, why string) ([]Tag, error) {
		return nil, &ParseError{"tag", at, why + `; behind the semicolon of a record stand tags like first=Ada or second="Ben B."`}
	}
	var tags []Tag
	for {
		text = strings.TrimLeft(text, " \t\r\n")
		if text == "" {
			return tags, nil
		}
		key, rest, ok := strings.Cut(text, "=")
		if !ok || !plainKey(key) {
			return bad(text, "it is not key=value")
		}
		if slices.ContainsFunc(tags, func(t Tag) bool { return t.Key == key }) {
			return bad(text, key+" is there twice")
		}
		var value string
		if strings.HasPrefix(rest, `"`) {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return bad(rest, "the quotation has no end")
			}
			rest = rest[len(quoted):]
			value, _ = strconv.Unquote(quoted) // it is a quotation
		} else {
			end := strings.IndexAny(rest+" ", " \t\r\n")
			value, rest = rest[:end], rest[end:]
			if !plainValue(value) {
				return bad(value, "a value of other characters than letters, digits and -+.:/, stands in quotation marks")
			}
		}
		if rest != "" && !strings.ContainsAny(rest[:1], " \t\r\n") {
			return bad(rest, "a blank is missing before it")
		}
		tags, text = append(tags, Tag{key, Printable(value)}), rest
	}
}

// ParseRecord reads a record and plays it through, so that what it returns is a game that can have been played.
// The error is a [*ParseError], a [*RulesError], or a [*RecordError] where the game itself is wrong.
func ParseRecord(line string) (Record, error) {
	game, known, _ := strings.Cut(line, ";")
	words := strings.Fields(game)
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
	if rec.Tags, err = parseTags(known); err != nil {
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
	case rec.Result.Reason != TimeOut && rec.Result.Reason != Forfeit:
		return wrong("the moves do not end the game; allowed: *, and 1-0 or 0-1 with time, resigned, left or forfeit")
	case winner == rec.Rules.Turn(p):
		return wrong("only the side to move loses by " + rec.Result.Reason.String() + ", which is the " + winner.String())
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
