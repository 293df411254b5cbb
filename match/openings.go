package match

import (
	"fmt"
	"strings"

	"digitduel/digit"
)

// Openings are the moves that games begin with instead of being played: one opening for each pair
// of games, in turn. The empty Openings are none. Their text is a list with commas: "7a 3b,2c 5a".
type Openings string

// MostOpenings is the most openings that a table may have.
const MostOpenings = 8

// OpeningsOf returns the Openings with these moves.
func OpeningsOf(openings ...[]digit.Move) Openings {
	texts := make([]string, len(openings))
	for i, moves := range openings {
		words := make([]string, len(moves))
		for j, m := range moves {
			words[j] = m.String()
		}
		texts[i] = strings.Join(words, " ")
	}
	return Openings(strings.Join(texts, ","))
}

// Of returns the moves that a game begins with. Games are counted from 1.
func (o Openings) Of(game int) []digit.Move {
	if o == "" {
		return nil
	}
	all := strings.Split(string(o), ",")
	var moves []digit.Move
	for word := range strings.FieldsSeq(all[(game-1)/2%len(all)]) {
		m, _ := digit.ParseMove(word) // check has parsed it
		moves = append(moves, m)
	}
	return moves
}

// check returns an error unless games with rules r can begin with every opening.
func (o Openings) check(r digit.Rules) error {
	if o == "" {
		return nil
	}
	all := strings.Split(string(o), ",")
	if len(all) > MostOpenings {
		return fmt.Errorf("%d openings: allowed: up to %d", len(all), MostOpenings)
	}
	for _, opening := range all {
		var p digit.Position
		for word := range strings.FieldsSeq(opening) {
			m, err := digit.ParseMove(word)
			if err == nil {
				p, err = r.Play(p, m)
			}
			if err != nil {
				return fmt.Errorf("opening %.40q: %w", opening, err)
			}
		}
		if p == (digit.Position{}) || r.Result(p).Over() {
			return fmt.Errorf("opening %.40q: allowed: moves that begin a game and do not end it, "+
				"as in %v", opening, example(r))
		}
	}
	return nil
}

// example returns the first move of the rules in text order.
func example(r digit.Rules) digit.Move {
	for m := range r.Moves(digit.Position{}) {
		return m
	}
	return digit.Move{}
}
