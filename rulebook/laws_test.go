package rulebook

import (
	"math/rand/v2"

	"digitduel/digit"
)

// randomRules returns rules that are accepted.
func randomRules(rng *rand.Rand) digit.Rules {
	for {
		r := digit.Rules{
			Pool: digit.Pool(rng.Uint32()), Place: digit.Place(rng.IntN(3)), Width: uint8(rng.IntN(6)), Target: uint16(rng.IntN(40)),
			Win: digit.Win(rng.IntN(4)), Zero: digit.Zero(rng.IntN(3)),
		}
		if rng.IntN(2) == 0 {
			r.Pool &= 1<<10 - 1
		}
		if rng.IntN(4) == 0 {
			r.Target = uint16(rng.IntN(digit.MaxTarget))
		}
		var orders []digit.Order
		for range rng.IntN(4) {
			orders = append(orders, digit.Order(1+rng.IntN(6)))
		}
		r.Final = digit.FinalBy(orders...)
		if r.Check() == nil {
			return r
		}
	}
}
