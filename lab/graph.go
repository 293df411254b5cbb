package lab

import (
	"context"
	"iter"

	"digitduel/digit"
	"digitduel/solve"
)

// A graph holds a game as the measures need it: the choices of each position, and the winner from
// there. A node stands for equivalent positions, so there are at most a few more nodes than the
// solution has classes, and often far fewer. Nodes are ordered by ply.
type graph struct {
	plies []int32       // first node of each ply; at the end the number of nodes
	lead  []digit.Score // by node: the winner under perfect play
	from  []int32       // by node: its first edge; its edges end where those of the next node begin
	// to has an edge for each choice: a node, or the complement of the final score.
	to []int32
}

// edges returns the choices of a node.
func (g *graph) edges(node int32) []int32 { return g.to[g.from[node]:g.from[node+1]] }

// leads returns the winner after a choice under perfect play.
func (g *graph) leads(edge int32) digit.Score {
	if edge < 0 {
		return digit.Score(^edge)
	}
	return g.lead[edge]
}

// keeping returns the number of choices of a node that keep the outcome.
func (g *graph) keeping(node int32) int {
	n := 0
	for _, edge := range g.edges(node) {
		if g.leads(edge) == g.lead[node] {
			n++
		}
	}
	return n
}

// A layout is a graph under construction, ply by ply.
type layout struct {
	graph
	solution *solve.Solution
	rules    digit.Rules
	next     []digit.Position  // a position for each node of the next ply
	seen     []int32           // by class of the next ply: its node, from 1 within the ply
	ends     map[endings]int32 // by outcomes of the last digit: the node, from 0 within the ply
	order    []endings         // by node
}

// endings counts the choices of the last digit by the final score. Nothing else matters if only
// the last digit is left.
type endings [4]uint8

// newGraph returns the graph of a solved game.
func newGraph(
	ctx context.Context, s *solve.Solution, progress func(done, total int64),
) (*graph, error) {
	l := &layout{
		solution: s, rules: s.Rules(),
		ends: map[endings]int32{}, next: []digit.Position{{}},
	}
	l.lead = append(l.lead, l.leader(digit.Position{}))
	// last is the ply of the last digit.
	last := l.rules.Fills(digit.First) + l.rules.Fills(digit.Second) - 1
	for ply := range last {
		now := l.next
		l.plies = append(l.plies, int32(len(l.from)))
		l.next, l.seen = nil, make([]int32, s.Classes(ply+1))
		node, base := l.node, int32(len(l.from)+len(now))
		if ply+1 == last {
			node = l.end
		}
		for i, p := range now {
			if i%1024 == 0 {
				if ctx.Err() != nil {
					return nil, context.Cause(ctx)
				}
				progress(int64(len(l.from)), max(s.Size().Classes, int64(len(l.lead))))
			}
			l.from = append(l.from, int32(len(l.to)))
			for next, score := range l.choices(p) {
				edge := ^int32(score)
				if score == digit.Open {
					edge = base + node(next)
				}
				l.to = append(l.to, edge)
			}
		}
	}
	l.plies = append(l.plies, int32(len(l.from)))
	for _, e := range l.order {
		l.from = append(l.from, int32(len(l.to)))
		for score, n := range e {
			for range n {
				l.to = append(l.to, ^int32(score))
			}
		}
	}
	l.plies = append(l.plies, int32(len(l.from)))
	l.from = append(l.from, int32(len(l.to)))
	return &l.graph, nil
}

// choices yields the position after each choice, and its score.
func (l *layout) choices(p digit.Position) iter.Seq2[digit.Position, digit.Score] {
	return func(yield func(digit.Position, digit.Score) bool) {
		turn := l.rules.Turn(p)
		mayEnd := l.rules.Win == digit.EachTurn ||
			l.rules.Held(p, turn).Len()+1 == l.rules.Fills(turn)
		stands := func(next digit.Position) digit.Score {
			if value := l.solution.Value(next); value.Plies == 0 {
				return scoreOf(value, turn.Other())
			}
			return digit.Open
		}
		if l.rules.MayCall(p) {
			for _, c := range l.solution.Choices(p) {
				if !yield(c.Next, stands(c.Next)) {
					return
				}
			}
			return
		}
		for m := range l.rules.Moves(p) {
			next, _ := l.rules.Play(p, m) // the move is legal
			score := digit.Open
			if mayEnd {
				score = stands(next)
			}
			if !yield(next, score) {
				return
			}
		}
	}
}

// node returns the node of a position of the next ply, and adds it if it is new.
func (l *layout) node(p digit.Position) int32 {
	class := l.solution.Class(p)
	if l.seen[class] == 0 {
		l.next = append(l.next, p)
		l.lead = append(l.lead, l.leader(p))
		l.seen[class] = int32(len(l.next))
	}
	return l.seen[class] - 1
}

// end is like node for a position with only the last digit left.
func (l *layout) end(p digit.Position) int32 {
	if len(l.seen) == 0 {
		return l.newEnd(p)
	}
	class := l.solution.Class(p)
	if l.seen[class] == 0 {
		l.seen[class] = l.newEnd(p) + 1
	}
	return l.seen[class] - 1
}

func (l *layout) newEnd(p digit.Position) int32 {
	var e endings
	for _, score := range l.choices(p) {
		e[score]++
	}
	at, known := l.ends[e]
	if !known {
		at = int32(len(l.order))
		l.ends[e] = at
		l.order = append(l.order, e)
		l.lead = append(l.lead, l.leader(p))
	}
	return at
}

// leader returns the winner from a position under perfect play.
func (l *layout) leader(p digit.Position) digit.Score {
	return scoreOf(l.solution.Value(p), l.rules.Turn(p))
}

// scoreOf returns the final score for a value, given the side to move.
func scoreOf(v solve.Value, turn digit.Side) digit.Score {
	if winner, ok := v.Winner(turn); ok {
		return digit.WinFor(winner)
	}
	return digit.Draw
}
