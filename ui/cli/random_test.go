package cli

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/match"
)

// variants lists rules of all kinds that no book has.
var variants = []string{
	"dilemma zero=counts", "dilemma zero=barred", "dilemma pool=0-f width=5 target=13", "dilemma final=draw", "dilemma width=1",
	"sevens zero=counts", "sevens win=full", "sevens win=each final=draw", "sevens pool=0-b width=2 target=5", "sevens target=0 win=never final=lower",
	"highest pool=0-9 width=5", "highest width=8 pool=0-f", "highest target=11 win=full", "highest target=7 final=below,later",
	"divisibility pool=0-9", "divisibility pool=0-9 zero=inert", "divisibility pool=0-9 zero=barred target=11", "divisibility width=2 target=9", "divisibility win=full", "divisibility pool=1-c target=97 final=nearest,above,later",
	"reverse final=later", "reverse pool=0-9", "reverse target=7 win=full final=above,higher",
}

func allRules(t *testing.T) []digit.Rules {
	t.Helper()
	var all []digit.Rules
	for _, b := range digit.Books {
		all = append(all, b.Rules)
	}
	for _, text := range variants {
		all = append(all, rulesOf(t, text))
	}
	return all
}

// TestReplayIsPlay plays random games and replays their records: the output is the same, line by
// line, except that a replay shows the answers.
func TestReplayIsPlay(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, r := range allRules(t) {
		for range 20 {
			var p digit.Position
			var typed strings.Builder
			for !r.Result(p).Over() {
				moves := slices.Collect(r.Moves(p))
				m := moves[rng.IntN(len(moves))]
				switch {
				case r.Place == digit.Hand && r.Win == digit.OnCall && m.Call == (digit.Number{}) &&
					r.Held(p, r.Turn(p)).Len() == r.Fills(r.Turn(p))-1:
					// A replay does not ask for calls, so this one is on the same line.
					typed.WriteString(m.String() + "=none\n")
				case m.Spot == digit.InHand:
					typed.WriteString(m.String() + "\n")
				default:
					typed.WriteString(m.Digit.String() + "\n" + m.Spot.String() + "\n")
				}
				var err error
				if p, err = r.Play(p, m); err != nil {
					t.Fatal(err)
				}
			}
			s := session{setup: match.Setup{Rules: r}}
			s.play(t, strings.NewReader(typed.String()))
			record := s.record(t)
			if s.err != nil || !strings.HasSuffix(record, " "+r.Result(p).String()) {
				t.Fatalf("%q is recorded as %s: %v", typed.String(), record, s.err)
			}
			sameButAnswers(t, record, s, replayed(t, record))
		}
	}
}

// sameButAnswers compares the output of a game with its replay.
func sameButAnswers(t *testing.T, record string, s session, replay string) {
	t.Helper()
	played, shown := strings.Split(s.out, "\n"), strings.Split(replay, "\n")
	for i := range max(len(played), len(shown)) {
		switch {
		case i >= len(played) || i >= len(shown):
			t.Fatalf("%s: the game has %d lines, the replay %d", record, len(played), len(shown))
		case shown[i] == played[i]:
		case strings.HasPrefix(shown[i], played[i]) &&
			slices.ContainsFunc(s.asked, func(a asked) bool { return a.prompt == played[i] }):
		default:
			t.Fatalf("%s: line %d is %q in the game, %q in the replay",
				record, i+1, played[i], shown[i])
		}
	}
}

// TestAnythingTyped types random words: nothing breaks, and every saved game is legal.
func TestAnythingTyped(t *testing.T) {
	words := append([]string{
		"undo", "undo", "help", "rules", "board", "hint", "resign", "left", "right", "middle",
		"h", "t", "u", "L", "R", "a", "b", "c", "d", "none", "721", "987", "=",
	}, garbage[:34]...)
	for n := range 16 {
		d := digit.Digit(n).String()
		words = append(words, d, d+" l", d+"c", d+" r")
	}
	rng := rand.New(rand.NewPCG(8, 8))
	for _, r := range allRules(t) {
		var typed strings.Builder
		for range 300 {
			typed.WriteString(words[rng.IntN(len(words))] + "\n")
		}
		autoCall := r.Win == digit.OnCall && rng.IntN(2) == 0
		terms := match.Terms{BestOf: 99, AutoCall: autoCall}
		s := session{setup: match.Setup{Rules: r, Terms: terms}}
		s.play(t, strings.NewReader(typed.String()))
		s.wantEnded(t)
		for _, record := range s.kept {
			recordOf(t, record)
		}
		if len(s.kept) != s.state.Game {
			t.Errorf("%v: %d games were begun and %d saved", r, s.state.Game, len(s.kept))
		}
	}
}
