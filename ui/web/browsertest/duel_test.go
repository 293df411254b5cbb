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

// A duel is a table with Ada and Ben at it, and what the test knows of the game beside the pages.
type duel struct {
	t          *testing.T
	testServer *testServer
	id         string
	players    [2]*visitor // by seat
	tokens     [2]string   // of the seats, where the test has them
	watcher    *visitor    // nil: nobody watches
	rules      digit.Rules
	starter    int // the seat that began this game
	moves      []digit.Move
}

// meet lets Ada open a table on the home page, and Ben come by the link.
func (h *testServer) meet(t *testing.T, book string) *duel {
	t.Helper()
	if h.site != nil {
		return h.seat(t, order{"rules": book})
	}
	ada, ben := h.visit(t, "Ada"), h.visit(t, "Ben")
	ada.open("/")
	ada.set("#name", "Ada", "friend", "7") // the target as the book has it
	ada.submit(fmt.Sprintf("button[value=%q]", book))
	ada.reads("#turn", "Send this link to a friend")
	ben.open(ada.link("#invite-link"))
	ben.reads("#turn", "Ada invites you")
	ben.write("#sit-name", "Ben")
	ben.click("[data-act=sit]")
	return h.duel(t, strings.TrimPrefix(ada.path(), "/t/"), book, ada, ben)
}

// start begins a game of a book on the first page, against computer, friend or anyone.
func (v *visitor) start(book, against string) {
	v.t.Helper()
	v.set("", "", against, "")
	v.submit(fmt.Sprintf("button[value=%q]", book))
}

// set fills in the sheet of the first page: a text in a field, if there is one, an opponent and a target.
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

func (h *testServer) duel(t *testing.T, id, rules string, ada, ben *visitor) *duel {
	t.Helper()
	r, err := digit.ParseRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	return &duel{t: t, testServer: h, id: id, players: [2]*visitor{ada, ben}, rules: r}
}

// openSheet opens the sheet of the first page, and brings it to rest.
func (v *visitor) openSheet() {
	v.t.Helper()
	v.click("#how")
	v.sees("#sheet")
	v.until("for the sheet to rest", `() => {
		for (const motion of document.getAnimations()) motion.finish()
		return document.readyState === 'complete'
	}`)
}

// link returns where a link leads that the page shows to be copied.
func (v *visitor) link(selector string) (path string) {
	v.t.Helper()
	v.until("for "+selector, `s => !!document.querySelector(s)`, selector)
	return strings.TrimPrefix(ask[string](v, `s => document.querySelector(s).value`, selector), "http://"+v.address)
}

// An order is what the API is asked for when a test needs a table and not the way to it.
type order map[string]any

// game sets up a table, plays a line of moves without its page, and then opens it for Ada.
func (h *testServer) game(t *testing.T, ada *visitor, o order, line string) *duel {
	t.Helper()
	d := h.duel(t, "", o["rules"].(string), ada, ada)
	path := ""
	if h.site == nil {
		d.id, d.tokens = h.table(t, o)
		path = "/t/" + d.id + "/seat/" + d.tokens[0]
	} else {
		path = ada.order(o)
		d.id = strings.TrimPrefix(path, "/t/")
	}
	for move := range strings.FieldsSeq(line) {
		d.send(move)
	}
	ada.open(path)
	return d
}

// send plays a move without a page of the table.
func (d *duel) send(text string) {
	d.t.Helper()
	body := order{"move": text}
	if seat := d.seatOf(len(d.moves)); d.testServer.site == nil {
		path := "/api/tables/" + d.id + "/moves"
		d.testServer.post(d.t, path, d.tokens[seat], body, &struct{}{})
	} else {
		d.players[seat].post("/t/"+d.id+"/moves", body)
	}
	d.moves = append(d.moves, d.parse(text)...)
}

// order sets up a table at the offline site, for two on this device or against the computer.
func (v *visitor) order(o order) (path string) {
	v.t.Helper()
	form := order{"rules": o["rules"], "opponent": "phone", "name": "Ada", "other_name": "Ben"}
	if o["first"] != nil {
		form["first"] = o["first"]
	}
	if seats, ok := o["seats"].([2]string); ok {
		form["opponent"], form["level"] = "computer", seats[1]
	}
	return v.post("/tables", form)
}

// post sends a form from the page that is open, and returns the path of the answer.
func (v *visitor) post(path string, form order) string {
	v.t.Helper()
	return ask[string](v, `async (path, form) => {
		const body = new URLSearchParams(form), answer = await fetch(path, {method: 'POST', body})
		if (!answer.ok) throw new Error(path + ': ' + answer.status + ' ' + await answer.text())
		return new URL(answer.url).pathname
	}`, path, form)
}

// seat sets up a table by the API and lets Ada and Ben sit down at it.
func (h *testServer) seat(t *testing.T, o order) *duel {
	t.Helper()
	if h.site != nil {
		d := h.game(t, h.visit(t, "Ada"), o, "")
		d.players[0].until("to be connected", live)
		return d
	}
	return h.seatThem(t, o, h.visit(t, "Ada"), h.visit(t, "Ben"))
}

func (h *testServer) seatThem(t *testing.T, o order, ada, ben *visitor) *duel {
	t.Helper()
	id, tokens := h.table(t, o)
	d := h.duel(t, id, o["rules"].(string), ada, ben)
	d.tokens = tokens
	for i, v := range d.players {
		v.open("/t/" + id + "/seat/" + tokens[i])
		v.until("to be connected", live)
	}
	return d
}

// live is whether the page of a table is connected.
const live = `() => document.querySelector('#table')?.dataset.state === 'live'`

// table sets up a table by the API, and returns its name and the tokens of its seats, or the invitations to them.
func (h *testServer) table(t *testing.T, o order) (id string, tokens [2]string) {
	t.Helper()
	if o["names"] == nil {
		o["names"] = [2]string{"Ada", "Ben"}
	}
	var answer struct {
		ID    string
		Seats []struct{ Token, Invitation string }
	}
	h.post(t, "/api/tables", "", o, &answer)
	for i, s := range answer.Seats {
		tokens[i] = s.Token + s.Invitation // it has one of them
	}
	return answer.ID, tokens
}

// post asks the API for something that must go well.
func (h *testServer) post(t *testing.T, path, token string, body, answer any) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.url(path), bytes.NewReader(text))
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

// watch lets a visitor watch by the public link, if there is one.
func (d *duel) watch() {
	d.t.Helper()
	if d.testServer.site != nil {
		return
	}
	d.watcher = d.testServer.visit(d.t, "Eve")
	d.watcher.open("/t/" + d.id)
}

// everybody returns whoever looks at the table.
func (d *duel) everybody() []*visitor {
	all := []*visitor{d.players[0], d.players[1]}
	if d.watcher != nil {
		all = append(all, d.watcher)
	}
	return all
}

// seatOf returns the seat that makes a move of the game, counted from 0.
func (d *duel) seatOf(ply int) int { return (d.starter + ply) % 2 }

// A sight is what a page shows of a game.
type sight struct {
	Boards [2]string // by seat, "7_1"
	Turn   int       // the seat that is to move, from 1; 0: none
	Moves  []string  // seat, digit and the number it made
}

// shown reads a page.
const shown = `() => ({
	Boards: [1, 2].map(n => [...document.querySelectorAll('#board-' + n + ' .cell')].map(c => c.matches('.full') ?
		c.querySelector('.well').textContent.trim() : c.closest('.slots') ? '_' : '').join('')),
	Turn: [1, 2].find(n => document.querySelector('#board-' + n + '.on')) ?? 0,
	Moves: [...document.querySelectorAll('#moves li')].map(m => [
		[1, 2].find(n => m.matches('.seat-' + n)), m.textContent.match(/(?:put|added|took|started with) (\w)/)[1], m.querySelector('.made').textContent].join(' ')),
})`

// expected is what all pages are to show.
func (d *duel) expected() sight {
	var p digit.Position
	s := sight{Moves: []string{}}
	for i, m := range d.moves {
		side := d.rules.Turn(p)
		var err error
		if p, err = d.rules.Play(p, m); err != nil {
			d.t.Fatal(err)
		}
		s.Moves = append(s.Moves, fmt.Sprintf("%d %v %v", d.seatOf(i)+1, m.Digit, d.rules.Number(p, side)))
	}
	for side := range 2 {
		s.Boards[d.seatOf(side)] = d.rules.Number(p, digit.Side(side)).String()
	}
	if !d.rules.Result(p).Over() {
		s.Turn = d.seatOf(len(d.moves)) + 1
	}
	return s
}

// agree waits until every page shows the game as it stands.
func (d *duel) agree() {
	d.t.Helper()
	for _, v := range d.everybody() {
		d.shows(v)
	}
}

// shows waits until a page shows the game as it stands.
func (d *duel) shows(v *visitor) {
	d.t.Helper()
	want := d.expected()
	v.wait(fmt.Sprintf("for the game after %d moves", len(d.moves)), func() (bool, string) {
		got, err := try[sight](v, shown)
		if err != nil {
			return false, err.Error()
		}
		diff := cmp.Diff(want, got)
		return diff == "", diff
	})
}

// turn returns whose turn it is.
func (d *duel) turn() *visitor { return d.players[d.seatOf(len(d.moves))] }

// play plays moves by clicking, and waits after each until every page shows it.
func (d *duel) play(line string) {
	d.t.Helper()
	for _, m := range d.parse(line) {
		d.turn().choose(m)
		d.moves = append(d.moves, m)
		d.agree()
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

// choose makes a move by clicking: the digit, then the place, which plays it; or the call and the button.
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

// digitOf and spotOf are where the page has the digit and the place of a move.
func digitOf(m digit.Move) string { return fmt.Sprintf("[data-digit=%q]", m.Digit) }

func spotOf(m digit.Move) string {
	if m.Spot == 0 {
		return "[data-spot=hand]"
	}
	return fmt.Sprintf("[data-spot=%q]", m.Spot)
}

// again begins the next game of the duel in what the test knows.
func (d *duel) again() {
	d.starter, d.moves = 1-d.starter, nil
}
