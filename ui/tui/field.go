package tui

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/rivo/uniseg"

	"digitduel/match"
	"digitduel/ui/tui/draw"
)

// A field is a line of text that the user types.
type field struct {
	text string
	most int    // the maximum length in visible characters
	only string // the allowed characters; empty: everything that a name may have
}

// nameField returns the field of a name.
func nameField(name string) *field { return &field{text: name, most: match.MaxName} }

// press types a key, and reports whether the field took it. If everything may be typed, no letter
// is a command.
func (f *field) press(msg tea.KeyPressMsg) bool {
	switch msg.String() {
	case "backspace":
		f.text = f.text[:len(f.text)-len(lastCharacter(f.text))]
		return true
	case "ctrl+u":
		f.text = ""
		return true
	}
	if msg.Text == "" || msg.Mod&^(tea.ModShift|tea.ModCapsLock|tea.ModNumLock) != 0 {
		return false
	}
	return f.insert(msg.Text) || f.only == ""
}

// insert adds typed or pasted text up to the maximum length, and reports whether all of it is
// allowed. It keeps characters that join letters or emoji.
func (f *field) insert(text string) bool {
	if f.only != "" && strings.Trim(text, f.only) != "" {
		return false
	}
	for character := range draw.Characters(text) {
		if f.only == "" {
			character = visible(character)
		}
		if longer := f.text + character; uniseg.GraphemeClusterCount(longer) <= f.most {
			f.text = longer
		}
	}
	return true
}

// visible returns a character without what no name may have: line breaks, controls, and marks that
// change the direction of text.
func visible(character string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case match.CheckName(string(r)) != nil:
			return -1
		default:
			return r
		}
	}, character)
}

// lastCharacter returns the last visible character of a text.
func lastCharacter(text string) (last string) {
	for last = range draw.Characters(text) {
	}
	return last
}

// An input is a field of a page that takes the keys at times.
type input struct {
	field
	types bool // it takes the keys
}

// typing implements typist.
func (in *input) typing() *field {
	if in.types {
		return &in.field
	}
	return nil
}

// A typist is a page on which text can be typed.
type typist interface {
	typing() *field // returns the field that takes the keys; nil: none does
	typed(*Model)   // is called when the text has changed
}
