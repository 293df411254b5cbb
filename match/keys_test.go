package match

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestKeys(t *testing.T) {
	keys := NewKeys([]byte(strings.Repeat("k", 32)))
	again := NewKeys([]byte(strings.Repeat("k", 32)))
	others := NewKeys([]byte(strings.Repeat("k", 31) + "l"))
	shape := regexp.MustCompile(`^[A-Za-z0-9_-]{32}$`)
	tokens := map[string]bool{}
	for _, table := range []string{"t", "u", "", "\x00t", "\x01t"} {
		for _, seat := range Seats {
			token := keys.Token(table, seat)
			if !shape.MatchString(token) || tokens[token] {
				t.Errorf("table %q, %v: token %q, or it is not the only one", table, seat, token)
			}
			tokens[token] = true
			if got, ok := again.Seat(table, token); !ok || got != seat {
				t.Errorf("table %q: the token of %v is that of %v, %v", table, seat, got, ok)
			}
			if got, ok := keys.Seat(table+"x", token); ok {
				t.Errorf("the token of table %q is that of %v at another one", table, got)
			}
			if got, ok := others.Seat(table, token); ok {
				t.Errorf("the token of table %q is that of %v with another secret", table, got)
			}
		}
	}
	token := keys.Token("t", One)
	for _, forged := range []string{"", token[:31], token + "A", strings.ToLower(token), token[1:] + token[:1]} {
		if got, ok := keys.Seat("t", forged); ok {
			t.Errorf("%q is the token of %v", forged, got)
		}
	}
}

func TestNewID(t *testing.T) {
	shape := regexp.MustCompile(`^[a-z2-7]{13}$`)
	ids := map[string]bool{}
	for range 1000 {
		id := NewID(time.Unix(0, 0))
		if !shape.MatchString(id) || ids[id] {
			t.Errorf("%q, or it came before", id)
		}
		ids[id] = true
	}
	for now := time.Unix(1_700_000_000, 0); now.Year() < 2100; now = now.Add(100 * time.Hour) {
		if earlier, later := NewID(now.Add(-2*time.Hour)), NewID(now); earlier[:4] >= later[:4] {
			t.Fatalf("%s of %v is not before %s of two hours later", earlier, now, later)
		}
	}
}
