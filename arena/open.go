package arena

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"digitduel/bot"
	"digitduel/digit"
)

// errOtherGame reports that a line does not match the plan.
var errOtherGame = errors.New("the plan has other rules, players or another start there")

// ReadRun returns the standing of a match or a run. Tables lists the tables of the games of a
// run. ReadRun calls kept for forfeits in lines of older versions.
func ReadRun(p *Plan, games, tables io.Reader, kept Kept) (*Standing, error) {
	if p.Format != Open {
		s := NewStanding(p)
		_, err := s.Read(games, kept)
		return s, err
	}
	d := newDesk(p, kept)
	if _, err := d.readTables(tables); err != nil {
		return nil, fmt.Errorf("the list of tables: %w", err)
	}
	var all []Game
	if _, err := d.readOpen(games, func(g *Game) { all = append(all, *g) }); err != nil {
		return nil, err
	}
	return openStanding(p, all, d.UnderWay()), nil
}

// readOpen reads the games of an open run, which are in the order in which they ended.
func (d *Desk) readOpen(file io.Reader, each func(*Game)) (whole int64, err error) {
	byNumber := map[int]Due{}
	for _, due := range d.underWay {
		byNumber[due.Game] = due
	}
	var g Game
	read := func(_ int, text []byte) error { return g.read(text) }
	err = readLines(file, read, func(_ int, end int64) error {
		due, ok := byNumber[g.Game]
		if g.Plan != d.Plan.ID {
			return fmt.Errorf("it belongs to plan %s, not %s", g.Plan, d.Plan.ID)
		}
		if !ok {
			return fmt.Errorf("game %d was never begun, or appears twice", g.Game)
		}
		if err := due.fits(&g); err != nil {
			return err
		}
		if err := g.complete(d.kept); err != nil {
			return err
		}
		delete(byNumber, g.Game)
		delete(d.underWay, due.Table)
		each(&g)
		whole = end
		return nil
	})
	return whole, err
}

// dueOf returns the Due of a played game of an agent.
func dueOf(g *Game) Due {
	side := digit.First
	if _, ok := Agent(g.First.Player); !ok {
		side = digit.Second
	}
	return Due{
		Game: g.Game, Player: g.seat(side).Player, Opponent: g.seat(side.Other()).Player,
		Rules: g.Rules, Start: g.Start, Side: side,
	}
}

// openStanding pairs the games of an open run: two of the same players, rules and start, with the
// seats swapped, in the order in which they ended.
func openStanding(id *Plan, games []Game, unfinished []Due) *Standing {
	all := slices.Clone(unfinished)
	for i := range games {
		all = append(all, dueOf(&games[i]))
	}
	p := playedPlan(id, all)
	s := NewStanding(p)
	s.unfinished = len(unfinished)
	for _, due := range unfinished {
		s.players[slices.Index(p.Players, due.Player)].unfinished = true
	}
	waiting := map[pair][2][]int{} // games without a partner, by the side of the agent
	var paired []Game
	single := make([]bool, len(games))
	for i := range games {
		key, side := p.place(&all[len(unfinished)+i])
		waits := waiting[key]
		if other := waits[side.Other()]; len(other) > 0 {
			var two [2]Game
			two[side], two[side.Other()] = games[i], games[other[0]]
			s.addPair(key, two[0], two[1])
			paired = append(paired, two[:]...)
			single[other[0]] = false
			waits[side.Other()] = other[1:]
		} else {
			single[i] = true
			waits[side] = append(waits[side], i)
		}
		waiting[key] = waits
	}
	for i := range games {
		if single[i] {
			key, side := p.place(&all[len(unfinished)+i])
			s.addSingle(key, &games[i], side)
		}
	}
	p.wanted(s, all)
	s.rated = s
	if len(paired) < len(all) {
		s.rated = openStanding(id, paired, nil)
	}
	return s
}

// playedPlan returns the players and rules of some games as a plan: agents first, in order of
// appearance, then levels from the strongest down.
func playedPlan(id *Plan, all []Due) *Plan {
	p := &Plan{ID: id.ID, Format: Open, Seed: id.Seed}
	for _, due := range all {
		if !slices.Contains(p.Players, due.Player) {
			p.Players = append(p.Players, due.Player)
		}
		if !slices.Contains(p.Rules, due.Rules) {
			p.Rules = append(p.Rules, due.Rules)
		}
	}
	for _, level := range slices.Backward(bot.Levels) {
		if slices.ContainsFunc(all, func(due Due) bool { return due.Opponent == level.Name }) {
			p.Players = append(p.Players, level.Name)
		}
	}
	for i := range all {
		if key, _ := p.place(&all[i]); !slices.Contains(p.met, key.encounter) {
			p.met = append(p.met, key.encounter)
		}
	}
	slices.SortFunc(p.met, func(x, y encounter) int { return cmp.Or(x.a-y.a, x.b-y.b) })
	return p
}

// place returns the pairs that a game belongs to, and the side of the agent in it.
func (p *Plan) place(due *Due) (pair, digit.Side) {
	meet := encounter{slices.Index(p.Players, due.Player), slices.Index(p.Players, due.Opponent)}
	return pair{meet, slices.Index(p.Rules, due.Rules), due.Start}, due.Side
}

// wanted sets in each cell the number of pairs there will be when every game begun is over and
// has a partner.
func (p *Plan) wanted(s *Standing, all []Due) {
	games := map[pair][2]int{}
	for i := range all {
		key, side := p.place(&all[i])
		n := games[key]
		n[side]++
		games[key] = n
	}
	for key, n := range games {
		s.cell(key).wanted += max(n[0], n[1])
	}
}
