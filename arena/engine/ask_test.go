package engine

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/digit"
	"digitduel/solve"
)

// TestToldAtOnce checks that all commands that begin a game are sent in one write, so that the
// engine wakes only once.
func TestToldAtOnce(t *testing.T) {
	p := &Process{input: make(chan string, 9), awaited: map[string]int{}, newline: "\n",
		Options: []Option{{Name: "Seed"}, {Name: "Rules", Type: "string"}}}
	p.SetSeed(7)
	if err := p.setRules(digit.Reverse); err != nil {
		t.Fatal(err)
	}
	if len(p.input) > 0 || len(p.talk) > 0 {
		t.Error("options were sent before the first command with an answer")
	}
	p.send("uginewgame", "isready")
	p.send("quit")
	want := "setoption name Seed value 7\nsetoption name Rules value reverse\nuginewgame\nisready\n"
	if got := <-p.input; got != want || len(p.input) != 1 || p.awaited["readyok"] != 1 {
		t.Errorf("sent\n%s\nwant\n%s", got, want)
	}
	if got := <-p.input; got != "quit\n" {
		t.Errorf("then sent %q, want quit", got)
	}
	if got, want := strings.Join(p.Dialogue(), "\n"), "> setoption name Seed value 7\n> setoption name Rules value reverse\n> uginewgame\n> isready\n> quit"; got != want {
		t.Errorf("the dialogue is\n%s\nwant\n%s", got, want)
	}
}

// TestLeftover checks that lines written before a question are not taken for its answer, but
// recorded as strays.
func TestLeftover(t *testing.T) {
	for _, tt := range []struct{ before, answer, want, strays string }{
		{"", "bestmove 7a", "7a", ""},
		{"bestmove 3b", "bestmove 7a", "7a", "bestmove 3b"},
		{"bestmove 3b|bestmove 4b|readyok", "bestmove 7a", "7a", "bestmove 3b|bestmove 4b|readyok"},
		{"info score draw|bestmove 3b", "info score win 1|bestmove 7a", "7a score win 1", "bestmove 3b"},
	} {
		p, a, err := askAfter(t, strings.Split(tt.before, "|"), strings.Split(tt.answer, "|"))
		got := strings.Join(append([]string{a.Text}, a.Infos...), " ")
		if err != nil || got != tt.want {
			t.Errorf("%q, asked, %q: %s, want %s: %v", tt.before, tt.answer, got, tt.want, err)
		}
		if strays := strings.Join(p.strays, "|"); strays != tt.strays {
			t.Errorf("%q, asked, %q: strays %q, want %q", tt.before, tt.answer, strays, tt.strays)
		}
	}
}

// askAfter asks an engine for a move. The engine has already written some lines, and answers with
// others.
func askAfter(t *testing.T, before, answer []string) (*Process, Answer, error) {
	t.Helper()
	p := &Process{
		rules: digit.Dilemma, config: ProcessConfig{Wait: time.Minute}, awaited: map[string]int{},
		input: make(chan string, 9), lines: make(chan string, 99),
	}
	write := func(lines []string) {
		for _, line := range lines {
			p.lines <- line
		}
	}
	write(before)
	go func() {
		<-p.input // the question
		write(answer)
	}()
	a, err := p.Choose(t.Context(), digit.Position{}, nil, Limit{MoveTime: time.Minute})
	return p, a, err
}

// TestLastInfos checks that only the last infos before a move are kept.
func TestLastInfos(t *testing.T) {
	var lines []string
	for n := range 2 * keptLines {
		lines = append(lines, fmt.Sprint("info string tokens ", n))
	}
	_, a, err := askAfter(t, nil, append(lines, "bestmove 7a"))
	first, last := "string tokens 40", "string tokens 79"
	if err != nil || len(a.Infos) != keptLines || a.Infos[0] != first ||
		a.Infos[keptLines-1] != last {
		t.Errorf("got the infos %q, want %s to %s: %v", a.Infos, first, last, err)
	}
}

// TestOwnClock checks that the time of the side to move limits a move, not that of the other side.
func TestOwnClock(t *testing.T) {
	const wait = 10 * time.Second
	for _, tt := range []struct {
		limit         string // a command of the protocol
		turn          digit.Side
		allowed, uses time.Duration
	}{
		{"go", digit.First, wait, 0},
		{"go movetime 1000", digit.Second, time.Second, 950 * time.Millisecond},
		{"go p1time 8000 p2time 400", digit.First, 8 * time.Second, 1950 * time.Millisecond},
		{"go p1time 8000 p2time 400", digit.Second, 400 * time.Millisecond, 75 * time.Millisecond},
		{"go p2time 400", digit.First, wait, 0},
		{"go p1time 8000", digit.Second, wait, 0},
		{"go movetime 1000 p1time 800", digit.First, time.Second, 150 * time.Millisecond},
		{"go movetime 1000 p1time 800", digit.Second, time.Second, 950 * time.Millisecond},
	} {
		c, err := ParseCommand(tt.limit)
		if err != nil {
			t.Fatal(err)
		}
		p := &Process{config: ProcessConfig{Wait: wait}}
		if got := p.allowed(c.Limit, tt.turn); got != tt.allowed {
			t.Errorf("%s: %v may take %v, want %v", tt.limit, tt.turn, got, tt.allowed)
		}
		if got := ownTime(c.Limit, tt.turn); got != tt.uses {
			t.Errorf("%s: %v takes %v, want %v", tt.limit, tt.turn, got, tt.uses)
		}
	}
}

// TestClockAfterMoves checks that the clock of the side to move limits a silent engine, after some
// moves.
func TestClockAfterMoves(t *testing.T) {
	for moves, want := range map[string]string{
		"": "no move after 8s,", "7a": "no move after 400ms,", "7a 3b": "no move after 8s,",
	} {
		synctest.Test(t, func(t *testing.T) {
			p := &Process{
				rules: digit.Dilemma, awaited: map[string]int{}, input: make(chan string, 9),
				lines: make(chan string),
			}
			var made []digit.Move
			for word := range strings.FieldsSeq(moves) {
				m, err := digit.ParseMove(word)
				if err != nil {
					t.Fatal(err)
				}
				made = append(made, m)
			}
			limit := Limit{Clock: [2]time.Duration{8 * time.Second, 400 * time.Millisecond}}
			_, err := p.Choose(t.Context(), digit.Position{}, made, limit)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, want %s", moves, err, want)
			}
		})
	}
}

// TestThinkTime checks that the built-in engine moves in the time of its side, even if the game is
// not solved yet.
func TestThinkTime(t *testing.T) {
	for moves, want := range map[string]time.Duration{
		"": 1950 * time.Millisecond, " moves 7a": 75 * time.Millisecond,
	} {
		synctest.Test(t, func(t *testing.T) {
			config := ownConfig()
			config.Solve = func(ctx context.Context, _ digit.Rules) (*solve.Solution, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			in, input := io.Pipe()
			output, out := io.Pipe()
			go func() { out.CloseWithError(Serve(t.Context(), in, out, config)) }()
			began, answers := time.Now(), bufio.NewScanner(output)
			_, _ = io.WriteString(input, "position startpos"+moves+"\ngo p1time 8000 p2time 400\n")
			for answers.Scan() && !strings.HasPrefix(answers.Text(), "bestmove ") {
			}
			if took := time.Since(began); took != want {
				t.Errorf("startpos%s: %q after %v, want %v", moves, answers.Text(), took, want)
			}
			_ = input.Close()
			_, _ = io.Copy(io.Discard, output)
		})
	}
}

// TestRefused checks that an engine is sent the reason for a refusal before it is asked again.
func TestRefused(t *testing.T) {
	p, err := Start(t.Context(), faultyCommand("illegal"), ProcessConfig{Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	taken := []digit.Move{{Digit: 7, Spot: 'b'}}
	for range 2 {
		if _, err := p.Choose(t.Context(), digit.Position{}, taken, Limit{}); err == nil {
			t.Fatal("the illegal move 7a was accepted")
		}
	}
	const want = "< bestmove 7a\n> refused 7a: 7 is taken; left: 0 1 2 3 4 5 6 8 9\n> position startpos moves 7b\n> go\n"
	if got := strings.Join(p.Dialogue(), "\n"); !strings.Contains(got, want) {
		t.Errorf("got the dialogue\n%s\nwant\n%s", got, want)
	}
}

// TestDigitsAgain checks that a game in digits is not in the words of the last one.
func TestDigitsAgain(t *testing.T) {
	p := &Process{
		config: ProcessConfig{Wait: time.Minute}, awaited: map[string]int{}, words: words{},
		input: make(chan string, 9), lines: make(chan string, 9),
		Options: []Option{{Name: "Rules", Type: "string"}},
	}
	p.lines <- "readyok"
	if err := p.NewGame(t.Context(), digit.Reverse); err != nil || p.words != nil {
		t.Errorf("got %v, words %v, want none", err, p.words)
	}
}
