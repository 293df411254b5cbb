package web

import (
	"net/http"
	"strconv"
	"sync"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/ui/gate"
)

// A poster is a picture that previews a link. Equal posters look the same.
type poster struct {
	Ring    string // the goal; empty: the logo
	Title   string
	Line    string
	Goal    string          // of a finished game
	Players [2]posterPlayer // of a finished game
}

// A posterPlayer is a player with a number.
type posterPlayer struct {
	Name   string
	Number string
	Seat   match.Seat
	Won    bool
}

const posterWidth, posterHeight = 1200, 630

var housePoster = poster{Title: "Digit Duel", Line: "Two players, a few digits, one number wins"}

// posterOf returns the poster of a table: the result of a finished game, an invitation, or the
// players.
func posterOf(s match.State) poster {
	r := s.Setup.Rules
	goal := goalOf(rulesFor(s.Setup))
	for i, seat := range match.Seats {
		s.Setup.Names[i] = drawable(s.Setup.Name(seat), "Player "+strconv.Itoa(i+1))
	}
	c := poster{Ring: goal.Ring, Title: linkPreviewOf(s).Short, Line: goal.Short}
	if !s.Result.Over() {
		return c
	}
	f := rulebook.Finished(r, s.Position, s.Result)
	c.Title, c.Goal, c.Line = rulebook.Title(r), c.Line,
		longText(r, rulebook.Cast{}, func(w rulebook.Voice) string { return w.Fact(f) })
	for i, seat := range match.Seats {
		side := s.Side(seat)
		c.Players[i] = posterPlayer{s.Setup.Name(seat), f.Numbers[side].String(), seat,
			f.Won && f.Winner == side}
	}
	return c
}

// draw draws a poster.
func (k poster) draw() []byte {
	c := newCanvas(posterWidth, posterHeight, paper)
	const margin = 70
	if k.Ring == "" {
		c.logo(margin-10, 60, 200)
	} else {
		c.ring(k.Ring, margin+75, 145, 85)
	}
	if k.Players[0].Name == "" {
		c.text(k.Title, margin, 400, 84, posterWidth-2*margin, false, ink)
		c.text(k.Line, margin, 480, 48, posterWidth-2*margin, false, soft)
	} else {
		c.text(k.Title, margin+195, 140, 60, posterWidth-2*margin-195, false, ink)
		c.text(k.Goal, margin+195, 195, 38, posterWidth-2*margin-195, false, soft)
		for i, p := range k.Players {
			c.player(p, margin-20, 250+float64(i)*145)
		}
		c.text(k.Line, margin, 600, 44, posterWidth-2*margin-250, false, ink)
	}
	if k.Ring == "" {
		return c.png()
	}
	c.logo(posterWidth-margin-230, 558, 48)
	c.text("Digit Duel", posterWidth-margin-170, 594, 34, 200, false, soft)
	return c.png()
}

// player draws a player with the number in tiles.
func (c canvas) player(p posterPlayer, x, y float64) {
	const width, height = posterWidth - 100, 130
	fuzzServer := white
	if p.Won {
		fuzzServer = winner
	}
	c.box(x, y, width, height, 24, edge)
	c.box(x+3, y+3, width-6, height-6, 21, fuzzServer)
	fill := seats[p.Seat]
	if p.Seat == match.One {
		c.disc(x+50, y+height/2, 18, fill)
	} else {
		c.shape(fill, [2]float64{x + 50, y + height/2 - 22}, [2]float64{x + 72, y + height/2},
			[2]float64{x + 50, y + height/2 + 22}, [2]float64{x + 28, y + height/2})
	}
	step := min(96, 620/float64(max(1, len(p.Number))))
	left := x + width - 25 - step*float64(len(p.Number))
	c.text(p.Name, x+95, y+height/2+18, 50, left-x-115, false, ink)
	for i, digit := range p.Number {
		at := left + step*float64(i)
		c.box(at+4, y+15, step-8, height-30, 14, fill)
		c.box(at+8, y+19, step-16, height-38, 10, white)
		if digit != '_' {
			c.text(string(digit), at+step/2, y+height/2+24, 68, step-20, true, ink)
		}
	}
}

// mostPosters limits the pictures that are kept. Each takes some fifty kilobytes.
const mostPosters = 50

// picture returns a poster as a PNG file. Drawing one takes some hundredths of a second, counted
// against the limit of the address, which draws one at a time.
func (s *Server) picture(r *http.Request, c poster) ([]byte, error) {
	if picture, ok := s.posters.kept(c); ok {
		return picture, nil
	}
	address := s.Address(r)
	leave, err := s.Turn(r.Context(), "posters "+address, 1, gate.OwnPatience)
	if err != nil {
		return nil, err
	}
	defer leave()
	return s.posters.get(r.Context(), c, func() (picture []byte, err error) {
		if err := s.Afford(gate.Explaining, address); err != nil {
			return nil, err
		}
		s.Spend(address, func() { picture = c.draw() })
		return picture, nil
	})
}

func (s *Server) sendPoster(w http.ResponseWriter, r *http.Request, c poster) error {
	picture, err := s.picture(r, c)
	if err != nil {
		return err
	}
	sendPicture(w, picture)
	return nil
}

func sendPicture(w http.ResponseWriter, picture []byte) {
	header := w.Header()
	header.Set("Content-Type", "image/png")
	header.Set("Content-Length", strconv.Itoa(len(picture)))
	header.Set("Cache-Control", "private, max-age=600")
	w.Write(picture)
}

// icons holds the sizes of the app icons, by file name.
var icons = map[string]int{"apple-touch-icon.png": 180, "icon-192.png": 192, "icon-512.png": 512}

var drawn sync.Map // icons by size

// iconOf returns the logo as a square picture, with a margin that may be cut to a circle.
func iconOf(size int) []byte {
	if icon, ok := drawn.Load(size); ok {
		return icon.([]byte)
	}
	c := newCanvas(size, size, paper)
	side := float64(size)
	c.logo(side*.17, side*.17, side*.66)
	icon := c.png()
	drawn.Store(size, icon)
	return icon
}

func (s *Server) housePoster(w http.ResponseWriter, r *http.Request) error {
	return s.sendPoster(w, r, housePoster)
}

func (s *Server) tablePoster(w http.ResponseWriter, r *http.Request) error {
	visit, err := s.visit(r)
	if err != nil {
		return err
	}
	defer visit.Close()
	return s.sendPoster(w, r, posterOf(visit.Table.State()))
}

func (s *Server) gamePoster(w http.ResponseWriter, r *http.Request) error {
	_, state, err := s.gameOf(r)
	if err != nil {
		return err
	}
	return s.sendPoster(w, r, posterOf(state))
}

// A linkPreview is the public summary of a page that programs show for a link to it.
type linkPreview struct {
	Title string
	Short string // the title on a poster
	Text  string
	Image string // its full address
}

// linkPreviewOf returns the preview of a link to a table or a game.
func linkPreviewOf(s match.State) linkPreview {
	r := s.Setup.Rules
	goal := rulebook.Goal(rulesFor(s.Setup)).Short + "."
	host := match.One
	if s.Open[match.One] {
		host = match.Two
	}
	switch {
	case s.Result.Over():
		told := rulebook.Shared(r, s.Position, s.Result, viewer{}.narrator(s).Sides())
		return linkPreview{Title: told, Short: told,
			Text: goal + " Look at the game move by move, or play one yourself."}
	case s.Phase() == match.Waiting && s.Setup.Listed:
		looking := rulebook.LookingForAnybody(r, s.Setup.Name(host))
		return linkPreview{Title: looking.Long, Short: looking.Short, Text: goal}
	case s.Phase() == match.Waiting:
		_, toGuest := rulebook.Invitation(r, s.Setup.Name(host))
		return linkPreview{Title: toGuest.Long, Short: toGuest.Short,
			Text: rulebook.GoalNote(r).Long}
	default:
		names := longText(r, viewer{}.narrator(s).Seats(),
			func(w rulebook.Voice) string {
				return w.Who(digit.First) + " – " +
					w.Who(digit.Second)
			})
		return linkPreview{Title: names + ", " + rulebook.Title(r), Short: names, Text: goal}
	}
}

// linkPreview returns the preview of a table or a game at an address, with its poster. It has no
// address to go to, because the link that was sent may be an invitation, which is secret.
func (s *Server) linkPreview(r *http.Request, state match.State, path string) *linkPreview {
	p := linkPreviewOf(state)
	p.Image = s.origin(r) + path + "/card.png"
	return &p
}
