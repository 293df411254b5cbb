package cli

import (
	"errors"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/match"
)

// FuzzTyped reads any text as a move, in any position. The result is a legal move, or an error with
// a message for the player.
func FuzzTyped(f *testing.F) {
	for i, typed := range []string{
		"7", "7 left", "7L", "7a", "2 721", "2=721", "  9 the middle", "7 h", "f 3rd", "0 tens",
		"2 none", "7=", "L", "七", "7\x00a", "",
	} {
		f.Add(uint8(i), uint16(i*7919), typed)
	}
	f.Fuzz(func(t *testing.T, which uint8, plies uint16, typed string) {
		texts := append(digit.BookNames(), variants...)
		r := rulesOf(t, texts[int(which)%len(texts)])
		var p digit.Position
		for n := int(plies); n > 0; n /= 5 {
			m, ok := r.Pick(p, func(of int) int { return n % of })
			next, err := r.Play(p, m)
			if !ok || err != nil || r.Result(next).Over() {
				break
			}
			p = next
		}
		s := newScreen(match.State{Setup: match.Setup{Rules: r}, Position: p})
		m, err := s.readMove(strings.TrimSpace(typed))
		var message slip
		switch {
		case err == nil:
			if _, err := r.Play(p, m); err != nil {
				t.Fatalf("%v: at %s %q is read as %v: %v", r, r.Text(p), typed, m, err)
			}
		case !errors.As(err, &message) || message == "":
			t.Fatalf("%v: at %s %q gives the error %v", r, r.Text(p), typed, err)
		}
	})
}

// FuzzRecords reads any text as a record file: each line is empty, a game, or an error with its
// number.
func FuzzRecords(f *testing.F) {
	f.Add("dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple\n\n# a remark\nhighest *\nnonsense\r\n")
	f.Add("highest 9a 8a *; first=\"A\"\x00\xff")
	f.Add("\ufeffhighest *")
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for e := range Records("games", strings.NewReader(text)) {
			if e.Line <= last || e.Line > strings.Count(text, "\n")+1 {
				t.Fatalf("line %d is followed by line %d", last, e.Line)
			}
			last = e.Line
			if e.Err != nil {
				if strings.Contains(e.Err.Error(), "\n") {
					t.Fatalf("the error of line %d has several lines: %v", e.Line, e.Err)
				}
				continue
			}
			if _, err := e.Record.Positions(); err != nil {
				t.Fatalf("line %d is not a game: %v", e.Line, err)
			}
			got, err := digit.ParseRecord(e.Record.String())
			if err != nil || got.String() != e.Record.String() {
				t.Fatalf("line %d, %q, is read back as %q: %v", e.Line, e.Record, got, err)
			}
		}
	})
}
