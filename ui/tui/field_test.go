package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// TestFieldNames types names key by key, as terminals send them: a joiner by itself, or a whole
// character at once.
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
				t.Errorf("%q: key %q was not accepted", tt.keys, key)
			}
		}
		if f.text != tt.want {
			t.Errorf("%q gives %q, want %q", tt.keys, f.text, tt.want)
		}
	}
	f := nameField("Ada")
	ctrlX := tea.KeyPressMsg{Code: 'x', Mod: tea.ModCtrl}
	if f.press(keyPress("enter")) || f.press(ctrlX) || f.text != "Ada" {
		t.Errorf("Enter or ctrl+x changed the text: %q", f.text)
	}
}

// TestFieldDigits checks that a field of digits leaves other keys to the page, as commands.
func TestFieldDigits(t *testing.T) {
	f := &field{most: 4, only: "0123456789"}
	for key := range strings.FieldsSeq("1 2 x 3 4 5") {
		if f.press(keyPress(key)) != (key != "x") {
			t.Errorf("key %s: accepted or refused by mistake; the text is %q", key, f.text)
		}
	}
	if f.text != "1234" {
		t.Errorf("the text is %q, want 1234", f.text)
	}
}
