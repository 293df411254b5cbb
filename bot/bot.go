package bot

import (
	"hash/fnv"
	"math/rand/v2"

	"digitduel/digit"
	"digitduel/solve"
)

// A Bot plays one game at a level. The same solution, level and random numbers make the same choices.
type Bot struct {
	level    Level
	solution *solve.Solution
	rng      *rand.Rand
	mind     uint64 // which multiples it overlooks, for the whole game
}

// New returns a bot for one game.
func New(l Level, s *solve.Solution, rng *rand.Rand) *Bot {
	return &Bot{level: l, solution: s, rng: rng, mind: rng.Uint64()}
}

// Choose returns a move for the side to move. The game must not be over.
func (b *Bot) Choose(p digit.Position) digit.Move {
	var best digit.Move
	var highest float64
	ties := 0
	for m, v := range b.solution.Moves(p) {
		worth, considered := b.judge(p, m, v)
		switch {
		case !considered:
		case ties == 0 || worth > highest:
			best, highest, ties = m, worth, 1
		case worth == highest:
			if ties++; b.rng.IntN(ties) == 0 {
				best = m
			}
		}
	}
	return best
}

// What a move is worth to a bot that sees how it ends is far above or below all feeling.
const certain = 1000

// judge returns what the bot takes a move to be worth, and whether it would think of it at all.
func (b *Bot) judge(p digit.Position, m digit.Move, v solve.Value) (worth float64, considered bool) {
	r := b.solution.Rules()
	next, err := r.Play(p, m)
	if err != nil {
		panic("bot: a legal move is refused: " + err.Error())
	}
	if m.Call != (digit.Number{}) && v.Outcome == solve.Loss {
		// Nobody calls what they know to be no multiple.
		return certain - 1, b.takes(m.Call, "for a multiple", b.level.rash)
	}
	if b.level.ahead == always {
		return b.proven(next, v), true
	}
	if b.sees(p, m, next, v) {
		switch v.Outcome {
		case solve.Win:
			return certain - float64(v.Plies), true
		case solve.Loss:
			return float64(v.Plies) - certain, true
		default:
			return 0, true
		}
	}
	if m.Call != (digit.Number{}) {
		return 0, false // it does not notice what it could call
	}
	return b.feeling(r, next) + b.level.whim*b.rng.Float64(), true
}

// proven ranks a move by its exact value: a quick win, and in a lost or drawn game the move after which the most replies
// let it off, and then the longest way.
func (b *Bot) proven(next digit.Position, v solve.Value) float64 {
	if v.Outcome == solve.Win {
		return certain - float64(v.Plies)
	}
	replies, wrong := 0, 0
	for _, reply := range b.solution.Moves(next) {
		replies++
		if worse(reply.Outcome, v.Outcome.Other()) {
			wrong++
		}
	}
	problems := 0.0
	if replies > 0 {
		problems = float64(wrong) / float64(replies)
	}
	worth := 100*problems + float64(v.Plies)/100
	if v.Outcome == solve.Loss {
		return worth - certain
	}
	return worth
}

// worse reports whether an outcome is worse for a player than another.
func worse(o, than solve.Outcome) bool {
	return solve.Value{Outcome: o}.Compare(solve.Value{Outcome: than}) < 0
}

// sees reports whether the bot sees how the game ends after a move.
func (b *Bot) sees(p digit.Position, m digit.Move, next digit.Position, v solve.Value) bool {
	if v.Plies > b.level.ahead {
		return false
	}
	r := b.solution.Rules()
	me := r.Turn(p)
	switch {
	case v.Plies == 1 && r.Result(next).Reason == digit.Multiple:
		n := r.Number(next, me)
		if m.Call != (digit.Number{}) {
			n = m.Call
		}
		return !b.takes(n, "for nothing", b.level.slips)
	case v.Plies == 2 && v.Outcome == solve.Loss:
		seen := false
		for _, n := range r.Threats(next, me.Other()) {
			seen = seen || !b.takes(n, "for nothing", b.level.slips+b.level.fog)
		}
		if seen {
			return true
		}
	}
	for range v.Plies - 1 {
		if b.rng.Float64() < b.level.fog {
			return false
		}
	}
	return v.Plies > 1 || b.rng.Float64() >= b.level.slips/2
}

// takes reports whether the bot, for this whole game, takes a number for something that only a share of all numbers is.
func (b *Bot) takes(n digit.Number, what string, share float64) bool {
	h := fnv.New64a()
	h.Write([]byte(n.String() + what))
	z := (h.Sum64() ^ b.mind) * 0x9e3779b97f4a7c15
	z = (z ^ z>>29) * 0xbf58476d1ce4e5b9
	return float64((z^z>>32)>>11)/(1<<53) < share
}

// feeling is what a position looks like, without search, to the player who has just moved: the digits that would
// win next, and how high or low the numbers are going to be.
func (b *Bot) feeling(r digit.Rules, p digit.Position) float64 {
	me := r.Turn(p).Other()
	return chances(r, p, me) - b.level.care*chances(r, p, me.Other()) + prospect(r, p, me) - prospect(r, p, me.Other())
}

// chances counts the digits with which a side would win if it were its turn.
func chances(r digit.Rules, p digit.Position, s digit.Side) float64 {
	var digits digit.Pool
	for m := range r.Threats(p, s) {
		digits |= digit.PoolOf(m.Digit)
	}
	return float64(digits.Len())
}

// prospect is how good the number of a side looks when the higher or the lower number wins, from -2 to 2.
func prospect(r digit.Rules, p digit.Position, s digit.Side) float64 {
	sign := 2.0
	switch r.Final[0] {
	case digit.Higher:
	case digit.Lower:
		sign = -2
	default:
		return 0
	}
	left, sum := r.Left(p), 0.0
	for d := range left.All() {
		sum += float64(d)
	}
	mean := sum / max(1, float64(left.Len()))
	n := r.Number(p, s)
	value, unit := 0.0, 1.0
	for i := range n.Len() {
		d, ok := n.At(i)
		unit /= float64(r.Base())
		if ok {
			value += float64(d) * unit
		} else {
			value += mean * unit
		}
	}
	return sign * value
}
