package disguise

import (
	"slices"
	"testing"

	"digitduel/digit"
)

// A faulty is a game with a fault in its behaviour, not in its data.
type faulty struct {
	*Game
	change  func(position, []move) []move
	lead    func(position, move) move
	declare func(position, Outcome) Outcome
}

func (f *faulty) moves(p position, yield func(move)) {
	var all []move
	f.Game.moves(p, func(m move) { all = append(all, m) })
	if f.change != nil {
		all = f.change(p, all)
	}
	for _, m := range all {
		yield(m)
	}
}

func (f *faulty) play(p position, m move) position {
	if f.lead != nil {
		m = f.lead(p, m)
	}
	return f.Game.play(p, m)
}

func (f *faulty) outcome(p position) Outcome {
	o := f.Game.outcome(p)
	if f.declare != nil {
		o = f.declare(p, o)
	}
	return o
}

// deep returns a position in which each side has n tokens, and the game is not over.
func deep(t *testing.T, d *Disguise, n int) position {
	t.Helper()
	for _, p := range slices.Backward(positionsOf(t, d.Rules)) {
		if d.Rules.Ply(p) == 2*n && !d.Rules.Result(p).Over() {
			return d.encode(p)
		}
	}
	t.Fatalf("no unfinished position with %d tokens each", n)
	return position{}
}

// TestFaults checks that the proof fails for games with a fault. TestProved proves them without it.
func TestFaults(t *testing.T) {
	line := rulesOf(t, "divisibility pool=1-7") // walked in less time than the book
	for _, f := range []struct {
		name  string
		rules digit.Rules
		plant func(d *Disguise, f *faulty)
	}{
		{"the weight of a place", digit.Dilemma, func(d *Disguise, _ *faulty) { d.Game.Places[1].Weight++ }},
		{"two weights swapped", digit.Dilemma, func(d *Disguise, _ *faulty) {
			p := d.Game.Places
			p[0].Weight, p[2].Weight = p[2].Weight, p[0].Weight
		}},
		{"the weight of the fifth token of a line", digit.Divisibility, func(d *Disguise, _ *faulty) { d.Game.Weights[4]++ }},
		{"the worth of a token", digit.Dilemma, func(d *Disguise, _ *faulty) { d.Game.Tokens[3].Worth++ }},
		{"the divisor", digit.Sevens, func(d *Disguise, _ *faulty) { d.Game.Share++ }},
		{"two neighbours in the ranking swapped", digit.Highest, func(d *Disguise, _ *faulty) {
			ranked := d.Game.Tokens
			four, five := &ranked[d.tokenOf[4]], &ranked[d.tokenOf[5]]
			four.Rank, five.Rank = five.Rank, four.Rank
		}},
		{"the place that is looked at first", digit.Reverse, func(d *Disguise, _ *faulty) {
			p := d.Game.Places
			p[0].Rank, p[1].Rank, p[2].Rank = p[1].Rank, p[2].Rank, p[0].Rank
		}},
		{"the ranking upside down", digit.Reverse, func(d *Disguise, _ *faulty) {
			d.Game.Orders[0] = map[Criterion]Criterion{EarlyRank: LateRank,
				LateRank: EarlyRank}[d.Game.Orders[0]]
		}},
		{"more left over instead of less", line, func(d *Disguise, _ *faulty) { d.Game.Orders[0] = MoreOver }},
		{"left over instead of nearest", digit.Sevens, func(d *Disguise, _ *faulty) { d.Game.Orders[0] = LessOver }},
		{"the second criterion is missing", digit.Dilemma, func(d *Disguise, _ *faulty) { d.Game.Orders = d.Game.Orders[:1] }},
		{"the blank token is free", digit.Dilemma, func(d *Disguise, _ *faulty) { d.Game.Bound = Free }},
		{"the blank token is shut out", digit.Dilemma, func(d *Disguise, _ *faulty) { d.Game.Bound = Shut }},
		{"another token is blank", digit.Sevens, func(d *Disguise, _ *faulty) { d.Game.Blank = (d.Game.Blank + 1) % 10 }},
		{"a line is full too early", line, func(d *Disguise, _ *faulty) { d.Game.Size[0]-- }},
		{"only full lines are tried", line, func(d *Disguise, _ *faulty) { d.Game.Try = TryFull }},
		{"a hand wins without a call", digit.Sevens, func(d *Disguise, _ *faulty) { d.Game.Try = TryFull }},
		{"a token is missing", digit.Highest, func(d *Disguise, _ *faulty) { d.Game.Tokens = d.Game.Tokens[:8] }},
		{"two digits have the same token", digit.Highest, func(d *Disguise, _ *faulty) { d.tokenOf[3] = d.tokenOf[4] }},
		{"two digits of the map swapped", digit.Dilemma, func(d *Disguise, _ *faulty) { d.tokenOf[3], d.tokenOf[4] = d.tokenOf[4], d.tokenOf[3] }},
		{"two places of the map are one", digit.Highest, func(d *Disguise, _ *faulty) { d.placeOf[1] = d.placeOf[2] }},
		{"the result of one position", digit.Highest, func(d *Disguise, f *faulty) {
			all := positionsOf(t, d.Rules)
			one := d.encode(all[len(all)-1])
			f.declare = func(p position, o Outcome) Outcome {
				if p == one {
					return FirstWins + SecondWins - o
				}
				return o
			}
		}},
		{"one position is over too early", digit.Sevens, func(d *Disguise, f *faulty) {
			one := deep(t, d, 2)
			f.declare = func(p position, o Outcome) Outcome {
				if p == one {
					return Drawn
				}
				return o
			}
		}},
		{"one position lacks a move", line, func(d *Disguise, f *faulty) {
			one := deep(t, d, 3)
			f.change = func(p position, all []move) []move {
				if p == one {
					return all[1:]
				}
				return all
			}
		}},
		{"one position has a move twice", digit.Dilemma, func(d *Disguise, f *faulty) {
			one := deep(t, d, 2)
			f.change = func(p position, all []move) []move {
				if p == one {
					all[0] = all[1]
				}
				return all
			}
		}},
		{"one position has an extra move", digit.Dilemma, func(d *Disguise, f *faulty) {
			one := deep(t, d, 1)
			f.change = func(p position, all []move) []move {
				if p == one {
					return append(all, all[0])
				}
				return all
			}
		}},
		{"one move puts another token", digit.Reverse, func(d *Disguise, f *faulty) {
			one := deep(t, d, 2)
			var left []move
			d.Game.moves(one, func(m move) { left = append(left, m) })
			other := left[len(left)-1].token
			f.lead = func(p position, m move) move {
				if p == one && m == left[0] {
					m.token = other
				}
				return m
			}
		}},
		{"one move goes to the other end", line, func(d *Disguise, f *faulty) {
			one := deep(t, d, 3)
			f.lead = func(p position, m move) move {
				if p == one {
					m.place ^= 1
				}
				return m
			}
		}},
		{"one call is forgotten", digit.Sevens, func(d *Disguise, f *faulty) {
			one := deep(t, d, 2)
			f.lead = func(p position, m move) move {
				if p == one {
					m.call = cells{}
				}
				return m
			}
		}},
	} {
		d := mustNew(t, f.rules, 0)
		g := &faulty{Game: &d.Game}
		f.plant(d, g)
		c, err := d.prove(t.Context(), MostPositions, g)
		if err == nil {
			t.Errorf("%s: the fault was not found: %+v", f.name, c)
		} else {
			t.Logf("%s: %v", f.name, err)
		}
	}
}
