package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// ReviewText describes a review: at most three moments, the turning point, and how well both
// played. In full it adds the chart and every move.
func ReviewText(review coach.Review, cast rulebook.Cast, full bool) string {
	var b strings.Builder
	if full && len(review.Moves) > 0 {
		b.WriteString(review.Chart(cast) + "\n")
		for _, judged := range review.Moves {
			did := rulebook.Say(review.Rules, cast, judged.Did).Long
			fmt.Fprintf(&b, "%2d. %s. %s\n", judged.Ply, did, judged.Text)
		}
		b.WriteString("\n")
	}
	for _, ply := range review.Moments {
		b.WriteString(review.Moves[ply-1].Moment + "\n")
	}
	turning := review.TurningPoint.Text.Then(review.TurningPoint.Instead).Long
	for _, text := range []string{
		turning, strings.TrimPrefix(review.Remark, turning),
		review.First.Text(cast, digit.First) + " " + review.Second.Text(cast, digit.Second),
	} {
		if text != "" {
			b.WriteString(text + "\n")
		}
	}
	return b.String()
}

// Retry asks for a better move at each mistake of a game.
func Retry(
	ctx context.Context, keyboard Keyboard, s *solve.Solution, review coach.Review, game int,
) error {
	mistakes := review.Mistakes()
	if len(mistakes) == 0 {
		_, err := fmt.Fprintf(keyboard, "Game %d: nobody made a mistake.\n\n", game)
		return err
	}
	for i, judged := range mistakes {
		fmt.Fprintf(
			keyboard, "Game %d, mistake %d of %d: move %d\n", game, i+1, len(mistakes), judged.Ply)
		quiz := &Quiz{
			Keyboard: keyboard, Solution: s, Position: judged.At,
			Question: fmt.Sprintf(
				"%s was a %v. Find a better move.",
				rulebook.Voice{Rules: s.Rules()}.Back(judged.At, judged.Move), judged.Grade),
		}
		_, err := quiz.Ask(ctx)
		switch {
		case errors.Is(err, ErrSkipped), errors.Is(err, ErrShown), err == nil:
			fmt.Fprintln(keyboard)
		case errors.Is(err, io.EOF):
			return errors.New("the input ended before all mistakes were tried")
		default:
			return err
		}
	}
	return nil
}
