package coach

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/solve"
)

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
