package digit

import (
	"errors"
	"testing"
)

// TestResultText checks that exactly the sensible results are parsed back from their texts.
func TestResultText(t *testing.T) {
	seen := map[string]bool{}
	for score := range Draw + 1 {
		for reason := range Resignation + 1 {
			r := Result{score, reason}
			text := r.String()
			read, err := ParseResult(text)
			decided := score == FirstWins || score == SecondWins
			sensible := score == Open && reason == NoReason || score == Draw && reason == Equal ||
				decided && reason != NoReason && reason != Equal
			if sensible != (err == nil) || sensible && read != r || seen[text] {
				t.Errorf("%+v is written %q and read as %v, %v", r, text, read, err)
			}
			seen[text] = true
		}
	}
}

func TestResultErrors(t *testing.T) {
	for _, text := range []string{"", " ", "1", "1-0", "0-1", "1/2", "1-1 higher", "* higher",
		"1/2 higher", "1-0 equal", "1-0 because", "1-0  higher", "1-0 higher ", " *", "* "} {
		r, err := ParseResult(text)
		want := `result "` + text + `": a result is *, 1/2 equal, or 1-0 or 0-1 with one of multiple, miscalled, above, below, nearest, higher, lower, later, time, resigned, left, forfeit`
		if wrong := new(ParseError); !errors.As(err, &wrong) || err.Error() != want ||
			r != (Result{}) {
			t.Errorf("got %v, %v\nwant %s", r, err, want)
		}
	}
}

func TestWinner(t *testing.T) {
	for score, want := range map[Score]string{Open: "", Draw: "", FirstWins: "first",
		SecondWins: "second"} {
		got := ""
		if s, ok := (Result{Score: score}).Winner(); ok {
			got = s.String()
		}
		if got != want {
			t.Errorf("%v is won by %q, want %q", score, got, want)
		}
	}
	for _, s := range []Side{First, Second} {
		if winner, ok := (Result{Score: WinFor(s)}).Winner(); !ok || winner != s ||
			s.Other().Other() != s || s.Other() == s {
			t.Errorf("WinFor(%v) is won by %v, %v", s, winner, ok)
		}
	}
}

// TestOrders checks how each order compares two values, with target 10.
func TestOrders(t *testing.T) {
	for _, test := range []struct {
		order         Order
		first, second int
		want          string
	}{
		{Above, 18, 27, "1-0 above"},
		{Above, 20, 29, "0-1 above"},
		{Above, 28, 18, "1/2 equal"},
		{Below, 21, 32, "1-0 below"},
		{Below, 29, 20, "0-1 below"},
		{Below, 21, 31, "1/2 equal"},
		{Nearest, 19, 22, "1-0 nearest"},
		{Nearest, 25, 24, "0-1 nearest"},
		{Nearest, 19, 21, "1/2 equal"},
		{Nearest, 20, 21, "1-0 nearest"},
		{Higher, 2, 1, "1-0 higher"},
		{Higher, 1, 2, "0-1 higher"},
		{Higher, 2, 2, "1/2 equal"},
		{Lower, 1, 2, "1-0 lower"},
		{Lower, 2, 1, "0-1 lower"},
		{Lower, 2, 2, "1/2 equal"},
		{Later, 1, 2, "0-1 later"},
		{Later, 2, 1, "0-1 later"},
	} {
		r := Rules{Target: 10, Final: FinalBy(test.order)}
		if got := r.decide(test.first, test.second, Second).String(); got != test.want {
			t.Errorf("%v of %d and %d: got %s, want %s",
				test.order, test.first, test.second, got, test.want)
		}
	}
}

// TestNoTarget checks that rules without a target have no multiples, and no distances to one.
func TestNoTarget(t *testing.T) {
	n, _ := readPlaces("777")
	if Highest.isMultiple(n) {
		t.Error("777 is a multiple without a target")
	}
	for _, o := range []Order{Above, Below, Nearest} {
		if Highest.Measure(o, 777) != Highest.Measure(o, 778) {
			t.Errorf("%v measures a distance without a target", o)
		}
	}
}

// TestSideText checks that sides are parsed back from their texts.
func TestSideText(t *testing.T) {
	for _, s := range []Side{First, Second} {
		text, _ := s.MarshalText()
		back := s.Other()
		if err := back.UnmarshalText(text); err != nil || back != s {
			t.Errorf("%s is read back as %v, %v", text, back, err)
		}
	}
	var s Side
	if err := s.UnmarshalText([]byte("left")); err == nil || err.Error() != `side "left": allowed: first, second` {
		t.Error(err)
	}
}
