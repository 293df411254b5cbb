package match

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"digitduel/digit"
)

// TestKeys makes tokens for tables, seats and keys that could be confused: each token must be valid
// for one table, seat and key alone.
func TestKeys(t *testing.T) {
	keys := NewKeys([]byte(strings.Repeat("k", 32)))
	again := NewKeys([]byte(strings.Repeat("k", 32)))
	others := NewKeys([]byte(strings.Repeat("k", 31) + "l"))
	shape := regexp.MustCompile(`^[A-Za-z0-9_-]{32}$`)
	tokens := map[string]bool{}
	for _, table := range []string{"t", "u", "", "\x00t", "\x01t", "t\x00"} {
		for _, seat := range Seats {
			derived := keys.Token(table, seat)
			for _, token := range []string{
				derived, keys.Fresh(table, seat, ""), keys.Fresh(table, seat, "k"), keys.Fresh(table, seat, "kk"),
			} {
				seal := Seal(token)
				if !shape.MatchString(token) || tokens[token] || !shape.MatchString(seal) || tokens[seal] {
					t.Errorf("table %q, %v: token %q or its seal is malformed or not unique", table, seat, token)
				}
				tokens[token], tokens[Seal(token)] = true, true
				s := State{}
				if token != derived {
					s.Setup.Seals[seat] = Seal(token)
				}
				if got, ok := again.Seat(table, s, token); !ok || got != seat {
					t.Errorf("table %q: the token of %v: got seat %v, %v", table, seat, got, ok)
				}
			}
			if got, ok := keys.Seat(table+"x", State{}, derived); ok {
				t.Errorf("the token of table %q is valid for %v of another table", table, got)
			}
			if got, ok := others.Seat(table, State{}, derived); ok {
				t.Errorf("the token of table %q is valid for %v with another secret", table, got)
			}
		}
	}
	token := keys.Token("t", One)
	seals := [2]string{Seal(keys.Fresh("t", One, "k")), Seal(keys.Fresh("t", Two, "k"))}
	sealed := State{Setup: Setup{Seals: seals}}
	for _, forged := range []string{"", token[:31], token + "A", strings.ToLower(token), token[1:] + token[:1]} {
		if got, ok := keys.Seat("t", State{}, forged); ok {
			t.Errorf("%q is accepted for %v", forged, got)
		}
		if got, ok := keys.Seat("t", sealed, forged); ok {
			t.Errorf("%q is accepted for %v, which has a seal", forged, got)
		}
	}
	for _, other := range []string{
		token, keys.Token("t", Two), keys.Fresh("t", One, "l"), seals[One], seals[Two],
	} {
		if got, ok := keys.Seat("t", sealed, other); ok {
			t.Errorf("%q is accepted for %v, which has a seal", other, got)
		}
	}
}

// TestSeals checks which tokens of a seat are valid, from the invitation to a change of the token.
func TestSeals(t *testing.T) {
	keys := NewKeys([]byte(strings.Repeat("k", 32)))
	invitation := keys.Token("t", Two)
	first, second := keys.Fresh("t", Two, "a key"), keys.Fresh("t", Two, "another")
	table := newTable(t, lobby)
	check := func(when string, wants ...string) {
		t.Helper()
		s := table.State()
		for name, token := range map[string]string{
			"opener": keys.Token("t", One), "invitation": invitation, "first": first, "second": second,
		} {
			_, fits := keys.Seat("t", s, token)
			if want := slices.Contains(wants, name); fits != want {
				t.Errorf("%s: token %q is valid: %v, want %v", when, name, fits, want)
			}
		}
		if seat, ok := keys.Invited("t", s, invitation); !ok || seat != Two {
			t.Errorf("%s: the invitation is to %v, %v", when, seat, ok)
		}
		if _, ok := keys.Invited("t", s, keys.Token("t", One)); ok {
			t.Errorf("%s: the opener's token is an invitation", when)
		}
	}
	check("while the seat is open", "opener", "invitation")
	if _, err := table.Rekey(t.Context(), Two, Seal(first)); err == nil {
		t.Error("an open seat got a token")
	}
	if _, err := table.Sit(t.Context(), Two, "Ben", Seal(first)); err != nil {
		t.Fatal(err)
	}
	check("once it is taken", "opener", "first")
	if s, err := table.Sit(t.Context(), Two, "Ben", Seal(first)); err != nil || s.Seq != 2 {
		t.Errorf("sit again with the same token: event %d, %v", s.Seq, err)
	}
	if _, err := table.Sit(t.Context(), Two, "Ben", Seal(second)); !errors.Is(err, ErrTaken) {
		t.Errorf("sit with another token: got %v, want ErrTaken", err)
	}
	ctx := Holding(t.Context(), Two, Seal(first))
	if _, err := table.Rekey(ctx, Two, Seal(second)); err != nil {
		t.Fatal(err)
	}
	check("when the token is changed", "opener", "second")
	if _, err := table.Rekey(ctx, Two, Seal(first)); !errors.Is(err, ErrRekeyed) {
		t.Errorf("rekey with the old token: got %v, want ErrRekeyed", err)
	}
	if _, err := table.Rekey(t.Context(), Two, Seal(second)); !errors.Is(err, ErrAlready) {
		t.Errorf("the same token again: %v", err)
	}
	check("in the end", "opener", "second")
}

// TestRecall checks that a recall link is valid only for a player who has left, until they return.
func TestRecall(t *testing.T) {
	keys := NewKeys([]byte(strings.Repeat("k", 32)))
	table := open(t, adaBen)
	var recall string
	for _, tt := range []struct {
		script string
		now    bool // the link made for this state is valid
		before bool // the link made for the previous state is valid
	}{{"9a", false, false}, {"leave:2", true, false}, {"8a", true, true}, {"back:2", false, false}, {"leave:2", true, false}} {
		if err := act(t, table, tt.script); err != nil {
			t.Fatal(err)
		}
		s := table.State()
		_, before := keys.Linked("t", s, recall)
		recall = keys.Recall("t", Two, s)
		if seat, now := keys.Linked("t", s, recall); now != tt.now || before != tt.before || now && seat != Two {
			t.Errorf("after %s: the link is valid: %v, the previous one: %v; want %v, %v",
				tt.script, now, before, tt.now, tt.before)
		}
	}
}

// TestReplacedRecall invites back a player for whom the computer plays.
func TestReplacedRecall(t *testing.T) {
	keys := NewKeys([]byte(strings.Repeat("k", 32)))
	table := open(t, adaBen)
	if err := act(t, table, "leave:2 replace:1=casual"); err != nil {
		t.Fatal(err)
	}
	link, seal := keys.Recall("t", Two, table.State()), Seal(keys.Fresh("t", Two, "a key"))
	s, err := table.Relocate(t.Context(), keys, link, Two, seal)
	if err != nil || s.Setup.Seals[Two] != seal {
		t.Errorf("got %v, %v; want the new seal", s, err)
	}
}

// TestSealless checks that a player who sat down before seals existed can still use the token of
// the invitation.
func TestSealless(t *testing.T) {
	keys := NewKeys([]byte(strings.Repeat("k", 32)))
	var s State
	for i, line := range []string{
		`{"kind":"opened","setup":{"rules":"highest","names":["Ada",""],"open":[false,true]}}`,
		`{"kind":"seated","seat":1,"name":"Ben"}`,
		`{"kind":"began"}`,
	} {
		e := Event{}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		e.Seq = i + 1
		var err error
		if s, err = s.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	for _, seat := range Seats {
		if got, ok := keys.Seat("t", s, keys.Token("t", seat)); !ok || got != seat {
			t.Errorf("the token of %v: got seat %v, %v", seat, got, ok)
		}
	}
}

// TestHolding changes a token on one server, and checks that the old token is no longer accepted on
// another server that has not yet read the change.
func TestHolding(t *testing.T) {
	store := new(Memory)
	here, err := Open(t.Context(), "t", adaBen, store, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close()
	if err := act(t, here, "begin"); err != nil {
		t.Fatal(err)
	}
	there, err := Resume(t.Context(), "t", store, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	defer there.Close()
	if err := act(t, here, "rekey:1=new"); err != nil {
		t.Fatal(err)
	}
	old, now := Holding(t.Context(), One, ""), Holding(t.Context(), One, "new")
	other := Holding(t.Context(), Two, "")
	nine := digit.Move{Digit: 9, Spot: digit.SlotAt(0)}
	if s, err := there.Play(old, One, nine, 0); !errors.Is(err, ErrRekeyed) || s.Position != (digit.Position{}) {
		t.Errorf("a move with the old token: %v, %v", s.Position, err)
	}
	for name, do := range actions {
		if _, err := do(there, old, One); !errors.Is(err, ErrRekeyed) {
			t.Errorf("%s with the old token: %v", name, err)
		}
	}
	if _, err := there.Play(now, One, nine, 0); err != nil {
		t.Errorf("a move with the new token: %v", err)
	}
	if _, err := here.Do(other, Two, Resign, ""); err != nil {
		t.Errorf("the other player: %v", err)
	}
}

func TestNewID(t *testing.T) {
	shape := regexp.MustCompile(`^[a-z2-7]{13}$`)
	ids := map[string]bool{}
	for range 1000 {
		id := NewID(time.Unix(0, 0))
		if !shape.MatchString(id) || ids[id] {
			t.Errorf("ID %q is malformed or not unique", id)
		}
		ids[id] = true
	}
	for now := time.Unix(1_700_000_000, 0); now.Year() < 2100; now = now.Add(100 * time.Hour) {
		if earlier, later := NewID(now.Add(-2*time.Hour)), NewID(now); earlier[:4] >= later[:4] {
			t.Fatalf("%s of %v is not before %s of two hours later", earlier, now, later)
		}
	}
}

// TestSecrets checks that a secret depends on all its parts and their order, and differs from the
// tokens of seats.
func TestSecrets(t *testing.T) {
	keys := NewKeys([]byte(strings.Repeat("k", 32)))
	all := map[string]bool{keys.Token("a", One): true, keys.Fresh("a", One, "b"): true}
	for _, parts := range [][]string{{"a"}, {"a", "b"}, {"b", "a"}, {"ab"}, {"a", "b", ""}, {"", "a", "b"}, {"a", "b", "1"}} {
		token := keys.Secret(parts...)
		if all[token] || len(token) != 32 || token != keys.Secret(parts...) {
			t.Errorf("%q: %q is malformed, not unique or not repeatable", parts, token)
		}
		all[token] = true
	}
	if all[NewKeys([]byte(strings.Repeat("l", 32))).Secret("a", "b")] {
		t.Error("another secret makes the same tokens")
	}
}
