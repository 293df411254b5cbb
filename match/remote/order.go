package remote

import (
	"context"
	"errors"
	"fmt"
	"time"

	"digitduel/match"
)

// eventOf returns an event of the server's log. Its time is by this machine's clock, ago before
// now.
func eventOf(l match.Logged, now time.Time, ago time.Duration) (match.Event, error) {
	l.At, l.Level = now.Add(-ago), clean(l.Level)
	if l.Order != nil {
		for i, player := range l.Order.Seats {
			l.Order.Seats[i] = clean(player)
		}
	}
	return l.Read()
}

// Tables returns the tables that anyone may find, those that wait for a player first.
func (s *Server) Tables(ctx context.Context) ([]match.Listed, error) {
	var answer struct {
		Tables []match.Listed `json:"tables"`
	}
	if err := s.call(ctx, "?limit=20", "", "", nil, &answer); err != nil {
		return nil, err
	}
	for i, t := range answer.Tables {
		if !isWord(t.ID) {
			return nil, errTableName(t.ID)
		}
		answer.Tables[i].Names = [2]string{clean(t.Names[0]), clean(t.Names[1])}
	}
	return answer.Tables, nil
}

// A Place is a user's place at a table: a seat with its token, or only the table to watch.
type Place struct {
	Table string     `json:"table"`
	Token string     `json:"token"` // empty: to watch
	Seat  match.Seat `json:"seat"`
	// Invite is the link with which another player takes the other seat; empty: there is none.
	Invite string `json:"invite,omitempty"`
}

// Open opens a table. The same key opens the same table again.
func (s *Server) Open(ctx context.Context, o match.Order, key string) (Place, error) {
	var answer struct {
		ID    string `json:"id"`
		Seats []struct {
			Seat             int
			Player, Token    string
			Invitation, Link string
		} `json:"seats"`
	}
	if err := s.retryPost(ctx, "", "", key, o, &answer); err != nil {
		return Place{}, err
	}
	if !isWord(answer.ID) {
		return Place{}, errTableName(answer.ID)
	}
	p := Place{Table: answer.ID}
	for i, seat := range answer.Seats {
		switch {
		case i > 1:
		case seat.Token != "" && p.Token == "":
			p.Token, p.Seat = seat.Token, match.Seat(i)
		case seat.Link != "":
			p.Invite = clean(seat.Link)
		case seat.Invitation != "":
			p.Invite = clean(Link{s.url, p.Table, seat.Invitation}.String())
		case seat.Player == match.Anyone:
			p.Invite = Link{s.url, p.Table, ""}.String()
		}
	}
	return p, nil
}

// Sit takes a seat at a table: that of an invitation or, without one, the seat for anyone. The same
// key takes the same seat again.
func (s *Server) Sit(ctx context.Context, table, invitation, name, key string) (Place, error) {
	var answer struct {
		Seat  int    `json:"seat"`
		Token string `json:"token"`
	}
	body := map[string]string{"name": name}
	if err := s.retryPost(ctx, "/"+table+"/seats", invitation, key, body, &answer); err != nil {
		return Place{}, err
	}
	return Place{Table: table, Token: answer.Token, Seat: match.Seat(answer.Seat-1) & 1}, nil
}

func errTableName(id string) error { return fmt.Errorf("invalid table name %.40q", id) }

// MayNotSit reports whether an error means that the caller cannot have a seat: it is taken, or
// needs an invitation.
func MayNotSit(err error) bool { return errors.Is(err, match.ErrTaken) || isForbidden(err) }

// ErrNoSeat means that a token is not valid for any taken seat.
var ErrNoSeat = errors.New("the token is not valid for any seat")

// Find returns the place that a token is for.
func (s *Server) Find(ctx context.Context, table, token string) (Place, error) {
	var answer struct {
		You int `json:"you"`
	}
	err := s.call(ctx, "/"+table, token, "", nil, &answer)
	if isForbidden(err) {
		return Place{Table: table}, fmt.Errorf("%w: %w", ErrNoSeat, err)
	}
	if err == nil && answer.You == 0 {
		err = errors.New("the server is too old: it does not report the seat of a token")
	}
	return Place{Table: table, Token: token, Seat: match.Seat(answer.You-1) & 1}, err
}
