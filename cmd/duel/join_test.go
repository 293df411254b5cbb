package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"digitduel/match/remote"
)

// A lossy is a proxy before a server that may lose an answer.
type lossy struct {
	*httptest.Server
	mu   sync.Mutex
	lose func() // is called instead of the next answer to a move; nil: none is lost
}

func newLossy(t *testing.T, s *server) *lossy {
	t.Helper()
	l := &lossy{}
	to := &url.URL{Scheme: "http", Host: s.addr}
	proxy := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(to); r.Out.Host = r.In.Host },
		FlushInterval: -1, ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var lose func()
		if strings.HasSuffix(r.URL.Path, "/moves") {
			l.mu.Lock()
			lose, l.lose = l.lose, nil
			l.mu.Unlock()
		}
		if lose == nil {
			proxy.ServeHTTP(w, r)
			return
		}
		proxy.ServeHTTP(httptest.NewRecorder(), r)
		lose()
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(func() { l.CloseClientConnections(); l.Close() })
	return l
}

// next is called instead of the answer to the next move.
func (l *lossy) next(do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lose = do
}

// A typist plays line by line in a process.
type typist struct {
	t    *testing.T
	in   io.Writer
	kill func()
	said journal
	from int // how much of that was awaited
}

// newTypist starts a command that is typed at, with a home of its own.
func newTypist(t *testing.T, home string, args ...string) *typist {
	t.Helper()
	cmd := exec.Command("duel", args...)
	cmd.Env = append(environment(t), "XDG_DATA_HOME="+home, "XDG_CONFIG_HOME="+home)
	y := &typist{t: t, said: journal{changed: make(chan struct{})}}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	y.in, cmd.Stdout, cmd.Stderr = in, &y.said, &y.said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	y.kill = sync.OnceFunc(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }) // it may have ended
	t.Cleanup(y.kill)
	return y
}

// hears waits until something is said after what was awaited before.
func (y *typist) hears(text string) {
	y.t.Helper()
	deadline := time.After(30 * time.Second)
	for {
		said, more := y.said.says(text, y.from)
		if said {
			y.from += strings.Index(y.said.String()[y.from:], text) + len(text)
			return
		}
		select {
		case <-more:
		case <-deadline:
			y.t.Fatalf("%q was not said, but\n%s", text, y.said.String())
		}
	}
}

func (y *typist) types(line string) { fmt.Fprintln(y.in, line) }

// keptSeat returns what a user has at the last table.
func keptSeat(t *testing.T, home string) (one remote.Seat) {
	t.Helper()
	path := filepath.Join(home, "duel", "seats.json")
	within(t, 20*time.Second, "the seat is kept", func() bool {
		var all remote.Seats
		text, err := os.ReadFile(path)
		if err == nil && json.Unmarshal(text, &all) == nil && len(all.All) > 0 {
			one = all.All[len(all.All)-1]
		}
		return one.Token != ""
	})
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file of seats: %v, %v", info.Mode(), err)
	}
	return one
}

// TestJoin plays a game between a full screen, lines and the API at one server, which is killed between moves and in the middle of one,
// while answers are lost. Every move is there once.
func TestJoin(t *testing.T) {
	t.Parallel()
	s := newServer(t, "--db", filepath.Join(t.TempDir(), "tables.db"))
	s.start()
	way := newLossy(t, s)
	homes := [2]string{t.TempDir(), t.TempDir()}
	ada := open(t, fmt.Sprintf("XDG_DATA_HOME=%s XDG_CONFIG_HOME=%[1]s duel join %s highest --name Ada", homes[0], way.URL))
	ada.shows(`Waiting for a player`)
	host := keptSeat(t, homes[0])
	ada.shows(regexp.QuoteMeta(host.Invite))
	ben := newTypist(t, homes[1], "join", host.Invite, "--name", "Ben")
	ben.hears("(Ada's turn)")
	ada.shows(`YOUR TURN`)
	ada.types("9", "a", "Enter")
	ada.shows(`BEN'S TURN`)

	ben.hears("select: ")
	ben.types("hint")
	ben.hears("Hints are off until both players agree.")
	s.kill()
	ben.hears("The connection to the server is lost.")
	ada.shows(`The connection to the server is`)
	ben.types("8 hundreds")
	ben.hears("your move isn't confirmed yet")
	s.start()
	ben.hears("Connected again.")
	ben.hears("(Ada's turn)")

	ada.shows(`YOUR TURN`)
	lost := make(chan struct{})
	way.next(func() { close(lost) })
	ada.types("7", "b", "Enter")
	<-lost
	ada.shows(`BEN'S TURN`)

	ben.hears("select: ")
	killed := make(chan struct{})
	way.next(func() { s.kill(); close(killed) })
	ben.types("6 tens")
	<-killed
	ben.hears("your move isn't confirmed yet")
	s.start()
	ben.hears("(Ada's turn)")

	if status, text, err := s.ask("POST", "/api/tables/"+host.Table+"/moves", host.Token, `{"move":"5c"}`); err != nil || status != http.StatusOK {
		t.Fatalf("the API: %d %s %v", status, text, err)
	}
	ben.hears("select: ")
	ben.types("4 units")
	ada.shows(`YOU WIN`)
	ben.hears("Play again? (y/n) ")
	ben.types("y")
	ada.shows(`Ben wants a rematch`)
	ada.types("y")
	ada.shows(`BEN'S TURN`)
	ben.hears("select: ")
	ben.types("quit")
	ben.hears("Come back: duel join " + way.URL + "/t/" + host.Table)
	again := newTypist(t, homes[1], "play", "--continue")
	again.hears("select: ")
	again.types("resign")
	ada.shows(`YOU WIN`)
	ada.types("Escape")
	ada.restored(0)
	settings, err := os.ReadFile(filepath.Join(homes[1], "duel", "choices.json"))
	if err != nil || !strings.Contains(string(settings), `"`+way.URL+`"`) {
		t.Errorf("the server is not remembered: %s, %v", settings, err)
	}

	events, err := s.history(t.Context(), host.Table)
	if err != nil {
		t.Fatal(err)
	}
	var moves []string
	for _, text := range events {
		var e struct{ Kind, Move string }
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			t.Fatal(err)
		}
		if e.Kind == "moved" {
			moves = append(moves, e.Move)
		}
	}
	if got, want := strings.Join(moves, " "), "9a 8a 7b 6b 5c 4c"; got != want {
		t.Errorf("the moves are %s, want %s", got, want)
	}
}

// TestJoinListsTerms lists a table with all terms that a player agrees to by joining it.
func TestJoinListsTerms(t *testing.T) {
	t.Parallel()
	s := newServer(t, "--db", filepath.Join(t.TempDir(), "tables.db"))
	s.start()
	url := "http://" + s.addr
	host := newTypist(t, t.TempDir(), "join", url, "sevens", "--opponent", "anyone", "--name", "Ada", "--auto-call",
		"--best-of", "3", "--targets", "7,11", "--turn-time", "30s", "--on-timeout", "random")
	host.hears("To watch: ")
	guest := newTypist(t, t.TempDir(), "join", url)
	guest.hears("Ada waits for you. Best of 3: first to 2 wins. " +
		"30 seconds a turn. If time runs out, a random digit is played. " +
		"Automatic: the game calls your highest multiple. Game 1: 7, game 2: 11.")
}

// TestJoinRefused says in a line what is wrong.
func TestJoinRefused(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"", "join: missing server URL or table link (try: duel join http://localhost:8080)"},
		{"ftp://x", `link "ftp://x": allowed: the address of a server or a link to a table there, as in http://localhost:8080 or http://localhost:8080/t/abc`},
		{"http://x/t/abc dilemma", "join http://x/t/abc: a link to a table takes no game; leave out dilemma"},
		{"http://127.0.0.1:1 dilemma --opponent nobody", `opponent "nobody": allowed: friend, anyone, beginner, novice, casual, skilled, expert, master, perfect`},
		{"http://127.0.0.1:1", "http://127.0.0.1:1 does not answer: connection refused"},
	} {
		code, _, told := order(t, []string{"XDG_DATA_HOME=" + t.TempDir()}, append([]string{"join"}, strings.Fields(test.args)...)...)
		want := 2
		if strings.HasSuffix(test.want, "refused") {
			want = 1
		}
		if code != want || told != "duel: "+test.want+"\n" {
			t.Errorf("%s: exit code %d, %q", test.args, code, told)
		}
	}
}
