package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/store/pgtest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// eachStore runs a test with every implementation of [match.Store].
func eachStore(t *testing.T, test func(t *testing.T, s match.Store)) {
	t.Run("memory", func(t *testing.T) { test(t, new(match.Memory)) })
	eachDB(t, func(t *testing.T, where string) { test(t, openAt(t, where, Config{})) })
}

// byValue compares moves as values.
var byValue = cmpopts.EquateComparable(digit.Move{})

const fiveMoves = "began; 1 7a; 2 3b; 1 1c; 2 5a; 1 4b"

func TestEventsAreKeptInOrder(t *testing.T) {
	eachStore(t, func(t *testing.T, s match.Store) {
		steps := script(t, match.Setup{Rules: digit.Dilemma, Names: [2]string{"Ada", "Ben"}}, fiveMoves)
		appendSteps(t, s, "t", steps)
		appendSteps(t, s, "other", steps[:2])
		for after := -1; after <= len(steps)+1; after++ {
			got, err := s.Events(t.Context(), "t", after)
			if err != nil {
				t.Fatal(err)
			}
			var want []match.Event
			for _, step := range steps[min(max(after, 0), len(steps)):] {
				want = append(want, step.Event)
			}
			if len(got)+len(want) > 0 && !cmp.Equal(want, got, byValue) {
				t.Errorf("after %d: %s", after, cmp.Diff(want, got, byValue))
			}
		}
		if got, err := s.Events(t.Context(), "none", 0); err != nil || len(got) > 0 {
			t.Errorf("events of no table: %v, %v", got, err)
		}
	})
}

func TestOnlyTheNextEventIsKept(t *testing.T) {
	eachStore(t, func(t *testing.T, s match.Store) {
		steps := script(t, match.Setup{Rules: digit.Dilemma}, fiveMoves)
		appendSteps(t, s, "t", steps[:3])
		for _, i := range []int{0, 1, 2, 4, 5} {
			err := s.Append(t.Context(), "t", steps[i].Event, steps[i].After)
			if !errors.Is(err, match.ErrConflict) {
				t.Errorf("event %d after event 3: got %v, want %v", i+1, err, match.ErrConflict)
			}
		}
		err := s.Append(t.Context(), "new", steps[1].Event, steps[1].After)
		if !errors.Is(err, match.ErrConflict) {
			t.Errorf("a table that begins with event 2: got %v, want %v", err, match.ErrConflict)
		}
		if got, _ := s.Events(t.Context(), "t", 0); len(got) != 3 {
			t.Errorf("got %d events, want 3", len(got))
		}
	})
}

// TestOneWriterWins lets many writers write every event of some tables, each with its own name:
// each event is stored once.
func TestOneWriterWins(t *testing.T) {
	eachStore(t, func(t *testing.T, s match.Store) { raceWriters(t, s) })
}

// TestOneServerWins does the same with two servers.
func TestOneServerWins(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Start(t)
	raceWriters(t, openAt(t, dsn, Config{Server: true}), openAt(t, dsn, Config{Server: true}))
}

// TestOthersWriteBesideAServer does the same with the server of a file and two other programs.
func TestOthersWriteBesideAServer(t *testing.T) {
	t.Parallel()
	file := kinds[0].where(t)
	raceWriters(t, openAt(t, file, Config{Server: true}), openAt(t, file, Config{}), openAt(t, file, Config{}))
}

// raceWriters runs 64 writers, which share some stores.
func raceWriters(t *testing.T, stores ...match.Store) {
	const writers, tables, seqs = 64, 3, 10
	var mu sync.Mutex
	winners := map[string]string{}
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			s, name := stores[w%len(stores)], strconv.Itoa(w)
			for n := range seqs * tables {
				// Half of them take the tables in another order.
				table, seq := fmt.Sprint("t", (n*(1+w/2%2))%tables), n/tables+1
				e := match.Event{Seq: seq, At: noon, Kind: match.Seated, Name: name}
				err := s.Append(t.Context(), table, e, match.State{})
				if err != nil && !errors.Is(err, match.ErrConflict) {
					t.Error(err)
					return
				}
				if key := fmt.Sprint(table, " ", seq); err == nil {
					mu.Lock()
					if other, won := winners[key]; won {
						t.Errorf("%s: both %s and %s have won", key, other, name)
					}
					winners[key] = name
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	for n := range tables {
		events, err := stores[0].Events(t.Context(), fmt.Sprint("t", n), 0)
		if err != nil || len(events) != seqs {
			t.Errorf("table %d has %d events, want %d; %v", n, len(events), seqs, err)
		}
		for _, e := range events {
			if key := fmt.Sprint("t", n, " ", e.Seq); winners[key] != e.Name {
				t.Errorf("%s: %q is stored, but %q has won", key, e.Name, winners[key])
			}
		}
	}
}

// TestEveryKindOfEventComesBack stores events of every kind, with every field set and with
// characters that need quoting, and reads them back.
func TestEveryKindOfEventComesBack(t *testing.T) {
	call, err := digit.ParseMove("2=721")
	if err != nil {
		t.Fatal(err)
	}
	setup := match.Setup{
		Rules: digit.Sevens, First: match.Two,
		Names: [2]string{`O'Neil "; DROP TABLE events; --`, "Zoë 🎲 \\ %s $1 \u202e"},
		Terms: match.Terms{
			BestOf: 5, TurnTime: 90 * time.Second, OnTimeout: match.Random, Hints: true,
		},
		FreeUndo: true, Levels: [2]string{"", "casual"}, Open: [2]bool{true, false}, Listed: true,
		Seals: [2]string{"", "s"},
		Agent: match.Agent{
			Seed: 1<<64 - 1, Disguise: 1<<64 - 2, Run: "Zoë's run", Tries: 3, Disguised: true, ShowMoves: true,
		},
	}
	eachStore(t, func(t *testing.T, s match.Store) {
		var want []match.Event
		for i, kind := range match.Kinds() {
			e := match.Event{
				Seq: i + 1, At: noon.Add(time.Duration(i)), Kind: kind, Seat: match.Seat(i % 2), Move: &call,
				Auto: true, Name: "日本", Level: "perfect", Seal: "s", Fault: match.Unreadable, Waits: true,
			}
			if i == 0 {
				e.Setup = &setup
			}
			if err := s.Append(t.Context(), "t", e, match.State{Setup: setup}); err != nil {
				t.Errorf("%s: %v", kind, err)
			}
			want = append(want, e)
		}
		got, err := s.Events(t.Context(), "t", 0)
		if err != nil || !cmp.Equal(want, got, byValue) {
			t.Errorf("%v %s", err, cmp.Diff(want, got, byValue))
		}
	})
}

// TestTimesDoNotDependOnThePlace checks that times are stored in UTC.
func TestTimesDoNotDependOnThePlace(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		steps := script(t, match.Setup{Rules: digit.Dilemma}, "")
		steps[0].Event.At = noon.In(time.FixedZone("there", 3600))
		appendSteps(t, d, "t", steps)
		got, err := d.Events(t.Context(), "t", 0)
		if err != nil || got[0].At != noon {
			t.Errorf("stored %v, got %v, %v", steps[0].Event.At, got[0].At, err)
		}
	})
}

func TestWhatCannotBeKeptIsRefused(t *testing.T) {
	long := strings.Repeat("t", 65)
	tests := []struct{ table, name, want string }{
		{"t", "a\x00b", `"a\x00b": allowed: UTF-8 without NUL`},
		{"t", "a\xffb", `"a\xffb": allowed: UTF-8 without NUL`},
		{"", "Ada", `table "": allowed: a name of 1 to 64 bytes`},
		{long, "Ada", `table "` + long + `": allowed: a name of 1 to 64 bytes`},
		{"a b", "Ada", `table "a b": ' ' is not allowed in its name`},
		{"a\nb", "Ada", `table "a\nb": '\n' is not allowed in its name`},
	}
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		for _, test := range tests {
			for _, e := range []match.Event{
				{Seq: 1, Kind: match.Opened, Setup: &match.Setup{Names: [2]string{test.name, ""}}},
				{Seq: 1, Kind: match.Opened, Setup: &match.Setup{Agent: match.Agent{Run: test.name}}},
				{Seq: 1, Kind: match.Opened, Setup: &match.Setup{Class: test.name}},
				{Seq: 1, Kind: match.Seated, Name: test.name},
				{Seq: 1, Kind: match.Replaced, Level: test.name},
			} {
				err := d.Append(t.Context(), test.table, e, match.State{})
				if err == nil || err.Error() != test.want {
					t.Errorf("table %q, %s %q:\ngot  %v\nwant %s", test.table, e.Kind, test.name, err, test.want)
				}
			}
			after := match.State{Setup: match.Setup{Names: [2]string{"", test.name}}}
			began := match.Event{Seq: 1, Kind: match.Began}
			if err := d.Append(t.Context(), test.table, began, after); err == nil {
				t.Errorf("table %q, name %q: the event was stored", test.table, test.name)
			}
		}
	})
}

// TestATableLivesOn plays at a table, closes the database, and resumes the table from the stored
// events.
func TestATableLivesOn(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d, err := Open(t.Context(), where, Config{Server: true})
		if err != nil {
			t.Fatal(err)
		}
		setup := match.Setup{Rules: digit.Dilemma, Terms: match.Terms{TurnTime: time.Hour}}
		table, err := match.Open(t.Context(), "t", setup, d, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := table.Begin(t.Context()); err != nil {
			t.Fatal(err)
		}
		move, _ := digit.ParseMove("7a")
		if _, err := table.Play(t.Context(), match.One, move, 0); err != nil {
			t.Fatal(err)
		}
		table.Close()
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		err = d.Append(t.Context(), "t", match.Event{Seq: 4, Kind: match.Left}, match.State{})
		if !errors.Is(err, errClosed) {
			t.Errorf("after Close: got %v, want %v", err, errClosed)
		}
		again, err := match.Resume(t.Context(), "t", openAt(t, where, Config{Server: true}), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		if s := again.State(); s.Seq != 3 || s.Turn() != match.Two {
			t.Errorf("event %d, turn of %v", s.Seq, s.Turn())
		}
	})
}

func TestTheSecretStaysTheSame(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		var secrets [3][]byte
		for i := range secrets {
			d := openAt(t, where, Config{})
			var err error
			if secrets[i], err = d.Secret(t.Context()); err != nil || len(secrets[i]) != 32 {
				t.Errorf("%d bytes, %v", len(secrets[i]), err)
			}
		}
		if !bytes.Equal(secrets[0], secrets[1]) || !bytes.Equal(secrets[0], secrets[2]) ||
			bytes.Equal(secrets[0], make([]byte, 32)) {
			t.Errorf("the secrets differ or are zero: %x", secrets)
		}
	})
}

// TestOpensAtOnceAllSucceed opens a new database several times at once: all get the same secret.
func TestOpensAtOnceAllSucceed(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		var wg sync.WaitGroup
		secrets := make([]string, 8)
		for i := range secrets {
			wg.Go(func() {
				d, err := Open(t.Context(), where, Config{Server: i == 0 || strings.HasPrefix(where, "postgres")})
				if err != nil {
					t.Error(err)
					return
				}
				secret, err := d.Secret(t.Context())
				if err = errors.Join(err, d.Ping(t.Context()), d.Close()); err != nil {
					t.Error(err)
				}
				secrets[i] = string(secret)
			})
		}
		wg.Wait()
		for _, s := range secrets {
			if s != secrets[0] {
				t.Errorf("%x", secrets)
			}
		}
	})
}

func TestANewerSchemaIsRefused(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		err := d.engine.write(t.Context(), func(tx *sql.Tx) error {
			_, err := tx.ExecContext(t.Context(), "INSERT INTO schema_version (version) VALUES ($1)", version+1)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = Open(t.Context(), where, Config{})
		want := fmt.Sprintf("its schema has version %d, which is newer than this program; allowed: up to %d",
			version+1, version)
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	})
}

func TestAMigrationThatFailsLeavesNothing(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		// Leave tables that the last statements of the schema conflict with.
		d := openAt(t, where, Config{})
		err := d.engine.write(t.Context(), func(tx *sql.Tx) error {
			for _, name := range []string{"schema_version", "events", "tables", "games", "uptime", "presence"} {
				if _, err := tx.ExecContext(t.Context(), "DROP TABLE "+name); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = Open(t.Context(), where, Config{})
		if err == nil || !strings.Contains(err.Error(), "to version 1 of the schema") {
			t.Fatalf("got %v", err)
		}
		err = d.query(t.Context(), "SELECT 1 FROM events", nil, func(*sql.Rows) error { return nil })
		if err == nil {
			t.Error("some of the tables were created")
		}
	})
}

func TestWhatIsNoDatabaseIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "letter.txt")
	if err := os.WriteFile(file, []byte(strings.Repeat("Dear Ada, ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := map[string]string{
		file:                             "not a database of this program, or it is damaged",
		filepath.Join(file, "duel.db"):   "not a directory",
		filepath.Dir(file):               "database",
		"postgres://127.0.0.1:1/duel":    "the database does not answer",
		"postgres://127.0.0.1:port/duel": "invalid port",
	}
	for where, want := range tests {
		began := time.Now()
		_, err := Open(t.Context(), where, Config{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\ngot  %v\nwant … %s …", where, err, want)
		}
		if took := time.Since(began); took > 2*patience { // a machine may be busy
			t.Errorf("%s: it took %v", where, took)
		}
	}
}

// TestFilesArePrivateWhateverTheirName checks the names and modes of the files of a database, for
// names with special characters.
func TestFilesArePrivateWhateverTheirName(t *testing.T) {
	for _, name := range []string{"duel.db", "a b/c?d#e%20f&g.db", "é/🎲.db", "none"} {
		file := filepath.Join(t.TempDir(), "new", name)
		d := openAt(t, file, Config{Server: true})
		appendSteps(t, d, "t", script(t, match.Setup{Rules: digit.Dilemma}, ""))
		for _, suffix := range []string{"", "-wal", "-shm", ".lock"} {
			info, err := os.Stat(file + suffix)
			if err != nil {
				t.Error(err)
			} else if info.Mode().Perm() != 0o600 {
				t.Errorf("%s%s has mode %v", name, suffix, info.Mode())
			}
		}
		entries, err := os.ReadDir(filepath.Dir(file))
		if err != nil || len(entries) != 4 {
			t.Errorf("%s: the folder has %v, %v", name, entries, err)
		}
	}
}

func TestPing(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		if err := d.Ping(t.Context()); err != nil {
			t.Error(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := d.Ping(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}
