package web

import (
	"math/rand/v2"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A frame is one picture of a worked example, with its text.
type frame struct {
	Boards       [2]board
	Long, Spoken string
}

const (
	exampleMoves = 3   // the number of moves shown, the last ones of a game
	exampleGames = 100 // the number of games looked at
)

// exampleOf returns an example of a won game: a position and the moves from there. It is empty if
// no one can win.
func exampleOf(r digit.Rules) (frames []frame) {
	cast := rulebook.Cast{Names: [2]string{"Ada", "Ben"}}
	line := exampleLine(r)
	var p digit.Position
	for i, m := range line {
		before := p
		p, _ = r.Play(p, m) // it was found by playing it
		if from := len(line) - exampleMoves; i < from {
			continue
		} else if i == max(0, from) {
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
		f.Boards[side] = numberOf(r, p, side, match.Seat(side), cast.Names[side], false, last)
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
	rng, reachable := rand.New(rand.NewPCG(7, 7)), r.Reachable()
	for range exampleGames {
		var moves []digit.Move
		var p digit.Position
		for !r.Result(p).Over() {
			m := exampleMove(r, p, rng)
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

// exampleMove returns the highest multiple that wins at once, or else a random move without a call.
func exampleMove(r digit.Rules, p digit.Position, rng *rand.Rand) (best digit.Move) {
	highest := -1
	for m, n := range r.Threats(p, r.Turn(p)) {
		if v := n.Value(r.Base()); v > highest {
			best, highest = m, v
		}
	}
	if highest < 0 {
		m, _ := r.Pick(p, rng.IntN) // the game is not over
		best = m.Uncalled()
	}
	return best
}
