package tui

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"digitduel/ui/tui/draw"
)

// programVar is the environment variable that makes the test binary run the named program.
const programVar = "TUI_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if name := os.Getenv(programVar); name != "" {
		os.Exit(program(name))
	}
	os.Exit(m.Run())
}

// empty is a minimal full-screen program.
type empty struct{}

func (empty) Init() tea.Cmd { return nil }
func (e empty) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	return e, nil
}
func (empty) View() tea.View { return tea.View{Content: "games of numbers", AltScreen: true} }

// breaking is a model that panics at the key !, and in another goroutine at the key @.
type breaking struct{ *Model }

func (b breaking) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "!":
			panic("broken on purpose")
		case "@":
			b.run(func() act { panic("broken on purpose") })
		}
	}
	_, cmd := b.Model.Update(msg)
	return b, cmd
}

// program runs the named program, and returns its exit code.
func program(name string) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if file := os.Getenv("TUI_TEST_PID"); file != "" {
		if err := os.WriteFile(file, fmt.Append(nil, os.Getpid()), 0o644); err != nil {
			return 1
		}
	}
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler()}
	k := &memory{}
	world := k.world()
	world.Getenv = os.Getenv
	m := New(world, Start{})
	var model tea.Model = m
	switch name {
	case "empty":
		model = empty{}
	case "breaking":
		model = breaking{m}
	}
	if os.Getenv("TUI_TEST_PIPE") != "" {
		options = append(options,
			tea.WithInput(nil), tea.WithOutput(os.Stdout), tea.WithWindowSize(120, 40))
	}
	_, err := tea.NewProgram(model, options...).Run()
	if closing := m.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = m.Err()
	}
	for _, rec := range k.games {
		fmt.Println("kept:", rec)
	}
	if err != nil {
		fmt.Println("left:", err)
		return 1
	}
	return 0
}

// A pane is a terminal in tmux that runs a program.
type pane struct {
	t      *testing.T
	socket string
}

// open starts a program in a terminal, which shows its exit code and the state of the terminal
// after it.
func open(t *testing.T, name, environment string) pane { return openTo(t, name, environment, "&1") }

// openTo is like open, but redirects the standard error of the program.
func openTo(t *testing.T, name, environment, stderr string) pane {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "tui") // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	p := pane{t, filepath.Join(folder, "tmux")}
	p.tmux("-f", "/dev/null", "-u", "new-session", "-d", "-x", "100", "-y", "26", "sh", "-c",
		fmt.Sprintf(`env -u NO_COLOR -u COLORTERM -u CLICOLOR -u CLICOLOR_FORCE LANG=C.UTF-8`+
			` LC_ALL= LC_CTYPE= %s %s=%s TUI_TEST_PID=%s %s 2>%s;`+
			` echo "exit code $?"; stty -a; exec cat`,
			environment, programVar, name, filepath.Join(folder, "pid"), self, stderr))
	t.Cleanup(func() { p.tmux("kill-server") })
	return p
}

func (p pane) tmux(args ...string) string {
	p.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", p.socket}, args...)...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

// types presses keys, by their names in tmux.
func (p pane) types(keys ...string) {
	p.t.Helper()
	p.tmux(append([]string{"send-keys"}, keys...)...)
}

// clicks clicks on the first occurrence of a text.
func (p pane) clicks(text string) {
	p.t.Helper()
	for y, line := range strings.Split(p.shows(regexp.QuoteMeta(text)), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			x := draw.Width(before) + draw.Width(text)/2
			for _, end := range "Mm" {
				var hex []string
				for _, b := range fmt.Appendf(nil, "\x1b[<0;%d;%d%c", x+1, y+1, end) {
					hex = append(hex, strconv.FormatInt(int64(b), 16))
				}
				p.tmux(append([]string{"send-keys", "-H"}, hex...)...)
			}
			return
		}
	}
}

// screen returns the text on the screen, with colours.
func (p pane) screen() string { return p.tmux("capture-pane", "-p", "-e", "-N") }

// shows waits until a pattern matches the screen, and returns the screen without colours.
func (p pane) shows(pattern string) string {
	p.t.Helper()
	want := regexp.MustCompile(`(?m)` + pattern)
	deadline := time.Now().Add(20 * time.Second)
	for look := time.NewTicker(10 * time.Millisecond); ; <-look.C {
		text := codes.ReplaceAllString(p.screen(), "")
		if want.MatchString(text) {
			return text
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("no match for %s:\n%s", pattern, text)
		}
	}
}

// restored fails unless the program ended with an exit code and restored the terminal.
func (p pane) restored(exit string) {
	p.t.Helper()
	text := p.shows(`exit code \d+(\n.*)+ echoke`)
	if !strings.Contains(text, "exit code "+exit) {
		p.t.Errorf("want exit code %s:\n%s", exit, text)
	}
	if !strings.Contains(text, " icanon") || strings.Contains(text, "-icanon") ||
		strings.Contains(text, "-echo ") {
		p.t.Errorf("the terminal is not restored:\n%s", text)
	}
	got := p.tmux("display-message", "-p",
		"alternate #{alternate_on} cursor #{cursor_flag} mouse #{mouse_any_flag}")
	if want := "alternate 0 cursor 1 mouse 0\n"; got != want {
		p.t.Errorf("the terminal is left with %swant %s", got, want)
	}
}

// TestTerminal plays at a real terminal with keys and mouse, resizes it, and leaves during a game.
func TestTerminal(t *testing.T) {
	t.Parallel()
	p := open(t, "menu", "")
	p.shows("games of numbers(.*\n)+.*The higher number wins")
	p.types("3", "Left") // highest, with a person
	p.shows("Opponent.*a person here")
	p.types("Enter")
	p.shows("PLAYER 1'S TURN +Pick a digit")
	p.types("9", "a")
	p.shows("PLAYER 2'S TURN +Pick a digit")
	p.clicks("│ 8 │")
	p.shows("Where does 8 go")
	p.types("Right")
	p.clicks("Bksp put the 8 back")
	p.shows("PLAYER 2'S TURN +Pick a digit")
	p.tmux("resize-window", "-x", "50", "-y", "16")
	p.shows("This window is 50×16")
	p.tmux("resize-window", "-x", "120", "-y", "40")
	p.shows("PLAYER 2'S TURN +Pick a digit")
	p.types("Space", "a")
	p.shows("(wins|loses|draws)")
	if screen := p.screen(); !strings.Contains(screen, "\x1b[") {
		t.Error("there are no colours")
	}
	p.types("Escape") // to the menu, with the game saved
	p.shows("Continue")
	p.types("Enter")
	p.shows("PLAYER 2'S TURN +Pick a digit")
	p.types("C-c")
	p.shows(`kept: highest 9a \*`)
	p.shows("left: program was interrupted")
	p.restored("1")
}

// TestTerminalQuit checks that the terminal is restored after q, a signal and panics.
func TestTerminalQuit(t *testing.T) {
	t.Parallel()
	for _, way := range []struct {
		name, program, exit string
		leave               func(pane)
	}{
		{"quit", "menu", "0", func(p pane) { p.types("q") }},
		{"panic", "breaking", "1", func(p pane) { p.types("!") }},
		{"panic in a goroutine", "breaking", "1", func(p pane) { p.types("@") }},
		{"signal", "menu", "1", func(p pane) {
			text, err := os.ReadFile(filepath.Join(filepath.Dir(p.socket), "pid"))
			if err != nil {
				p.t.Fatal(err)
			}
			pid, err := strconv.Atoi(string(text))
			if err != nil {
				p.t.Fatal(err)
			}
			if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
				p.t.Fatal(err)
			}
		}},
	} {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			p := open(t, way.program, "")
			p.shows("games of numbers")
			way.leave(p)
			p.restored(way.exit)
		})
	}
}

// setsColour matches the codes that set a colour. 39 and 49 reset it.
var setsColour = regexp.MustCompile("\x1b\\[([0-9;]*;)?[34][0-8][0-9;:]*m")

// TestFirstFrame checks that the first frame follows the environment, before the terminal has
// reported more than its size.
func TestFirstFrame(t *testing.T) {
	for _, tt := range []struct {
		name, value    string
		colours, ascii bool
	}{
		{"LANG", "en_GB.UTF-8", true, false},
		{"NO_COLOR", "yes", false, false},
		{"LANG", "C", true, true},
	} {
		m := New((&memory{environ: map[string]string{tt.name: tt.value}}).world(), Start{})
		m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
		frame := m.View().Content
		if got := setsColour.MatchString(frame); got != tt.colours {
			t.Errorf("%s=%s: colours: %v, want %v:\n%q", tt.name, tt.value, got, tt.colours, frame)
		}
		if got := isASCII(frame); got != tt.ascii {
			t.Errorf("%s=%s: only ASCII: %v, want %v:\n%s", tt.name, tt.value, got, tt.ascii, frame)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}

// TestTerminalKinds checks that the screen follows the environment: no colours, no Unicode.
func TestTerminalKinds(t *testing.T) {
	t.Parallel()
	for _, kind := range []struct {
		name, program, environment string
		shows                      string
		colours, ascii             bool
	}{
		{"colours", "menu", "", "games of numbers", true, false},
		{"NO_COLOR", "menu", "NO_COLOR=yes", "games of numbers", false, false},
		{"ascii", "menu", "LANG=C", "games of numbers", true, true},
	} {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			p := open(t, kind.program, kind.environment)
			p.shows(kind.shows + `(.*\n)+.*The higher number wins`)
			screen := p.screen()
			if got := setsColour.MatchString(screen); got != kind.colours {
				t.Errorf("colours: %v, want %v:\n%q", got, kind.colours, screen)
			}
			if got := isASCII(screen); got != kind.ascii {
				t.Errorf("only ASCII: %v, want %v:\n%s", got, kind.ascii, screen)
			}
			p.types("q")
			p.restored("0")
		})
	}
}

// TestTerminalInit checks that no package is slow to initialize at a terminal in tmux, where Lip
// Gloss would run a program.
func TestTerminalInit(t *testing.T) {
	t.Parallel()
	// The limits are in milliseconds. Running a program takes more than two.
	const longest, running, runs = 5.0, 2.0, 20
	fastest := map[string]float64{}
	slow := func() (all []string) {
		for pkg, ms := range fastest {
			if ms > longest || pkg == lipGloss && ms > running {
				all = append(all, fmt.Sprintf("%s %.1f ms", pkg, ms))
			}
		}
		return all
	}
	// A busy machine makes a run slow, but not every run.
	for run := 0; run == 0 || len(slow()) > 0 && run < runs; run++ {
		trace := filepath.Join(t.TempDir(), "trace")
		p := openTo(t, "menu", "GODEBUG=inittrace=1", trace)
		p.shows("games of numbers")
		p.types("q")
		p.restored("0")
		text, err := os.ReadFile(trace)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) { // init PACKAGE @0.1 ms, 0.2 ms clock, …
			words := strings.Fields(line)
			if len(words) < 6 || words[0] != "init" {
				continue
			}
			if ms, err := strconv.ParseFloat(words[4], 64); err == nil {
				if before, seen := fastest[words[1]]; !seen || ms < before {
					fastest[words[1]] = ms
				}
			}
		}
	}
	if all := slow(); len(all) > 0 {
		t.Errorf("slow to initialize, more than %.0f ms or for Lip Gloss %.0f ms: %q",
			longest, running, all)
	}
	if _, traced := fastest[lipGloss]; !traced {
		t.Error("the trace has no line for Lip Gloss")
	}
}

const lipGloss = "charm.land/lipgloss/v2"

// TestFirstScreen compares the time from the start of the program to the menu with that of an empty
// full-screen program. A busy machine makes a run slow, but not every run: the fastest of at least
// five counts.
func TestFirstScreen(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const beyond, least, most = 50 * time.Millisecond, 5, 100
	empty, menu := time.Hour, time.Hour
	for run := 1; run <= most; run++ {
		empty = min(empty, firstScreen(t, self, "empty"))
		menu = min(menu, firstScreen(t, self, "menu"))
		if run >= least && menu-empty < beyond {
			t.Logf("an empty program takes %v to its first screen, the menu %v", empty, menu)
			return
		}
	}
	t.Errorf("the menu takes %v longer than an empty screen, want at most %v", menu-empty, beyond)
}

// firstScreen returns the time until a program has written its first screen.
func firstScreen(t *testing.T, self, name string) time.Duration {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), programVar+"="+name, "TUI_TEST_PIPE=1",
		"TERM=xterm-256color", "LANG=C.UTF-8", "LC_ALL=", "TMUX=")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read := bufio.NewReader(out)
	var seen bytes.Buffer
	for !bytes.Contains(seen.Bytes(), []byte("numbers")) {
		b, err := read.ReadByte()
		if err != nil {
			t.Fatalf("%s: %v after %q", name, err, seen.String())
		}
		seen.WriteByte(b)
	}
	took := time.Since(began)
	stop()
	_ = cmd.Wait() // it was killed
	return took
}
