package coach

import (
	"errors"
	"fmt"
	"math"
	"regexp"
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
