package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"digitduel/bot"
	"digitduel/bot/sit"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/match/local"
	"digitduel/rulebook"
	"digitduel/ui/cli"
	"digitduel/ui/tui"
)

// isPlayed reports whether a person plays, at a terminal or from the menu, and not a program.
func isPlayed(cmd *cobra.Command) bool { return bothTerminals(cmd) || fromMenu(cmd) }

// A linePlay plays one table in line mode.
type linePlay struct {
	cmd     *cobra.Command
	game    *cli.Game
	engines sit.Engines
	seed    uint64

	next  string // the level on offer
	world tui.World
	store *local.Store // saves the table, so that it can be continued; nil: it is not saved
}

// save saves the game as the full screen does: the table while it is played, unless an engine
// plays, and each game when it is over.
func (l *linePlay) save() {
	l.world = worldOf(l.cmd)
	if l.engines == (sit.Engines{}) {
		id := fmt.Sprintf("%x-%x", time.Now().UnixNano(), l.seed)
		l.store = local.NewStore(id, l.world.Table)
	}
	l.game.Keep = l.world.Keep
	l.game.Another = func() string {
		s := l.game.Table.State()
		known, _ := l.world.Games() // the list of games reports lines that are not games
		run, next := coach.NextLevel(
			known, s.Record(), s.Wins[0]+s.Wins[1]+s.Draws, bot.LevelNames())
		if l.next = next; next == "" {
			return ""
		}
		return rulebook.AskLevel(run, next).Long
	}
}

// again plays like before against the level on offer, and the other player starts.
func (l *linePlay) again(ctx context.Context, setup match.Setup) error {
	setup.First = setup.First.Other()
	for seat, level := range setup.Levels {
		if level == "" {
			continue
		}
		if strings.EqualFold(setup.Names[seat], level+" bot") { // it has no name of its own
			setup.Names[seat] = ""
		}
		setup.Levels[seat] = l.next
	}
	if m, ok := l.cmd.InOrStdin().(*lineMenu); ok && setup.Levels[match.Two] != "" {
		m.settings.Levels[match.Two] = l.next
		if err := m.saveSettings(); err != nil {
			m.report(err)
		}
	}
	next := &linePlay{cmd: l.cmd, seed: l.seed + 1, game: &cli.Game{
		Solve: l.game.Solve, Review: l.game.Review,
	}}
	next.save()
	return next.open(ctx, setup, rand.New(rand.NewPCG(next.seed, 0)))
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
	g.Goal = isPlayed(l.cmd)
	g.Keyboard, g.Colour = keyboard, lively && os.Getenv("NO_COLOR") == ""
	asks := lively || fromMenu(l.cmd)
	if g.Offer = asks && !g.Review; !asks {
		g.Another = nil
	}
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
		err = errors.Join(err, l.world.Forget(l.store.ID()))
	case saved && !fromMenu(l.cmd):
		fmt.Fprintln(keyboard, "The game is saved. To continue it: duel play --continue")
	}
	if err == nil && g.Agreed {
		return l.again(ctx, state.Setup)
	}
	return err
}

// resumeTable resumes a saved table in line mode.
func resumeTable(cmd *cobra.Command, id string) error {
	ctx := cmd.Context()
	l := resumed(cmd)
	l.store = local.NewStore(id, l.world.Table)
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
func resumed(cmd *cobra.Command) *linePlay {
	l := &linePlay{cmd: cmd, game: &cli.Game{Solve: solving(cmd)}, seed: rand.Uint64()}
	l.save()
	return l
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
	l := resumed(cmd)
	l.store.Saved = func() error { return l.world.Drop(rec) }
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
