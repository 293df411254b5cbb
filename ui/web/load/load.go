// Package load plays a lot of games at once against a server, over its HTTP API and real
// connections. It measures how long a move takes to reach the opponent, and checks that every
// stream has every move once and in order.
package load

import (
	"context"
	"fmt"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"digitduel/digit"
)

// A Config configures a run.
type Config struct {
	URL       string   // of the server: http://HOST:PORT
	Others    []string // further servers of the same store, which share the players of a table
	Rules     digit.Rules
	Games     int           // the number of simultaneous games
	Watchers  int           // of each game
	Think     time.Duration // the average time for a move; 0: none
	Time      time.Duration // the time to play, after all are seated
	Rematches int           // at a table before the players change to a new one
	Patience  time.Duration // the time limit for answers
	Seed      uint64
	Usage     func() Usage // of the server; nil: from its metrics
	Started   func()       // called when all are seated and begin to play; may be nil
}

// DefaultPatience is the default of Config.Patience.
const DefaultPatience = 20 * time.Second

// A run is a load test under way.
type run struct {
	Config
	addrs    []string      // of the servers
	began    time.Time     // when the first pair arrived
	arrivals chan struct{} // holds a token for each pair that is being seated
	start    chan struct{} // closed when all are seated
	stop     chan struct{} // closed when time is up

	measuring      atomic.Bool
	moves          atomic.Int64
	games, tables  atomic.Int64
	seen, answered stopwatch
	faults         faultCounts
}

func (r *run) playing() bool { return isClosed(r.start) }
func (r *run) stopped() bool { return isClosed(r.stop) }

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// record adds a latency during the measured time.
func (r *run) record(s *stopwatch, d time.Duration) {
	if r.measuring.Load() {
		s.add(d)
	}
}

// arriving is the number of pairs that are seated at once.
const arriving = 16

// Run plays and reports. Errors of the server are in the report; the returned error is a reason why
// it could not play.
func Run(ctx context.Context, c Config) (Figures, error) {
	var addrs []string
	for _, url := range append([]string{c.URL}, c.Others...) {
		addr, err := hostOf(url)
		if err != nil {
			return Figures{}, err
		}
		addrs = append(addrs, addr)
	}
	if err := allowFiles(c.Games * (4 + c.Watchers)); err != nil {
		return Figures{}, err
	}
	r := &run{
		Config: c, addrs: addrs, began: time.Now(),
		arrivals: make(chan struct{}, arriving),
		start:    make(chan struct{}), stop: make(chan struct{}),
	}
	all, giveUp := context.WithCancel(ctx)
	defer giveUp()
	before := r.sample(ctx)
	var playing, sitting sync.WaitGroup
	for i := range c.Games {
		sitting.Add(1)
		sat := sync.OnceFunc(sitting.Done)
		playing.Go(func() {
			defer sat()
			err := r.playUntilStop(all, i, sat)
			if err == nil || all.Err() != nil {
				return
			}
			r.faults.add(err)
			if !r.playing() { // do not wait for a server that cannot seat all
				giveUp()
			}
		})
	}
	sitting.Wait()
	report := r.measure(all, before, &playing)
	playing.Wait()
	report.Errors = r.faults.list()
	return report, ctx.Err()
}

// measure starts the play, stops it when time is up, and returns the report.
func (r *run) measure(ctx context.Context, before sample, playing *sync.WaitGroup) Figures {
	seated := r.sample(ctx)
	finished := make(chan struct{})
	go func() { playing.Wait(); close(finished) }()
	r.measuring.Store(true)
	if r.Started != nil {
		r.Started()
	}
	close(r.start)
	timer := time.NewTimer(r.Time)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-finished: // all have failed
	case <-ctx.Done():
	}
	r.measuring.Store(false)
	after := r.sample(ctx)
	close(r.stop)
	return r.report(before, seated, after)
}

// playUntilStop lets a pair play at one table after another until time is up or an error occurs. It
// calls sat when they are seated for the first time.
func (r *run) playUntilStop(ctx context.Context, number int, sat func()) error {
	p, t, err := r.arrive(ctx, number)
	if err != nil {
		return err
	}
	defer p.close()
	sat()
	<-r.start
	for {
		err = t.play()
		t.close()
		if err != nil || r.stopped() {
			return err
		}
		if t, err = p.sit(ctx); err != nil {
			return err
		}
	}
}

// addr returns the server of a player. Players are counted from 0 at each table.
func (r *run) addr(number int) string { return r.addrs[number%len(r.addrs)] }

// arrive seats a pair at its first table.
func (r *run) arrive(ctx context.Context, number int) (*pair, *table, error) {
	r.arrivals <- struct{}{}
	defer func() { <-r.arrivals }()
	p := &pair{run: r}
	err := p.connect(ctx, number)
	if err == nil {
		var t *table
		if t, err = p.sit(ctx); err == nil {
			return p, t, nil
		}
	}
	p.close()
	return nil, nil, err
}

// hostOf returns the host and port of a server.
func hostOf(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" || u.Port() == "" || u.Path != "" && u.Path != "/" {
		return "", fmt.Errorf("server %q: allowed: http://HOST:PORT", address)
	}
	return u.Host, nil
}
