package digit

import (
	"slices"
	"strings"
	"testing"
)

// TestFairNames checks that every fair game is parsed by its name, alone and with options, and
// written like any rules, by the closest book.
func TestFairNames(t *testing.T) {
	names := BookNames()
	for _, b := range Fair {
		if slices.Contains(names, b.Name) ||
			strings.Trim(b.Name, "abcdefghijklmnopqrstuvwxyz") != "" || len(b.Name) < 3 {
			t.Errorf("%q: want a unique name of at least 3 lower-case letters",
				b.Name)
		}
		names = append(names, b.Name)
		text := b.Rules.String()
		for _, name := range []string{b.Name, strings.ToUpper(b.Name), text} {
			if r := rulesOf(t, name); r != b.Rules || r.Named().Title != b.Title {
				t.Errorf("%q is read as %v, %s; want %v, %s",
					name, r, r.Named().Title, b.Rules, b.Title)
			}
		}
		if book, _, _ := strings.Cut(text, " "); !slices.Contains(BookNames(), book) {
			t.Errorf("%s is written %q, which older programs cannot read", b.Name, text)
		}
		changed := rulesOf(t, b.Name+" target=6")
		want := b.Rules
		if want.Target = 6; changed != want {
			t.Errorf("%s target=6 is read as %v, want %v", b.Name, changed, want)
		}
		if got := changed.Named(); got != changed.Book() {
			t.Errorf("%v is named %s, but it is not a fair game", changed, got.Title)
		}
	}
}
