package match

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Keys makes and checks the tokens that prove a player's right to a seat. A token has 192 random
// bits, in letters that need no escape in a URL. All servers that share the secret of 32 bytes make
// the same tokens.
//
// No token is stored. For a token issued when a player sits down, or as a replacement, its [Seal]
// is. A seat taken from the start without a seal has the token derived from table and seat; tables
// from before there were seals have only such tokens.
type Keys struct{ secret []byte }

// NewKeys returns the Keys of a secret.
func NewKeys(secret []byte) Keys { return Keys{secret} }

// Token returns the token derived from a table and a seat: the invitation to an open seat.
func (k Keys) Token(table string, seat Seat) string { return k.sign(byte(seat), table) }

// Fresh returns a new token of a seat for a player who sits down with a key of their own. The key
// is as secret as the token: the same key gives the same token on any server.
func (k Keys) Fresh(table string, seat Seat, key string) string {
	return k.sign(byte(seat)+2, table+"\x00"+key)
}

// Secret returns a token derived from a purpose and names, none of which contains NUL.
func (k Keys) Secret(parts ...string) string { return k.sign(9, strings.Join(parts, "\x00")) }

func (k Keys) sign(purpose byte, text string) string {
	mac := hmac.New(sha256.New, k.secret)
	mac.Write([]byte{purpose})
	mac.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:24])
}

// Seal returns the stored hash of a token. The token cannot be derived from it.
func Seal(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:24])
}

// Seat returns the seat that a token is for, at a table in state s. The token of an open seat is
// only an invitation, and becomes invalid when the seat is taken.
func (k Keys) Seat(table string, s State, token string) (seat Seat, ok bool) {
	return findSeat(func(seat Seat) bool {
		seal := s.Setup.Seals[seat]
		return seal == "" && SameSecret(k.Token(table, seat), token) ||
			SameSecret(seal, Seal(token))
	})
}

// findSeat returns the first seat that is wanted; ok is false if there is none.
func findSeat(wanted func(Seat) bool) (seat Seat, ok bool) {
	i := slices.IndexFunc(Seats[:], wanted)
	return Seat(max(i, 0)), i >= 0
}

// SameSecret compares two tokens, codes or seals in constant time.
func SameSecret(a, b string) bool { return hmac.Equal([]byte(a), []byte(b)) }

// Invited returns the seat that a token is or was the invitation to, at a table in state s.
func (k Keys) Invited(table string, s State, token string) (seat Seat, ok bool) {
	return findSeat(func(seat Seat) bool {
		return s.Setup.Open[seat] && SameSecret(k.Token(table, seat), token)
	})
}

// Link returns the one-time token that moves a seat, in state s, to another device. It is valid
// until the token of the seat changes.
func (k Keys) Link(table string, seat Seat, s State) string {
	return k.sign(byte(seat)+5, table+"\x00"+s.Setup.Seals[seat])
}

// Recall returns the one-time token with which the opponent invites back a player who has left. It
// is valid until the player is back or the token of the seat changes.
func (k Keys) Recall(table string, seat Seat, s State) string {
	text := fmt.Sprintf("%s\x00%s\x00%d", table, s.Setup.Seals[seat], s.Gone[seat])
	return k.sign(byte(seat)+7, text)
}

// Linked returns the seat that a one-time token moves to another device, at a table in state s.
func (k Keys) Linked(table string, s State, token string) (seat Seat, ok bool) {
	return findSeat(func(seat Seat) bool {
		return !s.Open[seat] && s.Setup.Levels[seat] == "" &&
			(SameSecret(k.Link(table, seat, s), token) ||
				s.Away[seat] && SameSecret(k.Recall(table, seat, s), token))
	})
}

// A hold proves the right to act: the seat and the seal of its token.
type hold struct {
	seat Seat
	seal string
}

type holdKey struct{}

// Holding returns a context for the acts of a player who has proved a seat by its seal. If the
// token has changed by the time of an act, even on another server, the act returns [ErrRekeyed].
func Holding(ctx context.Context, seat Seat, seal string) context.Context {
	return context.WithValue(ctx, holdKey{}, hold{seat, seal})
}

// holdsSeat reports whether the hold in ctx is valid in state s. Acts without a hold are always
// allowed.
func holdsSeat(ctx context.Context, s State) bool {
	h, ok := ctx.Value(holdKey{}).(hold)
	return !ok || s.Setup.Seals[h.seat] == h.seal
}

// letters are the letters of table names, in text order.
const letters = "234567abcdefghijklmnopqrstuvwxyz"

// NewID returns the name of a table that is opened now: four letters for the time, which repeat
// after 136 years, and nine random ones with 45 bits. So tables that are played at the same time
// are neighbors in a database and share its pages.
func NewID(now time.Time) string { return idOf(now, rand.Text()) }

// ID returns a name derived from a key instead of random bits, for a caller that may retry within
// [KeyTime].
func (k Keys) ID(now time.Time, key string) string {
	sum, _ := base64.RawURLEncoding.DecodeString(k.sign(4, key)) // sign encoded it
	return idOf(now, base32.StdEncoding.EncodeToString(sum))
}

// MaxID is the longest name of a table or class in bytes. Notices, whose size is limited, carry it.
const MaxID = 64

// CheckID returns an error if a table or class, as kind says, cannot have this name.
func CheckID(kind, name string) error {
	if name == "" || len(name) > MaxID {
		return fmt.Errorf("%s %q: allowed: a name of 1 to %d bytes", kind, name, MaxID)
	}
	for _, c := range name {
		if !unicode.IsPrint(c) || c == ' ' || c == utf8.RuneError {
			return fmt.Errorf("%s %q: %q is not allowed in its name", kind, name, c)
		}
	}
	return nil
}

// KeyTime is the time in which a name changes at most to the next time letters.
const KeyTime = time.Hour

func idOf(now time.Time, rest string) string {
	const block = 1 << 12 // seconds with the same letters
	var id [4]byte
	for i, n := len(id)-1, now.Unix()/block; i >= 0; i, n = i-1, n>>5 {
		id[i] = letters[n&31]
	}
	return string(id[:]) + strings.ToLower(rest[:9])
}
