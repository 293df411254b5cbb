package load

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A Bench measures servers that it starts, or those at the URLs of its Config.
type Bench struct {
	Config
	Servers int      // servers to start on one database
	DB      string   // a file or postgres://…; "": a new file
	Flags   []string // further flags of the server
	JSON    bool     // write JSON
}

// Run starts servers unless there are some, measures them and prints the figures.
func (b *Bench) Run(ctx context.Context, out io.Writer) error {
	if len(b.URLs) > 0 {
		return b.measure(ctx, "the server at "+b.URLs[0], out)
	}
	dir, err := os.MkdirTemp("", "duel-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	store, db := "PostgreSQL", cmp.Or(b.DB, filepath.Join(dir, "duel.db"))
	if !strings.Contains(db, "://") {
		store = "SQLite"
	}
	serving, stop := context.WithCancel(ctx)
	var servers []*exec.Cmd
	for range b.Servers {
		var server *exec.Cmd
		if server, err = b.start(serving, db); err != nil {
			break
		}
		servers = append(servers, server)
	}
	if err == nil {
		err = b.measure(ctx, store, out)
	}
	stop()
	for _, s := range servers {
		_ = s.Wait() // it always fails, since the context has ended
		if !s.ProcessState.Success() {
			err = errors.Join(err, fmt.Errorf("the server ended with %v", s.ProcessState))
		}
	}
	return err
}

// unlimited are the flags of a server that lets one address act for a thousand players.
var unlimited = []string{
	"--rate-address=0", "--rate-seat=0", "--rate-tables=0", "--max-streams=0",
	"--max-streams-address=0", "--max-streams-table=0", "--max-connections-address=0",
}

// start starts a server that stops when ctx is done, and adds its address to the URLs.
func (b *Bench) start(ctx context.Context, db string) (*exec.Cmd, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	server := exec.CommandContext(ctx, program, "serve", "--addr", "127.0.0.1:0", "--db", db)
	server.Args = append(append(server.Args, unlimited...), b.Flags...)
	server.Cancel = func() error { return server.Process.Signal(syscall.SIGTERM) }
	server.WaitDelay = 30 * time.Second
	log, err := server.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := server.Start(); err != nil {
		return nil, err
	}
	last := ""
	for lines := bufio.NewScanner(log); lines.Scan(); {
		last = lines.Text()
		if _, url, found := strings.Cut(last, "listening on "); found {
			url, _, _ = strings.Cut(url, `"`)
			b.URLs = append(b.URLs, url)
			go func() { _, _ = io.Copy(io.Discard, log) }() // until the server ends
			return server, nil
		}
	}
	err = server.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, fmt.Errorf("the server ended before it listened: %w: %s", err, last)
}

// measure measures servers with a kind of store and prints the figures.
func (b *Bench) measure(ctx context.Context, store string, out io.Writer) error {
	f, err := Run(ctx, b.Config)
	if err != nil {
		return err
	}
	if !b.JSON {
		f.Print(out, store)
		return f.Err()
	}
	return errors.Join(f.Err(), json.NewEncoder(out).Encode(struct {
		Store string  `json:"store"`
		Play  Figures `json:"play"`
	}{store, f}))
}
