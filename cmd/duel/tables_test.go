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

// TestKilledScreen kills the full screen at moments it cannot know, again and again in one game: every move that was on the screen is
// there at the next start, and the game goes on.
func TestKilledScreen(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	run := func(command string) (pane, func()) {
		pid := filepath.Join(home, "pid")
		_ = os.Remove(pid)
		p := open(t, fmt.Sprintf("XDG_CONFIG_HOME=%s XDG_DATA_HOME=%s sh -c 'echo $$ >%s; exec duel play %s'", home, home, pid, command))
		return p, func() {
			p.shows(`(?i)'s turn`) // it has begun
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
		if rng.IntN(2) == 0 { // else it is killed while the move is on its way
			p.shows(`(?i)` + []string{"ada", "ben"}[(played+1)%2] + "'s turn")
		}
		screen := p.shows(`(?i)'s turn`)
		kill()
		shown := taken(screen)
		p, kill = run("--continue")
		again := taken(p.shows(`(?i)'s turn`))
		if again < shown || again < played || again > played+1 {
			t.Fatalf("%d moves were played and %d on the screen; %d are there after it was killed", played, shown, again)
		}
		played = again
	}
	if played < 3 {
		t.Errorf("only %d moves were played", played)
	}
	p.types("C-c")
	p.shows(`^exit code 130`)
}

// taken returns how many digits of the pool, which is at the top, are taken on a screen.
func taken(screen string) int {
	rows := strings.Split(screen, "\n")
	return strings.Count(strings.Join(rows[:8], ""), "·")
}
