package arena

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"digitduel/arena/disguise"
	"digitduel/digit"
	"digitduel/solve"
)

// A Sheet holds the items of an exam: in digits, or in the words of a disguise.
type Sheet struct {
	Items []Item
	Words []WordItem
}

// ReadItems reads a file of items.
func ReadItems(path string) (s Sheet, err error) {
	if s.Items, err = readSheet[Item](path, anItem); err == nil {
		return s, nil
	}
	words, wrong := readSheet[WordItem](path, anItem)
	// Rules in words have several lines.
	if wrong != nil || !strings.Contains(words[0].Rules, "\n") {
		return s, err
	}
	return Sheet{Words: words}, nil
}

// ReadKeys reads the key of an exam.
func ReadKeys(path string) ([]Key, error) {
	keys, err := readSheet[Key](path, aKey)
	for _, k := range keys {
		if len(k.Keeps) == 0 {
			return nil, fmt.Errorf("%s: item %d has no right moves (keeps)", path, k.Item)
		}
		if _, err := k.Rules.ParsePosition(k.Position); err != nil {
			return nil, fmt.Errorf("%s: item %d: %w", path, k.Item, err)
		}
	}
	return keys, err
}

// ReadReplies reads a file of answers, which may be empty.
func ReadReplies(path string) ([]Reply, error) { return readSheet[Reply](path, anAnswer) }

// Lines returns the lines of the items of an exam, and those of its key. A disguise of the items
// is proved.
func (e *Exam) Lines(
	ctx context.Context, words disguise.Spec, solved func(digit.Rules) (*solve.Solution, error),
) (items, keys []byte, err error) {
	before := 0
	for i, part := range e.Parts {
		s, err := solved(part.Rules)
		if err != nil {
			return nil, nil, err
		}
		some, theirs, err := e.Make(i, s, before)
		if err != nil {
			return nil, nil, err
		}
		before += len(some)
		var text []byte
		if words.Disguise == nil {
			text, err = JSONLines(some...)
		} else {
			text, err = wordLines(ctx, part.Rules, some, theirs, words)
		}
		key, wrong := JSONLines(theirs...)
		if err := errors.Join(err, wrong); err != nil {
			return nil, nil, err
		}
		items, keys = append(items, text...), append(keys, key...)
	}
	return items, keys, nil
}

// wordLines returns the lines of items in the words of a disguise, and sets it in their keys.
func wordLines(
	ctx context.Context, r digit.Rules, items []Item, keys []Key, words disguise.Spec,
) ([]byte, error) {
	d, _, err := words.ProvedDisguise(ctx, r, disguise.MostPositions)
	if err != nil {
		return nil, err
	}
	text := d.Game.Text(true)
	type line struct {
		WordItem
		Turn  digit.Side `json:"turn"`
		Left  string     `json:"left"`
		Moves []string   `json:"moves"`
	}
	var lines []line
	for i, item := range items {
		p, err := item.At()
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", item.Item, err)
		}
		l := line{WordItem{item.Item, text, d.Position(p)}, item.Turn, d.Left(p), nil}
		for _, m := range item.Moves {
			l.Moves = append(l.Moves, d.Move(m))
		}
		slices.Sort(l.Moves) // the order of the digits would give them away
		lines = append(lines, l)
		keys[i].Spec = words
	}
	return JSONLines(lines...)
}

// A sheetKind is the kind of the lines of an exam's file, and the command that writes them.
type sheetKind struct{ name, from string }

var (
	anItem   = sheetKind{"an item", "duel exam make writes it"}
	aKey     = sheetKind{"a key", "duel exam make --key FILE writes it"}
	anAnswer = sheetKind{
		"an answer", `duel exam run writes it, such as {"item":1,"move":"7a"}`,
	}
)

// A sheetLine holds the fields in which the kinds of lines differ.
type sheetLine struct {
	Item     *int            `json:"item"`
	Position json.RawMessage `json:"position"`
	Keeps    json.RawMessage `json:"keeps"`
}

func (l *sheetLine) kind() sheetKind {
	switch {
	case l.Keeps != nil:
		return aKey
	case l.Position != nil:
		return anItem
	}
	return anAnswer
}

// check returns nil if a line is of the wanted kind, and its item is not among those before it.
func (l *sheetLine) check(want sheetKind, before map[int]bool) error {
	switch is := l.kind(); {
	case l.Item == nil || *l.Item < 1:
		return fmt.Errorf("missing item number, counted from 1; %s", want.from)
	case is != want:
		return fmt.Errorf("it is %s, not %s; %s", is.name, want.name, want.from)
	case before[*l.Item]:
		return fmt.Errorf("item %d appears twice", *l.Item)
	}
	before[*l.Item] = true
	return nil
}

// readSheet reads a file of JSON lines. Only one of answers may be empty.
func readSheet[T any](path string, want sheetKind) ([]T, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	all, err := parseSheet[T](path, text, want)
	if err == nil && len(all) == 0 && want != anAnswer {
		err = fmt.Errorf("%s: the file is empty; want %s: %s", path, want.name, want.from)
	}
	return all, err
}

// parseSheet parses the JSON lines of a file. The error names the line.
func parseSheet[T any](path string, text []byte, want sheetKind) ([]T, error) {
	var all []T
	before := map[int]bool{}
	for i, text := range bytes.Split(text, []byte("\n")) {
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		var one T
		var line sheetLine
		err := json.Unmarshal(text, &line)
		if err == nil {
			err = line.check(want, before)
		}
		if err == nil {
			err = json.Unmarshal(text, &one)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, i+1, plainly(err))
		}
		all = append(all, one)
	}
	return all, nil
}

// plainly returns an error of the JSON decoder without the terms of Go.
func plainly(err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		field := cmp.Or(wrong.Field, "the whole line")
		return fmt.Errorf("%s: the type %s is not allowed here", field, wrong.Value)
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return errors.New("invalid JSON")
	}
	return err
}

// JSONLines returns values as lines of JSON.
func JSONLines[T any](all ...T) ([]byte, error) {
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	for _, one := range all {
		if err := lines.Encode(one); err != nil {
			return nil, err
		}
	}
	return text.Bytes(), nil
}
