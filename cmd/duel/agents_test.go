package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/arena"
	"digitduel/digit"
	"digitduel/store/pgtest"
)

// A toolState is the state of a game in the answer of a tool.
type toolState struct {
	Game, Rules, Goal, Board, Position, Turn, You, Result, Opponent, Watch, Left string
	Moves, Played                                                                []string
	Ply                                                                          int
	TriesLeft                                                                    int `json:"tries_left"`
}

// table returns the table of the game.
func (s toolState) table() string { id, _, _ := strings.Cut(s.Game, "."); return id }

// An agent is an MCP client of a server.
type agent struct {
	t       *testing.T
	addr    string
	session *sdk.ClientSession // nil: not connected
	rng     *rand.Rand
}

func newAgent(t *testing.T, s *server, seed uint64) *agent {
	t.Helper()
	a := &agent{t: t, addr: s.addr, rng: rand.New(rand.NewPCG(seed, 16))}
	t.Cleanup(a.disconnect)
	return a
}

// disconnect ends the session.
func (a *agent) disconnect() {
	if a.session != nil {
		_ = a.session.Close() // the server may be down
		a.session = nil
	}
}

// connect connects the agent, unless it is connected.
func (a *agent) connect(ctx context.Context) (err error) {
	if a.session == nil {
		client := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, nil)
		transport := &sdk.StreamableClientTransport{Endpoint: "http://" + a.addr + "/mcp", MaxRetries: -1}
		if a.session, err = client.Connect(ctx, transport, nil); err != nil {
			a.session = nil
		}
	}
	return err
}

// call calls a tool. The error is one of the connection or the protocol; a refusal is the text of a
// tool.
func (a *agent) call(
	ctx context.Context, tool string, args map[string]any,
) (s toolState, refusal string, err error) {
	if err := a.connect(ctx); err != nil {
		return s, "", err
	}
	answer, err := a.session.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		a.disconnect()
		return s, "", err
	}
	if answer.IsError {
		return s, answer.Content[0].(*sdk.TextContent).Text, nil
	}
	text, err := json.Marshal(answer.StructuredContent)
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	return s, "", err
}

// must calls a tool that has to succeed.
func (a *agent) must(tool string, args map[string]any) toolState {
	a.t.Helper()
	s, refusal, err := a.call(a.t.Context(), tool, args)
	if err != nil || refusal != "" {
		a.t.Fatalf("%s %v: %s %v", tool, args, refusal, err)
	}
	return s
}

// open starts a game.
func (a *agent) open(rules, opponent string) toolState {
	a.t.Helper()
	return a.must("new_game", map[string]any{
		"rules": rules, "opponent": opponent, "side": "random", "show_moves": true,
		"seed": a.rng.IntN(1 << 50),
	})
}

// pick returns one of the legal moves.
func (a *agent) pick(s toolState) string { return s.Moves[a.rng.IntN(len(s.Moves))] }

// finish plays a game to its end and checks its record.
func (a *agent) finish(s toolState) toolState {
	a.t.Helper()
	for s.Result == "*" {
		if s.Turn != s.You || len(s.Moves) == 0 {
			a.t.Fatalf("the game has not ended, but it is not the agent's turn: %+v", s)
		}
		s = a.must("play", map[string]any{"game": s.Game, "move": a.pick(s)})
	}
	checkRecord(a.t, s)
	return s
}

// checkRecord checks that the moves of a finished game lead to its position and result.
func checkRecord(t *testing.T, s toolState) {
	t.Helper()
	text := strings.Join(slices.Concat([]string{s.Rules}, s.Played, []string{s.Result}), " ")
	rec, err := digit.ParseRecord(text)
	if err != nil {
		t.Errorf("%s: %v", text, err)
		return
	}
	positions, err := rec.Positions()
	if err != nil || rec.Rules.Text(positions[len(positions)-1]) != s.Position {
		t.Errorf("%s leads to %v, %v; the tool reports %s", text, positions, err, s.Position)
	}
}

// TestAgents has fifty agents play whole games of every book over HTTP at once, and checks that the
// server shows them like games of other tables.
func TestAgents(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, "--db", filepath.Join(t.TempDir(), "duel.db"), "--mcp", "--log-level", "debug")
	s.start()
	const agents = 50
	levels := []string{"beginner", "casual", "expert", "perfect"}
	ended := make([]toolState, agents)
	var all sync.WaitGroup
	for n := range agents {
		all.Go(func() {
			a := newAgent(t, s, uint64(n))
			ended[n] = a.finish(a.open(digit.Books[n%len(digit.Books)].Name, levels[n%len(levels)]))
		})
	}
	all.Wait()
	var listed struct {
		Games []struct{ Table, Record string }
	}
	_, text, err := s.ask("GET", "/api/games?limit=100", "", "")
	if err == nil {
		err = json.Unmarshal([]byte(text), &listed)
	}
	if err != nil || len(listed.Games) != agents {
		t.Errorf("%d games are listed, want %d: %v", len(listed.Games), agents, err)
	}
	for _, game := range ended {
		_, secret, _ := strings.Cut(game.Game, ".")
		if strings.Contains(s.log.String(), secret) || strings.Contains(game.Watch, secret) ||
			len(secret) < 16 {
			t.Errorf("the secret of %s is short, logged or in the link: watch %s",
				game.table(), game.Watch)
		}
		if game.Watch != "http://"+s.addr+"/t/"+game.table() ||
			s.status("/t/"+game.table()) != http.StatusOK {
			t.Errorf("%s cannot be watched at %s", game.table(), game.Watch)
		}
		if view := s.tableState(game.table()); view.Result != game.Result {
			t.Errorf("%s: the table ended %s, but the agent got %s",
				game.table(), view.Result, game.Result)
		}
	}
	_, metrics, err := s.ask("GET", "/metrics", "", "")
	calls := fmt.Sprintf("duel_mcp_calls_total{tool=\"new_game\",outcome=\"done\"} %d\n", agents)
	if err != nil || !strings.Contains(metrics, calls) {
		t.Errorf("the metrics are %s: %v", metrics, err)
	}
}

// callUntilAnswered calls a tool of a server that is killed now and then, until it is answered.
func (a *agent) callUntilAnswered(
	ctx context.Context, tool string, args map[string]any,
) (toolState, string) {
	a.t.Helper()
	for {
		brief, done := context.WithTimeout(ctx, 30*time.Second)
		s, refusal, err := a.call(brief, tool, args)
		done()
		if err == nil {
			return s, refusal
		}
		if ctx.Err() != nil {
			a.t.Fatalf("%s %v was not answered: %v", tool, args, err)
		}
		time.Sleep(20 * time.Millisecond) // nothing signals that the server is up again
	}
}

// playDespiteKills plays a game to its end on servers that are killed now and then, each call on a
// random one of them. It repeats a call that was not answered.
func (a *agent) playDespiteKills(ctx context.Context, rules string, addrs ...string) toolState {
	a.t.Helper()
	next := func(tool string, args map[string]any) toolState {
		a.disconnect()
		a.addr = addrs[a.rng.IntN(len(addrs))]
		s, refusal := a.callUntilAnswered(ctx, tool, args)
		if refusal != "" {
			a.t.Fatalf("%s %v: %s", tool, args, refusal)
		}
		return s
	}
	s := next("new_game", map[string]any{
		"rules": rules, "opponent": "casual", "show_moves": true, "seed": a.rng.IntN(1 << 50),
	})
	for s.Result == "*" {
		if len(s.Moves) == 0 {
			s = next("state", map[string]any{"game": s.Game})
			continue
		}
		before := s
		s = next("play", map[string]any{"game": s.Game, "move": a.pick(s), "ply": s.Ply})
		got := s.Played[:min(len(s.Played), len(before.Played))]
		if !slices.Equal(got, before.Played) || len(s.Played) <= len(before.Played) {
			a.t.Fatalf("after %v the moves are %v", before.Played, s.Played)
		}
	}
	checkRecord(a.t, s)
	return s
}

// TestAgentsCrash kills a server again and again during the games of agents, which continue.
func TestAgentsCrash(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "duel.db")
	s := newServer(t, "--db", db, "--mcp")
	s.start()
	const agents, kills = 8, 5
	ctx, end := context.WithTimeout(t.Context(), 2*time.Minute)
	defer end()
	var all sync.WaitGroup
	var games atomic.Int64
	over := make(chan struct{}) // closed after the last kill
	for n := range agents {
		all.Go(func() {
			a := newAgent(t, s, uint64(n))
			for stop := false; !stop; games.Add(1) {
				select {
				case <-over:
					stop = true
				default:
				}
				a.playDespiteKills(ctx, digit.Books[a.rng.IntN(len(digit.Books))].Name, s.addr)
			}
		})
	}
	for n := range kills {
		waitUntil(t, time.Minute, "games are played", func() bool {
			return games.Load() >= int64(agents*n)
		})
		s.kill()
		s.start()
	}
	close(over)
	all.Wait()
	s.kill()
	if code, out, stderr := runDuel(t, nil, "admin", "check", "--db", db); code != 0 {
		t.Errorf("the check of the database failed: %s%s", out, stderr)
	}
	t.Logf("%d games, %d kills", games.Load(), kills)
}

// TestAgentsServers plays each game on two servers of one database, each call on a random one of
// them.
func TestAgentsServers(t *testing.T) {
	t.Parallel()
	db := pgtest.Start(t)
	servers := []*server{newServer(t, "--db", db, "--mcp"), newServer(t, "--db", db, "--mcp")}
	for _, s := range servers {
		s.start()
	}
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	for n, b := range digit.Books {
		a := newAgent(t, servers[0], uint64(n))
		s := a.playDespiteKills(ctx, b.Name, servers[0].addr, servers[1].addr)
		for _, server := range servers {
			waitUntil(t, 10*time.Second, "both servers show the result of "+s.table(), func() bool {
				return server.tableState(s.table()).Result == s.Result
			})
		}
	}
}

// TestAgentsTable continues an agent's game through the API: the token of the game allows moves but
// no hints, and the link allows only watching.
func TestAgentsTable(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, "--db", filepath.Join(t.TempDir(), "duel.db"), "--mcp")
	s.start()
	a := newAgent(t, s, 1)
	game := a.must("new_game", map[string]any{"rules": "dilemma", "side": "first", "opponent": "casual", "seed": 5})
	table, token, _ := strings.Cut(game.Game, ".")
	path := "/api/tables/" + table
	for _, test := range []struct {
		path, token, body string
		status            int
		says              string
	}{
		{"/moves", "", `{"move":"7a"}`, 401, "missing seat token"},
		{"/moves", table, `{"move":"7a"}`, 403, "the token does not belong to a seat of this table"},
		{"/moves", token, `{"move":"7a"}`, 200, `"turn":"second"`},
		{"/acts", token, `{"act":"hints"}`, 200, ""},
		{"/hint", token, "", 403, "hints are not allowed"},
	} {
		method := "POST"
		if test.body == "" {
			method = "GET"
		}
		status, text, err := s.ask(method, path+test.path, test.token, test.body)
		if err != nil || status != test.status || !strings.Contains(text, test.says) {
			t.Errorf("%s %s: %d %s %v, want %d with %q",
				test.path, test.body, status, text, err, test.status, test.says)
		}
	}
	now := a.must("state", map[string]any{"game": game.Game})
	if len(now.Played) != 2 || now.Played[0] != "7a" || now.Turn != "first" {
		t.Errorf("the agent gets %+v", now)
	}
}

// TestAgentsRun lets three agents play one planned run at a server that is killed again and again.
// Each game is played once.
func TestAgentsRun(t *testing.T) {
	t.Parallel()
	run := filepath.Join(t.TempDir(), "run")
	code, _, stderr := runDuel(t, nil, "mcp", "--out", run, "--name", "x", "--opponent", "beginner",
		"--rules", "highest", "--rules", "sevens", "--starts", "decision:ply=1-3", "--pairs", "9", "--show-moves")
	if code != 0 {
		t.Fatalf("the plan: %d %s", code, stderr)
	}
	s := newServer(t, "--db", filepath.Join(run, "duel.db"), "--mcp", "--mcp-out", run)
	s.start()
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	var all sync.WaitGroup
	var games atomic.Int64
	for n := range 3 {
		all.Go(func() {
			a := newAgent(t, s, uint64(n))
			for {
				s, refusal := a.callUntilAnswered(ctx, "new_game", nil)
				switch {
				case strings.Contains(refusal, "all 36 games of this run are played"):
					return
				case refusal != "":
					time.Sleep(time.Millisecond) // until another agent is done
					continue
				}
				for s.Result == "*" {
					move := map[string]any{"game": s.Game, "move": a.pick(s), "ply": s.Ply}
					if s, refusal = a.callUntilAnswered(ctx, "play", move); refusal != "" {
						t.Errorf("%s", refusal)
						return
					}
				}
				games.Add(1)
			}
		})
	}
	for n := range 4 {
		waitUntil(t, time.Minute, "games are played", func() bool {
			return games.Load() >= int64(7*n)
		})
		s.kill()
		s.start()
	}
	all.Wait()
	if code := s.end(syscall.SIGTERM); code != 0 {
		t.Errorf("exit code %d after SIGTERM, want 0", code)
	}
	code, out, stderr := runDuel(t, nil, "match", "check", run)
	if code != 0 || !strings.HasPrefix(out, "36 of 36 games were checked: every line follows") {
		t.Errorf("the check: %d %s%s", code, out, stderr)
	}
	tables, err := os.ReadFile(filepath.Join(run, arena.TablesFile))
	if got := strings.Count(string(tables), "\n"); err != nil || got != 36 {
		t.Errorf("36 games were started at %d tables: %v", got, err)
	}
	other := t.TempDir()
	code, _, stderr = runDuel(t, nil,
		"serve", "--mcp", "--db", filepath.Join(other, "duel.db"), "--mcp-out", other)
	if code != 2 || !strings.Contains(stderr, "has no plan; plan it with duel mcp --out") {
		t.Errorf("without a plan: %d %s", code, stderr)
	}
}

// TestAgentsPlanned plays a run that was planned before: its games come in order, and there is no
// report until the run is over.
func TestAgentsPlanned(t *testing.T) {
	t.Parallel()
	run := filepath.Join(t.TempDir(), "run")
	code, _, stderr := runDuel(t, nil, "mcp", "--out", run, "--name", "x", "--opponent", "beginner",
		"--rules", "highest", "--pairs", "1", "--show-moves")
	if code != 0 {
		t.Fatalf("the plan: %d %s", code, stderr)
	}
	db := filepath.Join(run, "duel.db")
	code, _, stderr = runDuel(t, nil, "serve", "--mcp", "--mcp-coach", "--db", db, "--mcp-out", run)
	if code != 2 || !strings.Contains(stderr, "mcp-coach: not allowed in a planned run") {
		t.Errorf("%d: %s", code, stderr)
	}
	s := newTestServer(t, "--db", db, "--mcp", "--mcp-out", run)
	s.start()
	a := newAgent(t, s, 1)
	_, refusal, err := a.call(t.Context(), "new_game", map[string]any{"start": "9__/___"})
	if err != nil || !strings.Contains(refusal, `unknown argument "start"; arguments: none`) {
		t.Errorf("a game that is not planned: %s %v", refusal, err)
	}
	one := a.finish(a.must("new_game", nil))
	_, refusal, err = a.call(t.Context(), "report", map[string]any{"game": one.Game})
	if err != nil || !strings.Contains(refusal, "after all 2 games") {
		t.Errorf("a report before the end: %s %v", refusal, err)
	}
	two := a.finish(a.must("new_game", nil))
	if one.You != "first" || two.You != "second" || two.Opponent != "beginner" {
		t.Errorf("the games are %+v, %+v", one, two)
	}
	ask := &sdk.CallToolParams{Name: "report", Arguments: map[string]any{"game": one.Game}}
	if report, err := a.session.CallTool(t.Context(), ask); err != nil || report.IsError {
		t.Errorf("a report at the end: %+v %v", report, err)
	}
	_, refusal, err = a.call(t.Context(), "new_game", nil)
	if err != nil || !strings.Contains(refusal, "all 2 games of this run are played") {
		t.Errorf("after the last game: %s %v", refusal, err)
	}
}

// TestAgentsExams checks that a server with --mcp-exams offers exams and no games.
func TestAgentsExams(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, "--db", filepath.Join(t.TempDir(), "duel.db"), "--mcp", "--mcp-exams")
	s.start()
	a := newAgent(t, s, 1)
	if item := a.must("next_item", map[string]any{"rules": "highest", "items": 1}); item.Position == "" {
		t.Errorf("the item is %+v", item)
	}
	if _, refusal, err := a.call(t.Context(), "new_game", nil); err == nil || !strings.Contains(err.Error(), "unknown tool") {
		t.Errorf("a game: %s %v", refusal, err)
	}
}

// TestAgentsPlannedExam has two agents take an exam at a server that is killed in between. Their
// grades are in the folder of the run.
func TestAgentsPlannedExam(t *testing.T) {
	t.Parallel()
	run := filepath.Join(t.TempDir(), "run")
	if code, _, stderr := runDuel(t, nil, "mcp", "--out", run, "--exam", "standard-1", "--once"); code != 0 {
		t.Fatalf("the plan: %d %s", code, stderr)
	}
	s := newServer(t, "--db", filepath.Join(run, "duel.db"), "--mcp", "--mcp-out", run)
	s.start()
	type item struct {
		Exam string
		Item int
		Left string
	}
	take := func(a *agent, player string, items int) {
		t.Helper()
		for range items {
			if err := a.connect(t.Context()); err != nil {
				t.Fatal(err)
			}
			result, err := a.session.CallTool(t.Context(), &sdk.CallToolParams{
				Name: "next_item", Arguments: map[string]any{"player": player},
			})
			if err != nil || result.IsError {
				t.Fatalf("%+v %v", result, err)
			}
			var next item
			if text, err := json.Marshal(result.StructuredContent); err != nil || json.Unmarshal(text, &next) != nil {
				t.Fatal(err)
			}
			a.must("answer", map[string]any{
				"exam": next.Exam, "item": next.Item, "move": "MOVE: " + next.Left[:1] + " A",
			})
		}
	}
	a := newAgent(t, s, 1)
	take(a, "Ada", 4)
	take(a, "Ben", 2)
	s.kill()
	s.start()
	a.disconnect()
	take(a, "Ada", 3)
	if code := s.end(syscall.SIGTERM); code != 0 {
		t.Errorf("exit code %d after SIGTERM, want 0", code)
	}
	text, err := os.ReadFile(filepath.Join(run, arena.GradesFile))
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if err != nil || len(lines) != 2 || !strings.Contains(lines[0], `"player":"Ada","items":500,`) ||
		!strings.Contains(lines[0], `"unanswered":493,"unreadable":0,`) ||
		!strings.Contains(lines[1], `"unanswered":498,`) {
		t.Errorf("the grades: %v %s", err, text)
	}
	code, _, stderr := runDuel(t, nil, "match", "report", run)
	if code != 1 || !strings.Contains(stderr, "an exam; its grades are in grades.jsonl") {
		t.Errorf("%d: %s", code, stderr)
	}
	for _, v := range []struct {
		want string
		args []string
	}{
		{"exam: needs --out", []string{"--exam", "standard-1"}},
		{"once: needs --exam", []string{"--out", run, "--once"}},
		{`unknown exam "x" (use standard-1)`, []string{"--out", run + "2", "--exam", "x"}},
		{"exam with rules: an exam has its own positions; leave out one of them", []string{"--out", run, "--exam", "standard-1", "--rules", "dilemma"}},
		{run + ": its run was planned with show_moves none, not true", []string{"--out", run, "--show-moves"}},
	} {
		code, _, stderr := runDuel(t, nil, append([]string{"mcp"}, v.args...)...)
		if code != 2 || !strings.Contains(stderr, v.want) {
			t.Errorf("%q: %d %s, want %s", v.args, code, stderr, v.want)
		}
	}
}

// TestAgentsFlags checks the errors of the flags for agents, and that environment variables set
// them too.
func TestAgentsFlags(t *testing.T) {
	t.Parallel()
	code, _, stderr := runDuel(t, nil, "serve", "--mcp-coach")
	if code != 2 || !strings.Contains(stderr, "mcp-coach: needs --mcp") {
		t.Errorf("%d: %s", code, stderr)
	}
	code, _, stderr = runDuel(t, []string{"DUEL_MCP_OUT=run"}, "serve")
	if code != 2 || !strings.Contains(stderr, "mcp-out: needs --mcp") {
		t.Errorf("%d: %s", code, stderr)
	}
	code, _, stderr = runDuel(t, nil, "serve", "--mcp-exams")
	if code != 2 || !strings.Contains(stderr, "mcp-exams: needs --mcp") {
		t.Errorf("%d: %s", code, stderr)
	}
	code, _, stderr = runDuel(t, nil, "serve", "--mcp", "--mcp-exams", "--mcp-coach")
	if code != 2 || !strings.Contains(stderr, "mcp-exams with mcp-coach") {
		t.Errorf("%d: %s", code, stderr)
	}
	code, _, stderr = runDuel(t, []string{"DUEL_MCP=maybe"}, "serve")
	if code != 2 || !strings.Contains(stderr, `DUEL_MCP "maybe": allowed: `) {
		t.Errorf("%d: %s", code, stderr)
	}
	s := newTestServer(t, "--db", filepath.Join(t.TempDir(), "duel.db"))
	s.start()
	if status, text, err := s.ask("POST", "/mcp", "", "{}"); err != nil || status != http.StatusNotFound {
		t.Errorf("without --mcp: %d %s %v", status, text, err)
	}
}
