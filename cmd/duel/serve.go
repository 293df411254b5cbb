package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"digitduel/bot/sit"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
	"digitduel/store"
	"digitduel/ui/gate"
	"digitduel/ui/mcp"
	"digitduel/ui/web"
)

// solveBudget is how many bytes a game may take that is solved for a visitor. A book takes 100 KB, and sixteen digits in four
// places 14 MB.
const solveBudget = 64 << 20

// serveConfig is what the flags of duel serve say.
type serveConfig struct {
	addr, db, baseURL, metricsAddr string
	tlsCert, tlsKey                string
	logFormat, logLevel            string
	trustProxy, pprof              bool
	agents                         agentFlags
	limits                         gate.Limits
	maxTables                      int
	leftAfter, shutdownTimeout     time.Duration
}

func serveCommand() *cobra.Command {
	o := serveConfig{limits: gate.DefaultLimits}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve tables to browsers and programs: open a link and play",
		Long: "Serve tables to browsers and programs. Whoever opens the address can play at once: against the computer, against a\n" +
			"friend by a link, or against anybody who waits. Every move is on disk before it is told.\n\n" +
			"Each flag can also be given by the environment: --trust-proxy is DUEL_TRUST_PROXY=true, --db is DUEL_DB.",
		Example: "  duel serve\n  duel serve --addr :8080 --db games.db\n  duel serve --db postgres://duel@db/duel --trust-proxy --base-url https://duel.example",
		Args:    noArguments,
		PreRunE: func(cmd *cobra.Command, _ []string) error { return fromEnvironment(cmd.Flags()) },
		RunE: func(cmd *cobra.Command, _ []string) error {
			log, err := o.logger(cmd)
			if err != nil {
				return err
			}
			return serve(cmd.Context(), o, log)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.addr, "addr", "127.0.0.1:8080", "where to listen; :8080 is every address of this machine")
	dbFlag(cmd.Flags(), &o.db)
	f.StringVar(&o.baseURL, "base-url", "", "what links that people send begin with, as in https://duel.example (default: as the request came)")
	f.StringVar(&o.tlsCert, "tls-cert", "", "a file with a certificate, to serve https")
	f.StringVar(&o.tlsKey, "tls-key", "", "a file with the key of the certificate")
	f.BoolVar(&o.trustProxy, "trust-proxy", false, "believe X-Forwarded-For and X-Forwarded-Proto; only behind a proxy that sets them")
	f.Float64Var(&o.limits.Address, "rate-address", o.limits.Address, "requests a second from one address; 0: any number")
	f.Float64Var(&o.limits.Seat, "rate-seat", o.limits.Seat, "acts a second from one seat; 0: any number")
	f.Float64Var(&o.limits.Tables, "rate-tables", o.limits.Tables, "new tables a second from one address; 0: any number")
	f.Float64Var(&o.limits.Work, "rate-work", o.limits.Work, "seconds of computing a second for one address; 0: any number")
	f.IntVar(&o.limits.ConnectionsOfAddress, "max-connections-address", o.limits.ConnectionsOfAddress, "connections at once from one address; not with --trust-proxy; 0: any number")
	f.IntVar(&o.maxTables, "max-tables", 20_000, "tables in memory at once; those that nobody is at are not; 0: any number")
	f.IntVar(&o.limits.Streams, "max-streams", o.limits.Streams, "live streams at once; 0: any number")
	f.IntVar(&o.limits.StreamsOfAddress, "max-streams-address", o.limits.StreamsOfAddress, "live streams at once to one address; 0: any number")
	f.IntVar(&o.limits.StreamsOfTable, "max-streams-table", o.limits.StreamsOfTable, "live streams at once about one table; 0: any number")
	f.DurationVar(&o.leftAfter, "left-after", time.Minute, "how long a player may be gone before the other one may claim the win")
	f.DurationVar(&o.shutdownTimeout, "shutdown-timeout", 10*time.Second, "how long to wait for requests under way when told to stop")
	o.agents.add(f)
	f.StringVar(&o.metricsAddr, "metrics-addr", "", "serve /metrics on this address too")
	f.BoolVar(&o.pprof, "pprof", false, "serve /debug/pprof; not for the open net")
	f.StringVar(&o.logFormat, "log-format", "text", "text or json")
	f.StringVar(&o.logLevel, "log-level", "info", "debug, info, warn or error")
	complete(cmd, "log-format", "text", "json")
	complete(cmd, "log-level", "debug", "info", "warn", "error")
	return cmd
}

// dbFlag is the flag of every command that opens a database.
func dbFlag(f *pflag.FlagSet, db *string) {
	f.StringVar(db, "db", "", "the database: a file, or postgres://… (default: $DUEL_DB, or else duel.db in ~/.local/share/duel)")
}

// whereIs returns the database that a flag names, or else the environment.
func whereIs(db string) (string, error) {
	if db = cmp.Or(db, os.Getenv("DUEL_DB")); db == "" {
		folder, err := dataDir()
		return filepath.Join(folder, "duel.db"), err
	}
	if strings.HasPrefix(db, "postgres://") || strings.HasPrefix(db, "postgresql://") {
		return db, nil
	}
	if scheme, _, found := strings.Cut(db, ":"); found && len(scheme) > 1 && !strings.ContainsAny(scheme, `/\`) { // a drive has one letter
		return "", usagef("database %s:…: allowed: a file, as in games.db, or postgres://…", scheme) // a password may follow
	}
	if info, err := os.Stat(db); err == nil && info.IsDir() {
		return "", fmt.Errorf("database %s: it is a folder; allowed: a file, as in %s", db, filepath.Join(db, "duel.db"))
	}
	return db, nil
}

// noArguments refuses arguments beside flags.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("argument %q: %s takes none; see %s --help", args[0], cmd.CommandPath(), cmd.CommandPath())
	}
	return nil
}

// fromEnvironment sets the flags that were not given from the environment: --base-url from DUEL_BASE_URL.
func fromEnvironment(flags *pflag.FlagSet) (err error) {
	flags.VisitAll(func(f *pflag.Flag) {
		name := "DUEL_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value, given := os.LookupEnv(name)
		if err != nil || !given || f.Changed || f.Name == "help" {
			return
		}
		if wrong := flags.Set(f.Name, value); wrong != nil {
			err = usagef("%s %q: allowed: %s", name, value, allowedFor(f))
		}
	})
	return err
}

func (o serveConfig) logger(cmd *cobra.Command) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(o.logLevel)); err != nil {
		return nil, usagef("log-level %q: allowed: debug, info, warn, error", o.logLevel)
	}
	options := &slog.HandlerOptions{Level: level}
	switch o.logFormat {
	case "text":
		return slog.New(web.Dedupe(slog.NewTextHandler(cmd.ErrOrStderr(), options))), nil
	case "json":
		return slog.New(web.Dedupe(slog.NewJSONHandler(cmd.ErrOrStderr(), options))), nil
	}
	return nil, usagef("log-format %q: allowed: text, json", o.logFormat)
}

// serve serves until ctx is done. Then moves under way are finished, and those who listen are told to connect anew.
func serve(ctx context.Context, o serveConfig, log *slog.Logger) (err error) {
	secured, err := o.secured()
	if err != nil {
		return err
	}
	if err := o.agents.check(); err != nil {
		return err
	}
	where, err := whereIs(o.db)
	if err != nil {
		return err
	}
	db, err := store.Open(ctx, where, store.Config{Server: true, Log: log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	secret, err := db.Secret(ctx)
	if err != nil {
		return err
	}
	solver := &solve.Solver{Config: solve.Config{Budget: solveBudget, Workers: max(1, runtime.GOMAXPROCS(0)/2)}} // so that others are served meanwhile
	run, err := o.agents.open(ctx, solver)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, run.Close()) }()
	door := gate.New(gate.Config{Limits: o.limits, Solver: solver, Now: time.Now, Log: log, TrustProxy: o.trustProxy})
	hall := match.NewHall(db, match.HallConfig{
		Host: func(ctx context.Context, t *match.Table) error {
			return sit.HostLevels(ctx, t, func(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
				return door.SolvedAt(ctx, t.ID(), r)
			})
		},
		Overdue: db.Overdue, Guests: db, Log: log, Grace: o.leftAfter, Most: o.maxTables,
	})
	listener, err := net.Listen("tcp", o.addr)
	if err != nil {
		return err
	}
	keys := match.NewKeys(secret)
	config := web.Config{
		Gate: door, Hall: hall, Archive: db, Keys: keys, Ready: db.Ping, Figures: figuresOf(db),
		Reach: reachableAt(listener.Addr()), BaseURL: o.baseURL, Pprof: o.pprof,
	}
	agents := o.agents.server(mcp.Config{
		Hall: hall, Keys: keys, Sittings: db, Log: log, Now: time.Now,
		Limits: door, Solve: door.SolvedFor, Work: door.Work, Link: web.Link,
	}, run)
	if agents != nil {
		config.Agents = agents.Handler()
	}
	server := web.New(config)
	running, end := context.WithCancel(context.WithoutCancel(ctx))
	var upkeep sync.WaitGroup
	upkeep.Go(func() { hall.Run(running) })
	upkeep.Go(func() { solveBooks(running, solver, log) })
	upkeep.Go(func() { web.SaveMemory(running, hall.Len) })
	if agents != nil {
		upkeep.Go(func() { runAgents(running, agents) })
	}
	upkeep.Go(func() {
		if err := db.Listen(running, hall.Notice); err != nil && running.Err() == nil {
			log.Error("other servers are no longer heard", "error", err)
		}
	})
	err = o.listen(ctx, listener, secured, server, log)
	door.Wait()
	hall.Close()
	end()
	upkeep.Wait()
	return err
}

// secured returns how to serve https, or nil if http is wanted.
func (o serveConfig) secured() (*tls.Config, error) {
	switch {
	case o.tlsCert == "" && o.tlsKey == "":
		return nil, nil
	case o.tlsCert == "":
		return nil, usagef("tls-key without tls-cert: both are wanted, or none")
	case o.tlsKey == "":
		return nil, usagef("tls-cert without tls-key: both are wanted, or none")
	}
	certificate, err := tls.LoadX509KeyPair(o.tlsCert, o.tlsKey)
	if err != nil {
		return nil, fmt.Errorf("certificate %s with key %s: %w", o.tlsCert, o.tlsKey, err)
	}
	return &tls.Config{Certificates: []tls.Certificate{certificate}}, nil
}

// listen answers requests until ctx is done and those under way are answered.
func (o serveConfig) listen(ctx context.Context, listener net.Listener, secured *tls.Config, server *web.Server, log *slog.Logger) error {
	newServer := func(h http.Handler) *http.Server {
		return &http.Server{
			Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
			MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
			HTTP2: &http.HTTP2Config{ // a body that nobody reads is held here; none is larger than 64 KiB
				MaxConcurrentStreams: 50, MaxReceiveBufferPerConnection: 64 << 10, MaxReceiveBufferPerStream: 64 << 10,
			},
		}
	}
	main := newServer(server)
	failed := make(chan error, 2)
	scheme := "http"
	if main.TLSConfig = secured; secured != nil {
		scheme = "https"
		go func() { failed <- main.ServeTLS(server.Accepting(heard{listener, log}), "", "") }()
	} else {
		go func() { failed <- main.Serve(server.Accepting(heard{listener, log})) }()
	}
	servers := []*http.Server{main}
	if o.metricsAddr != "" {
		other, err := net.Listen("tcp", o.metricsAddr)
		if err != nil {
			main.Close()
			return err
		}
		figures := newServer(http.HandlerFunc(server.Metrics))
		servers = append(servers, figures)
		go func() { failed <- figures.Serve(heard{other, log}) }()
	}
	if tcp, ok := listener.Addr().(*net.TCPAddr); ok && tcp.IP.IsUnspecified() && o.trustProxy {
		log.Warn(fmt.Sprintf("port %d is open at every address of this machine, and --trust-proxy believes whoever comes there: let nobody in but the proxy", tcp.Port))
	}
	for _, address := range reachableAt(listener.Addr()) {
		log.Info(fmt.Sprintf("listening on %s://%s", scheme, address))
		if o.agents.mcp {
			log.Info(fmt.Sprintf("agents connect at %s://%s/mcp", scheme, address))
		}
	}
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
		log.Info("stopping")
	}
	server.Stop()
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.shutdownTimeout)
	defer cancel()
	for _, s := range servers {
		if wrong := s.Shutdown(late); wrong != nil {
			err = errors.Join(err, fmt.Errorf("some requests were not finished in %v", o.shutdownTimeout), s.Close())
		}
	}
	return err
}

// A heard listener logs why a connection could not be accepted, as when there are no files left.
type heard struct {
	net.Listener
	log *slog.Logger
}

func (h heard) Accept() (net.Conn, error) {
	c, err := h.Listener.Accept()
	if err != nil && !errors.Is(err, net.ErrClosed) {
		h.log.Error("a connection could not be accepted", "error", err)
	}
	return c, err
}

// reachableAt returns the addresses under which a listener can be reached: its own or, if it listens on every address of the
// machine, those of the machine, this machine's own first.
func reachableAt(a net.Addr) []string {
	tcp, ok := a.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return []string{a.String()}
	}
	port := strconv.Itoa(tcp.Port)
	reachable := []string{net.JoinHostPort("127.0.0.1", port)}
	addresses, _ := net.InterfaceAddrs() // without them there is still the first
	for _, address := range addresses {
		if network, ok := address.(*net.IPNet); ok && network.IP.IsGlobalUnicast() && network.IP.To4() != nil {
			reachable = append(reachable, net.JoinHostPort(network.IP.String(), port))
		}
	}
	return reachable
}

// solveBooks solves the games that most people play, and has them kept until ctx is done.
func solveBooks(ctx context.Context, solver *solve.Solver, log *slog.Logger) {
	for _, b := range slices.Concat(digit.Books, digit.Fair) {
		if _, err := solver.Solve(ctx, b.Rules); err != nil && ctx.Err() == nil {
			log.Error("a book could not be solved", "book", b.Name, "error", err)
		}
	}
}

// figuresOf returns what a database tells of itself.
func figuresOf(db *store.DB) []web.Figure {
	return []web.Figure{
		{Name: "duel_store_events_total", Help: "Events that were kept.", Counter: true, Value: func() float64 {
			events, _ := db.Writes()
			return float64(events)
		}},
		{Name: "duel_store_commits_total", Help: "Commits that kept them.", Counter: true, Value: func() float64 {
			_, commits := db.Writes()
			return float64(commits)
		}},
	}
}
