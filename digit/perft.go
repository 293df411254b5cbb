package digit

import "iter"

// A Perft counts one ply of a game. Another implementation of the rules must find the same
// counts.
type Perft struct {
	Ply       int    `json:"ply"`
	Positions int    `json:"positions"` // distinct reachable positions
	Finished  int    `json:"finished"`  // those in which the game is over
	Games     uint64 `json:"games"`     // distinct move sequences that end the game at this ply
}

// Perft yields the counts of each ply from 0 until every game is over. With a limit it ends
// before a ply with more positions than that, so it never holds more than twice as many.
func (r Rules) Perft(limit int) iter.Seq[Perft] {
	return func(yield func(Perft) bool) {
		now := map[Position]uint64{{}: 1} // the number of move sequences to each position
		for ply := 0; len(now) > 0; ply++ {
			count := Perft{Ply: ply, Positions: len(now)}
			for p, ways := range now {
				if r.result(p).Over() {
					count.Finished++
					count.Games += ways
					delete(now, p)
				}
			}
			if !yield(count) {
				return
			}
			room := 2 * len(now)
			if limit > 0 {
				room = min(room, limit)
			}
			next := make(map[Position]uint64, room)
			for p, ways := range now {
				turn := p.turn()
				for m := range r.Moves(p) {
					next[p.with(turn, r.take(p.of(turn), m))] += ways
				}
				if limit > 0 && len(next) > limit {
					return
				}
			}
			now = next
		}
	}
}
