package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/rulebook"
)

// A newBook is another rulebook: the two lines that add it to digit/book.go, and the same rules for
// the test.
type newBook struct {
	name, title string
	value       string // in the list of rules
	entry       string // in Books
	rules       digit.Rules
	goal        string
}

// newBooks returns the book of CONTRIBUTING.md, and one with digits up to f.
func newBooks(t *testing.T) []newBook {
	t.Helper()
	guide, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	value := regexp.MustCompile(`(?m)^ {4,}(Lowest4 +=.*)$`).FindStringSubmatch(string(guide))
	entry := regexp.MustCompile(`(?m)^ {4,}(\{"lowest4".*\},)`).FindStringSubmatch(string(guide))
	if value == nil || entry == nil {
		t.Fatal("CONTRIBUTING.md does not have the lines that add a book")
	}
	oneToNine := digit.Pool(1<<10 - 2)
	return []newBook{
		{
			"lowest4", "Lowest Four", value[1], entry[1],
			digit.Rules{
				Pool: oneToNine, Place: digit.Slots, Width: 4, Final: digit.FinalBy(digit.Lower),
			},
			"The lower number wins",
		},
		{
			"hexends", "Hex Ends",
			"HexEnds = Rules{Pool: 1<<16 - 2, Place: Ends, Width: 3, Target: 13, Win: EachTurn, " +
				"Final: FinalBy(Nearest)}",
			`{"hexends", "Hex Ends", HexEnds},`,
			digit.Rules{
				Pool: 1<<16 - 2, Place: digit.Ends, Width: 3, Target: 13, Win: digit.EachTurn,
				Final: digit.FinalBy(digit.Nearest),
			},
			"First multiple of 13 wins",
		},
	}
}

// buildWith builds the program with more books.
func buildWith(t *testing.T, books []newBook) string {
	t.Helper()
	source, err := filepath.Abs("../../digit/book.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	changed := string(text)
	for _, b := range books {
		changed = strings.Replace(changed, "\nvar (\n", "\nvar (\n\t"+b.value+"\n", 1)
		changed = strings.Replace(changed, "var Books = []Book{\n", "var Books = []Book{\n\t"+b.entry+"\n", 1)
	}
	dir := t.TempDir()
	program, overlay := filepath.Join(dir, "duel"), filepath.Join(dir, "overlay.json")
	replacement := filepath.Join(dir, "book.go")
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{source: replacement}})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{replacement: changed, overlay: string(list)} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-overlay", overlay, "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("the lines of CONTRIBUTING.md do not build: %v: %s", err, out)
	}
	return program
}

// TestNewBook adds two books to the program, one with the lines in CONTRIBUTING.md, and plays them
// line by line, on the full screen and at a server.
func TestNewBook(t *testing.T) {
	t.Parallel()
	if !nightly {
		t.Skip("building the program with more books is part of make nightly")
	}
	books := newBooks(t)
	duel := buildWith(t, books)
	server := newServerFor(t, duel)
	server.start()
	for _, b := range books {
		t.Run(b.name, func(t *testing.T) {
			t.Run("lines", func(t *testing.T) { newBookInLines(t, duel, b) })
			t.Run("full screen", func(t *testing.T) { newBookOnScreen(t, duel, b) })
			t.Run("server", func(t *testing.T) { newBookServed(t, server, b) })
		})
	}
}

// run runs a command to its end and returns its output.
func (b newBook) run(t *testing.T, stdin, duel string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), duel, args...)
	cmd.Env, cmd.Stdin = environment(t), strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("duel %q: %v\n%s", args, err, out)
	}
	return string(out)
}

func newBookInLines(t *testing.T, duel string, b newBook) {
	file := filepath.Join(t.TempDir(), "games")
	rng := rand.New(rand.NewPCG(1, 2))
	var typed strings.Builder
	var p digit.Position
	for !b.rules.Result(p).Over() {
		m, _ := b.rules.Pick(p, rng.IntN)
		fmt.Fprintln(&typed, m)
		p, _ = b.rules.Play(p, m)
	}
	b.run(t, typed.String(), duel, "play", b.name, "--names", "Ada,Ben", "--record", file)
	rec, err := os.ReadFile(file)
	if err != nil || !strings.HasPrefix(string(rec), b.name+" ") ||
		!strings.Contains(string(rec), b.rules.Result(p).String()) {
		t.Fatalf("a game with result %v is recorded as %q, %v", b.rules.Result(p), rec, err)
	}
	b.run(t, "", duel, "play", b.name, "--p1", "casual", "--p2", "perfect", "--seed", "3")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"rules", b.name}, b.goal + "."},
		{[]string{"solve", b.name}, "wins"},
		{[]string{"analyze", b.name, "--json"}, `"rules":"` + b.name + `"`},
		{[]string{"perft", b.name, "--depth", "2"}, "positions"},
		{[]string{"replay", file}, b.name},
		{[]string{"review", file}, b.title},
		{[]string{"help", "games"}, b.title},
	} {
		out := b.run(t, "", duel, tt.args...)
		if !strings.Contains(strings.ReplaceAll(out, `": "`, `":"`), tt.want) {
			t.Errorf("duel %q does not print %q:\n%s", tt.args, tt.want, out)
		}
	}
	out := b.run(t, "skip\n", duel, "puzzle", b.name, "--seed", "1")
	if !strings.Contains(out, b.goal+".") {
		t.Errorf("duel puzzle does not print the goal:\n%s", out)
	}
}

func newBookOnScreen(t *testing.T, duel string, b newBook) {
	home := t.TempDir()
	command := "XDG_CONFIG_HOME=" + home + " XDG_DATA_HOME=" + home + " " + duel
	pane := openPane(t, command+" play "+b.name+" --p2 casual")
	if rulebook.Aims(b.rules) != nil {
		pane.shows("Agree on a target")
		pane.types(fmt.Sprint(b.rules.Target), "Enter")
	}
	pane.shows(regexp.QuoteMeta(b.title))
	pane.shows(regexp.QuoteMeta(b.goal))
	pane.types("5")
	if b.rules.Place == digit.Slots {
		pane.types("b")
	}
	pane.types("Enter")
	pane.shows(`5`)
	pane.types("C-c")
	pane.shows("exit code") // before its folder is deleted
	menu := openPane(t, command)
	menu.shows(regexp.QuoteMeta(b.title))
	menu.types("C-c")
	menu.shows("exit code")
}

func newBookServed(t *testing.T, s *server, b newBook) {
	for path, want := range map[string]string{
		"/": `value="` + b.name + `"`, "/rules/" + b.name: b.goal, "/new?book=" + b.name: b.title,
		"/api/openapi.json": "openapi",
	} {
		status, text, err := s.ask("GET", path, "", "")
		if err != nil || status != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%s: status %d, want %q in it: %v\n%.2000s", path, status, want, err, text)
		}
	}
	status, text, err := s.ask("POST", "/api/tables", "", `{"rules":"`+b.name+`"}`)
	var opened struct {
		ID    string
		Seats []struct{ Token string }
	}
	if err != nil || status != http.StatusCreated || json.Unmarshal([]byte(text), &opened) != nil {
		t.Fatalf("a new table: %d %s: %v", status, text, err)
	}
	var p digit.Position
	rng := rand.New(rand.NewPCG(3, 4))
	for !b.rules.Result(p).Over() {
		m, _ := b.rules.Pick(p, rng.IntN)
		turn := b.rules.Turn(p)
		path, body := "/api/tables/"+opened.ID+"/moves", fmt.Sprintf(`{"move":%q}`, m)
		status, text, err := s.ask("POST", path, opened.Seats[turn].Token, body)
		if err != nil || status != http.StatusOK {
			t.Fatalf("move %v: %d %s: %v", m, status, text, err)
		}
		status, text, err = s.ask("GET", "/t/"+opened.ID, "", "")
		if err != nil || status != http.StatusOK || !strings.Contains(text, b.goal) {
			t.Fatalf("the page of the table: status %d, want %q in it: %v\n%.3000s",
				status, b.goal, err, text)
		}
		p, _ = b.rules.Play(p, m)
	}
	if view := s.tableState(opened.ID); view.Result != b.rules.Result(p).String() {
		t.Errorf("the table ends with %q, want %v", view.Result, b.rules.Result(p))
	}
	for _, path := range []string{"/t/" + opened.ID + "/games/1", "/t/" + opened.ID + "/games/1/record"} {
		if status, text, err := s.ask("GET", path, "", ""); err != nil || status != http.StatusOK {
			t.Errorf("%s: status %d: %v\n%.500s", path, status, err, text)
		}
	}
}
