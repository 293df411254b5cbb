package main

import (
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestOutOfFiles opens more connections than the server has files for, and checks that this is
// logged.
func TestOutOfFiles(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, "--db", filepath.Join(t.TempDir(), "duel.db"))
	s.wrapper = []string{"sh", "-c", `ulimit -n 40 && exec "$@"`, "sh"}
	s.start()
	for range 60 {
		c, err := net.Dial("tcp", s.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	const want = `level=ERROR msg="cannot accept a connection" error="accept tcp`
	waitUntil(t, 20*time.Second, "the error is logged", func() bool {
		return strings.Contains(s.log.String(), want)
	})
}
