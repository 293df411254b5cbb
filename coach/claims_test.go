package coach

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"digitduel/digit"
	"digitduel/solve"
)

// A claim is what a text says of a move, and all that is needed to check it: the rules, and the solved game for who wins.
// Nothing here uses the code that wrote the text.
type claim struct {
	s        *solve.Solution
	r        digit.Rules
	p, q     digit.Position // before and after the move
	m        digit.Move
	me, you  digit.Side        // who makes it, and the other
	concrete bool              // set when a clause names a number, a digit, a move or a bound that makes the difference
	used     []string          // the forms of the clauses
	known    map[string]string // bounds that have been worked out
}

func newClaim(s *solve.Solution, p digit.Position, m digit.Move) (*claim, error) {
	r := s.Rules()
	q, err := r.Play(p, m)
	if err != nil {
		return nil, err
	}
	return &claim{s: s, r: r, p: p, q: q, m: m, me: r.Turn(p), you: r.Turn(p).Other()}, nil
}

// A form is one form of a clause, and how to check what it says.
type form struct {
	re       *regexp.Regexp
	concrete bool
	check    func(*claim, []string) error
}

var forms []form

func init() {
	add := func(concrete bool, re string, check func(*claim, []string) error) {
		forms = append(forms, form{regexp.MustCompile("^" + re + "$"), concrete, check})
	}
	add(true, `wins at once: (\S+) is a multiple of (\d+)`, (*claim).winsByMultiple)
	add(true, `wins at once: (.* (?:from|than|decides).*)`, (*claim).winsByComparison)
	add(true, `stops ([^:]+?)(?:, not ([^:]+))?`, (*claim).stops)
	add(true, `leaves ([0-9a-f, and]+) for ([^:]+): whichever goes, (the other|another) one wins`, (*claim).leavesDigits)
	add(true, `leaves ([^:]+): whichever goes, (the other|another) one makes it certain`, (*claim).leavesMoves)
	add(true, `leaves no way out for ([^:]+), at best ([^:]+): (.*)`, (*claim).leavesNoWayOut)
	add(true, `(makes|keeps) it certain: (.*) against (.*)`, (*claim).makesCertain)
	add(true, `cannot catch up: (.*) against (.*)`, (*claim).cannotCatchUp)
	add(true, `threatens ([^:]+?) with ([0-9a-f, and]+?)(?:, and if ([0-9a-f]) goes, (.*)|, and ([0-9a-f]) cannot be taken)?`, (*claim).threatens)
	add(true, `meets every reply with a double threat: (\S+) with (\S+), which leaves ([0-9a-f, and]+) for (.*)`, (*claim).meetsEveryReply)
	add(true, `beats (all|\d+ of) (\d+) replies (at once )?with (\S+?)(?:, the rest with (.*))?`, (*claim).beats)
	add(true, `meets the longest reply, (\S+), with (\S+), which (.*)`, (*claim).meetsLongest)
	add(false, `wins in (\d+) turns at the longest: (.*)`, (*claim).longest)
	add(false, `is the only legal (?:move|digit)`, func(k *claim, _ []string) error { return same("choices", k.choices(k.p, 0), 1) })
	add(false, `wins as every (?:move|digit) does`, func(k *claim, _ []string) error { return k.count(solve.Win, k.choices(k.p, 0)) })
	add(false, `holds the draw, as every (?:move|digit) does`, func(k *claim, _ []string) error { return k.count(solve.Draw, k.choices(k.p, 0)) })
	add(false, `is the only winning (?:move|digit)`, func(k *claim, _ []string) error { return k.count(solve.Win, 1) })
	add(false, `is the only (?:move|digit) that holds the draw`, func(k *claim, _ []string) error { return k.count(solve.Draw, 1) })
	add(false, `is one of (\d+) winning (?:moves|digits) of (\d+)`, func(k *claim, g []string) error {
		return errors.Join(k.count(solve.Win, number(g[1])), same("choices", k.choices(k.p, 0), number(g[2])))
	})
	add(false, `holds the draw, as (\d+) of (\d+) (?:moves|digits) do`, func(k *claim, g []string) error {
		return errors.Join(k.count(solve.Draw, number(g[1])), same("choices", k.choices(k.p, 0), number(g[2])))
	})
	add(true, `ends level: (.*)`, func(k *claim, g []string) error { return k.comparison(k.q, g[1], nil) })
	add(true, `ends level after ([^:]+): (.*)`, (*claim).endsLevelAfter)
	add(true, `(\d+) of (\d+) replies loses?, (?:namely|like) (\S+?)(?: to (\S+))?`, (*claim).trapsReplies)
	add(true, `of (\d+) replies only (.*) holds? the draw`, func(k *claim, g []string) error { return k.onlyReplies(solve.Draw, g[1], g[2]) })
	add(false, `every move loses`, func(k *claim, _ []string) error { return k.count(solve.Loss, k.choices(k.p, 0)) })
	add(false, `lasts (\d+) turns?(?:, and (.*))?`, (*claim).lasts)
	add(true, `loses to (\S+), which (.*)`, func(k *claim, g []string) error { return k.reply(g[1], solve.Win, g[2]) })
	add(true, `loses at once: (.*)`, func(k *claim, g []string) error { return k.comparison(k.q, g[1], &k.you) })
	add(true, `calls (\S+), no multiple of (\d+)`, (*claim).callsWrong)
	add(true, `misses ([^:]+), (a multiple|multiples) of (\d+)`, (*claim).missesMultiples)
	add(true, `misses (\S+), which (.*)`, (*claim).missesMove)
	add(true, `lets (.*) through`, (*claim).letsThrough)
	add(true, `allows (\S+), which (.*)`, func(k *claim, g []string) error { return k.reply(g[1], k.s.Value(k.q).Outcome, g[2]) })
	add(false, `gives up (the draw|a win (?:at once|in \d+ turns))( for a draw)?`, (*claim).givesUp)
	add(false, `wins (in \d+ turns) where (\S+) wins (at once|in \d+ turns)`, func(k *claim, g []string) error {
		return errors.Join(k.takes(k.m, solve.Win, plies(g[1])), k.takes(moveOf(g[2]), solve.Win, plies(g[3])), k.quicker(g[1], g[3]))
	})
	add(false, `loses (at once|in \d+ turns) where (\S+) lasts (\d+) turns`, func(k *claim, g []string) error {
		return errors.Join(k.takes(k.m, solve.Loss, plies(g[1])), k.takes(moveOf(g[2]), solve.Loss, number(g[3])), k.quicker("in "+g[3]+" turns", g[1]))
	})
}

// check checks every clause of a text.
func (k *claim) check(text string) error {
	if text == "" || strings.ContainsAny(text, "\n\t") || len(text) > 160 {
		return fmt.Errorf("%d characters or not one line", len(text))
	}
	clauses := strings.Split(text, "; ")
	if len(clauses) > 3 {
		return errors.New("more than three clauses")
	}
	for _, c := range clauses {
		if err := k.clause(c); err != nil {
			return err
		}
	}
	return nil
}

func (k *claim) clause(text string) error {
	for _, f := range forms {
		if g := f.re.FindStringSubmatch(text); g != nil {
			k.concrete = k.concrete || f.concrete
			k.used = append(k.used, f.re.String())
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

func moveOf(text string) digit.Move {
	m, err := digit.ParseMove(text)
	if err != nil {
		return digit.Move{Digit: 15, Spot: 'h'} // legal nowhere
	}
	return m
}

// plies reads "at once", "in 3 turns".
func plies(text string) int {
	if text == "at once" {
		return 1
	}
	return number(strings.TrimSuffix(strings.TrimPrefix(text, "in "), " turns"))
}

var andMore = regexp.MustCompile(`^(.*) (?:and|or) (\d+) more$`)

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

// value reads a number in the base of the game.
func (k *claim) value(text string) int {
	n, err := strconv.ParseInt(text, k.r.Base(), 64)
	if err != nil {
		return math.MinInt
	}
	return int(n)
}

func (k *claim) divides(text string) bool { return k.value(text)%int(k.r.Target) == 0 }

// name is what the number of a side is called.
func (k *claim) name(p digit.Position, s digit.Side) string {
	text := k.r.Number(p, s).String()
	switch hand := k.r.Place == digit.Hand; {
	case text == "" && hand:
		return "an empty hand"
	case text == "":
		return "an empty number"
	case hand && len(text) == 1:
		return "a hand of " + text
	case hand:
		return "a hand of " + strings.Join(strings.Split(text[:len(text)-1], ""), ", ") + " and " + text[len(text)-1:]
	}
	return text
}

// checkLook checks what a hint says to look for.
func checkLook(s *solve.Solution, p digit.Position, h Hint) error {
	k, err := newClaim(s, p, h.Move)
	if err != nil {
		return err
	}
	target := strconv.Itoa(int(k.r.Target))
	mine, yours := k.completing(k.p, k.me), k.completing(k.p, k.you)
	ok := false
	switch h.Look {
	case "nothing stops every multiple: set a trap":
		ok = k.count(solve.Loss, k.choices(p, 0)) == nil && len(yours) > 1 && k.choices(k.q, solve.Win) < k.choices(k.q, 0)
	case "every move loses: set a trap":
		ok = k.count(solve.Loss, k.choices(p, 0)) == nil && len(yours) < 2 && k.choices(k.q, solve.Win) < k.choices(k.q, 0)
	case "every move loses":
		ok = k.count(solve.Loss, k.choices(p, 0)) == nil && k.r.Result(k.q).Over()
	case "every move loses, and no reply can spoil that":
		ok = k.count(solve.Loss, k.choices(p, 0)) == nil && k.choices(k.q, solve.Win) == k.choices(k.q, 0)
	case "a multiple of " + target + " is within reach":
		ok = len(mine) > 0 && k.canWin(p, mine...)
	case "the last digit decides: compare the numbers":
		ok = k.r.Result(k.q).Over() && len(mine) == 0
	case "the other side is one digit from a multiple of " + target:
		ok = len(yours) > 0
	case "nothing wins: find a move that does not lose":
		ok = s.Value(p).Outcome == solve.Draw
	case "of two digits that win next only one can be taken":
		ok = len(k.completing(k.q, k.me)) > 1
	case "nothing can go wrong any more":
		ok = k.certain(p, k.me) && k.count(solve.Win, k.choices(p, 0)) == nil
	case "a move makes it certain: think of the places from the left":
		ok = k.certain(k.q, k.me) && !k.certain(p, k.me)
	case "of two moves that make it certain only one can be prevented":
		ok = k.s.Value(k.q).Outcome == solve.Loss && !k.certain(k.q, k.me)
	case fmt.Sprintf("there is a win in %d turns", s.Value(p).Plies):
		ok = s.Value(p).Outcome == solve.Win
	}
	if !ok {
		return errors.New("that is not to be found")
	}
	return nil
}

// The rules, seen from the texts of numbers.

// completions returns the multiples that a side could complete with one digit if it were its turn, and with which.
func (k *claim) completions(p digit.Position, s digit.Side) map[string]string {
	found := map[string]string{}
	r, have := k.r, k.r.Number(p, s).String()
	taken := len(strings.ReplaceAll(have, "_", ""))
	if r.Win == digit.Never || r.Result(p).Over() || taken == r.Fills(s) || r.Win != digit.EachTurn && taken+1 < r.Fills(s) {
		return found
	}
	for d := range strings.SplitSeq(r.Left(p).List(" "), " ") {
		var made []string
		switch {
		case r.Place == digit.Slots:
			made = []string{strings.Replace(have, "_", d, 1)}
		case r.Place == digit.Ends:
			made = []string{d + have, have + d}
		default:
			made = permutations(have + d)
		}
		for _, n := range made {
			if n != "" && k.divides(n) && (r.Zero == digit.Counts || n[0] != '0') {
				found[n] = d
			}
		}
	}
	return found
}

func permutations(digits string) []string {
	if len(digits) <= 1 {
		return []string{digits}
	}
	var all []string
	for i := range digits {
		for _, rest := range permutations(digits[:i] + digits[i+1:]) {
			all = append(all, digits[i:i+1]+rest)
		}
	}
	return all
}

// completing returns the digits that complete a multiple.
func (k *claim) completing(p digit.Position, s digit.Side) []string {
	var digits []string
	for _, d := range k.completions(p, s) {
		if !slices.Contains(digits, d) {
			digits = append(digits, d)
		}
	}
	slices.Sort(digits)
	return digits
}

// listed checks that a list names some of the numbers, and says how many there are.
func listed[T any](text string, numbers map[string]T) error {
	words, all := things(text)
	for i, w := range words {
		if _, ok := numbers[w]; !ok || slices.Contains(words[:i], w) {
			return fmt.Errorf("%s is not one, or twice", w)
		}
	}
	return same("numbers", len(numbers), all)
}

func (k *claim) digitsAre(text string, want []string) error {
	words, _ := things(text)
	if !slices.Equal(words, want) {
		return fmt.Errorf("the digits are %v", want)
	}
	return nil
}

// moves returns the legal moves of a position and where they lead; of those that differ only in the call, if best is asked for, the
// best one.
func (k *claim) moves(p digit.Position, best bool) (moves []digit.Move, ends []digit.Position, worth []solve.Value) {
	for m := range k.r.Moves(p) {
		q, _ := k.r.Play(p, m)
		v := k.s.Value(q)
		v = solve.Value{Outcome: v.Outcome.Other(), Plies: v.Plies + 1}
		if i := len(moves) - 1; best && i >= 0 && moves[i].Digit == m.Digit && moves[i].Spot == m.Spot {
			if better := v.Compare(worth[i]); better > 0 || better == 0 && v.Outcome == solve.Win {
				moves[i], ends[i], worth[i] = m, q, v
			}
			continue
		}
		moves, ends, worth = append(moves, m), append(ends, q), append(worth, v)
	}
	return moves, ends, worth
}

// choices counts the moves, calls as one, that have an outcome; with the outcome 0, which is a draw, all of them.
func (k *claim) choices(p digit.Position, o solve.Outcome) int {
	n := 0
	_, _, worth := k.moves(p, true)
	for _, v := range worth {
		if o == 0 || v.Outcome == o {
			n++
		}
	}
	return n
}

// count checks that the move has an outcome, and how many have.
func (k *claim) count(o solve.Outcome, want int) error {
	n := 0
	_, _, worth := k.moves(k.p, true)
	for _, v := range worth {
		if v.Outcome == o {
			n++
		}
	}
	if got := k.s.Value(k.q).Outcome.Other(); got != o {
		return fmt.Errorf("the move is a %v", got)
	}
	return same("moves", n, want)
}

// takes checks the exact value of a move.
func (k *claim) takes(m digit.Move, o solve.Outcome, plies int) error {
	q, err := k.r.Play(k.p, m)
	if err != nil {
		return err
	}
	if v := k.s.Value(q); v.Outcome.Other() != o || v.Plies+1 != plies {
		return fmt.Errorf("%v is a %v in %d", m, v.Outcome.Other(), v.Plies+1)
	}
	return nil
}

func (k *claim) quicker(long, short string) error {
	if plies(long) <= plies(short) {
		return fmt.Errorf("%s is not longer than %s", long, short)
	}
	return nil
}

// wonBy reports whether a game is over and a side has won it.
func (k *claim) wonBy(p digit.Position, s digit.Side) bool {
	winner, ok := k.r.Result(p).Winner()
	return ok && winner == s
}

// canWin reports whether the side to move can win at once, with one of some digits if any are given.
func (k *claim) canWin(p digit.Position, digits ...string) bool {
	turn := k.r.Turn(p)
	for m := range k.r.Moves(p) {
		if len(digits) > 0 && !slices.Contains(digits, m.Digit.String()) {
			continue
		}
		if q, _ := k.r.Play(p, m); k.wonBy(q, turn) {
			return true
		}
	}
	return false
}

// wins reports whether a move is legal and wins, at once if that is asked for.
func (k *claim) wins(p digit.Position, m digit.Move, atOnce bool) bool {
	turn := k.r.Turn(p)
	q, err := k.r.Play(p, m)
	if err != nil {
		return false
	}
	return k.wonBy(q, turn) || !atOnce && k.s.Value(q).Outcome == solve.Loss
}

// Clauses of good moves.

func (k *claim) winsByMultiple(g []string) error {
	made := k.r.Number(k.q, k.me).String()
	call, called := k.r.Called(k.q)
	sorted := strings.Split(g[1], "")
	slices.Sort(sorted)
	switch {
	case called && g[1] != call.String():
		return errors.New("something else was called")
	case k.r.Place != digit.Hand && g[1] != made, k.r.Place == digit.Hand && strings.Join(sorted, "") != made:
		return errors.New("the number is " + made)
	case !k.divides(g[1]) || number(g[2]) != int(k.r.Target):
		return errors.New("no multiple")
	case !k.wonBy(k.q, k.me) || k.r.Result(k.q).Reason != digit.Multiple:
		return errors.New("the result is " + k.r.Result(k.q).String())
	}
	return nil
}

func (k *claim) winsByComparison(g []string) error { return k.comparison(k.q, g[1], &k.me) }

// best checks that a number is what the digits of a side are worth at the end.
func (k *claim) best(p digit.Position, s digit.Side, n string) error {
	have := k.r.Number(p, s).String()
	if k.r.Place != digit.Hand {
		if n != have {
			return fmt.Errorf("the number is %s, not %s", have, n)
		}
		return nil
	}
	is := false
	for _, other := range permutations(have) {
		if other[0] == '0' && k.r.Zero != digit.Counts {
			continue
		}
		is = is || other == n
		if k.prefers(other, n) {
			return fmt.Errorf("%s is better than %s", other, n)
		}
	}
	if !is {
		return fmt.Errorf("%s cannot be arranged from %s", n, have)
	}
	return nil
}

// far returns how far a number is from a multiple as an order measures it, and the multiple.
func (k *claim) far(o digit.Order, n string) (far, to int) {
	value, target := k.value(n), int(k.r.Target)
	below := value / target * target
	switch {
	case o == digit.Below, o == digit.Nearest && value-below <= below+target-value:
		return value - below, below
	default:
		return below + target - value, below + target
	}
}

// prefers reports whether the final orders prefer a number to another.
func (k *claim) prefers(a, b string) bool {
	for _, o := range k.r.Final {
		switch o {
		case digit.Above, digit.Below, digit.Nearest:
			x, _ := k.far(o, a)
			y, _ := k.far(o, b)
			if x != y {
				return x < y
			}
		case digit.Higher, digit.Lower:
			if x, y := k.value(a), k.value(b); x != y {
				return (x > y) == (o == digit.Higher)
			}
		}
	}
	return false
}

var (
	distances = regexp.MustCompile(`^(\S+) is (?:(\d+) from (\S+)|a multiple of (\d+)) and (\S+) is (?:(\d+) from (\S+)|a multiple of (\d+))$`)
	ranks     = regexp.MustCompile(`^(\S+) is (higher|lower) than (\S+)$`)
	level     = regexp.MustCompile(`^(\S+) and (\S+) are both (?:(\d+) from a multiple|multiples) of (\d+)$`)
	equals    = regexp.MustCompile(`^(\S+) equals (\S+)$`)
)

// comparison checks a comparison of the numbers of a finished game; winner is who must have won it, or nil for a draw.
// The orders that a part skips must be ties that were told before, and the last part must decide, or nothing does.
func (k *claim) comparison(end digit.Position, text string, winner *digit.Side) error {
	result := k.r.Result(end)
	first := digit.First
	if winner != nil {
		first = *winner
		if !k.wonBy(end, *winner) || result.Reason == digit.Multiple || result.Reason == digit.Miscalled {
			return errors.New("the result is " + result.String())
		}
	} else if result.Score != digit.Draw {
		return errors.New("the result is " + result.String())
	}
	if text == "nothing decides" {
		return same("orders", len(slices.DeleteFunc(k.r.Final[:], func(o digit.Order) bool { return o == 0 })), 0)
	}
	var by string // the order that decides as the rules name it
	parts := strings.Split(text, ", ")
	for i, part := range parts {
		decides := i == len(parts)-1 && winner != nil
		var err error
		switch {
		case part == "the last digit decides":
			by = "later"
			if !decides {
				err = errors.New("it does not")
			}
		case distances.MatchString(part):
			by, err = k.farther(end, first, distances.FindStringSubmatch(part), result)
		case ranks.MatchString(part):
			g := ranks.FindStringSubmatch(part)
			by = g[2]
			if x, y := k.value(g[1]), k.value(g[3]); x == y || (x > y) != (by == "higher") {
				err = errors.New("it is not")
			}
			err = errors.Join(err, k.best(end, first, g[1]), k.best(end, first.Other(), g[3]))
		case level.MatchString(part):
			g := level.FindStringSubmatch(part)
			err = errors.Join(k.level(g), k.best(end, first, g[1]), k.best(end, first.Other(), g[2]), same("target", int(k.r.Target), number(g[4])))
		case equals.MatchString(part):
			g := equals.FindStringSubmatch(part)
			err = errors.Join(same("value", k.value(g[1]), k.value(g[2])), k.best(end, first, g[1]), k.best(end, first.Other(), g[2]))
		default:
			err = errors.New("no part of a comparison")
		}
		if err != nil {
			return fmt.Errorf("%q: %w", part, err)
		}
		if decides != (by != "") {
			return fmt.Errorf("%q: decides %v", part, !decides)
		}
	}
	if winner != nil && by != result.Reason.String() {
		return fmt.Errorf("decided by %v", result)
	}
	return nil
}

// farther checks "A is 1 from B and C is 2 from D" by the order that decided the game, which it returns.
func (k *claim) farther(end digit.Position, first digit.Side, g []string, result digit.Result) (by string, err error) {
	for _, o := range []digit.Order{digit.Above, digit.Below, digit.Nearest} {
		if o.String() != result.Reason.String() {
			continue
		}
		x, err1 := k.distance(o, g[1], g[2], g[3], g[4])
		y, err2 := k.distance(o, g[5], g[6], g[7], g[8])
		if x >= y {
			err = errors.New("it is not nearer")
		}
		return o.String(), errors.Join(err, err1, err2, k.best(end, first, g[1]), k.best(end, first.Other(), g[5]))
	}
	return "", errors.New("distances did not decide")
}

// level checks "A and B are both 3 from a multiple" by one of the orders.
func (k *claim) level(g []string) error {
	want := 0
	if g[3] != "" {
		want = number(g[3])
	}
	for _, o := range k.r.Final {
		if o != digit.Above && o != digit.Below && o != digit.Nearest {
			continue
		}
		x, _ := k.far(o, g[1])
		y, _ := k.far(o, g[2])
		if x == want && y == want {
			return nil
		}
	}
	return errors.New("they are not")
}

// distance checks "N is D from M" or "N is a multiple of T" and returns the distance.
func (k *claim) distance(o digit.Order, n, d, m, t string) (int, error) {
	far, to := k.far(o, n)
	if o != digit.Above && o != digit.Below && o != digit.Nearest {
		return 0, errors.New("distances do not count here")
	}
	if t != "" {
		if far != 0 || number(t) != int(k.r.Target) {
			return 0, errors.New(n + " is no multiple, or not measured so")
		}
		return 0, nil
	}
	if number(d) != far || k.value(m) != to {
		return 0, fmt.Errorf("%s is %d from %d", n, far, to)
	}
	return far, nil
}

func (k *claim) stops(g []string) error {
	stopped, rest := k.completions(k.p, k.you), k.completions(k.q, k.you)
	for n := range rest {
		delete(stopped, n)
	}
	if err := listed(g[1], stopped); err != nil {
		return err
	}
	if g[2] == "" {
		return same("still open", len(rest), 0)
	}
	return listed(g[2], rest)
}

func (k *claim) leavesDigits(g []string) error {
	open := k.completing(k.q, k.me)
	if err := k.digitsAre(g[1], open); err != nil {
		return err
	}
	if name := k.name(k.q, k.me); g[2] != name {
		return errors.New("it is " + name)
	}
	if len(open) < 2 || (g[3] == "the other") != (len(open) == 2) {
		return errors.New("wrong number of digits")
	}
	for reply := range k.r.Moves(k.q) {
		q, _ := k.r.Play(k.q, reply)
		if !k.wonBy(q, k.me) && !k.canWin(q, open...) {
			return fmt.Errorf("not after %v", reply)
		}
	}
	return nil
}

// fills calls yield with every way to fill a number from some digits.
func (k *claim) fills(n, left string, yield func(string)) {
	i := strings.Index(n, "_")
	if i < 0 {
		yield(n)
		return
	}
	for j := range left {
		if i == 0 && left[j] == '0' && k.r.Zero == digit.Barred {
			continue
		}
		k.fills(n[:i]+left[j:j+1]+n[i+1:], left[:j]+left[j+1:], yield)
	}
}

// bound returns the worst or the best that a number can come to, by trying all.
func (k *claim) bound(p digit.Position, s digit.Side, best bool) string {
	n, left := k.r.Number(p, s).String(), k.r.Left(p).List("")
	key := fmt.Sprint(n, left, best)
	found, known := k.known[key]
	if known {
		return found
	}
	k.fills(n, left, func(n string) {
		if found == "" || k.prefers(n, found) == best && n != found {
			found = n
		}
	})
	if k.known == nil {
		k.known = map[string]string{}
	}
	k.known[key] = found
	return found
}

// certain reports whether a side is ahead whatever is placed.
func (k *claim) certain(p digit.Position, s digit.Side) bool {
	return k.prefers(k.bound(p, s, false), k.bound(p, s.Other(), true))
}

// bounds checks "at least 912" and the like.
func (k *claim) bounds(p digit.Position, s digit.Side, text string, best bool) error {
	want := k.bound(p, s, best)
	if !k.r.Number(p, s).Full() {
		word := "at least "
		if best == (k.r.Final[0] == digit.Higher) {
			word = "at most "
		}
		want = word + want
	}
	if text != want {
		return errors.New("it is " + want)
	}
	return nil
}

func (k *claim) makesCertain(g []string) error {
	if was := k.certain(k.p, k.me); was != (g[1] == "keeps") {
		return fmt.Errorf("certain before: %v", was)
	}
	if !k.certain(k.q, k.me) {
		return errors.New("it is not")
	}
	return errors.Join(k.bounds(k.q, k.me, g[2], false), k.bounds(k.q, k.you, g[3], true))
}

func (k *claim) cannotCatchUp(g []string) error {
	if !k.certain(k.q, k.you) {
		return errors.New("it can")
	}
	return errors.Join(k.bounds(k.q, k.me, g[1], true), k.bounds(k.q, k.you, g[2], false))
}

func (k *claim) leavesMoves(g []string) error {
	words, all := things(g[1])
	if all != len(words) || all < 2 || (g[2] == "the other") != (all == 2) {
		return errors.New("wrong number of moves")
	}
	for reply := range k.r.Moves(k.q) {
		after, _ := k.r.Play(k.q, reply)
		for _, w := range words {
			if moveOf(w).Digit == reply.Digit {
				continue
			}
			q, err := k.r.Play(after, moveOf(w))
			if err != nil || !k.certain(q, k.me) {
				return fmt.Errorf("%s not after %v", w, reply)
			}
		}
	}
	return nil
}

func (k *claim) leavesNoWayOut(g []string) error {
	if name := k.name(k.q, k.you); g[1] != name {
		return errors.New("it is " + name)
	}
	_, ends, _ := k.moves(k.q, true)
	var shown *digit.Position
	for i, end := range ends {
		if !k.wonBy(end, k.me) {
			return errors.New("there is one: " + k.r.Text(end))
		}
		if k.best(end, k.you, g[2]) == nil {
			shown = &ends[i]
		}
		var worth string
		for _, n := range permutations(k.r.Number(end, k.you).String()) {
			if k.best(end, k.you, n) == nil {
				worth = n
			}
		}
		if k.prefers(worth, g[2]) {
			return errors.New("better is " + worth)
		}
	}
	if shown == nil {
		return errors.New("cannot be made")
	}
	return k.comparison(*shown, g[3], &k.me)
}

func (k *claim) threatens(g []string) error {
	open := k.completing(k.q, k.me)
	if err := errors.Join(listed(g[1], k.completions(k.q, k.me)), k.digitsAre(g[2], open)); err != nil {
		return err
	}
	goes, then := g[3], g[4]
	if g[5] != "" {
		goes = g[5]
	}
	if goes == "" {
		return nil
	}
	if len(open) != 1 || open[0] != goes {
		return errors.New("not the digit that is needed")
	}
	taken := 0
	_, ends, _ := k.moves(k.q, true)
	for _, end := range ends {
		if k.wonBy(end, k.me) {
			return errors.New("a reply loses by itself")
		}
		if k.r.Left(end).Has(moveOf(goes).Digit) {
			if !k.canWin(end, goes) {
				return errors.New("the threat is none")
			}
			continue
		}
		taken++
		if err := k.thenWins(end, then); err != nil {
			return err
		}
	}
	if (taken == 0) != (g[5] != "") {
		return fmt.Errorf("taken %d times", taken)
	}
	return nil
}

// thenWins checks "4c wins at once", "4c or 5c wins", "4c leaves …".
func (k *claim) thenWins(p digit.Position, text string) error {
	if moves, ok := strings.CutSuffix(text, " wins at once"); ok {
		if !k.wins(p, moveOf(moves), true) {
			return errors.New("it does not")
		}
		return nil
	}
	if m, clause, ok := strings.Cut(text, " leaves "); ok {
		next, err := newClaim(k.s, p, moveOf(m))
		if err != nil {
			return err
		}
		return next.clause("leaves " + clause)
	}
	list, ok := strings.CutSuffix(text, " wins")
	words, all := things(list)
	if !ok || all != len(words) {
		return errors.New("no form of what comes then")
	}
	for _, w := range words {
		if k.wins(p, moveOf(w), false) {
			return nil
		}
	}
	return errors.New("none of them wins in " + k.r.Text(p))
}

func (k *claim) meetsEveryReply(g []string) error {
	_, ends, _ := k.moves(k.q, true)
	for _, end := range ends {
		met := false
		for m := range k.r.Moves(end) {
			q, _ := k.r.Play(end, m)
			met = met || len(k.completing(q, k.me)) > 1 && !k.canWin(q)
		}
		if !met {
			return errors.New("not " + k.r.Text(end))
		}
	}
	after, err := k.r.Play(k.q, moveOf(g[1]))
	if err != nil {
		return err
	}
	next, err := newClaim(k.s, after, moveOf(g[2]))
	if err != nil {
		return err
	}
	other := "another"
	if words, _ := things(g[3]); len(words) == 2 {
		other = "the other"
	}
	return next.leavesDigits([]string{"", g[3], g[4], other})
}

func (k *claim) beats(g []string) error {
	_, ends, _ := k.moves(k.q, true)
	beaten := 0
	var rest []string
	if g[5] != "" {
		var all int
		if rest, all = things(g[5]); all != len(rest) {
			return errors.New("the rest is not told")
		}
	}
	for _, end := range ends {
		if k.wins(end, moveOf(g[4]), g[3] != "") {
			beaten++
			continue
		}
		if !slices.ContainsFunc(rest, func(w string) bool { return k.wins(end, moveOf(w), g[3] != "") }) {
			return errors.New("nothing beats " + k.r.Text(end))
		}
	}
	said := g[2]
	if n, ok := strings.CutSuffix(g[1], " of"); ok {
		said = n
	}
	return errors.Join(same("beaten", beaten, number(said)), same("replies", len(ends), number(g[2])))
}

func (k *claim) longest(g []string) error {
	if err := k.takes(k.m, solve.Win, number(g[1])); err != nil {
		return err
	}
	end, err := k.line(k.q, g[2])
	if err != nil {
		return err
	}
	if !k.wonBy(end, k.me) {
		return errors.New("it does not end so")
	}
	return same("turns", strings.Count(g[2], " ")+2, number(g[1]))
}

// line plays moves of which each must be as good as can be.
func (k *claim) line(p digit.Position, moves string) (digit.Position, error) {
	for w := range strings.SplitSeq(moves, " ") {
		q, err := k.r.Play(p, moveOf(w))
		if err != nil {
			return p, err
		}
		if v, after := k.s.Value(p), k.s.Value(q); v.Outcome != after.Outcome.Other() || v.Plies != after.Plies+1 {
			return p, errors.New(w + " is not best")
		}
		p = q
	}
	return p, nil
}

func (k *claim) endsLevelAfter(g []string) error {
	end, err := k.line(k.q, g[1])
	if err != nil {
		return err
	}
	return k.comparison(end, g[2], nil)
}

// Clauses of lost and of bad moves.

var only = regexp.MustCompile(`^of (\d+) replies only (.*) wins?$`)
var throw = regexp.MustCompile(`^(\d+) of (\d+) replies throws? the win away$`)

func (k *claim) lasts(g []string) error {
	if err := k.takes(k.m, solve.Loss, number(g[1])); err != nil {
		return err
	}
	all, wins := k.choices(k.q, 0), k.choices(k.q, solve.Win)
	if g[2] == "" {
		return same("replies", all, 1)
	}
	if g[2] == "every reply wins" {
		return same("winning replies", wins, all)
	}
	if h := throw.FindStringSubmatch(g[2]); h != nil {
		return errors.Join(same("wrong replies", all-wins, number(h[1])), same("replies", all, number(h[2])))
	}
	h := only.FindStringSubmatch(g[2])
	if h == nil {
		return errors.New("no form of what replies do")
	}
	k.concrete = true
	return k.onlyReplies(solve.Win, h[1], h[2])
}

// onlyReplies checks that of all replies only some have an outcome.
func (k *claim) onlyReplies(o solve.Outcome, all, moves string) error {
	words, n := things(moves)
	replies, _, worth := k.moves(k.q, true)
	found := 0
	for i, reply := range replies {
		if named := slices.Contains(words, reply.String()); named != (worth[i].Outcome == o) {
			return fmt.Errorf("%v is a %v", reply, worth[i].Outcome)
		}
		if worth[i].Outcome == o {
			found++
		}
	}
	return errors.Join(same("replies", len(replies), number(all)), same("of them", found, n), same("named", len(words), n))
}

func (k *claim) trapsReplies(g []string) error {
	wrong, err := newClaim(k.s, k.q, moveOf(g[3]))
	if err != nil {
		return err
	}
	if k.s.Value(k.q).Outcome != solve.Draw || k.s.Value(wrong.q).Outcome != solve.Win {
		return errors.New("it does not lose")
	}
	if g[4] != "" && !k.wins(wrong.q, moveOf(g[4]), false) || g[4] == "" && !k.wonBy(wrong.q, k.me) {
		return errors.New("not to that")
	}
	return errors.Join(same("replies", k.choices(k.q, 0), number(g[2])), same("wrong replies", k.choices(k.q, solve.Loss), number(g[1])))
}

// meetsLongest checks that a reply lasts longest, and what a move answers to it.
func (k *claim) meetsLongest(g []string) error {
	after, err := k.line(k.q, g[1])
	if err != nil {
		return err
	}
	next, err := newClaim(k.s, after, moveOf(g[2]))
	if err != nil {
		return err
	}
	if was, is := k.s.Value(k.q), k.s.Value(next.q); was.Outcome != solve.Loss || is.Outcome != solve.Loss || is.Plies != was.Plies-2 {
		return errors.New("it is not the answer")
	}
	return next.clause(g[3])
}

// reply checks what a text says of a reply with an outcome.
func (k *claim) reply(m string, o solve.Outcome, text string) error {
	next, err := newClaim(k.s, k.q, moveOf(m))
	if err != nil {
		return err
	}
	if got := k.s.Value(next.q).Outcome.Other(); got != o || k.s.Value(k.q).Outcome != o {
		return fmt.Errorf("the reply is a %v", got)
	}
	err = next.clause(text)
	k.used = append(k.used, next.used...)
	return err
}

func (k *claim) callsWrong(g []string) error {
	if k.m.Call.String() != g[1] || k.divides(g[1]) || number(g[2]) != int(k.r.Target) || !k.wonBy(k.q, k.you) {
		return errors.New("it is not so")
	}
	return nil
}

func (k *claim) missesMultiples(g []string) error {
	made := k.completions(k.p, k.me)
	if (g[2] == "a multiple") != (len(made) == 1) || number(g[3]) != int(k.r.Target) || k.wonBy(k.q, k.me) || !k.canWin(k.p, k.completing(k.p, k.me)...) {
		return errors.New("it is not so")
	}
	return listed(g[1], made)
}

func (k *claim) missesMove(g []string) error {
	next, err := newClaim(k.s, k.p, moveOf(g[1]))
	if err != nil {
		return err
	}
	this, other := k.s.Value(k.q), k.s.Value(next.q)
	if other.Outcome != solve.Loss || this.Outcome == solve.Loss && this.Plies <= other.Plies {
		return errors.New("it is not better")
	}
	return next.clause(g[2])
}

func (k *claim) letsThrough(g []string) error {
	digits := k.completing(k.q, k.you)
	if len(digits) != 1 || !k.canWin(k.q, digits...) {
		return fmt.Errorf("with %v", digits)
	}
	moves, _, _ := k.moves(k.p, false)
	if !slices.ContainsFunc(moves, func(m digit.Move) bool { return m.Digit.String() == digits[0] }) {
		return errors.New("it could not be stopped")
	}
	return listed(g[1], k.completions(k.q, k.you))
}

func (k *claim) givesUp(g []string) error {
	was, is := k.s.Value(k.p), k.s.Value(k.q).Outcome.Other()
	want := "the draw"
	if was.Outcome == solve.Win {
		want = "a win at once"
		if was.Plies > 1 {
			want = fmt.Sprintf("a win in %d turns", was.Plies)
		}
	}
	if g[1] != want || (g[2] != "") != (is == solve.Draw) || is == was.Outcome || was.Outcome == solve.Loss {
		return fmt.Errorf("it gives up %s for a %v", want, is)
	}
	return nil
}
