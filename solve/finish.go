package solve

// A value of a cell is the outcome for the side to move and when the game ends: +(horizon - ply of the end) for a win,
// the same negated for a loss, 0 for a draw. So the best of two moves is the larger value, and the value of a
// position is the largest of what its moves lead to, negated. A draw always ends with the last ply.
const (
	horizon = 32
	unknown = -128
)

// best sums up what the digits that are left can do for a number with one digit to go.
type best struct {
	least key // the least key
	other key // the least one from a digit other than at
	at    int // the digit that gives the least
}

// bestOf sums up the keys of a number for the digits with the given indices.
func bestOf(keys []key, left []int) best {
	b := best{least: worst, other: worst}
	for _, i := range left {
		switch k := keys[i]; {
		case k < b.least:
			b.least, b.other, b.at = k, b.least, i
		case k < b.other:
			b.other = k
		}
	}
	return b
}

// A tally is what a number with one digit to go gets from each digit, for each of the states it can be in:
// n keys for each, and what they come to for the digits that are left.
type tally struct {
	keys  []key
	n     int
	bests []best
}

// finish fills the cells of a ply at which the mover x and then y place their last digits.
func (g *game) finish(out []int8, x, y *tally) {
	wonNow, won, lost := int8(horizon-g.total+1), int8(horizon-g.total), int8(g.total-horizon)
	even := lost // when the best that x can do is an equal key
	if !g.later {
		even = 0
	}
	for i := range x.bests {
		bx, keys := &x.bests[i], x.keys[i*x.n:(i+1)*x.n]
		if bx.least == 0 {
			for to := i; to < len(out); to += len(x.bests) {
				out[to] = wonNow
			}
			continue
		}
		to := i
		for j := range y.bests {
			by := &y.bests[j]
			// x takes the digit that y wants most, or another and leaves it to him.
			leaves, takes := bx.least, keys[by.at]
			if bx.at == by.at {
				leaves = bx.other
			}
			v := lost
			if leaves <= by.least || takes <= by.other {
				v = won
				if leaves >= by.least && takes >= by.other {
					v = even
				}
			}
			out[to] = v
			to += len(x.bests)
		}
	}
}

// raise makes each value at least what a move leads to: the cells of a row, negated.
func raise(best, row []int8) {
	row = row[:len(best)]
	for i, v := range row {
		if -v > best[i] {
			best[i] = -v
		}
	}
}

// scatter writes a row to a column of cells.
func scatter(row, cells []int8, col, cols int) {
	for _, v := range row {
		cells[col] = v
		col += cols
	}
}

func fill(row []int8, v int8) {
	for i := range row {
		row[i] = v
	}
}
