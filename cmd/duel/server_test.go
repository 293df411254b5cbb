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

// A server is a process of duel serve that can be stopped and started again at the same address.
type server struct {
	t       *testing.T
	program string
	args    []string
	wrapper []string // a command that runs the program with limits
	addr    string
	log     *outputBuffer // of all its processes

	process *exec.Cmd     // nil: the server is down
	ended   chan struct{} // closed when the process has ended with err
	err     error
}

// unlimited are the flags of a server that allows one address the requests of many players.
var unlimited = []string{
	"--rate-address=0", "--rate-seat=0", "--rate-tables=0", "--max-streams-address=0",
	"--max-connections-address=0", "--rate-work=0",
}

// newServer returns a server of the shipped program that is not started. It is killed when the test
// ends.
func newServer(t *testing.T, args ...string) *server {
	t.Helper()
	return newServerFor(t, program(t), args...)
}

// newTestServer returns a server of the test binary that is not started. It is slower, and has the
// race detector if the tests have it.
func newTestServer(t *testing.T, args ...string) *server {
	t.Helper()
	return newServerFor(t, "duel", args...)
}

// newServerFor returns a server of a program that is not started.
func newServerFor(t *testing.T, program string, args ...string) *server {
	t.Helper()
	s := &server{
		t: t, program: program, args: slices.Concat([]string{"serve"}, unlimited, args),
		addr: freeAddr(t), log: &outputBuffer{changed: make(chan struct{})},
	}
	t.Cleanup(func() {
		s.kill()
		text := s.log.String()
		for _, bad := range []string{"DATA RACE", "panic: ", "a handler broke"} {
			if strings.Contains(text, bad) {
				t.Errorf("the server printed %q", bad)
			}
		}
		s.keepLog()
		if t.Failed() {
			t.Logf("end of the output of the server at %s:\n%s",
				s.addr, text[max(0, len(text)-6000):])
		}
	})
	return s
}

// program builds the program as it is shipped and returns its path. The command duel of the tests
// is the test binary, which with the race detector is too slow for many players.
func program(t *testing.T) string {
	t.Helper()
	shipped.Do(func() {
		var duel string
		if duel, shipped.err = exec.LookPath("duel"); shipped.err != nil {
			return
		}
		// The folder is deleted after the tests.
		shipped.path = filepath.Join(filepath.Dir(duel), "shipped")
		// Unlike go build, go run caches the linked program for other tests.
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

// freeAddr returns a free loopback address that no other test gets. The system never gives its port
// to a client, and pgtest doesn't use it, so that a server can be started there again.
func freeAddr(t *testing.T) string {
	t.Helper()
	for range 100 {
		l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(10000+rand.IntN(10000)))
		if err != nil {
			continue
		}
		addr := l.Addr().String()
		l.Close()
		if _, given := usedAddrs.LoadOrStore(addr, true); !given {
			return addr
		}
	}
	t.Fatal("no free port")
	return ""
}

var usedAddrs sync.Map // also addresses of servers that are down

// start starts the server and waits until it listens.
func (s *server) start() {
	s.t.Helper()
	before, late := s.log.len(), time.After(time.Minute)
	s.launch()
	for {
		listens, changed := s.log.contains("://"+s.addr, before)
		if listens {
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

// launch starts the server and does not wait.
func (s *server) launch() {
	s.t.Helper()
	line := slices.Concat(s.wrapper, []string{s.program}, s.args, []string{"--addr", s.addr})
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

// environment returns the environment of the test without variables that configure a server or its
// memory, as make test does.
func environment(t *testing.T) []string {
	env := slices.DeleteFunc(os.Environ(), func(line string) bool {
		return strings.HasPrefix(line, "DUEL_") || strings.HasPrefix(line, "GOGC=")
	})
	return append(env, "XDG_DATA_HOME="+t.TempDir())
}

// kill ends the server with SIGKILL.
func (s *server) kill() { s.end(syscall.SIGKILL) }

// end ends the server with a signal and returns its exit code.
func (s *server) end(how syscall.Signal) int {
	s.t.Helper()
	if s.process == nil {
		return -1
	}
	_ = s.process.Process.Signal(how) // if it has ended, that is seen below
	select {
	case <-s.ended:
	case <-time.After(30 * time.Second):
		_ = s.process.Process.Kill()
		<-s.ended
		s.t.Errorf("the server did not end in 30 seconds after %v", how)
	}
	s.process = nil
	var failed *exec.ExitError
	if errors.As(s.err, &failed) {
		return failed.ExitCode()
	}
	return 0
}

// An outputBuffer holds the output of a process.
type outputBuffer struct {
	mu      sync.Mutex
	text    bytes.Buffer
	changed chan struct{}
}

func (j *outputBuffer) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	close(j.changed)
	j.changed = make(chan struct{})
	return j.text.Write(b)
}

func (j *outputBuffer) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

func (j *outputBuffer) len() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Len()
}

// contains reports whether the output has a text after an offset, and returns a channel that is
// closed when there is more output.
func (j *outputBuffer) contains(text string, after int) (bool, <-chan struct{}) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return bytes.Contains(j.text.Bytes()[after:], []byte(text)), j.changed
}

// client sends a request again if the machine is so busy that the server does not receive the
// header in time.
var client = &http.Client{Transport: resender{}}

type resender struct{}

func (resender) RoundTrip(req *http.Request) (*http.Response, error) {
	began := time.Now()
	resp, err := http.DefaultTransport.RoundTrip(req)
	if !errors.Is(err, io.EOF) || time.Since(began) < headerTimeout {
		return resp, err
	}
	again := req.Clone(req.Context())
	if req.GetBody != nil {
		if again.Body, err = req.GetBody(); err != nil {
			return nil, err
		}
	}
	return http.DefaultTransport.RoundTrip(again)
}

// ask sends a request, with a body if it is not empty, and returns the answer.
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
	resp, err := client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	var text bytes.Buffer
	_, err = text.ReadFrom(resp.Body)
	return resp.StatusCode, text.String(), err
}

// history returns all events of a table as the server sends them.
func (s *server) history(ctx context.Context, table string) (all []string, err error) {
	status, text, err := s.ask("GET", "/api/tables/"+table, "", "")
	if err != nil || status != http.StatusOK {
		return nil, fmt.Errorf("%d %s: %w", status, text, err)
	}
	var state struct{ Seq int }
	if err := json.Unmarshal([]byte(text), &state); err != nil {
		return nil, err
	}
	for text, err := range s.stream(ctx, table, "") {
		if err != nil {
			return nil, err
		}
		a, err := parseEvent(text)
		if err != nil || a.Seq != len(all)+1 {
			return nil, fmt.Errorf("event %d is followed by %s: %w", len(all), text, err)
		}
		if all = append(all, text); len(all) == state.Seq {
			return all, nil
		}
	}
	return nil, fmt.Errorf("the table has %d events, but the stream ended after %d",
		state.Seq, len(all))
}

// stream yields the events of a table as the server sends them, to a player or, without a token, to
// a watcher, until the stream ends. The last one is {}, the data of the event bye.
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
		resp, err := client.Do(req)
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

// runDuel runs a command to its end, with more environment variables, and returns its exit code and
// output.
func runDuel(t *testing.T, env []string, args ...string) (code int, stdout, stderr string) {
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

// A slowMove is a request for a move that is not sent completely.
type slowMove struct {
	net.Conn
	in   *bufio.Reader
	rest string
}

// beginMove sends half of the body of a move, after the server has read its header.
func (s *server) beginMove(table openedTable, move string) slowMove {
	s.t.Helper()
	conn, err := net.Dial("tcp", s.addr)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { conn.Close() })
	body := fmt.Sprintf(`{"move":%q,"seq":2}`, move)
	fmt.Fprintf(conn, "POST /api/tables/%s/moves HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n",
		table.id, s.addr, table.tokens[0], len(body))
	in := bufio.NewReader(conn)
	if line, err := in.ReadString('\n'); err != nil || line != "HTTP/1.1 100 Continue\r\n" {
		s.t.Fatalf("the header of a move is answered %q: %v", line, err)
	}
	if _, err := in.ReadString('\n'); err != nil {
		s.t.Fatal(err)
	}
	if _, err := io.WriteString(conn, body[:len(body)/2]); err != nil {
		s.t.Fatal(err)
	}
	return slowMove{conn, in, body[len(body)/2:]}
}

// An openedTable is a table for two players with the tokens of its seats.
type openedTable struct {
	id     string
	tokens [2]string
}

// open opens a table for two players. Further settings are JSON.
func (s *server) open(settings string) openedTable {
	s.t.Helper()
	status, text, err := s.ask("POST", "/api/tables", "", `{"rules":"dilemma"`+settings+`}`)
	var opened struct {
		ID    string
		Seats []struct{ Token string }
	}
	if err != nil || status != http.StatusCreated || json.Unmarshal([]byte(text), &opened) != nil {
		s.t.Fatalf("a new table: %d %s: %v", status, text, err)
	}
	if strings.Contains(settings, "turn_time") {
		// The clock starts when the player to move opens the table.
		status, text, err := s.ask("GET", "/api/tables/"+opened.ID, opened.Seats[0].Token, "")
		if err != nil || status != http.StatusOK {
			s.t.Fatalf("the new table: %d %s: %v", status, text, err)
		}
	}
	return openedTable{opened.ID, [2]string{opened.Seats[0].Token, opened.Seats[1].Token}}
}

// tableState returns the state of a table as the API shows it without a token.
func (s *server) tableState(table string) (view struct {
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

// waitUntil polls until is returns true, for conditions that nothing signals. It fails the test
// after most, and returns the time that it took.
func waitUntil(t *testing.T, most time.Duration, what string, is func() bool) time.Duration {
	t.Helper()
	began, late := time.Now(), time.After(most)
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for !is() {
		select {
		case <-again.C:
		case <-late:
			t.Fatalf("not true after %v: %s", most, what)
		}
	}
	return time.Since(began)
}

// openStream keeps a stream of a player open until the test ends or leave is called.
func (s *server) openStream(table, token string) (events chan streamEvent, leave func()) {
	s.t.Helper()
	events = make(chan streamEvent, 100)
	ctx, cancel := context.WithCancel(s.t.Context())
	go func() {
		defer close(events)
		for text, err := range s.stream(ctx, table, token) {
			if a, wrong := parseEvent(text); err == nil && wrong == nil {
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

// status returns the status code for a GET of a path.
func (s *server) status(path string) int {
	s.t.Helper()
	status, _, err := s.ask("GET", path, "", "")
	if err != nil {
		s.t.Fatalf("%s: %v", path, err)
	}
	return status
}
