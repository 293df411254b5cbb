package digit

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// TestPlaythroughs replays the games in testdata/playthroughs, one file for each book, and compares
// the results of all queries in each position. The lines "game: " with a record are the input; the
// other lines are rewritten with -update.
func TestPlaythroughs(t *testing.T) {
	for _, book := range Books {
		t.Run(book.Name, func(t *testing.T) {
			path := "testdata/playthroughs/" + book.Name + ".txt"
			file, err := os.ReadFile(path)
			if os.IsNotExist(err) && *update {
				file, err = someGames(book.Rules), nil
			}
			if err != nil {
				t.Fatal("every book needs playthroughs: ", err)
			}
			var b strings.Builder
			games := 0
			for line := range strings.Lines(string(file)) {
				if record, ok := strings.CutPrefix(line, "game: "); ok {
					rec, err := ParseRecord(record)
					if err != nil {
						t.Fatalf("%s: %v", record, err)
					}
					playthrough(&b, rec)
					if rec.Rules == book.Rules {
						games++
					}
				}
			}
			if games < 3 {
				t.Errorf("%d games by the book, want at least 3", games)
			}
			golden(t, path, b.String())
		})
	}
}

// someGames returns the input of a new book's file: three random games.
func someGames(r Rules) []byte {
	var b strings.Builder
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3 {
		rec := Record{Rules: r}
		var p Position
		for m, more := r.Pick(p, rng.IntN); more; m, more = r.Pick(p, rng.IntN) {
			rec.Moves = append(rec.Moves, m)
			p, _ = r.Play(p, m)
		}
		rec.Result = r.Result(p)
		fmt.Fprintf(&b, "game: %v\n", rec)
	}
	return []byte(b.String())
}

// playthrough writes the results of all queries in each position of a game.
func playthrough(b *strings.Builder, rec Record) {
	r := rec.Rules
	fmt.Fprintf(b, "game: %v\n", rec)
	for _, o := range r.Options() {
		fmt.Fprintf(b, "%s=%s ", o.Key, o.Value)
	}
	fmt.Fprintf(b, "base=%d fills=%d/%d\n", r.Base(), r.Fills(First), r.Fills(Second))
	positions, _ := rec.Positions()
	for ply, p := range positions {
		fmt.Fprintf(b, "\nply %d: %s\n", r.Ply(p), r.Text(p))
		fmt.Fprintf(b, "  %v to move, left %s\n", r.Turn(p), r.Left(p).List(" "))
		for _, s := range []Side{First, Second} {
			n := r.Number(p, s)
			fmt.Fprintf(b, "  %v: %q of %s, full %v, best %q, value %d", s, n,
				r.Held(p, s).List(" "), n.Full(), r.Best(n), r.Value(p, s))
			if r.Target != 0 {
				fmt.Fprintf(b, ", multiple %v", n.Len() > 0 && n.Full() && r.isMultiple(n))
			}
			for _, o := range r.Final {
				if o != noOrder {
					fmt.Fprintf(b, ", %v %d", o, r.Measure(o, r.Value(p, s)))
				}
			}
			b.WriteByte('\n')
		}
		var moves []string
		for m := range r.Moves(p) {
			moves = append(moves, m.String())
		}
		fmt.Fprintf(b, "  %d moves: %s\n", len(moves), strings.Join(moves, " "))
		for _, text := range []string{"1", "1a", "1L", "2=127", "0R", "aa"} {
			m, _ := ParseMove(text)
			if _, err := r.Play(p, m); err != nil {
				fmt.Fprintf(b, "  refused %v\n", err)
			}
		}
		if call, ok := r.Called(p); ok {
			fmt.Fprintf(b, "  called %v\n", call)
		}
		fmt.Fprintf(b, "  result %v\n", r.Result(p))
		if ply < len(rec.Moves) {
			fmt.Fprintf(b, "  plays %v\n", rec.Moves[ply])
		}
	}
	b.WriteByte('\n')
}
