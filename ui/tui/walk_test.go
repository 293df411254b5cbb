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

// walks is the number of walks. All of them together have the number of steps of the flag.
const walks = 4

var steps = flag.Int("steps", walkSteps(), "number of keys, clicks and resizes in TestWalk")

// walkSteps returns the default of steps, which is small without DUEL_NIGHTLY.
func walkSteps() int {
	if os.Getenv("DUEL_NIGHTLY") != "" && !raced {
		return 100_000
	}
	return 4_000
}

// TestWalk presses, clicks, scrolls, pastes and resizes at random. After every step, the screen can
// be drawn and fits, and every table is in a legal state, which the screen shows. From time to time
// the walk returns to the menu.
func TestWalk(t *testing.T) {
	for seed := range uint64(walks) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			k := &memory{environ: map[string]string{"LANG": []string{"en_GB.UTF-8", "C"}[seed%2]}}
			onScreen(t, k, Start{}, func(s *screen) {
				s.Model.world.Solve = func(
					ctx context.Context, r digit.Rules, progress func(done, total int64),
				) (*solve.Solution, error) {
					if s, ok := solved.Load(r); ok {
						return s.(*solve.Solution), nil
					}
					config := solve.Config{Budget: 1 << 18, Workers: 1, Progress: progress}
					return solve.Solve(ctx, r, config)
				}
				w := &walker{screen: s, rng: rand.New(rand.NewPCG(seed, 1))}
				for range *steps / walks {
					w.act()
				}
				w.goHome()
				s.t.Logf("%d steps reached %d kinds of pages and saved %d games",
					*steps/walks, len(w.seen), len(k.games))
			})
		})
	}
}

type walker struct {
	*screen
	rng   *rand.Rand
	steps int
	last  string // the last step
	seen  map[string]bool
}

var walkKeys = strings.Fields("0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 a b c d e f l r m t u o " +
	"enter enter enter enter enter left right up down " +
	"esc backspace tab space a A h H r R f F n v V [ ] home end pgup pgdown x y p P s + - . ? q " +
	"j k w g , < > space space space alt+x alt+7 alt+? ctrl+r ctrl+u ctrl+c ctrl+z é 漢 ÿ ,")

func (w *walker) act() {
	w.steps++
	defer func() {
		if r := recover(); r != nil {
			w.t.Fatalf("after %q: %v\n%s", w.last, r, debug.Stack())
		}
	}()
	do := func(step string, msg tea.Msg) {
		w.last = step
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
			x, y = z.X+w.rng.IntN(max(1, z.W)), z.Y+w.rng.IntN(max(1, z.H))
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
	if w.rng.IntN(3) > 0 { // otherwise the next step comes before the effects of this one
		w.settle()
	}
	w.check()
	if w.steps%500 == 0 {
		w.goHome()
	}
}

// check fails if the menu is gone, the screen does not fit, or a table is wrong.
func (w *walker) check() {
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
				w.t.Fatalf("after %q a table has an illegal move: %v", w.last, err)
			}
			p = next
		}
		if p != truth.Position || tb.state.Seq > truth.Seq ||
			tb.state.Seq == truth.Seq && tb.state.Position != truth.Position {
			w.t.Fatalf("after %q the table is %v and the screen shows %v", w.last, truth, tb.state)
		}
	}
}

// goHome returns to the menu with Esc, and confirms if asked.
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
	w.t.Fatalf("Esc does not lead back to the menu:\n%s", w.text())
}
