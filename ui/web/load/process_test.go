package load

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestServerLog(t *testing.T) {
	tests := []struct {
		said []string
		url  string
		last string
	}{
		{[]string{"listening on http://127.0.0.1:80\n"}, "http://127.0.0.1:80", "listening on http://127.0.0.1:80"},
		{[]string{"a\nlist", "ening on http://1", "27.0.0.1:80", "\nb", "\n"}, "http://127.0.0.1:80", "b"},
		{[]string{`time=1 msg="listening on http://[::1]:80" db=x` + "\n"}, "http://[::1]:80", `time=1 msg="listening on http://[::1]:80" db=x`},
		{[]string{strings.Repeat("x", 5000) + "\n", "duel: no\n", "\n"}, "", "duel: no"},
		{nil, "", ""},
	}
	for _, tt := range tests {
		l := &serverLog{listens: make(chan string, 1)}
		for _, text := range tt.said {
			if n, err := l.Write([]byte(text)); n != len(text) || err != nil {
				t.Errorf("%q: %d, %v", text, n, err)
			}
		}
		url := ""
		select {
		case url = <-l.listens:
		default:
		}
		if url != tt.url || l.last() != tt.last {
			t.Errorf("%q: listens on %q, last line %q", tt.said, url, l.last())
		}
	}
}

// TestProfile asks for a profile in vain.
func TestProfile(t *testing.T) {
	for _, tt := range []struct {
		answer http.HandlerFunc
		want   string
	}{
		{http.NotFound, `profile: the server answers 404 Not Found: "404 page not found\n"`},
		{func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "9") }, "profile: unexpected EOF"},
	} {
		web := httptest.NewServer(tt.answer)
		defer web.Close()
		if err := Profile(t.Context(), web.URL, filepath.Join(t.TempDir(), "cpu"), time.Second); fmt.Sprint(err) != tt.want {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}
