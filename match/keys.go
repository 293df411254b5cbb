package match

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
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

// NewID returns a name for a table: 60 bits of chance in twelve letters and digits, none of which look alike.
func NewID() string { return strings.ToLower(rand.Text()[:12]) }
