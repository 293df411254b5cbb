package sit

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// TestMain lets the test binary act as the engine of a test.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "engine" {
		answers := map[string]string{
			"ugi": "id name Plain\nugiok", "isready": "readyok", "go": "bestmove 7a",
		}
		for in := bufio.NewScanner(os.Stdin); in.Scan() && in.Text() != "quit"; {
			verb, _, _ := strings.Cut(in.Text(), " ")
			if answer := answers[verb]; answer != "" {
				fmt.Println(answer)
			}
		}
		return
	}
	os.Exit(m.Run())
}

// ownEngine is the command of the engine of a test.
var ownEngine = fmt.Sprintf("%q engine", os.Args[0])

// TestEngineTime checks that an engine gets less time than the clock gives its seat.
func TestEngineTime(t *testing.T) {
	for _, test := range []struct {
		turn time.Duration
		want string
	}{
		{0, "> go movetime 5000"}, {10 * time.Second, "> go movetime 9000"},
	} {
		setup := match.Setup{
			Rules: digit.Dilemma, Levels: [2]string{match.EngineLevel, ""},
			Terms: match.Terms{TurnTime: test.turn},
		}
		engines, err := StartEngines(
			t.Context(), [2]string{ownEngine}, &setup)
		if err != nil {
			t.Fatal(err)
		}
		choose := engines.newGame(t.Context(), match.One, digit.Dilemma)
		m, _, err := choose(t.Context(), match.State{Setup: setup, Game: 1})
		talk := engines[0].Dialogue()
		engines.Close()
		if err != nil || m.String() != "7a" || !slices.Contains(talk, test.want) {
			t.Errorf("%v, %v, want %s in %q", m, err, test.want, talk)
		}
		if setup.Names[0] != "Plain" {
			t.Errorf("got name %q, want Plain", setup.Names[0])
		}
	}
}

// TestEngineName checks that an engine does not get the name of its opponent.
func TestEngineName(t *testing.T) {
	long := strings.Repeat("x", match.MaxName)
	for _, test := range []struct{ own, other, want string }{
		{"Plain", "Ada", "Plain"}, {"Ada", "Ada", "Other Ada"}, {"", "Ada", "Engine"},
		{"", "Engine", "Other Engine"}, {long, "Ada", long}, {long, long, "Other " + long},
	} {
		if got := engineName(test.own, test.other); got != test.want {
			t.Errorf("%q against %q is %q, want %q", test.own, test.other, got, test.want)
		}
	}
}

// TestEngineSwaps checks that an engine learns before its first move that it may be taken over.
func TestEngineSwaps(t *testing.T) {
	setup := match.Setup{Rules: digit.Dilemma, Levels: [2]string{match.EngineLevel, ""}}
	setup.Swap = true
	engines, err := StartEngines(t.Context(), [2]string{ownEngine, ""}, &setup)
	if err != nil {
		t.Fatal(err)
	}
	defer engines.Close()
	choose := engines.newGame(t.Context(), match.One, digit.Dilemma)
	if _, _, err := choose(t.Context(), match.State{Setup: setup, Game: 1}); err != nil {
		t.Fatal(err)
	}
	if talk := engines[0].Dialogue(); !slices.Contains(talk, "> go movetime 5000 swap") {
		t.Errorf("the engine does not learn of the swap: %q", talk)
	}
}

// TestEngineTargets checks that an engine must play all targets of a series.
func TestEngineTargets(t *testing.T) {
	targets, err := match.ParseTargets("7,13")
	if err != nil {
		t.Fatal(err)
	}
	setup := match.Setup{Rules: digit.Dilemma, Terms: match.Terms{BestOf: 3, Targets: targets}}
	engines, err := StartEngines(t.Context(), [2]string{ownEngine, ""}, &setup)
	if err == nil || !strings.Contains(err.Error(), "not dilemma target=13") {
		t.Errorf("got %v, %v, want an error", engines, err)
	}
}

// TestEngineFails checks that an engine that makes an illegal move resigns, with a report.
func TestEngineFails(t *testing.T) {
	setup := match.Setup{Rules: digit.Dilemma, Levels: [2]string{match.EngineLevel, ""}}
	engines, err := StartEngines(t.Context(), [2]string{ownEngine, ""}, &setup)
	if err != nil {
		t.Fatal(err)
	}
	defer engines.Close()
	table, err := match.Open(t.Context(), "t", setup, new(match.Memory), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	reports := make(chan error, 9)
	leave, err := Computer(t.Context(), table, nil, engines, 1, func(err error) { reports <- err })
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	if _, err := table.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, s := range table.Watch(t.Context(), 0) {
		if s.Turn() == match.Two && s.Playing() { // after 7a, which the engine plays again
			_, err = table.Play(t.Context(), match.Two, digit.Move{Digit: 3, Spot: 'b'}, s.Seq)
		}
		if err != nil || s.Result.Over() {
			break
		}
	}
	got, why := table.State().Result.String(), <-reports
	if err != nil || got != "0-1 resigned" || !strings.Contains(why.Error(), "Plain stopped playing") {
		t.Errorf("got %s, %v, after %v", got, err, why)
	}
}
