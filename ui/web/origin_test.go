package web

import (
	"net/http/httptest"
	"slices"
	"testing"

	"digitduel/ui/gate"
)

// TestOrigins checks the origins of links to share. Addresses of the machine are shown only in
// browsers on that machine.
func TestOrigins(t *testing.T) {
	reach := []string{"127.0.0.1:8080", "192.168.1.5:8080", "10.0.0.7:8080"}
	const from = "127.0.0.1:50000"
	network := []string{"http://192.168.1.5:8080", "http://10.0.0.7:8080"}
	for _, test := range []struct {
		config             Config
		host, from, header string
		want               []string
		localPort          string // the port, if only this machine can connect
	}{
		{Config{Reach: reach}, "localhost:8080", from, "", append(network, "http://localhost:8080"), ""},
		{Config{Reach: reach}, "127.0.0.1:8080", from, "", append(network, "http://127.0.0.1:8080"), ""},
		{Config{Reach: reach}, "[::1]:8080", "[::1]:50000", "", append(network, "http://[::1]:8080"), ""},
		{Config{Reach: reach}, "10.0.0.7:8080", from, "", []string{"http://10.0.0.7:8080"}, ""},
		{Config{Reach: reach}, "duel.example", from, "", []string{"http://duel.example"}, ""},
		{Config{Reach: reach}, "localhost:8080", "203.0.113.9:50000", "", []string{"http://localhost:8080"}, ""}, // a remote client sees no addresses
		{Config{Reach: reach}, "localhost:8080", from, "203.0.113.9", []string{"http://localhost:8080"}, ""},
		{Config{Gate: gate.New(gate.Config{TrustProxy: true}), Reach: reach}, "localhost:8080", from, "", []string{"http://localhost:8080"}, ""},
		{Config{Reach: reach, BaseURL: "https://duel.example/"}, "localhost:8080", from, "", []string{"https://duel.example"}, ""},
		{Config{Reach: reach[:1]}, "localhost:8080", from, "", []string{"http://localhost:8080"}, "8080"},
		{Config{Reach: []string{"127.0.0.1:8177"}}, "localhost:9000", from, "", []string{"http://localhost:9000"}, "8177"}, // through a tunnel
		{Config{}, "localhost:9000", from, "", []string{"http://localhost:9000"}, "9000"},
		{Config{}, "localhost", from, "", []string{"http://localhost"}, "80"},
		{Config{Reach: []string{"127.0.0.1:1", "10.0.0.1:1", "10.0.0.2:1", "10.0.0.3:1", "10.0.0.4:1"}}, "localhost:1", from, "",
			[]string{"http://10.0.0.1:1", "http://10.0.0.2:1", "http://10.0.0.3:1", "http://localhost:1"}, ""},
	} {
		if test.config.Gate == nil {
			test.config.Gate = gate.New(gate.Config{})
		}
		r := httptest.NewRequest("GET", "/", nil)
		r.Host, r.RemoteAddr = test.host, test.from
		if test.header != "" {
			r.Header.Set("X-Forwarded-For", test.header)
		}
		s := &Server{Config: test.config}
		if got := s.origins(r); !slices.Equal(got, test.want) || s.localPort(r) != test.localPort {
			t.Errorf("%s from %s with %q: got %q and local port %q, want %q and %q",
				test.host, test.from, test.header, got, s.localPort(r), test.want, test.localPort)
		}
	}
}

// TestNear checks which addresses are reachable only within one network.
func TestNear(t *testing.T) {
	for address, want := range map[string]bool{
		"192.168.1.5:8080": true, "10.0.0.7": true, "[fd00::1]:8080": true,
		"laptop.local:8080": true, "localhost": true, "127.0.0.1:80": true,
		"duel.example": false, "203.0.113.9:8080": false, "[2001:db8::1]": false, "": false,
	} {
		if got := isNear(address); got != want {
			t.Errorf("%s: got %v, want %v", address, got, want)
		}
	}
}
