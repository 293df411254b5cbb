// Package load plays many games at once against a server, over its HTTP interface and real connections, measures how long a move takes to
// reach the opponent, and checks that every stream tells every move once and in order.
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

// A Config says what to play.
type Config struct {
	URL       string   // of the server: http://HOST:PORT
	Others    []string // further servers of the same store: the players of a table, and those who watch, sit at one after the other
	Rules     digit.Rules
	Games     int           // that are under way at once, each between two players
	Watchers  int           // of each game
	Think     time.Duration // for a move on average; 0: none
	Time      time.Duration // to play for, once all sit
	Rematches int           // at a table before the players go on at a new one
	Patience  time.Duration // with the server
	Seed      uint64
	Usage     func() Usage // of the server; nil: as its metrics tell
	Started   func()       // is called when all sit and begin to play; nil: nobody is
}

// DefaultPatience is how long a player waits for the server.
const DefaultPatience = 20 * time.Second

// A run is one load under way.
type run struct {
	Config
	addrs []string      // of the servers
	began time.Time     // when the first pair sat down
	doors chan struct{} // holds one for each pair that is about to sit down
	start chan struct{} // closed when all sit
	stop  chan struct{} // closed when time is up

	measuring      atomic.Bool
	moves          atomic.Int64
	games, tables  atomic.Int64
	seen, answered histogram
	faults         faultBook
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

// record adds a latency if it is of the time that is measured.
func (r *run) record(h *histogram, d time.Duration) {
	if r.measuring.Load() {
		h.add(d)
	}
}

// arriving is how many pairs sit down at once.
const arriving = 16

// Run plays and reports. What the server does wrong is in the report; the error is of what kept it from playing.
func Run(ctx context.Context, c Config) (Report, error) {
	var addrs []string
	for _, url := range append([]string{c.URL}, c.Others...) {
		addr, err := hostOf(url)
		if err != nil {
			return Report{}, err
		}
		addrs = append(addrs, addr)
	}
	if err := allowFiles(c.Games * (4 + c.Watchers)); err != nil {
		return Report{}, err
	}
	r := &run{
		Config: c, addrs: addrs, began: time.Now(),
		doors: make(chan struct{}, arriving), start: make(chan struct{}), stop: make(chan struct{}),
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
			err := r.playOn(all, i, sat)
			if err == nil || all.Err() != nil {
				return
			}
			r.faults.add(err)
			if !r.playing() { // a server at which not all can sit is not worth a wait
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

// measure starts the play, lets it go on for its time, ends it, and reports what was measured.
func (r *run) measure(ctx context.Context, before sample, playing *sync.WaitGroup) Report {
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
	case <-finished: // nobody plays any more: all have failed
	case <-ctx.Done():
	}
	r.measuring.Store(false)
	after := r.sample(ctx)
	close(r.stop)
	return r.report(before, seated, after)
}

// playOn lets a pair play at one table after another until time is up or something fails. It calls sat when they sit for the first time.
func (r *run) playOn(ctx context.Context, number int, sat func()) error {
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

// addr returns the server at which somebody sits, counted from 0 at each table.
func (r *run) addr(number int) string { return r.addrs[number%len(r.addrs)] }

// arrive lets a pair sit down at its first table.
func (r *run) arrive(ctx context.Context, number int) (*pair, *table, error) {
	r.doors <- struct{}{}
	defer func() { <-r.doors }()
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
