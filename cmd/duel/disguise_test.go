package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"digitduel/arena"
	"digitduel/arena/disguise"
	"digitduel/digit"
)

// disguiseSeed is the disguise that the engine wordy knows.
const disguiseSeed = 7

// TestMatchInWords plays the same games in digits and in words, with an engine that plays the first
// legal move and one that does so in words. The files must be equal, line by line, with all
// regrets.
func TestMatchInWords(t *testing.T) {
	t.Parallel()
	pairs := 10
	if nightly {
		pairs = 40
	}
	args := []string{
		"match", "--player", "novice", "--rules", "dilemma", "--rules", "sevens",
		"--rules", "divisibility", "--starts", "decision:ply=0-4", "--pairs", fmt.Sprint(pairs), "--seed", "3", "--move-time", "1m",
	}
	dir := t.TempDir()
	plain, words := filepath.Join(dir, "plain"), filepath.Join(dir, "words")
	runMatch(t, append(args, "--player", "engine:steady", "--out", plain))
	runMatch(t, append(args,
		"--player", "engine:wordy", "--disguise", fmt.Sprint(disguiseSeed), "--out", words))
	var texts [2]string
	for i, dir := range []string{plain, words} {
		text, err := os.ReadFile(filepath.Join(dir, arena.GamesFile))
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = moveTimes.ReplaceAllString(string(text), `"ms":0`)
		texts[i] = regexp.MustCompile(`"plan":"[0-9a-f]+"`).ReplaceAllString(texts[i], `"plan":""`)
		texts[i] = strings.ReplaceAll(texts[i], "Wordy", "Steady")
	}
	if texts[0] != texts[1] {
		t.Errorf("the games differ:\n%.1500s\n%.1500s", texts[0], texts[1])
	}
	for _, want := range []string{`"regret":1`, `"move":"[0-9]=`, `"tokens":12,"cost":0.5`} {
		if !regexp.MustCompile(want).MatchString(texts[1]) {
			t.Errorf("no game has %s, so nothing was tested", want)
		}
	}
	if strings.Contains(texts[1], `"fault":"c`) || strings.Count(texts[1], "\n") != 6*pairs {
		t.Errorf("%d games, want %d; or the engine crashed since it was sent a digit",
			strings.Count(texts[1], "\n"), 6*pairs)
	}
}

// TestExamInWords has engines take a disguised exam: one answers in words and gets the grades of an
// engine that answers in digits, and one answers in digits, which is unreadable.
func TestExamInWords(t *testing.T) {
	t.Parallel()
	items := 10 // of each game
	if nightly {
		items = 30
	}
	dir := t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("duel", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v: %s", args, err, out)
		}
		return string(out)
	}
	exam := []string{
		"exam", "make", "--rules", "dilemma", "--rules", "sevens", "--rules", "divisibility",
		"--items", fmt.Sprint(items),
	}
	run(append(exam, "--key", "key", "--out", "items")...)
	run(append(exam, "--key", "veiledkey", "--out", "veiled", "--disguise", fmt.Sprint(disguiseSeed))...)
	run("exam", "run", "items", "--player", "engine:steady", "--move-time", "1m", "--out", "digits")
	run("exam", "run", "veiled", "--player", "engine:wordy", "--move-time", "1m", "--out", "words")
	plain := run("exam", "grade", "digits", "--key", "key", "--json")
	inWords := run("exam", "grade", "words", "--key", "veiledkey", "--json")
	if plain != inWords || !strings.HasPrefix(plain, fmt.Sprintf(`{"items":%d,`, 3*items)) {
		t.Errorf("the grades are in digits %s and in words %s", plain, inWords)
	}
	text, err := os.ReadFile(filepath.Join(dir, "words"))
	if err != nil || strings.Count(string(text), "\n") != 3*items ||
		!regexp.MustCompile(`"move":"[a-z]+@[a-z]+"`).Match(text) {
		t.Errorf("the answers are not in words: %s %v", text, err)
	}
	run("exam", "run", "veiled", "--player", "engine:wordy digits", "--move-time", "1m", "--out", "wrong")
	got := run("exam", "grade", "wrong", "--key", "veiledkey", "--json")
	if !strings.Contains(got, `"kept":0,`) ||
		!strings.Contains(got, fmt.Sprintf(`"unreadable":%d,"illegal":0,`, 3*items)) {
		t.Errorf("answers in digits: %s", got)
	}
}

// TestPythonInWords plays with examples/words.py, an engine that only gets the words.
func TestPythonInWords(t *testing.T) {
	t.Parallel()
	if exec.Command("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 10))").Run() != nil {
		t.Skip("Python 3.10 or later is missing")
	}
	script, err := filepath.Abs("../../examples/words.py")
	if err != nil {
		t.Fatal(err)
	}
	pairs := 3
	if nightly {
		pairs = 10
	}
	args := []string{
		"match", "--player", "novice", "--player", "engine:python3 " + script,
		"--starts", "decision:ply=0-4", "--pairs", fmt.Sprint(pairs), "--disguise", "11",
		"--move-time", "1m", "--out", filepath.Join(t.TempDir(), "m"),
	}
	games := 0
	for _, r := range slices.Concat(digit.BookNames(),
		[]string{"dilemma pool=0-6 zero=barred", "divisibility pool=0-6 zero=barred"}) {
		args = append(args, "--rules", r)
		games += 2 * pairs
	}
	runMatch(t, args)
	text, err := os.ReadFile(filepath.Join(args[slices.Index(args, "--out")+1], arena.GamesFile))
	if good := strings.Count(string(text), `"fault":""`); err != nil || good != games {
		t.Errorf("%d of %d games without a fault, %v", good, games, err)
	}
}

// wordEngineMain is an engine that plays the moves of steady in words. It exits if it is sent a
// digit that says something about a game. With an argument it answers wrongly: in digits, or with
// an illegal move.
func wordEngineMain() {
	var d *disguise.Disguise
	var at digit.Position
	allowed := regexp.MustCompile(`^(refused .*|go [a-z0-9 ]+|setoption name Seed value \d+)$`)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		line := in.Text()
		if strings.ContainsAny(line, "0123456789") && !allowed.MatchString(line) {
			os.Exit(3)
		}
		verb, rest, _ := strings.Cut(line, " ")
		switch verb {
		case "ugi":
			fmt.Print("id name Wordy\noption name Words type string\nugiok\n")
		case "isready":
			fmt.Println("readyok")
		case "setoption":
			d = parseRules(strings.TrimPrefix(rest, "name Words value "))
		case "position":
			at = parseWords(d, rest)
		case "go":
			fmt.Printf("info string tokens 12 cost 0.5\nbestmove %s\n", answerInWords(d, at))
		case "quit":
			return
		}
	}
}

// parseRules returns the disguise whose rules are a text.
func parseRules(rules string) *disguise.Disguise {
	seed := uint64(disguiseSeed)
	for i := range 2 * len(digit.Books) {
		d, err := disguise.Spec{Disguise: &seed, NamesOnly: i%2 == 1}.Disguised(digit.Books[i/2].Rules)
		if err != nil {
			continue
		}
		text := strings.ReplaceAll(d.Game.Text(true), "\n\n", " | ")
		if strings.Join(strings.Fields(text), " ") == rules {
			return d
		}
	}
	os.Exit(4)
	return nil
}

// parseWords returns the position of a command position in words.
func parseWords(d *disguise.Disguise, text string) digit.Position {
	start, moves, _ := strings.Cut(text, " moves ")
	var at digit.Position
	if words, ok := strings.CutPrefix(start, "fen "); ok {
		at = findPosition(d, words, digit.Position{}, map[digit.Position]bool{})
	}
	for word := range strings.FieldsSeq(moves) {
		m, err := d.ParseMove(word)
		if err == nil {
			at, err = d.Rules.Play(at, m)
		}
		if err != nil {
			os.Exit(5)
		}
	}
	return at
}

// findPosition searches for the position with a text in words. A position with a token that is not
// in the text leads nowhere.
func findPosition(
	d *disguise.Disguise, words string, p digit.Position, seen map[digit.Position]bool,
) digit.Position {
	if d.Position(p) == words {
		return p
	}
	seen[p] = true
	for m := range d.Rules.Moves(p) {
		token, _, _ := strings.Cut(d.Move(m), "@")
		next, err := d.Rules.Play(p, m)
		if err != nil || seen[next] || !strings.Contains(words, token) {
			continue
		}
		if found := findPosition(d, words, next, seen); found != (digit.Position{}) {
			return found
		}
	}
	return digit.Position{}
}

func answerInWords(d *disguise.Disguise, at digit.Position) string {
	for m := range d.Rules.Moves(at) {
		switch {
		case len(os.Args) == 1:
			return d.Move(m)
		case os.Args[1] == "digits":
			return m.String()
		}
	}
	for m := range d.Rules.Moves(digit.Position{}) {
		if _, err := d.Rules.Play(at, m); err != nil {
			return d.Move(m)
		}
	}
	return "(none)"
}
