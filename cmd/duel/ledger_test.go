package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/store"
)

// A ledger is what clients know for certain.
type ledger struct {
	mu     sync.Mutex
	tables map[string]*account
	faults []string
	acks   int
	pairs  []int // and how many by each pair
	wanted int   // how many acks somebody waits for
	enough chan struct{}
	delays []time.Duration // from sending a move until it was seen at another server
	slow   time.Duration   // the longest that an answer took

	refusals []refusal
}

// A refusal is an answer that says that something does not work now.
type refusal struct {
	text string
	took time.Duration
}

func (l *ledger) answered(took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.slow = max(l.slow, took)
}

func (l *ledger) refuse(text string, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refusals = append(l.refusals, refusal{text, took})
}

// checkDelays wants that moves were seen at another server, and soon.
func (l *ledger) checkDelays(t *testing.T) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	slices.Sort(l.delays)
	n := len(l.delays)
	if n == 0 {
		t.Fatal("no move was seen at another server")
	}
	p50, p99, longest := l.delays[n/2], l.delays[n*99/100], l.delays[n-1]
	t.Logf("%d moves were seen at another server after p50 %v, p99 %v, max %v; answers took up to %v", n, p50, p99, longest, l.slow)
	if most := 2*time.Second + l.slow; longest > most { // when answers take long, it is the machine that is busy
		t.Errorf("a move was seen at another server after %v, allowed: %v", longest, most)
	}
}

// refused returns how often something was refused.
func (l *ledger) refused() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.refusals)
}

// checkRefusals wants that something was refused at all, in one line each and in time.
func (l *ledger) checkRefusals(t *testing.T, most time.Duration) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	slowest := time.Duration(0)
	for _, r := range l.refusals {
		var said struct{ Error string }
		if err := json.Unmarshal([]byte(r.text), &said); err != nil || said.Error == "" || strings.Contains(said.Error, "\n") || r.took > most {
			t.Errorf("refused after %v by %q: %v", r.took, r.text, err)
		}
		slowest = max(slowest, r.took)
	}
	if len(l.refusals) == 0 {
		t.Error("nothing was refused")
	}
	t.Logf("%d requests were refused, after %v at most", len(l.refusals), slowest)
}

// An account is what clients know of a table.
type account struct {
	pair  int            // who plays there
	setup match.Setup    // and what
	fresh bool           // something was told or acknowledged that was not looked for since
	told  map[int]string // what streams said of an event
	acked []ack
	races []race
	sent  map[int]posted // when the move was sent that may have become the event of a number
}

// An ack is an act that the server acknowledged.
type ack struct {
	seq      int
	seat     match.Seat
	act      string // or the move
	standing string // how the table stood after it
}

// A race is two moves for the same turn of a seat, which were sent at the same time and both answered.
type race struct {
	seq      int // that of the event that one of them became
	seat     match.Seat
	moves    [2]digit.Move
	accepted [2]bool
}

// posted is when and where a move was sent.
type posted struct {
	at   time.Time
	addr string
	age  int // of the site
}

func (l *ledger) fault(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.faults = append(l.faults, fmt.Sprintf(format, args...))
}

// report fails a test if something went wrong.
func (l *ledger) report(t *testing.T) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.faults) > 0 {
		t.Fatalf("%d faults, such as\n%s", len(l.faults), strings.Join(l.faults[:min(5, len(l.faults))], "\n"))
	}
}

// edit calls change with the account of a table.
func (l *ledger) edit(table string, change func(a *account)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a := l.tables[table]
	if a == nil {
		a = &account{told: map[int]string{}, sent: map[int]posted{}}
		l.tables[table] = a
	}
	change(a)
}

func (l *ledger) acknowledge(table string, is ack) {
	l.edit(table, func(a *account) {
		a.acked, a.fresh = append(a.acked, is), true
		l.pairs[a.pair]++
		if l.acks++; l.acks >= l.wanted && l.enough != nil {
			close(l.enough)
			l.enough = nil
		}
	})
}

// progress returns how many acts of each pair were acknowledged.
func (l *ledger) progress() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.pairs)
}

// await waits for some more acts to be acknowledged.
func (l *ledger) await(ctx context.Context, more int) error {
	l.mu.Lock()
	enough := make(chan struct{})
	l.wanted, l.enough = l.acks+more, enough
	l.mu.Unlock()
	select {
	case <-enough:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// tell notes what a stream said of an event.
func (l *ledger) tell(table string, seq int, text string) {
	before := text
	l.edit(table, func(a *account) {
		if b, ok := a.told[seq]; ok {
			before = b
		}
		a.told[seq], a.fresh = text, true
	})
	if before != text {
		l.fault("table %s, event %d was told as\n%s and as\n%s", table, seq, before, text)
	}
}

// confirmed returns how many acts were acknowledged.
func (l *ledger) confirmed() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.acks
}

// unchecked returns the tables of which more is known since this was last called.
func (l *ledger) unchecked() (tables []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for table, a := range l.tables {
		if a.fresh {
			tables, a.fresh = append(tables, table), false
		}
	}
	return tables
}

// some returns tables by chance.
func (l *ledger) some(rng *rand.Rand, n int) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := slices.Sorted(maps.Keys(l.tables))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(n, len(all))]
}

// check compares what is known of a table with what a server tells of all its events.
func (a *account) check(kept []string) error {
	at := func(seq int) string {
		if seq < 1 || seq > len(kept) {
			return ""
		}
		return kept[seq-1]
	}
	for seq, text := range a.told {
		if at(seq) != text {
			return fmt.Errorf("event %d was told as\n%s and is now\n%s", seq, text, at(seq))
		}
	}
	for _, is := range a.acked {
		if !strings.HasSuffix(at(is.seq), is.standing) {
			return fmt.Errorf("%s of seat %d was acknowledged as event %d with\n%s and is now\n%s", is.act, is.seat, is.seq, is.standing, at(is.seq))
		}
		if !is.isIn(at(is.seq)) && !is.isIn(at(is.seq-1)) { // a game that follows an act at once is an event of its own
			return fmt.Errorf("%s of seat %d was acknowledged as event %d, which is\n%s", is.act, is.seat, is.seq, at(is.seq))
		}
	}
	for _, r := range a.races {
		e, err := parseTold(at(r.seq))
		if err != nil {
			return err
		}
		for i, m := range r.moves {
			is := e.Kind == match.Moved && e.Seat == int(r.seat)+1 && *e.Move == m
			if is != r.accepted[i] {
				return fmt.Errorf("of the moves %v for one turn those were accepted: %v; event %d is\n%s", r.moves, r.accepted, r.seq, at(r.seq))
			}
		}
	}
	return a.replay(kept)
}

// replay follows all events of a table as whoever is at it does.
func (a *account) replay(kept []string) error {
	v := visitor{setup: a.setup}
	for _, text := range kept {
		told, err := parseTold(text)
		if err == nil {
			err = v.take(told)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return nil
}

// kinds are the events that acts can become.
var kinds = map[string][]match.Kind{
	"resign": {match.Resigned}, "undo": {match.UndoAsked, match.Undone}, "refuse-undo": {match.UndoRefused}, "next": {match.Ready, match.Began},
	"sit": {match.Seated}, "open": {match.Opened}, "claim": {match.Claimed},
}

// isIn reports whether an event is what was acknowledged.
func (is ack) isIn(text string) bool {
	e, err := parseTold(text)
	if err != nil {
		return false
	}
	allowed, act := kinds[is.act]
	switch {
	case is.act == "rematch": // the other player may have begun the game, and more
		return true
	case !act:
		return e.Kind == match.Moved && e.Seat == int(is.seat)+1 && e.Move.String() == is.act
	}
	return slices.Contains(allowed, e.Kind)
}

// An announcement is an event as a stream tells it.
type announcement struct {
	Seq      int         `json:"seq"`
	At       time.Time   `json:"at"`
	Kind     match.Kind  `json:"kind"`
	Seat     int         `json:"seat"`
	Move     *digit.Move `json:"move"`
	Auto     bool        `json:"auto"`
	Waits    bool        `json:"waits"`
	Names    [2]string   `json:"names"`
	Level    string      `json:"level"`
	Phase    match.Phase `json:"phase"`
	Position string      `json:"position"`
	Turn     string      `json:"turn"`
	Result   string      `json:"result"`
}

func parseTold(text string) (a announcement, err error) {
	err = json.Unmarshal([]byte(text), &a)
	return a, err
}

// event returns the event that a table of a setup has kept.
func (a announcement) event(setup match.Setup) match.Event {
	e := match.Event{Seq: a.Seq, At: a.At, Kind: a.Kind, Move: a.Move, Auto: a.Auto, Waits: a.Waits, Level: a.Level}
	if a.Seat > 0 {
		e.Seat = match.Seat(a.Seat - 1)
	}
	switch a.Kind {
	case match.Opened:
		e.Setup = &setup
	case match.Seated:
		e.Name = a.Names[e.Seat]
	}
	return e
}

// known returns what is known of some tables by now.
func (l *ledger) known(tables ...string) map[string]account {
	known := map[string]account{}
	for _, table := range tables {
		l.edit(table, func(a *account) {
			known[table] = account{setup: a.setup, told: maps.Clone(a.told), acked: slices.Clone(a.acked), races: slices.Clone(a.races)}
		})
	}
	return known
}

// checkTold compares what is known of some tables with what a server tells of their events.
func (c *crew) checkTold(s *server, tables ...string) {
	c.t.Helper()
	checkKnown(c.t, s, c.ledger.known(tables...))
}

func checkKnown(t *testing.T, s *server, known map[string]account) {
	t.Helper()
	for table, a := range known {
		kept, err := s.history(t.Context(), table)
		if err == nil {
			err = a.check(kept)
		}
		if err != nil {
			t.Fatalf("table %s: %v", table, err)
		}
	}
}

// checkStore reads a database that nobody serves: every log can be followed, and what lists show is what follows from the logs. It
// returns all finished games.
func (c *crew) checkStore(where string) (public []match.Game, all int) {
	c.t.Helper()
	db, err := store.Open(c.t.Context(), where, store.Config{})
	if err != nil {
		c.t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // it is only read
	tables, err := db.Tables(c.t.Context(), match.TableFilter{})
	if err != nil {
		c.t.Fatal(err)
	}
	missing := maps.Clone(c.ledger.tables)
	events, finished := 0, 0
	for _, listed := range tables {
		n, games, err := checkLog(c.t.Context(), db, listed)
		if err != nil {
			c.t.Errorf("table %s: %v", listed.ID, err)
		}
		events, finished = events+n, finished+games
		delete(missing, listed.ID)
	}
	if len(missing) > 0 {
		c.t.Errorf("tables that were opened are not there: %v", slices.Collect(maps.Keys(missing)))
	}
	c.t.Logf("%d acts were acknowledged at %d tables; kept are %d events at %d tables, and %d finished games",
		c.ledger.acks, len(c.ledger.tables), events, len(tables), finished)
	games, err := db.Games(c.t.Context(), match.GameFilter{})
	if err != nil || len(games) != finished || finished == 0 {
		c.t.Errorf("%d games were finished, and lists show %d: %v", finished, len(games), err)
	}
	if public, err = db.Games(c.t.Context(), match.GameFilter{Public: true}); err != nil {
		c.t.Error(err)
	}
	return public, len(games)
}

// checkLists compares what a server shows of finished games with the public ones, the last first, and the number of all.
func checkLists(t *testing.T, s *server, games []match.Game, all int) {
	t.Helper()
	var shown struct {
		Games []struct {
			Table  string
			Game   int
			Record string
		}
		Books []struct{ Games int }
	}
	for _, path := range []string{"/api/games?limit=100", "/api/stats"} {
		status, text, err := s.ask("GET", path, "", "")
		if err = errors.Join(err, json.Unmarshal([]byte(text), &shown)); err != nil || status != http.StatusOK {
			t.Fatalf("%s: %d %s: %v", path, status, text, err)
		}
	}
	for i, g := range games[:min(100, len(games))] {
		if got, want := fmt.Sprint(shown.Games[i]), fmt.Sprint("{", g.Table, " ", g.Number, " ", g.Record, "}"); got != want {
			t.Errorf("game %d of the list is %s, want %s", i, got, want)
		}
	}
	sum := 0
	for _, b := range shown.Books {
		sum += b.Games
	}
	if sum != all {
		t.Errorf("%d games are counted, and there are %d", sum, all)
	}
}

// checkLog follows the log of a table, and compares where it leads with what lists show.
func checkLog(ctx context.Context, db *store.DB, listed match.Summary) (n, finished int, err error) {
	events, err := db.Events(ctx, listed.ID, 0)
	if err != nil {
		return 0, 0, err
	}
	if len(events) == 0 {
		return 0, 0, errors.New("it has no events")
	}
	var s match.State
	var records []string
	for _, e := range events {
		before := s.Result.Over()
		if s, err = s.Apply(e); err != nil {
			return 0, 0, fmt.Errorf("event %d, %s: %w", e.Seq, e.Kind, err)
		}
		if s.Result.Over() && !before {
			records = append(records, fmt.Sprint(s.Game, " ", s.Record()))
		}
	}
	games, err := db.Games(ctx, match.GameFilter{Table: listed.ID})
	if err != nil {
		return 0, 0, err
	}
	var shown []string
	for _, g := range slices.Backward(games) {
		shown = append(shown, fmt.Sprint(g.Number, " ", g.Record))
	}
	if !slices.Equal(records, shown) {
		return 0, 0, fmt.Errorf("the games of its log are\n%q, and those that lists show\n%q", records, shown)
	}
	want := fmt.Sprint(s.Phase(), s.Game, s.Wins, s.Draws, s.Levels, s.Setup.Rules, s.Setup.BestOf, s.Setup.TurnTime)
	got := fmt.Sprint(listed.Phase, listed.Game, listed.Wins, listed.Draws, listed.Levels, listed.Rules, listed.BestOf, listed.TurnTime)
	if got != want {
		return 0, 0, fmt.Errorf("its log leads to %s, and lists show %s", want, got)
	}
	return len(events), len(records), nil
}
