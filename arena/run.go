package arena

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"sync"

	"digitduel/disk"
	"digitduel/solve"
)

// A Runner plays the games of a plan.
type Runner struct {
	Plan      *Plan
	Solutions []*solve.Solution // one for each of the rules

	// Open starts a program. A failure to start is not a fault; it ends the match.
	Open        func(ctx context.Context, command string) (Engine, error)
	Concurrency int
	// Progress, if not nil, is called after games are stored, never concurrently.
	Progress func(*Standing)
}

// A batch is a number of consecutive pairs played.
type batch struct {
	number int
	pairs  []playedPair
	err    error
}

// Run plays the games of the plan that are not in the file yet, and returns the standing. It
// stores games in the order of the plan, complete pairs at a time, so that the file does not
// depend on interruptions.
func (r *Runner) Run(ctx context.Context, file disk.File) (*Standing, error) {
	standing := NewStanding(r.Plan)
	end, err := disk.Resume(file, standing.Read)
	if err != nil {
		return nil, err
	}
	if standing.Done() {
		return standing, nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	batches, kept := r.start(ctx, cancel, standing.Pairs)
	err = r.keep(cancel, end, standing, batches, kept)
	return standing, err
}

// batchPairs is the number of pairs of levels in a batch, large enough that passing it on costs
// little.
const batchPairs = 32

// size returns the number of pairs in a batch: one if a program takes part, because its games may
// be expensive.
func (r *Runner) size() int {
	for i := range r.Plan.Players {
		if _, ok := r.Plan.command(i); ok {
			return 1
		}
	}
	return batchPairs
}

// start starts the workers, which play from a pair on. Batches arrive in any order. The channel
// is closed after all workers have ended. Workers wait if they are too far ahead of the stored
// games.
func (r *Runner) start(
	ctx context.Context, cancel func(), from int,
) (batches chan batch, kept chan struct{}) {
	workers := max(1, r.Concurrency)
	next := make(chan int)
	batches, kept = make(chan batch, 4*workers), make(chan struct{}, 4*workers)
	for range cap(kept) {
		kept <- struct{}{}
	}
	_, count := r.Plan.pairs()
	go func() {
		defer close(next)
		for i := 0; from+i*r.size() < count; i++ {
			select {
			case <-ctx.Done():
				return
			case <-kept:
			}
			select {
			case <-ctx.Done():
				return
			case next <- i:
			}
		}
	}()
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			at, _ := r.Plan.pairs()
			c := &crew{Runner: r, at: at, engines: map[int]Engine{}}
			defer c.close()
			for i := range next {
				b := c.playBatch(ctx, i, from, count)
				if b.err != nil {
					cancel()
				}
				batches <- b
			}
		})
	}
	go func() {
		all.Wait()
		close(batches)
	}()
	return batches, kept
}

// playBatch plays a batch of pairs.
func (c *crew) playBatch(ctx context.Context, number, from, count int) batch {
	b := batch{number: number}
	first := from + number*c.size()
	for i := first; i < min(first+c.size(), count); i++ {
		if ctx.Err() != nil {
			b.err = context.Cause(ctx)
			return b
		}
		p, err := c.playPair(ctx, i)
		if err != nil {
			b.err = err
			return b
		}
		b.pairs = append(b.pairs, p)
	}
	return b
}

// keep writes batches in the order of the plan, until all are played or a test has decided. It
// writes all batches that arrived during the last write together, because a disk may take longer
// to store a pair than players to play it.
func (r *Runner) keep(
	stop func(), end *disk.Tail, standing *Standing, batches <-chan batch, kept chan<- struct{},
) (err error) {
	waiting := map[int]batch{}
	number := 0
	for b := range batches {
		var wrong error
		for ok := true; ok; b, ok = poll(batches) {
			switch {
			case standing.Done(): // a batch beyond the end
			case b.err == nil:
				waiting[b.number] = b
			case wrong == nil || errors.Is(wrong, context.Canceled):
				wrong = b.err
			}
		}
		var text bytes.Buffer
		for err == nil || errors.Is(err, context.Canceled) {
			b, ok := waiting[number]
			if !ok || standing.Done() {
				break
			}
			delete(waiting, number)
			number++
			for _, p := range b.pairs {
				if !standing.Done() {
					text.Write(p.lines)
					standing.add(p.games[0], p.games[1])
				}
			}
			kept <- struct{}{}
		}
		if err == nil || errors.Is(err, context.Canceled) {
			err = cmp.Or(wrong, err)
		}
		if text.Len() > 0 {
			if failed := end.Add(text.Bytes()); failed != nil {
				err = failed
			} else if r.Progress != nil {
				r.Progress(standing)
			}
		}
		if err != nil || standing.Done() {
			stop()
		}
	}
	return err
}

// poll returns the next batch if one is ready.
func poll(batches <-chan batch) (b batch, ok bool) {
	select {
	case b, ok = <-batches:
	default:
	}
	return b, ok
}
