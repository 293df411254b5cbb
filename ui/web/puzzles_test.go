package web

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"digitduel/bot"
	"digitduel/coach"
	"digitduel/ui/gate"
)

// TestRandomPuzzles requests puzzles of each book, of any book and for levels, and solves them. The
// level that was chosen misses the winning move, and the next level finds it.
func TestRandomPuzzles(t *testing.T) {
	h := newTestServer(t)
	for _, test := range []struct{ book, level string }{
		{"dilemma", ""}, {"sevens", ""}, {"highest", ""}, {"divisibility", ""}, {"reverse", ""}, {"", ""}, {"", "casual"},
		{"dilemma", "beginner"}, {"dilemma", "expert"}, {"sevens", "novice"}, {"highest", "casual"}, {"divisibility", "skilled"},
	} {
		b := h.browser(t).get("/puzzle/all")
		b.press("button[class=main]", "book="+test.book, "level="+test.level)
		at := queryOf(t, b)
		if b.status != http.StatusOK || test.book != "" && at.Get("book") != test.book ||
			at.Get("level") != test.level {
			t.Fatalf("%v leads to %d %s", test, b.status, b.path)
		}
		z, err := h.posedAt(&http.Request{}, at)
		if err != nil {
			t.Fatal(err)
		}
		players := bot.Choosers(z.solution)
		for i, l := range bot.LevelNames() {
			if l == test.level &&
				(!coach.Fails(z.Puzzle, players[i]) || coach.Fails(z.Puzzle, players[i+1])) {
				t.Errorf("%v: %s does not suit the level", test, z.Position)
			}
		}
		answerPuzzle(b, wrongAnswer(t, z.Puzzle))
		if got := b.verdict(); !strings.HasPrefix(got, "Not ") ||
			b.page.one("button[data-act=show]") == nil {
			t.Errorf("%v: the verdict on a wrong answer is %q, or the answer cannot be shown",
				test, got)
		}
		answerPuzzle(b, z.Move)
		if got := b.textOf("div[id=answer]"); !strings.HasPrefix(got, "Right! ") ||
			!strings.Contains(got, "computer level") {
			t.Errorf("%v: the verdict is %q", test, got)
		}
		if b.page.one("button[id=play]") != nil || b.page.one("[data-link]") == nil {
			t.Errorf("%v: a solved puzzle can be answered again, or not shared", test)
		}
		b.press("button[data-act=again]")
		if next := queryOf(t, b); b.status != http.StatusOK ||
			next.Get("book") != at.Get("book") || next.Get("level") != test.level {
			t.Errorf("%v: another puzzle is %d %s", test, b.status, b.path)
		}
		b.get("/puzzle/all")
		if b.textOf("ul[class=figures]") != "0 days running0 best0 first tries" ||
			b.page.one("a[class=solved]") != nil || b.page.one("a[class=late]") != nil {
			t.Errorf("%v: a random puzzle counts as the puzzle of a day", test)
		}
	}
}

// queryOf returns the query of the page that a browser shows.
func queryOf(t *testing.T, b *browser) url.Values {
	t.Helper()
	at, err := url.Parse(b.path)
	if err != nil {
		t.Fatal(err)
	}
	return at.Query()
}

// TestNoPuzzle requests puzzles that do not exist, and sends invalid requests.
func TestNoPuzzle(t *testing.T) {
	h := newTestServer(t)
	b := h.browser(t).get("/puzzle/all")
	b.press("button[class=main]", "book=sevens", "level=beginner")
	const want = "No such puzzle was found. Choose another game or another level."
	if got := b.textOf("div[id=alert]"); b.status != http.StatusNotFound || got != want {
		t.Errorf("a puzzle that does not exist: %d %q, want %q", b.status, got, want)
	}
	got := valuesOf(b.page.one("form[id=random]")).Encode()
	if got != "book=sevens&level=beginner" {
		t.Errorf("the form does not keep the choices: %s", got)
	}
	for path, want := range map[string]int{
		"/puzzle?day=2024-12-31":                       404,
		"/puzzle?day=2025-01-01":                       200,
		"/puzzle?day=" + h.today().String():            200,
		"/puzzle?day=" + (h.today() + 1).String():      404,
		"/puzzle?book=dilemma&at=3_0/7__":              200,
		"/puzzle?book=dilemma&at=3_0/7__&level=casual": 200,
		"/puzzle?book=dilemma&at=___/___":              404,
		"/puzzle?book=dilemma&at=3_0/7__&level=dog":    422,
		"/puzzle?book=dilemma&at=7":                    422,
		"/puzzle?book=chess&at=3_0/7__":                422,
		"/puzzle/all?month=2024-12":                    404,
		"/puzzle/all?month=2126-01":                    404,
		"/puzzle/all?month=2026":                       422,
	} {
		if got := h.browser(t).get(path); got.status != want {
			t.Errorf("%s is %d %s, want %d", path, got.status, got.textOf("p"), want)
		}
	}
	for form, want := range map[string]int{
		"book=chess": 422, "level=perfect": 422, "level=dog": 422,
	} {
		values, _ := url.ParseQuery(form)
		if got := h.browser(t).post("/puzzle/random", values); got.status != want {
			t.Errorf("%s is %d, want %d", form, got.status, want)
		}
	}
}

// TestPuzzleWork checks that the search for a puzzle is charged to the visitor. After too much
// work, a search is refused, and given puzzles are still shown.
func TestPuzzleWork(t *testing.T) {
	h := newTestServer(t, func(p *testConfig) { p.Limits.Work, p.Now = 0.0001, ticking() })
	b := h.browser(t).get("/puzzle/all")
	b.press("button[class=main]", "book=sevens", "level=beginner") // a search that finds none
	if h.Afford(gate.Explaining, "192.0.2.7") == nil {
		t.Error("a search is not charged")
	}
	h.Charge(gate.Explaining, "192.0.2.7", time.Minute)
	b.get("/puzzle/all").press("button[class=main]", "book=dilemma")
	if b.status != http.StatusTooManyRequests ||
		!strings.Contains(b.text, "Your address has used a lot of computing time") {
		t.Errorf("after too much work, a search is answered with %d", b.status)
	}
	b.get("/puzzle?book=dilemma&at=3_0/7__")
	if b.status != http.StatusOK || strings.Contains(b.text, "computer levels") {
		t.Errorf("after too much work, a puzzle is answered with %d, or is rated", b.status)
	}
}

// TestDays checks the calendar of past puzzles, with a mark for each day, and the streak.
func TestDays(t *testing.T) {
	now := time.Date(2026, 3, 3, 12, 0, 0, 0, time.UTC)
	h := newTestServer(t, func(p *testConfig) { p.Now = func() time.Time { return now } })
	b := h.browser(t)
	for _, try := range []struct {
		on, day string
		right   string // for each try: yes, no, or show for the answer
	}{
		{"2026-02-25", "2026-02-25", "no no"}, {"2026-02-26", "2026-02-26", "no yes"}, {"2026-02-27", "2026-02-27", "yes"}, {"2026-02-28", "2026-02-28", "show"},
		{"2026-03-03", "2026-03-01", "no yes"}, {"2026-03-03", "2026-03-02", "no no"}, {"2026-03-03", "2025-01-01", "yes"}, {"2026-03-03", "2026-03-03", "yes"},
	} {
		today, err := time.Parse(time.DateOnly, try.on)
		if err != nil {
			t.Fatal(err)
		}
		now = today
		z := puzzleAt(t, h, try.day)
		for right := range strings.FieldsSeq(try.right) {
			m := wrongAnswer(t, z)
			if right == "yes" {
				m = z.Move
			}
			if b.get("/puzzle?day=" + try.day); right == "show" {
				b.press("button[data-act=show]")
			} else {
				answerPuzzle(b, m)
			}
		}
	}
	for _, test := range []struct{ month, want string }{
		{"", "1• 2 3✓! | - prev=2026-02"},
		{"2026-02", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25✗ 26• 27✓ 28✗ | next=2026-03 prev=2026-01"},
		{"2025-01", "1• 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 | next=2025-02 -"},
	} {
		var got []string
		b.get("/puzzle/all?month=" + test.month)
		for _, link := range b.page.one("table[id=days]").all("a") {
			text := strings.Fields(link.inner())[0] + link.one("i").inner()
			if link.attrs["aria-current"] == "date" {
				text += "!"
			}
			got = append(got, text)
		}
		got = append(got, "|")
		for _, rel := range []string{"next", "prev"} {
			to := "-"
			if link := b.page.one("a[rel=" + rel + "]"); link != nil {
				_, month, _ := strings.Cut(link.attrs["href"], "=")
				to = rel + "=" + strings.TrimSuffix(month, "#days")
			}
			got = append(got, to)
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.month, text, test.want)
		}
	}
	if got, want := b.textOf("ul[class=figures]"), "1 day running1 best2 first tries"; got != want {
		t.Errorf("the figures are %q, want %q", got, want)
	}
	got := b.get("/puzzle/all").page.one("table[id=days]").all("th")
	if len(got) != 7 || !strings.Contains(b.text, strings.Repeat("<td></td>", 6)+"<td><a") {
		t.Error("1 March 2026 is not a Sunday")
	}
}

// TestDiary checks that marks of days survive a round trip through the cookie, and that invalid
// cookies have none.
func TestDiary(t *testing.T) {
	days := map[coach.Day]coach.Mark{}
	for i := range coach.Day(500) {
		if mark := coach.Mark(i % 4); mark != coach.Untried {
			days[coach.FirstDay+i*7%500] = mark
		}
	}
	read := func(text string) map[coach.Day]coach.Mark {
		r, err := http.NewRequest("GET", "/puzzle", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Cookie", daysCookie+"="+text)
		return diaryOf(r).Days
	}
	if text := daysText(days); !maps.Equal(read(text), days) || len(text) != 167 {
		t.Errorf("a cookie of %d characters is read as %v", len(text), read(text))
	}
	for _, text := range []string{"", "%", "====", strings.Repeat("A", 2000)} {
		if got := read(text); len(got) > 0 {
			t.Errorf("%q is read as %v", text, got)
		}
	}
	for _, day := range []coach.Day{coach.FirstDay - 1, coach.FirstDay + 16_000} {
		if got := daysText(map[coach.Day]coach.Mark{day: coach.Solved}); got != "" {
			t.Errorf("%v is saved as %q", day, got)
		}
	}
}
