package arena

// A decisions counts positions in which a player had something to lose.
type decisions struct {
	count, kept int
	chance      float64 // expected number kept by random choices
	evidence    evidence
}

func (d *decisions) add(keep, of int, kept bool) {
	d.count++
	d.chance += float64(keep) / float64(of)
	if kept {
		d.kept++
	}
}

// endPair marks the end of a pair.
func (d *decisions) endPair() { d.evidence.add(d.count, d.kept, d.chance) }

// kappa returns kappa and its interval.
func (d *decisions) kappa() (kappa, low, high *float64) {
	if d.count == 0 {
		return nil, nil, nil
	}
	n := float64(d.count)
	low, high = d.evidence.interval()
	return Kappa(float64(d.kept)/n, d.chance/n), low, high
}

// An evidence estimates how much is known of a player. The decisions of one pair depend on each
// other, because its games have one start, so only pairs count as independent. docs/arena.md
// explains how the sums are used.
type evidence struct {
	pairs int // pairs with a decision

	// Sums over pairs of products of a, the decisions kept beyond chance, and b, those that chance
	// would lose.
	aa, ab, bb float64

	decisions, kept int // in all pairs added
	chance          float64
}

// add marks the end of a pair, given the totals of a player.
func (s *evidence) add(decisions, kept int, chance float64) {
	d, k, c := float64(decisions-s.decisions), float64(kept-s.kept), chance-s.chance
	s.decisions, s.kept, s.chance = decisions, kept, chance
	if d == 0 {
		return
	}
	a, b := k-c, d-c
	s.pairs++
	s.aa, s.ab, s.bb = s.aa+a*a, s.ab+a*b, s.bb+b*b
}

// interval returns the 95% confidence interval of kappa: Wilson's interval for the effective
// number of independent decisions.
func (s *evidence) interval() (low, high *float64) {
	if s.decisions == 0 {
		return nil, nil
	}
	d := float64(s.decisions)
	share, chance := float64(s.kept)/d, s.chance/d
	from, to := wilson(share, s.effective())
	return Kappa(from, chance), Kappa(to, chance)
}

// effective returns the number of independent decisions with as much evidence. If all pairs are
// alike, or everything was kept or lost, a pair counts as one. It is never more than the number
// of decisions.
func (s *evidence) effective() float64 {
	d, n := float64(s.decisions), float64(s.pairs)
	share := float64(s.kept) / d
	kappa := (float64(s.kept) - s.chance) / (d - s.chance)
	// rest is the sum of squares of the part of a that does not follow from b.
	rest := s.aa - 2*kappa*s.ab + kappa*kappa*s.bb
	if s.pairs < 2 || s.kept == 0 || s.kept == s.decisions || rest < 1e-9*d {
		return n
	}
	return min(d, share*(1-share)*d*d*(n-1)/(n*rest))
}
