package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A target is a fuzz test.
type target struct{ pkg, name string }

func (t target) String() string { return t.pkg + " " + t.name }

var fuzzTest = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(f \*testing\.F\)`)

// findTargets returns the fuzz tests of a tree, except those of tools.
func findTargets(tree fs.FS) (all []target, err error) {
	err = fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() &&
			(name == "tools" || name != "." && strings.HasPrefix(entry.Name(), ".")):
			return fs.SkipDir
		case !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		for _, m := range fuzzTest.FindAllSubmatch(text, -1) {
			all = append(all, target{filepath.ToSlash(filepath.Dir(name)), string(m[1])})
		}
		return nil
	})
	return all, err
}

// turn is how long a target is fuzzed before the next one.
const turn = 30 * time.Second

// fuzzAll fuzzes the targets in turns, each for the same time, until there were enough inputs in
// total.
func (r *run) fuzzAll(ctx context.Context) error {
	targets, err := findTargets(os.DirFS("."))
	if err != nil || len(targets) == 0 {
		return fmt.Errorf("there are %d fuzz tests: %w", len(targets), err)
	}
	defer r.show.end()
	built := map[string]string{}
	for r.state.total().Execs < r.execs && ctx.Err() == nil {
		next := slices.MinFunc(targets, func(a, b target) int {
			return int(r.state.Fuzz[a.String()].Spent - r.state.Fuzz[b.String()].Spent)
		})
		if built[next.pkg] == "" {
			if built[next.pkg], err = r.buildFuzz(ctx, next.pkg); err != nil {
				return err
			}
		}
		if err := r.fuzzTurn(ctx, next, built[next.pkg]); err != nil {
			return err
		}
	}
	return nil
}

// buildFuzz compiles the tests of a package with coverage for fuzzing, and returns the program.
func (r *run) buildFuzz(ctx context.Context, pkg string) (program string, err error) {
	program = filepath.Join(r.dir, strings.ReplaceAll(pkg, "/", "-")+".fuzz")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-fuzz", "Fuzz", "-o", program, "./"+pkg)
	if out, err := build.CombinedOutput(); err != nil && ctx.Err() == nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return program, nil
}

// share returns the number of inputs of a target in a turn: a few at first, and then as many as
// take a turn.
func share(before fuzzed) int {
	const first = 2000
	if before.Execs == 0 {
		return first
	}
	return max(first, int(float64(before.Execs)*turn.Seconds()/before.Spent.Seconds()))
}

var fuzzLine = regexp.MustCompile(`^fuzz: elapsed: .*, execs: (\d+) `)

// fuzzTurn fuzzes a target for a turn.
func (r *run) fuzzTurn(ctx context.Context, t target, program string) error {
	before, sum := r.state.Fuzz[t.String()], r.state.total()
	n := min(share(before), max(1, r.execs-sum.Execs))
	logFile := filepath.Join(r.dir, "fuzz.log")
	// Minimizing interesting inputs would take longer than continuing.
	cmd := exec.Command(program, "-test.run", "^$", "-test.fuzz", "^"+t.name+"$",
		"-test.fuzztime", strconv.Itoa(n)+"x", "-test.fuzzminimizetime", "10x",
		"-test.fuzzcachedir", filepath.Join(r.dir, "corpus", t.pkg), "-test.timeout", "0")
	cmd.Dir = filepath.FromSlash(t.pkg)
	began := time.Now()
	var now fuzzed
	show := func() {
		r.show.fuzz(t, fuzzed{sum.Execs + now.Execs, sum.Spent + time.Since(began)}, r.execs)
	}
	show()
	err := follow(ctx, cmd, logFile, func(line string) {
		if m := fuzzLine.FindStringSubmatch(line); m != nil {
			now.Execs, _ = strconv.Atoi(m[1]) // they are digits
			show()
		}
	})
	now.Spent = time.Since(began)
	switch output, _ := os.ReadFile(logFile); {
	case ctx.Err() != nil && !strings.Contains(string(output), "--- FAIL"): // it was interrupted
	case err != nil:
		return r.lost(fmt.Sprintf("%s: an input breaks its law: %v", t, err), logFile,
			fmt.Sprintf("go test ./%s -run '^%s$'", t.pkg, t.name))
	}
	r.state.Fuzz[t.String()] = fuzzed{before.Execs + now.Execs, before.Spent + now.Spent}
	return r.state.write(r.file())
}
