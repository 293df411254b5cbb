package web

import (
	"fmt"
	"strings"
	"testing"

	"digitduel/coach"
	"digitduel/digit"
)

// seatAt opens the page of a table as the player on a seat.
func (t *table) seatAt(seat int) *browser {
	return t.browser(t.t).get("/t/" + t.id + "/seat/" + t.tokens[seat-1])
}

// TestShare checks the text and link that players and watchers share of a finished game. The link
// has no token.
func TestShare(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"dilemma","names":["Ada","Ben"]}`)
	table.play("1:7a 2:3b 1:1c 2:5a 1:4b")
	if table.seatAt(1).page.one("[data-link]") != nil {
		t.Error("a game in progress can be shared")
	}
	table.play("2:2c")
	game := "/t/" + table.id + "/games/1"
	for want, b := range map[string]*browser{
		"Ben beat me at Digit Dilemma: 532 = 7 × 76":  table.seatAt(1),
		"I beat Ada at Digit Dilemma: 532 = 7 × 76":   table.seatAt(2),
		"Ben beat Ada at Digit Dilemma: 532 = 7 × 76": h.browser(t).get(game),
	} {
		button := b.page.one("[data-link]")
		if button == nil || button.attrs["data-text"] != want || button.attrs["data-link"] != game {
			t.Errorf("%s shares %v, want %q", b.path, button, want)
		}
	}
}

// TestTurned checks that only the loser of a game is shown its turning point.
func TestTurned(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"dilemma","names":["Ada","Ben"]}`)
	table.play("1:7a 2:3b 1:1c 2:5a 1:4b 2:2c")
	ada := table.seatAt(1)
	const want = "◆ 5left 3middle blankright ● 7left 42 1right " +
		"Your last digit2 instead of 4: 721 = 7 × 103. Try it"
	if got := ada.textOf("section[id=turned]"); got != want {
		t.Errorf("the loser reads %q, want %q", got, want)
	}
	if link := ada.page.one("a[data-act=retry]"); link == nil ||
		link.attrs["href"] != "/t/"+table.id+"/games/1/retry?ply=5" {
		t.Errorf("the link to try the move again is %v", link)
	}
	for _, b := range []*browser{table.seatAt(2), h.browser(t).get("/t/" + table.id)} {
		if b.page.one("[id=turned]") != nil {
			t.Errorf("a reader who did not lose reads %q", b.textOf("[id=turned]"))
		}
	}
	other := h.open(`{"rules":"dilemma target=11","names":["Ada","Ben"]}`) // it is not solved yet
	if other.play("1:7a 1:resign"); other.seatAt(1).page.one("[id=turned]") != nil {
		t.Error("a game was solved only to find its turning point")
	}
}

// TestNothingHelped checks the pages for the loser of a game without mistakes.
func TestNothingHelped(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"dilemma","names":["Ada","Ben"]}`)
	solution, err := solved.Solve(t.Context(), digit.Dilemma)
	if err != nil {
		t.Fatal(err)
	}
	for p := (digit.Position{}); !digit.Dilemma.Result(p).Over(); {
		side := digit.Dilemma.Turn(p)
		hint, _ := coach.Advise(solution, p, coach.Reader(side))
		table.play(fmt.Sprintf("%d:%v", int(side)+1, hint.Move))
		p, _ = digit.Dilemma.Play(p, hint.Move)
	}
	const want = "Nothing would have helped against best play."
	got := table.seatAt(2).textOf("p[id=turned]")
	if got != want {
		t.Errorf("the loser reads %q, want %q", got, want)
	}
	got = table.seatAt(2).get("/t/" + table.id + "/games/1/retry").textOf("p[class=lead]")
	if got != "Nobody threw anything away in this game." &&
		got != "You threw nothing away in this game." {
		t.Errorf("the page to try mistakes again says %q", got)
	}
}

// TestRetry tries a mistake of a game again: with a wrong move, with the answer shown, and right.
func TestRetry(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"dilemma","names":["Ada","Ben"],"best_of":3}`)
	table.play("1:7a 2:3b 1:1c 2:5a 1:4b 2:2c")
	game := "/t/" + table.id + "/games/1"
	b := table.seatAt(1).get(game)
	link := b.page.one("a[data-act=retry]")
	if link == nil {
		t.Fatalf("the review has no link to the mistake:\n%s", b.text)
	}
	b.get(link.attrs["href"])
	const task = "Find a better move Move 5 was 4 in the middle."
	if got := b.textOf("div[id=answer]"); got != task {
		t.Errorf("the page asks %q, want %q", got, task)
	}
	for _, tt := range []struct{ choice, want string }{
		{"4b", "Not 4 in the middle. Player 2 makes 532"},
		{"show", "For example, 2 in the middle. 721 = 7 × 103"},
		{"9b", "Right! "},
		{"2b", "Right! 721 = 7 × 103"},
	} {
		if tt.choice == "show" {
			b.get(game + "/retry?ply=5").press("button[data-act=show]")
		} else {
			b.get(game + "/retry?ply=5")
			b.press("button[id=play]", "digit="+tt.choice[:1], "spot="+tt.choice[1:])
		}
		if got := b.verdict(); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: the verdict is %q, want %q", tt.choice, got, tt.want)
		}
	}
	const want = "You threw nothing away in this game."
	if got := table.seatAt(2).get(game + "/retry").textOf("p[class=lead]"); got != want {
		t.Errorf("Ben reads %q, want %q", got, want)
	}
	for query, want := range map[string]int{
		"?ply=4": 422, "?ply=x": 422, "?ply=5&move=7a": 422, "?ply=5&move=?": 422,
		"?ply=5&digit=": 422, "?ply=5&digit=2": 422,
	} {
		if b.get(game + "/retry" + query); b.status != want {
			t.Errorf("%s: %d, want %d", query, b.status, want)
		}
	}
	table.play("1:next 2:next 2:9a")
	if b.get("/t/" + table.id + "/games/2/retry"); b.status != 409 {
		t.Errorf("the mistakes of a game in progress: %d", b.status)
	}
}

// TestRetryOwn checks that players get their own mistakes to try again, whichever seat started.
func TestRetryOwn(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"dilemma","names":["Ada","Ben"],"first":2}`)
	table.play("2:7a 1:3b 2:1c 1:5a 2:4b 1:2c")
	for seat, want := range map[int]string{
		1: "You threw nothing away in this game.", 2: "Move 5 was 4 in the middle.",
	} {
		if got := table.seatAt(seat).get("/t/" + table.id + "/games/1/retry"); !strings.Contains(
			got.text, want) {
			t.Errorf("seat %d does not read %q", seat, want)
		}
	}
}
