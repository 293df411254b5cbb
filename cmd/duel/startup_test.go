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

// build compiles a main package as make build does, without C, and returns the program: a copy of it, as whoever installs it has one. What
// the linker itself has written through a map of the file lies in many small pieces in memory, and takes a sixth longer to start.
func build(t *testing.T, dir, pkg string) string {
	t.Helper()
	linked, program := filepath.Join(t.TempDir(), "linked"), filepath.Join(t.TempDir(), "program")
	cmd := exec.Command("go", "build", "-trimpath", "-o", linked, pkg)
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

// TestInit fails when a package takes long to start, since every command would wait for it.
func TestInit(t *testing.T) {
	program := build(t, ".", ".")
	const most, runs = 5.0, 5
	fastest := map[string]float64{}
	for range runs { // a busy machine makes a run slow, but not every run
		cmd := exec.Command(program, "--version")
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
			t.Errorf("package %s takes %.1f ms to start, more than %.0f", pkg, ms, most)
		}
	}
}

// TestStartup compares the time to the version and to the first prompt with that of an empty program, in turns.
func TestStartup(t *testing.T) {
	empty := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module empty\n", "main.go": "package main\n\nfunc main() {}\n"} {
		if err := os.WriteFile(filepath.Join(empty, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	nothing, duel := build(t, empty, "."), build(t, ".", ".")
	ways := []struct {
		name string
		run  func() (time.Duration, error)
	}{
		{"empty", func() (time.Duration, error) { return timed(nothing) }},
		{"version", func() (time.Duration, error) { return timed(duel, "--version") }},
		{"prompt", func() (time.Duration, error) { return firstPrompt(duel) }},
	}
	const most, tries = 4.0, 12 // with all libraries linked; a busy machine spoils some tries
	var ratios [3]float64
	for range tries {
		times := make([][]time.Duration, len(ways))
		for range 40 {
			for i, way := range ways {
				took, err := way.run()
				if err != nil {
					t.Fatalf("%s: %v", way.name, err)
				}
				times[i] = append(times[i], took)
			}
		}
		var quartile [3]time.Duration
		for i := range times {
			slices.Sort(times[i])
			quartile[i] = times[i][len(times[i])/4]
			ratios[i] = float64(quartile[i]) / float64(quartile[0])
		}
		t.Logf("empty %v, version %v (%.1f times), first prompt %v (%.1f times)", quartile[0], quartile[1], ratios[1], quartile[2], ratios[2])
		if ratios[1] <= most && ratios[2] <= most {
			return
		}
	}
	t.Errorf("version %.1f times and first prompt %.1f times an empty program, want at most %.0f", ratios[1], ratios[2], most)
}

// timed runs a program to its end.
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
