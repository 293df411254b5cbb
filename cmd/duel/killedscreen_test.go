package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestKilledScreen kills the full screen again and again during one game. At the next start every
// move that was on the screen is there, and the game continues.
func TestKilledScreen(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	run := func(command string) (pane, func()) {
		pid := filepath.Join(home, "pid")
		_ = os.Remove(pid)
		p := openPane(t, fmt.Sprintf(
			"XDG_CONFIG_HOME=%s XDG_DATA_HOME=%s sh -c 'echo $$ >%s; exec duel play %s'",
			home, home, pid, command))
		return p, func() {
			p.shows(`(?i)'s turn`) // the game has started
			text, err := os.ReadFile(pid)
			if err != nil {
				t.Fatal(err)
			}
			n, err := strconv.Atoi(strings.TrimSpace(string(text)))
			if err == nil {
				err = syscall.Kill(n, syscall.SIGKILL)
			}
			if err != nil {
				t.Fatal(err)
			}
			p.shows(`exit code 137`)
		}
	}
	rng, played := rand.New(rand.NewPCG(1, 2)), 1
	p, kill := run("divisibility target=97 pool=0-9 --names Ada,Ben")
	p.shows(`(?i)'s turn`)
	p.types("1", "Enter")
	p.shows(`(?i)ben's turn`)
	for _, d := range []string{"2", "4", "5", "6", "8", "3"} {
		p.types(d)
		if played > 1 {
			p.types("r")
		}
		p.types("Enter")
		if rng.IntN(2) == 0 { // else it is killed during the move
			p.shows(`(?i)` + []string{"ada", "ben"}[(played+1)%2] + "'s turn")
		}
		screen := p.shows(`(?i)'s turn`)
		kill()
		shown := taken(screen)
		p, kill = run("--continue")
		again := taken(p.shows(`(?i)'s turn`))
		if again < shown || again < played || again > played+1 {
			t.Fatalf("%d moves were played and %d shown, but %d are left after the kill",
				played, shown, again)
		}
		played = again
	}
	if played < 3 {
		t.Errorf("only %d moves were played", played)
	}
	p.types("C-c")
	p.shows(`^exit code 130`)
}

// taken returns the number of digits that are taken from the pool, which is at the top of the
// screen.
func taken(screen string) int {
	rows := strings.Split(screen, "\n")
	return strings.Count(strings.Join(rows[:8], ""), "·")
}
