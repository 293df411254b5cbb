package match

import (
	"reflect"
	"strings"
	"testing"

	"digitduel/digit"
)

// FuzzSeat tries any text as a token, at a table where one seat was never open and the other was
// taken with a key. Only the token of a seat may be accepted.
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
			t.Fatalf("%q is accepted for %v of table %q", token, seat, table)
		}
		for _, seat := range Seats {
			good := []byte(tokens[seat])
			if got, ok := keys.Seat(table, s, string(good)); !ok || got != seat {
				t.Fatalf("the token of %v of table %q: got seat %v, %v", seat, table, got, ok)
			}
			good[int(at)%len(good)] ^= 1
			if got, ok := keys.Seat(table, s, string(good)); ok {
				t.Fatalf("%q, which differs in one bit, is accepted for %v of table %q", good, got, table)
			}
		}
	})
}

// FuzzTargets parses any text as targets. Valid ones must survive being written and parsed again,
// and each must be a valid target for rules.
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
			t.Fatalf("ParseTargets(%q) = %v, %v", targets, again, err)
		}
		for game, r := range targets.All(digit.Dilemma) {
			if err := r.Check(); err != nil || r.Target != targets.List()[game] {
				t.Fatalf("%q: game %d has the rules %v, %v", text, game+1, r, err)
			}
		}
	})
}

// FuzzName uses any text as a name. A name that is accepted must survive being written to a record
// and parsed again.
func FuzzName(f *testing.F) {
	for _, seed := range []string{
		"", "Ada", "a\nb", "\xff", "עדה", "👩‍👩‍👧", "\u202eneB", strings.Repeat("x", MaxName+1), "مهدی\u200cزاده",
		"a\u0300\u0301", " \u200d ", "\u2800", "🏴\U000e0067\U000e007f", `Ben "B."; a=b`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		name, err := CleanName(name)
		if again, errAgain := CleanName(name); again != name || errAgain != nil {
			t.Fatalf("CleanName(%q) = %q, %v", name, again, errAgain)
		}
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q: the error has several lines: %v", name, err)
			}
			return
		}
		setup := Setup{Rules: digit.Highest, Names: [2]string{name, "Ben"}}
		if setup.Check() != nil { // it is the opponent's name, or a default name
			return
		}
		if err := CheckName(name); err != nil {
			t.Fatalf("CheckName(%q) after CleanName: %v", name, err)
		}
		s, err := State{}.Apply(Event{Seq: 1, Kind: Opened, Setup: &setup})
		if err != nil {
			t.Fatalf("%q passed CheckName, but Apply refused it: %v", name, err)
		}
		rec := s.Record()
		again, err := digit.ParseRecord(rec.String())
		if err != nil || !reflect.DeepEqual(again, rec) || again.Tag("first") != setup.Name(One) {
			t.Fatalf("ParseRecord(%q) = %v, %v", rec, again, err)
		}
	})
}
