package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"digitduel/lab"
)

// walk calls do for a command and all commands under it, hidden ones too.
func walk(cmd *cobra.Command, do func(*cobra.Command)) {
	do(cmd)
	for _, c := range cmd.Commands() {
		walk(c, do)
	}
}

// page returns the help page of a command as lines.
func page(cmd *cobra.Command, width int) []string {
	p := helpPage{width: width}
	if cmd.HasParent() {
		p.command(cmd)
	} else {
		p.overview(cmd)
	}
	return strings.Split(strings.TrimRight(p.String(), "\n"), "\n")
}

// TestHelpPages checks the form of every help page.
func TestHelpPages(t *testing.T) {
	root := newRoot(nil)
	root.InitDefaultHelpCmd()
	pages := 0
	for _, line := range page(root, 60) {
		if utf8.RuneCountInString(line) > 60 {
			t.Errorf("duel at width 60: %s", line)
		}
	}
	walk(root, func(cmd *cobra.Command) {
		if !cmd.HasParent() {
			return // its page is in testdata/script/help.txtar
		}
		pages++
		path := cmd.CommandPath()
		first, _, _ := strings.Cut(cmd.Short, " ")
		switch {
		case utf8.RuneCountInString(cmd.Short) > 50:
			t.Errorf("%s: %q is longer than 50 characters", path, cmd.Short)
		case !regexp.MustCompile(`^[A-Z][-a-z]*[^s]$`).MatchString(first), strings.HasSuffix(first, "ing"):
			t.Errorf("%s: %q does not begin with an imperative", path, cmd.Short)
		case strings.HasSuffix(cmd.Short, "."):
			t.Errorf("%s: %q ends with a full stop", path, cmd.Short)
		}
		examples := strings.Split(cmd.Example, "\n")
		if group := cmd.Name() == "bench" || cmd.Name() == "help"; !group && (len(examples) < 2 || len(examples) > 3) {
			t.Errorf("%s: %d examples, want 2 or 3", path, len(examples))
		}
		for _, width := range []int{60, 80, 100} {
			for _, line := range page(cmd, width) {
				if n := utf8.RuneCountInString(line); n > max(width, 80) || n > width && !strings.HasPrefix(line, "  ") {
					t.Errorf("%s at width %d: %d columns: %s", path, width, n, line)
				}
			}
		}
		lines := page(cmd, 80)
		if lines[0] != cmd.Short+"." || lines[1] != "" ||
			!strings.HasPrefix(lines[2], "Usage:  duel ") {
			t.Errorf("%s begins with\n%s", path, strings.Join(lines[:3], "\n"))
		}
		details := helpPage{width: 80}
		details.paragraphs(cmd.Long)
		if n := strings.Count(details.String(), "\n"); n > 10 {
			t.Errorf("%s: %d lines of details, want at most 10", path, n)
		}
		for line := range strings.SplitSeq(cmd.Long, "\n") {
			if strings.Contains(line, "  ") || strings.Contains(line, "BOOK") {
				t.Errorf("%s: %q", path, line)
			}
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() != "bool" && valueName(f) == "" {
				t.Errorf("%s --%s: its value has no name", path, f.Name)
			}
			if strings.HasSuffix(f.Usage, ".") || strings.Contains(f.Usage, "BOOK") {
				t.Errorf("%s --%s: %q", path, f.Name, f.Usage)
			}
		})
	})
	if pages < 25 {
		t.Errorf("checked only %d pages", pages)
	}
}

// TestHelpNarrow wraps a flag text at 60 columns, with a hanging indent.
func TestHelpNarrow(t *testing.T) {
	p := helpPage{width: 60}
	p.rows(0, [][2]string{
		{"--swap", "let the second player take over the first move"},
		{"--a-flag-of-more-than-28-characters N", "its text begins on the next line"},
	})
	p.rows(0, [][2]string{{"--random-opening", "start both games of a pair from the same random opening"}})
	const want = `  --swap  let the second player take over the first move
  --a-flag-of-more-than-28-characters N
          its text begins on the next line
  --random-opening  start both games of a pair from the same
                    random opening
`
	if p.String() != want {
		t.Errorf("got\n%swant\n%s", p.String(), want)
	}
}

// TestExamples parses every example of the help pages: its command, flags, arguments and rules.
func TestExamples(t *testing.T) {
	count := 0
	walk(newRoot(nil), func(cmd *cobra.Command) {
		for example := range strings.SplitSeq(cmd.Example, "\n") {
			if example == "" {
				continue
			}
			count++
			if err := parseExample(example); err != nil {
				t.Errorf("%s: %s: %v", cmd.CommandPath(), example, err)
			}
		}
	})
	if count < 50 {
		t.Errorf("parsed only %d examples", count)
	}
	for _, wrong := range []string{
		"duel plya dilemma", "duel play dilema", "duel play dilemma --lots", "duel rules", "ls",
		"duel lab sweep dilemma target=1..", "duel admin prune now", "duel play dilemma target=1",
	} {
		if parseExample(wrong) == nil {
			t.Errorf("%s: no error", wrong)
		}
	}
}

var (
	exampleCommand = regexp.MustCompile(`(^|\| |<\()duel ([^|>)]*)`)
	shellWord      = regexp.MustCompile(`'[^']*'|[^' ]+`)
)

// parseExample parses a line for a shell with one command of duel in it.
func parseExample(line string) error {
	found := exampleCommand.FindStringSubmatch(line)
	if found == nil {
		return fmt.Errorf("no command")
	}
	var words []string
	for _, word := range shellWord.FindAllString(found[2], -1) {
		words = append(words, strings.Trim(word, "'"))
	}
	cmd, rest, err := newRoot(nil).Find(words)
	if err != nil || !cmd.HasParent() {
		return fmt.Errorf("no such command: %v", err)
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	args := cmd.Flags().Args()
	if err := cmd.ValidateArgs(args); err != nil {
		return err
	}
	if rules, err := cmd.Flags().GetString("rules"); err == nil {
		if _, err := rulesOf(rules); err != nil {
			return err
		}
	}
	before, _, takesGame := strings.Cut(cmd.Use, "GAME")
	game := args[min(len(args), strings.Count(before, "URL")):]
	switch {
	case !takesGame || len(game) == 0:
		return nil
	case cmd.Name() == "sweep":
		_, err := lab.ParseGrid(game)
		return err
	}
	n := 1
	for n < len(game) && strings.Contains(game[n], "=") {
		n++
	}
	_, err = rulesOf(game[:n]...)
	return err
}

// TestFlagVariables sets each flag of duel serve by its variable.
func TestFlagVariables(t *testing.T) {
	values := map[string]string{
		"bool": "true", "int": "7", "float64": "0.5", "duration": "3s", "string": "x",
	}
	flags := serveCommand().Flags()
	flags.VisitAll(func(f *pflag.Flag) {
		name := "DUEL_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		t.Setenv(name, values[f.Value.Type()])
	})
	if os.Getenv("DUEL_RATE_WORK") != "0.5" {
		t.Fatal("no variables were set")
	}
	if err := fromEnvironment(flags); err != nil {
		t.Fatal(err)
	}
	flags.VisitAll(func(f *pflag.Flag) {
		if want := values[f.Value.Type()]; !f.Changed || f.Value.String() != want {
			t.Errorf("--%s is %s, want %s", f.Name, f.Value, want)
		}
	})
}

// TestNearest checks the word that is suggested for a misspelled one.
func TestNearest(t *testing.T) {
	words := []string{"play", "join", "perft", "solve", "analyze", "admin", "mcp", "--x"}
	for word, want := range map[string]string{
		"paly": "play", "plai": "play", "pla": "play", "PLAY": "play", "slove": "solve",
		"ana": "analyze", "analyse": "analyze", "perf": "perft", "mpc": "mcp", "jion": "join",
		"chess": "", "p": "", "": "", "go": "", "dilemma": "",
	} {
		if got := nearest(word, words); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
