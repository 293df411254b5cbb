package disguise

import "slices"

// This file is a game of tokens by itself. It knows nothing of digits, so that what it does can be compared with what they do.

// A Game is a game in which two players take tokens from a common store. Everything in it is told in its rules in words.
type Game struct {
	Tokens    []Token     `json:"tokens"` // in the order in which they are listed
	Form      Form        `json:"form"`
	Places    []Place     `json:"places"`            // of a row or of a call, as they are listed; of a line, where counting begins and the other end
	Weights   []int       `json:"weights,omitempty"` // of the tokens of a line, from where counting begins
	Size      [2]int      `json:"size"`              // how many tokens each player takes
	Share     int         `json:"share,omitempty"`   // among how many a sum is shared out; 0: it is not
	Try       Try         `json:"try"`
	Blank     int         `json:"blank"` // the token that may be bound by Bound, or -1
	Bound     Bound       `json:"bound"`
	Orders    []Criterion `json:"orders"`
	LongFirst bool        `json:"long_first,omitempty"` // whether the longer of two lines comes first in the ranking
}

// A Token is worth something in sums, and stands somewhere in the ranking, 0 first.
type Token struct {
	Name  string `json:"name"`
	Worth int    `json:"worth"`
	Rank  int    `json:"rank"`
}

// A Place counts in sums with its weight. Its rank says when it is looked at if two rows are compared, 0 first.
type Place struct {
	Name   string `json:"name"`
	Weight int    `json:"weight,omitempty"`
	Rank   int    `json:"rank"`
}

// Form is what the players build.
type Form uint8

const (
	Row  Form = iota // fixed places, each filled once
	Line             // tokens are added at either end
	Held             // tokens are kept, and arranged in places when that matters
)

// Try says when a sum that is shared out without a rest wins.
type Try uint8

const (
	TryNever Try = iota
	TryFull
	TryEach
	TryCall
)

// Bound says what may not be done with the blank token in the place that is looked at first.
type Bound uint8

const (
	Free Bound = iota
	Idle       // what has it there never wins by sharing out
	Shut       // it may not be put there
)

// A Criterion decides when all is placed.
type Criterion uint8

const (
	MoreOver   Criterion = iota // more left over wins
	LessOver                    // less left over wins
	NearEven                    // less left over or missing to the next even share wins
	EarlyRank                   // what comes earlier in the ranking wins
	LateRank                    // what comes later in the ranking wins
	LastPlaced                  // who placed the last token wins
)

// Outcome is how a position stands.
type Outcome uint8

const (
	Open Outcome = iota
	FirstWins
	SecondWins
	Drawn
)

func wins(side int) Outcome { return FirstWins + Outcome(side) }

const most = 8 // tokens in a row

// cells are places or the tokens of a line or a hand: 0 for an empty one, else one more than the index of a token. A line is
// kept from where counting begins, a hand in the order in which tokens are listed.
type cells [most]uint8

func (c *cells) count() int {
	n := 0
	for _, t := range c {
		if t != 0 {
			n++
		}
	}
	return n
}

// A position is what both have, and what was called.
type position struct {
	rows [2]cells
	call cells
}

// A move takes a token, puts it in a place or at an end, and may call an arrangement.
type move struct {
	token uint8
	place uint8
	call  cells
}

func (p *position) turn() int { return p.rows[0].count() - p.rows[1].count() }

// taken has a bit for each token that is not left.
func (p *position) taken() uint32 {
	var set uint32
	for s := range p.rows {
		for _, t := range p.rows[s] {
			set |= 1 << t
		}
	}
	return set >> 1
}

// moves yields every legal move.
func (g *Game) moves(p position, yield func(move)) {
	if g.outcome(p) != Open {
		return
	}
	turn, taken := p.turn(), p.taken()
	mine := p.rows[turn]
	n := mine.count()
	for t := range g.Tokens {
		if taken>>t&1 == 1 {
			continue
		}
		shut := t == g.Blank && g.Bound == Shut
		m := move{token: uint8(t)}
		switch g.Form {
		case Row:
			for i := range g.Places {
				if mine[i] == 0 && !(shut && g.Places[i].Rank == 0) {
					m.place = uint8(i)
					yield(m)
				}
			}
		case Line:
			if n > 0 || !shut {
				yield(m)
			}
			if m.place = 1; n > 0 && !shut {
				yield(m)
			}
		case Held:
			yield(m)
			if g.Try == TryCall && n+1 == g.Size[turn] {
				g.arrange(insert(mine, n, m.token), func(call cells) bool {
					m.call = call
					yield(m)
					return true
				})
			}
		}
	}
}

// play returns the position after a legal move.
func (g *Game) play(p position, m move) position {
	turn := p.turn()
	row := &p.rows[turn]
	n := row.count()
	switch {
	case g.Form == Row:
		row[m.place] = m.token + 1
	case g.Form == Held:
		*row = insert(*row, n, m.token)
		p.call = m.call
	case m.place == 0:
		copy(row[1:], row[:n])
		row[0] = m.token + 1
	default:
		row[n] = m.token + 1
	}
	return p
}

// insert adds a token to a hand.
func insert(hand cells, n int, token uint8) cells {
	i := n
	for ; i > 0 && hand[i-1] > token+1; i-- {
		hand[i] = hand[i-1]
	}
	hand[i] = token + 1
	return hand
}

// arrange yields a full hand in every order of the places that is allowed, until yield has enough.
func (g *Game) arrange(hand cells, yield func(cells) bool) {
	n := hand.count()
	var at cells
	var fill func(place int, used uint8) bool
	fill = func(place int, used uint8) bool {
		if place == n {
			return yield(at)
		}
		for i := range n {
			if used>>i&1 == 1 || g.Bound != Free && int(hand[i])-1 == g.Blank && g.Places[place].Rank == 0 {
				continue
			}
			at[place] = hand[i]
			if !fill(place+1, used|1<<i) {
				return false
			}
		}
		return true
	}
	fill(0, 0)
}

// over returns what is left over when the sum of a row is shared out.
func (g *Game) over(row cells) int {
	sum := 0
	for i, t := range row {
		switch {
		case t == 0:
		case g.Form == Line:
			sum += g.Tokens[t-1].Worth * g.Weights[i]
		default:
			sum += g.Tokens[t-1].Worth * g.Places[i].Weight
		}
	}
	return sum % g.Share
}

// even reports whether a row, or an arrangement of a hand, wins by sharing out.
func (g *Game) even(row cells) bool {
	if g.Form == Held {
		found := false
		g.arrange(row, func(a cells) bool {
			found = g.over(a) == 0
			return !found
		})
		return found
	}
	if g.Bound != Free && g.Blank >= 0 && g.first(row) == uint8(g.Blank)+1 {
		return false
	}
	return g.over(row) == 0
}

// first returns what stands in the place that is looked at first.
func (g *Game) first(row cells) uint8 {
	if g.Form == Line {
		return row[max(0, row.count()-1)]
	}
	for i := range g.Places {
		if g.Places[i].Rank == 0 {
			return row[i]
		}
	}
	return 0
}

// outcome returns how a position stands.
func (g *Game) outcome(p position) Outcome {
	turn := p.turn()
	last := 1 - turn
	row := p.rows[last]
	n := row.count()
	full := n == g.Size[last]
	switch {
	case p.call != cells{}:
		if g.over(p.call) == 0 {
			return wins(last)
		}
		return wins(turn)
	case n > 0 && (g.Try == TryEach || g.Try == TryFull && full) && g.even(row):
		return wins(last)
	case !full || p.rows[turn].count() < g.Size[turn]:
		return Open
	}
	first, second := p.rows[0], p.rows[1]
	if g.Form == Held {
		first, second = g.best(first), g.best(second)
	}
	switch c := g.compare(first, second); {
	case c < 0:
		return FirstWins
	case c > 0:
		return SecondWins
	case slices.Contains(g.Orders, LastPlaced):
		return wins(last)
	}
	return Drawn
}

// best returns the arrangement of a hand that the criteria prefer.
func (g *Game) best(hand cells) cells {
	var best cells
	g.arrange(hand, func(a cells) bool {
		if best == (cells{}) || g.compare(a, best) < 0 {
			best = a
		}
		return true
	})
	return best
}

// compare returns whether a, below 0, or b, above 0, is better by the criteria that look at tokens.
func (g *Game) compare(a, b cells) int {
	for _, o := range g.Orders {
		c := 0
		switch o {
		case MoreOver:
			c = g.over(b) - g.over(a)
		case LessOver:
			c = g.over(a) - g.over(b)
		case NearEven:
			c = g.near(a) - g.near(b)
		case EarlyRank:
			c = g.ranked(a, b)
		case LateRank:
			c = g.ranked(b, a)
		case LastPlaced:
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

func (g *Game) near(row cells) int {
	over := g.over(row)
	return min(over, g.Share-over)
}

// ranked returns below 0 if a comes before b in the ranking.
func (g *Game) ranked(a, b cells) int {
	if g.Form == Line {
		return g.rankedLines(a, b)
	}
	for rank := range g.Places {
		for i := range g.Places {
			if g.Places[i].Rank == rank && a[i] != b[i] {
				return g.Tokens[a[i]-1].Rank - g.Tokens[b[i]-1].Rank
			}
		}
	}
	return 0
}

// rankedLines compares lines: by their length, the blank token at the far end left out, and then from the far end.
func (g *Game) rankedLines(a, b cells) int {
	n, m := g.length(a), g.length(b)
	if n != m {
		if (n > m) == g.LongFirst {
			return -1
		}
		return 1
	}
	for i := n - 1; i >= 0; i-- {
		if a[i] != b[i] {
			return g.Tokens[a[i]-1].Rank - g.Tokens[b[i]-1].Rank
		}
	}
	return 0
}

func (g *Game) length(line cells) int {
	n := line.count()
	if n > 0 && g.Blank >= 0 && line[n-1] == uint8(g.Blank)+1 {
		n--
	}
	return n
}
