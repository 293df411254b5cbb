package disguise

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"digitduel/digit"
)

// MostPositions is the maximum number of positions of a game to be disguised. A proof holds those
// of two plies in memory.
const MostPositions = 8_000_000

// Proved returns the full disguise of a game for a seed, with its proof. It returns an error if
// there is none, or if the game has more than most positions, at most [MostPositions].
func Proved(
	ctx context.Context, r digit.Rules, seed uint64, most int,
) (*Disguise, Certificate, error) {
	return Spec{Disguise: &seed}.ProvedDisguise(ctx, r, most)
}

func tooMany(r digit.Rules, most int) error {
	return fmt.Errorf("cannot disguise %v: it has more than %d positions", r, most)
}

func outcomeOf(r digit.Result) Outcome {
	if winner, ok := r.Winner(); ok {
		return wins(int(winner))
	}
	if r.Over() {
		return Drawn
	}
	return Open
}

// A Certificate counts what a proof compared in both games.
type Certificate struct {
	Positions  int `json:"positions"`
	Moves      int `json:"moves"`
	FirstWins  int `json:"first_wins"` // positions in which the game is over
	SecondWins int `json:"second_wins"`
	Draws      int `json:"draws"`
}

// A play is a game of tokens as a proof sees it.
type play interface {
	moves(p position, yield func(move))
	play(p position, m move) position
	outcome(p position) Outcome
}

// Prove walks both games in step, ply by ply. The error names the first position in which they
// differ, or says that there are more than most positions.
//
// Each position of one game corresponds to one of the other, and no two to the same; in each the
// same side has won, or neither; the moves correspond one to one; and corresponding moves lead to
// corresponding positions. So by induction from the start both are the same game.
func (d *Disguise) Prove(ctx context.Context, most int) (Certificate, error) {
	return d.prove(ctx, min(most, MostPositions), &d.Game)
}

func (d *Disguise) prove(ctx context.Context, most int, g play) (Certificate, error) {
	if err := CheckSize(d.Rules, most); err != nil {
		return Certificate{}, err
	}
	w := walk{Disguise: d, game: g}
	for now := []digit.Position{{}}; len(now) > 0; now = w.next {
		w.next, w.known = nil, map[digit.Position]bool{}
		seen := map[position]bool{} // positions of other plies have another number of tokens
		for _, p := range now {
			if w.Positions%4096 == 0 && ctx.Err() != nil {
				return Certificate{}, ctx.Err()
			}
			v := d.encode(p)
			err := w.compare(p, v)
			if err == nil && seen[v] {
				err = errors.New("another position corresponds to the same one")
			}
			if err != nil {
				return Certificate{}, fmt.Errorf("position %s: %w", d.Rules.Text(p), err)
			}
			if w.Positions+len(w.next) > most {
				return Certificate{}, tooMany(d.Rules, most)
			}
			seen[v] = true
		}
	}
	return w.Certificate, nil
}

// A walk is the state of a proof.
type walk struct {
	*Disguise
	game play
	Certificate
	moves []move                  // of the current position
	next  []digit.Position        // of the next ply, to which all moves lead
	known map[digit.Position]bool // those in next
}

// compare checks that a position and its counterpart have the same outcome, and corresponding
// moves to corresponding positions, which it adds to the next ply.
func (w *walk) compare(p digit.Position, v position) error {
	r := w.Rules
	if tokens := v.rows[0].count() + v.rows[1].count(); tokens != r.Ply(p) {
		return fmt.Errorf("%d digits correspond to %d tokens", r.Ply(p), tokens)
	}
	outcome := w.game.outcome(v)
	if outcome != outcomeOf(r.Result(p)) {
		return errors.New("the results differ")
	}
	w.moves = w.moves[:0]
	w.game.moves(v, func(m move) { w.moves = append(w.moves, m) })
	for m := range r.Moves(p) {
		at := slices.Index(w.moves, w.encodeMove(m))
		if at < 0 {
			return fmt.Errorf("the move %v has no counterpart", m)
		}
		next, err := r.Play(p, m)
		if err != nil {
			return err
		}
		if w.game.play(v, w.moves[at]) != w.encode(next) {
			return fmt.Errorf("the move %v leads elsewhere", m)
		}
		w.moves[at] = w.moves[len(w.moves)-1] // so that no other move corresponds to it
		w.moves = w.moves[:len(w.moves)-1]
		w.Moves++
		if !w.known[next] {
			w.known[next] = true
			w.next = append(w.next, next)
		}
	}
	if len(w.moves) > 0 {
		return fmt.Errorf("%d moves have no counterpart", len(w.moves))
	}
	w.count(outcome)
	return nil
}

func (c *Certificate) count(o Outcome) {
	c.Positions++
	switch o {
	case FirstWins:
		c.FirstWins++
	case SecondWins:
		c.SecondWins++
	case Drawn:
		c.Draws++
	case Open:
	}
}
