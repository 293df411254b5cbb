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

// A ledger records the answers and events that clients have received.
type ledger struct {
	mu     sync.Mutex
	tables map[string]*tableRecord
	faults []string
	acks   int
	pairs  []int // acks of each pair
	wanted int   // the number of acks that await waits for
	enough chan struct{}
	delays []time.Duration // from sending a move until another server showed it
	slow   time.Duration   // the longest time to an answer

	refusals []refusal
}

// A refusal is an answer with status 503.
type refusal struct {
	text string
	took time.Duration
}

func (l *ledger) noteAnswer(took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.slow = max(l.slow, took)
}

func (l *ledger) noteRefusal(text string, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refusals = append(l.refusals, refusal{text, took})
}

// checkDelays checks that moves were seen at another server soon.
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
	t.Logf("%d moves were seen at another server after p50 %v, p99 %v, max %v; answers took up to %v",
		n, p50, p99, longest, l.slow)
	// Slow answers show that the machine is busy.
	if most := 2*time.Second + l.slow; longest > most {
		t.Errorf("a move was seen at another server after %v, allowed: %v", longest, most)
	}
}

// refusalCount returns the number of refusals.
func (l *ledger) refusalCount() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.refusals)
}

// checkRefusals checks that there were refusals, each of one line and in time.
func (l *ledger) checkRefusals(t *testing.T, most time.Duration) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	slowest := time.Duration(0)
	for _, r := range l.refusals {
		var answer struct{ Error string }
		err := json.Unmarshal([]byte(r.text), &answer)
		if err != nil || answer.Error == "" || strings.Contains(answer.Error, "\n") ||
			r.took > most {
			t.Errorf("refused after %v with %q: %v", r.took, r.text, err)
		}
		slowest = max(slowest, r.took)
	}
	if len(l.refusals) == 0 {
		t.Error("nothing was refused")
	}
	t.Logf("%d requests were refused, after %v at most", len(l.refusals), slowest)
}

// A tableRecord is the part of a ledger about a table.
type tableRecord struct {
	pair      int // of clients that plays there
	setup     match.Setup
	unchecked bool           // changed since the last check
	streamed  map[int]string // events by number, as streams sent them
	acked     []ack
	races     []race
	sent      map[int]sentMove // by the number of the event that the move may become
}

// An ack is an act that a server acknowledged.
type ack struct {
	seq      int
	seat     match.Seat
	act      string // or the move
	standing string // the state of the table after it
}

// A race is two moves for the same turn that were sent at the same time and both answered.
type race struct {
	seq      int // of the event that one of them became
	seat     match.Seat
	moves    [2]digit.Move
	accepted [2]bool
}

// A sentMove holds when and where a move was sent.
type sentMove struct {
	at      time.Time
	addr    string
	version int // of the server pool
}

func (l *ledger) addFault(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.faults = append(l.faults, fmt.Sprintf(format, args...))
}

// report fails the test if there were faults.
func (l *ledger) report(t *testing.T) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.faults) > 0 {
		t.Fatalf("%d faults, such as\n%s",
			len(l.faults), strings.Join(l.faults[:min(5, len(l.faults))], "\n"))
	}
}

// update calls change with the record of a table.
func (l *ledger) update(table string, change func(a *tableRecord)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a := l.tables[table]
	if a == nil {
		a = &tableRecord{streamed: map[int]string{}, sent: map[int]sentMove{}}
		l.tables[table] = a
	}
	change(a)
}

func (l *ledger) acknowledge(table string, is ack) {
	l.update(table, func(a *tableRecord) {
		a.acked, a.unchecked = append(a.acked, is), true
		l.pairs[a.pair]++
		if l.acks++; l.acks >= l.wanted && l.enough != nil {
			close(l.enough)
			l.enough = nil
		}
	})
}

// acksByPair returns the number of acknowledged acts of each pair.
func (l *ledger) acksByPair() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.pairs)
}

// await waits until more acts are acknowledged.
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

// noteEvent records an event as a stream sent it.
func (l *ledger) noteEvent(table string, seq int, text string) {
	before := text
	l.update(table, func(a *tableRecord) {
		if b, ok := a.streamed[seq]; ok {
			before = b
		}
		a.streamed[seq], a.unchecked = text, true
	})
	if before != text {
		l.addFault("table %s, event %d was sent as\n%s and as\n%s", table, seq, before, text)
	}
}

// ackCount returns the number of acknowledged acts.
func (l *ledger) ackCount() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.acks
}

// unchecked returns the tables with changes since its last call.
func (l *ledger) unchecked() (tables []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for table, a := range l.tables {
		if a.unchecked {
			tables, a.unchecked = append(tables, table), false
		}
	}
	return tables
}

// sample returns random tables.
func (l *ledger) sample(rng *rand.Rand, n int) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := slices.Sorted(maps.Keys(l.tables))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(n, len(all))]
}

// check compares the record with all events that a server sends.
func (a *tableRecord) check(kept []string) error {
	at := func(seq int) string {
		if seq < 1 || seq > len(kept) {
			return ""
		}
		return kept[seq-1]
	}
	for seq, text := range a.streamed {
		if at(seq) != text {
			return fmt.Errorf("event %d was sent as\n%s and is now\n%s", seq, text, at(seq))
		}
	}
	for _, is := range a.acked {
		if !strings.HasSuffix(at(is.seq), is.standing) {
			return fmt.Errorf("%s of seat %d was acknowledged as event %d with\n%s and is now\n%s",
				is.act, is.seat, is.seq, is.standing, at(is.seq))
		}
		// If a game begins right after the act, that is one more event.
		if !is.matches(at(is.seq)) && !is.matches(at(is.seq-1)) {
			return fmt.Errorf("%s of seat %d was acknowledged as event %d, which is\n%s",
				is.act, is.seat, is.seq, at(is.seq))
		}
	}
	for _, r := range a.races {
		e, err := parseEvent(at(r.seq))
		if err != nil {
			return err
		}
		for i, m := range r.moves {
			is := e.Kind == match.Moved && e.Seat == int(r.seat)+1 && *e.Move == m
			if is != r.accepted[i] {
				return fmt.Errorf("of the moves %v for one turn these were accepted: %v; event %d is\n%s",
					r.moves, r.accepted, r.seq, at(r.seq))
			}
		}
	}
	return a.replay(kept)
}

// replay applies all events of a table as a visitor does.
func (a *tableRecord) replay(kept []string) error {
	v := visitor{setup: a.setup}
	for _, text := range kept {
		event, err := parseEvent(text)
		if err == nil {
			err = v.apply(event)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return nil
}

// kinds lists the events that an act can become.
var kinds = map[string][]match.Kind{
	"resign": {match.Resigned}, "undo": {match.UndoAsked, match.Undone},
	"refuse-undo": {match.UndoRefused}, "next": {match.Ready, match.Began},
	"sit": {match.Seated}, "open": {match.Opened}, "claim": {match.Claimed},
}

// matches reports whether an event is the acknowledged act.
func (is ack) matches(text string) bool {
	e, err := parseEvent(text)
	if err != nil {
		return false
	}
	allowed, act := kinds[is.act]
	switch {
	case is.act == "rematch": // the opponent may have started the game and moved
		return true
	case !act:
		return e.Kind == match.Moved && e.Seat == int(is.seat)+1 && e.Move.String() == is.act
	}
	return slices.Contains(allowed, e.Kind)
}

// A streamEvent is an event as a stream sends it.
type streamEvent struct {
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

func parseEvent(text string) (a streamEvent, err error) {
	err = json.Unmarshal([]byte(text), &a)
	return a, err
}

// event returns the event that a table with a setup has saved.
func (a streamEvent) event(setup match.Setup) match.Event {
	e := match.Event{
		Seq: a.Seq, At: a.At, Kind: a.Kind, Move: a.Move, Auto: a.Auto, Waits: a.Waits, Level: a.Level,
	}
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

// known returns copies of the records of some tables.
func (l *ledger) known(tables ...string) map[string]tableRecord {
	known := map[string]tableRecord{}
	for _, table := range tables {
		l.update(table, func(a *tableRecord) {
			known[table] = tableRecord{
				setup: a.setup, streamed: maps.Clone(a.streamed),
				acked: slices.Clone(a.acked), races: slices.Clone(a.races),
			}
		})
	}
	return known
}

// checkTables compares the records of some tables with the events that a server sends.
func (c *clients) checkTables(s *server, tables ...string) {
	c.t.Helper()
	checkKnown(c.t, s, c.ledger.known(tables...))
}

func checkKnown(t *testing.T, s *server, known map[string]tableRecord) {
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

// checkStore checks a database that no server uses: every log can be replayed, and lists agree with
// the logs. It returns the public games and the number of all finished games.
func (c *clients) checkStore(where string) (public []match.Game, all int) {
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
		c.t.Errorf("opened tables are missing: %v", slices.Collect(maps.Keys(missing)))
	}
	c.t.Logf("%d acts were acknowledged at %d tables; the database has %d events at %d tables "+
		"and %d finished games",
		c.ledger.acks, len(c.ledger.tables), events, len(tables), finished)
	games, err := db.Games(c.t.Context(), match.GameFilter{})
	if err != nil || len(games) != finished || finished == 0 {
		c.t.Errorf("%d games were finished, but lists show %d: %v", finished, len(games), err)
	}
	if public, err = db.Games(c.t.Context(), match.GameFilter{Public: true}); err != nil {
		c.t.Error(err)
	}
	return public, len(games)
}

// checkLists compares the games that a server lists with the public games, the last one first, and
// the number that it counts with the number of all games.
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
		err = errors.Join(err, json.Unmarshal([]byte(text), &shown))
		if err != nil || status != http.StatusOK {
			t.Fatalf("%s: %d %s: %v", path, status, text, err)
		}
	}
	for i, g := range games[:min(100, len(games))] {
		got, want := fmt.Sprint(shown.Games[i]), fmt.Sprint("{", g.Table, " ", g.Number, " ", g.Record, "}")
		if got != want {
			t.Errorf("game %d of the list is %s, want %s", i, got, want)
		}
	}
	sum := 0
	for _, b := range shown.Books {
		sum += b.Games
	}
	if sum != all {
		t.Errorf("the server counts %d games, want %d", sum, all)
	}
}

// checkLog replays the log of a table and compares the result with its entry in lists.
func checkLog(ctx context.Context, db *store.DB, listed match.Summary) (n, finished int, err error) {
	events, err := db.Events(ctx, listed.ID, 0)
	if err != nil {
		return 0, 0, err
	}
	if len(events) == 0 {
		return 0, 0, errors.New("no events")
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
		return 0, 0, fmt.Errorf("the log has the games\n%q, but lists show\n%q", records, shown)
	}
	want := fmt.Sprint(s.Phase(), s.Game, s.Wins, s.Draws, s.Levels,
		s.Setup.Rules, s.Setup.BestOf, s.Setup.TurnTime)
	got := fmt.Sprint(listed.Phase, listed.Game, listed.Wins, listed.Draws, listed.Levels,
		listed.Rules, listed.BestOf, listed.TurnTime)
	if got != want {
		return 0, 0, fmt.Errorf("the log leads to %s, but lists show %s", want, got)
	}
	return len(events), len(records), nil
}
