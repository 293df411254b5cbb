package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// An Entry is a line of a record file: a record, or an error.
type Entry struct {
	Line   int // counted from 1
	Record digit.Record
	Err    error // names the file and the line
}

// Records yields the entries of a record file. It skips empty lines.
func Records(name string, in io.Reader) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		lines := bufio.NewReader(in)
		for n := 1; ; n++ {
			text, err := readLine(lines)
			if errors.Is(err, io.EOF) {
				return
			}
			if n == 1 {
				text = strings.TrimPrefix(text, "\ufeff") // some editors write it
			}
			last := err != nil
			e := Entry{Line: n}
			if strings.TrimSpace(text) == "" && !last {
				continue
			}
			if !last {
				e.Record, err = digit.ParseRecord(text)
			}
			if err == nil {
				_, err = match.GameInfoOf(e.Record) // checks its tags
			}
			if err != nil {
				e.Err = fmt.Errorf("%s:%d: %w", name, n, err)
			}
			if !yield(e) || last {
				return
			}
		}
	}
}

// Replay shows a recorded game as if it were played now. It calls next before each turn but the
// first, and ends with its error.
func Replay(out io.Writer, rec digit.Record, next func() error) error {
	played, err := match.GameInfoOf(rec)
	if err != nil {
		return err
	}
	positions, err := rec.Positions()
	if err != nil {
		return err
	}
	s := match.State{Game: 1, Setup: match.Setup{
		Rules: rec.Rules, Names: played.Names, First: played.Opener(),
	}}
	if s.Setup.Check() != nil { // a record may have names that a table refuses
		s.Setup.Names = [2]string{}
	}
	if len(rec.Tags) > 0 {
		fmt.Fprint(out, begins(played)+"\n")
	}
	fmt.Fprint(out, newScreen(s).opening())
	for i, m := range rec.Moves {
		if i > 0 {
			if err := next(); err != nil {
				return err
			}
		}
		before := newScreen(s)
		s.Moves, s.Position = rec.Moves[:i+1], positions[i+1]
		s.Result = rec.Rules.Result(s.Position)
		fmt.Fprint(out, before.heading(), before.asked(m), newScreen(s).after(false))
		if i == 0 && played.Swapped {
			s.Swapped = true
			swap := rulebook.Narrator{State: s}.Offer(match.Swapped, s.Starter())
			fmt.Fprintln(out, swap.Long)
		}
	}
	s.Result = rec.Result
	if !s.Result.Over() {
		fmt.Fprint(out, "\n"+newScreen(s).left())
		return nil
	}
	fmt.Fprint(out, newScreen(s).ending())
	return nil
}

// begins describes who played a recorded game and who started.
func begins(p match.GameInfo) string {
	c := rulebook.Cast{Names: [2]string{p.Name(match.One), p.Name(match.Two)}}
	begins := rulebook.Begins(c, digit.Side(p.Opener()), p.Game, p.Length(), false)
	return computers(c.Names, p.Levels, p.Agents) + begins.Long + "\n"
}

// computers describes the players that are computers or programs.
func computers(names, levels [2]string, agents [2]bool) string {
	var text strings.Builder
	for i, level := range levels {
		switch {
		case agents[i]:
			fmt.Fprintf(&text, "%s is a program.\n", names[i])
		case level == match.EngineLevel:
			fmt.Fprintf(&text, "%s is an engine.\n", names[i])
		case level != "":
			fmt.Fprintf(&text, "%s is the computer, level %s.\n", names[i], level)
		}
	}
	return text.String()
}

// Sides returns the players of a recorded game, by side.
func Sides(rec digit.Record) (c rulebook.Cast) {
	played, _ := match.GameInfoOf(rec) // invalid tags count as unknown
	for _, seat := range match.Seats {
		c.Names[played.Side(seat)] = played.Name(seat)
	}
	return c
}

// Summary describes who played a recorded game, who started and how it ended.
func Summary(rec digit.Record) string {
	text := ""
	if played, err := match.GameInfoOf(rec); err == nil && len(rec.Tags) > 0 {
		text = begins(played)
	}
	positions, err := rec.Positions()
	if err != nil {
		return text
	}
	last := positions[len(positions)-1]
	return text + rulebook.Ending(rec.Rules, last, rec.Result, Sides(rec)).Long + "\n"
}
