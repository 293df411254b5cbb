package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
	"digitduel/ui/tui/draw"
)

// solved holds the solutions of games, which all tests share.
var solved sync.Map

// solveOnce solves a game, or returns its solution in solved.
func solveOnce(
	ctx context.Context, r digit.Rules, progress func(done, total int64),
) (*solve.Solution, error) {
	if s, ok := solved.Load(r); ok {
		return s.(*solve.Solution), nil
	}
	s, err := solve.Solve(ctx, r, solve.Config{Workers: 1, Progress: progress})
	if err == nil {
		solved.Store(r, s)
	}
	return s, err
}

// A memory makes a World that saves everything in memory.
type memory struct {
	mu       sync.Mutex // held by the functions of the world, which run in the background
	settings []byte
	games    []digit.Record
	tables   map[string]*savedTable
	streak   coach.Diary
	solve    solver // nil: solveOnce
	servers  fakeServers

	environ map[string]string // in addition to a LANG with Unicode
}

func (k *memory) getenv(key string) string {
	if value, ok := k.environ[key]; ok || key != "LANG" {
		return value
	}
	return "en_GB.UTF-8"
}

// A fakeServers makes the Servers of a World. There is one server, with a table.
type fakeServers struct {
	table  *match.Table
	opened []match.Setup
	left   int   // how often a table was left
	err    error // the server cannot be reached
	slow   bool  // the server does not answer
	seats  []SavedSeat

	stopped atomic.Int32 // requests that were cancelled
}

func (f *fakeServers) servers() *Servers {
	answer := func(ctx context.Context) error {
		if f.slow {
			<-ctx.Done()
			f.stopped.Add(1)
			return ctx.Err()
		}
		return f.err
	}
	sit := func(seats ...match.Seat) Sitting {
		return Sitting{
			Table: f.table, Mine: seats,
			Remote: &fakeRemote{people: both, changed: make(chan struct{})},
			Invite: "http://far/t/abc", Close: func() { f.left++ },
		}
	}
	return &Servers{
		Seats: func() ([]SavedSeat, error) { return f.seats, nil },
		List: func(ctx context.Context, address string) (string, []ListedTable, error) {
			list := []ListedTable{{
				"http://far/t/abc", "Digit Duel: highest: The higher number wins",
				"Ben waits for you. Best of 3: 2 wins are enough. 30s a turn.",
			}}
			for i := range 12 {
				game := fmt.Sprintf("Digit Dilemma: First three-digit multiple of 7 wins (%d)", i+2)
				list = append(list, ListedTable{"http://far/t/more", game, "Ann and Bob play."})
			}
			return "http://" + address, list, answer(ctx)
		},
		Join: func(ctx context.Context, link, name string) (Sitting, error) {
			if link != "http://far/t/abc" || f.table == nil {
				return Sitting{}, errors.New("there is no such table")
			}
			_, err := f.table.Sit(ctx, match.Two, name, "")
			if err == nil {
				_, err = f.table.Begin(ctx)
			}
			return sit(match.Two), cmp.Or(answer(ctx), err)
		},
		Open: func(ctx context.Context, server, name string, s match.Setup) (Sitting, error) {
			f.opened = append(f.opened, s)
			var err error
			rng := rand.New(rand.NewPCG(1, 1))
			f.table, err = match.Open(context.WithoutCancel(ctx), "abc", s, new(match.Memory), rng)
			return sit(match.One), cmp.Or(answer(ctx), err)
		},
	}
}

// A savedTable is a table in a memory.
type savedTable struct {
	events []match.Event
	left   time.Time
	busy   bool
	full   error // the error of Append, if not nil
}

var errKeptBusy = errors.New("it is open in another window")

func (k *memory) left() (list []Unfinished, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for id, kept := range k.tables {
		u := Unfinished{ID: id, At: kept.left, Busy: kept.busy}
		for _, e := range kept.events {
			if u.State, err = u.State.Apply(e); err != nil {
				return nil, err
			}
		}
		list = append(list, u)
	}
	slices.SortFunc(list, func(a, b Unfinished) int {
		return cmp.Or(b.At.Compare(a.At), strings.Compare(a.ID, b.ID))
	})
	return list, nil
}

func (k *memory) table(id string) (Log, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.tables == nil {
		k.tables = map[string]*savedTable{}
	}
	kept := k.tables[id]
	if kept == nil {
		kept = &savedTable{}
		k.tables[id] = kept
	}
	if kept.busy {
		return Log{}, errKeptBusy
	}
	kept.busy = true
	return Log{
		Events: slices.Clone(kept.events), Left: kept.left,
		Append: func(events ...match.Event) error {
			k.mu.Lock()
			defer k.mu.Unlock()
			if kept.full == nil {
				kept.events = append(kept.events, events...)
				kept.left = events[len(events)-1].At
			}
			return kept.full
		},
		Close: func(left time.Time) error {
			return k.change(func() { kept.busy, kept.left = false, left })
		},
	}, nil
}

// change changes the memory, and returns nil.
func (k *memory) change(do func()) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	do()
	return nil
}

// crashed returns the saved state as it is if the program is killed now.
func (k *memory) crashed() *memory {
	left := &memory{
		settings: k.settings, games: slices.Clone(k.games), streak: k.streak, solve: k.solve,
		tables: map[string]*savedTable{},
	}
	for id, kept := range k.tables {
		left.tables[id] = &savedTable{events: slices.Clone(kept.events), left: kept.left}
	}
	return left
}

func (k *memory) world() World {
	solve := k.solve
	if solve == nil {
		solve = solveOnce
	}
	return World{
		Solve: solve,
		Load: func() (text []byte, err error) {
			err = k.change(func() { text = k.settings })
			return text, err
		},
		Save: func(text []byte) error { return k.change(func() { k.settings = text }) },
		Games: func() (games []digit.Record, err error) {
			err = k.change(func() { games = slices.Clone(k.games) })
			return games, err
		},
		Keep: func(rec digit.Record) error {
			return k.change(func() { k.games = append(k.games, rec) })
		},
		Drop: func(rec digit.Record) error {
			return k.change(func() {
				k.games = slices.DeleteFunc(k.games, func(g digit.Record) bool {
					return g.String() == rec.String()
				})
			})
		},
		Tables: k.left,
		Table:  k.table,
		Forget: func(id string) error { return k.change(func() { delete(k.tables, id) }) },
		Streak: func() (days coach.Diary, err error) {
			err = k.change(func() { days = k.streak })
			return days, err
		},
		Count: func(day coach.Day, right bool) error {
			return k.change(func() {
				k.streak = k.streak.After(coach.DayOf(time.Now().UTC()), day, right)
			})
		},
		Servers: k.servers.servers(),
		Now:     func() time.Time { return time.Now().UTC() },
		Tick:    tea.Tick, Pace: 500 * time.Millisecond, Seed: 7, Getenv: k.getenv,
	}
}

// A screen runs a model in a synctest bubble, where time passes only when all goroutines wait.
type screen struct {
	t *testing.T
	*Model
	memory *memory
	msgs   chan tea.Msg
	quit   bool
	bells  int // how often the bell rang
}

// onScreen runs a test with a new model in a bubble.
func onScreen(t *testing.T, k *memory, start Start, test func(*screen)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &screen{t: t, memory: k, Model: New(k.world(), start), msgs: make(chan tea.Msg, 1000)}
		defer func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			time.Sleep(time.Minute) // the last ticks
		}()
		s.run(s.Init())
		s.size(80, 24)
		s.send(tea.ColorProfileMsg{Profile: colorprofile.TrueColor})
		test(s)
	})
}

// run runs a command in a goroutine, as Bubble Tea does.
func (s *screen) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, cmd := range msg {
				s.run(cmd)
			}
		default:
			s.msgs <- msg
		}
	}()
}

// send sends a message to the model, and all messages that follow before time passes.
func (s *screen) send(msg tea.Msg) {
	s.update(msg)
	s.settle()
}

func (s *screen) update(msg tea.Msg) {
	if _, ok := msg.(tea.QuitMsg); ok {
		s.quit = true
		return
	}
	if raw, ok := msg.(tea.RawMsg); ok && raw.Msg == "\a" {
		s.bells++
	}
	_, cmd := s.Update(msg)
	s.View()
	s.run(cmd)
}

func (s *screen) settle() {
	for {
		synctest.Wait()
		select {
		case msg := <-s.msgs:
			s.update(msg)
		default:
			return
		}
	}
}

// pass lets time pass. Meanwhile computers play and clocks run.
func (s *screen) pass(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		time.Sleep(min(time.Until(end), tickTime))
		s.settle()
	}
}

func (s *screen) size(w, h int) { s.send(tea.WindowSizeMsg{Width: w, Height: h}) }

// press presses keys, by their names.
func (s *screen) press(keys ...string) {
	for _, k := range keys {
		s.send(keyPress(k))
	}
}

// keyPress returns the message of a key.
func keyPress(k string) tea.KeyPressMsg {
	codes := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab,
		"backspace": tea.KeyBackspace,
		"up":        tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd,
		"f12": tea.KeyF12,
	}
	if code, ok := codes[k]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if letter, ok := strings.CutPrefix(k, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl}
	}
	if letter, ok := strings.CutPrefix(k, "alt+"); ok {
		return tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModAlt}
	}
	if k == "space" {
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	}
	return tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
}

// click clicks on the middle of the first occurrence of a text.
func (s *screen) click(text string) {
	s.t.Helper()
	for y, line := range strings.Split(s.text(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			x := draw.Width(before) + draw.Width(text)/2
			s.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
			return
		}
	}
	s.t.Fatalf("%q is not on the screen:\n%s", text, s.text())
}

var codes = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// text returns the screen without colours.
func (s *screen) text() string { return codes.ReplaceAllString(s.View().Content, "") }

// shows fails unless all texts are on the screen.
func (s *screen) shows(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if !strings.Contains(s.text(), text) {
			s.t.Errorf("%q is not on the screen:\n%s", text, s.text())
		}
	}
}
