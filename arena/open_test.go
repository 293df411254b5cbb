package arena

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"digitduel/digit"
)

// openClub returns an open run, and a function that begins a game in it and, unless it is to be
// left unfinished, plays it.
func openClub(t *testing.T) (c *club, d *Desk, play func(agent, opponent string, r digit.Rules, start string, side digit.Side, seed uint64, finish bool)) {
	t.Helper()
	_, solutions := agentPlan(t, 1)
	c = newClub(t, OpenPlan(5), solutions)
	d, err := c.open(1 << 30)
	if err != nil {
		t.Fatal(err)
	}
	return c, d, func(agent, opponent string, r digit.Rules, start string, side digit.Side, seed uint64, finish bool) {
		t.Helper()
		due := Due{Player: AgentPlayer(agent), Opponent: opponent, Rules: r, Start: start, Side: side, Seed: seed}
		table, err := c.sit(due)
		if err == nil {
			due, err = d.Begin(due, table)
		}
		if err == nil && finish {
			err = d.Keep(table, c.played[table])
		}
		if err != nil {
			t.Fatal(err)
		}
		c.over[due.Table] = finish
	}
}

func (c *club) report() *Summary {
	c.t.Helper()
	s, err := ReadRun(c.plan, strings.NewReader(timeless(c.t, c.games)), strings.NewReader(timeless(c.t, c.tables)), nil)
	if err != nil {
		c.t.Fatal(err)
	}
	sum := s.Summary()
	return &sum
}

// cells returns the cells of a summary, one per line.
func cells(s *Summary) string {
	var all []string
	for _, c := range s.Cells {
		all = append(all, fmt.Sprintf("%s %s-%s %d/%d %s", c.Rules, c.Player, c.Opponent, c.Pairs, c.Planned, percent(c.Score)))
	}
	return strings.Join(all, "\n")
}

// TestOpenRun pairs the games that agents chose. A game without a partner, or not over, leaves
// its cell without a score, but counts for what a player kept.
func TestOpenRun(t *testing.T) {
	const begin = "___/___"
	c, d, play := openClub(t)
	if sum := c.report(); sum.Games != 0 || sum.Complete || sum.Ratings.None != "no pair of games is complete" || sum.Open == nil {
		t.Errorf("before the first game: %+v", sum)
	}
	highest, first, second := digit.Highest, digit.First, digit.Second
	play("x", "master", highest, begin, first, 1, true)
	if got, want := cells(c.report()), "highest agent:x-master 0/1 –"; got != want {
		t.Errorf("one game:\n%s\nwant\n%s", got, want)
	}
	play("x", "master", highest, "5__/___", second, 2, true) // another start
	play("y", "master", highest, begin, second, 3, true)     // another agent
	play("x", "novice", highest, begin, second, 4, true)     // another opponent
	play("x", "master", digit.Sevens, "/", second, 5, true)  // other rules
	if got := c.report(); strings.Contains(cells(got), " 1/") || got.Open.Unpaired != 5 || got.Games != 5 || got.Players[0].Decisions == 0 || got.Players[0].Games != 4 {
		t.Errorf("none of these are a pair:\n%s\n%+v", cells(got), got)
	}
	play("x", "master", highest, begin, second, 6, true)
	play("x", "master", highest, "5__/___", first, 7, true)
	play("x", "novice", highest, begin, first, 8, true)
	play("x", "novice", highest, begin, first, 9, false) // this one is not over
	got := c.report()
	want := []string{"highest agent:x-master 2/2 ", "sevens agent:x-master 0/1 –", "highest agent:x-novice 1/2 –", "highest agent:y-master 0/1 –"}
	for i, line := range strings.Split(cells(got), "\n") {
		if !strings.HasPrefix(line, want[i]) || i == 0 && !strings.HasSuffix(line, " %") {
			t.Errorf("%s, want %s", line, want[i])
		}
	}
	if *got.Open != (OpenTotal{Unpaired: 2, Unfinished: 1}) || got.Games != 8 || got.Elo != nil {
		t.Errorf("%+v", got)
	}
	var b strings.Builder
	if err := got.Print(&b); err != nil || !strings.HasPrefix(b.String(), "8 games; without a partner (the same start with the seats swapped): 2; begun and not over: 1\n\n") {
		t.Errorf("%v: %s", err, b.String())
	}
	// The next desk finds the unfinished game.
	d2, err := c.open(1 << 30)
	if err != nil {
		t.Fatal(err)
	}
	if left := d2.UnderWay(); len(left) != 1 || left[0].Game != 9 || d2.Planned() || d2.Complete() || d2.Plan.ID != d.Plan.ID {
		t.Errorf("%+v", left)
	}
	table := d2.UnderWay()[0].Table
	if err := d2.Keep(table, c.played[table]); err != nil {
		t.Fatal(err)
	}
	if err := d2.Keep(table, c.played[table]); err != nil || len(d2.UnderWay()) != 0 {
		t.Errorf("a game that is kept: %v", err)
	}
	if got := c.report(); got.Games != 9 || *got.Open != (OpenTotal{Unpaired: 3}) {
		t.Errorf("%+v", got)
	}
}

// TestOpenScale plays the same pairs in an open run as in a planned one, with the same figures.
// Agents that met the same levels are rated on one scale, even with other games without a
// partner.
func TestOpenScale(t *testing.T) {
	plan, solutions := agentPlan(t, 12)
	planned := newClub(t, plan, solutions)
	if err := planned.visit(rand.New(rand.NewPCG(1, 1)), 1<<30); err != nil {
		t.Fatal(err)
	}
	want := planned.report()
	c, _, play := openClub(t)
	for n := range plan.Games() {
		due := plan.Due(n + 1)
		play("x", due.Opponent, due.Rules, due.Start, due.Side, due.Seed, true)
	}
	got := c.report()
	if got.Ratings.None != "" || want.Ratings.None != "" {
		t.Fatalf("there are no ratings: %s %s", got.Ratings.None, want.Ratings.None)
	}
	for i, p := range want.Players {
		if o := got.Players[i]; o.Player != p.Player || *o.Score != *p.Score || *o.Kappa != *p.Kappa || *o.Regret != *p.Regret || o.Decisions != p.Decisions ||
			got.Ratings.Players[i].Elo != want.Ratings.Players[i].Elo {
			t.Errorf("open %+v %+v\nplanned %+v %+v", o, got.Ratings.Players[i], p, want.Ratings.Players[i])
		}
	}
	for n := range plan.Games() {
		due := plan.Due(n + 1)
		play("y", due.Opponent, due.Rules, due.Start, due.Side, due.Seed+1, true)
	}
	play("z", "casual", digit.Highest, "___/___", digit.First, 1, true)
	play("z", "casual", digit.Sevens, "/", digit.First, 1, false)
	got = c.report()
	var names []string
	for _, r := range got.Ratings.Players {
		names = append(names, r.Name)
	}
	if s := strings.Join(names, " "); s != "agent:x agent:y master novice" {
		t.Errorf("rated: %s %s", s, got.Ratings.None)
	}
	var again strings.Builder
	if err := got.Print(&again); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		var b strings.Builder
		if err := c.report().Print(&b); err != nil || b.String() != again.String() {
			t.Fatalf("the same games come to another report: %v\n%s\n%s", err, b.String(), again.String())
		}
	}
}

// TestOpenRefuses checks the errors for the files of an open run.
func TestOpenRefuses(t *testing.T) {
	c, _, play := openClub(t)
	play("x", "master", digit.Highest, "___/___", digit.First, 1, true)
	play("x", "novice", digit.Highest, "___/___", digit.Second, 2, true)
	games, tables := timeless(t, c.games), timeless(t, c.tables)
	first, _, _ := strings.Cut(games, "\n")
	for _, v := range []struct{ games, tables, want string }{
		{games, tables, ""},
		{games[:len(games)-9], tables, ""},
		{games, "", "line 1: game 1 was never begun, or appears twice"},
		{first + "\n" + first + "\n", tables, "line 2: game 1 was never begun, or appears twice"},
		{games, strings.Replace(tables, "novice", "casual", 1), "line 2: game 2: not the game that was begun: agent:x against casual in highest from ___/___"},
		{games, strings.Replace(tables, "novice", "sage", 1), `the list of tables: line 2: unknown level "sage" (use one of beginner, novice, casual, skilled, expert, master, perfect)`},
		{games, strings.Replace(tables, "agent:x", "x", 1), `the list of tables: line 1: player "x": not an agent`},
	} {
		got := ""
		if _, err := ReadRun(c.plan, strings.NewReader(v.games), strings.NewReader(v.tables), nil); err != nil {
			got = err.Error()
		}
		if got != v.want {
			t.Errorf("%q, want %q", got, v.want)
		}
	}
	if p, err := ReadPlan(c.plan.Text()); err != nil || p.ID != c.plan.ID || p.ID == OpenPlan(6).ID {
		t.Errorf("the plan of an open run: %v", err)
	}
}
