package disguise

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"digitduel/digit"
)

// others are rules with features that no book has.
var others = []string{
	"dilemma pool=0-6 zero=barred", "dilemma pool=0-6 zero=counts final=nearest,later", "dilemma pool=1-6 target=10 final=draw", "dilemma pool=0-3,e,f width=2 target=12 final=below",
	"sevens pool=0-6 zero=counts", "sevens pool=0-6 win=full final=above,later", "sevens pool=0-6 win=never final=below,lower", "highest pool=0-6 zero=counts", "highest pool=2-8 place=hand",
	"divisibility pool=0-6 zero=barred final=higher", "divisibility pool=0-6 zero=inert final=lower", "divisibility pool=0-6 zero=counts final=nearest,higher", "divisibility pool=1-6 width=2 final=lower",
	"divisibility pool=0-5 target=9999 zero=inert final=later", "reverse pool=0,5 width=1", "divisibility pool=0-6 win=full final=lower zero=counts", "divisibility pool=1-7 target=2 final=above",
}

// TestTextIsTheGame checks that the rules in words are complete: it parses a game from them alone,
// and proves it.
func TestTextIsTheGame(t *testing.T) {
	books := digit.BookNames()
	if os.Getenv("DUEL_NIGHTLY") == "" { // divisibility has ten times as many positions
		books = slices.DeleteFunc(books, func(name string) bool { return name == "divisibility" })
	}
	for seed, texts := range [][]string{others, others, books} {
		for _, text := range texts {
			r := rulesOf(t, text)
			for _, d := range grades(t, r, uint64(seed)) {
				text := d.Game.Text(false)
				if _, err := d.prove(t.Context(), MostPositions, readGame(t, text)); err != nil {
					t.Errorf("%v, seed %d: %v\n%s", r, seed, err, text)
				}
			}
		}
	}
}

// readGame parses a game from rules in words.
func readGame(t *testing.T, text string) *Game {
	t.Helper()
	g := &Game{Form: Row, Try: TryNever, Blank: -1, Bound: Free}
	find := func(pattern string) []string {
		if m := regexp.MustCompile(pattern).FindStringSubmatch(text); m != nil {
			return m[1:]
		}
		return nil
	}
	number := func(text string) int {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for name := range strings.SplitSeq(find(`there once: ([^.]*)\.`)[0], ", ") {
		g.Tokens = append(g.Tokens, Token{Name: name})
	}
	token := func(name string) int {
		return slices.IndexFunc(g.Tokens, func(t Token) bool { return t.Name == name })
	}
	var places []string
	if m := find(`a row of (\d) places?: ([^.]*), all empty`); m != nil {
		places, g.Size = strings.Split(m[1], ", "), [2]int{number(m[0]), number(m[0])}
	}
	if m := find(`two ends, (\w+) and (\w+)\.`); m != nil {
		g.Form, places = Line, m
	}
	if m := find(`line is full when it has (\d)`); m != nil {
		g.Size = [2]int{number(m[0]), number(m[0])}
	}
	if m := find(`moves first is full when it has (\d) tokens?, the other's when it has (\d)`); m != nil {
		g.Size = [2]int{number(m[0]), number(m[1])}
	}
	if m := find(`a hand, which is full when it has (\d) (?s:.*) arranged in \d places?: (.*), one in each`); m != nil {
		g.Form, g.Size, places = Held, [2]int{number(m[0]), number(m[0])}, strings.Split(m[1], ", ")
	}
	lead := ""
	for _, rule := range []struct {
		pattern string
		bound   Bound
	}{
		{`may not put (\w+) into (\w+)`, Shut},
		{`neither begin with (\w+) nor put it at (\w+)`, Shut},
		{`never arranged with (\w+) in (\w+)`, Idle},
		{`with (\w+) (?:in|at) (\w+) never wins`, Idle},
		{`ranking of lines, (\w+) at (\w+) is left out`, Free},
	} {
		if m := find(rule.pattern); m != nil {
			g.Blank, lead, g.Bound = token(m[0]), m[1], max(g.Bound, rule.bound)
		}
	}
	if m := find(`compared by (?:the|their) tokens (?:in|at) (\w+)`); m != nil {
		lead = m[0]
	}
	order := places
	if m := find(`order of the places is ([^.]*)\.`); m != nil {
		order = strings.Split(m[0], ", ")
	}
	order = slices.DeleteFunc(slices.Clone(order), func(p string) bool { return p == lead })
	for _, name := range places {
		g.Places = append(g.Places, Place{Name: name, Rank: slices.Index(order, name) + 1})
	}
	if m := find(`a worth: ([^.]*)\.`); m != nil {
		for one := range strings.SplitSeq(m[0], ", ") {
			name, worth, _ := strings.Cut(one, " ")
			g.Tokens[token(name)].Worth = number(worth)
		}
	}
	if m := find(`evenly among (\d+),`); m != nil {
		g.Share = number(m[0])
	}
	if m := find(`place has a weight: ([^.]*)\.`); m != nil {
		for i, one := range strings.Split(m[0], ", ") {
			_, weight, _ := strings.Cut(one, " ")
			g.Places[i].Weight = number(weight)
		}
	}
	if m := find(`counted from \w+: ([^.]*)\.`); m != nil {
		for one := range strings.SplitSeq(m[0], ", ") {
			g.Weights = append(g.Weights, number(strings.Fields(one)[2]))
		}
	}
	for sentence, try := range map[string]Try{"As soon as your": TryFull,
		"After each token that you add, you win": TryEach, "you may call one arrangement": TryCall} {
		if strings.Contains(text, sentence) {
			g.Try = try
		}
	}
	if m := find(`a rank: ([^.]*)\.`); m != nil {
		for one := range strings.SplitSeq(m[0], ", ") {
			name, rank, _ := strings.Cut(one, " ")
			g.Tokens[token(name)].Rank = number(rank)
		}
	}
	g.LongFirst = strings.Contains(text, "the longer one is the earlier one")
	criteria := map[string]Criterion{
		"sum has more left over": MoreOver, "sum has less left over": LessOver, "for whom this is less": NearEven,
		"comes earlier in the ranking": EarlyRank, "comes later in the ranking": LateRank, "has placed the last token": LastPlaced,
	}
	for _, m := range regexp.MustCompile(`(sum has \w+ left over|for whom this is less|comes \w+ in the ranking|has placed the last token)`).FindAllString(text, -1) {
		g.Orders = append(g.Orders, criteria[m])
	}
	return g
}

// TestStrict checks that a strict text contains no digits and no words that give away the game, and
// otherwise equals the other text.
func TestStrict(t *testing.T) {
	never := regexp.MustCompile(`(?i)\d|digit|multiple|divis|number|%`)
	for _, text := range slices.Concat(others, digit.BookNames()) {
		for seed := range uint64(20) {
			d := mustNew(t, rulesOf(t, text), seed)
			strict := d.Game.Text(true)
			if found := never.FindString(strict); found != "" {
				t.Errorf("%s: %q in %s", text, found, strict)
			}
			for _, b := range slices.Concat(digit.Books, digit.Fair) {
				if word := regexp.MustCompile(`(?i)\b(` + b.Name + `|` + b.Title + `)\b`).FindString(strict); word != "" {
					t.Errorf("%s: %q in %s", text, word, strict)
				}
			}
			spelled := regexp.MustCompile(`\d+`).ReplaceAllStringFunc(d.Game.Text(false),
				func(n string) string {
					value, _ := strconv.Atoi(n)
					return spell(value)
				})
			if spelled != strict {
				t.Errorf("%s: the strict text differs:\n%s\n%s", text, strict, spelled)
			}
		}
	}
}

func TestSpell(t *testing.T) {
	for n, want := range map[int]string{0: "zero", 7: "seven", 13: "thirteen", 20: "twenty",
		42: "forty-two", 101: "one hundred one", 9999: "nine thousand nine hundred ninety-nine", 19998: "nineteen thousand nine hundred ninety-eight"} {
		if got := spell(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}

// TestHighestIsReverse checks that replacing each digit d by 10 − d turns highest into reverse.
func TestHighestIsReverse(t *testing.T) {
	turn := func(text string) string {
		return strings.Map(func(c rune) rune {
			if '1' <= c && c <= '9' {
				return '0' + '9' + 1 - c
			}
			return c
		}, text)
	}
	for _, p := range positionsOf(t, digit.Highest) {
		q, err := digit.Reverse.ParsePosition(turn(digit.Highest.Text(p)))
		if err != nil || digit.Reverse.Result(q).Score != digit.Highest.Result(p).Score {
			t.Fatalf("%s: %v", digit.Highest.Text(p), err)
		}
		mapped, moves := slices.Collect(digit.Highest.Moves(p)), 0
		for m := range digit.Reverse.Moves(q) {
			moves++
			m.Digit = 10 - m.Digit
			if !slices.Contains(mapped, m) {
				t.Fatalf("%s: %v is legal only in reverse", digit.Highest.Text(p), m)
			}
		}
		if moves != len(mapped) {
			t.Fatalf("%s: %d moves in reverse", digit.Highest.Text(p), moves)
		}
	}
}
