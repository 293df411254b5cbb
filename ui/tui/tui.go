// Package tui is full-screen play in a terminal: a menu, tables, analysis, reviews and puzzles,
// with keys or the mouse.
//
// A [Model] does not know where it runs. It gets data and time from a [World], and learns about its
// terminal from messages, so it can run at a local terminal or over a network. The state of a game
// is that of its [match.Table], which the model watches. The model itself holds only the state of
// the screen.
//
// A page has a file of its own:
//   - menu.go, settingspage.go, textpage.go (the rules) and help.go
//   - setup.go (a new game), serversetup.go (the same at a server) and houserules.go
//   - table*.go (a game) with lesson.go, randomopening.go and remotetable.go
//   - savedpage.go (the saved games), server.go (the tables of a server) and review*.go
//   - puzzles.go, and exercise.go (a puzzle, or a mistake to try again)
//   - over another page: commands.go, confirmation.go, call.go and invitation.go
//
// Pages are made of these parts:
//   - board*.go and picker.go: the move that is being picked; picture*.go: how it is drawn
//   - list.go, form.go and field.go: items, settings and text
//   - view.go, layers.go, keys.go and window.go: the screen, its pages, their keys and their frame
//   - package draw: characters, frames, large digits and colours
package tui

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/solve"
)

// The size of the smallest terminal.
const (
	MinWidth  = 54
	MinHeight = 18
)

// A World is the environment of a model. Its functions may be called from any goroutine.
type World struct {
	// Solve solves a game, and calls progress from time to time.
	Solve func(
		ctx context.Context, r digit.Rules, progress func(done, total int64),
	) (*solve.Solution, error)

	Load func() ([]byte, error) // returns the text of the last Save, or nothing
	Save func([]byte) error     // saves the settings
	// returns the saved games, the oldest first, even with an error
	Games func() ([]digit.Record, error)
	Keep  func(digit.Record) error // saves a game that is over or was left
	Drop  func(digit.Record) error // deletes a saved game

	// returns the tables that were left, the last one first, even with an error
	Tables func() ([]Unfinished, error)
	Table  func(id string) (Log, error) // opens a table that was left, or a new one
	Forget func(id string) error        // deletes a table that is not open

	Streak func() (coach.Diary, error)           // returns the results of the daily puzzles
	Count  func(day coach.Day, right bool) error // saves an answer to a daily puzzle

	Servers *Servers // access to the tables of servers

	Now  func() time.Time
	Tick func(time.Duration, func(time.Time) tea.Msg) tea.Cmd // sends a message after a time
	// the minimum time of a computer's move
	Pace time.Duration
	Seed uint64 // random seed

	Getenv  func(string) string // the environment of the terminal
	Suspend bool                // ctrl+z suspends the program
}

// A Start says what a model shows first. The zero Start is the menu.
type Start struct {
	Play     *Settings       // a table with these settings, which are not saved
	Sitting                  // this table, which the caller keeps
	Puzzle   *Puzzle         // this puzzle
	Games    []digit.Record  // the reviews of these games
	Retry    bool            // their mistakes, to play them again
	Replay   bool            // they begin at the first move, not at the turning point
	Solution *solve.Solution // the solution of a game that is already solved
	Learn    bool            // the first lesson
	Continue bool            // the last unfinished game
	Server   string          // the tables of this server
	Link     string          // with Server: the table of this link, over the list
	NewGame  func(*Settings) // the menu at the last game, with settings changed by this function
}

// A Model is the program as a [tea.Model]. The caller must call [Model.Close] in the end.
type Model struct {
	world    World
	start    Start
	ctx      context.Context // ends when the model is closed
	stop     context.CancelFunc
	work     sync.RWMutex // work in the background holds it for reading
	cmds     []tea.Cmd    // to start after the current message
	settings Settings
	saved    Settings // the settings that were saved last
	saving   bool
	streak   coach.Diary
	tables   []Unfinished // the tables that were left, the last one first
	seats    []SavedSeat  // the seats at servers, the newest first
	layers   []layer      // the pages on the screen, the top one last; the first is the menu
	menu     *menu
	games    map[digit.Rules]*study

	width, height int
	depth         colorprofile.Profile
	dark          bool

	now     time.Time
	ticking bool
	seeds   uint64

	opening bool   // a table is being opened
	once    bool   // the program ends with the page that it started with
	problem string // an error to show once
	left    error
}

// New returns a model.
func New(world World, start Start) *Model {
	m := &Model{
		world: world, start: start, dark: true, depth: colorprofile.TrueColor,
		games: map[digit.Rules]*study{}, now: world.Now(),
	}
	m.ctx, m.stop = context.WithCancel(context.Background())
	text, err := world.Load()
	fresh := err == nil && len(text) == 0
	m.fail(err)
	m.settings, err = ParseSettings(text)
	m.fail(err)
	m.streak, err = world.Streak()
	m.fail(err)
	if s := start.Solution; s != nil {
		m.games[s.Rules()] = &study{rules: s.Rules(), solution: s}
	}
	if start.NewGame != nil {
		start.NewGame(&m.settings)
		m.settings = m.settings.mended()
	}
	m.saved = m.settings
	m.menu = &menu{fresh: fresh && start.NewGame == nil}
	m.menu.top(m)
	m.push(m.menu)
	return m
}

// Close ends all work of the model and waits for it. It saves unfinished games and the settings, if
// they are not saved yet.
func (m *Model) Close() error {
	var errs []error
	for _, l := range m.layers {
		if t, ok := l.page.(*table); ok {
			m.close(t)
			if rec := t.state.Record(); (t.own || t.hasEngine()) && !t.kept &&
				len(rec.Moves) > rec.Given() {
				errs = append(errs, m.world.Keep(rec))
			}
		}
	}
	m.stop()
	m.work.Lock() // when all work has ended
	defer m.work.Unlock()
	if !m.settings.same(m.saved) {
		errs = append(errs, m.world.Save(m.settings.Text()))
	}
	return errors.Join(errs...)
}

// Err returns why the user left the program: [tea.ErrInterrupted], or nil.
func (m *Model) Err() error { return m.left }

// Init implements [tea.Model].
func (m *Model) Init() tea.Cmd {
	m.send(tea.RequestBackgroundColor)
	switch {
	case m.start.Table != nil:
		m.once = m.start.Remote != nil
		m.sitAt(m.start.Sitting)
	case m.start.Puzzle != nil:
		m.once = true
		m.startPuzzle(*m.start.Puzzle)
	case len(m.start.Games) > 0:
		m.once = true
		m.openReviews(m.start.Games, 0)
	case m.start.Play != nil:
		m.play(m.start.Play.mended())
	case m.start.Continue:
		tables, err := m.world.Tables()
		m.tables = tables
		m.fail(err)
		m.resumeLast()
	case m.start.Server != "":
		m.once = true
		m.openServer(m.start.Server, m.start.Link)
	case m.start.Learn:
		m.learn()
	}
	if !m.start.Continue {
		m.readTables()
	}
	return m.upkeep()
}

// Update implements [tea.Model].
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.now = m.world.Now()
	m.handle(msg)
	return m, m.upkeep()
}

func (m *Model) handle(msg tea.Msg) {
	switch msg := msg.(type) {
	case act:
		if msg != nil {
			msg(m)
		}
	case tea.KeyPressMsg:
		m.press(msg)
	case tea.MouseClickMsg:
		if do := m.canvas().hit(msg.X, msg.Y); do != nil && msg.Button == tea.MouseLeft {
			do(m)
		}
	case tea.MouseWheelMsg:
		m.wheel(msg)
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.ColorProfileMsg:
		m.depth = msg.Profile
	case tea.BackgroundColorMsg:
		m.dark = msg.IsDark()
	case tea.PasteMsg:
		if p, ok := m.top().(typist); ok && p.typing() != nil {
			p.typing().insert(msg.Content)
			p.typed(m)
			return
		}
		for _, r := range msg.Content {
			m.press(tea.KeyPressMsg{Text: string(r), Code: r})
		}
	}
}

// upkeep starts all work that the screen needs, and returns the commands of this message.
func (m *Model) upkeep() tea.Cmd {
	for _, l := range m.layers {
		if p, ok := l.page.(interface{ upkeep(*Model) }); ok {
			p.upkeep(m)
		}
	}
	m.save()
	m.tick()
	cmds := m.cmds
	m.cmds = nil
	return tea.Batch(cmds...)
}

// fail shows an error, if there is one.
func (m *Model) fail(err error) {
	if err != nil {
		m.problem = err.Error()
	}
}

// today returns the current day.
func (m *Model) today() coach.Day { return coach.DayOf(m.now) }

// store saves something in the background, reports a failure on the screen, and calls done.
func (m *Model) store(failed string, keep func() error, done func()) {
	m.run(func() act {
		err := keep()
		return func(m *Model) {
			done()
			if err != nil {
				m.problem = fmt.Sprintf("%s: %v", failed, err)
			}
		}
	})
}

// tickTime is the time between two drawings of a screen that changes with time.
const tickTime = 100 * time.Millisecond

// tick wakes the model after a while if the screen changes with time.
func (m *Model) tick() {
	if m.ticking || !m.moving() {
		return
	}
	m.ticking = true
	m.after(tickTime, func(m *Model) { m.ticking = false })
}

// after runs an act after a time.
func (m *Model) after(d time.Duration, do act) {
	m.send(m.world.Tick(d, func(time.Time) tea.Msg { return do }))
}

// motion reports whether animations are shown. The console of Linux is too slow.
func (m *Model) motion() bool { return m.settings.Motion && m.world.Getenv("TERM") != "linux" }

// moving reports whether the screen changes with time. A game that is being solved shows progress.
func (m *Model) moving() bool {
	for _, s := range m.games {
		if s.working() {
			return true
		}
	}
	for _, l := range m.layers {
		if p, ok := l.page.(interface{ moving(*Model) bool }); ok && p.moving(m) {
			return true
		}
	}
	return m.opening
}

// spinner has the pictures that show progress.
var spinner = []string{"|", "/", "-", "\\"}

// spin returns the picture of progress, or a still one.
func (m *Model) spin() string {
	if !m.motion() {
		return "…"
	}
	return spinner[int(m.now.UnixNano()/int64(tickTime))%len(spinner)]
}

// dots returns the picture of a thinking player.
func (m *Model) dots() string {
	if !m.motion() {
		return "···"
	}
	return strings.Repeat("·", 1+int(m.now.UnixMilli()/333)%3)
}

// save saves changed settings, one at a time.
func (m *Model) save() {
	if m.saving || m.settings.same(m.saved) {
		return
	}
	m.saving = true
	kept := m.settings
	m.store("the choices were not saved", func() error {
		return m.world.Save(kept.Text())
	}, func() { m.saving, m.saved = false, kept })
}

// rng returns a new source of random numbers.
func (m *Model) rng() *rand.Rand {
	m.seeds++
	return rand.New(rand.NewPCG(m.world.Seed, m.seeds))
}
