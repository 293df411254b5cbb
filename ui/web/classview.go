package web

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"digitduel/class"
	"digitduel/digit"
	"digitduel/match"
)

// A classView is a class in the API. Most fields are left out for strangers.
type classView struct {
	ID        string           `json:"id"`
	Title     string           `json:"title"`
	Rules     digit.Rules      `json:"rules"`
	Format    class.Format     `json:"format"`
	Phase     class.Phase      `json:"phase"`
	Round     int              `json:"round"`
	Rounds    int              `json:"rounds,omitempty"`
	Ends      *time.Time       `json:"ends"` // null before the start and with rounds
	Seq       int              `json:"seq"`
	Code      string           `json:"code,omitempty"`
	Pupils    []pupilView      `json:"pupils,omitempty"`
	Removed   []pupilView      `json:"removed,omitempty"`
	Pairings  []class.Pairing  `json:"pairings,omitempty"`
	Standings []class.Standing `json:"standings"`
	You       *pupilView       `json:"you,omitempty"`
}

// A pupilView is a pupil in the API. Table, seat and token are those of the game under way.
type pupilView struct {
	Pupil  int          `json:"pupil"`
	Name   string       `json:"name"`
	Status class.Status `json:"status"`
	Rejoin string       `json:"rejoin,omitempty"`
	Table  string       `json:"table,omitempty"`
	Seat   int          `json:"seat,omitempty"`
	Token  string       `json:"token,omitempty"`
}

// view returns the class as the visitor may see it.
func (v classVisitor) view() classView {
	view := classView{
		ID: v.Class.ID(), Title: v.Order.Title, Rules: v.Order.Rules, Format: v.Order.Format,
		Phase: v.Phase(), Round: v.Round, Seq: v.Seq, Standings: v.standings(),
	}
	if v.Order.Format == class.Flow && !v.Ends.IsZero() {
		view.Ends = &v.Ends
	}
	if v.Pupil > 0 {
		you := v.pupil(v.Pupil)
		if you.Status == class.Plays {
			place := v.Class.Place(v.State, v.Pupil, v.Pupils[v.Pupil-1].Pairing)
			you.Table, you.Seat, you.Token = place.Table, int(place.Seat)+1, place.Token
		}
		view.You = &you
	}
	if !v.director {
		return view
	}
	view.Code, view.Rounds, view.Pairings = v.Class.Code(), v.Order.Rounds, v.Pairings
	for i, p := range v.Pupils {
		if p.Removed {
			view.Removed = append(view.Removed, v.pupil(i+1))
		} else {
			view.Pupils = append(view.Pupils, v.pupil(i+1))
		}
	}
	return view
}

func (v classVisitor) pupil(n int) pupilView {
	t := v.Class.Ticket(v.State, n)
	return pupilView{Pupil: n, Name: t.Name, Status: v.Status(n), Rejoin: t.Rejoin}
}

// standings returns the rows that the visitor may see: all for the director, otherwise the first
// ten, and for a pupil also the own row and its neighbors.
func (v classVisitor) standings() []class.Standing {
	rows := v.Standings()
	if v.director {
		return rows
	}
	own := slices.IndexFunc(rows, func(r class.Standing) bool { return r.Pupil == v.Pupil })
	seen := slices.Clone(rows[:min(topRanks, len(rows))])
	for i := max(own-1, topRanks); own >= 0 && i <= own+1 && i < len(rows); i++ {
		seen = append(seen, rows[i])
	}
	return seen
}

func (s *Server) apiClass(w http.ResponseWriter, _ *http.Request, v classVisitor) error {
	return writeJSON(w, http.StatusOK, v.view())
}

// apiClassLog answers with the log of a class.
func (s *Server) apiClassLog(w http.ResponseWriter, r *http.Request, v classVisitor) error {
	after, err := strconv.Atoi(cmp.Or(r.URL.Query().Get("after"), "0"))
	if err != nil || after < 0 {
		return invalid("after %q: allowed: the number of an event, or 0",
			clip(r.URL.Query().Get("after")))
	}
	events, err := v.Class.Log(r.Context(), after)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, classLog{v.Seq, events})
}

// A classLog is a part of the log of a class.
type classLog struct {
	Seq    int           `json:"seq"`
	Events []class.Event `json:"events"`
}

// A classGame is a finished game of a class in the API.
type classGame struct {
	Pairing int          `json:"pairing"`
	Table   string       `json:"table"`
	Game    int          `json:"game"`
	First   int          `json:"first"` // the pupils by side
	Second  int          `json:"second"`
	Record  digit.Record `json:"record"`
}

// classGames are the finished games of a class.
type classGames struct {
	Games []classGame `json:"games"`
}

func (s *Server) apiClassGames(w http.ResponseWriter, r *http.Request, v classVisitor) error {
	all := classGames{Games: []classGame{}}
	for _, p := range v.Pairings {
		if p.Bye {
			continue
		}
		visit, err := s.Hall.Visit(r.Context(), p.Table)
		if errors.Is(err, match.ErrNoTable) { // not yet
			continue
		}
		if err != nil {
			return err
		}
		games := visit.Table.Games()
		visit.Close()
		for _, g := range games {
			all.Games = append(all.Games, classGame{
				p.Pairing, p.Table, g.Game, p.Pupils[g.SeatOf(digit.First)],
				p.Pupils[g.SeatOf(digit.Second)], g.Record(),
			})
		}
	}
	return writeJSON(w, http.StatusOK, all)
}

// sendStandings answers with the standings as a table for a spreadsheet.
func (s *Server) sendStandings(w http.ResponseWriter, _ *http.Request, v classVisitor) error {
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="standings.csv"`)
	w.Header().Set("Cache-Control", "no-store")
	_, err := w.Write(standingsCSV(v.Standings()))
	return err
}

// standingsCSV returns rows as CSV. A name that a spreadsheet would take for a formula is quoted.
func standingsCSV(rows []class.Standing) []byte {
	b := bytes.NewBufferString("\ufeff")
	out := csv.NewWriter(b)
	_ = out.Write(strings.Split("place,name,score,points,games,right,decisions,byes,left", ","))
	for _, r := range rows {
		place, left := "", "0"
		if r.Place != nil {
			place = strconv.Itoa(*r.Place)
		}
		if r.Left {
			left = "1"
		}
		if strings.ContainsAny(r.Name[:1], "=+-@") {
			r.Name = "'" + r.Name
		}
		line := []string{place, r.Name}
		for _, n := range []int{r.Score, r.Points, r.Games, r.Right, r.Decisions, r.Byes} {
			line = append(line, strconv.Itoa(n))
		}
		_ = out.Write(append(line, left))
	}
	out.Flush()
	return b.Bytes()
}
