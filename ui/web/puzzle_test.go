package web

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/rulebook"
)

// TestPuzzle solves the puzzles of a week, the first one at the second try.
func TestPuzzle(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	h := newTestServer(t, func(p *testConfig) { p.Now = func() time.Time { return now } })
	b := h.browser(t)
	for day := range 7 {
		posed, err := h.puzzleOf(&http.Request{}, h.today())
		if err != nil {
			t.Fatal(err)
		}
		solution, z := posed.solution, posed.Puzzle
		if day == 0 {
			wrong := wrongAnswer(t, z)
			verdict, err := coach.Judge(solution, z.At, wrong, coach.Reader(z.Rules.Turn(z.At)))
			if err != nil {
				t.Fatal(err)
			}
			answerPuzzle(b.get("/puzzle"), wrong)
			if got := b.verdict(); !strings.HasPrefix(got, "Not ") || got != verdict.Text {
				t.Errorf("%v: the verdict on a wrong answer is %q, want %q", z, got, verdict.Text)
			}
			b.press("button[data-act=show]")
			want := coach.Answer(solution, z.At, coach.Reader(z.Rules.Turn(z.At)))
			if got := b.verdict(); got != want {
				t.Errorf("%v: the answer shown is %q, want %q", z, got, want)
			}
		}
		answerPuzzle(b.get("/puzzle"), z.Move)
		if share := b.page.one("[data-link]"); day == 6 && (share == nil ||
			share.attrs["data-text"] != "Digit Duel, 7 March: first try. 6 days running." ||
			share.attrs["data-link"] != "/puzzle?day=2026-03-07") {
			t.Errorf("%v is shared as %v", z, share)
		}
		right, _ := coach.Judge(solution, z.At, z.Move, coach.Reader(z.Rules.Turn(z.At)))
		if b.verdict() != right.Text {
			t.Errorf("%v: the verdict is %q, want %q", z, b.verdict(), right.Text)
		}
		if got := b.get("/puzzle").textOf("h2[id=turn]"); got != "Right!" {
			t.Errorf("%v: after the puzzle is solved, the page says %q", z, got)
		}
		want := []string{
			"", "1 day running", "2 days running", "3 days running", "4 days running",
			"5 days running", "6 days running",
		}[day]
		if got := b.textOf("span[id=streak]"); got != want {
			t.Errorf("%v: the streak is %q, want %q", z, got, want)
		}
		now = now.AddDate(0, 0, 1)
	}
	now = now.AddDate(0, 0, -1)
	answerPuzzle(b.get("/puzzle?day=2026-02-01"), puzzleAt(t, h, "2026-02-01").Move)
	if b.page.one("[id=streak]") != nil {
		t.Error("an old puzzle counts for the streak")
	}
	if share := b.page.one("[data-link]"); share == nil ||
		share.attrs["data-text"] != "Digit Duel, 1 February: first try." {
		t.Errorf("an old puzzle is shared as %v", share)
	}
	z := puzzleAt(t, h, "2026-02-01")
	at := url.Values{"book": {z.Rules.Book().Name}, "at": {z.Position}} // without a day
	answerPuzzle(b.get("/puzzle?"+at.Encode()), z.Move)
	if share := b.page.one("[data-link]"); share == nil ||
		share.attrs["data-text"] != "Digit Duel, "+rulebook.Name(z.Rules)+": first try." {
		t.Errorf("a puzzle without a day is shared as %v", share)
	}
}

// verdict returns the verdict on an answer, as one text.
func (b *browser) verdict() string {
	head, text := b.textOf("h2[id=turn]"), b.textOf("p[id=message]")
	if b.page.one("p[id=message]") == nil {
		text = b.textOf("p[class=why]")
	}
	if !strings.HasSuffix(head, "!") {
		head += "."
	}
	return head + " " + text
}

// answerPuzzle answers a puzzle with its form.
func answerPuzzle(b *browser, m digit.Move) {
	choices := []string{"digit=" + m.Digit.String(), "spot=" + m.Spot.String()}
	switch call := "call" + m.Digit.String(); {
	case m.Call != digit.Number{}:
		choices = append(choices, call+"="+m.Call.String())
	case b.page.one("input[name="+call+"]") != nil:
		choices = append(choices, call+"="+noCall)
	}
	b.press("button[id=play]", choices...)
}

// wrongAnswer returns a legal move that does not solve a puzzle.
func wrongAnswer(t *testing.T, z coach.Puzzle) digit.Move {
	for m := range z.Rules.Moves(z.At) {
		if m != z.Move {
			return m
		}
	}
	t.Fatalf("%v has no wrong answer", z)
	return digit.Move{}
}

// puzzleAt returns the puzzle of a day.
func puzzleAt(t *testing.T, h *testServer, text string) coach.Puzzle {
	t.Helper()
	day, err := coach.ParseDay(text)
	if err != nil {
		t.Fatal(err)
	}
	z, err := h.puzzleOf(&http.Request{}, day)
	if err != nil {
		t.Fatal(err)
	}
	return z.Puzzle
}

// TestDaysCookie checks that the streak can be read from the marks of the days in the cookie.
func TestDaysCookie(t *testing.T) {
	const first = coach.FirstDay + 500
	d := coach.Diary{}
	for _, try := range []struct {
		today, day coach.Day
		right      bool
	}{
		{first, first, true}, {first + 1, first + 1, true}, {first + 2, first + 2, false},
		{first + 2, first + 2, true}, {first + 3, first + 3, true}, {first + 6, first + 5, true},
		{first + 7, first + 7, true}, {first + 8, first + 8, true}, {first + 9, first + 9, true},
	} {
		d = d.After(try.today, try.day, try.right)
		r := httptest.NewRequest("GET", "/puzzle", nil)
		r.AddCookie(&http.Cookie{Name: daysCookie, Value: daysText(d.Days)})
		got := diaryOf(r)
		if got.On(try.today) != d.On(try.today) || got.Longest != d.Longest ||
			got.Solved != d.Solved || !maps.Equal(got.Days, d.Days) {
			t.Errorf("after trying the puzzle of %v on %v: got %+v, want %+v",
				try.day, try.today, got, d)
		}
	}
	for _, text := range []string{"", "x", "***", strings.Repeat("_", 4*mostMarks)} {
		r := httptest.NewRequest("GET", "/puzzle", nil)
		r.AddCookie(&http.Cookie{Name: daysCookie, Value: text})
		if got := diaryOf(r); len(got.Days) > 0 || got.Tried > 0 {
			t.Errorf("%.10q is read as %+v", text, got)
		}
	}
}

// TestPuzzleTries solves a puzzle at the third try and checks the text to share, without the move.
func TestPuzzleTries(t *testing.T) {
	h := newTestServer(t)
	b := h.browser(t).get("/puzzle?day=2026-02-01")
	z := puzzleAt(t, h, "2026-02-01")
	for range 2 {
		if answerPuzzle(b, wrongAnswer(t, z)); b.page.one("[data-link]") != nil {
			t.Error("an unsolved puzzle can be shared")
		}
	}
	answerPuzzle(b, z.Move)
	if share := b.page.one("[data-link]"); share == nil ||
		share.attrs["data-text"] != "Digit Duel, 1 February: third try." ||
		share.attrs["data-link"] != "/puzzle?day=2026-02-01" {
		t.Errorf("the third try is shared as %v", share)
	}
	for text, want := range map[string]int{
		"": 0, "3": 3, "-1": 0, "x": 0, "999999": 7, "99999999999999999999999": 7,
	} {
		if got := wrongOf(url.Values{"wrong": {text}}); got != want {
			t.Errorf("%q is read as %d wrong tries, want %d", text, got, want)
		}
	}
}
