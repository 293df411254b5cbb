package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"digitduel/bot"
	"digitduel/digit"
)

// nearest returns the candidate that a mistyped word most likely means, or "" if none is close: one
// that the word begins, or that differs in at most two letters, and in less than half of them.
func nearest(word string, candidates []string) string {
	word = strings.ToLower(word)
	best, least := "", 3
	for _, c := range candidates {
		n := distance(word, c)
		if len(word) >= 2 && strings.HasPrefix(c, word) {
			n = 1
		}
		if n < least && 2*n < max(len(word), len(c)) {
			best, least = c, n
		}
	}
	return best
}

// distance returns how many letters have to be inserted, deleted, replaced or swapped with their
// neighbour to get from one word to another.
func distance(a, b string) int {
	before, row := []int(nil), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range b {
			change := 1
			if a[i] == b[j] {
				change = 0
			}
			next[j+1] = min(row[j]+change, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

// unknownCommand refuses a word that is not a command under parent, with a suggestion.
func unknownCommand(parent *cobra.Command, word string) error {
	try := func(text string) error { return usagef("unknown command %q (try: %s)", word, text) }
	names := commandNames(parent)
	if name := nearest(word, names); name != "" {
		return try(parent.CommandPath() + " " + name)
	}
	if parent.HasParent() {
		return usagef("unknown command %q (commands: %s)", word, strings.Join(names, ", "))
	}
	if rules, err := rulesOf(word); err == nil {
		return try("duel play " + rules.Named().Name)
	}
	if name := nearest(word, digit.AllNames()); name != "" {
		return try("duel play " + name)
	}
	return try("duel help")
}

// missingGame refuses a command line without a game.
func missingGame(cmd *cobra.Command) error {
	return usagef("%s: missing game name (try: duel %[1]s dilemma)", pathOf(cmd))
}

// pathOf returns the words that call a command, after the name of the program.
func pathOf(cmd *cobra.Command) string { return strings.TrimPrefix(cmd.CommandPath(), "duel ") }

// needsGame checks that a command was given a game.
func needsGame(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return missingGame(cmd)
	}
	return nil
}

// unknownLevel returns an error that suggests the level that a text most likely means, or else err.
// The text is the value of a flag.
func unknownLevel(flag, text string, err error) error {
	if name := nearest(text, bot.LevelNames()); name != "" && name != text {
		return usagef("%s: unknown level %q (try: %s)", flag, text, name)
	}
	return usageError{err}
}

// parseLevel reads the level that is the value of a flag.
func parseLevel(flag, text string) (bot.Level, error) {
	l, err := bot.ParseLevel(text)
	if err != nil {
		return l, unknownLevel(flag, text, err)
	}
	return l, nil
}

// flagError explains an error of a flag among the arguments of a command line.
func flagError(cmd *cobra.Command, args []string, err error) error {
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	switch words := cmd.Flags().Args(); {
	case !cmd.HasParent() && len(words) > 0: // duel dilemma --p2 casual
		return unknownCommand(cmd, words[0])
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		return unknownFlag(cmd, args, unknown.GetSpecifiedName())
	case !errors.As(err, &value):
		return usagef("%w (see: %s --help)", err, cmd.CommandPath())
	}
	allowed := allowedFor(value.GetFlag())
	if allowed == "" { // the flag's own error has it
		return usageError{value.Unwrap()}
	}
	return usagef("%s %q: allowed: %s", value.GetFlag().Name, value.GetValue(), allowed)
}

// unknownFlag refuses a flag that a command does not have, with a suggestion.
func unknownFlag(cmd *cobra.Command, args []string, name string) error {
	if slices.Contains(digit.Keys(), name) { // of the rules
		_, value, _ := strings.Cut(strings.Join(args, " ")+" ", "--"+name)
		value, _, _ = strings.Cut(value[1:], " ")
		return usagef("unknown flag --%s (try: %[1]s=%s)", name, value)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if near := nearest(name, names); near != "" {
		return usagef("unknown flag --%s (try: --%s)", name, near)
	}
	return usagef("unknown flag --%s (see: %s --help)", name, cmd.CommandPath())
}

// allowedFor returns the values that a flag may have, or "" if the flag's own error names them.
func allowedFor(f *pflag.Flag) string {
	return map[string]string{
		"bool": "true, false", "duration": "a time such as 30s or 2m",
		"int": "a whole number", "int64": "a whole number", "uint64": "a whole number from 0",
		"float64": "a number", "float64Slice": "numbers, as in 0.5,1.5",
	}[f.Value.Type()]
}
