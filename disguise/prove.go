package disguise

import (
	"context"
	"fmt"

	"digitduel/digit"
)

// A Table has all positions of a game of digits that play can come to, and the moves between them. It serves any number of disguises.
type Table struct {
	rules     digit.Rules
	positions []digit.Position
	outcomes  []Outcome
	edges     []edge
	from      []int // where the moves of each position begin in edges, and where the last ones end
}

type edge struct {
	move digit.Move
	to   int32
}

// MostPositions is how many positions a game may have to be disguised: what a proof goes through is kept in memory.
const MostPositions = 8_000_000

// NewTable walks through a game of digits.
func NewTable(ctx context.Context, r digit.Rules) (*Table, error) {
	t := &Table{rules: r.Normal(), positions: []digit.Position{{}}}
	known, ply := map[digit.Position]int32{}, 0 // those of the next ply: moves lead nowhere else
	for i := 0; i < len(t.positions); i++ {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p := t.positions[i]
		if r.Ply(p) > ply {
			known, ply = map[digit.Position]int32{}, r.Ply(p)
		}
		t.outcomes = append(t.outcomes, outcomeOf(r.Result(p)))
		t.from = append(t.from, len(t.edges))
		for m := range r.Moves(p) {
			next, err := r.Play(p, m)
			if err != nil {
				return nil, err
			}
			to, ok := known[next]
			if !ok {
				if len(t.positions) == MostPositions {
					return nil, fmt.Errorf("%v: it cannot be disguised: it has more than %d positions to prove it by", r, MostPositions)
				}
				to = int32(len(t.positions))
				known[next] = to
				t.positions = append(t.positions, next)
			}
			t.edges = append(t.edges, edge{m, to})
		}
	}
	t.from = append(t.from, len(t.edges))
	return t, nil
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

// A Certificate counts what was compared in both games and found to be the same.
type Certificate struct {
	Positions  int `json:"positions"`
	Moves      int `json:"moves"`
	FirstWins  int `json:"first_wins"` // positions in which the game is over
	SecondWins int `json:"second_wins"`
	Draws      int `json:"draws"`
}

// play is a game of tokens as a proof sees it.
type play interface {
	moves(p position, yield func(move))
	play(p position, m move) position
	outcome(p position) Outcome
}

// Prove walks both games in step. The error names the first position in which they differ.
//
// Each position of the one game stands for one of the other and no two for the same; in each the same side has won or nobody has;
// the moves correspond one to one; and moves that correspond lead to positions that do. So by induction from the start
// both are the same game.
func (t *Table) Prove(ctx context.Context, d *Disguise) (Certificate, error) {
	return t.prove(ctx, d, &d.Game)
}

func (t *Table) prove(ctx context.Context, d *Disguise, g play) (Certificate, error) {
	var c Certificate
	if t.rules != d.Rules {
		return c, fmt.Errorf("%v: the table is of other rules: %v", d.Rules, t.rules)
	}
	veiled, err := t.veilAll(d)
	if err != nil {
		return c, err
	}
	var moves []move
	for i, v := range veiled {
		if i%4096 == 0 && ctx.Err() != nil {
			return c, ctx.Err()
		}
		differ := func(format string, args ...any) (Certificate, error) {
			return Certificate{}, fmt.Errorf("position %s: %s", t.rules.Text(t.positions[i]), fmt.Sprintf(format, args...))
		}
		outcome := g.outcome(v)
		if outcome != t.outcomes[i] {
			return differ("the results differ")
		}
		edges := t.edges[t.from[i]:t.from[i+1]]
		moves = moves[:0]
		g.moves(v, func(m move) { moves = append(moves, m) })
		if len(moves) != len(edges) {
			return differ("%d moves stand for %d", len(moves), len(edges))
		}
		for _, e := range edges {
			m := d.veilMove(e.move)
			at := -1
			for j := range moves {
				if moves[j] == m {
					at = j
					break
				}
			}
			if at < 0 {
				return differ("the move %v stands for none", e.move)
			}
			moves[at] = moves[len(moves)-1] // so that no other move stands for it
			moves = moves[:len(moves)-1]
			if g.play(v, m) != veiled[e.to] {
				return differ("the move %v leads elsewhere", e.move)
			}
		}
		c.Moves += len(edges)
		c.count(outcome)
	}
	return c, nil
}

// veilAll returns what each position stands for, and that no two stand for the same. Those with other numbers of tokens are not the same,
// so only those of one ply, which stand together, are compared.
func (t *Table) veilAll(d *Disguise) ([]position, error) {
	veiled := make([]position, len(t.positions))
	seen, ply := map[position]bool{}, 0
	for i, p := range t.positions {
		v := d.veil(p)
		tokens := v.rows[0].count() + v.rows[1].count()
		if tokens != t.rules.Ply(p) {
			return nil, fmt.Errorf("position %s: %d digits stand for %d tokens", t.rules.Text(p), t.rules.Ply(p), tokens)
		}
		if tokens > ply {
			seen, ply = map[position]bool{}, tokens
		}
		if seen[v] {
			return nil, fmt.Errorf("position %s: another stands for the same", t.rules.Text(p))
		}
		seen[v] = true
		veiled[i] = v
	}
	return veiled, nil
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
