package digit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Record is one game: its rules, moves and result, and tags with other facts. Its text is one
// line: "dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple", or with tags "dilemma 7a 3b *; first=Ada
// second=\"Ben B.\"".
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

// Tag returns the value of a key, or "" if there is none.
func (rec Record) Tag(key string) string {
	for _, tag := range rec.Tags {
		if tag.Key == key {
			return tag.Value
		}
	}
	return ""
}

// Keys of tags about moves that no player chose, and about the answers of a program.
const (
	OpeningTag    = "opening"    // the number of opening moves, which no player chose
	ClockTag      = "clock"      // the moves, counted from 1, that the clock played at random
	SwapTag       = "swap"       // set if the second player could take over the first move
	ProgramTag    = "program"    // the side of a program that joined by itself
	IllegalTag    = "illegal"    // the number of its answers that were illegal moves
	UnreadableTag = "unreadable" // the number of its answers that were not moves
)

// Clocked reports whether the clock played a move, counted from 1.
func (rec Record) Clocked(ply int) bool {
	return slices.Contains(strings.Split(rec.Tag(ClockTag), ","), strconv.Itoa(ply))
}

// Given returns the number of opening moves.
func (rec Record) Given() int {
	if n := rec.count(OpeningTag); n <= len(rec.Moves) {
		return n
	}
	return 0
}

// Faults returns the number of answers of the program on side s that were illegal moves, and the
// number that were not moves.
func (rec Record) Faults(s Side) (illegal, unreadable int) {
	if rec.Tag(ProgramTag) != s.String() {
		return 0, 0
	}
	return rec.count(IllegalTag), rec.count(UnreadableTag)
}

// count returns the value of a key as a count, or 0 if there is none.
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

const (
	letters  = "abcdefghijklmnopqrstuvwxyz"
	capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// plainValue reports whether the value of a tag needs no quotation marks.
func plainValue(value string) bool {
	return value != "" && strings.Trim(value, letters+capitals+"0123456789-+.:/,") == ""
}

func plainKey(key string) bool { return key != "" && strings.Trim(key, letters+"-") == "" }

// parseTags parses the text after the semicolon of a record.
func parseTags(text string) ([]Tag, error) {
	bad := func(at, why string) ([]Tag, error) {
		return nil, &ParseError{"tag", at, why +
			`; tags follow the semicolon of a record, like first=Ada or second="Ben B."`}
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
			return bad(text, key+" appears twice")
		}
		var value string
		if strings.HasPrefix(rest, `"`) {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return bad(rest, "missing closing quotation mark")
			}
			rest = rest[len(quoted):]
			value, _ = strconv.Unquote(quoted) // a valid quotation
		} else {
			end := strings.IndexAny(rest+" ", " \t\r\n")
			value, rest = rest[:end], rest[end:]
			if !plainValue(value) {
				return bad(value, "a value with characters other than letters, digits and -+.:/, "+
					"needs quotation marks")
			}
		}
		if rest != "" && !strings.ContainsAny(rest[:1], " \t\r\n") {
			return bad(rest, "missing space before it")
		}
		tags, text = append(tags, Tag{key, Printable(value)}), rest
	}
}

// ParseRecord parses a record and replays it, so the returned game is one that can have been
// played. The error is a [*ParseError], a [*RulesError], or, for a fault in the game itself, a
// [*RecordError].
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
		return Record{}, &ParseError{"record", line,
			"a record is the rules, the moves and the result on one line, as in dilemma 7a 3b *"}
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

// A RecordError reports a wrong move or the wrong result of a record.
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

// Positions returns the position before the first move and after each move. The error is a
// [*RecordError].
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
	case derived.Over(), !rec.Result.Over(),
		rec.Result.Reason == Resignation, rec.Result.Reason == Departure:
		return positions, nil
	case rec.Result.Reason != TimeOut && rec.Result.Reason != Forfeit:
		return wrong("the moves do not end the game; " +
			"allowed: *, and 1-0 or 0-1 with time, resigned, left or forfeit")
	case winner == rec.Rules.Turn(p):
		return wrong("only the side to move loses by " + rec.Result.Reason.String() +
			", which is the " + winner.String())
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
