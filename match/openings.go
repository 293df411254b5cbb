package match

import (
	"fmt"
	"strings"

	"digitduel/digit"
)

// Openings are moves that games begin with, instead of being played: an opening for each pair of games, one after the other; after the
// last comes the first again. The empty Openings are none. Their text is a list with commas: "7a 3b,2c 5a".
type Openings string

// MostOpenings is how many openings a table may have.
const MostOpenings = 8

// OpeningsOf returns openings of some moves each.
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

// Of returns the moves that a game at a table begins with, counted from 1.
func (o Openings) Of(game int) []digit.Move {
	if o == "" {
		return nil
	}
	all := strings.Split(string(o), ",")
	var moves []digit.Move
	for word := range strings.FieldsSeq(all[(game-1)/2%len(all)]) {
		m, _ := digit.ParseMove(word) // it was checked
		moves = append(moves, m)
	}
	return moves
}

// check returns nil if games by some rules can begin so: each opening leaves a game to play.
func (o Openings) check(r digit.Rules) error {
	all := strings.Split(string(o), ",")
	if o != "" && len(all) > MostOpenings {
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
		if o != "" && (p == digit.Position{} || r.Result(p).Over()) {
			return fmt.Errorf("opening %.40q: allowed: moves that begin a game and do not end it, as in %v", opening, example(r))
		}
	}
	return nil
}

// example returns the first move of some rules in text order.
func example(r digit.Rules) digit.Move {
	for m := range r.Moves(digit.Position{}) {
		return m
	}
	return digit.Move{}
}
