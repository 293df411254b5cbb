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

// A ServeConfig is what an engine of this program is made of.
type ServeConfig struct {
	Name  string // that it goes by
	Rules digit.Rules
	Level bot.Level // that it plays at until it is told another
	Solve func(context.Context, digit.Rules) (*solve.Solution, error)
	Rand  *rand.Rand
}

// farewell is how long an engine that is told to end may take to finish what it was asked before.
const farewell = 500 * time.Millisecond

// Serve is an engine until it is told to quit or its input ends; what it was asked before that it still answers. The error is that of the
// context or of the writer. In may be read from until it ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer, config ServeConfig) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &session{ctx: ctx, config: config, out: bufio.NewWriter(out), rules: config.Rules, level: config.Level}
	defer s.forget()
	told := make(chan heard)
	go hearLines(ctx, in, told)
	for {
		select {
		case line, ok := <-told:
			if !ok || !s.obey(line) {
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
		if err := s.out.Flush(); err != nil {
			return err
		}
	}
}

// A heard is a line, or what was wrong with it.
type heard struct {
	line string
	err  error
}

// hearLines passes on lines until there are no more.
func hearLines(ctx context.Context, in io.Reader, told chan<- heard) {
	defer close(told)
	lines := newLineReader(in)
	for {
		line, err := lines.next()
		if err != nil && !errors.Is(err, errLong) {
			return
		}
		select {
		case told <- heard{line, err}:
		case <-ctx.Done():
			return
		}
	}
}

// A session is an engine between two lines.
type session struct {
	ctx    context.Context
	config ServeConfig
	out    *bufio.Writer
	rules  digit.Rules
	level  bot.Level
	at     digit.Position

	job     *job      // that solves the game; nil: nobody has needed it
	woken   bool      // whether what waited for the job was answered
	waiting []func()  // what is to be answered when the game is solved
	bot     *bot.Bot  // that plays this game; nil: it has not begun to
	search  *search   // what it thinks about; nil: nothing
	held    []Command // what is to be done when it has thought
}

// A job is a game that is being solved.
type job struct {
	done     chan struct{}
	cancel   context.CancelFunc
	solution *solve.Solution // when it is done
	err      error
}

// A search is a question for a move that was not answered yet.
type search struct {
	at       digit.Position
	infinite bool // it is answered when it is stopped
	swap     bool // the first move may be taken over
	timer    *time.Timer
}

// timeUp returns what tells that a search has to be answered; nil if nothing does.
func (s *search) timeUp() <-chan time.Time {
	if s == nil || s.timer == nil {
		return nil
	}
	return s.timer.C
}

func (s *session) say(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	s.out.WriteString(strings.Join(strings.Fields(text), " ") + "\n") //nolint:errcheck // Flush says it
}

// obey does what a line says, and reports whether the engine goes on.
func (s *session) obey(h heard) bool {
	c, err := ParseCommand(h.line)
	if err = errors.Join(h.err, err); err != nil {
		s.say("info string %v", err)
		return true
	}
	switch c.Verb {
	case "setoption", "uginewgame", "position", "go", "query":
		if s.search != nil && !s.search.infinite && (c.Verb != "query" || len(s.held) > 0) {
			s.held = append(s.held, c) // until the move is found: who sends many lines at once wants all of them answered
			return true
		}
		if c.Verb != "query" {
			s.stop()
		}
	}
	s.do(c)
	return c.Verb != "quit"
}

// do does what a command says.
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
		s.query(c.Name)
	}
	if err != nil {
		s.say("info string %v", err)
	}
}

// introduce says who the engine is and what can be set.
func (s *session) introduce() {
	s.say("id name %s", s.config.Name)
	s.say("id author Digit Duel")
	s.say("%v", Option{Name: "Rules", Type: "string", Default: s.config.Rules.String()})
	s.say("%v", Option{Name: "Level", Type: "combo", Default: s.config.Level.Name, Vars: bot.LevelNames()})
	s.say("%v", Option{Name: "Seed", Type: "string", Default: "random"})
	s.say("ugiok")
}

// ready answers as soon as the game is solved, and at once while it thinks.
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
			return fmt.Errorf("option Seed %.40q: allowed: a number from 0 to %d", value, uint64(math.MaxUint64))
		}
		s.config.Rand, s.bot = rand.New(rand.NewPCG(seed, 0)), nil
	default:
		return fmt.Errorf("option %.40q: there is no such option; options: Rules, Level, Seed", name)
	}
	return nil
}

// setPosition sets the position. One that is wrong changes nothing.
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

// query answers a question about the position. Answers do not say to what, so none overtakes another.
func (s *session) query(what string) {
	r, at := s.rules, s.at
	answer := func() { s.say("response %s", s.response(what, r, at)) }
	if what == "value" || len(s.waiting) > 0 {
		s.whenSolved(answer)
		return
	}
	answer()
}

// response returns the answer to a question about a position.
func (s *session) response(what string, r digit.Rules, at digit.Position) string {
	switch what {
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
		return s.value(at)
	default:
		return unknown
	}
}

// unknown is the answer to a question that an engine has no answer to.
const unknown = "unknown"

// resultText returns how a game stands, in the words of the protocol.
func resultText(r digit.Result) string {
	switch r.Score {
	case digit.FirstWins:
		return "p1win"
	case digit.SecondWins:
		return "p2win"
	case digit.Draw:
		return "draw"
	default:
		return "none"
	}
}

// legalText lists the legal moves, if a line can hold them.
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
