package deploy_test

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A proxy is nginx before a server.
type proxy struct {
	http.Client
	t       *testing.T
	address string // with the scheme
	log     string // what it writes of requests
}

// eachProxy runs a test behind nginx with each of the files.
func eachProxy(t *testing.T, changes []string, test func(t *testing.T, p *proxy)) {
	for _, file := range []string{"nginx.conf", "nginx-site.conf"} {
		t.Run(file, func(t *testing.T) { test(t, newProxy(t, file, changes)) })
	}
}

// newProxy starts a server with some settings, and nginx with a file as it is, except for
// addresses, certificate and folders, and for the changes: pairs of a text and its replacement.
// An older nginx cannot look names up again, so it is given addresses.
func newProxy(t *testing.T, file string, changes []string, settings ...string) *proxy {
	t.Helper()
	nginx, err := exec.LookPath("nginx")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	server := service(t, build(t), append(settings, "DUEL_TRUST_PROXY=1")...)
	upstream, _ := url.Parse(listening(t, server))
	conf := read(t, file)
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(conf, changes[i]) {
			t.Fatalf("there is no %s in\n%s", changes[i], conf)
		}
		conf = strings.ReplaceAll(conf, changes[i], changes[i+1])
	}
	// nginx gets sockets that listen already, so that every connection waits until it is there.
	main := filepath.Join(dir, "nginx.conf")
	cmd := exec.CommandContext(t.Context(), nginx, "-e", "stderr", "-p", dir, "-c", main)
	cmd.Env = append(os.Environ(), "NGINX=3;4;5;6;")
	var ports [4]string
	for i := range ports {
		var socket *os.File
		ports[i], socket = listen(t)
		defer socket.Close() //nolint:errcheck // nothing is written to it
		cmd.ExtraFiles = append(cmd.ExtraFiles, socket)
	}
	p := &proxy{t: t, address: "http://" + ports[0], log: filepath.Join(dir, "duel.log")}
	if file == "nginx-site.conf" { // which is part of a file
		p.address = "https://" + ports[0]
		conf = "pid /run/nginx.pid; error_log stderr info; events {} http {\n" + conf + "}"
		ports[0] += " default_server"
	}
	temporary := []string{"http {"}
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		temporary = append(temporary, fmt.Sprintf("%s_temp_path %s/%[1]s;\n", kind, dir))
	}
	certificate, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	certify(t, certificate, key)
	conf = "daemon off; " + strings.NewReplacer(
		"http {\n", strings.Join(temporary, "\n"), "/run/nginx.pid", filepath.Join(dir, "pid"),
		"/var/log/nginx", dir, "/dev/stdout", p.log,
		"listen [::]:443", "listen "+ports[0], "listen 443", "listen "+ports[1],
		"listen [::]:80", "listen "+ports[2], "listen 80;\n\n", "listen "+ports[0]+";\n",
		"listen 80", "listen "+ports[3], "127.0.0.1:8080 max", upstream.Host+" max",
		"duel1:8080 resolve", upstream.Host, "duel2:8080 resolve", upstream.Host,
		"/etc/letsencrypt/live/duel.example/fullchain.pem", certificate,
		"/etc/letsencrypt/live/duel.example/privkey.pem", key,
	).Replace(conf)
	if os.Getuid() == 0 {
		conf = "user root; " + conf // another user may not reach the folder
	}
	if err := os.WriteFile(main, []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	cmd.Stderr, cmd.Cancel = &said, func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, socket := range cmd.ExtraFiles { // so that no worker waits for a connection of another
		if err := syscall.SetNonblock(int(socket.Fd()), true); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		_ = cmd.Wait() // it is stopped with the test
		if text := said.String(); t.Failed() || strings.Contains(text, "SECRET") {
			t.Errorf("nginx says:\n%s", text)
		}
	})
	return p.from("127.0.0.1")
}

// from returns the proxy as a visitor at another loopback address sees it.
func (p *proxy) from(address string) *proxy {
	p.t.Helper()
	l, err := net.Listen("tcp", net.JoinHostPort(address, "0"))
	if err != nil {
		p.t.Skip(err) // not all systems have more than one
	}
	l.Close()
	visitor := *p
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	transport := &http.Transport{
		DialContext:     dialer.DialContext,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // it is our own
	}
	visitor.Transport = transport
	p.t.Cleanup(transport.CloseIdleConnections)
	return &visitor
}

// listen returns a loopback address, and the socket that listens there.
func listen(t *testing.T) (address string, socket *os.File) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if socket, err = l.(*net.TCPListener).File(); err != nil {
		t.Fatal(err)
	}
	return l.Addr().String(), socket
}

// certify writes a certificate that nobody trusts.
func certify(t *testing.T, certificate, key string) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"duel.example"}}
	public, err := x509.CreateCertificate(rand.Reader, template, template, secret.Public(), secret)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{certificate: {Type: "CERTIFICATE", Bytes: public}, key: {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// ask sends a request through the proxy.
func (p *proxy) ask(method, path, body string, headers ...string) (status int, text string) {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.address+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	for _, line := range headers {
		key, value, _ := strings.Cut(line, ": ")
		if r.Header.Set(key, value); key == "Host" {
			r.Host = value
		}
	}
	answer, err := p.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	all, err := io.ReadAll(answer.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return answer.StatusCode, string(all)
}

// typed is the header of a request with a body.
const typed = "Content-Type: application/json"

// A table is what the API says of one that was opened.
type table struct {
	p     *proxy
	ID    string
	Seats []struct{ Token, URL string }
}

// open opens a table.
func (p *proxy) open() *table {
	p.t.Helper()
	_, text := p.ask("POST", "/api/tables", `{"rules":"dilemma"}`, typed)
	at := &table{p: p}
	if err := json.Unmarshal([]byte(text), at); err != nil || len(at.Seats) != 2 {
		p.t.Fatalf("%s: %v", text, err)
	}
	return at
}

// play plays the first move.
func (at *table) play() {
	at.p.t.Helper()
	seat := "Authorization: Bearer " + at.Seats[0].Token
	status, text := at.p.ask("POST", "/api/tables/"+at.ID+"/moves", `{"move":"7a"}`, typed, seat)
	if status != http.StatusOK {
		at.p.t.Fatalf("a move: %d %s", status, text)
	}
}

// A stream is the events of a table as they come.
type stream struct {
	*http.Response
	lines *bufio.Scanner
}

// watch opens a stream; its status may be that of a refusal.
func (p *proxy) watch(at *table) (*stream, error) {
	events := p.address + "/api/tables/" + at.ID + "/events"
	r, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, events, nil)
	if err != nil {
		return nil, err
	}
	answer, err := p.Do(r)
	if err != nil {
		return nil, err
	}
	p.t.Cleanup(func() { answer.Body.Close() })
	return &stream{answer, bufio.NewScanner(answer.Body)}, nil
}

// await waits for events, one after the other.
func (s *stream) await(events ...string) error {
	if s.StatusCode != http.StatusOK {
		return fmt.Errorf("a stream: %s", s.Status)
	}
	for _, event := range events {
		for s.lines.Text() != "event: "+event {
			if !s.lines.Scan() {
				return fmt.Errorf("the stream ends before %s: %w", event, cmp.Or(s.lines.Err(), io.EOF))
			}
		}
	}
	return nil
}

// watching opens a stream that has begun.
func (p *proxy) watching(at *table) *stream {
	p.t.Helper()
	s, err := p.watch(at)
	if err == nil {
		err = s.await("opened", "began")
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

// TestBehindNginx plays through the proxy: pages come, events are not held back, and figures are not shown.
func TestBehindNginx(t *testing.T) { eachProxy(t, nil, testBehindNginx) }

func testBehindNginx(t *testing.T, p *proxy) {
	if status, page := p.ask("GET", "/", ""); status != http.StatusOK || !strings.Contains(page, "</html>") {
		t.Errorf("the page: %d", status)
	}
	for _, path := range []string{"/metrics", "/debug/pprof/"} {
		if status, _ := p.ask("GET", path, ""); status != http.StatusNotFound {
			t.Errorf("%s: %d", path, status)
		}
	}
	at := p.open()
	if link := at.Seats[0].URL; link != "" && !strings.HasPrefix(link, p.address) {
		t.Errorf("a link begins with %s", link)
	}
	s := p.watching(at)
	at.play() // only now that the events before were heard
	if err := s.await("moved"); err != nil {
		t.Error(err)
	}
	p.ask("GET", "/t/"+at.ID+"/seat/SECRET?x=SECRET", "")
	p.ask("GET", "/healthz", "") // by the same connection, so that the one before is logged
	log := read(t, p.log)
	if !strings.Contains(log, "/t/"+at.ID+"/seat/- ") || strings.Contains(log, "SECRET") {
		t.Errorf("the log of the proxy:\n%s", log)
	}
}

// TestFloodBehindNginx has one address send more requests than it may, where 40 may come at once
// and then hardly any. It is refused, but for the stream that it has; another address plays.
func TestFloodBehindNginx(t *testing.T) {
	eachProxy(t, []string{"rate=200r/s", "rate=1r/m", "burst=2000", "burst=40"}, testFlood)
}

func testFlood(t *testing.T, flood *proxy) {
	player := flood.from("127.0.0.2")
	at := player.open()
	streams := []*stream{player.watching(at), flood.watching(at)}
	refused := 0
	for range 100 {
		answer, err := flood.Get(flood.address + "/t/" + at.ID + "/seat/SECRET")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != http.StatusTooManyRequests {
			continue
		}
		refused++
		wait := answer.Header.Get("Retry-After")
		if err != nil || wait != "1" || !strings.HasPrefix(string(text), "too many requests") {
			t.Fatalf("it is refused for %q s with %q: %v", wait, text, err)
		}
	}
	if refused < 30 {
		t.Errorf("of 100 requests %d were refused", refused)
	}
	at.play()
	for _, s := range streams {
		if err := s.await("moved"); err != nil {
			t.Error(err)
		}
	}
}

// TestStreamsBehindNginx has one address open all the streams that it may. It gets no more until
// one is closed; a player at another address plays, and all streams show it.
func TestStreamsBehindNginx(t *testing.T) {
	eachProxy(t, []string{"connections 3000", "connections 5"}, testStreams)
}

func testStreams(t *testing.T, greedy *proxy) {
	player := greedy.from("127.0.0.2")
	at := player.open()
	var streams []*stream
	for range 5 {
		streams = append(streams, greedy.watching(at))
	}
	for _, path := range []string{"/", "/api/tables/" + at.ID + "/events"} {
		if status, _ := greedy.ask("GET", path, ""); status != http.StatusTooManyRequests {
			t.Errorf("%s by a sixth connection: %d", path, status)
		}
	}
	streams = append(streams, player.watching(at))
	at.play()
	for _, s := range streams {
		if err := s.await("moved"); err != nil {
			t.Error(err)
		}
	}
	streams[0].Body.Close()
	for { // until the proxy has noticed
		s, err := greedy.watch(at)
		if err != nil {
			t.Fatal(err)
		}
		if s.StatusCode == http.StatusOK {
			break
		}
		s.Body.Close()
	}
}

// TestSchoolBehindNginx has sixty phones behind one address play at thirty tables, all at once.
func TestSchoolBehindNginx(t *testing.T) { eachProxy(t, nil, testSchool) }

func testSchool(t *testing.T, p *proxy) {
	phone := func(at *table) error {
		for range 15 { // a page and what belongs to it
			answer, err := p.Get(p.address + "/robots.txt")
			if err != nil {
				return err
			}
			if answer.Body.Close(); answer.StatusCode != http.StatusOK {
				return fmt.Errorf("a page: %s", answer.Status)
			}
		}
		s, err := p.watch(at)
		if err != nil {
			return err
		}
		return s.await("opened", "began", "moved")
	}
	done := make(chan error)
	for range 30 {
		at := p.open()
		for range 2 {
			go func() { done <- phone(at) }()
		}
		at.play()
	}
	for range 60 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// TestVisitors shows addresses as limits count them.
func TestVisitors(t *testing.T) {
	keys := map[string]string{"nginx.conf": "$visitor", "nginx-site.conf": "$duel_visitor"}
	for file, visitor := range keys {
		t.Run(file, func(t *testing.T) {
			testVisitors(t, newProxy(t, file, []string{
				"map $remote_addr", "map $http_from", "default $remote_addr", "default $http_from",
				"location / {", "location = /visitor { return 200 " + visitor + "; }\nlocation / {",
			}))
		})
	}
}

func testVisitors(t *testing.T, p *proxy) {
	for address, want := range map[string]string{
		"192.0.2.1":             "192.0.2.1",
		"::ffff:192.0.2.1":      "::ffff:192.0.2.1",
		"2001:db8:1:2:3:4:5:6":  "2001:db8:1:2:",
		"2001:db8:1:2::1":       "2001:db8:1:2:",
		"2001:db8:1:20::1":      "2001:db8:1:20:",
		"2001:db8:1::3:4:5:6":   "2001:db8:1::",
		"2001:db8:1::1":         "2001:db8:1::",
		"2001:db8::1":           "2001:db8::",
		"fe80::1ff:fe23:4567:8": "fe80::",
		"::1":                   "::",
	} {
		if _, got := p.ask("GET", "/visitor", "", "From: "+address); got != want {
			t.Errorf("%s counts as %q, want %q", address, got, want)
		}
	}
}

// TestAgentsBehindNginx lets an agent call through the proxy by the name of the host, which a page of another site cannot.
func TestAgentsBehindNginx(t *testing.T) {
	p := newProxy(t, "nginx-site.conf", nil, "DUEL_MCP=1")
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"new_game","arguments":{}}}`
	ask := func(origin string) (status int, text string) {
		return p.ask("POST", "/mcp", call, "Host: duel.example", "Content-Type: application/json", "Accept: application/json, text/event-stream", origin)
	}
	if status, text := ask("User-Agent: agent"); status != http.StatusOK || !strings.Contains(text, `"watch":"https://duel.example/t/`) {
		t.Errorf("an agent: %d %s", status, text)
	}
	for _, origin := range []string{"https://evil.example", "null"} {
		if status, text := ask("Origin: " + origin); status != http.StatusForbidden {
			t.Errorf("a page of %s: %d %s", origin, status, text)
		}
	}
}

// TestPretending has a visitor who pretends to be at another address with every request: the limit counts the one that the proxy sees.
func TestPretending(t *testing.T) {
	p := newProxy(t, "nginx-site.conf", nil, "DUEL_RATE_ADDRESS=1")
	for n := range 50 {
		status, _ := p.ask("GET", "/rules/dilemma", "", fmt.Sprintf("X-Forwarded-For: 198.51.100.%d", n), fmt.Sprintf("Forwarded: for=198.51.100.%d", n))
		if status == http.StatusTooManyRequests {
			return
		}
	}
	t.Error("fifty requests from one address were answered, where ten may come at once")
}

// TestBelowAPath serves the pages below a path of a host: pages, forms, cookies, the API, links and
// streams stay below it.
func TestBelowAPath(t *testing.T) {
	p := newProxy(t, "nginx-site.conf", []string{
		"location / {", "location /duel/ {", "location ~ ^/t/", "location ~ ^/duel/t/",
		"<duel_seat>/t/", "<duel_seat>/duel/t/", "location = /metrics", "location = /duel/metrics",
		"location /debug/", "location /duel/debug/",
	}, "DUEL_BASE_URL=https://duel.example/duel/")
	var err error
	if p.Jar, err = cookiejar.New(nil); err != nil {
		t.Fatal(err)
	}
	const host = "Host: duel.example"
	if status, text := p.ask("GET", "/duel/", "", host); status != http.StatusOK || !strings.Contains(text, `href="/duel/rules"`) {
		t.Errorf("the first page: %d\n%s", status, text)
	}
	for _, path := range []string{"/rules", "/duel/metrics", "/duel/debug/pprof/"} {
		if status, _ := p.ask("GET", path, "", host); status != http.StatusNotFound {
			t.Errorf("%s: %d", path, status)
		}
	}
	form := "Content-Type: application/x-www-form-urlencoded"
	status, text := p.ask("POST", "/duel/tables", "go=dilemma+computer", form, host)
	id := regexp.MustCompile(`action="/duel/t/([a-z2-7]+)/acts"`).FindStringSubmatch(text)
	if status != http.StatusOK || id == nil || !strings.Contains(text, `value="https://duel.example/duel/t/`+id[1]+`/seat/`) {
		t.Fatalf("a table: %d\n%s", status, text)
	}
	if status, text = p.ask("POST", "/duel/t/"+id[1]+"/acts", "act=resign", form, host); status != http.StatusOK || !strings.Contains(text, "/duel/t/"+id[1]+"/games/1") {
		t.Errorf("the player resigns: %d\n%s", status, text)
	}
	p.address += "/duel"
	at := p.open()
	events, err := p.watch(at)
	if err != nil {
		t.Fatal(err)
	}
	at.play()
	if err := events.await("opened", "began", "moved"); err != nil {
		t.Error(err)
	}
}
