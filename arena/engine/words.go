package engine

import (
	"context"
	"fmt"
	"strings"

	"digitduel/arena/answer"
	"digitduel/digit"
)

// Words describe a game in words other than digits, and parse moves in them. A move is one word.
type Words interface {
	Position(digit.Position) string
	Move(digit.Move) string
	ParseMove(text string) (digit.Move, error)
	Refused(digit.Position, *digit.MoveError) string
}

// InWords returns nil if the engine declares that it plays games in words.
func (p *Process) InWords() error {
	if o, ok := p.Option("Words"); !ok || o.Type != "string" {
		return fmt.Errorf(
			"engine %.80q: no option Words of type string, so it cannot play in words",
			p.command)
	}
	return nil
}

// NewGameInWords sets the rules of the next game in words, and waits until the engine is ready
// for it. The engine learns nothing of digits.
func (p *Process) NewGameInWords(
	ctx context.Context, r digit.Rules, rules string, words Words,
) error {
	if err := p.setWords(rules); err != nil {
		return err
	}
	p.rules, p.words = r, words
	return p.ready(ctx, "uginewgame")
}

// setWords sets the rules in words, in one line with " | " between paragraphs.
func (p *Process) setWords(rules string) error {
	if err := p.InWords(); err != nil {
		return err
	}
	o, _ := p.Option("Words")
	p.set(o, strings.ReplaceAll(strings.TrimSpace(rules), "\n\n", " | "))
	return nil
}

// ChooseWord asks for a move in one position of a game known only in words. It does not check
// that the answer is a move.
func (p *Process) ChooseWord(
	ctx context.Context, rules, position string, limit Limit,
) (Answer, error) {
	if err := p.setWords(rules); err != nil {
		return Answer{}, err
	}
	if err := p.ready(ctx, "uginewgame"); err != nil {
		return Answer{}, err
	}
	a, late, err := p.ask(ctx, "position fen "+position, limit, digit.First)
	switch {
	case err != nil:
		return a, err
	case a.Text == noMove:
		return a, p.fault(Illegal, "no move in %s, where the game is not over", position)
	}
	return a, late
}

// position returns the position command for moves from a start.
func (p *Process) position(start digit.Position, moves []digit.Move) string {
	text, word := p.rules.Text, digit.Move.String
	if p.words != nil {
		text, word = p.words.Position, p.words.Move
	}
	if start == (digit.Position{}) {
		return positionLine("", moves, word)
	}
	return positionLine(text(start), moves, word)
}

// atStart is the position command for the start of a game.
const atStart = "position startpos"

// positionLine returns the position command for moves from a position, or from the start of the
// game if its text is empty.
func positionLine(text string, moves []digit.Move, word func(digit.Move) string) string {
	line := atStart
	if text != "" {
		line = "position fen " + text
	}
	if len(moves) > 0 {
		line += " moves"
	}
	for _, m := range moves {
		line += " " + word(m)
	}
	return line
}

// parse parses a move as the engine writes it.
func (p *Process) parse(text string) (digit.Move, error) {
	move, _ := answer.Read(text)
	if p.words == nil {
		return digit.ReadMove(move)
	}
	return p.words.ParseMove(move)
}
