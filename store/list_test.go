package store

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"

	"github.com/google/go-cmp/cmp"
)

// addTables fills a database with tables of every kind, each opened a minute after the one before.
func addTables(t testing.TB, d *DB) {
	t.Helper()
	reverse := digit.Reverse
	reverse.Width = 2
	names := [2]string{"Ada", "Ben"}
	tables := []struct {
		id    string
		setup match.Setup
		text  string
	}{
		{"waits", match.Setup{Rules: digit.Dilemma, Names: [2]string{"Ada", ""}, Open: [2]bool{false, true}, Listed: true}, ""},
		{"plays", match.Setup{Rules: digit.Sevens, Names: names, Listed: true, Terms: match.Terms{TurnTime: time.Minute}, Levels: [2]string{"", "perfect"}}, "began; 1 7"},
		{"hidden", match.Setup{Rules: reverse, Names: names}, "began; 1 7a; 2 8a"},
		{"between", match.Setup{Rules: digit.Dilemma, Names: names, Terms: match.Terms{BestOf: 3}, First: match.Two, Listed: true}, "began; 2 resigned"},
		{"done", match.Setup{Rules: digit.Dilemma, Names: names}, "began; 1 7a; 2 3b; 1 1c; 2 5a; 1 4b; 2 2c"},
		{"flagged", match.Setup{Rules: digit.Highest, Names: names, Terms: match.Terms{TurnTime: time.Second}}, "began; 1 9a; 2 flagged"},
		{"left", match.Setup{Rules: digit.Highest, Levels: [2]string{"casual", ""}, Names: names}, "began; 1 9a; 2 left; 2 replaced perfect; 2 8a; 1 resigned"},
	}
	for i, table := range tables {
		at := noon.Add(time.Duration(i) * time.Minute)
		appendSteps(t, d, table.id, scriptAt(t, at, table.setup, table.text))
	}
}

func TestTables(t *testing.T) {
	tests := []struct {
		name   string
		filter match.TableFilter
		want   string
	}{
		{"all", match.TableFilter{}, "left flagged done between hidden plays waits"},
		{"the last", match.TableFilter{Limit: 3}, "left flagged done"},
		{"listed", match.TableFilter{Listed: true}, "between plays waits"},
		{"open", match.TableFilter{Phases: []match.Phase{match.Waiting}}, "waits"},
		{"not over", match.TableFilter{Phases: []match.Phase{match.Waiting, match.UnderWay, match.Between}}, "between hidden plays waits"},
		{"lobby", match.TableFilter{Phases: []match.Phase{match.Waiting, match.UnderWay}, Listed: true, Limit: 5}, "plays waits"},
		{"since", match.TableFilter{Since: noon.Add(5*time.Minute + 3*time.Second)}, "left flagged"},
		{"some", match.TableFilter{IDs: []string{"waits", "nowhere", "hidden"}}, "hidden waits"},
		{"some of no tables", match.TableFilter{IDs: []string{}, Stand: true}, ""},
	}
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		addTables(t, d)
		for _, test := range tests {
			tables, err := d.Tables(t.Context(), test.filter)
			var ids []string
			for _, s := range tables {
				ids = append(ids, s.ID)
			}
			if got := strings.Join(ids, " "); err != nil || got != test.want {
				t.Errorf("%s: got %q, %v, want %q", test.name, got, err, test.want)
			}
		}
	})
}

// TestStanding checks that a list includes the state of tables on request, except for tables with
// too many events.
func TestStanding(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		addTables(t, d)
		text := "began" + strings.Repeat("; 1 hints-agreed; 1 hints-ended", match.MaxStateEvents/2-1)
		appendSteps(t, d, "long", scriptAt(t, noon, match.Setup{Rules: digit.Dilemma}, text))
		appendSteps(t, d, "longer", scriptAt(t, noon, match.Setup{Rules: digit.Dilemma}, text+"; 1 hints-agreed"))
		ids := []string{"waits", "plays", "done", "long", "longer", "nowhere"}
		tables, err := d.Tables(t.Context(), match.TableFilter{IDs: ids, Stand: true})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, table := range tables {
			got[table.ID] = "no state"
			if s := table.Now; s != nil {
				got[table.ID] = fmt.Sprint(s.Seq, " ", s.Phase(), " ", s.Setup.Rules.Text(s.Position), " ", s.Result)
			}
		}
		want := map[string]string{
			"waits": "1 open ___/___ *", "plays": "3 playing 7/ *", "done": "8 over 741/532 0-1 multiple",
			"long": "512 playing ___/___ *", "longer": "no state",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		tables, err = d.Tables(t.Context(), match.TableFilter{IDs: []string{"plays"}})
		if err != nil || len(tables) != 1 || tables[0].Now != nil {
			t.Errorf("without a request for states: %v, %v", tables, err)
		}
	})
}

func TestSummaries(t *testing.T) {
	want := []match.Summary{
		{
			ID: "left", Opened: noon.Add(6 * time.Minute), Changed: noon.Add(6*time.Minute + 6*time.Second), Rules: digit.Highest,
			Names: [2]string{"Ada", "Ben"}, Levels: [2]string{"casual", "perfect"}, Phase: match.Over, Game: 1, Wins: [2]int{0, 1},
		},
		{
			ID: "between", Opened: noon.Add(3 * time.Minute), Changed: noon.Add(3*time.Minute + 2*time.Second), Rules: digit.Dilemma,
			Names: [2]string{"Ada", "Ben"}, First: match.Two, Terms: match.Terms{BestOf: 3}, Phase: match.Between, Listed: true, Game: 1, Wins: [2]int{1, 0},
		},
		{
			ID: "plays", Opened: noon.Add(time.Minute), Changed: noon.Add(time.Minute + time.Second), Rules: digit.Sevens,
			Names: [2]string{"Ada", "Ben"}, Levels: [2]string{"", "perfect"}, Terms: match.Terms{TurnTime: time.Minute}, Phase: match.UnderWay, Listed: true, Game: 1,
		},
		{
			ID: "waits", Opened: noon, Changed: noon, Rules: digit.Dilemma,
			Names: [2]string{"Ada", ""}, Phase: match.Waiting, Listed: true,
		},
	}
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		addTables(t, d)
		all, err := d.Tables(t.Context(), match.TableFilter{})
		if err != nil || len(all) != 7 {
			t.Fatalf("%d tables, %v", len(all), err)
		}
		if got := []match.Summary{all[0], all[3], all[5], all[6]}; !cmp.Equal(want, got) {
			t.Error(cmp.Diff(want, got))
		}
	})
}

// TestSummariesFollowEveryEvent compares the row of a table with the state after every event of a
// long log. Only the time of the change may be out of date, after a plain move.
func TestSummariesFollowEveryEvent(t *testing.T) {
	terms := match.Terms{
		BestOf: 3, TurnTime: time.Minute, OnTimeout: match.Random, Hints: true, AutoCall: true,
	}
	setup := match.Setup{
		Rules: digit.Dilemma, Names: [2]string{"Ada", ""}, Open: [2]bool{false, true}, Terms: terms, Listed: true,
	}
	steps := script(t, setup, `2 seated Ben; began; 1 7a; 1 undo-asked; 2 undo-refused; 2 3b; 2 undo-asked; 2 undone; 2 3b; 1 1c; 2 5a; 1 4b; 2 2c;
		began; 2 left; 2 replaced casual; 2 7a; 2 back; 1 hints-ended; 1 hints-agreed; 1 3b; 1 left; 2 claimed;
		1 rematch-asked; 2 rematch-refused; 2 rematch-asked; 1 rematch-asked; began; 1 resigned; began; 2 flagged; began; 1 7a`)
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		for _, step := range steps {
			appendSteps(t, d, "t", []match.Step{step})
			all, err := d.Tables(t.Context(), match.TableFilter{})
			if err != nil {
				t.Fatal(err)
			}
			s := step.After
			want := match.Summary{
				ID: "t", Opened: noon, Changed: all[0].Changed, Rules: s.Setup.Rules,
				Names: [2]string{"Ada", "Ben"}, Levels: s.Levels, Terms: terms, Phase: s.Phase(), Listed: true,
				Game: s.Game, Wins: s.Wins, Draws: s.Draws,
			}
			if s.Open[match.Two] {
				want.Names[match.Two] = ""
			}
			if len(all) != 1 || !cmp.Equal(want, all[0]) {
				t.Errorf("after %s: %s", step.Event.Kind, cmp.Diff(want, all[0]))
			}
			wantOverdue := ""
			at, timed := s.Deadline()
			if timed {
				wantOverdue = "t"
			} else {
				at = noon.Add(1000 * time.Hour)
			}
			just, err1 := d.Overdue(t.Context(), at)
			over, err2 := d.Overdue(t.Context(), at.Add(time.Microsecond))
			err = errors.Join(err1, err2)
			if err != nil || len(just) != 0 || strings.Join(over, " ") != wantOverdue {
				t.Errorf("after %s: overdue at the deadline: %v, after it: %v; %v",
					step.Event.Kind, just, over, err)
			}
		}
		games, err := d.Games(t.Context(), match.GameFilter{})
		if err != nil || len(games) != 4 {
			t.Errorf("%d games, %v", len(games), err)
		}
	})
}

// TestWhatAMoveCosts checks how many statements each event needs, in addition to storing it.
func TestWhatAMoveCosts(t *testing.T) {
	for _, test := range []struct {
		clock time.Duration
		want  string
	}{
		{0, "opened 1, began 1, moved 0, moved 0, moved 0, moved 0, moved 0, moved 3"},
		{time.Hour, "opened 1, began 1, moved 1, moved 1, moved 1, moved 1, moved 1, moved 3"},
	} {
		var got []string
		setup := match.Setup{Rules: digit.Dilemma, Terms: match.Terms{TurnTime: test.clock}}
		for _, step := range script(t, setup, fiveMoves+"; 2 2c") {
			e, err := newEntry("t", step.Event, step.After)
			if err != nil {
				t.Fatal(err)
			}
			derived, _ := derivedOf([]*entry{e}, 0)
			got = append(got, fmt.Sprintf("%s %d", step.Event.Kind, len(derived)))
		}
		if text := strings.Join(got, ", "); text != test.want {
			t.Errorf("with a clock of %v:\ngot  %s\nwant %s", test.clock, text, test.want)
		}
	}
}

func TestOverdue(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		timed := func(limit time.Duration) match.Setup {
			return match.Setup{Rules: digit.Dilemma, Terms: match.Terms{TurnTime: limit}}
		}
		for i, limit := range []time.Duration{time.Minute, time.Second, time.Hour} {
			appendSteps(t, d, fmt.Sprint("t", i), script(t, timed(limit), "began"))
		}
		appendSteps(t, d, "over", script(t, timed(time.Second), "began; 1 resigned"))
		appendSteps(t, d, "untimed", script(t, timed(0), "began"))
		appendSteps(t, d, "not-begun", script(t, timed(time.Second), ""))
		for after, want := range map[time.Duration]string{
			0: "", 2 * time.Second: "", 2*time.Second + time.Microsecond: "t1",
			2 * time.Minute: "t1 t0", 2 * time.Hour: "t1 t0 t2",
		} {
			got, err := d.Overdue(t.Context(), noon.Add(after))
			if err != nil || strings.Join(got, " ") != want {
				t.Errorf("%v after noon: got %v, %v, want %s", after, got, err, want)
			}
		}
	})
}

func TestGames(t *testing.T) {
	tests := []struct {
		name   string
		filter match.GameFilter
		want   string
	}{
		{"all", match.GameFilter{}, "left flagged done between"},
		{"the last", match.GameFilter{Limit: 2}, "left flagged"},
		{"of a book", match.GameFilter{Book: "dilemma"}, "done between"},
		{"of a table", match.GameFilter{Table: "flagged"}, "flagged"},
		{"before", match.GameFilter{Before: match.GameMark{Ended: noon.Add(4*time.Minute + 7*time.Second)}}, "between"},
		{"just after", match.GameFilter{Before: match.GameMark{Ended: noon.Add(4*time.Minute + 7*time.Second + time.Microsecond)}}, "done between"},
		{"of a book before", match.GameFilter{Book: "highest", Before: match.GameMark{Ended: noon.Add(6 * time.Minute)}, Limit: 9}, "flagged"},
		{"none", match.GameFilter{Book: "sevens"}, ""},
	}
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		addTables(t, d)
		for _, test := range tests {
			games, err := d.Games(t.Context(), test.filter)
			var ids []string
			for _, g := range games {
				ids = append(ids, g.Table)
			}
			if got := strings.Join(ids, " "); err != nil || got != test.want {
				t.Errorf("%s: got %q, %v, want %q", test.name, got, err, test.want)
			}
		}
		for table, want := range map[string]string{
			"between": "dilemma 0-1 resigned; first=Ben second=Ada starts=2 game=1/3 at=2026-01-31T12:03:01Z | Ben Ada |  ",
			"done":    "dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple; first=Ada second=Ben starts=1 at=2026-01-31T12:04:01Z | Ada Ben |  ",
			"flagged": "highest 9a 1-0 time; first=Ada second=Ben starts=1 turn-time=1s at=2026-01-31T12:05:01Z | Ada Ben |  ",
			"left":    "highest 9a 8a 0-1 resigned; first=Ada second=Ben first-level=casual second-level=perfect starts=1 at=2026-01-31T12:06:01Z | Ada Ben | casual perfect",
		} {
			games, err := d.Games(t.Context(), match.GameFilter{Table: table})
			if err != nil || len(games) != 1 {
				t.Fatalf("%s: %v, %v", table, games, err)
			}
			g := games[0]
			got := fmt.Sprintf("%s | %s %s | %s %s", g.Record, g.Names[0], g.Names[1], g.Levels[0], g.Levels[1])
			if got != want || g.Table != table || g.Number != 1 {
				t.Errorf("%s: got %q, want %q", table, got, want)
			}
		}
	})
}

// publishing is the script of a game by invitation that both players publish.
const publishing = "2 seated Ben; began; 1 resigned; 1 published; 2 published"

// TestPublish checks that the games of an invitation are listed once both players have published
// them, but not games played later, and that Check agrees.
func TestPublish(t *testing.T) {
	setup := match.Setup{
		Rules: digit.Dilemma, Names: [2]string{"Ada", ""}, Open: [2]bool{false, true}, Terms: match.Terms{BestOf: 5},
	}
	steps := script(t, setup, "2 seated Ben; began; 1 resigned; 1 published; "+
		"began; 2 resigned; 2 published; 1 published; began; 1 resigned; 2 published")
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		appendSteps(t, d, "other", script(t, setup, "2 seated Ben; began; 1 resigned"))
		for _, step := range steps {
			appendSteps(t, d, "t", []match.Step{step})
			games, err := d.Games(t.Context(), match.GameFilter{Public: true})
			n := step.After.Shown
			if err != nil || len(games) != n || n > 0 && (games[0].Number != 2 || games[1].Number != 1) {
				t.Errorf("after event %d: got games %v, %v", step.Event.Seq, games, err)
			}
		}
		sum, err := d.Check(t.Context(), func(f Problem) { t.Errorf("%v", f) })
		if err != nil || sum.Games != 4 {
			t.Errorf("%+v, %v", sum, err)
		}
	})
	if last := steps[len(steps)-1].After; last.Shown != 2 {
		t.Errorf("published up to game %d, want 2", last.Shown)
	}
}

// TestOldRows checks that the store reads games from before records had tags, and a table from
// before terms without effect were refused.
func TestOldRows(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		setup := match.Setup{
			Rules: digit.Dilemma, Names: [2]string{"Ada", "Ben"}, Terms: match.Terms{OnTimeout: match.Random},
		}
		appendSteps(t, d, "old", script(t, setup, "began; 1 7a; 2 resigned"))
		write := d.sql
		if f, ok := d.engine.(*file); ok {
			write = f.durable
		}
		_, err := write.ExecContext(t.Context(), "UPDATE games SET record = 'dilemma 7a 1-0 resigned'")
		if err != nil {
			t.Fatal(err)
		}
		games, err := d.Games(t.Context(), match.GameFilter{Table: "old"})
		if err != nil || len(games) != 1 || games[0].Record.String() != "dilemma 7a 1-0 resigned" ||
			games[0].Names != [2]string{"Ada", "Ben"} {
			t.Errorf("got games %v, %v", games, err)
		}
		events, err := d.Events(t.Context(), "old", 0)
		if err != nil {
			t.Fatal(err)
		}
		var s match.State
		for _, e := range events {
			if s, err = s.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
		want := "dilemma 7a 1-0 resigned; first=Ada second=Ben starts=1 on-timeout=random at=2026-01-31T12:00:01Z"
		if s.Record().String() != want {
			t.Errorf("record of the log: got %v, want %s", s.Record(), want)
		}
	})
}

// TestTargets checks that a table whose target changes is listed with the rules of its current
// game.
func TestTargets(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		setup := match.Setup{Rules: digit.Divisibility, Terms: match.Terms{BestOf: 3, Targets: match.Targets{11, 13}}}
		appendSteps(t, d, "t", script(t, setup, "began; 1 resigned; began; 2 4R"))
		tables, err := d.Tables(t.Context(), match.TableFilter{})
		if err != nil || len(tables) != 1 || tables[0].Rules.Target != 13 || tables[0].Targets != setup.Targets {
			t.Errorf("got tables %+v, %v", tables, err)
		}
		games, err := d.Games(t.Context(), match.GameFilter{Table: "t"})
		if err != nil || len(games) != 1 || games[0].Record.Rules.Target != 11 ||
			games[0].Record.Tag("targets") != "11,13" {
			t.Errorf("got games %v, %v", games, err)
		}
	})
}

func TestStats(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		if got, err := d.Stats(t.Context()); err != nil || len(got) != 0 {
			t.Errorf("without games: %v, %v", got, err)
		}
		addTables(t, d)
		want := []match.Stats{
			{Book: "dilemma", Games: 2, SecondWins: 2, Plies: 3, Reasons: map[string]int{"multiple": 1, "resigned": 1}},
			{Book: "highest", Games: 2, FirstWins: 1, SecondWins: 1, Plies: 1.5, Reasons: map[string]int{"time": 1, "resigned": 1}},
		}
		if got, err := d.Stats(t.Context()); err != nil || !cmp.Equal(want, got) {
			t.Errorf("%v %s", err, cmp.Diff(want, got))
		}
	})
}

// TestFairStart checks that a list includes pairs, openings and swaps.
func TestFairStart(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		for id, setup := range map[string]match.Setup{
			"lot":   {Rules: digit.Highest, Terms: match.Terms{Pair: true}, Openings: "5a 4a,1c"},
			"swap":  {Rules: digit.Highest, Terms: match.Terms{Swap: true}},
			"plain": {Rules: digit.Highest},
		} {
			appendSteps(t, d, id, script(t, setup, "began"))
			tables, err := d.Tables(t.Context(), match.TableFilter{IDs: []string{id}})
			want := match.Setup{
				Rules: setup.Rules, Names: [2]string{"Player 1", "Player 2"},
				Terms: match.Terms{Pair: setup.Pair, Swap: setup.Swap}, Openings: setup.Openings,
			}
			if err != nil || len(tables) != 1 || tables[0].Setup() != want {
				t.Errorf("%s: %+v, %v", id, tables, err)
			}
		}
	})
}

// TestFairGames checks that games of a fair game are listed and counted under its own name, and not
// under the closest book.
func TestFairGames(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		fair := digit.Fair[0]
		appendSteps(t, d, "fair", script(t, match.Setup{Rules: fair.Rules}, "began; 1 resigned"))
		appendSteps(t, d, "book", script(t, match.Setup{Rules: fair.Rules.Book().Rules}, "began; 1 resigned"))
		for id, name := range map[string]string{"fair": fair.Name, "book": fair.Rules.Book().Name} {
			games, err := d.Games(t.Context(), match.GameFilter{Book: name, Limit: 5})
			if err != nil || len(games) != 1 || games[0].Table != id {
				t.Errorf("games of %s: got %v, %v", name, games, err)
			}
		}
		stats, err := d.Stats(t.Context())
		if err != nil || len(stats) != 2 || stats[1].Book != fair.Name || stats[1].Games != 1 {
			t.Errorf("got stats %v, %v", stats, err)
		}
	})
}
