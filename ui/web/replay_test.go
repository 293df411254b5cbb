package web

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"digitduel/coach"
	"digitduel/solve"
)

// TestReplay checks the pages of a finished game, with its review.
func TestReplay(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"dilemma","names":["Ada","Ben"],"best_of":3}`)
	table.play("1:7a 2:3b 1:1c 2:5a 1:4b 2:2c 2:next 1:next 2:9a")
	b := h.browser(t)
	for _, test := range []struct{ query, selector, want string }{
		{"1", "h2[id=turn]", "Ben won"},
		{"1", "p[class=num]", "532 = 7 × 76"},
		{"1", "ol[id=moments]", "Move 5 of 6 Ada put 4 in the middle turning point Ada missed 2 in the middle, which wins at once."},
		{"1", "a[href=/t/" + table.id + "/games/1?ply=6]", "All 6 moves"},
		{"1?ply=6", "[id=status]", "532 = 7 × 76. Ben wins!"},
		{"1?ply=6", "span[class=ply]", "after move 6 of 6"},
		{"1?ply=6", "section[id=board-1]", "● Ada 7left 4middle 1right 741 = 7 × 105 + 6"},
		{"1?ply=0", "section[id=board-1]", "● Ada to move blankleft blankmiddle blankright"},
		{"1?ply=3", "section[id=board-1]", "● Ada put 1 on the right 7left"},
		{"1?ply=3", "section[id=board-2]", "◆ Ben to move blankleft 3middle"},
		{"1?ply=6", "ol", "Ada put 4 in the middle ✗✗ blunder 741 Ada missed 2 in the middle, which wins at once."},
		{"1?ply=6", "section[aria-labelledby=moves-name]", "Ada's third move decided it. 2 or 9 in the middle would have won. Ada got 2 of 3 decisions right."},
		{"1?ply=6", "desc", "Ada was winning until move 5; from there Ben was."},
		{"1?ply=6", "pre", "dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple"},
		{"2", "section[aria-labelledby=moves-name]", "The game is under way; there is a review when it is over."},
		{"2", "p[id=about]", "Game 2: ◆ Ben began, ● Ada answered, "},
	} {
		got := b.get("/t/" + table.id + "/games/" + test.query).textOf(test.selector)
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: %s is %q, want %q", test.query, test.selector, got, test.want)
		}
	}
	compared := h.open(`{"rules":"dilemma"}`)
	compared.play("1:1a 2:0b 1:3b 2:6a 1:4c 2:7c")
	b.get("/t/" + compared.id + "/games/1?ply=6")
	for selector, want := range map[string]string{
		"section[id=board-1]": "134 is 6 short of 140 = 7 × 20",
		"[id=status]":         "607 is 2 short of a multiple of 7; 134 is 6 short. Player 2 wins.",
	} {
		if got := b.textOf(selector); !strings.Contains(got, want) {
			t.Errorf("%s is %q, want %q", selector, got, want)
		}
	}
	b.get("/t/" + table.id + "/games/2")
	if b.page.one("figure") != nil || strings.Contains(b.text, `class="tag`) {
		t.Errorf("a game in progress is reviewed:\n%s", b.text)
	}
	for query, want := range map[string]int{
		"0": 404, "3": 404, "-1": 404, "x": 404, "1?ply=7": 422, "1?ply=-1": 422, "1?ply=x": 422,
	} {
		if b.get("/t/" + table.id + "/games/" + query); b.status != want {
			t.Errorf("%s: %d, want %d", query, b.status, want)
		}
	}
}

// TestMoments checks the key moments in the review of a game for one of its players: at most three,
// in order of play. A mistake of the reader shows the better digit, the turning point can be tried
// again, and only the one winning move is called best.
func TestMoments(t *testing.T) {
	h := newTestServer(t)
	for _, tt := range []struct {
		rules, moves string
		reader       int
		want         string
	}{
		{"dilemma", "2c 7b 3a 8a 0b 5c", 1, "Move 1 of 6 You put 2 on the right 0 instead of 2 keeps the win. ghost 0 | " +
			"Move 3 of 6 You put 3 on the left best You found the only winning move out of 16. | " +
			"Move 5 of 6 You put 0 in the middle turning point 9 instead of 0: 392 = 7 × 56. Try it ghost 9"},
		{"dilemma", "7a 3b 5c 9a 1b 8c", 1, "Move 3 of 6 You put 5 on the right turning point 1 instead of 5: then 721 and 791 both win. Try it ghost 1"},
		{"dilemma", "7a 3b 1c 2a 9b", 1, "Move 5 of 5 You put 9 in the middle best You found the only winning move out of 6."},
		{"dilemma", "7a 3b 1c 2a 9b", 2, ""},
		{"divisibility target=33", "7R 1R 6L 3L 4L 9L 8L 5L 2R", 1, "Move 1 of 9 You started with 7 2 instead of 7 keeps the win. ghost 2 | Move 9 of 9 You added 2 on the right turning point 2 on the left instead: 28467 is 21 over. Try it ghost 2"},
	} {
		table := h.open(`{"rules":"` + tt.rules + `","names":["Ada","Ben"]}`)
		for i, move := range strings.Fields(tt.moves) {
			table.play([]string{"1:", "2:"}[i%2] + move)
		}
		b := table.seatAt(tt.reader).get("/t/" + table.id + "/games/1")
		var got []string
		for _, li := range b.page.all("li") {
			if !strings.HasPrefix(li.attrs["class"], "moment") {
				continue
			}
			text := li.inner()
			text = text[strings.Index(text, "Move "):]
			for _, cell := range li.all("li") {
				if strings.Contains(cell.attrs["class"], "ghost") {
					digits := strings.Fields(cell.inner())
					text += " ghost " + digits[len(digits)-1][len(digits[len(digits)-1])-1:]
				}
			}
			got = append(got, strings.Join(strings.Fields(text), " "))
		}
		if text := strings.Join(got, " | "); text != tt.want {
			t.Errorf("%s %s:\n got %s\nwant %s", tt.rules, tt.moves, text, tt.want)
		}
		lead := b.textOf("p[class=lead]")
		if tt.want == "" && !strings.Contains(lead, "Nobody made a mistake.") {
			t.Errorf("%s %s: the review of a game without mistakes says %q",
				tt.rules, tt.moves, lead)
		}
	}
}

// TestReplaySteps follows the links between the moves of a game, from the start to the end and
// back.
func TestReplaySteps(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"divisibility","names":["Ada","Ben"]}`)
	table.play("1:4R 2:3R 1:2R")
	b := h.browser(t).get("/t/" + table.id + "/games/1?ply=0")
	for _, rel := range []string{"next", "next", "next", "prev", "first", "last"} {
		link := b.page.one("a[rel=" + rel + "]")
		if link == nil {
			t.Fatalf("%s has no link %s", b.path, rel)
		}
		b.get(link.attrs["href"])
	}
	if got := b.textOf("section[id=board-1]"); !strings.Contains(got, "42 = 7 × 6") {
		t.Errorf("at the end, the board is %q", got)
	}
	if b.page.one("a[rel=next]") != nil {
		t.Error("the last position has a link to the next")
	}
}

// TestRecordFile downloads the record of a game.
func TestRecordFile(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		table := h.open(`{"rules":"divisibility target=11","names":["Ada","Ben"],"first":2}`)
		table.play("2:4R 1:3R")
		time.Sleep(time.Hour)
		b := h.browser(t).get("/t/" + table.id + "/games/1/record")
		name := "attachment; filename=\"divisibility-" + table.id + "-1.txt\""
		if b.header.Get("Content-Disposition") != name ||
			!strings.HasPrefix(b.header.Get("Content-Type"), "text/plain") {
			t.Errorf("the headers are %v, want %s", b.header, name)
		}
		const record = "divisibility target=11 4R 3R *; first=Ben second=Ada starts=2 " +
			"at=2000-01-01T00:00:00Z\n"
		if b.text != record {
			t.Errorf("the file has %q, want %q", b.text, record)
		}
		const about = "Game 1: ◆ Ben began, ● Ada answered, 1 January 2000, 00:00 UTC."
		if got := b.get("/t/" + table.id + "/games/1").textOf("p[id=about]"); got != about {
			t.Errorf("the page has %q, want %q", got, about)
		}
	})
}

// TestTooLarge checks the review and the hint of a game that is too large to solve.
func TestTooLarge(t *testing.T) {
	h := newTestServer(t, func(p *testConfig) {
		p.Solver = &solve.Solver{Config: solve.Config{Budget: 1 << 10}}
	})
	table := h.open(`{"rules":"dilemma","hints":true}`)
	table.play("1:7a 2:resign")
	b := h.browser(t).get("/t/" + table.id + "/games/1")
	if got := b.textOf("section[aria-labelledby=moves-name]"); b.status != http.StatusOK ||
		!strings.Contains(got, "too large to be solved here") {
		t.Errorf("%d: the review is %q", b.status, got)
	}
	ada, _ := h.pair(t, "dilemma", "hints=always")
	got := ada.get("/t/" + ada.id() + "?hint=1").textOf("section[id=hint]")
	if !strings.Contains(got, "too large to be analysed here") {
		t.Errorf("the hint is %q", got)
	}
}

// TestReviewOnce checks that the review of a game is computed once, although several clients
// request it at once and later. A canceled one is not cached.
func TestReviewOnce(t *testing.T) {
	// The new solver has not solved the game yet.
	h := newTestServer(t, func(p *testConfig) { p.Solver = new(solve.Solver) })
	table := h.open(`{"rules":"dilemma"}`)
	table.play("1:7a 2:3b 1:1c 2:resign")
	state := h.state(table.id)
	cast := viewer{}.narrator(state).Sides()
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.reviewOf(asked(canceled), state, cast); !errors.Is(err, context.Canceled) ||
		len(h.reviews.entries) > 0 {
		t.Errorf("canceled: error %v, and %d reviews are cached", err, len(h.reviews.entries))
	}
	var all [4]coach.Review
	var calls sync.WaitGroup
	for i := range all {
		calls.Go(func() {
			var err error
			if all[i], err = h.reviewOf(asked(t.Context()), state, cast); err != nil {
				t.Error(err)
			}
		})
	}
	calls.Wait()
	for range 2 {
		h.browser(t).get("/t/" + table.id + "/games/1?ply=2")
	}
	again, _ := h.reviewOf(asked(t.Context()), state, cast)
	for _, rv := range append(all[:], again) {
		if len(rv.Moves) != 3 || &rv.Moves[0] != &all[0].Moves[0] {
			t.Error("the game was reviewed twice")
		}
	}
	if n := len(h.reviews.entries); n != 1 || h.reviews.most != mostReviews {
		t.Errorf("%d reviews of one game are cached, of at most %d", n, h.reviews.most)
	}
}
