package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestPipelined sends a request and the header of a POST in one write, and the body of the POST
// later. The body looks like a request, but is not one.
func TestPipelined(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.start()
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	answers := bufio.NewReader(c)
	read := func() string {
		t.Helper()
		resp, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		return resp.Status + " " + string(body)
	}
	const get = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
	const body = "GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
	fmt.Fprintf(c, "%sPOST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n", get, len(body))
	if got := read(); got != "200 OK ok\n" {
		t.Fatalf("the first request is answered %q", got)
	}
	idle(t, s) // the server waits for the body
	io.WriteString(c, body)
	if got := read(); !strings.HasPrefix(got, "400 ") || !strings.Contains(got, "error") {
		t.Errorf("a POST with a body that is not JSON is answered %q", got)
	}
	io.WriteString(c, get[:20])
	idle(t, s)
	io.WriteString(c, get[20:])
	if got := read(); got != "200 OK ok\n" {
		t.Errorf("the request after it is answered %q", got)
	}
}

// idle has a server answer on other connections for 600 ms.
func idle(t *testing.T, s *server) {
	t.Helper()
	for until := time.Now().Add(600 * time.Millisecond); time.Now().Before(until); {
		status, _, err := askFrom(t.Context(), client, s.addr, "GET", "/api/stats", "", "")
		if err != nil || status != http.StatusOK {
			t.Fatal(status, err)
		}
	}
}

// TestFlood requests pages without a pause from one address over pipelined connections. An honest
// player at another address must hardly notice whether the flood goes to the same server or to
// another one on the machine.
func TestFlood(t *testing.T) {
	if !nightly {
		t.Skip("floods are part of make nightly")
	}
	length, promised := attackTime(t)
	slack := time.Duration(4)
	if promised {
		slack = 1
	}
	start := func() *server {
		s := newServer(t)
		s.args = []string{"serve", "--db", filepath.Join(t.TempDir(), "duel.db")}
		s.start()
		return s
	}
	for _, name := range []string{"32 pipelined connections", "400 pipelined connections"} {
		t.Run(name, func(t *testing.T) {
			here, other := start(), start()
			var control, flooded honestPlayer
			measure := func() error {
				control.waits, flooded.waits = nil, nil
				for range 3 { // in turns, since the machine is shared
					for target, to := range map[*server]*honestPlayer{other: &control, here: &flooded} {
						h := newHonestPlayer(here)
						h.playDuring(target.addr, name, length)
						to.waits = append(to.waits, h.waits...)
						to.refused = append(to.refused, h.refused...)
					}
				}
				t.Logf("p50 %v, p99 %v; with the flood at the other server p50 %v, p99 %v",
					flooded.percentile(50), flooded.percentile(99), control.percentile(50), control.percentile(99))
				if most := 4 * slack * control.percentile(50); flooded.percentile(50) > most {
					return fmt.Errorf("p50 is %v, want at most %v", flooded.percentile(50), most)
				}
				if most := slack * (3*control.percentile(99) + 50*time.Millisecond); flooded.percentile(99) > most {
					return fmt.Errorf("p99 is %v, want at most %v", flooded.percentile(99), most)
				}
				return nil
			}
			err := measure()
			for range 3 { // other tests may have slowed down only one of the turns
				if err != nil {
					t.Log(err)
					err = measure()
				}
			}
			if err != nil {
				t.Error(err)
			}
			for _, wrong := range flooded.refused {
				t.Errorf("an honest player gets %s", wrong)
			}
		})
	}
}

// pipeline requests a page on one connection after another, without a pause and without waiting for
// answers, until ctx is done.
func (v *attacker) pipeline(ctx context.Context, path string) {
	request := "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\n\r\n"
	many := bytes.Repeat([]byte(request), 50)
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP("127.0.0.1")}, Timeout: 5 * time.Second}
	for ctx.Err() == nil {
		conn, err := d.DialContext(ctx, "tcp", v.addr)
		if err != nil {
			v.answers[0].Add(1)
			continue
		}
		end := context.AfterFunc(ctx, func() { conn.Close() })
		read := make(chan struct{})
		go func() {
			defer close(read)
			_, _ = io.Copy(io.Discard, conn) // until the server closes it
			conn.Close()
		}()
		for err == nil {
			_, err = conn.Write(many)
		}
		conn.Close()
		<-read
		end()
		v.answers[http.StatusOK].Add(1)
	}
}

// TestUnreadBodies requests event streams with a body over many HTTP/2 connections. No handler
// reads the bodies, so the server must not keep them in memory.
func TestUnreadBodies(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	cert, key := certificate(t)
	s.args = []string{
		"serve", "--db", filepath.Join(t.TempDir(), "duel.db"), "--tls-cert", cert, "--tls-key", key,
	}
	s.start()
	pid := s.process.Process.Pid
	client := &http.Client{
		Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}},
	}
	defer client.CloseIdleConnections()
	const connections = 700
	var tables [2]string // each has room for 500 streams
	for i := range tables {
		body := strings.NewReader(`{"rules":"dilemma"}`)
		resp, err := client.Post("https://"+s.addr+"/api/tables", "application/json", body)
		if err != nil {
			t.Fatal(err)
		}
		tables[i] = resp.Header.Get("Location")
		resp.Body.Close()
		if resp.StatusCode != http.StatusCreated {
			t.Fatal(resp.Status)
		}
	}
	var all [connections]net.Conn
	const workers = connections / 2 // each waits for the deadline of a write
	concurrently(workers, func(worker int) {
		for i := worker; i < connections; i += workers {
			all[i] = sendBody(t, s.addr, tables[i%2]+"/events")
		}
	})
	peak := peakMemory(t, pid)
	for _, c := range all {
		if c != nil {
			c.Close()
		}
	}
	t.Logf("peak %d MB", peak>>20)
	if peak > mostMemory {
		t.Errorf("the server took %d bytes, want at most %d", peak, mostMemory)
	}
	resp, err := client.Get("https://" + s.addr + tables[0])
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("after the attack, a player gets %v %v", resp, err)
	}
	resp.Body.Close()
}

// sendBody requests a path over HTTP/2, and sends a body of 1 MB as far as the server accepts it.
func sendBody(t *testing.T, addr, path string) net.Conn {
	c, err := tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}})
	if err != nil {
		return nil // the server has enough connections
	}
	frame := func(kind, flags byte, stream uint32, payload []byte) []byte {
		head := binary.BigEndian.AppendUint32(nil, uint32(len(payload))<<8|uint32(kind))
		head = append(head, flags)
		return append(binary.BigEndian.AppendUint32(head, stream), payload...)
	}
	header := []byte{0x82, 0x87} // GET, https
	for _, field := range [][2]string{{"\x04", path}, {"\x01", addr}} {
		header = append(append(append(header, field[0]...), byte(len(field[1]))), field[1]...)
	}
	go io.Copy(io.Discard, c) //nolint:errcheck // until it is closed
	text := append([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), frame(4, 0, 0, nil)...)
	text = append(text, frame(1, 4, 1, header)...)
	data := frame(0, 0, 1, make([]byte, 16<<10))
	text = append(text, bytes.Repeat(data, 63)...)
	if err := c.SetWriteDeadline(time.Now().Add(5 * time.Second)); err != nil {
		t.Error(err)
	}
	_, _ = c.Write(text) // the server may close it first
	return c
}

// certificate writes a self-signed certificate and its key.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"localhost"},
	}
	public, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, b []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: b}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("cert.pem", "CERTIFICATE", public), write("key.pem", "PRIVATE KEY", secret)
}

// TestForeignHost checks that a server on a loopback address refuses the host name of another site,
// as browsers send it in a DNS rebinding attack.
func TestForeignHost(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.start()
	for _, path := range []string{"/", "/api/tables", "/lobby", "/metrics"} {
		for _, host := range []string{"evil.example", "evil.example:8080", s.addr, "localhost:80", "[::1]"} {
			req, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+s.addr+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Host = host
			resp, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			want := http.StatusOK
			if strings.HasPrefix(host, "evil") {
				want = http.StatusForbidden
			}
			if resp.StatusCode != want {
				t.Errorf("%s of %s: %s, want %d", path, host, resp.Status, want)
			}
		}
	}
}

var floods = []attack{
	{"32 pipelined connections", 32, func(ctx context.Context, v *attacker, _ int) { v.pipeline(ctx, "/lobby") }},
	{"400 pipelined connections", 400, func(ctx context.Context, v *attacker, _ int) { v.pipeline(ctx, "/lobby") }},
}

// attackNamed returns an attack by its name.
func attackNamed(name string) attack {
	all := slices.Concat(attacks, floods)
	return all[slices.IndexFunc(all, func(a attack) bool { return a.name == name })]
}
