package eval_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
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

// solved has the solutions of the games of these tests.
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

// A call is what a model is asked, as a fake server sees it.
type call struct {
	n        int64 // calls before it
	messages []eval.Message
	at       digit.Position
	body     map[string]any
}

// asked returns the position of the last question about the board.
func asked(t *testing.T, messages []eval.Message) digit.Position {
	for _, m := range slices.Backward(messages) {
		var rows []string
		for line := range strings.Lines(m.Content) {
			for _, name := range []string{"first   ", "second  "} {
				if row, ok := strings.CutPrefix(line, name); ok {
					rows = append(rows, strings.ReplaceAll(strings.TrimSpace(row), " ", ""))
				}
			}
		}
		if len(rows) == 2 {
			p, err := digit.Dilemma.ParsePosition(rows[0] + "/" + rows[1])
			if err != nil {
				t.Errorf("the question has no position: %v\n%s", err, m.Content)
			}
			return p
		}
	}
	t.Errorf("no question in %v", messages)
	return digit.Position{}
}

// best returns the best move in a position, or the worst.
func best(p digit.Position, worst bool) digit.Move {
	s, _ := solved(digit.Dilemma)
	choices := s.Choices(p)
	value := func(c solve.Choice) float64 { return c.Value.Outcome.Points() }
	pick := choices[0]
	for _, c := range choices {
		if worst && value(c) < value(pick) || !worst && value(c) > value(pick) {
			pick = c
		}
	}
	return pick.Move
}

// says writes an answer of the API.
func says(w http.ResponseWriter, text string) {
	json.NewEncoder(w).Encode(map[string]any{ //nolint:errcheck // the client reads it
		"model":   "fake-1",
		"choices": []any{map[string]any{"message": map[string]any{"content": text}, "finish_reason": "stop"}},
		"usage":   map[string]any{"prompt_tokens": 100, "completion_tokens": 10},
	})
}

// serve starts a fake server.
func serve(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, c call)) (*httptest.Server, *atomic.Int64) {
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
		c.at = asked(t, c.messages)
		if r.URL.Path != "/v1/chat/completions" || c.body["stream"] != false {
			t.Errorf("request %s %v", r.URL, c.body)
		}
		answer(w, r, c)
	}))
	t.Cleanup(server.Close)
	return server, &n
}

// newRun plans a run of a number of pairs and returns its runner.
func newRun(t *testing.T, server *httptest.Server, pairs int, change func(*eval.Settings)) *eval.Runner {
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
	s, err := solved(digit.Dilemma)
	if err != nil {
		t.Fatal(err)
	}
	draft := &arena.Plan{
		Players: []string{arena.AgentPlayer("fake"), "perfect"}, Format: arena.Gauntlet, Pairs: pairs,
		Retries: 2, Seed: 1, Rules: []digit.Rules{digit.Dilemma},
	}
	if err := draft.Draw(starts, []*solve.Solution{s}); err != nil {
		t.Fatal(err)
	}
	plan, err := eval.Seal(draft, settings)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, arena.PlanFile), plan.Text(), 0o600); err != nil {
		t.Fatal(err)
	}
	return &eval.Runner{
		Plan: plan, Folder: dir, Concurrency: 4, Solve: solved,
		Speech: func(r digit.Rules) (speech.Speech, error) { return speech.Plain(r), nil },
	}
}

// run runs a run that must succeed, and returns its report.
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

// TestPersonalities lets models of all kinds play, and compares their figures: a silent one is
// worse than a random one, whose kappa is near 0; the perfect one has 1.
func TestPersonalities(t *testing.T) {
	var mu sync.Mutex
	rng := rand.New(rand.NewPCG(1, 1))
	kinds := map[string]func(c call) string{
		"perfect": func(c call) string { return "MOVE: " + best(c.at, false).String() },
		"verbose": func(c call) string {
			return "<think>MOVE: 9z</think>I like it.\n\n**Final move:** `" + strings.ToUpper(best(c.at, false).String()) + "` (it wins)"
		},
		"worst":  func(c call) string { return best(c.at, true).String() },
		"silent": func(call) string { return "" },
		"prose":  func(c call) string { return "I would play " + best(c.at, false).String() + ".\nYes." },
		"random": func(c call) string {
			mu.Lock()
			defer mu.Unlock()
			m, _ := digit.Dilemma.Pick(c.at, rng.IntN)
			return m.String()
		},
	}
	rows := map[string]arena.Row{}
	for name, kind := range kinds {
		server, _ := serve(t, func(w http.ResponseWriter, _ *http.Request, c call) { says(w, kind(c)) })
		r := newRun(t, server, 12, nil)
		rows[name] = all(run(t, r))
		games, tables, err := arena.Folder(r.Folder).Games()
		if err != nil {
			t.Fatal(err)
		}
		audit, err := arena.CheckRun(t.Context(), r.Plan.Plan, games, tables, solved)
		if err != nil || len(audit.Differences) > 0 || audit.Games != 24 {
			t.Errorf("%s: check %+v, %v", name, audit, err)
		}
	}
	for name, want := range map[string]float64{"perfect": 1, "verbose": 1} {
		if got := rows[name]; got.Kappa == nil || *got.Kappa != want || got.Forfeits != 0 {
			t.Errorf("%s: kappa %v, %d forfeits", name, got.Kappa, got.Forfeits)
		}
	}
	if *rows["silent"].Kappa >= *rows["random"].Kappa || *rows["silent"].Score > *rows["random"].Score {
		t.Errorf("silent: %+v\nrandom: %+v", rows["silent"], rows["random"])
	}
	if got := rows["silent"]; got.Forfeits < 12 || got.Faults["unreadable"] != got.Forfeits || got.ScoreLow == nil || *got.ScoreHigh == 0 {
		t.Errorf("silent: %+v", got)
	}
	if got := rows["prose"]; got.Faults["unreadable"] != rows["silent"].Forfeits {
		t.Errorf("prose: %+v", got)
	}
	if *rows["worst"].Kappa >= *rows["random"].Kappa {
		t.Errorf("worst: %+v", rows["worst"])
	}
}

// TestRetry sends the reason for a refusal, and the answer that was refused.
func TestRetry(t *testing.T) {
	var refused atomic.Int64
	server, _ := serve(t, func(w http.ResponseWriter, _ *http.Request, c call) {
		last := c.messages[len(c.messages)-1].Content
		if strings.HasPrefix(last, `"9z" cannot be played: `) && strings.HasSuffix(last, ". Answer again, and end with the line MOVE: ...") &&
			c.messages[len(c.messages)-2] == (eval.Message{Role: "assistant", Content: "MOVE: 9z"}) {
			refused.Add(1)
			says(w, best(c.at, false).String())
			return
		}
		says(w, "MOVE: 9z")
	})
	r := newRun(t, server, 2, nil)
	if row := all(run(t, r)); row.Forfeits != 0 || *row.Kappa != 1 || refused.Load() == 0 {
		t.Errorf("%d refusals, %+v", refused.Load(), row)
	}
	var lines int
	for _, l := range transcript(t, r) {
		if l.Try == 1 && (l.Fault != "unreadable" || l.Move != "") || l.Try == 2 && (l.Fault != "" || l.Move == "") {
			t.Errorf("line %+v", l)
		}
		lines++
	}
	if lines != int(2*refused.Load()) {
		t.Errorf("%d lines for %d refusals", lines, refused.Load())
	}
}

func transcript(t *testing.T, r *eval.Runner) (all []eval.Line) {
	t.Helper()
	file, err := os.Open(filepath.Join(r.Folder, eval.TranscriptsFile))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // it is only read
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

// TestServerFails repeats calls that the server failed to answer, at no cost for the model.
func TestServerFails(t *testing.T) {
	server, _ := serve(t, func(w http.ResponseWriter, _ *http.Request, c call) {
		switch c.n {
		case 0:
			w.Header().Set("Retry-After", "0.01")
			http.Error(w, "slow down", http.StatusTooManyRequests)
		case 1:
			w.Header().Set("Retry-After", "0.01")
			http.Error(w, `{"error":{"message":"busy"}}`, http.StatusServiceUnavailable)
		case 2:
			w.Header().Set("Retry-After", "0.01")
			fmt.Fprint(w, `{"error":{"message":"upstream","code":502}}`)
		case 3:
			w.Header().Set("Retry-After", "0.01")
			fmt.Fprint(w, `{"choices":[]}`)
		default:
			says(w, best(c.at, false).String())
		}
	})
	r := newRun(t, server, 3, func(s *eval.Settings) { s.Attempts = 6 })
	r.Concurrency = 1
	if row := all(run(t, r)); row.Forfeits != 0 || *row.Kappa != 1 || row.Open != 0 {
		t.Errorf("row %+v", row)
	}
}

// TestOpen leaves games open if the server fails on them, and reports a range. A later run asks
// only for those.
func TestOpen(t *testing.T) {
	var heal atomic.Bool
	var bad atomic.Value
	server, calls := serve(t, func(w http.ResponseWriter, _ *http.Request, c call) {
		bad.CompareAndSwap(nil, c.at)
		if !heal.Load() && c.at == bad.Load().(digit.Position) {
			w.Header().Set("Retry-After", "0.001")
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		says(w, best(c.at, false).String())
	})
	r := newRun(t, server, 4, nil)
	open, failure, err := r.Run(t.Context())
	if open == 0 || failure == nil || err != nil {
		t.Fatalf("%d open, %v, %v", open, failure, err)
	}
	row := all(report(t, r))
	if row.Open != open || row.Score != nil || row.Kappa != nil || *row.ScoreLow >= *row.ScoreHigh || row.Games != 8-open {
		t.Errorf("row %+v", row)
	}
	heal.Store(true)
	before := calls.Load()
	if row := all(run(t, r)); row.Open != 0 || *row.Kappa != 1 {
		t.Errorf("row %+v", row)
	}
	if again := calls.Load() - before; again > int64(3*open) {
		t.Errorf("%d calls for %d open games", again, open)
	}
}

// TestResume kills a run at random moments: what was answered is not asked again, and the games
// are those of a run without interruptions.
func TestResume(t *testing.T) {
	answer := func(w http.ResponseWriter, _ *http.Request, c call) {
		says(w, best(c.at, len(digit.Dilemma.Text(c.at))%3 == 0).String())
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
		file, err := os.OpenFile(filepath.Join(r.Folder, eval.TranscriptsFile), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(file, `{"game":1,"pl`) // torn
		file.Close()
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

// moves returns the games of a run, without times.
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
		text := fmt.Sprint(g.Game, " ", g.Start, g.Result, " ")
		for _, m := range g.Moves {
			text += m.Move.String() + " "
		}
		all = append(all, text)
	}
	return all
}

// TestLate counts two calls without an answer in time as the model's fault.
func TestLate(t *testing.T) {
	server, _ := serve(t, func(_ http.ResponseWriter, r *http.Request, _ call) { <-r.Context().Done() })
	r := newRun(t, server, 1, func(s *eval.Settings) { s.TimeoutMS = 20 })
	if row := all(run(t, r)); row.Faults["late"] == 0 || row.Faults["late"] != row.Forfeits {
		t.Errorf("row %+v", row)
	}
}

// TestRefused stops a run at a status that cannot pass, in the server's words.
func TestRefused(t *testing.T) {
	server, _ := serve(t, func(w http.ResponseWriter, _ *http.Request, _ call) {
		http.Error(w, `{"error":{"message":"no such model"}}`, http.StatusNotFound)
	})
	r := newRun(t, server, 1, nil)
	_, _, err := r.Run(t.Context())
	if refused, ok := errors.AsType[*eval.StatusError](err); !ok || refused.Text != "no such model" {
		t.Errorf("error %v", err)
	}
	if eval.Discard(r.Folder); isThere(r.Folder) {
		t.Error("the folder of a run without an answer remains")
	}
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestMaxTokens uses the older name of the limit if the server refuses the newer one.
func TestMaxTokens(t *testing.T) {
	server, _ := serve(t, func(w http.ResponseWriter, _ *http.Request, c call) {
		if c.body["max_completion_tokens"] != nil {
			http.Error(w, `{"error":{"message":"unknown field max_completion_tokens"}}`, http.StatusBadRequest)
			return
		}
		if c.body["max_tokens"] != 50.0 {
			t.Errorf("body %v", c.body)
		}
		says(w, best(c.at, false).String())
	})
	r := newRun(t, server, 2, func(s *eval.Settings) { s.MaxTokens = 50 })
	if row := all(run(t, r)); *row.Kappa != 1 {
		t.Errorf("row %+v", row)
	}
}

// TestSecrets writes no secret, however the server echoes it.
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
		says(w, key+" "+team+"\nMOVE: 9z\n"+key)
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

// TestSpeed keeps as many calls in flight as allowed.
func TestSpeed(t *testing.T) {
	const concurrency = 16
	var now, most atomic.Int64
	full := make(chan struct{})
	server, _ := serve(t, func(w http.ResponseWriter, r *http.Request, c call) {
		if n := now.Add(1); n > most.Load() {
			if most.Store(n); n == concurrency {
				close(full)
			}
		}
		defer now.Add(-1)
		select { // all calls wait until as many as allowed are there
		case <-full:
		case <-r.Context().Done():
		case <-time.After(20 * time.Second):
		}
		says(w, best(c.at, false).String())
	})
	r := newRun(t, server, 12, nil)
	r.Concurrency = concurrency
	run(t, r)
	if most.Load() != concurrency {
		t.Errorf("%d calls in flight, want %d", most.Load(), concurrency)
	}
}
