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

// TestRandomPuzzles asks for puzzles of every book, of any, and for levels, and solves them: each has one winning move, the level misses
// it, and the next one does not.
func TestRandomPuzzles(t *testing.T) {
	h := newTestServer(t)
	for _, test := range []struct{ book, level string }{
		{"dilemma", ""}, {"sevens", ""}, {"highest", ""}, {"divisibility", ""}, {"reverse", ""}, {"", ""}, {"", "casual"},
		{"dilemma", "beginner"}, {"dilemma", "expert"}, {"sevens", "novice"}, {"highest", "casual"}, {"divisibility", "skilled"},
	} {
		b := h.browser(t).get("/puzzle/all").press("button[class=main]", "book="+test.book, "level="+test.level)
		at := queryOf(t, b)
		if b.status != http.StatusOK || test.book != "" && at.Get("book") != test.book || at.Get("level") != test.level {
			t.Fatalf("%v leads to %d %s", test, b.status, b.path)
		}
		z, err := h.posedAt(&http.Request{}, at)
		if err != nil {
			t.Fatal(err)
		}
		players := bot.Choosers(z.solution)
		for i, l := range bot.LevelNames() {
			if l == test.level && (!coach.Fails(z.Puzzle, players[i]) || coach.Fails(z.Puzzle, players[i+1])) {
				t.Errorf("%v: %s is not for that level", test, z.Position)
			}
		}
		answerPuzzle(b, wrongAnswer(t, z.Puzzle))
		if got := b.verdict(); !strings.HasPrefix(got, "Not ") || b.page.one("button[data-act=show]") == nil {
			t.Errorf("%v: a wrong answer is told as %q", test, got)
		}
		answerPuzzle(b, z.Move)
		if got := b.textOf("div[id=answer]"); !strings.HasPrefix(got, "Right! ") || !strings.Contains(got, "computer level") {
			t.Errorf("%v: the answer is told as %q", test, got)
		}
		if b.page.one("button[id=play]") != nil || b.page.one("[data-link]") == nil {
			t.Errorf("%v: what is solved is asked again, or not shared", test)
		}
		if b.press("button[data-act=again]"); b.status != http.StatusOK || queryOf(t, b).Get("book") != at.Get("book") || queryOf(t, b).Get("level") != test.level {
			t.Errorf("%v: another one is %d %s", test, b.status, b.path)
		}
		if b.get("/puzzle/all"); b.textOf("ul[class=figures]") != "0 days running0 best0 first tries" || b.page.one("a[class=solved]") != nil || b.page.one("a[class=late]") != nil {
			t.Errorf("%v: a puzzle of no day is kept as that of one", test)
		}
	}
}

func queryOf(t *testing.T, b *browser) url.Values {
	t.Helper()
	at, err := url.Parse(b.path)
	if err != nil {
		t.Fatal(err)
	}
	return at.Query()
}

// TestNoPuzzle asks for what there is none of, and for what cannot be asked for.
func TestNoPuzzle(t *testing.T) {
	h := newTestServer(t)
	b := h.browser(t).get("/puzzle/all").press("button[class=main]", "book=sevens", "level=beginner")
	if got := b.textOf("div[id=alert]"); b.status != http.StatusNotFound || got != "No such puzzle was found. Choose another game or another level." {
		t.Errorf("a puzzle that there is not: %d %q", b.status, got)
	}
	if got := valuesOf(b.page.one("form[id=random]")).Encode(); got != "book=sevens&level=beginner" {
		t.Errorf("the form has forgotten what was asked for: %s", got)
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
	for form, want := range map[string]int{"book=chess": 422, "level=perfect": 422, "level=dog": 422} {
		values, _ := url.ParseQuery(form)
		if got := h.browser(t).post("/puzzle/random", values); got.status != want {
			t.Errorf("%s is %d, want %d", form, got.status, want)
		}
	}
}

// TestPuzzleWork: looking for a puzzle costs its time, and who has had much worked out gets none looked for, and sees those that are there.
func TestPuzzleWork(t *testing.T) {
	h := newTestServer(t, func(p *testConfig) { p.Limits.Work, p.Now = 0.0001, ticking() })
	b := h.browser(t).get("/puzzle/all")
	b.press("button[class=main]", "book=sevens", "level=beginner") // there is none, which takes a while to find out
	if h.Afford(gate.Explaining, "192.0.2.7") == nil {
		t.Error("a search costs nothing")
	}
	h.Charge(gate.Explaining, "192.0.2.7", time.Minute)
	if b.get("/puzzle/all").press("button[class=main]", "book=dilemma"); b.status != http.StatusTooManyRequests || !strings.Contains(b.text, "Your address has used a lot of computing time") {
		t.Errorf("after much work a search is %d", b.status)
	}
	if b.get("/puzzle?book=dilemma&at=3_0/7__"); b.status != http.StatusOK || strings.Contains(b.text, "computer levels") {
		t.Errorf("after much work a puzzle is %d, or told how hard it is", b.status)
	}
}

// TestDays keeps what came of each day, and shows it in a calendar with the days in a row.
func TestDays(t *testing.T) {
	now := time.Date(2026, 3, 3, 12, 0, 0, 0, time.UTC)
	h := newTestServer(t, func(p *testConfig) { p.Now = func() time.Time { return now } })
	b := h.browser(t)
	for _, try := range []struct {
		on, day string
		right   string // of each try
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
		t.Errorf("the days in a row are %q, want %q", got, want)
	}
	if got := b.get("/puzzle/all").page.one("table[id=days]").all("th"); len(got) != 7 || !strings.Contains(b.text, "<td></td><td></td><td></td><td></td><td></td><td></td><td><a") {
		t.Error("the first of March 2026 is no Sunday")
	}
}

// TestDiary keeps marks of days and reads them again, and takes what is not written so for none.
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
		t.Errorf("%d characters are read as %v", len(text), read(text))
	}
	for _, text := range []string{"", "%", "====", strings.Repeat("A", 2000)} {
		if got := read(text); len(got) > 0 {
			t.Errorf("%q is read as %v", text, got)
		}
	}
	for _, day := range []coach.Day{coach.FirstDay - 1, coach.FirstDay + 16_000} {
		if got := daysText(map[coach.Day]coach.Mark{day: coach.Solved}); got != "" {
			t.Errorf("%v is kept as %q", day, got)
		}
	}
}
