package main

import (
	"context"
	"errors"
	"fmt"
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
	play := tui.Choices{
		Book: book.Name, Rules: map[string]digit.Rules{book.Name: setup.Rules}, Names: setup.Names, First: tui.First(setup.First),
		BestOf: setup.BestOf, TurnTime: setup.TurnTime, OnTimeout: setup.OnTimeout, Hints: hints, AutoCall: autoCall,
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

// worldAt is what the full screen needs, with its files in the user's folder of settings. Games go to a file of their own or
// to the one that was asked for.
func worldAt(record string, seed uint64) tui.World {
	file := func(name string) (string, error) {
		folder, err := os.UserConfigDir()
		if err != nil {
			return "", err
		}
		folder = filepath.Join(folder, "duel")
		return filepath.Join(folder, name), os.MkdirAll(folder, 0o755)
	}
	games := func() (string, error) {
		if record != "" {
			return record, nil
		}
		return file("games.txt")
	}
	return tui.World{
		Explain: cli.Explain,
		Places:  placeNames,
		Line:    func(book string) string { return bookLine[book] },
		Solve: func(ctx context.Context, r digit.Rules, progress func(done, total int64)) (*solve.Solution, error) {
			return solve.Solve(ctx, r, solve.Options{Progress: progress})
		},
		Load: func() ([]byte, error) {
			path, err := file("choices.json")
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
			path, err := file("choices.json")
			if err != nil {
				return err
			}
			return replaceFile(path, text)
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

// replaceFile writes a file whole or not at all.
func replaceFile(path string, text []byte) error {
	part, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = part.Write(text)
	if err = errors.Join(err, part.Close()); err == nil {
		err = os.Rename(part.Name(), path)
	}
	if err != nil {
		os.Remove(part.Name())
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// placeNames names the fixed places of a number in the words of the closest book.
func placeNames(r digit.Rules) []string {
	if r.Place != digit.Slots {
		return nil
	}
	names := map[string][]string{
		"dilemma": {"Left", "Middle", "Right"}, "highest": {"hundreds", "tens", "units"}, "reverse": {"hundreds", "tens", "ones"},
	}[r.Book().Name]
	if len(names) == int(r.Width) {
		return names
	}
	powers := []string{"ten-thousands", "thousands", "hundreds", "tens", "units"}
	if r.Base() == 10 && int(r.Width) <= len(powers) {
		return powers[len(powers)-int(r.Width):]
	}
	letters := make([]string, r.Width)
	for i := range letters {
		letters[i] = digit.SlotAt(i).String()
	}
	return letters
}
