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
	at, count := s.plan.pairs()
	var first Game
	err = readLines(file, (*Game).Check, func(line int, g Game, end int64) error {
		pair := (line - 1) / 2
		if s.Done() || pair >= count {
			return errors.New("not in the plan: it has fewer games")
		}
		if err := s.belongs(&g, at(pair), line); err != nil {
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

// belongs returns nil if a game is the one that the plan has on a line.
func (s *Standing) belongs(g *Game, p pair, line int) error {
	first, second := s.plan.Players[p.a], s.plan.Players[p.b]
	if line%2 == 0 {
		first, second = second, first
	}
	switch {
	case g.Plan != s.plan.ID:
		return fmt.Errorf("it belongs to plan %s, not %s", g.Plan, s.plan.ID)
	case g.Game != line || g.Pair != (line+1)/2:
		return fmt.Errorf("game %d of pair %d: want game %d", g.Game, g.Pair, line)
	case g.Rules != s.plan.Rules[p.rules] || g.Start != p.start,
		g.First.Player != first || g.Second.Player != second:
		return errOtherGame
	}
	return nil
}

// EachGame calls visit for the games in a file of a plan, which may lack some. It ignores a last
// line that a crash tore.
func EachGame(p *Plan, games []byte, visit func(*Game)) error {
	at, count := p.pairs()
	s := NewStanding(p)
	last := 0
	return readLines(bytes.NewReader(games), (*Game).Check, func(_ int, g Game, _ int64) error {
		if g.Game <= last || g.Game > 2*count {
			return fmt.Errorf("game %d: not in the plan, or not in its order", g.Game)
		}
		last = g.Game
		if err := s.belongs(&g, at((g.Game-1)/2), g.Game); err != nil {
			return err
		}
		visit(&g)
		return nil
	})
}
