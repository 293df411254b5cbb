package rulebook

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"digitduel/digit"
)

// TestBriefOptions holds that every value of an option is told in a few words for players, and that two values of which neither is
// moot are told apart.
func TestBriefOptions(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for range 2000 {
		r := randomRules(rng)
		for _, o := range Options(r) {
			if n := utf8.RuneCountInString(o.Brief); n == 0 || n > 26 {
				t.Errorf("%v: %s is %q, %d characters", r, o.Label, o.Brief, n)
			}
			if word := ours(o.Brief); word != "" {
				t.Errorf("%v: %s is %q with the word %s", r, o.Label, o.Brief, word)
			}
		}
		for _, key := range []string{"place", "win"} {
			told := map[string]string{}
			for _, o := range Values(r, key) {
				if told[o.Brief] != "" {
					t.Errorf("%v: %s and %s are both %q", r, o.Value, told[o.Brief], o.Brief)
				}
				told[o.Brief] = o.Value
			}
		}
	}
	for _, tt := range []struct {
		r    digit.Rules
		want [7]string
	}{
		{digit.Dilemma, [7]string{"7", "0 to 9", "cannot win as a multiple", "3 digits", "to a place, and stay", "with a full number", "the shorter way up wins"}},
		{digit.Divisibility, [7]string{"7", "1 to 9", "cannot win as a multiple", "until the pool is empty", "to the left or right end", "after every digit", "the smaller remainder wins"}},
		{digit.Sevens, [7]string{"7", "0 to 9", "cannot be called", "3 digits", "into your hand", "by calling it", "the closer number wins"}},
		{digit.Highest, [7]string{"nothing", "1 to 9", "", "3 digits", "to a place, and stay", "only at the end", "the higher number wins"}},
	} {
		for i, o := range Options(tt.r) {
			if o.Brief != tt.want[i] && !o.Moot {
				t.Errorf("%v: %s is %q, want %q", tt.r, o.Label, o.Brief, tt.want[i])
			}
		}
	}
}

// TestShortNames cuts names that are long: what is in brackets goes first, unless that is all in which the two differ.
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
			t.Errorf("%q beside %q is %q, want %q", tt.name, tt.other, got, tt.want)
		}
	}
}
