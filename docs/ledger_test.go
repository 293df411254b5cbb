package docs_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"digitduel/digit"
)

var (
	ledgerClause = regexp.MustCompile(`^\| ([A-Z])([0-9]+) \|`)
	ledgerRuling = regexp.MustCompile(`^\*\*A([0-9]+)\. `)
	ledgerTest   = regexp.MustCompile("`([a-z/]+)\\.(Test[A-Za-z]+)((?:/[^`]+)?)`")
	ledgerFigure = regexp.MustCompile(`\b([0-9][0-9,]*) of (?:the )?([0-9][0-9,]*[0-9])\b`)
	ledgerSee    = regexp.MustCompile(`\bA([0-9]+)\b`)
)

// TestLedger checks docs/rulings.md: the numbers have no gaps, each clause and each ruling names a
// test, and the tests exist.
func TestLedger(t *testing.T) {
	text, err := os.ReadFile("docs/rulings.md")
	if err != nil {
		t.Fatal(err)
	}
	last := map[string]int{}
	open := "" // the ruling whose tests have not been named yet
	next := func(letter, number string) string {
		last[letter]++
		if n, _ := strconv.Atoi(number); n != last[letter] {
			t.Errorf("got %s%s, want %s%d", letter, number, letter, last[letter])
		}
		return letter + number
	}
	mentioned := map[int]bool{}
	tests := map[string]testFiles{}
	for line := range strings.Lines(string(text)) {
		named := ledgerTest.FindAllStringSubmatch(line, -1)
		switch clause, ruling := ledgerClause.FindStringSubmatch(line), ledgerRuling.FindStringSubmatch(line); {
		case clause != nil:
			if name := next(clause[1], clause[2]); len(named) == 0 {
				t.Errorf("%s names no test", name)
			}
		case ruling != nil:
			if open != "" {
				t.Errorf("%s names no test", open)
			}
			open = next("A", ruling[1])
		case strings.HasPrefix(line, "- Pinned by: ") && len(named) > 0:
			open = ""
		}
		for _, see := range ledgerSee.FindAllStringSubmatch(line, -1) {
			n, _ := strconv.Atoi(see[1])
			mentioned[n] = true
		}
		for _, test := range named {
			dir, name, subtests := test[1], test[2], strings.Split(test[3], "/")[1:]
			if tests[dir] == nil {
				tests[dir] = readTests(t, dir)
			}
			if err := tests[dir].find(dir, name, subtests); err != nil {
				t.Errorf("%s.%s%s: %v", dir, name, test[3], err)
			}
		}
	}
	if open != "" {
		t.Errorf("%s names no test", open)
	}
	for n := range mentioned {
		if n > last["A"] {
			t.Errorf("A%d is mentioned, but does not exist", n)
		}
	}
	for _, letter := range []string{"D", "S", "H", "V", "R", "A"} {
		if last[letter] == 0 {
			t.Errorf("no clause or ruling %s", letter)
		}
	}
}

// TestLedgerFigures checks the figures of the ledger on other readings: each is on the page of
// solutions, or computed here.
func TestLedgerFigures(t *testing.T) {
	text, err := os.ReadFile("docs/rulings.md")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("docs/solutions.md")
	if err != nil {
		t.Fatal(err)
	}
	drawn := func(rules string) (drawn, all string) {
		c, err := solved(t, rules).Census(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return figure(int(c.Open.Draw + c.Over.Draw)), figure(int(c.Count()))
	}
	below, all := drawn("divisibility")
	nearest, _ := drawn("divisibility final=nearest")
	found := []string{
		fmt.Sprintf("%s of the %s positions would be worth a draw instead of %s", nearest,
			all, below),
		leadingZeros(t) + " pairs of full hands",
	}
	words := strings.Join(strings.Fields(string(text)), " ")
	for _, want := range found {
		if !strings.Contains(words, want) {
			t.Errorf("docs/rulings.md does not contain %q", want)
		}
	}
	figures := ledgerFigure.FindAllStringSubmatch(words, -1)
	for _, f := range figures {
		onPage := strings.Contains(string(page), f[1]+" of "+f[2]+" |")
		if !onPage && !slices.ContainsFunc(found, func(want string) bool { return strings.HasPrefix(want, f[0]) }) {
			t.Errorf("%s: no page and no test has this figure", f[0])
		}
	}
	if len(figures) < 10 {
		t.Errorf("found %d figures, want at least 10", len(figures))
	}
}

// leadingZeros counts the pairs of full hands, and those with another winner if the number of a
// hand may begin with 0.
func leadingZeros(t *testing.T) string {
	counts := digit.Sevens
	counts.Zero = digit.Counts
	other, all := 0, 0
	for first := range hands3() {
		for second := range hands3() {
			if first&second != 0 {
				continue
			}
			all++
			text := first.List("") + "/" + second.List("")
			without, errWithout := digit.Sevens.ParsePosition(text)
			with, errWith := counts.ParsePosition(text)
			if errWithout != nil || errWith != nil {
				t.Fatal(errWithout, errWith)
			}
			if digit.Sevens.Result(without).Score != counts.Result(with).Score {
				other++
			}
		}
	}
	return figure(other) + " of the " + figure(all)
}

// A ledgerName is a test that the ledger names.
type ledgerName struct {
	dir, test string
	subtests  []string
}

func (n ledgerName) String() string {
	return strings.Join(append([]string{n.dir + "." + n.test}, n.subtests...), "/")
}

// ledgerRows returns the tests that the ledger names, by clause and ruling.
func ledgerRows(t *testing.T) map[string][]ledgerName {
	t.Helper()
	text, err := os.ReadFile("docs/rulings.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]ledgerName{}
	ruling := ""
	for line := range strings.Lines(string(text)) {
		at := ""
		if m := ledgerClause.FindStringSubmatch(line); m != nil {
			at = m[1] + m[2]
		} else if m := ledgerRuling.FindStringSubmatch(line); m != nil {
			ruling = "A" + m[1]
			rows[ruling] = nil
		} else if strings.HasPrefix(line, "- Pinned by: ") {
			at = ruling
		}
		for _, m := range ledgerTest.FindAllStringSubmatch(line, -1) {
			if at != "" {
				rows[at] = append(rows[at], ledgerName{m[1], m[2], strings.Split(m[3], "/")[1:]})
			}
		}
	}
	return rows
}

// testFiles maps each test of a package to the string literals of its file.
type testFiles map[string][]string

func readTests(t *testing.T, dir string) testFiles {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("package %s has no tests: %v", dir, err)
	}
	tests := testFiles{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, _ := strconv.Unquote(lit.Value)
				texts = append(texts, text)
			}
			return true
		})
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				tests[f.Name.Name] = texts
			}
		}
	}
	return tests
}

// find returns an error if a test or its subtests do not exist. The names of subtests are literals
// in the same file, or names of files under testdata.
func (f testFiles) find(dir, name string, subtests []string) error {
	texts, ok := f[name]
	if !ok {
		return fmt.Errorf("no such test")
	}
	for _, subtest := range subtests {
		files, _ := filepath.Glob(filepath.Join(dir, "testdata", subtest+".*"))
		deeper, _ := filepath.Glob(filepath.Join(dir, "testdata", "*", subtest+".*"))
		if !slices.Contains(texts, subtest) && len(files)+len(deeper) == 0 {
			return fmt.Errorf("no subtest %q", subtest)
		}
	}
	return nil
}
