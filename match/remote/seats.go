package remote

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"digitduel/match"
)

// mostSeats is the number of saved seats; the oldest are dropped first.
const mostSeats = 200

// Seats are the seats of a user at tables of servers. They are secret, like a key.
type Seats struct {
	Name string      `json:"name,omitempty"` // the user's last name
	All  []SavedSeat `json:"seats"`
}

// A SavedSeat is a place at a table of a server.
type SavedSeat struct {
	Server string `json:"server"`
	Place
	Key string `json:"key,omitempty"` // of the request, to ask again if its answer is lost
	// At is when the user came to the seat, and Over says that nothing is left to play there.
	At   time.Time `json:"at,omitzero"`
	Over bool      `json:"over,omitempty"`
}

// A Client is a user of a server, whose seats are saved.
type Client struct {
	*Server
	Seats
	Storage
}

// A Storage holds the seats of a user as a text.
type Storage struct {
	Load func() ([]byte, error) // returns the saved text, or nil
	Save func(text []byte) error
}

// NewClient returns a client for the server at an address. With a transport, requests go to that
// server whatever its address, and so all saved seats are there. By default, they use the network.
func NewClient(address string, t http.RoundTripper, seats Storage) (*Client, error) {
	c := &Client{Server: NewServer(address), Storage: seats}
	c.client.Transport = t
	return c, c.read()
}

// read reads the saved seats.
func (c *Client) read() error {
	text, err := c.Load()
	if err != nil || text == nil {
		return err
	}
	c.Seats = Seats{}
	err = json.Unmarshal(text, &c.Seats)
	for i := range c.All {
		if c.client.Transport != nil {
			c.All[i].Server = c.url
		}
	}
	return err
}

// Seat returns the user's seat at a table of the server, or a zero SavedSeat.
func (c *Client) Seat(table string) SavedSeat {
	for _, one := range c.All {
		if one.Server == c.url && one.Table == table {
			return one
		}
	}
	return SavedSeat{}
}

// Keep saves a seat in place of an older one at the same table, and the name of the user.
func (c *Client) Keep(p Place, name, key string) error {
	return c.keep(SavedSeat{Place: p, Key: key}, name)
}

// Leave saves that nothing is left to play at the user's seat at a table, if there is one.
func (c *Client) Leave(table string) error {
	one := c.Seat(table)
	if one.Token == "" {
		return nil
	}
	one.Over = true
	return c.keep(one, c.Name)
}

// keep saves a seat among those saved now, which may be others than when the client was made.
func (c *Client) keep(one SavedSeat, name string) error {
	if err := c.read(); err != nil {
		return err
	}
	c.Name = name
	one.Server, one.At = c.url, time.Now()
	c.All = slices.DeleteFunc(c.All, func(old SavedSeat) bool {
		return old.Server == one.Server && old.Table == one.Table
	})
	c.All = append(c.All, one)
	c.All = c.All[max(0, len(c.All)-mostSeats):]
	text, err := json.MarshalIndent(c.Seats, "", "  ")
	if err != nil {
		return err
	}
	return c.Save(append(text, '\n'))
}

// ErrInvited means that the seat of an invitation is taken.
var ErrInvited = errors.New("the seat is taken")

// Take takes a seat at a table: the user's own, that of a token, or the seat that is free for
// anyone. If there is none, it returns a place to watch, and with a token the error [ErrInvited].
func (c *Client) Take(ctx context.Context, table, token, name string) (Place, error) {
	watching := Place{Table: table}
	had := c.Seat(table)
	for _, known := range []string{had.Token, token} {
		if known == "" {
			continue
		}
		p, err := c.Find(ctx, table, known)
		if err == nil {
			p.Invite = had.Invite
			return p, c.Keep(p, name, had.Key)
		}
		if !errors.Is(err, ErrNoSeat) {
			return p, err
		}
	}
	if had.Key == "" { // saved before the request, so that a lost answer can be repeated
		had.Key = rand.Text()
		if err := c.keep(SavedSeat{Place: watching, Key: had.Key}, c.Name); err != nil {
			return watching, err
		}
	}
	p, err := c.Sit(ctx, table, token, name, had.Key)
	switch {
	case err == nil:
		return p, c.Keep(p, name, had.Key)
	case MayNotSit(err) && token != "":
		return watching, ErrInvited
	case MayNotSit(err):
		return watching, nil
	default:
		return watching, err
	}
}

// Last returns the seat to which the user came last, of those where there is more to play.
func (s Seats) Last() (last SavedSeat, ok bool) {
	for _, one := range slices.Backward(s.All) {
		if one.Token != "" && !one.Over {
			return one, true
		}
	}
	return SavedSeat{}, false
}

// Recent returns the tables of the server at which the user took a seat last and has more to play,
// except those listed.
func (c *Client) Recent(listed []match.Listed, most int) (tables []string) {
	for _, s := range slices.Backward(c.All) {
		known := slices.ContainsFunc(listed, func(t match.Listed) bool { return t.ID == s.Table })
		if s.Server == c.url && s.Token != "" && !s.Over && !known && len(tables) < most {
			tables = append(tables, s.Table)
		}
	}
	return tables
}
