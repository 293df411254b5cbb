//go:build unix

package engine

import (
	"errors"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"digitduel/digit"
)

// TestNothingIsLeft starts every engine with a defect, asks it for a move, and checks that no
// goroutine and no process is left after Close.
func TestNothingIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, name := range slices.Sorted(maps.Keys(defects)) {
		config := ProcessConfig{Wait: 50 * time.Millisecond, Margin: time.Millisecond}
		if strings.HasPrefix(name, "detached") { // wait until the child has started
			config.Wait = time.Minute
		}
		p, err := launch(t.Context(), faultyCommand(strings.ReplaceAll(name, " ", "-")), config)
		if err != nil {
			t.Fatal(err)
		}
		output := duplicate(t, p.pipes[1])
		if err = p.handshake(t.Context()); err == nil {
			_, err = p.Choose(t.Context(), digit.Position{}, nil,
				Limit{MoveTime: 10 * time.Millisecond})
		}
		var fault *FaultError
		if err != nil && !errors.As(err, &fault) {
			t.Errorf("%s: %v", name, err)
		}
		p.Close()
		p.Close()
		_ = output.SetReadDeadline(time.Now().Add(time.Minute))
		if _, err := io.Copy(io.Discard, output); err != nil { // ends with the last writer
			t.Errorf("%s: a process is left: %v", name, err)
		}
		_ = output.Close()
		for end := time.Now().Add(time.Minute); runtime.NumGoroutine() > before &&
			time.Now().Before(end); {
			runtime.Gosched() // a goroutine may still have to return
		}
		if after := runtime.NumGoroutine(); after > before {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%s: %d goroutines before, %d after\n%s",
				name, before, after, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// duplicate returns another handle of the same pipe.
func duplicate(t *testing.T, pipe *os.File) *os.File {
	t.Helper()
	conn, err := pipe.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	fd := -1
	if failed := conn.Control(func(old uintptr) { fd, err = syscall.Dup(int(old)) }); failed != nil || err != nil {
		t.Fatal(failed, err)
	}
	return os.NewFile(uintptr(fd), "output")
}

// TestFaults checks the faults of engines that fail to answer or answer wrongly. Those that still
// run are asked again.
func TestFaults(t *testing.T) {
	for fault, want := range map[string]Fault{"illegal": Illegal, "unreadable": Unreadable,
		"pass": Illegal, "late": Late, "never": Silent, "crash": Crashed, "flood-later": Silent, "honest": ""} {
		// The machine may be busy.
		config := ProcessConfig{Wait: time.Minute, Margin: 20 * time.Second}
		if want == Late || want == Silent {
			config.Margin = 0
		}
		p, err := Start(t.Context(), faultyCommand(fault), config)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.NewGame(t.Context(), digit.Dilemma); err != nil {
			t.Fatal(err)
		}
		seven, _ := digit.ParseMove("7a")
		for range 2 {
			a, err := p.Choose(t.Context(), digit.Position{}, []digit.Move{seven},
				Limit{MoveTime: 100 * time.Millisecond})
			var got *FaultError
			if errors.As(err, &got); want == "" && err != nil ||
				want != "" && (got == nil || got.Fault != want) {
				t.Errorf("%s: %v", fault, err)
			}
			if want == Crashed || want == Silent {
				break
			}
			if a.Text == "" || len(a.Infos) != 1 ||
				!strings.HasPrefix(a.Infos[0], "score loss 4 pv ") {
				t.Errorf("%s: no answer with its value: %+v", fault, a)
			}
		}
		p.Close()
	}
}

// TestLastWords starts many engines that exit at once, so that some exit before their output is
// read, and checks that their last line on standard error is reported.
func TestLastWords(t *testing.T) {
	var all sync.WaitGroup
	for range 60 {
		all.Go(func() {
			// On a busy machine, an engine may take long to exit.
			const want = "; its last line on standard error: \ufffd[2Jno such model"
			if _, err := Start(t.Context(), faultyCommand("exits"), ProcessConfig{Wait: time.Minute}); err == nil || !strings.HasSuffix(err.Error(), want) {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// TestRefusesRules checks the error for an engine that does not play a game.
func TestRefusesRules(t *testing.T) {
	p := &Process{command: "e",
		Options: []Option{{Name: "rules", Type: "combo", Vars: []string{"highest", "reverse"}}}}
	if err := p.Plays(digit.Sevens); err == nil ||
		err.Error() != `engine "e": it does not play sevens; it plays: highest, reverse` {
		t.Error(err)
	}
	if err := p.Plays(digit.Reverse); err != nil {
		t.Error(err)
	}
	p.Options = nil
	if err := p.Plays(digit.Sevens); err == nil ||
		err.Error() != `engine "e": no option Rules, so it plays only dilemma, not sevens` {
		t.Error(err)
	}
}

// TestSwap checks that engines may take over the first move only if that is allowed. One engine
// evaluates the move, the other always swaps.
func TestSwap(t *testing.T) {
	for _, tt := range []struct {
		engine, moves string
		swap          bool // whether a swap is allowed
		want          string
	}{
		{"honest", "7a", true, "swap"}, // the first player wins
		{"honest", "0a", true, "move"},
		{"honest", "7a", false, "move"},
		{"honest", "7a 3b", true, "move"},
		{"honest", "", true, "move"},
		{"swaps", "0a", true, "swap"},
		{"swaps", "0a", false, "unreadable"},
		{"swaps", "7a 3b", true, "unreadable"},
		{"swaps", "", true, "unreadable"},
	} {
		p, err := Start(t.Context(), faultyCommand(tt.engine), ProcessConfig{})
		if err == nil {
			err = p.NewGame(t.Context(), digit.Dilemma)
		}
		if err != nil {
			t.Fatal(err)
		}
		var moves []digit.Move
		for word := range strings.FieldsSeq(tt.moves) {
			m, _ := digit.ParseMove(word) // no error
			moves = append(moves, m)
		}
		a, err := p.Choose(t.Context(), digit.Position{}, moves,
			Limit{MoveTime: time.Minute, Swap: tt.swap})
		p.Close()
		got := "move"
		var fault *FaultError
		switch {
		case errors.As(err, &fault):
			got = string(fault.Fault)
		case err != nil:
			t.Fatal(err)
		case a.Swap:
			got = "swap"
		}
		if got != tt.want {
			t.Errorf("%s after %q, allowed %v: %s, want %s: %+v",
				tt.engine, tt.moves, tt.swap, got, tt.want, a)
		}
	}
}

// TestLastError checks that a fault quotes the last line on standard error, however much came
// before it.
func TestLastError(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p := &Process{pipes: [3]*os.File{2: read}, quiet: make(chan struct{})}
	go func() {
		_, _ = write.WriteString(strings.Repeat("a warning\n", keptErrs) + "the reason\n")
		_ = write.Close()
	}()
	p.readErrors()
	const want = "its last line on standard error: the reason"
	if got := p.fault(Crashed, "it ended").Why; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q at its end", got, want)
	}
}
