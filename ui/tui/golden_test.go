package tui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
	"digitduel/ui/tui/draw"
)

// A scene is a screen and the keys that lead to it.
type scene struct {
	name  string
	start Start
	saved []string // the saved games
	keys  string   // separated by blanks; a number of seconds lets time pass: 3s
	solve solver   // nil: solveOnce
	again bool     // settings have been saved before

	remote  func(*remoteTable) // plays at a remote table before the keys; nil: a local table
	watches bool               // the user of the screen watches the remote table
}

type solver = func(context.Context, digit.Rules, func(done, total int64)) (*solve.Solution, error)

// never is a solver that does not finish.
func never(
	ctx context.Context, _ digit.Rules, progress func(done, total int64),
) (*solve.Solution, error) {
	progress(43, 100)
	<-ctx.Done()
	return nil, ctx.Err()
}

// refuses is a solver for which every game is too large.
func refuses(_ context.Context, r digit.Rules, _ func(done, total int64)) (*solve.Solution, error) {
	return nil, &solve.BudgetError{Rules: r, Need: 5 << 30, Budget: 1 << 30}
}

// lines holds a game of each book: the sample in the book, if there is one.
var lines = map[string]string{
	"dilemma":      "dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple",
	"sevens":       "sevens 7 5 1 8 2=721 1-0 multiple",
	"highest":      "highest 9a 8a 2c 7b 5b 6c 1-0 higher",
	"divisibility": "divisibility 4R 3R 8R 1L 6L 2R 5R 9L 7L 1-0 multiple",
	"reverse":      "reverse 9a 1a 8b 2c 3c 4b 0-1 lower",
}

// record returns the game of a book in lines, with the result of its moves.
func record(t *testing.T, book string) digit.Record {
	t.Helper()
	words := strings.Fields(lines[book])
	r, err := digit.ParseRules(book)
	if err != nil {
		t.Fatal(err)
	}
	rec := digit.Record{Rules: r}
	var p digit.Position
	for _, word := range words[min(1, len(words)):] {
		m, err := digit.ParseMove(word)
		if err != nil || r.Result(p).Over() {
			break
		}
		if p, err = r.Play(p, m); err != nil {
			t.Fatal(err)
		}
		rec.Moves = append(rec.Moves, m)
	}
	for len(words) == 0 && !r.Result(p).Over() { // a new book: play the first legal moves
		for m := range r.Moves(p) {
			rec.Moves = append(rec.Moves, m)
			p, _ = r.Play(p, m)
			break
		}
	}
	rec.Result = r.Result(p)
	return rec
}

// keysOf returns the keys that play moves.
func keysOf(r digit.Rules, moves []digit.Move) string {
	var keys []string
	for i, m := range moves {
		keys = append(keys, m.Digit.String())
		switch {
		case r.Place == digit.Hand && i/2+1 == int(r.Width):
			for _, c := range m.Call.String() {
				keys = append(keys, string(c))
			}
		case r.Place == digit.Slots && openSlots(moves, i) > 1, r.Place == digit.Ends && i > 1:
			keys = append(keys, strings.ToLower(m.Spot.String()))
			continue
		}
		keys = append(keys, "enter")
	}
	return strings.Join(keys, " ")
}

// openSlots returns the number of places open to the side of move i.
func openSlots(moves []digit.Move, i int) int { return 3 - i/2 }

// people returns a start at a table of a book for two people, without a series.
func people(book string) Start {
	c := Defaults()
	c.Book, c.Opponent, c.Names = book, Person, [2]string{"Ada", "Ben"}
	c.Rules = standardSettings().Rules
	return Start{Play: &c}
}

// standardSettings returns saved settings with the rules of the books.
func standardSettings() Settings {
	w := Defaults()
	for _, b := range digit.Books {
		w = w.withRules(b, b.Rules)
	}
	return w
}

// scenes returns the screens with golden files.
func scenes(t *testing.T) []scene {
	var list []scene
	for i, b := range digit.Books {
		rec := record(t, b.Name)
		half := len(rec.Moves) / 2
		some := keysOf(b.Rules, rec.Moves[:half])
		next := rec.Moves[half].Digit.String()
		all := keysOf(b.Rules, rec.Moves)
		list = append(list,
			scene{name: "menu-" + b.Name, keys: strings.Repeat("down ", i) + "2s", again: true},
			scene{name: "setup-" + b.Name, keys: fmt.Sprint(i + 1)},
			scene{name: "house-" + b.Name, keys: fmt.Sprint(i+1) + " up enter"},
			scene{name: "rules-" + b.Name, keys: strings.Repeat("down ", i) + "r", again: true},
			scene{name: "start-" + b.Name, start: people(b.Name)},
			scene{name: "table-" + b.Name, start: people(b.Name), keys: some},
			scene{name: "picked-" + b.Name, start: people(b.Name), keys: some + " " + next},
			scene{name: "analysis-" + b.Name, start: people(b.Name), keys: some + " space a"},
			scene{name: "hint-" + b.Name, start: people(b.Name), keys: some + " space h space h space h"},
			scene{name: "back-" + b.Name, start: people(b.Name), keys: some + " , space a"},
			scene{name: "over-" + b.Name, start: people(b.Name), keys: all},
			scene{name: "review-" + b.Name, start: people(b.Name), keys: all + " 1s v"},
			scene{name: "retry-" + b.Name, start: people(b.Name), keys: all + " 1s v t"},
			scene{name: "puzzle-" + b.Name, keys: fmt.Sprint("p ", i+1)},
		)
	}
	series := people("highest").Play
	series.BestOf, series.TurnTime, series.First, series.Hints = 3, 30*time.Second, PlayerTwo, false
	hasty := *people("highest").Play
	hasty.TurnTime, hasty.OnTimeout = 10*time.Second, match.Random
	targets := *people("divisibility").Play
	targets.BestOf, targets.Targets = 3, match.Targets{11, 13}
	tossed := *series
	tossed.First = CoinToss
	watched := Defaults()
	watched.Opponent, watched.Levels = Watch, [2]string{"perfect", "beginner"}
	against := Defaults()
	against.Opponent, against.Levels[1] = Computer, "perfect"
	large := *people("dilemma").Play
	large.Rules = map[string]digit.Rules{"dilemma": rulesOf(t, "dilemma pool=0-f width=8 target=13")}
	hexes := *people("highest").Play
	hexes.Rules = map[string]digit.Rules{"highest": rulesOf(t, "highest pool=0-f width=5")}
	grows := *people("divisibility").Play
	grows.Rules = map[string]digit.Rules{"divisibility": rulesOf(t, "divisibility pool=1-f target=13")}
	swaps := *people("highest").Play
	swaps.Swap = true
	pairs := *people("dilemma").Play
	pairs.Pair = true
	drawn := pairs
	drawn.RandomOpening = true
	dilemma := record(t, "dilemma")
	return append(append(list, remoteScenes()...),
		scene{name: "fair", keys: "6"},
		scene{name: "fair-setup", keys: "6 right right right down"},
		scene{name: "fair-house", keys: "6 up enter"},
		scene{name: "fair-table", keys: "6 right right right enter 1 enter 1s"},
		scene{name: "server", keys: "o f a r"},
		scene{name: "server-tables", keys: "o f a r enter down down"},
		scene{name: "server-end", keys: "o f a r enter up"},
		scene{name: "server-wrong", keys: "o f a r enter down enter"},
		scene{name: "server-order", keys: "o f a r enter up enter down right right"},
		scene{name: "server-table", keys: "o f a r enter up enter enter"},
		scene{name: "swap-asked", start: Start{Play: &swaps}, keys: "9 a"},
		scene{name: "swap-commands", start: Start{Play: &swaps}, keys: "9 a space"},
		scene{name: "swap-taken", start: Start{Play: &swaps}, keys: "9 a y"},
		scene{name: "swap-back", start: Start{Play: &swaps}, keys: "9 a y space u"},
		scene{name: "swap-over", start: Start{Play: &swaps}, keys: "9 a y 1 c 8 b 2 b 7 enter 3 enter 1s"},
		scene{name: "pair", start: Start{Play: &pairs}, keys: "7 a space x y 1s"},
		scene{name: "pair-drawn", start: Start{Play: &pairs}, keys: "7 a space x y 1s enter 7 a space x y 1s"},
		scene{name: "lot", start: Start{Play: &drawn}},
		scene{name: "lot-moved", start: Start{Play: &drawn}, keys: "0 c"},
		scene{name: "lot-review", start: Start{Play: &drawn}, keys: "0 c space x y 1s v home"},
		scene{name: "lot-solving", start: Start{Play: &drawn}, solve: never},
		scene{name: "lot-refused", start: Start{Play: &drawn}, solve: refuses},
		scene{name: "setup-games", keys: "4 left down down down down right right right"},
		scene{name: "setup-pair", keys: "1 down down down right"},
		scene{name: "setup-lot", keys: "1 down down down right right"},
		scene{name: "house-swap", keys: "1 up enter up right"},
		scene{name: "call", start: people("sevens"), keys: "7 enter 5 enter 1 enter 8 enter 2"},
		scene{name: "call-typed", start: people("sevens"), keys: "7 enter 5 enter 1 enter 8 enter 2 7 2 1"},
		scene{name: "call-wrong", start: people("sevens"), keys: "7 enter 5 enter 1 enter 8 enter 2 7 7 enter"},
		scene{name: "call-lost", start: people("sevens"), keys: "7 enter 5 enter 1 enter 8 enter 2 1 2 7 enter"},
		scene{name: "confirm", start: people("dilemma"), keys: keysOf(digit.Dilemma, dilemma.Moves[:4]) + " 4 b"},
		scene{name: "taken", start: people("dilemma"), keys: "7 a 7"},
		scene{name: "undone", start: people("dilemma"), keys: "7 a space u"},
		scene{name: "hint-digit", start: people("dilemma"), keys: keysOf(digit.Dilemma, dilemma.Moves[:4]) + " 4 space h space h"},
		scene{name: "chance", start: Start{Play: &hasty}, keys: "9 11s"},
		scene{name: "targets", start: Start{Play: &targets}, keys: "4 enter space x y 1s enter"},
		scene{name: "flipped", start: people("dilemma"), keys: "7 a space f"},
		scene{name: "commands", start: people("dilemma"), keys: "7 a space"},
		scene{name: "lost", start: Start{Play: &against}, keys: "0 a 2s 1 b 2s 4 c 3s"},
		scene{
			name: "offer", start: Start{Play: &against},
			saved: []string{lostTo("dilemma", "perfect"), lostTo("dilemma", "perfect")},
			keys:  "0 a 2s 1 b 2s 4 c 3s",
		},
		scene{
			name: "setup-tally", saved: []string{lostTo("divisibility target=33", "perfect")},
			keys: "4 down right right right right",
		},
		scene{name: "no-call", start: people("sevens"), keys: "7 enter 5 enter 1 enter 8 enter 2 tab enter"},
		scene{name: "help-clock", start: Start{Play: series}, keys: "9 a 9s ?"},
		scene{name: "resign", start: people("dilemma"), keys: "7 a space x"},
		scene{name: "resigned", start: people("dilemma"), keys: "7 a space x y"},
		scene{name: "series", start: Start{Play: series}, keys: keysOf(digit.Highest, record(t, "highest").Moves[:3]) + " space a 10s"},
		scene{name: "series-next", start: Start{Play: series}, keys: keysOf(digit.Highest, record(t, "highest").Moves) + " 1s enter"},
		scene{name: "timeout", start: Start{Play: series}, keys: "9 a 31s"},
		scene{name: "tossed", start: Start{Play: &tossed}},
		scene{name: "thinking", start: Start{Play: &against}, keys: "0 b"},
		scene{name: "watch", start: Start{Play: &watched}, keys: "1s + +"},
		scene{name: "paused", start: Start{Play: &watched}, keys: "1s - enter . 1s"},
		scene{name: "watched", start: Start{Play: &watched}, keys: "9s"},
		scene{name: "wide", start: Start{Play: &large}, keys: "a"},
		scene{name: "wide-picked", start: Start{Play: &hexes}, keys: "f a 0 b 1 space a"},
		scene{name: "grown", start: Start{Play: &grows}, keys: "1 enter 2 enter 4 r 5 r 8 r a l space a"},
		scene{name: "settings", keys: "s down"},
		scene{name: "help", keys: "?"},
		scene{name: "help-end", keys: "? end"},
		scene{name: "puzzles", keys: "p right down"},
		scene{name: "puzzles-day", keys: "p down"},
		scene{name: "daily", keys: "p enter"},
		scene{name: "puzzle-hint", keys: "p 1 space h space h space h"},
		scene{name: "puzzle-failed", keys: "p 3 enter enter enter"},
		scene{name: "saved-none", keys: "g"},
		scene{name: "saved", saved: []string{
			lines["dilemma"],
			lines["highest"] + `; first="Ben B." second=Ada starts=2 game=2/3 hints=on at=2000-01-02T09:12:00Z`,
			"divisibility target=11 pool=0-9 4R 3R *; first=Ada second=Ben starts=1 at=2000-01-03T19:05:00Z",
			lines["reverse"] + "; first=Ada second=Ben starts=1 at=2000-01-01T00:00:00Z",
		}, keys: "g down"},
		scene{name: "review-line", saved: []string{lines["dilemma"]}, keys: "g enter b right"},
		scene{name: "review-unfinished", saved: []string{"divisibility target=11 pool=0-9 4R 3R *"}, keys: "g enter"},
		scene{name: "review-resigned", start: people("dilemma"), keys: "7 a space x y 1s v"},
		scene{name: "solving-setup", keys: "1", solve: never},
		scene{name: "solving-table", start: people("dilemma"), keys: "7 a space a space h", solve: never},
		scene{name: "solving-bot", start: Start{Play: &against}, keys: "7 a", solve: never},
		scene{name: "solving-review", saved: []string{lines["dilemma"]}, keys: "g enter", solve: never},
		scene{name: "solving-puzzle", keys: "p enter", solve: never},
		scene{name: "refused-setup", keys: "1", solve: refuses},
		scene{name: "refused-table", start: people("dilemma"), keys: "7 a space a", solve: refuses},
		scene{name: "refused-bot", start: Start{Play: &against}, keys: "7 a", solve: refuses},
		scene{name: "refused-review", saved: []string{lines["dilemma"]}, keys: "g enter", solve: refuses},
		scene{name: "refused-puzzle", keys: "p enter", solve: refuses},
		scene{name: "house-wrong", keys: "3 up enter down down backspace 9"},
		scene{name: "first-start"},
		scene{name: "setup-people", keys: "1 left down A d a"},
		scene{name: "setup-watch", keys: "1 right down"},
		scene{name: "learn", keys: "l 8"},
		scene{name: "learn-placed", keys: "l 7 a 1s 1"},
		scene{name: "learn-won", keys: "l 7 a 1s 1 c 1s 9 enter 1s"},
		scene{name: "setup-options", keys: "2 left left right down right down A d a down right down right down down right down right"},
	)
}

func rulesOf(t *testing.T, text string) digit.Rules {
	t.Helper()
	r, err := digit.ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// play runs a test at a scene.
func (sc scene) play(t *testing.T, at func(*screen)) {
	t.Helper()
	k := &memory{solve: sc.solve}
	if sc.again {
		k.settings = Defaults().Text()
	}
	for _, text := range sc.saved {
		rec, err := digit.ParseRecord(text)
		if err != nil {
			t.Fatal(err)
		}
		k.games = append(k.games, rec)
	}
	if sc.remote != nil {
		seats := []match.Seat{match.One}
		if sc.watches {
			seats = nil
		}
		atRemoteTable(t, seats, func(f *remoteTable) {
			sc.remote(f)
			f.ada.pass(time.Second) // until the digits stop moving
			f.ada.follow(sc.keys)
			at(f.ada)
		})
		return
	}
	onScreen(t, k, sc.start, func(s *screen) {
		s.follow(sc.keys)
		at(s)
	})
}

// follow presses the keys of a scene.
func (s *screen) follow(keys string) {
	for key := range strings.FieldsSeq(keys) {
		if d, err := time.ParseDuration(key); err == nil && len(key) > 1 {
			s.pass(d)
			continue
		}
		s.press(key)
	}
}

// TestScenes checks the properties that all screens share at every scene. It goes to each scene
// only once, since that takes longer than the checks.
func TestScenes(t *testing.T) {
	for _, sc := range scenes(t) {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			var m *Model
			sc.play(t, func(s *screen) {
				m = s.Model
				s.keysAreShown()
				s.matchesGolden(sc.name)
				for _, size := range windows {
					s.size(size[0], size[1])
					s.isWhole()
				}
				s.isASCII()
				s.size(120, 40)
			})
			isFast(t, m) // outside the bubble, in real time
		})
	}
}

// matchesGolden compares a screen with its golden files: with and without colours, in three sizes.
func (s *screen) matchesGolden(name string) {
	s.t.Helper()
	for _, look := range []struct {
		name    string
		profile colorprofile.Profile
	}{{"txt", colorprofile.NoTTY}, {"ansi", colorprofile.TrueColor}} {
		s.send(tea.ColorProfileMsg{Profile: look.profile})
		var all strings.Builder
		for _, size := range [][2]int{{80, 24}, {120, 40}, {54, 18}} {
			s.size(size[0], size[1])
			content := s.View().Content
			s.fits(content)
			fmt.Fprintf(&all, "-- %d×%d --\n%s\n", size[0], size[1], content)
		}
		golden(s.t, filepath.Join("testdata", name+"."+look.name), all.String())
	}
}

// fits fails if a screen has more or longer lines than the terminal.
func (s *screen) fits(content string) {
	s.t.Helper()
	if content == "" {
		return
	}
	rows := strings.Split(codes.ReplaceAllString(content, ""), "\n")
	if len(rows) > s.height {
		s.t.Errorf("%d rows in a terminal of %d", len(rows), s.height)
	}
	for y, row := range rows {
		if w := draw.Width(row); w > s.width {
			s.t.Errorf("row %d has %d columns in a terminal of %d: %s", y, w, s.width, row)
		}
	}
}

// TestNoStrayFiles checks that every golden file belongs to a scene.
func TestNoStrayFiles(t *testing.T) {
	known := map[string]bool{}
	for _, sc := range scenes(t) {
		known[sc.name] = true
	}
	files, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name, ext, _ := strings.Cut(f.Name(), ".")
		if (ext == "txt" || ext == "ansi") && !known[name] {
			t.Errorf("testdata/%s belongs to no scene", f.Name())
		}
	}
}
