package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"digitduel/digit"
	"digitduel/match"
)

// The moves of a short game of divisibility, and of a drawn one.
const (
	firstWins = "7R\n"
	drawnGame = "6R\n5R\n4R\n7R\n1L\n3R\n9L\n8L\n2R\n"
)

// TestSeries plays series, and checks the lines between the games.
func TestSeries(t *testing.T) {
	tests := []struct {
		name  string
		setup match.Setup
		typed string
		want  []string
	}{
		{"the start alternates", match.Setup{Terms: match.Terms{BestOf: 3}}, firstWins + firstWins + firstWins, []string{
			"Game 1, best of 3: Player 1 starts.",
			"Congratulations, Player 1 wins!",
			"Player 1 leads 1–0.",
			"Game 2, best of 3: Player 2 starts.",
			"Congratulations, Player 2 wins!",
			"It's 1–1.",
			"Game 3, best of 3: Player 1 starts.",
			"Congratulations, Player 1 wins!",
			"Player 1 wins the series 2–1.",
		}},
		{"names and a resignation", match.Setup{Terms: match.Terms{BestOf: 3}, Names: [2]string{"Ada", "Ben"}}, firstWins + "4R\nresign\n", []string{
			"Game 1, best of 3: Ada starts.",
			"Congratulations, Ada wins!",
			"Ada leads 1–0.",
			"Game 2, best of 3: Ben starts.",
			"Ada resigned. Ben wins.",
			"It's 1–1.",
			"Game 3, best of 3: Ada starts.",
		}},
		{"player 2 starts, and the majority ends it", match.Setup{Terms: match.Terms{BestOf: 3}, First: match.Two}, firstWins + "resign\n", []string{
			"Game 1, best of 3: Player 2 starts.",
			"Congratulations, Player 2 wins!",
			"Player 2 leads 1–0.",
			"Game 2, best of 3: Player 1 starts.",
			"Player 1 resigned. Player 2 wins.",
			"Player 2 wins the series 2–0.",
		}},
		{"a draw counts for nobody", match.Setup{Terms: match.Terms{BestOf: 3}}, firstWins + drawnGame + firstWins, []string{
			"Game 1, best of 3: Player 1 starts.",
			"Congratulations, Player 1 wins!",
			"Player 1 leads 1–0.",
			"Game 2, best of 3: Player 2 starts.",
			"91642 and 8573 are both 5 over a multiple of 7. It's a draw.",
			"Player 1 leads 1–0, with 1 draw.",
			"Game 3, best of 3: Player 1 starts.",
			"Congratulations, Player 1 wins!",
			"Player 1 wins the series 2–0, with 1 draw.",
		}},
		{"level after twice the games", match.Setup{Terms: match.Terms{BestOf: 1}}, drawnGame + drawnGame, []string{
			"Game 1, best of 1: Player 1 starts.",
			"91642 and 8573 are both 5 over a multiple of 7. It's a draw.",
			"It's 0–0, with 1 draw.",
			"Game 2, best of 1: Player 2 starts.",
			"91642 and 8573 are both 5 over a multiple of 7. It's a draw.",
			"The series is drawn, 0–0, with 2 draws.",
		}},
		{"one win is enough after twice the games", match.Setup{Terms: match.Terms{BestOf: 3}}, firstWins + strings.Repeat(drawnGame, 5), []string{
			"Game 1, best of 3: Player 1 starts.",
			"Congratulations, Player 1 wins!",
			"Player 1 leads 1–0.",
			"Game 2, best of 3: Player 2 starts.",
			"91642 and 8573 are both 5 over a multiple of 7. It's a draw.",
			"Player 1 leads 1–0, with 1 draw.",
			"Game 3, best of 3: Player 1 starts.",
			"91642 and 8573 are both 5 over a multiple of 7. It's a draw.",
			"Player 1 leads 1–0, with 2 draws.",
			"Game 4, best of 3: Player 2 starts.",
			"91642 and 8573 are both 5 over a multiple of 7. It's a draw.",
			"Player 1 leads 1–0, with 3 draws.",
			"Game 5, best of 3: Player 1 starts.",
			"91642 and 8573 are both 5 over a multiple of 7. It's a draw.",
			"Player 1 leads 1–0, with 4 draws.",
			"Game 6, best of 3: Player 2 starts.",
			"91642 and 8573 are both 5 over a multiple of 7. It's a draw.",
			"Player 1 wins the series 1–0, with 5 draws.",
		}},
		{"no series", match.Setup{}, drawnGame, []string{
			"91642 and 8573 are both 5 over a multiple of 7. It's a draw.",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.setup.Rules = digit.Divisibility
			s := session{setup: tt.setup}
			s.play(t, strings.NewReader(tt.typed))
			var got []string
			for line := range strings.SplitSeq(s.out, "\n") {
				for _, word := range []string{"Game ", "It's ", "leads", "wins", "draw"} {
					if strings.Contains(line, word) {
						got = append(got, line)
						break
					}
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			games := strings.Count(s.out, "Welcome to Divisibility Duel!\n")
			if len(s.kept) != games {
				t.Errorf("%d games were played and %d saved: %q", games, len(s.kept), s.kept)
			}
		})
	}
}

// TestSides lets Player 2 start: the board shows the names by seat, and the record by side.
func TestSides(t *testing.T) {
	setup := match.Setup{Rules: digit.Dilemma, First: match.Two, Names: [2]string{"Ada", "李"}}
	s := session{setup: setup}
	s.play(t, strings.NewReader("7a\n3b\nresign\n"))
	for _, want := range []string{
		"\nAda's Number: _ _ _\n李's Number: _ _ _\n\n---\n\n李's Turn:\n",
		"\nAda's Number: _ _ _\n李's Number: 7 _ _\n" +
			"Digit Pool after turn: 0, 1, 2, 3, 4, 5, 6, 8, 9\n\n---\n\nAda's Turn:\n",
		"\nAda's Number: _ 3 _\n李's Number: 7 _ _\n",
		"李 resigned. Ada wins.\n",
	} {
		if !strings.Contains(s.out, want) {
			t.Errorf("%q is missing in\n%s", want, s.out)
		}
	}
	if got, want := s.record(t), "dilemma 7a 3b 0-1 resigned"; got != want {
		t.Errorf("recorded %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(s.tags[0][:3]), "[{first 李} {second Ada} {starts 2}]"; got != want {
		t.Errorf("the tags are %s, want %s", got, want)
	}
}

// TestToss checks that the toss is shown before the first game only.
func TestToss(t *testing.T) {
	setup := match.Setup{
		Rules: digit.Divisibility, First: match.Two, Terms: match.Terms{BestOf: 3},
	}
	s := session{setup: setup, toss: true}
	s.play(t, strings.NewReader(firstWins+firstWins))
	want := "Game 1, best of 3: Player 2 won the toss and starts.\n\nWelcome"
	if !strings.HasPrefix(s.out, want) {
		t.Errorf("got\n%s\nwant first\n%s", s.out, want)
	}
	if n := strings.Count(s.out, "toss"); n != 1 {
		t.Errorf("the toss is shown %d times, want once", n)
	}
}

// leaving is a keyboard that calls a function at each prompt.
type leaving struct {
	*typist
	happens func(k *typist)
}

func (l leaving) Ask(prompt string) {
	l.typist.Ask(prompt)
	l.happens(l.typist)
}

// TestLeaving leaves a game in every way: it is saved, or an error says that it was not. Only a
// resignation gives it a winner.
func TestLeaving(t *testing.T) {
	full := errors.New("no space left")
	typed := func(text string) Keyboard {
		return leaving{&typist{lines: make(chan Line, 1)}, func(k *typist) {
			k.lines <- Line{Text: text}
		}}
	}
	tests := []struct {
		name     string
		keyboard func(context.CancelFunc) Keyboard
		keep     error
		want     []error // the errors that Run returns; none: nil
		result   string
	}{
		{"end of input", func(context.CancelFunc) Keyboard {
			return NewPipe(strings.NewReader("9a\n8"), io.Discard, false)
		}, nil, []error{ErrEnded}, "*"},
		{"interrupted at the keyboard", func(context.CancelFunc) Keyboard {
			return leaving{&typist{lines: make(chan Line, 1)}, func(k *typist) {
				k.lines <- Line{Err: ErrInterrupted}
			}}
		}, nil, []error{ErrInterrupted}, "*"},
		{"interrupted from outside", stopped, nil, []error{ErrInterrupted}, "*"},
		{"interrupted and not saved", stopped, full, []error{ErrInterrupted, full}, "*"},
		{"quit", func(context.CancelFunc) Keyboard { return typed("quit") }, nil, nil, "*"},
		{"quit and not saved", func(context.CancelFunc) Keyboard { return typed("quit") }, full, []error{full}, "*"},
		{"resigned and not saved", func(context.CancelFunc) Keyboard { return typed("resign") }, full, []error{full}, "0-1 resigned"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			setup := match.Setup{Rules: digit.Highest, Terms: match.Terms{BestOf: 3}}
			rng := rand.New(rand.NewPCG(1, 1))
			table, err := match.Open(ctx, "t", setup, new(match.Memory), rng)
			if err != nil {
				t.Fatal(err)
			}
			defer table.Close()
			var kept []string
			game := &Game{Table: table, Keyboard: tt.keyboard(stop), Keep: func(rec digit.Record) error {
				kept = append(kept, rec.Result.String())
				return tt.keep
			}}
			err = game.Run(ctx)
			if tt.want == nil && err != nil {
				t.Error(err)
			}
			for _, want := range tt.want {
				if !errors.Is(err, want) {
					t.Errorf("error %v, want %v", err, want)
				}
			}
			if len(kept) != 1 || kept[0] != tt.result {
				t.Errorf("saved results %q, want %s once", kept, tt.result)
			}
		})
	}
}

// stopped returns a keyboard that interrupts the program at the first prompt.
func stopped(stop context.CancelFunc) Keyboard {
	return leaving{&typist{lines: make(chan Line, 1)}, func(*typist) { stop() }}
}

// TestKeptBeforeTold checks that a game is saved before its end is shown, so that no game whose end
// was seen is lost.
func TestKeptBeforeTold(t *testing.T) {
	setup := match.Setup{Rules: digit.Divisibility}
	table, err := match.Open(t.Context(), "t", setup, new(match.Memory), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	k := &typist{lines: make(chan Line, 1), answers: []answer{{0, "7R"}}}
	shown := ""
	game := &Game{Table: table, Keyboard: k, Keep: func(digit.Record) error {
		shown = k.out.String()
		return nil
	}}
	if err := game.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(shown, "Select a digit from the available digits: \n") {
		t.Errorf("shown before the game was saved:\n%s", shown)
	}
}

// TestTargets plays a series with a different target in each game, which the game and its hints
// show.
func TestTargets(t *testing.T) {
	terms := match.Terms{BestOf: 3, Targets: match.Targets{3, 4}, Hints: true}
	s := session{setup: match.Setup{Rules: digit.Divisibility, Terms: terms}}
	const typed = "hint\nhint\nhint\nresign\nhint\nhint\nhint\n4\nr\nhelp\nresign\n"
	s.play(t, strings.NewReader(typed))
	for _, want := range []string{
		"Game 1, best of 3: Player 1 starts. First multiple of 3 wins.\n", "\nTarget Number: 3\n",
		"Hint: Start with 3: 3 is a multiple of 3 on its own. 3 of your 9 moves win.\n",
		"Game 2, best of 3: Player 2 starts. First multiple of 4 wins.\n", "\nTarget Number: 4\n",
		"Hint: Start with 4: 4 is a multiple of 4 on its own. 2 of your 9 moves win.\n",
		"Player 2 wins the series 2–0.\n",
	} {
		if !strings.Contains(s.out, want) {
			t.Errorf("%q is missing in\n%s", want, s.out)
		}
	}
	want := []string{"divisibility target=3 0-1 resigned", "divisibility target=4 4R 1-0 multiple"}
	if !slices.Equal(s.kept, want) {
		t.Errorf("recorded %q, want %q", s.kept, want)
	}
}
