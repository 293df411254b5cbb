package engine

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/solve"
)

// A ServeConfig configures Serve.
type ServeConfig struct {
	Name  string // the name of the engine
	Rules digit.Rules
	Level bot.Level // the level until it is set
	Solve func(context.Context, digit.Rules) (*solve.Solution, error)
	Rand  *rand.Rand
	// Speech returns the words for a game, in a disguise unless that is empty.
	Speech func(ctx context.Context, r digit.Rules, disguise string) (Speech, error)
}

// farewell is how long an engine may take for its last answers before it ends.
const farewell = 500 * time.Millisecond

// Serve runs an engine until quit or the end of its input. It still answers earlier commands. The
// error is that of the context or of the writer. Serve may read from in until it ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer, config ServeConfig) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &session{
		ctx: ctx, config: config, out: bufio.NewWriter(out),
		rules: config.Rules, level: config.Level, speeches: map[wording]Speech{},
	}
	defer s.forget()
	input := make(chan inputLine, 64)
	go readLines(ctx, in, input)
	for {
		select {
		case line, ok := <-input:
			if !ok || !s.handle(line) {
				s.finish()
				return s.out.Flush()
			}
		case <-s.solved():
			s.wake()
		case <-s.search.timeUp():
			s.say("info string there was no time to solve %v", s.rules)
			s.answer()
		case <-ctx.Done():
			return ctx.Err()
		}
		if len(input) > 0 {
			continue // answer these lines too before waking the reader
		}
		if err := s.out.Flush(); err != nil {
			return err
		}
	}
}

// An inputLine is a line of input, or the error in reading it.
type inputLine struct {
	line string
	err  error
}

// readLines sends the lines of in to input, and closes it at the end.
func readLines(ctx context.Context, in io.Reader, input chan<- inputLine) {
	defer close(input)
	lines := newLineReader(in)
	for {
		line, err := lines.next()
		if err != nil && !errors.Is(err, errLong) {
			return
		}
		select {
		case input <- inputLine{line, err}:
		case <-ctx.Done():
			return
		}
	}
}

// A session is the state of an engine between two lines.
type session struct {
	ctx    context.Context
	config ServeConfig
	out    *bufio.Writer
	rules  digit.Rules
	level  bot.Level
	at     digit.Position

	disguise string // the words of prompts and answers; empty for those of the books
	speeches map[wording]Speech

	job     *job      // solves the game; nil if not needed yet
	woken   bool      // the job is done, and the answers that waited for it were given
	waiting []func()  // answers to give when the game is solved
	bot     *bot.Bot  // plays this game; nil if it has not begun
	search  *search   // the current search, or nil
	held    []Command // commands to handle after the search
}

// A job is a game being solved.
type job struct {
	done     chan struct{}
	cancel   context.CancelFunc
	solution *solve.Solution // set when done
	err      error
}

// A search is a go command without an answer yet.
type search struct {
	at       digit.Position
	infinite bool // answered after stop
	swap     bool // the first move may be taken over
	timer    *time.Timer
}

// timeUp returns a channel that is ready when a search must be answered, or nil.
func (s *search) timeUp() <-chan time.Time {
	if s == nil || s.timer == nil {
		return nil
	}
	return s.timer.C
}

// say writes a line.
func (s *session) say(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	line := strings.Join(strings.Fields(text), " ") + "\n"
	s.out.WriteString(line) //nolint:errcheck // Flush returns the error
}

// handle handles a line, and reports whether to continue.
func (s *session) handle(h inputLine) bool {
	c, err := ParseCommand(h.line)
	if err = errors.Join(h.err, err); err != nil {
		s.say("info string %v", err)
		return true
	}
	switch c.Verb {
	case "setoption", "uginewgame", "position", "go", "query":
		if s.search != nil && !s.search.infinite && (c.Verb != "query" || len(s.held) > 0) {
			// Hold it until the move is found, so that many lines sent at once are all answered.
			s.held = append(s.held, c)
			return true
		}
		if c.Verb != "query" {
			s.stop()
		}
	}
	s.do(c)
	return c.Verb != "quit"
}

// do executes a command.
func (s *session) do(c Command) {
	var err error
	switch c.Verb {
	case "ugi":
		s.introduce()
	case "isready":
		s.ready()
	case "uginewgame":
		s.at, s.bot = digit.Position{}, nil
	case "setoption":
		err = s.setOption(c.Name, c.Value)
	case "position":
		err = s.setPosition(c)
	case "go":
		s.think(c.Limit)
	case "stop":
		s.stop()
	case "query":
		s.query(c.Name, c.Value)
	}
	if err != nil {
		s.say("info string %v", err)
	}
}

// introduce writes the name of the engine and its options.
func (s *session) introduce() {
	s.say("id name %s", s.config.Name)
	s.say("id author Digit Duel")
	s.say("%v", Option{Name: "Rules", Type: "string", Default: s.config.Rules.String()})
	s.say("%v", Option{
		Name: "Level", Type: "combo", Default: s.config.Level.Name, Vars: bot.LevelNames(),
	})
	s.say("%v", Option{Name: "Seed", Type: "string", Default: "random"})
	s.say("%v", Option{Name: "Disguise", Type: "string", Default: "none"})
	s.say("ugiok")
}

// ready answers as soon as the game is solved, and at once during a search.
func (s *session) ready() {
	if s.search != nil {
		s.say("readyok")
		return
	}
	s.whenSolved(func() { s.say("readyok") })
}

func (s *session) setOption(name, value string) error {
	switch strings.ToLower(name) {
	case "rules":
		r, err := digit.ParseRules(value)
		if err != nil {
			return err
		}
		if r != s.rules {
			s.forget()
		}
		s.rules, s.at, s.bot = r, digit.Position{}, nil
	case "level":
		level, err := bot.ParseLevel(value)
		if err != nil {
			return err
		}
		s.level, s.bot = level, nil
	case "seed":
		seed, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			return fmt.Errorf("option Seed %.40q: allowed: a number from 0 to %d",
				value, uint64(math.MaxUint64))
		}
		s.config.Rand, s.bot = rand.New(rand.NewPCG(seed, 0)), nil
	case "disguise":
		if s.disguise = value; strings.EqualFold(value, "none") {
			s.disguise = ""
		}
	default:
		return fmt.Errorf("option %.40q: no such option; options: Rules, Level, Seed, Disguise",
			name)
	}
	return nil
}

// setPosition sets the position. After an error it is unchanged.
func (s *session) setPosition(c Command) (err error) {
	var at digit.Position
	if c.Start != "" {
		if at, err = s.rules.ParsePosition(c.Start); err != nil {
			return err
		}
	}
	for i, m := range c.Moves {
		if at, err = s.rules.Play(at, m); err != nil {
			return fmt.Errorf("position: move %d: %w", i+1, err)
		}
	}
	s.at = at
	return nil
}

// query answers a query about the position. Answers keep the order of their queries, because they
// do not name them.
func (s *session) query(name, text string) {
	game, at := wording{s.rules, s.disguise}, s.at
	answer := func() {
		line := s.respond(name, text, game, at)
		s.out.WriteString("response " + line + "\n") //nolint:errcheck // Flush returns the error
	}
	if name == "value" || name == "choices" || len(s.waiting) > 0 {
		s.whenSolved(answer)
		return
	}
	answer()
}

// response returns the answer to a query about a position. The solution is nil if it is unknown.
func response(name string, r digit.Rules, at digit.Position, s *solve.Solution) string {
	switch name {
	case "gameover":
		return fmt.Sprint(r.Result(at).Over())
	case "p1turn":
		return fmt.Sprint(r.Turn(at) == digit.First)
	case "result":
		return resultText(r.Result(at))
	case "fen":
		return r.Text(at)
	case "legal":
		return legalText(r, at)
	case "value":
		if s != nil {
			return valueText(s.Value(at))
		}
	}
	return unknown
}

// unknown is the answer to a query without one.
const unknown = "unknown"

// resultText returns a result in the words of the protocol.
func resultText(r digit.Result) string {
	return [...]string{
		digit.Open: "none", digit.FirstWins: "p1win", digit.SecondWins: "p2win",
		digit.Draw: "draw",
	}[r.Score]
}

// legalText lists the legal moves, or returns unknown if they do not fit into a line.
func legalText(r digit.Rules, at digit.Position) string {
	var text []byte
	for m := range r.Moves(at) {
		if len(text) > 0 {
			text = append(text, ' ')
		}
		if text = append(text, m.String()...); len(text) > MaxLine-len("response ") {
			return unknown
		}
	}
	return string(text)
}
