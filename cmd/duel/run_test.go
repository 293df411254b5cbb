package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"digitduel/arena"
)

var runKills = flag.Int("run-kills", 8, "number of kills of an agent's run")

// A runAgent is a client of duel mcp over standard input and output. Its moves depend only on the
// answers that it gets.
type runAgent struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Scanner
	errs bytes.Buffer
	id   int // of the last request

	killAt int // the request during which the program is killed; 0: none
}

// An agentState is the part of an answer that an agent uses.
type agentState struct {
	Game      string   `json:"game"`
	Start     string   `json:"start"`
	Position  string   `json:"position"`
	You       string   `json:"you"`
	Moves     []string `json:"moves"`
	Result    string   `json:"result"`
	TriesLeft int      `json:"tries_left"`
	Reason    string   `json:"reason"`
}

func startAgent(t *testing.T, args ...string) *runAgent {
	t.Helper()
	a := &runAgent{cmd: exec.Command("duel", append([]string{"mcp"}, args...)...)}
	a.cmd.Stderr = &a.errs
	var err error
	if a.in, err = a.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := a.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	a.out = bufio.NewScanner(out)
	a.out.Buffer(nil, 1<<20)
	if err := a.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return a
}

// errGone reports that the program has ended.
var errGone = errors.New("the program has ended")

// ask sends a request and reads lines until its answer.
func (a *runAgent) ask(method, params string) (json.RawMessage, error) {
	a.id++
	if a.id == a.killAt {
		go a.cmd.Process.Kill() //nolint:errcheck // it is running
	}
	const request = `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}` + "\n"
	if _, err := fmt.Fprintf(a.in, request, a.id, method, params); err != nil {
		return nil, errGone
	}
	for a.out.Scan() {
		var answer struct {
			ID     int             `json:"id"`
			Result json.RawMessage `json:"result"`
		}
		if err := json.Unmarshal(a.out.Bytes(), &answer); err == nil && answer.ID == a.id {
			return answer.Result, nil
		}
	}
	return nil, errGone
}

func (a *runAgent) initialize() error {
	_, err := a.ask("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},`+
		`"clientInfo":{"name":"script","version":"1"}}`)
	if err == nil {
		const initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
		if _, wrong := io.WriteString(a.in, initialized); wrong != nil {
			err = errGone
		}
	}
	return err
}

func (a *runAgent) call(tool, args string) (s agentState, err error) {
	result, err := a.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, args))
	if err != nil {
		return s, err
	}
	answer := struct {
		State *agentState `json:"structuredContent"`
	}{&s}
	return s, json.Unmarshal(result, &answer)
}

// answer returns a move that depends only on the state, and sometimes a text that is not a move.
func (s *agentState) answer() string {
	sum := fnv.New64a()
	_, _ = io.WriteString(sum, s.Start+s.Position+s.You) // a hash never fails
	n := sum.Sum64() >> 8
	if s.TriesLeft == 3 && n%5 == 0 {
		return "none"
	}
	return s.Moves[n/5%uint64(len(s.Moves))]
}

// play plays the games of the run, atOnce at a time, until there are no more. It returns the reason
// for that.
func (a *runAgent) play(atOnce int, rng *rand.Rand) (why string, err error) {
	if err := a.initialize(); err != nil {
		return "", err
	}
	var games []agentState
	for {
		for len(games) < atOnce {
			s, err := a.call("new_game", "{}")
			if err != nil {
				return "", err
			}
			if s.Reason != "" && len(games) == 0 {
				return s.Reason, nil
			}
			if s.Reason != "" {
				break
			}
			games = append(games, s)
		}
		i := rng.IntN(len(games))
		s := games[i]
		if s, err = a.call("play", fmt.Sprintf(`{"game":%q,"move":%q}`, s.Game, s.answer())); err != nil {
			return "", err
		}
		if games[i] = s; s.Result != "*" {
			games = slices.Delete(games, i, i+1)
		}
	}
}

// end closes the input and waits until the program ends.
func (a *runAgent) end(t *testing.T) {
	t.Helper()
	_ = a.in.Close() // it may have ended
	if err := a.cmd.Wait(); err != nil || a.errs.Len() > 0 {
		t.Errorf("%v: %s", err, a.errs.String())
	}
}

// TestRunKilled kills a program during random requests of an agent, again and again, and restarts
// it. The run must equal that of a program that was not killed, whether the agent plays one game or
// three at a time.
func TestRunKilled(t *testing.T) {
	t.Parallel()
	args := []string{
		"--name", "script", "--opponent", "master", "--opponent", "novice", "--rules", "highest",
		"--rules", "sevens", "--starts", "won:ply=1-3", "--pairs", "6", "--seed", "7", "--show-moves",
		"--out",
	}
	whole, broken := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "broken")
	rng := rand.New(rand.NewPCG(2, 7))
	a := startAgent(t, append(args, whole)...)
	const over = "all 48 games of this run are played: "
	if why, err := a.play(1, rng); err != nil || !strings.HasPrefix(why, over) {
		t.Fatalf("%q %v: %s", why, err, a.errs.String())
	}
	a.end(t)
	requests := a.id
	for killed := 0; killed < *runKills; {
		a := startAgent(t, append(args, broken)...)
		a.killAt = 1 + rng.IntN(requests/4)
		why, err := a.play(3, rng)
		if a.id >= a.killAt && (err == nil || errors.Is(err, errGone)) {
			killed++
			_ = a.cmd.Wait() // it was killed
			continue
		}
		if err != nil || !strings.HasPrefix(why, over) {
			t.Fatalf("%q %v: %s", why, err, a.errs.String())
		}
		a.end(t) // it ended before the kill; start over
		compareMatches(t, whole, broken)
		if err := os.RemoveAll(broken); err != nil {
			t.Fatal(err)
		}
	}
	a = startAgent(t, append(args, broken)...)
	if why, err := a.play(3, rng); err != nil || !strings.HasPrefix(why, over) {
		t.Fatalf("%q %v: %s", why, err, a.errs.String())
	}
	a.end(t)
	compareMatches(t, whole, broken)
	text, err := os.ReadFile(filepath.Join(broken, arena.GamesFile))
	if err != nil || strings.Count(string(text), "\n") != 48 ||
		!strings.Contains(string(text), `"faults":["unreadable"]`) {
		t.Errorf("%d games, %v", strings.Count(string(text), "\n"), err)
	}
	out, err := exec.Command("duel", "match", "check", broken).CombinedOutput()
	const want = "48 of 48 games were checked: every line follows from the plan, its moves and the solution\n"
	if err != nil || string(out) != want {
		t.Errorf("%v: %s", err, out)
	}
}

// TestRunRefused checks the errors, one line each, of runs that cannot be started or continued.
func TestRunRefused(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	args := []string{
		"--out", dir, "--name", "script", "--opponent", "master", "--rules", "highest",
		"--starts", "won:ply=1-3", "--pairs", "2", "--seed", "7", "--show-moves",
	}
	a := startAgent(t, args...)
	if err := a.initialize(); err != nil {
		t.Fatal(a.errs.String())
	}
	refused := func(want string, args ...string) {
		t.Helper()
		out, err := exec.Command("duel", append([]string{"mcp"}, args...)...).CombinedOutput()
		var failed *exec.ExitError
		got := strings.ReplaceAll(string(out), dir, "DIR")
		if !errors.As(err, &failed) || got != "duel: "+want+"\n" {
			t.Errorf("%q: %v %q, want %q", args, err, got, want)
		}
	}
	refused("DIR: another program is writing this run", "--out", dir)
	if _, err := a.call("new_game", "{}"); err != nil {
		t.Fatal(err)
	}
	a.end(t)
	const report = "0 of 4 games; the run is not over: the agent continues with duel mcp --out\n"
	out, err := exec.Command("duel", "match", "report", dir).CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), report) ||
		!strings.Contains(string(out), "–      0 of 2") {
		t.Errorf("%v: %s", err, out)
	}
	a = startAgent(t, "--out", dir) // the plan need not be repeated
	why, err := a.play(1, rand.New(rand.NewPCG(1, 1)))
	if err != nil || !strings.HasPrefix(why, "all 4 games of this run are played: ") {
		t.Errorf("%q %v %s", why, err, a.errs.String())
	}
	a.end(t)
	a = startAgent(t, args...) // but can be
	a.end(t)
	refused("DIR: its run was planned with seed 7, not 8", "--out", dir, "--seed", "8")
	refused(`DIR: its run was planned with players ["agent:script","master"], not ["agent:other","master"]`, "--out", dir, "--name", "other")
	refused(`DIR: its run was planned with players ["agent:script","master"], not ["agent:script","novice"]`, "--out", dir, "--opponent", "novice")
	refused("DIR: its run was planned with retries 2, not 3", "--out", dir, "--retries", "3")
	refused("DIR: its run was planned with show_moves true, not none", "--out", dir, "--show-moves=false")
	refused("coach: not allowed in a planned run", "--out", dir, "--coach")
	other := filepath.Join(filepath.Dir(dir), "new")
	refused("coach: not allowed in a planned run", "--out", other, "--coach", "--opponent", "master")
	refused("opponent: a planned run needs one, as in --opponent master", "--out", other, "--pairs", "3")
	refused("name: a planned run needs the agent's: --name NAME", "--out", other, "--opponent", "master")
	refused("opponent master: given twice", "--out", other, "--opponent", "master", "--opponent", "master")
	refused(`unknown level "sage" (use one of beginner, novice, casual, skilled, expert, master, perfect)`, "--out", other, "--name", "x", "--opponent", "sage")
	refused("starts won:ply=6: no such position was found in highest", "--out", other, "--name", "x", "--opponent", "master", "--rules", "highest", "--starts", "won:ply=6")
	refused(`name " x": allowed: up to 24 visible characters, without spaces around them`, "--out", other, "--name", " x")
	refused("cannot disguise highest target=3 place=hand win=each: a hand that is tested before it is full has no fixed places", "--out", other, "--name", "x", "--opponent", "master", "--rules", "highest place=hand target=3 win=each", "--disguise", "1")
	refused("pairs: needs --out", "--pairs", "3")
	if _, err := os.Stat(other); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a refused run leaves its folder: %v", err)
	}
	plan := filepath.Join(dir, arena.PlanFile)
	text, err := os.ReadFile(plan)
	if err != nil {
		t.Fatal(err)
	}
	change := func(path string, from, to string) (undo func()) {
		t.Helper()
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(before), from, to, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		return func() {
			if err := os.WriteFile(path, before, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	undo := change(plan, `"seed":7`, `"seed":9`)
	out, err = exec.Command("duel", "mcp", "--out", dir).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "plan.json: the plan was changed: its id is ") ||
		strings.Count(string(out), "\n") != 1 {
		t.Errorf("%v %s", err, out)
	}
	undo()
	id := string(text[strings.Index(string(text), `"id":"`)+6:][:12])
	undo = change(filepath.Join(dir, arena.GamesFile), id, "000000000000")
	refused("DIR: the games: line 1: it belongs to plan 000000000000, not "+id, "--out", dir)
	undo()
	undo = change(filepath.Join(dir, arena.TablesFile), `"game":2`, `"game":7`)
	refused("DIR: the list of tables: line 2: game 7: not in the plan", "--out", dir)
	undo()
	// Only the agent can continue its run.
	want := `player "agent:script": an agent joins by itself, by duel mcp --out DIR; ` +
		"players: beginner, novice, casual, skilled, expert, master, perfect, engine:COMMAND"
	out, err = exec.Command("duel", "match", "--resume", "--out", dir).CombinedOutput()
	if err == nil || string(out) != "duel: "+want+"\n" {
		t.Errorf("%v %s", err, out)
	}
	// Games without a plan don't belong to a new run, and a match is not a run.
	if err := os.Rename(plan, plan+".away"); err != nil {
		t.Fatal(err)
	}
	refused("DIR: games without a plan (plan.json)", "--out", dir)
	if err := os.Rename(plan+".away", plan); err != nil {
		t.Fatal(err)
	}
	runMatch(t, []string{"match", "--player", "novice", "--player", "casual", "--pairs", "1", "--out", other})
	refused(other+": not a run of an agent: its players are started by duel match", "--out", other)
	// A torn line is written again from its table.
	games := filepath.Join(dir, arena.GamesFile)
	whole, err := os.ReadFile(games)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(games, int64(len(whole)-10)); err != nil {
		t.Fatal(err)
	}
	a = startAgent(t, "--out", dir)
	a.end(t)
	if got, err := os.ReadFile(games); err != nil || !bytes.Equal(got, whole) {
		t.Errorf("%v: after a torn line the file is\n%s", err, got)
	}
	if err := os.Truncate(games, 0); err != nil {
		t.Fatal(err)
	}
	refused("game 1 was begun at table "+tableOf(t, dir)+", which is not in this database",
		"--out", dir, "--db", filepath.Join(t.TempDir(), "other.db"))
}

// tableOf returns the table of the first game of a run.
func tableOf(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, arena.TablesFile))
	if err != nil {
		t.Fatal(err)
	}
	var due arena.Due
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&due); err != nil {
		t.Fatal(err)
	}
	return due.Table
}
