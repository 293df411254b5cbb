package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"digitduel/digit"
	"digitduel/load"
)

func benchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure this program under load",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noSuchCommand(cmd, args[:1])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(benchServeCommand())
	return cmd
}

// benchOptions are what the command line asks for.
type benchOptions struct {
	load.Config
	rules   string
	idle    int
	db      string
	profile string
	flags   []string
	keep    bool
	asJSON  bool
}

func benchServeCommand() *cobra.Command {
	var o benchOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Play many games at once at a server, and tell how fast moves arrive and what they cost",
		Long: "Start a server, play many games at once at it over HTTP with two players each, and tell how long a move takes to reach\n" +
			"the opponent, what memory and processor time that takes, and whether every stream told every move once and in order.\n" +
			"If one did not, the exit code is 1. The players share the machine with the server.",
		Example: "  duel bench serve\n  duel bench serve --games 200 --think 0\n  duel bench serve --idle 100000\n" +
			"  duel bench serve --db postgres://localhost/duel --time 1m",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd.Flags().Changed); err != nil {
				return err
			}
			return o.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Games, "games", 1000, "how many games are played at once")
	f.DurationVar(&o.Think, "think", 2*time.Second, "how long a player thinks on average; 0: not at all")
	f.DurationVar(&o.Time, "time", 30*time.Second, "how long to play")
	f.StringVar(&o.rules, "rules", "dilemma", "the game, as in \"highest width=4\"")
	f.IntVar(&o.Rematches, "rematches", 9, "how many games, up to 49, follow the first at a table, before a new one")
	f.IntVar(&o.Watchers, "watchers", 0, "how many watch each game")
	f.IntVar(&o.idle, "idle", 0, "first set up this many tables, let them lie and tell what they cost; no games unless --games is given too")
	f.Uint64Var(&o.Seed, "seed", 1, "makes the moves and thoughts repeatable")
	f.StringVar(&o.db, "db", "", "where the server keeps its tables: a file, or postgres://…; empty: a new file")
	f.StringVar(&o.URL, "url", "", "measure the server that runs here, as in http://127.0.0.1:8080, instead of starting one")
	f.StringArrayVar(&o.flags, "server-flag", nil, "a further flag for the server, as in --server-flag=--left-after=5m")
	f.StringVar(&o.profile, "profile", "", "write a profile of the server's processor time to this file")
	f.BoolVar(&o.keep, "keep", false, "keep the new file")
	f.BoolVar(&o.asJSON, "json", false, "write JSON")
	return cmd
}

// longestThought is how long players think at the most, since a server closes connections on which it is not asked anything for long.
const longestThought = time.Minute

// check reads the rules and refuses what cannot be.
func (o *benchOptions) check(given func(flag string) bool) (err error) {
	if o.Rules, err = digit.ParseRules(o.rules); err != nil {
		return usageError{err}
	}
	if o.idle > 0 && !given("games") {
		o.Games = 0
	}
	for _, n := range []struct {
		name  string
		value int
	}{{"games", o.Games}, {"rematches", o.Rematches}, {"watchers", o.Watchers}, {"idle", o.idle}} {
		if n.value < 0 {
			return usagef("%s %d: allowed: 0 and more", n.name, n.value)
		}
	}
	switch {
	case o.Games == 0 && o.idle == 0:
		return usagef("games 0: allowed: 1 and more, or --idle")
	case o.Think < 0 || o.Think > longestThought:
		return usagef("think %v: allowed: 0 to %v", o.Think, longestThought)
	case o.Time <= 0:
		return usagef("time %v: allowed: more than 0", o.Time)
	}
	for _, flag := range []string{"db", "server-flag", "keep", "profile"} {
		if o.URL != "" && given(flag) {
			return usagef("--%s is for a server that is started, and --url measures one that runs", flag)
		}
	}
	o.Patience = load.DefaultPatience
	return nil
}

// run starts a server if none is given, measures it and tells the figures.
func (o *benchOptions) run(ctx context.Context, out, errs io.Writer) error {
	s := &benchedServer{store: "the server at " + o.URL, url: o.URL}
	if o.URL == "" {
		dir, err := os.MkdirTemp("", "duel-bench-")
		if err != nil {
			return err
		}
		if o.keep {
			fmt.Fprintln(errs, "the tables are kept in", dir)
		} else {
			defer os.RemoveAll(dir)
		}
		if s, err = o.start(ctx, dir); err != nil {
			return err
		}
	}
	err := o.measure(ctx, s, out)
	return errors.Join(err, s.stop())
}

// measure measures a server and tells the figures.
func (o *benchOptions) measure(ctx context.Context, s *benchedServer, out io.Writer) error {
	var told struct {
		Store string           `json:"store"`
		Idle  *load.IdleReport `json:"idle,omitempty"`
		Play  *load.Report     `json:"play,omitempty"`
	}
	told.Store = s.store
	if o.idle > 0 {
		r, err := load.Idle(ctx, load.IdleConfig{
			URL: s.url, Rules: o.Rules, Tables: o.idle, Patience: o.Patience, Drop: 5 * time.Minute, Usage: s.usage, Disk: s.disk,
		})
		if err != nil {
			return err
		}
		told.Idle = &r
		if !o.asJSON {
			r.Print(out, s.store)
		}
	}
	var failed error
	if o.Games > 0 {
		r, err := o.play(ctx, s)
		if err != nil {
			return err
		}
		told.Play, failed = &r, r.Err()
		if !o.asJSON {
			r.Print(out, s.store)
		}
	}
	if o.asJSON {
		return errors.Join(failed, json.NewEncoder(out).Encode(told))
	}
	return failed
}

// play plays games and, if it is wanted, has a profile written meanwhile.
func (o *benchOptions) play(ctx context.Context, s *benchedServer) (load.Report, error) {
	c := o.Config
	c.URL, c.Usage = s.url, s.usage
	var profiling sync.WaitGroup
	var profileErr error
	if o.profile != "" {
		c.Started = func() { profiling.Go(func() { profileErr = s.profile(ctx, o.profile, o.Time) }) }
	}
	r, err := load.Run(ctx, c)
	profiling.Wait()
	return r, errors.Join(err, profileErr)
}

// A benchedServer is what is measured.
type benchedServer struct {
	url   string
	store string // what it keeps its tables in, for people
	usage func() load.Usage
	disk  func() (int64, error)

	process *exec.Cmd // nil: it was not started here
	log     *serverLog
	ended   chan struct{} // closed when the process has ended, as err says
	err     error
}

// unlimited are the flags of a server that lets one address do what a thousand players do.
var unlimited = []string{"--rate-address=0", "--rate-seat=0", "--rate-tables=0", "--max-streams=0", "--max-streams-address=0", "--max-streams-table=0"}

// start starts a server, with its file in a directory unless it is to be elsewhere, and waits until it listens.
func (o *benchOptions) start(ctx context.Context, dir string) (*benchedServer, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s := &benchedServer{store: "PostgreSQL", log: &serverLog{listens: make(chan string, 1)}, ended: make(chan struct{})}
	db := o.db
	if db == "" {
		db = filepath.Join(dir, "duel.db")
	}
	if !strings.Contains(db, "://") {
		s.store, s.disk = "SQLite", func() (int64, error) { return fileSizes(db) }
	}
	args := append([]string{"serve", "--addr", "127.0.0.1:0", "--db", db}, unlimited...)
	if o.profile != "" || o.idle > 0 { // which also lets it be told to collect garbage
		args = append(args, "--pprof")
	}
	s.process = exec.Command(program, append(args, o.flags...)...)
	s.process.Stdout, s.process.Stderr = s.log, s.log
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	s.usage = func() load.Usage { return load.ProcessUsage(s.process.Process.Pid) }
	go func() {
		s.err = s.process.Wait()
		close(s.ended)
	}()
	select {
	case s.url = <-s.log.listens:
		return s, nil
	case <-s.ended:
		return nil, fmt.Errorf("the server ended before it listened: %v: %s", s.err, s.log.last())
	case <-time.After(time.Minute):
		err = fmt.Errorf("the server does not listen after a minute: %s", s.log.last())
	case <-ctx.Done():
		err = ctx.Err()
	}
	return nil, errors.Join(err, s.stop())
}

// stop tells a server that was started to end, and waits until it has. One that does not is killed.
func (s *benchedServer) stop() error {
	if s.process == nil {
		return nil
	}
	s.process.Process.Signal(syscall.SIGTERM) // one that has ended already says so below
	select {
	case <-s.ended:
	case <-time.After(30 * time.Second):
		s.process.Process.Kill()
		<-s.ended
		return errors.New("the server did not stop in 30 seconds and was killed")
	}
	if s.err != nil {
		return fmt.Errorf("the server ended with %w: %s", s.err, s.log.last())
	}
	return nil
}

// profile asks a server for a profile of its processor time.
func (s *benchedServer) profile(ctx context.Context, file string, length time.Duration) error {
	url := fmt.Sprintf("%s/debug/pprof/profile?seconds=%d", s.url, max(1, int(length.Seconds())))
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		return fmt.Errorf("profile: the server answers %s: %.200q: %w", resp.Status, text, err)
	}
	return os.WriteFile(file, text, 0o644)
}

// fileSizes returns how many bytes a database takes, with what SQLite keeps beside it.
func fileSizes(db string) (int64, error) {
	total := int64(0)
	for _, name := range []string{db, db + "-wal"} {
		info, err := os.Stat(name)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, err
		}
		total += info.Size()
	}
	return total, nil
}

// A serverLog takes what a server says, finds in it where the server listens, and keeps the end of it.
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

// last returns the last line that the server said.
func (l *serverLog) last() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := bytes.TrimSpace(l.kept)
	return string(text[bytes.LastIndexByte(text, '\n')+1:])
}
