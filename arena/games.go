package arena

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// resume reads a file, and cuts off what was not written to its end.
func resume(file File, read func(io.Reader) (whole int64, err error)) (*tail, error) {
	whole, err := read(file)
	if err != nil {
		return nil, err
	}
	t := &tail{file, whole}
	return t, t.cut()
}

// A tail is the end of a file that lines are added to.
type tail struct {
	file File
	size int64
}

// add writes a text to the end of a file, and waits until it is there to stay. If it fails nothing of it is there.
func (t *tail) add(text []byte) error {
	_, err := t.file.Write(text)
	if err == nil {
		err = t.file.Sync()
	}
	if err != nil {
		return errors.Join(err, t.cut())
	}
	t.size += int64(len(text))
	return nil
}

// cut cuts off what was not added.
func (t *tail) cut() error {
	if err := t.file.Truncate(t.size); err != nil {
		return err
	}
	_, err := t.file.Seek(t.size, io.SeekStart)
	return err
}

// readLines reads a file line by line, from 1 on; take is called with where a line ends once it was read. A line that cannot be read
// is an error, unless it is the last: that was torn when it was written, as one without an end was.
func readLines(file io.Reader, read func(line int, text []byte) error, take func(line int, end int64) error) error {
	in := bufio.NewReaderSize(file, 1<<16)
	end := int64(0)
	for line := 1; ; line++ {
		text, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		end += int64(len(text))
		if err := read(line, text); err != nil {
			if _, more := in.Peek(1); more != nil {
				return nil
			}
			return fmt.Errorf("line %d: %w", line, err)
		}
		if err := take(line, end); err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
}

// Read counts the games of a file of the plan, and returns how many bytes of it are whole pairs. What follows them was torn when it was
// written. Anything else that is not as it should be is an error. It calls kept for forfeits in
// lines of older versions.
func (s *Standing) Read(file io.Reader, kept Kept) (whole int64, err error) {
	at, count := s.plan.pairs()
	var two [2]Game
	read := func(line int, text []byte) error { return two[(line-1)%2].read(text) }
	err = readLines(file, read, func(line int, end int64) error {
		pair, n := (line-1)/2, (line-1)%2
		if s.Done() || pair >= count {
			return errors.New("the plan ends before it")
		}
		if err := s.belongs(&two[n], at(pair), line); err != nil {
			return err
		}
		if err := two[n].complete(kept); err != nil {
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

// read reads a line and checks the game in it.
func (g *Game) read(text []byte) error {
	*g = Game{}
	if err := decode(text, g); err != nil {
		return err
	}
	return g.Check()
}

// decode reads JSON of which every field is known.
func decode(text []byte, to any) error {
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	if err := in.Decode(to); err != nil {
		return fmt.Errorf("it cannot be read: %w", err)
	}
	return nil
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
		return errOtherGame
	}
	return nil
}
