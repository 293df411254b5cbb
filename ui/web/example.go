package web

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"sync"

	"digitduel/digit"
	"digitduel/rulebook"
)

// A frame is one picture of a worked example, with its text.
type frame struct {
	Boards       [2]board
	Long, Spoken string
}

const (
	exampleMoves = 3   // the number of moves shown, the last ones of a game
	exampleWork  = 500 // the number of moves looked at before the players become careless
)

// bookExamples holds the examples of the books, which are needed all the time.
var bookExamples = sync.OnceValue(func() map[digit.Rules][]frame {
	all := map[digit.Rules][]frame{}
	for _, b := range named() {
		all[b.Rules] = workedExample(b.Rules)
	}
	return all
})

// exampleOf returns an example of a won game: a position and the moves from there. It is empty if
// no one can win.
func exampleOf(r digit.Rules) []frame {
	if frames, ok := bookExamples()[r]; ok {
		return frames
	}
	return workedExample(r)
}

func workedExample(r digit.Rules) (frames []frame) {
	cast := rulebook.Cast{Names: [2]string{"Ada", "Ben"}}
	line := exampleLine(r)
	var p digit.Position
	for i, m := range line {
		before := p
		p, _ = r.Play(p, m) // it was found by playing it
		if updateKey := len(line) - exampleMoves; i < updateKey {
			continue
		} else if i == max(0, updateKey) {
			frames = append(frames, frameOf(r, before, nil, cast, rulebook.Stands(r, before, cast)))
		}
		frames = append(frames, frameOf(r, p, &m, cast,
			rulebook.Played(r, before, m, cast, rulebook.Player)))
	}
	return frames
}

func frameOf(r digit.Rules, p digit.Position, last *digit.Move, cast rulebook.Cast,
	said rulebook.Said) frame {
	f := frame{Long: said.Long, Spoken: said.Spoken}
	for side := range digit.Side(2) {
		f.Boards[side] = board{
			Seat: int(side) + 1, Mark: marks[side], Name: cast.Names[side], Place: r.Place.String(),
			Cells: cellsOf(r, p, side, false, last),
		}
	}
	return f
}

// exampleLine returns a game that someone wins, always the same one for the same rules: the first
// with enough moves to be shown and a win of the kind that the game is about, or else any. Nothing
// is solved for it, so every game has one.
func exampleLine(r digit.Rules) (line []digit.Move) {
	if r.Place == digit.Hand && r.Width > 4 {
		return nil // too many calls to look at
	}
	rng, left, reachable := rand.New(rand.NewPCG(7, 7)), exampleWork, r.Reachable()
	enough := 30 // games, when the players are careless
	if r.Place == digit.Hand && r.Width > 3 {
		left, enough = left/20, 5 // every order of a hand is tried
	}
	for games := range 100 {
		if games >= enough && left < 0 && line != nil {
			break
		}
		var moves []digit.Move
		var p digit.Position
		for !r.Result(p).Over() {
			m := exampleMove(r, p, reachable, rng, &left)
			p, _ = r.Play(p, m) // it is legal
			moves = append(moves, m)
		}
		result := r.Result(p)
		if _, won := result.Winner(); !won {
			continue
		}
		if len(moves) >= exampleMoves && (result.Reason == digit.Multiple || !reachable) {
			return moves
		}
		if line == nil {
			line = moves
		}
	}
	return line
}

// exampleMove returns the move of a player who sees one move ahead: the highest multiple that wins
// at once, or else a random move after which the opponent has no such win, if there is one.
func exampleMove(r digit.Rules, p digit.Position, reachable bool, rng *rand.Rand,
	left *int) (best digit.Move) {
	highest := -1
	for m, n := range r.Threats(p, r.Turn(p)) {
		if v := n.Value(r.Base()); v > highest {
			best, highest = m, v
		}
	}
	if highest >= 0 {
		return best
	}
	moves := slices.Collect(r.Moves(p))
	moves = slices.DeleteFunc(moves, func(m digit.Move) bool { return m != m.Uncalled() })
	rng.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	if orders := r.Orders(); !reachable && r.Place == digit.Slots && len(orders) > 0 {
		slices.SortStableFunc(moves, func(a, b digit.Move) int { return greed(orders[0], a, b) })
	}
	for _, m := range moves {
		if *left--; *left < 0 {
			break
		}
		next, _ := r.Play(p, m) // it is legal
		safe := true
		for range r.Threats(next, r.Turn(next)) {
			safe = false
			break
		}
		if safe {
			return m
		}
	}
	return moves[0]
}

// greed compares moves of a game that the higher or the lower number wins: the best digit in the
// first free place comes first. In other games all moves are equal.
func greed(o digit.Order, a, b digit.Move) int {
	if o == digit.Higher {
		a.Digit, b.Digit = b.Digit, a.Digit
	} else if o != digit.Lower {
		return 0
	}
	return cmp.Or(cmp.Compare(a.Spot, b.Spot), cmp.Compare(a.Digit, b.Digit))
}
