package engine

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/solve"
)

// TestMain runs the tests or, with the arguments "faulty NAME", an engine with a defect.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "faulty" {
		faulty(os.Args[2])
		return
	}
	// Engines with the race detector must not wait before they exit.
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0")
	os.Exit(m.Run())
}

// faultyCommand returns the command of an engine with a defect.
func faultyCommand(name string) string { return fmt.Sprintf("%q faulty %s", os.Args[0], name) }

// ownConfig returns the configuration of the built-in engine.
func ownConfig() ServeConfig {
	return ServeConfig{
		Name: "Test", Rules: digit.Dilemma, Level: bot.Perfect(), Rand: rand.New(rand.NewPCG(1, 0)),
		Solve: func(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
			return solve.Solve(ctx, r, solve.Config{})
		},
	}
}

// A defect changes each line of the input and of the output of an engine, including its newline.
type defect struct {
	in  func(line string) string
	out func(line string) string
	end func() // called at the end of the input
}

const forever = time.Hour

func hang() { time.Sleep(forever) }

func replacing(old, changed string) func(string) string {
	return func(line string) string { return strings.ReplaceAll(line, old, changed) }
}

// onMove returns a function that changes only the lines with a move.
func onMove(change func(line string) string) func(string) string {
	return func(line string) string {
		if strings.HasPrefix(line, "bestmove") {
			return change(line)
		}
		return line
	}
}

// State of an engine with a defect.
var (
	moves, infinite int
	position        string                   // the last position command
	unflushed       = make(chan string, 100) // moves that are not written yet
)

// nightly reports whether tests run at full size.
var nightly = os.Getenv("DUEL_NIGHTLY") != ""

// defects are the engines of tests, by name.
var defects = map[string]defect{
	"honest":     {},
	"illegal":    {out: onMove(func(string) string { return "bestmove 7a\n" })},
	"tabs":       {out: func(line string) string { return strings.ReplaceAll(line, " ", "\t") }},
	"empty":      {out: onMove(func(string) string { return "bestmove\n" })},
	"pass":       {out: onMove(func(string) string { return "bestmove (none)\n" })},
	"unreadable": {out: onMove(func(string) string { return "bestmove the best\n" })},
	"swaps":      {out: onMove(func(string) string { return "bestmove swap\n" })},
	"late":       {out: onMove(func(line string) string { time.Sleep(600 * time.Millisecond); return line })},
	"slow": {in: func(line string) string {
		if strings.HasPrefix(line, "go movetime") {
			time.Sleep(800 * time.Millisecond) // and does not read stop during that time
		}
		return line
	}},
	"never": {out: onMove(func(string) string { return "" })},
	"crash": {in: exitOn("go", 3)},
	"exits": {in: func(string) string {
		fmt.Fprintln(os.Stderr, "\x1b[2Jno such model")
		os.Exit(3)
		return ""
	}},
	"crash later": {out: onMove(func(line string) string {
		if moves++; moves > 20 {
			fmt.Fprintln(os.Stderr, "out of luck")
			os.Exit(3)
		}
		return line
	})},
	"colours": {out: func(line string) string {
		return onMove(replacing("bestmove ", "bestmove \x1b[2J"))(strings.Replace(line, "id name ",
			"id name \x1b[2J", 1))
	}},
	"chatty": {out: onMove(func(line string) string { return "thinking hard\n" + line })},
	"remark": {out: onMove(func(line string) string {
		return strings.TrimSuffix(line, "\n") + " (it wins)\n"
	})},
	"unstopped": {in: func(line string) string {
		if strings.HasPrefix(line, "stop") {
			fmt.Println("bestmove (none)") // for every stop
		}
		return line
	}},
	"endless": {in: func(line string) string { return endless(line) }},
	"refused": {in: exitOn("refused", 4)},
	"twice":   {out: onMove(func(line string) string { return line + line })},
	"result":  {out: replacing("response p1win", "response p2win")},
	"value":   {out: replacing("response win ", "response win 1")},
	"turn":    {in: replacing("query p1turn", "query gameover")},
	"fen": {in: func(line string) string {
		return strings.Replace(line, "position fen", "position startpos moves 1a comment", 1)
	}},
	"halfway": {in: func(line string) string {
		if text, _, both := strings.Cut(line, " moves"); both &&
			strings.HasPrefix(line, "position fen") {
			return text + "\n"
		}
		return line
	}},
	"legal":     {out: func(line string) string { return forgetNine(line) }},
	"nameless":  {out: replacing("id name", "id author")},
	"early":     {in: replacing("go infinite", "go movetime 10")},
	"deaf":      {in: func(line string) string { return deaf(line) }},
	"crlf dies": {in: exitOn("\r", 1)},
	"crlf":      {in: func(line string) string { return strings.Replace(line, "\r", " \x00", 1) }},
	"long dies": {in: func(line string) string {
		if len(line) > 4096 {
			os.Exit(1)
		}
		return line
	}},
	"long cut": {in: func(line string) string { return cutLong(line) }},
	"unflushed": {
		out: onMove(func(line string) string { unflushed <- line; return "" }),
		end: func() {
			for len(unflushed) > 0 {
				fmt.Print(<-unflushed)
			}
		},
	},
	"stays":        {end: hang},
	"quitless":     {in: func(line string) string { return strings.Replace(line, "quit", "comment", 1) }},
	"finished":     {out: func(line string) string { return strings.Replace(line, "bestmove (none)\n", "", 1) }},
	"unresponsive": {in: func(line string) string { hang(); return line }},
	"no newline":   {out: func(line string) string { return strings.TrimSuffix(line, "\n") }},
	"flood":        {in: func(line string) string { flood(os.Stdout); return line }},
	"flood later": {in: func(line string) string {
		if strings.HasPrefix(line, "go") {
			flood(os.Stdout)
		}
		return line
	}},
	"errors": {in: func(line string) string {
		_, _ = os.Stderr.WriteString(strings.Repeat("error\n", 12_000)) // more than a pipe holds
		return line
	}},
	"child": {in: withChild(func(*exec.Cmd) {})},
}

// withChild returns a function that starts a child process with the first line. The child does not
// exit, and has the output of the engine.
func withChild(change func(*exec.Cmd)) func(string) string {
	return func(line string) string {
		child := exec.Command(os.Args[0], "faulty", "stays")
		child.Stdin, _ = os.Open(os.DevNull)
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		change(child)
		if moves++; moves == 1 && child.Start() != nil {
			os.Exit(1)
		}
		return line
	}
}

// endless ignores go infinite after the first position, so that the search never ends.
func endless(line string) string {
	if strings.HasPrefix(line, "position") {
		position = line
	}
	if strings.HasPrefix(line, "go infinite") &&
		!strings.HasPrefix(position, "position startpos\n") {
		return ""
	}
	return line
}

// exitOn returns a function that exits if a line contains a text.
func exitOn(text string, code int) func(string) string {
	return func(line string) string {
		if strings.Contains(line, text) {
			os.Exit(code)
		}
		return line
	}
}

// forgetNine removes the move 9a from responses.
func forgetNine(line string) string {
	if !strings.HasPrefix(line, "response ") {
		return line
	}
	return strings.Replace(line, " 9a", "", 1)
}

// deaf ignores all commands but stop during a search without limit.
func deaf(line string) string {
	switch {
	case strings.HasPrefix(line, "go infinite"):
		infinite++
	case strings.HasPrefix(line, "stop"):
		infinite = 0
	case infinite > 0:
		return ""
	}
	return line
}

// cutLong splits a line like a reader with a buffer of 4096 bytes.
func cutLong(line string) string {
	var parts []string
	for len(line) > 4095 {
		parts, line = append(parts, line[:4095]), line[4095:]
	}
	return strings.Join(append(parts, line), "\n")
}

func flood(w io.Writer) {
	for {
		_, _ = io.WriteString(w, strings.Repeat("info string la la la\n", 100))
		time.Sleep(time.Millisecond) // leave the processor to others
	}
}

// buffered runs an engine that writes all its output at the end.
func buffered() {
	var all bytes.Buffer
	_ = Serve(context.Background(), os.Stdin, &all, ownConfig())
	_, _ = all.WriteTo(os.Stdout)
}

// faulty runs an engine with a defect.
func faulty(name string) {
	if name == "buffered" {
		buffered()
		return
	}
	d, ok := defects[strings.ReplaceAll(name, "-", " ")]
	if !ok {
		os.Exit(9)
	}
	in, input := io.Pipe()
	output, out := io.Pipe()
	go func() {
		lines := bufio.NewReader(os.Stdin)
		for {
			line, err := lines.ReadString('\n')
			if d.in != nil && line != "" {
				line = d.in(line)
			}
			_, _ = io.WriteString(input, line)
			if err != nil {
				break
			}
		}
		if d.end != nil {
			d.end()
		}
		_ = input.Close()
	}()
	go func() {
		_ = Serve(context.Background(), in, out, ownConfig())
		_ = out.Close()
	}()
	lines := bufio.NewReader(output)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		if d.out != nil {
			line = d.out(line)
		}
		_, _ = os.Stdout.WriteString(line)
	}
}
