package bot

import (
	"math"
	"math/rand/v2"

	"digitduel/digit"
	"digitduel/solve"
)

// A Bot plays one game at a level. The same solution, level and random numbers give the same
// moves.
type Bot struct {
	level    Level
	solution *solve.Solution
	rng      *rand.Rand
	mind     uint64 // which multiples it overlooks in this game
}

// New returns a bot for one game.
func New(l Level, s *solve.Solution, rng *rand.Rand) *Bot {
	return &Bot{level: l, solution: s, rng: rng, mind: rng.Uint64()}
}

// With returns the bot in its current state with another solution of its game.
func (b *Bot) With(s *solve.Solution) *Bot {
	now := *b
	now.solution = s
	return &now
}

// Foretold returns the bot for one move against a program. Its choice follows from the seed of
// the table and the numbers of games and moves played there. It overlooks the same multiples for
// the whole game.
func Foretold(l Level, s *solve.Solution, seed uint64, game, moves int) *Bot {
	rng := rand.New(rand.NewPCG(seed, uint64(game)))
	b := New(l, s, rng)
	b.rng = rand.New(rand.NewPCG(rng.Uint64(), uint64(moves)))
	return b
}

// Choosers returns a function for each level that returns the level's move in a position at the
// start of its game. The same seed gives the same move.
func Choosers(s *solve.Solution) []func(p digit.Position, seed uint64) digit.Move {
	all := make([]func(digit.Position, uint64) digit.Move, len(Levels))
	for i, l := range Levels {
		all[i] = func(p digit.Position, seed uint64) digit.Move {
			return New(l, s, rand.New(rand.NewPCG(seed, uint64(i)))).Choose(p)
		}
	}
	return all
}

// Swap returns a move for the side to move if the first move may be taken over. The first player
// wants a game as even as possible; the second player takes over the first move if every reply
// looks losing.
func (b *Bot) Swap(p digit.Position) (m digit.Move, swap bool) {
	if p == (digit.Position{}) {
		m, _ = b.best(p, b.evenness)
		return m, false
	}
	m, worth := b.best(p, b.evaluate)
	return m, worth < 0
}

// evenness evaluates a first move that may be taken over: the more even, the better.
func (b *Bot) evenness(c solve.Choice) float64 {
	if b.solution.Rules().Result(c.Next).Over() {
		return b.evaluate(c) // it can no longer be taken over
	}
	return -math.Abs(b.evaluate(c))
}

// Choose returns a move for the side to move. The game must not be over.
func (b *Bot) Choose(p digit.Position) digit.Move {
	if m, ok := b.call(p); ok {
		return m
	}
	m, _ := b.best(p, b.evaluate)
	return m
}

// best returns the move that the bot rates highest, a random one of equals.
func (b *Bot) best(
	p digit.Position, evaluate func(solve.Choice) float64,
) (best digit.Move, highest float64) {
	ties := 0
	for m := range b.solution.Rules().Moves(p) {
		if m != m.Uncalled() {
			continue
		}
		switch worth := evaluate(b.solution.Choice(p, m)); {
		case ties == 0 || worth > highest:
			best, highest, ties = m, worth, 1
		case worth == highest:
			if ties++; b.rng.IntN(ties) == 0 {
				best = m
			}
		}
	}
	return best, highest
}

// call returns the highest call that the bot takes for a multiple, if any.
func (b *Bot) call(p digit.Position) (best digit.Move, ok bool) {
	r := b.solution.Rules()
	if !r.MayCall(p) {
		return best, false
	}
	highest := -1
	for m := range r.Moves(p) {
		if m == m.Uncalled() {
			continue
		}
		if n := m.Call.Value(r.Base()); n > highest && b.takes(m.Call, n%int(r.Target) == 0) {
			best, highest = m, n
		}
	}
	return best, highest >= 0
}

// certain is the rating of a win that the bot sees. It is far above every feeling.
const certain = 1000

// evaluate returns the bot's rating of a choice. Among losses that it sees it prefers a late one,
// and then the best feeling.
func (b *Bot) evaluate(c solve.Choice) float64 {
	switch {
	case b.level.sight == 1:
		return b.proven(c)
	case !b.sees(c):
		return b.feeling(c.Next)
	case c.Value.Outcome == solve.Win:
		return certain - float64(c.Value.Plies)
	case c.Value.Outcome == solve.Loss:
		return float64(c.Value.Plies) - certain + b.feeling(c.Next)/100
	default:
		return 0
	}
}

// proven rates a choice by its exact value: a quick win is best. In a lost or drawn game it
// prefers the move after which most replies are mistakes, and then the longest line.
func (b *Bot) proven(c solve.Choice) float64 {
	if c.Value.Outcome == solve.Win {
		return certain - float64(c.Value.Plies)
	}
	worth := float64(c.Value.Plies) / 100
	if replies := b.solution.Choices(c.Next); len(replies) > 0 {
		worth += 100 * (1 - float64(solve.Keep(replies))/float64(len(replies)))
	}
	if c.Value.Outcome == solve.Loss {
		return worth - certain
	}
	return worth
}

// sees reports whether the bot sees how the game ends after a choice. It sees a multiple that it
// makes if it notices that number, and one that the opponent can make next if it notices the
// number and thinks of that reply. Anything else is less clear the further away it is, and each
// ply costs more than the one before. There is no fixed horizon, so it matters little on whose
// turn a game ends.
func (b *Bot) sees(c solve.Choice) bool {
	r := b.solution.Rules()
	other := r.Turn(c.Next)
	switch {
	case c.Value.Plies == 1 && r.Result(c.Next).Reason == digit.Multiple:
		return b.takes(r.Number(c.Next, other.Other()), true)
	case c.Value.Plies == 2 && c.Value.Outcome == solve.Loss:
		threatened := false
		for _, n := range r.Threats(c.Next, other) {
			if b.takes(n, true) && b.rng.Float64() < b.level.sight {
				return true
			}
			threatened = true
		}
		if threatened {
			return false
		}
	}
	further := c.Value.Plies - 1
	// The factor is sight × sight² × sight³ …, one for each ply.
	clear := math.Pow(b.level.sight, float64(further*(further+1)/2))
	// Comparing numbers is easier than seeing which ones are multiples.
	return b.rng.Float64() < clear*(1-b.level.slips/2)
}

// takes reports whether the bot takes a number for a multiple, given whether it is one. With
// hands it must think of the digits and of their order.
func (b *Bot) takes(n digit.Number, multiple bool) bool {
	luck := b.luck(uint64(n.Value(16))<<4 | uint64(n.Len()))
	if !multiple {
		return luck < b.level.rash
	}
	if b.solution.Rules().Place == digit.Hand {
		luck = min(luck, b.luck(uint64(n.Pool())<<40))
	}
	return luck >= b.level.slips
}

// luck returns a pseudorandom number from 0 to 1 for a key that stays the same for the whole
// game.
func (b *Bot) luck(key uint64) float64 {
	z := (key ^ b.mind) * 0x9e3779b97f4a7c15
	z = (z ^ z>>29) * 0xbf58476d1ce4e5b9
	return float64((z^z>>32)>>11) / (1 << 53)
}

// feeling rates a position without search for the player who has just moved: by the digits that
// would win next, how high or low the numbers will be, and a random mood.
func (b *Bot) feeling(p digit.Position) float64 {
	r := b.solution.Rules()
	me := r.Turn(p).Other()
	return b.chances(p, me) - b.level.care*b.chances(p, me.Other()) +
		prospect(r, p, me) - prospect(r, p, me.Other()) + b.level.whim*b.rng.Float64()
}

// chances returns the number of digits with which a side would win if it were its turn, as far as
// the bot notices.
func (b *Bot) chances(p digit.Position, s digit.Side) float64 {
	var digits digit.Pool
	for m, n := range b.solution.Rules().Threats(p, s) {
		if b.takes(n, true) {
			digits |= digit.PoolOf(m.Digit)
		}
	}
	return float64(digits.Len())
}

// prospect rates the number of a side from -2 to 2 if the higher or the lower number wins.
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
