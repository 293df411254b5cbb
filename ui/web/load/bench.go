package load

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// A Bench measures a server that it starts, or the one at the URL of its Config.
type Bench struct {
	Config
	Servers int      // servers to start on one database
	DB      string   // a file or postgres://…; "": a new file
	Profile string   // file for a CPU profile of the server
	Flags   []string // further flags of the server
	Keep    bool     // keep the new file
	JSON    bool     // write JSON
}

// Run starts a server unless one is given, measures it and prints the figures.
func (b *Bench) Run(ctx context.Context, out, errs io.Writer) error {
	if b.URL != "" {
		return b.measure(ctx, "the server at "+b.URL, out)
	}
	dir, err := os.MkdirTemp("", "duel-bench-")
	if err != nil {
		return err
	}
	if b.Keep {
		fmt.Fprintln(errs, "the database is in", dir)
	} else {
		defer os.RemoveAll(dir)
	}
	store, db := "PostgreSQL", cmp.Or(b.DB, filepath.Join(dir, "duel.db"))
	if !strings.Contains(db, "://") {
		store = "SQLite"
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	args := append([]string{"serve", "--addr", "127.0.0.1:0", "--db", db}, unlimited...)
	if b.Profile != "" {
		args = append(args, "--pprof")
	}
	var servers Processes
	for range b.Servers {
		server, err := Start(ctx, program, append(args, b.Flags...)...)
		if err != nil {
			return errors.Join(err, servers.Stop())
		}
		servers = append(servers, server)
		b.Others = append(b.Others, server.URL)
	}
	b.URL, b.Others, b.Usage = b.Others[0], b.Others[1:], servers.Usage
	return errors.Join(b.measure(ctx, store, out), servers.Stop())
}

// unlimited are the flags of a server that lets one address act for a thousand players.
var unlimited = []string{
	"--rate-address=0", "--rate-seat=0", "--rate-tables=0", "--max-streams=0",
	"--max-streams-address=0", "--max-streams-table=0", "--max-connections-address=0",
}

// measure measures a server with a kind of store and prints the figures.
func (b *Bench) measure(ctx context.Context, store string, out io.Writer) error {
	r, err := b.play(ctx)
	if err != nil {
		return err
	}
	if !b.JSON {
		r.Print(out, store)
		return r.Err()
	}
	return errors.Join(r.Err(), json.NewEncoder(out).Encode(struct {
		Store string  `json:"store"`
		Play  Figures `json:"play"`
	}{store, r}))
}

// play plays games and writes a profile meanwhile, if there is a file for it.
func (b *Bench) play(ctx context.Context) (Figures, error) {
	c := b.Config
	var profiling sync.WaitGroup
	var profileErr error
	if b.Profile != "" {
		c.Started = func() {
			profiling.Go(func() { profileErr = Profile(ctx, b.URL, b.Profile, b.Time) })
		}
	}
	r, err := Run(ctx, c)
	profiling.Wait()
	return r, errors.Join(err, profileErr)
}
