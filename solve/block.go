package solve

import "math/bits"

// A cell holds the outcome for the side to move and the ply at which the game ends: horizon - ply
// for a win, its negative for a loss, 0 for a draw, which always ends with the last ply. So the
// best move has the largest value, and a position has the largest negated value of its
// successors.
const (
	horizon = 32
	unknown = -128
)

// value returns the Value of a cell of a ply.
func (g *game) value(cell int8, ply int) Value {
	switch {
	case cell > 0:
		return Value{Win, horizon - int(cell) - ply}
	case cell < 0:
		return Value{Loss, horizon + int(cell) - ply}
	}
	return Value{Draw, g.total - ply}
}

// A block holds the cells of positions that differ only in the state of each number: its
// remainder in a folded layer, its arrangement in a plain one. The cells of a block are computed
// together. A layer has a row for each state of the number not to move, so a move leads to a row
// of the next layer. While a block is computed it has a row for each state of the mover instead.
type block struct {
	best []int8
	row  int
	won  int8 // the value of a winning move
}

// Results of a move that does not lead to another state of the mover.
const (
	nowhere = -1 // the place is filled
	winning = -2 // the game is over
)

// clear prepares a block of a ply for mine states of the mover and row states of the other
// number.
func (b *block) clear(ply int, mine, row int64) {
	n := int(mine * row)
	if cap(b.best) < n {
		b.best = make([]int8, n)
	}
	b.best, b.row, b.won = b.best[:n], int(row), int8(horizon-ply-1)
	fill(b.best, unknown)
}

// move updates the block with a move to a block of the next layer. The move takes state i of the
// mover to state to[i].
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

// write stores the block in cells, with a row for each state of the number not to move.
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

// An outlook holds the keys that a number with one digit to go gets, for each of its states: a
// key for each digit of the pool, and the best ones among the digits left.
type outlook struct {
	keys  []key
	bests []best
}

// A best holds the least keys that a number with one digit to go gets from the digits left.
type best struct {
	least key // the least key
	other key // the least key from a digit other than at
	at    int // the digit that gives the least key, as its rank in the pool
}

// bestOf returns the least keys of a state among the digits with the given ranks.
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

// ranks returns the ranks in the pool of the digits in a set.
func (g *game) ranks(set uint16, sc *scratch) []int {
	sc.left = sc.left[:0]
	for ; set != 0; set &= set - 1 {
		sc.left = append(sc.left, bits.OnesCount16(g.pool&(set&-set-1)))
	}
	return sc.left
}

// finish fills a block in which the mover x and then y place their last digits.
func (g *game) finish(cells []int8, x, y *outlook) {
	wonNow, won, lost := int8(horizon-g.total+1), int8(horizon-g.total), int8(g.total-horizon)
	even := lost // the value if the best that x can get is an equal key
	if !g.later {
		even = 0
	}
	for i := range x.bests {
		pause()
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
			// x takes the digit that y needs most, or takes another and leaves it to y.
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
