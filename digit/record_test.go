package digit

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// TestRecordText checks that records are parsed, and written back unchanged.
func TestRecordText(t *testing.T) {
	for _, line := range []string{
		"dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple",
		"sevens 7 5 1 8 2=721 1-0 multiple",
		"sevens 7 5 1 8 2=712 0-1 miscalled",
		"highest 9a 8a 2c 7b 5b 6c 1-0 higher",
		"divisibility 4R 3R 2R 1-0 multiple",
		"divisibility 3R 6R 8L 7L 2L 1R 4L 5R 9R 1/2 equal",
		"reverse 9a 1a 8b 2c 3c 4b 0-1 lower",
		"divisibility target=11 pool=0-9 5R 1R 3L 2R 7R *",
		"dilemma *",
		"dilemma 7a 3b *",
		"dilemma 7a 3b 0-1 time",
		"dilemma 7a 1-0 time",
		"dilemma 0-1 time",
		"dilemma 7a 1-0 resigned",
		"dilemma 7a 0-1 resigned",
		"dilemma 7a 0-1 left",
		"dilemma 7a 1-0 forfeit",
		"dilemma 0-1 forfeit",
		"dilemma 1-0 resigned",
		"highest pool=a-f aa ba cb db ec fc 0-1 higher",
		"dilemma 7a 3b *; first=Ada second=Ben",
		`dilemma 7a 3b *; first="Ada \"B\"; =" second="עדה ü\u200d" at=2026-11-15T09:12:00+01:00 level=""`,
		"dilemma 0-1 time; game=2/3",
	} {
		rec, err := ParseRecord(line)
		if err != nil || rec.String() != line {
			t.Errorf("%s is read as %v, %v", line, rec, err)
			continue
		}
		game, tags, _ := strings.Cut(line, ";")
		if tags != "" {
			tags = " ; " + tags + "\t "
		}
		spaced, err := ParseRecord(" " + strings.ReplaceAll(game, " ", "\t  ") + tags + "\r\n")
		if err != nil || !reflect.DeepEqual(spaced, rec) {
			t.Errorf("%s with more space is read as %v, %v", line, spaced, err)
		}
		if positions, err := rec.Positions(); err != nil || len(positions) != len(rec.Moves)+1 {
			t.Errorf("%s has %d positions, %v", line, len(positions), err)
		}
	}
}

// TestRecordControls checks tags that would control a terminal, given raw and as Go escapes.
func TestRecordControls(t *testing.T) {
	for _, value := range []string{
		"\x1b]52;c;aGk=\a", `\x1b]52;c;aGk=\x07`, "\u009b]52;c;aGk=\u202e", `\u001b]52;c;aGk=\xff`,
	} {
		rec, err := ParseRecord("dilemma *; first=\"" + value + "\" second=Ben")
		const first = "\ufffd]52;c;aGk=\ufffd"
		if err != nil || rec.Tag("first") != first || rec.Tag("second") != "Ben" {
			t.Errorf("%q is read as %q and %q, %v", value, rec.Tag("first"), rec.Tag("second"), err)
		}
		if want := `dilemma *; first="` + first + `" second=Ben`; rec.String() != want {
			t.Errorf("%q is written as %v", value, rec)
		}
	}
}

// TestRecordErrors checks every reason to refuse a record.
func TestRecordErrors(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"", `record "": a record is the rules, the moves and the result on one line, as in dilemma 7a 3b *`},
		{"dilemma", `record "dilemma": a record is the rules, the moves and the result on one line, as in dilemma 7a 3b *`},
		{"dilemma 7a 3b", `record "dilemma 7a 3b": a record is the rules, the moves and the result on one line, as in dilemma 7a 3b *`},
		{"dilemma *; Ada", `tag "Ada": it is not key=value; tags follow the semicolon of a record, like first=Ada or second="Ben B."`},
		{"dilemma *; First=Ada", `tag "First=Ada": it is not key=value; tags follow the semicolon of a record, like first=Ada or second="Ben B."`},
		{"dilemma *; a=1 a=2", `tag "a=2": a appears twice; tags follow the semicolon of a record, like first=Ada or second="Ben B."`},
		{`dilemma *; a="1`, `tag "\"1": missing closing quotation mark; tags follow the semicolon of a record, like first=Ada or second="Ben B."`},
		{`dilemma *; a="1"b=2`, `tag "b=2": missing space before it; tags follow the semicolon of a record, like first=Ada or second="Ben B."`},
		{"dilemma *; a=", `tag "": a value with characters other than letters, digits and -+.:/, needs quotation marks; tags follow the semicolon of a record, like first=Ada or second="Ben B."`},
		{"dilemma *; a=ü", `tag "ü": a value with characters other than letters, digits and -+.:/, needs quotation marks; tags follow the semicolon of a record, like first=Ada or second="Ben B."`},
		{"* dilemma", `record "* dilemma": a record is the rules, the moves and the result on one line, as in dilemma 7a 3b *`},
		{"chess *", `book "chess": no such book; ` + bookList()},
		{"dilemma size=3 *", `option "size=3": no such option; options are key=value with one of the keys target, pool, zero, width, place, win, final`},
		{"dilemma target=1 *", `target: 1 is out of range; allowed: 2 to 9999`},
		{"dilemma 7x *", `move "7x": the digit is not followed by a place; a move is a digit and a place a to h (7a), a digit and an end (4L, 4R), a digit (2), or a digit and a call (2=721)`},
		{"dilemma 7a target=8 *", `move "target=8": it does not begin with a digit; a move is a digit and a place a to h (7a), a digit and an end (4L, 4R), a digit (2), or a digit and a call (2=721)`},
		{"dilemma 7a 1-0", `result "1-0": a result is *, 1/2 equal, or 1-0 or 0-1 with one of multiple, miscalled, above, below, nearest, higher, lower, later, time, resigned, left, forfeit`},
		{"dilemma 7a * 3b", `result "* 3b": a result is *, 1/2 equal, or 1-0 or 0-1 with one of multiple, miscalled, above, below, nearest, higher, lower, later, time, resigned, left, forfeit`},
		{"dilemma 7a 7b *", `move 2: 7b: 7 is taken; left: 0 1 2 3 4 5 6 8 9`},
		{"dilemma 7a 3b 1c 5a 4b 2c 0a *", `move 7: 0a: the game is over: 0-1 multiple`},
		{"dilemma 7a 3b 1c 5a 4b 2c *", `result *: the moves end the game with 0-1 multiple`},
		{"dilemma 7a 3b 1c 5a 4b 2c 1-0 multiple", `result 1-0 multiple: the moves end the game with 0-1 multiple`},
		{"dilemma 7a 3b 1c 5a 4b 2c 0-1 above", `result 0-1 above: the moves end the game with 0-1 multiple`},
		{"dilemma 7a 3b 1c 5a 4b 2c 0-1 resigned", `result 0-1 resigned: the moves end the game with 0-1 multiple`},
		{"dilemma 7a 3b 1-0 multiple", `result 1-0 multiple: the moves do not end the game; allowed: *, and 1-0 or 0-1 with time, resigned, left or forfeit`},
		{"dilemma 7a 3b 1/2 equal", `result 1/2 equal: the moves do not end the game; allowed: *, and 1-0 or 0-1 with time, resigned, left or forfeit`},
		{"dilemma 7a 3b 1-0 time", `result 1-0 time: only the side to move loses by time, which is the first`},
		{"dilemma 7a 0-1 time", `result 0-1 time: only the side to move loses by time, which is the second`},
		{"dilemma 7a 0-1 forfeit", `result 0-1 forfeit: only the side to move loses by forfeit, which is the second`},
	} {
		rec, err := ParseRecord(test.line)
		if err == nil || err.Error() != test.want || !reflect.DeepEqual(rec, Record{}) {
			t.Errorf("%q: got %v, %v\nwant %s", test.line, rec, err, test.want)
		}
	}
}

// TestRecordErrorTypes checks the types of errors of a record.
func TestRecordErrorTypes(t *testing.T) {
	_, err := ParseRecord("dilemma 7a 7b *")
	wrong, refused := new(RecordError), new(MoveError)
	if !errors.As(err, &wrong) || wrong.Ply != 2 || !errors.As(err, &refused) ||
		refused.Move != (Move{Digit: 7, Spot: SlotAt(1)}) {
		t.Errorf("got the error %#v", err)
	}
	_, err = ParseRecord("dilemma 7a 1-0 multiple")
	if wrong = new(RecordError); !errors.As(err, &wrong) || wrong.Ply != 0 {
		t.Errorf("got the error %#v", err)
	}
}

// randomRecord returns the record of a complete random game.
func randomRecord(r Rules, rng *rand.Rand) Record {
	rec := Record{Rules: r}
	var p Position
	for m, ok := r.Pick(p, rng.IntN); ok; m, ok = r.Pick(p, rng.IntN) {
		rec.Moves = append(rec.Moves, m)
		p, _ = r.Play(p, m)
	}
	rec.Result = r.Result(p)
	return rec
}

// TestRecordRoundTrip writes and parses random games of the books and the variants.
func TestRecordRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, text := range append(BookNames(), variants...) {
		for range 50 {
			rec := randomRecord(rulesOf(t, text), rng)
			read, err := ParseRecord(rec.String())
			if err != nil || !reflect.DeepEqual(read, rec) {
				t.Fatalf("%v is read as %v, %v", rec, read, err)
			}
		}
	}
}
