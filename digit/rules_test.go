package digit

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestRulesText checks how rules are parsed and written back.
func TestRulesText(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"dilemma", "dilemma"},
		{"sevens", "sevens"},
		{"highest", "highest"},
		{"divisibility", "divisibility"},
		{"reverse", "reverse"},
		{"divisibility pool=0-9 target=11", "divisibility target=11 pool=0-9"},
		{"  highest \t width=4\n", "highest width=4"},
		{"highest width=3", "highest"},
		{"dilemma target=007", "dilemma"},
		{"dilemma pool=9876543210", "dilemma"},
		{"highest final=lower,later", "reverse"},
		{"highest final=lower", "reverse final=lower"},
		{"reverse final=later", "reverse final=later"},
		{"Highest WIDTH=4", "highest width=4"},
		{"DILEMMA Pool=0-F", "dilemma pool=0-f"},
		{"highest zero=barred", "highest"},
		{"dilemma pool=1-9 zero=counts", "dilemma pool=1-9"},
		{"sevens zero=barred", "sevens"},
		{"highest pool=0-9 zero=inert", "highest pool=0-9"},
		{"reverse final=higher", "highest"},
		{"dilemma final=draw", "dilemma final=draw"},
		{"divisibility final=below,higher", "divisibility final=below,higher"},
		{"sevens place=slots win=full final=above,lower", "dilemma"},
	} {
		r, err := ParseRules(test.text)
		if err != nil || r.String() != test.want {
			t.Errorf("%q is %v, %v; want %s", test.text, r, err, test.want)
		}
		if again, err := ParseRules(r.String()); err != nil || again != r {
			t.Errorf("%q is read back as %v, %v", r, again, err)
		}
	}
}

// TestRulesErrors checks the text of every error of ParseRules except those of Check.
func TestRulesErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", `rules "": missing book name; ` + bookList()},
		{"chess", `book "chess": no such book; ` + bookList()},
		{"dilemma 7a", `option "7a": no such option; options are key=value with one of the keys target, pool, zero, width, place, win, final`},
		{"dilemma size=3", `option "size=3": no such option; options are key=value with one of the keys target, pool, zero, width, place, win, final`},
		{"dilemma target=7 target=8", `option "target=8": target is given twice`},
		{"dilemma target=", `target "": allowed: 2 to 9999, or 0 for none`},
		{"dilemma target=x", `target "x": allowed: 2 to 9999, or 0 for none`},
		{"dilemma target=-7", `target "-7": allowed: 2 to 9999, or 0 for none`},
		{"dilemma target=10000", `target "10000": allowed: 2 to 9999, or 0 for none`},
		{"dilemma width=9", `width "9": allowed: 1 to 8, or 0 for as many digits as the pool gives`},
		{"dilemma zero=no", `zero "no": allowed: counts, inert, barred`},
		{"dilemma place=table", `place "table": allowed: slots, ends, hand`},
		{"dilemma win=always", `win "always": allowed: never, full, each, call`},
		{"dilemma final=", `final "": allowed: draw, or one or more of above, below, nearest, higher, lower, later with commas between`},
		{"dilemma final=higher,draw", `final "higher,draw": allowed: draw, or one or more of above, below, nearest, higher, lower, later with commas between`},
		{"dilemma final=highest", `final "highest": allowed: draw, or one or more of above, below, nearest, higher, lower, later with commas between`},
		{"dilemma final=above,below,nearest,higher,lower,later,above", `final "above,below,nearest,higher,lower,later,a"…: at most 6 orders`},
		{"dilemma pool=", `pool "": it is empty; a pool is digits 0-9 and a-f and ranges of them, as in 1-9 or 0,2,4-8`},
		{"dilemma pool=x", `pool "x": "x" does not begin with a digit; a pool is digits 0-9 and a-f and ranges of them, as in 1-9 or 0,2,4-8`},
		{"dilemma pool=1,,2", `pool "1,,2": ",2" does not begin with a digit; a pool is digits 0-9 and a-f and ranges of them, as in 1-9 or 0,2,4-8`},
		{"dilemma pool=1,", `pool "1,": it ends with a comma; a pool is digits 0-9 and a-f and ranges of them, as in 1-9 or 0,2,4-8`},
		{"dilemma pool=1-", `pool "1-": the range has no end; a pool is digits 0-9 and a-f and ranges of them, as in 1-9 or 0,2,4-8`},
		{"dilemma pool=1-g", `pool "1-g": "g" does not begin with a digit; a pool is digits 0-9 and a-f and ranges of them, as in 1-9 or 0,2,4-8`},
		{"dilemma pool=9-1", `pool "9-1": the range 9-1 runs backwards; a pool is digits 0-9 and a-f and ranges of them, as in 1-9 or 0,2,4-8`},
		{"dilemma pool=1-5,3", `pool "1-5,3": 3 appears twice; a pool is digits 0-9 and a-f and ranges of them, as in 1-9 or 0,2,4-8`},
	} {
		r, err := ParseRules(test.text)
		if wrong := new(ParseError); !errors.As(err, &wrong) || err.Error() != test.want ||
			r != (Rules{}) {
			t.Errorf("%q: got %v, %v\nwant %s", test.text, r, err, test.want)
		}
	}
}

// TestCheckRefuses checks every reason to refuse a combination of options.
func TestCheckRefuses(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"dilemma pool=7", "pool: too small for two players; allowed: 2 to 16 digits"},
		{"dilemma width=0", "width: 0 (as many as the pool gives) is for place=ends; allowed: 1 to 5"},
		{"sevens width=0 pool=0-f", "width: 0 (as many as the pool gives) is for place=ends; allowed: 2 to 8"},
		{"highest width=5", "width: two numbers of 5 digits take 10, and the pool has 9; allowed: 1 to 4"},
		{"sevens width=6", "width: two numbers of 6 digits take 12, and the pool has 10; allowed: 2 to 5"},
		{"divisibility width=6", "width: a pool of 9 gives no player 6 digits; allowed: 1 to 5, or 0 for as many as the pool gives"},
		{"dilemma target=1", "target: 1 is out of range; allowed: 2 to 9999"},
		{"dilemma target=0", "win: full tests for multiples, which needs a target; use target 2 to 9999 instead"},
		{"divisibility target=0", "win: each tests for multiples, which needs a target; use target 2 to 9999 instead"},
		{"sevens target=0", "win: call tests for multiples, which needs a target; use target 2 to 9999 instead"},
		{"dilemma win=call", "win: call is for place=hand, where the number is not fixed; allowed: never, full"},
		{"divisibility win=call", "win: call is for place=hand, where the number is not fixed; allowed: never, full, each"},
		{"dilemma win=each", "win: each is not for place=slots, where a number with empty places has no value; allowed: never, full"},
		{"dilemma final=above,above", "final: above appears twice; allowed: draw, above, below, nearest, higher, lower, later"},
		{"reverse final=later,lower", "final: lower after later never decides, because later always does; allowed: higher, lower, later"},
		{"highest final=higher,lower", "final: higher and lower exclude each other; allowed: higher, lower, later"},
		{"reverse final=lower,higher", "final: higher and lower exclude each other; allowed: higher, lower, later"},
		{"highest final=above", "final: above measures the distance to a multiple, which needs a target; allowed: higher, lower, later"},
		{"highest final=higher,below", "final: below measures the distance to a multiple, which needs a target; allowed: higher, lower, later"},
		{"highest final=nearest", "final: nearest measures the distance to a multiple, which needs a target; allowed: higher, lower, later"},
		{"highest final=draw", "final: draw with win=never gives no player a way to win; allowed: higher, lower, later"},
		{"highest target=7", "target: 7 decides nothing with win=never and final=higher; allowed: 0 for none"},
		{"highest pool=0-5 zero=barred", "zero: barred could leave a player only 0 for the leftmost place, because all 6 digits are placed; allowed: counts, inert"},
		{"divisibility pool=01 zero=barred", "zero: barred leaves one player only 0; allowed: counts, inert"},
		{"sevens width=1", "zero: inert gives a hand of 0 no number at all; allowed: counts"},
		{"sevens width=1 zero=barred", "zero: barred gives a hand of 0 no number at all; allowed: counts"},
	} {
		r, err := ParseRules(test.text)
		if wrong := new(RulesError); !errors.As(err, &wrong) || err.Error() != test.want ||
			r != (Rules{}) {
			t.Errorf("%q: got %v, %v\nwant %s", test.text, r, err, test.want)
		}
	}
	// These rules cannot be written as text.
	for want, change := range map[string]func(*Rules){
		"pool: too small for two players; allowed: 2 to 16 digits":                                               func(r *Rules) { *r = Rules{} },
		"place: 3? is unknown; allowed: slots, ends, hand":                                                       func(r *Rules) { r.Place = 3 },
		"win: 4? is unknown; allowed: never, full":                                                               func(r *Rules) { r.Win = 4 },
		"zero: 255? is unknown; allowed: counts, inert, barred":                                                  func(r *Rules) { r.Zero = 255 },
		"width: 9 digits are too many; allowed: 1 to 5":                                                          func(r *Rules) { r.Width = 9 },
		"target: 10000 is out of range; allowed: 2 to 9999":                                                      func(r *Rules) { r.Target = 10000 },
		"final: 7? is unknown; allowed: draw, above, below, nearest, higher, lower, later":                       func(r *Rules) { r.Final[1] = 7 },
		"final: lower follows an empty entry; allowed: draw, above, below, nearest, higher, lower, later":        func(r *Rules) { r.Final = Final{Above, 0, Lower} },
		"final: higher and lower exclude each other; allowed: draw, above, below, nearest, higher, lower, later": func(r *Rules) { r.Final = FinalBy(Lower, Above, Higher) },
	} {
		r := Dilemma
		change(&r)
		err := r.Check()
		if wrong := new(RulesError); !errors.As(err, &wrong) || err.Error() != want {
			t.Errorf("%v: got %v, want %s", r, err, want)
		}
	}
}

// TestAdvice checks that every value listed as allowed in an error is allowed.
func TestAdvice(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	refused, advised := 0, 0
	for range 20000 {
		r := Books[rng.IntN(len(Books))].Rules
		for range 1 + rng.IntN(3) {
			switch rng.IntN(7) {
			case 0:
				r.Target = uint16(rng.IntN(9))
			case 1:
				r.Pool = Pool(rng.Uint32()) >> rng.IntN(14)
			case 2:
				r.Zero = Zero(rng.IntN(3))
			case 3:
				r.Width = uint8(rng.IntN(9))
			case 4:
				r.Place = Place(rng.IntN(3))
			case 5:
				r.Win = Win(rng.IntN(4))
			case 6:
				r.Final = FinalBy(Order(rng.IntN(7)), Order(rng.IntN(7)))
			}
		}
		e := r.clash()
		if e == nil {
			continue
		}
		refused++
		key, values := e.Key, ""
		text := strings.TrimPrefix(r.Check().Error(), e.Error())
		if allowed, ok := strings.CutPrefix(text, "; allowed: "); ok {
			values = allowed
		} else if use, ok := strings.CutPrefix(text, "; use "); ok {
			key, values, _ = strings.Cut(strings.TrimSuffix(use, " instead"), " ")
		} else if text != "" {
			t.Fatalf("%v: %q is not advice", r, text)
		}
		for _, value := range strings.FieldsFunc(values, func(c rune) bool { return c == ',' }) {
			value = strings.TrimPrefix(strings.TrimSpace(value), "or ")
			value, _, _ = strings.Cut(value, " for ")
			low, high, isRange := strings.Cut(value, " to ")
			for _, value := range []string{low, high} {
				if key == "pool" || value == "" || !isRange && value == high {
					continue
				}
				advised++
				if changed, err := r.With(key, value); err != nil || changed.clash() != nil {
					t.Fatalf("%v: %v: %s=%s is refused, too: %v",
						r, r.Check(), key, value, changed.clash())
				}
			}
		}
	}
	if refused < 5000 || advised < refused {
		t.Errorf("only %d refusals and %d pieces of advice", refused, advised)
	}
}

// TestCheckAccepts checks that some odd rules are playable, each with a line of play.
func TestCheckAccepts(t *testing.T) {
	testLines(t, []line{
		{"two-digits", "highest pool=12 width=1", "1a 2a", "1/2", "0-1 higher"},
		{"two-digits-at-the-ends", "divisibility pool=12", "1R 2R", "1/2", "1-0 below"},
		{"sixteen-digits-to-the-ends", "divisibility pool=0-f target=9999", "1R 2R 3R 4R 5R 6R 7R 8R 9R aR bR cR dR eR fR 0R", "13579bdf/2468ace0", "0-1 below"},
		{"sixteen-digits-in-places", "highest pool=0-f width=8", "fh eh da", "d______f/_______e", "*"},
		{"eight-digits-in-hand", "sevens pool=0-f width=8 target=9999", "1 2 3 4 5 6 7 8 9 a b c d e f=fdb97531", "13579bdf/2468ace=fdb97531", "0-1 miscalled"},
		{"eight-digits-in-hand-nobody-calls", "sevens pool=0-f width=8", "1 2 3 4 5 6 7 8 9 a b c d e f 0", "13579bdf/02468ace", "1-0 higher"},
		{"a-hand-of-one", "sevens width=1 zero=counts", "0=0", "0/=0", "1-0 multiple"},
		{"an-odd-pool-gives-the-first-side-more", "divisibility pool=1-3 target=9999", "1R 2R 3R", "13/2", "0-1 below"},
		{"ends-with-a-width", "divisibility width=2 target=9999", "1R 2R 3R 4R", "13/24", "1-0 below"},
		{"ends-with-a-width-that-only-one-side-reaches", "divisibility pool=1-5 width=3 target=9999", "1R 2R 3R 4R 5L", "513/24", "0-1 below"},
		{"ends-tried-when-full", "divisibility pool=1-5 win=full", "2R 3R 1L 5R", "12/35", "0-1 multiple"},
		{"a-hand-tried-when-full", "sevens win=full", "1 0 2 3 7", "127/03", "1-0 multiple"},
		{"a-hand-tried-each-turn", "sevens win=each", "1 3 4", "14/3", "1-0 multiple"},
		{"a-hand-tried-each-turn-0-is-no-number", "sevens win=each", "0 3", "0/3", "*"},
		{"a-hand-compared", "sevens target=0 win=never final=lower", "1 9 0 8 2 7", "012/789", "1-0 lower"},
		{"a-hand-compared-with-0-in-front", "sevens target=0 win=never zero=counts final=lower", "1 9 0 8 2 7", "012/789", "1-0 lower"},
		{"base-sixteen", "dilemma pool=1-f target=31 width=2", "fa 1a 8b", "f8/1_", "1-0 multiple"},
		{"base-twelve", "dilemma pool=1-b target=23 width=2", "1a 2a bb", "1b/2_", "1-0 multiple"},
		{"no-winner-at-the-end", "dilemma pool=1-6 final=draw", "1a 2a 3b 4b 5c 6c", "135/246", "1/2 equal"},
		{"all-orders-but-one", "dilemma final=nearest,above,below,higher,later", "6a 2a 1b 9b 3c 8c", "613/298", "1-0 higher"},
	})
}

// randomRules returns rules with random fields. Few of them are playable.
func randomRules(rng *rand.Rand) Rules {
	r := Rules{
		Pool:   Pool(rng.Uint32() & rng.Uint32()),
		Place:  Place(rng.IntN(3)),
		Width:  uint8(rng.IntN(5)),
		Target: uint16(rng.IntN(14)),
		Win:    Win(rng.IntN(4)),
		Zero:   Zero(rng.IntN(3)),
	}
	switch rng.IntN(10) {
	case 0:
		r.Pool = Pool(rng.Uint32())
	case 1:
		r.Width = uint8(rng.IntN(10))
	case 2:
		r.Target = uint16(rng.IntN(10100))
	case 3:
		r.Place, r.Win, r.Zero = Place(rng.IntN(5)), Win(rng.IntN(6)), Zero(rng.IntN(5))
	}
	for i := range rng.IntN(4) {
		r.Final[i] = Order(rng.IntN(8))
	}
	return r
}

// sameGame checks, in a random game, that two rules have the same moves and results.
func sameGame(t *testing.T, a, b Rules, rng *rand.Rand) {
	t.Helper()
	for p := (Position{}); ; {
		if x, y := a.Result(p), b.Result(p); x != y ||
			!slices.Equal(slices.Collect(a.Moves(p)), slices.Collect(b.Moves(p))) {
			t.Fatalf("%s: %+v (%v) and %+v (%v) differ", a.Text(p), a, x, b, y)
		}
		m, more := a.Pick(p, rng.IntN)
		if !more {
			return
		}
		p, _ = a.Play(p, m)
	}
}

// TestRandomRules checks that games under random rules that Check accepts end, and that the laws
// hold in all their positions.
func TestRandomRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	accepted := 0
	for range 60_000 / lawStride {
		r := randomRules(rng)
		if err := r.Check(); err != nil {
			if wrong := new(RulesError); !errors.As(err, &wrong) || wrong.Why == "" ||
				!slices.Contains(Keys(), wrong.Key) {
				t.Fatalf("%+v: %v", r, err)
			}
			continue
		}
		accepted++
		normal := r.Normal()
		if again, err := ParseRules(r.String()); err != nil || again != normal ||
			normal.String() != r.String() {
			t.Fatalf("%+v is written %q and read back as %+v, %v", r, r, again, err)
		}
		if normal != r {
			sameGame(t, r, normal, rng)
		}
		playRandomGame(t, r, rng)
	}
	if accepted < 2000/lawStride {
		t.Errorf("only %d rules accepted", accepted)
	}
	t.Log(accepted, "accepted")
}

// playRandomGame plays a random game, and checks the laws and queries in every position.
func playRandomGame(t *testing.T, r Rules, rng *rand.Rand) {
	var p Position
	for ply := 0; ; ply++ {
		large := r.Place == Hand && r.Width > 4 // tens of thousands of calls
		if !large {
			if err := laws(r, p); err != nil {
				t.Fatalf("%v: %s: %v", r, r.Text(p), err)
			}
		}
		for _, s := range []Side{First, Second} {
			n := r.Number(p, s)
			if best := r.Best(n); best.Value(r.Base()) != r.Value(p, s) ||
				r.Place != Hand && best != n {
				t.Fatalf("%v: %s: the best of %v is %v, the value %d",
					r, r.Text(p), n, best, r.Value(p, s))
			}
			r.isMultiple(n)
			for o := range Later + 2 {
				r.Measure(o, r.Value(p, s))
			}
		}
		m, ok := r.Pick(p, rng.IntN)
		if ok == r.Result(p).Over() || ply > 16 {
			t.Fatalf("%v: %s: %v, and %v is picked: %v", r, r.Text(p), r.Result(p), m, ok)
		}
		if !ok {
			return
		}
		next, err := r.Play(p, m)
		if err != nil {
			t.Fatalf("%v: %s: %v", r, r.Text(p), err)
		}
		p = next
	}
}

// TestLargestRules plays games with the maximum of everything.
func TestLargestRules(t *testing.T) {
	for _, text := range []string{
		"highest pool=0-f width=8",
		"dilemma pool=0-f width=8 target=9999",
		"divisibility pool=0-f target=9999",
		"divisibility pool=0-e target=9999 zero=barred",
		"divisibility pool=0-f width=8 win=full final=nearest,later",
		"sevens pool=0-f width=8",
		"sevens pool=0-f width=8 win=full target=9999",
		"sevens pool=0-f width=8 win=each target=9973",
		"dilemma pool=0-7 width=4 final=draw",
		"highest pool=0-8 width=4 zero=barred",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			r, rng := rulesOf(t, text), rand.New(rand.NewPCG(1, 1))
			for range 3 {
				playRandomGame(t, r, rng)
			}
		})
	}
}

// TestOptions checks the options of rules, and that every field of Rules has a key.
func TestOptions(t *testing.T) {
	var got []string
	for _, o := range rulesOf(t, "divisibility target=11 pool=0-9").Options() {
		got = append(got, o.Key+"="+o.Value)
	}
	if got, want := strings.Join(got, " "), "target=11 pool=0-9 zero=counts width=0 place=ends win=each final=below"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if fields := reflect.TypeFor[Rules]().NumField(); fields != len(keys) {
		t.Errorf("%d fields, %d keys", fields, len(keys))
	}
}

// TestValues checks that each of Values is parsed, and which keys have values.
func TestValues(t *testing.T) {
	for _, k := range keys {
		for _, value := range Values(k.name) {
			var r Rules
			if err := k.set(&r, value); err != nil || k.get(r) != value {
				t.Errorf("%s=%s is read as %s, %v", k.name, value, k.get(r), err)
			}
		}
		want := slices.Contains(strings.Fields("zero place win final"), k.name)
		if listed := Values(k.name) != nil; listed != want {
			t.Errorf("%s has listed values: %v", k.name, listed)
		}
	}
}
