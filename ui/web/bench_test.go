package web

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"digitduel/match"
)

// benchTable returns a server and a visit to a table in the middle of a game.
func benchTable(b *testing.B) (*testServer, *match.Visit) {
	h := newTestServer(b)
	t := h.open(`{"rules":"dilemma","names":["Ada","Ben"],"hints":true}`)
	t.play("1:7a 2:3b 1:1c 2:5a")
	v, err := h.Hall.Visit(context.Background(), t.id)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(v.Close)
	return h, v
}

// BenchmarkUpdate measures the update of one viewer after a change of the table.
func BenchmarkUpdate(b *testing.B) {
	for _, test := range []struct {
		name, query, has string
		viewer           viewer
	}{
		{"watcher", "", "Ada&#39;s turn", viewer{}},
		{"player", "", "Your turn", viewer{seat: match.One, plays: true}},
		{"hint", "?hint=1", "The move", viewer{seat: match.One, plays: true}},
	} {
		b.Run(test.name, func(b *testing.B) {
			h, v := benchTable(b)
			r := httptest.NewRequest("GET", "/t/x"+test.query, nil)
			state := v.Table.State()
			b.ReportAllocs()
			for b.Loop() {
				u, err := h.update(r, v, test.viewer, state)
				if err != nil || !strings.Contains(u.HTML, test.has) {
					b.Fatal(err, u.HTML)
				}
			}
		})
	}
}

// BenchmarkTablePage measures a request for the whole page of a table, compressed.
func BenchmarkTablePage(b *testing.B) {
	h, v := benchTable(b)
	for b.Loop() {
		r := httptest.NewRequest("GET", "http://duel.example/t/"+v.Table.ID(), nil)
		r.Header.Set("Accept-Encoding", "gzip")
		w := httptest.NewRecorder()
		h.Server.ServeHTTP(w, r)
		if w.Code != 200 || w.Body.Len() < 1000 {
			b.Fatal(w.Code, w.Body.Len())
		}
	}
}
