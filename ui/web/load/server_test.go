package load

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"digitduel/digit"
	"digitduel/match"
)

// A server is a minimal server for the players, and can be made to fail.
type server struct {
	flaws
	mu     sync.Mutex
	tables map[string]*match.Table
	live   int // the tables reported in the metrics
}

// flaws are the errors of a server. The zero value has none.
type flaws struct {
	// times returns how often the stream of a client sends an event. If it is nil, once.
	times func(client string, e match.Event) int
	// data returns the data to send for an event. If it is nil, they are unchanged.
	data func(e match.Event, data string) string
	// intercept may answer a request instead of the server, and reports whether it did.
	intercept func(w http.ResponseWriter, r *http.Request) bool
}

// serve starts a server and returns its URL.
func serve(t *testing.T, f flaws) string {
	s := &server{flaws: f, tables: map[string]*match.Table{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/tables", s.open)
	mux.HandleFunc("POST /api/tables/{id}/moves", s.move)
	mux.HandleFunc("POST /api/tables/{id}/acts", s.act)
	mux.HandleFunc("GET /api/tables/{id}/events", s.events)
	mux.HandleFunc("GET /metrics", s.metrics)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if f.intercept == nil || !f.intercept(w, r) {
			mux.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(web.Close)
	return web.URL
}

func (s *server) table(r *http.Request) *match.Table {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tables[r.PathValue("id")]
}

// seatOf reads the token of a request, which is the number of the seat.
func seatOf(r *http.Request) match.Seat {
	seat, _ := strconv.Atoi(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	return match.Seat(seat - 1)
}

func answerWith(w http.ResponseWriter, s match.State, err error) {
	if err != nil {
		w.WriteHeader(http.StatusConflict)
		fmt.Fprintf(w, `{"error":%q}`, err)
		return
	}
	fmt.Fprintf(w, `{"seq":%d,"position":%q}`, s.Seq, s.Setup.Rules.Text(s.Position))
}

func (s *server) open(w http.ResponseWriter, r *http.Request) {
	var setup match.Setup
	if err := json.NewDecoder(r.Body).Decode(&setup); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id := fmt.Sprint("t", len(s.tables)+1)
	table, err := match.Open(r.Context(), id, setup, new(match.Memory), nil)
	if err == nil {
		_, err = table.Begin(r.Context())
	}
	if err != nil {
		answerWith(w, match.State{}, err)
		return
	}
	s.tables[id] = table
	s.live = 2 // and one less with each request for the metrics
	w.WriteHeader(http.StatusCreated)
	fmt.Fprintf(w, `{"id":%q,"seats":[{"seat":1,"side":"first","token":"1"},`+
		`{"seat":2,"side":"second","token":"2"}]}`, id)
}

func (s *server) move(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Move digit.Move
		Seq  int
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil ||
		r.Header.Get("Content-Type") != "application/json" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	state, err := s.table(r).Play(r.Context(), seatOf(r), asked.Move, asked.Seq)
	answerWith(w, state, err)
}

func (s *server) act(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Act string }
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	state, err := s.table(r).Do(r.Context(), seatOf(r), match.Act(asked.Act), "")
	answerWith(w, state, err)
}

// events streams the events of a table.
func (s *server) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(w, ": welcome\n\n")
	client := "watcher"
	if r.Header.Get("Authorization") != "" {
		client = seatOf(r).String()
	}
	for e, after := range s.table(r).Watch(r.Context(), 0) {
		fields := map[string]any{
			"seq": e.Seq, "kind": e.Kind, "side": after.Side(e.Seat),
			"position": after.Setup.Rules.Text(after.Position), "result": after.Result,
		}
		if e.Move != nil {
			fields["move"] = e.Move
		}
		if after.Playing() {
			fields["turn"] = after.Side(after.Turn())
		}
		text, _ := json.Marshal(fields)
		data, times := string(text), 1
		if s.data != nil {
			data = s.data(e, data)
		}
		if s.times != nil {
			times = s.times(client, e)
		}
		for range times {
			fmt.Fprintf(w, "id: %d\nevent: %s\ndata: %s\n\n", e.Seq, e.Kind, data)
		}
		if times < 0 { // the stream ends
			return
		}
		http.NewResponseController(w).Flush()
	}
}

func (s *server) metrics(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	events := 0
	for _, table := range s.tables {
		events += table.State().Seq
	}
	fmt.Fprintf(w, "# HELP duel_tables_live how many\nduel_tables_live %d\n"+
		"duel_store_events_total %d\nduel_mcp_calls_total{tool=\"a b\"} 1\n"+
		"duel_store_commits_total %d\n", s.live, events, events/2)
	fmt.Fprintf(w, "process_resident_memory_bytes 3e+07\nprocess_cpu_seconds_total 1.5\n")
	s.live = max(0, s.live-1)
}
