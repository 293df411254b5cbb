package coach

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A claim is a move of a position that a text is about, with the rules and the solution to check
// the text. It shares nothing with the code under test except the names of moves, which are those
// of package rulebook.
type claim struct {
	s       *solve.Solution
	r       digit.Rules
	voice   rulebook.Voice
	p, q    digit.Position // before and after the move
	m       digit.Move
	me, you digit.Side        // the player who moves, and the opponent
	end     digit.Position    // the finished game that a comparison is about
	used    map[string]bool   // the patterns of its sentences
	known   map[string]string // the results of bound
}

// newClaim returns the claim about a move, for the reader of a cast.
func newClaim(
	s *solve.Solution, p digit.Position, m digit.Move, cast rulebook.Cast,
) (*claim, error) {
	r := s.Rules()
	q, err := r.Play(p, m)
	if err != nil {
		return nil, err
	}
	k := &claim{
		s: s, r: r, p: p, q: q, m: m, me: r.Turn(p), you: r.Turn(p).Other(), end: q,
		used: map[string]bool{}, known: map[string]string{},
	}
	rulebook.Say(r, cast, func(v rulebook.Voice) string {
		if k.voice.Rules != r {
			k.voice = v // that of the written text
		}
		return ""
	})
	return k, nil
}

// at returns the claim about a move of another position, for the same reader.
func (k *claim) at(p digit.Position, m digit.Move) (*claim, error) {
	next, err := newClaim(k.s, p, m, k.voice.Cast)
	if err != nil {
		return nil, err
	}
	next.used, next.known = k.used, k.known
	return next, nil
}

// A form is a pattern of a sentence and a check of its claim. In the pattern {me}, {my}, {you} and
// {your} are the players, {n} is a number, {sum} a multiple with its factors, {d} a digit, {t} the
// target, {list} any list.
type form struct {
	pattern string
	check   func(*claim, []string) error
}

// A reading is the pattern of a form for two players.
type reading struct {
	pattern string
	cast    rulebook.Cast
	me      digit.Side
	target  uint16
}

var compiled sync.Map // of regular expressions, by reading

// whose returns the possessive of a player within a sentence.
func (k *claim) whose(s digit.Side) string {
	if k.voice.Cast.You[s] {
		return "your"
	}
	return k.voice.Whom(s) + "'s"
}

// match matches a sentence with the form, for the players of a claim.
func (f form) match(k *claim, text string) []string {
	key := reading{f.pattern, k.voice.Cast, k.me, k.r.Target}
	re, ok := compiled.Load(key)
	if !ok {
		quote := regexp.QuoteMeta
		re = regexp.MustCompile("^(?:" + strings.NewReplacer(
			"{me}", quote(k.voice.Whom(k.me)), "{my}", quote(k.whose(k.me)),
			"{you}", quote(k.voice.Whom(k.you)), "{your}", quote(k.whose(k.you)),
			"{n}", `([0-9a-f]+(?: \(\d+\))?)`, "{sum}", `([0-9a-f]+(?: \(\d+\))? = \d+ × \d+)`,
			"{list}", `([0-9a-f(), ]+(?:(?: and| or) [0-9a-f()]+(?: \(\d+\))?)?)`,
			"{d}", `([0-9a-f])`, "{t}", strconv.Itoa(int(k.r.Target)),
			"{far}", `(a multiple of \d+|\d+ short|\d+ over)`,
			"{kind}", `(?:move|digit|place|end)`).Replace(f.pattern) + ")$")
		compiled.Store(key, re)
	}
	return re.(*regexp.Regexp).FindStringSubmatch(text)
}

// lower returns a sentence in lower case, as it is in the middle of another.
func (k *claim) lower(text string) string {
	for _, s := range []digit.Side{digit.First, digit.Second} {
		rest, ok := strings.CutPrefix(text, k.voice.Who(s))
		if ok && strings.IndexAny(rest, " '") == 0 {
			return k.voice.Whom(s) + rest
		}
	}
	if text == "" {
		return ""
	}
	return strings.ToLower(text[:1]) + text[1:]
}

var ends = regexp.MustCompile(`[.?] `)

// sentences checks every sentence of a text against some forms.
func (k *claim) sentences(forms []form, text string) error {
	if text == "" || !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "?") ||
		strings.ContainsAny(text, "\n\t{}") {
		return fmt.Errorf("%q is not a sentence", text)
	}
	text = strings.TrimRight(text, ".?")
	for text != "" {
		sentence, rest := text, ""
		if i := ends.FindStringIndex(text); i != nil {
			sentence, rest = text[:i[0]], text[i[1]:]
		}
		if err := k.clause(forms, k.lower(sentence)); err != nil {
			return err
		}
		text = rest
	}
	return nil
}

// clause checks a sentence without its first capital letter and full stop.
func (k *claim) clause(forms []form, text string) error {
	for _, f := range forms {
		if g := f.match(k, text); g != nil {
			k.used[f.pattern] = true
			if err := f.check(k, g); err != nil {
				return fmt.Errorf("%q: %w", text, err)
			}
			return nil
		}
	}
	return fmt.Errorf("%q: unknown sentence", text)
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return math.MinInt
	}
	return n
}

var numerals = strings.Fields("no one two three four five six seven eight")

// inWords parses a number in words, or in digits.
func inWords(text string) int {
	if i := slices.Index(numerals, strings.ToLower(text)); i >= 0 {
		return i
	}
	return number(text)
}

// nowhere is a move that is never legal.
var nowhere = digit.Move{Digit: 15, Spot: 'h'}

// named returns the move of a position that has a name: "7 on the left".
func (k *claim) named(p digit.Position, name string) digit.Move {
	for d := range k.r.Pool.All() { // a place has its name even if it is taken
		for i := range int(k.r.Width) {
			m := digit.Move{Digit: d, Spot: digit.SlotAt(i)}
			if k.r.Place == digit.Slots && k.voice.Back(p, m) == name {
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

// done parses "puts 7 on the left" or "take 2 and call 721" as a move of a position.
func (k *claim) done(p digit.Position, text string) digit.Move {
	for m := range k.r.Moves(p) {
		put := k.voice.Put(p, m)
		verb, rest, _ := strings.Cut(put, " ")
		if text == put || text == verb+"s "+strings.Replace(rest, " and call ", " and calls ", 1) {
			return m
		}
	}
	return nowhere
}

// either returns the moves of a list: "8 or 9 on the left", "8 on the left or 2 in the middle".
func (k *claim) either(p digit.Position, text string) (moves []digit.Move) {
	if m := k.named(p, text); m != nowhere {
		return []digit.Move{m}
	}
	words := strings.Split(strings.ReplaceAll(text, " or ", ", "), ", ")
	_, where, _ := strings.Cut(words[len(words)-1], " ")
	for _, w := range words {
		if len(w) == 1 && where != "" && k.named(p, w) == nowhere {
			w += " " + where
		}
		moves = append(moves, k.named(p, w))
	}
	return moves
}

// plain returns the digits of a number: "9bc" for "9bc (2492)", whose value must be right.
func (k *claim) plain(text string) string {
	digits, value, has := strings.Cut(strings.TrimSuffix(text, ")"), " (")
	needs := k.r.Base() != 10 && strconv.Itoa(k.value(digits)) != digits
	if has != needs || has && number(value) != k.value(digits) {
		return "?"
	}
	return digits
}

// multiple returns the digits of a multiple with its factors: "721 = 7 × 103".
func (k *claim) multiple(text string) (string, error) {
	n, factors, _ := strings.Cut(text, " = ")
	t, times, _ := strings.Cut(factors, " × ")
	if n = k.plain(n); number(t) != int(k.r.Target) || number(t)*number(times) != k.value(n) {
		return "", fmt.Errorf("%s is wrong", text)
	}
	return n, nil
}

// things parses a list: "a", "a and b", "a, b and c".
func things(text string) []string {
	return strings.Split(strings.NewReplacer(" and ", ", ", " or ", ", ").Replace(text), ", ")
}

// isList checks that a list has exactly the wanted words.
func isList(text string, want []string) error {
	got := things(text)
	slices.Sort(got)
	want = slices.Sorted(slices.Values(want))
	return must(slices.Equal(got, want), fmt.Sprintf("it is %v", want))
}

// isNumbers checks that a list has one number for each digit that completes one.
func (k *claim) isNumbers(text string, p digit.Position, s digit.Side) error {
	made := k.completions(p, s)
	var digits []string
	for _, n := range things(text) {
		digits = append(digits, made[k.plain(n)])
	}
	slices.Sort(digits)
	return must(slices.Equal(digits, k.completing(p, s)), fmt.Sprintf("the numbers are %v", made))
}

// equal returns an error unless a text has the computed number.
func equal(name string, computed, text int) error {
	if computed != text {
		return fmt.Errorf("%s: the text has %d, want %d", name, text, computed)
	}
	return nil
}

func must(ok bool, why string) error {
	if !ok {
		return errors.New(why)
	}
	return nil
}

// value parses a number in the base of the game.
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
	{regexp.MustCompile(`>, (is|are|plus|and [0-9<]|and \S+ is|and \w+ places)`), "> $1"},
	{regexp.MustCompile(`,? (?:which )?is (\d+) times (\d+)`), " = $1 × $2"},
	{regexp.MustCompile(`(× \d+) plus (\d+)`), "$1 + $2"},
	{regexp.MustCompile(`\bblank\b`), "_"},
}

var spokenNumber = regexp.MustCompile(`<([^|]*)\|(\d+)>`)

// read converts a spoken text to the written one.
func (k *claim) read(spoken string) string {
	for _, u := range unspeak {
		spoken = u.re.ReplaceAllString(spoken, u.to)
	}
	return spokenNumber.ReplaceAllStringFunc(spoken, func(found string) string {
		digits, value, _ := strings.Cut(strings.Trim(found, "<>"), "|")
		if digits = strings.ReplaceAll(digits, " ", ""); k.r.Base() != 10 {
			return digits + " (" + value + ")"
		}
		return digits
	})
}

// unused returns the patterns that no sentence matched.
func unused(used map[string]bool, all ...[]form) []string {
	left := map[string]bool{}
	for _, forms := range all {
		for _, f := range forms {
			if !used[f.pattern] {
				left[f.pattern] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(left))
}
