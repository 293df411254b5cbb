package coach

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A claim is what a text says of a move, and all that is needed to check it: the rules, and the solved game for who wins. Nothing here
// uses the code that wrote the text but the names of moves, which are the rulebook's.
type claim struct {
	s        *solve.Solution
	r        digit.Rules
	voice    rulebook.Voice
	p, q     digit.Position // before and after the move
	m        digit.Move
	me, you  digit.Side        // who makes it, and the other
	end      digit.Position    // the finished game that a comparison is about
	better   digit.Move        // the move that is told to have been better
	left     string            // the digit that is told to be left in the pool
	concrete bool              // set when a clause names a number, a digit, a move or a bound that makes the difference
	used     map[string]bool   // the forms of the clauses
	known    map[string]string // bounds that have been worked out
}

func newClaim(s *solve.Solution, p digit.Position, m digit.Move, cast rulebook.Cast) (*claim, error) {
	r := s.Rules()
	q, err := r.Play(p, m)
	if err != nil {
		return nil, err
	}
	k := &claim{s: s, r: r, p: p, q: q, m: m, me: r.Turn(p), you: r.Turn(p).Other(), end: q, used: map[string]bool{}, known: map[string]string{}}
	rulebook.Tell(r, cast, func(v rulebook.Voice) string {
		if k.voice.Rules != r {
			k.voice = v // that of what is read
		}
		return ""
	})
	return k, nil
}

// after returns the claim about a move that follows the one of this claim.
func (k *claim) after(m digit.Move) (*claim, error) { return k.at(k.q, m) }

// at returns the claim about a move of another position, told to the same reader.
func (k *claim) at(p digit.Position, m digit.Move) (*claim, error) {
	next, err := newClaim(k.s, p, m, k.voice.Cast)
	if err != nil {
		return nil, err
	}
	next.used, next.known = k.used, k.known
	return next, nil
}

// A form is one form of a clause, and how to check what it says. In its pattern {me}, {my}, {you} and {your} stand for the players,
// {n} for a number, {sum} for a multiple with its factors, {d} for a digit.
type form struct {
	pattern  string
	concrete bool
	check    func(*claim, []string) error
}

var forms []form

// A reading is a form for some players.
type reading struct {
	pattern string
	cast    rulebook.Cast
	me      digit.Side
	target  uint16
}

var compiled sync.Map // of readings

// whose returns whose something is.
func (k *claim) whose(s digit.Side) string {
	if k.voice.Cast.You[s] {
		return "your"
	}
	return k.voice.Whose(s)
}

// match matches a clause with the form, for the players of a claim.
func (f form) match(k *claim, text string) []string {
	key := reading{f.pattern, k.voice.Cast, k.me, k.r.Target}
	re, ok := compiled.Load(key)
	if !ok {
		re = regexp.MustCompile("^" + strings.NewReplacer("{me}", k.voice.Whom(k.me), "{Me}", k.voice.Who(k.me), "{my}", k.whose(k.me),
			"{you}", k.voice.Whom(k.you), "{your}", k.whose(k.you), "{n}", `([0-9a-f]+(?: \(\d+\))?)`, "{sum}", `([0-9a-f]+(?: \(\d+\))? = \d+·\d+)`,
			"{d}", `([0-9a-f])`, "{t}", strconv.Itoa(int(k.r.Target))).Replace(f.pattern) + "$")
		compiled.Store(key, re)
	}
	return re.(*regexp.Regexp).FindStringSubmatch(text)
}

// check checks every clause of a text. The lead of a reason is the move itself, or that every move loses.
func (k *claim) check(text string, limit int) error {
	if !strings.HasSuffix(text, ".") || strings.ContainsAny(text, "\n\t{}") || utf8.RuneCountInString(text) > limit {
		return fmt.Errorf("%d characters, not one line, or no sentence", utf8.RuneCountInString(text))
	}
	clauses := strings.Split(strings.TrimSuffix(text, "."), ". ")
	first, rest, colon := strings.Cut(clauses[0], ": ")
	put := k.voice.Put(k.p, k.m)
	head := k.lower(first)
	uncalled := k.voice.Put(k.p, k.m.Uncalled()) + " and call "
	switch sum, called := strings.CutPrefix(k.lower(clauses[0]), uncalled); {
	case head == put && colon, head == "every move loses" && colon, head == "every move lost" && colon:
		clauses[0] = rest
	case called && sum != k.voice.Number(k.m.Call):
		clauses[0] = sum
	case head == put, head == "every move loses", head == "every move lost":
		clauses = clauses[1:]
	}
	if strings.HasPrefix(head, "every move lo") {
		if err := k.count(solve.Loss, k.choices(k.p, 0)); err != nil {
			return err
		}
	}
	return k.clauses(clauses)
}

// lower makes the middle of a sentence of its beginning.
func (k *claim) lower(text string) string {
	for _, s := range []digit.Side{digit.First, digit.Second} {
		if !k.voice.Cast.You[s] && strings.HasPrefix(text, k.voice.Who(s)) {
			return text
		}
	}
	if text == "" {
		return ""
	}
	return strings.ToLower(text[:1]) + text[1:]
}

func (k *claim) clauses(texts []string) error {
	for i, text := range texts {
		text = k.lower(text)
		// what follows "wins with 7 on the left: " is about that move
		if head, proof, ok := strings.Cut(text, ": "); ok {
			for _, f := range answers {
				if g := f.match(k, head); g != nil {
					k.used[f.pattern], k.concrete = true, true
					next, err := k.after(k.named(k.q, g[1]))
					if err != nil {
						return err
					}
					if err := f.check(k, g); err != nil {
						return fmt.Errorf("%q: %w", text, err)
					}
					return next.clauses(append([]string{proof}, texts[i+1:]...))
				}
			}
		}
		if err := k.clause(text); err != nil {
			return err
		}
	}
	return nil
}

func (k *claim) clause(text string) error {
	for _, f := range forms {
		if g := f.match(k, text); g != nil {
			k.concrete = k.concrete || f.concrete
			k.used[f.pattern] = true
			if err := f.check(k, g); err != nil {
				return fmt.Errorf("%q: %w", text, err)
			}
			return nil
		}
	}
	return fmt.Errorf("%q: no form of a clause", text)
}

// Words.

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return math.MinInt
	}
	return n
}

// nowhere is a move that is legal nowhere.
var nowhere = digit.Move{Digit: 15, Spot: 'h'}

func moveOf(text string) digit.Move {
	m, err := digit.ParseMove(text)
	if err != nil {
		return nowhere
	}
	return m
}

// named returns the legal move of a position that has a name: "7 on the left".
func (k *claim) named(p digit.Position, name string) digit.Move {
	for d := range k.r.Pool.All() { // a place has its name whether or not it is free
		for i := range int(k.r.Width) {
			if m := (digit.Move{Digit: d, Spot: digit.SlotAt(i)}); k.r.Place == digit.Slots && k.voice.Back(p, m) == name {
				return m
			}
		}
	}
	for m := range k.r.Moves(p) {
		if k.voice.Back(p, m) == name {
			return m
		}
	}
	return nowhere
}

// either returns the moves of a list: "8 or 9 on the left", "8 on the left, 9 in the middle or 2 in the middle". It may be the turn of
// the other side.
func (k *claim) either(p digit.Position, text string) (moves []digit.Move) {
	words := strings.Split(strings.Replace(text, " or ", ", ", 1), ", ")
	_, where, _ := strings.Cut(words[len(words)-1], " ")
	for _, w := range words {
		if len(w) == 1 && where != "" {
			w += " " + where
		}
		moves = append(moves, k.named(p, w))
	}
	return moves
}

// plain returns the digits of a number: of "9bc (2492)", whose value must be right, "9bc".
func (k *claim) plain(text string) string {
	digits, value, told := strings.Cut(strings.TrimSuffix(text, ")"), " (")
	if told != (k.r.Base() != 10 && strconv.Itoa(k.value(digits)) != digits) || told && number(value) != k.value(digits) {
		return "?"
	}
	return digits
}

// multiple returns the digits of a multiple of which the factors are told: "721 = 7·103".
func (k *claim) multiple(text string) (string, error) {
	n, factors, _ := strings.Cut(text, " = ")
	t, times, _ := strings.Cut(factors, "·")
	if n = k.plain(n); number(t) != int(k.r.Target) || number(t)*number(times) != k.value(n) {
		return "", fmt.Errorf("%s is no such multiple", text)
	}
	return n, nil
}

// turns reads "at once", "after Ben's next digit", "in 3 turns".
func (k *claim) turns(text string) int {
	switch {
	case text == "at once" || text == "now":
		return 1
	case text == "after "+k.whose(k.you)+" next digit":
		return 2
	}
	return number(strings.TrimSuffix(strings.TrimPrefix(text, "in "), " turns"))
}

var andMore = regexp.MustCompile(`^(.*) (?:and|or) (\d+) (?:more|others)$`)

// things reads "a", "a and b", "a, b and c", "a, b, c and 4 more"; all is how many there are in all.
func things(text string) (words []string, all int) {
	more := 0
	if g := andMore.FindStringSubmatch(text); g != nil {
		text, more = g[1], number(g[2])
	}
	text = strings.NewReplacer(" and ", ", ", " or ", ", ").Replace(text)
	words = strings.Split(text, ", ")
	return words, len(words) + more
}

func same(what string, got, want int) error {
	if got != want {
		return fmt.Errorf("%s: said %d, is %d", what, want, got)
	}
	return nil
}

func must(ok bool, why string) error {
	if !ok {
		return errors.New(why)
	}
	return nil
}

// value reads a number in the base of the game.
func (k *claim) value(text string) int {
	n, err := strconv.ParseInt(text, k.r.Base(), 64)
	if err != nil {
		return math.MinInt
	}
	return int(n)
}

func (k *claim) divides(text string) bool { return k.value(text)%int(k.r.Target) == 0 }

var unspeak = []struct {
	re *regexp.Regexp
	to string
}{
	{regexp.MustCompile(`\b((?:[0-9a-f] )*[0-9a-f]), that is (\d+)`), "<$1|$2>"},
	{regexp.MustCompile(`>, (is|are|and [0-9<])`), "> $1"},
	{regexp.MustCompile(`,? (?:which )?is (\d+) times (\d+)`), " = $1·$2"},
	{regexp.MustCompile(`(·\d+) plus (\d+)`), "$1 + $2"},
	{regexp.MustCompile(`\bblank\b`), "_"},
}

// read turns what is heard back to what is read.
func (k *claim) read(spoken string) string {
	for _, u := range unspeak {
		spoken = u.re.ReplaceAllString(spoken, u.to)
	}
	return regexp.MustCompile(`<([^|]*)\|(\d+)>`).ReplaceAllStringFunc(spoken, func(told string) string {
		digits, value, _ := strings.Cut(strings.Trim(told, "<>"), "|")
		if digits = strings.ReplaceAll(digits, " ", ""); k.r.Base() != 10 {
			return digits + " (" + value + ")"
		}
		return digits
	})
}
