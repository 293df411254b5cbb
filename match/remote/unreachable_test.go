package remote

import (
	"errors"
	"net"
	"net/url"
	"os"
	"syscall"
	"testing"
)

// TestUnreachable checks that the error of an unreachable server gives the reason without network
// details.
func TestUnreachable(t *testing.T) {
	for want, err := range map[string]error{
		"no such host": &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{
			Err: "no such host", Name: "duel.example", Server: "192.0.2.1:53"}},
		"connection refused": &net.OpError{Op: "dial", Net: "tcp", Err: &os.SyscallError{
			Syscall: "connect", Err: syscall.ECONNREFUSED}},
		"it is broken": errors.New("it is broken"),
	} {
		s := &Server{url: "http://duel.example"}
		got := s.unreachable(&url.Error{Op: "Get", URL: "http://duel.example/t/secret", Err: err})
		if want = "http://duel.example does not answer: " + want; got.Error() != want {
			t.Errorf("got  %v\nwant %s", got, want)
		}
	}
}
