package arena

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"digitduel/disk"
)

// A Desk hands out the games of a run to agents, programs that join by themselves, and stores the
// games they have played. Several agents may play at once. The table of a game is stored before
// the agent learns it, so a run that was killed can be resumed, including tables whose games are
// not over and those whose games were over but not stored.
type Desk struct {
	Plan *Plan // its ID names the run

	mu       sync.Mutex
	games    *disk.Tail     // of games.jsonl
	tables   *disk.Tail     // of tables.jsonl
	begun    map[int]string // the table of each game that was begun
	underWay map[string]Due // by table: begun, and not passed to Keep
	handed   map[int]bool   // games with an agent of this program
	standing *Standing      // of the games stored
	waiting  map[int]Game   // games that are over but whose pairs cannot be written yet
}

// A DeskConfig specifies a run and its files.
type DeskConfig struct {
	Plan   *Plan
	Games  disk.File // games.jsonl
	Tables disk.File // tables.jsonl: the tables of games
}

// Reasons why there is no game to hand out.
var (
	ErrComplete = errors.New("all games of this run are played")
	ErrHanded   = errors.New("no game of this run is free before others are over")
)

// OpenDesk opens or resumes a run.
func OpenDesk(c DeskConfig) (*Desk, error) {
	if !c.Plan.forAgent() || len(c.Plan.Eval) > 0 {
		return nil, errors.New("not a run of an agent: its players are started by duel match")
	}
	d := newDesk(c.Plan)
	var err error
	if d.tables, err = disk.Resume(c.Tables, d.readTables); err != nil {
		return nil, fmt.Errorf("the list of tables: %w", err)
	}
	if d.games, err = disk.Resume(c.Games, d.readGames); err != nil {
		return nil, fmt.Errorf("the games: %w", err)
	}
	return d, nil
}

func newDesk(p *Plan) *Desk {
	return &Desk{
		Plan: p, begun: map[int]string{}, underWay: map[string]Due{}, handed: map[int]bool{},
		standing: NewStanding(p), waiting: map[int]Game{},
	}
}

// Complete reports whether all games are stored.
func (d *Desk) Complete() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.standing.Done()
}

// Total returns the totals of the agent over the games stored.
func (d *Desk) Total() PlayerTotal {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.standing.players[0].total(d.Plan.Players[0])
}

// UnderWay returns the games begun and not yet passed to Keep.
func (d *Desk) UnderWay() []Due {
	d.mu.Lock()
	defer d.mu.Unlock()
	byGame := func(a, b Due) int { return a.Game - b.Game }
	return slices.SortedFunc(maps.Values(d.underWay), byGame)
}

// Awaits reports whether the game at a table is of this run, and not yet passed to Keep.
func (d *Desk) Awaits(table string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, ok := d.underWay[table]
	return ok
}

// Claim marks the game at a table as one with an agent, so that no other agent gets it.
func (d *Desk) Claim(table string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if due, ok := d.underWay[table]; ok {
		d.handed[due.Game] = true
	}
}

// Hand hands out the next free game. Seat opens a table for it, or visits the one where it was
// begun, and returns the table's name, which is stored before Hand returns. If seat fails, the
// game is still free. A desk hands out each game once. Games that an earlier program began come
// first or, if newFirst is set because their agents may still play them, last.
func (d *Desk) Hand(newFirst bool, seat func(Due) (table string, err error)) (Due, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.standing.Done() {
		return Due{}, ErrComplete
	}
	game := d.free(newFirst)
	if game == 0 {
		game = d.free(!newFirst)
	}
	if game == 0 {
		return Due{}, ErrHanded
	}
	due := d.Plan.Due(game)
	due.Table = d.begun[game]
	table, err := seat(due)
	if err == nil && due.Table == "" {
		due.Table = table
		err = d.note(&due)
	}
	if err == nil {
		d.handed[game] = true
	}
	return due, err
}

// free returns the first game without an agent, either a new one or one that an earlier program
// began, or 0. Among the games from one start, those in which the agent moves first have to be
// over before the others begin: in these the computer would show what to play.
func (d *Desk) free(isNew bool) int {
	meet := d.Plan.meetings()
	own := 0 // games from one start that the agent opens and that are not over
	for n := d.standing.Pairs / meet * meet * 2; n < d.Plan.Games(); n++ {
		i := n % (2 * meet)
		if i == 0 {
			own = 0
		}
		game := d.Plan.nth(n + 1)
		if d.over(game) {
			continue
		}
		if i < meet {
			own++
		}
		_, begun := d.begun[game]
		if !d.handed[game] && begun != isNew && (begun || i < meet || own == 0) {
			return game
		}
	}
	return 0
}

// over reports whether a game was passed to Keep.
func (d *Desk) over(game int) bool {
	_, waits := d.waiting[game]
	return waits || game <= 2*d.standing.Pairs
}

// note stores the table of a game, and waits until it is on disk.
func (d *Desk) note(due *Due) error {
	if err := d.admit(due); err != nil {
		return err
	}
	line, err := JSONLines(due)
	if err == nil {
		err = d.tables.Add(line)
	}
	if err == nil {
		d.add(due)
	}
	return err
}

// admit returns nil if a game may begin: it is in the plan, and each has its own table.
func (d *Desk) admit(due *Due) error {
	_, begun := d.begun[due.Game]
	_, taken := d.underWay[due.Table]
	switch {
	case due.Game < 1 || due.Game > d.Plan.Games():
		return fmt.Errorf("game %d: not in the plan", due.Game)
	case begun:
		return fmt.Errorf("game %d: begun twice", due.Game)
	case taken || due.Table == "":
		return fmt.Errorf("table %q: each game needs its own table", due.Table)
	}
	planned := d.Plan.Due(due.Game)
	if planned.Table = due.Table; planned.tableLine != due.tableLine {
		return errOtherGame
	}
	return nil
}

func (d *Desk) add(due *Due) {
	d.begun[due.Game] = due.Table
	d.underWay[due.Table] = *due
}

// Keep stores the finished game at a table and fills in its players. It ignores a table that is
// not under way, such as one whose game is stored. It writes complete pairs, in the order of the
// plan. If writing fails, the next call tries again.
func (d *Desk) Keep(table string, g Game) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	due, ok := d.underWay[table]
	if !ok {
		return nil
	}
	if g.Rules != due.Rules || g.Start != due.Start {
		return fmt.Errorf("game %d: not the game that was begun: %v from %s",
			due.Game, due.Rules, due.Start)
	}
	g.Game, g.Pair, g.Plan = due.Game, (due.Game+1)/2, d.Plan.ID
	g.seat(due.Side).Player, g.seat(due.Side.Other()).Player = due.Player, due.Opponent
	if err := g.Check(); err != nil {
		return fmt.Errorf("game %d: %w", g.Game, err)
	}
	d.waiting[g.Game] = g
	delete(d.underWay, table)
	return d.keepPairs()
}

// keepPairs writes the complete pairs.
func (d *Desk) keepPairs() error {
	for !d.standing.Done() {
		next := 2*d.standing.Pairs + 1
		one, ok := d.waiting[next]
		two, both := d.waiting[next+1]
		if !ok || !both {
			return nil
		}
		text, err := JSONLines(one, two)
		if err == nil {
			err = d.games.Add(text) // it returns when they are on disk
		}
		if err != nil {
			return err
		}
		d.standing.add(one, two)
		delete(d.waiting, next)
		delete(d.waiting, next+1)
	}
	return nil
}

// readTables reads the tables of games.
func (d *Desk) readTables(file io.Reader) (whole int64, err error) {
	err = readLines(file, anything, func(_ int, due Due, end int64) error {
		if err := d.admit(&due); err != nil {
			return err
		}
		d.add(&due)
		whole = end
		return nil
	})
	return whole, err
}

// readGames reads the stored games.
func (d *Desk) readGames(file io.Reader) (whole int64, err error) {
	if whole, err = d.standing.Read(file); err != nil {
		return whole, err
	}
	for game := range 2 * d.standing.Pairs {
		table, ok := d.begun[game+1]
		if !ok {
			return whole, fmt.Errorf("game %d is stored, but was never begun", game+1)
		}
		delete(d.underWay, table)
	}
	return whole, nil
}
