package digit

import (
	"slices"
	"testing"
)

// TestThreats checks the definition of threats. Those of the side to move are its moves that win by
// a multiple. Those of the other side are its winning moves after any move with another digit.
func TestThreats(t *testing.T) {
	eachRules(t, func(t *testing.T, r Rules) {
		n := 0
		for p := range positions(r) {
			if n++; n%(7*lawStride) != 0 && n > 2000 || r.Result(p).Over() {
				continue
			}
			turn := r.Turn(p)
			if got, want := threatMoves(r, p, turn), winsNow(r, p); !slices.Equal(got, want) {
				t.Fatalf("%s: threats of the side to move %v, winning moves %v",
					r.Text(p), got, want)
			}
			others := threatMoves(r, p, turn.Other())
			for m := range r.Moves(p) {
				next, _ := r.Play(p, m)
				if r.Result(next).Over() {
					continue
				}
				stay := slices.DeleteFunc(slices.Clone(others),
					func(threat Move) bool { return threat.Digit == m.Digit })
				if got := winsNow(r, next); !slices.Equal(got, stay) {
					t.Fatalf("%s: threats of the other side %v, but after %v it wins with %v",
						r.Text(p), others, m, got)
				}
			}
		}
	})
}

// threatMoves returns the moves of the threats of a side, each once. It panics if the number of a
// threat is not a multiple.
func threatMoves(r Rules, p Position, s Side) []Move {
	var moves []Move
	for m, n := range r.Threats(p, s) {
		if n.Value(r.Base())%int(r.Target) != 0 {
			panic("a threat is not a multiple: " + n.String())
		}
		moves = append(moves, m)
	}
	return slices.Compact(moves)
}

// winsNow returns the legal moves that win by a multiple.
func winsNow(r Rules, p Position) []Move {
	var moves []Move
	for m := range r.Moves(p) {
		if next, _ := r.Play(p, m); r.Result(next).Reason == Multiple {
			moves = append(moves, m)
		}
	}
	return moves
}
