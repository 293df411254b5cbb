package match

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"time"
)

// Keys make the tokens by which players prove that a seat is theirs. A token follows from the secret, the table and the seat, so
// none is stored, and all servers that share the secret know all of them. The secret has 32 bytes.
type Keys struct{ secret []byte }

// NewKeys returns the keys of a secret.
func NewKeys(secret []byte) Keys { return Keys{secret} }

// Token returns the token of a seat: 192 bits that nobody can guess, in letters that need no escape in a URL.
func (k Keys) Token(table string, seat Seat) string {
	mac := hmac.New(sha256.New, k.secret)
	mac.Write([]byte{byte(seat)})
	mac.Write([]byte(table))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:24])
}

// Seat returns the seat of a table that a token is for.
func (k Keys) Seat(table, token string) (seat Seat, ok bool) {
	for _, seat := range Seats {
		if hmac.Equal([]byte(k.Token(table, seat)), []byte(token)) {
			return seat, true
		}
	}
	return 0, false
}

// letters are those of the names of tables, none of which look alike, in the order of their texts.
const letters = "234567abcdefghijklmnopqrstuvwxyz"

// NewID returns a name for a table that is opened at a moment: four letters for the time, which repeat after 136 years, and nine
// with 45 bits of chance. So tables that are played at together are neighbours in a database, and share its pages.
func NewID(now time.Time) string {
	const block = 1 << 12 // seconds that have the same letters
	var id [4]byte
	for i, n := len(id)-1, now.Unix()/block; i >= 0; i, n = i-1, n>>5 {
		id[i] = letters[n&31]
	}
	return string(id[:]) + strings.ToLower(rand.Text()[:9])
}
