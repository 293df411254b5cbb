package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
)

// Ask shows a prompt and returns the answer without spaces around it. The error is ErrQuit if the
// answer is quit, exit or q, or if the input has ended.
func Ask(ctx context.Context, k Keyboard, prompt string) (string, error) {
	text, err := readAnswer(ctx, k, prompt)
	if errors.Is(err, io.EOF) || err == nil && leaves(text) {
		return "", ErrQuit
	}
	return text, err
}

// readAnswer shows a prompt and returns the answer without spaces around it.
func readAnswer(ctx context.Context, k Keyboard, prompt string) (string, error) {
	k.Ask(prompt)
	select {
	case line := <-k.Lines():
		return strings.TrimSpace(line.Text), line.Err
	case <-ctx.Done():
		return "", ErrInterrupted
	}
}

// leaves reports whether an answer means that the user leaves.
func leaves(text string) bool {
	return slices.Contains([]string{"quit", "exit", "q"}, strings.ToLower(text))
}

// AskTarget asks for the target on which the players agree, and returns the rules with it.
func AskTarget(ctx context.Context, k Keyboard, r digit.Rules) (digit.Rules, error) {
	for {
		text, err := Ask(ctx, k, rulebook.AskAim(r)+" ")
		if err != nil {
			return r, err
		}
		text = strings.TrimPrefix(cmp.Or(text, strconv.Itoa(rulebook.UsualAim)), "target=")
		agreed, err := r.With("target", text)
		if err == nil {
			err = agreed.Check()
		}
		if err == nil {
			return agreed, nil
		}
		fmt.Fprintf(k, "%v\n", err)
	}
}

// IsYes reads the answer to a question. An answer without text means no.
func IsYes(text string) (yes bool, err error) {
	text = strings.ToLower(text)
	if no := strings.HasPrefix("no", text); no || strings.HasPrefix("yes", text) {
		return !no, nil
	}
	return false, slip("Type y or n." + orHelp)
}
