package cli

import (
	"context"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// typist is a keyboard that types each answer after a delay. After the last answer, nothing is
// typed.
type typist struct {
	answers []answer

	mu      sync.Mutex
	awaited bool
	lines   chan Line
	out     strings.Builder
	titles  []string // the prompts with the clock
}

type answer struct {
	after time.Duration
	text  string
}

func (k *typist) Ask(prompt string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.out.WriteString(prompt + "\n")
	if k.awaited {
		return
	}
	k.awaited = true
	if len(k.answers) == 0 {
		return
	}
	next := k.answers[0]
	k.answers = k.answers[1:]
	time.AfterFunc(next.after, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.awaited = false
		k.lines <- Line{Text: next.text}
	})
}

func (k *typist) Lines() <-chan Line { return k.lines }

func (k *typist) Write(b []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.out.Write(b)
}

func (k *typist) Retitle(prompt string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.titles = append(k.titles, prompt)
}

// clocked plays a game with thirty seconds for each turn, in a bubble. It ends after ten minutes.
func clocked(t *testing.T, setup match.Setup, answers ...answer) (k *typist, record string) {
	t.Helper()
	setup.TurnTime, setup.FreeUndo = 30*time.Second, true
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	table, err := match.Open(ctx, "t", setup, new(match.Memory), rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	k = &typist{answers: answers, lines: make(chan Line, 1)}
	game := &Game{Table: table, Keyboard: k, Keep: func(rec digit.Record) error {
		rec.Tags = nil
		record = rec.String()
		return nil
	}}
	if err := game.Run(ctx); err != nil && ctx.Err() == nil {
		t.Error(err)
	}
	return k, record
}

// TestTimeLoses lets the time run out in every book, at every kind of prompt.
func TestTimeLoses(t *testing.T) {
	tests := []struct {
		rules, typed, record, want string
	}{
		{"dilemma", "", "dilemma 0-1 time", "Digits: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9\n[0:30] Enter the digit you want to pick: \n\n---\n\nPlayer 1's time ran out. Player 2 wins.\n"},
		{"dilemma", "7a", "dilemma 7a 1-0 time", "[0:30] Enter the digit you want to pick: \n\n---\n\nPlayer 2's time ran out. Player 1 wins.\n"},
		{"dilemma", "7a 3", "dilemma 7a 1-0 time", "[0:29] Enter the position to place the digit (Left, Middle, Right): \n\n---\n\nPlayer 2's time ran out. Player 1 wins.\n"},
		{"sevens", "7 5 1 8 2", "sevens 7 5 1 8 0-1 time", "[0:29] Player 1, call a multiple of 7, or Enter for none; a wrong call loses: \n\nPlayer 1's time ran out. Player 2 wins.\n"},
		{"highest", "9a", "highest 9a 1-0 time", "[0:30] Enter the digit you want to select: \n\nPlayer 2's time ran out. Player 1 wins.\n"},
		{"divisibility", "4", "divisibility 0-1 time", "[0:29] - Place digit '4' on (L)eft or (R)ight of your number? \n\nPlayer 1's time ran out. Player 2 wins.\n"},
		{"reverse", "9a 1a", "reverse 9a 1a 0-1 time", "[0:30] Select a digit from the available digits: \n\nPlayer 1's time ran out. Player 2 wins.\n"},
	}
	for _, tt := range tests {
		t.Run(tt.rules+" "+tt.typed, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var answers []answer
				for word := range strings.FieldsSeq(tt.typed) {
					answers = append(answers, answer{time.Second, word})
				}
				began := time.Now()
				k, record := clocked(t, match.Setup{Rules: rulesOf(t, tt.rules)}, answers...)
				if got := k.out.String(); !strings.HasSuffix(got, tt.want) {
					t.Errorf("got\n%s\nwant at the end\n%s", got, tt.want)
				}
				if record != tt.record {
					t.Errorf("recorded %s, want %s", record, tt.record)
				}
				moves := len(recordOf(t, tt.record).Moves)
				want := time.Duration(moves)*time.Second + 30*time.Second
				if got := time.Since(began); got != want {
					t.Errorf("the game took %v, want %v", got, want)
				}
			})
		})
	}
}

// TestTimePlays checks random moves when time runs out: one move, and whole games.
func TestTimePlays(t *testing.T) {
	played := regexp.MustCompile(`(Player [12])'s time ran out, so a random digit was played: `)
	for _, book := range digit.Books {
		t.Run(book.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				terms := match.Terms{OnTimeout: match.Random}
				k, record := clocked(t, match.Setup{Rules: book.Rules, Terms: terms})
				rec := recordOf(t, record)
				if !rec.Result.Over() {
					t.Errorf("the game did not end: %s", record)
				}
				var players []string
				for _, found := range played.FindAllStringSubmatch(k.out.String(), -1) {
					players = append(players, found[1])
				}
				if len(players) != len(rec.Moves) || players[0] != "Player 1" ||
					len(players) > 1 && players[1] != "Player 2" {
					t.Errorf("%s: moves were played for %v", record, players)
				}
			})
		})
	}
	t.Run("with a digit picked", func(t *testing.T) {
		for rules, lead := range map[string]string{
			"dilemma": "", "sevens": "7 5 1 8", "divisibility": "4r 3r",
		} {
			for picked, want := range map[string]string{
				"6": "6", "2 undo 6": "6", "6 help": "6", "6 board": "6",
			} {
				synctest.Test(t, func(t *testing.T) {
					var answers []answer
					for word := range strings.FieldsSeq(lead + " " + picked) {
						answers = append(answers, answer{time.Second, word})
					}
					answers = append(answers, answer{40 * time.Second, "quit"})
					terms := match.Terms{OnTimeout: match.Random}
					setup := match.Setup{Rules: rulesOf(t, rules), Terms: terms}
					k, record := clocked(t, setup, answers...)
					m := recordOf(t, record).Moves[len(strings.Fields(lead))]
					if m.Digit.String() != want || m.Call != (digit.Number{}) {
						t.Errorf("%s: after %s the random move is %v\n%s",
							rules, picked, m, k.out.String())
					}
				})
			}
		}
	})
	t.Run("and the game calls", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			terms := match.Terms{OnTimeout: match.Random, AutoCall: true}
			k, record := clocked(t, match.Setup{Rules: digit.Sevens, Terms: terms},
				answer{0, "7"}, answer{0, "5"}, answer{0, "1"}, answer{0, "8"})
			m := recordOf(t, record).Moves[4]
			timeout := "Player 1's time ran out, so a random digit was played: " +
				m.Digit.String() + ".\nDigits Remaining: "
			end := "\nPlayer 1 forms " + m.Call.String() +
				" which is divisible by 7.\n\nPlayer 1 wins!\n"
			if out := k.out.String(); m.Call == (digit.Number{}) ||
				!strings.Contains(out, timeout) || !strings.HasSuffix(out, end) {
				t.Errorf("%s is shown as\n%s", record, out)
			}
		})
	})
	t.Run("with a digit taken back", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			setup := match.Setup{Rules: digit.Highest, Terms: match.Terms{OnTimeout: match.Random}}
			_, want := clocked(t, setup, answer{31 * time.Second, "quit"})
			_, got := clocked(t, setup,
				answer{0, "6"}, answer{0, "undo"}, answer{31 * time.Second, "quit"})
			if got != want || strings.Contains(got, " 6") {
				t.Errorf("got %s, want %s as without a picked digit", got, want)
			}
		})
	})
	t.Run("and the opponent moves next", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			setup := match.Setup{Rules: digit.Highest, Terms: match.Terms{OnTimeout: match.Random}}
			k, record := clocked(t, setup, answer{31 * time.Second, "resign"})
			rec := recordOf(t, record)
			if len(rec.Moves) != 1 || rec.Result.String() != "1-0 resigned" {
				t.Errorf("recorded %s\n%s", record, k.out.String())
			}
		})
	})
}

// TestRunningClock checks that the clock in a prompt counts down by seconds, and starts again with
// each turn.
func TestRunningClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k, _ := clocked(t, match.Setup{Rules: digit.Reverse},
			answer{2500 * time.Millisecond, "9a"}, answer{1600 * time.Millisecond, "quit"})
		var got []string
		for _, title := range k.titles {
			clock, prompt, _ := strings.Cut(title, " ")
			if prompt != "Select a digit from the available digits: " {
				t.Errorf("the clock is before %q", prompt)
			}
			got = append(got, clock)
		}
		want := "[0:29] [0:28] [0:30] [0:29]" // fractions are rounded up
		if strings.Join(got, " ") != want {
			t.Errorf("the clock showed %v, want %s", got, want)
		}
	})
}

// TestUndoGivesTimeAnew checks that taking back a move restarts the clock, but a picked digit does
// not.
func TestUndoGivesTimeAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k, record := clocked(t, match.Setup{Rules: digit.Reverse},
			answer{29 * time.Second, "9a"}, answer{29 * time.Second, "undo"},
			answer{29 * time.Second, "8"}, answer{2 * time.Second, "a"})
		if want := "reverse 0-1 time"; record != want {
			t.Errorf("recorded %s, want %s\n%s", record, want, k.out.String())
		}
		want := "Player 1, it's your turn.\n[0:30] Select a digit from the available digits: \n" +
			"[0:01] Assign digit '8'"
		if !strings.Contains(k.out.String(), want) {
			t.Errorf("got\n%s\nwant %q in it", k.out.String(), want)
		}
	})
}

// TestClockText checks the time at a prompt, which is never below 0.
func TestClockText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &Game{state: match.State{Game: 1, TurnBegan: time.Now()}}
		g.state.Setup.TurnTime = 90 * time.Second
		for _, want := range []string{"[1:30] ", "[1:00] ", "[0:30] ", "[0:00] ", "[0:00] "} {
			if got := g.clock(); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			time.Sleep(30 * time.Second)
		}
	})
}
