package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"digitduel/digit"
)

// A Command is a line sent to an engine, as [ParseCommand] reads it.
type Command struct {
	// Verb is ugi, isready, uginewgame, setoption, position, go, stop, quit or query. It is empty
	// for a line to be ignored.
	Verb  string
	Name  string       // the name of an option or of a query
	Value string       // the value of an option, or the text of a query
	Start string       // the text of a position; empty for the start of the game
	Moves []digit.Move // moves from Start
	Limit Limit        // the limits of go
}

// A Limit limits the thinking of an engine. Times are whole milliseconds. Other limits of the
// protocol are ignored: increments, depth and nodes.
type Limit struct {
	MoveTime time.Duration    // for this move
	Clock    [2]time.Duration // remaining time of each side
	Infinite bool             // think until stop
	Swap     bool             // the first move may be taken over
}

// most is the highest number that is parsed: 31 years in milliseconds. Higher ones are reduced to
// it.
const most = 1_000_000_000_000

// ParseCommand parses a line. It returns the zero Command for an unknown one, because engines
// ignore those. The error describes the fault in a known command.
func ParseCommand(line string) (Command, error) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return Command{}, nil
	}
	c, rest := Command{Verb: words[0]}, words[1:]
	switch c.Verb {
	case "ugi", "isready", "uginewgame", "stop", "quit":
		return c, nil
	case "setoption":
		return c, c.readOption(rest)
	case "position":
		return c, c.readPosition(rest)
	case "go":
		c.Limit = readLimit(rest)
		return c, nil
	case "query":
		if len(rest) == 0 {
			rest = []string{"nothing"} // it needs a response too
		}
		c.Name = rest[0]
		if c.Name == "answer" { // a JSON string, whose spaces count
			_, c.Value, _ = strings.Cut(line, c.Name)
			c.Value = strings.TrimSpace(c.Value)
		}
		return c, nil
	}
	return Command{}, nil
}

// readOption parses "name N value V", in which both may have several words.
func (c *Command) readOption(words []string) error {
	split := slices.Index(words, "value")
	if len(words) < 2 || words[0] != "name" || split == 1 {
		return fmt.Errorf("setoption: want setoption name NAME value VALUE")
	}
	if split < 0 {
		split = len(words)
	} else {
		c.Value = strings.Join(words[split+1:], " ")
	}
	c.Name = strings.Join(words[1:split], " ")
	return nil
}

// readPosition parses "startpos" or "fen POSITION", and "moves M…".
func (c *Command) readPosition(words []string) (err error) {
	switch {
	case len(words) >= 1 && words[0] == "startpos":
		words = words[1:]
	case len(words) >= 2 && words[0] == "fen":
		c.Start, words = words[1], words[2:]
	default:
		return fmt.Errorf("position: want position startpos, or position fen POSITION, " +
			"then moves MOVE…")
	}
	if len(words) == 0 {
		return nil
	}
	if words[0] != "moves" {
		return fmt.Errorf("position: %.40q: want moves MOVE…", words[0])
	}
	for i, word := range words[1:] {
		m, err := digit.ParseMove(word)
		if err != nil {
			return fmt.Errorf("position: move %d: %w", i+1, err)
		}
		c.Moves = append(c.Moves, m)
	}
	return nil
}

// readLimit parses the limits of go. It ignores unknown words.
func readLimit(words []string) (l Limit) {
	times := map[string]*time.Duration{
		"movetime": &l.MoveTime, "p1time": &l.Clock[digit.First], "p2time": &l.Clock[digit.Second],
	}
	for i, word := range words {
		l.Infinite = l.Infinite || word == "infinite"
		l.Swap = l.Swap || word == takeOver
		limit := times[word]
		if limit == nil || i+1 == len(words) {
			continue
		}
		n, err := strconv.ParseInt(words[i+1], 10, 64)
		if err == nil || n != 0 { // a number out of range is parsed as the maximum
			n = min(max(n, 0), most)
			*limit = max(1, time.Duration(n)*time.Millisecond) // a time of 0 is a limit too
		}
	}
	return l
}

// String returns the words after go, with a space before each.
func (l Limit) String() string {
	var b strings.Builder
	for i, limit := range []time.Duration{l.MoveTime, l.Clock[0], l.Clock[1]} {
		if limit != 0 {
			name := []string{"movetime", "p1time", "p2time"}[i]
			fmt.Fprintf(&b, " %s %d", name, limit.Milliseconds())
		}
	}
	if l.Infinite {
		b.WriteString(" infinite")
	}
	if l.Swap {
		b.WriteString(" " + takeOver)
	}
	return b.String()
}
