package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// TestFieldNames types names key by key, as terminals send them: a joiner by itself, or a whole character at once.
func TestFieldNames(t *testing.T) {
	const coder, farmer = "👩\u200d💻", "👩🏽\u200d🌾"
	for _, tt := range []struct{ keys, want string }{
		{"A d a", "Ada"},
		{"É v a", "Éva"},
		{"e \u0301", "e\u0301"},
		{"م ه د ی \u200c ز ا د ه", "مهدی\u200cزاده"},
		{"👩 \u200d 💻", coder},
		{coder + " " + farmer, coder + farmer},
		{coder + " " + farmer + " backspace", coder},
		{"👩 \u200d 💻 backspace", ""},
		{"م \u200c backspace", ""},
		{"q ? R", "q?R"},
		{"\u202e B e n \u2066", "Ben"},
		{strings.Repeat("x ", 30), strings.Repeat("x", 24)},
		{strings.Repeat(coder+" ", 30), strings.Repeat(coder, 24)},
		{"A ctrl+u", ""},
	} {
		f := nameField("")
		for key := range strings.FieldsSeq(tt.keys) {
			if !f.press(keyPress(key)) {
				t.Errorf("%q: %q is not typed", tt.keys, key)
			}
		}
		if f.text != tt.want {
			t.Errorf("%q gives %q, want %q", tt.keys, f.text, tt.want)
		}
	}
	if f := nameField("Ada"); f.press(keyPress("enter")) || f.press(tea.KeyPressMsg{Code: 'x', Mod: tea.ModCtrl}) || f.text != "Ada" {
		t.Errorf("Enter or ctrl+x is typed: %q", f.text)
	}
}

// TestFieldDigits refuses what is no digit, so that it may be a command.
func TestFieldDigits(t *testing.T) {
	f := &field{most: 4, only: "0123456789"}
	for key := range strings.FieldsSeq("1 2 x 3 4 5") {
		if f.press(keyPress(key)) != (key != "x") {
			t.Errorf("%s: %q", key, f.text)
		}
	}
	if f.text != "1234" {
		t.Errorf("%q is typed, want 1234", f.text)
	}
}
