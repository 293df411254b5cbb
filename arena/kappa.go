package arena

// decisions counts positions in which a player had something to lose.
type decisions struct {
	count, kept int
	chance      float64 // how many of them random choices would have kept
	evidence    evidence
}

func (d *decisions) add(keep, of int, kept bool) {
	d.count++
	d.chance += float64(keep) / float64(of)
	if kept {
		d.kept++
	}
}

// weigh ends a pair.
func (d *decisions) weigh() { d.evidence.add(d.count, d.kept, d.chance) }

// kappa returns kappa and its interval.
func (d *decisions) kappa() (kappa, low, high *float64) {
	if d.count == 0 {
		return nil, nil, nil
	}
	n := float64(d.count)
	low, high = d.evidence.interval()
	return Kappa(float64(d.kept)/n, d.chance/n), low, high
}

// evidence is how much the decisions of a player tell of it. Those of one pair hang together, since it has one start, so that only pairs
// count as independent. Sums suffice; how they are used is in docs/arena.md.
type evidence struct {
	pairs      int     // with a decision
	aa, ab, bb float64 // sums over pairs of the products of a, what was kept beyond chance, and b, what chance leaves open

	decisions, kept int // in all pairs that were added
	chance          float64
}

// add takes note that a pair ends, after which a player has so many decisions in all.
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

// interval returns between what kappa is, 95 times in 100: Wilson's interval for as many independent decisions as are worth what there are.
func (s *evidence) interval() (low, high *float64) {
	if s.decisions == 0 {
		return nil, nil
	}
	d := float64(s.decisions)
	share, chance := float64(s.kept)/d, s.chance/d
	from, to := wilson(share, s.worth())
	return Kappa(from, chance), Kappa(to, chance)
}

// worth returns how many independent decisions would have told as much. Where all pairs say the same, or nothing was lost or nothing kept, a pair is
// worth one, and never are there more than there are.
func (s *evidence) worth() float64 {
	d, n := float64(s.decisions), float64(s.pairs)
	share := float64(s.kept) / d
	kappa := (float64(s.kept) - s.chance) / (d - s.chance)
	rest := s.aa - 2*kappa*s.ab + kappa*kappa*s.bb // what of a does not follow from b, squared
	if s.pairs < 2 || s.kept == 0 || s.kept == s.decisions || rest < 1e-9*d {
		return n
	}
	return min(d, share*(1-share)*d*d*(n-1)/(n*rest))
}
