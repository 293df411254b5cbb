package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"digitduel/match"
	"digitduel/store"
)

// A server is a process of duel serve that can be ended and started again at the same address.
type server struct {
	t       *testing.T
	program string
	args    []string
	under   []string // a command that runs the program with some limits
	addr    string
	log     *journal // of all its lives

	process *exec.Cmd     // nil: it is down
	ended   chan struct{} // closed when the process has ended, as err says
	err     error
}

// generous are the flags of a server that lets one address do what many players do.
var generous = []string{"--rate-address=0", "--rate-seat=0", "--rate-tables=0", "--max-streams-address=0", "--max-connections-address=0", "--rate-work=0"}

// newServer returns a server that is down. When the test is over it is killed.
func newServer(t *testing.T, args ...string) *server {
	t.Helper()
	return newProcess(t, program(t), args...)
}

// newOwn returns a server that is down, of the tests' own program: it is slower, and looks for races if the tests do.
func newOwn(t *testing.T, args ...string) *server {
	t.Helper()
	return newProcess(t, "duel", args...)
}

func newProcess(t *testing.T, program string, args ...string) *server {
	t.Helper()
	s := &server{
		t: t, program: program, args: slices.Concat([]string{"serve"}, generous, args), addr: freeAddr(t), log: &journal{changed: make(chan struct{})},
	}
	t.Cleanup(func() {
		s.kill()
		text := s.log.String()
		for _, bad := range []string{"DATA RACE", "panic: ", "a handler broke"} {
			if strings.Contains(text, bad) {
				t.Errorf("the server says %q", bad)
			}
		}
		s.keepLog()
		if t.Failed() {
			t.Logf("the server at %s says, at last:\n%s", s.addr, text[max(0, len(text)-6000):])
		}
	})
	return s
}

// program returns the program as it is shipped. The command duel of the tests is the tests' own program, which with the race detector is
// too slow for a crowd.
func program(t *testing.T) string {
	t.Helper()
	shipped.Do(func() {
		var duel string
		if duel, shipped.err = exec.LookPath("duel"); shipped.err != nil {
			return
		}
		shipped.path = filepath.Join(filepath.Dir(duel), "shipped") // this folder goes when the tests are over
		// Unlike go build, go run keeps what it links for other tests.
		build := exec.Command("go", "run", "-exec", "cp", "digitduel/cmd/duel", shipped.path)
		if out, err := build.CombinedOutput(); err != nil {
			shipped.err = fmt.Errorf("%w: %s", err, out)
		}
	})
	if shipped.err != nil {
		t.Fatal(shipped.err)
	}
	return shipped.path
}

var shipped struct {
	sync.Once
	path string
	err  error
}

// freeAddr returns a loopback address that nobody listens at, and that no other test gets. Its port is none that the system gives to a
// client in passing, nor one of pgtest, for then a server that was down could not have it back.
func freeAddr(t *testing.T) string {
	t.Helper()
	for range 100 {
		l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(10000+rand.IntN(10000)))
		if err != nil {
			continue
		}
		addr := l.Addr().String()
		l.Close()
		if _, given := givenAddrs.LoadOrStore(addr, true); !given {
			return addr
		}
	}
	t.Fatal("no port is free")
	return ""
}

var givenAddrs sync.Map // also those of servers that are down

// start starts the server and waits until it listens.
func (s *server) start() {
	s.t.Helper()
	before, late := s.log.len(), time.After(time.Minute)
	s.launch()
	for {
		said, changed := s.log.says("://"+s.addr, before)
		if said {
			return
		}
		select {
		case <-changed:
		case <-s.ended:
			s.t.Fatalf("the server did not start: %v: %s", s.err, s.log)
		case <-late:
			s.t.Fatalf("the server does not listen after a minute: %s", s.log)
		}
	}
}

// launch starts the server.
func (s *server) launch() {
	s.t.Helper()
	line := slices.Concat(s.under, []string{s.program}, s.args, []string{"--addr", s.addr})
	s.process, s.ended = exec.Command(line[0], line[1:]...), make(chan struct{})
	s.process.Env = environment(s.t)
	s.process.Stdout, s.process.Stderr = s.log, s.log
	if err := s.process.Start(); err != nil {
		s.t.Fatal(err)
	}
	process, ended := s.process, s.ended
	go func() {
		s.err = process.Wait()
		close(ended)
	}()
}

// environment returns that of the test without what would change how a server starts.
func environment(t *testing.T) []string {
	env := slices.DeleteFunc(os.Environ(), func(line string) bool { return strings.HasPrefix(line, "DUEL_") })
	return append(env, "XDG_DATA_HOME="+t.TempDir())
}

// kill ends the server without a chance to do anything.
func (s *server) kill() { s.end(syscall.SIGKILL) }

// end ends the server by a signal, and returns its exit code.
func (s *server) end(how syscall.Signal) int {
	s.t.Helper()
	if s.process == nil {
		return -1
	}
	_ = s.process.Process.Signal(how) // one that has ended already says so below
	select {
	case <-s.ended:
	case <-time.After(30 * time.Second):
		_ = s.process.Process.Kill()
		<-s.ended
		s.t.Errorf("the server did not end by %v in 30 seconds", how)
	}
	s.process = nil
	var failed *exec.ExitError
	if errors.As(s.err, &failed) {
		return failed.ExitCode()
	}
	return 0
}

// A journal is what a process has said.
type journal struct {
	mu      sync.Mutex
	text    bytes.Buffer
	changed chan struct{}
}

func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	close(j.changed)
	j.changed = make(chan struct{})
	return j.text.Write(b)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

func (j *journal) len() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Len()
}

// says reports whether a text was said after so many bytes, and returns a channel that is closed when more is said.
func (j *journal) says(text string, after int) (bool, <-chan struct{}) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return bytes.Contains(j.text.Bytes()[after:], []byte(text)), j.changed
}

// ask sends a request to the server, with a body if there is one, and returns the answer.
func (s *server) ask(method, path, token, body string) (status int, answer string, err error) {
	ctx, cancel := context.WithTimeout(s.t.Context(), 20*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, "http://"+s.addr+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	var text bytes.Buffer
	_, err = text.ReadFrom(resp.Body)
	return resp.StatusCode, text.String(), err
}

// history returns what the server tells of every event of a table.
func (s *server) history(ctx context.Context, table string) (all []string, err error) {
	status, text, err := s.ask("GET", "/api/tables/"+table, "", "")
	if err != nil || status != http.StatusOK {
		return nil, fmt.Errorf("%d %s: %w", status, text, err)
	}
	var stands struct{ Seq int }
	if err := json.Unmarshal([]byte(text), &stands); err != nil {
		return nil, err
	}
	for text, err := range s.stream(ctx, table, "") {
		if err != nil {
			return nil, err
		}
		a, err := parseTold(text)
		if err != nil || a.Seq != len(all)+1 {
			return nil, fmt.Errorf("event %d is followed by %s: %w", len(all), text, err)
		}
		if all = append(all, text); len(all) == stands.Seq {
			return all, nil
		}
	}
	return nil, fmt.Errorf("it stands at event %d, and the stream ends after %d", stands.Seq, len(all))
}

// stream yields what the server tells of the events of a table, to a player or without a token to anybody, until it ends the stream.
// What it says at last is "{}", by which it says bye.
func (s *server) stream(ctx context.Context, table, token string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.addr+"/api/tables/"+table+"/events", nil)
		if err != nil {
			yield("", err)
			return
		}
		if token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			yield("", err)
			return
		}
		defer resp.Body.Close()
		for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
			if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok && !yield(text, nil) {
				return
			}
		}
	}
}

// order runs a command to its end, with some more environment, and returns its exit code and what it said.
func order(t *testing.T, env []string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "duel", args...)
	cmd.Env = append(environment(t), env...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	var failed *exec.ExitError
	if err := cmd.Run(); errors.As(err, &failed) {
		code = failed.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return code, out.String(), errs.String()
}

// A slowMove is a move whose request is under way.
type slowMove struct {
	net.Conn
	in   *bufio.Reader
	rest string
}

// beginMove sends a part of a move, of which the server has read the beginning.
func (s *server) beginMove(table seated, move string) slowMove {
	s.t.Helper()
	conn, err := net.Dial("tcp", s.addr)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { conn.Close() })
	body := fmt.Sprintf(`{"move":%q,"seq":2}`, move)
	fmt.Fprintf(conn, "POST /api/tables/%s/moves HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"+
		"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n", table.id, s.addr, table.tokens[0], len(body))
	in := bufio.NewReader(conn)
	if line, err := in.ReadString('\n'); err != nil || line != "HTTP/1.1 100 Continue\r\n" {
		s.t.Fatalf("a move that was begun is answered %q: %v", line, err)
	}
	if _, err := in.ReadString('\n'); err != nil {
		s.t.Fatal(err)
	}
	if _, err := io.WriteString(conn, body[:len(body)/2]); err != nil {
		s.t.Fatal(err)
	}
	return slowMove{conn, in, body[len(body)/2:]}
}

// A seated table is one for two with the tokens of its seats.
type seated struct {
	id     string
	tokens [2]string
}

// open sets up a table for two at a server. Further settings are JSON.
func (s *server) open(settings string) seated {
	s.t.Helper()
	status, text, err := s.ask("POST", "/api/tables", "", `{"rules":"dilemma"`+settings+`}`)
	var opened struct {
		ID    string
		Seats []struct{ Token string }
	}
	if err != nil || status != http.StatusCreated || json.Unmarshal([]byte(text), &opened) != nil {
		s.t.Fatalf("a new table: %d %s: %v", status, text, err)
	}
	if strings.Contains(settings, "turn_time") { // the player to move opens the table: the clock starts
		if status, text, err := s.ask("GET", "/api/tables/"+opened.ID, opened.Seats[0].Token, ""); err != nil || status != http.StatusOK {
			s.t.Fatalf("the new table: %d %s: %v", status, text, err)
		}
	}
	return seated{opened.ID, [2]string{opened.Seats[0].Token, opened.Seats[1].Token}}
}

// look asks how a table stands, and answers what whoever has no token may know.
func (s *server) look(table string) (view struct {
	Seq      int
	Phase    match.Phase
	Result   string
	Deadline time.Time
	Seats    [2]struct{ Here, Away bool }
}) {
	s.t.Helper()
	status, text, err := s.ask("GET", "/api/tables/"+table, "", "")
	if err == nil {
		err = json.Unmarshal([]byte(text), &view)
	}
	if err != nil || status != http.StatusOK {
		s.t.Fatalf("table %s: %d %s: %v", table, status, text, err)
	}
	return view
}

// within asks until something is so that nothing tells of, and fails if that takes longer than a time. It returns how long it took.
func within(t *testing.T, most time.Duration, what string, is func() bool) time.Duration {
	t.Helper()
	began, late := time.Now(), time.After(most)
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for !is() {
		select {
		case <-again.C:
		case <-late:
			t.Fatalf("after %v it is not so that %s", most, what)
		}
	}
	return time.Since(began)
}

// stay keeps a stream of a player open until the test is over, or until leave is called.
func (s *server) stay(table, token string) (events chan announcement, leave func()) {
	s.t.Helper()
	events = make(chan announcement, 100)
	ctx, cancel := context.WithCancel(s.t.Context())
	go func() {
		defer close(events)
		for text, err := range s.stream(ctx, table, token) {
			if a, wrong := parseTold(text); err == nil && wrong == nil {
				events <- a
			}
		}
	}()
	if first := <-events; first.Kind != match.Opened {
		s.t.Fatalf("the first event of table %s is %q", table, first.Kind)
	}
	return events, cancel
}

func openStore(t *testing.T, where string) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), where, store.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// status returns the status of the answer to a request for a path.
func (s *server) status(path string) int {
	s.t.Helper()
	status, _, err := s.ask("GET", path, "", "")
	if err != nil {
		s.t.Fatalf("%s: %v", path, err)
	}
	return status
}
