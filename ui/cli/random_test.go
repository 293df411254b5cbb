package cli

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/match"
)

// variants are rules of every kind that no book has.
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

// TestReplayIsPlay plays random games and replays their records: what is shown is the same, line by line, but for the answers.
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
				case r.Place == digit.Hand && r.Win == digit.OnCall && m.Call == (digit.Number{}) && r.Held(p, r.Turn(p)).Len() == r.Fills(r.Turn(p))-1:
					typed.WriteString(m.String() + "=none\n") // on the same line, since a replay does not ask for calls
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
			s := sitting{setup: match.Setup{Rules: r}}
			s.play(t, strings.NewReader(typed.String()))
			record := s.record(t)
			if s.err != nil || !strings.HasSuffix(record, " "+r.Result(p).String()) {
				t.Fatalf("%q came to %s: %v", typed.String(), record, s.err)
			}
			sameButAnswers(t, record, s, replayed(t, record))
		}
	}
}

// sameButAnswers compares a game as it was played with its replay.
func sameButAnswers(t *testing.T, record string, s sitting, replay string) {
	t.Helper()
	played, shown := strings.Split(s.out, "\n"), strings.Split(replay, "\n")
	for i := range max(len(played), len(shown)) {
		switch {
		case i >= len(played) || i >= len(shown):
			t.Fatalf("%s: %d lines were said and %d are replayed", record, len(played), len(shown))
		case shown[i] == played[i]:
		case strings.HasPrefix(shown[i], played[i]) && slices.ContainsFunc(s.asked, func(a asked) bool { return a.prompt == played[i] }):
		default:
			t.Fatalf("%s: line %d was %q and is replayed as %q", record, i+1, played[i], shown[i])
		}
	}
}

// TestAnythingTyped types words of all kinds at random: nothing breaks, and every game that is kept can have been played.
func TestAnythingTyped(t *testing.T) {
	words := append([]string{"undo", "undo", "help", "rules", "board", "hint", "resign", "left", "right", "middle", "h", "t", "u", "L", "R", "a", "b", "c", "d", "none", "721", "987", "="}, garbage[:34]...)
	for d := range 16 {
		words = append(words, digit.Digit(d).String(), digit.Digit(d).String()+" l", digit.Digit(d).String()+"c", digit.Digit(d).String()+" r")
	}
	rng := rand.New(rand.NewPCG(8, 8))
	for _, r := range allRules(t) {
		var typed strings.Builder
		for range 300 {
			typed.WriteString(words[rng.IntN(len(words))] + "\n")
		}
		s := sitting{setup: match.Setup{Rules: r, Terms: match.Terms{BestOf: 99, AutoCall: r.Win == digit.OnCall && rng.IntN(2) == 0}}}
		s.play(t, strings.NewReader(typed.String()))
		s.wantEnded(t)
		for _, record := range s.kept {
			recordOf(t, record)
		}
		if len(s.kept) != s.state.Game {
			t.Errorf("%v: %d games were begun and %d kept", r, s.state.Game, len(s.kept))
		}
	}
}
