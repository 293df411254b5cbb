package web

import (
	"math/rand/v2"
	"slices"
	"sync"

	"digitduel/digit"
	"digitduel/rulebook"
)

// A frame is one picture of a worked example, and what it shows in words.
type frame struct {
	Boards       [2]board
	Long, Spoken string
}

const (
	exampleMoves = 3      // that are shown, the last ones of a game
	exampleWork  = 30_000 // positions that may be looked at to find a game: a few milliseconds
	mostWeighed  = 32     // moves that are weighed in a turn
)

// bookExamples are those of the books, which are asked for all the time.
var bookExamples = sync.OnceValue(func() map[digit.Rules][]frame {
	all := map[digit.Rules][]frame{}
	for _, b := range named() {
		all[b.Rules] = workedExample(b.Rules)
	}
	return all
})

// exampleOf returns how a game can be won: a position and the moves from there on. There is none where nobody can win.
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
		if shown := len(line) - exampleMoves; i < shown {
			continue
		} else if i == max(0, shown) {
			frames = append(frames, frameOf(r, before, nil, cast, rulebook.Stands(r, before, cast)))
		}
		frames = append(frames, frameOf(r, p, &m, cast, rulebook.Played(r, before, m, cast, rulebook.Player)))
	}
	return frames
}

func frameOf(r digit.Rules, p digit.Position, last *digit.Move, cast rulebook.Cast, said rulebook.Said) frame {
	f := frame{Long: said.Long, Spoken: said.Spoken}
	for side := range digit.Side(2) {
		f.Boards[side] = board{
			Seat: int(side) + 1, Mark: marks[side], Name: cast.Names[side], Place: r.Place.String(), Cells: cellsOf(r, p, side, false, last),
		}
	}
	return f
}

// exampleLine returns a game that somebody wins, always the same one for the same rules: the first with enough moves to be shown
// and a win of the kind that the game is about, or else any. Nothing is solved for it, so that it can be had of all rules.
func exampleLine(r digit.Rules) (line []digit.Move) {
	if r.Place == digit.Hand && r.Width > 4 {
		return nil // too many calls to look at
	}
	w := &weigher{rules: r, rng: rand.New(rand.NewPCG(7, 7)), left: exampleWork}
	for tries := 0; tries < 40 && w.left > 0; tries++ {
		moves, result := w.game()
		_, won := result.Winner()
		if good := len(moves) >= exampleMoves && (result.Reason == digit.Multiple || !r.Reachable()); won && good {
			return moves
		}
		if won && line == nil {
			line = moves
		}
	}
	return line
}

// A weigher plays as people do who see one move ahead: it wins if it can, does not let the other player win if it can help it, and
// else does what turns out well in games by chance.
type weigher struct {
	rules digit.Rules
	rng   *rand.Rand
	left  int // positions that may still be looked at
}

func (w *weigher) game() (moves []digit.Move, result digit.Result) {
	var p digit.Position
	for !result.Over() {
		m := w.choose(p)
		p, _ = w.rules.Play(p, m) // it is legal
		moves, result = append(moves, m), w.rules.Result(p)
	}
	return moves, result
}

func (w *weigher) choose(p digit.Position) digit.Move {
	r, side := w.rules, w.rules.Turn(p)
	moves := w.moves(p)
	if m, how := w.wins(p, moves); how != digit.NoReason {
		return m
	}
	w.rng.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	best, most := moves[0], -1
	for _, m := range moves[:min(len(moves), mostWeighed)] {
		if w.left <= 0 {
			break
		}
		next, _ := r.Play(p, m)
		worth := w.greed(next, side) << 8
		if !r.Result(next).Over() {
			switch _, how := w.wins(next, w.moves(next)); how {
			case digit.Multiple: // which everybody sees coming
			case digit.NoReason:
				worth += 2 + w.byChance(next, side)
			default:
				worth++
			}
		}
		if worth > most {
			best, most = m, worth
		}
	}
	return best
}

// moves returns the moves that make sense: of all calls only the one that is right.
func (w *weigher) moves(p digit.Position) []digit.Move {
	r := w.rules
	if !r.MayCall(p) {
		return slices.Collect(r.Moves(p))
	}
	var moves []digit.Move
	for d := range r.Left(p).All() {
		moves = append(moves, digit.Move{Digit: d, Spot: digit.InHand, Call: r.HighestMultiple(r.Held(p, r.Turn(p)) | digit.PoolOf(d))})
	}
	return moves
}

// wins returns a move that wins at once and how, with a multiple if there is one.
func (w *weigher) wins(p digit.Position, moves []digit.Move) (best digit.Move, how digit.Reason) {
	for _, m := range moves {
		w.left--
		next, _ := w.rules.Play(p, m)
		result := w.rules.Result(next)
		side, won := result.Winner()
		if won && side == w.rules.Turn(p) && (how == digit.NoReason || result.Reason == digit.Multiple) {
			best, how = m, result.Reason
		}
		if how == digit.Multiple {
			break
		}
	}
	return best, how
}

// greed prefers, where the higher or the lower number wins, the digit that makes most of it, as people do.
func (w *weigher) greed(p digit.Position, side digit.Side) (worth int) {
	r := w.rules
	orders := r.Orders()
	if r.Reachable() || r.Place != digit.Slots || len(orders) == 0 || orders[0] != digit.Higher && orders[0] != digit.Lower {
		return 0
	}
	n := r.Number(p, side)
	for i := range n.Len() {
		worth *= r.Base()
		switch d, filled := n.At(i); {
		case filled && orders[0] == digit.Higher:
			worth += int(d)
		case filled:
			worth += r.Base() - 1 - int(d)
		}
	}
	return worth
}

// byChance returns how many of some games by chance a side wins.
func (w *weigher) byChance(p digit.Position, side digit.Side) (wins int) {
	for range 8 {
		at := p
		for !w.rules.Result(at).Over() {
			w.left--
			m, _ := w.rules.Pick(at, w.rng.IntN)
			at, _ = w.rules.Play(at, m.Uncalled())
		}
		if winner, won := w.rules.Result(at).Winner(); won && winner == side {
			wins++
		}
	}
	return wins
}
