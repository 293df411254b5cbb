package browsertest_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
)

// A schoolClass is a class that was created through the API.
type schoolClass struct {
	*testServer
	ID, Code, Invitation, Director, Wall string
	tokens                               []string // of the pupils
}

// class creates a class and lets pupils join it.
func (srv *testServer) class(t *testing.T, o params, names ...string) *schoolClass {
	t.Helper()
	c := &schoolClass{testServer: srv}
	srv.post(t, "/api/classes", "", o, c)
	for _, name := range names {
		var ticket struct{ Token string }
		body := params{"invitation": c.Invitation, "name": name}
		srv.post(t, "/api/classes/"+c.ID+"/join", "", body, &ticket)
		c.tokens = append(c.tokens, ticket.Token)
	}
	return c
}

// act sends an act of the director.
func (c *schoolClass) act(t *testing.T, act string) {
	t.Helper()
	c.post(t, "/api/classes/"+c.ID+"/acts", c.Director, params{"act": act}, &struct{}{})
}

// get sends a GET request to the API and decodes the answer. The test fails if the status is not
// OK.
func (srv *testServer) get(t *testing.T, path, token string, answer any) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.url(path), nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	err = json.NewDecoder(response.Body).Decode(answer)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %s %v", path, response.Status, err)
	}
}

// A pupilSeat is the API's answer that names the seat of a pupil.
type pupilSeat struct {
	You struct {
		Table, Token string
		Seat         int
	}
}

// play finishes the game of a pupil: with the moves of line, then with random moves.
func (c *schoolClass) play(t *testing.T, pupil int, rng *rand.Rand, line ...string) {
	t.Helper()
	tokens := map[string][2]string{}
	var mine string
	for i, token := range c.tokens {
		var at pupilSeat
		c.get(t, "/api/classes/"+c.ID, token, &at)
		both := tokens[at.You.Table]
		if at.You.Seat > 0 {
			both[at.You.Seat-1] = at.You.Token
			tokens[at.You.Table] = both
		}
		if i == pupil {
			mine = at.You.Table
		}
	}
	for tokens[mine][0] != "" && tokens[mine][1] != "" { // both players use the API
		var table struct {
			Phase string
			Legal []string
			Turn  string
			Seats []struct{ Side string }
		}
		c.get(t, "/api/tables/"+mine, "", &table)
		if table.Phase != "playing" {
			return
		}
		seat := 0
		if table.Seats[1].Side == table.Turn {
			seat = 1
		}
		move := table.Legal[rng.IntN(len(table.Legal))]
		if len(line) > 0 {
			move, line = line[0], line[1:]
		}
		path := "/api/tables/" + mine + "/moves"
		c.post(t, path, tokens[mine][seat], params{"move": move}, &struct{}{})
	}
}

// join lets a visitor join by the invitation link.
func (c *schoolClass) join(v *visitor, name string) {
	v.t.Helper()
	v.open("/c/" + c.ID + "/join/" + c.Invitation)
	v.write("#first", name)
	v.submit("button.main")
}

var pupils = strings.Fields("Ada Ben Cleo Dan Elif Finn Greta Hugo Ida Jonas Kim Lea Mats Omar " +
	"Pia Quinn Rosa Sami Tess Uli Vera Wim Xenia Yuki Zoe Maximilian محمد 小明 Anna-Lena Øyvind")

// TestClassPages checks the pages of classes on phones in both orientations and on a projector, in
// light and dark mode.
func TestClassPages(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	open := srv.class(t, params{"title": "7b", "turn_time": "5m"}, pupils[:24]...)
	roster := srv.class(t, params{"title": "8a", "names": pupils})
	v := srv.visit(t, "Nora")
	look := func(name, path string) {
		t.Helper()
		v.open(path)
		t.Run(name, func(t *testing.T) { v.forSubtest(t).checkClassPage(name) })
	}
	look("join by code", "/class")
	look("new", "/class/new")
	look("join by link", "/c/"+open.ID+"/join/"+open.Invitation)
	look("join by list", "/c/"+roster.ID+"/join/"+roster.Invitation)
	look("rejoin", "/c/"+open.ID+"/rejoin")
	look("wall before", "/c/"+open.ID+"/wall/"+open.Wall)
	look("director before", "/c/"+open.ID+"/direct/"+open.Director)
	look("director's link", "/c/"+open.ID+"/direct?show=link")
	look("director's names", "/c/"+open.ID+"/direct?show=names")
	open.join(v, "Nora")
	look("waiting", v.path())

	playing := srv.class(t, params{"title": "Class 7b", "turn_time": "5m"}, pupils...)
	playing.join(v, "Nora")
	playing.act(t, "start")
	playing.act(t, "pause")
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 12 {
		playing.play(t, i, rng, "7a", "1a", "3b", "2b", "5c") // 735
	}
	v.open("/c/" + playing.ID + "/me")
	look("a game", v.path())
	// Without a table, Nora has no opponent, since the number of pupils is odd.
	if eval[bool](v, `() => location.pathname.startsWith('/t/')`) {
		v.click("#menu > summary")
		v.click("#resign summary")
		v.click("[data-act=resign]")
		v.sees("[data-act=class]")
		look("the end of a game", v.path())
	}
	v.open("/c/" + playing.ID + "/me")
	v.reads("#now", "A short break")
	look("between games", v.path())
	v.open("/c/" + playing.ID + "/wall/" + playing.Wall)
	v.reads(".wins", "735 = 21 × 35")
	look("watching", "/c/"+playing.ID)
	look("wall", "/c/"+playing.ID+"/wall/"+playing.Wall)
	look("director", "/c/"+playing.ID+"/direct/"+playing.Director)
	for _, show := range []string{"code", "names", "games", "results", "rejoin&pupil=2", "end"} {
		look("director's "+show, "/c/"+playing.ID+"/direct?show="+show)
	}
	playing.act(t, "end")
	playing.act(t, "end") // the second time, at once
	look("report", "/c/"+playing.ID+"/me")
	look("wall after", "/c/"+playing.ID+"/wall/"+playing.Wall)
	look("director after", "/c/"+playing.ID+"/direct")
	look("certificates", "/c/"+playing.ID+"/certificates")
}

// checkClassPage checks the open page on all screen sizes.
func (v *visitor) checkClassPage(name string) {
	v.t.Helper()
	for i, size := range [][2]int64{{320, 568}, {390, 844}, {844, 390}, {1280, 800}} {
		v.size(size[0], size[1])
		v.fits(size[0])
		v.largeTargets(false)
		for _, scheme := range []string{"light", "dark"} {
			checked := i == 0 && scheme == "light" || nightly && i == 3 && scheme == "dark"
			if checked || artifacts() {
				v.scheme(scheme)
				if checked {
					v.axe(fmt.Sprintf("%d %s", size[0], scheme), scheme == "dark")
				}
				v.screenshot(fmt.Sprintf("%s %d %s", name, size[0], scheme))
			}
		}
	}
}

// TestClassLive runs a class with two phones, the director and the wall: all pages update by
// themselves.
func TestClassLive(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	c := srv.class(t, params{"title": "7b", "wait": "1s"})
	director, wall := srv.visit(t, "Director"), srv.visit(t, "Wall")
	director.open("/c/" + c.ID + "/direct/" + c.Director)
	wall.open("/c/" + c.ID + "/wall/" + c.Wall)
	ada, ben := srv.visit(t, "Ada"), srv.visit(t, "Ben")
	c.join(ada, "Ada")
	wall.reads("#count", "1 player is here")
	c.join(ben, "Ben")
	wall.reads(".people", "Ben")
	director.reads("#now", "2 players are here.")
	if director.there(".letters") || strings.Contains(director.text("main"), c.Code) {
		t.Error("the director's page shows the code before it is asked for")
	}
	director.submit("[value=start]")
	for _, v := range []*visitor{ada, ben} {
		v.until("to be at the table", `() => location.pathname.startsWith('/t/')`)
		v.sees("#turn")
	}
	table := ada.path()
	wall.reads("#now", "1 game under way")
	ada.click("#menu > summary")
	ada.click("#resign summary")
	ada.click("[data-act=resign]")
	ben.reads("#turn", "You win!")
	for _, v := range []*visitor{ada, ben} {
		v.until("to be back in the class", `() => location.pathname.endsWith('/me')`)
	}
	ada.reads("main", "You are 2nd of 2")
	ada.reads("#now", "Your next game opens here")
	ben.reads("#now", "Are you there, Ben?") // because he has not moved
	ben.submit("[value=back]")
	ben.reads("main", "You are 1st of 2")
	wall.reads(".ranks", "Ben")
	for _, v := range []*visitor{ada, ben} { // after the wait, they are paired again
		v.until("to be at the next table",
			`table => location.pathname.startsWith('/t/') && location.pathname !== table`, table)
	}
	director.open("/c/" + c.ID + "/direct?show=end")
	director.submit("[value=end]")
	ada.click("#menu > summary")
	ada.click("#resign summary")
	ada.click("[data-act=resign]")
	ben.until("to read the result",
		`() => document.querySelector('#now')?.textContent.startsWith('The class is over')`)
	wall.reads("#now", "Well played!")
	director.reads("#now", "The class is over.")
}

// tap clicks a random digit and then a random place, if it is the visitor's turn. If the page
// changes meanwhile, it reports false, and the caller tries again.
func tap(v *visitor, rng *rand.Rand) (moved bool) {
	const free = `() => {
		if (!document.querySelector('#turn')?.textContent.startsWith('Your turn')) return []
		return ['digit', 'spot'].map(name => [...document.querySelectorAll('#move [data-' + name + ']')]
			.map(e => '[data-' + name + '="' + e.dataset[name] + '"]'))
	}`
	choices, err := tryEval[[][]string](v, free)
	if err != nil {
		return false
	}
	for _, all := range choices {
		if len(all) == 0 {
			return false
		}
		at, err := tryEval[struct {
			point
			Why string
		}](v, aim, all[rng.IntN(len(all))])
		if err != nil || at.Why != "" {
			return false
		}
		v.call("tap", mouse(input.DispatchMouseEventTypeMousePressed, at.point, 1),
			mouse(input.DispatchMouseEventTypeMouseReleased, at.point, 0))
	}
	return len(choices) > 0
}

// TestClassOfThirty plays a class of one minute on thirty phones at the same time.
func TestClassOfThirty(t *testing.T) {
	if !nightly {
		t.Skip("for make nightly")
	}
	srv := sharedServer(t)
	c := srv.class(t, params{"title": "7b", "minutes": 1, "wait": "2s"})
	phones := make([]*visitor, len(pupils))
	for i, name := range pupils {
		phones[i] = srv.visit(t, name)
		c.join(phones[i], name)
	}
	c.act(t, "start")
	var now struct{ Phase string }
	taps, rng := 0, rand.New(rand.NewPCG(1, 1))
	for now.Phase != "over" {
		for _, v := range phones {
			if tap(v, rng) {
				taps++
			}
		}
		c.get(t, "/api/classes/"+c.ID, c.Director, &now)
	}
	for _, v := range phones {
		v.until("to read the result",
			`() => document.querySelector('#now')?.textContent.startsWith('The class is over')`)
	}
	var all struct {
		Standings []struct{ Games int }
		Pairings  []struct{ Points []int }
	}
	c.get(t, "/api/classes/"+c.ID, c.Director, &all)
	t.Logf("%d taps, %d games", taps, len(all.Pairings))
	for i, row := range all.Standings {
		if row.Games == 0 {
			t.Errorf("row %d of the standings has no games", i+1)
		}
	}
}
