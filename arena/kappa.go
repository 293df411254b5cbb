package arena

import "math"

// A decisions counts positions in which a player had something to lose.
type decisions struct {
	count, kept float64
	chance      float64 // expected number kept by random choices; NaN if one is unknown
}

// add adds a decision, with the share of choices that keep the value.
func (d *decisions) add(chance float64, kept bool) {
	d.count++
	d.chance += chance
	if kept {
		d.kept++
	}
}

func (d *decisions) join(other decisions) {
	d.count, d.kept, d.chance = d.count+other.count, d.kept+other.kept, d.chance+other.chance
}

// Kappa returns the share kept of what chance would lose: 0 is chance and 1 is everything. It is
// nil if chance loses nothing.
func Kappa(kept, chance float64) *float64 { return share(kept-chance, 1-chance) }

// kappaOf returns kappa of the decisions in games from some starts, and its 95% confidence
// interval: Wilson's interval for the effective number of independent decisions.
func kappaOf(starts []decisions) (kappa, low, high *float64) {
	var all decisions
	for _, d := range starts {
		all.join(d)
	}
	return all.kappa(effective(all, starts))
}

// kappa returns kappa, and Wilson's interval for a number of independent decisions.
func (d decisions) kappa(independent float64) (kappa, low, high *float64) {
	if d.count == 0 {
		return nil, nil, nil
	}
	kept, chance := d.kept/d.count, d.chance/d.count
	from, to := wilson(kept, independent)
	return Kappa(kept, chance), Kappa(from, chance), Kappa(to, chance)
}

// wilson returns the 95% confidence interval of a share of n.
func wilson(share, n float64) (low, high float64) {
	z := z95 * z95
	middle := (share + z/(2*n)) / (1 + z/n)
	half := z95 / (1 + z/n) * math.Sqrt(share*(1-share)/n+z/(4*n*n))
	return max(0, middle-half), min(1, middle+half)
}

// effective returns the number of independent decisions with as much evidence. Decisions in games
// from one start depend on each other. If all starts are alike, or everything was kept or lost, a
// start counts as one. The number is never more than that of the decisions. docs/arena.md explains
// it.
func effective(all decisions, starts []decisions) float64 {
	share := all.kept / all.count
	kappa := (all.kept - all.chance) / (all.count - all.chance)
	n, rest := 0.0, 0.0
	for _, d := range starts {
		if d.count > 0 {
			n++
			e := d.kept - d.chance - kappa*(d.count-d.chance)
			rest += e * e
		}
	}
	if n < 2 || all.kept == 0 || all.kept == all.count || !(rest >= 1e-9*all.count) {
		return n
	}
	return min(all.count, share*(1-share)*all.count*all.count*(n-1)/(n*rest))
}
