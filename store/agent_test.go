package store

import (
	"path/filepath"
	"testing"

	"digitduel/digit"
	"digitduel/match"

	"github.com/google/go-cmp/cmp"
)

// TestTheGameOfAProgram stores a game with an opening that was lost by faults, and one in progress
// with a fault: both are in lists, counts, the check and a backup.
func TestTheGameOfAProgram(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		var c clock
		d := openAt(t, where, Config{Now: c.now})
		setup := match.Setup{
			Rules: digit.Dilemma, Names: [2]string{"Robo", "Casual"}, Levels: [2]string{"", "casual"},
			Openings: "7a 3b", Agent: match.Agent{Seed: 1<<53 - 1, Tries: 2, Run: "first"},
		}
		appendSteps(t, d, "lost", script(t, setup, "began; 1 faulted; 1 1c; 2 5a; 1 faulted; 1 faulted"))
		appendSteps(t, d, "on", script(t, setup, "began; 1 faulted"))
		games, err := d.Games(t.Context(), match.GameFilter{Public: true})
		const record = "dilemma 7a 3b 1c 5a 0-1 forfeit; first=Robo second=Casual second-level=casual " +
			"program=first illegal=3 starts=1 opening=2 at=2026-01-31T12:00:01Z"
		if err != nil || len(games) != 1 || games[0].Record.String() != record {
			t.Errorf("%+v, %v", games, err)
		}
		stats, err := d.Stats(t.Context())
		if err != nil || len(stats) != 1 || stats[0].Reasons["forfeit"] != 1 || stats[0].Plies != 4 {
			t.Errorf("%+v, %v", stats, err)
		}
		tables, err := d.Tables(t.Context(), match.TableFilter{IDs: []string{"on", "lost"}, Stand: true})
		if err != nil || len(tables) != 2 || tables[0].Phase != match.Over || tables[1].Now.Tried != 1 ||
			tables[1].Now.Setup.Agent != setup.Agent {
			t.Errorf("%+v, %v", tables, err)
		}
		if faults, sum := problemsOf(t, d); len(faults) > 0 || sum.Games != 1 || sum.Tables != 2 {
			t.Errorf("%v, %+v", faults, sum)
		}
		file := filepath.Join(t.TempDir(), "b.db")
		if err := d.Backup(t.Context(), file); err != nil {
			t.Fatal(err)
		}
		copied := openAt(t, file, Config{Now: c.now})
		if diff := cmp.Diff(contents(t, d), contents(t, copied), byValue); diff != "" {
			t.Error(diff)
		}
	})
}
