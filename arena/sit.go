package arena

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"digitduel/arena/engine"
	"digitduel/digit"
)

// sitInDigits lets a program answer items, and calls keep with each answer at once. An item that
// it fails to answer gets an empty answer with the fault.
func sitInDigits(
	ctx context.Context, items []Item, limit time.Duration, command string, keep func(Reply) error,
) error {
	var rules []digit.Rules
	for _, item := range items {
		rules = append(rules, item.Rules)
	}
	start := OpenPlaying(slices.Compact(rules))
	open := func(ctx context.Context) (Engine, error) { return start(ctx, command) }
	return sit(ctx, items, open, keep, func(e Engine, item Item) (Reply, error) {
		reply := Reply{Item: item.Item}
		p, err := item.At()
		if err != nil {
			return reply, fmt.Errorf("item %d: %w", item.Item, err)
		}
		if err := e.NewGame(ctx, item.Rules, mix(uint64(item.Item))); err != nil {
			return reply, err
		}
		a, err := e.Choose(ctx, p, nil, limit)
		reply.Move = a.Move.String()
		return reply, err
	})
}

// A WordItem is an item in the words of a disguise. Asking for a move does not need their
// meaning.
type WordItem struct {
	Item     int    `json:"item"`
	Rules    string `json:"rules"` // all rules, in words
	Position string `json:"position"`
}

// sitInWords lets a program answer items in the words of a disguise.
func sitInWords(
	ctx context.Context, items []WordItem, limit time.Duration, command string,
	keep func(Reply) error,
) error {
	open := func(ctx context.Context) (*engine.Process, error) { return openWordy(ctx, command) }
	return sit(ctx, items, open, keep, func(e *engine.Process, item WordItem) (Reply, error) {
		e.SetSeed(mix(uint64(item.Item)))
		a, err := e.ChooseWord(ctx, item.Rules, item.Position, engine.Limit{MoveTime: limit})
		return Reply{Item: item.Item, Move: a.Text}, err
	})
}

// sit asks a program one item after another. It starts the program again after a crash or
// silence.
func sit[I any, E interface{ Close() }](
	ctx context.Context, items []I, open func(context.Context) (E, error),
	keep func(Reply) error, ask func(E, I) (Reply, error),
) (err error) {
	var e E
	running := false
	leave := func() {
		if running {
			e.Close()
		}
		running = false
	}
	defer leave()
	for _, item := range items {
		if !running {
			if e, err = open(ctx); err != nil {
				return err
			}
			running = true
		}
		reply, err := ask(e, item)
		var fault *engine.FaultError
		if errors.As(err, &fault) {
			reply.Move, reply.Fault = "", fault.Fault
			if fault.Fault.Ends() {
				leave()
			}
		} else if err != nil {
			return err
		}
		if err := keep(reply); err != nil {
			return err
		}
	}
	return nil
}
