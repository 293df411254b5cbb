package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/rulebook"
)

// TestMoreBooks adds two books that this package has no texts for, and checks that every page and
// the API have them, and that they can be played to the end.
func TestMoreBooks(t *testing.T) {
	theDocument() // before the books change: other tests use it
	had := digit.Books
	t.Cleanup(func() { digit.Books = had })
	digit.Books = slices.Concat(had, []digit.Book{
		{Name: "lowest4", Title: "Digit Duel", Rules: digit.Rules{Pool: 1<<10 - 1, Place: digit.Slots, Width: 4, Zero: digit.Barred, Final: digit.FinalBy(digit.Lower)}},
		{Name: "grow16", Title: "Growing Duel", Rules: digit.Rules{Pool: 1<<16 - 2, Place: digit.Ends, Width: 3, Target: 13, Win: digit.EachTurn, Final: digit.FinalBy(digit.Nearest)}},
	})
	h := newTestServer(t)
	for _, book := range digit.Books[len(had):] {
		ada, ben := h.pair(t, book.Name)
		for turn := ada; h.state(ada.id()).Playing(); {
			state := h.state(ada.id())
			for m := range book.Rules.Moves(state.Position) {
				turn.get("/t/"+ada.id()).press("button[id=play]", "digit="+m.Digit.String(),
					"spot="+m.Spot.String())
				break
			}
			if turn.status != http.StatusOK || h.state(ada.id()).Seq == state.Seq {
				t.Fatalf("%s: %d %s", book.Name, turn.status, turn.textOf("div[id=alert]"))
			}
			if turn = ada; h.state(ada.id()).Turn() == 1 {
				turn = ben
			}
		}
		table := h.open(`{"rules":"` + book.Name + `"}`)
		if got := table.say("look").String(); !strings.Contains(got, "playing") {
			t.Errorf("%s: the API says %s", book.Name, got)
		}
		table.play("1:resign 1:publish 2:publish") // the game of Ada and Ben is private
		for path, selector := range map[string]string{
			"/rules": "ul", "/rules/" + book.Name: "h1", "/new?book=" + book.Name: "h1", "/new": "select[id=book]",
			"/games": "ul", "/games?book=" + book.Name: "ul",
			"/t/" + ada.id(): "h1", "/t/" + ada.id() + "/games/1": "h1",
		} {
			if got := ada.get(path).textOf(selector); ada.status != http.StatusOK ||
				!strings.Contains(got, book.Title) {
				t.Errorf("%s: %d, %s is %q, want %q", path, ada.status, selector, got, book.Title)
			}
		}
		if got := ada.get("/").textOf("button[value=" + book.Name + "]"); !strings.Contains(got, rulebook.Name(book.Rules)) {
			t.Errorf("the home page shows %s as %q", book.Name, got)
		}
		if r := h.ask("GET", "/api/games?book="+url.QueryEscape(book.Name), "",
			""); r.status != http.StatusOK || !strings.Contains(r.text, book.Name) {
			t.Errorf("games of %s: %d %s", book.Name, r.status, r.text)
		}
		if text := makeDocument(); strings.Count(text, book.Name) < 2 {
			t.Errorf("%s is not in the document", book.Name)
		}
	}
}
