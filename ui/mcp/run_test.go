package mcp

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"digitduel/arena"
	"digitduel/arena/engine"
	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// runPlan returns the plan of a run of an agent, and of the same match between programs.
func runPlan(t *testing.T, change func(*arena.Plan)) (run, same *arena.Plan) {
	t.Helper()
	var solutions []*solve.Solution
	for _, r := range []digit.Rules{digit.Highest, digit.Sevens} {
		s, err := solver.Solve(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		solutions = append(solutions, s)
	}
	starts, err := arena.ParseStarts("won:ply=1-3", nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, players := range [][]string{{"agent:x", "master", "novice"}, {"engine:x", "engine:master", "engine:novice"}} {
		p := &arena.Plan{Players: players, Format: arena.Gauntlet, Rules: []digit.Rules{digit.Highest, digit.Sevens}, Pairs: 3, Retries: 2, Seed: 7, MoveTime: int64(i)}
		if change != nil {
			change(p)
		}
		if err := p.Draw(starts, solutions); err != nil {
			t.Fatal(err)
		}
		run, same = same, p
	}
	return run, same
}

// openDesk opens the desk of a run that is kept in a folder.
func openDesk(t *testing.T, dir string, plan *arena.Plan) *arena.Desk {
	t.Helper()
	var files [2]*os.File
	for i, name := range []string{"games.jsonl", "tables.jsonl"} {
		var err error
		if files[i], err = os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = files[i].Close() }) // every line is synced
	}
	desk, err := arena.OpenDesk(arena.DeskConfig{Plan: plan, Games: files[0], Tables: files[1]})
	if err != nil {
		t.Fatal(err)
	}
	return desk
}

// running opens a house with a desk, as after a restart of the program.
func running(t *testing.T, store *match.Memory, dir string, plan *arena.Plan, change func(*Config)) (*guest, *arena.Desk) {
	t.Helper()
	h := open(t, store, func(c *Config) {
		c.Desk = openDesk(t, dir, plan)
		if change != nil {
			change(c)
		}
	})
	if err := h.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	return h.guest(t), h.Desk
}

// choose plays as a level does, always the same in the same position.
func (g *guest) choose(level bot.Level, s State) string {
	g.Helper()
	r, err := digit.ParseRules(s.Rules)
	if err != nil {
		g.Fatal(err)
	}
	solution, err := solver.Solve(g.Context(), r)
	if err != nil {
		g.Fatal(err)
	}
	p, err := r.ParsePosition(s.Position)
	if err != nil {
		g.Fatal(err)
	}
	return bot.New(level, solution, chance(1)).Choose(p).String()
}

var times = regexp.MustCompile(`"ms":[0-9.e-]+`)

func gamesIn(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "games.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return times.ReplaceAllString(string(text), `"ms":0`)
}

// TestPlannedRun plays a run perfectly, and restarts the program after every few moves. It is
// written as a match, and throws nothing away; the same moves in a match between programs give the
// same lines.
func TestPlannedRun(t *testing.T) {
	plan, same := runPlan(t, nil)
	dir, store := t.TempDir(), &match.Memory{}
	rng := chance(3)
	games := map[string]bool{}
	var last string
	for starts := 0; last == ""; starts++ {
		if starts > 500 {
			t.Fatal("the run does not end")
		}
		g, desk := running(t, store, dir, plan, nil)
		for left := 1 + rng.IntN(30); left > 0; left-- {
			s, refused := try[State](g, "new_game", args{})
			if refused {
				last = s.Reason
				break
			}
			games[s.Game] = true
			for s.Result == "*" && left > 0 {
				left--
				if s.TriesLeft == 3 && rng.IntN(9) == 0 { // it goes on with another answer
					s, _ = try[State](g, "play", args{"game": s.Game, "move": "what?"})
				}
				s = got[State](g, "play", args{"game": s.Game, "move": g.choose(bot.Perfect(), s)})
			}
			if why := reasonOf(g, "report", s.Game); s.Result != "*" && !desk.Complete() && !strings.HasSuffix(why, "; this run has reports after all 24 games") {
				t.Fatalf("a report before the run is complete: %q", why)
			}
		}
	}
	if !strings.HasPrefix(last, "all 24 games of this run are played: you took ") || !strings.Contains(last, " of 24 points and threw away 0.00 a game; ") || !strings.HasSuffix(last, ": kappa 1.000") || len(games) != plan.Games() {
		t.Errorf("%q after %d games, want %d", last, len(games), plan.Games())
	}
	text := gamesIn(t, dir)
	standing, err := arena.ReadRun(plan, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	sum := standing.Summary()
	if agent := sum.Players[0]; !sum.Complete || agent.Player != "agent:x" || *agent.Kappa != 1 || *agent.Regret != 0 || agent.Retried[engine.Unreadable] == 0 || agent.Games != 24 {
		t.Errorf("%+v", agent)
	}
	if want := replayed(t, same, text); text != want {
		t.Errorf("a match between programs of the same moves is\n%s\nand the run\n%s", want, text)
	}
}

func reasonOf(g *guest, tool, game string) string {
	g.Helper()
	why, _ := try[Refusal](g, tool, args{"game": game})
	return why.Reason
}

// replayed plays the games of a run in a match between programs who answer as was played there.
func replayed(t *testing.T, plan *arena.Plan, run string) string {
	t.Helper()
	var lines []arena.Game
	for line := range strings.Lines(run) {
		var g arena.Game
		if err := json.Unmarshal([]byte(line), &g); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, g)
	}
	dir := t.TempDir()
	file, err := os.Create(filepath.Join(dir, "games.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // every line is synced
	var solutions []*solve.Solution
	for _, r := range plan.Rules {
		s, err := solver.Solve(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		solutions = append(solutions, s)
	}
	book := &prompter{lines: lines}
	r := arena.Runner{Plan: plan, Solutions: solutions, Concurrency: 1, Open: func(context.Context, string) (arena.Engine, error) { return book, nil }}
	if _, err := r.Run(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(gamesIn(t, dir), plan.ID, lines[0].Plan)
	return strings.NewReplacer(`"engine:x"`, `"agent:x"`, `"engine:`, `"`).Replace(text)
}

// A prompter answers for all players as was played before, game after game; wrong answers come as
// often as they did.
type prompter struct {
	lines []arena.Game
	calls int // of NewGame: two a game
	wrong int // in this position
}

func (p *prompter) NewGame(context.Context, digit.Rules, uint64) error {
	p.calls++
	return nil
}

func (p *prompter) Choose(_ context.Context, _ digit.Position, moves []digit.Move, _ time.Duration) (arena.Answer, error) {
	made := p.lines[(p.calls-1)/2].Moves[len(moves)]
	if p.wrong < len(made.Faults) {
		p.wrong++
		return arena.Answer{}, &engine.FaultError{Fault: made.Faults[p.wrong-1]}
	}
	p.wrong = 0
	return arena.Answer{Move: made.Move}, nil
}

func (p *prompter) Close() {}

// crowded are the limits of a server for several clients.
type crowded struct{ noLimits }

// TestParallelRun lets four agents play one run at once, on a server that restarts in the middle:
// one agent continues its game there, the others have lost theirs. Each game is played once.
func TestParallelRun(t *testing.T) {
	plan, _ := runPlan(t, nil)
	dir, store := t.TempDir(), &match.Memory{}
	server := func() (*house, *arena.Desk) {
		h := open(t, store, func(c *Config) { c.Desk, c.Limits = openDesk(t, dir, plan), crowded{} })
		if err := h.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		return h, h.Desk
	}
	h, _ := server()
	first := h.guest(t)
	var left []State
	for range 4 {
		left = append(left, got[State](first, "new_game", args{}))
	}
	h, desk := server()
	var mu sync.Mutex
	played := map[string]int{} // by game, how often it was handed out
	var all sync.WaitGroup
	for n := range 4 {
		g := h.guest(t)
		mine := left[0]
		if n > 0 {
			mine = State{Result: "over"}
		}
		all.Go(func() {
			for {
				for mine.Result == "*" {
					mine = got[State](g, "play", args{"game": mine.Game, "move": g.choose(bot.Levels[0], mine)})
				}
				s, refused := try[State](g, "new_game", args{})
				switch {
				case strings.HasPrefix(s.Reason, "all 24 games"):
					return
				case refused && !strings.HasPrefix(s.Reason, "other agents play the games that are left; "):
					t.Errorf("%q", s.Reason)
					return
				case refused:
					runtime.Gosched() // until another agent is done
				default:
					mu.Lock()
					played[s.Game]++
					mu.Unlock()
					mine = s
				}
			}
		})
	}
	all.Wait()
	if played[left[0].Game] != 0 || len(played) != plan.Games()-1 || played[left[1].Game] != 1 || !desk.Complete() {
		t.Errorf("%d games of %d were handed out: %v", len(played), plan.Games(), played)
	}
	for game, n := range played {
		if n != 1 {
			t.Errorf("%s was handed out %d times", game, n)
		}
	}
	standing, err := arena.ReadRun(plan, strings.NewReader(gamesIn(t, dir)))
	if err != nil || !standing.Done() {
		t.Errorf("%v", err)
	}
}

// TestEndedElsewhere: a game of a run that ended at another server is kept when it is looked at.
func TestEndedElsewhere(t *testing.T) {
	plan, _ := runPlan(t, nil)
	store := &match.Memory{}
	g, desk := running(t, store, t.TempDir(), plan, nil)
	s := got[State](g, "new_game", args{})
	for other := open(t, store, nil).guest(t); s.Result == "*"; {
		s, _ = try[State](other, "play", args{"game": s.Game, "move": "?"})
	}
	id, _, _ := strings.Cut(s.Game, ".")
	if why := reasonOf(g, "report", s.Game); !strings.Contains(why, "forfeit; this run has reports") || desk.Awaits(id) {
		t.Errorf("%s; under way: %v", why, desk.UnderWay())
	}
}

// TestHandedOut says what an agent may not choose in a planned run, and what it is given only when
// other games are over.
func TestHandedOut(t *testing.T) {
	plan, _ := runPlan(t, func(p *arena.Plan) { p.Pairs = 1 })
	dir, store := t.TempDir(), &match.Memory{}
	g, desk := running(t, store, dir, plan, nil)
	if told := g.session.InitializeResult().Instructions; !strings.Contains(told, reportAfterRun) || strings.Contains(told, reportAfterGame) {
		t.Errorf("told %q", told)
	}
	if none, refused := try[Refusal](g, "report", args{"exam": "any"}); !refused || none.Reason != "exam: this server has no exams" {
		t.Errorf("an exam is told of: %+v", none)
	}
	if why, refused := try[Refusal](g, "new_game", args{"rules": "highest"}); !refused || why.Reason != `unknown argument "rules"; arguments: none` {
		t.Errorf("%+v", why)
	}
	if strings.Contains(g.listed(), "legal_moves") {
		t.Error("legal_moves is offered, but the run does not list moves")
	}
	var games []State
	for range 4 { // against two opponents in two games; from the same starts the computer would show what to play
		s := got[State](g, "new_game", args{})
		if games = append(games, s); len(s.Moves) != 0 || len(s.Played) != 0 {
			t.Errorf("%+v", s)
		}
	}
	s, refused := try[State](g, "new_game", args{})
	var ids []string
	for _, game := range games {
		ids = append(ids, game.Game)
	}
	slices.SortFunc(ids, func(a, b string) int {
		return slices.IndexFunc(desk.UnderWay(), func(d arena.Due) bool { return strings.HasPrefix(a, d.Table+".") }) -
			slices.IndexFunc(desk.UnderWay(), func(d arena.Due) bool { return strings.HasPrefix(b, d.Table+".") })
	})
	if want := "finish these games first: " + strings.Join(ids, ", ") + "; call state to see them"; !refused || s.Reason != want {
		t.Errorf("%q, want %q", s.Reason, want)
	}
	// One game uses up its tries; then the program restarts, an agent continues another one by its
	// id, and the rest is handed out.
	for s = games[0]; s.Result == "*"; {
		s, _ = try[State](g, "play", args{"game": s.Game, "move": "9z"})
	}
	if s.Result != "0-1 forfeit" {
		t.Errorf("%s", s.Result)
	}
	g, _ = running(t, store, dir, plan, nil)
	s = got[State](g, "state", args{"game": games[1].Game})
	for i := range plan.Games() - 1 {
		if i > 0 {
			s = got[State](g, "new_game", args{})
		}
		if i > 0 && i < 3 != slices.ContainsFunc(games[2:], func(begun State) bool { return begun.Game == s.Game }) || i > 0 && s.Game == games[1].Game {
			t.Errorf("game %d after the restart is %s", i, s.Game)
		}
		for s.Result == "*" {
			s = got[State](g, "play", args{"game": s.Game, "move": g.choose(bot.Levels[0], s)})
		}
	}
	s, refused = try[State](g, "new_game", args{})
	if text := gamesIn(t, dir); !refused || !strings.HasPrefix(s.Reason, "all 8 games of this run are played: ") || strings.Count(text, "\n") != 8 || strings.Count(text, `"fault":"unreadable"`) != 1 {
		t.Errorf("%q\n%s", s.Reason, text)
	}
	// Now it may know.
	if r := got[GameReport](g, "report", args{"game": games[0].Game}); len(r.Faults) != 3 || r.Score != 0 {
		t.Errorf("%+v", r)
	}
	// A database without the tables is not the one of the run.
	if err := os.Truncate(filepath.Join(dir, "games.jsonl"), 0); err != nil {
		t.Fatal(err)
	}
	h := open(t, &match.Memory{}, func(c *Config) { c.Desk = openDesk(t, dir, plan) })
	if err := h.Settle(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "game 1 was begun at table ") || !strings.HasSuffix(err.Error(), ", which is not in this database") {
		t.Error(err)
	}
}

// elsewhere takes up the table of a game where nobody plays for the computer, and plays the agent's
// next move there.
func (g *guest) elsewhere(store *match.Memory, s State) *match.Table {
	g.Helper()
	id, _, _ := strings.Cut(s.Game, ".")
	table, err := match.Resume(g.Context(), id, store, chance(1))
	if err != nil {
		g.Fatal(err)
	}
	g.Cleanup(table.Close)
	m, err := digit.ParseMove(g.choose(bot.Perfect(), s))
	if err != nil {
		g.Fatal(err)
	}
	if _, err := table.Play(g.Context(), agentSeat, m, table.State().Seq); err != nil || !table.State().Playing() {
		g.Fatal(err)
	}
	return table
}

// TestAnsweredLater kills the program between the agent's last move and the computer's, which ends
// the game: that is played and kept after the next start, and another game is handed out.
func TestAnsweredLater(t *testing.T) {
	plan, _ := runPlan(t, func(p *arena.Plan) { p.Pairs = 1 })
	dir, store := t.TempDir(), &match.Memory{}
	g, _ := running(t, store, dir, plan, nil)
	s := got[State](g, "new_game", args{})
	for len(s.Left) > len("1 2 3 4 5") { // of nine digits, two moves before the end
		s = got[State](g, "play", args{"game": s.Game, "move": g.choose(bot.Perfect(), s)})
	}
	id := g.elsewhere(store, s).ID()
	g, desk := running(t, store, dir, plan, nil)
	next := got[State](g, "new_game", args{})
	if next.Game == s.Game || next.Result != "*" || desk.Awaits(id) {
		t.Errorf("%+v was handed out after %+v", next, s)
	}
}

// TestGivenUpUnanswered gives up a game for the agent before the computer has answered: the agent
// has lost it, and the run goes on.
func TestGivenUpUnanswered(t *testing.T) {
	plan, _ := runPlan(t, func(p *arena.Plan) { p.Pairs = 1 })
	dir, store := t.TempDir(), &match.Memory{}
	g, _ := running(t, store, dir, plan, nil)
	table := g.elsewhere(store, got[State](g, "new_game", args{}))
	if _, err := table.Do(t.Context(), agentSeat, match.Resign, ""); err != nil {
		t.Fatal(err)
	}
	g, desk := running(t, store, dir, plan, nil)
	for range 2 { // against the other opponent, and the partner
		for s := got[State](g, "new_game", args{}); s.Result == "*"; {
			s = got[State](g, "play", args{"game": s.Game, "move": g.choose(bot.Perfect(), s)})
		}
	}
	text := gamesIn(t, dir)
	if desk.Awaits(table.ID()) || strings.Count(text, "\n") != 2 || !strings.Contains(text, `"moves":[],"position":"_7_/4__","result":"0-1 left","fault":"crashed","forfeited":1,"keep":11,"of":14}`) {
		t.Errorf("%s", text)
	}
}

// TestGivenUpUnopened gives up a game for the agent before the computer has opened it: the agent
// loses, though it is the computer's turn, or the computer's first move ends the game.
func TestGivenUpUnopened(t *testing.T) {
	h := open(t, &match.Memory{}, nil)
	for _, v := range []struct{ side, start, result, fault string }{
		{"second", "start", "1-0 left", "crashed"}, {"first", "95_/8__", "0-1 left", "crashed"}, {"first", "952/87_", "1-0 higher", ""},
	} {
		seed := uint64(1)
		setup, err := h.setup(t.Context(), "x", NewGame{Rules: "highest", Opponent: "master", Side: v.side, Start: v.start, Seed: &seed})
		if err != nil {
			t.Fatal(err)
		}
		table, err := match.Open(t.Context(), match.NewID(h.Now()), setup, &match.Memory{}, chance(1))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(table.Close)
		if _, err := table.Begin(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := table.Do(t.Context(), agentSeat, match.Resign, ""); err != nil {
			t.Fatal(err)
		}
		g, err := h.judged(t.Context(), table)
		if err != nil || len(g.Moves) != 1 || g.Result.String() != v.result || string(g.Fault) != v.fault {
			t.Errorf("%s from %s: %+v, %v; want %s %s", v.side, v.start, g, err, v.result, v.fault)
		}
	}
}

// bookNames returns an expression for the names of all games.
func bookNames() string {
	var names []string
	for _, b := range slices.Concat(digit.Books, digit.Fair) {
		names = append(names, b.Name)
	}
	return strings.Join(names, "|")
}

// listed returns everything that a client gets before it makes a request.
func (g *guest) listed() string {
	g.Helper()
	tools, err := g.session.ListTools(g.Context(), nil)
	if err != nil {
		g.Fatal(err)
	}
	resources, err := g.session.ListResources(g.Context(), nil)
	if err != nil {
		g.Fatal(err)
	}
	templates, err := g.session.ListResourceTemplates(g.Context(), nil)
	if err != nil {
		g.Fatal(err)
	}
	text, err := json.Marshal([]any{g.session.InitializeResult(), tools, resources, templates})
	if err != nil {
		g.Fatal(err)
	}
	return string(text)
}

// TestDisguisedRun plays a run in other words: the lines are those of a match in digits.
func TestDisguisedRun(t *testing.T) {
	plan, same := runPlan(t, func(p *arena.Plan) { p.Pairs, p.ShowMoves, p.Disguise = 1, true, new(uint64(7)) })
	dir := t.TempDir()
	g, _ := running(t, &match.Memory{}, dir, plan, nil)
	if names := regexp.MustCompile(`(?i)digit|multiple|`+bookNames()).FindAllString(g.listed(), -1); names != nil {
		t.Errorf("what is listed tells the games: %q", names)
	}
	for range plan.Games() {
		for s := got[State](g, "new_game", args{}); s.Result == "*"; {
			if strings.ContainsAny(strings.Join(s.Moves, ""), "0123456789") {
				t.Fatalf("there are digits in %q", s.Moves)
			}
			s = got[State](g, "play", args{"game": s.Game, "move": s.Moves[0]})
		}
	}
	text := gamesIn(t, dir)
	if want := replayed(t, same, text); text != want || strings.Count(text, "\n") != 8 {
		t.Errorf("the run is\n%s\nwant\n%s", text, want)
	}
}
