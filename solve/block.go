package solve

import "math/bits"

// A cell holds the outcome for the side to move and when the game ends: +(horizon - ply of the end) for a win,
// the same negated for a loss, 0 for a draw. So the best of two moves is the larger value, and the value of a
// position is the largest of what its moves lead to, negated. A draw always ends with the last ply.
const (
	horizon = 32
	unknown = -128
)

// value returns what a cell of a ply says.
func (g *game) value(cell int8, ply int) Value {
	switch {
	case cell > 0:
		return Value{Win, horizon - int(cell) - ply}
	case cell < 0:
		return Value{Loss, horizon + int(cell) - ply}
	}
	return Value{Draw, g.total - ply}
}

// A block is worked out at once: the cells of positions that differ only in the state of each number, which is a remainder in a
// folded layer and a way to stand in a plain one. A layer keeps a row for each state of the number that is not to move.
// So what a move leads to is a row of the next layer, and here, where rows are raised to that, there is one for each state of the mover.
type block struct {
	best []int8
	row  int
	won  int8 // the value of a move that wins
}

// Where a move leads from a state of the mover, if not to another state.
const (
	nowhere = -1 // the place is filled
	winning = -2 // the game is over
)

// clear begins a block of a ply with so many states of the mover and of the other number.
func (b *block) clear(ply int, mine, row int64) {
	n := int(mine * row)
	if cap(b.best) < n {
		b.best = make([]int8, n)
	}
	b.best, b.row, b.won = b.best[:n], int(row), int8(horizon-ply-1)
	fill(b.best, unknown)
}

// move takes in a move to a block of the next layer, where the states of the mover become other ones.
func (b *block) move(next []int8, to []int32) {
	for i, state := range to {
		best := b.best[i*b.row : (i+1)*b.row]
		switch state {
		case nowhere:
		case winning:
			fill(best, b.won)
		default:
			for j, v := range next[int(state)*b.row:][:len(best)] {
				best[j] = max(best[j], -v)
			}
		}
	}
}

// write turns rows for the mover into rows for the other number.
func (b *block) write(cells []int8) {
	mine := len(b.best) / b.row
	for i := range mine {
		at := i
		for _, v := range b.best[i*b.row : (i+1)*b.row] {
			cells[at] = v
			at += mine
		}
	}
}

func fill(row []int8, v int8) {
	for i := range row {
		row[i] = v
	}
}

// An outlook is what a number with one digit to go gets from each digit, for each of its states:
// a key for each digit of the pool, and what they come to for the digits that are left.
type outlook struct {
	keys  []key
	bests []best
}

// best sums up what the digits that are left can do for a number with one digit to go.
type best struct {
	least key // the least key
	other key // the least one from a digit other than at
	at    int // the digit that gives the least, by its rank in the pool
}

// bestOf sums up the keys of a state for the digits with the given ranks.
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

// ranks returns the ranks in the pool of a set of digits.
func (g *game) ranks(set uint16, sc *scratch) []int {
	sc.left = sc.left[:0]
	for ; set != 0; set &= set - 1 {
		sc.left = append(sc.left, bits.OnesCount16(g.pool&(set&-set-1)))
	}
	return sc.left
}

// finish fills a block at which the mover x and then y place their last digits.
func (g *game) finish(cells []int8, x, y *outlook) {
	wonNow, won, lost := int8(horizon-g.total+1), int8(horizon-g.total), int8(g.total-horizon)
	even := lost // when the best that x can do is an equal key
	if !g.later {
		even = 0
	}
	for i := range x.bests {
		bx, keys := &x.bests[i], x.keys[i*g.size:(i+1)*g.size]
		if bx.least == 0 {
			for at := i; at < len(cells); at += len(x.bests) {
				cells[at] = wonNow
			}
			continue
		}
		at := i
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
			cells[at] = v
			at += len(x.bests)
		}
	}
}
