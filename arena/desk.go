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

// A Desk hands out the games of a run to agents, programs that come by themselves, and keeps what they have played. Where a game is
// played is noted before anybody is told of it, so a run that was killed goes on: with the tables at which games are not over, and with
// those that were over before their line was written.
type Desk struct {
	plan *Plan
	kept Kept

	mu       sync.Mutex
	games    *disk.Tail     // of games.jsonl
	tables   *disk.Tail     // of tables.jsonl
	begun    int            // games
	underWay map[string]Due // by table: begun, and not given to be kept
	planned  *Standing      // what is kept of a planned run; nil: the run is open
	waiting  map[int]Game   // of a planned run: over, until the pairs before them are whole
	handed   int            // of a planned run: how many games, in the order in which they are begun, were handed out
}

// A DeskConfig is a run and where it is kept.
type DeskConfig struct {
	Plan   *Plan
	Games  disk.File // games.jsonl
	Tables disk.File // tables.jsonl: where games are played
	Kept   Kept      // counts choices for forfeits in lines of older versions
}

// Why there is no game to hand out.
var (
	ErrComplete = errors.New("all games of this run are played")
	ErrHanded   = errors.New("no game of this run is due before others are over")
)

// OpenDesk goes on with a run.
func OpenDesk(c DeskConfig) (*Desk, error) {
	if c.Plan.Format != Open && !c.Plan.forAgent() {
		return nil, errors.New("it is a match of players that are asked, and no run of an agent")
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
	d := &Desk{plan: p, kept: kept, underWay: map[string]Due{}, waiting: map[int]Game{}}
	if p.Format != Open {
		d.planned = NewStanding(p)
	}
	return d
}

// Run returns the name of the run.
func (d *Desk) Run() string { return d.plan.ID }

// Planned reports whether games are handed out; otherwise agents choose what they play.
func (d *Desk) Planned() bool { return d.planned != nil }

// Disguised reports whether the games are told in other words.
func (d *Desk) Disguised() bool { return d.plan.Disguise != nil }

// Games returns how many games are planned.
func (d *Desk) Games() int { return d.plan.Games() }

// Complete reports whether all games of a planned run are kept.
func (d *Desk) Complete() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.planned != nil && d.planned.Done()
}

// Total returns what the agent of a planned run has done in the games that are kept.
func (d *Desk) Total() PlayerTotal {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.planned.players[0].total(d.plan.Players[0])
}

// UnderWay returns the games that were begun and are not over, as far as the desk was told.
func (d *Desk) UnderWay() []Due {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.SortedFunc(maps.Values(d.underWay), func(a, b Due) int { return a.Game - b.Game })
}

// Awaits reports whether the game at a table is of this run, and not given to be kept.
func (d *Desk) Awaits(table string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, ok := d.underWay[table]
	return ok
}

// Hand hands out the next game of a planned run. Seat opens a table for it, or visits the one where it was begun, and returns its name,
// which is noted before Hand returns. If seat fails the game is still due. Nothing is handed out twice by the same desk, and no game that
// the computer opens before the agent has played from the same start.
func (d *Desk) Hand(seat func(Due) (table string, err error)) (Due, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.handed < d.plan.Games() && d.over(d.plan.nth(d.handed+1)) {
		d.handed++
	}
	switch {
	case d.planned.Done():
		return Due{}, ErrComplete
	case d.handed == d.plan.Games():
		return Due{}, ErrHanded
	}
	due := d.plan.due(d.plan.nth(d.handed + 1))
	for _, other := range d.underWay {
		if d.plan.shows(due.Game, other.Game) {
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

// over reports whether a game of a planned run was given to be kept.
func (d *Desk) over(game int) bool {
	_, waits := d.waiting[game]
	return waits || game <= 2*d.planned.Pairs
}

// Begin notes that an agent has begun a game of an open run at a table, and gives it a number.
func (d *Desk) Begin(due Due, table string) (Due, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	due.Game = d.begun + 1
	return due, d.note(&due, table)
}

// note writes down where a game is played, and waits until that is there to stay.
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

// admit returns nil if a game may be the next that is begun: they have an order, and each has a table of its own.
func (d *Desk) admit(due *Due) error {
	next := d.begun + 1
	if d.planned != nil && next <= d.plan.Games() {
		next = d.plan.nth(next)
	}
	if due.Game != next {
		return fmt.Errorf("it is game %d, and game %d comes there", due.Game, next)
	}
	if _, taken := d.underWay[due.Table]; taken || due.Table == "" {
		return fmt.Errorf("table %q: each game has one of its own", due.Table)
	}
	switch {
	case d.planned == nil:
		return due.check()
	case due.Game > d.plan.Games():
		return errors.New("the plan ends before it")
	case !due.same(d.plan.due(due.Game)):
		return errOtherGame
	}
	return nil
}

func (d *Desk) add(due *Due) {
	d.begun++
	d.underWay[due.Table] = *due
}

// Keep keeps the game at a table that is over; who played it is known. That a table is not under way, such as one whose game was kept, is no error. Of a
// planned run whole pairs are written, in the order of the plan; what fails to be written is tried again with the next game.
func (d *Desk) Keep(table string, g Game) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	due, ok := d.underWay[table]
	if !ok {
		return nil
	}
	g.Game, g.Plan = due.Game, d.plan.ID
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

// keepPairs writes the pairs that are whole.
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

// write writes the lines of games, and waits until they are there to stay.
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

// readTables reads where games are played.
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

// readGames reads what is kept.
func (d *Desk) readGames(file io.Reader) (whole int64, err error) {
	if d.planned == nil {
		return d.readOpen(file, func(*Game) {})
	}
	if whole, err = d.planned.Read(file, d.kept); err != nil {
		return whole, err
	}
	if kept := 2 * d.planned.Pairs; kept > d.begun {
		return whole, fmt.Errorf("there are %d, and %d were begun", kept, d.begun)
	}
	maps.DeleteFunc(d.underWay, func(_ string, due Due) bool { return d.over(due.Game) })
	return whole, nil
}
