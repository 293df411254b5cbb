// Package tui is full-screen play in a terminal: a menu, tables, analysis, reviews and puzzles, by keys or mouse.
//
// A [Model] knows nothing of where it runs. What it needs of the world comes in by [World], what the terminal is like by
// messages; so the same model is served at a local terminal and over a network. The state of a game is that of its
// [match.Table], which the model watches by a cursor; the model itself holds only what is on the screen.
package tui

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// The smallest terminal that everything fits into.
const (
	MinWidth  = 54
	MinHeight = 18
)

// A World is what a model needs from outside. All of it may be called from other goroutines than the model's.
type World struct {
	// Solve solves a game, and calls progress now and then with how much is done.
	Solve func(ctx context.Context, r digit.Rules, progress func(done, total int64)) (*solve.Solution, error)

	Load  func() ([]byte, error)         // returns what Save was given last, or nothing
	Save  func([]byte) error             // keeps the settings
	Games func() ([]digit.Record, error) // returns the games that Keep was given, the oldest first; those it could read even with an error
	Keep  func(digit.Record) error       // keeps a game that is over or was left
	Drop  func(digit.Record) error       // forgets a game that Keep was given

	Tables func() ([]Unfinished, error) // returns the tables that were left, the last one first; those it could read even with an error
	Table  func(id string) (Log, error) // takes a table that was left, or makes a new one
	Forget func(id string) error        // forgets a table that is not taken

	Streak func() (coach.Diary, error)           // returns how the player does with the daily puzzles
	Count  func(day coach.Day, right bool) error // counts an answer to a daily puzzle

	Servers *Servers // the way to tables of servers; nil: there is none

	Now  func() time.Time
	Tick func(time.Duration, func(time.Time) tea.Msg) tea.Cmd // sends a message after some time
	Pace time.Duration                                        // how long a computer takes for a move at least
	Seed uint64                                               // makes what is random repeatable

	Getenv  func(string) string // the environment of the terminal, which is to be known before anything is drawn
	Suspend bool                // whether ctrl+z may put the program to sleep
}

// A Start is where a model begins. The zero Start is the menu.
type Start struct {
	Play     *Settings       // a table with these settings, at once; they are not remembered, and those for the screen do not count
	Table    *match.Table    // this table, which others may sit at too
	Mine     []match.Seat    // the seats of Table that are played here; none: to watch
	Puzzle   *Puzzle         // this puzzle, at once
	Games    []digit.Record  // the reviews of these games
	Solution *solve.Solution // of a game that is solved already
	Learn    bool            // the first lesson, at once
	Continue bool            // the game that was left last

	// RemoteTable tells of Table, beside its events, if it is kept by another program; nil: it is not.
	Remote RemoteTable
	Invite string // the link by which somebody takes the open seat of Table; empty: none
}

// A Model is the program as [tea.Model]. Who runs it calls [Model.Close] afterwards.
type Model struct {
	world      World
	start      Start
	background background
	settings   Settings
	saved      Settings // what was saved last
	saving     bool
	streak     coach.Diary
	counts     []func() error // daily puzzles that are to be counted
	tables     []Unfinished   // that were left, the last one first
	layers     []layer        // what is on the screen, the top last; the menu is at the bottom
	games      map[digit.Rules]*study

	width, height int
	depth         depth
	noColour      bool // the environment asks for none
	dark          bool
	noUnicode     bool // the terminal does not show it
	noMotion      bool // it is slow to draw
	theme         *theme

	now     time.Time
	ticking bool
	seeds   uint64

	resuming bool   // a table is being taken up
	problem  string // something that broke, to be told once
	left     error
}

// later is a message of an off-screen goroutine: what is to be done with its result.
type later func(*Model) tea.Cmd

// New returns a model that is to begin somewhere.
func New(world World, start Start) *Model {
	m := &Model{
		world: world, start: start, dark: true, depth: fullColour, games: map[digit.Rules]*study{}, now: world.Now(),
		noColour: world.Getenv("NO_COLOR") != "", noUnicode: !showsUnicode(world.Getenv), noMotion: world.Getenv("TERM") == "linux",
	}
	text, err := world.Load()
	fresh := err == nil && len(text) == 0
	if err == nil {
		m.settings, err = ParseSettings(text)
	} else {
		m.settings = Defaults()
	}
	if err != nil {
		m.problem = err.Error()
	}
	if m.streak, err = world.Streak(); err != nil {
		m.problem = err.Error()
	}
	if s := start.Solution; s != nil {
		m.games[s.Rules()] = studied(s)
	}
	m.saved = m.settings
	m.layers = []layer{{page: newMenu(m, fresh)}}
	m.retheme()
	return m
}

// Close ends what goes on for the model, waits until it has ended, and keeps what is not kept yet: games that are left in
// the middle, and the last settings.
func (m *Model) Close() error {
	var errs []error
	for _, l := range m.layers {
		if t, ok := l.page.(*table); ok {
			m.close(t)
			if rec := t.state.Record(); (t.own || t.hasEngine()) && !t.kept && len(rec.Moves) > rec.Given() {
				errs = append(errs, m.world.Keep(rec))
			}
		}
	}
	m.background.close()
	if !m.settings.same(m.saved) {
		errs = append(errs, m.world.Save(m.settings.Text()))
	}
	return errors.Join(errs...)
}

// Err returns why the model was left in the middle of something: [tea.ErrInterrupted], or nil.
func (m *Model) Err() error { return m.left }

// Init implements [tea.Model].
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{tea.RequestBackgroundColor}
	switch {
	case m.start.Table != nil:
		cmds = append(cmds, m.sitAt(Sitting{Table: m.start.Table, Mine: m.start.Mine, Remote: m.start.Remote, Invite: m.start.Invite}))
	case m.start.Puzzle != nil:
		m.startPuzzle(*m.start.Puzzle)
	case len(m.start.Games) > 0:
		cmds = append(cmds, m.openReviews(m.start.Games, 0))
	case m.start.Play != nil:
		cmds = append(cmds, m.play(m.start.Play.mended()))
	case m.start.Continue:
		m.setTables(m.world.Tables())
		return tea.Batch(append(cmds, m.resumeLast(), m.upkeep())...)
	case m.start.Learn:
		cmds = append(cmds, m.learn())
	}
	return tea.Batch(append(cmds, m.readTables(), m.upkeep())...)
}

// Update implements [tea.Model].
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.now = m.world.Now()
	cmd := m.handle(msg)
	return m, tea.Batch(cmd, m.upkeep())
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case later:
		return msg(m)
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.MouseClickMsg:
		if msg.Button != tea.MouseLeft {
			return nil
		}
		if do := m.canvas().hit(msg.X, msg.Y); do != nil {
			return do()
		}
	case tea.MouseWheelMsg:
		return m.wheel(msg)
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.ColorProfileMsg:
		m.depth = depthOf(msg)
		m.retheme()
	case tea.BackgroundColorMsg:
		m.dark = msg.IsDark()
		m.retheme()
	case tea.PasteMsg:
		if p, ok := m.top().(typist); ok && p.typing() != nil {
			p.typing().insert(msg.Content)
			p.typed(m)
			return nil
		}
		var cmds []tea.Cmd
		for _, r := range msg.Content {
			cmds = append(cmds, m.press(tea.KeyPressMsg{Text: string(r), Code: r}))
		}
		return tea.Batch(cmds...)
	}
	return nil
}

// upkeep starts what the screen needs and does not have yet.
func (m *Model) upkeep() tea.Cmd {
	var cmds []tea.Cmd
	for _, l := range m.layers {
		if p, ok := l.page.(interface{ upkeep(*Model) tea.Cmd }); ok {
			cmds = append(cmds, p.upkeep(m))
		}
	}
	return tea.Batch(append(cmds, m.save(), m.keepCounts(), m.tick())...)
}

// count counts an answer to a daily puzzle: on the screen at once, and for good beside it.
func (m *Model) count(day coach.Day, right bool) {
	m.streak = m.streak.After(m.today(), day, right)
	m.counts = append(m.counts, func() error { return m.world.Count(day, right) })
}

// today returns the date here.
func (m *Model) today() coach.Day { return coach.DayOf(m.now) }

// keepCounts counts for good what was counted on the screen.
func (m *Model) keepCounts() tea.Cmd {
	if len(m.counts) == 0 {
		return nil
	}
	counts := m.counts
	m.counts = nil
	return m.store("the puzzle was not counted", func() error {
		var errs []error
		for _, count := range counts {
			errs = append(errs, count())
		}
		return errors.Join(errs...)
	})
}

// store keeps something off the screen; if it is not kept, people are told.
func (m *Model) store(failed string, keep func() error) tea.Cmd {
	return m.background.run(func(context.Context) later {
		err := keep()
		return func(m *Model) tea.Cmd {
			if err != nil {
				m.problem = fmt.Sprintf("%s: %v", failed, err)
			}
			return nil
		}
	})
}

// tickTime is how often the screen is drawn anew while something on it moves by itself.
const tickTime = 100 * time.Millisecond

// tick wakes the model after a while if something on the screen moves by itself.
func (m *Model) tick() tea.Cmd {
	if m.ticking || !m.moving() {
		return nil
	}
	m.ticking = true
	return m.world.Tick(tickTime, func(time.Time) tea.Msg {
		return later(func(m *Model) tea.Cmd {
			m.ticking = false
			return nil
		})
	})
}

// motion reports whether things may move.
func (m *Model) motion() bool { return m.settings.Motion && !m.noMotion }

// moving reports whether something on the screen changes with time.
func (m *Model) moving() bool {
	for _, l := range m.layers {
		if p, ok := l.page.(interface{ moving(*Model) bool }); ok && p.moving(m) {
			return true
		}
	}
	return false
}

// spin returns the picture of something that goes on, or a still one.
func (m *Model) spin() string {
	pictures := spinner
	if m.theme.ascii {
		pictures = asciiSpinner
	}
	if !m.motion() {
		return "…"
	}
	return pictures[int(m.now.UnixNano()/int64(tickTime))%len(pictures)]
}

// dots are the picture of somebody thinking.
func (m *Model) dots() string {
	if !m.motion() {
		return "···"
	}
	return strings.Repeat("·", 1+int(m.now.UnixMilli()/333)%3)
}

// save keeps the settings when they have changed, one time after the other.
func (m *Model) save() tea.Cmd {
	if m.saving || m.settings.same(m.saved) {
		return nil
	}
	m.saving = true
	kept := m.settings
	stored := m.store("the choices were not saved", func() error { return m.world.Save(kept.Text()) })
	return first(stored, func(m *Model) { m.saving, m.saved = false, kept })
}

// keep keeps a game.
func (m *Model) keep(rec digit.Record) tea.Cmd {
	if len(rec.Moves) <= rec.Given() {
		return nil
	}
	return m.store("the game was not saved", func() error { return m.world.Keep(rec) })
}

// rng returns a source of random numbers that is different each time.
func (m *Model) rng() *rand.Rand {
	m.seeds++
	return rand.New(rand.NewPCG(m.world.Seed, m.seeds))
}

// interrupt ends the program in the middle of things.
func (m *Model) interrupt() tea.Cmd {
	m.left = tea.ErrInterrupted
	return tea.Quit
}
