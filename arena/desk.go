package arena

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"digitduel/disk"
)

// A Desk hands out the games of a run to agents, programs that join by themselves, and stores the
// games they have played. The table of a game is stored before the agent learns it, so a run that
// was killed can be resumed, including tables whose games are not over and those whose games were
// over but not stored.
type Desk struct {
	Plan *Plan // its ID names the run
	kept Kept

	mu       sync.Mutex
	games    *disk.Tail     // of games.jsonl
	tables   *disk.Tail     // of tables.jsonl
	begun    int            // games
	underWay map[string]Due // by table: begun, and not passed to Keep
	planned  *Standing      // the standing of a planned run; nil if the run is open
	// waiting has the games of a planned run that are over but whose pairs cannot be written yet.
	waiting map[int]Game
	// handed is the number of games of a planned run handed out, in the order of the plan.
	handed int
}

// A DeskConfig specifies a run and its files.
type DeskConfig struct {
	Plan   *Plan
	Games  disk.File // games.jsonl
	Tables disk.File // tables.jsonl: the tables of games
	Kept   Kept      // counts choices for forfeits in lines of older versions
}

// Reasons why there is no game to hand out.
var (
	ErrComplete = errors.New("all games of this run are played")
	ErrHanded   = errors.New("no game of this run is due before others are over")
)

// OpenDesk opens or resumes a run.
func OpenDesk(c DeskConfig) (*Desk, error) {
	if c.Plan.Format != Open && !c.Plan.forAgent() {
		return nil, errors.New("not a run of an agent: its players are started by duel match")
	}
	d := newDesk(c.Plan, c.Kept)
	var err error
	if d.tables, err = disk.Resume(c.Tables, d.readTables); err != nil {
		return nil, fmt.Errorf("the list of tables: %w", err)
	}
	if d.games, err = disk.Resume(c.Games, d.readGames); err != nil {
		return nil, fmt.Errorf("the games: %w", err)
	}
	return d, nil
}

func newDesk(p *Plan, kept Kept) *Desk {
	d := &Desk{Plan: p, kept: kept, underWay: map[string]Due{}, waiting: map[int]Game{}}
	if p.Format != Open {
		d.planned = NewStanding(p)
	}
	return d
}

// Planned reports whether games are handed out. Otherwise agents choose their games.
func (d *Desk) Planned() bool { return d.planned != nil }

// Complete reports whether all games of a planned run are stored.
func (d *Desk) Complete() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.planned != nil && d.planned.Done()
}

// Total returns the totals of the agent of a planned run, over the games stored.
func (d *Desk) Total() PlayerTotal {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.planned.players[0].total(d.Plan.Players[0])
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

// Hand hands out the next game of a planned run. Seat opens a table for it, or visits the one
// where it was begun, and returns the table's name, which is stored before Hand returns. If seat
// fails, the game is still due. A desk hands out each game once, and hands out no game in which
// the computer moves first before the agent has played the one from the same start.
func (d *Desk) Hand(seat func(Due) (table string, err error)) (Due, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.handed < d.Plan.Games() && d.over(d.Plan.nth(d.handed+1)) {
		d.handed++
	}
	switch {
	case d.planned.Done():
		return Due{}, ErrComplete
	case d.handed == d.Plan.Games():
		return Due{}, ErrHanded
	}
	due := d.Plan.Due(d.Plan.nth(d.handed + 1))
	for _, other := range d.underWay {
		if d.Plan.shows(due.Game, other.Game) {
			return Due{}, ErrHanded
		}
	}
	for _, before := range d.underWay {
		if before.Game == due.Game {
			due.Table = before.Table
		}
	}
	table, err := seat(due)
	if err == nil && due.Table == "" {
		err = d.note(&due, table)
	}
	if err == nil {
		d.handed++
	}
	return due, err
}

// over reports whether a game of a planned run was passed to Keep.
func (d *Desk) over(game int) bool {
	_, waits := d.waiting[game]
	return waits || game <= 2*d.planned.Pairs
}

// Begin stores that an agent has begun a game of an open run at a table, and numbers it.
func (d *Desk) Begin(due Due, table string) (Due, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	due.Game = d.begun + 1
	return due, d.note(&due, table)
}

// note stores the table of a game, and waits until it is on disk.
func (d *Desk) note(due *Due, table string) error {
	due.Table = table
	if err := d.admit(due); err != nil {
		return err
	}
	line, err := json.Marshal(due)
	if err != nil {
		return err
	}
	if err := d.tables.Add(append(line, '\n')); err != nil {
		return err
	}
	d.add(due)
	return nil
}

// admit returns nil if a game may be the next to begin: games have an order, and each has its own
// table.
func (d *Desk) admit(due *Due) error {
	next := d.begun + 1
	if d.planned != nil && next <= d.Plan.Games() {
		next = d.Plan.nth(next)
	}
	if due.Game != next {
		return fmt.Errorf("game %d: want game %d", due.Game, next)
	}
	if _, taken := d.underWay[due.Table]; taken || due.Table == "" {
		return fmt.Errorf("table %q: each game needs its own table", due.Table)
	}
	switch {
	case d.planned == nil:
		return due.check()
	case due.Game > d.Plan.Games():
		return errors.New("not in the plan: it has fewer games")
	case !due.same(d.Plan.Due(due.Game)):
		return errOtherGame
	}
	return nil
}

func (d *Desk) add(due *Due) {
	d.begun++
	d.underWay[due.Table] = *due
}

// Keep stores the finished game at a table and fills in its players. It ignores a table that is
// not under way, such as one whose game is stored. Of a planned run it writes complete pairs, in
// the order of the plan. If writing fails, the next call tries again.
func (d *Desk) Keep(table string, g Game) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	due, ok := d.underWay[table]
	if !ok {
		return nil
	}
	g.Game, g.Plan = due.Game, d.Plan.ID
	g.seat(due.Side).Player, g.seat(due.Side.Other()).Player = due.Player, due.Opponent
	if err := due.fits(&g); err != nil {
		return err
	}
	if err := g.Check(); err != nil {
		return fmt.Errorf("game %d: %w", g.Game, err)
	}
	if d.planned != nil {
		g.Pair = (g.Game + 1) / 2
		d.waiting[g.Game] = g
		delete(d.underWay, table)
		return d.keepPairs()
	}
	err := d.write(g)
	if err == nil {
		delete(d.underWay, table)
	}
	return err
}

// keepPairs writes the complete pairs.
func (d *Desk) keepPairs() error {
	for !d.planned.Done() {
		next := 2*d.planned.Pairs + 1
		one, ok := d.waiting[next]
		two, both := d.waiting[next+1]
		if !ok || !both {
			return nil
		}
		if err := d.write(one, two); err != nil {
			return err
		}
		d.planned.add(one, two)
		delete(d.waiting, next)
		delete(d.waiting, next+1)
	}
	return nil
}

// write writes the lines of games, and waits until they are on disk.
func (d *Desk) write(games ...Game) error {
	var text []byte
	for _, g := range games {
		line, err := json.Marshal(g)
		if err != nil {
			return err
		}
		text = append(append(text, line...), '\n')
	}
	return d.games.Add(text)
}

// readTables reads the tables of games.
func (d *Desk) readTables(file io.Reader) (whole int64, err error) {
	var due Due
	read := func(_ int, text []byte) error {
		due = Due{}
		return decode(text, &due)
	}
	err = readLines(file, read, func(_ int, end int64) error {
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
	if d.planned == nil {
		return d.readOpen(file, func(*Game) {})
	}
	if whole, err = d.planned.Read(file, d.kept); err != nil {
		return whole, err
	}
	if kept := 2 * d.planned.Pairs; kept > d.begun {
		return whole, fmt.Errorf("%d are stored, but only %d were begun", kept, d.begun)
	}
	maps.DeleteFunc(d.underWay, func(_ string, due Due) bool { return d.over(due.Game) })
	return whole, nil
}
