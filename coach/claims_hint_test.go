package coach

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A kind is a kind of hint. The first kind that applies is used.
type kind int

const (
	byMultiple kind = iota
	isSettled
	byOrder
	isBlock
	isDouble
	isForce
	isSettle
	isLastWord
	isPlan
	isDraw
	allDraw
	isTrap
	isLost
)

// kind returns the kind of the hint, computed from the rules and the solution.
func (k *claim) kind() kind {
	v := k.s.Value(k.p)
	moves, nexts, _ := k.moves(k.p, true)
	every := true
	for _, q := range nexts {
		every = every && k.wonBy(q, k.me)
	}
	open := len(k.completing(k.q, k.me))
	switch {
	case v.Outcome == solve.Win && k.wonBy(k.q, k.me) && k.r.Result(k.q).Reason == digit.Multiple:
		return byMultiple
	case v.Outcome == solve.Win && (every || k.ranked() && k.certain(k.p, k.me)):
		return isSettled
	case v.Outcome == solve.Win && k.wonBy(k.q, k.me):
		return byOrder
	case v.Outcome != solve.Loss && !k.r.Result(k.q).Over() &&
		slices.Contains(k.completing(k.p, k.you), k.m.Digit.String()):
		return isBlock
	case v.Outcome == solve.Win && open > 1:
		return isDouble
	case v.Outcome == solve.Win && open == 1:
		return isForce
	case v.Outcome == solve.Win && k.ranked() && k.certain(k.q, k.me):
		return isSettle
	case v.Outcome == solve.Win && k.takes(k.m, solve.Win, 2) == nil:
		return isLastWord
	case v.Outcome == solve.Win:
		return isPlan
	case v.Outcome == solve.Draw && k.outcomes(k.p, solve.Draw) == len(moves):
		return allDraw
	case v.Outcome == solve.Draw:
		return isDraw
	case k.fewest() >= 0:
		return isTrap
	default:
		return isLost
	}
}

// ranked reports whether only the size of the numbers decides the game.
func (k *claim) ranked() bool {
	return k.r.Place == digit.Slots && k.r.Win == digit.Never &&
		(k.r.Final[0] == digit.Higher || k.r.Final[0] == digit.Lower)
}

// fewest returns the fewest winning replies to a move of a lost position, or -1 if every reply to
// every move wins.
func (k *claim) fewest() int {
	best, trap := -1, false
	_, nexts, _ := k.moves(k.p, true)
	for _, q := range nexts {
		if k.r.Result(q).Over() {
			continue
		}
		n := k.outcomes(q, solve.Win)
		if best < 0 || n < best {
			best = n
		}
		trap = trap || n < k.all(q)
	}
	if !trap {
		return -1
	}
	return best
}

var looks = []form{
	byMultiple: {`{me} can win this turn\. Which digit makes a multiple of {t}\?`, func(k *claim, _ []string) error {
		return must(k.canWin(k.p, k.completing(k.p, k.me)...), "no digit does")
	}},
	isSettled: {`{me} can't lose now\. Play any digit\.`, nil},
	byOrder: {`{my} last digit decides\. Compare the (distances|remainders|numbers)\.`, func(k *claim, g []string) error {
		want := map[digit.Order]string{
			digit.Above: "distances", digit.Nearest: "distances", digit.Below: "remainders",
			digit.Higher: "numbers", digit.Lower: "numbers",
		}[k.r.Orders()[0]]
		return must(g[1] == want, "it is the "+want)
	}},
	isBlock: {`{you} (?:is|are) one digit from winning\. Which one\?`, nil},
	isDouble: {`find a move that gives {me} (\w+) winning digits\.`, func(k *claim, g []string) error {
		return equal("digits", len(k.completing(k.q, k.me)), inWords(g[1]))
	}},
	isForce:    {`make a threat that {you} ha(?:s|ve) to answer\.`, nil},
	isSettle:   {`one digit can settle this\. Which place counts most\?`, nil},
	isLastWord: {`{you} plays? the last digit\. Leave one that doesn't help\.`, nil},
	isPlan: {`{me} can force a win in (\d+) turns, counting both players\.`, func(k *claim, g []string) error {
		return k.takes(k.m, solve.Win, number(g[1]))
	}},
	isDraw:  {`nobody can force a win, but some moves lose\.`, nil},
	allDraw: {`every move draws with best play\.`, nil},
	isTrap:  {`{me} can't win this one by force, so set a trap\.`, nil},
	isLost:  {`every move loses now, and {you} can't go wrong\.`, nil},
}

const overMultiple = `{n} is (?:(\d+) over )?a multiple of {t}`

var ideas = [][]form{
	byMultiple: {
		{`look for a digit that is a multiple of {t} on its own`, func(k *claim, _ []string) error {
			return must(k.r.Held(k.p, k.me) == 0, "there are digits")
		}},
		{`{my} digits add up to (\d+); reach a multiple of {t}`, func(k *claim, g []string) error {
			sum, digits := 0, k.r.Number(k.p, k.me).String()
			for _, d := range digits {
				sum += k.value(string(d))
			}
			for _, n := range permutations(digits) { // the sum decides
				if (k.value(n)-sum)%int(k.r.Target) != 0 {
					return errors.New("the sum doesn't decide")
				}
			}
			return equal("sum", sum, number(g[1]))
		}},
		{`(\w+) digits? makes? a multiple with {my} {list}`, func(k *claim, g []string) error {
			hand := strings.Split(k.r.Number(k.p, k.me).String(), "")
			return errors.Join(equal("digits", len(k.completing(k.p, k.me)), inWords(g[1])),
				isList(g[2], hand))
		}},
		{`with 0 in the gap, ` + overMultiple + `; each step adds (\d+)`, func(k *claim, g []string) error {
			have := k.r.Number(k.p, k.me).String()
			zero := strings.Replace(have, "_", "0", 1)
			step := k.value(strings.Replace(have, "_", "1", 1)) - k.value(zero)
			over := 0
			if g[2] != "" {
				over = number(g[2])
			}
			return errors.Join(must(k.plain(g[1]) == zero, "it is "+zero), equal("step", step, number(g[3])),
				equal("over", k.value(zero)%int(k.r.Target), over))
		}},
		{`on the right it becomes {n} plus the digit; {n} is {far}`, func(k *claim, g []string) error {
			n := k.r.Number(k.p, k.me).String() + "0"
			return errors.Join(must(k.plain(g[1]) == n && g[1] == g[2], "it is "+n), k.isFar(digit.Below, n, g[3]),
				must(k.wins(k.p, digit.Move{Digit: k.m.Digit, Spot: digit.Right}, true), "not on the right"))
		}},
		{`on the left each step adds (\d+); {n} is {far}`, func(k *claim, g []string) error {
			n := k.r.Number(k.p, k.me).String()
			return errors.Join(must(k.plain(g[2]) == n, "it is "+n), k.isFar(digit.Below, n, g[3]),
				equal("step", k.value("1"+n)-k.value(n), number(g[1])),
				must(k.wins(k.p, digit.Move{Digit: k.m.Digit, Spot: digit.Left}, true), "not on the left"))
		}},
	},
	isSettled: {},
	byOrder: {
		{`{you} ha(?:s|ve) {n}`, func(k *claim, g []string) error {
			return errors.Join(must(k.r.Orders()[0] >= digit.Higher, "the distance decides"),
				k.best(k.q, k.you, k.plain(g[1])))
		}},
		{`{your} {n} is {far}`, func(k *claim, g []string) error {
			return errors.Join(k.isFar(k.r.Orders()[0], k.plain(g[1]), g[2]),
				k.best(k.q, k.you, k.plain(g[1])))
		}},
		{`get a (higher|lower) number`, func(k *claim, g []string) error {
			return must(k.r.Orders()[0].String() == g[1], "the other way")
		}},
		{`get closer(?:, or tie with a (higher|lower) number)?`, func(k *claim, g []string) error {
			by, _ := k.r.Result(k.q).Reason.Order()
			return errors.Join(must(!k.closest(), "it can't be closer"), must(g[1] != "" || by == k.r.Orders()[0], "it ties"),
				must(g[1] == "" || k.r.Orders()[1].String() == g[1], "a tie"))
		}},
		{`get at least as close`, func(k *claim, _ []string) error {
			by, _ := k.r.Result(k.q).Reason.Order()
			return errors.Join(must(!k.closest(), "it can't be closer"),
				must(by != k.r.Orders()[0] || k.r.Orders()[1] == digit.Later, "it must be closer"))
		}},
		{`(get as close|make a multiple too)`, func(k *claim, g []string) error {
			by, _ := k.r.Result(k.q).Reason.Order()
			return errors.Join(must(k.closest(), "it can be closer"), must(by == digit.Later, "the last digit doesn't decide"),
				must((k.r.Orders()[0] == digit.Above) == (g[1] == "get as close"), "a multiple"))
		}},
		{`tie with a (higher|lower) number`, func(k *claim, g []string) error {
			by, _ := k.r.Result(k.q).Reason.Order()
			return errors.Join(must(k.closest(), "it can be closer"),
				must(by.String() == g[1], "it is another order"))
		}},
	},
	isBlock: {{`with {d}, {you} makes? {sum}`, func(k *claim, g []string) error {
		n, err := k.multiple(g[2])
		return errors.Join(err,
			must(k.completions(k.p, k.you)[n] == g[1] && k.m.Digit.String() == g[1], "it doesn't"))
	}}},
	isDouble: {{`after it, {list} (both|all) win`, func(k *claim, g []string) error {
		open := k.completing(k.q, k.me)
		return errors.Join(isList(g[1], open), must((g[2] == "both") == (len(open) == 2), "both"),
			k.onlyOne())
	}}},
	isForce: {{`{me} can threaten {sum}`, func(k *claim, g []string) error {
		n, err := k.multiple(g[1])
		return errors.Join(err, must(k.completions(k.q, k.me)[n] != "", "it is not a threat"))
	}}},
	isSettle: {
		{`after the right move, {you} can reach {n} at most`, func(k *claim, g []string) error {
			return must(k.r.Final[0] == digit.Higher && k.bound(k.q, k.you, true) == k.plain(g[1]),
				"it is another")
		}},
		{`after the right move, {you} can't get below {n}`, func(k *claim, g []string) error {
			return must(k.r.Final[0] == digit.Lower && k.bound(k.q, k.you, true) == k.plain(g[1]),
				"it is another")
		}},
	},
	isLastWord: {{`{your} best will be {n}(?:, {far})?`, func(k *claim, g []string) error {
		err := k.bestOfAll(k.plain(g[1]))
		if err != nil || g[2] == "" {
			return err
		}
		o, ok := k.r.Result(k.end).Reason.Order()
		return errors.Join(must(ok, "no order decides"), k.isFar(o, k.plain(g[1]), g[2]))
	}}},
	isPlan: append(counts, form{`{d} is a good digit`, func(k *claim, g []string) error {
		return must(k.m.Digit.String() == g[1] && k.s.Value(k.q).Outcome == solve.Loss, "it is not")
	}}),
	isDraw: {{`(only )?(\d+) of {my} (\d+) {kind}s keeps? the draw`, func(k *claim, g []string) error {
		return k.share(k.p, solve.Draw, g)
	}}},
	allDraw: {},
	isTrap: {{`find a move with only (\w+) winning repl(?:y|ies)`, func(k *claim, g []string) error {
		return equal("replies", k.fewest(), inWords(g[1]))
	}}},
	isLost: {},
}

// counts are the forms of the number of winning moves.
var counts = []form{
	{`(\d+) of {my} (\d+) {kind}s win`, func(k *claim, g []string) error {
		return errors.Join(k.count(solve.Win, number(g[1])),
			equal("moves", k.all(k.p), number(g[2])))
	}},
	{`it's {my} only winning {kind}`, func(k *claim, _ []string) error {
		return errors.Join(k.count(solve.Win, 1), must(k.all(k.p) > 1, "it is the only one"))
	}},
	{`it's {my} only {kind}`, func(k *claim, _ []string) error { return equal("moves", k.all(k.p), 1) }},
	{`every {kind} wins`, func(k *claim, _ []string) error { return k.count(solve.Win, k.all(k.p)) }},
}

// share checks "only 1 of your 9 moves keeps the draw".
func (k *claim) share(p digit.Position, o solve.Outcome, g []string) error {
	n, all := number(g[2]), number(g[3])
	return errors.Join(must(k.s.Value(p).Outcome == o, "it is another outcome"), equal("moves", k.outcomes(p, o), n),
		equal("all", k.all(p), all), must((g[1] != "") == (2*n < all), "only"))
}

// isFar checks "1 short", "4 over", "a multiple of 7".
func (k *claim) isFar(o digit.Order, n, text string) error {
	far, to := k.far(o, n)
	want := fmt.Sprintf("%d over", far)
	switch {
	case far == 0:
		want = fmt.Sprintf("a multiple of %d", k.r.Target)
	case to > k.value(n):
		want = fmt.Sprintf("%d short", far)
	}
	return must(text == want, n+" is "+want)
}

// onlyOne checks that a digit wins after every reply of the opponent.
func (k *claim) onlyOne() error {
	open := k.completing(k.q, k.me)
	for reply := range k.r.Moves(k.q) {
		q, _ := k.r.Play(k.q, reply)
		if !k.wonBy(q, k.me) && !k.canWin(q, open...) {
			return fmt.Errorf("not after %v", reply)
		}
	}
	return must(len(open) > 1, "there is only one")
}

// bestOfAll checks that a number is the best that the opponent's last digit makes, and that it
// doesn't win.
func (k *claim) bestOfAll(n string) error {
	_, nexts, _ := k.moves(k.q, true)
	found := false
	for _, end := range nexts {
		if !k.wonBy(end, k.me) {
			return errors.New("it wins: " + k.r.Text(end))
		}
		if k.best(end, k.you, n) == nil {
			found, k.end = true, end
		}
		for _, other := range permutations(k.r.Number(end, k.you).String()) {
			if k.best(end, k.you, other) == nil && k.prefers(other, n) {
				return errors.New("better is " + other)
			}
		}
	}
	return must(found, "it can't be made")
}

// mustTake checks that the opponent has to take a digit, and returns the positions after that.
func (k *claim) mustTake(d string) (taken []digit.Position, err error) {
	if open := k.completing(k.q, k.me); !slices.Equal(open, []string{d}) {
		return nil, fmt.Errorf("the threats are %v", open)
	}
	_, nexts, _ := k.moves(k.q, true)
	for _, q := range nexts {
		switch {
		case k.wonBy(q, k.me):
		case !k.r.Left(q).Has(moveOf(d).Digit):
			taken = append(taken, q)
		case !k.canWin(q, d):
			return nil, errors.New("the threat doesn't win")
		}
	}
	return taken, must(len(taken) > 0, "it can't be taken")
}

// reasons are the forms of the third step, after the name of the move.
var reasons = append(append([]form{
	{`{sum}`, func(k *claim, g []string) error {
		n, err := k.multiple(g[1])
		made := k.completions(k.p, k.me)[n]
		called := k.m.Call == digit.Number{} || k.m.Call.String() == n
		return errors.Join(err,
			must(made == k.m.Digit.String() && called && k.wonBy(k.q, k.me), "it doesn't win"))
	}},
	{`{d} is a multiple of {t} on its own`, func(k *claim, g []string) error {
		return must(k.m.Digit.String() == g[1] && k.r.Held(k.q, k.me).Len() == 1 && k.wonBy(k.q, k.me),
			"it doesn't win")
	}},
	{`{you} can't make {list} now`, func(k *claim, g []string) error {
		for _, n := range things(g[1]) {
			if k.completions(k.p, k.you)[k.plain(n)] != k.m.Digit.String() {
				return errors.New(n + " was not a threat")
			}
		}
		return nil
	}},
	{`every (winning move|move that keeps the draw) uses {d}`, func(k *claim, g []string) error {
		best := k.s.Value(k.p).Outcome
		moves, _, worth := k.moves(k.p, true)
		n := 0
		for i, m := range moves {
			if worth[i].Outcome == best {
				if n++; m.Digit.String() != g[2] {
					return fmt.Errorf("not %v", m)
				}
			}
		}
		return must(n > 1 && (best == solve.Win) == (g[1] == "winning move"),
			"there is one, or none")
	}},
	{`then {d} makes {sum},? and {d} makes {sum}`, func(k *claim, g []string) error {
		a, err1 := k.multiple(g[2])
		b, err2 := k.multiple(g[4])
		return errors.Join(err1, err2, k.twoDigits(g[1], a, g[3], b))
	}},
	{`then {d} makes {n},? and {d} makes {n}`, func(k *claim, g []string) error {
		return k.twoDigits(g[1], k.plain(g[2]), g[3], k.plain(g[4]))
	}},
	{`{you} can take only one`, func(k *claim, _ []string) error { return k.onlyOne() }},
	{`then {list} each make a multiple of {t}`, func(k *claim, g []string) error {
		open := k.completing(k.q, k.me)
		return errors.Join(isList(g[1], open), must(len(open) > 2, "there are two"), k.onlyOne())
	}},
	{`{you} must take {d}; then every {kind} wins`, func(k *claim, g []string) error {
		taken, err := k.mustTake(g[1])
		for _, q := range taken {
			err = errors.Join(err, equal("winning moves", k.outcomes(q, solve.Win), k.all(q)))
		}
		return err
	}},
	{`{you} must take {d}; then (.*) wins`, func(k *claim, g []string) error {
		taken, err := k.mustTake(g[1])
		for _, q := range taken {
			err = errors.Join(err, must(k.wins(q, k.named(q, g[2]), false), "it doesn't win in "+k.r.Text(q)))
		}
		return err
	}},
	{`{you} must take {d}, and {me} can still force a win`, func(k *claim, g []string) error {
		taken, err := k.mustTake(g[1])
		for _, q := range taken {
			err = errors.Join(err, must(k.s.Value(q).Outcome == solve.Win, "not in "+k.r.Text(q)))
		}
		return err
	}},
	{`{you} can't take {d}, which makes {sum}`, func(k *claim, g []string) error {
		n, err := k.multiple(g[2])
		moves, _, _ := k.moves(k.q, false)
		taken := slices.ContainsFunc(moves, func(m digit.Move) bool { return m.Digit.String() == g[1] })
		return errors.Join(err,
			must(k.completions(k.q, k.me)[n] == g[1] && !taken, "it can be taken, or makes another"))
	}},
	{`({me}|{you}) finish(?:es)? with (.*), ({me}|{you}) with (.*)`, func(k *claim, g []string) error {
		winner, loser := k.me, k.you
		if g[1] == k.voice.Whom(k.you) {
			winner, loser = loser, winner
		}
		at := k.q // a hint that doesn't name the move is about the position
		if kind := k.kind(); kind == isSettled || kind == isLost && k.certain(k.p, winner) {
			at = k.p
		}
		return errors.Join(must(g[1] != g[3], "the same player"), must(k.certain(at, winner), "it is not certain"),
			k.bounds(at, winner, g[2], false), k.bounds(at, loser, g[4], true))
	}},
	{`{n} is {far}; {your} best, {n},? is {far}`, func(k *claim, g []string) error {
		if err := k.bestOfAll(k.plain(g[3])); err != nil {
			return err
		}
		o, ok := k.r.Result(k.end).Reason.Order()
		return errors.Join(must(ok, "no order decides"), k.best(k.end, k.me, k.plain(g[1])),
			k.isFar(o, k.plain(g[1]), g[2]), k.isFar(o, k.plain(g[3]), g[4]))
	}},
	{`{your} best is {n}`, func(k *claim, g []string) error { return k.bestOfAll(k.plain(g[1])) }},
	{`if {you} (\S+ .*?), (?:{me} )?(\S+ .*?): {list} (both|all) win`, func(k *claim, g []string) error {
		after, err := k.r.Play(k.q, k.done(k.q, g[1]))
		if err != nil {
			return err
		}
		next, err := k.at(after, k.done(after, g[2]))
		if err != nil {
			return err
		}
		return errors.Join(must(k.s.Value(after).Plies+1 == k.s.Value(k.q).Plies, "another reply is tougher"),
			isList(g[3], next.completing(next.q, k.me)), must((g[4] == "both") == (len(things(g[3])) == 2), "both"), next.onlyOne())
	}},
	{`best play wins in (\d+) turns`, func(k *claim, g []string) error { return k.takes(k.m, solve.Win, number(g[1])) }},
	{`(only )?(\d+) of {your} (\d+) replies keeps? the draw`, func(k *claim, g []string) error {
		return k.share(k.q, solve.Draw, g)
	}},
	{`(only )?(\d+) of {your} (\d+) replies wins?`, func(k *claim, g []string) error {
		return errors.Join(k.share(k.q, solve.Win, g), k.count(solve.Loss, k.all(k.p)))
	}},
	{`with {d}, {you} makes? {sum}`, func(k *claim, g []string) error {
		n, err := k.multiple(g[2])
		return errors.Join(err, must(k.completions(k.p, k.you)[n] == g[1], "it doesn't"))
	}},
	{`{list} each give {you} a multiple of {t}`, func(k *claim, g []string) error {
		return isList(g[1], k.completing(k.p, k.you))
	}},
	{`every move loses`, func(k *claim, _ []string) error { return k.count(solve.Loss, k.all(k.p)) }},
}, counts...), comparisons...)

// twoDigits checks that exactly two digits win next, and the numbers they make.
func (k *claim) twoDigits(d, n, e, m string) error {
	made := k.completions(k.q, k.me)
	return errors.Join(isList(d+" and "+e, k.completing(k.q, k.me)),
		must(made[n] == d && made[m] == e, "they make others"))
}

// comparisons are the forms of the reason for an ending without a multiple.
var comparisons = append(gaps, []form{
	{`{n} is (higher|lower) than {n}`, func(k *claim, g []string) error {
		o, err := k.decided()
		x, y := k.value(k.plain(g[1])), k.value(k.plain(g[3]))
		return errors.Join(err, must(o.String() == g[2] && k.r.Final[0] == o && x != y && (x > y) == (g[2] == "higher"), "it is not"),
			k.best(k.end, k.winner(), k.plain(g[1])), k.best(k.end, k.winner().Other(), k.plain(g[3])))
	}},
	{`{n} and {n} are both (?:multiples|(\d+) (short of|over|away from) a multiple) of {t}(?:(,) and (?:{n} is (higher|lower)|({me}|{you}) placed the last digit|({n} is {far}; {n} is {far})))?`,
		func(k *claim, g []string) error {
			if err := k.tied(g); err != nil {
				return err
			}
			switch o, err := k.decided(); {
			case g[5] == "":
				return must(k.r.Result(k.end).Score == digit.Draw, "it is not a draw")
			case g[7] != "":
				return errors.Join(err,
					must(o.String() == g[7] && g[6] == g[1], "another order decides"),
					k.best(k.end, k.winner(), k.plain(g[6])))
			case g[8] != "":
				return errors.Join(err,
					must(o == digit.Later && g[8] == k.voice.Whom(k.winner()), "another order decides"))
			default:
				a, b := k.plain(g[10]), k.plain(g[12])
				return errors.Join(err, k.isFar(o, a, g[11]), k.isFar(o, b, g[13]), must(k.prefers(a, b), "it is not closer"),
					k.best(k.end, k.winner(), a), k.best(k.end, k.winner().Other(), b))
			}
		}},
	{`({me}|{you}) placed the last digit`, func(k *claim, g []string) error {
		o, err := k.decided()
		return errors.Join(err,
			must(o == digit.Later && k.r.Final[0] == o && g[1] == k.voice.Whom(k.winner()), "another order decides"))
	}},
	{`nobody has a multiple of {t}`, func(k *claim, _ []string) error {
		return must(k.r.Result(k.end).Score == digit.Draw && len(k.r.Orders()) == 0,
			"an order decides")
	}},
}...)

// gaps are the forms that compare two distances.
var gaps = []form{{`{n} is (?:(\d+) (short of|over) )?a multiple of {t}; {n} is {far}`, (*claim).closer}}

// closer checks "685 is 1 short of a multiple of 7; 143 is 4 short".
func (k *claim) closer(g []string) error {
	o, err := k.decided()
	if err != nil {
		return err
	}
	far := fmt.Sprintf("a multiple of %d", k.r.Target)
	if g[2] != "" {
		far = g[2] + " " + strings.TrimSuffix(g[3], " of")
	}
	a, b := k.plain(g[1]), k.plain(g[4])
	return errors.Join(k.isFar(o, a, far), k.isFar(o, b, g[5]), must(k.prefers(a, b), "it is not closer"),
		k.best(k.end, k.winner(), a), k.best(k.end, k.winner().Other(), b))
}

// tied checks "A and B are both 3 short of a multiple of 7".
func (k *claim) tied(g []string) error {
	a, b := k.plain(g[1]), k.plain(g[2])
	orders := k.r.Orders()
	last := orders[0] // the last order that finds them equal
	for _, o := range orders {
		if decided, ok := k.r.Result(k.end).Reason.Order(); ok && o == decided {
			break
		}
		last = o
	}
	x, to := k.far(last, a)
	y, too := k.far(last, b)
	want := "away from"
	if up := to > k.value(a); up == (too > k.value(b)) {
		want = map[bool]string{true: "short of", false: "over"}[up]
	}
	far := 0
	if g[3] != "" {
		far = number(g[3])
	}
	return errors.Join(must(x == far && y == far && (far == 0 || g[4] == want), fmt.Sprintf("%d and %d %s", x, y, want)),
		k.best(k.end, k.winner(), a), k.best(k.end, k.winner().Other(), b))
}

// winner returns the winner of the finished game, or the starter of a draw.
func (k *claim) winner() digit.Side {
	winner, _ := k.r.Result(k.end).Winner()
	return winner & 1
}

// decided returns the order that decided the finished game.
func (k *claim) decided() (digit.Order, error) {
	o, ok := k.r.Result(k.end).Reason.Order()
	return o, must(ok, "no order decided: "+k.r.Result(k.end).String())
}

// checkHint checks the three steps of a hint, written and spoken: they are of the first kind that
// applies, every sentence is true, and the first two steps do not reveal the move.
func checkHint(s *solve.Solution, p digit.Position, h Hint, cast rulebook.Cast) (*claim, error) {
	k, err := newClaim(s, p, h.Move, cast)
	if err != nil {
		return nil, err
	}
	at := k.kind()
	for i, steps := range [][3]string{{h.Look, h.Idea, h.Reason}, h.Spoken} {
		if i == 1 {
			if strings.ContainsAny(strings.Join(steps[:], ""), "=×+÷_()/%") {
				return k, errors.New("a spoken text has a symbol")
			}
			for i := range steps {
				steps[i] = k.read(steps[i])
			}
		}
		if err := k.isLook(looks[at], steps[0]); err != nil {
			return k, err
		}
		if (steps[1] == "") != (len(ideas[at]) == 0) {
			return k, fmt.Errorf("%q is not an idea of kind %d", steps[1], at)
		}
		if steps[1] != "" {
			if err := k.sentences(ideas[at], steps[1]); err != nil {
				return k, err
			}
		}
		if err := k.reason(steps[2]); err != nil {
			return k, err
		}
	}
	return k, k.secret(h)
}

// isLook checks a first step as a whole.
func (k *claim) isLook(f form, text string) error {
	g := f.match(k, k.lower(text))
	k.used[f.pattern] = true
	switch {
	case g == nil:
		return fmt.Errorf("%q does not match %s", text, f.pattern)
	case f.check == nil:
		return nil
	default:
		return f.check(k, g)
	}
}

// reason checks a third step.
func (k *claim) reason(text string) error {
	put := k.voice.Put(k.p, k.m)
	head := strings.ToUpper(put[:1]) + put[1:]
	rest, named := strings.CutPrefix(text, head)
	named = named && !strings.HasPrefix(rest, " =")
	caller := strings.ToUpper(put[:1]) + k.voice.Put(k.p, k.m.Uncalled())[1:] + " and call "
	if call, ok := strings.CutPrefix(text, caller); ok && k.m.Call != (digit.Number{}) && !named {
		sum, more, _ := strings.Cut(call, ".")
		if err := k.clause(reasons, sum); err != nil || more == "" {
			return err
		}
		return k.sentences(reasons, strings.TrimSpace(more))
	}
	bare := k.kind() == isSettled || k.kind() == isLost
	switch {
	case !named && bare:
		return k.sentences(reasons, text)
	case !named:
		return errors.New("the text does not name the move: " + text)
	case rest == ".":
		return nil
	case strings.HasPrefix(rest, ": "), strings.HasPrefix(rest, ". "):
		return k.sentences(reasons, rest[2:])
	default:
		return fmt.Errorf("unexpected text %q after the move", rest)
	}
}

// secret checks that the first step names neither the digit nor the place of the move, and the
// second not both. Other numbers in the text do not count.
func (k *claim) secret(h Hint) error {
	other := regexp.MustCompile(`(?:a )?multiple of \d+|in \d+ turns|\d+ of \S+ \d+|add up to \d+` +
		`|adds \d+|\d+ (?:over|short)|multiple of \d+|With 0 in the gap` +
		`|\ba (?:multiple|move|win|threat|trap|good|digit|h|l)`)
	names := func(text string) (names, places bool) {
		where := "nowhere"
		if h.Move.Spot != digit.InHand {
			where = k.voice.Where(h.Move.Spot)
		}
		for _, s := range []digit.Side{digit.First, digit.Second} {
			text = strings.ReplaceAll(text, k.voice.Who(s), "")
		}
		text = other.ReplaceAllString(text, "")
		uses := regexp.MustCompile(`\b` + h.Move.Digit.String() + `\b`)
		return uses.MatchString(text), strings.Contains(strings.ToLower(text), where)
	}
	if d, place := names(h.Look); d || place {
		return errors.New("the first step reveals the move")
	}
	if d, place := names(h.Idea); d && place {
		return errors.New("the second step reveals the move")
	}
	return nil
}
