package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// A Process is a server started for a measurement.
type Process struct {
	URL string

	process *exec.Cmd
	log     *serverLog
	ended   chan struct{} // closed when the process has ended; then err is set
	err     error
}

// Start starts a server and waits until it reports its address.
func Start(ctx context.Context, program string, args ...string) (*Process, error) {
	s := &Process{
		process: exec.Command(program, args...),
		log:     &serverLog{listens: make(chan string, 1)}, ended: make(chan struct{}),
	}
	s.process.Stdout, s.process.Stderr = s.log, s.log
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	go func() {
		s.err = s.process.Wait()
		close(s.ended)
	}()
	var err error
	select {
	case s.URL = <-s.log.listens:
		return s, nil
	case <-s.ended:
		return nil, fmt.Errorf("the server ended before it listened: %v: %s", s.err, s.log.last())
	case <-time.After(time.Minute):
		err = fmt.Errorf("the server does not listen after a minute: %s", s.log.last())
	case <-ctx.Done():
		err = ctx.Err()
	}
	return nil, errors.Join(err, s.Stop())
}

// Usage returns the resources used by the server.
func (s *Process) Usage() Usage { return ProcessUsage(s.process.Process.Pid) }

// Stop stops the server and waits until it has ended. After 30 seconds it kills the server.
func (s *Process) Stop() error {
	_ = s.process.Process.Signal(syscall.SIGTERM) // if it has ended, that is handled below
	select {
	case <-s.ended:
	case <-time.After(30 * time.Second):
		_ = s.process.Process.Kill()
		<-s.ended
		return errors.New("the server did not stop in 30 seconds and was killed")
	}
	if s.err != nil {
		return fmt.Errorf("the server ended with %w: %s", s.err, s.log.last())
	}
	return nil
}

// Processes are servers of one store.
type Processes []*Process

// Usage returns the resources used by all servers.
func (all Processes) Usage() (total Usage) {
	for _, s := range all {
		u := s.Usage()
		total.Memory += u.Memory
		total.CPU += u.CPU
	}
	return total
}

// Stop stops the servers one after the other.
func (all Processes) Stop() (err error) {
	for _, s := range all {
		err = errors.Join(err, s.Stop())
	}
	return err
}

// Profile writes a CPU profile of a server over the next length to a file.
func Profile(ctx context.Context, server, file string, length time.Duration) error {
	path := fmt.Sprintf("/debug/pprof/profile?seconds=%d", max(1, int(length.Seconds())))
	text, err := get(ctx, server, path, length)
	if err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	return os.WriteFile(file, text, 0o644)
}

// A serverLog reads the output of a server, finds its address, and stores the end of the output.
type serverLog struct {
	listens chan string

	mu    sync.Mutex
	kept  []byte
	found bool
}

func (l *serverLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = append(l.kept, b...)
	if _, rest, said := bytes.Cut(l.kept, []byte("listening on ")); said && !l.found {
		if end := bytes.IndexAny(rest, " \n\""); end >= 0 {
			l.found = true
			l.listens <- string(rest[:end])
		}
	}
	const most = 2000
	l.kept = l.kept[max(0, len(l.kept)-most):]
	return len(b), nil
}

// last returns the last line of the output.
func (l *serverLog) last() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := bytes.TrimSpace(l.kept)
	return string(text[bytes.LastIndexByte(text, '\n')+1:])
}
