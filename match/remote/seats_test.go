package remote

import (
	"errors"
	"fmt"
	"testing"

	"digitduel/digit"
	"digitduel/match"
)

// newTestClient returns a client whose seats are saved in memory.
func newTestClient(t *testing.T, h *testServer, s *Server) *Client {
	t.Helper()
	var saved []byte
	c, err := NewClient(s.url, h, Storage{
		Load: func() ([]byte, error) { return saved, nil },
		Save: func(text []byte) error { saved = text; return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestMostSeats checks that the oldest seat is dropped if there are too many.
func TestMostSeats(t *testing.T) {
	c := newTestClient(t, nil, NewServer("http://a"))
	for i := range mostSeats + 1 {
		if err := c.Keep(Place{Table: fmt.Sprint(i), Token: "t"}, "Ada", ""); err != nil {
			t.Fatal(err)
		}
	}
	if last, _ := c.Last(); len(c.All) != mostSeats || last.Table != fmt.Sprint(mostSeats) {
		t.Errorf("got %d seats, the last at %s", len(c.All), last.Table)
	}
}

// TestTakenSeat comes to a table without a free seat: a guest watches, and one with an invitation
// is informed that it was used.
func TestTakenSeat(t *testing.T) {
	h, s := newTestServer(t)
	order := match.Setup{Rules: digit.Dilemma, Open: [2]bool{false, true}}.Order()
	host, err := s.Open(t.Context(), order, "the-key-of-the-host")
	if err != nil {
		t.Fatal(err)
	}
	link, _ := ParseLink(host.Invite)
	_, err = s.Sit(t.Context(), link.Table, link.Token, "Ben", "the-key-of-a-guest")
	if err != nil {
		t.Fatal(err)
	}
	for token, want := range map[string]error{"": nil, link.Token: ErrInvited} {
		p, err := newTestClient(t, h, s).Take(t.Context(), link.Table, token, "Eve")
		if !errors.Is(err, want) || p != (Place{Table: link.Table}) {
			t.Errorf("with invitation %q: got %+v, %v, want to watch, %v", token, p, err, want)
		}
	}
}
