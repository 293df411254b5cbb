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
	_ "net/http/pprof" // for --pprof
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"digitduel/bot/sit"
	"digitduel/class"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
	"digitduel/store"
	"digitduel/ui/gate"
	"digitduel/ui/mcp"
	"digitduel/ui/offline"
	"digitduel/ui/ssh"
	"digitduel/ui/web"
)

// solveBudget is the memory, in bytes, for solving the game of a visitor. A rulebook takes 100 KB,
// and sixteen digits in four places take 14 MB.
const solveBudget = 64 << 20

// serveConfig holds the flags of duel serve.
type serveConfig struct {
	addr, db, baseURL, metricsAddr string
	sshAddr                        string
	tlsCert, tlsKey                string
	logFormat, logLevel            string
	trustProxy, pprof              bool
	agents                         agentFlags
	limits                         gate.Limits
	maxTables, maxSSH              int
	leftAfter, shutdownTimeout     time.Duration
}

func serveCommand() *cobra.Command {
	o := serveConfig{limits: gate.DefaultLimits}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve games to browsers, terminals and programs",
		Long: "Open the address in a browser and play: against the computer, a friend by a link, " +
			"or anyone who waits. Every move is saved before anyone sees it.\n\n" +
			"The environment can set each flag: DUEL_TRUST_PROXY=true is --trust-proxy, and " +
			"DUEL_DB is --db. docs/serve.md describes how to run a server.",
		Example: "duel serve\nduel serve --addr :8080 --db games.db\n" +
			"duel serve --trust-proxy --base-url https://duel.example",
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
	o.addFlags(cmd.Flags())
	complete(cmd, "log-format", "text", "json")
	complete(cmd, "log-level", "debug", "info", "warn", "error")
	return cmd
}

func (o *serveConfig) addFlags(f *pflag.FlagSet) {
	titled(f, "Network", func() {
		f.StringVar(&o.addr, "addr", "127.0.0.1:8080",
			"listen here; :8080 is every address of this machine")
		f.StringVar(&o.baseURL, "base-url", "",
			"public URL, with the path below which to serve (default that of requests)")
		f.StringVar(&o.sshAddr, "ssh", "", "serve terminals over SSH on this address, as in :2222")
		f.StringVar(&o.tlsCert, "tls-cert", "", "certificate, to serve https")
		f.StringVar(&o.tlsKey, "tls-key", "", "key of the certificate")
		f.BoolVar(&o.trustProxy, "trust-proxy", false,
			"believe X-Forwarded-For and X-Forwarded-Proto; only behind a proxy that sets them")
		f.DurationVar(&o.shutdownTimeout, "shutdown-timeout", 10*time.Second,
			"time to finish open requests when stopping")
	})
	titled(f, "Storage", func() { dbFlag(f, &o.db) })
	l := &o.limits
	titled(f, "Limits", func() {
		f.Float64Var(&l.Address, "rate-address", l.Address,
			"requests per second per address (0 = no limit)")
		f.Float64Var(&l.Seat, "rate-seat", l.Seat, "actions per second per seat (0 = no limit)")
		f.Float64Var(&l.Tables, "rate-tables", l.Tables,
			"new tables per second per address (0 = no limit)")
		f.Float64Var(&l.Work, "rate-work", l.Work,
			"computing seconds per second per address (0 = no limit)")
		f.IntVar(&l.ConnectionsOfAddress, "max-connections-address", l.ConnectionsOfAddress,
			"connections per address; not with --trust-proxy (0 = no limit)")
		f.IntVar(&o.maxSSH, "max-ssh", 1000,
			"connections over SSH; an address may have half of them")
		f.IntVar(&o.maxTables, "max-tables", 20_000,
			"tables in memory; idle ones are not (0 = no limit)")
		f.IntVar(&l.Streams, "max-streams", l.Streams, "live streams (0 = no limit)")
		f.IntVar(&l.StreamsOfAddress, "max-streams-address", l.StreamsOfAddress,
			"live streams per address (0 = no limit)")
		f.IntVar(&l.StreamsOfTable, "max-streams-table", l.StreamsOfTable,
			"live streams per table (0 = no limit)")
		f.DurationVar(&o.leftAfter, "left-after", time.Minute,
			"absence after which the opponent may claim the win")
	})
	titled(f, "Agents", func() { o.agents.add(f) })
	titled(f, "Logging", func() {
		f.StringVar(&o.logFormat, "log-format", "text", "text or json")
		f.StringVar(&o.logLevel, "log-level", "info", "debug, info, warn or error")
		f.StringVar(&o.metricsAddr, "metrics-addr", "", "serve /metrics on this address too")
		f.BoolVar(&o.pprof, "pprof", false, "serve /debug/pprof; not on a public network")
	})
}

// dbFlag adds the flag of the commands that open a database.
func dbFlag(f *pflag.FlagSet, db *string) {
	f.StringVar(db, "db", "",
		"a file or postgres://… (default $DUEL_DB, or ~/.local/share/duel/duel.db)")
}

// databaseAt returns the database named by a flag, or else by the environment.
func databaseAt(db string) (string, error) {
	if db = cmp.Or(db, os.Getenv("DUEL_DB")); db == "" {
		folder, err := dataDir()
		return filepath.Join(folder, "duel.db"), err
	}
	if strings.HasPrefix(db, "postgres://") || strings.HasPrefix(db, "postgresql://") {
		return db, nil
	}
	scheme, _, found := strings.Cut(db, ":")
	if found && len(scheme) > 1 && !strings.ContainsAny(scheme, `/\`) { // a drive has one letter
		return "", usagef("database %s:…: allowed: a file, as in games.db, or postgres://…",
			scheme) // a password may follow
	}
	if info, err := os.Stat(db); err == nil && info.IsDir() {
		return "", fmt.Errorf("database %s: is a folder; allowed: a file, as in %s",
			db, filepath.Join(db, "duel.db"))
	}
	return db, nil
}

// noArguments refuses arguments other than flags.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("unexpected argument %q (see: %s --help)", args[0], cmd.CommandPath())
	}
	return nil
}

// fromEnvironment sets flags that were not given by the environment: --base-url by DUEL_BASE_URL.
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
		return slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), options)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(cmd.ErrOrStderr(), options)), nil
	}
	return nil, usagef("log-format %q: allowed: text, json", o.logFormat)
}

// serve serves until ctx is done. Then it finishes open requests and closes streams, whose clients
// connect again.
func serve(ctx context.Context, o serveConfig, log *slog.Logger) (err error) {
	secured, err := o.secured()
	if err != nil {
		return err
	}
	if err := o.agents.check(); err != nil {
		return err
	}
	where, err := databaseAt(o.db)
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
	solver := &solve.Solver{Config: solve.Config{
		Budget:  solveBudget,
		Workers: max(1, runtime.GOMAXPROCS(0)/2), // the other half answers requests
	}}
	run, err := o.agents.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, run.Close()) }()
	limiter := gate.New(gate.Config{
		Limits: o.limits, Solver: solver, Now: time.Now, Log: log, TrustProxy: o.trustProxy,
	})
	hall := match.NewHall(db, match.HallConfig{
		Host: func(ctx context.Context, t *match.Table) error {
			solved := func(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
				return limiter.SolvedAt(ctx, t.ID(), r)
			}
			return sit.HostLevels(ctx, t, solved)
		},
		Overdue: db.Overdue, Guests: db, Log: log, Grace: o.leftAfter, Most: o.maxTables,
	})
	listener, err := net.Listen("tcp", o.addr)
	if err != nil {
		return err
	}
	keys := match.NewKeys(secret)
	config := web.Config{
		Gate: limiter, Hall: hall, Archive: db, Keys: keys, Ready: db.Ping, Figures: figuresOf(db),
		Reach: reachableAt(listener.Addr()), BaseURL: o.baseURL, TLS: secured != nil,
		Classes: &class.School{Store: db, Hall: hall, Keys: keys, Now: time.Now, Log: log},
	}
	if o.pprof {
		config.Profiles = http.DefaultServeMux // where net/http/pprof is
	}
	if config.Site, err = offline.Files(offline.Built()); errors.Is(err, offline.ErrNotBuilt) {
		log.Debug("there is no offline site", "error", err)
	} else if err != nil {
		return err
	}
	var agents *mcp.Server
	if o.agents.mcp {
		agents = o.agents.server(mcp.Config{
			Hall: hall, Keys: keys, Sittings: db, Log: log, Now: time.Now, Limits: limiter,
			Solve: limiter.SolvedFor, Work: limiter.Work, Disguised: mostDisguised, Link: web.Link,
		}, run)
		config.Agents = agents.Handler()
	}
	server := web.New(config)
	running, end := context.WithCancel(context.WithoutCancel(ctx))
	var upkeep sync.WaitGroup
	upkeep.Go(func() { hall.Run(running) })
	teaching, dismiss := context.WithCancel(running) // ends before the hall is closed
	upkeep.Go(func() { config.Classes.Run(teaching) })
	upkeep.Go(func() {
		select {
		case <-time.After(10 * time.Second): // players return to a server that was restarted
			solveBooks(running, solver, log)
		case <-running.Done():
		}
	})
	upkeep.Go(func() { web.SaveMemory(running) })
	if agents != nil {
		upkeep.Go(func() { runAgents(running, agents) })
	}
	upkeep.Go(func() {
		if err := db.Listen(running, hall.Notice); err != nil && running.Err() == nil {
			log.Error("lost the connection to other servers", "error", err)
		}
	})
	pages, _ := listener.Addr().(*net.TCPAddr)
	wire := ssh.NewWire()
	closeSSH, err := sshHost{o, *pages, db, limiter, wire}.listen(secret, log)
	if err == nil {
		err = o.listen(ctx, listener, secured, server, wire, closeSSH, log)
	}
	dismiss()
	limiter.Wait()
	hall.Close()
	end()
	upkeep.Wait()
	return err
}

// secured returns the configuration of https, or nil for http.
func (o serveConfig) secured() (*tls.Config, error) {
	switch {
	case o.tlsCert == "" && o.tlsKey == "":
		return nil, nil
	case o.tlsCert == "":
		return nil, usagef("tls-key: needs --tls-cert")
	case o.tlsKey == "":
		return nil, usagef("tls-cert: needs --tls-key")
	}
	certificate, err := tls.LoadX509KeyPair(o.tlsCert, o.tlsKey)
	if err != nil {
		return nil, fmt.Errorf("certificate %s with key %s: %w", o.tlsCert, o.tlsKey, err)
	}
	return &tls.Config{Certificates: []tls.Certificate{certificate}}, nil
}

// scheme returns the protocol of the addresses of pages.
func (o serveConfig) scheme() string {
	if o.tlsCert != "" {
		return "https"
	}
	return "http"
}

// headerTimeout is the time in which the header of a request must arrive. If it does not, the
// server closes the connection without an answer.
const headerTimeout = 5 * time.Second

// listen answers requests until ctx is done, and then finishes open ones.
func (o serveConfig) listen(
	ctx context.Context, listener net.Listener, secured *tls.Config, server *web.Server,
	wire ssh.Wire, closeSSH func() error, log *slog.Logger,
) error {
	newServer := func(h http.Handler) *http.Server {
		return &http.Server{
			Handler: h, ReadHeaderTimeout: headerTimeout, ReadTimeout: 10 * time.Second,
			WriteTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10,
			ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
			HTTP2: &http.HTTP2Config{ // buffers hold unread bodies, of at most 64 KiB
				MaxConcurrentStreams: 50, MaxReceiveBufferPerConnection: 64 << 10,
				MaxReceiveBufferPerStream: 64 << 10,
			},
		}
	}
	main := newServer(server)
	accepting := server.Accepting(loggedListener{listener, log})
	failed := make(chan error, 2)
	if main.TLSConfig = secured; secured != nil {
		go func() { failed <- main.ServeTLS(accepting, "", "") }()
	} else {
		go func() { failed <- main.Serve(accepting) }()
	}
	go main.Serve(wire) //nolint:errcheck // until it is closed
	servers := []*http.Server{main}
	if o.metricsAddr != "" {
		other, err := net.Listen("tcp", o.metricsAddr)
		if err != nil {
			main.Close()
			return errors.Join(err, closeSSH())
		}
		figures := newServer(http.HandlerFunc(server.Metrics))
		servers = append(servers, figures)
		go func() { failed <- figures.Serve(loggedListener{other, log}) }()
	}
	tcp, ok := listener.Addr().(*net.TCPAddr)
	if ok && tcp.IP.IsUnspecified() && o.trustProxy {
		log.Warn(fmt.Sprintf("port %d is open at every address of this machine, and --trust-proxy "+
			"believes every client: admit only the proxy", tcp.Port))
	}
	for _, address := range reachableAt(listener.Addr()) {
		log.Info(fmt.Sprintf("listening on %s://%s", o.scheme(), address))
		if o.agents.mcp {
			log.Info(fmt.Sprintf("agents connect at %s://%s/mcp", o.scheme(), address))
		}
	}
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
		log.Info("stopping")
	}
	err = errors.Join(err, closeSSH())
	server.Stop()
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.shutdownTimeout)
	defer cancel()
	for _, s := range servers {
		if wrong := s.Shutdown(late); wrong != nil {
			late := fmt.Errorf("some requests were not finished in %v", o.shutdownTimeout)
			err = errors.Join(err, late, s.Close())
		}
	}
	return err
}

// A loggedListener logs connections that it fails to accept, as when there are too many open files.
type loggedListener struct {
	net.Listener
	log *slog.Logger
}

func (l loggedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil && !errors.Is(err, net.ErrClosed) {
		l.log.Error("cannot accept a connection", "error", err)
	}
	return c, err
}

// reachableAt returns the addresses of a listener: its own or, if it listens on every address of
// the machine, those of the machine, beginning with loopback.
func reachableAt(a net.Addr) []string {
	tcp, ok := a.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return []string{a.String()}
	}
	port := strconv.Itoa(tcp.Port)
	reachable := []string{net.JoinHostPort("127.0.0.1", port)}
	addresses, _ := net.InterfaceAddrs() // without them loopback remains
	for _, address := range addresses {
		network, ok := address.(*net.IPNet)
		if ok && network.IP.IsGlobalUnicast() && network.IP.To4() != nil {
			reachable = append(reachable, net.JoinHostPort(network.IP.String(), port))
		}
	}
	return reachable
}

// solveBooks solves the games of the rulebooks and the fair games in advance.
func solveBooks(ctx context.Context, solver *solve.Solver, log *slog.Logger) {
	for _, b := range digit.AllBooks() {
		if _, err := solver.Solve(ctx, b.Rules); err != nil && ctx.Err() == nil {
			log.Error("cannot solve a game", "game", b.Name, "error", err)
		}
	}
}

// figuresOf returns the metrics of a database.
func figuresOf(db *store.DB) []web.Figure {
	return []web.Figure{
		{
			Name: "duel_store_events_total", Help: "Stored events.", Counter: true,
			Value: func() float64 {
				events, _ := db.Writes()
				return float64(events)
			},
		},
		{
			Name: "duel_store_commits_total", Help: "Commits that stored events.", Counter: true,
			Value: func() float64 {
				_, commits := db.Writes()
				return float64(commits)
			},
		},
	}
}
