package match

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/digit"
)

// open opens a table and begins a game.
func open(t *testing.T, setup Setup) *Table {
	t.Helper()
	table, err := Open(t.Context(), "t", setup, new(Memory), rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(table.Close)
	if _, err := table.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	return table
}

// advance advances the fake clock of a synctest bubble, and waits until all goroutines block.
func advance(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// actions are the words of a script that a seat does, and argActions those with an argument.
var (
	actions = map[string]func(*Table, context.Context, Seat) (State, error){
		"begin": func(t *Table, ctx context.Context, _ Seat) (State, error) { return t.Begin(ctx) },
		"undo":  doAct(Undo), "agree": doAct(AgreeUndo), "refuse": doAct(RefuseUndo),
		"withdraw": doAct(WithdrawUndo), "resign": doAct(Resign), "swap": doAct(Swap),
		"leave": (*Table).Leave, "arrive": (*Table).Arrive, "back": (*Table).Return, "claim": doAct(Claim),
		"next": doAct(Next), "again": doAct(Rematch), "refuse-again": doAct(RefuseRematch),
		"hints": doAct(AgreeHints), "nohints": doAct(EndHints),
	}
	argActions = map[string]func(*Table, context.Context, Seat, string) (State, error){
		"sit": func(t *Table, ctx context.Context, s Seat, name string) (State, error) {
			return t.Sit(ctx, s, name, "")
		},
		"fault": func(t *Table, ctx context.Context, s Seat, fault string) (State, error) {
			return t.Fault(ctx, s, Fault(slices.Index(faultNames, fault)))
		},
		"replace": func(t *Table, ctx context.Context, s Seat, level string) (State, error) {
			return t.Do(ctx, s, Replace, level)
		},
		"rekey": (*Table).Rekey,
	}
)

func doAct(a Act) func(*Table, context.Context, Seat) (State, error) {
	return func(t *Table, ctx context.Context, s Seat) (State, error) { return t.Do(ctx, s, a, "") }
}

// act runs a script of words: a move by the seat to move, "9a", or by a seat, "9a:2", or an act of
// a seat, "undo:1", "sit:2=Ben". It returns the first error.
func act(t *testing.T, table *Table, script string) error {
	t.Helper()
	for word := range strings.FieldsSeq(script) {
		verb, rest, _ := strings.Cut(word, ":")
		who, what, _ := strings.Cut(rest, "=")
		seat := One
		if who == "2" {
			seat = Two
		}
		var err error
		if do, ok := actions[verb]; ok {
			_, err = do(table, t.Context(), seat)
		} else if say, ok := argActions[verb]; ok {
			_, err = say(table, t.Context(), seat, what)
		} else {
			m, parseErr := digit.ParseMove(verb)
			if parseErr != nil {
				t.Fatal(parseErr)
			}
			if who == "" {
				seat = table.State().Turn()
			}
			_, err = table.Play(t.Context(), seat, m, 0)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", word, err)
		}
	}
	return nil
}

// summary describes a state in one line.
func summary(s State) string {
	var b strings.Builder
	fmt.Fprintf(&b, "game %d %s %v %d–%d", s.Game, s.Setup.Rules.Text(s.Position), s.Result, s.Wins[One], s.Wins[Two])
	if s.Draws > 0 {
		fmt.Fprintf(&b, " drawn %d", s.Draws)
	}
	if s.Playing() {
		fmt.Fprintf(&b, ", %v to move", s.Turn())
	}
	if s.Asking {
		fmt.Fprintf(&b, ", %v asks", s.Asker)
	}
	if s.SeriesOver() {
		b.WriteString(", over")
	}
	for _, seat := range Seats {
		name := s.Setup.Name(seat)
		for _, is := range []struct {
			so   bool
			text string
		}{
			{s.Open[seat], seat.String() + " is awaited"},
			{s.Away[seat], name + " is away"},
			{s.Levels[seat] != "", s.Levels[seat] + " plays for " + name},
			{s.Ready[seat], name + " is ready"},
			{s.Again[seat], name + " wants another"},
			{s.Hints[seat], name + " agrees to hints"},
		} {
			if is.so {
				b.WriteString(", " + is.text)
			}
		}
	}
	return b.String()
}

func TestTable(t *testing.T) {
	const firstWins, secondWins = "9a 8a 1b 2b 3c 4c", "1a 9a 2b 3b 4c 5c"
	tests := []struct {
		name, script, want string
		setup              Setup
	}{
		{"one game", firstWins, "game 1 913/824 1-0 higher 1–0, over", Setup{Rules: digit.Highest}},
		{"player 2 starts", "9a", "game 1 9__/___ * 0–0, Player 1 to move", Setup{Rules: digit.Highest, First: Two}},
		{"player 2 starts and wins", firstWins, "game 1 913/824 1-0 higher 0–1, over", Setup{Rules: digit.Highest, First: Two}},
		{"resign on one's own turn", "resign:1", "game 1 ___/___ 0-1 resigned 0–1, over", Setup{Rules: digit.Highest}},
		{"resign on the other's turn", "9a 8a resign:2", "game 1 9__/8__ 1-0 resigned 1–0, over", Setup{Rules: digit.Highest}},

		{"the start alternates", firstWins + " begin 9a", "game 2 9__/___ * 1–0, Player 1 to move", Setup{Rules: digit.Highest, Terms: Terms{BestOf: 3}}},
		{"majority", firstWins + " begin " + secondWins, "game 2 124/935 0-1 higher 2–0, over", Setup{Rules: digit.Highest, Terms: Terms{BestOf: 3}}},
		{"level before the last", firstWins + " begin " + firstWins, "game 2 913/824 1-0 higher 1–1", Setup{Rules: digit.Highest, Terms: Terms{BestOf: 3}}},
		{"third decides", firstWins + " begin " + firstWins + " begin " + firstWins, "game 3 913/824 1-0 higher 2–1, over", Setup{Rules: digit.Highest, Terms: Terms{BestOf: 3}}},

		{"free undo by the last mover", "9a 8a undo:2", "game 1 9__/___ * 0–0, Player 2 to move", Setup{Rules: digit.Highest, FreeUndo: true}},
		{"free undo takes back the reply too", "9a 8a undo:1", "game 1 ___/___ * 0–0, Player 1 to move", Setup{Rules: digit.Highest, FreeUndo: true}},
		{"undo is asked for", "9a undo:1", "game 1 9__/___ * 0–0, Player 2 to move, Player 1 asks", Setup{Rules: digit.Highest}},
		{"undo is agreed to", "9a undo:1 undo:2", "game 1 ___/___ * 0–0, Player 1 to move", Setup{Rules: digit.Highest}},
		{"undo is refused", "9a undo:1 refuse:2", "game 1 9__/___ * 0–0, Player 2 to move", Setup{Rules: digit.Highest}},
		{"undo is agreed to, and nothing else", "9a undo:1 agree:2", "game 1 ___/___ * 0–0, Player 1 to move", Setup{Rules: digit.Highest}},
		{"the asker withdraws", "9a undo:1 withdraw:1", "game 1 9__/___ * 0–0, Player 2 to move", Setup{Rules: digit.Highest}},
		{"the asker moves", "9a 8a undo:1 7b", "game 1 97_/8__ * 0–0, Player 2 to move", Setup{Rules: digit.Highest}},
		{"a move refuses undo", "9a undo:1 8a", "game 1 9__/8__ * 0–0, Player 1 to move", Setup{Rules: digit.Highest}},
		{"undo of a full hand", "7 5 1 8 2 undo:1", "game 1 17/58 * 0–0, Player 1 to move", Setup{Rules: digit.Sevens, FreeUndo: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table := open(t, tt.setup)
			if err := act(t, table, tt.script); err != nil {
				t.Fatal(err)
			}
			if got := summary(table.State()); got != tt.want {
				t.Errorf("%s\n got %s\nwant %s", tt.script, got, tt.want)
			}
		})
	}
}

// TestNoPoints plays a game of each book: a win counts as one game however it was won, and a drawn
// game counts for neither player.
func TestNoPoints(t *testing.T) {
	for _, tt := range []struct{ name, rules, script, want string }{
		{"dilemma", "dilemma", "7a 3b 1c 5a 4b 2c", "0-1 multiple 0–1"},
		{"dilemma compared", "dilemma", "6a 2a 1b 0b 3c 5c", "1-0 above 1–0"},
		{"sevens", "sevens", "7 5 1 8 2=721", "1-0 multiple 1–0"},
		{"sevens miscalled", "sevens", "7 5 1 8 2=712", "0-1 miscalled 0–1"},
		{"highest", "highest", "9a 8a 2c 7b 5b 6c", "1-0 higher 1–0"},
		{"divisibility", "divisibility", "4R 3R 2R", "1-0 multiple 1–0"},
		{"divisibility drawn", "divisibility", "3R 6R 8L 7L 2L 1R 4L 5R 9R", "1/2 equal 0–0 drawn 1"},
		{"reverse", "reverse", "9a 1a 8b 2c 3c 4b", "0-1 lower 0–1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rules, err := digit.ParseRules(tt.rules)
			if err != nil {
				t.Fatal(err)
			}
			table := open(t, Setup{Rules: rules})
			if err := act(t, table, tt.script); err != nil {
				t.Fatal(err)
			}
			if got := summary(table.State()); !strings.HasSuffix(got, tt.want+", over") {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	tests := []struct {
		name, script, want string
		setup              Setup
	}{
		{"not your turn", "9a:2", "9a:2: it is not your turn", Setup{Rules: digit.Highest}},
		{"a call in the other's turn", "7 5 1 8 2=721:2", "2=721:2: it is not your turn", Setup{Rules: digit.Sevens}},
		{"illegal", "9a 9b", "9b: 9b: 9 is taken; left: 1 2 3 4 5 6 7 8", Setup{Rules: digit.Highest}},
		{"after the end", "resign:1 9a", "9a: no game is under way", Setup{Rules: digit.Highest}},
		{"resign twice", "resign:1 resign:2", "resign:2: no game is under way", Setup{Rules: digit.Highest}},
		{"begin twice", "begin", "begin: a game is under way", Setup{Rules: digit.Highest}},
		{"begin after the end", "resign:1 begin", "begin: the series is over", Setup{Rules: digit.Highest}},
		{"undo without a move", "undo:1", "undo:1: there is no move of yours to take back", Setup{Rules: digit.Highest, FreeUndo: true}},
		{"undo before one's own move", "9a undo:2", "undo:2: there is no move of yours to take back", Setup{Rules: digit.Highest}},
		{"agree to nothing", "9a 8a agree:2", "agree:2: nobody asks for that", Setup{Rules: digit.Highest}},
		{"agree to nothing where undo is free", "9a 8a agree:2", "agree:2: nobody asks for that", Setup{Rules: digit.Highest, FreeUndo: true}},
		{"agree with oneself", "9a undo:1 agree:1", "agree:1: nobody asks for that", Setup{Rules: digit.Highest}},
		{"agree too late", "9a 8a undo:1 7b agree:2", "agree:2: nobody asks for that", Setup{Rules: digit.Highest}},
		{"undo asked twice", "9a undo:1 undo:1", "undo:1: you have asked already", Setup{Rules: digit.Highest}},
		{"undo after the end", "9a resign:1 undo:1", "undo:1: no game is under way", Setup{Rules: digit.Highest, FreeUndo: true}},
		{"refuse nothing", "9a refuse:2", "refuse:2: nobody asks for that", Setup{Rules: digit.Highest}},
		{"withdraw the opponent's request", "9a undo:1 withdraw:2", "withdraw:2: nobody asks for that", Setup{Rules: digit.Highest}},
		{"withdraw twice", "9a undo:1 withdraw:1 withdraw:1", "withdraw:1: nobody asks for that", Setup{Rules: digit.Highest}},
		{"refuse oneself", "9a undo:1 refuse:1", "refuse:1: nobody asks for that", Setup{Rules: digit.Highest}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table := open(t, tt.setup)
			words := strings.Fields(tt.script)
			last := len(words) - 1
			if err := act(t, table, strings.Join(words[:last], " ")); err != nil {
				t.Fatal(err)
			}
			before := table.State()
			err := act(t, table, words[last])
			if err == nil || err.Error() != tt.want {
				t.Errorf("error %v, want %s", err, tt.want)
			}
			if after := table.State(); summary(after) != summary(before) || after.Seq != before.Seq {
				t.Errorf("%s changed the table: %s", words[last], summary(after))
			}
		})
	}
}

// TestSeries plays series with given results: 1 and 2 are games won by that player, = is a draw.
func TestSeries(t *testing.T) {
	tests := []struct {
		bestOf      int
		games, want string
	}{
		{1, "1", "1–0"},
		{1, "=2", "0–1"},
		{1, "==", "0–0"},
		{3, "11", "2–0"},
		{3, "121", "2–1"},
		{3, "1=2=1", "2–1"},
		{3, "======", "0–0"},
		{3, "1=====", "1–0"},
		{3, "12====", "1–1"},
		{5, "11211", ""}, // over after the fourth
		{5, "1121", "3–1"},
		{5, "12121", "3–2"},
	}
	// A game of one digit each, in which two odd digits are a draw.
	rules := digit.Rules{
		Pool: digit.PoolOf(1, 3, 5, 7), Place: digit.Ends, Width: 1, Target: 2, Win: digit.EachTurn,
		Final: digit.FinalBy(digit.Below),
	}
	drawn := "1R 3R"
	if err := rules.Check(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("best of %d %s", tt.bestOf, tt.games), func(t *testing.T) {
			table := open(t, Setup{Rules: rules, Terms: Terms{BestOf: tt.bestOf}})
			for i, g := range tt.games {
				if i > 0 {
					if err := act(t, table, "begin"); err != nil {
						if tt.want == "" && errors.Is(err, ErrSeries) {
							return
						}
						t.Fatal(err)
					}
				}
				if s := table.State(); s.Starter() != Seat(i%2) {
					t.Errorf("game %d: got starter %v", i+1, s.Starter())
				}
				script := map[rune]string{'1': "resign:2", '2': "resign:1", '=': drawn}[g]
				if err := act(t, table, script); err != nil {
					t.Fatal(err)
				}
			}
			s := table.State()
			if got := fmt.Sprintf("%d–%d", s.Wins[One], s.Wins[Two]); !s.SeriesOver() || got != tt.want {
				t.Errorf("series over %v at %s, want it over at %s", s.SeriesOver(), got, tt.want)
			}
			if err := act(t, table, "begin"); !errors.Is(err, ErrSeries) {
				t.Errorf("a game after the series: %v", err)
			}
			leader, leads := s.Leader()
			winner, won := s.Winner()
			last := tt.games[len(tt.games)-1]
			if leads != (s.Wins[One] != s.Wins[Two]) || leads && s.Wins[leader] <= s.Wins[leader.Other()] ||
				won != (last != '=') || won && rune(last) != rune('1'+winner) {
				t.Errorf("%v leads: %v, %v has won the last game: %v", leader, leads, winner, won)
			}
		})
	}
}

func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// downStore is a store that reports a down time, after a delay.
type downStore struct {
	Memory
	time, takes time.Duration
}

func (d *downStore) Down(context.Context, time.Time) (time.Duration, error) {
	time.Sleep(d.takes)
	return d.time, nil
}

// failingStore is a store that can be made to fail from an event number on.
type failingStore struct {
	Memory
	mu   sync.Mutex
	from int // 0 if it does not fail
}

func (b *failingStore) breakAt(seq int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.from = seq
}

func (b *failingStore) Append(ctx context.Context, table string, e Event, after State) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.from > 0 && e.Seq >= b.from {
		return errors.New("the disk is full")
	}
	return b.Memory.Append(ctx, table, e, after)
}

// TestNothingIsToldThatIsNotKept checks that a move that cannot be saved does not change the table.
func TestNothingIsToldThatIsNotKept(t *testing.T) {
	store := &failingStore{}
	table, err := Open(t.Context(), "t", Setup{Rules: digit.Highest}, store, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	if _, err := table.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	store.breakAt(1)
	before := table.State()
	err = act(t, table, "9a")
	if err == nil || !strings.Contains(err.Error(), "save event 3: the disk is full") {
		t.Errorf("error %v", err)
	}
	if after := table.State(); after.Seq != before.Seq || after.Position != before.Position {
		t.Errorf("a move that was not saved changed the table: %s", summary(after))
	}
	store.breakAt(0)
	if err := act(t, table, "9a"); err != nil {
		t.Error(err)
	}
}

// TestRace plays for both seats in several goroutines at once: each turn is taken exactly once.
func TestRace(t *testing.T) {
	table := open(t, Setup{Rules: digit.Divisibility})
	var playing sync.WaitGroup
	for _, seat := range Seats {
		for range 4 {
			playing.Go(func() {
				for s := table.State(); s.Playing(); s = table.State() {
					for m := range s.Setup.Rules.Moves(s.Position) {
						_, _ = table.Play(t.Context(), seat, m, 0) // the other seat may have been faster
						break
					}
				}
			})
		}
	}
	playing.Wait()
	s := table.State()
	if _, err := s.Record().Positions(); err != nil || s.Seq != len(s.Moves)+2 {
		t.Errorf("%v, %d events: %v", s.Record(), s.Seq, err)
	}
}

func TestResume(t *testing.T) {
	store := new(Memory)
	setup := Setup{Rules: digit.Sevens, Terms: Terms{BestOf: 3}, Names: [2]string{"Ada", "Ben"}}
	table, err := Open(t.Context(), "t", setup, store, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := act(t, table, "begin 7 5 undo:2 undo:1 6 1 8 2=721 begin 3"); err != nil {
		t.Fatal(err)
	}
	want := summary(table.State())
	table.Close()
	again, err := Resume(t.Context(), "t", store, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if got := summary(again.State()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if err := act(t, again, "4"); err != nil {
		t.Error(err)
	}
	invalid := Event{Seq: again.State().Seq + 1, Kind: Moved}
	if err := store.Append(t.Context(), "t", invalid, State{}); err != nil {
		t.Fatal(err)
	}
	want = fmt.Sprintf(`table "t": event %d: it is not your turn`, again.State().Seq+1)
	if _, err := Resume(t.Context(), "t", store, nil); err == nil || err.Error() != want {
		t.Errorf("an invalid log: got %v, want %s", err, want)
	}
	_, err = Resume(t.Context(), "u", store, nil)
	if err == nil || err.Error() != `table "u": there is no such table` {
		t.Errorf("a table that does not exist: %v", err)
	}
}

// TestResumeInTime checks that the clock of a resumed table does not act before the store has
// reported its down time.
func TestResumeInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &downStore{time: time.Hour, takes: time.Second}
		setup := adaBen
		setup.TurnTime = time.Minute
		saveTable(t, store, "t", setup, "begin")
		advance(time.Hour)
		table, err := Resume(t.Context(), "t", store, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer table.Close()
		for _, want := range []string{
			"game 1 ___/___ * 0–0, Player 1 to move", "game 1 ___/___ 0-1 time 0–1, over",
		} {
			if got := summary(table.State()); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			advance(time.Minute)
		}
	})
}

// TestTwoWriters opens one table twice, as two servers with one store do: each turn is taken once,
// and both see it.
func TestTwoWriters(t *testing.T) {
	store := new(Memory)
	table, err := Open(t.Context(), "t", Setup{Rules: digit.Highest}, store, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	if err := act(t, table, "begin"); err != nil {
		t.Fatal(err)
	}
	other, err := Resume(t.Context(), "t", store, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := act(t, table, "9a"); err != nil {
		t.Fatal(err)
	}
	if err := act(t, other, "8a:1"); !errors.Is(err, ErrTurn) {
		t.Errorf("a second first move: %v", err)
	}
	if got, want := summary(other.State()), summary(table.State()); got != want {
		t.Errorf("the second writer has %s, the first %s", got, want)
	}
	if err := act(t, other, "8a:2"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := table.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := summary(table.State()), "game 1 9__/8__ * 0–0, Player 1 to move"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	seen := 0
	table.Close()
	for e := range table.Watch(t.Context(), 0) {
		if seen++; e.Seq != seen {
			t.Errorf("got event %d, want %d", e.Seq, seen)
		}
	}
	if seen != 4 {
		t.Errorf("saw %d events, want 4", seen)
	}
	if err := table.Refresh(t.Context()); !errors.Is(err, errClosed) {
		t.Errorf("refresh of a closed table: %v", err)
	}
}

// TestSeenElsewhere acts on a server that lags, after events seen on another server: the act is
// judged by the newest state.
func TestSeenElsewhere(t *testing.T) {
	tests := []struct {
		name, elsewhere string
		act             func(*Table) (State, error)
		want            string // the summary after it, or the error
	}{
		{"a move", "9a", func(table *Table) (State, error) {
			return table.Play(t.Context(), Two, digit.Move{Digit: 8, Spot: 'a'}, 3)
		}, "game 1 9__/8__ * 0–0, Player 1 to move"},
		{"a move without a number", "9a", func(table *Table) (State, error) {
			return table.Play(t.Context(), Two, digit.Move{Digit: 8, Spot: 'a'}, 0)
		}, "game 1 9__/8__ * 0–0, Player 1 to move"},
		{"the same move", "9a", func(table *Table) (State, error) {
			return table.Play(t.Context(), One, digit.Move{Digit: 9, Spot: 'a'}, 2)
		}, "game 1 9__/___ * 0–0, Player 2 to move"},
		{"a move too late", "9a 8a", func(table *Table) (State, error) {
			return table.Play(t.Context(), Two, digit.Move{Digit: 7, Spot: 'a'}, 3)
		}, ErrStale.Error()},
		{"agreeing", "9a undo:1", func(table *Table) (State, error) {
			return table.Do(t.Context(), Two, AgreeUndo, "")
		}, "game 1 ___/___ * 0–0, Player 1 to move"},
		{"a claim", "leave:2", func(table *Table) (State, error) {
			return table.Do(t.Context(), One, Claim, "")
		}, "game 1 ___/___ 1-0 left 1–0, over, Player 2 is away"},
		{"a claim too late", "leave:2 back:2", func(table *Table) (State, error) {
			return table.Do(t.Context(), One, Claim, "")
		}, ErrHere.Error()},
		{"a rematch", "resign:1 again:1", func(table *Table) (State, error) {
			return table.Do(t.Context(), Two, Rematch, "")
		}, "game 2 ___/___ * 0–0, Player 2 to move"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			store := new(Memory)
			saveTable(t, store, "t", Setup{Rules: digit.Highest}, "begin")
			table, err := Resume(t.Context(), "t", store, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer table.Close()
			other, err := Resume(t.Context(), "t", store, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			if err := act(t, other, tt.elsewhere); err != nil {
				t.Fatal(err)
			}
			s, err := tt.act(table)
			got := summary(s)
			if err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if s := table.State(); s.Seq != len(savedEvents(t, store, "t")) {
				t.Errorf("the table still lags: %s", summary(s))
			}
		})
	}
}

// TestPlayAgain sends a move twice, as a player does if the answer got lost.
func TestPlayAgain(t *testing.T) {
	store := new(hookStore)
	table, err := Open(t.Context(), "t", Setup{Rules: digit.Highest}, store, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	if err := act(t, table, "begin"); err != nil {
		t.Fatal(err)
	}
	nine, eight := digit.Move{Digit: 9, Spot: 'a'}, digit.Move{Digit: 8, Spot: 'a'}
	first, err := table.Play(t.Context(), One, nine, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.Play(t.Context(), Two, eight, 3); err != nil {
		t.Fatal(err)
	}
	store.before(func() error { return errors.New("read of events that are known") })
	again, err := table.Play(t.Context(), One, nine, 2)
	if err != nil || summary(again) != summary(first) || again.Seq != first.Seq {
		t.Errorf("the same move again: %s, %v; the first time %s", summary(again), err, summary(first))
	}
	store.before(func() error { return nil })
	for _, tt := range []struct {
		seat Seat
		move digit.Move
		seen int
	}{{One, eight, 2}, {Two, nine, 2}, {One, nine, 1}, {One, nine, 3}, {One, nine, 9}, {Two, eight, 2}} {
		if _, err := table.Play(t.Context(), tt.seat, tt.move, tt.seen); !errors.Is(err, ErrStale) {
			t.Errorf("%v %v after event %d: %v", tt.seat, tt.move, tt.seen, err)
		}
	}
	if n := len(table.State().Moves); n != 2 {
		t.Errorf("%d moves were played", n)
	}
}

// TestPlayAfter plays a move that was chosen before other events. Play refuses it after any event,
// PlayAfter only after one that matters to a move.
func TestPlayAfter(t *testing.T) {
	for _, tt := range []struct {
		since       string
		play, after error
	}{
		{"", nil, nil},
		{"leave:2", ErrStale, nil},
		{"hints:2 leave:2 back:2 nohints:2 rekey:2=x", ErrStale, nil},
		{"undo:2", ErrStale, nil}, // the move declines it
		{"7b", ErrStale, ErrStale},
		{"leave:2 7b back:2", ErrStale, ErrStale},
		{"resign:2", ErrStale, ErrStale},
		{"undo:2 agree:1", ErrStale, ErrStale},
	} {
		for _, way := range []struct {
			name string
			play func(*Table, context.Context, Seat, digit.Move, int) (State, error)
			want error
		}{{"Play", (*Table).Play, tt.play}, {"PlayAfter", (*Table).PlayAfter, tt.after}} {
			table := open(t, adaBen)
			if err := act(t, table, "9a 8a"); err != nil {
				t.Fatal(err)
			}
			seen := table.State().Seq
			if err := act(t, table, tt.since); err != nil {
				t.Fatal(err)
			}
			m := digit.Move{Digit: 2, Spot: 'c'}
			s, err := way.play(table, t.Context(), One, m, seen)
			if !errors.Is(err, way.want) || (err == nil) != (len(s.Moves) == 3 && s.Moves[2] == m) {
				t.Errorf("%s after %q: %v, %v", way.name, tt.since, s.Moves, err)
			}
			if _, err := way.play(table, t.Context(), One, m, table.State().Seq+1); err == nil {
				t.Errorf("%s after an event that is still to come", way.name)
			}
		}
	}
}

// TestPlayAfterClock checks that a player cannot play the move that the clock has just played for
// them.
func TestPlayAfterClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := open(t, Setup{Rules: digit.Highest, Terms: Terms{TurnTime: time.Minute, OnTimeout: Random}})
		advance(time.Minute + time.Second)
		moves := table.State().Moves
		if len(moves) != 1 {
			t.Fatalf("the clock has played %v", moves)
		}
		if _, err := table.Play(t.Context(), One, moves[0], 2); !errors.Is(err, ErrStale) {
			t.Errorf("%v again: %v", moves[0], err)
		}
	})
}

// TestUndoneLent takes back a move that the computer made for a player: the next move counts as the
// player's own.
func TestUndoneLent(t *testing.T) {
	table := open(t, adaBen)
	for _, tt := range []struct {
		script string
		lent   uint16
	}{{"leave:2 replace:1=casual 9a 8a back:2", 0b10}, {"undo:2 undo:1", 0}, {"8b", 0}} {
		if err := act(t, table, tt.script); err != nil {
			t.Fatal(err)
		}
		if got := table.State().Lent; got != tt.lent {
			t.Errorf("after %s: %b, want %b", tt.script, got, tt.lent)
		}
	}
}

// TestApplyRefuses checks that Apply refuses events that cannot follow a state.
func TestApplyRefuses(t *testing.T) {
	setup := &Setup{Rules: digit.Highest}
	var s State
	for _, e := range []Event{{Seq: 1, Kind: Opened, Setup: setup}, {Seq: 2, Kind: Began}} {
		var err error
		if s, err = s.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		state State
		event Event
		want  string
	}{
		{State{}, Event{Seq: 2, Kind: Began}, "event 2 cannot follow event 0"},
		{State{}, Event{Seq: 1, Kind: Began}, "a table is set up once, by its first event"},
		{State{}, Event{Seq: 1, Kind: Opened}, "a table is set up once, by its first event"},
		{State{}, Event{Seq: 1, Kind: Moved}, "a table is set up once, by its first event"},
		{s, Event{Seq: 3, Kind: Opened, Setup: setup}, "a table is set up once, by its first event"},
		{s, Event{Seq: 3, Kind: Resigned, Seat: 2}, "seat 2: allowed: 0, 1"},
		{s, Event{Seq: 3, Kind: Seated, Seat: 255}, "seat 255: allowed: 0, 1"},
		{s, Event{Seq: 3, Kind: Replaced}, "the other player has not left"},
		{s, Event{Seq: 3, Kind: "sang"}, `unknown event "sang"`},
		{s, Event{Seq: 3, Kind: Moved}, "it is not your turn"},
		{s, Event{Seq: 3, Kind: Flagged, Seat: Two}, "it is not your turn"},
		{s, Event{Seq: 3, Kind: Undone, Seat: One}, "there is no move of yours to take back"},
	}
	for _, tt := range tests {
		after, err := tt.state.Apply(tt.event)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%+v: %v, want %s", tt.event, err, tt.want)
		}
		if after.Seq != tt.state.Seq {
			t.Errorf("%+v changed the state", tt.event)
		}
	}
}
