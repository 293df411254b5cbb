package browsertest_test

import (
	"net/http"
	"testing"
)

// advice selects all elements that could reveal the value of moves.
const advice = "#hint, .verdict, [data-act=hint]"

// TestHints checks that two players get no hints until both agree.
func TestHints(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	d := srv.seat(t, params{"rules": "dilemma"})
	d.watch()
	ada, ben := d.players[0], d.players[1]
	d.play("7a")
	none := func() {
		t.Helper()
		for _, v := range d.visitors() {
			if n := eval[int](v, `s => document.querySelectorAll(s).length`, advice); n != 0 {
				t.Errorf("%s: there are %d hints", v.name, n)
			}
			for _, path := range []string{
				"/t/" + d.id + "?hint=1", "/t/" + d.id + "/games/1", "/t/" + d.id + "/games/1?ply=0",
			} {
				if n := eval[int](v, `async (path, s) => {
					const answer = await (await fetch(path)).text()
					const page = new DOMParser().parseFromString(answer, 'text/html')
					return page.querySelectorAll(s + ', .grade, .chart').length
				}`, path, advice); n != 0 {
					t.Errorf("%s: %s has %d hints", v.name, path, n)
				}
			}
			first := eval[string](v, firstMessage, "/t/"+d.id+"/live?after=0&hint=1", advice)
			if first != "nothing" {
				t.Errorf("%s: the stream has %s", v.name, first)
			}
		}
		if status := d.askHint(1); status != http.StatusForbidden {
			t.Errorf("without consent, the API answers %d, want 403", status)
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
		t.Errorf("with consent, the API answers %d, want 200", status)
	}
	const verdicts = `() => document.querySelectorAll('#move .verdict').length`
	if eval[int](ben, verdicts) == 0 || eval[int](ada, verdicts) > 0 {
		t.Error("not only the player to move sees verdicts on the digits")
	}
	if n := eval[int](d.watcher, `s => document.querySelectorAll(s).length`, advice); n != 0 {
		t.Errorf("the watcher sees %d hints", n)
	}
	ben.click("#menu > summary")
	ben.click("#menu [data-act=no-hints]")
	ada.until("for the hint to go", `() => !document.querySelector('#hint')`)
	none()
}

// askHint asks the API for a hint for a seat, and returns the status of the answer.
func (d *duel) askHint(seat int) (status int) {
	d.t.Helper()
	url := d.testServer.url("/api/tables/" + d.id + "/hint")
	r, err := http.NewRequestWithContext(d.t.Context(), http.MethodGet, url, nil)
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

// firstMessage returns the advice in the first message of a table's stream, or "nothing".
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

// TestHintsAlone asks for hints against the computer, which always allows them.
func TestHintsAlone(t *testing.T) { atBoth(t, true, hintsAlone) }

func hintsAlone(t *testing.T, srv *testServer) {
	ada := srv.visit(t, "Ada")
	ada.open("/")
	ada.start("dilemma", "computer")
	ada.click("[data-act=hint]")
	ada.click("#hint-move summary")
	ada.reads("#hint-move", "Put ")
	ada.click(`[data-digit="7"]`)
	ada.sees(`[data-spot="a"] .verdict.for-7`)
	ada.click("[data-act=no-hint]")
	ada.until("for the hint to go",
		`s => ![...document.querySelectorAll(s)].some(e => !e.matches('[data-act=hint]'))`, advice)
}
