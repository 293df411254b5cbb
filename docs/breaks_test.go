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
	"the breaks of docs/breaks.txt to try: all, a number (others each day), or clauses with commas between")

// A fault is one small break of the product, which a test of the row of its clause has to find. Where
// no rulebook speaks of it, the clause is the name of that test.
type fault struct {
	clause, file string
	changes      []change
}

// A change puts new lines in the place of old ones, which stand once in the file.
type change struct{ old, new string }

// readFaults reads docs/breaks.txt: blocks of a line with the clause or the test and the file, lines "- " that are in the file, and lines "+ " that
// take their place; further lines "- " and "+ " break the file in a second place.
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
				t.Fatalf("%s: %q begins with neither - nor +, or nothing stands before it", lines[0], line)
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

// overlay writes the broken file and what makes the go command read it instead, and returns the latter's name.
func (f fault) overlay(dir string) (string, error) {
	replace := map[string]string{}
	if len(f.changes) > 0 {
		text, err := os.ReadFile(f.file)
		if err != nil {
			return "", err
		}
		for _, c := range f.changes {
			if n := bytes.Count(text, []byte(c.old)); n != 1 || c.old == c.new {
				return "", fmt.Errorf("what is to be broken stands %d times in %s: %q", n, f.file, c.old)
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

// fell is what a program says that does not come to its end.
var fell = regexp.MustCompile(`(?m)^(panic|fatal error): .*`)

// errMissed says that every test passes.
var errMissed = errors.New("no test of its row finds it")

// TestBreaks compares the list of breaks with the ledger: each clause has one that can be made. With
// -breaks it makes them. A test named in the row of the clause must fail then, and pass before; if
// -breaks is a number, the latter is left to the tests themselves.
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
			t.Errorf("there is a break for %s, which is no clause with tests", f.clause)
		}
		if _, err := f.overlay(t.TempDir()); err != nil {
			t.Errorf("%s: %v", f.clause, err)
		}
	}
	if t.Failed() || *breaks == "" {
		return
	}
	if faults = chosen(faults, *breaks, time.Now()); len(faults) == 0 {
		t.Fatalf("there are no breaks %s; allowed: all, a number or clauses", *breaks)
	}
	if _, err := strconv.Atoi(*breaks); err != nil { // make test comes before a number of breaks
		var tests []ledgerName
		for _, f := range faults {
			tests = append(tests, rows[f.clause]...)
		}
		slices.SortFunc(tests, func(a, b ledgerName) int { return strings.Compare(a.String(), b.String()) })
		tests = slices.CompactFunc(tests, func(a, b ledgerName) bool { return a.String() == b.String() })
		if found, err := (fault{}).find(t.TempDir(), tests); !errors.Is(err, errMissed) {
			t.Fatalf("before anything is broken: %s fails; %v", found, err)
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
				fmt.Fprintf(os.Stderr, "%3d of %d, %4.0f s  %-4s %s\n", done, len(faults), time.Since(began).Seconds(), faults[i].clause, found)
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

// chosen returns the faults that are asked for. A number of them are spread over the list, and each
// is followed by its neighbour the next day.
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
	return slices.DeleteFunc(slices.Clone(faults), func(f fault) bool { return !slices.Contains(names, f.clause) })
}

// find builds the tests of a row with the fault in the product and returns the first one that fails; that none does is an error. Those
// of the broken package come first.
func (f fault) find(dir string, tests []ledgerName) (found string, err error) {
	list, err := f.overlay(dir)
	if err != nil {
		return "", err
	}
	built := map[string]string{}
	far := func(n ledgerName) int {
		if n.dir == filepath.Dir(f.file) {
			return 0
		}
		return 1
	}
	for _, test := range slices.SortedStableFunc(slices.Values(tests), func(a, b ledgerName) int { return far(a) - far(b) }) {
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
		cmd := exec.Command(program, "-test.run", test.pattern(), "-test.failfast", "-test.timeout", "10m")
		flags := strings.TrimSpace(os.Getenv("GOFLAGS") + " -overlay=" + list)
		cmd.Dir, cmd.Env = test.dir, append(os.Environ(), "GOFLAGS="+flags)
		out, err := cmd.CombinedOutput()
		var failed *exec.ExitError
		switch {
		case fell.Match(out):
			return "", fmt.Errorf("%v falls over, as any test might, or has no time: %s", test, fell.Find(out))
		case errors.As(err, &failed):
			return test.String(), nil
		case err != nil:
			return "", err
		case bytes.Contains(out, []byte("no tests to run")):
			return "", fmt.Errorf("%v is no test", test)
		}
	}
	return "nothing", errMissed
}

// pattern returns what makes a test program run one test.
func (n ledgerName) pattern() string {
	parts := []string{"^" + n.test + "$"}
	for _, sub := range n.subtests {
		parts = append(parts, "^"+regexp.QuoteMeta(strings.ReplaceAll(sub, " ", "_"))+"$")
	}
	return strings.Join(parts, "/")
}
