package arena

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"

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
	played, kept := r.start(ctx, cancel, standing.Pairs)
	err = r.keep(cancel, end, standing, played, kept)
	return standing, err
}

// ahead returns how many pairs each worker may be ahead of the stored ones: few if a program takes
// part, because its games may be expensive.
func (r *Runner) ahead() int {
	for i := range r.Plan.Players {
		if _, ok := r.Plan.command(i); ok {
			return 4
		}
	}
	return 128
}

// start starts the workers, which play from a pair on until the context is done. Pairs arrive in
// any order. The channel is closed after all workers have ended. Workers wait if they are too far
// ahead of the stored games.
func (r *Runner) start(
	ctx context.Context, cancel func(), from int,
) (played chan playedPair, kept chan struct{}) {
	workers := max(1, r.Concurrency)
	ahead := workers * r.ahead()
	played, kept = make(chan playedPair, ahead), make(chan struct{}, ahead)
	for range ahead {
		kept <- struct{}{}
	}
	var begun atomic.Int64 // pairs
	begun.Store(int64(from))
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			c := &crew{Runner: r, engines: map[int]Engine{}}
			defer c.close()
			for {
				select {
				case <-ctx.Done():
					return
				case <-kept:
				}
				number := int(begun.Add(1)) - 1
				if number >= r.Plan.pairs() {
					return
				}
				p := c.playPair(ctx, number)
				if p.err != nil {
					cancel()
				}
				played <- p
			}
		})
	}
	go func() {
		all.Wait()
		close(played)
	}()
	return played, kept
}

// keep writes pairs in the order of the plan, until all are played or a test has decided. It
// writes all pairs that arrived during the last write together, because a disk may take longer to
// store a pair than players to play it.
func (r *Runner) keep(
	stop func(), end *disk.Tail, standing *Standing, played <-chan playedPair,
	kept chan<- struct{},
) (err error) {
	waiting := map[int]playedPair{}
	for p := range played {
		var wrong error
		for ok := true; ok; p, ok = poll(played) {
			switch {
			case standing.Done(): // a pair beyond the end
			case p.err == nil:
				waiting[p.number] = p
			case wrong == nil || errors.Is(wrong, context.Canceled):
				wrong = p.err
			}
		}
		var text bytes.Buffer
		for err == nil || errors.Is(err, context.Canceled) {
			p, ok := waiting[standing.Pairs]
			if !ok || standing.Done() {
				break
			}
			delete(waiting, p.number)
			text.Write(p.lines)
			standing.add(p.games[0], p.games[1])
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

// poll returns the next pair if one is ready.
func poll(played <-chan playedPair) (p playedPair, ok bool) {
	select {
	case p, ok = <-played:
	default:
	}
	return p, ok
}
