package engine

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"digitduel/arena/disguise"
	"digitduel/digit"
	"digitduel/solve"
)

// sessions returns the sessions of a kind in docs/protocol.md.
func sessions(t *testing.T, kind string) []string {
	t.Helper()
	page, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Split(string(page), "```session"+kind+"\n")[1:]
	for i := range all {
		all[i], _, _ = strings.Cut(all[i], "```")
	}
	return all
}

// runSession sends the commands of a session, and checks that exactly its answers are written.
func runSession(t *testing.T, session string, input io.WriteCloser, output io.Reader) {
	t.Helper()
	answers := bufio.NewScanner(output)
	for line := range strings.Lines(session) {
		line = strings.TrimRight(line, "\n")
		text := strings.TrimSpace(line[1:])
		if line[0] == '>' {
			_, _ = io.WriteString(input, text+"\r\n") // fails after quit
			continue
		}
		if !answers.Scan() || strings.TrimSpace(answers.Text()) != text {
			t.Fatalf("got the answer %q, want %q", answers.Text(), text)
		}
	}
	_ = input.Close()
	for answers.Scan() {
		t.Errorf("the answer %q is not on the page", answers.Text())
	}
}

// TestProtocol runs the sessions of docs/protocol.md with the built-in engine.
func TestProtocol(t *testing.T) {
	all := sessions(t, "")
	if len(all) < 3 {
		t.Fatalf("only %d sessions", len(all))
	}
	for _, session := range all {
		in, input := io.Pipe()
		output, out := io.Pipe()
		config := ownConfig()
		config.Name, config.Speech = "Digit Duel", ownSpeech
		go func() { out.CloseWithError(Serve(t.Context(), in, out, config)) }()
		runSession(t, session, input, output)
	}
}

// TestProtocolInWords runs the session in words with the example engine in Python that plays in
// words only, and checks that a Process sends the same lines.
func TestProtocolInWords(t *testing.T) {
	needPython(t)
	all := sessions(t, " words")
	if len(all) != 1 {
		t.Fatalf("%d sessions in words", len(all))
	}
	cmd := exec.Command("python3", "../../examples/words.py")
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	runSession(t, all[0], input, output)
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	r, err := digit.ParseRules("highest pool=1-6 width=2")
	if err != nil {
		t.Fatal(err)
	}
	d, err := disguise.New(r, 7, false)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Start(t.Context(), "python3 ../../examples/words.py", ProcessConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := p.NewGameInWords(t.Context(), r, d.Game.Text(true), d); err != nil {
		t.Fatal(err)
	}
	ask := func(start string, moves ...digit.Move) {
		t.Helper()
		from, err := r.ParsePosition(start)
		if err == nil {
			_, err = p.Choose(t.Context(), from, moves, Limit{MoveTime: time.Second})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	ask("__/__", digit.Move{Digit: 6, Spot: 'a'}, digit.Move{Digit: 5, Spot: 'b'})
	ask("63/_5")
	ask("_3/_5", digit.Move{Digit: 6, Spot: 'a'})
	if got := strings.Join(p.Dialogue(), "\n") + "\n> quit\n"; got != all[0] {
		t.Errorf("a Process sends\n%s\nwant\n%s", got, all[0])
	}
}

// TestCheckInWords runs Check with the example engine in Python that plays in words only.
func TestCheckInWords(t *testing.T) {
	needPython(t)
	words := func(r digit.Rules) (string, Words, error) {
		d, err := disguise.New(r, 5, false)
		if err != nil {
			return "", nil, err
		}
		return d.Game.Text(true), d, nil
	}
	if failed, first := failures(t, "python3 ../../examples/words.py", CheckConfig{Positions: 200, Seed: 1, Words: words}); len(failed) > 0 {
		t.Errorf("%q: %v\n%s", failed, first.Err, strings.Join(first.Dialogue, "\n"))
	}
}

// TestServe checks the answers to commands that are not in docs/protocol.md.
func TestServe(t *testing.T) {
	long := strings.Repeat("x", MaxLine+1)
	for _, test := range []struct{ input, want string }{
		{"", ""},
		{"stop\n\n \r\nfoo\nquit\nisready", ""},
		{"isready", "readyok"},
		{"position startpos moves 7a 9b 1c 5a\ngo infinite", "bestmove 2b"}, // stopped by the end of input
		{"position startpos moves 7a 9b 1c 5a\ngo movetime 5000\nposition startpos\nquery fen\nquit", "bestmove 2b|response ___/___"},
		{"position startpos moves 7a 9b 1c 5a\ngo infinite\nquery fen\nposition startpos\nquery fen\n", "response 7_1/59_|bestmove 2b|response ___/___"},
		{"position startpos moves 7a 9b 1c 5a\ngo\ngo infinite\nquery fen\nposition startpos\nquery fen\n", "bestmove 2b|response 7_1/59_|bestmove 2b|response ___/___"},
		{"position startpos moves 7a 3b 1c 5a 9b\ngo infinite\nisready", "bestmove (none)|readyok"},
		{"query value\nquery fen\nisready\n", "response win 5|response ___/___|readyok"}, // answers keep their order
		{"position startpos moves 7a\nposition startpos moves 7a 7b\nquery fen", "info string position: move 2: 7b: 7 is taken; left: 0 1 2 3 4 5 6 8 9|response 7__/___"},
		{"position startpos moves 7a\nuginewgame\nquery fen", "response ___/___"},
		{"position startpos moves 7a\nsetoption name Rules value highest\nquery fen", "response ___/___"},
		{"position fen 7__\nquery fen", `info string position "7__": there is no / between the two numbers; under these rules a position is like 02_/1__|response ___/___`},
		{"setoption name rules value chess", `info string book "chess": no such book; books: dilemma, sevens, highest, divisibility, reverse`},
		{"setoption name Level value god", `info string unknown level "god" (use one of beginner, novice, casual, skilled, expert, master, perfect)`},
		{"setoption name Hash value 1", `info string option "Hash": no such option; options: Rules, Level`},
		{long + "\nisready", "info string a line is longer than 64 KiB|readyok"},
		{"setoption name Rules value sevens width=5\nposition startpos moves 1 2 3 4 5 6 7 8\nquery result", "response none"},
		{"setoption name Rules value divisibility pool=1-f target=9999\nisready\nquery value\nquit", "info string divisibility target=9999 pool=1-f: solving it would take|readyok|response unknown"},
		{"setoption name Level value beginner\nposition startpos moves 7a 3b 1c 5a 9b\ngo", "bestmove (none)"},
	} {
		var out strings.Builder
		if err := Serve(t.Context(), strings.NewReader(test.input), &out, ownConfig()); err != nil {
			t.Error(err)
		}
		got := strings.Split(strings.TrimSpace(out.String()), "\n")
		// Infos appear only if there was time to solve the game.
		got = slices.DeleteFunc(got,
			func(line string) bool { return strings.HasPrefix(line, "info score ") })
		want := strings.Split(test.want, "|")
		same := len(got) == len(want)
		for i := range want {
			same = same && strings.HasPrefix(strings.TrimSpace(got[i]), want[i]) &&
				(want[i] != "" || got[i] == "")
		}
		if !same {
			t.Errorf("%.80q: %q, want %q", test.input, got, want)
		}
	}
}

// TestNoneOvertakes checks that answers keep their order if the solver fails at any time between
// the queries.
func TestNoneOvertakes(t *testing.T) {
	const input, want = "isready\nquery value\nquery fen\ngo\n",
		"info string no\nreadyok\nresponse unknown\nresponse ___/___\nbestmove "
	config := ownConfig()
	config.Solve = func(context.Context, digit.Rules) (*solve.Solution, error) { return nil, errors.New("no") }
	for range 3000 {
		var out strings.Builder
		if err := Serve(t.Context(), strings.NewReader(input), &out, config); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(out.String(), want) {
			t.Fatalf("got %q, want %q", out.String(), want)
		}
	}
}
