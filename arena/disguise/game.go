package disguise

import "slices"

// This file implements a game of tokens. It does not use digits, so that the two games can be
// compared.

// A Game is a game in which two players take tokens from a common store. Its rules in words
// describe it completely.
type Game struct {
	Tokens []Token `json:"tokens"` // in the order of the list
	Form   Form    `json:"form"`
	// Places are those of a row or a call, in the order of the list. For a line they are the end
	// where counting begins and the other end.
	Places  []Place     `json:"places"`
	Weights []int       `json:"weights,omitempty"` // of a line, from where counting begins
	Size    [2]int      `json:"size"`              // how many tokens each player takes
	Share   int         `json:"share,omitempty"`   // the divisor of sums; 0 for none
	Try     Try         `json:"try"`
	Blank   int         `json:"blank"` // the token that Bound is about, or -1
	Bound   Bound       `json:"bound"`
	Orders  []Criterion `json:"orders"`
	// LongFirst says that the longer of two lines is earlier in the ranking.
	LongFirst bool `json:"long_first,omitempty"`
}

// A Token has a worth in sums, and a rank in the ranking, from 1.
type Token struct {
	Name  string `json:"name"`
	Worth int    `json:"worth"`
	Rank  int    `json:"rank"`
}

// A Place has a weight in sums. Its rank is the order in which places are compared, from 0.
type Place struct {
	Name   string `json:"name"`
	Weight int    `json:"weight,omitempty"`
	Rank   int    `json:"rank"`
}

// A Form identifies what the players build.
type Form string

const (
	Row  Form = "row"  // fixed places, each filled once
	Line Form = "line" // tokens added at either end
	Held Form = "hand" // tokens kept, and arranged in places when that matters
)

// A Try identifies when a sum without a remainder wins.
type Try string

const (
	TryNever Try = "never"
	TryFull  Try = "full"
	TryEach  Try = "each"
	TryCall  Try = "call"
)

// A Bound identifies a restriction on the blank token in the leading place.
type Bound string

const (
	Free Bound = "free"
	Idle Bound = "idle" // with the blank there nothing wins by its sum
	Shut Bound = "shut" // the blank may not be put there
)

// A Criterion decides when all tokens are placed.
type Criterion string

const (
	MoreOver   Criterion = "more_over"   // more left over wins
	LessOver   Criterion = "less_over"   // less left over wins
	NearEven   Criterion = "near_even"   // less left over or missing to the next even share wins
	EarlyRank  Criterion = "early_rank"  // what comes earlier in the ranking wins
	LateRank   Criterion = "late_rank"   // what comes later in the ranking wins
	LastPlaced Criterion = "last_placed" // the player who placed the last token wins
)

// An Outcome is the result of a position.
type Outcome uint8

const (
	Open Outcome = iota
	FirstWins
	SecondWins
	Drawn
)

func wins(side int) Outcome { return FirstWins + Outcome(side) }

const most = 8 // maximum tokens in a row

// cells are the places of a row, or the tokens of a line or a hand: 0 for an empty one, else the
// index of a token plus one. A line starts where counting begins; a hand is in the order of the
// list.
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

// A position holds the tokens of both players, and the call.
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

// taken returns a bit for each token that is taken.
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

// arrange yields a full hand in every allowed arrangement, until yield returns false.
func (g *Game) arrange(hand cells, yield func(cells) bool) {
	n := hand.count()
	var at cells
	var fill func(place int, used uint8) bool
	fill = func(place int, used uint8) bool {
		if place == n {
			return yield(at)
		}
		for i := range n {
			barred := g.Bound != Free && int(hand[i])-1 == g.Blank && g.Places[place].Rank == 0
			if used>>i&1 == 1 || barred {
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

// over returns the remainder of the sum of a row.
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

// even reports whether a row, or an arrangement of a hand, wins by its sum.
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

// first returns the content of the leading place.
func (g *Game) first(row cells) uint8 {
	if g.Form == Line {
		return row[max(0, row.count()-1)]
	}
	return row[g.lead()]
}

// lead returns the index of the leading place.
func (g *Game) lead() int {
	return slices.IndexFunc(g.Places, func(p Place) bool { return p.Rank == 0 })
}

// outcome returns the outcome of a position.
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

// compare returns a negative number if a is better by the criteria about tokens, and a positive
// one if b is.
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

// near returns the distance of the sum to a multiple of Share.
func (g *Game) near(row cells) int {
	over := g.over(row)
	return min(over, g.Share-over)
}

// ranked returns a negative number if a comes before b in the ranking, and a positive one if it
// comes after.
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

// rankedLines compares lines by their length, without a blank token at the far end, and then from
// the far end.
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

// length returns the length of a line, without a blank token at the far end.
func (g *Game) length(line cells) int {
	n := line.count()
	if n > 0 && g.Blank >= 0 && line[n-1] == uint8(g.Blank)+1 {
		n--
	}
	return n
}
