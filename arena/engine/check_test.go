package engine

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"digitduel/digit"
)

// failures returns the points of a check that failed, and the first failure.
func failures(t *testing.T, command string, config CheckConfig) (failed []string, first Finding) {
	t.Helper()
	for f := range Check(t.Context(), command, config) {
		if f.Err == nil {
			continue
		}
		if failed = append(failed, f.Point); len(failed) == 1 {
			first = f
		}
	}
	return failed, first
}

// TestCheckFinds checks that Check finds the defects of engines with one defect each, at the right
// point, and nothing else.
func TestCheckFinds(t *testing.T) {
	const (
		handshake   = "handshake"
		move        = "go is answered"
		ready       = "ready while thinking"
		stop        = "stop is answered"
		positions   = "positions by text and by moves agree"
		results     = "results are reported"
		legal       = "every move is legal"
		again       = "it answers again when refused"
		timeKept    = "time is kept"
		finished    = "a finished game has no move"
		crlf        = "lines may end with CRLF"
		long        = "a line of 60 KB is one line"
		input       = "it ends with its input"
		quit        = "it quits"
		nothingElse = "nothing else is written"
	)
	// The machine may be busy, so engines have plenty of time, unless the defect is about time.
	plenty := ProcessConfig{Wait: time.Minute, Margin: 20 * time.Second}
	waits := map[string]ProcessConfig{"late": {Wait: time.Minute}, "slow": {Wait: time.Minute}}
	// These are silent after the handshake.
	for _, silent := range []string{"never", "unflushed", "flood-later"} {
		waits[silent] = ProcessConfig{Wait: 5 * time.Second}
	}
	for _, silent := range []string{"deaf", "finished", "endless"} { // at some points
		waits[silent] = ProcessConfig{Wait: 5 * time.Second, Margin: 3 * time.Second}
	}
	for _, silent := range []string{"unresponsive", "buffered", "no-newline", "flood"} {
		waits[silent] = ProcessConfig{Wait: time.Second}
	}
	for _, stays := range []string{"stays", "quitless"} {
		waits[stays] = ProcessConfig{Wait: time.Minute, Margin: 3 * time.Second}
	}
	atOnce := make(chan struct{}, 6) // several at once, as they mostly wait
	var all sync.WaitGroup
	defer all.Wait()
	for _, test := range []struct{ fault, failed, why string }{
		{"honest", "", ""},
		{"errors", "", ""},
		{"tabs", "", ""},
		{"empty", legal + "|" + finished, `unreadable: move "": `},
		{"illegal", legal + "|" + finished, "illegal: 7a: 7 is taken"},
		{"pass", legal, "illegal: no move in "},
		{"unreadable", legal + "|" + finished, `unreadable: move "the best"`},
		{"late", timeKept, "late: a move after "},
		{"slow", timeKept, "late: a move after "},
		{"never", move, "silent: no move after 1s"},
		{"crash", move, "crashed: it ended with exit status 3"},
		{"crash-later", legal, "crashed: it ended with exit status 3; its last line on standard error: out of luck"},
		{"chatty", nothingElse, `"thinking hard"`},
		{"remark", legal + "|" + finished, "want bestmove MOVE and nothing after it"},
		{"unstopped", nothingElse, `"bestmove (none)"`},
		{"endless", finished, "silent: no bestmove within"},
		{"refused", again, "crashed: it ended with exit status 4"},
		{"twice", nothingElse, `"bestmove `},
		{"result", results, `query result: "p2win" in `},
		{"value", results, `query value: "win 1`},
		{"turn", results, `query p1turn: "false" in `},
		{"fen", positions + "|" + results + "|" + legal + "|" + finished, "query fen: "},
		{"halfway", positions, "query fen: "},
		{"legal", positions, "query legal: 9a is missing in "},
		{"nameless", handshake, "missing line id name"},
		{"early", stop, "a move before stop"},
		{"deaf", ready + "|" + input, "silent: no readyok within"},
		{"crlf-dies", crlf, "crashed: it ended with exit status 1"},
		{"crlf", crlf, `query fen: "___/___" in `},
		{"long-dies", long, "crashed: it ended with exit status 1"},
		{"long-cut", long, "crashed: it ended with exit status 0"},
		{"stays", input, "it still runs 4s after its input ended"},
		{"quitless", quit, "it still runs 4s after quit"},
		{"finished", finished, "want bestmove (none) in "},
		{"unresponsive", handshake, "silent: no ugiok within"},
		{"buffered", handshake, "it buffers its output: flush after each line"},
		{"unflushed", move, "it buffers its output: flush after each line"},
		{"no-newline", handshake, "silent: no ugiok within"},
		{"flood", handshake, "silent: no ugiok within"},
		{"flood-later", move, "silent: no move after 1s"},
	} {
		all.Go(func() {
			atOnce <- struct{}{}
			defer func() { <-atOnce }()
			config := plenty
			if other, ok := waits[test.fault]; ok {
				config = other
			}
			check := CheckConfig{Positions: 60, Seed: 7, Process: config}
			if test.fault == "early" {
				check.Early = time.Minute // the engine may be slow to move
			}
			failed, first := failures(t, faultyCommand(test.fault), check)
			if got := strings.Join(failed, "|"); got != test.failed {
				t.Errorf("%s failed: %q, want %q: %v\n%s",
					test.fault, got, test.failed, first.Err, strings.Join(first.Dialogue, "\n"))
				return
			}
			if test.failed == "" {
				return
			}
			if !strings.Contains(first.Err.Error(), test.why) {
				t.Errorf("%s: %v\nwant: %s", test.fault, first.Err, test.why)
			}
			if len(first.Dialogue) == 0 {
				t.Errorf("%s: the dialogue is empty", test.fault)
			}
			if stray := "< " + strings.Trim(test.why, `"`); test.failed == nothingElse &&
				!strings.Contains(strings.Join(first.Dialogue, "\n"), stray) {
				t.Errorf("%s: the dialogue does not show the stray line: %q",
					test.fault, first.Dialogue)
			}
		})
	}
}

// TestCheckPrintable checks that notes are printable, even if the name and moves of an engine would
// clear the screen.
func TestCheckPrintable(t *testing.T) {
	points := 0
	for f := range Check(t.Context(), faultyCommand("colours"), CheckConfig{Seed: 7}) {
		if points++; f.Err != nil || !strings.HasPrefix(f.Note, "\ufffd[2J") {
			t.Errorf("%s: %q: %v", f.Point, f.Note, f.Err)
		}
		if points == 2 { // the handshake and the first move
			return
		}
	}
	t.Errorf("%d points were checked, want at least 2", points)
}

// needPython skips a test if Python 3.10 is missing.
func needPython(t *testing.T) {
	t.Helper()
	if exec.Command("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 10))").Run() != nil {
		t.Skip("there is no Python 3.10")
	}
}

// TestPython runs Check with the example engine in Python, which was written from docs/protocol.md.
func TestPython(t *testing.T) {
	needPython(t)
	if failed, first := failures(t, "python3 ../../examples/engine.py", CheckConfig{Positions: 500, Seed: 1, Process: ProcessConfig{Wait: time.Minute, Margin: 20 * time.Second}}); len(failed) > 0 {
		t.Errorf("%q: %v\n%s", failed, first.Err, strings.Join(first.Dialogue, "\n"))
	}
}

// TestDraw checks the random positions of a check.
func TestDraw(t *testing.T) {
	c := &checker{rng: ownConfig().Rand}
	seen := map[digit.Position]bool{}
	for _, book := range digit.Books {
		for i := range 200 {
			over, turn := i%3 == 0, digit.Side(i%2)
			at := c.draw(book.Rules, over, turn)
			seen[at.at] = true
			if book.Rules.Result(at.at).Over() != over || !over && book.Rules.Turn(at.at) != turn {
				t.Errorf("%s: %s: want over %t, turn %v",
					book.Name, book.Rules.Text(at.at), over, turn)
			}
			p := digit.Position{}
			for _, m := range at.moves {
				p, _ = book.Rules.Play(p, m)
			}
			if p != at.at {
				t.Errorf("%s: %v leads to %s, want %s",
					book.Name, at.moves, book.Rules.Text(p), book.Rules.Text(at.at))
			}
		}
	}
	if len(seen) < 500 {
		t.Errorf("only %d different positions", len(seen))
	}
}

// TestCheckStops checks that a canceled check ends without a finding while an engine is silent.
func TestCheckStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	for f := range Check(ctx, faultyCommand("unresponsive"), CheckConfig{Process: ProcessConfig{Wait: forever}}) {
		t.Errorf("%s was reported after the cancellation", f.Point)
	}
}

// TestCannotStart checks the errors for commands that cannot be run.
func TestCannotStart(t *testing.T) {
	for command, want := range map[string]string{
		"no-such-engine --fast": `engine "no-such-engine --fast": crashed: cannot start: exec: "no-such-engine": executable file not found in $PATH`,
		"":                      `engine "": missing command, as in engine:python3 my.py`,
		`python3 "my engine`:    `engine "python3 \"my engine": missing closing quote`,
	} {
		p, err := Start(t.Context(), command, ProcessConfig{})
		if err == nil {
			p.Close()
		}
		if err == nil || err.Error() != want && os.PathSeparator == '/' {
			t.Errorf("%q: %v, want %s", command, err, want)
		}
	}
}
