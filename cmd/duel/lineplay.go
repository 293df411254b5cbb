package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/spf13/cobra"

	"digitduel/bot"
	"digitduel/bot/sit"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/match/local"
	"digitduel/ui/cli"
)

// isPlayed reports whether a person plays, at a terminal or from the menu, and not a program.
func isPlayed(cmd *cobra.Command) bool { return bothTerminals(cmd) || fromMenu(cmd) }

// A linePlay plays one table in line mode.
type linePlay struct {
	cmd     *cobra.Command
	game    *cli.Game
	engines sit.Engines
	seed    uint64
	plain   bool

	folder local.Folder
	store  *local.Store // saves the table, so that it can be continued; nil: it is not saved
}

// save saves the game as the full screen does: the table while it is played, unless an engine
// plays, and each game when it is over.
func (l *linePlay) save() error {
	games, err := gamesAt("")
	if err != nil {
		return err
	}
	if l.folder, err = tablesFolder(); err != nil {
		return err
	}
	if l.engines == (sit.Engines{}) {
		l.store = local.NewStore(fmt.Sprintf("%x-%x", time.Now().UnixNano(), l.seed), l.folder.Open)
	}
	l.game.Keep = func(rec digit.Record) error {
		if !rec.Result.Over() {
			return nil // its table is saved
		}
		return games.Add(rec)
	}
	return nil
}

// open opens a table and plays.
func (l *linePlay) open(ctx context.Context, setup match.Setup, rng *rand.Rand) (err error) {
	id, store := "here", match.Store(new(match.Memory))
	if l.store != nil {
		id, store = l.store.ID(), l.store
	}
	if l.game.Table, err = match.Open(ctx, id, setup, store, rng); err != nil {
		return err
	}
	return l.run(ctx)
}

// run plays until the table is left, and closes it.
func (l *linePlay) run(ctx context.Context) error {
	keyboard, lively := keyboardOf(l.cmd, l.plain)
	defer keyboard.Close()
	g := l.game
	g.Keyboard, g.Colour = keyboard, lively && os.Getenv("NO_COLOR") == ""
	g.Offer = (lively || fromMenu(l.cmd)) && !g.Review
	defer g.Table.Close()
	leave, err := sit.Computer(ctx, g.Table, g.Solve, l.engines, l.seed, func(err error) {
		printError(l.cmd.ErrOrStderr(), err)
	})
	if err == nil {
		err = g.Run(ctx)
		leave()
	}
	if l.store == nil {
		return err
	}
	state, failed := g.Table.State(), l.store.Err()
	saved := l.store.Close(state.TurnBegan)
	switch {
	case failed != nil:
		err = errors.Join(err, fmt.Errorf("the game is not saved: %w", failed))
	case saved && state.SeriesOver():
		err = errors.Join(err, l.folder.Forget(l.store.ID()))
	case saved && !fromMenu(l.cmd):
		fmt.Fprintln(keyboard, "The game is saved. To continue it: duel play --continue")
	}
	return err
}

// resumeTable resumes a saved table in line mode.
func resumeTable(cmd *cobra.Command, id string, plain bool) error {
	ctx := cmd.Context()
	l := resumed(cmd, plain)
	if err := l.save(); err != nil {
		return err
	}
	l.store = local.NewStore(id, l.folder.Open)
	failed := l.store.Load(ctx, time.Now())
	table, err := match.Resume(ctx, id, l.store, rand.New(rand.NewPCG(l.seed, 0)))
	if err != nil {
		l.store.Close(time.Now())
		return fmt.Errorf("this game cannot be continued: %w", errors.Join(failed, err))
	}
	l.game.Table = table
	if err := knownLevels(table.State().Levels); err != nil {
		table.Close()
		l.store.Close(time.Now())
		return fmt.Errorf("this game cannot be continued: %w", err)
	}
	return l.run(ctx)
}

// resumed returns line play of a game that was left.
func resumed(cmd *cobra.Command, plain bool) *linePlay {
	game := &cli.Game{Solve: solvingHere(cmd)}
	return &linePlay{cmd: cmd, game: game, seed: rand.Uint64(), plain: plain}
}

// knownLevels returns an error if this program does not have one of the levels.
func knownLevels(levels [2]string) error {
	for _, level := range levels {
		if level == "" {
			continue
		}
		if _, err := bot.ParseLevel(level); err != nil {
			return err
		}
	}
	return nil
}

// resumeRecord resumes a game of which there is only a record, at a new table that replaces it.
func resumeRecord(cmd *cobra.Command, rec digit.Record, played match.Played) error {
	ctx := cmd.Context()
	l := resumed(cmd, false)
	if err := l.save(); err != nil {
		return err
	}
	games, err := gamesAt("")
	if err != nil {
		return err
	}
	l.store.Saved = func() error { return games.Drop(rec) }
	setup := played.Setup(rec.Rules)
	setup.FreeUndo = true
	given := rec.Given()
	if given > 0 {
		setup.Openings = match.OpeningsOf(rec.Moves[:given])
	}
	rng := rand.New(rand.NewPCG(l.seed, 0))
	table, err := match.Open(ctx, l.store.ID(), setup, l.store, rng)
	if err != nil {
		return err
	}
	l.game.Table = table
	state, err := table.Begin(ctx)
	for i, m := range rec.Moves[given:] {
		if err == nil {
			state, err = table.Play(ctx, state.Turn(), m, state.Seq)
		}
		if err == nil && i == 0 && played.Swapped {
			state, err = table.Do(ctx, state.Turn(), match.Swap, "")
		}
	}
	if err != nil {
		table.Close()
		return err
	}
	return l.run(ctx)
}
