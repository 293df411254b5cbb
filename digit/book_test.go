package digit

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// rulesOf parses rules that a test knows to be valid.
func rulesOf(t testing.TB, text string) Rules {
	t.Helper()
	r, err := ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// playLine plays moves from the start until one is refused. It returns the position and the
// result, or the error of the refused move.
func playLine(t testing.TB, r Rules, moves string) (p Position, end string) {
	t.Helper()
	for word := range strings.FieldsSeq(moves) {
		m, err := ParseMove(word)
		if err != nil {
			t.Fatal(err)
		}
		if p, err = r.Play(p, m); err != nil {
			return p, err.Error()
		}
	}
	return p, r.Result(p).String()
}

// A line is a fact of a rulebook as a line of play: the moves, the position, and the result or
// the error of the last move.
type line struct{ fact, rules, moves, position, end string }

func testLines(t *testing.T, lines []line) {
	for _, l := range lines {
		t.Run(l.fact, func(t *testing.T) {
			r := rulesOf(t, l.rules)
			p, end := playLine(t, r, l.moves)
			if got := r.Text(p); got != l.position || end != l.end {
				t.Errorf("%s: %s\n got %s  %s\nwant %s  %s",
					l.rules, l.moves, got, end, l.position, l.end)
			}
		})
	}
}

// TestExamples plays the example games printed in the rulebooks: each move, the position, the
// digits left and the result after it.
func TestExamples(t *testing.T) {
	for _, test := range []struct{ book, game string }{
		{"dilemma", `
			7a  7__/___  0 1 2 3 4 5 6 8 9  *
			3b  7__/_3_  0 1 2 4 5 6 8 9  *
			1c  7_1/_3_  0 2 4 5 6 8 9  *
			5a  7_1/53_  0 2 4 6 8 9  *
			4b  741/53_  0 2 6 8 9  *
			2c  741/532  0 6 8 9  0-1 multiple
		`},
		{"sevens", `
			7  7/  0 1 2 3 4 5 6 8 9  *
			5  7/5  0 1 2 3 4 6 8 9  *
			1  17/5  0 2 3 4 6 8 9  *
			8  17/58  0 2 3 4 6 9  *
			2=721  127/58=721  0 3 4 6 9  1-0 multiple
		`},
		{"highest", `
			9a  9__/___  1 2 3 4 5 6 7 8  *
			8a  9__/8__  1 2 3 4 5 6 7  *
			2c  9_2/8__  1 3 4 5 6 7  *
			7b  9_2/87_  1 3 4 5 6  *
			5b  952/87_  1 3 4 6  *
			6c  952/876  1 3 4  1-0 higher
		`},
		{"divisibility", `
			4R  4/  1 2 3 5 6 7 8 9  *
			3R  4/3  1 2 5 6 7 8 9  *
			2R  42/3  1 5 6 7 8 9  1-0 multiple
		`},
		{"reverse", `
			9a  9__/___  1 2 3 4 5 6 7 8  *
			1a  9__/1__  2 3 4 5 6 7 8  *
			8b  98_/1__  2 3 4 5 6 7  *
			2c  98_/1_2  3 4 5 6 7  *
			3c  983/1_2  4 5 6 7  *
			4b  983/142  5 6 7  0-1 lower
		`},
	} {
		t.Run(test.book, func(t *testing.T) {
			r := rulesOf(t, test.book)
			var p Position
			for want := range strings.Lines(strings.TrimSpace(test.game)) {
				want = strings.TrimSpace(want)
				word, _, _ := strings.Cut(want, " ")
				m, err := ParseMove(word)
				if err != nil {
					t.Fatal(err)
				}
				if p, err = r.Play(p, m); err != nil {
					t.Fatal(err)
				}
				got := fmt.Sprintf("%v  %s  %s  %v", m, r.Text(p), r.Left(p).List(" "), r.Result(p))
				if got != want {
					t.Errorf("\n got %s\nwant %s", got, want)
				}
			}
		})
	}
}

// TestAllBooks checks the clauses common to all five rulebooks.
func TestAllBooks(t *testing.T) {
	testLines(t, []line{
		{"turns-alternate-dilemma", "dilemma", "7a 3b 1c", "7_1/_3_", "*"},
		{"turns-alternate-sevens", "sevens", "7 5 1", "17/5", "*"},
		{"turns-alternate-highest", "highest", "9a 8a 2c", "9_2/8__", "*"},
		{"turns-alternate-divisibility", "divisibility", "4R 3R 1R", "41/3", "*"},
		{"turns-alternate-reverse", "reverse", "9a 1a 8b", "98_/1__", "*"},
		{"own-digit-is-gone-dilemma", "dilemma", "7a 3b 7b", "7__/_3_", "7b: 7 is taken; left: 0 1 2 4 5 6 8 9"},
		{"own-digit-is-gone-sevens", "sevens", "7 5 7", "7/5", "7: 7 is taken; left: 0 1 2 3 4 6 8 9"},
		{"own-digit-is-gone-highest", "highest", "9a 8a 9b", "9__/8__", "9b: 9 is taken; left: 1 2 3 4 5 6 7"},
		{"own-digit-is-gone-divisibility", "divisibility", "4R 3R 4L", "4/3", "4L: 4 is taken; left: 1 2 5 6 7 8 9"},
		{"own-digit-is-gone-reverse", "reverse", "9a 1a 9b", "9__/1__", "9b: 9 is taken; left: 2 3 4 5 6 7 8"},
		{"other-digit-is-gone-dilemma", "dilemma", "7a 7a", "7__/___", "7a: 7 is taken; left: 0 1 2 3 4 5 6 8 9"},
		{"other-digit-is-gone-sevens", "sevens", "7 7", "7/", "7: 7 is taken; left: 0 1 2 3 4 5 6 8 9"},
		{"other-digit-is-gone-highest", "highest", "9a 9a", "9__/___", "9a: 9 is taken; left: 1 2 3 4 5 6 7 8"},
		{"other-digit-is-gone-divisibility", "divisibility", "4R 4R", "4/", "4R: 4 is taken; left: 1 2 3 5 6 7 8 9"},
		{"other-digit-is-gone-reverse", "reverse", "1a 1a", "1__/___", "1a: 1 is taken; left: 2 3 4 5 6 7 8 9"},
	})
}

// TestStart checks the start of every game: empty numbers, the whole pool, the first side to
// move.
func TestStart(t *testing.T) {
	for _, test := range []struct{ book, position, left string }{
		{"dilemma", "___/___", "0 1 2 3 4 5 6 7 8 9"},
		{"sevens", "/", "0 1 2 3 4 5 6 7 8 9"},
		{"highest", "___/___", "1 2 3 4 5 6 7 8 9"},
		{"divisibility", "/", "1 2 3 4 5 6 7 8 9"},
		{"reverse", "___/___", "1 2 3 4 5 6 7 8 9"},
	} {
		t.Run(test.book, func(t *testing.T) {
			r := rulesOf(t, test.book)
			var p Position
			if r.Text(p) != test.position || r.Left(p).List(" ") != test.left ||
				r.Turn(p) != First || r.Ply(p) != 0 || r.Result(p).Over() {
				t.Errorf("position %s, left %s, %v to move, ply %d, result %v",
					r.Text(p), r.Left(p).List(" "), r.Turn(p), r.Ply(p), r.Result(p))
			}
		})
	}
}

func TestDilemma(t *testing.T) {
	testLines(t, []line{
		{"a-digit-goes-to-any-empty-place", "dilemma", "9c 8b 7a 6a 5b 4c", "759/684", "0-1 above"},
		{"a-filled-place-is-refused", "dilemma", "7a 3b 1a", "7__/_3_", "1a: place a is filled; free: b c"},
		{"a-place-is-needed", "dilemma", "7", "___/___", "7: the place is missing; allowed: a b c"},
		{"there-are-three-places", "dilemma", "7d", "___/___", "7d: there is no place d; allowed: a b c"},
		{"the-first-full-multiple-wins-at-once", "dilemma", "7a 1a 4b 3b 2c", "742/13_", "1-0 multiple"},
		{"a-win-ends-the-game", "dilemma", "7a 1a 4b 3b 2c 5c", "742/13_", "5c: the game is over: 1-0 multiple"},
		{"the-second-side-wins-so-too", "dilemma", "7a 5a 4b 3b 1c 2c", "741/532", "0-1 multiple"},
		{"a-full-number-that-is-no-multiple-does-not-end-the-game", "dilemma", "7a 3b 1c 5a 4b", "741/53_", "*"},
		{"a-number-that-is-not-full-is-not-tried", "dilemma", "7c 2a 4b 1b", "_47/21_", "*"},
		{"105-is-the-lowest-multiple", "dilemma", "1a 2a 0b 3b 5c", "105/23_", "1-0 multiple"},
		{"closer-to-the-next-multiple-wins-first", "dilemma", "6a 2a 1b 0b 3c 5c", "613/205", "1-0 above"},
		{"closer-to-the-next-multiple-wins-second", "dilemma", "2a 6a 0b 1b 5c 3c", "205/613", "0-1 above"},
		{"equally-close-the-smaller-number-wins-second", "dilemma", "6a 2a 1b 9b 3c 8c", "613/298", "0-1 lower"},
		{"equally-close-the-smaller-number-wins-first", "dilemma", "2a 6a 9b 1b 8c 3c", "298/613", "1-0 lower"},
		{"no-digits-left-is-decided-by-the-tie-break", "dilemma pool=1-6", "1a 2a 3b 4b 5c 6c", "135/246", "1-0 above"},
		{"0-may-be-placed-left", "dilemma", "0a", "0__/___", "*"},
		{"zero-inert-042-does-not-win", "dilemma", "0a 6a 4b 1b 2c", "042/61_", "*"},
		{"zero-inert-042-loses-the-tie-break", "dilemma", "0a 6a 4b 1b 2c 3c", "042/613", "0-1 above"},
		{"zero-inert-012-is-2-away-from-14", "dilemma", "0a 6a 1b 4b 2c 5c", "012/645", "1-0 above"},
		{"zero-counts-042-wins", "dilemma zero=counts", "0a 6a 4b 1b 2c", "042/61_", "1-0 multiple"},
		{"zero-barred-0-may-not-be-placed-left", "dilemma zero=barred", "0a", "___/___", "0a: a number may not begin with 0; allowed: b c"},
		{"zero-barred-0-may-be-placed-elsewhere", "dilemma zero=barred", "0b", "_0_/___", "*"},
		{"zero-barred-0-with-the-left-place-only", "dilemma zero=barred", "1b 2a 3c 4b 0a", "_13/24_", "0a: a number may not begin with 0, and there is no other place for it; left: 5 6 7 8 9"},
	})
	testMeasures(t, Dilemma, Above, []measure{
		{"741-is-1-away-from-742", 741, 1},
		{"532-is-7-away-from-539", 532, 7},
		{"042-is-7-away-from-49", 42, 7},
		{"743-is-6-away-from-749", 743, 6},
	})
	t.Run("multiples-have-three-digits", func(t *testing.T) {
		for text, want := range map[string]bool{"105": true, "532": true, "994": true, "987": true,
			"098": false, "042": false, "007": false, "741": false, "104": false, "995": false} {
			if n, _ := readPlaces(text); Dilemma.isMultiple(n) != want {
				t.Errorf("%s wins: %v, want %v", text, !want, want)
			}
		}
	})
}

func TestSevens(t *testing.T) {
	testLines(t, []line{
		{"a-turn-takes-one-digit", "sevens", "7 5", "7/5", "*"},
		{"a-hand-has-no-places", "sevens", "7a", "/", "7a: a digit goes into the hand, not to a place; allowed: 7"},
		{"the-third-digit-may-call-a-multiple-and-win", "sevens", "7 5 1 8 2=721", "127/58=721", "1-0 multiple"},
		{"the-digits-are-arranged-in-any-order", "sevens", "2 5 7 8 1=721", "127/58=721", "1-0 multiple"},
		{"the-second-side-may-call-too", "sevens", "7 1 8 0 9 5=105", "789/015=105", "0-1 multiple"},
		{"a-call-takes-three-digits", "sevens", "2 5 8=28", "2/5", "8=28: a call takes 3 digits in hand, and this makes 2; allowed: 8"},
		{"a-call-uses-the-digits-in-hand", "sevens", "7 5 1 8 2=714", "17/58", "2=714: a call uses each of the digits in hand once; allowed: 127 172 217 271 712 721"},
		{"a-call-uses-all-the-digits-in-hand", "sevens", "7 5 1 8 2=21", "17/58", "2=21: a call uses each of the digits in hand once; allowed: 127 172 217 271 712 721"},
		{"a-call-uses-each-digit-once", "sevens", "7 5 1 8 2=777", "17/58", "2=777: a call uses each of the digits in hand once; allowed: 127 172 217 271 712 721"},
		{"a-call-may-not-begin-with-0", "sevens", "0 5 4 8 2=042", "04/58", "2=042: a call may not begin with 0; allowed: 204 240 402 420"},
		{"zero-counts-a-call-may-begin-with-0", "sevens zero=counts", "0 5 4 8 2=042", "024/58=042", "1-0 multiple"},
		{"a-miscall-loses-at-once-first", "sevens", "7 5 1 8 2=712", "127/58=712", "0-1 miscalled"},
		{"a-miscall-loses-at-once-second", "sevens", "7 1 8 0 9 5=150", "789/015=150", "1-0 miscalled"},
		{"a-miscall-1-above-a-multiple-loses", "sevens", "1 5 6 8 2=162", "126/58=162", "0-1 miscalled"},
		{"a-miscall-1-below-a-multiple-loses", "sevens", "7 5 2 8 0=720", "027/58=720", "0-1 miscalled"},
		{"a-miscall-ends-the-game", "sevens", "7 5 1 8 2=712 0", "127/58=712", "0: the game is over: 0-1 miscalled"},
		{"a-winning-call-ends-the-game", "sevens", "7 5 1 8 2=721 0", "127/58=721", "0: the game is over: 1-0 multiple"},
		{"without-a-call-the-game-goes-on", "sevens", "7 5 1 8 2", "127/58", "*"},
		{"there-is-no-later-turn-to-call", "sevens", "7 0 1 6 2 8 3=127", "127/068", "3=127: the game is over: 1-0 nearest"},
		{"an-uncalled-multiple-is-at-distance-0", "sevens", "7 0 1 6 2 8", "127/068", "1-0 nearest"},
		{"nobody-calls-nearest-wins-from-below", "sevens", "2 0 5 3 7 4", "257/034", "1-0 nearest"},
		{"nobody-calls-nearest-wins-from-above", "sevens", "1 0 2 3 9 4", "129/034", "1-0 nearest"},
		{"nobody-calls-nearest-wins-even-with-the-larger-number", "sevens", "0 1 3 2 4 9", "034/129", "0-1 nearest"},
		{"nobody-calls-equally-near-the-higher-wins-first", "sevens", "0 4 2 8 7 9", "027/489", "1-0 higher"},
		{"nobody-calls-equally-near-the-higher-wins-second", "sevens", "4 0 8 2 9 7", "489/027", "0-1 higher"},
		{"two-uncalled-multiples-the-higher-wins", "sevens", "7 1 8 0 9 5", "789/015", "1-0 higher"},
	})
	testMeasures(t, Sevens, Nearest, []measure{
		{"720-is-1-below-721", 720, 1},
		{"498-is-1-above-497", 498, 1},
		{"430-is-3-above-427", 430, 3},
		{"572-is-2-below-574", 572, 2},
		{"721-is-a-multiple", 721, 0},
	})
	t.Run("a-hand-counts-as-its-best-arrangement", func(t *testing.T) {
		for hand, want := range map[string]string{"127": "721", "034": "430", "129": "912",
			"027": "720", "489": "498", "789": "987", "015": "105"} {
			if n, _ := readPlaces(hand); Sevens.Best(n).String() != want {
				t.Errorf("the best of %s is %v, want %s", hand, Sevens.Best(n), want)
			}
		}
	})
	t.Run("the-possible-numbers-of-the-example", func(t *testing.T) {
		var got []string
		for n := range Sevens.Arrangements(PoolOf(7, 1, 2)) {
			got = append(got, n.String())
		}
		if want := strings.Fields("127 172 217 271 712 721"); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
	t.Run("the-possible-numbers-do-not-begin-with-0", func(t *testing.T) {
		var got []string
		for n := range Sevens.Arrangements(PoolOf(0, 4, 2)) {
			got = append(got, n.String())
		}
		if want := strings.Fields("204 240 402 420"); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestHighest(t *testing.T) {
	testLines(t, []line{
		{"0-is-not-in-the-pool", "highest", "0a", "___/___", "0a: 0 is not in the pool; left: 1 2 3 4 5 6 7 8 9"},
		{"a-place-holds-one-digit", "highest", "9a 8a 7a", "9__/8__", "7a: place a is filled; free: b c"},
		{"a-digit-must-be-placed", "highest", "9", "___/___", "9: the place is missing; allowed: a b c"},
		{"the-game-goes-on-until-both-are-full", "highest", "9a 8a 2c 7b 5b", "952/87_", "*"},
		{"the-higher-number-wins-first", "highest", "9a 8a 2c 7b 5b 6c", "952/876", "1-0 higher"},
		{"the-higher-number-wins-second", "highest", "1a 2a 9b 3b 8c 4c", "198/234", "0-1 higher"},
		{"the-end-ends-the-game", "highest", "9a 8a 2c 7b 5b 6c 1a", "952/876", "1a: the game is over: 1-0 higher"},
		{"zero-counts-a-number-that-begins-with-0-is-small", "highest pool=0-9", "0a 1a 9b 2b 8c 3c", "098/123", "0-1 higher"},
	})
}

func TestDivisibility(t *testing.T) {
	testLines(t, []line{
		{"0-is-not-in-the-pool", "divisibility", "0R", "/", "0R: 0 is not in the pool; left: 1 2 3 4 5 6 7 8 9"},
		{"a-digit-goes-to-the-left-end", "divisibility", "4R 3R 1L", "14/3", "1-0 multiple"},
		{"a-digit-goes-to-the-right-end", "divisibility", "4R 3R 1R", "41/3", "*"},
		{"a-digit-never-goes-between", "divisibility", "4R 3R 1R 5L 2b", "41/53", "2b: there is no place b; allowed: L R"},
		{"an-end-is-needed", "divisibility", "4R 3R 1", "4/3", "1: the place is missing; allowed: L R"},
		{"the-building-example", "divisibility target=11", "5R 1R 3L 2R 7R", "357/12", "*"},
		{"the-building-example-wins-at-35-with-7", "divisibility", "5R 1R 3L 2R", "35/1", "2R: the game is over: 1-0 multiple"},
		{"the-first-digit-has-no-sides", "divisibility", "4L", "/", "4L: the first digit has no sides and is written R; allowed: R"},
		{"a-number-is-tried-after-every-digit", "divisibility", "4R 3R 2R", "42/3", "1-0 multiple"},
		{"a-lone-digit-can-win", "divisibility", "7R", "7/", "1-0 multiple"},
		{"the-second-side-wins-so-too", "divisibility", "1R 7R", "1/7", "0-1 multiple"},
		{"a-win-ends-the-game", "divisibility", "7R 1R", "7/", "1R: the game is over: 1-0 multiple"},
		{"the-target-may-be-11", "divisibility target=11", "7R 2R 4R 3R 8R", "748/23", "1-0 multiple"},
		{"the-target-may-be-13", "divisibility target=13", "1R 2R 3R", "13/2", "1-0 multiple"},
		{"no-digits-left-the-smaller-remainder-wins-first", "divisibility", "5R 8R 4L 7R 1L 6L 2R 3L 9L", "91452/3687", "1-0 below"},
		{"no-digits-left-the-smaller-remainder-wins-second", "divisibility", "2R 4R 7L 5L 6R 9L 1L 8L 3L", "31726/8954", "0-1 below"},
		{"no-digits-left-equal-remainders-draw", "divisibility", "3R 6R 8L 7L 2L 1R 4L 5R 9R", "42839/7615", "1/2 equal"},
		{"no-digits-left-by-another-target", "divisibility target=11", "4R 3R 9R 2L 7L 5R 6R 1R 8L", "87496/2351", "1-0 below"},
		{"while-digits-are-left-the-game-goes-on", "divisibility", "3R 6R 8L 7L 2L 1R 4L 5R", "4283/7615", "*"},
		{"0-may-be-added-to-the-pool", "divisibility pool=0-9", "3R 1R 0R", "30/1", "*"},
		{"zero-counts-a-lone-0-wins", "divisibility pool=0-9", "0R", "0/", "1-0 multiple"},
		{"zero-counts-042-wins", "divisibility pool=0-9 target=21", "4R 3R 0L 5R 2R", "042/35", "1-0 multiple"},
		{"zero-inert-a-lone-0-does-not-win", "divisibility pool=0-9 zero=inert", "0R", "0/", "*"},
		{"zero-inert-07-does-not-win", "divisibility pool=0-9 zero=inert", "0R 1R 7R", "07/1", "*"},
		{"zero-inert-70-wins", "divisibility pool=0-9 zero=inert", "0R 1R 7L", "70/1", "1-0 multiple"},
		{"zero-barred-a-lone-0-is-refused", "divisibility pool=0-9 zero=barred", "0R", "/", "0R: a number may not begin with 0, and there is no other place for it; left: 1 2 3 4 5 6 7 8 9"},
		{"zero-barred-a-leading-0-is-refused", "divisibility pool=0-9 zero=barred", "3R 1R 0L", "3/1", "0L: a number may not begin with 0; allowed: R"},
		{"zero-barred-0-goes-to-the-right", "divisibility pool=0-9 zero=barred", "3R 1R 0R", "30/1", "*"},
	})
	testMeasures(t, Divisibility, Below, []measure{
		{"428-is-1-above-427", 428, 1},
		{"395-is-3-above-392", 395, 3},
	})
	t.Run("428-beats-395", func(t *testing.T) {
		if got := Divisibility.decide(428, 395, First).String(); got != "1-0 below" {
			t.Errorf("got %s, want 1-0 below", got)
		}
	})
	t.Run("428-has-won-before-its-last-digit", func(t *testing.T) {
		_, err := Divisibility.ParsePosition("428/395")
		if err == nil || !strings.Contains(err.Error(), `"428" has won before its last digit`) {
			t.Errorf("got %v", err)
		}
	})
}

func TestReverse(t *testing.T) {
	testLines(t, []line{
		{"0-is-not-in-the-pool", "reverse", "0a", "___/___", "0a: 0 is not in the pool; left: 1 2 3 4 5 6 7 8 9"},
		{"a-filled-place-is-refused", "reverse", "9a 1a 8a", "9__/1__", "8a: place a is filled; free: b c"},
		{"a-digit-must-be-placed", "reverse", "9", "___/___", "9: the place is missing; allowed: a b c"},
		{"the-sample-prompt-puts-6-to-the-ones", "reverse", "6c", "__6/___", "*"},
		{"the-game-goes-on-until-both-are-full", "reverse", "9a 1a 8b 2c 3c", "983/1_2", "*"},
		{"the-lower-number-wins-first", "reverse", "1a 2a 9b 3b 8c 4c", "198/234", "1-0 lower"},
		{"the-lower-number-wins-second", "reverse", "9a 1a 8b 2c 3c 4b", "983/142", "0-1 lower"},
		{"the-end-ends-the-game", "reverse", "9a 1a 8b 2c 3c 4b 5a", "983/142", "5a: the game is over: 0-1 lower"},
		{"zero-counts-a-number-that-begins-with-0-is-small", "reverse pool=0-9", "0a 1a 9b 2b 8c 3c", "098/123", "1-0 lower"},
		{"later-alone-lets-the-second-to-finish-win", "reverse final=later", "1a 2a 3b 4b 5c 6c", "135/246", "0-1 later"},
	})
	t.Run("equal-numbers-go-to-the-second-to-finish", func(t *testing.T) {
		if got := Reverse.decide(142, 142, Second).String(); got != "0-1 later" {
			t.Errorf("got %s, want 0-1 later", got)
		}
	})
}

// A measure is the expected measure of a value by an order.
type measure struct {
	fact        string
	value, want int
}

func testMeasures(t *testing.T, r Rules, o Order, measures []measure) {
	for _, m := range measures {
		t.Run(m.fact, func(t *testing.T) {
			if got := r.Measure(o, m.value); got != m.want {
				t.Errorf("%v of %d is %d, want %d", o, m.value, got, m.want)
			}
		})
	}
}
