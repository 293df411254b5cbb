package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// TestQuiz types answers to a question, and checks the replies and the result. A slash is the Enter
// key.
func TestQuiz(t *testing.T) {
	tests := []struct {
		name, rules, position, typed, said string
		wrong                              int
		err                                error
	}{
		{"right", "highest", "___/___", "9 hundreds", "Right! You finish with at least 912, Player 2 with at most 876.", 0, nil},
		{"the only place", "dilemma", "7_1/53_", "9", "Right! 791 = 7 × 113.", 0, nil},
		{"wrong, then right", "dilemma", "7_1/53_", "4b/9 middle", "Not 4 in the middle. Player 2 makes 532 = 7 × 76.", 1, nil},
		{"a call", "sevens", "17/58", "2=712/2 721", "Not 2 and the call of 712. 712 = 7 × 101 + 5.", 1, nil},
		{"the first digit of a growing number", "divisibility", "/", "7", "Right! 7 is a multiple of 7 on its own.", 0, nil},
		{"slips change nothing", "highest", "___/___", "//77/x/0/9 z/９/9a", "Pick hundreds, tens or units.", 0, nil},
		{"a place is missing", "highest", "___/___", "9/9a", "Where does 9 go: hundreds, tens or units? Type it in the same line, such as 9 hundreds or 9h or 9a.", 0, nil},
		{"a hint", "highest", "___/___", "hint/9a", "One digit can settle this. Which place counts most?", 0, nil},
		{"help", "divisibility", "4/3", "help/2R", "Type a move in one line, such as 9R or 9 right; or hint, board, rules, show for the answer, skip, or quit.", 0, nil},
		{"rules", "divisibility", "4/3", "rules/2R", "Goal\n", 0, nil},
		{"show", "dilemma", "7_1/53_", "show", "For example, 2 in the middle. 721 = 7 × 103.", 0, ErrShown},
		{"quit", "dilemma", "7_1/53_", "0b/Quit", "Not 0 in the middle. ", 1, ErrQuit},
		{"hint and hint again", "dilemma", "7__/_3_", "hint/hint/hint/skip", "Find a move that gives you two winning digits.\nYour move, or help: \nAfter it, 2 and 9 both win.\nYour move, or help: \nType show for the answer.\n", 0, ErrSkipped},
		{"board", "dilemma", "7_1/53_", "Board/skip", "Your move, or help: \nYours:  7 _ 1\nTheirs: 5 3 _\nLeft:   0 2 4 6 8 9\nYour move", 0, ErrSkipped},
		{"resign", "dilemma", "7_1/53_", "resign/skip", "There's no game in progress. Type a move, or skip.\n", 0, ErrSkipped},
		{"skip", "dilemma", "7_1/53_", "0b/skip", "Not 0 in the middle. ", 1, ErrSkipped},
		{"the input ends", "dilemma", "7_1/53_", "", "Your move, or help: ", 0, io.EOF},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := rulesOf(t, tt.rules)
			p, err := r.ParsePosition(tt.position)
			if err != nil {
				t.Fatal(err)
			}
			s, err := solving(t)(r)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			quiz := &Quiz{
				Keyboard: NewPipe(strings.NewReader(strings.ReplaceAll(tt.typed, "/", "\n")), &out, false),
				Solution: s, Position: p, Question: "Which?",
			}
			if tt.typed == "" {
				quiz.Keyboard = NewPipe(strings.NewReader(""), &out, false)
			}
			wrong, err := quiz.Ask(t.Context())
			if wrong != tt.wrong || !errors.Is(err, tt.err) {
				t.Errorf("%d wrong, %v; want %d wrong, %v\n%s", wrong, err, tt.wrong, tt.err, &out)
			}
			if !strings.Contains(out.String(), tt.said) {
				t.Errorf("%q is not in\n%s", tt.said, &out)
			}
			head := fmt.Sprintf("%v\n%s.\n\nYours:  ", r, rulebook.Goal(r).Short)
			if !strings.HasPrefix(out.String(), head) {
				t.Errorf("the output does not begin with the rules:\n%s", &out)
			}
		})
	}
	t.Run("interrupted", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		reader, writer := io.Pipe()
		defer writer.Close() //nolint:errcheck // a pipe in memory
		s, err := solving(t)(digit.Highest)
		if err != nil {
			t.Fatal(err)
		}
		quiz := &Quiz{Keyboard: NewPipe(reader, io.Discard, false), Solution: s}
		if _, err := quiz.Ask(ctx); !errors.Is(err, ErrInterrupted) {
			t.Error(err)
		}
	})
}

// TestComputer plays against an opponent that moves without the keyboard: its moves are shown, and
// the game is reviewed.
func TestComputer(t *testing.T) {
	r := rulesOf(t, "highest")
	var out bytes.Buffer
	setup := match.Setup{Rules: r, FreeUndo: true, Levels: [2]string{"", "steady"}}
	table, err := match.Open(t.Context(), "t", setup, new(match.Memory), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	keyboard := NewPipe(strings.NewReader("9a\nundo\n9a\n2b\n3c\n"), &out, false)
	game := &Game{Table: table, Keyboard: keyboard, Solve: solving(t), Review: true}
	done := make(chan struct{})
	go func() {
		defer close(done)
		answers := strings.Fields("8a 8a 7b 6c")
		for range table.Watch(t.Context(), 0) {
			state := table.State()
			if state.Result.Over() {
				return
			}
			if state.Playing() && state.Turn() == 1 {
				m, _ := digit.ParseMove(answers[0])
				if _, err := table.Play(t.Context(), 1, m, state.Seq); err == nil {
					answers = answers[1:]
				}
			}
		}
	}()
	if err := game.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-done
	for _, want := range []string{
		"Player 2 is the computer, level steady.\n\n",
		"Player 2, it's your turn.\nAvailable Digits: 1 2 3 4 5 6 7 8\n" +
			"Player 2 (computer) put 8 in the hundreds place.\n\nPlayer 2's Number: [8][ ][ ]\n",
		"Player 1 took back 9 in the hundreds place.\n",
		"\nMove 1: Player 1 found the only winning move out of 27.\n" +
			"Nobody made a mistake. Player 1 could force a win from the start.\n" +
			"Player 1 got 1 of 1 decision right. Player 2 had nothing to decide.\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, &out)
		}
	}
}
