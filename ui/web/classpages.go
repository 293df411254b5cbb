package web

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"digitduel/class"
	"digitduel/match"
	"digitduel/rulebook"
)

const (
	pupilCookie  = "pupil"  // the token of a pupil; each class has its own, by the path
	directCookie = "direct" // the token of the director, likewise
)

// routeClasses adds the pages of class tournaments.
func (s *Server) routeClasses(
	route func(pattern string, handle func(w http.ResponseWriter, r *http.Request) error),
) {
	if s.Classes == nil {
		return
	}
	route("GET /class", s.pageJoinByCode)
	route("POST /class", s.postJoin)
	route("GET /class/new", s.pageNewClass)
	route("POST /class/new", s.postNewClass)
	route("GET /c/{id}", s.pageWatchClass)
	route("GET /c/{id}/live", s.liveClass)
	route("GET /c/{id}/join/{invitation}", s.pageJoinByLink)
	route("POST /c/{id}/join", s.postJoin)
	route("GET /c/{id}/rejoin", s.pageRejoin)
	route("POST /c/{id}/rejoin", s.postRejoin)
	route("GET /c/{id}/me", s.pagePupil)
	route("POST /c/{id}/friendly", s.postFriendly)
	route("POST /c/{id}/acts", s.postClassAct)
	route("GET /c/{id}/wall/{token}", s.pageWall)
	route("GET /c/{id}/direct/{token}", s.enterDirector)
	route("GET /c/{id}/direct", s.pageDirector)
	route("GET /c/{id}/standings.csv", s.standingsFile)
	route("GET /c/{id}/certificates", s.pageCertificates)
}

// A classPage is a class as its pages show it.
type classPage struct {
	*class.State
	Class  *class.Class
	Now    time.Time
	Rows   []class.Standing
	Pupil  int        // the viewer; 0: not a pupil
	About  int        // the pupil that a part of the director's page is about
	Show   string     // the part of the director's page to show
	Alert  string     // why the last request was refused
	Links  []joinLink // to join or rejoin, for scanning
	Wall   string     // the link of the wall
	Port   string     // of the server, if links work only on this machine
	Secret string     // the link of the director
	Long   []longGame
	Made   []madeSum
	Last   *scene // the pupil's last game
	Table  string // the page is that of a table
	Number int    // of that table; 0: its game does not count
	Soon   bool   // the page changes within a second or two

	directs bool // the viewer is the director
}

// classPage returns a class for a page.
func (s *Server) classPage(c *class.Class) classPage {
	state, _ := c.State()
	return classPage{State: state, Class: c, Now: s.Now(), Rows: state.Standings()}
}

// findClass returns the class of a request for a page, as the viewer of its cookies sees it.
func (s *Server) findClass(r *http.Request) (p classPage, err error) {
	c, err := s.Classes.Find(r.Context(), r.PathValue("id"))
	if err != nil {
		return p, err
	}
	p = s.classPage(c)
	var tokens []string
	for _, cookie := range append(r.CookiesNamed(pupilCookie), r.CookiesNamed(directCookie)...) {
		tokens = append(tokens, cookie.Value)
	}
	v := classVisitorOf(c, p.State, tokens...)
	p.Pupil, p.directs = v.pupil, v.director
	return p, nil
}

// showClass shows a page of a class. Without script it loads again every few seconds if it is live.
func (s *Server) showClass(w http.ResponseWriter, r *http.Request, name string, status int,
	p classPage, live bool) error {
	view := page{Status: status, Title: p.Order.Title, Here: name, Module: "class.js",
		Sheet: "class.css", Bare: true, Data: p}
	if live {
		view.Refresh, view.RefreshTo = 5, r.URL.Path
	}
	return s.show(w, r, name, view)
}

// Game returns the title of the game.
func (p classPage) Game() string { return rulebook.Title(p.Order.Rules) }

// Goal returns the goal of the game.
func (p classPage) Goal() goalView { return goalOf(p.Order.Rules) }

// Left returns the time until games are paired for the last time.
func (p classPage) Left() time.Duration { return max(0, p.Ends.Sub(p.Now)) }

// Clock returns the text of the clock.
func (p classPage) Clock() string { return rulebook.Countdown(p.Left()) }

// Minutes returns the whole minutes since a time.
func (p classPage) Minutes(since time.Time) int { return int(p.Now.Sub(since) / time.Minute) }

// Top returns the first ten rows of the standings.
func (p classPage) Top() []class.Standing { return p.Rows[:min(topRanks, len(p.Rows))] }

// Playing returns the games under way.
func (p classPage) Playing() (games []class.Pairing) {
	for _, game := range p.Pairings {
		if game.UnderWay() {
			games = append(games, game)
		}
	}
	return games
}

// Name returns the name of a pupil.
func (p classPage) Name(pupil int) string { return p.Pupils[pupil-1].Name }

// Nth returns a place in words: "3rd of 30".
func (p classPage) Nth(place *int) string {
	n, end := *place, "th"
	if n/10%10 != 1 && n%10 >= 1 && n%10 <= 3 {
		end = []string{"st", "nd", "rd"}[n%10-1]
	}
	return fmt.Sprintf("%d%s of %d", n, end, len(p.Rows))
}

// A person is a pupil in a list.
type person struct {
	class.Pupil
	Number int
	Status class.Status
}

// People returns the pupils, the last to come first.
func (p classPage) People() (all []person) {
	for i, pupil := range slices.Backward(p.Pupils) {
		all = append(all, person{pupil, i + 1, p.Status(i + 1)})
	}
	return all
}

// Needed reports whether something needs the director's attention.
func (p classPage) Needed() bool {
	return len(p.Long) > 0 || slices.ContainsFunc(p.People(),
		func(one person) bool { return one.Status == class.IsAway && !one.Removed })
}

// Latest returns the pairings, the last one first.
func (p classPage) Latest() (games []class.Pairing) {
	games = slices.Clone(p.Pairings)
	slices.Reverse(games)
	return games
}

// Waiting returns how many pupils wait for a game.
func (p classPage) Waiting() (n int) {
	for _, one := range p.People() {
		if !one.Removed && one.Status == class.Waiting {
			n++
		}
	}
	return n
}

// A classNews is sent to the script of a page when the viewer's view of a class has changed.
type classNews struct {
	View  string `json:"view"`
	Table string `json:"table"` // of the pupil's game under way
}

// News returns the present view: that of a pupil, or of everything.
func (p classPage) News() classNews {
	news := classNews{View: strconv.Itoa(p.Seq)}
	if p.Pupil == 0 {
		return news
	}
	me, row := p.Pupils[p.Pupil-1], p.Mine()
	if me.Pairing > 0 && p.Pairings[me.Pairing-1].UnderWay() {
		news.Table = p.Pairings[me.Pairing-1].Table
	}
	place := 0
	if row.Place != nil {
		place = *row.Place
	}
	row.Place = nil // it is an address
	news.View = fmt.Sprint(p.Phase(), p.Round, p.Ends.Unix(), p.Status(p.Pupil), news.Table, place,
		len(p.Rows), row, me.Generation, me.Removed)
	return news
}

// liveClass streams to the script of a page that the viewer's view of a class has changed.
func (s *Server) liveClass(w http.ResponseWriter, r *http.Request) error {
	p, err := s.findClass(r)
	if err != nil {
		return err
	}
	if !r.URL.Query().Has("me") {
		p.Pupil = 0
	}
	return s.streamClass(w, r, p.Class, func(state *class.State) any {
		return classPage{State: state, Rows: state.Standings(), Pupil: p.Pupil}.News()
	})
}

// classAt returns the class of a table for the table's player; nil: there is none.
func (s *Server) classAt(r *http.Request, table string, state match.State, v viewer) *classPage {
	if s.Classes == nil || state.Setup.Class == "" || !v.plays {
		return nil
	}
	c, err := s.Classes.Find(r.Context(), state.Setup.Class)
	if err != nil {
		return nil // the table can be played without it
	}
	p := s.classPage(c)
	p.Table = table
	p.Number = 1 + slices.IndexFunc(p.Pairings,
		func(g class.Pairing) bool { return g.Table == table })
	return &p
}
