package arena

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"digitduel/arena/engine"
	"digitduel/bot"
	"digitduel/digit"
	"digitduel/solve"
)

// agentPlan returns a plan for the run of an agent against two levels.
func agentPlan(t *testing.T, pairs int) (*Plan, []*solve.Solution) {
	t.Helper()
	var p Plan
	var solutions []*solve.Solution
	for _, r := range []digit.Rules{digit.Highest, digit.Sevens} {
		s, err := solve.Solve(t.Context(), r, solve.Config{})
		if err != nil {
			t.Fatal(err)
		}
		p.Rules, solutions = append(p.Rules, r), append(solutions, s)
	}
	from, err := ParseStarts("won:ply=1-3", nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Players, p.Format, p.Pairs, p.Retries, p.Seed = []string{"agent:x", "master", "novice"},
		Gauntlet, pairs, 2, 7
	if err := p.Draw(from, solutions); err != nil {
		t.Fatal(err)
	}
	return &p, solutions
}

// An agentRun is the run of an agent: its files, and the tables of its games. The tables outlast
// every desk.
type agentRun struct {
	t             *testing.T
	plan          *Plan
	solutions     []*solve.Solution
	games, tables *os.File
	played        map[string]Game // the game at a table, as it will be played
	over          map[string]bool // whether the game at a table is over
}

func newAgentRun(t *testing.T, plan *Plan, solutions []*solve.Solution) *agentRun {
	t.Helper()
	c := &agentRun{t: t, plan: plan, solutions: solutions, played: map[string]Game{},
		over: map[string]bool{}}
	for name, file := range map[string]**os.File{"games.jsonl": &c.games,
		"tables.jsonl": &c.tables} {
		var err error
		if *file, err = os.Create(filepath.Join(t.TempDir(), name)); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = (*file).Close() }) // the content is synced
	}
	return c
}

// open opens the desk again. Writes fail with errPower after the given number of bytes.
func (c *agentRun) open(power int) (*Desk, error) {
	c.t.Helper()
	for _, file := range []*os.File{c.games, c.tables} {
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			c.t.Fatal(err)
		}
	}
	return OpenDesk(DeskConfig{Plan: c.plan, Games: &shortFile{c.games, power},
		Tables: &shortFile{c.tables, power / 3}})
}

// openTable opens a table for a game, and plays it in advance: the agent plays random moves from
// the seed.
func (c *agentRun) openTable(due Due) (string, error) {
	if due.Table != "" {
		return due.Table, nil
	}
	s := c.solutions[slices.IndexFunc(c.solutions,
		func(s *solve.Solution) bool { return s.Rules() == due.Rules })]
	p, err := due.Rules.ParsePosition(due.Start)
	if err != nil {
		return "", err
	}
	level, err := bot.ParseLevel(due.Opponent)
	if err != nil {
		return "", err
	}
	rng := rand.New(rand.NewPCG(due.Seed, 1))
	start, players, moves, fault := p, [2]string{due.Opponent, due.Opponent}, []Move{},
		engine.Fault("")
	players[due.Side] = due.Player
	for !due.Rules.Result(p).Over() {
		m, tries := digit.Move{}, 1
		if due.Rules.Turn(p) == due.Side {
			if tries += rng.IntN(4) / 2 * rng.IntN(3); tries > 2 {
				fault = engine.Illegal
				break
			}
			m, _ = due.Rules.Pick(p, rng.IntN)
		} else {
			m = bot.Foretold(level, s, due.Seed, 1, due.Rules.Ply(p)).Choose(p)
		}
		moves = append(moves, Move{Move: m, Tries: tries, MS: 5})
		p, _ = due.Rules.Play(p, m)
	}
	table := fmt.Sprintf("t%d", len(c.played))
	c.played[table], err = EvaluateGame(s, start, players, moves, fault)
	return table, err
}

// keepOver keeps the games that were over before their lines were written, as every program that
// opens a desk must.
func (c *agentRun) keepOver(d *Desk) error {
	for _, due := range d.UnderWay() {
		if c.over[due.Table] {
			if err := d.Keep(due.Table, c.played[due.Table]); err != nil {
				return err
			}
		}
	}
	return nil
}

// playOn plays up to four games at a time, until all are played or the power fails.
func (c *agentRun) playOn(rng *rand.Rand, power int) error {
	d, err := c.open(power)
	if err != nil {
		return err
	}
	if err := c.keepOver(d); err != nil {
		return err
	}
	var at []string
	handed := map[int]bool{}
	newFirst := rng.IntN(2) == 0
	if left := d.UnderWay(); len(left) > 0 && rng.IntN(2) == 0 { // resume a game under way
		d.Claim(left[0].Table)
		handed[left[0].Game] = true
		at = append(at, left[0].Table)
	}
	for {
		due, err := d.Hand(newFirst, c.openTable)
		switch {
		case err == nil:
			if handed[due.Game] {
				c.t.Fatalf("game %d was handed out twice", due.Game)
			}
			handed[due.Game] = true
			at = append(at, due.Table)
			c.checkFree(due)
		case errors.Is(err, ErrComplete):
			if !d.Complete() || len(at) > 0 {
				c.t.Fatalf("the run is complete, but %d games are under way", len(at))
			}
			return nil
		case !errors.Is(err, ErrHanded):
			return err
		}
		for len(at) > 0 && (err != nil || len(at) == 4 || rng.IntN(3) > 0) {
			i := rng.IntN(len(at))
			table := at[i]
			at = slices.Delete(at, i, i+1)
			c.over[table] = true
			for range 2 {
				if err := d.Keep(table, c.played[table]); err != nil {
					return err
				}
			}
		}
	}
}

// checkFree fails the test if a game that the computer opens is handed out before the agent has
// played all its own games from the same start.
func (c *agentRun) checkFree(due Due) {
	c.t.Helper()
	own := func(rules digit.Rules, text string, side digit.Side) bool {
		start, err := rules.ParsePosition(text)
		return err == nil && rules.Turn(start) == side
	}
	if own(due.Rules, due.Start, due.Side) {
		return
	}
	played := 0
	for table, g := range c.played {
		if g.Rules == due.Rules && g.Start == due.Start && c.over[table] &&
			own(g.Rules, g.Start, sideOf(&g, due.Player)) {
			played++
		}
	}
	if opponents := len(c.plan.Players) - 1; played < opponents {
		c.t.Fatalf("game %d from %s is handed out, but only %d of %d opened by the agent are over",
			due.Game, due.Start, played, opponents)
	}
}

func sideOf(g *Game, player string) digit.Side {
	if g.First.Player == player {
		return digit.First
	}
	return digit.Second
}

// TestDesk cuts the power at random bytes of both files, and resumes each time. It checks that the
// games are those of an uninterrupted run, in the order of the plan, and that none is played twice.
func TestDesk(t *testing.T) {
	plan, solutions := agentPlan(t, 8)
	whole := newAgentRun(t, plan, solutions)
	if err := whole.playOn(rand.New(rand.NewPCG(1, 1)), 1<<30); err != nil {
		t.Fatal(err)
	}
	want := timeless(t, whole.games)
	if n := strings.Count(want, "\n"); n != plan.Games() || n != 2*8*2*2 {
		t.Fatalf("got %d games, want %d", n, plan.Games())
	}
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 2))
		c := newAgentRun(t, plan, solutions)
		for cuts := 0; ; cuts++ {
			err := c.playOn(rng, 200+rng.IntN(9000))
			if err == nil {
				break
			}
			if !errors.Is(err, errPower) || cuts > 1000 {
				t.Fatal(err)
			}
		}
		if got := timeless(t, c.games); got != want {
			t.Fatalf("an interrupted run differs from an uninterrupted one: %d and %d bytes",
				len(got), len(want))
		}
	}
	// ReadRun reads it like any match.
	standing, err := ReadRun(plan, strings.NewReader(want))
	if err != nil {
		t.Fatal(err)
	}
	sum := standing.Summary()
	if agent := sum.Players[0]; !sum.Complete || agent.Player != "agent:x" ||
		agent.Games != plan.Games() || agent.Faults[engine.Illegal] == 0 || len(sum.Cells) != 4 ||
		sum.Cells[0].Score == nil {
		t.Errorf("got the summary %+v", sum)
	}
}

// TestDeskFree checks that all games that the agent opens are handed out before any is over, and
// that the end of a game frees those that waited only for it.
func TestDeskFree(t *testing.T) {
	plan, solutions := agentPlan(t, 2)
	c := newAgentRun(t, plan, solutions)
	d, err := c.open(1 << 30)
	if err != nil {
		t.Fatal(err)
	}
	hand := func() (all []Due) {
		for {
			due, err := d.Hand(false, c.openTable)
			if errors.Is(err, ErrHanded) {
				return all
			}
			if err != nil {
				t.Fatal(err)
			}
			c.checkFree(due)
			all = append(all, due)
		}
	}
	own := hand()
	if len(own) != plan.Games()/2 {
		t.Fatalf("%d of %d games are free at the start, want half", len(own), plan.Games())
	}
	for i, due := range slices.Backward(own) {
		c.over[due.Table] = true
		if err := d.Keep(due.Table, c.played[due.Table]); err != nil {
			t.Fatal(err)
		}
		// There are two opponents, so every second game is the last of its start.
		if freed := hand(); len(freed) != 2-2*(i%2) {
			t.Errorf("the end of game %d frees %d games", due.Game, len(freed))
		}
	}
}

// TestDeskRefuses checks the errors for wrong files.
func TestDeskRefuses(t *testing.T) {
	plan, solutions := agentPlan(t, 2)
	whole := newAgentRun(t, plan, solutions)
	if err := whole.playOn(rand.New(rand.NewPCG(1, 1)), 1<<30); err != nil {
		t.Fatal(err)
	}
	games, tables := timeless(t, whole.games), timeless(t, whole.tables)
	match, _ := planOf(t, Plan{Players: []string{"perfect", "novice"}, Pairs: 1},
		"beginning", "highest")
	for _, v := range []struct {
		plan          *Plan
		games, tables string
		want          string // "" if the files are right
	}{
		{plan, games, tables, ""},
		{plan, games[:len(games)-1], tables, ""},
		{plan, "", tables[:len(tables)-1], ""},
		{match, "", "", "not a run of an agent: its players are started by duel match"},
		{plan, games, "", "the games: game 1 is stored, but was never begun"},
		{plan, games, strings.Replace(tables, `"game":3`, `"game":1`, 1),
			"the list of tables: line 2: game 1: begun twice"},
		{plan, games, strings.Replace(tables, `"game":3`, `"game":17`, 1),
			"the list of tables: line 2: game 17: not in the plan"},
		{plan, games, strings.Replace(tables, `"t1"`, `"t0"`, 1),
			`the list of tables: line 2: table "t0": each game needs its own table`},
		{plan, games, strings.Replace(tables, "master", "novice", 1),
			"the list of tables: line 1: the plan has other rules, players or another start there"},
		{plan, games, "{\n" + tables, "the list of tables: line 1: invalid JSON: unexpected EOF"},
		{plan, games + games, tables, "the games: line 17: not in the plan: it has fewer games"},
		{plan, strings.Replace(games, plan.ID, "000000000000", 1), tables,
			"the games: line 1: it belongs to plan 000000000000, not " + plan.ID},
	} {
		c := newAgentRun(t, v.plan, solutions)
		for file, text := range map[*os.File]string{c.games: v.games, c.tables: v.tables} {
			if _, err := file.WriteString(text); err != nil {
				t.Fatal(err)
			}
		}
		got := ""
		if _, err := c.open(1 << 30); err != nil {
			got = err.Error()
		}
		if got != v.want {
			t.Errorf("got the error %q, want %q", got, v.want)
		}
	}
	// Keep refuses a game that was not handed out, and an inconsistent one.
	c := newAgentRun(t, plan, solutions)
	d, err := c.open(1 << 30)
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("no table")
	if _, err := d.Hand(false, func(Due) (string, error) { return "", broken }); !errors.Is(err, broken) {
		t.Fatal(err)
	}
	due, err := d.Hand(false, c.openTable)
	if err != nil || due.Game != 1 {
		t.Fatalf("after a failed attempt: game %d, %v", due.Game, err)
	}
	other := c.played[due.Table]
	other.Start = "___/___"
	if err := d.Keep(due.Table, other); err == nil ||
		!strings.HasPrefix(err.Error(), "game 1: not the game that was begun: highest from ") {
		t.Error(err)
	}
	other = c.played[due.Table]
	other.First.Regret++
	if err := d.Keep(due.Table, other); !errors.Is(err, errLedger) {
		t.Error(err)
	}
}

// TestAgentPlans checks that some plans are refused for an agent, and the games of a plan.
func TestAgentPlans(t *testing.T) {
	for _, change := range []func(*Plan){
		func(p *Plan) { p.Format = RoundRobin }, func(p *Plan) { p.Players[1] = "agent:y" }, func(p *Plan) { p.Players[1] = "engine:./y" },
		func(p *Plan) { p.Players[0], p.Players[1] = p.Players[1], p.Players[0] }, func(p *Plan) { p.MoveTime = 5 }, func(p *Plan) { p.Retries = 100 },
		func(p *Plan) { p.Players[0] = "agent:" }, func(p *Plan) { p.Format = "open" },
	} {
		plan, _ := agentPlan(t, 1)
		change(plan)
		if err := plan.check(); err == nil {
			t.Errorf("%+v is accepted", plan)
		}
	}
	plan, _ := agentPlan(t, 20)
	seeds := map[uint64]bool{}
	for n := range plan.Games() {
		due := plan.Due(n + 1)
		if due.Seed > maxSeed || seeds[due.Seed] || due.Tries != 3 {
			t.Errorf("a used or large seed, or wrong tries: %+v", due)
		}
		seeds[due.Seed] = true
	}
}
