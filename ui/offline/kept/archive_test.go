package kept_test

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/store"
	"digitduel/ui/offline/kept"
)

// A recordingDB is a database that also records its events and rows as a browser does.
type recordingDB struct {
	*store.DB
	rows   map[string][]match.Summary
	events map[string][]match.Event
}

func (b *recordingDB) Append(
	ctx context.Context, table string, e match.Event, s match.State,
) error {
	e.At = e.At.UTC().Truncate(time.Microsecond) // the precision of the database
	if err := b.DB.Append(ctx, table, e, s); err != nil {
		return err
	}
	row := kept.Row(append(b.rows[table], match.Summary{})[0], table, e, s)
	b.rows[table] = []match.Summary{row}
	b.events[table] = append(b.events[table], e)
	return nil
}

// TestArchive plays random games at tables of several kinds, and checks after every act that the
// lists of a browser are those of a database.
func TestArchive(t *testing.T) {
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "duel.db"), store.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // only read from
	b := &recordingDB{db, map[string][]match.Summary{}, map[string][]match.Event{}}
	archive := kept.Archive{
		Row: func(table string) ([]match.Summary, error) { return b.rows[table], nil },
		Events: func(_ context.Context, table string, _ int) ([]match.Event, error) {
			return b.events[table], nil
		},
	}
	private := cmp.AllowUnexported(digit.Position{}, digit.Number{})
	ids := []string{"nowhere"}
	same := func() {
		t.Helper()
		f := match.TableFilter{IDs: ids, Stand: true}
		want, err1 := db.Tables(t.Context(), f)
		got, err2 := archive.Tables(t.Context(), f)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if diff := cmp.Diff(want, got, private); diff != "" {
			t.Fatalf("the tables (-database +browser):\n%s", diff)
		}
		for _, id := range ids {
			f := match.GameFilter{Table: id, Limit: 2}
			want, err1 := db.Games(t.Context(), f)
			got, err2 := archive.Games(t.Context(), f)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			if diff := cmp.Diff(texts(want), texts(got)); diff != "" {
				t.Fatalf("the games of %s (-database +browser):\n%s", id, diff)
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	names := [2]string{"Ada", "Ben"}
	for id, setup := range map[string]match.Setup{
		"phone":    {Rules: digit.Dilemma, Names: names},
		"computer": {Rules: digit.Highest, Names: names, Levels: [2]string{"", "perfect"}},
		"series":   {Rules: digit.Reverse, First: match.Two, Terms: match.Terms{BestOf: 5}},
	} {
		table, err := match.Open(t.Context(), id, setup, b, random)
		if err != nil {
			t.Fatal(err)
		}
		defer table.Close()
		ids = append(ids, id)
		same()
		state, err := table.Begin(t.Context())
		for n := 0; err == nil && state.Phase() != match.Over; n++ {
			same()
			if !state.Result.Over() {
				moves := slices.Collect(state.Setup.Rules.Moves(state.Position))
				m := moves[random.IntN(len(moves))]
				state, err = table.Play(t.Context(), state.Turn(), m, state.Seq)
				continue
			}
			if _, err = table.Do(t.Context(), match.One, match.Next, ""); err == nil {
				state, err = table.Do(t.Context(), match.Two, match.Next, "")
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		same()
	}
}

// texts formats games for comparison.
func texts(games []match.Game) (all []string) {
	for _, g := range games {
		all = append(all, g.Mark().String()+" "+g.Names[0]+" "+g.Levels[1]+" "+g.Record.String())
	}
	return all
}
