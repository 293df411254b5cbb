package main

import (
	"context"
	"errors"
	"math/rand/v2"
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
	"digitduel/match"
	"digitduel/match/local"
	"digitduel/solve"
	"digitduel/ui/cli"
	"digitduel/ui/tui"
)

// hasScreen reports whether a command runs at a terminal that the full screen fits into, and the
// user has not chosen line mode.
func hasScreen(cmd *cobra.Command) bool {
	if !canEdit(cmd) || fromMenu(cmd) {
		return false
	}
	file, _ := terminal(cmd.OutOrStdout())
	width, height, err := term.GetSize(int(file.Fd()))
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

// inLines adds the flags for line mode, and returns a function that reports whether to use it.
func inLines(cmd *cobra.Command) func() bool {
	line := cmd.Flags().Bool("line", false, lineText)
	plain := cmd.Flags().Bool("plain", false, plainText)
	return func() bool { return *line || *plain || !hasScreen(cmd) }
}

// openMenu opens the full-screen menu.
func openMenu(cmd *cobra.Command) error {
	seed := uint64(time.Now().UnixNano())
	return openScreen(cmd, tui.Start{}, "", solve.DefaultBudget, seed)
}

// playOnScreen opens a full-screen table.
func playOnScreen(
	cmd *cobra.Command, setup match.Setup, tossed, randomOpening bool, record string, seed uint64,
) error {
	play := tui.SettingsOf(setup)
	play.Lot = randomOpening // the screen draws it
	if tossed {
		play.First = tui.CoinToss
	}
	return openScreen(cmd, tui.Start{Play: &play}, record, solve.DefaultBudget, seed)
}

// continueGame continues the last unfinished game.
func continueGame(cmd *cobra.Command, args []string, lines, plain bool) error {
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
	switch {
	case last < 0:
		return errors.New("no unfinished game")
	case lines || plain || !hasScreen(cmd):
		return resumeTable(cmd, tables[last].ID, plain)
	}
	return openScreen(cmd, tui.Start{Continue: true}, "", solve.DefaultBudget, rand.Uint64())
}

// openScreen runs the full screen until the user leaves it, and restores the terminal in any case.
// For record see [gamesAt]. The budget, in bytes, is for each game that is solved.
func openScreen(
	cmd *cobra.Command, start tui.Start, record string, budget int64, seed uint64,
) (err error) {
	in, _ := terminal(cmd.InOrStdin())
	out, _ := terminal(cmd.OutOrStdout())
	model := tui.New(worldAt(record, budget, seed), start)
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
	return errors.Join(err, model.Close())
}

// tablesFolder returns the folder of unfinished games of the full screen.
func tablesFolder() (local.Folder, error) {
	dir, err := dataDir()
	return local.Folder(filepath.Join(dir, "tables")), err
}

// gamesAt returns the file of saved games: record, or a file of the user's data if it is empty.
func gamesAt(record string) (cli.GameFile, error) {
	if record != "" {
		return cli.GameFile(record), nil
	}
	folder, err := dataDir()
	if err != nil {
		return "", err
	}
	return cli.GameFile(filepath.Join(folder, "games.txt")), os.MkdirAll(folder, 0o755)
}

// worldAt returns the functions that the full screen uses. For record see [gamesAt].
func worldAt(record string, budget int64, seed uint64) tui.World {
	var reading sync.Mutex
	return tui.World{
		Solve: func(
			ctx context.Context, r digit.Rules, progress func(done, total int64),
		) (*solve.Solution, error) {
			return solve.Solve(ctx, r, solve.Config{Budget: budget, Progress: progress})
		},
		Load: settingsFile.read, Save: settingsFile.write,
		Games: func() ([]digit.Record, error) {
			games, err := gamesAt(record)
			if err != nil {
				return nil, err
			}
			return games.Games()
		},
		Keep: func(rec digit.Record) error {
			if record == "" && !rec.Result.Over() {
				return nil // its table is saved
			}
			games, err := gamesAt(record)
			if err != nil {
				return err
			}
			return games.Add(rec)
		},
		Drop: func(rec digit.Record) error {
			games, err := gamesAt(record)
			if err != nil {
				return err
			}
			return games.Drop(rec)
		},
		Tables: func() ([]tui.Unfinished, error) {
			games, err := gamesAt(record)
			if err != nil {
				return nil, err
			}
			folder, err := tablesFolder()
			if err != nil {
				return nil, err
			}
			reading.Lock() // each call must see the games that the last one added
			defer reading.Unlock()
			return folder.Settle(games.Games, games.Add)
		},
		Table: func(id string) (tui.Log, error) {
			folder, err := tablesFolder()
			if err != nil {
				return tui.Log{}, err
			}
			return folder.Open(id)
		},
		Forget: func(id string) error {
			folder, err := tablesFolder()
			if err != nil {
				return err
			}
			return folder.Forget(id)
		},
		Servers: serverList(),
		Streak:  readStreak, Count: countPuzzle,
		Now: time.Now, Tick: tea.Tick, Pace: 700 * time.Millisecond,
		Seed: seed, Getenv: os.Getenv, Suspend: true,
	}
}
