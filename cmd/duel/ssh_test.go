package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"digitduel/match"
	"digitduel/store/pgtest"
)

// An sshServer is a server that SSH clients can connect to.
type sshServer struct {
	*server
	sshAddr string
}

func newSSHServer(t *testing.T, args ...string) sshServer {
	t.Helper()
	at := freeAddr(t)
	db := filepath.Join(t.TempDir(), "duel.db")
	s := newTestServer(t, append([]string{"--db", db, "--ssh", at}, args...)...)
	s.start()
	return sshServer{s, at}
}

func newKey(t *testing.T) ssh.Signer {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

var asGuest = ssh.KeyboardInteractive(
	func(_, _ string, questions []string, _ []bool) ([]string, error) {
		return nil, errors.New("the server asks a guest: " + strings.Join(questions, ", "))
	})

// connect connects a client, and returns the fingerprint of the host key too.
func (s sshServer) connect(
	name string, auth ...ssh.AuthMethod,
) (c *ssh.Client, host string, err error) {
	c, err = ssh.Dial("tcp", s.sshAddr, &ssh.ClientConfig{
		User: name, Auth: auth, Timeout: 20 * time.Second,
		HostKeyCallback: func(_ string, _ net.Addr, key ssh.PublicKey) error {
			host = ssh.FingerprintSHA256(key)
			return nil
		},
	})
	return c, host, err
}

// hostKey returns the fingerprint of the server's key.
func (s sshServer) hostKey() string {
	s.t.Helper()
	c, host, err := s.connect("ada", asGuest)
	if err != nil {
		s.t.Fatal(err)
	}
	_ = c.Close()
	return host
}

// An sshScreen is the screen of a client.
type sshScreen struct {
	t       *testing.T
	client  *ssh.Client
	session *ssh.Session
	keys    io.Writer

	mu      sync.Mutex
	text    bytes.Buffer
	changed chan struct{}
}

func (o *sshScreen) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	close(o.changed)
	o.changed = make(chan struct{})
	return o.text.Write(b)
}

// screen opens a session with a code, or a shell if the code is empty.
func (s sshServer) screen(code, name string, auth ...ssh.AuthMethod) *sshScreen {
	s.t.Helper()
	c, _, err := s.connect(name, auth...)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = c.Close() })
	return s.screenOf(c, code)
}

func (s sshServer) screenOf(c *ssh.Client, code string) *sshScreen {
	s.t.Helper()
	session, err := c.NewSession()
	if err != nil {
		s.t.Fatal(err)
	}
	o := &sshScreen{t: s.t, client: c, session: session, changed: make(chan struct{})}
	session.Stdout = o
	if o.keys, err = session.StdinPipe(); err != nil {
		s.t.Fatal(err)
	}
	if err := session.RequestPty("xterm-256color", 30, 100, nil); err != nil {
		s.t.Fatal(err)
	}
	if code == "" {
		err = session.Shell()
	} else {
		err = session.Start(code)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return o
}

var escapeSequence = regexp.MustCompile("\x1b(\\[[0-9;?<>=$]*[a-zA-Z]|\\][^\a]*\a|[=>()].?)")

// shows waits until the screen has shown a text.
func (o *sshScreen) shows(text string) {
	o.t.Helper()
	late := time.After(30 * time.Second)
	for {
		o.mu.Lock()
		got, changed := escapeSequence.ReplaceAllString(o.text.String(), ""), o.changed
		o.mu.Unlock()
		if strings.Contains(got, text) {
			return
		}
		select {
		case <-changed:
		case <-late:
			o.t.Fatalf("the screen does not show %q:\n%s", text, got)
		}
	}
}

// disconnect closes the connection without ending the session.
func (o *sshScreen) disconnect() { _ = o.client.Close() } // the server may have closed it

func (o *sshScreen) types(keys string) {
	o.t.Helper()
	if _, err := io.WriteString(o.keys, keys); err != nil {
		o.t.Fatal(err)
	}
}

// invite opens a table with a seat for a friend, and returns the code of the invitation and the
// token of the host.
func (s sshServer) invite() (table, code, token string) {
	s.t.Helper()
	text := s.mustAsk("POST", "/api/tables", "",
		`{"rules":"dilemma","pair":true,"names":["Host",""],"seats":["human","friend"]}`)
	var opened struct {
		ID    string
		Seats []struct{ Token, Invitation string }
	}
	if json.Unmarshal([]byte(text), &opened) != nil || len(opened.Seats) != 2 {
		s.t.Fatal(text)
	}
	return opened.ID, opened.ID + "/seat/" + opened.Seats[1].Invitation, opened.Seats[0].Token
}

// mustAsk sends a request that has to succeed.
func (s sshServer) mustAsk(method, path, token, body string) string {
	s.t.Helper()
	status, text, err := s.ask(method, path, token, body)
	if err != nil || status >= 300 {
		s.t.Fatalf("%s %s: %d %s: %v", method, path, status, text, err)
	}
	return text
}

// play plays a move through the API.
func (s sshServer) play(table, token, move string) {
	s.t.Helper()
	body := fmt.Sprintf(`{"move":%q}`, move) // without seq: a player may leave or return meanwhile
	s.mustAsk("POST", "/api/tables/"+table+"/moves", token, body)
}

// played returns the moves at a table, with "next" for each player who was ready for the next game.
func (s sshServer) played(table string) string {
	s.t.Helper()
	events, err := s.history(s.t.Context(), table)
	if err != nil {
		s.t.Fatal(err)
	}
	var moves []string
	for _, text := range events {
		var e struct{ Kind, Move string }
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			s.t.Fatal(err)
		}
		switch {
		case e.Kind == "moved":
			moves = append(moves, e.Move)
		case e.Kind == "ready", e.Kind == "began" && len(moves) > 0:
			moves = append(moves, "next")
		}
	}
	return strings.Join(moves, " ")
}

// awaitMoves waits until a table has these moves.
func (s sshServer) awaitMoves(table, moves string) {
	s.t.Helper()
	waitUntil(s.t, 30*time.Second, "the moves are "+moves, func() bool {
		return s.played(table) == moves
	})
}

// awaitAway waits until the player of the second seat is away.
func (s sshServer) awaitAway(table string) {
	s.t.Helper()
	waitUntil(s.t, 30*time.Second, "the player is away", func() bool {
		return !s.tableState(table).Seats[1].Here
	})
}

// TestSSHGame plays with an invitation, also after the client and the server were killed, and
// checks that nobody can play without the player's key.
func TestSSHGame(t *testing.T) {
	t.Parallel()
	s := newSSHServer(t)
	ada, eve := newKey(t), newKey(t)
	table, code, host := s.invite()
	screen := s.screen(code, "ada", ssh.PublicKeys(ada))
	screen.shows("Host")
	s.play(table, host, "7a")
	screen.shows("Pick a digit")
	screen.types("3b")
	s.awaitMoves(table, "7a 3b")
	if text := s.mustAsk("GET", "/api/tables/"+table, "", ""); !strings.Contains(text, `"ada"`) {
		t.Errorf("the name of the player is not ada: %s", text)
	}
	screen.disconnect()
	s.awaitAway(table)

	s.play(table, host, "6b")
	for name, auth := range map[string][]ssh.AuthMethod{
		"eve":                       {ssh.PublicKeys(eve)},
		"eve, who offers ada's key": {ssh.PublicKeys(&offering{Signer: eve, first: ada.PublicKey()})},
		"eve, who offers it last":   {ssh.PublicKeys(eve, newKey(t), publicOnly{ada})},
		"guest, who offers ada's":   {ssh.PublicKeys(publicOnly{ada}), asGuest},
		"guest with ada's name":     {asGuest},
	} {
		other := s.screen(table, "ada", auth...)
		other.shows("Host")
		other.types("2a q")
		other.disconnect()
		s.awaitAway(table)
		if moves := s.played(table); moves != "7a 3b 6b" {
			t.Fatalf("%s could play: %s", name, moves)
		}
	}

	before := s.hostKey()
	s.kill()
	s.start()
	if after := s.hostKey(); before != after {
		t.Errorf("the host key changed from %s to %s", before, after)
	}
	// Another session of the same player must not lose the seat.
	second, _, _ := s.invite()
	other := s.screen(second, "ada", ssh.PublicKeys(ada))
	other.shows("Host")
	screen = s.screen("", "ada", ssh.PublicKeys(newKey(t), ada)) // the first of many keys counts
	screen.shows("Open a table")
	screen.disconnect()
	screen = s.screen("", "ada", ssh.PublicKeys(ada, newKey(t)))
	screen.shows("Your table " + table)
	screen.types("\r")
	screen.shows("Pick a digit")
	screen.types("2a")
	s.awaitMoves(table, "7a 3b 6b 2a")

	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	screen.shows("the server stops; connect again")
	if err := screen.session.Wait(); err != nil {
		t.Errorf("the session ends with %v", err)
	}
	if code := s.end(syscall.SIGTERM); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestSSHGuest brings a guest back to the seat: with the code shown at the end of the session, or
// after the client was killed, with a link from the opponent.
func TestSSHGuest(t *testing.T) {
	t.Parallel()
	s := newSSHServer(t, "--left-after=1s")
	table, code, host := s.invite()
	guest := s.screen(code, "Zoë", asGuest)
	guest.shows("Host")
	s.play(table, host, "7a")
	guest.shows("Pick a digit")
	if code := s.end(syscall.SIGTERM); code != 0 {
		t.Errorf("exit code %d", code)
	}
	guest.shows("Come back: ssh -t HOST ")
	code = regexp.MustCompile(`ssh -t HOST (\S+)`).FindStringSubmatch(guest.text.String())[1]
	s.start()
	guest = s.screen(code, "Zoë", asGuest)
	guest.shows("Pick a digit")
	guest.types("3b")
	s.awaitMoves(table, "7a 3b")

	s.play(table, host, "6b")
	s.openStream(table, host)
	guest.disconnect()
	waitUntil(t, 30*time.Second, "the guest has left", func() bool {
		return s.tableState(table).Seats[1].Away
	})
	var link struct{ Link string }
	text := s.mustAsk("POST", "/api/tables/"+table+"/link", host, `{"seat":2}`)
	if err := json.Unmarshal([]byte(text), &link); err != nil {
		t.Fatal(err)
	}
	guest = s.screen(link.Link, "Zoë", asGuest)
	guest.shows("Pick a digit")
	guest.types("2a")
	s.awaitMoves(table, "7a 3b 6b 2a")
}

// TestSSHSeries plays a series of two games over SSH, against the API, which pages use, and against
// duel join. A client is killed after each of its acts, and the server once in each game.
func TestSSHSeries(t *testing.T) {
	t.Parallel()
	const series = "7a 3b 6b 2a 9c 1c next next 8a 4b 6b 1a 0c 7c"
	places := strings.NewReplacer("a", " left", "b", " middle", "c", " right")
	s := newSSHServer(t)
	for name, opponent := range map[string]func(table, token, home, act string, done func()){
		"a page": func(table, token, _, act string, done func()) {
			if act == "next" {
				s.mustAsk("POST", "/api/tables/"+table+"/acts", token, `{"act":"next"}`)
			} else {
				s.play(table, token, act)
			}
			done()
		},
		"duel join": func(table, token, home, act string, done func()) {
			ben := startLineClient(t, home, "join", "http://"+s.addr+"/t/"+table+"/seat/"+token)
			defer ben.kill()
			if act == "next" {
				ben.expect("Press Enter for the next game.")
				ben.types("")
			} else {
				ben.expect("pick: ")
				ben.types(places.Replace(act))
			}
			done()
		},
	} {
		t.Run(name, func(t *testing.T) {
			table, code, token := s.invite()
			key, home := ssh.PublicKeys(newKey(t)), t.TempDir()
			sit := s.screen(code, "ada", key)
			sit.shows("Host")
			sit.disconnect()
			var acts []string
			for i, act := range strings.Fields(series) {
				acts = append(acts, act)
				done := func() { s.awaitMoves(table, strings.Join(acts, " ")) }
				if i%2 == 0 == (i < 8) {
					opponent(table, token, home, act, done)
				} else {
					screen := s.screen(table, "ada", key)
					if act == "next" {
						screen.shows("next game")
						screen.types("\r")
					} else {
						screen.shows("YOUR TURN")
						screen.types(act)
					}
					done()
					screen.disconnect()
				}
				if i == 3 || i == 10 {
					s.kill()
					s.start()
				}
			}
			if now := s.tableState(table); now.Phase != match.Over {
				t.Errorf("the series is %+v", now)
			}
		})
	}
}

// TestSSHServers checks that a player finds the seat at another server of the database, which has
// the same host key.
func TestSSHServers(t *testing.T) {
	t.Parallel()
	db := pgtest.Start(t)
	here, there := newSSHServer(t, "--db", db), newSSHServer(t, "--db", db)
	key := ssh.PublicKeys(newKey(t))
	table, code, host := here.invite()
	screen := here.screen(code, "ada", key)
	screen.shows("Host")
	here.play(table, host, "7a")
	screen.shows("Pick a digit")
	here.kill()
	screen = there.screen("", "ada", key)
	screen.shows("Your table " + table)
	screen.types("\r")
	screen.shows("Pick a digit")
	screen.types("3b")
	there.awaitMoves(table, "7a 3b")
	here.start()
	if a, b := here.hostKey(), there.hostKey(); a != b {
		t.Errorf("the host keys are %s and %s", a, b)
	}
}

// An offering signer offers another key before it authenticates with its own.
type offering struct {
	ssh.Signer
	first ssh.PublicKey
	asked int
}

func (o *offering) PublicKey() ssh.PublicKey { return &offered{o.Signer.PublicKey(), o} }

type offered struct {
	ssh.PublicKey
	by *offering
}

func (o *offered) Marshal() []byte {
	if o.by.asked++; o.by.asked <= 2 { // in the query, and to read the reply
		return o.by.first.Marshal()
	}
	return o.PublicKey.Marshal()
}

// A publicOnly signer has no private key.
type publicOnly struct{ ssh.Signer }

func (publicOnly) Sign(io.Reader, []byte) (*ssh.Signature, error) {
	return nil, errors.New("no private key")
}

// TestSSHScreen resizes a terminal, opens a table and leaves.
func TestSSHScreen(t *testing.T) {
	t.Parallel()
	s := newSSHServer(t)
	screen := s.screen("", "Zoë", asGuest)
	screen.shows("Open a table")
	for _, size := range [][2]int{{20, 60}, {0, 0}, {1 << 30, 1 << 30}, {24, 80}} {
		if err := screen.session.WindowChange(size[0], size[1]); err != nil {
			t.Fatal(err)
		}
	}
	screen.types("\r")
	screen.shows("Opponent")
	screen.types("\x1b[27u") // Escape
	screen.shows("Open a table")
	screen.types("q")
	if err := screen.session.Wait(); err != nil {
		t.Errorf("the session ends with %v", err)
	}
	raw := screen.text.String()
	// alternate screen, mouse, colours
	for _, want := range []string{"\x1b[?1049h", "\x1b[?1049l", "\x1b[?1006h", "\x1b[38;5;"} {
		if !strings.Contains(raw, want) {
			t.Errorf("%q was not sent", want)
		}
	}
}

// TestSSHClient plays at a terminal with the ssh command, which offers the public key of another
// player first.
func TestSSHClient(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("ssh"); err != nil {
		t.Skip("ssh is not installed")
	}
	s, folder := newSSHServer(t), t.TempDir()
	keys := map[string]ssh.Signer{}
	for _, name := range []string{"ada", "eve"} {
		public, private, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		block, err := ssh.MarshalPrivateKey(private, "")
		if err != nil {
			t.Fatal(err)
		}
		key, err := ssh.NewPublicKey(public)
		if err != nil {
			t.Fatal(err)
		}
		if keys[name], err = ssh.NewSignerFromKey(private); err != nil {
			t.Fatal(err)
		}
		for file, text := range map[string][]byte{
			name: pem.EncodeToMemory(block), name + "-only.pub": ssh.MarshalAuthorizedKey(key),
		} {
			if err := os.WriteFile(filepath.Join(folder, file), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	table, code, host := s.invite()
	sit := s.screen(code, "ada", ssh.PublicKeys(keys["ada"]))
	sit.shows("Host")
	sit.disconnect()
	s.play(table, host, "7a")
	_, port, _ := net.SplitHostPort(s.sshAddr)
	client := func(name, stranger string) pane {
		return openPane(t, fmt.Sprintf("ssh -t -F none -p %s -o IdentitiesOnly=yes "+
			"-o StrictHostKeyChecking=no -o UserKnownHostsFile=%s/hosts -i %[2]s/%s-only.pub "+
			"-i %[2]s/%[4]s %[4]s@127.0.0.1 %s", port, folder, stranger, name, table))
	}
	eve := client("eve", "ada")
	eve.shows("ADA'S TURN")
	eve.types("3", "b", "Escape")
	eve.shows("Play at a server")
	ada := client("ada", "eve")
	ada.shows("YOUR TURN")
	ada.shows("━") // terminals have Unicode by default
	if moves := s.played(table); moves != "7a" {
		t.Errorf("eve could play: %s", moves)
	}
	ada.tmux("resize-window", "-x", "60", "-y", "20")
	ada.types("4", "b", "Enter")
	s.awaitMoves(table, "7a 4b")
	ada.shows("HOST'S TURN")
	ada.types("Escape")
	ada.shows("Leave the table")
	ada.types("y")
	ada.shows("Your table " + table)
	for _, p := range []pane{eve, ada} {
		p.types("Escape")
		p.restored(0)
	}
}

// TestSSHRefusals checks that forwarding, other channels and requests, and sessions without a
// terminal are refused.
func TestSSHRefusals(t *testing.T) {
	t.Parallel()
	s := newSSHServer(t)
	c, _, err := s.connect("ada", asGuest)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if conn, err := c.Dial("tcp", s.addr); err == nil {
		conn.Close()
		t.Error("a connection was forwarded")
	}
	if l, err := c.Listen("tcp", "127.0.0.1:0"); err == nil {
		l.Close()
		t.Error("the server listens for a client")
	}
	session, err := c.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	sftp := ssh.Marshal(struct{ Name string }{"sftp"})
	for _, request := range []string{
		"auth-agent-req@openssh.com", "x11-req", "signal", "break", "subsystem",
	} {
		if ok, err := session.SendRequest(request, true, sftp); err != nil || ok {
			t.Errorf("%s: %v, %v", request, ok, err)
		}
	}
	for i := range 200 {
		_ = session.Setenv("LANG", strconv.Itoa(i)) // most are refused
	}
	if _, err := c.NewSession(); err == nil {
		t.Error("a second session was opened")
	}
	_ = c.Close()
	if c, _, err = s.connect("ada", asGuest); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if session, err = c.NewSession(); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	session.Stderr = &stderr
	if err := session.Run("sh"); err == nil || !strings.Contains(stderr.String(), "use ssh -t") {
		t.Errorf("without a terminal: %v, %q", err, stderr.String())
	}
	if _, _, err := s.connect("ada"); err == nil {
		t.Error("the method none is allowed, so clients would not offer their keys")
	}
}

// TestSSHCrowd opens more connections than allowed, which send garbage or nothing and don't read. A
// connected player can still play.
func TestSSHCrowd(t *testing.T) {
	t.Parallel()
	s := newSSHServer(t, "--max-ssh=40")
	table, _, _ := s.invite()
	first := s.screen("", "ada", asGuest)
	first.shows("Open a table")
	open := 0
	for i := range 100 {
		conn, err := net.Dial("tcp", s.sshAddr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if i%2 == 0 {
			_, _ = io.WriteString(conn, strings.Repeat("garbage ", 1000)) // it may be closed
		}
		_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
		if n, _ := conn.Read(make([]byte, 8)); n > 0 {
			open++
		}
	}
	if open == 0 || open == 100 {
		t.Errorf("%d of 100 connections were answered, want some but not all", open)
	}
	first.types("\r")
	first.shows("Opponent")
	if s.tableState(table).Seq == 0 {
		t.Error("the server does not answer")
	}
}

// TestSSHLimits checks that tables opened over SSH count towards the limit of their address.
func TestSSHLimits(t *testing.T) {
	t.Parallel()
	s := newSSHServer(t, "--rate-tables=0.01")
	s.invite()
	screen := s.screen("", "ada", asGuest)
	screen.shows("Open a table")
	screen.types("\r")
	screen.shows("Opponent")
	screen.types("\r")
	screen.shows("too many new tables from your address")
}

// TestSSHMemory opens 200 screens at the shipped program, and then all that one address may have.
func TestSSHMemory(t *testing.T) {
	if os.Getenv("DUEL_NIGHTLY") == "" {
		t.Skip("opening 500 screens is part of make nightly")
	}
	at := freeAddr(t)
	s := sshServer{newServer(t, "--db", filepath.Join(t.TempDir(), "duel.db"), "--ssh", at), at}
	s.start()
	table, _, _ := s.invite()
	before := resident(t, s.process.Process.Pid)
	first := s.screen("", "ada", asGuest)
	for i := range 499 {
		code, shown := "", "Open a table"
		if i%2 == 0 {
			code, shown = table, "Host"
		}
		s.screen(code, fmt.Sprint("player", i), ssh.PublicKeys(newKey(t))).shows(shown)
		if i != 198 {
			continue
		}
		now := resident(t, s.process.Process.Pid)
		t.Logf("a server takes %d MB, and %d MB with 200 sessions", before>>20, now>>20)
		if now > 300<<20 {
			t.Errorf("with 200 sessions it takes %d MB, want at most 300", now>>20)
		}
	}
	if _, _, err := s.connect("late", asGuest); err == nil {
		t.Error("one address can use all connections")
	}
	first.types("\r")
	first.shows("Opponent")
}

// resident returns the resident memory of a process in bytes.
func resident(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		t.Skip(err)
	}
	pages, _ := strconv.Atoi(strings.Fields(string(text))[1])
	return pages * os.Getpagesize()
}
