package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/spf13/cobra"

	"digitduel/bot/sit"
	"digitduel/match"
	"digitduel/match/local"
	"digitduel/ui/cli"
	"digitduel/ui/tui"
)

// A linePlay plays one table in line mode or, if its opponent is an engine, on the full screen.
type linePlay struct {
	cmd     *cobra.Command
	screen  bool // the full screen
	game    *cli.Game
	engines sit.Engines
	seed    uint64
	world   tui.World
	store   *local.Store // saves the table, so that it can be continued; nil: it is not saved
}

// save saves the game as the full screen does: the table while it is played, unless an engine
// plays, and each game when it is over.
func (l *linePlay) save() (err error) {
	if l.world, err = worldOf(l.cmd); err != nil {
		return err
	}
	if l.engines == (sit.Engines{}) {
		id := fmt.Sprintf("%x-%x", time.Now().UnixNano(), l.seed)
		l.store = local.NewStore(id, l.world.Table)
	}
	l.game.Keep = l.world.Keep
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
	keyboard, lively := keyboardOf(l.cmd)
	defer keyboard.Close()
	g := l.game
	g.Goal = bothTerminals(l.cmd)
	g.Keyboard, g.Colour = keyboard, lively && os.Getenv("NO_COLOR") == ""
	g.Offer = lively && !g.Review
	defer g.Table.Close()
	errs, play := l.cmd.ErrOrStderr(), g.Run
	if l.screen {
		var late bytes.Buffer    // printed when the screen is closed
		defer late.WriteTo(errs) //nolint:errcheck // nothing is left to report it to
		errs, play = &late, l.fillScreen
	}
	leave, err := sit.Computer(ctx, g.Table, g.Solve, l.engines, l.seed, func(err error) {
		printError(errs, err)
	})
	if err == nil {
		err = play(ctx)
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
		err = errors.Join(err, l.world.Forget(l.store.ID()))
	case saved:
		fmt.Fprintln(keyboard, "The game is saved. To continue it: duel play --continue")
	}
	return err
}

// fillScreen plays on the full screen, which saves finished games. An unfinished one cannot be
// continued, because the command of an engine is not saved.
func (l *linePlay) fillScreen(ctx context.Context) error {
	sitting := tui.Sitting{Table: l.game.Table, Mine: l.game.Table.State().People()}
	if _, err := l.game.Table.Begin(ctx); err != nil {
		return err
	}
	return openScreen(l.cmd, tui.Start{Sitting: sitting})
}

// resumeTable resumes a saved table in line mode.
func resumeTable(cmd *cobra.Command, id string) error {
	ctx := cmd.Context()
	l := &linePlay{cmd: cmd, game: &cli.Game{Solve: solving(cmd)}, seed: rand.Uint64()}
	if err := l.save(); err != nil {
		return err
	}
	l.store = local.NewStore(id, l.world.Table)
	table, err := l.store.Resume(ctx, time.Now(), rand.New(rand.NewPCG(l.seed, 0)), sit.CheckLevels)
	if err != nil {
		return fmt.Errorf("this game cannot be continued: %w", err)
	}
	l.game.Table = table
	return l.run(ctx)
}
