package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"digitduel/digit"
	"digitduel/match/local"
	"digitduel/solve"
	"digitduel/ui/cli"
	"digitduel/ui/tui"
)

// hasScreen reports whether a command runs at a terminal that the full screen fits into, and the
// user has not chosen line mode.
func hasScreen(cmd *cobra.Command) bool {
	if !canEdit(cmd) {
		return false
	}
	width, height, err := term.GetSize(int(terminal(cmd.OutOrStdout()).Fd()))
	known := err == nil && width > 0 && height > 0
	if known && (width < tui.MinWidth || height < tui.MinHeight) {
		return false
	}
	settings, err := readSettings()
	return err != nil || !settings.Plain
}

// canEdit reports whether a command runs at a terminal with a cursor that can be moved.
func canEdit(cmd *cobra.Command) bool {
	kind := os.Getenv("TERM")
	return bothTerminals(cmd) && kind != "dumb" && (kind != "" || runtime.GOOS == "windows")
}

// readSettings returns the user's settings.
func readSettings() (tui.Settings, error) {
	text, err := settingsFile.read()
	if err != nil {
		return tui.Defaults(), err
	}
	return tui.ParseSettings(text)
}

// changeSettings changes the user's settings, unless they cannot be read.
func changeSettings(change func(*tui.Settings)) error {
	settings, err := readSettings()
	if err != nil {
		return err
	}
	change(&settings)
	return settingsFile.write(settings.Text())
}

// wantsLines reports whether the flags of a command ask for line mode.
func wantsLines(cmd *cobra.Command) bool { return isSet(cmd, "line") || isSet(cmd, "plain") }

// inLines reports whether a command uses line mode.
func inLines(cmd *cobra.Command) bool { return wantsLines(cmd) || !hasScreen(cmd) }

// continueGame continues the last unfinished game.
func continueGame(cmd *cobra.Command, args []string) error {
	others := 0
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != "continue" && f.Name != "line" && f.Name != "plain" {
			others++
		}
	})
	if len(args) > 0 || others > 0 {
		return usagef("continue: takes no game and no other flags than --line and --plain")
	}
	folder, err := tablesFolder()
	if err != nil {
		return err
	}
	tables, err := folder.Tables()
	if err != nil {
		return err
	}
	last := slices.IndexFunc(tables, local.Table.Playable)
	seat, ok, err := lastSeat()
	if err != nil {
		return err
	}
	if ok && (last < 0 || seat.At.After(tables[last].At)) {
		err := returning(seat).run(cmd, nil)
		if err == nil || last < 0 || cmd.Context().Err() != nil {
			return err
		}
		printError(cmd.ErrOrStderr(), err) // the next game is here
	}
	switch {
	case last < 0:
		return errors.New("no unfinished game")
	case inLines(cmd):
		return resumeTable(cmd, tables[last].ID)
	}
	return openScreen(cmd, tui.Start{Continue: true})
}

// openScreen runs the full screen until the user leaves it, and restores the terminal in any case.
func openScreen(cmd *cobra.Command, start tui.Start) error {
	if _, err := budgetOf(cmd); err != nil {
		return err
	}
	in, out := terminal(cmd.InOrStdin()), terminal(cmd.OutOrStdout())
	world, err := worldOf(cmd)
	if err != nil {
		return err
	}
	model := tui.New(world, start)
	began := time.Now()
	options := append(tui.Options(in, out, os.Getenv),
		tea.WithContext(cmd.Context()), tea.WithoutSignalHandler())
	_, err = tea.NewProgram(model, options...).Run()
	switch {
	case cmd.Context().Err() != nil:
		err = cli.ErrInterrupted
	case errors.Is(err, tea.ErrProgramPanic):
		err = errors.New("internal error; the terminal is restored")
	case err == nil && model.Err() != nil:
		err = cli.ErrInterrupted
	}
	err = errors.Join(err, model.Close())
	if seat, ok, _ := lastSeat(); ok && seat.At.After(began) {
		comeBack(cmd.OutOrStdout(), returning(seat).link.String())
	}
	return err
}

// tablesFolder returns the folder of unfinished games.
func tablesFolder() (local.Folder, error) {
	dir, err := dataDir()
	return local.Folder(filepath.Join(dir, "tables")), err
}

// worldOf returns the functions that the full screen and the menu in line mode use.
func worldOf(cmd *cobra.Command) (tui.World, error) {
	tables, err := tablesFolder()
	if err != nil {
		return tui.World{}, err
	}
	folder := filepath.Dir(string(tables))
	record, _ := cmd.Flags().GetString("record") // not every command has it
	games := cli.GameFile(cmp.Or(record, filepath.Join(folder, "games.txt")))
	var reading sync.Mutex
	return tui.World{
		Solve: func(
			ctx context.Context, r digit.Rules, progress func(done, total int64),
		) (*solve.Solution, error) {
			budget, err := budgetOf(cmd)
			if err != nil {
				return nil, err
			}
			return solve.Solve(ctx, r, solve.Config{Budget: budget, Progress: progress})
		},
		Load: settingsFile.read, Save: settingsFile.write,
		Games: games.Games,
		Keep: func(rec digit.Record) error {
			if record != "" {
				return games.Add(rec)
			}
			if !rec.Result.Over() {
				return nil // its table is saved
			}
			return errors.Join(os.MkdirAll(folder, 0o755), games.Add(rec))
		},
		Drop: games.Drop,
		Tables: func() ([]tui.Unfinished, error) {
			reading.Lock() // each call must see the games that the last one added
			defer reading.Unlock()
			return tables.Settle(games.Games, games.Add)
		},
		Table: tables.Open, Forget: tables.Forget,
		Servers: serverList(localUser),
		Streak:  readStreak, Count: countPuzzle,
		Now: time.Now, Tick: tea.Tick, Pace: 700 * time.Millisecond,
		Seed: seedOf(cmd), Getenv: os.Getenv, Suspend: true,
	}, nil
}
