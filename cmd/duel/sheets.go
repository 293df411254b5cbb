package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"digitduel/arena"
)

// A sheet is what the lines of an exam are: the same numbers stand for different things.
type sheet string

const (
	anItem   sheet = "an item"
	aKey     sheet = "a key"
	anAnswer sheet = "an answer"
)

// from says who writes such lines.
func (s sheet) from() string {
	switch s {
	case aKey:
		return "duel exam make --key FILE writes it"
	case anAnswer:
		return `duel exam run writes it, such as {"item":1,"move":"7a"}`
	case anItem:
	}
	return "duel exam make writes it"
}

// A sheetLine is what tells lines of an exam apart.
type sheetLine struct {
	Item     *int            `json:"item"`
	Position json.RawMessage `json:"position"`
	Keeps    json.RawMessage `json:"keeps"`
}

func (l *sheetLine) sheet() sheet {
	switch {
	case l.Keeps != nil:
		return aKey
	case l.Position != nil:
		return anItem
	}
	return anAnswer
}

// check returns nil if a line is what is wanted there, and no item was there before.
func (l *sheetLine) check(want sheet, before map[int]bool) error {
	switch is := l.sheet(); {
	case l.Item == nil || *l.Item < 1:
		return fmt.Errorf("it has to say of which item it is, counted from 1; %s", want.from())
	case is != want:
		return fmt.Errorf("it is %s, and %s is wanted here: %s", is, want, want.from())
	case before[*l.Item]:
		return fmt.Errorf("item %d is there twice", *l.Item)
	}
	before[*l.Item] = true
	return nil
}

// readKeys reads the key of an exam.
func readKeys(path string) ([]arena.Key, error) {
	keys, err := readLines[arena.Key](path, aKey)
	if err == nil && len(keys) == 0 {
		err = fmt.Errorf("%s: there is nothing in it; a key is wanted: %s", path, aKey.from())
	}
	for _, k := range keys {
		if len(k.Keeps) == 0 {
			return nil, fmt.Errorf("%s: item %d has no moves that are right (keeps)", path, k.Item)
		}
		if _, err := k.Rules.ParsePosition(k.Position); err != nil {
			return nil, fmt.Errorf("%s: item %d: %w", path, k.Item, err)
		}
	}
	return keys, err
}

// readLines reads a file of JSON lines. The error names the line.
func readLines[T any](path string, want sheet) ([]T, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseLines[T](path, text, want)
}

// parseLines reads the JSON lines of a file.
func parseLines[T any](path string, text []byte, want sheet) ([]T, error) {
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

// plainly says of a line that is no JSON, or JSON of the wrong type, what is wrong without a word of Go.
func plainly(err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%s: the type %s is not allowed here", cmp.Or(wrong.Field, "the whole line"), wrong.Value)
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return errors.New("it is no JSON")
	}
	return err
}

// writeLines writes JSON lines.
func writeLines[T any](out io.Writer, all []T) error {
	lines := json.NewEncoder(out)
	for _, one := range all {
		if err := lines.Encode(one); err != nil {
			return err
		}
	}
	return nil
}
