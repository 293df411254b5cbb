// Command torture kills servers under load and fuzzes everything that parses outside text, until
// it has done both often enough or something is lost. It keeps its progress in a folder, and
// resumes from there when it is started again.
//
// It runs the tests of the folder it runs in: those of cmd/duel that kill, in rounds, and every
// fuzz test, in turns.
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
	flag.IntVar(&r.kills, "kills", 1000, "kills of servers for each store")
	flag.IntVar(&r.execs, "fuzz", 10_000_000, "inputs to fuzz over all targets")
	flag.StringVar(&r.dir, "dir", "torture", "folder for the progress, and for traces of losses")
	doc := flag.String("doc", "docs/reliability.md", "page to write the figures to")
	fresh := flag.Bool("fresh", false, "start over")
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
	figures := r.state.figures(time.Now(), machine(), r.kills, r.execs)
	if write := writeFigures(*doc, figures); write != nil {
		err = errors.Join(err, write)
	}
	switch {
	case err != nil:
		log.Fatal("torture: ", err)
	case ctx.Err() != nil:
		log.Print("torture: interrupted; start it again to continue, or with FRESH=1 to start over")
		os.Exit(130)
	}
}

// A run holds the goals, and the progress so far.
type run struct {
	kills, execs int
	dir          string
	state        state
	show         display
}

// errLost reports that something was lost, or a law was broken.
var errLost = errors.New("stopped")

// all does the remaining work. An interrupt ends it between two rounds without an error.
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

// lost returns the error of a failed round, with everything needed to investigate it.
func (r *run) lost(what, logFile, again string) error {
	return fmt.Errorf("%w: %s\noutput: %s\nfiles: %s\ntry again: %s",
		errLost, what, logFile, r.dir, again)
}
