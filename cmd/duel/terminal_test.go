package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// A pane is a terminal in tmux.
type pane struct {
	t      *testing.T
	socket string // of its own tmux server
}

// openPane starts a command in a terminal. After the command it prints the exit code and the
// settings of the terminal.
func openPane(t *testing.T, command string) pane {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	folder, err := os.MkdirTemp("", "duel") // t.TempDir would be too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	p := pane{t, filepath.Join(folder, "tmux")}
	p.tmux("-f", "/dev/null", "-u", "new-session", "-d", "-x", "100", "-y", "40",
		"sh", "-c", "trap : INT; "+command+`; echo "exit code $?"; stty -a; exec cat`)
	t.Cleanup(func() { p.tmux("kill-server") })
	return p
}

func (p pane) tmux(args ...string) string {
	p.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-S", p.socket}, args...)...)
	// Tests have their own home so that they don't change the user's games.
	home := filepath.Join(filepath.Dir(p.socket), "home")
	cmd.Env = append(slices.DeleteFunc(os.Environ(), aboutTerminal),
		"LANG=C.UTF-8", "XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home)
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

// aboutTerminal reports whether an environment variable describes the terminal that the tests run
// in.
func aboutTerminal(line string) bool {
	name, _, _ := strings.Cut(line, "=")
	return strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "TMUX") || strings.HasPrefix(name, "CLICOLOR") ||
		slices.Contains([]string{"LANG", "NO_COLOR", "COLORTERM", "COLUMNS", "LINES"}, name)
}

// types presses keys: names of tmux, or text.
func (p pane) types(keys ...string) {
	p.t.Helper()
	p.tmux(append([]string{"send-keys"}, keys...)...)
}

// shows waits until the screen matches a pattern, and returns the screen.
func (p pane) shows(pattern string) string {
	p.t.Helper()
	want := regexp.MustCompile(`(?m)` + pattern)
	deadline := time.Now().Add(20 * time.Second)
	for look := time.NewTicker(20 * time.Millisecond); ; <-look.C {
		screen := p.tmux("capture-pane", "-p", "-e", "-J")
		if want.MatchString(uncoloured(screen)) {
			return screen
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("the screen does not match %s:\n%s", pattern, screen)
		}
	}
}

func uncoloured(text string) string {
	return regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(text, "")
}

// restored checks the exit code, and that the settings of the terminal are restored.
func (p pane) restored(code int) {
	p.t.Helper()
	p.shows(fmt.Sprintf(`^exit code %d$`, code))
	screen := p.shows(`\bechoke\b`) // one of the last settings, on or off
	for _, setting := range []string{" icanon", " echo ", " isig"} {
		if !strings.Contains(strings.ReplaceAll(uncoloured(screen), "\n", " "), setting) {
			p.t.Errorf("the terminal is not restored: no%s:\n%s", setting, screen)
		}
	}
}

// TestTerminal plays, replays and reviews games at a terminal: line editing, history, colours,
// menus, clocks and interrupts.
func TestTerminal(t *testing.T) {
	t.Parallel()
	t.Run("line editing and history", func(t *testing.T) {
		t.Parallel()
		p := openPane(t, "duel play --line dilemma")
		p.shows(`pick: $`)
		p.types("7 lft", "Left", "Left", "e", "Enter")
		p.shows(`^Player 1's Number: 7 _ _$`)
		p.types("99", "BSpace", " mm", "BSpace", "Enter")
		p.shows(`^Player 2's Number: _ 9 _$`)
		p.types("Up")
		p.shows(`pick: 9 m$`)
		p.types("Up")
		p.shows(`pick: 7 left$`)
		p.types("Enter")
		p.shows(`^You already have 7\. Still in the pool: 0 1 2 3 4 5 6 8\.$`)
		p.types("quit", "Enter")
		p.shows(`^Unfinished: stopped after \d digits?\.$`)
		p.restored(0)
	})
	t.Run("the full screen from the menu", func(t *testing.T) {
		t.Parallel()
		home := t.TempDir()
		p := openPane(t, "XDG_CONFIG_HOME="+home+" XDG_DATA_HOME="+home+" duel")
		p.shows(`Divisibility Duel +First multiple of \d+ wins`)
		p.types("4")
		p.shows(`new game`)
		p.types("Enter")
		p.shows(`YOUR TURN +Pick your first digit`)
		p.types("7")
		p.shows(`start with 7`)
		p.types("Enter")
		p.shows(`YOUR TURN`) // again, after the computer
		p.types("Space", "x")
		p.shows(`Resign`)
		p.types("y")
		p.shows(`NOT THIS TIME`)
		p.types("Escape")
		p.shows(`games of numbers`)
		p.types("q")
		p.restored(0)
		kept, err := os.ReadFile(home + "/duel/games.txt")
		if err != nil || !strings.HasPrefix(string(kept), "divisibility target=33 7R ") ||
			!strings.Contains(string(kept), " 0-1 resigned; ") {
			t.Errorf("saved %q, %v", kept, err)
		}
	})
	t.Run("the full screen of a table", func(t *testing.T) {
		t.Parallel()
		home := t.TempDir()
		p := openPane(t, "XDG_CONFIG_HOME="+home+" XDG_DATA_HOME="+home+
			" duel play highest --names Ada,Ben --record "+home+"/mine")
		p.shows(`ADA.S TURN +Pick a digit`)
		p.types("9", "a", "Enter")
		p.shows(`BEN.S TURN +Pick a digit`)
		p.types("C-c")
		p.restored(130)
		kept, err := os.ReadFile(home + "/mine")
		if err != nil ||
			!strings.HasPrefix(string(kept), "highest 9a *; first=Ada second=Ben starts=1 ") {
			t.Errorf("saved %q, %v", kept, err)
		}
	})
	t.Run("colours", func(t *testing.T) {
		t.Parallel()
		p := openPane(t, "duel play --line highest")
		if screen := p.shows(`select: $`); !strings.Contains(screen, "\x1b[36m") {
			t.Errorf("the prompt is not coloured: %q", screen)
		}
		p.types("C-d")
		p.restored(1)
	})
	for _, command := range []string{
		"NO_COLOR=1 duel play --line highest", "duel play highest --plain", "TERM=dumb duel play highest",
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			p := openPane(t, command)
			p.shows(`select: $`)
			p.types("77", "Enter")
			if screen := p.shows(`^Type one digit\. `); strings.Contains(screen, "\x1b[") {
				t.Errorf("the screen has colours: %q", screen)
			}
			p.types("9a", "Enter")
			p.shows(`^Player 1's Number: \[9\]\[ \]\[ \]$`)
			p.types("C-c")
			p.restored(130)
		})
	}
	t.Run("a series left between games", func(t *testing.T) {
		t.Parallel()
		home := t.TempDir()
		p := openPane(t, "XDG_CONFIG_HOME="+home+" XDG_DATA_HOME="+home+
			" duel play highest --line --best-of 3")
		p.shows(`select: $`)
		p.types("9a", "Enter")
		p.shows(`^Player 1's Number: \[9\]\[ \]\[ \]$`)
		p.types("resign", "Enter")
		p.shows(`^Review this game\? \(y/N\) $`)
		p.types("quit", "Enter")
		p.shows(`^The game is saved\. To continue it: duel play --continue$`)
		p.restored(0)
	})
	t.Run("the menu in lines", func(t *testing.T) {
		t.Parallel()
		home := t.TempDir()
		duel := "XDG_CONFIG_HOME=" + home + " XDG_DATA_HOME=" + home + " duel"
		p := openPane(t, duel+" play --line --turn-time 10m")
		p.shows(`^Type a number, or quit: $`)
		p.types("3", "Enter")
		p.shows(`Enter for casual: $`)
		p.types("person", "Enter")
		p.shows(`^\[(10:00|9:\d\d)\] Enter the digit you want to select: $`)
		p.types("9a", "Enter")
		p.shows(`^Player 1's Number: \[9\]\[ \]\[ \]$`)
		p.shows(`^\[9:\d\d\] Enter the digit you want to select: $`) // the clock runs here too
		p.types("quit", "Enter")
		p.shows(`^The game is saved\. To continue it: duel play --continue$`)
		p.restored(0)
		p = openPane(t, duel+" play dilemma --line")
		p.shows(`pick: $`)
		p.types("7a", "Enter")
		p.shows(`^Player 1's Number: 7 _ _$`)
		p.types("quit", "Enter")
		p.restored(0)
		p = openPane(t, duel+" --plain")
		p.shows(`^  0  Continue: Dilemma, 2 people, just now: Player 2's turn\.$`)
		p.shows(`^ 13  Continue: Highest, 2 people, just now: Player 2's turn\.$`)
		p.types("13", "Enter")
		p.shows(`^\[9:\d\d\] Enter the digit you want to select: $`)
		p.types("8a", "Enter")
		p.shows(`^Player 2's Number: \[8\]\[ \]\[ \]$`)
		p.types("resign", "Enter")
		p.shows(`^Player 1 resigned\. Player 2 wins\.$`)
		p.restored(0)
		kept, err := os.ReadFile(home + "/duel/games.txt")
		if err != nil || !strings.HasPrefix(string(kept), "highest 9a 8a 0-1 resigned; ") {
			t.Errorf("saved %q, %v", kept, err)
		}
		p = openPane(t, duel+" --plain")
		p.shows(`^ 13  Review: Highest, 2 people, just now: Player 2 won\. `)
		p.shows(`^All your finished games: duel review `)
		p.types("13", "Enter")
		p.shows(`^Game 1 \(line 1\): `)
		p.restored(0)
	})
	chosen := t.TempDir()
	if err := os.MkdirAll(chosen+"/duel", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(chosen+"/duel/choices.json", []byte(`{"plain":true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, environment := range map[string]string{
		"a dumb terminal": "TERM=dumb", "an unknown terminal": "TERM=", "a small window": "stty rows 17;",
		"the setting": "XDG_CONFIG_HOME=" + chosen,
	} {
		t.Run(name+" has the menu in lines", func(t *testing.T) {
			t.Parallel()
			p := openPane(t, environment+" duel")
			p.shows(`^Type a number, or quit: $`)
			p.types("C-c")
			p.restored(130)
		})
	}
	t.Run("clock", func(t *testing.T) {
		t.Parallel()
		p := openPane(t, "duel play --line reverse --turn-time 10m")
		// Some seconds may have passed.
		p.shows(`^\[(10:00|9:\d\d)\] Select a digit from the available digits: $`)
		p.types("6")
		// The clock runs while the player types.
		p.shows(`^\[9:\d\d\] Select a digit from the available digits: 6$`)
		p.types(" ones", "Enter")
		p.shows(`^Player 1 Board: \[_\] \[_\] \[6\]$`)
		p.shows(`^\[(10:00|9:\d\d)\] Select a digit from the available digits: $`)
		p.types("C-c")
		p.restored(130)
	})
	t.Run("time out", func(t *testing.T) {
		t.Parallel()
		p := openPane(t, "duel play --line highest --turn-time 1s")
		p.types("9")
		p.shows(`^Player 1's time ran out\. Player 2 wins\.$`)
		p.shows(`^Review this game\? \(y/N\) `)
		p.types("Enter")
		p.restored(0)
	})
	t.Run("a review is offered", func(t *testing.T) {
		t.Parallel()
		p := openPane(t, "duel play --line divisibility target=7 --p2 perfect --hints")
		p.shows(`digits: $`)
		p.types("hint", "Enter")
		p.shows(`^Hint: You can win this turn\. `)
		p.types("hint", "Enter", "hint", "Enter")
		p.shows(`^Hint: Start with 7: 7 is a multiple of 7 on its own\. It's your only winning move\.$`)
		p.types("7R", "Enter")
		p.shows(`^Review this game\? \(y/N\) $`)
		p.types("y", "Enter")
		p.shows(`^Player 1 got 1 of 1 decision right\. Player 2 had nothing to decide\.$`)
		p.restored(0)
	})
	t.Run("a target is agreed on", func(t *testing.T) {
		t.Parallel()
		p := openPane(t, "duel play --line divisibility")
		p.shows(`^Agree on a target: 7 \(the book's example\), 11, 13, 33, other\. Enter for 33: $`)
		p.types("1", "Enter")
		p.shows(`^target: 1 is out of range; allowed: 2 to 9999$`)
		p.types("13", "Enter")
		p.shows(`^First multiple of 13 wins\. Type help at any prompt\.$`)
		p.shows(`^Target Number: 13$`)
		p.types("quit", "Enter")
		p.restored(0)
		p = openPane(t, "duel play divisibility")
		p.shows(`Enter for 33: $`)
		p.types("Enter")
		p.shows(`First multiple of 33 wins`)
		p.shows(`TURN +Pick your first digit`)
		p.types("C-c")
		p.restored(130)
	})
	t.Run("half a typed line is dropped with its turn", func(t *testing.T) {
		t.Parallel()
		p := openPane(t, "duel play --line highest --turn-time 2s --on-timeout random")
		p.shows(`select: $`)
		p.types("9 hun", "Left")
		p.shows(`^Player 1's time ran out, so a random digit was played: \d in the (hundreds|tens|ones|units) place(.|\n)*^\[0:0\d\] Enter the digit you want to select: $`)
		p.types("C-c") // it may be the turn of either player
		p.restored(130)
	})
	t.Run("home and end", func(t *testing.T) {
		t.Parallel()
		p := openPane(t, "duel play --line dilemma")
		p.shows(`pick: $`)
		p.types("lef", "Home", "7 ", "End", "t", "Enter")
		p.shows(`^Player 1's Number: 7 _ _$`)
		p.types("C-c")
		p.restored(130)
	})
	t.Run("the question after a game", func(t *testing.T) {
		t.Parallel()
		p := openPane(t, "duel play --line divisibility target=7 --best-of 3")
		p.types("7r", "Enter")
		p.shows(`^Review this game\? \(y/N\) $`)
		p.types("board", "Enter")
		p.shows(`^Player 2: nothing yet$`)
		p.types("quit", "Enter")
		p.shows(`^Player 1 leads 1–0\.$`)
		p.restored(0)
	})
	t.Run("interrupted at the question after a game", func(t *testing.T) {
		t.Parallel()
		p := openPane(t, "duel play --line divisibility target=7")
		p.types("7r", "Enter")
		p.shows(`^Review this game\? \(y/N\) $`)
		p.types("C-c")
		p.shows(`^duel: interrupted$`)
		p.restored(130)
	})
	t.Run("interrupted while typing", func(t *testing.T) {
		t.Parallel()
		p := openPane(t, "duel play --line dilemma --record "+t.TempDir()+"/games")
		p.shows(`pick: $`)
		p.types("7 le")
		p.shows(`pick: 7 le$`)
		p.types("C-c")
		p.shows(`^duel: interrupted; `)
		p.restored(130)
	})
	t.Run("replay until quit", func(t *testing.T) {
		t.Parallel()
		file := t.TempDir() + "/games"
		if err := os.WriteFile(file, []byte("highest 9a 8a *\nhighest 9a 8a *\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		p := openPane(t, "duel replay --line "+file)
		p.shows(`next move, quit\] $`)
		p.types("Enter")
		p.shows(`^Game 2 `)
		p.types("quit", "Enter")
		p.restored(0)
	})
	t.Run("replay and retry on the full screen", func(t *testing.T) {
		t.Parallel()
		file := t.TempDir() + "/games"
		if err := os.WriteFile(file, []byte("dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		p := openPane(t, "duel replay "+file)
		p.shows(`Move 1 of 6`)
		p.types("Right")
		p.shows(`Move 2 of 6`)
		p.types("Escape")
		p.restored(0)
		p = openPane(t, "duel review --retry "+file)
		p.shows(`Move 5 again`)
		p.types("2", "Enter")
		p.shows(`RIGHT`)
		p.types("Escape")
		p.shows(`Move 5 of 6`)
		p.types("Escape")
		p.restored(0)
	})
	t.Run("replay step by step", func(t *testing.T) {
		t.Parallel()
		file := t.TempDir() + "/games"
		if err := os.WriteFile(file, []byte("highest 9a 8a *\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		p := openPane(t, "duel replay --line "+file)
		p.shows(`^\[Enter: next move, quit\] $`)
		p.types("Enter")
		p.shows(`^Unfinished: stopped after 2 digits\.$`)
		p.restored(0)
	})
}
