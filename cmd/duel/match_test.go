package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"digitduel/arena"
	"digitduel/arena/engine"
	"digitduel/digit"
)

var matchKills = flag.Int("match-kills", 4, "how often a match is killed")

var moveTimes = regexp.MustCompile(`"ms":[0-9.e-]+`)

// TestMatchKilled kills a match at random moments, again and again, and resumes it. The games must
// equal those of a match that was not killed: between levels, and with an engine that always
// answers the same.
func TestMatchKilled(t *testing.T) {
	t.Parallel()
	for _, player := range []string{"novice", "engine:steady"} {
		t.Run(player, func(t *testing.T) {
			t.Parallel()
			pairs := 2000
			if player != "novice" {
				pairs = 500
			}
			if nightly {
				pairs *= 3
			}
			args := []string{
				"match", "--player", "beginner", "--player", player, "--rules", "highest",
				"--starts", "won:ply=1-2", "--pairs", strconv.Itoa(pairs), "--concurrency", "2",
				"--seed", "7", "--move-time", "1m", "--resume", "--out",
			}
			whole, broken := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "broken")
			began := time.Now()
			runMatch(t, append(args, whole))
			took := time.Since(began)
			rng := rand.New(rand.NewPCG(1, 7))
			killed := 0
			for killed < *matchKills {
				cmd := exec.Command("duel", append(args, broken)...)
				cmd.Env = append(os.Environ(), "GORACE="+noWait)
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				timer := time.AfterFunc(time.Duration(rng.Int64N(int64(took))), func() {
					_ = cmd.Process.Kill() // it may have ended
				})
				err := cmd.Wait()
				timer.Stop()
				var failed *exec.ExitError
				if err == nil || errors.As(err, &failed) && failed.ExitCode() < 0 {
					killed++
				} else {
					t.Fatal(err)
				}
				if err == nil { // it ended before the kill; start over
					compareMatches(t, whole, broken)
					if err := os.RemoveAll(broken); err != nil {
						t.Fatal(err)
					}
				}
			}
			runMatch(t, append(args, broken))
			compareMatches(t, whole, broken)
			text, err := os.ReadFile(filepath.Join(broken, arena.GamesFile))
			hasCost := strings.Contains(string(text), `"tokens":12,"cost":0.5`)
			if err != nil || hasCost != (player == "engine:steady") {
				t.Errorf("tokens and cost of an engine recorded: %t, %v", hasCost, err)
			}
		})
	}
}

// steadyMain is an engine that plays the first legal move. With a number as its argument, it plays
// that number of moves and thinks for ever about the next one.
func steadyMain() {
	most := math.MaxInt
	if len(os.Args) > 1 {
		most, _ = strconv.Atoi(os.Args[1])
	}
	r := digit.Dilemma
	var at digit.Position
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		c, err := engine.ParseCommand(in.Text())
		if err != nil {
			continue
		}
		switch c.Verb {
		case "ugi":
			fmt.Print("id name Steady\noption name Rules type string default dilemma\nugiok\n")
		case "isready":
			fmt.Println("readyok")
		case "setoption":
			r, _ = digit.ParseRules(c.Value) // the arena sends valid rules
		case "position":
			at, _ = r.ParsePosition(cmp.Or(c.Start, r.Text(digit.Position{})))
			for _, m := range c.Moves {
				at, _ = r.Play(at, m)
			}
		case "go":
			if most--; most < 0 {
				continue
			}
			for m := range r.Moves(at) {
				fmt.Printf("info string tokens 12 cost 0.5\nbestmove %v\n", m)
				break
			}
		case "quit":
			return
		}
	}
}

func runMatch(t *testing.T, args []string) {
	t.Helper()
	cmd := exec.Command("duel", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
}

// compareMatches checks that two folders hold the same match, except for times.
func compareMatches(t *testing.T, one, two string) {
	t.Helper()
	for _, name := range []string{arena.PlanFile, arena.GamesFile, arena.SummaryFile, arena.PictureFile} {
		var texts [2]string
		for i, dir := range []string{one, two} {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			texts[i] = moveTimes.ReplaceAllString(string(text), `"ms":0`)
		}
		if texts[0] != texts[1] {
			t.Errorf("%s differs: %d and %d lines",
				name, strings.Count(texts[0], "\n"), strings.Count(texts[1], "\n"))
		}
	}
}

// TestMatchModes checks that a user who can read one file of a match can read all of them, except
// the plan: it contains the commands of engines, which only the owner may read.
func TestMatchModes(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "m")
	runMatch(t, []string{
		"match", "--player", "beginner", "--player", "novice", "--rules", "highest", "--pairs", "1", "--out", dir,
	})
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil { // what the umask allows
		t.Fatal(err)
	}
	modeOf := func(path string) os.FileMode {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode()
	}
	for name, want := range map[string]os.FileMode{
		arena.PlanFile: 0o600, arena.GamesFile: modeOf(file), arena.SummaryFile: modeOf(file),
		arena.PictureFile: modeOf(file),
	} {
		if got := modeOf(filepath.Join(dir, name)); got != want {
			t.Errorf("%s has mode %v, want %v", name, got, want)
		}
	}
}

// A namedEngine is an engine that is only asked for its name.
type namedEngine struct {
	arena.Engine
	name string
}

func (e namedEngine) Name() string { return e.name }
func (e namedEngine) Close()       {}

// TestEngineNames checks that programs get the names that they give themselves, unless these are
// empty or those of levels.
func TestEngineNames(t *testing.T) {
	f := matchFlags{open: func(_ context.Context, command string) (arena.Engine, error) {
		return namedEngine{name: strings.TrimPrefix(command, "./")}, nil
	}}
	plan := &arena.Plan{
		Players:  []string{"perfect", "", "", "", "mine"},
		Commands: []string{"", "./Plain", "./perfect", "./", "./Plain"},
	}
	err := f.name(t.Context(), plan)
	want := []string{"perfect", "Plain", "engine perfect", "engine", "mine"}
	if err != nil || !slices.Equal(plan.Players, want) {
		t.Errorf("got %q, %v, want %q", plan.Players, err, want)
	}
}
