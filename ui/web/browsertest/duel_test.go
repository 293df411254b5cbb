package browsertest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"digitduel/digit"
)

// A duel is a table with its players Ada and Ben, and the state that their pages should show.
type duel struct {
	t          *testing.T
	testServer *testServer
	id         string
	players    [2]*visitor // by seat
	tokens     [2]string   // of the seats, if known
	watcher    *visitor    // nil: none
	rules      digit.Rules
	starter    int // the seat that began this game
	moves      []digit.Move
}

// meet lets Ada create a table on the home page, and Ben join by the link.
func (srv *testServer) meet(t *testing.T, book string) *duel {
	t.Helper()
	if srv.site != nil {
		return srv.seat(t, params{"rules": book})
	}
	ada, ben := srv.visit(t, "Ada"), srv.visit(t, "Ben")
	ada.open("/")
	ada.set("#name", "Ada", "friend", "7") // the book's own target
	ada.submit(fmt.Sprintf("button[value=%q]", book))
	ada.reads("#turn", "Send this link to a friend")
	ben.open(ada.linkPath("#invite-link"))
	ben.reads("#turn", "Ada invites you")
	ben.write("#sit-name", "Ben")
	ben.click("[data-act=sit]")
	return srv.duel(t, strings.TrimPrefix(ada.path(), "/t/"), book, ada, ben)
}

// start starts a game of a book on the home page. against is computer, friend or anyone.
func (v *visitor) start(book, against string) {
	v.t.Helper()
	v.set("", "", against, "")
	v.submit(fmt.Sprintf("button[value=%q]", book))
}

// set submits the settings sheet of the home page with an opponent and, unless they are empty, a
// target and the text of a field.
func (v *visitor) set(field, text, against, aim string) {
	v.t.Helper()
	v.openSheet()
	v.click(fmt.Sprintf(".pill:has([name=opponent][value=%s])", against))
	if aim != "" {
		v.click(fmt.Sprintf(".pill:has([name=aim][value=%q])", aim))
	}
	if field != "" {
		v.write(field, text)
	}
	v.submit("#sheet .main")
}

// duel returns the duel at a table whose pages Ada and Ben have open.
func (srv *testServer) duel(t *testing.T, id, rules string, ada, ben *visitor) *duel {
	t.Helper()
	r, err := digit.ParseRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	return &duel{t: t, testServer: srv, id: id, players: [2]*visitor{ada, ben}, rules: r}
}

// openSheet opens the settings sheet of the home page and waits for its animation.
func (v *visitor) openSheet() {
	v.t.Helper()
	v.click("#how")
	v.sees("#sheet")
	v.until("for the sheet to stop moving", `() => {
		for (const motion of document.getAnimations()) motion.finish()
		return document.readyState === 'complete'
	}`)
}

// linkPath returns the path of a link that the page offers to copy.
func (v *visitor) linkPath(selector string) (path string) {
	v.t.Helper()
	v.until("for "+selector, `s => !!document.querySelector(s)`, selector)
	link := eval[string](v, `s => document.querySelector(s).value`, selector)
	return strings.TrimPrefix(link, "http://"+v.address)
}

// params are the fields of a request to the API.
type params map[string]any

// game creates a table, plays a line of moves through the API, and then opens the table for Ada.
func (srv *testServer) game(t *testing.T, ada *visitor, o params, line string) *duel {
	t.Helper()
	d := srv.duel(t, "", o["rules"].(string), ada, ada)
	path := ""
	if srv.site == nil {
		d.id, d.tokens = srv.newTable(t, o)
		path = "/t/" + d.id + "/seat/" + d.tokens[0]
	} else {
		path = ada.createTable(o)
		d.id = strings.TrimPrefix(path, "/t/")
	}
	for move := range strings.FieldsSeq(line) {
		d.send(move)
	}
	ada.open(path)
	return d
}

// send plays a move without using the page of the table.
func (d *duel) send(text string) {
	d.t.Helper()
	body := params{"move": text}
	if seat := d.seatOf(len(d.moves)); d.testServer.site == nil {
		path := "/api/tables/" + d.id + "/moves"
		d.testServer.post(d.t, path, d.tokens[seat], body, &struct{}{})
	} else {
		d.players[seat].post("/t/"+d.id+"/moves", body)
	}
	d.moves = append(d.moves, d.parse(text)...)
}

// createTable creates a table at the offline site, for two players on this device or against the
// computer.
func (v *visitor) createTable(o params) (path string) {
	v.t.Helper()
	form := params{"rules": o["rules"], "opponent": "phone", "name": "Ada", "other_name": "Ben"}
	if o["first"] != nil {
		form["first"] = o["first"]
	}
	if seats, ok := o["seats"].([2]string); ok {
		form["opponent"], form["level"] = "computer", seats[1]
	}
	return v.post("/tables", form)
}

// post sends a form from the open page and returns the path of the answer.
func (v *visitor) post(path string, form params) string {
	v.t.Helper()
	return eval[string](v, `async (path, form) => {
		const body = new URLSearchParams(form), answer = await fetch(path, {method: 'POST', body})
		if (!answer.ok) throw new Error(path + ': ' + answer.status + ' ' + await answer.text())
		return new URL(answer.url).pathname
	}`, path, form)
}

// seat creates a table through the API and opens it for Ada and Ben.
func (srv *testServer) seat(t *testing.T, o params) *duel {
	t.Helper()
	if srv.site != nil {
		d := srv.game(t, srv.visit(t, "Ada"), o, "")
		d.players[0].until("to be connected", live)
		return d
	}
	return srv.seatPlayers(t, o, srv.visit(t, "Ada"), srv.visit(t, "Ben"))
}

// seatPlayers is [testServer.seat] for visitors that exist already.
func (srv *testServer) seatPlayers(t *testing.T, o params, ada, ben *visitor) *duel {
	t.Helper()
	id, tokens := srv.newTable(t, o)
	d := srv.duel(t, id, o["rules"].(string), ada, ben)
	d.tokens = tokens
	for i, v := range d.players {
		v.open("/t/" + id + "/seat/" + tokens[i])
		v.until("to be connected", live)
	}
	return d
}

// live reports whether the page of a table is connected.
const live = `() => document.querySelector('#table')?.dataset.state === 'live'`

// newTable creates a table through the API. It returns the ID and, for each seat, its token or the
// invitation to it.
func (srv *testServer) newTable(t *testing.T, o params) (id string, tokens [2]string) {
	t.Helper()
	if o["names"] == nil {
		o["names"] = [2]string{"Ada", "Ben"}
	}
	var answer struct {
		ID    string
		Seats []struct{ Token, Invitation string }
	}
	srv.post(t, "/api/tables", "", o, &answer)
	for i, s := range answer.Seats {
		tokens[i] = s.Token + s.Invitation // one of them is empty
	}
	return answer.ID, tokens
}

// post sends a POST request to the API and decodes the answer. The test fails if the request does.
func (srv *testServer) post(t *testing.T, path, token string, body, answer any) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(
		t.Context(), http.MethodPost, srv.url(path), bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		t.Fatalf("POST %s: %s", path, response.Status)
	}
	if err := json.NewDecoder(response.Body).Decode(answer); err != nil {
		t.Fatal(err)
	}
}

// watch lets Eve watch by the public link. The offline site has none.
func (d *duel) watch() {
	d.t.Helper()
	if d.testServer.site != nil {
		return
	}
	d.watcher = d.testServer.visit(d.t, "Eve")
	d.watcher.open("/t/" + d.id)
}

// visitors returns the players and the watcher, if there is one.
func (d *duel) visitors() []*visitor {
	all := []*visitor{d.players[0], d.players[1]}
	if d.watcher != nil {
		all = append(all, d.watcher)
	}
	return all
}

// seatOf returns the seat, from 0, that makes a move; the first move is ply 0.
func (d *duel) seatOf(ply int) int { return (d.starter + ply) % 2 }

// A view is the state of a game that a page shows.
type view struct {
	Boards [2]string // by seat, "7_1"
	Turn   int       // the seat to move, from 1; 0: none
	Moves  []string  // for each: seat, digit and the player's number after it
}

// readView returns the view of a page.
const readView = `() => ({
	Boards: [1, 2].map(n => [...document.querySelectorAll('#board-' + n + ' .cell')].map(c =>
		c.matches('.full') ? c.querySelector('.well').textContent.trim() : c.closest('.slots') ? '_' : '').join('')),
	Turn: [1, 2].find(n => document.querySelector('#board-' + n + '.on')) ?? 0,
	Moves: [...document.querySelectorAll('#moves li')].map(m => [
		[1, 2].find(n => m.matches('.seat-' + n)), m.textContent.match(/(?:put|added|took|started with) (\w)/)[1],
		m.querySelector('.made').textContent].join(' ')),
})`

// expected returns the view that all pages should show.
func (d *duel) expected() view {
	var p digit.Position
	s := view{Moves: []string{}}
	for i, m := range d.moves {
		side := d.rules.Turn(p)
		var err error
		if p, err = d.rules.Play(p, m); err != nil {
			d.t.Fatal(err)
		}
		number := d.rules.Number(p, side)
		s.Moves = append(s.Moves, fmt.Sprintf("%d %v %v", d.seatOf(i)+1, m.Digit, number))
	}
	for side := range 2 {
		s.Boards[d.seatOf(side)] = d.rules.Number(p, digit.Side(side)).String()
	}
	if !d.rules.Result(p).Over() {
		s.Turn = d.seatOf(len(d.moves)) + 1
	}
	return s
}

// allShow waits until every page shows the expected view.
func (d *duel) allShow() {
	d.t.Helper()
	for _, v := range d.visitors() {
		d.shows(v)
	}
}

// shows waits until a page shows the expected view.
func (d *duel) shows(v *visitor) {
	d.t.Helper()
	want := d.expected()
	v.wait(fmt.Sprintf("for the game after %d moves", len(d.moves)), func() (bool, string) {
		got, err := tryEval[view](v, readView)
		if err != nil {
			return false, err.Error()
		}
		diff := cmp.Diff(want, got)
		return diff == "", diff
	})
}

// turn returns the player to move.
func (d *duel) turn() *visitor { return d.players[d.seatOf(len(d.moves))] }

// play plays moves by clicking. After each move it waits until every page shows it.
func (d *duel) play(line string) {
	d.t.Helper()
	for _, m := range d.parse(line) {
		d.turn().choose(m)
		d.moves = append(d.moves, m)
		d.allShow()
	}
}

func (d *duel) parse(line string) (moves []digit.Move) {
	d.t.Helper()
	for text := range strings.FieldsSeq(line) {
		m, err := digit.ParseMove(text)
		if err != nil {
			d.t.Fatal(err)
		}
		moves = append(moves, m)
	}
	return moves
}

// choose makes a move by clicking the digit and then the place, which plays it, or the call and
// then the play button.
func (v *visitor) choose(m digit.Move) {
	v.t.Helper()
	v.click(digitOf(m))
	switch calls := fmt.Sprintf("[data-calls=%q]", m.Digit); {
	case m.Call != digit.Number{}:
		v.click(fmt.Sprintf("%s [data-call=%q]", calls, m.Call))
		v.click("#play")
	case v.there(calls):
		v.click(calls + " [data-call=no]")
		v.click("#play")
	default:
		v.click(spotOf(m))
	}
}

// digitOf and spotOf return the selectors of the digit and the place of a move.
func digitOf(m digit.Move) string { return fmt.Sprintf("[data-digit=%q]", m.Digit) }

func spotOf(m digit.Move) string {
	if m.Spot == 0 {
		return "[data-spot=hand]"
	}
	return fmt.Sprintf("[data-spot=%q]", m.Spot)
}

// nextGame sets the expected state to the start of the next game.
func (d *duel) nextGame() {
	d.starter, d.moves = 1-d.starter, nil
}
