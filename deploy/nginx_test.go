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

// A proxy is nginx in front of a server.
type proxy struct {
	http.Client
	t       *testing.T
	address string // with the scheme
	log     string // the file with its access log
}

// eachProxy runs a test with each configuration file of nginx.
func eachProxy(t *testing.T, changes []string, test func(t *testing.T, p *proxy)) {
	for _, file := range []string{"nginx.conf", "nginx-site.conf"} {
		t.Run(file, func(t *testing.T) { test(t, newProxy(t, file, changes)) })
	}
}

// newProxy starts a server with settings, and nginx with a file. Addresses, certificates and
// folders are adapted, and changes lists texts and their replacements. Older versions of nginx
// cannot resolve names again, so it gets addresses.
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
			t.Fatalf("no %s in\n%s", changes[i], conf)
		}
		conf = strings.ReplaceAll(conf, changes[i], changes[i+1])
	}
	// nginx gets listening sockets, so connections wait until it has started.
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
	if file == "nginx-site.conf" { // a part of a configuration
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
		conf = "user root; " + conf // other users cannot read the folder
	}
	if err := os.WriteFile(main, []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr, cmd.Cancel = &stderr, func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, socket := range cmd.ExtraFiles {
		// Workers must not wait for each other's connections.
		if err := syscall.SetNonblock(int(socket.Fd()), true); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		_ = cmd.Wait() // it stops with the test
		if text := stderr.String(); t.Failed() || strings.Contains(text, "SECRET") {
			t.Errorf("the log of nginx:\n%s", text)
		}
	})
	return p.from("127.0.0.1")
}

// from returns the proxy for a visitor at another loopback address.
func (p *proxy) from(address string) *proxy {
	p.t.Helper()
	l, err := net.Listen("tcp", net.JoinHostPort(address, "0"))
	if err != nil {
		p.t.Skip(err) // not all systems have more than one address
	}
	l.Close()
	visitor := *p
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	transport := &http.Transport{
		DialContext:     dialer.DialContext,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // it is self-signed
	}
	visitor.Transport = transport
	p.t.Cleanup(transport.CloseIdleConnections)
	return &visitor
}

// listen returns a loopback address and a socket that listens there.
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

// certify writes a self-signed certificate and its key.
func certify(t *testing.T, certificate, key string) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"duel.example"},
	}
	public, err := x509.CreateCertificate(rand.Reader, template, template, secret.Public(), secret)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{
		certificate: {Type: "CERTIFICATE", Bytes: public}, key: {Type: "PRIVATE KEY", Bytes: private},
	} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// ask sends a request through the proxy.
func (p *proxy) ask(method, path, body string, headers ...string) (status int, text string) {
	p.t.Helper()
	url := p.address + path
	r, err := http.NewRequestWithContext(p.t.Context(), method, url, strings.NewReader(body))
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

// isJSON is the header of a request with a body.
const isJSON = "Content-Type: application/json"

// A table is the answer of the API to a new table.
type table struct {
	p     *proxy
	ID    string
	Seats []struct{ Token, URL string }
}

// open opens a table.
func (p *proxy) open() *table {
	p.t.Helper()
	_, text := p.ask("POST", "/api/tables", `{"rules":"dilemma"}`, isJSON)
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
	status, text := at.p.ask("POST", "/api/tables/"+at.ID+"/moves", `{"move":"7a"}`, isJSON, seat)
	if status != http.StatusOK {
		at.p.t.Fatalf("a move: %d %s", status, text)
	}
}

// A stream is the event stream of a table.
type stream struct {
	*http.Response
	lines *bufio.Scanner
}

// watch opens a stream, whose status may be an error.
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

// await waits for events in order.
func (s *stream) await(events ...string) error {
	if s.StatusCode != http.StatusOK {
		return fmt.Errorf("a stream: %s", s.Status)
	}
	for _, event := range events {
		for s.lines.Text() != "event: "+event {
			if !s.lines.Scan() {
				return fmt.Errorf("the stream ended before %s: %w", event, cmp.Or(s.lines.Err(), io.EOF))
			}
		}
	}
	return nil
}

// watching opens a stream and waits for its first events.
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

// TestBehindNginx plays through the proxy: pages are served, events are not buffered, metrics are
// hidden, and the log has no secrets.
func TestBehindNginx(t *testing.T) { eachProxy(t, nil, testBehindNginx) }

func testBehindNginx(t *testing.T, p *proxy) {
	if status, page := p.ask("GET", "/", ""); status != http.StatusOK || !strings.Contains(page, "</html>") {
		t.Errorf("the page: status %d", status)
	}
	for _, path := range []string{"/metrics", "/debug/pprof/"} {
		if status, _ := p.ask("GET", path, ""); status != http.StatusNotFound {
			t.Errorf("%s: %d", path, status)
		}
	}
	at := p.open()
	if link := at.Seats[0].URL; link != "" && !strings.HasPrefix(link, p.address) {
		t.Errorf("the link of a seat is %s, want one below %s", link, p.address)
	}
	s := p.watching(at)
	at.play() // after the first events have arrived
	if err := s.await("moved"); err != nil {
		t.Error(err)
	}
	p.ask("GET", "/t/"+at.ID+"/seat/SECRET?x=SECRET", "")
	p.ask("GET", "/healthz", "") // on the same connection, so the one before is logged
	log := read(t, p.log)
	if !strings.Contains(log, "/t/"+at.ID+"/seat/- ") || strings.Contains(log, "SECRET") {
		t.Errorf("the log of the proxy:\n%s", log)
	}
}

// TestFloodBehindNginx has one address send more requests than allowed, with a burst of 40 and
// almost no rate. They are refused, but its open stream stays, and another address can play.
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
			t.Fatalf("refused with Retry-After %q and %q: %v", wait, text, err)
		}
	}
	if refused < 30 {
		t.Errorf("%d of 100 requests were refused, want at least 30", refused)
	}
	at.play()
	for _, s := range streams {
		if err := s.await("moved"); err != nil {
			t.Error(err)
		}
	}
}

// TestStreamsBehindNginx has one address open all streams that it may. It gets no more until one is
// closed, and a player at another address can play, which all streams show.
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
			t.Errorf("%s on a sixth connection: status %d", path, status)
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

// TestSchoolBehindNginx has sixty phones behind one address play at thirty tables at once.
func TestSchoolBehindNginx(t *testing.T) { eachProxy(t, nil, testSchool) }

func testSchool(t *testing.T, p *proxy) {
	phone := func(at *table) error {
		for range 15 { // a page and its files
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

// TestVisitors checks how limits count addresses: each IPv4 address, and each IPv6 network.
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

// TestAgentsBehindNginx has an agent call a tool through the proxy by the host name, and checks
// that a page of another site cannot.
func TestAgentsBehindNginx(t *testing.T) {
	p := newProxy(t, "nginx-site.conf", nil, "DUEL_MCP=1")
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"new_game","arguments":{}}}`
	ask := func(origin string) (status int, text string) {
		return p.ask("POST", "/mcp", call, "Host: duel.example", "Content-Type: application/json",
			"Accept: application/json, text/event-stream", origin)
	}
	status, text := ask("User-Agent: agent")
	if status != http.StatusOK || !strings.Contains(text, `"watch":"https://duel.example/t/`) {
		t.Errorf("an agent: %d %s", status, text)
	}
	for _, origin := range []string{"https://evil.example", "null"} {
		if status, text := ask("Origin: " + origin); status != http.StatusForbidden {
			t.Errorf("a page of %s: %d %s", origin, status, text)
		}
	}
}

// TestPretending has a visitor claim another address in every request, and checks that the limit
// counts the address that the proxy sees.
func TestPretending(t *testing.T) {
	p := newProxy(t, "nginx-site.conf", nil, "DUEL_RATE_ADDRESS=1")
	for n := range 50 {
		status, _ := p.ask("GET", "/rules/dilemma", "",
			fmt.Sprintf("X-Forwarded-For: 198.51.100.%d", n), fmt.Sprintf("Forwarded: for=198.51.100.%d", n))
		if status == http.StatusTooManyRequests {
			return
		}
	}
	t.Error("fifty requests from one address were answered, want at most ten at once")
}

// TestBelowAPath serves the program below a path of a host, and checks pages, forms, cookies, the
// API, links and streams.
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
	status, text := p.ask("GET", "/duel/", "", host)
	if status != http.StatusOK || !strings.Contains(text, `href="/duel/rules"`) {
		t.Errorf("the first page: %d\n%s", status, text)
	}
	for _, path := range []string{"/rules", "/duel/metrics", "/duel/debug/pprof/"} {
		if status, _ := p.ask("GET", path, "", host); status != http.StatusNotFound {
			t.Errorf("%s: %d", path, status)
		}
	}
	form := "Content-Type: application/x-www-form-urlencoded"
	status, text = p.ask("POST", "/duel/tables", "go=dilemma+computer", form, host)
	id := regexp.MustCompile(`action="/duel/t/([a-z2-7]+)/acts"`).FindStringSubmatch(text)
	if status != http.StatusOK || id == nil ||
		!strings.Contains(text, `value="https://duel.example/duel/t/`+id[1]+`/seat/`) {
		t.Fatalf("a new table: %d\n%s", status, text)
	}
	status, text = p.ask("POST", "/duel/t/"+id[1]+"/acts", "act=resign", form, host)
	if status != http.StatusOK || !strings.Contains(text, "/duel/t/"+id[1]+"/games/1") {
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
