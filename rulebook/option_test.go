package rulebook

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"digitduel/digit"
)

// TestBriefOptions checks that the brief text of an option is short and plain, and that different
// values have different texts.
// TestTerms checks that each choice has a text, and a brief one if the term is on the full screen.
func TestTerms(t *testing.T) {
	for _, term := range Terms {
		if term.Name == "" || term.Question == "" || term.Flag == "" || len(term.Choices) < 2 {
			t.Errorf("%+v is incomplete", term)
		}
		for _, c := range term.Choices {
			if c.Text == "" || term.Label != "" && c.Brief == "" {
				t.Errorf("%s: the choice %q has no text", term.Name, c.Value)
			}
		}
	}
}

func TestBriefOptions(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for range 2000 {
		r := randomRules(rng)
		for _, o := range Options(r) {
			if n := utf8.RuneCountInString(o.Brief); n == 0 || n > 26 {
				t.Errorf("%v: %s is %q, %d characters", r, o.Label, o.Brief, n)
			}
			if word := unwanted(o.Brief + " " + o.Means); word != "" {
				t.Errorf("%v: %s is %q, with the word %s", r, o.Label, o.Brief, word)
			}
		}
		for _, key := range []string{"place", "win"} {
			values := map[string]string{} // by text
			for _, o := range Values(r, key) {
				if values[o.Brief] != "" {
					t.Errorf("%v: %s and %s are both %q", r, o.Value, values[o.Brief], o.Brief)
				}
				values[o.Brief] = o.Value
			}
		}
	}
	for _, tt := range []struct {
		r    digit.Rules
		want [7]string
	}{
		{digit.Dilemma, [7]string{"7", "0 to 9", "can't win as a multiple", "3 digits",
			"in any free place", "when your number is full", "closest below a multiple"}},
		{digit.Divisibility, [7]string{"7", "1 to 9", "", "until the pool is empty",
			"on the left or right", "after any digit", "smaller remainder"}},
		{digit.Sevens, [7]string{"7", "0 to 9", "can't be called", "3 digits", "in your hand",
			"by calling it", "closest to a multiple"}},
		{digit.Highest, [7]string{"none", "1 to 9", "", "3 digits", "in any free place",
			"only at the end", "higher number"}},
	} {
		for i, o := range Options(tt.r) {
			if o.Brief != tt.want[i] && !o.Moot {
				t.Errorf("%v: %s is %q, want %q", tt.r, o.Label, o.Brief, tt.want[i])
			}
		}
	}
}

// TestShortNames checks that a long name first loses its part in brackets, unless the two names
// differ only there.
func TestShortNames(t *testing.T) {
	for _, tt := range []struct{ name, other, want string }{
		{"Ada (12)", "Ben", "Ada (12)"},
		{"Computer (perfect)", "Ben", "Computer"},
		{"Computer (perfect)", "Computer (casual)", "Computer (p…"},
		{"Bartholomew the Third (of Bath)", "Ben", "Bartholomew…"},
		{"(in brackets only)", "Ben", "(in bracket…"},
		{" (in brackets only)", "Ben", "(in bracke…"},
	} {
		if got := shorten(tt.name, tt.other); got != tt.want {
			t.Errorf("%q next to %q: got %q, want %q", tt.name, tt.other, got, tt.want)
		}
	}
}
