package tui

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
)

var (
	words  = regexp.MustCompile(`[│╮╯]?[\pL\pN]+[…│╭╰]?`)
	scroll = regexp.MustCompile(`\d+–\d+ of \d+`)
)

// wordsOf returns the words and figures of a text, in small letters, but for those that are cut short or lie half behind a
// frame, and for how far it is scrolled.
func wordsOf(text string) map[string]bool {
	set := map[string]bool{}
	for _, word := range words.FindAllString(scroll.ReplaceAllString(text, ""), -1) {
		if !strings.ContainsAny(word, "…│╭╮╰╯") {
			set[strings.ToLower(word)] = true
		}
	}
	return set
}

// TestPlainSaysAll holds that every word and figure of every screen, at its largest, is in its plain text too, or told there as it
// is to be heard. What is drawn and not written, the large digits and the frames, is held by TestPlainFacts.
func TestPlainSaysAll(t *testing.T) {
	for _, sc := range scenes(t) {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			sc.play(t, func(s *screen) {
				t := s.t
				for _, size := range [][2]int{{80, 24}, {120, 40}} {
					s.size(size[0], size[1])
					text := strings.Join(s.plainText(), "\n")
					if p, ok := s.top().(interface{ picture(*Model) *picture }); ok {
						if said := p.picture(s.Model).prompt.Said; strings.Contains(text, said.Spoken) {
							text += said.Long
						}
					}
					plain := wordsOf(text)
					for word := range wordsOf(s.text()) {
						if !plain[word] && !strings.Contains("digitduel", word) { // the name in tiles has its letters apart
							t.Errorf("%d×%d: %q is on the screen and not in the plain text:\n%s\n\n%s", size[0], size[1], word, s.text(), strings.Join(s.plainText(), "\n"))
						}
					}
				}
			})
		})
	}
}

// TestPlainFacts plays random games of every book with all help on and holds the plain text to everything that is so: whose
// turn, what is left, what is where, the last move, the moves, and the verdict of every legal move.
func TestPlainFacts(t *testing.T) {
	for _, b := range digit.Books {
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			start := people(b.Name)
			start.Plain = true
			onScreen(t, &memory{}, start, func(s *screen) {
				t := s.t
				rng := rand.New(rand.NewPCG(1, 2))
				s.press("space", "a")
				for range 3 {
					tb := s.top().(*table)
					for tb.state.Playing() {
						s.holdsFacts(tb)
						m, _ := b.Rules.Pick(tb.state.Position, rng.IntN)
						if _, err := tb.at.Play(t.Context(), tb.state.Turn(), m, 0); err != nil {
							t.Fatal(err)
						}
						s.settle()
					}
					s.holdsFacts(tb)
					s.pass(time.Second)
					s.press("enter", "space", "a")
				}
			})
		})
	}
}

// holdsFacts fails unless the plain text tells how a table stands.
func (s *screen) holdsFacts(tb *table) {
	s.t.Helper()
	state, r := tb.state, tb.picker.rules
	p := state.Position
	facts := []string{"Pool: " + r.Left(p).List(" "), state.Setup.Name(match.One), state.Setup.Name(match.Two)}
	if r.Left(p) == 0 {
		facts = facts[1:]
	}
	for i, m := range state.Moves {
		if i%2 == 0 {
			facts = append(facts, fmt.Sprintf("%d. %v", i/2+1, m))
		} else {
			facts = append(facts, " "+m.String())
		}
	}
	if n := len(state.Moves); n > 0 {
		facts = append(facts, "Last move: "+rulebook.Played(r, tb.after(n-1), state.Moves[n-1], tb.pair.cast(), rulebook.Player).Spoken)
	}
	for _, seat := range match.Seats {
		n := r.Number(p, state.Side(seat))
		if r.Place == digit.Slots {
			for i, name := range rulebook.Places(r) {
				what := "empty"
				if d, ok := n.At(i); ok {
					what = d.String()
				}
				facts = append(facts, fmt.Sprintf("%v %s %s", digit.SlotAt(i), name, what))
			}
		}
		facts = append(facts, spaced(n))
	}
	if state.Playing() {
		facts = append(facts, state.Setup.Name(state.Turn())+" (to move)")
		solution, _ := solved.Load(r)
		for m, v := range solution.(*solve.Solution).Moves(p) {
			if m.Call == (digit.Number{}) && r.Place != digit.Hand {
				facts = append(facts, fmt.Sprintf("%s %s", placeName(r, m.Spot), verdict(v, 20)), m.Digit.String()+" ")
			}
		}
	} else {
		facts = append(facts, rulebook.Why(r, p, state.Result, tb.pair.cast()).Spoken)
	}
	plain := strings.Join(s.plainText(), "\n")
	for _, fact := range facts {
		if !strings.Contains(plain, fact) {
			s.t.Fatalf("%q is not in the plain text:\n%s", fact, plain)
		}
	}
}

// TestPlainView holds that the plain screen is the plain text, all of it when scrolled through, and nothing else.
func TestPlainView(t *testing.T) {
	start := people("dilemma")
	start.Plain = true
	onScreen(t, &memory{}, start, func(s *screen) {
		t := s.t
		s.press("7", "a", "enter", "space", "a")
		for _, size := range [][2]int{{80, 24}, {30, 6}, {12, 3}} {
			s.size(size[0], size[1])
			s.scroll = 0
			want := wrapAll(s.plainText(), size[0])
			var got []string
			for range len(want) {
				view := strings.Split(s.text(), "\n")
				s.fits(s.View().Content)
				got = append(got, view...)
				s.press("pgdown")
			}
			for _, line := range want {
				if !slices.Contains(got, strings.TrimRight(strings.ReplaceAll(line, "\u00a0", " "), " ")) {
					t.Errorf("%v: the line %q never shows", size, line)
				}
			}
			if v := s.View(); strings.Contains(v.Content, "\x1b") || v.Cursor == nil {
				t.Error("plain text has colours, or no cursor")
			}
		}
	})
}
