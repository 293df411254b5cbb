package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

// FuzzCommand runs a read-only command with any words and any input. It must print a result or an
// error, and for wrong usage only the error.
func FuzzCommand(f *testing.F) {
	for _, seed := range [][2]string{
		{"rules dilemma", ""}, {"rules divisibility pool=0-9 zero=barred", ""}, {"perft highest --depth 2", ""}, {"perft sevens --depth -1", ""},
		{"analyze dilemma 7a 3b 1c", ""}, {"analyze highest 9a 9b --json", ""}, {"solve reverse --json", ""}, {"replay - --game 2", "highest 9a *\nhighest *\n"},
		{"review -", "dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple\n"}, {"review - --game 0", ""}, {"solve dilemma --memory x", ""}, {"completion bash", ""}, {"help rules", ""},
		{"rules --help", ""}, {"rules dilemma target=0x7", ""}, {"rules \x00", ""}, {"rules dilemma\u00a0zero=counts", ""}, {"analyze", ""}, {"solve dilemma --memory 0", ""},
	} {
		f.Add(seed[0], seed[1])
	}
	readOnly := []string{"rules", "perft", "analyze", "solve", "replay", "review", "completion", "help"}
	f.Fuzz(func(t *testing.T, line, input string) {
		args := strings.Split(line, " ")
		isPath := func(a string) bool { return strings.ContainsAny(a, "/.\\") }
		if !slices.Contains(readOnly, args[0]) || slices.ContainsFunc(args, isPath) {
			return // no files are read here
		}
		switch args[0] {
		case "perft":
			args = append(args, "--max-positions", "1000")
		case "solve", "analyze", "review":
			args = append(args, "--memory", "1")
		}
		var stdout, stderr bytes.Buffer
		err := run(t.Context(), args, strings.NewReader(input), &stdout, &stderr)
		switch code := exitCode(err, context.Canceled); {
		case err == nil && (stdout.Len() == 0 || stderr.Len() > 0):
			t.Fatalf("%q printed %q and the warning %q", args, stdout.String(), stderr.String())
		case err == nil, errors.As(err, new(*fs.PathError)): // a file with an odd name
		case err.Error() == "" || strings.TrimSpace(err.Error()) != err.Error():
			t.Fatalf("%q: the error is %q", args, err)
		case code == 2 && stdout.Len() > 0:
			t.Fatalf("%q is wrong usage, but printed %q first", args, stdout.String())
		case code != 2 && errors.As(err, new(usageError)):
			t.Fatalf("%q is wrong usage, but the exit code is %d", args, code)
		}
	})
}
