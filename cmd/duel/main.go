// Command duel plays two-player digit games.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"digitduel/cmd/duel/version"
	"digitduel/digit"
	"digitduel/ui/cli"
)

func main() {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	if err != nil {
		printError(os.Stderr, err)
		os.Exit(exitCode(err, context.Cause(ctx)))
	}
}

// printError prints an error in one line. It may quote a file, a server or another program.
func printError(out io.Writer, err error) {
	fmt.Fprintln(out, "duel:", digit.Printable(strings.ReplaceAll(err.Error(), "\n", "; ")))
}

// exitCode returns 1 for a failure, 2 for wrong usage, 130 for what was stopped by a signal or by Ctrl-C.
func exitCode(err, cause error) int {
	var usage usageError
	switch {
	case errors.As(err, &usage):
		return 2
	case errors.Is(err, cli.ErrInterrupted), errors.Is(err, context.Canceled), errors.Is(err, cause):
		return 130
	default:
		return 1
	}
}

// run is the program. The context ends when it is told to stop.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	out := &output{Writer: stdout}
	root := newRoot(args)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(stderr)
	if err := root.ExecuteContext(ctx); err != nil {
		return err
	}
	return out.err
}

// output remembers that something could not be written, so that no command has to ask after each line.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(b []byte) (int, error) {
	n, err := o.Writer.Write(b)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// until yields what a sequence does for as long as ctx lasts. What is then still waited for, such as a line to be typed, is left
// alone, since the program ends.
func until[T any](ctx context.Context, all iter.Seq[T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		next, stop := iter.Pull(all)
		for {
			found := make(chan T, 1)
			go func() {
				if v, ok := next(); ok {
					found <- v
				}
				close(found)
			}()
			select {
			case v, more := <-found:
				if !more || !yield(v) {
					stop()
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// A usageError says that the command line is wrong.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func newRoot(args []string) *cobra.Command {
	var line, plain, asked bool
	root := &cobra.Command{
		Use:           "duel",
		Short:         "Two-player digit games: play them, solve them, learn them",
		Example:       "  duel play dilemma\n  duel play divisibility target=11 pool=0-9 --best-of 3\n  duel rules sevens",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          onlyCommands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case asked:
				_, err := fmt.Fprintln(cmd.OutOrStdout(), "duel", version.Text())
				return err
			case fromMenu(cmd): // it is open
				return nil
			case line || plain || bothTerminals(cmd) && !hasScreen(cmd):
				return openLineMenu(cmd, plain)
			case hasScreen(cmd):
				return openMenu(cmd)
			default:
				return cmd.Help()
			}
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.Flags().BoolVar(&line, "line", false, "line mode")
	root.Flags().BoolVar(&plain, "plain", false, "line mode without colour or editing")
	root.Flags().BoolVarP(&asked, "version", "v", false, "version for duel")
	root.SetHelpCommand(helpCommand())
	needed := wanted(args)
	for _, c := range needed {
		root.AddCommand(c.build())
	}
	if len(needed) > 1 {
		root.Long = "duel plays a family of two-player games in which the players take unique digits from a shared pool and\n" +
			"build numbers.\n\n" + bookList()
	}
	return root
}

// A command is built when it is asked for, since every start would have to wait for the others.
type command struct {
	name  string
	build func() *cobra.Command
}

var commands = []command{
	{"play", playCommand}, {"learn", learnCommand}, {"rules", rulesCommand}, {"solve", solveCommand}, {"lab", labCommand}, {"analyze", analyzeCommand}, {"perft", perftCommand},
	{"replay", replayCommand}, {"review", reviewCommand}, {"puzzle", puzzleCommand}, {"serve", serveCommand}, {"join", joinCommand}, {"engine", engineCommand}, {"match", matchCommand}, {"exam", examCommand}, {"disguise", disguiseCommand}, {"mcp", mcpCommand},
	{"admin", adminCommand}, {"bench", benchCommand}, {"completion", completionCommand},
}

// wanted returns the commands that a command line may need: the one it begins with, or else all of them.
func wanted(args []string) []command {
	for i, c := range commands {
		if len(args) > 0 && args[0] == c.name {
			return commands[i : i+1]
		}
	}
	return commands
}

// flagError says what is wrong with a flag and what its value may be.
func flagError(cmd *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	if !errors.As(err, &value) {
		return usagef("%w; see %s --help", err, cmd.CommandPath())
	}
	allowed := allowedFor(value.GetFlag())
	if allowed == "" { // the flag's own error says it
		return usageError{value.Unwrap()}
	}
	return usagef("%s %q: allowed: %s", value.GetFlag().Name, value.GetValue(), allowed)
}

// allowedFor says what a flag may be.
func allowedFor(f *pflag.Flag) string {
	return map[string]string{
		"bool": "true, false", "duration": "a time such as 30s or 2m", "int": "a whole number", "int64": "a whole number", "uint64": "a whole number from 0",
		"float64": "a number",
	}[f.Value.Type()]
}

func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Tell about a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return noSuchCommand(cmd.Root(), args)
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return commandNames(cmd.Root()), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// group returns a command that only has others under it.
func group(name, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: name, Short: short, Args: onlyCommands, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(commands...)
	return cmd
}

// onlyCommands refuses what is no command where nothing else is taken.
func onlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return noSuchCommand(cmd, args[:1])
	}
	return nil
}

func noSuchCommand(root *cobra.Command, words []string) error {
	return usagef("command %q: there is no such command; commands: %s", strings.Join(words, " "), strings.Join(commandNames(root), ", "))
}

func completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:       "completion SHELL",
		Short:     "Write a script that completes commands, books and options in a shell",
		Long:      "Write a script that completes commands, books and options in a shell: " + strings.Join(shells, ", ") + ".",
		Example:   "  source <(duel completion bash)\n  duel completion zsh > \"${fpath[1]}/_duel\"\n  duel completion fish | source",
		ValidArgs: shells,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains(shells, args[0]) {
				return usagef("completion %q: allowed: %s", strings.Join(args, " "), strings.Join(shells, ", "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root, out := cmd.Root(), cmd.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(out, true)
			case "zsh":
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, true)
			default:
				return root.GenPowerShellCompletionWithDesc(out)
			}
		},
	}
}

func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}
