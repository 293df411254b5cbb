//go:build js

// Command worker is the program inside the service worker of the offline site: it answers the
// requests of pages with the handler of a server, and keeps games in the browser.
package main

import (
	"context"
	"log/slog"
	"net/url"
	"os"
	"runtime/debug"
	"strings"
	"syscall/js"
	"time"

	"digitduel/bot/sit"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
	"digitduel/ui/gate"
	"digitduel/ui/offline/kept"
	"digitduel/ui/web"
)

// budget is the memory for solutions in bytes. A larger game is refused.
const budget = 16 << 20

func main() {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil)) // the console of the browser
	ready := js.Global().Get("duelReady")
	if err := run(log, ready); err != nil {
		ready.Invoke(js.Null(), err.Error())
	}
}

// run passes a function that answers requests to ready, and goes on until the worker ends.
func run(log *slog.Logger, ready js.Value) error {
	debug.SetGCPercent(400) // a collection blocks the worker
	ctx := context.Background()
	scope := js.Global().Get("registration").Get("scope").String()
	db, err := open("duel " + scope)
	if err != nil {
		return err
	}
	at, err := url.Parse(scope)
	if err != nil {
		return err
	}
	secret, jar, err := db.meta(at)
	if err != nil {
		return err
	}
	solver := &solve.Solver{Config: solve.Config{Budget: budget, Workers: 1}}
	limiter := gate.New(gate.Config{Solver: solver, Now: time.Now, Log: log})
	hall := match.NewHall(db, match.HallConfig{
		Host: func(ctx context.Context, t *match.Table) error {
			return sit.HostLevels(ctx, t, func(ctx context.Context, r digit.Rules) (
				*solve.Solution, error,
			) {
				return limiter.SolvedAt(ctx, t.ID(), r)
			})
		},
		Log: log,
	})
	go hall.Run(ctx)
	server := web.New(web.Config{
		Gate: limiter, Hall: hall, Keys: match.NewKeys(secret),
		Archive: kept.Archive{Row: db.row, Events: db.Events},
		Ready:   func(context.Context) error { return nil },
		BaseURL: strings.TrimSuffix(scope, "/"), Alone: true,
	})
	b := &bridge{handler: server, db: db, jar: jar}
	ready.Invoke(js.FuncOf(b.fetch))
	select {}
}

// try calls do and returns a thrown exception as an error.
func try(do func()) (err error) {
	defer func() {
		switch thrown := recover().(type) {
		case nil:
		case js.Error:
			err = failure(thrown.Value)
		default:
			panic(thrown)
		}
	}()
	do()
	return nil
}
