// Package disguise turns a game of digits into an equivalent game of tokens with other names,
// orders and weights. [Disguise.Prove] proves that it is the same game by walking both in step,
// position by position.
package disguise

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"digitduel/digit"
)

// A Disguise is a game of tokens and the map between it and the game of digits it was made from.
type Disguise struct {
	Rules     digit.Rules
	Seed      uint64
	NamesOnly bool // the tokens have the order and the values of the digits
	Game      Game

	tokenOf [16]uint8       // the token of a digit
	digitOf [16]digit.Digit // the digit of a token
	placeOf [most]uint8     // the listed place of a place counted from the left; unused for a line
	slotOf  [most]uint8     // the inverse of placeOf
}

// New returns the disguise of a game for a seed: in full, or of names only. The same seed gives
// the same disguise. Some games have none.
func New(r digit.Rules, seed uint64, namesOnly bool) (*Disguise, error) {
	r = r.Normal()
	if err := r.Check(); err != nil {
		return nil, err
	}
	if r.Place == digit.Hand && r.Win == digit.EachTurn {
		return nil, fmt.Errorf("cannot disguise %v: "+
			"a hand that is tested before it is full has no fixed places", r)
	}
	d := &Disguise{Rules: r, Seed: seed, NamesOnly: namesOnly}
	sum := fnv.New64a()
	sum.Write([]byte(r.String())) // so that two games with one seed do not give each other away
	rng := rand.New(rand.NewPCG(seed, sum.Sum64()))
	g := &d.Game
	g.Form = map[digit.Place]Form{
		digit.Slots: Row, digit.Ends: Line, digit.Hand: Held,
	}[r.Place]
	g.Try = map[digit.Win]Try{
		digit.Never: TryNever, digit.WhenFull: TryFull, digit.EachTurn: TryEach,
		digit.OnCall: TryCall,
	}[r.Win]
	g.Size = [2]int{r.Fills(digit.First), r.Fills(digit.Second)}
	g.Share = int(r.Target)
	d.makeTokens(rng)
	d.makePlaces(rng)
	d.makeWeights(rng)
	d.makeOrders(rng)
	return d, nil
}

// makeTokens names the digits, and lists them in a random order.
func (d *Disguise) makeTokens(rng *rand.Rand) {
	g := &d.Game
	digits := slices.Collect(d.Rules.Pool.All())
	names := rng.Perm(len(tokenNames))
	if !d.NamesOnly {
		rng.Shuffle(len(digits), func(i, j int) { digits[i], digits[j] = digits[j], digits[i] })
	}
	g.Blank, g.Bound = -1, Free
	for i, one := range digits {
		g.Tokens = append(g.Tokens, Token{Name: tokenNames[names[i]]})
		d.tokenOf[one], d.digitOf[i] = uint8(i), one
		if one == 0 {
			g.Blank = i
			g.Bound = map[digit.Zero]Bound{
				digit.Counts: Free, digit.Inert: Idle, digit.Barred: Shut,
			}[d.Rules.Zero]
		}
	}
}

// makePlaces names the places and lists them in a random order. For a line it names the two ends.
func (d *Disguise) makePlaces(rng *rand.Rand) {
	g := &d.Game
	names := rng.Perm(len(placeNames))
	if g.Form == Line {
		g.Places = []Place{{Name: placeNames[names[0]], Rank: 1}, {Name: placeNames[names[1]]}}
		return
	}
	g.Places = make([]Place, d.Rules.Width)
	for slot, i := range rng.Perm(int(d.Rules.Width)) {
		if d.NamesOnly {
			i = slot
		}
		g.Places[i] = Place{Name: placeNames[names[i]], Rank: slot}
		d.placeOf[slot], d.slotOf[i] = uint8(i), uint8(slot)
	}
}

// makeWeights gives tokens and places weights, so that sums have the same remainders as numbers.
// It takes a factor u with an inverse modulo the target. A digit d has the worth u × d, and a
// place of value b the weight b / u, each with a multiple of the target added: then each sum and
// its number differ by a multiple of it. With other names alone, worths and weights are those of
// the digits and places.
func (d *Disguise) makeWeights(rng *rand.Rand) {
	g := &d.Game
	t, u, weight := g.Share, 1, 1
	for range 100 { // a target has many; if none is drawn, 1 is used
		if t == 0 || d.NamesOnly {
			break
		}
		if a := 1 + rng.IntN(t-1); inverse(a, t) != 0 {
			u, weight = a, inverse(a, t)
			break
		}
	}
	for i := range g.Tokens {
		if one := int(d.digitOf[i]); d.NamesOnly {
			g.Tokens[i].Worth = one
		} else if t > 0 {
			g.Tokens[i].Worth = remainder(u*one, t) + t*rng.IntN(2)
		}
	}
	if t == 0 {
		return
	}
	for i := range max(g.Size[0], g.Size[1]) {
		if g.Form == Line {
			g.Weights = append(g.Weights, weight)
		} else {
			g.Places[d.placeOf[int(d.Rules.Width)-1-i]].Weight = weight
		}
		if weight *= d.Rules.Base(); !d.NamesOnly {
			weight = remainder(weight, t)
		}
	}
}

// remainder returns n modulo t, or t instead of 0, because a token without worth would stand out.
func remainder(n, t int) int { return (n+t-1)%t + 1 }

// inverse returns the inverse of a modulo t, or 0 if it has none.
func inverse(a, t int) int {
	for b := 1; b < t; b++ {
		if a*b%t == 1 {
			return b
		}
	}
	return 0
}

// makeOrders ranks the tokens, from high to low or from low to high, and sets what decides at the
// end. Ranks have gaps, so that they are not the digits.
func (d *Disguise) makeOrders(rng *rand.Rand) {
	g := &d.Game
	down := rng.IntN(2) == 0 && !d.NamesOnly
	digits := slices.Collect(d.Rules.Pool.All())
	if down {
		slices.Reverse(digits)
	}
	rank := 0
	for _, one := range digits {
		if rank++; !d.NamesOnly {
			rank += rng.IntN(9)
		}
		g.Tokens[d.tokenOf[one]].Rank = rank
	}
	g.LongFirst = g.Form == Line && down
	higher, lower := LateRank, EarlyRank
	if down {
		higher, lower = lower, higher
	}
	for _, o := range d.Rules.Orders() {
		g.Orders = append(g.Orders, map[digit.Order]Criterion{
			digit.Above: MoreOver, digit.Below: LessOver, digit.Nearest: NearEven,
			digit.Higher: higher, digit.Lower: lower, digit.Later: LastPlaced,
		}[o])
	}
}

// Names are short, easy to distinguish, and without a meaning for a game.
var (
	tokenNames = []string{
		"amber", "birch", "cobalt", "dune", "ember", "fern", "garnet", "hazel", "indigo", "jade",
		"kelp", "lotus", "maple", "nectar", "opal", "pearl", "quartz", "rowan", "sable", "thistle",
		"umber", "velvet", "willow", "yarrow",
	}
	placeNames = []string{
		"harbor", "meadow", "tower", "cellar", "bridge", "orchard", "mill", "garden", "quarry",
		"chapel", "market", "forge",
	}
)
