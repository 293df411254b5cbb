package solve

import (
	"maps"
	"math/rand/v2"
	"testing"
)

// TestClass checks the classes of both kinds of layers: positions of a class have the same value,
// and the same number of choices that lead to each class and to each result.
func TestClass(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 1))
	shared := 0
	for range 60 {
		r := random(rng)
		for s := range kinds(t, r) {
			if s.CountPositions() > 30_000 {
				continue
			}
			type class struct {
				ply int
				at  int64
			}
			type next struct {
				class class
				value Value
			}
			known := map[class]map[next]int{}
			for p, v := range s.Positions() {
				ply := r.Ply(p)
				if v.Plies == 0 || s.Classes(ply) == 0 {
					continue
				}
				of := class{ply, s.Class(p)}
				if of.at < 0 || of.at >= s.Classes(ply) {
					t.Fatalf("%v %s: class %d of %d", r, r.Text(p), of.at, s.Classes(ply))
				}
				to := map[next]int{{value: v}: 1}
				for _, c := range s.Choices(p) {
					n := next{value: c.Value}
					if c.Value.Plies > 1 && s.Classes(ply+1) > 0 {
						n.class = class{ply + 1, s.Class(c.Next)}
					}
					to[n]++
				}
				if before, ok := known[of]; !ok {
					known[of] = to
				} else if shared++; !maps.Equal(before, to) {
					t.Fatalf("%v %s: class %v leads to %v, but another of its positions to %v",
						r, r.Text(p), of, to, before)
				}
			}
		}
	}
	if shared == 0 {
		t.Error("no class has two positions")
	}
}
