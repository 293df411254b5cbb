package web

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"digitduel/match"
)

// TestHintsNeedConsent checks that pages and streams have hints only while both players agree, and
// never for watchers.
func TestHintsNeedConsent(t *testing.T) {
	h := newTestServer(t)
	ada, ben := h.pair(t, "dilemma")
	id := ada.id()
	watcher := h.browser(t)
	expect := func(when string, allowed bool) {
		t.Helper()
		for name, b := range map[string]*browser{"Ada": ada, "Ben": ben, "the watcher": watcher} {
			for _, headers := range [][]string{nil, {"X-Requested-With: duel"}} {
				b.get("/t/"+id+"?hint=1", headers...)
				has := strings.Contains(b.text, "badge") ||
					strings.Contains(b.text, `id=\"hint\"`) || strings.Contains(b.text, `id="hint"`)
				if want := allowed && name != "the watcher"; has != want {
					t.Errorf("%s: %s gets hints: %v, want %v\n%s", when, name, has, want, b.text)
				}
			}
		}
		stream := h.listen(t, watcher, "/t/"+id+"/live?hint=1")
		defer stream.leave()
		if text := stream.next("table"); strings.Contains(text, "badge") {
			t.Errorf("%s: the watcher is sent hints: %s", when, text)
		}
	}
	expect("nobody agreed", false)
	ada.get("/t/" + id).press("button[data-act=hints]")
	expect("one agreed", false)
	if got := ben.get("/t/" + id).textOf("form[id=hints-asked]"); !strings.Contains(got,
		"Ada wants hints for both of you. Agree?") {
		t.Errorf("Ben's page shows %q", got)
	}
	ben.press("button[data-act=hints]")
	expect("both agreed", true)
	ada.get("/t/" + id).press("button[data-act=no-hints]")
	expect("one withdrew", false)
	ada.get("/t/" + id).press("button[data-act=hints]")
	ada.get("/t/" + id).press("button[data-act=resign]")
	expect("the game is over", false)
}

// TestAnalysis checks the hints for a position.
func TestAnalysis(t *testing.T) {
	h := newTestServer(t)
	ada, ben := h.pair(t, "dilemma", "hints=always")
	for move := range strings.FieldsSeq("7a 3b 1c 5a") {
		mover := ada
		if h.state(ada.id()).Turn() == match.Two {
			mover = ben
		}
		mover.get("/t/"+mover.id()+"?hint=1").press("button[id=play]", "digit="+move[:1],
			"spot="+move[1:])
	}
	ada.get("/t/" + ada.id() + "?hint=1")
	if got, want := ada.textOf("details[id=hint-move]"),
		"Put 2 in the middle: 721 = 7 × 103. 2 of your 6 moves win."; !strings.Contains(got, want) {
		t.Errorf("the hint is %q, want %q", got, want)
	}
	if got, want := ada.textOf("label[data-digit=2]"), "2wins, wins this turn"; got != want {
		t.Errorf("the label of the digit is %q, want %q", got, want)
	}
	if got := ben.get("/t/" + ben.id() + "?hint=1").textOf("section[id=hint]"); !strings.HasPrefix(got, "The other player’s moves") {
		t.Errorf("Ben's page shows %q", got)
	}
}

// TestHeavyHints keeps the solution of a heavy game in use: hints for a heavy game wait, hints for
// a book do not.
func TestHeavyHints(t *testing.T) {
	h := newTestServer(t)
	heavy, light := h.open(`{"rules":"dilemma width=4","hints":true}`),
		h.open(`{"rules":"dilemma","hints":true}`)
	// Solve the game first: on a busy machine that takes longer than a request may wait.
	if _, err := h.Solver.Solve(t.Context(), h.state(heavy.id).Setup.Rules); err != nil {
		t.Fatal(err)
	}
	_, done, err := h.solved(asked(t.Context()), "", h.state(heavy.id).Setup.Rules)
	if err != nil {
		t.Fatal(err)
	}
	if got := light.say("1:hint"); got.status != http.StatusOK {
		t.Errorf("a book: %v", got)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := h.solved(asked(gone), "",
		h.state(heavy.id).Setup.Rules); !errors.Is(err, context.Canceled) {
		t.Errorf("a heavy game while another one is in use: %v", err)
	}
	done()
	if got := heavy.say("1:hint"); got.status != http.StatusOK {
		t.Errorf("a heavy game: %v", got)
	}
}
