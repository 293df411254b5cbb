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

// answers are the forms of a move that somebody answers with, of which the rest of a text tells why.
var answers []form

func init() {
	list := func(to *[]form, concrete bool, pattern string, check func(*claim, []string) error) {
		*to = append(*to, form{pattern, concrete, check})
	}
	answer := func(pattern string) {
		check := func(k *claim, g []string) error {
			return must(k.wins(k.q, k.named(k.q, g[1]), false), "it does not win")
		}
		list(&answers, true, pattern, check)
		list(&forms, true, pattern, check)
	}
	answer(`(?:now )?{you} wins? with (.*)`)
	add := func(concrete bool, pattern string, check func(*claim, []string) error) {
		list(&forms, concrete, pattern, check)
	}

	add(true, `now {you} keeps? the draw with (.*)`, func(k *claim, g []string) error {
		m := k.named(k.q, g[1])
		q, err := k.r.Play(k.q, m)
		return errors.Join(err, must(k.s.Value(q).Outcome == solve.Draw && k.s.Value(k.q).Outcome == solve.Draw, "it is no draw"))
	})
	add(true, `{sum}`, (*claim).winsByMultiple)
	add(true, `it is a multiple of {t} by itself`, func(k *claim, _ []string) error {
		return must(k.r.Held(k.q, k.me).Len() == 1 && k.wonBy(k.q, k.me) && k.r.Result(k.q).Reason == digit.Multiple, "it does not win by itself")
	})
	compare(add)
	add(true, `{you} cannot make (.*) any more`, (*claim).stops)
	add(true, `then {d} makes {sum},? and {d} makes {sum}`, func(k *claim, g []string) error {
		a, err1 := k.multiple(g[2])
		b, err2 := k.multiple(g[4])
		return errors.Join(err1, err2, k.twoDigits(g[1], a, g[3], b))
	})
	add(true, `then {d} makes {n} and {d} makes {n}`, func(k *claim, g []string) error { return k.twoDigits(g[1], k.plain(g[2]), g[3], k.plain(g[4])) })
	add(true, `then (.*) each make a multiple of {t}`, func(k *claim, g []string) error {
		open := k.completing(k.q, k.me)
		return errors.Join(must(len(open) > 2, "not so many"), firstOf(g[1], open))
	})
	add(true, `then (.*) settles it`, (*claim).pairSettles)
	add(false, `{you} can take only one`, (*claim).onlyOne)
	add(true, `({me}|{you}) ha(?:ve|s) (.*), ({me}|{you}) (.*)`, (*claim).settled)
	add(true, `the best {you} can make is {n}`, (*claim).bestOfAll)
	add(true, `{me} threatens? {sum}, (so|and) {you} (must|cannot) take {d}`, (*claim).threatens)
	add(true, `then (.*) wins`, (*claim).thenWins)
	add(true, `if {you} (\S+ .*?), (?:{me} )?(\S+ .*?): (then .*)`, (*claim).ifThen)
	add(true, `every other answer meets two threats as well`, (*claim).everyOther)
	add(true, `(.*) wins against (\d+) of {your} (\d+) answers, (.*) against the others`, func(k *claim, g []string) error {
		return k.beats(g[1], number(g[2]), number(g[3]), g[4])
	})
	add(false, `best play wins (.*)`, func(k *claim, g []string) error { return k.takes(k.m, solve.Win, k.turns(g[1])) })
	add(false, `it (?:is|was) {my} only (?:move|digit|place|end)`, func(k *claim, _ []string) error { return same("choices", k.choices(k.p, 0), 1) })
	add(false, `every (?:move|digit) (?:wins|won)`, func(k *claim, _ []string) error { return k.count(solve.Win, k.choices(k.p, 0)) })
	add(false, `every (?:move|digit) (?:keeps|kept) the draw`, func(k *claim, _ []string) error { return k.count(solve.Draw, k.choices(k.p, 0)) })
	add(false, `it (?:is|was) {my} only winning (?:move|digit)`, func(k *claim, _ []string) error { return k.count(solve.Win, 1) })
	add(false, `it (?:is|was) {my} only (?:move|digit) that (?:does|did) not lose`, func(k *claim, _ []string) error { return k.count(solve.Draw, 1) })
	add(false, `(\d+) of {my} (\d+) (?:moves|digits) (win|won|keep the draw|kept the draw)`, func(k *claim, g []string) error {
		o := solve.Win
		if strings.HasSuffix(g[3], "draw") {
			o = solve.Draw
		}
		return errors.Join(k.count(o, number(g[1])), same("choices", k.choices(k.p, 0), number(g[2])))
	})
	add(true, `(only )?(\d+) of {your} (\d+) answers (wins?|keeps? the draw too)`, (*claim).share)
	add(true, `with {d} {you} ha(?:ve|s) {sum}(?:, and with {d} {you} ha(?:ve|s) {sum})?`, (*claim).danger)
	add(true, `(.*) (?:each|both) give {you} a multiple of {t}`, func(k *claim, g []string) error {
		return errors.Join(firstOf(g[1], k.completing(k.q, k.you)), must(k.canWin(k.q, k.completing(k.q, k.you)...), "it does not win"))
	})

	// Against a move.
	add(true, `{me} missed (.*)`, (*claim).missed)
	add(false, `{me} would have won at once`, func(k *claim, _ []string) error {
		return errors.Join(must(k.wins(k.p, k.better, true), "not by that"), must(!k.wonBy(k.q, k.me), "this won too"))
	})
	add(true, `(.*) won too`, func(k *claim, g []string) error {
		others := slices.DeleteFunc(k.completing(k.p, k.me), func(d string) bool { return d == k.better.Digit.String() })
		return firstOf(g[1], others)
	})
	add(true, `(only )?(.*?) would have kept the draw`, func(k *claim, g []string) error { return k.wasBetter(g[1], g[2], solve.Draw, 0) })
	add(true, `this turned a win into a draw: (only )?(.*?) won`, func(k *claim, g []string) error {
		return errors.Join(k.wasBetter(g[1], g[2], solve.Win, 0), must(k.s.Value(k.q).Outcome == solve.Draw, "it is no draw"))
	})
	add(true, `(only )?(.*?) won at once: (.*)`, func(k *claim, g []string) error {
		if err := k.wasBetter(g[1], g[2], solve.Win, 1); err != nil {
			return err
		}
		next, err := k.at(k.p, k.better)
		k.end = next.q
		return errors.Join(err, next.clause(g[3]))
	})
	add(true, `(only )?([^,]*) won at once`, func(k *claim, g []string) error { return k.wasBetter(g[1], g[2], solve.Win, 1) })
	add(false, `{you} wins?`, func(k *claim, _ []string) error { return must(k.wonBy(k.q, k.you), "it is not so") })
	add(true, `(only )?(.*?) won: (.*) against (.*)`, func(k *claim, g []string) error {
		if err := k.wasBetter(g[1], g[2], solve.Win, 0); err != nil {
			return err
		}
		next, err := k.at(k.p, k.better)
		if err != nil {
			return err
		}
		return errors.Join(must(next.certain(next.q, k.me), "it was not certain"), next.bounds(next.q, k.me, g[3], false), next.bounds(next.q, k.you, g[4], true))
	})
	add(true, `(only )?(.*?) won,? (in \d+ turns|after .* next digit)`, func(k *claim, g []string) error { return k.wasBetter(g[1], g[2], solve.Win, k.turns(g[3])) })
	add(true, `{you} wins?: (.*)`, func(k *claim, g []string) error {
		k.end = k.q
		return errors.Join(must(k.wonBy(k.q, k.you), "it is not so"), k.clause(g[1]))
	})
	add(true, `{n} = (\d+)·(\d+) \+ (\d+), no multiple of {t}`, func(k *claim, g []string) error {
		n := k.plain(g[1])
		rest := number(g[4])
		return errors.Join(must(k.m.Call.String() == n && k.wonBy(k.q, k.you), "it was not called"),
			must(number(g[2]) == int(k.r.Target) && number(g[2])*number(g[3])+rest == k.value(n) && rest > 0 && rest < int(k.r.Target), "it is not the sum"))
	})
	add(true, `{n} is smaller than {t}, no multiple of {t}`, func(k *claim, g []string) error {
		n := k.plain(g[1])
		return must(k.m.Call.String() == n && k.wonBy(k.q, k.you) && k.value(n) < int(k.r.Target) && k.value(n) > 0, "it is not so")
	})
	add(true, `{my} number is now (.*) and {your} (.*): {me} cannot win any more`, func(k *claim, g []string) error {
		return errors.Join(must(k.certain(k.q, k.you), "it can"), k.bounds(k.q, k.me, g[1], true), k.bounds(k.q, k.you, g[2], false))
	})
	add(true, `this (?:leaves|left) {d} in the pool`, func(k *claim, g []string) error {
		k.left = g[1]
		moves, _, _ := k.moves(k.p, false)
		could := slices.ContainsFunc(moves, func(m digit.Move) bool { return m.Digit.String() == g[1] })
		return errors.Join(must(could, "it could not be taken"), must(slices.Equal(k.completing(k.q, k.you), []string{g[1]}), "it does not win"))
	})
	add(true, `{you} takes? it and (?:ha(?:ve|s) {sum}|wins?)`, func(k *claim, g []string) error {
		if g[1] == "" {
			return must(k.completions(k.q, k.you)[k.left] == k.left && k.canWin(k.q, k.left), "it does not win by itself")
		}
		n, err := k.multiple(g[1])
		return errors.Join(err, must(k.completions(k.q, k.you)[n] == k.left && k.canWin(k.q, k.left), "it does not make that"))
	})
	add(false, `(.*?) (?:wins|won) (in \d+ turns|after .* next digit), this wins (in \d+ turns)`, func(k *claim, g []string) error {
		m := k.named(k.p, g[1])
		return errors.Join(k.takes(k.m, solve.Win, k.turns(g[3])), k.takes(m, solve.Win, k.turns(g[2])), must(k.turns(g[2]) < k.turns(g[3]), "it is not slower"))
	})
	add(true, `(.*), (?:wins|won) at once`, func(k *claim, g []string) error {
		return errors.Join(k.missed(g), must(k.wins(k.p, k.better, true) && !k.wonBy(k.q, k.me) && k.s.Value(k.q).Outcome == solve.Loss, "it is not slower"))
	})
	add(true, `{you} would have(?: had)? to work harder after (.*): (.*)`, func(k *claim, g []string) error {
		next, err := k.at(k.p, k.named(k.p, g[1]))
		if err != nil {
			return err
		}
		share := func(p digit.Position) float64 {
			return float64(k.choices(p, solve.Win)) / float64(max(1, k.choices(p, 0)))
		}
		harder := share(next.q) < share(k.q) || k.r.Result(k.q).Over() && share(next.q) < 1
		return errors.Join(must(harder, "it is not harder"), k.count(solve.Loss, k.choices(k.p, 0)), next.clause(g[2]))
	})
	add(true, `after (.*) {you} would (?:have needed|need) (\d+) turns, not (\d+)`, func(k *claim, g []string) error {
		return errors.Join(k.takes(k.named(k.p, g[1]), solve.Loss, number(g[2])), k.takes(k.m, solve.Loss, number(g[3])), must(number(g[2]) > number(g[3]), "it is not longer"))
	})
}

// compare adds the forms in which the numbers of a finished game are compared.
func compare(add func(bool, string, func(*claim, []string) error)) {
	const gap = `{n} (?:is (\d+) (above|below) (\d+) )?= (\d+)·(\d+)`
	add(true, gap+`; `+gap, func(k *claim, g []string) error {
		o, err := k.decided()
		if err != nil {
			return err
		}
		x, err1 := k.gap(o, g[1:7])
		y, err2 := k.gap(o, g[7:13])
		first := k.winner()
		return errors.Join(err1, err2, must(x < y, "it is not closer"), k.best(k.end, first, k.plain(g[1])), k.best(k.end, first.Other(), k.plain(g[7])))
	})
	add(true, `{n} is (higher|lower) than {n}`, func(k *claim, g []string) error {
		o, err := k.decided()
		x, y := k.value(k.plain(g[1])), k.value(k.plain(g[3]))
		first := k.winner()
		return errors.Join(err, must(o.String() == g[2] && k.r.Final[0] == o && x != y && (x > y) == (g[2] == "higher"), "it is not, or does not decide"),
			k.best(k.end, first, k.plain(g[1])), k.best(k.end, first.Other(), k.plain(g[3])))
	})
	const tie = `{n} and {n} are both (?:multiples|(\d+) (above|below|away from) a multiple) of {t}`
	add(true, tie+`(?:, so the (higher|lower) number wins|, (a draw)|, and ({me}|{you}) places? the last digit|)`, func(k *claim, g []string) error {
		if g[6] != "" && k.r.Result(k.q).Over() {
			k.end = k.q
		}
		if err := k.tied(g); err != nil {
			return err
		}
		o, err := k.decided()
		switch {
		case g[6] != "":
			return must(k.r.Result(k.end).Score == digit.Draw, "it is no draw")
		case g[5] != "":
			return errors.Join(err, must(o.String() == g[5], "something else decides"))
		case g[7] != "":
			return errors.Join(err, must(o == digit.Later && g[7] == k.voice.Whom(k.winner()), "something else decides"))
		default:
			return errors.Join(err, must(o == digit.Above || o == digit.Below, "nothing follows"))
		}
	})
	add(true, `nobody has a multiple of {t}, a draw`, func(k *claim, _ []string) error {
		return must(k.r.Result(k.q).Score == digit.Draw && len(k.r.Orders()) == 0, "it is no such draw")
	})
	add(true, `({me}|{you}) places? the last digit`, func(k *claim, g []string) error {
		o, err := k.decided()
		return errors.Join(err, must(o == digit.Later && k.r.Final[0] == o && g[1] == k.voice.Whom(k.winner()), "something else decides"))
	})
}

// winner returns who has won the game that is compared, or who moved first in a drawn one.
func (k *claim) winner() digit.Side {
	winner, _ := k.r.Result(k.end).Winner()
	return winner & 1
}

// decided returns the order that decided the game that is compared.
func (k *claim) decided() (digit.Order, error) {
	o, ok := k.r.Result(k.end).Reason.Order()
	return o, must(ok, "no order decided: "+k.r.Result(k.end).String())
}

// gap checks "N is D below M = T·X", or "N = T·X" of a multiple, and returns how far N is.
func (k *claim) gap(o digit.Order, g []string) (int, error) {
	n := k.plain(g[0])
	far, to := k.far(o, n)
	side := "above"
	if to > k.value(n) {
		side = "below"
	}
	if g[1] == "" {
		return 0, must(far == 0 && number(g[4]) == int(k.r.Target) && number(g[4])*number(g[5]) == k.value(n), n+" is no such multiple")
	}
	return far, must(number(g[1]) == far && g[2] == side && number(g[3]) == to && number(g[4]) == int(k.r.Target) && number(g[4])*number(g[5]) == to,
		fmt.Sprintf("%s is %d %s %d", n, far, side, to))
}

// tied checks "A and B are both 3 below a multiple".
func (k *claim) tied(g []string) error {
	a, b := k.plain(g[1]), k.plain(g[2])
	first := k.winner()
	far, want := 0, "away from"
	if g[3] != "" {
		far = number(g[3])
	}
	x, to := k.far(k.r.Final[0], a)
	y, too := k.far(k.r.Final[0], b)
	if (to > k.value(a)) == (too > k.value(b)) && k.value(a)%int(k.r.Target) == k.value(b)%int(k.r.Target) {
		if want = "above"; to > k.value(a) {
			want = "below"
		}
	}
	return errors.Join(must(x == far && y == far && (g[3] == "" || g[4] == want), fmt.Sprintf("%d and %d %s", x, y, want)),
		k.best(k.end, first, a), k.best(k.end, first.Other(), b))
}

// firstOf checks that a list names some digits from the lowest, and says how many there are.
func firstOf(text string, digits []string) error {
	words, all := things(text)
	return errors.Join(same("digits", len(digits), all), must(len(words) <= len(digits) && slices.Equal(words, digits[:len(words)]), fmt.Sprintf("they are %v", digits)))
}

func (k *claim) winsByMultiple(g []string) error {
	n, err := k.multiple(g[1])
	if err != nil {
		return err
	}
	made := k.r.Number(k.q, k.me).String()
	call, called := k.r.Called(k.q)
	sorted := strings.Split(n, "")
	slices.Sort(sorted)
	switch {
	case called && n != call.String():
		return errors.New("something else was called")
	case k.r.Place != digit.Hand && n != made, k.r.Place == digit.Hand && strings.Join(sorted, "") != made:
		return errors.New("the number is " + made)
	}
	return must(k.wonBy(k.q, k.me) && k.r.Result(k.q).Reason == digit.Multiple, "the result is "+k.r.Result(k.q).String())
}

func (k *claim) stops(g []string) error {
	stopped, rest := k.completions(k.p, k.you), k.completions(k.q, k.you)
	for n := range rest {
		delete(stopped, n)
	}
	words, _ := things(g[1])
	plain := g[1]
	for _, w := range words {
		plain = strings.Replace(plain, w, k.plain(w), 1)
	}
	return listed(plain, stopped)
}

// twoDigits checks that of all digits two win next, and what they make.
func (k *claim) twoDigits(d, n, e, m string) error {
	made := k.completions(k.q, k.me)
	return errors.Join(must(slices.Equal(k.completing(k.q, k.me), []string{d, e}), "the digits are others"), must(made[n] == d && made[m] == e, "they make others"))
}

// onlyOne checks that whatever the other side takes, another digit wins, or another move settles the game.
func (k *claim) onlyOne([]string) error {
	open := k.completing(k.q, k.me)
	if len(open) == 0 {
		return nil // the moves that settle the game are checked where they are told
	}
	for reply := range k.r.Moves(k.q) {
		q, _ := k.r.Play(k.q, reply)
		if !k.wonBy(q, k.me) && !k.canWin(q, open...) {
			return fmt.Errorf("not after %v", reply)
		}
	}
	return must(len(open) > 1, "there is only one")
}

func (k *claim) pairSettles(g []string) error {
	moves := k.either(k.q, g[1])
	if len(moves) < 2 || len(slices.Compact(slices.Clone(moves))) < len(moves) {
		return errors.New("there is only one, or it is told twice")
	}
	for reply := range k.r.Moves(k.q) {
		after, _ := k.r.Play(k.q, reply)
		for _, m := range moves {
			if m.Digit == reply.Digit {
				continue
			}
			q, err := k.r.Play(after, m)
			if err != nil || !k.certain(q, k.me) {
				return fmt.Errorf("%v not after %v", m, reply)
			}
		}
	}
	return nil
}

func (k *claim) settled(g []string) error {
	winner, loser := k.me, k.you
	if g[1] == k.voice.Whom(k.you) {
		winner, loser = k.you, k.me
	}
	return errors.Join(must(g[1] != g[3], "the same player"), must(k.certain(k.q, winner), "it is not certain"),
		k.bounds(k.q, winner, g[2], false), k.bounds(k.q, loser, g[4], true))
}

func (k *claim) bestOfAll(g []string) error {
	n := k.plain(g[1])
	_, ends, _ := k.moves(k.q, true)
	found := false
	for _, end := range ends {
		if !k.wonBy(end, k.me) {
			return errors.New("there is a way out: " + k.r.Text(end))
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
	return must(found, "it cannot be made")
}

func (k *claim) threatens(g []string) error {
	n, err := k.multiple(g[1])
	open := k.completing(k.q, k.me)
	if err != nil || !slices.Equal(open, []string{g[4]}) || k.completions(k.q, k.me)[n] != g[4] || (g[2] == "so") != (g[3] == "must") {
		return errors.Join(err, fmt.Errorf("the digits are %v", open))
	}
	taken := 0
	_, ends, _ := k.moves(k.q, true)
	for _, end := range ends {
		switch {
		case k.wonBy(end, k.me):
		case !k.r.Left(end).Has(moveOf(g[4]).Digit):
			taken++
		case !k.canWin(end, g[4]):
			return errors.New("the threat is none")
		}
	}
	return must((taken > 0) == (g[3] == "must"), fmt.Sprintf("taken %d times", taken))
}

// thenWins checks that after the digit of the threat is taken one of some moves wins.
func (k *claim) thenWins(g []string) error {
	open := k.completing(k.q, k.me)
	_, ends, _ := k.moves(k.q, true)
	for _, end := range ends {
		if len(open) == 1 && k.r.Left(end).Has(moveOf(open[0]).Digit) {
			continue
		}
		if !slices.ContainsFunc(k.either(end, g[1]), func(m digit.Move) bool { return k.wins(end, m, false) }) {
			return errors.New("none of them wins in " + k.r.Text(end))
		}
	}
	return must(len(open) == 1, "there is no threat")
}

// played reads "puts 7 on the left", "take 2 and call 721" as a move of a position.
func (k *claim) played(p digit.Position, text string) digit.Move {
	for m := range k.r.Moves(p) {
		put := k.voice.Put(p, m)
		verb, rest, _ := strings.Cut(put, " ")
		if text == put || text == verb+"s "+strings.Replace(rest, " and call ", " and calls ", 1) {
			return m
		}
	}
	return nowhere
}

// ifThen checks an answer to a reply, and that the reply is one that lasts longest.
func (k *claim) ifThen(g []string) error {
	reply := k.played(k.q, g[1])
	after, err := k.r.Play(k.q, reply)
	if err != nil {
		return err
	}
	if was, is := k.s.Value(k.q), k.s.Value(after); was.Plies != is.Plies+1 {
		return errors.New("another reply lasts longer")
	}
	next, err := k.at(after, k.played(after, g[2]))
	if err != nil {
		return err
	}
	return errors.Join(next.clause(g[3]), next.onlyOne(nil))
}

func (k *claim) everyOther([]string) error {
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
	return must(len(ends) > 1, "there is no other")
}

// beats checks that a move wins against so many of all replies, and one of some others against the rest.
func (k *claim) beats(move string, n, all int, rest string) error {
	_, ends, _ := k.moves(k.q, true)
	beaten := 0
	for _, end := range ends {
		if k.wins(end, k.named(end, move), false) {
			beaten++
			continue
		}
		if rest == "" || !slices.ContainsFunc(k.either(end, rest), func(m digit.Move) bool { return k.wins(end, m, false) }) {
			return errors.New("nothing beats " + k.r.Text(end))
		}
	}
	if n < 0 {
		return nil
	}
	return errors.Join(same("beaten", beaten, n), same("replies", len(ends), all))
}

func (k *claim) share(g []string) error {
	o := solve.Win
	if strings.HasSuffix(g[4], "too") {
		o = solve.Draw
	}
	n, all := number(g[2]), number(g[3])
	_, _, worth := k.moves(k.q, true)
	found := 0
	for _, v := range worth {
		if v.Outcome == o {
			found++
		}
	}
	return errors.Join(same("answers", len(worth), all), same("of them", found, n), must((g[1] != "") == (2*n < all), "only"), must((n == 1) == strings.Contains(g[4]+" ", "s "), "number"))
}

func (k *claim) danger(g []string) error {
	made, open := k.completions(k.q, k.you), []string{g[1]}
	n, err := k.multiple(g[2])
	if err != nil || made[n] != g[1] {
		return errors.Join(err, errors.New("it does not make that"))
	}
	if g[3] != "" {
		open = append(open, g[3])
		if n, err = k.multiple(g[4]); err != nil || made[n] != g[3] {
			return errors.Join(err, errors.New("it does not make that"))
		}
	}
	return errors.Join(must(slices.Equal(open, k.completing(k.q, k.you)), "there are others"), must(k.canWin(k.q, open...), "it does not win"))
}

var (
	feat   = regexp.MustCompile(`^(.*), ([0-9a-f]+(?: \(\d+\))? = \d+·\d+)$`)
	called = regexp.MustCompile(`^(.*) and the call of ([0-9a-f]+(?: \(\d+\))?) = .*$`)
	itself = regexp.MustCompile(`^(\S+), a multiple of (\d+) by itself$`)
)

// missed checks "2 in the middle, 721 = 7·103" and notes the move.
func (k *claim) missed(g []string) error {
	switch h, c, a := feat.FindStringSubmatch(g[1]), called.FindStringSubmatch(g[1]), itself.FindStringSubmatch(g[1]); {
	case a != nil:
		for m := range k.r.Moves(k.p) {
			if m.Digit.String() == a[1] {
				k.better = m
			}
		}
		return must(k.wins(k.p, k.better, true) && number(a[2]) == int(k.r.Target) && k.r.Held(k.p, k.me) == 0, "it does not win by itself")
	case c != nil:
		k.better = moveOf(c[1] + "=" + k.plain(c[2]))
		_, sum, _ := strings.Cut(g[1], " and the call of ")
		next, err := k.at(k.p, k.better)
		if err != nil {
			return err
		}
		return next.winsByMultiple([]string{"", sum})
	case h != nil:
		k.better = k.named(k.p, h[1])
		next, err := k.at(k.p, k.better)
		if err != nil {
			return err
		}
		return next.winsByMultiple([]string{"", h[2]})
	}
	return errors.New("no form of what was missed")
}

// wasBetter checks what a move was worth that is told to have been better, and whether it was the only one; no plies are not checked.
func (k *claim) wasBetter(only, move string, o solve.Outcome, plies int) error {
	k.better = k.named(k.p, move)
	q, err := k.r.Play(k.p, k.better)
	if err != nil {
		return err
	}
	if v := k.s.Value(q); v.Outcome.Other() != o || plies > 0 && v.Plies+1 != plies {
		return fmt.Errorf("%v is a %v in %d", k.better, v.Outcome.Other(), v.Plies+1)
	}
	n := 0
	_, _, worth := k.moves(k.p, true)
	for _, v := range worth {
		if v.Outcome == o {
			n++
		}
	}
	return errors.Join(must((only != "") == (n == 1), fmt.Sprintf("%d moves were as good", n)), must(k.s.Value(k.q).Outcome.Other() != o || only == "" && plies == 1, "this was as good"))
}
