// Command torture kills servers under load and feeds what reads text from outside, until it has done both often enough or something
// is lost. What it has done it keeps in a folder, and goes on there when it is started again.
//
// It runs the tests of the folder it runs in: those of cmd/duel that kill, in rounds, and every fuzz test there is, in turns.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

func main() {
	log.SetFlags(0)
	r := &run{}
	flag.IntVar(&r.kills, "kills", 1000, "how often servers are killed, for each store")
	flag.IntVar(&r.execs, "fuzz", 10_000_000, "how many inputs are fuzzed, over all targets")
	flag.StringVar(&r.dir, "dir", "torture", "the folder for what was done, and for the traces of what was lost")
	doc := flag.String("doc", "docs/reliability.md", "the page that the figures are written to")
	fresh := flag.Bool("fresh", false, "begin anew")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	go func() { // a second interrupt ends everything at once
		<-ctx.Done()
		stop()
	}()
	if *fresh {
		if err := os.RemoveAll(r.dir); err != nil {
			log.Fatal("torture: ", err)
		}
	}
	err := r.all(ctx)
	if errors.Is(err, errLost) {
		log.Fatal("torture: ", err)
	}
	if write := writeFigures(*doc, r.state.figures(time.Now(), machine(), r.kills, r.execs)); write != nil {
		err = errors.Join(err, write)
	}
	switch {
	case err != nil:
		log.Fatal("torture: ", err)
	case ctx.Err() != nil:
		log.Print("torture: interrupted; start it again to go on, or with FRESH=1 to begin anew")
		os.Exit(130)
	}
}

// A run is what is to be done, and what was.
type run struct {
	kills, execs int
	dir          string
	state        state
	show         display
}

// errLost says that something was found that must not be.
var errLost = errors.New("stopped")

// all does what is left to do. An interrupt ends it between two rounds, which is no error.
func (r *run) all(ctx context.Context) (err error) {
	if r.dir, err = filepath.Abs(r.dir); err != nil {
		return err
	}
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return err
	}
	if r.state, err = readState(r.file()); err != nil {
		return err
	}
	if err := r.killAll(ctx); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return nil
	}
	return r.fuzzAll(ctx)
}

func (r *run) file() string { return filepath.Join(r.dir, "state.json") }

// lost returns the error of a round that failed, with what is needed to look into it.
func (r *run) lost(what, logFile, again string) error {
	return fmt.Errorf("%w: %s\nwhat was said: %s\nwhat is left of it: %s\ntry again: %s", errLost, what, logFile, r.dir, again)
}
