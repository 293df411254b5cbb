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
			t.Context(), [2]string{fmt.Sprintf("%q engine", os.Args[0])}, &setup)
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
