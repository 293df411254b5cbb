package mcp

import (
	"math"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// TestReport compares every figure of reports with the solver's values of the positions.
func TestReport(t *testing.T) {
	srv := newTestServer(t, &match.Memory{}, nil)
	cl := srv.client(t)
	rng := newRand(6)
	forfeits := 0
	for seed := range 60 {
		r := digit.Books[seed%len(digit.Books)].Rules
		start := []string{"start", "decision"}[seed/5%2]
		s := mustCall[State](cl, "new_game", args{
			"rules": r.String(), "start": start, "seed": seed, "opponent": "casual", "show_moves": true,
		})
		faults, lastTry := 0, seed%6 == 5
		for s.Result == "*" {
			move := s.Moves[rng.IntN(len(s.Moves))]
			if rng.IntN(4) == 0 && s.TriesLeft > 1 || lastTry && s.Ply > 1 {
				move = "?"
				faults++
			}
			s, _ = tryCall[State](cl, "play", args{"game": s.Game, "move": move})
		}
		solution, err := srv.solver.Solve(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		report := mustCall[GameReport](cl, "report", args{"game": s.Game})
		wantFaults := strings.TrimSpace(strings.Repeat("unreadable ", faults))
		if strings.Join(report.Faults, " ") != wantFaults || report.Seed != uint64(seed) ||
			report.Result != s.Result || report.Position != s.Position || report.You != s.You {
			t.Fatalf("%+v after %+v", report, s)
		}
		if strings.HasSuffix(s.Result, "forfeit") {
			forfeits++
		}
		cl.checkReport(report, solution)
		if rec, err := digit.ParseRecord(report.Record); err != nil ||
			rec.Result.String() != s.Result ||
			rec.Tag("second-level")+rec.Tag("first-level") != "casual" {
			t.Errorf("%s: %v", report.Record, err)
		}
	}
	if forfeits < 3 {
		t.Errorf("only %d games were forfeited", forfeits)
	}
}

// checkReport compares the figures of a report with its moves.
func (cl *testClient) checkReport(report GameReport, s *solve.Solution) {
	cl.Helper()
	r := s.Rules()
	p, err := r.ParsePosition(report.Start)
	if err != nil {
		cl.Fatal(err)
	}
	points := func(p digit.Position) float64 { // for the agent
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
			cl.Fatalf("move %d: %+v: %v", i+1, m, err)
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
		if threw := best - made.Value.Outcome.Points(); m.Lost != threw || m.Of != len(choices) ||
			m.Keep != len(choices)-worse || m.Tries < 1 {
			cl.Fatalf("move %d: %+v: lost %v, %d of %d choices do", i+1, m, threw, worse, len(choices))
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
			cl.Fatalf("%+v: %d of %d choices keep the value at the end", report, keep, of)
		}
	} else if report.Keep != 0 || report.Of != 0 {
		cl.Fatalf("%+v: figures of a forfeit without one", report)
	}
	if ok := nearKappa(report.CleanKappa, float64(kept), clean, cleanChance); !ok {
		cl.Fatalf("%+v: %d of %v decisions kept without a forfeit", report, kept, clean)
	}
	if report.Value != value || report.Lost != lost || report.PliesLost != pliesLost ||
		report.Decisions != decisions {
		cl.Fatalf("%+v: want value %v, lost %v, %d plies, %d decisions",
			report, value, lost, pliesLost, decisions)
	}
	if decisions == 0 {
		if report.Kept != nil || report.Chance != nil || report.Kappa != nil {
			cl.Fatalf("%+v: shares without decisions", report)
		}
		return
	}
	share, guess := float64(kept)/float64(decisions), chance/float64(decisions)
	ok := nearKappa(report.Kappa, float64(kept), float64(decisions), chance)
	if !near(report.Kept, share) || !near(report.Chance, guess) || !ok {
		cl.Fatalf("%+v: want kept %v, chance %v", report, share, guess)
	}
	won := map[string]float64{"1-0": 1, "0-1": 0, "1/2": 0.5}[strings.Fields(report.Result)[0]]
	if report.You == "second" {
		won = 1 - won
	}
	if report.Score != won {
		cl.Fatalf("%+v: want score %v", report, won)
	}
}

// nearKappa reports whether a kappa is right. It must be nil if random moves keep every value.
func nearKappa(is *float64, kept, decisions, chance float64) bool {
	if decisions == chance {
		return is == nil
	}
	return near(is, (kept-chance)/(decisions-chance))
}

func near(is *float64, want float64) bool { return is != nil && math.Abs(*is-want) < 1e-12 }

// TestGivenUp checks the report of a game in which the agent resigned.
func TestGivenUp(t *testing.T) {
	srv := newTestServer(t, &match.Memory{}, nil)
	cl := srv.client(t)
	game := mustCall[State](cl, "new_game", args{"side": "first"}).Game
	table, _, _ := strings.Cut(game, ".")
	v, err := srv.Hall.Visit(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	// This is possible on the web page, with the agent's token.
	if _, err := v.Table.Do(t.Context(), agentSeat, match.Resign, ""); err != nil {
		t.Fatal(err)
	}
	r := mustCall[GameReport](cl, "report", args{"game": game})
	if r.Score != 0 || r.Lost != r.Value || len(r.Moves) != 0 || r.Decisions != 1 || *r.Kept != 0 ||
		r.Of != 30 || *r.Chance != float64(r.Keep)/30 || r.CleanKappa != nil {
		t.Errorf("%+v", r)
	}
}
