package arena

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"digitduel/disk"
)

// readLines calls read and then take for each line, counted from 1, with the offset of the line's
// end. It ignores a last line that cannot be read, because a crash tore it. Errors name the line.
func readLines(
	file io.Reader,
	read func(line int, text []byte) error, take func(line int, end int64) error,
) error {
	return disk.ReadLines(file, func(line int, text []byte, end int64) error {
		err := read(line, text)
		if err != nil {
			err = disk.Unreadable{Err: err}
		} else {
			err = take(line, end)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		return nil
	})
}

// Read adds the games of a file of the plan, and returns the number of bytes in complete pairs.
// The rest was torn when it was written. Anything else that is wrong is an error.
func (s *Standing) Read(file io.Reader) (whole int64, err error) {
	at, count := s.plan.pairs()
	var two [2]Game
	read := func(line int, text []byte) error { return two[(line-1)%2].read(text) }
	err = readLines(file, read, func(line int, end int64) error {
		pair, n := (line-1)/2, (line-1)%2
		if s.Done() || pair >= count {
			return errors.New("not in the plan: it has fewer games")
		}
		if err := s.belongs(&two[n], at(pair), line); err != nil {
			return err
		}
		if n == 1 {
			s.add(two[0], two[1])
			whole = end
		}
		return nil
	})
	return whole, err
}

// read parses a line and checks the game in it.
func (g *Game) read(text []byte) error {
	*g = Game{}
	if err := decode(text, g); err != nil {
		return err
	}
	return g.Check()
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
	var g Game
	read := func(_ int, text []byte) error { return g.read(text) }
	return readLines(bytes.NewReader(games), read, func(int, int64) error {
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
