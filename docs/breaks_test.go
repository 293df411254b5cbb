package docs_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

var breaks = flag.String("breaks", "",
	"breaks of docs/breaks.txt to try: all, a number (others each day), or clauses joined by commas")

// A fault is a small break of the product, which a test in the row of its clause must find. For
// behaviour that no rulebook describes, the clause is the name of that test.
type fault struct {
	clause, file string
	changes      []change
}

// A change replaces old lines, which must appear exactly once in the file, by new ones.
type change struct{ old, new string }

// readFaults parses docs/breaks.txt. A block begins with a line of the clause (or test) and the
// file. Lines "- " are replaced by the lines "+ " that follow. A block may have several changes.
func readFaults(t *testing.T) []fault {
	t.Helper()
	text, err := os.ReadFile("docs/breaks.txt")
	if err != nil {
		t.Fatal(err)
	}
	var faults []fault
	for block := range strings.SplitSeq(string(text), "\n\n") {
		if block = strings.Trim(block, "\n"); block == "" || strings.HasPrefix(block, "#") {
			continue
		}
		lines := strings.Split(block, "\n")
		clause, file, ok := strings.Cut(lines[0], " ")
		if !ok {
			t.Fatalf("%q is not a clause and a file", lines[0])
		}
		f := fault{clause: clause, file: file}
		before := "+"
		for _, line := range lines[1:] {
			sign, rest, _ := strings.Cut(line, " ")
			if sign == "-" && before == "+" {
				f.changes = append(f.changes, change{})
			}
			if sign != "-" && sign != "+" || len(f.changes) == 0 {
				t.Fatalf("%s: %q begins with neither - nor +, or the first line is not a - line",
					lines[0], line)
			}
			if now := &f.changes[len(f.changes)-1]; sign == "-" {
				now.old += rest + "\n"
			} else {
				now.new += rest + "\n"
			}
			before = sign
		}
		faults = append(faults, f)
	}
	return faults
}

// overlay writes the broken file, and the overlay that makes the go command use it. It returns the
// name of the overlay.
func (f fault) overlay(dir string) (string, error) {
	replace := map[string]string{}
	if len(f.changes) > 0 {
		text, err := os.ReadFile(f.file)
		if err != nil {
			return "", err
		}
		for _, c := range f.changes {
			if n := bytes.Count(text, []byte(c.old)); n != 1 || c.old == c.new {
				return "", fmt.Errorf("the old lines appear %d times in %s, or equal the new ones: %q", n, f.file, c.old)
			}
			text = bytes.Replace(text, []byte(c.old), []byte(c.new), 1)
		}
		whole, err := filepath.Abs(f.file)
		if err != nil {
			return "", err
		}
		replace[whole] = filepath.Join(dir, filepath.Base(f.file))
		if err := os.WriteFile(replace[whole], text, 0o644); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, list, 0o644)
}

// crashed matches the message of a program that panicked.
var crashed = regexp.MustCompile(`(?m)^(panic|fatal error): .*`)

// errMissed means that every test passed.
var errMissed = errors.New("no test of its row fails")

// TestBreaks checks that each clause of the ledger has a break that can be made. With -breaks, it
// makes them: a test in the row of the clause must fail with the break. It must pass without it,
// which is not checked if -breaks is a number.
func TestBreaks(t *testing.T) {
	rows := ledgerRows(t)
	faults := readFaults(t)
	for _, f := range faults {
		if m := ledgerTest.FindStringSubmatch("`" + f.clause + "`"); m != nil {
			test := ledgerName{m[1], m[2], strings.Split(m[3], "/")[1:]}
			if err := readTests(t, test.dir).find(test.dir, test.test, test.subtests); err != nil {
				t.Errorf("%s: %v", f.clause, err)
			}
			rows[f.clause] = []ledgerName{test}
		}
	}
	for clause := range rows {
		if !slices.ContainsFunc(faults, func(f fault) bool { return f.clause == clause }) {
			t.Errorf("%s has no break in docs/breaks.txt", clause)
		}
	}
	for _, f := range faults {
		if len(rows[f.clause]) == 0 {
			t.Errorf("a break for %s, which is not a clause with tests", f.clause)
		}
		if _, err := f.overlay(t.TempDir()); err != nil {
			t.Errorf("%s: %v", f.clause, err)
		}
	}
	if t.Failed() || *breaks == "" {
		return
	}
	if faults = chosen(faults, *breaks, time.Now()); len(faults) == 0 {
		t.Fatalf("no breaks %s; allowed: all, a number or clauses", *breaks)
	}
	if _, err := strconv.Atoi(*breaks); err != nil { // with a number, make test runs before
		var tests []ledgerName
		for _, f := range faults {
			tests = append(tests, rows[f.clause]...)
		}
		slices.SortFunc(tests,
			func(a, b ledgerName) int { return strings.Compare(a.String(), b.String()) })
		tests = slices.CompactFunc(tests,
			func(a, b ledgerName) bool { return a.String() == b.String() })
		if found, err := (fault{}).find(t.TempDir(), tests); !errors.Is(err, errMissed) {
			t.Fatalf("without a break: %s fails; %v", found, err)
		}
	}
	var next, done int
	var mu sync.Mutex
	var wait sync.WaitGroup
	began := time.Now()
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(faults) {
					return
				}
				found, err := faults[i].find(t.TempDir(), rows[faults[i].clause])
				mu.Lock()
				done++
				fmt.Fprintf(os.Stderr, "%3d of %d, %4.0f s  %-4s %s\n", done, len(faults),
					time.Since(began).Seconds(), faults[i].clause, found)
				mu.Unlock()
				if err != nil {
					t.Errorf("%s in %s: %v", faults[i].clause, faults[i].file, err)
				}
			}
		})
	}
	wait.Wait()
	t.Logf("%d breaks were tried", len(faults))
}

// chosen returns the selected faults. If which is a number, they are spread over the list, and move
// on by one each day.
func chosen(faults []fault, which string, now time.Time) []fault {
	if which == "all" {
		return faults
	}
	if n, err := strconv.Atoi(which); err == nil && 0 < n && n <= len(faults) {
		var some []fault
		step := (len(faults) + n - 1) / n
		for i := now.YearDay() % step; i < len(faults); i += step {
			some = append(some, faults[i])
		}
		return some
	}
	names := strings.Split(which, ",")
	return slices.DeleteFunc(slices.Clone(faults),
		func(f fault) bool { return !slices.Contains(names, f.clause) })
}

// find builds the tests of a row with the fault in the product, and returns the first one that
// fails, or errMissed. Tests of the broken package run first.
func (f fault) find(dir string, tests []ledgerName) (found string, err error) {
	list, err := f.overlay(dir)
	if err != nil {
		return "", err
	}
	built := map[string]string{}
	distance := func(n ledgerName) int {
		if n.dir == filepath.Dir(f.file) {
			return 0
		}
		return 1
	}
	sorted := slices.SortedStableFunc(slices.Values(tests),
		func(a, b ledgerName) int { return distance(a) - distance(b) })
	for _, test := range sorted {
		program, ok := built[test.dir]
		if !ok {
			program = filepath.Join(dir, strings.ReplaceAll(test.dir, "/", "-")+".test")
			out, err := exec.Command("go", "test", "-vet=off", "-ldflags=-s -w", "-overlay", list,
				"-c", "-o", program, "./"+test.dir).CombinedOutput()
			if err != nil {
				return "", fmt.Errorf("the broken product does not build: %w\n%s", err, out)
			}
			built[test.dir] = program
		}
		cmd := exec.Command(program, "-test.run", test.pattern(), "-test.failfast",
			"-test.timeout", "10m")
		flags := strings.TrimSpace(os.Getenv("GOFLAGS") + " -overlay=" + list)
		cmd.Dir, cmd.Env = test.dir, append(os.Environ(), "GOFLAGS="+flags)
		out, err := cmd.CombinedOutput()
		var failed *exec.ExitError
		switch {
		case crashed.Match(out):
			return "", fmt.Errorf("%v crashes or times out: %s", test, crashed.Find(out))
		case errors.As(err, &failed):
			return test.String(), nil
		case err != nil:
			return "", err
		case bytes.Contains(out, []byte("no tests to run")):
			return "", fmt.Errorf("%v is not a test", test)
		}
	}
	return "nothing", errMissed
}

// pattern returns the value of -test.run for a test.
func (n ledgerName) pattern() string {
	parts := []string{"^" + n.test + "$"}
	for _, sub := range n.subtests {
		parts = append(parts, "^"+regexp.QuoteMeta(strings.ReplaceAll(sub, " ", "_"))+"$")
	}
	return strings.Join(parts, "/")
}
