package cli

import (
	"context"
	"errors"
	"io"
	"strings"
)

// Ask shows a prompt and returns the answer without spaces around it. The error is ErrQuit if the
// answer is quit, exit or q, or if the input has ended.
func Ask(ctx context.Context, k Keyboard, prompt string) (string, error) {
	k.Ask(prompt)
	select {
	case line := <-k.Lines():
		text := strings.TrimSpace(line.Text)
		switch word := strings.ToLower(text); {
		case errors.Is(line.Err, io.EOF):
			return "", ErrQuit
		case line.Err == nil && (word == "quit" || word == "exit" || word == "q"):
			return "", ErrQuit
		}
		return text, line.Err
	case <-ctx.Done():
		return "", ErrInterrupted
	}
}
