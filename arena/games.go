package arena

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"digitduel/disk"
)

// readLines decodes and checks each line, and calls take with its number from 1 and the offset of
// its end. It ignores a last line that cannot be read, because a crash tore it. Errors name the
// line.
func readLines[T any](
	file io.Reader, check func(*T) error, take func(line int, one T, end int64) error,
) error {
	return disk.ReadLines(file, func(line int, text []byte, end int64) error {
		var one T
		err := decode(text, &one)
		if err == nil {
			err = check(&one)
		}
		if err != nil {
			err = disk.Unreadable{Err: err}
		} else {
			err = take(line, one, end)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		return nil
	})
}

// anything is the check of lines that need none.
func anything[T any](*T) error { return nil }

// Read adds the games of a file of the plan, and returns the number of bytes in complete pairs.
// The rest was torn when it was written. Anything else that is wrong is an error.
func (s *Standing) Read(file io.Reader) (whole int64, err error) {
	var first Game
	err = readLines(file, (*Game).Check, func(line int, g Game, end int64) error {
		if s.Done() {
			return errors.New("not in the plan: it has fewer games")
		}
		if err := s.plan.has(&g, line); err != nil {
			return err
		}
		if line%2 == 1 {
			first = g
		} else {
			s.add(first, g)
			whole = end
		}
		return nil
	})
	return whole, err
}

// decode parses JSON in which every field is known.
func decode(text []byte, to any) error {
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	if err := in.Decode(to); err != nil {
		return fmt.Errorf("invalid JSON: %w", err)
	}
	return nil
}

// has returns nil if a game is the one that the plan has with a number from 1.
func (p *Plan) has(g *Game, number int) error {
	pair := p.pair((number - 1) / 2)
	switch players := [2]string{g.First.Player, g.Second.Player}; {
	case g.Plan != p.ID:
		return fmt.Errorf("it belongs to plan %s, not %s", g.Plan, p.ID)
	case g.Game != number || g.Pair != (number+1)/2:
		return fmt.Errorf("game %d of pair %d: want game %d", g.Game, g.Pair, number)
	case g.Rules != p.Rules[pair.rules] || g.Start != pair.start,
		players != p.names(pair.sides(number)):
		return errOtherGame
	}
	return nil
}

// EachGame calls visit for the games in a file of a plan, which may lack some. It ignores a last
// line that a crash tore.
func EachGame(p *Plan, games []byte, visit func(*Game)) error {
	last := 0
	return readLines(bytes.NewReader(games), (*Game).Check, func(_ int, g Game, _ int64) error {
		if g.Game <= last || g.Game > p.Games() {
			return fmt.Errorf("game %d: not in the plan, or not in its order", g.Game)
		}
		last = g.Game
		if err := p.has(&g, g.Game); err != nil {
			return err
		}
		visit(&g)
		return nil
	})
}
