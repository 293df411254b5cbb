package digit

import (
	"errors"
	"strings"
	"testing"
)

// TestMoveText checks that all moves without a call, and some with one, are parsed back from their
// texts.
func TestMoveText(t *testing.T) {
	texts := strings.Fields("2=721 0=0 f=fedcba98 7=00000000")
	for _, d := range "0123456789abcdef" {
		for _, spot := range append(strings.Split("abcdefghLR", ""), "") {
			texts = append(texts, string(d)+spot)
		}
	}
	seen := map[Move]bool{}
	for _, text := range texts {
		m, err := ParseMove(text)
		if err != nil || m.String() != text || seen[m] {
			t.Errorf("%s is read as %v, %v (before: %v)", text, m, err, seen[m])
		}
		seen[m] = true
	}
	if m, _ := ParseMove("aa"); m != (Move{Digit: 10, Spot: SlotAt(0)}) {
		t.Errorf("aa is %+v", m)
	}
}

func TestMoveParseErrors(t *testing.T) {
	const allowed = "; a move is a digit and a place a to h (7a), a digit and an end (4L, 4R), a digit (2), or a digit and a call (2=721)"
	for _, test := range []struct{ text, want string }{
		{"", `move "": it is empty`},
		{" ", `move " ": it does not begin with a digit`},
		{"x", `move "x": it does not begin with a digit`},
		{"A", `move "A": it does not begin with a digit`},
		{"-1", `move "-1": it does not begin with a digit`},
		{"７", `move "７": it does not begin with a digit`},
		{"\x00", `move "\x00": it does not begin with a digit`},
		{"\xff", `move "\xff": it does not begin with a digit`},
		{"77", `move "77": the digit is not followed by a place`},
		{"7i", `move "7i": the digit is not followed by a place`},
		{"7l", `move "7l": the digit is not followed by a place`},
		{"7A", `move "7A": the digit is not followed by a place`},
		{"7 ", `move "7 ": the digit is not followed by a place`},
		{"7ab", `move "7ab": it is too long`},
		{"7é", `move "7é": it is too long`},
		{strings.Repeat("7", 10_000), `move "` + strings.Repeat("7", 40) + `"…: it is too long`},
		{"2=", `move "2=": the call is not a number of 1 to 8 digits`},
		{"2=x", `move "2=x": the call is not a number of 1 to 8 digits`},
		{"2=7_1", `move "2=7_1": the call is not a number of 1 to 8 digits`},
		{"2=123456789", `move "2=123456789": the call is not a number of 1 to 8 digits`},
		{"2a=721", `move "2a=721": it is too long`},
	} {
		m, err := ParseMove(test.text)
		if wrong := new(ParseError); !errors.As(err, &wrong) || err.Error() != test.want+allowed ||
			m != (Move{}) {
			t.Errorf("got %v, %v\nwant %s", m, err, test.want+allowed)
		}
	}
}

// TestMoveErrors checks every reason to refuse a move: the last move of each line.
func TestMoveErrors(t *testing.T) {
	testLines(t, []line{
		{"over", "dilemma", "7a 3b 1c 5a 4b 2c 0a", "741/532", "0a: the game is over: 0-1 multiple"},
		{"not-in-the-pool", "highest", "0a", "___/___", "0a: 0 is not in the pool; left: 1 2 3 4 5 6 7 8 9"},
		{"not-in-the-pool-later", "highest", "1a 2a aa", "1__/2__", "aa: a is not in the pool; left: 3 4 5 6 7 8 9"},
		{"taken", "dilemma", "7a 7b", "7__/___", "7b: 7 is taken; left: 0 1 2 3 4 5 6 8 9"},
		{"filled", "dilemma", "7a 3b 1a", "7__/_3_", "1a: place a is filled; free: b c"},
		{"no-such-slot", "dilemma", "7d", "___/___", "7d: there is no place d; allowed: a b c"},
		{"no-ends-with-slots", "dilemma", "7a 3a 1L", "7__/3__", "1L: there is no place L; allowed: b c"},
		{"no-place-with-slots", "dilemma", "7", "___/___", "7: the place is missing; allowed: a b c"},
		{"no-call-with-slots", "dilemma", "7a 3a 2=721", "7__/3__", "2=721: numbers are not called in this game; allowed: 2b 2c"},
		{"no-slots-with-ends", "divisibility", "4R 3R 1a", "4/3", "1a: there is no place a; allowed: L R"},
		{"no-place-with-ends", "divisibility", "4", "/", "4: the place is missing; allowed: R"},
		{"no-call-with-ends", "divisibility", "4R 3R 2=42", "4/3", "2=42: numbers are not called in this game; allowed: 2L 2R"},
		{"no-sides-yet", "divisibility", "4R 3L", "4/", "3L: the first digit has no sides and is written R; allowed: R"},
		{"barred-slot", "dilemma zero=barred", "7a 0a", "7__/___", "0a: a number may not begin with 0; allowed: b c"},
		{"barred-slot-the-only-one", "dilemma zero=barred", "1b 2a 3c 4b 0a", "_13/24_", "0a: a number may not begin with 0, and there is no other place for it; left: 5 6 7 8 9"},
		{"barred-slot-another-is-filled", "dilemma zero=barred", "1b 2a 0b", "_1_/2__", "0b: place b is filled; free: c"},
		{"barred-end", "divisibility pool=0-9 zero=barred", "1R 2R 0L", "1/2", "0L: a number may not begin with 0; allowed: R"},
		{"barred-first-digit", "divisibility pool=0-9 zero=barred", "1R 0R", "1/", "0R: a number may not begin with 0, and there is no other place for it; left: 2 3 4 5 6 7 8 9"},
		{"no-slots-with-a-hand", "sevens", "7a", "/", "7a: a digit goes into the hand, not to a place; allowed: 7"},
		{"no-ends-with-a-hand", "sevens", "7L", "/", "7L: a digit goes into the hand, not to a place; allowed: 7"},
		{"call-too-early", "sevens", "7=7", "/", "7=7: a call takes 3 digits in hand, and this makes 1; allowed: 7"},
		{"call-of-other-digits", "sevens", "7 5 1 8 2=714", "17/58", "2=714: a call uses each of the digits in hand once; allowed: 127 172 217 271 712 721"},
		{"call-of-too-few-digits", "sevens", "7 5 1 8 2=21", "17/58", "2=21: a call uses each of the digits in hand once; allowed: 127 172 217 271 712 721"},
		{"call-of-too-many-digits", "sevens", "7 5 1 8 2=7217", "17/58", "2=7217: a call uses each of the digits in hand once; allowed: 127 172 217 271 712 721"},
		{"call-that-begins-with-0", "sevens", "0 5 4 8 2=042", "04/58", "2=042: a call may not begin with 0; allowed: 204 240 402 420"},
		{"call-of-many", "sevens pool=0-f width=8", "0 1 2 3 4 5 6 7 8 9 a b c d e=0", "02468ac/13579bd",
			"e=0: a call uses each of the digits in hand once; allowed: 20468ace 20468aec 20468cae 20468cea 20468eac 20468eca 2046a8ce 2046a8ec " +
				"2046ac8e 2046ace8 2046ae8c 2046aec8 2046c8ae 2046c8ea 2046ca8e 2046cae8 2046ce8a 2046cea8 2046e8ac 2046e8ca 2046ea8c 2046eac8 2046ec8a 2046eca8 …"},
		{"no-calls-in-a-game-with-hands", "sevens win=full", "7 5 1 8 2=721", "17/58", "2=721: numbers are not called in this game; allowed: 2"},
	})
	for m, want := range map[Move]string{
		{Digit: 16, Spot: SlotAt(0)}:  "?a: ? is not in the pool; left: 0 1 2 3 4 5 6 7 8 9",
		{Digit: 255, Spot: SlotAt(0)}: "?a: ? is not in the pool; left: 0 1 2 3 4 5 6 7 8 9",
	} {
		if _, err := Dilemma.Play(Position{}, m); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
