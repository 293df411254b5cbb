package tui

import (
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// A field is a line of text that is being typed.
type field struct {
	text   string
	most   int             // characters
	allows func(rune) bool // nil: whatever can be printed
}

// press types a key, and reports whether it was one to type.
func (f *field) press(msg tea.KeyPressMsg) bool {
	switch msg.String() {
	case "backspace":
		_, size := utf8.DecodeLastRuneInString(f.text)
		f.text = f.text[:len(f.text)-size]
		return true
	case "ctrl+u":
		f.text = ""
		return true
	}
	if msg.Text == "" || msg.Mod&^(tea.ModShift|tea.ModCapsLock|tea.ModNumLock) != 0 {
		return false
	}
	for _, r := range msg.Text {
		if !unicode.IsPrint(r) || r == utf8.RuneError || f.allows != nil && !f.allows(r) {
			return false
		}
	}
	if utf8.RuneCountInString(f.text+msg.Text) <= f.most {
		f.text += msg.Text
	}
	return true
}

// A typist is a page on which text can be typed just now.
type typist interface {
	typing() *field // nil: not just now
	typed(*Model)   // is called when the text has changed
}
