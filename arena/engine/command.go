package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"digitduel/digit"
)

// A Command is a line that an engine is told. Its text is what is sent, and [ParseCommand] undoes it.
type Command struct {
	Verb  string       // ugi, isready, uginewgame, setoption, position, go, stop, quit or query; empty: a line to be ignored
	Name  string       // of an option, or what is queried
	Value string       // of an option
	Start string       // the text of the position that moves are played from; empty: the start of the game
	Moves []digit.Move // that lead on from there
	Limit Limit        // on what go may take
}

// A Limit says how long an engine may think, and whether it may do something else than move. Times are whole milliseconds.
type Limit struct {
	MoveTime time.Duration    // for this move
	Clock    [2]time.Duration // what is left to each side for the rest of the game
	Inc      [2]time.Duration // what each side gets back for a move
	Depth    int64            // how many plies to look ahead
	Nodes    int64            // how many positions to look at
	Infinite bool             // until it is told to stop
	Swap     bool             // whether the first move may be taken over: that which is to be made, or by the engine that which was
}

// most is the highest number that is read: as milliseconds, 31 years. What is beyond it is taken for it.
const most = 1_000_000_000_000

// ParseCommand reads a line. What is no command, as far as it can be known, is the zero Command, since engines ignore what they do not
// know. The error says what is wrong with a command that cannot be obeyed.
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
			rest = []string{"nothing"} // is asked, and answered: who has sent a query waits for a response
		}
		c.Name = rest[0]
		return c, nil
	}
	return Command{}, nil
}

// readOption reads "name N value V", where both may have several words.
func (c *Command) readOption(words []string) error {
	split := slices.Index(words, "value")
	if len(words) < 2 || words[0] != "name" || split == 1 {
		return fmt.Errorf("setoption: wanted: setoption name NAME value VALUE")
	}
	if split < 0 {
		split = len(words)
	} else {
		c.Value = strings.Join(words[split+1:], " ")
	}
	c.Name = strings.Join(words[1:split], " ")
	return nil
}

// readPosition reads "startpos" or "fen POSITION", and "moves M…".
func (c *Command) readPosition(words []string) (err error) {
	switch {
	case len(words) >= 1 && words[0] == "startpos":
		words = words[1:]
	case len(words) >= 2 && words[0] == "fen":
		c.Start, words = words[1], words[2:]
	default:
		return fmt.Errorf("position: wanted: position startpos, or position fen POSITION, then moves MOVE…")
	}
	if len(words) == 0 {
		return nil
	}
	if words[0] != "moves" {
		return fmt.Errorf("position: %.40q: wanted: moves MOVE…", words[0])
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

// readLimit reads what go may take. Words that it does not know are passed over.
func readLimit(words []string) (l Limit) {
	for i, word := range words {
		switch word {
		case "infinite":
			l.Infinite = true
		case takeOver:
			l.Swap = true
		}
		if i+1 == len(words) {
			break
		}
		n, err := strconv.ParseInt(words[i+1], 10, 64)
		if err != nil && n == 0 { // a number that is too large is read as the largest there is
			continue
		}
		n = min(max(n, 0), most)
		time := time.Duration(n) * time.Millisecond
		switch word {
		case "movetime":
			l.MoveTime = max(time, 1) // no time at all is a limit too
		case "p1time":
			l.Clock[digit.First] = max(time, 1)
		case "p2time":
			l.Clock[digit.Second] = max(time, 1)
		case "p1inc":
			l.Inc[digit.First] = time
		case "p2inc":
			l.Inc[digit.Second] = time
		case "depth":
			l.Depth = n
		case "nodes":
			l.Nodes = n
		}
	}
	return l
}

func (c Command) String() string {
	var b strings.Builder
	b.WriteString(c.Verb)
	switch c.Verb {
	case "setoption":
		b.WriteString(" name " + c.Name)
		if c.Value != "" {
			b.WriteString(" value " + c.Value)
		}
	case "position":
		if c.Start == "" {
			b.WriteString(" startpos")
		} else {
			b.WriteString(" fen " + c.Start)
		}
		if len(c.Moves) > 0 {
			b.WriteString(" moves")
		}
		for _, m := range c.Moves {
			b.WriteString(" " + m.String())
		}
	case "go":
		b.WriteString(c.Limit.String())
	case "query":
		b.WriteString(" " + c.Name)
	}
	return b.String()
}

// String returns the words after go, with a space before each.
func (l Limit) String() string {
	var b strings.Builder
	add := func(name string, given bool, n int64) {
		if given {
			fmt.Fprintf(&b, " %s %d", name, n)
		}
	}
	add("movetime", l.MoveTime != 0, l.MoveTime.Milliseconds())
	for side, name := range []string{"p1", "p2"} {
		add(name+"time", l.Clock[side] != 0, l.Clock[side].Milliseconds())
	}
	for side, name := range []string{"p1", "p2"} {
		add(name+"inc", l.Inc[side] != 0, l.Inc[side].Milliseconds())
	}
	add("depth", l.Depth != 0, l.Depth)
	add("nodes", l.Nodes != 0, l.Nodes)
	if l.Infinite {
		b.WriteString(" infinite")
	}
	if l.Swap {
		b.WriteString(" " + takeOver)
	}
	return b.String()
}
