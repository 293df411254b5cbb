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

// A lossyProxy is a proxy in front of a server that can lose an answer.
type lossyProxy struct {
	*httptest.Server
	mu   sync.Mutex
	lose func() // called instead of answering the next move; nil: no answer is lost
}

func newLossyProxy(t *testing.T, s *server) *lossyProxy {
	t.Helper()
	l := &lossyProxy{}
	to := &url.URL{Scheme: "http", Host: s.addr}
	proxy := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(to); r.Out.Host = r.In.Host },
		FlushInterval: -1,
		ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
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

// loseNext makes the proxy call do instead of answering the next move.
func (l *lossyProxy) loseNext(do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lose = do
}

// A lineClient is a process of duel that is used line by line.
type lineClient struct {
	t      *testing.T
	in     io.Writer
	kill   func()
	output outputBuffer
	from   int // the end of the output that was expected so far
}

// startLineClient starts a command with its own home.
func startLineClient(t *testing.T, home string, args ...string) *lineClient {
	t.Helper()
	cmd := exec.Command("duel", args...)
	cmd.Env = append(environment(t), "XDG_DATA_HOME="+home, "XDG_CONFIG_HOME="+home)
	c := &lineClient{t: t, output: outputBuffer{changed: make(chan struct{})}}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.in, cmd.Stdout, cmd.Stderr = in, &c.output, &c.output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.kill = sync.OnceFunc(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }) // it may have ended
	t.Cleanup(c.kill)
	return c
}

// expect waits for a text in the output after the last expected text.
func (c *lineClient) expect(text string) {
	c.t.Helper()
	deadline := time.After(30 * time.Second)
	for {
		found, more := c.output.contains(text, c.from)
		if found {
			c.from += strings.Index(c.output.String()[c.from:], text) + len(text)
			return
		}
		select {
		case <-more:
		case <-deadline:
			c.t.Fatalf("%q was not printed, but\n%s", text, c.output.String())
		}
	}
}

func (c *lineClient) types(line string) { fmt.Fprintln(c.in, line) }

// savedSeat returns the saved seat of a user at the last table.
func savedSeat(t *testing.T, home string) (one remote.SavedSeat) {
	t.Helper()
	path := filepath.Join(home, "duel", "seats.json")
	waitUntil(t, 20*time.Second, "the seat is saved", func() bool {
		var all remote.Seats
		text, err := os.ReadFile(path)
		if err == nil && json.Unmarshal(text, &all) == nil && len(all.All) > 0 {
			one = all.All[len(all.All)-1]
		}
		return one.Token != ""
	})
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode of seats.json: %v, want 0600: %v", info.Mode(), err)
	}
	return one
}

// TestJoin plays a game between the full screen, lines and the API at one server, which is killed
// between moves and during one, while answers are lost. Every move is there once.
func TestJoin(t *testing.T) {
	t.Parallel()
	s := newServer(t, "--db", filepath.Join(t.TempDir(), "tables.db"))
	s.start()
	proxy := newLossyProxy(t, s)
	homes := [2]string{t.TempDir(), t.TempDir()}
	ada := openPane(t, fmt.Sprintf(
		"XDG_DATA_HOME=%s XDG_CONFIG_HOME=%[1]s duel join %s highest --name Ada", homes[0], proxy.URL))
	ada.shows(`Waiting for a player`)
	host := savedSeat(t, homes[0])
	ada.shows(regexp.QuoteMeta(host.Invite))
	ben := startLineClient(t, homes[1], "join", host.Invite, "--name", "Ben")
	ben.expect("(Ada's turn)")
	ada.shows(`YOUR TURN`)
	ada.types("9", "a", "Enter")
	ada.shows(`BEN'S TURN`)

	ben.expect("select: ")
	ben.types("hint")
	ben.expect("Hints are off until both players agree.")
	s.kill()
	ben.expect("The connection to the server is lost.")
	ada.shows(`The connection to the server is`)
	ben.types("8 hundreds")
	ben.expect("your move isn't confirmed yet")
	s.start()
	ben.expect("Connected again.")
	ben.expect("(Ada's turn)")

	ada.shows(`YOUR TURN`)
	lost := make(chan struct{})
	proxy.loseNext(func() { close(lost) })
	ada.types("7", "b", "Enter")
	<-lost
	ada.shows(`BEN'S TURN`)

	ben.expect("select: ")
	killed := make(chan struct{})
	proxy.loseNext(func() { s.kill(); close(killed) })
	ben.types("6 tens")
	<-killed
	ben.expect("your move isn't confirmed yet")
	s.start()
	ben.expect("(Ada's turn)")

	status, text, err := s.ask("POST", "/api/tables/"+host.Table+"/moves", host.Token, `{"move":"5c"}`)
	if err != nil || status != http.StatusOK {
		t.Fatalf("a move through the API: %d %s %v", status, text, err)
	}
	ben.expect("select: ")
	ben.types("4 units")
	ada.shows(`YOU WIN`)
	ben.expect("Play again? (y/n) ")
	ben.types("y")
	ada.shows(`Ben wants a rematch`)
	ada.types("y")
	ada.shows(`BEN'S TURN`)
	ben.expect("select: ")
	ben.types("quit")
	ben.expect("Come back: duel join " + proxy.URL + "/t/" + host.Table)
	again := startLineClient(t, homes[1], "play", "--continue")
	again.expect("select: ")
	again.types("resign")
	again.expect("Play again? (y/n) ")
	again.types("n")
	waitUntil(t, 20*time.Second, "the seat is left", func() bool {
		return savedSeat(t, homes[1]).Over
	})
	ada.shows(`YOU WIN`)
	ada.types("Escape")
	ada.restored(0)
	settings, err := os.ReadFile(filepath.Join(homes[1], "duel", "choices.json"))
	if err != nil || !strings.Contains(string(settings), `"`+proxy.URL+`"`) {
		t.Errorf("the server is not saved in the settings: %s, %v", settings, err)
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

// TestJoinListsTerms checks that the list shows all terms that a player accepts by joining a table.
func TestJoinListsTerms(t *testing.T) {
	t.Parallel()
	s := newServer(t, "--db", filepath.Join(t.TempDir(), "tables.db"))
	s.start()
	url := "http://" + s.addr
	host := startLineClient(t, t.TempDir(), "join", url, "sevens", "--opponent", "anyone",
		"--name", "Ada", "--auto-call", "--best-of", "3", "--targets", "7,11", "--turn-time", "30s",
		"--on-timeout", "random")
	host.expect("To watch: ")
	guest := startLineClient(t, t.TempDir(), "join", url)
	guest.expect("Ada waits for you. Best of 3: first to 2 wins. " +
		"30 seconds a turn. If time runs out, a random digit is played. " +
		"Automatic: the game calls your highest multiple. Game 1: 7, game 2: 11.")
}

// TestJoinRefused checks the errors of duel join, one line each.
func TestJoinRefused(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"", "join: missing server URL or table link (try: duel join http://localhost:8080)"},
		{"ftp://x", `link "ftp://x": allowed: the address of a server or a link to a table there, as in http://localhost:8080 or http://localhost:8080/t/abc`},
		{"http://x/t/abc dilemma", "join http://x/t/abc: a link to a table takes no game; leave out dilemma"},
		{"http://127.0.0.1:1 dilemma --opponent nobody", `opponent "nobody": allowed: friend, anyone, beginner, novice, casual, skilled, expert, master, perfect`},
		{"http://127.0.0.1:1", "http://127.0.0.1:1 does not answer: connection refused"},
	} {
		args := append([]string{"join"}, strings.Fields(test.args)...)
		code, _, stderr := runDuel(t, []string{"XDG_DATA_HOME=" + t.TempDir()}, args...)
		want := 2
		if strings.HasSuffix(test.want, "refused") {
			want = 1
		}
		if code != want || stderr != "duel: "+test.want+"\n" {
			t.Errorf("%s: exit code %d, %q", test.args, code, stderr)
		}
	}
}
