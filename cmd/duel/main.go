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

	"digitduel/cmd/duel/version"
	"digitduel/digit"
	"digitduel/ui/cli"
	"digitduel/ui/tui"
)

func main() {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it
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

// printError prints an error in one printable line. It may quote a file, a server or a program.
func printError(out io.Writer, err error) {
	fmt.Fprintln(out, "duel:", digit.Printable(strings.ReplaceAll(err.Error(), "\n", "; ")))
}

// exitCode returns 1 for a failure, 2 for wrong usage, and 130 after a signal or Ctrl-C.
func exitCode(err, cause error) int {
	var usage usageError
	switch {
	case errors.As(err, &usage):
		return 2
	case errors.Is(err, cli.ErrInterrupted), errors.Is(err, context.Canceled),
		errors.Is(err, cause):
		return 130
	default:
		return 1
	}
}

// orInterrupted returns the error of a task, or [cli.ErrInterrupted] if ctx is done.
func orInterrupted(ctx context.Context, task string, err error) error {
	if ctx.Err() != nil && !errors.Is(err, cli.ErrInterrupted) {
		return fmt.Errorf("%s: %w", task, cli.ErrInterrupted)
	}
	return err
}

// run is the program. It stops when ctx is done.
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

// An output remembers its first write error, so that commands need not check each line.
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

// until yields the values of a sequence until ctx is done. Then it does not wait for a value,
// such as a line to be typed, since the program ends.
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

// A usageError reports a wrong command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// Commands are listed in the order in which they are added.
func init() { cobra.EnableCommandSorting = false }

// newRoot returns the program's command for a command line.
func newRoot(args []string) *cobra.Command {
	var showVersion bool
	root := &cobra.Command{
		Use: "duel",
		Short: "Digit Duel: two-player number games on a terminal, in a browser, " +
			"for programs.",
		SilenceUsage:     true,
		SilenceErrors:    true,
		Args:             onlyCommands,
		PersistentPreRun: warnRenamed,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case showVersion:
				cmd.Println("duel", version.Text())
				return nil
			case wantsLines(cmd) || bothTerminals(cmd) && !hasScreen(cmd):
				return openLineMenu(cmd)
			case hasScreen(cmd):
				return openScreen(cmd, tui.Start{})
			default:
				return cmd.Help()
			}
		},
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return flagError(cmd, args, err)
	})
	root.SetHelpFunc(printHelp)
	lineFlags(root)
	root.Flags().BoolVarP(&showVersion, "version", "v", false, "print the version")
	help := helpCommand()
	root.SetHelpCommand(help)
	add := func(title string, commands ...*cobra.Command) { // in the order of the help page
		root.AddGroup(&cobra.Group{ID: title, Title: title})
		for _, cmd := range commands {
			cmd.GroupID = title
		}
		root.AddCommand(commands...)
	}
	add("Play", playCommand(), joinCommand(), replayCommand())
	add("Learn", learnCommand(), rulesCommand(), puzzleCommand(), reviewCommand())
	add("Host", serveCommand(), siteCommand(), adminCommand())
	add("Measure", solveCommand(), analyzeCommand(), labCommand(), matchCommand(), examCommand(),
		evalCommand(), exportCommand())
	add("For programs", engineCommand(), mcpCommand(), perftCommand(), disguiseCommand())
	root.AddCommand(benchCommand(), completionCommand()) // hidden
	help.ValidArgs = commandNames(root)
	for _, t := range topics {
		help.ValidArgs = append(help.ValidArgs, t.name)
	}
	return root
}

// group returns a command that only has others under it.
func group(name, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use:   name + " COMMAND",
		Short: short,
		Args:  onlyCommands,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(commands...)
	return cmd
}

// onlyCommands refuses arguments that are not commands.
func onlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownCommand(cmd, args[0])
	}
	return nil
}

func completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:    "completion SHELL",
		Short:  "Print a shell completion script",
		Hidden: true,
		Long:   "SHELL is one of " + strings.Join(shells, ", ") + ".",
		Example: "source <(duel completion bash)\n" +
			"duel completion zsh > \"${fpath[1]}/_duel\"\n" +
			"duel completion fish | source",
		ValidArgs: shells,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains(shells, args[0]) {
				return usagef("completion %q: allowed: %s",
					strings.Join(args, " "), strings.Join(shells, ", "))
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

// commandNames returns the names of the commands under a command that are not hidden.
func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}
