package arena

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"sync"

	"digitduel/digit"
	"digitduel/disk"
	"digitduel/solve"
)

// A Runner plays the games of a plan.
type Runner struct {
	Plan        *Plan
	Solutions   []*solve.Solution                                         // one for each of the rules
	Open        func(ctx context.Context, command string) (Engine, error) // starts a program; a start that fails is no fault, but ends the match
	Concurrency int
	Progress    func(*Standing) // if not nil, called after games were kept, never twice at once
}

// A batch is some pairs in a row that were played.
type batch struct {
	number int
	pairs  []played
	err    error
}

// Run plays what of the plan is not in the file yet, and returns how it stands then. Games are kept in the order of the plan, whole pairs at a
// time, so that a file says the same whoever was interrupted when.
func (r *Runner) Run(ctx context.Context, file disk.File) (*Standing, error) {
	standing := NewStanding(r.Plan)
	end, err := disk.Resume(file, func(file io.Reader) (int64, error) {
		return standing.Read(file, r.kept)
	})
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

// kept counts the choices in a position of a game of the plan.
func (r *Runner) kept(rules digit.Rules, p digit.Position) (keep, of int, err error) {
	keep, of = r.Solutions[slices.Index(r.Plan.Rules, rules)].Kept(p)
	return keep, of, nil
}

// batchPairs is how many pairs of levels are played at once: enough that handing them on costs nothing.
const batchPairs = 32

// size returns how many pairs are played and kept together: one if a program takes part, since its games may be dear.
func (r *Runner) size() int {
	for _, name := range r.Plan.Players {
		if _, ok := Command(name); ok {
			return 1
		}
	}
	return batchPairs
}

// start starts the players, who play from a pair on. What they have played comes in any order; before the channel is closed all of them
// have ended. They do not run far ahead of what is kept.
func (r *Runner) start(ctx context.Context, cancel func(), from int) (batches chan batch, kept chan struct{}) {
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

// playBatch plays some pairs in a row.
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

// keep writes what was played in the order of the plan, until all is played or a test has decided. What was played while it wrote is
// written together: a disk may take longer to keep a pair than players to play it.
func (r *Runner) keep(stop func(), end *disk.Tail, standing *Standing, batches <-chan batch, kept chan<- struct{}) (err error) {
	waiting := map[int]batch{}
	number := 0
	for b := range batches {
		var wrong error
		for ok := true; ok; b, ok = there(batches) {
			switch {
			case standing.Done(): // what was begun beyond the end
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

// there returns the next batch if it is there already.
func there(batches <-chan batch) (b batch, ok bool) {
	select {
	case b, ok = <-batches:
	default:
	}
	return b, ok
}
