package tui

import (
	"context"
	"flag"
	"fmt"
	"image/color"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"digitduel/digit"
	"digitduel/solve"
)

// walks is the number of walks; steps is the number of their steps in all.
const walks = 4

var steps = flag.Int("steps", walkSteps(), "number of keys, clicks and resizes in TestWalk")

// walkSteps returns the default of steps, which is small without DUEL_NIGHTLY.
func walkSteps() int {
	if os.Getenv("DUEL_NIGHTLY") != "" && !raced {
		return 100_000
	}
	return 4_000
}

// TestWalk presses, clicks, scrolls, pastes and resizes at random. After every step the screen can be drawn and fits, every table
// is one that play can come to and the same as the model's, and now and then the way back to the menu is gone.
func TestWalk(t *testing.T) {
	for seed := range uint64(walks) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			k := &memory{environ: map[string]string{"LANG": []string{"en_GB.UTF-8", "C"}[seed%2]}}
			onScreen(t, k, Start{}, func(s *screen) {
				s.Model.world.Solve = func(ctx context.Context, r digit.Rules, progress func(done, total int64)) (*solve.Solution, error) {
					if s, ok := solved.Load(r); ok {
						return s.(*solve.Solution), nil
					}
					return solve.Solve(ctx, r, solve.Config{Budget: 1 << 18, Workers: 1, Progress: progress})
				}
				w := &walker{screen: s, rng: rand.New(rand.NewPCG(seed, 1))}
				for range *steps / walks {
					w.act()
				}
				w.goHome()
				s.t.Logf("%d steps came to %d kinds of screens and kept %d games", *steps/walks, len(w.seen), len(k.games))
			})
		})
	}
}

type walker struct {
	*screen
	rng   *rand.Rand
	steps int
	last  string // what was done last
	seen  map[string]bool
}

var walkKeys = strings.Fields("0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 a b c d e f l r m t u o enter enter enter enter enter left right up down " +
	"esc backspace tab space a A h H r R f F n v V [ ] home end pgup pgdown x y p P s + - . ? q j k w g , < > space space space alt+x alt+7 alt+? ctrl+r ctrl+u ctrl+c ctrl+z é 漢 ÿ ,")

func (w *walker) act() {
	w.steps++
	defer func() {
		if r := recover(); r != nil {
			w.t.Fatalf("after %q: %v\n%s", w.last, r, debug.Stack())
		}
	}()
	do := func(what string, msg tea.Msg) {
		w.last = what
		w.update(msg)
	}
	switch n := w.rng.IntN(1000); {
	case n < 620:
		k := walkKeys[w.rng.IntN(len(walkKeys))]
		do(k, keyPress(k))
	case n < 800:
		c := w.canvas()
		x, y := w.rng.IntN(max(1, w.width)), w.rng.IntN(max(1, w.height))
		if len(c.zones) > 0 && w.rng.IntN(4) > 0 {
			z := c.zones[w.rng.IntN(len(c.zones))]
			x, y = z.x+w.rng.IntN(max(1, z.w)), z.y+w.rng.IntN(max(1, z.h))
		}
		do(fmt.Sprintf("click %d,%d", x, y), tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	case n < 830:
		do("wheel", tea.MouseWheelMsg{Button: tea.MouseWheelUp + tea.MouseButton(w.rng.IntN(2))})
	case n < 860:
		do("size", tea.WindowSizeMsg{Width: w.rng.IntN(180), Height: w.rng.IntN(60)})
	case n < 930:
		do("size", tea.WindowSizeMsg{Width: 54 + w.rng.IntN(80), Height: 18 + w.rng.IntN(26)})
	case n < 940:
		do("colour", tea.ColorProfileMsg{Profile: colorprofile.Profile(w.rng.IntN(6))})
	case n < 945:
		do("background", tea.BackgroundColorMsg{Color: color.Gray{uint8(w.rng.IntN(256))}})
	case n < 955:
		do("paste", tea.PasteMsg{Content: "7a\n3b\x1b[A"})
	case n < 985:
		w.last = "time"
		time.Sleep(time.Duration(w.rng.IntN(1500)) * time.Millisecond)
	default:
		w.last = "nothing"
	}
	if w.rng.IntN(3) > 0 { // or else the next thing comes before what this one starts is done
		w.settle()
	}
	w.holds()
	if w.steps%500 == 0 {
		w.goHome()
	}
}

// holds fails if something is not as it must be.
func (w *walker) holds() {
	if w.seen == nil {
		w.seen = map[string]bool{}
	}
	if _, ok := w.layers[0].page.(*menu); !ok {
		w.t.Fatalf("after %q the menu is gone", w.last)
	}
	if w.steps%4 == 0 {
		w.fits(w.View().Content)
	}
	for _, l := range w.layers {
		w.seen[fmt.Sprintf("%T", l.page)] = true
		tb, ok := l.page.(*table)
		if !ok || tb.Table == nil {
			continue
		}
		truth := tb.Table.State()
		var p digit.Position
		for _, m := range truth.Moves {
			next, err := truth.Setup.Rules.Play(p, m)
			if err != nil {
				w.t.Fatalf("after %q there is an illegal table: %v", w.last, err)
			}
			p = next
		}
		if p != truth.Position || tb.state.Seq > truth.Seq || tb.state.Seq == truth.Seq && tb.state.Position != truth.Position {
			w.t.Fatalf("after %q the table is %v and the screen shows %v", w.last, truth, tb.state)
		}
	}
}

// goHome goes back to the menu as anybody would: Esc, and yes when asked.
func (w *walker) goHome() {
	w.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	for range 12 {
		if _, ok := w.top().(*menu); ok {
			return
		}
		if _, ok := w.top().(*confirmation); ok {
			w.press("y")
			continue
		}
		w.press("esc")
	}
	w.t.Fatalf("there is no way back to the menu:\n%s", w.text())
}
