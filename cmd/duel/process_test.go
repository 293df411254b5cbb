package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// readUntil reads up to the end of a text; the rest stays unread.
func readUntil(t *testing.T, in io.Reader, text string) {
	t.Helper()
	var read bytes.Buffer
	for b := make([]byte, 1); !strings.HasSuffix(read.String(), text); {
		if _, err := io.ReadFull(in, b); err != nil {
			t.Fatalf("%q was not printed, but %q: %v", text, read.String(), err)
		}
		read.Write(b)
	}
}

// TestSignals stops a game with signals: the game is saved and the exit code is 130.
func TestSignals(t *testing.T) {
	// The tests may run with hangups ignored, which programs inherit. A signal that is caught here
	// is not ignored there.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			file := filepath.Join(t.TempDir(), "games")
			cmd := exec.CommandContext(ctx, "duel", "play", "dilemma", "--record", file)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			readUntil(t, out, "Enter the digit you want to pick: ")
			io.WriteString(in, "7 left\n")
			readUntil(t, out, "Enter the digit you want to pick: ")
			io.WriteString(in, "3\n")
			readUntil(t, out, "(Left, Middle, Right): ")
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			rest, _ := io.ReadAll(out)
			var failed *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &failed) || failed.ExitCode() != 130 {
				t.Errorf("ended with %v, want exit code 130", err)
			}
			if string(rest) != "\n" {
				t.Errorf("after the prompt it printed %q, want a newline", rest)
			}
			got := stderr.String()
			if strings.Count(got, "\n") != 1 || !strings.HasPrefix(got, "duel: interrupted; ") {
				t.Errorf("stderr is %q", got)
			}
			record, err := os.ReadFile(file)
			if !strings.HasPrefix(string(record), "dilemma 7a *; ") ||
				strings.Count(string(record), "\n") != 1 {
				t.Errorf("recorded %q: %v", record, err)
			}
		})
	}
}

// TestSignalsWhileReading interrupts commands that wait for the next line of a record file.
func TestSignalsWhileReading(t *testing.T) {
	for _, command := range []string{"review", "replay"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, "duel", command, "-")
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			io.WriteString(in, "highest 9a *\n")
			readUntil(t, out, "Game 1 (line 1): ")
			if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, out)
			_ = cmd.Wait() // the exit code is checked below
			code, message := cmd.ProcessState.ExitCode(), stderr.String()
			if code != 130 || message != "duel: interrupted\n" {
				t.Errorf("exit code %d, %q", code, message)
			}
		})
	}
}

// TestUntil stops a sequence whose next value never comes.
func TestUntil(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	never := make(chan struct{})
	var got []int
	for n := range until(ctx, func(yield func(int) bool) {
		yield(1)
		yield(2)
		<-never
	}) {
		if got = append(got, n); n == 2 {
			cancel()
		}
	}
	if !slices.Equal(got, []int{1, 2}) {
		t.Errorf("yields %v", got)
	}
	for n := range until(t.Context(), slices.Values([]int{1, 2, 3})) {
		if got = append(got, n); n == 2 {
			break
		}
	}
	if !slices.Equal(got, []int{1, 2, 1, 2}) {
		t.Errorf("yields %v", got)
	}
}

// TestKilled kills a program at random moments while it plays one game after another. Every game
// whose end it printed is in the file, which has only whole lines.
func TestKilled(t *testing.T) {
	t.Parallel()
	const kills = 20
	line := regexp.MustCompile(`(?m)^divisibility 7R 1-0 multiple; .*Z\n`)
	file := filepath.Join(t.TempDir(), "games")
	rng := rand.New(rand.NewPCG(1, 1))
	ended := 0
	for range kills {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		cmd := exec.CommandContext(ctx,
			"duel", "play", "divisibility", "--best-of", "99", "--record", file)
		cmd.Stdin = strings.NewReader(strings.Repeat("7R\n", 200))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		seen := new(bytes.Buffer)
		_, _ = io.CopyN(seen, out, rng.Int64N(6000))
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(seen, out)
		_ = cmd.Wait() // it was killed
		cancel()
		ended += strings.Count(seen.String(), "Congratulations, ")
		kept, err := os.ReadFile(file)
		if err != nil && ended > 0 {
			t.Fatal(err)
		}
		if n := len(line.FindAll(kept, -1)); len(line.ReplaceAll(kept, nil)) > 0 || n < ended {
			t.Fatalf("%d games ended, but the file has\n%s", ended, kept)
		}
	}
	if ended == 0 {
		t.Error("no game was played")
	}
}

// TestFullOutput checks the error when the output cannot be written.
func TestFullOutput(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "duel", "rules", "dilemma")
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full: ", err)
	}
	defer full.Close() //nolint:errcheck // nothing can be written to it
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = full, &stderr
	var failed *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &failed) || failed.ExitCode() != 1 ||
		!strings.Contains(stderr.String(), "no space left on device") {
		t.Errorf("with a full disk: %v, %q", err, stderr.String())
	}
}
