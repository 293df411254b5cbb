package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"digitduel/bot"
	"digitduel/cli"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
	"digitduel/tui"
)

// hasScreen reports whether a command runs at a terminal that can be drawn on.
func hasScreen(cmd *cobra.Command) bool {
	_, in := terminal(cmd.InOrStdin())
	_, out := terminal(cmd.OutOrStdout())
	return in && out && os.Getenv("TERM") != "dumb"
}

// openMenu opens the full-screen menu.
func openMenu(cmd *cobra.Command, plain bool) error {
	return openScreen(cmd, tui.Start{Plain: plain}, "", uint64(time.Now().UnixNano()))
}

// playOnScreen opens a full-screen table. Nil levels are people; an empty record is the file in which the screen keeps games.
func playOnScreen(cmd *cobra.Command, setup match.Setup, tossed bool, levels [2]*bot.Level, hints, autoCall bool, record string, seed uint64) error {
	book := setup.Rules.Book()
	play := tui.Wishes{
		Book: book.Name, Rules: map[string]digit.Rules{book.Name: setup.Rules}, Names: setup.Names, Opponent: tui.Person, First: tui.PlayerOne,
		BestOf: setup.BestOf, TurnTime: setup.TurnTime, OnTimeout: setup.OnTimeout, Hints: hints, AutoCall: autoCall,
	}
	if setup.First == match.Two {
		play.First = tui.PlayerTwo
	}
	if tossed {
		play.First = tui.CoinToss
	}
	for i, level := range levels {
		if level != nil {
			play.Levels[i] = level.Name
		}
	}
	switch {
	case levels[0] != nil && levels[1] != nil:
		play.Opponent = tui.Watch
	case levels[0] != nil:
		play.Opponent = tui.ComputerFirst
	case levels[1] != nil:
		play.Opponent = tui.Computer
	}
	return openScreen(cmd, tui.Start{Play: &play}, record, seed)
}

// openScreen runs the full screen until it is left. The terminal is given back as it was however that comes about.
func openScreen(cmd *cobra.Command, start tui.Start, record string, seed uint64) (err error) {
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	in, _ := terminal(cmd.InOrStdin())
	out, _ := terminal(cmd.OutOrStdout())
	model := tui.New(worldAt(record, seed), start)
	_, err = tea.NewProgram(model, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler()).Run()
	switch {
	case ctx.Err() != nil:
		err = cli.ErrInterrupted
	case errors.Is(err, tea.ErrProgramPanic):
		err = errors.New("something broke here; the terminal is as it was before")
	case err == nil && model.Err() != nil:
		err = cli.ErrInterrupted
	}
	return errors.Join(err, model.Close())
}

// worldAt is what the full screen needs. Wishes are kept in the user's folder of settings, games among the user's data or in
// the file that was asked for.
func worldAt(record string, seed uint64) tui.World {
	wishes := func() (string, error) {
		folder, err := os.UserConfigDir()
		return filepath.Join(folder, "duel", "choices.json"), err
	}
	games := func() (string, error) {
		if record != "" {
			return record, nil
		}
		folder, err := dataDir()
		if err != nil {
			return "", err
		}
		return filepath.Join(folder, "games.txt"), os.MkdirAll(folder, 0o755)
	}
	return tui.World{
		Solve: func(ctx context.Context, r digit.Rules, progress func(done, total int64)) (*solve.Solution, error) {
			return solve.Solve(ctx, r, solve.Config{Progress: progress})
		},
		Load: func() ([]byte, error) {
			path, err := wishes()
			if err != nil {
				return nil, err
			}
			text, err := os.ReadFile(path)
			if errors.Is(err, fs.ErrNotExist) {
				return nil, nil
			}
			return text, err
		},
		Save: func(text []byte) error {
			path, err := wishes()
			if err != nil {
				return err
			}
			return writeWhole(path, text)
		},
		Games: func() ([]digit.Record, error) {
			path, err := games()
			if err != nil {
				return nil, err
			}
			return readGames(path)
		},
		Keep: func(rec digit.Record) error {
			path, err := games()
			if err != nil {
				return err
			}
			records, err := cli.OpenRecords(path)
			if err != nil {
				return err
			}
			return errors.Join(records.Add(rec), records.Close())
		},
		Streak: readStreak, Count: countPuzzle,
		Now: time.Now, Tick: tea.Tick, Pace: 700 * time.Millisecond, Seed: seed, Suspend: true,
	}
}

// readGames returns the games of a file; lines that hold none are passed over, and the first of them is told.
func readGames(path string) ([]digit.Record, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var games []digit.Record
	var wrong error
	for e := range cli.Records(filepath.Base(path), file) {
		if e.Err == nil {
			games = append(games, e.Record)
		} else if wrong == nil {
			wrong = e.Err
		}
	}
	return games, wrong
}
