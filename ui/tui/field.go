package tui

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/rivo/uniseg"

	"digitduel/match"
)

// A field is a line of text that is being typed.
type field struct {
	text   string
	most   int             // characters, as people count them
	allows func(rune) bool // nil: whatever a name may have
}

// nameField returns the field of a name.
func nameField(name string) *field { return &field{text: name, most: match.MaxName} }

// press types a key, and reports whether it was one to type. Where everything may be typed, no letter does anything else.
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
	return f.insert(msg.Text) || f.allows == nil
}

// insert adds text that is typed or pasted, up to as much as there may be, and reports whether all of it may be there. What joins
// letters or emoji is typed as they are.
func (f *field) insert(text string) bool {
	for _, r := range text {
		if f.allows != nil && !f.allows(r) {
			return false
		}
	}
	for state := -1; text != ""; {
		var character string
		if character, text, _, state = uniseg.FirstGraphemeClusterInString(text, state); f.allows == nil {
			character = visible(character)
		}
		if longer := f.text + character; uniseg.GraphemeClusterCount(longer) <= f.most {
			f.text = longer
		}
	}
	return true
}

// visible returns a character without what no name has: lines, controls, and what turns the text around it.
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

// lastCharacter returns the last character of a text, as people count them.
func lastCharacter(text string) (last string) {
	for state := -1; text != ""; {
		last, text, _, state = uniseg.FirstGraphemeClusterInString(text, state)
	}
	return last
}

// A typist is a page on which text can be typed just now.
type typist interface {
	typing() *field // nil: not just now
	typed(*Model)   // is called when the text has changed
}
