package mcp

import (
	"math"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// TestReport recomputes every figure of reports from the values of positions alone.
func TestReport(t *testing.T) {
	h := open(t, &match.Memory{}, nil)
	g := h.guest(t)
	rng := chance(6)
	forfeits := 0
	for seed := range 60 {
		r := digit.Books[seed%len(digit.Books)].Rules
		start := []string{"start", "decision"}[seed/5%2]
		s := got[State](g, "new_game", args{"rules": r.String(), "start": start, "seed": seed, "opponent": "casual", "show_moves": true})
		faults, lastTry := 0, seed%6 == 5
		for s.Result == "*" {
			move := s.Moves[rng.IntN(len(s.Moves))]
			if rng.IntN(4) == 0 && s.TriesLeft > 1 || lastTry && s.Ply > 1 {
				move = "?"
				faults++
			}
			s, _ = try[State](g, "play", args{"game": s.Game, "move": move})
		}
		solution, err := h.solver.Solve(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		report := got[GameReport](g, "report", args{"game": s.Game})
		if strings.Join(report.Faults, " ") != strings.TrimSpace(strings.Repeat("unreadable ", faults)) || report.Seed != uint64(seed) || report.Result != s.Result || report.Position != s.Position || report.You != s.You {
			t.Fatalf("%+v after %+v", report, s)
		}
		if strings.HasSuffix(s.Result, "forfeit") {
			forfeits++
		}
		g.worked(report, solution)
		if rec, err := digit.ParseRecord(report.Record); err != nil || rec.Result.String() != s.Result || rec.Tag("second-level")+rec.Tag("first-level") != "casual" {
			t.Errorf("%s: %v", report.Record, err)
		}
	}
	if forfeits < 3 {
		t.Errorf("only %d games were forfeited", forfeits)
	}
}

// worked fails if the figures of a report are not those of its moves.
func (g *guest) worked(report GameReport, s *solve.Solution) {
	g.Helper()
	r := s.Rules()
	p, err := r.ParsePosition(report.Start)
	if err != nil {
		g.Fatal(err)
	}
	points := func(p digit.Position) float64 { // to the agent
		value := s.Value(p).Outcome.Points()
		if r.Turn(p).String() != report.You {
			value = 1 - value
		}
		return value
	}
	value := points(p)
	var lost, chance float64
	decisions, kept, pliesLost := 0, 0, 0
	for i, m := range report.Moves {
		move, err := digit.ParseMove(m.Move)
		if err != nil || m.Side != r.Turn(p).String() {
			g.Fatalf("move %d: %+v: %v", i+1, m, err)
		}
		best, worse := 0.0, 0
		choices := s.Choices(p)
		for _, c := range choices {
			best = max(best, c.Value.Outcome.Points())
		}
		for _, c := range choices {
			if c.Value.Outcome.Points() < best {
				worse++
			}
		}
		made := s.Choice(p, move)
		if threw := best - made.Value.Outcome.Points(); m.Lost != threw || m.Of != len(choices) || m.Keep != len(choices)-worse || m.Tries < 1 {
			g.Fatalf("move %d: %+v: threw away %v, %d of %d choices do", i+1, m, threw, worse, len(choices))
		}
		if m.Side == report.You {
			lost += m.Lost
			pliesLost += m.PliesLost
			if worse > 0 {
				decisions++
				chance += 1 - float64(worse)/float64(len(choices))
				if m.Lost == 0 {
					kept++
				}
			}
		}
		p = made.Next
	}
	clean, cleanChance := float64(decisions), chance
	if keep, of := 0, 0; strings.HasSuffix(report.Result, "forfeit") {
		lost += points(p)
		if keep, of = s.Kept(p); points(p) > 0 {
			decisions++
			chance += float64(keep) / float64(of)
		}
		if report.Keep != keep || report.Of != of {
			g.Fatalf("%+v: %d of %d choices keep the value at the end", report, keep, of)
		}
	} else if report.Keep != 0 || report.Of != 0 {
		g.Fatalf("%+v: no forfeit", report)
	}
	if ok := nearKappa(report.CleanKappa, float64(kept), clean, cleanChance); !ok {
		g.Fatalf("%+v: %d of %v decisions kept without a forfeit", report, kept, clean)
	}
	if report.Value != value || report.Lost != lost || report.PliesLost != pliesLost || report.Decisions != decisions {
		g.Fatalf("%+v: value %v, lost %v, %d plies, %d decisions", report, value, lost, pliesLost, decisions)
	}
	if decisions == 0 {
		if report.Kept != nil || report.Chance != nil || report.Kappa != nil {
			g.Fatalf("%+v: shares of nothing", report)
		}
		return
	}
	share, guess := float64(kept)/float64(decisions), chance/float64(decisions)
	ok := nearKappa(report.Kappa, float64(kept), float64(decisions), chance)
	if !near(report.Kept, share) || !near(report.Chance, guess) || !ok {
		g.Fatalf("%+v: kept %v, chance %v", report, share, guess)
	}
	won := map[string]float64{"1-0": 1, "0-1": 0, "1/2": 0.5}[strings.Fields(report.Result)[0]]
	if report.You == "second" {
		won = 1 - won
	}
	if report.Score != won {
		g.Fatalf("%+v: score %v", report, won)
	}
}

// nearKappa reports whether a kappa is that of decisions, and left out where chance keeps all.
func nearKappa(is *float64, kept, decisions, chance float64) bool {
	if decisions == chance {
		return is == nil
	}
	return near(is, (kept-chance)/(decisions-chance))
}

func near(is *float64, want float64) bool { return is != nil && math.Abs(*is-want) < 1e-12 }

// TestGivenUp reports a game that was given up for the agent as lost.
func TestGivenUp(t *testing.T) {
	h := open(t, &match.Memory{}, nil)
	g := h.guest(t)
	game := got[State](g, "new_game", args{"side": "first"}).Game
	table, _, _ := strings.Cut(game, ".")
	v, err := h.Hall.Visit(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if _, err := v.Table.Do(t.Context(), agentSeat, match.Resign, ""); err != nil { // as at a web page, with the agent's token
		t.Fatal(err)
	}
	if r := got[GameReport](g, "report", args{"game": game}); r.Score != 0 || r.Lost != r.Value || len(r.Moves) != 0 ||
		r.Decisions != 1 || *r.Kept != 0 || r.Of != 30 || *r.Chance != float64(r.Keep)/30 || r.CleanKappa != nil {
		t.Errorf("%+v", r)
	}
}
