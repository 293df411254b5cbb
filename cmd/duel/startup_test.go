package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// installed builds the program as make build does, without C, and returns a copy, as a user has it.
// The file of the linker lies in many small pieces in memory, and takes a sixth longer to start.
func installed(t *testing.T, dir string) string {
	t.Helper()
	linked, program := filepath.Join(t.TempDir(), "linked"), filepath.Join(t.TempDir(), "program")
	cmd := exec.Command("go", "build", "-o", linked, ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	code, err := os.ReadFile(linked)
	if err == nil {
		err = os.WriteFile(program, code, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// checkInit checks that no package takes long to initialize, since every command waits for it.
func checkInit(t *testing.T, program string) {
	t.Helper()
	const most, runs = 5.0, 50
	fastest := map[string]float64{}
	slow := func() bool {
		for _, ms := range fastest {
			if ms > most {
				return true
			}
		}
		return false
	}
	// On a busy machine some runs are slow, but not all.
	for run := 0; run == 0 || slow() && run < runs; run++ {
		cmd := exec.Command(program, "rules", "highest")
		cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
		var trace bytes.Buffer
		cmd.Stderr = &trace
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(trace.String()) { // init PACKAGE @0.1 ms, 0.2 ms clock, …
			words := strings.Fields(line)
			if len(words) < 6 || words[0] != "init" {
				continue
			}
			ms, err := strconv.ParseFloat(words[4], 64)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if before, seen := fastest[words[1]]; !seen || ms < before {
				fastest[words[1]] = ms
			}
		}
	}
	if len(fastest) == 0 {
		t.Fatal("no package was traced")
	}
	for pkg, ms := range fastest {
		if ms > most {
			t.Errorf("package %s takes %.1f ms to initialize, want at most %.0f", pkg, ms, most)
		}
	}
}

// TestStartup compares the time to print the version and the first prompt with the time of an empty
// program, with all libraries linked. The programs take turns.
func TestStartup(t *testing.T) {
	if !nightly {
		t.Skip("timing the start of the program is part of make nightly")
	}
	duel, empty := installed(t, "."), t.TempDir()
	checkInit(t, duel)
	for name, text := range map[string]string{
		"go.mod": "module empty\n", "main.go": "package main\n\nfunc main() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(empty, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	program := installed(t, empty)
	for _, tt := range []struct {
		name string
		run  func(duel string) (time.Duration, error)
	}{
		{"version", func(duel string) (time.Duration, error) { return timed(duel, "--version") }},
		{"first prompt", firstPrompt},
	} {
		const most, tries = 4.0, 12 // a busy machine spoils some tries
		ratio := most + 1
		for try := 0; try < tries && ratio > most; try++ {
			var nothing, something []time.Duration
			for range 40 {
				least, err := timed(program)
				if err != nil {
					t.Fatalf("the empty program: %v", err)
				}
				took, err := tt.run(duel)
				if err != nil {
					t.Fatalf("%s: %v", tt.name, err)
				}
				nothing, something = append(nothing, least), append(something, took)
			}
			ratio = float64(quartile(something)) / float64(quartile(nothing))
			t.Logf("%s: %.1f times an empty program's %v", tt.name, ratio, quartile(nothing))
		}
		if ratio > most {
			t.Errorf("%s: %.1f times an empty program, want at most %.0f", tt.name, ratio, most)
		}
	}
}

func quartile(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/4]
}

// timed returns the time that a program takes to run.
func timed(program string, args ...string) (time.Duration, error) {
	start := time.Now()
	err := exec.Command(program, args...).Run()
	return time.Since(start), err
}

// firstPrompt returns the time until a game asks for a digit.
func firstPrompt(duel string) (time.Duration, error) {
	start := time.Now()
	cmd := exec.Command(duel, "play", "highest")
	cmd.Stdin = strings.NewReader("quit\n")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	text, took := bufio.NewReader(out), time.Duration(0)
	for asked := ""; !strings.HasSuffix(asked, "select: "); {
		c, err := text.ReadByte()
		if err != nil {
			return 0, err
		}
		asked += string(c)
		took = time.Since(start)
	}
	if _, err := io.Copy(io.Discard, text); err != nil {
		return 0, err
	}
	return took, cmd.Wait()
}
