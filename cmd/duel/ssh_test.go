package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// An sshServer is a server with an address for SSH clients.
type sshServer struct {
	*server
	terminals string
}

func newSSH(t *testing.T, args ...string) sshServer {
	t.Helper()
	at := freeAddr(t)
	db := filepath.Join(t.TempDir(), "duel.db")
	s := newOwn(t, append([]string{"--db", db, "--ssh", at}, args...)...)
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
		return nil, errors.New("a guest is asked " + strings.Join(questions, ", "))
	})

// connect connects a client. It returns the host key too.
func (s sshServer) connect(
	name string, auth ...ssh.AuthMethod,
) (c *ssh.Client, host string, err error) {
	c, err = ssh.Dial("tcp", s.terminals, &ssh.ClientConfig{
		User: name, Auth: auth, Timeout: 20 * time.Second,
		HostKeyCallback: func(_ string, _ net.Addr, key ssh.PublicKey) error {
			host = ssh.FingerprintSHA256(key)
			return nil
		},
	})
	return c, host, err
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

// screen opens the session of a client, with a code if there is one.
func (s sshServer) screen(code, name string, auth ...ssh.AuthMethod) *sshScreen {
	s.t.Helper()
	c, _, err := s.connect(name, auth...)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { c.Close() })
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

// shows waits until a text has been shown.
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

func (o *sshScreen) types(keys string) {
	o.t.Helper()
	if _, err := io.WriteString(o.keys, keys); err != nil {
		o.t.Fatal(err)
	}
}

// invite opens a table with a free seat for a friend, and returns its code and the token of the host.
func (s sshServer) invite() (table, invitation, token string) {
	s.t.Helper()
	_, text, err := s.ask("POST", "/api/tables", "", `{"rules":"dilemma","names":["Host",""],"seats":["human","friend"]}`)
	var opened struct {
		ID    string
		Seats []struct{ Token, Invitation string }
	}
	if err != nil || json.Unmarshal([]byte(text), &opened) != nil || len(opened.Seats) != 2 {
		s.t.Fatalf("%s: %v", text, err)
	}
	return opened.ID, opened.Seats[1].Invitation, opened.Seats[0].Token
}

func (s sshServer) move(table, token, move string) {
	s.t.Helper()
	body := fmt.Sprintf(`{"move":%q,"seq":%d}`, move, s.look(table).Seq)
	if status, text, err := s.ask("POST", "/api/tables/"+table+"/moves", token, body); err != nil || status != http.StatusOK {
		s.t.Fatalf("%s: %d %s: %v", move, status, text, err)
	}
}

// moved waits until a table has had a move.
func (s sshServer) moved(table, move string) {
	s.t.Helper()
	within(s.t, 30*time.Second, move+" is played", func() bool {
		_, text, err := s.ask("GET", "/api/tables/"+table+"/log", "", "")
		return err == nil && strings.Contains(text, `"move":"`+move+`"`)
	})
}

// TestSSHGame plays against a program: with an invitation, after the client and the server were
// killed, and never with the key of another player.
func TestSSHGame(t *testing.T) {
	t.Parallel()
	s := newSSH(t)
	ada, eve := newKey(t), newKey(t)
	table, invitation, host := s.invite()
	screen := s.screen(table+"/seat/"+invitation, "ada", ssh.PublicKeys(ada))
	screen.shows("Host")
	s.move(table, host, "7a")
	screen.shows("Pick a digit")
	screen.types("3b")
	s.moved(table, "3b")
	if _, text, _ := s.ask("GET", "/api/tables/"+table, "", ""); !strings.Contains(text, `"ada"`) {
		t.Errorf("the player is called something else than ada: %s", text)
	}
	screen.client.Close()
	within(t, 30*time.Second, "ada is away", func() bool { return !s.look(table).Seats[1].Here })

	s.move(table, host, "6b")
	for name, auth := range map[string][]ssh.AuthMethod{
		"eve":                        {ssh.PublicKeys(eve)},
		"eve, who offers ada's key":  {ssh.PublicKeys(&offering{Signer: eve, first: ada.PublicKey()})},
		"guest, who offers ada's":    {ssh.PublicKeys(unable{ada}), asGuest},
		"guest with the name of ada": {asGuest},
	} {
		other := s.screen(table, "ada", auth...)
		other.shows("Host")
		other.types("2a q")
		other.client.Close()
		within(t, 30*time.Second, name+" has gone", func() bool { return !s.look(table).Seats[1].Here })
		if seq := s.look(table).Seq; seq != 6 && seq != 5 {
			t.Errorf("%s: the table stands at event %d", name, seq)
		}
		if _, text, _ := s.ask("GET", "/api/tables/"+table+"/log", "", ""); strings.Contains(text, `"move":"2a"`) {
			t.Fatalf("%s has played", name)
		}
	}

	_, before, err := s.connect("ada", asGuest)
	if err != nil {
		t.Fatal(err)
	}
	s.kill()
	s.start()
	idle, after, err := s.connect("ada", asGuest)
	if err == nil {
		idle.Close() // or the server would wait for it below
	}
	if err != nil || before != after || after == "" {
		t.Errorf("the host key was %s and is %s: %v", before, after, err)
	}
	screen = s.screen("", "ada", ssh.PublicKeys(ada))
	screen.shows("Your table " + table)
	screen.types("\r")
	screen.shows("Pick a digit")
	screen.types("2a")
	s.moved(table, "2a")

	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	screen.shows("the server stops; connect again")
	if err := screen.session.Wait(); err != nil {
		t.Errorf("the session ends with %v", err)
	}
	screen.client.Close()
	if code := s.end(syscall.SIGTERM); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// An offering signer asks whether another key would do before it authenticates with its own.
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
	if o.by.asked++; o.by.asked <= 2 { // for the question, and to read the answer
		return o.by.first.Marshal()
	}
	return o.PublicKey.Marshal()
}

// An unable signer has only the public key.
type unable struct{ ssh.Signer }

func (unable) Sign(io.Reader, []byte) (*ssh.Signature, error) {
	return nil, errors.New("the key is not here")
}

// TestSSHScreen resizes a terminal, opens a table and leaves.
func TestSSHScreen(t *testing.T) {
	t.Parallel()
	s := newSSH(t)
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
	for _, want := range []string{"\x1b[?1049h", "\x1b[?1049l", "\x1b[?1006h", "\x1b[38;5;"} { // whole screen, mouse, colours
		if !strings.Contains(raw, want) {
			t.Errorf("it never sends %q", want)
		}
	}
}

// TestSSHRefusals asks for all that is not served.
func TestSSHRefusals(t *testing.T) {
	t.Parallel()
	s := newSSH(t)
	c, _, err := s.connect("ada", asGuest)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if conn, err := c.Dial("tcp", s.addr); err == nil {
		conn.Close()
		t.Error("connections are forwarded")
	}
	if l, err := c.Listen("tcp", "127.0.0.1:0"); err == nil {
		l.Close()
		t.Error("it listens for a client")
	}
	session, err := c.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	for _, request := range []string{"auth-agent-req@openssh.com", "x11-req", "signal", "break", "subsystem"} {
		if ok, err := session.SendRequest(request, true, ssh.Marshal(struct{ Name string }{"sftp"})); err != nil || ok {
			t.Errorf("%s: %v, %v", request, ok, err)
		}
	}
	for i := range 200 {
		_ = session.Setenv("LANG", strconv.Itoa(i)) // most are refused
	}
	if _, err := c.NewSession(); err == nil {
		t.Error("there is a second session")
	}
	c.Close()
	if c, _, err = s.connect("ada", asGuest); err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if session, err = c.NewSession(); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	session.Stderr = &said
	if err := session.Run("sh"); err == nil || !strings.Contains(said.String(), "use ssh -t") {
		t.Errorf("without a terminal: %v, %q", err, said.String())
	}
	if _, _, err := s.connect("ada"); err == nil {
		t.Error("the method none would keep clients from offering their keys")
	}
}

// TestSSHCrowd connects clients that do not read, send garbage or nothing, and more than there is
// room for. Another one can still play.
func TestSSHCrowd(t *testing.T) {
	t.Parallel()
	s := newSSH(t, "--max-ssh=40")
	table, _, _ := s.invite()
	first := s.screen("", "ada", asGuest)
	first.shows("Open a table")
	open := 0
	for i := range 100 {
		conn, err := net.Dial("tcp", s.terminals)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if i%2 == 0 {
			_, _ = io.WriteString(conn, strings.Repeat("garbage ", 1000)) // it may be closed
		}
		conn.SetReadDeadline(time.Now().Add(20 * time.Second))
		if n, _ := conn.Read(make([]byte, 8)); n > 0 {
			open++
		}
	}
	if open == 0 || open == 100 {
		t.Errorf("%d of 100 connections were answered", open)
	}
	first.types("\r")
	first.shows("Opponent")
	if s.look(table).Seq == 0 {
		t.Error("the server does not answer")
	}
}

// TestSSHMemory opens 200 screens at the shipped program.
func TestSSHMemory(t *testing.T) {
	if os.Getenv("DUEL_NIGHTLY") == "" {
		t.Skip("only nightly: 200 screens draw at once")
	}
	at := freeAddr(t)
	s := sshServer{newServer(t, "--db", filepath.Join(t.TempDir(), "duel.db"), "--ssh", at), at}
	s.start()
	table, _, _ := s.invite()
	before := resident(t, s.process.Process.Pid)
	for i := range 200 {
		code, shown := "", "Open a table"
		if i%2 == 0 {
			code, shown = table, "Host"
		}
		s.screen(code, fmt.Sprint("player", i), ssh.PublicKeys(newKey(t))).shows(shown)
	}
	grown := resident(t, s.process.Process.Pid) - before
	t.Logf("200 sessions take %d MB more than the %d MB of a server", grown>>20, before>>20)
	if grown > 300<<20 {
		t.Errorf("200 sessions take %d MB, want at most 300", grown>>20)
	}
}

// resident returns the bytes of memory that a process has.
func resident(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		t.Skip(err)
	}
	pages, _ := strconv.Atoi(strings.Fields(string(text))[1])
	return pages * os.Getpagesize()
}
