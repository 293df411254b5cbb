package match

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/digit"
)

// outageStore is a store that cannot be written during some outages, given in seconds after it was
// made, and that reports them as down time afterwards.
type outageStore struct {
	Memory
	began   time.Time
	outages [][2]int

	mu        sync.Mutex
	downCalls int // the number of calls of Down
	reads     map[string]int
}

func (f *outageStore) Events(ctx context.Context, table string, after int) ([]Event, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reads[table]++
	return f.Memory.Events(ctx, table, after)
}

func newOutageStore(faults string) *outageStore {
	f := &outageStore{began: time.Now(), reads: map[string]int{}}
	for text := range strings.FieldsSeq(faults) {
		var from, to int
		if _, err := fmt.Sscanf(text, "%d-%d", &from, &to); err != nil {
			panic(err)
		}
		f.outages = append(f.outages, [2]int{from, to})
	}
	return f
}

func (f *outageStore) at(second int) time.Time {
	return f.began.Add(time.Duration(second) * time.Second)
}

func (f *outageStore) outage() error {
	for _, fault := range f.outages {
		if now := time.Now(); !now.Before(f.at(fault[0])) && now.Before(f.at(fault[1])) {
			return errors.New("the database is locked")
		}
	}
	return nil
}

func (f *outageStore) Append(ctx context.Context, table string, e Event, after State) error {
	if err := f.outage(); err != nil {
		return err
	}
	return f.Memory.Append(ctx, table, e, after)
}

func (f *outageStore) Down(_ context.Context, since time.Time) (down time.Duration, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.downCalls++
	for _, fault := range f.outages {
		from, to := f.at(fault[0]), f.at(fault[1])
		if from.Before(since) {
			from = since
		}
		if to.After(from) && !to.After(time.Now()) {
			down += to.Sub(from)
		}
	}
	return down, f.outage()
}

// TestFaults plays with half a minute for each turn, and checks when the clock runs out if the
// store has outages.
func TestFaults(t *testing.T) {
	for _, rule := range []TimeoutRule{Lose, Random} {
		for _, test := range []struct {
			name, faults, script string
			out                  int
		}{
			{"none", "", "", 30},
			{"none, and a move", "", "@29 9a", 59},
			{"over before the deadline", "10-20", "", 40},
			{"beyond the deadline", "10-34", "", 54},
			{"from the last second on", "29-90", "", 91},
			{"from the deadline on", "30-40", "", 40},
			{"longer than a turn", "1-100", "", 129},
			{"two of them", "5-10 20-31", "", 46},
			{"a move after the original deadline", "10-34", "@53 9a", 83},
			{"in the turn before", "5-10", "@12 9a", 42},
			{"in the turn before and in this one", "5-10 20-60", "@12 9a", 82},
			{"and a player acts after it", "10-34", "@40 hints:2", 54},
			{"and the table is resumed in it", "10-34", "@20 resume", 54},
			{"and the table is resumed after it", "10-34", "@9 close @40 resume", 54},
			{"and the table is resumed long after it", "10-34", "@9 close @500 resume", 500},
			{"and the table is refreshed at once", "10-34", "@34 refresh", 54},
		} {
			t.Run(fmt.Sprint(rule, " ", test.name), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					store := newOutageStore(test.faults)
					setup := Setup{
						Rules: digit.Highest, Terms: Terms{TurnTime: 30 * time.Second, OnTimeout: rule},
					}
					table, err := Open(t.Context(), "t", setup, store, rand.New(rand.NewPCG(1, 1)))
					if err != nil {
						t.Fatal(err)
					}
					defer func() { table.Close() }()
					if _, err := table.Begin(t.Context()); err != nil {
						t.Fatal(err)
					}
					for word := range strings.FieldsSeq(test.script) {
						var second int
						switch _, err := fmt.Sscanf(word, "@%d", &second); {
						case err == nil:
							advance(time.Until(store.at(second)))
						case word == "close":
							table.Close()
						case word == "resume":
							table.Close()
							if table, err = Resume(t.Context(), "t", store, rand.New(rand.NewPCG(1, 1))); err != nil {
								t.Fatal(err)
							}
						case word == "refresh":
							if err := table.Refresh(t.Context()); err != nil {
								t.Fatal(err)
							}
							if at, _ := table.State().Deadline(); !at.Equal(store.at(test.out)) {
								t.Errorf("the deadline is %v, want %v", at, store.at(test.out))
							}
						default:
							if err := act(t, table, word); err != nil {
								t.Fatalf("%s: %v", word, err)
							}
						}
					}
					before := table.State().Seq
					for table.State().Seq == before {
						if advance(time.Second); time.Since(store.began) > time.Hour {
							t.Fatal("the clock does not run")
						}
					}
					if e := savedEvents(t, store, "t")[before]; !e.At.Equal(store.at(test.out)) || e.Kind == Moved && !e.Auto {
						t.Errorf("%s at %v, want %v",
							e.Kind, e.At.Sub(store.began), store.at(test.out).Sub(store.began))
					}
				})
			})
		}
	}
}

// TestMoveInAFault checks that a move during an outage fails, but not with ErrTimeout, and that it
// is accepted just after the outage.
func TestMoveInAFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newOutageStore("10-34")
		table, err := Open(t.Context(), "t", Setup{Rules: digit.Highest, Terms: Terms{TurnTime: 30 * time.Second}}, store, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer table.Close()
		if _, err := table.Begin(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, second := range []int{20, 33} {
			advance(time.Until(store.at(second)))
			if err := act(t, table, "9a"); err == nil || errors.Is(err, ErrTimeout) {
				t.Errorf("after %d seconds: got %v, want: the database is locked", second, err)
			}
		}
		store.mu.Lock() // the clock calls Down too
		if store.downCalls == 0 {
			t.Error("Down was not called")
		}
		store.mu.Unlock()
		time.Sleep(time.Until(store.at(34))) // the clock may wake now as well
		if err := act(t, table, "9a"); err != nil {
			t.Errorf("a move just after the outage: %v", err)
		}
	})
}

// TestTimeGivenIsTold checks that watchers wake up when a deadline moves, and that it never moves
// back.
func TestTimeGivenIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(downStore)
		table, err := Open(t.Context(), "t", Setup{Rules: digit.Highest, Terms: Terms{TurnTime: time.Minute}}, store, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer table.Close()
		began, err := table.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			down, want time.Duration
			woken      bool
		}{{0, 0, false}, {3, 3, true}, {3, 3, false}, {2, 3, false}, {5, 5, true}} {
			store.time = test.down * time.Second
			_, more := table.Since(began.Seq)
			if err := table.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			woken := false
			select {
			case <-more:
				woken = true
			default:
			}
			at, _ := table.State().Deadline()
			if got := at.Sub(began.TurnBegan) - time.Minute; got != test.want*time.Second || woken != test.woken {
				t.Errorf("down for %v: got %v, woken: %v, want %v, %v",
					store.time, got, woken, test.want*time.Second, test.woken)
			}
		}
	})
}

// TestAway checks that a notice that the store is back extends the deadlines of all tables with a
// clock at once, and reads no other table.
func TestAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newOutageStore("10-34")
		saveTable(t, store, "timed", Setup{Rules: digit.Highest, Terms: Terms{TurnTime: time.Minute}}, "begin")
		saveTable(t, store, "untimed", Setup{Rules: digit.Highest}, "begin")
		hall := newHall(t, store, HallConfig{})
		timed := enter(t, hall, "timed", nil, "")
		defer timed.Close()
		untimed := enter(t, hall, "untimed", nil, "")
		defer untimed.Close()
		advance(time.Until(store.at(34)))
		store.mu.Lock()
		before := store.reads["untimed"]
		store.mu.Unlock()
		hall.Notice(Notice{Away: true})
		synctest.Wait()
		if at, _ := timed.Table.State().Deadline(); !at.Equal(store.at(60 + 24)) {
			t.Errorf("got a deadline after %v, want 84s", at.Sub(store.began))
		}
		if again := store.reads["untimed"]; again != before {
			t.Errorf("the table without a clock was read %d times", again-before)
		}
	})
}

// TestClockSetBack checks that a turn that began in the future, because the system clock was set
// back, gets exactly its full time.
func TestClockSetBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(Memory)
		setup := Setup{Rules: digit.Highest, Terms: Terms{TurnTime: time.Minute}}
		later := time.Now().Add(time.Hour)
		for i, e := range []Event{{Kind: Opened, Setup: &setup}, {Kind: Began}} {
			e.Seq, e.At = i+1, later
			if err := store.Append(t.Context(), "t", e, State{}); err != nil {
				t.Fatal(err)
			}
		}
		table, err := Resume(t.Context(), "t", store, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer table.Close()
		for _, want := range []bool{true, false} {
			if got := table.State().Playing(); got != want {
				t.Errorf("playing: %v, want %v", got, want)
			}
			advance(time.Minute)
		}
	})
}
