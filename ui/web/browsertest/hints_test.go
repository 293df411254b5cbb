package browsertest_test

import (
	"net/http"
	"testing"
)

// advice is whatever a page could tell of what moves are worth.
const advice = "#hint, .verdict, [data-act=hint]"

// TestHints looks for hints between two people, where there are none until both agree.
func TestHints(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	d := h.seat(t, order{"rules": "dilemma"})
	d.watch()
	ada, ben := d.players[0], d.players[1]
	d.play("7a")
	none := func() {
		t.Helper()
		for _, v := range d.everybody() {
			if n := ask[int](v, `s => document.querySelectorAll(s).length`, advice); n != 0 {
				t.Errorf("%s: there are %d hints", v.name, n)
			}
			for _, path := range []string{"/t/" + d.id + "?hint=1", "/t/" + d.id + "/games/1", "/t/" + d.id + "/games/1?ply=0"} {
				if n := ask[int](v, `async (path, s) => {
					const answer = await (await fetch(path)).text()
					return new DOMParser().parseFromString(answer, 'text/html').querySelectorAll(s + ', .grade, .chart').length
				}`, path, advice); n != 0 {
					t.Errorf("%s: %s has %d hints", v.name, path, n)
				}
			}
			if first := ask[string](v, firstMessage, "/t/"+d.id+"/live?after=0&hint=1", advice); first != "nothing" {
				t.Errorf("%s: the stream has %s", v.name, first)
			}
		}
		if status := d.askHint(1); status != http.StatusForbidden {
			t.Errorf("a program that asks for a hint is answered %d", status)
		}
	}
	none()
	ada.click("#menu > summary")
	ada.click("#menu [data-act=hints]")
	ben.reads("#hints-asked", "Ada wants hints")
	none()
	ben.click("#hints-asked [data-act=hints]")
	for _, v := range d.players {
		v.click("[data-act=hint]")
		v.sees("#hint")
		v.sees("#hint-move summary")
	}
	if status := d.askHint(1); status != http.StatusOK {
		t.Errorf("with everybody's consent, a program that asks for a hint is answered %d", status)
	}
	const verdicts = `() => document.querySelectorAll('#move .verdict').length`
	if ask[int](ben, verdicts) == 0 || ask[int](ada, verdicts) > 0 {
		t.Error("verdicts are on the digits of who is to move, and on nobody else's")
	}
	if n := ask[int](d.watcher, `s => document.querySelectorAll(s).length`, advice); n != 0 {
		t.Errorf("who watches has %d hints", n)
	}
	ben.click("#menu > summary")
	ben.click("#menu [data-act=no-hints]")
	ada.until("the hint to go", `() => !document.querySelector('#hint')`)
	none()
}

// askHint asks for a hint as a program does that plays for a seat.
func (d *duel) askHint(seat int) (status int) {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), http.MethodGet, d.testServer.url("/api/tables/"+d.id+"/hint"), nil)
	if err != nil {
		d.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+d.tokens[seat])
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

// firstMessage reads the first message about the table from a stream, and returns "nothing" if no advice is in it.
const firstMessage = `(url, s) => new Promise(done => {
	const source = new EventSource(url)
	source.addEventListener('table', e => {
		source.close()
		const t = document.createElement('template')
		t.innerHTML = JSON.parse(e.data).html
		const found = t.content.querySelector(s)
		done(found ? found.outerHTML : 'nothing')
	})
})`

// TestHintsAlone asks for hints against the computer, who has nothing against them.
func TestHintsAlone(t *testing.T) { atBoth(t, true, hintsAlone) }

func hintsAlone(t *testing.T, h *testServer) {
	ada := h.visit(t, "Ada")
	ada.open("/")
	ada.start("dilemma", "computer")
	ada.click("[data-act=hint]")
	ada.click("#hint-move summary")
	ada.reads("#hint-move", "Put ")
	ada.click(`[data-digit="7"]`)
	ada.sees(`[data-spot="a"] .verdict.for-7`)
	ada.click("[data-act=no-hint]")
	ada.until("the hint to go", `s => ![...document.querySelectorAll(s)].some(e => !e.matches('[data-act=hint]'))`, advice)
}
