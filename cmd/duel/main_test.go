package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"digitduel/digit"
	"digitduel/ui/offline"
)

// nightly reports whether tests run at full size. make nightly sets the variable.
var nightly = os.Getenv("DUEL_NIGHTLY") != ""

// TestMain makes the program the command duel, which scripts and tests can run, and adds the other
// programs of the tests.
func TestMain(m *testing.M) {
	_ = os.Setenv("GORACE", noWait) // the name is valid
	testscript.Main(m, map[string]func(){
		"duel": main, "duel7": withNewBooks, "attacker": attackMain,
		"steady": steadyMain, "wordy": wordEngineMain, "foreign": foreignMain,
	})
}

// withNewBooks is the program with two more books that no other code knows: one with fixed places,
// and one with letters as digits and a growing number.
func withNewBooks() {
	lowest4 := digit.Rules{
		Pool: digit.Highest.Pool, Place: digit.Slots, Width: 4, Final: digit.FinalBy(digit.Lower),
	}
	letters := digit.Rules{
		Pool: 0xfffe, Place: digit.Ends, Width: 3, Target: 11, Win: digit.EachTurn,
		Final: digit.FinalBy(digit.Nearest),
	}
	digit.Books = append(digit.Books,
		digit.Book{Name: "lowest4", Title: "Lowest Four", Rules: lowest4},
		digit.Book{Name: "letters", Title: "Letters", Rules: letters})
	main()
}

// noWait keeps a program with the race detector from sleeping for a second before it exits.
const noWait = "atexit_sleep_ms=0"

// TestScripts runs the scripts in testdata/script.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(e *testscript.Env) error {
			e.Setenv("GORACE", noWait)
			return nil
		},
		Condition: func(name string) (bool, error) { // site: make offline has been run
			if name != "site" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			_, err := offline.Files(offline.Built())
			return err == nil, nil
		},
	})
}

// exits runs a command and checks its exit code: exits 2 duel play chess
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARGUMENT…]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var failed *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &failed):
		got = failed.ExitCode()
	default:
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
