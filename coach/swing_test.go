package coach

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// TestSwing pins what is told of where games turned: to who lost, to who won, and to others.
func TestSwing(t *testing.T) {
	const lost, won, neither = 0, 1, 2
	for _, tt := range []struct {
		record       string
		cast         int // of those of who moved first
		ply          int
		short, long  string
		instead, alt string
	}{
		{"dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple", lost, 5, "It turned on your third move", "It turned on your third move: 4 in the middle made 741.",
			"2 or 9 in the middle would have won", "2 or 9 in the middle would have won: 721 = 7·103."},
		{"dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple", won, 5, "Every move of yours was right", "You beat Ada with every move right. It turned on Ada's third move: 4 in the middle made 741.",
			"2 or 9 in the middle would have won", "2 or 9 in the middle would have won: 721 = 7·103."},
		{"dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple", neither, 5, "It turned on Ada's third move", "It turned on Ada's third move: 4 in the middle made 741.",
			"2 or 9 in the middle would have won", "2 or 9 in the middle would have won: 721 = 7·103."},
		{"dilemma 7a 3b 0-1 resigned", lost, 0, "It was not lost yet", "You resigned, but 1 on the right won in 3 turns.", "", ""},
		{"dilemma 7a 3b 0-1 forfeit", lost, 0, "It was not lost yet", "You named no legal move, but 1 on the right won in 3 turns.", "", ""},
		{"reverse 9a 1a 0-1 forfeit", lost, 1, "It turned on your first move", "It turned on your first move: you put 9 in the hundreds place.",
			"1 in the hundreds place would have won", "1 in the hundreds place would have won."},
		{"divisibility 7R 1-0 multiple", lost, 0, "Nobody made a mistake", "You beat Ben with every move right. You could win from the start.", "", ""},
		{"divisibility 7R 1-0 multiple", won, 0, "Nobody made a mistake", "Nothing would have helped: you made no mistake, and Ada could win from the start.", "", ""},
		{"divisibility 4R 3R 2R 1-0 multiple", neither, 2, "It turned on Ben's first move", "It turned on Ben's first move: Ben began with 3.", "7 would have won", "7 would have won: 7 = 7·1."},
		{"sevens 8 1 3 9 5=538 0-1 miscalled", lost, 5, "It turned on your third move", "It turned on your third move: you took 5 and called 538.", "", ""},
		{"reverse 9a 1a 8b 2c 3c 4b 0-1 lower", lost, 1, "It turned on your first move", "It turned on your first move: you put 9 in the hundreds place.",
			"1 in the hundreds place would have won", "1 in the hundreds place would have won."},
		{"reverse *", lost, 0, "", "", "", ""},
	} {
		rec := recordOf(t, tt.record)
		rv, err := ReviewGame(solved(t, rec.Rules.String()), rec, casts(digit.First)[tt.cast])
		if err != nil {
			t.Fatal(err)
		}
		got := rv.Swing
		if got.Ply != tt.ply || got.Told.Short != tt.short || got.Told.Long != tt.long || tt.ply > 0 && tt.alt != "" && (got.Instead.Short != tt.instead || got.Instead.Long != tt.alt) {
			t.Errorf("%s, told to %d:\n%+v", tt.record, tt.cast, got)
		}
	}
}

// TestSwings holds random games to what a swing means: before it the one who lost had not lost yet, and after it nobody erred. What is told
// instead is true, and short and spoken forms are what they should be.
func TestSwings(t *testing.T) {
	for _, book := range digit.Books {
		s, rng := solved(t, book.Name), rand.New(rand.NewPCG(1, 2))
		for range 200 {
			rec := digit.Record{Rules: book.Rules}
			p := digit.Position{}
			for m, more := book.Rules.Pick(p, rng.IntN); more; m, more = book.Rules.Pick(p, rng.IntN) {
				rec.Moves = append(rec.Moves, m)
				p, _ = book.Rules.Play(p, m)
			}
			rec.Result = book.Rules.Result(p)
			rv, err := ReviewGame(s, rec, casts(digit.First)[0])
			if err != nil {
				t.Fatal(err)
			}
			checkSwing(t, s, rec, rv)
		}
	}
}

func checkSwing(t *testing.T, s *solve.Solution, rec digit.Record, rv Review) {
	t.Helper()
	swing := rv.Swing
	for i, judged := range rv.Moves {
		if later := i+1 > swing.Ply; later != judged.Kept() && i+1 >= swing.Ply {
			t.Errorf("%v: it turned at %d, and move %d is %v", rec, swing.Ply, i+1, judged.Grade)
		}
	}
	if winner, won := rec.Result.Winner(); won && swing.Ply > 0 && rv.Moves[swing.Ply-1].Side == winner {
		t.Errorf("%v: it turned at %d, a move of who won", rec, swing.Ply)
	}
	for _, said := range []rulebook.Said{swing.Told, swing.Instead} {
		if utf8.RuneCountInString(said.Short) > rulebook.MostShort || strings.ContainsAny(said.Spoken, "=·+_()") {
			t.Errorf("%v: %+v", rec, said)
		}
	}
	if swing.Ply == 0 {
		return
	}
	judged, named := rv.Moves[swing.Ply-1], 0
	rulebook.Tell(rec.Rules, casts(digit.First)[0], func(v rulebook.Voice) string {
		for _, c := range s.Choices(judged.At) {
			if strings.HasPrefix(swing.Instead.Long, v.Back(judged.At, c.Move)) && c.Value.Outcome == judged.Best.Outcome {
				named++
			}
		}
		return ""
	})
	digits := strings.FieldsFunc(strings.SplitN(swing.Instead.Long, " would", 2)[0], func(r rune) bool { return r < '0' || r > '9' })
	if named == 0 && len(digits) < 2 {
		t.Errorf("%v: %q names no move that is better", rec, swing.Instead.Long)
	}
}
