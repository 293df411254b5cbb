package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// IdleFigures are the cost of idle tables.
type IdleFigures struct {
	Tables  int         `json:"tables"`
	Setup   float64     `json:"setup_s"` // the time to set them up
	Dropped float64     `json:"drop_s"`  // the time until the server had unloaded them
	Memory  IdleAmounts `json:"memory"`
	Disk    IdleAmounts `json:"disk"`
}

// IdleAmounts are bytes before the tables were set up, right after it, and after the server has
// unloaded them and, if it serves profiles, collected its garbage; 0: unknown.
type IdleAmounts struct {
	Before int64 `json:"before"`
	Setup  int64 `json:"setup"`
	After  int64 `json:"after"`
}

// each returns the bytes of one unloaded table.
func (a IdleAmounts) each(tables int) int64 { return (a.After - a.Before) / int64(max(1, tables)) }

// makers is how many tables are set up at once.
const makers = 32

// idle sets up tables, waits until the server has unloaded them, and reports their cost.
func (b *Bench) idle(ctx context.Context) (IdleFigures, error) {
	report := IdleFigures{Tables: b.Idle}
	live := func() (float64, error) {
		n, ok := metrics(ctx, b.URL)["duel_tables_live"]
		if !ok {
			return 0, errors.New("the server does not report its live tables: " +
				"no duel_tables_live in /metrics")
		}
		return n, nil
	}
	before, err := live()
	if err != nil {
		return report, err
	}
	if report.Memory.Before, report.Disk.Before, err = b.amounts(ctx); err != nil {
		return report, err
	}
	began := time.Now()
	if err := b.setUp(ctx); err != nil {
		return report, err
	}
	report.Setup = time.Since(began).Seconds()
	if report.Memory.Setup, report.Disk.Setup, err = b.amounts(ctx); err != nil {
		return report, err
	}
	began = time.Now()
	if err := b.dropped(ctx, live, before); err != nil {
		return report, err
	}
	report.Dropped = time.Since(began).Seconds()
	b.settle(ctx)
	report.Memory.After, report.Disk.After, err = b.amounts(ctx)
	return report, err
}

// dropped waits until at most before tables are live.
func (b *Bench) dropped(
	ctx context.Context, live func() (float64, error), before float64,
) error {
	for began := time.Now(); ; {
		n, err := live()
		if err != nil || n <= before {
			return err
		}
		if time.Since(began) > b.drop {
			return fmt.Errorf("after %v the server still has %.0f tables in memory, "+
				"and had %.0f before", b.drop, n, before)
		}
		if err := pause(ctx, time.Second/2); err != nil {
			return err
		}
	}
}

// settle makes the server collect its garbage, if it serves profiles, until its memory stops
// shrinking. The server returns memory to the system every two seconds.
func (b *Bench) settle(ctx context.Context) {
	for last := int64(math.MaxInt64); ; {
		_, err := get(ctx, b.URL, "/debug/pprof/heap?gc=1", 0)
		if err != nil || pause(ctx, 3*time.Second) != nil {
			return
		}
		memory, _, err := b.amounts(ctx)
		if err != nil || memory > last-last/100 {
			return
		}
		last = memory
	}
}

// pause waits for some time.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (b *Bench) amounts(ctx context.Context) (memory, disk int64, err error) {
	memory = usage(b.Usage, metrics(ctx, b.URL)).Memory
	if b.disk != nil {
		disk, err = b.disk()
	}
	return memory, disk, err
}

// setUp sets up the tables.
func (b *Bench) setUp(ctx context.Context) error {
	addr, err := hostOf(b.URL)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var making sync.WaitGroup
	var made atomic.Int64
	for range min(makers, b.Idle) {
		making.Go(func() {
			conn, err := dial(ctx, addr)
			if err != nil {
				cancel(err)
				return
			}
			defer conn.Close()
			for made.Add(1) <= int64(b.Idle) && ctx.Err() == nil {
				if _, _, err := conn.newTable(b.Patience, b.Rules); err != nil {
					cancel(fmt.Errorf("a new table: %w", err))
					return
				}
			}
		})
	}
	making.Wait()
	return context.Cause(ctx)
}

// Print writes the report in short lines. Store names the server's database.
func (r IdleFigures) Print(w io.Writer, store string) {
	fmt.Fprintf(w, "%d idle tables, %s\n", r.Tables, store)
	fmt.Fprintf(w, "set up    in %.1f s, %.0f/s; out of memory %.1f s later\n",
		r.Setup, float64(r.Tables)/max(r.Setup, 1e-9), r.Dropped)
	for _, a := range []struct {
		name string
		IdleAmounts
	}{{"memory", r.Memory}, {"disk", r.Disk}} {
		if a.Before > 0 {
			fmt.Fprintf(w, "%-10sbefore %s, set up %s, idle %s: %s a table\n",
				a.name, size(a.Before), size(a.Setup), size(a.After), size(a.each(r.Tables)))
		}
	}
}
