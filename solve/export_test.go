package solve

import (
	"slices"
	"strings"
	"testing"

	"digitduel/digit"
)

// TestSamples compares every sample of small games with plain minimax, and counts those of a book.
func TestSamples(t *testing.T) {
	for _, text := range []string{
		"dilemma pool=0-5 width=2", "sevens pool=0-6 width=2", "divisibility pool=1-6 final=draw",
	} {
		r, err := digit.ParseRules(text)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Solve(t.Context(), r, Config{})
		if err != nil {
			t.Fatal(err)
		}
		model, ply, seen := newMinimax(r), 0, map[string]bool{}
		for sample := range s.Samples() {
			p, err := r.ParsePosition(sample.Position)
			if err != nil || seen[sample.Position] || sample.Ply < ply || sample.Ply != r.Ply(p) {
				t.Fatalf("%s: ply %d after %d, seen %t: %v",
					sample.Position, sample.Ply, ply, seen[sample.Position], err)
			}
			seen[sample.Position], ply = true, sample.Ply
			var moves []MoveValue
			for m := range r.Moves(p) {
				moves = append(moves, MoveValue{m, model.option(p, m)})
			}
			if sample.Value != model.value(p) || sample.Turn != r.Turn(p) ||
				!slices.Equal(sample.Moves, moves) {
				t.Errorf("%v: %+v, want %v and %v", r, sample, model.value(p), moves)
			}
		}
		open := 0
		for p := range model.known {
			if !r.Result(p).Over() {
				open++
			}
		}
		if len(seen) != open {
			t.Errorf("%v: %d samples, want %d", r, len(seen), open)
		}
	}
	s, err := Solve(t.Context(), digit.Dilemma, Config{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for range s.Samples() {
		n++
	}
	if n != 131_683 {
		t.Errorf("%d samples of dilemma, want 131683", n)
	}
}

// TestReverseIsImage checks that reverse is highest with each digit d replaced by 7-d.
func TestReverseIsImage(t *testing.T) {
	image := strings.NewReplacer("1", "6", "2", "5", "3", "4", "4", "3", "5", "2", "6", "1")
	values := map[string]Value{}
	for _, book := range []string{"highest", "reverse"} {
		r, err := digit.ParseRules(book + " pool=1-6 width=2")
		if err != nil {
			t.Fatal(err)
		}
		s, err := Solve(t.Context(), r, Config{})
		if err != nil {
			t.Fatal(err)
		}
		for sample := range s.Samples() {
			if book == "highest" {
				values[sample.Position] = sample.Value
			} else if at := image.Replace(sample.Position); values[at] != sample.Value {
				t.Errorf("%s: %v, but %s: %v", sample.Position, sample.Value, at, values[at])
			}
		}
	}
	if len(values) != 373 {
		t.Errorf("%d positions, want 373", len(values))
	}
}
