package arena

import (
	"context"
	"fmt"

	"digitduel/arena/engine"
	"digitduel/digit"
)

// A WordItem is an item in the words of a disguise. Asking for a move does not need their
// meaning.
type WordItem struct {
	Item     int    `json:"item"`
	Rules    string `json:"rules"` // all rules, in words
	Position string `json:"position"`
}

// sit lets a program answer the items without an answer. An item that it fails to answer gets an
// empty answer with the fault. It starts the program again after a crash or silence.
func (s Sheet) sit(
	ctx context.Context, command string, limit engine.Limit, a *Answers,
) (err error) {
	check := (*engine.Process).InWords
	if s.Words == nil {
		var rules []digit.Rules
		for _, item := range s.Items[a.Given:] {
			rules = append(rules, item.Rules)
		}
		check = plays(rules)
	}
	var p *engine.Process // nil if it does not run
	defer func() {
		if p != nil {
			p.Close()
		}
	}()
	for a.Given < len(a.items) {
		if p == nil {
			if p, err = start(ctx, command, check); err != nil {
				return err
			}
		}
		reply := Reply{Item: a.items[a.Given]}
		p.SetSeed(mix(uint64(reply.Item)))
		reply.Move, err = s.ask(ctx, p, a.Given, limit)
		if reply.Fault = engine.FaultOf(err); reply.Fault != "" {
			reply.Move = ""
		} else if err != nil {
			return err
		}
		if reply.Fault.Ends() {
			p.Close()
			p = nil
		}
		if err := a.keep(reply); err != nil {
			return err
		}
	}
	return nil
}

// ask asks a program for the answer to the item at an index.
func (s Sheet) ask(
	ctx context.Context, p *engine.Process, at int, limit engine.Limit,
) (move string, err error) {
	if s.Words != nil {
		a, err := p.ChooseWord(ctx, s.Words[at].Rules, s.Words[at].Position, limit)
		return a.Text, err
	}
	item := s.Items[at]
	position, err := item.At()
	if err != nil {
		return "", fmt.Errorf("item %d: %w", item.Item, err)
	}
	if err := p.NewGame(ctx, item.Rules); err != nil {
		return "", err
	}
	a, err := p.Choose(ctx, position, nil, limit)
	return a.Move.String(), err
}
