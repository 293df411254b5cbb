package digit

import "iter"

// A Perft counts one ply of a game: what another implementation of the rules must find there too.
type Perft struct {
	Ply       int    `json:"ply"`
	Positions int    `json:"positions"` // distinct positions that play can reach
	Finished  int    `json:"finished"`  // those of them in which the game is over
	Games     uint64 `json:"games"`     // distinct sequences of moves that end the game at this ply
}

// Perft yields the counts of each ply from 0 on, until no game goes on. With a limit it ends before a ply of more positions than that,
// so that it never keeps more than twice as many.
func (r Rules) Perft(limit int) iter.Seq[Perft] {
	return func(yield func(Perft) bool) {
		now := map[Position]uint64{{}: 1} // in how many ways play comes to a position
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
