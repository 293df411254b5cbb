package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"digitduel/coach"
	"digitduel/rulebook"
	"digitduel/solve"
)

// ReviewText tells a review: the moves that threw something away or, in full, all of them, the chart, and the accuracy of both sides.
func ReviewText(review coach.Review, full bool) string {
	var b strings.Builder
	if len(review.Moves) > 0 {
		b.WriteString(review.Chart(rulebook.Cast{}, true) + "\n")
	}
	told := 0
	for _, judged := range review.Moves {
		if !full && judged.Kept() {
			continue
		}
		told++
		why := judged.Reason
		if judged.Grade != coach.Best {
			why = fmt.Sprintf("%s\n%26sbetter: %s: %s", judged.Blame, "", joined(judged.Line), judged.Reason)
		}
		fmt.Fprintf(&b, "%2d. %-6s %-6v %-7v %s\n", judged.Ply, judged.Side, judged.Move, judged.Grade, why)
	}
	if told == 0 && len(review.Moves) > 0 {
		b.WriteString("Nobody threw anything away.\n")
	}
	if review.Remark != "" {
		b.WriteString("\n" + review.Remark + "\n")
	}
	fmt.Fprintf(&b, "\nAccuracy: first %s; second %s.\n", accuracyText(review.First), accuracyText(review.Second))
	return b.String()
}

func accuracyText(a coach.Accuracy) string {
	share, ok := a.Share()
	if !ok {
		return "had nothing to decide"
	}
	return fmt.Sprintf("%.0f%% (%d of %d decisions)", 100*share, a.Kept, a.Decisions)
}

// Retry asks for a better move in each position of a game in which something was thrown away.
func Retry(ctx context.Context, keyboard Keyboard, s *solve.Solution, review coach.Review, game int) error {
	mistakes := review.Mistakes()
	if len(mistakes) == 0 {
		_, err := fmt.Fprintf(keyboard, "Game %d: nobody threw anything away.\n\n", game)
		return err
	}
	for i, judged := range mistakes {
		fmt.Fprintf(keyboard, "Game %d, mistake %d of %d: move %d\n", game, i+1, len(mistakes), judged.Ply)
		quiz := &Quiz{
			Keyboard: keyboard, Solution: s, Position: judged.At,
			Question: fmt.Sprintf("%s was a %v. Find a better move.", rulebook.Voice{Rules: s.Rules()}.Back(judged.At, judged.Move), judged.Grade),
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
