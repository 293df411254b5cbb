package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"digitduel/digit"
	"digitduel/solve"
)

// A CheckConfig configures Check.
type CheckConfig struct {
	Rules     []digit.Rules // that it must play; if empty, the books it declares
	Positions int           // in which it must find a legal move
	Seed      uint64        // the random seed of the positions and of Random
	All       bool          // check the handshake, and every position of the rules
	Random    int           // if not 0, check the handshake, and as many random rules
	Process   ProcessConfig
	Early     time.Duration // how long to wait for a move before stop; 0 for a tenth of a second
	// Words returns the rules in words; nil to check in digits.
	Words func(digit.Rules) (rules string, words Words, err error)
}

// A Finding is the result of one point of a check.
type Finding struct {
	Point    string
	Skipped  bool     // the engine can no longer be asked, or takes too long
	Note     string   // an observation
	Err      error    // the failure, or nil
	Dialogue []string // the last lines: "> " sent, "< " received
}

// Check checks an engine point by point. Each point has its own process, so that one does not
// affect another. After the failure of a vital point the others are skipped.
func Check(ctx context.Context, command string, config CheckConfig) iter.Seq[Finding] {
	return func(yield func(Finding) bool) {
		c := &checker{
			ctx: ctx, command: command, config: config,
			rng: rand.New(rand.NewPCG(config.Seed, 0)),
		}
		lost, list := false, points
		if config.All || config.Random > 0 {
			list = points[:1]
		}
		for _, p := range list {
			if p.digits && config.Words != nil {
				continue
			}
			f := Finding{Point: p.name, Skipped: true}
			if !lost {
				f = c.try(p)
			}
			if f.Err != nil && p.again {
				f = c.try(p)
			}
			if ctx.Err() != nil || !yield(f) {
				return
			}
			lost = lost || p.vital && f.Err != nil
		}
		defer c.end()
		switch {
		case lost:
		case config.Random > 0:
			c.randomRules(func(f Finding) bool { return ctx.Err() == nil && yield(f) })
		case config.All:
			for _, r := range c.rules {
				if f := c.everyPosition(r); ctx.Err() != nil || !yield(f) {
					return
				}
			}
		}
	}
}

// A point is one check of an engine.
type point struct {
	name string
	// ask checks it. After the first point, the handshake, a game of the first rules has begun.
	ask    func(*checker, *Process) (note string, err error)
	vital  bool // without it the others are pointless
	again  bool // retried if it fails, because this machine may have been busy
	digits bool // not for a game in words, which has no queries
}

var points = []point{
	{name: "handshake", ask: (*checker).handshake, vital: true},
	{name: "go is answered", ask: (*checker).firstMove, vital: true},
	{name: "ready while thinking", ask: (*checker).readyWhileThinking},
	{name: "stop is answered", ask: (*checker).stopAnswered},
	{name: "positions by text and by moves agree", ask: (*checker).positions, digits: true},
	{name: "results are reported", ask: (*checker).results, digits: true},
	{name: "every move is legal", ask: (*checker).everyMove},
	{name: "it answers again when refused", ask: (*checker).refused},
	{name: "time is kept", ask: (*checker).timeKept},
	{name: "a finished game has no move", ask: (*checker).finishedGame, digits: true},
	{name: "lines may end with CRLF", ask: (*checker).crlf},
	{name: "a line of 60 KB is one line", ask: (*checker).longLine},
	{name: "it ends with its input", ask: (*checker).endOfInput, again: true},
	{name: "it quits", ask: (*checker).quits, again: true},
	{name: "nothing else is written", ask: (*checker).nothingElse},
}

// A checker checks one engine.
type checker struct {
	ctx     context.Context
	command string
	config  CheckConfig
	rng     *rand.Rand
	rules   []digit.Rules // the rules to play

	anyRules bool // it plays any rules
	solved   *solve.Solution
	values   int      // values that the engine knew
	strays   []string // lines that it should not have written, at any point
	talk     []string // the dialogue up to the first of them

	late     error // that a legal move was late
	lateTalk []string

	process *Process // the one whose positions are compared
	asked   int      // the number of positions of random rules
}

// errSkipped reports that a point could not be checked.
var errSkipped = errors.New("skipped")

// try checks a point.
func (c *checker) try(at point) Finding {
	f := Finding{Point: at.name}
	p, err := launch(c.ctx, c.command, c.config.Process)
	if err != nil {
		f.Err = bare(err)
		return f
	}
	p.patience = p.config.Wait // so that a slow engine is late, not silent
	err = p.handshake(c.ctx)
	if err == nil && c.rules != nil {
		err = c.newGame(p, c.rules[0])
	}
	if err == nil {
		f.Note, err = at.ask(c, p)
	}
	p.Close()
	if len(c.strays) == 0 {
		c.talk = p.strayTalk
	}
	c.strays = append(c.strays, p.strays...)
	switch {
	case errors.Is(err, errSkipped):
		f.Skipped = true
	case err != nil:
		f.Err, f.Dialogue = bare(err), p.Dialogue()
	}
	return f
}

// bare returns a fault without the command of the engine.
func bare(err error) error {
	var fault *FaultError
	if errors.As(err, &fault) {
		return fmt.Errorf("%s: %s", fault.Fault, fault.Why)
	}
	return err
}

// handshake finds out which rules the engine plays. Games in words may be of any rules.
func (c *checker) handshake(p *Process) (string, error) {
	if p.Name == "" {
		return "", errors.New("missing line id name NAME before ugiok")
	}
	c.rules = c.config.Rules
	for _, book := range digit.Books {
		plays := c.config.Words != nil || p.Plays(book.Rules) == nil
		if len(c.config.Rules) == 0 && plays {
			c.rules = append(c.rules, book.Rules)
		}
	}
	if c.config.Words != nil {
		return p.Name + "; it plays in words", c.eachRules(p)
	}
	option, ok := p.Option("Rules")
	c.anyRules = option.Type == "string"
	rules := "any rules"
	switch {
	case !ok:
		rules = digit.Dilemma.String() + " only, because it has no option Rules"
		if p.InWords() == nil {
			rules += "; check it in words with --disguise"
		}
	case option.Type == "combo":
		rules = strings.Join(option.Vars, ", ")
	case option.Type != "string":
		return "", fmt.Errorf("option Rules has type %q: allowed: string, combo", option.Type)
	}
	if len(c.rules) == 0 {
		r, err := digit.ParseRules(option.Default)
		if err != nil {
			return "", fmt.Errorf("option Rules has no book and no valid default: %w", err)
		}
		c.rules = []digit.Rules{r}
	}
	return fmt.Sprintf("%s; it plays %s", p.Name, rules), c.eachRules(p)
}

// eachRules begins a game of each of the rules.
func (c *checker) eachRules(p *Process) error {
	for _, r := range c.rules {
		if err := c.newGame(p, r); err != nil {
			return err
		}
	}
	return nil
}

// newGame begins a game, in digits or in words.
func (c *checker) newGame(p *Process, r digit.Rules) error {
	if c.config.Words == nil {
		return p.NewGame(c.ctx, r)
	}
	rules, words, err := c.config.Words(r)
	if err != nil {
		return err
	}
	return p.NewGameInWords(c.ctx, r, rules, words)
}

// nothingElse checks the stray lines of all points.
func (c *checker) nothingElse(p *Process) (string, error) {
	if len(c.strays) == 0 {
		return "", nil
	}
	p.talk = c.talk
	lines := slices.Compact(slices.Clone(c.strays))
	const shown = 5
	if len(lines) > shown {
		lines = append(lines[:shown], "…")
	}
	for i := range lines {
		lines[i] = fmt.Sprintf("%.80q", lines[i])
	}
	return "", fmt.Errorf("%d or more lines that are not answers, or that nothing asked for: %s",
		len(c.strays), strings.Join(lines, ", "))
}

// A place is a position of a game, and the moves to it.
type place struct {
	rules digit.Rules
	moves []digit.Move
	at    digit.Position
}

func (l place) byMoves() string { return positionLine("", l.moves, digit.Move.String) }
func (l place) byText() string  { return positionLine(l.rules.Text(l.at), nil, nil) }

// byBoth gives the position after half of the moves as text, and then the other half.
func (l place) byBoth() string {
	var at digit.Position
	half := len(l.moves) / 2
	for _, m := range l.moves[:half] {
		at, _ = l.rules.Play(at, m) // legal when it was drawn
	}
	return positionLine(l.rules.Text(at), l.moves[half:], digit.Move.String)
}

// draw returns a random position with the given side to move, or one in which the game is over.
func (c *checker) draw(r digit.Rules, over bool, turn digit.Side) place {
	for {
		game := []place{{rules: r}}
		for {
			last := game[len(game)-1]
			m, ok := r.Pick(last.at, c.rng.IntN)
			if !ok {
				break
			}
			next, _ := r.Play(last.at, m) // a picked move is legal
			game = append(game, place{r, append(slices.Clip(last.moves), m), next})
		}
		last := len(game) - 1
		if over {
			return game[last]
		}
		if last > int(turn) { // this side had a turn
			return game[c.rng.IntN((last-int(turn)+1)/2)*2+int(turn)]
		}
	}
}
