package arena

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"digitduel/arena/engine"
	"digitduel/digit"
	"digitduel/solve"
)

// planOf returns a plan and the solutions of its rules.
func planOf(t *testing.T, p Plan, starts string, rules ...string) (*Plan, []*solve.Solution) {
	t.Helper()
	var solutions []*solve.Solution
	for _, text := range rules {
		r, err := digit.ParseRules(text)
		if err != nil {
			t.Fatal(err)
		}
		s, err := solve.Solve(t.Context(), r, solve.Config{})
		if err != nil {
			t.Fatal(err)
		}
		p.Rules, solutions = append(p.Rules, r), append(solutions, s)
	}
	from, err := ParseStarts(starts,
		func(string) ([]byte, error) { return nil, errors.New("no files here") })
	if err != nil {
		t.Fatal(err)
	}
	p.Format, p.MoveTime = RoundRobin, 1000
	if err := p.Draw(from, solutions); err != nil {
		t.Fatal(err)
	}
	return &p, solutions
}

// play plays a plan into a new file, and returns its text without the times.
func play(t *testing.T, r Runner) (text string, standing *Standing) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "games.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() }) // the content is synced
	if standing, err = r.Run(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	return timeless(t, file), standing
}

var times = regexp.MustCompile(`"ms":[0-9.e-]+`)

func timeless(t *testing.T, file *os.File) string {
	t.Helper()
	text, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return times.ReplaceAllString(string(text), `"ms":0`)
}

// TestLedger recomputes the regret of every move from the values of positions, in games of all
// books. The score must be the value of the start, less the own regret, plus the opponent's.
func TestLedger(t *testing.T) {
	plan, solutions := planOf(t,
		Plan{Players: []string{"beginner", "casual", "perfect"}, Pairs: 40, Seed: 3},
		"decision:ply=0-3",
		"dilemma", "sevens", "highest", "divisibility target=13", "reverse", "highest width=2 final=draw pool=1-6 target=3 place=hand win=full")
	text, _ := play(t, Runner{Plan: plan, Solutions: solutions, Concurrency: 2})
	thrown, calls := 0.0, 0
	for line := range strings.Lines(text) {
		var g Game
		if err := json.Unmarshal([]byte(line), &g); err != nil {
			t.Fatal(err)
		}
		s := solutions[0]
		for _, one := range solutions {
			if one.Rules() == g.Rules {
				s = one
			}
		}
		p, err := g.Rules.ParsePosition(g.Start)
		if err != nil {
			t.Fatal(err)
		}
		first := s.Value(p).Outcome.Points()
		if g.Rules.Turn(p) == digit.Second {
			first = 1 - first
		}
		for _, m := range g.Moves {
			turn, before := g.Rules.Turn(p), s.Value(p)
			if p, err = g.Rules.Play(p, m.Move); err != nil {
				t.Fatal(err)
			}
			after := 1 - s.Value(p).Outcome.Points()
			if m.Regret != before.Outcome.Points()-after {
				t.Errorf("game %d %v: regret %v, want %v",
					g.Game, m.Move, m.Regret, before.Outcome.Points()-after)
			}
			if lost := before.Plies - 1 - s.Value(p).Plies; m.Regret == 0 &&
				before.Outcome != solve.Draw && m.PliesLost != max(lost, -lost) || m.PliesLost < 0 {
				t.Errorf("game %d %v: %d plies lost, want %d", g.Game, m.Move, m.PliesLost, lost)
			}
			if m.Move != m.Move.Uncalled() {
				calls++
			}
			thrown += m.Regret
			if turn == digit.First {
				first -= m.Regret
			} else {
				first += m.Regret
			}
		}
		if want := map[digit.Score]float64{digit.FirstWins: 1, digit.Draw: 0.5}[g.Result.Score]; first != want {
			t.Errorf("game %d: the score is %v by the regrets, but the result is %v",
				g.Game, first, g.Result)
		}
	}
	if thrown == 0 || calls == 0 {
		t.Errorf("total regret %v and %d calls, want some of both", thrown, calls)
	}
}

// TestSevensDigits checks a position with a winning call: taking the digit without the call has
// regret, but only digits count as choices, not calls.
func TestSevensDigits(t *testing.T) {
	s, err := solve.Solve(t.Context(), digit.Sevens, solve.Config{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := digit.Sevens.ParsePosition("27/58") // with 1: 721 = 7·103
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []struct {
		move   string
		regret bool
	}{{"1=721", false}, {"1=127", true}, {"1", true}} {
		m, err := digit.ParseMove(v.move)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := evaluate(s, p, m)
		if got.Regret > 0 != v.regret || got.Of != 6 || !got.Decision() {
			t.Errorf("%s: %+v", v.move, got)
		}
	}
}

// TestOrder checks that the games do not depend on the number of workers.
func TestOrder(t *testing.T) {
	plan, solutions := planOf(t,
		Plan{Players: []string{"novice", "casual", "novice"}, Pairs: 150, Seed: 5}, "won:ply=1-3",
		"dilemma", "reverse")
	one, _ := play(t, Runner{Plan: plan, Solutions: solutions, Concurrency: 1})
	five, _ := play(t, Runner{Plan: plan, Solutions: solutions, Concurrency: 5})
	if one != five {
		t.Error("the games differ with one and five workers")
	}
	if n := strings.Count(one, "\n"); n != plan.Games() || n != 2*150*3*2 {
		t.Errorf("%d games, want %d", n, plan.Games())
	}
}

// A shortFile fails with errPower after a number of bytes.
type shortFile struct {
	*os.File
	left int
}

var errPower = errors.New("no power")

func (f *shortFile) Write(b []byte) (int, error) {
	n := min(f.left, len(b))
	f.left -= n
	if _, err := f.File.Write(b[:n]); err != nil || n == len(b) {
		return n, err
	}
	return n, errPower
}

// Truncate fails without power.
func (f *shortFile) Truncate(size int64) error {
	if f.left == 0 {
		return errPower
	}
	return f.File.Truncate(size)
}

// TestResume cuts the power at random bytes of a match, and resumes each time. It checks that the
// games do not change, also if an SPRT ends the match early.
func TestResume(t *testing.T) {
	for _, sprt := range []*SPRT{nil, {0, 100, 0.05, 0.05, Normalised}} {
		plan, solutions := planOf(t,
			Plan{Players: []string{"perfect", "beginner"}, Pairs: 60, Seed: 8, SPRT: sprt},
			"decision:ply=0-2", "highest")
		r := Runner{Plan: plan, Solutions: solutions, Concurrency: 3}
		want, standing := play(t, r)
		if sprt != nil && (standing.Decided != "H1" || standing.Pairs == 60) {
			t.Fatalf("%q after %d pairs, want H1 before the last pair",
				standing.Decided, standing.Pairs)
		}
		if sum := standing.Summary(); !sum.Complete || sum.Cells[0].Score == nil ||
			sum.Players[0].Score == nil {
			t.Errorf("a complete match of %d pairs has no score: %+v", standing.Pairs, sum.Cells[0])
		}
		rng := rand.New(rand.NewPCG(9, 9))
		times := 4
		if os.Getenv("DUEL_NIGHTLY") != "" {
			times = 20
		}
		for range times {
			file, err := os.Create(filepath.Join(t.TempDir(), "games.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			for {
				if _, err := file.Seek(0, io.SeekStart); err != nil {
					t.Fatal(err)
				}
				_, err := r.Run(t.Context(), &shortFile{file, 1000 + rng.IntN(12_000)})
				if err == nil {
					break
				}
				if !errors.Is(err, errPower) {
					t.Fatal(err)
				}
			}
			if got := timeless(t, file); got != want {
				t.Fatalf("an interrupted match differs from an uninterrupted one: %d and %d bytes",
					len(got), len(want))
			}
			if err := file.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A slowFile is a file on a slow disk: the first Sync waits for a channel.
type slowFile struct {
	*os.File
	syncs int
	end   <-chan struct{}
}

func (f *slowFile) Sync() error {
	if f.syncs++; f.syncs == 1 {
		<-f.end
	}
	return f.File.Sync()
}

// TestSlowDisk checks that games are played while a slow disk stores others, and are then stored
// together.
func TestSlowDisk(t *testing.T) {
	plan, solutions := planOf(t,
		Plan{Players: []string{"perfect", "engine:fake"}, Pairs: 8, Seed: 2},
		"decision:ply=0-2", "highest")
	begun, closed, fourth := 0, 0, make(chan struct{})
	fake := &fakeEngine{closed: &closed, answers: func() string { return "" }}
	r := Runner{Plan: plan, Solutions: solutions, Concurrency: 1,
		Open: func(context.Context, string) (Engine, error) {
			return &countingEngine{fake, func() {
				if begun++; begun == 7 { // the second and third pair are played
					close(fourth)
				}
			}}, nil
		}}
	want, _ := play(t, r)
	file, err := os.Create(filepath.Join(t.TempDir(), "games.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() }) // the content is synced
	begun, fourth = 0, make(chan struct{})
	slow := &slowFile{file, 0, fourth}
	standing, err := r.Run(t.Context(), slow)
	if err != nil || !standing.Done() || timeless(t, file) != want {
		t.Fatalf("%v: %d pairs are stored, or they differ", err, standing.Pairs)
	}
	if slow.syncs >= 8 {
		t.Errorf("8 pairs are stored by %d syncs, want fewer", slow.syncs)
	}
}

// A countingEngine counts the games that begin.
type countingEngine struct {
	*fakeEngine
	begin func()
}

func (e *countingEngine) NewGame(ctx context.Context, r digit.Rules, seed uint64) error {
	e.begin()
	return e.fakeEngine.NewGame(ctx, r, seed)
}

// TestTorn checks that a file of games can be cut at any byte, and that changes of the games or of
// the plan are found.
func TestTorn(t *testing.T) {
	plan, solutions := planOf(t, Plan{Players: []string{"casual", "beginner"}, Pairs: 3, Seed: 2},
		"beginning", "highest")
	text, _ := play(t, Runner{Plan: plan, Solutions: solutions})
	var ends []int
	for i, c := range text {
		if c == '\n' {
			ends = append(ends, i+1)
		}
	}
	for cut := range len(text) + 1 {
		pairs := 0
		for pairs < 3 && ends[2*pairs+1] <= cut {
			pairs++
		}
		want := 0
		if pairs > 0 {
			want = ends[2*pairs-1]
		}
		s := NewStanding(plan)
		if whole, err := s.Read(strings.NewReader(text[:cut])); err != nil || s.Pairs != pairs ||
			whole != int64(want) {
			t.Fatalf("cut at %d: %d pairs in %d bytes, %v; want %d in %d",
				cut, s.Pairs, whole, err, pairs, want)
		}
	}
	for _, change := range [][2]string{{`"game":2`, `"game":3`}, {`"result":"1-0`, `"result":"0-1`},
		{`"regret":0,"plies`, `"regret":1,"plies`}, {`"player":"casual"`, `"player":"master"`},
		{plan.ID, "000000000000"}, {`{`, `[`}} {
		changed := strings.Replace(text, change[0], change[1], 1)
		if _, err := NewStanding(plan).Read(strings.NewReader(changed)); changed == text ||
			err == nil || !strings.HasPrefix(err.Error(), "line ") {
			t.Errorf("%s became %s: %v", change[0], change[1], err)
		}
	}
	kept := plan.Text()
	for i, c := range kept {
		if c < '1' || c > '8' {
			continue
		}
		changed := bytes.Clone(kept)
		changed[i]++
		if _, err := ReadPlan(changed); err == nil {
			t.Fatalf("no error for a plan changed at byte %d: %s", i, changed)
		}
	}
}

// A fakeEngine plays the first legal move if answers returns "", and otherwise commits the fault
// that answers returns.
type fakeEngine struct {
	rules   digit.Rules
	answers func() string
	closed  *int
}

func (e *fakeEngine) NewGame(_ context.Context, r digit.Rules, _ uint64) error {
	e.rules = r
	return nil
}

func (e *fakeEngine) Choose(_ context.Context, p digit.Position, moves []digit.Move,
	_ time.Duration) (Answer, error) {
	for _, m := range moves {
		p, _ = e.rules.Play(p, m)
	}
	switch say := e.answers(); say {
	case "":
		for m := range e.rules.Moves(p) {
			return Answer{Move: m, Tokens: 10, Cost: 0.5}, nil
		}
		return Answer{}, errors.New("no legal move")
	case "illegal":
		return Answer{Move: digit.Move{Digit: 15, Spot: 'z'}, Tokens: 1}, nil
	default:
		return Answer{}, &engine.FaultError{Fault: engine.Fault(say), Why: "as configured"}
	}
}

func (e *fakeEngine) Close() { *e.closed++ }

// TestFaults checks every fault of a program, with and without retries.
func TestFaults(t *testing.T) {
	for _, v := range []struct {
		fault   engine.Fault
		retries int
		forfeit bool
		result  string
		starts  int // starts of the program, which is restarted if it is unusable
	}{
		{engine.Illegal, 0, true, "forfeit", 1}, {engine.Illegal, 1, false, "", 1},
		{engine.Unreadable, 0, true, "forfeit", 1}, {engine.Unreadable, 2, false, "", 1},
		{engine.Late, 2, true, "time", 1}, {engine.Crashed, 2, true, "left", 2},
		{engine.Silent, 2, true, "time", 2},
	} {
		plan, solutions := planOf(t,
			Plan{Players: []string{"perfect", "engine:fake"}, Pairs: 1, Retries: v.retries},
			"beginning", "highest")
		asked, opened, closed := 0, 0, 0
		r := Runner{Plan: plan, Solutions: solutions, Concurrency: 1,
			Open: func(context.Context, string) (Engine, error) {
				opened++
				return &fakeEngine{closed: &closed, answers: func() string {
					if asked++; asked == 2 {
						return string(v.fault)
					}
					return ""
				}}, nil
			}}
		text, standing := play(t, r)
		sum := standing.Summary()
		fake := sum.Players[1]
		if got := fake.Faults[v.fault] == 1 && fake.CleanGames == 1; got != v.forfeit ||
			strings.Contains(text, `"fault":"`+string(v.fault)+`"`) != v.forfeit {
			t.Errorf("%s with %d retries: %+v\n%s", v.fault, v.retries, fake, text)
		}
		if !v.forfeit && (!strings.Contains(text, `"tries":2,"faults":["`+string(v.fault)+`"]`) ||
			fake.Retried[v.fault] != 1) || opened != closed || opened != v.starts {
			t.Errorf("%s with %d retries: opened %d times and closed %d times\n%s",
				v.fault, v.retries, opened, closed, text)
		}
		if v.fault == engine.Illegal && v.retries > 0 &&
			!strings.Contains(text, `"tokens":11,`) { // of both tries
			t.Errorf("the tokens of the first try are not counted:\n%s", text)
		}
		if v.forfeit && !strings.Contains(text, `1-0 `+v.result) {
			t.Errorf("%s: no result %q in\n%s", v.fault, v.result, text)
		}
		if v.result == "forfeit" { // as before Forfeit was a reason
			if _, err := NewStanding(plan).Read(strings.NewReader(strings.ReplaceAll(text, "forfeit\"", "left\""))); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestCannotStart checks that a match ends with an error if a program cannot be started.
func TestCannotStart(t *testing.T) {
	plan, solutions := planOf(t, Plan{Players: []string{"perfect", "engine:nothing"}, Pairs: 5},
		"beginning", "highest")
	broken := errors.New("no such program")
	r := Runner{Plan: plan, Solutions: solutions, Concurrency: 3,
		Open: func(context.Context, string) (Engine, error) { return nil, broken }}
	file, err := os.Create(filepath.Join(t.TempDir(), "games"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() }) // the content is synced
	if _, err := r.Run(t.Context(), file); !errors.Is(err, broken) {
		t.Errorf("got the error %v", err)
	}
	if sum := NewStanding(plan).Summary(); sum.Cells[0].Score != nil || sum.Complete {
		t.Errorf("a match without games has a score: %+v", sum.Cells[0])
	}
}

// TestFirstFailure checks that a match ends with the failure of a game, not with the games that
// were canceled because of it.
func TestFirstFailure(t *testing.T) {
	failure := errors.New("no such program")
	for _, errs := range [][]error{
		{context.Canceled, failure}, {failure, context.Canceled}, {failure, errors.New("another")},
	} {
		played := make(chan playedPair, len(errs))
		for i, err := range errs {
			played <- playedPair{number: i, err: err}
		}
		close(played)
		standing := standingOf(nil, make([]float64, 2), make([]float64, 1), 0)
		standing.plan.Pairs = 5
		err := new(Runner).keep(func() {}, nil, standing, played, nil)
		if !errors.Is(err, failure) {
			t.Errorf("%v: got %v, want %v", errs, err, failure)
		}
	}
}

// TestNoRun checks that a run without a plan leaves no folder.
func TestNoRun(t *testing.T) {
	dir, failure := filepath.Join(t.TempDir(), "run"), errors.New("no plan")
	_, err := Folder(dir).OpenRun(func(*Plan) (*Plan, error) { return nil, failure })
	if !errors.Is(err, failure) {
		t.Errorf("got %v, want %v", err, failure)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is there: %v", err)
	}
}
