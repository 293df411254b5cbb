package digit

import (
	"fmt"
	"strings"
	"testing"
)

// TestPerft compares the counts of the books and some variants with testdata/perft.txt, for use
// by other implementations.
func TestPerft(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Of each ply: the distinct positions, those in which the game is over, and the distinct games that end there.\n")
	for _, text := range append(BookNames(),
		"dilemma zero=counts",
		"dilemma zero=barred",
		"dilemma pool=0-7 width=2 target=11",
		"dilemma pool=0-5 final=draw",
		"sevens zero=counts",
		"sevens win=full",
		"sevens pool=0-7 width=4",
		"sevens win=each final=higher",
		"highest pool=0-7",
		"highest pool=0-8 zero=barred width=2",
		"highest pool=9-f",
		"divisibility target=11",
		"divisibility pool=0-7",
		"divisibility pool=0-7 zero=inert",
		"divisibility pool=0-7 zero=barred",
		"divisibility width=2 pool=0-f target=13",
		"reverse width=2",
	) {
		fmt.Fprintf(&b, "\n%v\nply positions finished games\n", rulesOf(t, text))
		var sum Perft
		for c := range rulesOf(t, text).Perft(0) {
			fmt.Fprintln(&b, c.Ply, c.Positions, c.Finished, c.Games)
			sum.Positions += c.Positions
			sum.Finished += c.Finished
			sum.Games += c.Games
		}
		fmt.Fprintln(&b, "all", sum.Positions, sum.Finished, sum.Games)
	}
	golden(t, "testdata/perft.txt", b.String())
}

// TestPerftLimit checks that Perft ends just before the first ply with more positions than the
// limit.
func TestPerftLimit(t *testing.T) {
	// The plies of dilemma have 1, 30, 810 and more positions.
	for limit, want := range map[int]int{1: 0, 29: 0, 30: 1, 100: 1, 809: 1, 810: 2} {
		last := Perft{}
		for last = range Dilemma.Perft(limit) {
		}
		if last.Ply != want || last.Positions > limit {
			t.Errorf("with a limit of %d the last ply is %+v, want %d", limit, last, want)
		}
	}
}

// TestPerftStops checks that counting can be stopped.
func TestPerftStops(t *testing.T) {
	for c := range Dilemma.Perft(0) {
		if c.Ply == 1 {
			break
		}
	}
}
