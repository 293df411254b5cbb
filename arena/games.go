package arena

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// commit writes a text to the end of a file, and waits until it is there to stay.
func commit(file File, text []byte) error {
	if _, err := file.Write(text); err != nil {
		return err
	}
	return file.Sync()
}

// resume counts the games that a file has, and cuts off what was not written to its end.
func (r *Runner) resume(file File, standing *Standing) error {
	whole, err := standing.Read(file)
	if err != nil {
		return err
	}
	if err := file.Truncate(whole); err != nil {
		return err
	}
	_, err = file.Seek(whole, io.SeekStart)
	return err
}

// Read counts the games of a file of the plan, and returns how many bytes of it are whole pairs. What follows them was torn when it was
// written. Anything else that is not as it should be is an error.
func (s *Standing) Read(file io.Reader) (whole int64, err error) {
	at, count := s.plan.pairs()
	in := bufio.NewReaderSize(file, 1<<16)
	var two [2]Game
	size := int64(0)
	for line := 1; ; line++ {
		text, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return whole, nil // what has no end was torn
		}
		if err != nil {
			return whole, err
		}
		size += int64(len(text))
		n := (line - 1) % 2
		if err := two[n].read(text); err != nil {
			if _, more := in.Peek(1); more != nil {
				return whole, nil // torn
			}
			return whole, fmt.Errorf("line %d: %w", line, err)
		}
		pair := (line - 1) / 2
		if s.Done() || pair >= count {
			return whole, fmt.Errorf("line %d: the plan ends before it", line)
		}
		if err := s.belongs(&two[n], at(pair), line); err != nil {
			return whole, fmt.Errorf("line %d: %w", line, err)
		}
		if n == 1 {
			s.add(two[0], two[1])
			whole = size
		}
	}
}

// read reads a line and checks the game in it.
func (g *Game) read(text []byte) error {
	*g = Game{}
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	if err := in.Decode(g); err != nil {
		return fmt.Errorf("it cannot be read: %w", err)
	}
	return g.Check()
}

// belongs returns nil if a game is the one of the plan that comes on a line.
func (s *Standing) belongs(g *Game, p pair, line int) error {
	first, second := s.plan.Players[p.a], s.plan.Players[p.b]
	if line%2 == 0 {
		first, second = second, first
	}
	switch {
	case g.Plan != s.plan.ID:
		return fmt.Errorf("it is of the plan %s, and this is %s", g.Plan, s.plan.ID)
	case g.Game != line || g.Pair != (line+1)/2:
		return fmt.Errorf("it is game %d of pair %d, and game %d comes there", g.Game, g.Pair, line)
	case g.Rules != s.plan.Rules[p.rules] || g.Start != p.start || g.First.Player != first || g.Second.Player != second:
		return errors.New("the plan has other rules, players or another start there")
	}
	return nil
}
