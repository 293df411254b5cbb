package coach

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	"digitduel/digit"
	"digitduel/solve"
)

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
