package engine

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"digitduel/arena/disguise"
	"digitduel/arena/speech"
	"digitduel/digit"
	"digitduel/solve"
)

// words implements the queries prompt and answer.
type words struct {
	speech.Speech
	rules digit.Rules
}

func (w words) Prompt(p digit.Position) (system, user string) {
	return speech.System(w.Speech), speech.Question(w.Speech, w.rules, p, false)
}

func (w words) Answer(p digit.Position, text string) (digit.Move, error) {
	m, err := speech.Answer(w.Speech, w.rules, p, text)
	if refused, ok := errors.AsType[*speech.Refusal](err); ok {
		return m, &FaultError{Fault: Fault(refused.Fault), Why: refused.Text}
	}
	return m, err
}

func ownSpeech(_ context.Context, r digit.Rules, seed string) (Speech, error) {
	if seed == "" {
		return words{speech.Plain(r), r}, nil
	}
	d, err := disguise.New(r, 7, false)
	return words{speech.InWords(d), r}, err
}

// responses returns the responses of the engine to some lines.
func responses(t *testing.T, lines ...string) []string {
	t.Helper()
	config := ownConfig()
	config.Speech = ownSpeech
	var out strings.Builder
	err := Serve(t.Context(), strings.NewReader(strings.Join(lines, "\n")+"\n"), &out, config)
	if err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	var all []string
	for line := range strings.Lines(out.String()) {
		all = append(all, strings.TrimPrefix(strings.TrimSpace(line), "response "))
	}
	return all
}

// TestChoices compares the choices of many positions, including calls, with the solution.
func TestChoices(t *testing.T) {
	for _, b := range digit.Books {
		solution, err := solve.Solve(t.Context(), b.Rules, solve.Config{})
		if err != nil {
			t.Fatal(err)
		}
		lines := []string{"setoption name Rules value " + b.Rules.String()}
		var positions []digit.Position
		for seed := range 30 {
			for p := (digit.Position{}); !b.Rules.Result(p).Over(); {
				positions = append(positions, p)
				lines = append(lines, "position fen "+b.Rules.Text(p), "query choices")
				m, _ := b.Rules.Pick(p, func(n int) int { return (seed*7 + len(lines)) % n })
				p, _ = b.Rules.Play(p, m)
			}
		}
		for i, line := range responses(t, lines...) {
			p := positions[i]
			var got []choice
			if err := json.Unmarshal([]byte(line), &got); err != nil {
				t.Fatalf("%v %s: %s: %v", b.Rules, b.Rules.Text(p), line, err)
			}
			best := solution.Value(p).Outcome.Points()
			for m := range b.Rules.Moves(p) {
				v := solution.Choice(p, m).Value
				want := choice{m.String(), v.Outcome, v.Plies, best - v.Outcome.Points()}
				if len(got) == 0 || got[0] != want {
					t.Fatalf("%v %s: %v, want %v", b.Rules, b.Rules.Text(p), got, want)
				}
				got = got[1:]
			}
			if len(got) > 0 {
				t.Fatalf("%v %s: too many choices: %v", b.Rules, b.Rules.Text(p), got)
			}
		}
	}
}

// TestWords checks the queries prompt and answer with the words of a book and of a disguise, and
// the errors for answers that are not JSON.
func TestWords(t *testing.T) {
	got := responses(t,
		"position fen 7_1/53_", "query prompt", `query answer "x\n  MOVE:  9 b"`,
		"query answer 9b", "query answer", "setoption name Disguise value 7", "query prompt",
		`query answer "9b"`, "query legal", "setoption name Disguise value none", `query answer "9b"`)
	for i, want := range []string{
		`first   7 _ 1\nsecond  5 3 _`, `{"move":"9b"}`,
		`info string query answer: "9b" is not a JSON string`, "unknown",
		`info string query answer: "" is not a JSON string`, "unknown",
		"Two players take tokens", `"fault":"unreadable"`, "0b 2b 4b 6b 8b 9b", `{"move":"9b"}`,
	} {
		if i >= len(got) || !strings.Contains(got[i], want) {
			t.Fatalf("response %d of %q: want %s", i, got, want)
		}
	}
}
