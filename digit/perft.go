package digit

import "iter"

// A Perft counts one ply of a game: what another implementation of the rules must find there too.
type Perft struct {
	Ply       int    `json:"ply"`
	Positions int    `json:"positions"` // distinct positions that play can reach
	Finished  int    `json:"finished"`  // those of them in which the game is over
	Games     uint64 `json:"games"`     // distinct sequences of moves that end the game at this ply
}

// Perft yields the counts of each ply from 0 on, until no game goes on.
func (r Rules) Perft() iter.Seq[Perft] {
	return func(yield func(Perft) bool) {
		ways := map[Position]uint64{{}: 1} // the sequences of moves that lead to each position of a ply
		for ply := 0; len(ways) > 0; ply++ {
			count := Perft{Ply: ply, Positions: len(ways)}
			for p, n := range ways {
				if r.Result(p).Over() {
					count.Finished++
					count.Games += n
					delete(ways, p)
				}
			}
			if !yield(count) {
				return
			}
			next := make(map[Position]uint64, 4*len(ways))
			for p, n := range ways {
				for m := range r.Moves(p) {
					q, err := r.Play(p, m)
					if err != nil {
						panic("digit: a move that Moves yields is refused: " + err.Error())
					}
					next[q] += n
				}
			}
			ways = next
		}
	}
}
