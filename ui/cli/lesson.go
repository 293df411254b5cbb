package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// Teach plays a lesson with the user. At the end of the input it prints the rest. The error is
// ErrQuit or ErrInterrupted if the user left.
func Teach(ctx context.Context, k Keyboard, l coach.Lesson) error {
	fmt.Fprintf(k, "%s\n%s.\n", rulebook.Title(l.Rules), rulebook.Goal(l.Rules).Short)
	cast := rulebook.Cast{Names: [2]string{"", "The computer"}, You: [2]bool{true, false}}
	p, open := digit.Position{}, true
	for i, m := range l.Moves {
		if see, ask, ok := l.At(l.Moves[:i]); ok {
			s := newScreen(match.State{Setup: match.Setup{Rules: l.Rules}, Position: p})
			text := fmt.Sprintf("%s Type %v.", see, ask)
			fmt.Fprintf(k, "\n%s%s\n", s.sides(), text)
			for open {
				right, err := learn(ctx, k, s, ask)
				if errors.Is(err, io.EOF) {
					open = false
				} else if err != nil {
					return err
				}
				if right {
					break
				}
			}
		}
		fmt.Fprintln(k, rulebook.Played(l.Rules, p, m, cast, rulebook.Player).Long)
		p, _ = l.Rules.Play(p, m) // it is a game
	}
	fmt.Fprintf(k, "\n%s\nNow play: duel play %s --p2 beginner\n", l.End, l.Rules)
	return nil
}

// learn reads a line and reports whether it is the requested move.
func learn(ctx context.Context, k Keyboard, s screen, ask digit.Move) (right bool, err error) {
	text, err := readAnswer(ctx, k, "Your move, or skip: ")
	switch {
	case err != nil:
		return false, err
	case leaves(text) || strings.EqualFold(text, "skip"):
		return false, ErrQuit
	}
	if m, err := s.readMove(text); err == nil && m == ask {
		return true, nil
	}
	fmt.Fprintf(k, "In this lesson type %v; skip leaves it.\n", ask)
	return false, nil
}
