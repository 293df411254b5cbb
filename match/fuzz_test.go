package match

import (
	"reflect"
	"strings"
	"testing"

	"digitduel/digit"
)

// FuzzSeat tries any text as a token, at a table of which one seat was never open and the other was taken with a key: it is the one of its
// seat, or it is refused.
func FuzzSeat(f *testing.F) {
	keys := NewKeys([]byte(strings.Repeat("k", 32)))
	f.Add("t", keys.Token("t", One), uint8(0))
	f.Add("t", keys.Token("u", Two), uint8(7))
	f.Add("t", keys.Token("t", Two), uint8(7))
	f.Add("", "", uint8(31))
	f.Fuzz(func(t *testing.T, table, token string, at uint8) {
		tokens := [2]string{keys.Token(table, One), keys.Fresh(table, Two, "a key of one's own")}
		var s State
		s.Setup.Seals[Two] = Seal(tokens[Two])
		if seat, ok := keys.Seat(table, s, token); ok && token != tokens[seat] {
			t.Fatalf("%q is let in at %v of table %q", token, seat, table)
		}
		for _, seat := range Seats {
			good := []byte(tokens[seat])
			if got, ok := keys.Seat(table, s, string(good)); !ok || got != seat {
				t.Fatalf("the token of %v of table %q is that of %v, %v", seat, table, got, ok)
			}
			good[int(at)%len(good)] ^= 1
			if got, ok := keys.Seat(table, s, string(good)); ok {
				t.Fatalf("%q, which is wrong in one bit, is let in at %v of table %q", good, got, table)
			}
		}
	})
}

// FuzzTargets reads any text as targets: those that are read are written and read back, and each is one that rules may have.
func FuzzTargets(f *testing.F) {
	for _, seed := range []string{"11,13,17", "2", " 7 , 11", "1", "99999", "2,3,4,5,6,7,8,9,10", ",", "", "7,,7", "+7", "0x7"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		targets, err := ParseTargets(text)
		if err != nil {
			if targets != (Targets{}) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q gives %v and the error %v", text, targets, err)
			}
			return
		}
		if again, err := ParseTargets(targets.String()); err != nil || again != targets {
			t.Fatalf("%q is read back as %v, %v", targets, again, err)
		}
		for game, r := range targets.All(digit.Dilemma) {
			if err := r.Check(); err != nil || r.Target != targets.List()[game] {
				t.Fatalf("%q: game %d has the rules %v, %v", text, game+1, r, err)
			}
		}
	})
}

// FuzzName takes any text as a name: one that is taken stands in a record, which is one line and is read back.
func FuzzName(f *testing.F) {
	for _, seed := range []string{"", "Ada", "a\nb", "\xff", "עדה", "👩‍👩‍👧", "\u202eneB", strings.Repeat("x", MaxName+1), "مهدی\u200cزاده", "a\u0300\u0301", " \u200d ", "\u2800", "🏴\U000e0067\U000e007f", `Ben "B."; a=b`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		name, err := CleanName(name)
		if again, errAgain := CleanName(name); again != name || errAgain != nil {
			t.Fatalf("%q is cleaned to %q, %v", name, again, errAgain)
		}
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q is refused in several lines: %v", name, err)
			}
			return
		}
		setup := Setup{Rules: digit.Highest, Names: [2]string{name, "Ben"}}
		if setup.Check() != nil { // it is the other one's name, or nobody's
			return
		}
		if err := CheckName(name); err != nil {
			t.Fatalf("%q is clean, and then refused: %v", name, err)
		}
		s, err := State{}.Apply(Event{Seq: 1, Kind: Opened, Setup: &setup})
		if err != nil {
			t.Fatalf("%q is taken, and then refused: %v", name, err)
		}
		rec := s.Record()
		if again, err := digit.ParseRecord(rec.String()); err != nil || !reflect.DeepEqual(again, rec) || again.Tag("first") != setup.Name(One) {
			t.Fatalf("%q is read back as %v, %v", rec, again, err)
		}
	})
}
