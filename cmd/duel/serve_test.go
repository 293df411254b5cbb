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
	"maps"
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

	"digitduel/digit"
	"digitduel/match"
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
var generous = []string{"--rate-address=0", "--rate-seat=0", "--rate-tables=0", "--max-streams-address=0"}

// newServer returns a server that is down. When the test is over it is killed.
func newServer(t *testing.T, args ...string) *server {
	t.Helper()
	return newProcess(t, program(t), args...)
}

func newProcess(t *testing.T, program string, args ...string) *server {
	t.Helper()
	s := &server{t: t, program: program, args: slices.Concat([]string{"serve"}, generous, args), addr: freeAddr(t), log: &journal{changed: make(chan struct{})}}
	t.Cleanup(func() {
		s.kill()
		text := s.log.String()
		for _, bad := range []string{"DATA RACE", "panic: ", "a handler broke"} {
			if strings.Contains(text, bad) {
				t.Errorf("the server says %q", bad)
			}
		}
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
		if out, err := exec.Command("go", "build", "-o", shipped.path, ".").CombinedOutput(); err != nil {
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

// freeAddr returns a loopback address that nobody listens at. Its port is none that the system gives to a client in passing, for then
// a server that was down could not have it back.
func freeAddr(t *testing.T) string {
	t.Helper()
	for range 100 {
		l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(10000+rand.IntN(20000)))
		if err == nil {
			defer l.Close()
			return l.Addr().String()
		}
	}
	t.Fatal("no port is free")
	return ""
}

// start starts the server and waits until it listens.
func (s *server) start() {
	s.t.Helper()
	listens := s.log.next("listening on http://" + s.addr)
	s.launch()
	select {
	case <-listens:
	case <-s.ended:
		s.t.Fatalf("the server did not start: %v: %s", s.err, s.log)
	case <-time.After(time.Minute):
		s.t.Fatalf("the server does not listen after a minute: %s", s.log)
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

// next returns a channel that is closed when a text has been said from now on.
func (j *journal) next(text string) <-chan struct{} {
	j.mu.Lock()
	from := j.text.Len()
	j.mu.Unlock()
	said := make(chan struct{})
	go func() {
		for {
			j.mu.Lock()
			found, changed := bytes.Contains(j.text.Bytes()[from:], []byte(text)), j.changed
			j.mu.Unlock()
			if found {
				close(said)
				return
			}
			<-changed
		}
	}()
	return said
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

// newOwn returns a server that is down, of the tests' own program: it is slower, and looks for races if the tests do.
func newOwn(t *testing.T, args ...string) *server {
	t.Helper()
	return newProcess(t, "duel", args...)
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

// TestStop stops a server while a move is under way: the move is played, those who listen are told, and nothing is left behind.
func TestStop(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			s := newOwn(t, "--db", filepath.Join(t.TempDir(), "duel.db"))
			s.start()
			table := s.open("")
			events, _ := s.stay(table.id, table.tokens[1])
			move := s.beginMove(table, "7a")
			if err := s.process.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			for a := range events {
				if a.Kind == match.Moved {
					t.Error("the move was told before it was sent")
				}
				if a.Kind == "" {
					break // that was bye
				}
			}
			if _, open := <-events; open {
				t.Error("the stream goes on after bye")
			}
			if _, err := io.WriteString(move, move.rest); err != nil {
				t.Fatal(err)
			}
			answer, err := http.ReadResponse(move.in, nil)
			if err != nil || answer.StatusCode != http.StatusOK {
				t.Fatalf("a move under way is answered %v: %v", answer, err)
			}
			if code := s.end(sig); code != 0 {
				t.Errorf("exit code %d, want 0", code)
			}
			if log := s.log.String(); strings.Contains(log, "level=ERROR") || strings.Contains(log, "duel: ") {
				t.Errorf("the log has\n%s", log)
			}
			s.start() // at the same address
			if history, err := s.history(t.Context(), table.id); err != nil || len(history) != 3 || !strings.Contains(history[2], `"move":"7a"`) {
				t.Errorf("the table has %q: %v", history, err)
			}
		})
	}
}

// TestStopLate stops a server while a request does not end.
func TestStopLate(t *testing.T) {
	t.Parallel()
	s := newOwn(t, "--db", filepath.Join(t.TempDir(), "duel.db"), "--shutdown-timeout", "500ms")
	s.start()
	s.beginMove(s.open(""), "7a")
	if code := s.end(syscall.SIGTERM); code != 1 || !strings.Contains(s.log.String(), "duel: some requests were not finished in 500ms\n") {
		t.Errorf("exit code %d and\n%s", code, s.log)
	}
}

// TestTwoAtOnce starts a server where there is one already.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "duel.db")
	s := newOwn(t, "--db", db)
	s.start()
	for _, tt := range []struct{ args, want string }{
		{"--addr 127.0.0.1:0 --db " + db, "duel: database " + db + ": another server serves it (and holds " + db + ".lock); allowed: one, or any number on one PostgreSQL\n"},
		{"--addr " + s.addr + " --db " + db + "2", "duel: listen tcp " + s.addr + ": bind: address already in use\n"},
		{"--addr 127.0.0.1:0 --metrics-addr " + s.addr + " --db " + db + "3", "duel: listen tcp " + s.addr + ": bind: address already in use\n"},
	} {
		code, _, stderr := order(t, nil, append([]string{"serve", "--log-level=error"}, strings.Fields(tt.args)...)...)
		if code != 1 || stderr != tt.want {
			t.Errorf("%s: exit code %d and %q, want %q", tt.args, code, stderr, tt.want)
		}
	}
	if status := s.status("/readyz"); status != http.StatusOK {
		t.Errorf("the first one answers %d", status)
	}
}

// TestEnvironment starts servers that are told by the environment where to listen and where to keep their tables.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, env, args, db string
	}{
		{"all by environment", "DUEL_ADDR=127.0.0.1:0 DUEL_DB=DIR/a.db", "", "a.db"},
		{"flags win", "DUEL_ADDR=nowhere DUEL_DB=DIR/a.db", "--addr 127.0.0.1:0 --db DIR/b.db", "b.db"},
		{"the user's data", "DUEL_ADDR=127.0.0.1:0 XDG_DATA_HOME=DIR", "", "duel/duel.db"},
		{"the user's home", "DUEL_ADDR=127.0.0.1:0 XDG_DATA_HOME= HOME=DIR", "", ".local/share/duel/duel.db"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			in := func(text string) []string { return strings.Fields(strings.ReplaceAll(text, "DIR", dir)) }
			cmd := exec.CommandContext(t.Context(), "duel", append([]string{"serve"}, in(tt.args)...)...)
			cmd.Env = append(environment(t), in(tt.env)...)
			stderr, err := cmd.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			await(t, stderr, `msg="listening on http://127.0.0.1:`)
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			rest, _ := io.ReadAll(stderr)
			if err := cmd.Wait(); err != nil {
				t.Errorf("it ends with %v and %s", err, rest)
			}
			info, err := os.Stat(filepath.Join(dir, tt.db))
			if err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("the database is %v: %v", info, err)
			}
		})
	}
}

// TestLogs looks for tokens in the log of a server that tells all it can.
func TestLogs(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"text", "json"} {
		s := newOwn(t, "--db", filepath.Join(t.TempDir(), "duel.db"), "--log-level", "debug", "--log-format", format)
		s.launch()
		<-s.log.next("listening on http://" + s.addr)
		table := s.open("")
		token, forged := table.tokens[0], "forgedforgedforgedforged"
		path := "/api/tables/" + table.id
		s.stay(table.id, token)
		for _, r := range []struct{ method, path, token, body string }{
			{"POST", path + "/moves", token, `{"move":"7a"}`},
			{"POST", path + "/moves", token, `{"move":"7a"}`},
			{"POST", path + "/moves", token, `{"token":"` + token + `"}`},
			{"POST", path + "/moves", forged, `{"move":"8b"}`},
			{"POST", path + "/acts", token, `{"act":"resign"}`},
			{"GET", path + "?token=" + token, token, ""},
			{"GET", path + "/events?after=" + token, "", ""},
			{"GET", "/" + token, "", ""},
			{"GET", "/tables/" + table.id + "/" + token, "", ""},
			{"GET", "/api/tables/" + token, "", ""},
		} {
			if _, _, err := s.ask(r.method, r.path, r.token, r.body); err != nil {
				t.Error(err)
			}
		}
		if code := s.end(syscall.SIGTERM); code != 0 {
			t.Errorf("exit code %d", code)
		}
		log := s.log.String()
		for _, secret := range []string{token, table.tokens[1], forged} {
			if strings.Contains(log, secret) {
				t.Errorf("the log has a token:\n%s", log)
			}
		}
		if !strings.Contains(log, "POST /api/tables/{id}/moves") {
			t.Errorf("the log does not tell what was served:\n%s", log)
		}
	}
}

// TestBackup copies the database of a server under load, and serves the copy.
func TestBackup(t *testing.T) {
	for name, database := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := database(t)
			s := newServer(t, "--db", db)
			s.start()
			c := newCrew(t, s)
			c.play(8)
			c.await(300)
			known := c.ledger.known(c.ledger.some(c.rng, 1000)...)
			copied := filepath.Join(t.TempDir(), "copy.db")
			if code, stdout, stderr := order(t, nil, "admin", "backup", "--db", db, copied); code != 0 || stdout != "backed up to "+copied+"\n" || stderr != "" {
				t.Fatalf("exit code %d, %q, %q", code, stdout, stderr)
			}
			c.await(50) // it did not stand in the way
			c.leave()
			if code, _, stderr := order(t, nil, "admin", "backup", "--db", db, copied); code != 1 || stderr != "duel: backup "+copied+": it exists; allowed: a new file\n" {
				t.Errorf("over an existing file: exit code %d, %q", code, stderr)
			}
			s.kill()
			other := newServer(t, "--db", copied)
			other.start()
			checkKnown(t, other, known)
			other.kill()
			maps.DeleteFunc(c.ledger.tables, func(table string, _ *account) bool { // what came later need not be in the copy
				_, before := known[table]
				return !before
			})
			c.checkStore(copied)
		})
	}
}

// TestPrune deletes what is old from a database that is being served.
func TestPrune(t *testing.T) {
	for name, database := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			where := database(t)
			db := openStore(t, where)
			for days, lines := range map[int]string{40: "idle40", 20: "idle20", 400: "over400"} {
				at := time.Now().AddDate(0, 0, -days)
				setup := match.Setup{Rules: digit.Books[0].Rules}
				var state match.State
				for _, e := range []match.Event{{Kind: match.Opened, Setup: &setup}, {Kind: match.Began}, {Kind: match.Resigned}} {
					if e.Seq, e.At = state.Seq+1, at; e.Kind == match.Resigned && !strings.HasPrefix(lines, "over") {
						continue
					}
					var err error
					if state, err = state.Apply(e); err != nil {
						t.Fatal(err)
					}
					if err := db.Append(t.Context(), lines, e, state); err != nil {
						t.Fatal(err)
					}
				}
			}
			s := newOwn(t, "--db", where)
			s.start()
			fresh := s.open("")
			for _, tt := range []struct{ args, said, left string }{
				{"", "deleted 1 tables\n", "idle20 over400 " + fresh.id},
				{"--idle 0", "deleted 0 tables\n", "idle20 over400 " + fresh.id},
				{"--idle 0 --finished 365d", "deleted 1 tables\n", "idle20 " + fresh.id},
				{"--idle 12h", "deleted 1 tables\n", fresh.id},
			} {
				code, stdout, stderr := order(t, nil, append([]string{"admin", "prune", "--db", where}, strings.Fields(tt.args)...)...)
				if code != 0 || stdout != tt.said || stderr != "" {
					t.Errorf("prune %s: exit code %d, %q, %q", tt.args, code, stdout, stderr)
				}
				tables, err := db.Tables(t.Context(), match.TableFilter{})
				var left []string
				for _, table := range tables {
					left = append(left, table.ID)
				}
				want := strings.Fields(tt.left)
				slices.Sort(left)
				slices.Sort(want)
				if err != nil || !slices.Equal(left, want) {
					t.Errorf("after prune %s there are %q, want %q: %v", tt.args, left, want, err)
				}
			}
		})
	}
}
