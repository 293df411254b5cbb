package deploy_test

import (
	"bufio"
	"bytes"
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
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A proxy is nginx before a server, as the file for one machine says.
type proxy struct {
	http.Client
	t       *testing.T
	address string // https://
	log     string // what it writes of requests
}

// newProxy starts nginx with the file as it is, except for ports, certificate and folders; and a server with some settings.
func newProxy(t *testing.T, settings ...string) *proxy {
	nginx, err := exec.LookPath("nginx")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	server := service(t, build(t), append(settings, "DUEL_TRUST_PROXY=1")...)
	upstream, _ := url.Parse(listening(t, server))
	certificate, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	certify(t, certificate, key)
	p := &proxy{t: t, address: freeAddress(t), log: filepath.Join(dir, "duel.log")}
	replaced := strings.NewReplacer("[::]:443", p.address+" default_server", "443", freeAddress(t), "[::]:80", freeAddress(t), "listen 80", "listen "+freeAddress(t),
		"127.0.0.1:8080 max", upstream.Host+" max", "/etc/letsencrypt/live/duel.example/fullchain.pem", certificate,
		"/etc/letsencrypt/live/duel.example/privkey.pem", key, "/var/log/nginx", dir).Replace(read(t, "nginx-site.conf"))
	main := fmt.Sprintf("daemon off; pid %s/nginx.pid; error_log stderr info; events {} http { client_body_temp_path %[1]s; proxy_temp_path %[1]s;\n%s }", dir, replaced)
	conf := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(conf, []byte(main), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), nginx, "-e", "stderr", "-p", dir, "-c", conf)
	var said bytes.Buffer
	cmd.Stderr, cmd.Cancel = &said, func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Wait() // it is stopped with the test
		if text := said.String(); t.Failed() || strings.Contains(text, "SECRET") {
			t.Errorf("nginx says:\n%s", text)
		}
	})
	p.address = "https://" + p.address
	p.Transport = &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} //nolint:gosec // it is our own
	for deadline := time.Now().Add(20 * time.Second); ; {
		answer, err := p.Get(p.address + "/readyz")
		if err == nil {
			answer.Body.Close()
			return p
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// freeAddress returns a loopback address that nobody listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
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

// TestBehindNginx plays through the proxy: pages come, events are not held back, and figures are not shown.
func TestBehindNginx(t *testing.T) {
	p := newProxy(t)
	if status, page := p.ask("GET", "/", ""); status != http.StatusOK || !strings.Contains(page, "</html>") {
		t.Errorf("the page: %d", status)
	}
	for _, path := range []string{"/metrics", "/debug/pprof/"} {
		if status, _ := p.ask("GET", path, ""); status != http.StatusNotFound {
			t.Errorf("%s: %d", path, status)
		}
	}
	const typed = "Content-Type: application/json"
	_, text := p.ask("POST", "/api/tables", `{"rules":"dilemma"}`, typed)
	var table struct {
		ID    string
		Seats []struct{ Token, URL string }
	}
	if err := json.Unmarshal([]byte(text), &table); err != nil || len(table.Seats) != 2 {
		t.Fatalf("%s: %v", text, err)
	}
	if link := table.Seats[0].URL; link != "" && !strings.HasPrefix(link, "https://") {
		t.Errorf("a link begins with %s", link)
	}
	stream, err := p.Get(p.address + "/api/tables/" + table.ID + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	lines := bufio.NewScanner(stream.Body)
	for _, event := range []string{"opened", "began", "moved"} { // the last one only when the ones before were heard
		if event == "moved" {
			if status, text := p.ask("POST", "/api/tables/"+table.ID+"/moves", `{"move":"7a"}`, typed, "Authorization: Bearer "+table.Seats[0].Token); status != http.StatusOK {
				t.Fatalf("a move: %d %s", status, text)
			}
		}
		for lines.Scan() && lines.Text() != "event: "+event {
		}
	}
	if err := lines.Err(); err != nil {
		t.Error(err)
	}
	p.ask("GET", "/t/"+table.ID+"/seat/SECRET?x=SECRET", "")
	p.ask("GET", "/healthz", "") // by the same connection, so that the one before is logged
	if log := read(t, p.log); !strings.Contains(log, "/t/"+table.ID+"/seat/- ") || strings.Contains(log, "SECRET") {
		t.Errorf("the log of the proxy:\n%s", log)
	}
}

// TestAgentsBehindNginx lets an agent call through the proxy by the name of the host, which a page of another site cannot.
func TestAgentsBehindNginx(t *testing.T) {
	p := newProxy(t, "DUEL_MCP=1")
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
	p := newProxy(t, "DUEL_RATE_ADDRESS=1")
	for n := range 50 {
		status, _ := p.ask("GET", "/rules/dilemma", "", fmt.Sprintf("X-Forwarded-For: 198.51.100.%d", n), fmt.Sprintf("Forwarded: for=198.51.100.%d", n))
		if status == http.StatusTooManyRequests {
			return
		}
	}
	t.Error("fifty requests from one address were answered, where ten may come at once")
}
