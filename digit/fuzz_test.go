package digit

import (
	"encoding"
	"reflect"
	"strings"
	"testing"
)

// A text is a type with one text form.
type text interface {
	String() string
	encoding.TextMarshaler
}

// checkText checks that a parsed value is parsed back from its text as the same value.
func checkText[T text](t *testing.T, x T, parse func(string) (T, error),
	unmarshal func(*T, []byte) error) {
	t.Helper()
	written := x.String()
	again, err := parse(written)
	if err != nil || !reflect.DeepEqual(again, x) {
		t.Fatalf("%q is read back as %v, %v", written, again, err)
	}
	if again.String() != written {
		t.Fatalf("%q is written back as %q", written, again)
	}
	marshalled, err := x.MarshalText()
	if err != nil || string(marshalled) != written {
		t.Fatalf("%q is marshalled as %q, %v", written, marshalled, err)
	}
	var unmarshalled T
	if err := unmarshal(&unmarshalled, marshalled); err != nil ||
		!reflect.DeepEqual(unmarshalled, x) {
		t.Fatalf("%q is unmarshalled as %v, %v", written, unmarshalled, err)
	}
}

func FuzzPool(f *testing.F) {
	for _, seed := range []string{"0-9", "1-9", "1-4,6,8-f", "13579", "ef", "0,2,4-8", "9-1", "1-",
		"1,,2", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePool(text)
		if err != nil {
			if p != 0 {
				t.Fatalf("%q gives %v and the error %v", text, p, err)
			}
			return
		}
		if again, err := ParsePool(p.String()); err != nil || again != p {
			t.Fatalf("%q is read back as %v, %v", p, again, err)
		}
	})
}

func FuzzRules(f *testing.F) {
	for _, seed := range append(BookNames(), variants...) {
		f.Add(seed)
	}
	f.Add("divisibility  pool=0-9\ttarget=0011")
	f.Add("dilemma final=above,below,nearest,higher,later width=1")
	f.Add("sevens pool=0-f width=8")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRules(text)
		if err != nil {
			if r != (Rules{}) {
				t.Fatalf("%q gives %v and the error %v", text, r, err)
			}
			return
		}
		checkText(t, r, ParseRules, (*Rules).UnmarshalText)
		if err := r.Check(); err != nil {
			t.Fatalf("%q is read and then refused: %v", text, err)
		}
		var p Position
		for ply := 0; !r.Result(p).Over(); ply++ {
			m, ok := r.Pick(p, func(n int) int { return (ply * 7) % n })
			next, err := r.Play(p, m)
			if !ok || err != nil || ply >= r.Pool.Len() {
				t.Fatalf("%v: %s: %v picked: %v, %v", r, r.Text(p), m, ok, err)
			}
			p = next
		}
	})
}

func FuzzMove(f *testing.F) {
	for _, seed := range []string{"7a", "4L", "4R", "2", "2=721", "aa", "f=fedcba98", "7", "77",
		"7=", "2=7_1", "７a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseMove(text)
		if err != nil {
			if m != (Move{}) {
				t.Fatalf("%q gives %v and the error %v", text, m, err)
			}
			return
		}
		if m.String() != text {
			t.Fatalf("%q is read as %v", text, m)
		}
		checkText(t, m, ParseMove, (*Move).UnmarshalText)
		for _, book := range Books { // a refused move must not change the position
			if q, err := book.Rules.Play(Position{}, m); err != nil && q != (Position{}) {
				t.Fatalf("%s: %v is refused and leads to %s", book.Name, m, book.Rules.Text(q))
			}
		}
	})
}

func FuzzResult(f *testing.F) {
	for _, seed := range []string{"*", "1/2 equal", "1-0 higher", "0-1 multiple", "1-0 time",
		"0-1 resigned", "1-0 left", "1-0", "1/2", "* "} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseResult(text)
		if err != nil {
			if r != (Result{}) {
				t.Fatalf("%q gives %v and the error %v", text, r, err)
			}
			return
		}
		if r.String() != text {
			t.Fatalf("%q is read as %v", text, r)
		}
		checkText(t, r, ParseResult, (*Result).UnmarshalText)
	})
}

func FuzzPosition(f *testing.F) {
	for _, seed := range [][2]string{
		{"dilemma", "7_1/53_"}, {"dilemma", "741/532"}, {"dilemma", "742/138"},
		{"sevens", "127/58=721"}, {"sevens", "127/58"}, {"sevens", "/"}, {"sevens width=1 zero=counts", "0/=0"},
		{"divisibility", "42/3"}, {"divisibility", "142/35"}, {"divisibility pool=0-f target=9999", "13579bdf/2468ace0"},
		{"highest pool=a-f", "a__/b__"}, {"sevens win=each", "14/3"}, {"divisibility pool=0-6 zero=barred target=3", "10/2"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, rules, text string) {
		r, err := ParseRules(rules)
		if err != nil || r.Place == Hand && r.Width > 4 { // checking the laws would take long
			return
		}
		p, err := r.ParsePosition(text)
		if err != nil {
			if p != (Position{}) {
				t.Fatalf("%q gives %s and the error %v", text, r.Text(p), err)
			}
			return
		}
		if r.Text(p) != text {
			t.Fatalf("%q is read as %q", text, r.Text(p))
		}
		if err := laws(r, p); err != nil {
			t.Fatalf("%v: %s: %v", r, text, err)
		}
	})
}

func FuzzRecord(f *testing.F) {
	for _, seed := range []string{
		"dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple",
		"sevens 7 5 1 8 2=721 1-0 multiple",
		"divisibility target=11 pool=0-9 5R 1R 3L *",
		"reverse  9a 1a 8b 2c 3c 4b 0-1 lower\n",
		"dilemma 7a 3b 0-1 time",
		"dilemma 7a 1-0 resigned",
		"highest *",
		`dilemma 7a *; first=Ada second="Ben \"B\";\x00" at=2026-11-15T09:12:00Z`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		rec, err := ParseRecord(line)
		if err != nil {
			if !reflect.DeepEqual(rec, Record{}) {
				t.Fatalf("%q gives %v and the error %v", line, rec, err)
			}
			return
		}
		checkText(t, rec, ParseRecord, (*Record).UnmarshalText)
		if positions, err := rec.Positions(); err != nil || len(positions) != len(rec.Moves)+1 {
			t.Fatalf("%q has %d positions, %v", line, len(positions), err)
		}
	})
}

// FuzzTag checks that a record with any tag values is one line, and that they are parsed back
// without the characters that control a terminal.
func FuzzTag(f *testing.F) {
	for _, seed := range []string{"", "Ada", `Ben "B."; a=b`, "a\nb\u2028\u2029\r", "\xff\x00", "\x1b]52;c;aGk=\a", "עדה", "👩‍👩‍👧", "2026-11-15T09:12:00Z"} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		want := Record{Rules: Dilemma, Tags: []Tag{{"first", first}, {"second", second}}}
		line := want.String()
		if strings.ContainsAny(line, "\r\n\v\f\u0085\u2028\u2029") {
			t.Fatalf("%q is more than one line", line)
		}
		got, err := ParseRecord(line)
		if err != nil || got.Tag("first") != Printable(first) ||
			got.Tag("second") != Printable(second) {
			t.Fatalf("%q is read as %q and %q, %v", line, got.Tag("first"), got.Tag("second"), err)
		}
		checkText(t, got, ParseRecord, (*Record).UnmarshalText)
	})
}
