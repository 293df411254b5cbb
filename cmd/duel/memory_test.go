//go:build linux && !race

package main

import (
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
)

// TestMemory checks that commands on games with many positions keep to their memory budget. It
// doesn't run with the race detector, which takes memory itself, nor on systems that count in other
// units.
func TestMemory(t *testing.T) {
	if !nightly {
		t.Skip("measuring the memory of large games is part of make nightly")
	}
	const program = 64 // MiB for the program itself and for garbage
	// Programs started here begin as copies of this process, so its peak would count as theirs.
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // if that is not allowed, it counts
	for _, test := range []struct {
		command string
		budget  int64 // MiB
		says    string
	}{
		{"solve sevens width=4 pool=0-f --memory 1", 1, "Positions: not counted, since there may be 32,749,197 and more than 5,000,000 take too long.\n"},
		{"solve sevens width=5 pool=0-f --memory 64", 64, "Positions: not counted, since there may be 420,112,173 and more than 5,000,000 take too long.\n"},
		{"solve sevens width=5 pool=0-f win=never --memory 64", 64, "Positions: 4,977,453, of which 2,018,016 are finished. "},
		{"solve sevens width=5 pool=0-f win=never --memory 32", 32, "Positions: not counted, since that would take up to 39 MiB of memory and the budget is 32 MiB.\n"},
		{"solve sevens width=5 pool=0-f --memory 1", 1, "solving it would take at least 2.23 MiB of memory; the budget is 1 MiB\n"},
		{"solve divisibility pool=0-f win=full final=nearest,higher --memory 64", 64, "solving it would take at least 83.4 MiB of memory; the budget is 64 MiB\n"},
		{"analyze divisibility pool=1-f target=31 --memory 31", 31, "Player 1 is to move and "},
		{"puzzle sevens width=4 pool=0-f --json", 1, "no puzzle of sevens pool=0-f width=4 in 2000 random games; " +
			"sevens pool=0-f width=4 has up to 32749197 positions, too many to search (at most 5000000)\n"},
		{"puzzle highest width=4 --level master --seed 1 --memory 8", 8, "puzzle for level master: no puzzle of highest width=4 in 2000 random games; " +
			"highest width=4: counting its positions would take up to "},
		{"perft dilemma pool=0-f width=5 --max-positions 300000", 2 * 30, "ply 4 has more than 300000 positions; use --depth 3, or a higher --max-positions\n"},
		{"review testdata/large.txt --all --memory 64", 64, "Game 2 (line 2): divisibility target=29 pool=0-f 1R 2R *\n"}, // solves one game after the other
	} {
		forgetPeak(t)
		cmd := exec.CommandContext(t.Context(), "duel", strings.Fields(test.command)...)
		cmd.Env = environment(t)
		out, _ := cmd.CombinedOutput() // the output shows whether it failed
		if !strings.Contains(string(out), test.says) {
			t.Errorf("%s printed\n%swant %q in it", test.command, out, test.says)
		}
		if used := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10; used > test.budget+program {
			t.Errorf("%s used %d MiB; allowed: %d and %d for the program",
				test.command, used, test.budget, program)
		} else {
			t.Logf("%s: %d MiB", test.command, used)
		}
	}
}

// forgetPeak shrinks this process and resets its peak memory. A started program begins as a copy of
// this process, so its peak would include the peak of its parent.
func forgetPeak(t *testing.T) {
	t.Helper()
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		t.Log(err) // the peak is not reset
	}
}
