package eval_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"digitduel/arena"
	"digitduel/arena/eval"
	"digitduel/arena/speech"
	"digitduel/digit"
	"digitduel/solve"
)

// solved returns the solution of a game, and caches it.
var solved = func() func(digit.Rules) (*solve.Solution, error) {
	var mu sync.Mutex
	all := map[digit.Rules]*solve.Solution{}
	return func(r digit.Rules) (*solve.Solution, error) {
		mu.Lock()
		defer mu.Unlock()
		if all[r] == nil {
			s, err := solve.Solve(context.Background(), r, solve.Config{})
			if err != nil {
				return nil, err
			}
			all[r] = s
		}
		return all[r], nil
	}
}()

// A call is a request to a fake server.
type call struct {
	n        int64 // number of earlier calls
	messages []eval.Message
	rules    digit.Rules
	at       digit.Position
	body     map[string]any
}

// parseQuestion returns the rules, and the position of the last question.
func parseQuestion(t *testing.T, messages []eval.Message) (digit.Rules, digit.Position) {
	game := regexp.MustCompile(`\(([a-z]+)\)\n`).FindStringSubmatch(messages[0].Content)
	if game == nil {
		t.Errorf("no rules in %v", messages[0])
		return digit.Dilemma, digit.Position{}
	}
	r, err := digit.ParseRules(game[1])
	if err != nil {
		t.Error(err)
	}
	for _, m := range slices.Backward(messages) {
		var rows []string
		for line := range strings.Lines(m.Content) {
			for _, name := range []string{"first   ", "second  "} {
				if row, ok := strings.CutPrefix(line, name); ok {
					row = strings.TrimSpace(row)
					rows = append(rows, strings.NewReplacer("nothing yet", "", " ", "").Replace(row))
				}
			}
		}
		if len(rows) == 2 {
			p, err := r.ParsePosition(rows[0] + "/" + rows[1])
			if err != nil {
				t.Errorf("the question has no position: %v\n%s", err, m.Content)
			}
			return r, p
		}
	}
	t.Errorf("no question in %v", messages)
	return r, digit.Position{}
}

// best returns the best move in the position of a call or, if worst is set, the worst.
func best(c call, worst bool) string {
	s, _ := solved(c.rules)
	value := func(c solve.Choice) float64 { return c.Value.Outcome.Points() }
	choices := s.Choices(c.at)
	pick := choices[0]
	for _, one := range choices {
		if worst && value(one) < value(pick) || !worst && value(one) > value(pick) {
			pick = one
		}
	}
	return pick.Move.String()
}

// reply writes a response of the API.
func reply(w http.ResponseWriter, text any) {
	json.NewEncoder(w).Encode(map[string]any{ //nolint:errcheck // the client reads it
		"model":   "fake-1",
		"choices": []any{map[string]any{"message": map[string]any{"content": text}, "finish_reason": "stop"}},
		"usage":   map[string]any{"prompt_tokens": 100, "completion_tokens": 10},
	})
}

// serve starts a fake server, and returns it with its number of calls.
func serve(t *testing.T,
	answer func(w http.ResponseWriter, r *http.Request, c call)) (*httptest.Server, *atomic.Int64) {
	var n atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := call{n: n.Add(1) - 1}
		text, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(text, &c.body); err != nil {
			t.Errorf("request: %v", err)
		}
		var in struct{ Messages []eval.Message }
		json.Unmarshal(text, &in) //nolint:errcheck // checked before
		c.messages = in.Messages
		c.rules, c.at = parseQuestion(t, c.messages)
		if r.URL.Path != "/v1/chat/completions" || c.body["stream"] != false {
			t.Errorf("request %s %v", r.URL, c.body)
		}
		answer(w, r, c)
	}))
	t.Cleanup(server.Close)
	return server, &n
}

// newRun plans a run of pairs of games of Dilemma, and returns its runner.
func newRun(t *testing.T, server *httptest.Server, pairs int,
	change func(*eval.Settings)) *eval.Runner {
	t.Helper()
	return newRunOf(t, server, []digit.Rules{digit.Dilemma}, pairs, change)
}

// newRunOf plans a run like newRun, with other rules.
func newRunOf(t *testing.T, server *httptest.Server, rules []digit.Rules, pairs int,
	change func(*eval.Settings)) *eval.Runner {
	t.Helper()
	settings := eval.Settings{
		Kind: eval.Games, API: server.URL + "/v1", Model: "fake", Name: "fake",
		Context: eval.ByMove, TimeoutMS: 20_000, Attempts: 3,
	}
	if change != nil {
		change(&settings)
	}
	starts, err := arena.ParseStarts("decision:ply=1-4", nil)
	if err != nil {
		t.Fatal(err)
	}
	var solutions []*solve.Solution
	for _, r := range rules {
		s, err := solved(r)
		if err != nil {
			t.Fatal(err)
		}
		solutions = append(solutions, s)
	}
	draft := &arena.Plan{
		Players: []string{arena.AgentPlayer("fake"), "perfect"},
		Format:  arena.Gauntlet, Pairs: pairs,
		Retries: 2, Seed: 1, Rules: rules,
	}
	if err := draft.Draw(starts, solutions); err != nil {
		t.Fatal(err)
	}
	plan, err := eval.Seal(draft, settings)
	if err != nil {
		t.Fatal(err)
	}
	r := &eval.Runner{
		Plan: plan, Folder: t.TempDir(), Concurrency: 4, Solve: solved,
		Speech: speech.Plain,
	}
	if err := r.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r
}

// run performs a run that must succeed, and returns its report.
func run(t *testing.T, r *eval.Runner) *eval.Report {
	t.Helper()
	if open, failure, err := r.Run(t.Context()); err != nil || open != 0 {
		t.Fatalf("%d open, %v, %v", open, failure, err)
	}
	return report(t, r)
}

func report(t *testing.T, r *eval.Runner) *eval.Report {
	t.Helper()
	report, err := eval.NewReport(t.Context(), []string{r.Folder}, solved)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// all returns the row of all games.
func all(r *eval.Report) arena.Row { return r.Runs[0].Rows[len(r.Runs[0].Rows)-1] }

// personalities are the fake models and servers. Servers that fail do so the first time they are
// asked about a position, and otherwise answer perfectly.
var personalities = []struct {
	name   string
	rank   string // the expected strength
	answer func(w http.ResponseWriter, r *http.Request, c call, first bool)
}{
	{"perfect", "perfect", func(w http.ResponseWriter, _ *http.Request, c call, _ bool) { reply(w, "MOVE: "+best(c, false)) }},
	{"verbose", "perfect", func(w http.ResponseWriter, _ *http.Request, c call, _ bool) {
		reply(w, "<think>MOVE: 9z</think>I like it.\n\n**Final move:** `"+best(c, false)+
			"` (it wins)")
	}},
	{"capitals", "perfect", func(w http.ResponseWriter, _ *http.Request, c call, _ bool) {
		reply(w, strings.ToUpper("move: "+best(c, false)[:1]+" "+best(c, false)[1:]+"."))
	}},
	{"random", "random", func(w http.ResponseWriter, _ *http.Request, c call, _ bool) {
		m, _ := c.rules.Pick(c.at, rand.New(rand.NewPCG(uint64(c.n), 1)).IntN)
		reply(w, m.String())
	}},
	{"worst", "worst", func(w http.ResponseWriter, _ *http.Request, c call, _ bool) { reply(w, best(c, true)) }},
	{"silent", "silent", func(w http.ResponseWriter, _ *http.Request, _ call, _ bool) { reply(w, "") }},
	{"prose", "silent", func(w http.ResponseWriter, _ *http.Request, c call, _ bool) {
		reply(w, "I would play "+best(c, false)+".\nYes.")
	}},
	{"think left open", "silent", func(w http.ResponseWriter, _ *http.Request, c call, _ bool) {
		reply(w, "<think>MOVE: "+best(c, false)+"\n")
	}},
	{"parts", "perfect", func(w http.ResponseWriter, _ *http.Request, c call, _ bool) {
		move := best(c, false)
		reply(w, []any{map[string]any{"type": "text", "text": "So\nMOVE: " + move[:1]},
			map[string]any{"type": "text", "text": move[1:]}})
	}},
	{"reasoning apart", "perfect", func(w http.ResponseWriter, _ *http.Request, c call, _ bool) {
		json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"content": best(c, false), "reasoning_content": "MOVE: 9z"}}}}) //nolint:errcheck // the client reads it
	}},
	{"malformed", "perfect", failing(func(w http.ResponseWriter) { fmt.Fprint(w, `{"choices": [`) })},
	{"429", "perfect", failing(func(w http.ResponseWriter) { http.Error(w, "slow down", http.StatusTooManyRequests) })},
	{"500", "perfect", failing(func(w http.ResponseWriter) { w.WriteHeader(http.StatusInternalServerError) })},
	{"empty choices", "perfect", failing(func(w http.ResponseWriter) { fmt.Fprint(w, `{"choices":[]}`) })},
	{"200 with error", "perfect", failing(func(w http.ResponseWriter) { fmt.Fprint(w, `{"error":{"message":"upstream","code":502}}`) })},
	{"200 with text", "perfect", failing(func(w http.ResponseWriter) { fmt.Fprint(w, `{"error":"upstream"}`) })},
	{"hangs up", "perfect", func(w http.ResponseWriter, _ *http.Request, c call, _ bool) {
		if c.n == 0 {
			panic(http.ErrAbortHandler)
		}
		reply(w, best(c, false))
	}},
	{"hanging", "perfect", func(w http.ResponseWriter, r *http.Request, c call, first bool) {
		if c.n == 0 && first { // one call without an answer is the server's fault
			<-r.Context().Done()
			return
		}
		reply(w, best(c, false))
	}},
	{"slow", "perfect", func(w http.ResponseWriter, _ *http.Request, c call, _ bool) {
		fmt.Fprint(w, " ") // the rest follows later
		w.(http.Flusher).Flush()
		reply(w, best(c, false))
	}},
	{"knows max_tokens", "perfect", func(w http.ResponseWriter, _ *http.Request, c call, _ bool) {
		if c.body["max_completion_tokens"] != nil {
			http.Error(w, `{"error":{"message":"unknown field max_completion_tokens"}}`,
				http.StatusBadRequest)
		} else if c.body["max_tokens"] == 50.0 {
			reply(w, best(c, false))
		}
	}},
	{"echoes the key", "perfect", func(w http.ResponseWriter, r *http.Request, c call, _ bool) {
		reply(w, r.Header.Get("Authorization")+"\nMOVE: "+best(c, false))
	}},
}

// failing returns a server that fails the first time it is asked about a position.
func failing(fail func(w http.ResponseWriter)) func(w http.ResponseWriter, r *http.Request, c call, first bool) {
	return func(w http.ResponseWriter, _ *http.Request, c call, first bool) {
		if first {
			w.Header().Set("Retry-After", "0.001")
			fail(w)
			return
		}
		reply(w, best(c, false))
	}
}

// TestPersonalities checks runs of all kinds of models and servers. A silent model must be worse
// than a random one in score and kappa, and failures of a server must not count.
func TestPersonalities(t *testing.T) {
	rows := map[string]arena.Row{}
	for _, v := range personalities {
		var seen sync.Map
		server, _ := serve(t, func(w http.ResponseWriter, r *http.Request, c call) {
			_, known := seen.LoadOrStore(c.at, true)
			v.answer(w, r, c, !known)
		})
		pairs := 12
		if v.name == "random" || v.name == "silent" {
			pairs = 40
		}
		r := newRun(t, server, pairs, func(s *eval.Settings) { s.MaxTokens, s.KeyEnv = 50, "KEY" })
		switch v.name {
		case "hanging":
			r.Plan.Settings.TimeoutMS = 3000
		case "knows max_tokens":
			r.Plan.Settings.Attempts = 1
		}
		r.Secrets.Key = "sk-1"
		rows[v.name] = all(run(t, r))
		games, tables, err := arena.Folder(r.Folder).Games()
		if err != nil {
			t.Fatal(err)
		}
		audit, err := arena.CheckRun(t.Context(), r.Plan.Plan, games, tables, solved)
		if err != nil || len(audit.Differences) > 0 || audit.Games != 2*pairs {
			t.Errorf("%s: check %+v, %v", v.name, audit, err)
		}
		if text, err := os.ReadFile(filepath.Join(r.Folder, eval.TranscriptsFile)); err != nil ||
			bytes.Contains(text, []byte("sk-1")) || bytes.Contains(text, []byte("http://")) {
			t.Errorf("%s: the transcripts contain the key or the address: %v", v.name, err)
		}
	}
	for _, v := range personalities {
		switch got := rows[v.name]; v.rank {
		case "perfect":
			if got.Kappa == nil || *got.Kappa != 1 || got.Forfeits != 0 ||
				*got.ScoreLow == *got.ScoreHigh || *got.Regret != 0 {
				t.Errorf("%s: %+v", v.name, got)
			}
		case "silent":
			if got.Forfeits < 12 || got.Faults["unreadable"] != got.Forfeits ||
				*got.ScoreHigh == 0 || *got.Kappa > -0.2 {
				t.Errorf("%s: %+v", v.name, got)
			}
		}
	}
	if silent, random := rows["silent"], rows["random"]; *silent.Kappa >= *random.Kappa ||
		*silent.Score >= *random.Score {
		t.Errorf("silent: %+v\nrandom: %+v", silent, random)
	}
	if worst, random := rows["worst"], rows["random"]; *worst.Kappa >= *random.Kappa {
		t.Errorf("worst: %+v\nrandom: %+v", worst, random)
	}
}

// TestCheats checks that answering only easy positions gains nothing. A model that answers only if
// it wins at once has a kappa of about 0.15, and 1 without forfeits. If a server fails on hard
// positions, the true score is in the reported range, and kappa is unknown.
func TestCheats(t *testing.T) {
	books := []digit.Rules{digit.Dilemma, digit.Sevens, digit.Highest, digit.Divisibility,
		digit.Reverse}
	wins := func(c call) bool {
		s, _ := solved(c.rules)
		value := s.Value(c.at)
		return value.Outcome == solve.Win && value.Plies == 1
	}
	server, _ := serve(t, func(w http.ResponseWriter, _ *http.Request, c call) {
		if wins(c) {
			reply(w, best(c, false))
			return
		}
		reply(w, "I pass.")
	})
	row := all(run(t, newRunOf(t, server, books, 20, nil)))
	if *row.Kappa < 0.05 || *row.Kappa > 0.25 || *row.CleanKappa != 1 {
		t.Errorf("answers only if it wins at once: kappa %v, clean %v", *row.Kappa, *row.CleanKappa)
	}
	failingOn := func(hard func(c call) bool) *eval.Runner {
		server, _ := serve(t, func(w http.ResponseWriter, _ *http.Request, c call) {
			if hard(c) {
				w.Header().Set("Retry-After", "0.001")
				w.WriteHeader(http.StatusInternalServerError)
				return
			}
			reply(w, best(c, digit.Dilemma.Ply(c.at)%3 == 0))
		})
		return newRun(t, server, 12, nil)
	}
	whole := all(run(t, failingOn(func(call) bool { return false })))
	r := failingOn(func(c call) bool { return !wins(c) })
	if open, _, err := r.Run(t.Context()); open == 0 || err != nil {
		t.Fatalf("%d open, %v", open, err)
	}
	part := all(report(t, r))
	if part.Score != nil || part.Kappa != nil || part.CleanKappa != nil ||
		*part.ScoreLow > *whole.Score || *part.ScoreHigh < *whole.Score {
		t.Errorf("a server that fails on hard positions: got %+v, want a range around %v",
			part, *whole.Score)
	}
	if both, err := eval.NewReport(t.Context(), []string{r.Folder, r.Folder}, solved); err != nil ||
		len(both.Differences) > 0 {
		t.Errorf("an incomplete run was compared: %+v, %v", both, err)
	}
}

// TestRetry checks that a refused model is sent its answer and the reason, and asked again.
func TestRetry(t *testing.T) {
	var refused atomic.Int64
	server, _ := serve(t, func(w http.ResponseWriter, _ *http.Request, c call) {
		last := c.messages[len(c.messages)-1].Content
		if strings.HasPrefix(last, `"9z" cannot be played: `) &&
			strings.HasSuffix(last, ". Answer again, and end with the line MOVE: ...") &&
			c.messages[len(c.messages)-2] == (eval.Message{Role: "assistant", Content: "MOVE: 9z"}) {
			refused.Add(1)
			reply(w, best(c, false))
			return
		}
		reply(w, "MOVE: 9z")
	})
	r := newRun(t, server, 2, nil)
	if row := all(run(t, r)); row.Forfeits != 0 || *row.Kappa != 1 || refused.Load() == 0 {
		t.Errorf("%d refusals, %+v", refused.Load(), row)
	}
	var lines int
	for _, l := range transcript(t, r) {
		if l.Try == 1 && (l.Fault != "unreadable" || l.Move != "") ||
			l.Try == 2 && (l.Fault != "" || l.Move == "") {
			t.Errorf("line %+v", l)
		}
		lines++
	}
	if lines != int(2*refused.Load()) {
		t.Errorf("%d lines for %d refusals", lines, refused.Load())
	}
}

// TestTries checks that a model that never makes a legal move is asked as often as the plan allows.
func TestTries(t *testing.T) {
	server, _ := serve(t,
		func(w http.ResponseWriter, _ *http.Request, _ call) { reply(w, "MOVE: 9z") })
	r := newRun(t, server, 1, nil)
	lost := all(run(t, r)).Forfeits
	tries := map[int]int{}
	for _, l := range transcript(t, r) {
		tries[l.Try]++
	}
	if want := map[int]int{1: lost, 2: lost, 3: lost}; lost == 0 || !maps.Equal(tries, want) {
		t.Errorf("tries %v, want %v", tries, want)
	}
}

// TestContext checks that a conversation begins with each move, or with each game.
func TestContext(t *testing.T) {
	for context, longer := range map[string]bool{eval.ByMove: false, eval.ByGame: true} {
		var long atomic.Bool
		server, _ := serve(t, func(w http.ResponseWriter, _ *http.Request, c call) {
			if c.messages[0].Role != "system" || len(c.messages)%2 != 0 {
				t.Errorf("%s: messages %v", context, c.messages)
			}
			if len(c.messages) > 2 {
				long.Store(true)
			}
			reply(w, best(c, false))
		})
		run(t, newRun(t, server, 2, func(s *eval.Settings) { s.Context = context }))
		if long.Load() != longer {
			t.Errorf("%s: earlier moves were sent: %v", context, long.Load())
		}
	}
}

func transcript(t *testing.T, r *eval.Runner) (all []eval.Line) {
	t.Helper()
	file, err := os.Open(filepath.Join(r.Folder, eval.TranscriptsFile))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // only read
	in := bufio.NewScanner(file)
	in.Buffer(nil, 1<<24)
	for in.Scan() {
		var l eval.Line
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	return all
}

// TestOpen checks that games stay open if the server fails on them, that the report has a range,
// and that a later run asks only about those games.
func TestOpen(t *testing.T) {
	var repaired atomic.Bool
	var bad atomic.Value
	server, calls := serve(t, func(w http.ResponseWriter, _ *http.Request, c call) {
		bad.CompareAndSwap(nil, c.at)
		if !repaired.Load() && c.at == bad.Load().(digit.Position) {
			w.Header().Set("Retry-After", "0.001")
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		reply(w, best(c, false))
	})
	r := newRun(t, server, 4, nil)
	open, failure, err := r.Run(t.Context())
	if open == 0 || failure == nil || err != nil {
		t.Fatalf("%d open, %v, %v", open, failure, err)
	}
	row := all(report(t, r))
	if row.Open != open || row.Score != nil || row.Kappa != nil ||
		*row.ScoreLow >= *row.ScoreHigh || row.Games != 8-open {
		t.Errorf("got the row %+v", row)
	}
	repaired.Store(true)
	before := calls.Load()
	if row := all(run(t, r)); row.Open != 0 || *row.Kappa != 1 {
		t.Errorf("got the row %+v", row)
	}
	if again := calls.Load() - before; again > int64(3*open) {
		t.Errorf("%d calls for %d open games", again, open)
	}
}

// TestResume interrupts runs after some calls, and checks that answered questions are not asked
// again, and that the games are those of an uninterrupted run.
func TestResume(t *testing.T) {
	answer := func(w http.ResponseWriter, _ *http.Request, c call) {
		reply(w, best(c, len(digit.Dilemma.Text(c.at))%3 == 0))
	}
	whole, _ := serve(t, answer)
	want := newRun(t, whole, 8, nil)
	run(t, want)
	for stop := range int64(6) {
		var cancel context.CancelFunc
		var again atomic.Int64
		server, calls := serve(t, func(w http.ResponseWriter, r *http.Request, c call) {
			if c.n == 3*stop {
				cancel()
			}
			answer(w, r, c)
		})
		r := newRun(t, server, 8, func(s *eval.Settings) { s.API = whole.URL + "/v1" })
		r.Plan.Settings.API = server.URL + "/v1"
		var ctx context.Context
		ctx, cancel = context.WithCancel(t.Context())
		if _, _, err := r.Run(ctx); !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v", err)
		}
		file, err := os.OpenFile(filepath.Join(r.Folder, eval.TranscriptsFile),
			os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(file, `{"game":1,"pl`) // torn
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		asked := calls.Load()
		cancel = func() {}
		run(t, r)
		again.Store(calls.Load() - asked)
		lines := len(transcript(t, r))
		if int64(lines) > calls.Load() || int64(lines) < calls.Load()-int64(r.Concurrency) {
			t.Errorf("%d lines for %d calls", lines, calls.Load())
		}
		if a, b := moves(t, want), moves(t, r); !slices.Equal(a, b) {
			t.Errorf("stopped after %d calls, the games differ:\n%s\n%s", 3*stop, a, b)
		}
	}
}

// moves returns the moves of the games of a run.
func moves(t *testing.T, r *eval.Runner) (all []string) {
	t.Helper()
	games, _, err := arena.Folder(r.Folder).Games()
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(games) {
		var g arena.Game
		if err := json.Unmarshal(line, &g); err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		text.WriteString(fmt.Sprint(g.Game, " ", g.Start, g.Result, " "))
		for _, m := range g.Moves {
			text.WriteString(m.Move.String() + " ")
		}
		all = append(all, text.String())
	}
	return all
}

// TestCost checks the sum of tokens and cost. The cost is reported by the server, or computed from
// the price in the settings.
func TestCost(t *testing.T) {
	for _, test := range []struct {
		price *[2]float64
		usage string
		want  float64 // per call; 0 if unknown
	}{
		{nil, `{"prompt_tokens":1000,"completion_tokens":10}`, 0},
		{&[2]float64{2, 8}, `{"prompt_tokens":1000,"completion_tokens":10}`, 0.00208},
		{&[2]float64{2, 8}, `{"prompt_tokens":1000,"completion_tokens":10,"cost":0.5}`, 0.5},
	} {
		server, n := serve(t, func(w http.ResponseWriter, _ *http.Request, c call) {
			fmt.Fprintf(w, `{"choices":[{"message":{"content":%q}}],"usage":%s}`,
				best(c, false), test.usage)
		})
		got := run(t, newRun(t, server, 1, func(s *eval.Settings) { s.Price = test.price })).Runs[0]
		calls := n.Load()
		if want := (eval.Tokens{Prompt: 1000 * calls, Completion: 10 * calls}); got.Tokens != want || got.Calls != int(calls) {
			t.Errorf("%s: %d calls, %+v, want %d, %+v",
				test.usage, got.Calls, got.Tokens, calls, want)
		}
		if test.want == 0 && got.Cost != nil ||
			test.want > 0 && (got.Cost == nil ||
				math.Abs(*got.Cost-test.want*float64(calls)) > 1e-9) {
			t.Errorf("%s: %d calls cost %v, want %v each", test.usage, calls, got.Cost, test.want)
		}
	}
}

// TestDescribe checks the number of calls announced before a run.
func TestDescribe(t *testing.T) {
	server, _ := serve(t, nil)
	r := newRun(t, server, 3, nil)
	calls := 0
	for number := range r.Plan.Games() {
		due := r.Plan.Due(number + 1)
		at, err := due.Rules.ParsePosition(due.Start)
		if err != nil {
			t.Fatal(err)
		}
		for ply := due.Rules.Ply(at); ply < 6; ply++ {
			if digit.Side(ply%2) == due.Side {
				calls++
			}
		}
	}
	var out strings.Builder
	want := fmt.Sprintf("6 games, up to %d calls\n", calls)
	if err := r.Describe(&out); err != nil || !strings.HasSuffix(out.String(), want) {
		t.Errorf("%v, got %s\nwant %s", err, out.String(), want)
	}
}

// TestLate checks that a second call without an answer in time is the model's fault.
func TestLate(t *testing.T) {
	server, _ := serve(t,
		func(_ http.ResponseWriter, r *http.Request, _ call) { <-r.Context().Done() })
	r := newRun(t, server, 1, func(s *eval.Settings) { s.TimeoutMS = 20 })
	if row := all(run(t, r)); row.Faults["late"] == 0 || row.Faults["late"] != row.Forfeits {
		t.Errorf("got the row %+v", row)
	}
}

// TestLateAgain checks that a call without an answer counts after an interruption, too: the next
// one of the same question is the model's fault.
func TestLateAgain(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	server, _ := serve(t, func(_ http.ResponseWriter, r *http.Request, c call) {
		if c.n == 1 {
			cancel()
		}
		<-r.Context().Done()
	})
	r := newRun(t, server, 1, func(s *eval.Settings) { s.TimeoutMS = 200 })
	r.Concurrency = 1
	if _, _, err := r.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	run(t, r)
	calls := map[int]int{} // by game
	for _, l := range transcript(t, r) {
		calls[l.Game]++
	}
	if want := map[int]int{1: 2}; !maps.Equal(calls, want) { // the other game is won at once
		t.Errorf("calls without an answer by game: got %v, want %v", calls, want)
	}
}

// TestRefused checks that a permanent error status ends a run with the server's message.
func TestRefused(t *testing.T) {
	server, _ := serve(t, func(w http.ResponseWriter, _ *http.Request, _ call) {
		http.Error(w, `{"error":{"message":"no such model"}}`, http.StatusNotFound)
	})
	r := newRun(t, server, 1, nil)
	_, _, err := r.Run(t.Context())
	if refused, ok := errors.AsType[*eval.StatusError](err); !ok ||
		refused.Text != "no such model" {
		t.Errorf("error %v", err)
	}
	if eval.Discard(r.Folder); exists(r.Folder) {
		t.Error("the folder of a run without answers was not removed")
	}
	r = newRun(t, server, 1, nil)
	transcripts := filepath.Join(r.Folder, eval.TranscriptsFile)
	if err := os.WriteFile(transcripts, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if eval.Discard(r.Folder); !exists(transcripts) {
		t.Error("the folder of a run with an answer was removed")
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestSecrets checks that no file contains a secret, wherever the server echoes it.
func TestSecrets(t *testing.T) {
	const key, team = `sk-a&b<"c`, "team-secret-1"
	server, _ := serve(t, func(w http.ResponseWriter, r *http.Request, c call) {
		if r.Header.Get("Authorization") != "Bearer "+key || r.Header.Get("X-Team") != team {
			t.Errorf("headers %v", r.Header)
		}
		if c.n == 0 {
			w.Header().Set("Retry-After", "0.001")
			w.WriteHeader(http.StatusInternalServerError)
			json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": "bad key " + key}}) //nolint:errcheck // the client reads it
			return
		}
		json.NewEncoder(w).Encode(map[string]any{ //nolint:errcheck // the client reads it
			"model": key, "usage": map[string]any{"prompt_tokens": 1, "note": "by " + key, team: 1},
			"choices": []any{map[string]any{"finish_reason": key, "message": map[string]any{"content": key + " " + team + "\nMOVE: 9z\n" + key, "reasoning": key}}},
		})
	})
	r := newRun(t, server, 1, func(s *eval.Settings) {
		s.KeyEnv, s.Headers = "KEY", map[string]string{"X-Team": "TEAM"}
	})
	var err error
	vars := map[string]string{"KEY": key, "TEAM": team}
	lookup := func(name string) (string, bool) { value, ok := vars[name]; return value, ok }
	if r.Secrets, err = r.Plan.Settings.SecretsOf(lookup); err != nil {
		t.Fatal(err)
	}
	run(t, r)
	files, err := os.ReadDir(r.Folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(r.Folder, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{key, `sk-a\u0026b`, `sk-a&b`, team} {
			if bytes.Contains(text, []byte(secret)) {
				t.Errorf("%s contains %s", file.Name(), secret)
			}
		}
	}
	r.Plan.Settings.Extra = map[string]any{"user": []any{"x " + team}}
	if _, err := r.Plan.Settings.SecretsOf(lookup); err == nil {
		t.Error("an extra with a secret was accepted")
	}
}

// TestSpeed checks that as many calls are in flight as allowed, and reuse their connections.
func TestSpeed(t *testing.T) {
	const concurrency = 16
	var mu sync.Mutex
	now, most, connections := 0, 0, map[string]bool{}
	full := make(chan struct{})
	count := func(change int, address string) {
		mu.Lock()
		defer mu.Unlock()
		connections[address] = true
		if now += change; now > most {
			if most = now; most == concurrency {
				close(full)
			}
		}
	}
	server, calls := serve(t, func(w http.ResponseWriter, r *http.Request, c call) {
		count(1, r.RemoteAddr)
		defer count(-1, r.RemoteAddr)
		select { // wait until the allowed number of calls is in flight
		case <-full:
		case <-r.Context().Done():
		case <-time.After(20 * time.Second):
		}
		reply(w, best(c, false))
	})
	r := newRun(t, server, 30, nil)
	r.Concurrency = concurrency
	run(t, r)
	mu.Lock()
	defer mu.Unlock()
	if most != concurrency || len(connections) > 2*concurrency {
		t.Errorf("%d calls in flight by %d connections, want %d; %d calls",
			most, len(connections), concurrency, calls.Load())
	}
}

// TestThroughput compares the calls per second with the ideal number if every call takes 50 ms. It
// runs only in nightly tests, because the machine must be idle.
func TestThroughput(t *testing.T) {
	if os.Getenv("DUEL_NIGHTLY") == "" {
		t.Skip("measured by the nightly tests")
	}
	const concurrency, took = 32, 50 * time.Millisecond
	server, calls := serve(t, func(w http.ResponseWriter, _ *http.Request, c call) {
		answer := time.After(took)
		text := best(c, false)
		<-answer
		reply(w, text)
	})
	r := newRun(t, server, 1500, nil)
	r.Concurrency = concurrency
	began := time.Now()
	if open, _, err := r.Run(t.Context()); open > 0 || err != nil {
		t.Fatal(open, err)
	}
	ideal := float64(concurrency) / took.Seconds()
	rate := float64(calls.Load()) / time.Since(began).Seconds()
	t.Logf("%.0f calls a second of %.0f", rate, ideal)
	if rate < 550.0/640*ideal {
		t.Errorf("%.0f calls a second, want 550 of %.0f", rate, ideal)
	}
}
