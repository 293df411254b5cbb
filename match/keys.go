package match

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"strings"
	"time"
)

// Keys make and know the tokens by which players prove that a seat is theirs: 192 bits that nobody can guess, in letters that need no
// escape in a URL. All servers that share the secret, of 32 bytes, make the same ones.
//
// No token is stored. Of one that somebody got by sitting down, or instead of another, the [Seal] is; who sits at a table from the
// start without a seal has the one that follows from table and seat, as everybody had before there were seals.
type Keys struct{ secret []byte }

// NewKeys returns the keys of a secret.
func NewKeys(secret []byte) Keys { return Keys{secret} }

// Token returns the token that follows from a table and a seat: the invitation to a seat that is or was open.
func (k Keys) Token(table string, seat Seat) string { return k.sign(byte(seat), table) }

// Fresh returns the token of a seat for whoever sits down with a key of their own, which is as secret as the token: who asks again
// with the same key gets the same token, from any server.
func (k Keys) Fresh(table string, seat Seat, key string) string {
	return k.sign(byte(seat)+2, table+"\x00"+key)
}

func (k Keys) sign(purpose byte, text string) string {
	mac := hmac.New(sha256.New, k.secret)
	mac.Write([]byte{purpose})
	mac.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:24])
}

// Seal returns what is stored of a token. A token cannot be found by its seal.
func Seal(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:24])
}

// Seat returns the seat at a table in a state that a token is for. That of an open seat is only an invitation, and no longer one
// when the seat is taken.
func (k Keys) Seat(table string, s State, token string) (seat Seat, ok bool) {
	seal := Seal(token)
	for _, seat := range Seats {
		fits := s.Setup.Seals[seat] == "" && hmac.Equal([]byte(k.Token(table, seat)), []byte(token))
		if fits || hmac.Equal([]byte(s.Setup.Seals[seat]), []byte(seal)) {
			return seat, true
		}
	}
	return 0, false
}

// Invited returns the seat at a table in a state that a token is or was the invitation to.
func (k Keys) Invited(table string, s State, token string) (seat Seat, ok bool) {
	for _, seat := range Seats {
		if s.Setup.Open[seat] && hmac.Equal([]byte(k.Token(table, seat)), []byte(token)) {
			return seat, true
		}
	}
	return 0, false
}

// A hold is what an act is done by: the seat and the seal of its token.
type hold struct {
	seat Seat
	seal string
}

type holdKey struct{}

// Holding returns a context for acts of a player who has proved a seat by its seal at a table in some state. Should the token have been
// changed when the act's turn comes, be it by another server, the act is answered with [ErrRekeyed].
func Holding(ctx context.Context, seat Seat, seal string) context.Context {
	return context.WithValue(ctx, holdKey{}, hold{seat, seal})
}

// held reports whether the seat by which an act is done is still held in a state; what is nobody's act needs none.
func held(ctx context.Context, s State) bool {
	h, ok := ctx.Value(holdKey{}).(hold)
	return !ok || s.Setup.Seals[h.seat] == h.seal
}

// letters are those of the names of tables, none of which look alike, in the order of their texts.
const letters = "234567abcdefghijklmnopqrstuvwxyz"

// NewID returns a name for a table that is opened at a moment: four letters for the time, which repeat after 136 years, and nine
// with 45 bits of chance. So tables that are played at together are neighbours in a database, and share its pages.
func NewID(now time.Time) string { return idOf(now, rand.Text()) }

// ID returns such a name that follows from a key instead of chance, for somebody who may ask again within [KeyTime].
func (k Keys) ID(now time.Time, key string) string {
	sum, _ := base64.RawURLEncoding.DecodeString(k.sign(4, key)) // it was encoded there
	return idOf(now, base32.StdEncoding.EncodeToString(sum))
}

// KeyTime is how much later a name may begin with the next letters, but no further.
const KeyTime = time.Hour

func idOf(now time.Time, rest string) string {
	const block = 1 << 12 // seconds that have the same letters
	var id [4]byte
	for i, n := len(id)-1, now.Unix()/block; i >= 0; i, n = i-1, n>>5 {
		id[i] = letters[n&31]
	}
	return string(id[:]) + strings.ToLower(rest[:9])
}
