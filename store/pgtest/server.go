//go:build unix

package pgtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A Server is a cluster and its server process. Stop, Kill and Start are for tests of a database
// that is lost and comes back at the same address; they must not be called concurrently.
type Server struct {
	bin, dir  string
	owner     *syscall.Credential // nil: the user of the test
	port      int
	durable   bool // whether it waits for the disk
	databases atomic.Int64

	process *exec.Cmd // nil: stopped
	exited  chan struct{}
	cleaner *exec.Cmd // cleans up after the test binary
	// cleanerInput starts the cleaner when it is closed, also by the end of the test binary.
	cleanerInput io.WriteCloser
}

// cleanScript is the shell script of the cleaner. It outlives a test binary that panics or is
// killed, until it has cleaned up.
const cleanScript = `read -r _
pid=$(head -n 1 "$0/data/postmaster.pid" 2>/dev/null) && kill -INT "$pid"
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -f "$0/data/postmaster.pid" ] || break; sleep 0.3; done
cd / && rm -rf "$0"`

// create creates the cluster and starts it, on another port if the first one was taken.
func (s *Server) create() (err error) {
	if s.owner != nil {
		if err := os.Chown(s.dir, int(s.owner.Uid), int(s.owner.Gid)); err != nil {
			return err
		}
	}
	s.cleaner = s.command("/bin/sh", "-c", cleanScript, s.dir)
	if s.cleanerInput, err = s.cleaner.StdinPipe(); err != nil {
		return err
	}
	if err := s.cleaner.Start(); err != nil {
		return err
	}
	initdb := s.command(filepath.Join(s.bin, "initdb"), "-D", s.data(), "-U", "postgres",
		"-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	for range 3 {
		if s.port, err = freePort(); err != nil {
			return err
		}
		if err = s.start(); err == nil {
			return nil
		}
	}
	return err
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// command returns a command that runs as the owner of the cluster. It has its own process group, so
// that it does not get an interrupt from the keyboard.
func (s *Server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = s.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.owner, Setpgid: true}
	return cmd
}

// start starts the server and waits until it accepts connections.
func (s *Server) start() error {
	name := filepath.Join(s.dir, "log")
	log, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer log.Close() //nolint:errcheck // only the server writes to it
	cmd := s.command(filepath.Join(s.bin, "postgres"), "-D", s.data(), "-k", s.dir,
		"-h", "127.0.0.1", "-p", strconv.Itoa(s.port), "-c", fmt.Sprintf("fsync=%t", s.durable))
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return err
	}
	exited := make(chan struct{})
	go func() {
		_ = cmd.Wait() // how it ended is in its log
		close(exited)
	}()
	s.process, s.exited = cmd, exited
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for {
		if err = s.exec(ctx, "SELECT 1"); err == nil {
			return nil
		}
		select {
		case <-exited:
		case <-ctx.Done():
		case <-time.After(10 * time.Millisecond): // nothing else signals that it listens
			continue
		}
		output, _ := os.ReadFile(name)
		err = fmt.Errorf("postgres does not answer: %w; its log: %s", err, output)
		return errors.Join(err, s.end(syscall.SIGINT))
	}
}

// end sends a signal to the server and waits until it has exited.
func (s *Server) end(how syscall.Signal) error {
	if s.process == nil {
		return nil
	}
	if err := s.process.Process.Signal(how); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-s.exited
	s.process = nil
	return nil
}

// Stop stops the server; its clients lose their connections.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	if err := s.end(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
}

// Kill ends the server like a crash: it writes nothing more, and the next start recovers.
func (s *Server) Kill(t testing.TB) {
	t.Helper()
	if err := s.end(syscall.SIGQUIT); err != nil { // unlike SIGKILL, it ends the children too
		t.Fatal(err)
	}
}

// Start restarts the server at the same address.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
}

// remove stops the server and removes the cluster.
func (s *Server) remove() error {
	err := s.end(syscall.SIGINT)
	if s.cleanerInput != nil {
		err = errors.Join(err, s.cleanerInput.Close(), s.cleaner.Wait())
	}
	return errors.Join(err, os.RemoveAll(s.dir))
}

// freePort returns a free loopback port that no other cluster of this process gets. It is outside
// the range of ephemeral ports, so that a cluster that was stopped can have it back.
func freePort() (port int, err error) {
	for range 100 {
		port = 20000 + rand.IntN(10000)
		var l net.Listener
		l, err = net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			continue
		}
		if err = l.Close(); err != nil {
			return 0, err
		}
		if _, given := givenPorts.LoadOrStore(port, true); !given {
			return port, nil
		}
	}
	return 0, fmt.Errorf("no port is free: %w", err)
}

var givenPorts sync.Map // includes ports of stopped clusters
