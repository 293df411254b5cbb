package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"digitduel/arena"
	"digitduel/arena/disguise"
	"digitduel/digit"
)

// A veiledItem is an item of an exam in the words of a disguise.
type veiledItem struct {
	Item     int        `json:"item"`
	Rules    string     `json:"rules"` // all of them, in words
	Position string     `json:"position"`
	Turn     digit.Side `json:"turn"`
	Left     string     `json:"left"`
	Moves    []string   `json:"moves"`
}

// writeVeiled writes items in the words of a disguise, and notes its seed in their keys.
func writeVeiled(ctx context.Context, out io.Writer, r digit.Rules, items []arena.Item, keys []arena.Key, seed *uint64) error {
	d, _, err := proveDisguise(ctx, r, *seed)
	if err != nil {
		return err
	}
	text := d.Game.Text(true)
	var veiled []veiledItem
	for i, item := range items {
		p, err := item.At()
		if err != nil {
			return fmt.Errorf("item %d: %w", item.Item, err)
		}
		v := veiledItem{item.Item, text, d.Position(p), item.Turn, d.Left(p), nil}
		for _, m := range item.Moves {
			v.Moves = append(v.Moves, d.Move(m))
		}
		slices.Sort(v.Moves) // the order of the digits would tell them
		veiled = append(veiled, v)
		keys[i].Disguise = seed
	}
	return writeLines(out, veiled)
}

// openIn returns what starts the programs of a match, in digits or in the words of disguises that are proved.
func openIn(ctx context.Context, plan *arena.Plan) (func(context.Context, string) (arena.Engine, error), error) {
	if plan.Disguise == nil {
		return arena.OpenPlaying(plan.Rules), nil
	}
	words := map[digit.Rules]*disguise.Disguise{}
	for _, r := range plan.Rules {
		d, _, err := proveDisguise(ctx, r, *plan.Disguise)
		if err != nil {
			return nil, err
		}
		words[r] = d
	}
	return arena.OpenInWords(words), nil
}

// readVeiled reads a file of items in the words of a disguise: rules in words have more than one line.
func readVeiled(path string) (items []arena.WordItem, ok bool) {
	items, err := readLines[arena.WordItem](path, anItem)
	return items, err == nil && len(items) > 0 && strings.Contains(items[0].Rules, "\n")
}

// unveil turns answers in the words of a disguise into moves. What is no move in these words stays unreadable, digits too.
func unveil(keys []arena.Key, replies []arena.Reply) error {
	type dress struct {
		rules digit.Rules
		seed  uint64
	}
	made := map[dress]*disguise.Disguise{}
	asked := map[int]dress{}
	for _, k := range keys {
		if k.Disguise == nil {
			continue
		}
		of := dress{k.Rules, *k.Disguise}
		if made[of] == nil {
			d, err := disguise.New(of.rules, of.seed)
			if err != nil {
				return err
			}
			made[of] = d
		}
		asked[k.Item] = of
	}
	for i, reply := range replies {
		of, ok := asked[reply.Item]
		if !ok || reply.Move == "" {
			continue
		}
		m, err := made[of].ParseMove(reply.Move)
		if err != nil {
			replies[i].Move = "?" // no spelling of a move
			continue
		}
		replies[i].Move = m.String()
	}
	return nil
}
