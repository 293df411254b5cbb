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

// runPlan returns the plan of a run by an agent, and that of the same match between engines.
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
	for i, players := range [][]string{
		{"agent:x", "master", "novice"}, {"engine:x", "engine:master", "engine:novice"},
	} {
		p := &arena.Plan{
			Players: players, Format: arena.Gauntlet, Rules: []digit.Rules{digit.Highest, digit.Sevens},
			Pairs: 3, Retries: 2, Seed: 7, MoveTime: int64(i),
		}
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

// openDesk opens the desk of a run in a folder.
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

// startRun starts or resumes a run at a new server, as after a restart, and returns a client.
func startRun(
	t *testing.T, store *match.Memory, dir string, plan *arena.Plan, change func(*Config),
) (*testClient, *arena.Desk) {
	t.Helper()
	srv := newTestServer(t, store, func(c *Config) {
		c.Desk = openDesk(t, dir, plan)
		if change != nil {
			change(c)
		}
	})
	if err := srv.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	return srv.client(t), srv.Desk
}

// choose returns the move of a level, always the same in a position.
func (cl *testClient) choose(level bot.Level, s State) string {
	cl.Helper()
	r, err := digit.ParseRules(s.Rules)
	if err != nil {
		cl.Fatal(err)
	}
	solution, err := solver.Solve(cl.Context(), r)
	if err != nil {
		cl.Fatal(err)
	}
	p, err := r.ParsePosition(s.Position)
	if err != nil {
		cl.Fatal(err)
	}
	return bot.New(level, solution, newRand(1)).Choose(p).String()
}

var times = regexp.MustCompile(`"ms":[0-9.e-]+`)

// gamesIn returns the games file of a run, without the times.
func gamesIn(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "games.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return times.ReplaceAllString(string(text), `"ms":0`)
}

// TestPlannedRun plays a run perfectly, with many restarts of the server: the agent loses nothing.
// The same moves in a match between engines write the same file.
func TestPlannedRun(t *testing.T) {
	plan, same := runPlan(t, nil)
	dir, store := t.TempDir(), &match.Memory{}
	rng := newRand(3)
	games := map[string]bool{}
	var last string
	for starts := 0; last == ""; starts++ {
		if starts > 500 {
			t.Fatal("the run does not end")
		}
		cl, desk := startRun(t, store, dir, plan, nil)
		for left := 1 + rng.IntN(30); left > 0; left-- {
			s, refused := tryCall[State](cl, "new_game", args{})
			if refused {
				last = s.Reason
				break
			}
			games[s.Game] = true
			for s.Result == "*" && left > 0 {
				left--
				if s.TriesLeft == 3 && rng.IntN(9) == 0 { // the agent tries again
					s, _ = tryCall[State](cl, "play", args{"game": s.Game, "move": "what?"})
				}
				s = mustCall[State](cl, "play", args{
					"game": s.Game, "move": cl.choose(bot.Perfect(), s),
				})
			}
			if why := reasonOf(cl, "report", s.Game); s.Result != "*" && !desk.Complete() &&
				!strings.HasSuffix(why, "; this run has reports after all 24 games") {
				t.Fatalf("a report before the run is complete: %q", why)
			}
		}
	}
	if !strings.HasPrefix(last, "all 24 games of this run are played: you took ") ||
		!strings.Contains(last, " of 24 points and threw away 0.00 a game; ") ||
		!strings.HasSuffix(last, ": kappa 1.000") || len(games) != plan.Games() {
		t.Errorf("got %q after %d games, want %d", last, len(games), plan.Games())
	}
	text := gamesIn(t, dir)
	standing, err := arena.ReadRun(plan, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	sum := standing.Summary()
	if agent := sum.Players[0]; !sum.Complete || agent.Player != "agent:x" || *agent.Kappa != 1 ||
		*agent.Regret != 0 || agent.Retried[engine.Unreadable] == 0 || agent.Games != 24 {
		t.Errorf("%+v", agent)
	}
	if want := replayRun(t, same, text); text != want {
		t.Errorf("the match between engines is\n%s\nand the run\n%s", want, text)
	}
}

// reasonOf returns the reason why a tool refuses a game.
func reasonOf(cl *testClient, tool, game string) string {
	cl.Helper()
	why, _ := tryCall[Refusal](cl, tool, args{"game": game})
	return why.Reason
}

// replayRun plays the games of a run again as a match between engines, and returns the file.
func replayRun(t *testing.T, plan *arena.Plan, run string) string {
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
	player := &replayer{lines: lines}
	r := arena.Runner{
		Plan: plan, Solutions: solutions, Concurrency: 1,
		Open: func(context.Context, string) (arena.Engine, error) { return player, nil },
	}
	if _, err := r.Run(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(gamesIn(t, dir), plan.ID, lines[0].Plan)
	return strings.NewReplacer(`"engine:x"`, `"agent:x"`, `"engine:`, `"`).Replace(text)
}

// A replayer is an engine that answers for all players as in recorded games, faults included.
type replayer struct {
	lines []arena.Game
	calls int // of NewGame: two per game
	wrong int // faults so far in this position
}

func (p *replayer) NewGame(context.Context, digit.Rules, uint64) error {
	p.calls++
	return nil
}

func (p *replayer) Choose(
	_ context.Context, _ digit.Position, moves []digit.Move, _ time.Duration,
) (arena.Answer, error) {
	made := p.lines[(p.calls-1)/2].Moves[len(moves)]
	if p.wrong < len(made.Faults) {
		p.wrong++
		return arena.Answer{}, &engine.FaultError{Fault: made.Faults[p.wrong-1]}
	}
	p.wrong = 0
	return arena.Answer{Move: made.Move}, nil
}

func (p *replayer) Close() {}

// sharedLimits are the limits of a server that has several clients.
type sharedLimits struct{ noLimits }

// TestParallelRun lets four agents play one run in parallel, on a server that restarts: one agent
// continues its game, and the others have forgotten theirs. Each game is played once.
func TestParallelRun(t *testing.T) {
	plan, _ := runPlan(t, nil)
	dir, store := t.TempDir(), &match.Memory{}
	server := func() (*testServer, *arena.Desk) {
		srv := newTestServer(t, store, func(c *Config) {
			c.Desk, c.Limits = openDesk(t, dir, plan), sharedLimits{}
		})
		if err := srv.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		return srv, srv.Desk
	}
	srv, _ := server()
	first := srv.client(t)
	var left []State
	for range 4 {
		left = append(left, mustCall[State](first, "new_game", args{}))
	}
	srv, desk := server()
	var mu sync.Mutex
	played := map[string]int{} // by game, how often the server offered it
	var all sync.WaitGroup
	for n := range 4 {
		cl := srv.client(t)
		mine := left[0]
		if n > 0 {
			mine = State{Result: "over"}
		}
		all.Go(func() {
			for {
				for mine.Result == "*" {
					mine = mustCall[State](cl, "play", args{
						"game": mine.Game, "move": cl.choose(bot.Levels[0], mine),
					})
				}
				s, refused := tryCall[State](cl, "new_game", args{})
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
	if played[left[0].Game] != 0 || len(played) != plan.Games()-1 || played[left[1].Game] != 1 ||
		!desk.Complete() {
		t.Errorf("the server offered %d games of %d: %v", len(played), plan.Games(), played)
	}
	for game, n := range played {
		if n != 1 {
			t.Errorf("the server offered %s %d times", game, n)
		}
	}
	standing, err := arena.ReadRun(plan, strings.NewReader(gamesIn(t, dir)))
	if err != nil || !standing.Done() {
		t.Errorf("%v", err)
	}
}

// TestEndedElsewhere checks that a run records a game that ended at another server.
func TestEndedElsewhere(t *testing.T) {
	plan, _ := runPlan(t, nil)
	store := &match.Memory{}
	cl, desk := startRun(t, store, t.TempDir(), plan, nil)
	s := mustCall[State](cl, "new_game", args{})
	for other := newTestServer(t, store, nil).client(t); s.Result == "*"; {
		s, _ = tryCall[State](other, "play", args{"game": s.Game, "move": "?"})
	}
	id, _, _ := strings.Cut(s.Game, ".")
	why := reasonOf(cl, "report", s.Game)
	if !strings.Contains(why, "forfeit; this run has reports") || desk.Awaits(id) {
		t.Errorf("got %s; in progress: %v", why, desk.UnderWay())
	}
}

// TestHandedOut checks that a planned run chooses the games of an agent, and when it offers the
// next game.
func TestHandedOut(t *testing.T) {
	plan, _ := runPlan(t, func(p *arena.Plan) { p.Pairs = 1 })
	dir, store := t.TempDir(), &match.Memory{}
	cl, desk := startRun(t, store, dir, plan, nil)
	instructions := cl.session.InitializeResult().Instructions
	if !strings.Contains(instructions, reportAfterRun) ||
		strings.Contains(instructions, reportAfterGame) {
		t.Errorf("got instructions %q", instructions)
	}
	if none, refused := tryCall[Refusal](cl, "report", args{"exam": "any"}); !refused ||
		none.Reason != "exam: this server has no exams" {
		t.Errorf("report of an exam: got %+v", none)
	}
	if why, refused := tryCall[Refusal](cl, "new_game", args{"rules": "highest"}); !refused ||
		why.Reason != `unknown argument "rules"; arguments: none` {
		t.Errorf("%+v", why)
	}
	if strings.Contains(cl.listing(), "legal_moves") {
		t.Error("legal_moves is offered, but the run does not list moves")
	}
	var games []State
	// Two opponents in two games: with the same starts, the computer would show good moves.
	for range 4 {
		s := mustCall[State](cl, "new_game", args{})
		if games = append(games, s); len(s.Moves) != 0 || len(s.Played) != 0 {
			t.Errorf("%+v", s)
		}
	}
	s, refused := tryCall[State](cl, "new_game", args{})
	var ids []string
	for _, game := range games {
		ids = append(ids, game.Game)
	}
	slices.SortFunc(ids, func(a, b string) int {
		index := func(id string) int {
			return slices.IndexFunc(desk.UnderWay(), func(d arena.Due) bool {
				return strings.HasPrefix(id, d.Table+".")
			})
		}
		return index(a) - index(b)
	})
	want := "finish these games first: " + strings.Join(ids, ", ") + "; call state to see them"
	if !refused || s.Reason != want {
		t.Errorf("got %q, want %q", s.Reason, want)
	}
	// One game is forfeited. Then the program restarts, an agent continues another game by its ID,
	// and the server offers the rest.
	for s = games[0]; s.Result == "*"; {
		s, _ = tryCall[State](cl, "play", args{"game": s.Game, "move": "9z"})
	}
	if s.Result != "0-1 forfeit" {
		t.Errorf("%s", s.Result)
	}
	cl, _ = startRun(t, store, dir, plan, nil)
	s = mustCall[State](cl, "state", args{"game": games[1].Game})
	for i := range plan.Games() - 1 {
		if i > 0 {
			s = mustCall[State](cl, "new_game", args{})
		}
		if i > 0 &&
			i < 3 != slices.ContainsFunc(games[2:], func(begun State) bool { return begun.Game == s.Game }) || i > 0 && s.Game == games[1].Game {
			t.Errorf("game %d after the restart is %s", i, s.Game)
		}
		for s.Result == "*" {
			s = mustCall[State](cl, "play", args{
				"game": s.Game, "move": cl.choose(bot.Levels[0], s),
			})
		}
	}
	s, refused = tryCall[State](cl, "new_game", args{})
	if text := gamesIn(t, dir); !refused ||
		!strings.HasPrefix(s.Reason, "all 8 games of this run are played: ") ||
		strings.Count(text, "\n") != 8 || strings.Count(text, `"fault":"unreadable"`) != 1 {
		t.Errorf("%q\n%s", s.Reason, text)
	}
	// After the run there are reports.
	if r := mustCall[GameReport](cl, "report", args{"game": games[0].Game}); len(r.Faults) != 3 ||
		r.Score != 0 {
		t.Errorf("%+v", r)
	}
	// A database without the tables of the run is refused.
	if err := os.Truncate(filepath.Join(dir, "games.jsonl"), 0); err != nil {
		t.Fatal(err)
	}
	srv := newTestServer(t, &match.Memory{}, func(c *Config) { c.Desk = openDesk(t, dir, plan) })
	if err := srv.Settle(t.Context()); err == nil ||
		!strings.HasPrefix(err.Error(), "game 1 was begun at table ") ||
		!strings.HasSuffix(err.Error(), ", which is not in this database") {
		t.Error(err)
	}
}

// playElsewhere plays the agent's next move at a copy of the table where the computer does not
// play.
func (cl *testClient) playElsewhere(store *match.Memory, s State) *match.Table {
	cl.Helper()
	id, _, _ := strings.Cut(s.Game, ".")
	table, err := match.Resume(cl.Context(), id, store, newRand(1))
	if err != nil {
		cl.Fatal(err)
	}
	cl.Cleanup(table.Close)
	m, err := digit.ParseMove(cl.choose(bot.Perfect(), s))
	if err != nil {
		cl.Fatal(err)
	}
	if _, err := table.Play(cl.Context(), agentSeat, m, table.State().Seq); err != nil ||
		!table.State().Playing() {
		cl.Fatal(err)
	}
	return table
}

// TestAnsweredLater kills the program between the agent's last move and the computer's, which ends
// the game. After a restart it is played and recorded, and the server offers another game.
func TestAnsweredLater(t *testing.T) {
	plan, _ := runPlan(t, func(p *arena.Plan) { p.Pairs = 1 })
	dir, store := t.TempDir(), &match.Memory{}
	cl, _ := startRun(t, store, dir, plan, nil)
	s := mustCall[State](cl, "new_game", args{})
	for len(s.Left) > len("1 2 3 4 5") { // of nine digits, two moves before the end
		s = mustCall[State](cl, "play", args{"game": s.Game, "move": cl.choose(bot.Perfect(), s)})
	}
	id := cl.playElsewhere(store, s).ID()
	cl, desk := startRun(t, store, dir, plan, nil)
	next := mustCall[State](cl, "new_game", args{})
	if next.Game == s.Game || next.Result != "*" || desk.Awaits(id) {
		t.Errorf("the server offers %+v after %+v", next, s)
	}
}

// TestGivenUpUnanswered resigns a game for the agent before the computer has answered: the agent
// loses, and the run continues.
func TestGivenUpUnanswered(t *testing.T) {
	plan, _ := runPlan(t, func(p *arena.Plan) { p.Pairs = 1 })
	dir, store := t.TempDir(), &match.Memory{}
	cl, _ := startRun(t, store, dir, plan, nil)
	table := cl.playElsewhere(store, mustCall[State](cl, "new_game", args{}))
	if _, err := table.Do(t.Context(), agentSeat, match.Resign, ""); err != nil {
		t.Fatal(err)
	}
	cl, desk := startRun(t, store, dir, plan, nil)
	for range 2 { // against the other opponent, and the second game of the pair
		for s := mustCall[State](cl, "new_game", args{}); s.Result == "*"; {
			s = mustCall[State](cl, "play", args{
				"game": s.Game, "move": cl.choose(bot.Perfect(), s),
			})
		}
	}
	text := gamesIn(t, dir)
	if desk.Awaits(table.ID()) || strings.Count(text, "\n") != 2 ||
		!strings.Contains(text, `"moves":[],"position":"_7_/4__","result":"0-1 left","fault":"crashed","forfeited":1,"keep":11,"of":14}`) {
		t.Errorf("%s", text)
	}
}

// TestGivenUpUnopened resigns a game for the agent before the computer's first move: the agent
// loses, unless that move ends the game.
func TestGivenUpUnopened(t *testing.T) {
	srv := newTestServer(t, &match.Memory{}, nil)
	for _, v := range []struct{ side, start, result, fault string }{
		{"second", "start", "1-0 left", "crashed"},
		{"first", "95_/8__", "0-1 left", "crashed"},
		{"first", "952/87_", "1-0 higher", ""},
	} {
		seed := uint64(1)
		setup, err := srv.setup(t.Context(), "x", NewGame{
			Rules: "highest", Opponent: "master", Side: v.side, Start: v.start, Seed: &seed,
		})
		if err != nil {
			t.Fatal(err)
		}
		table, err := match.Open(t.Context(), match.NewID(srv.Now()), setup, &match.Memory{}, newRand(1))
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
		g, err := srv.judged(t.Context(), table)
		if err != nil || len(g.Moves) != 1 || g.Result.String() != v.result ||
			string(g.Fault) != v.fault {
			t.Errorf("%s from %s: %+v, %v; want %s %s", v.side, v.start, g, err, v.result, v.fault)
		}
	}
}

// bookNames returns a regular expression that matches the names of all games.
func bookNames() string {
	var names []string
	for _, b := range slices.Concat(digit.Books, digit.Fair) {
		names = append(names, b.Name)
	}
	return strings.Join(names, "|")
}

// listing returns everything that a client gets before it calls a tool.
func (cl *testClient) listing() string {
	cl.Helper()
	tools, err := cl.session.ListTools(cl.Context(), nil)
	if err != nil {
		cl.Fatal(err)
	}
	resources, err := cl.session.ListResources(cl.Context(), nil)
	if err != nil {
		cl.Fatal(err)
	}
	templates, err := cl.session.ListResourceTemplates(cl.Context(), nil)
	if err != nil {
		cl.Fatal(err)
	}
	text, err := json.Marshal([]any{cl.session.InitializeResult(), tools, resources, templates})
	if err != nil {
		cl.Fatal(err)
	}
	return string(text)
}

// TestDisguisedRun checks that a run in disguise writes the same file as a match without one.
func TestDisguisedRun(t *testing.T) {
	plan, same := runPlan(t, func(p *arena.Plan) {
		p.Pairs, p.ShowMoves, p.Disguise = 1, true, new(uint64(7))
	})
	dir := t.TempDir()
	cl, _ := startRun(t, &match.Memory{}, dir, plan, nil)
	revealing := regexp.MustCompile(`(?i)digit|multiple|` + bookNames())
	if names := revealing.FindAllString(cl.listing(), -1); names != nil {
		t.Errorf("the lists reveal the games: %q", names)
	}
	for range plan.Games() {
		for s := mustCall[State](cl, "new_game", args{}); s.Result == "*"; {
			if strings.ContainsAny(strings.Join(s.Moves, ""), "0123456789") {
				t.Fatalf("there are digits in %q", s.Moves)
			}
			s = mustCall[State](cl, "play", args{"game": s.Game, "move": s.Moves[0]})
		}
	}
	text := gamesIn(t, dir)
	if want := replayRun(t, same, text); text != want || strings.Count(text, "\n") != 8 {
		t.Errorf("the run is\n%s\nwant\n%s", text, want)
	}
}
