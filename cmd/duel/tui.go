package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/match/local"
	"digitduel/solve"
	"digitduel/ui/cli"
	"digitduel/ui/tui"
)

// hasScreen reports whether a command runs at a terminal that can be drawn on.
func hasScreen(cmd *cobra.Command) bool {
	return bothTerminals(cmd) && os.Getenv("TERM") != "dumb"
}

// inLines adds the flags of commands that fill the screen of a terminal unless they are told not to, and returns what reports whether
// they go line by line.
func inLines(cmd *cobra.Command) func() bool {
	line := cmd.Flags().Bool("line", false, "on a terminal: line by line instead of the full screen")
	plain := cmd.Flags().Bool("plain", false, "line by line without colours or line editing")
	return func() bool { return *line || *plain || !hasScreen(cmd) }
}

// openMenu opens the full-screen menu.
func openMenu(cmd *cobra.Command, plain bool) error {
	return openScreen(cmd, tui.Start{Plain: plain}, "", solve.DefaultBudget, uint64(time.Now().UnixNano()))
}

// playOnScreen opens a full-screen table. An empty record is the file in which the screen keeps games.
func playOnScreen(cmd *cobra.Command, setup match.Setup, tossed, lot bool, record string, seed uint64) error {
	play := tui.SettingsOf(setup)
	play.Lot = lot // it is drawn beside the screen
	if tossed {
		play.First = tui.CoinToss
	}
	return openScreen(cmd, tui.Start{Play: &play}, record, solve.DefaultBudget, seed)
}

// continueGame opens the full screen with the game that was left last.
func continueGame(cmd *cobra.Command, args []string) error {
	others := 0
	cmd.Flags().Visit(func(*pflag.Flag) { others++ })
	if len(args) > 0 || others > 1 {
		return usagef("continue: the game is as it was left; leave out everything else")
	}
	if !hasScreen(cmd) {
		return usagef("continue: games are kept while they are played on the full screen, and go on there; a terminal is wanted")
	}
	folder, err := tablesFolder()
	if err != nil {
		return err
	}
	tables, err := folder.Tables()
	if err == nil && !slices.ContainsFunc(tables, local.Table.Playable) {
		err = errors.New("no game was left unfinished")
	}
	if err != nil {
		return err
	}
	return openScreen(cmd, tui.Start{Continue: true}, "", solve.DefaultBudget, rand.Uint64())
}

// openScreen runs the full screen until it is left. The terminal is given back as it was however that comes about. An empty record is the
// file in which the screen keeps games; the budget is for each game that is solved.
func openScreen(cmd *cobra.Command, start tui.Start, record string, budget int64, seed uint64) (err error) {
	in, _ := terminal(cmd.InOrStdin())
	out, _ := terminal(cmd.OutOrStdout())
	model := tui.New(worldAt(record, budget, seed), start)
	_, err = tea.NewProgram(model, append(tui.Options(in, out, os.Getenv), tea.WithContext(cmd.Context()), tea.WithoutSignalHandler())...).Run()
	switch {
	case cmd.Context().Err() != nil:
		err = cli.ErrInterrupted
	case errors.Is(err, tea.ErrProgramPanic):
		err = errors.New("something broke here; the terminal is as it was before")
	case err == nil && model.Err() != nil:
		err = cli.ErrInterrupted
	}
	return errors.Join(err, model.Close())
}

// tablesFolder returns the folder of the tables that are under way at the full screen.
func tablesFolder() (local.Folder, error) {
	dir, err := dataDir()
	return local.Folder(filepath.Join(dir, "tables")), err
}

// gamesAt returns the file for games. An empty record is a file among the user's data.
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

// worldAt returns the world of the full screen. An empty record is a file among the user's data.
func worldAt(record string, budget int64, seed uint64) tui.World {
	var reading sync.Mutex
	return tui.World{
		Solve: func(ctx context.Context, r digit.Rules, progress func(done, total int64)) (*solve.Solution, error) {
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
				return nil // its table is kept
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
			reading.Lock() // so that each call knows the games that the last one added
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
		Now: time.Now, Tick: tea.Tick, Pace: 700 * time.Millisecond, Seed: seed, Getenv: os.Getenv, Suspend: true,
	}
}
