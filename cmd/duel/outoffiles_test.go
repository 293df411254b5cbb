package main

import (
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestOutOfFiles lets so many connect that there are no files left for them, which is logged.
func TestOutOfFiles(t *testing.T) {
	t.Parallel()
	s := newOwn(t, "--db", filepath.Join(t.TempDir(), "duel.db"))
	s.under = []string{"sh", "-c", `ulimit -n 40 && exec "$@"`, "sh"}
	s.start()
	for range 60 {
		c, err := net.Dial("tcp", s.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	const want = `level=ERROR msg="cannot accept a connection" error="accept tcp`
	within(t, 20*time.Second, "that is logged", func() bool { return strings.Contains(s.log.String(), want) })
}
