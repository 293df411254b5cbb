package arena

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"

	"digitduel/digit"
	"digitduel/solve"
)

// Starts say from where games start.
type Starts struct {
	text      string
	kind      string
	low, high int      // plies
	openings  []string // lines of a file
}

// The kinds of starts.
const (
	fromBeginning = "beginning"
	fromWon       = "won"      // the side to move can win and can lose it
	fromDecision  = "decision" // the side to move can throw something away
	fromFile      = "file"
)

// StartsAllowed says what starts there are.
const StartsAllowed = "beginning, won:ply=1-4, decision:ply=1-4, file:PATH"

// ParseStarts reads what starts are asked for; open opens a file of openings.
func ParseStarts(text string, open func(path string) (io.ReadCloser, error)) (Starts, error) {
	kind, rest, found := strings.Cut(text, ":")
	s := Starts{text: text, kind: kind, low: 1, high: 4}
	switch {
	case kind == fromBeginning && !found:
		return s, nil
	case kind == fromFile && rest != "":
		file, err := open(rest)
		if err != nil {
			return s, fmt.Errorf("starts: %w", err)
		}
		defer file.Close()
		lines := bufio.NewScanner(file)
		for lines.Scan() {
			s.openings = append(s.openings, lines.Text())
		}
		if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
			return s, fmt.Errorf("starts: %s: line %d is longer than 64 KiB", rest, len(s.openings)+1)
		} else if err != nil {
			return s, fmt.Errorf("starts: %w", err)
		}
		return s, nil
	case kind == fromWon || kind == fromDecision:
		if !found {
			return s, nil
		}
		if plies, ok := strings.CutPrefix(rest, "ply="); ok {
			low, high, ranged := strings.Cut(plies, "-")
			if !ranged {
				high = low
			}
			var err, err2 error
			s.low, err = strconv.Atoi(low)
			s.high, err2 = strconv.Atoi(high)
			if err == nil && err2 == nil && 0 <= s.low && s.low <= s.high && s.high <= 16 {
				return s, nil
			}
		}
	}
	return s, fmt.Errorf("starts %q: allowed: %s", text, StartsAllowed)
}

// positions returns the starts under some rules, at most so many.
func (s Starts) positions(of *solve.Solution, seed uint64, most int) ([]string, error) {
	switch s.kind {
	case fromBeginning:
		return []string{of.Rules().Text(digit.Position{})}, nil
	case fromFile:
		return s.read(of.Rules())
	default:
		return s.draw(of, rand.New(rand.NewPCG(seed, mix(seed))), most)
	}
}

// read returns the openings of a file: positions, or moves from the beginning. A line that is empty or begins with # says nothing.
func (s Starts) read(r digit.Rules) ([]string, error) {
	var all []string
	for i, line := range s.openings {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		p, err := opening(r, line)
		if err != nil {
			return nil, fmt.Errorf("starts: line %d: %v: %w", i+1, r, err)
		}
		all = append(all, r.Text(p))
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("starts: %s has no opening", s.text)
	}
	return all, nil
}

// opening reads a position, or moves from the beginning, where the game goes on.
func opening(r digit.Rules, line string) (p digit.Position, err error) {
	if strings.Contains(line, "/") {
		p, err = r.ParsePosition(line)
	} else {
		for word := range strings.FieldsSeq(line) {
			var m digit.Move
			if m, err = digit.ParseMove(word); err == nil {
				p, err = r.Play(p, m)
			}
			if err != nil {
				break
			}
		}
	}
	if err == nil && r.Result(p).Over() {
		err = fmt.Errorf("%s: the game is over there", line)
	}
	return p, err
}

// StartOf returns one position to start from: the beginning for "start" or nothing, what won or decision draws by a seed, a position, or where
// moves from the beginning lead.
func StartOf(s *solve.Solution, text string, seed uint64) (digit.Position, error) {
	r := s.Rules()
	switch {
	case text == "" || text == "start":
		return digit.Position{}, nil
	case IsDrawn(text):
		starts, err := ParseStarts(text, nil)
		if err != nil {
			return digit.Position{}, err
		}
		drawn, err := starts.positions(s, mix(seed), 1)
		if err != nil {
			return digit.Position{}, err
		}
		return r.ParsePosition(drawn[0])
	}
	p, err := opening(r, text)
	var unreadable *digit.ParseError
	if errors.As(err, &unreadable) && unreadable.What == "move" {
		err = fmt.Errorf("%.40q: allowed: start, won, decision, a position, or moves; %s", text, example(r))
	}
	return p, err
}

// example tells how a position and the move to it are written.
func example(r digit.Rules) string {
	for m := range r.Moves(digit.Position{}) {
		p, _ := r.Play(digit.Position{}, m) // it is legal
		return fmt.Sprintf("under these rules %v is a move, and %s the position after it", m, r.Text(p))
	}
	return ""
}

// IsDrawn reports whether a start is one that is drawn for what the side to move can do.
func IsDrawn(start string) bool {
	kind, _, _ := strings.Cut(start, ":")
	return kind == fromWon || kind == fromDecision
}

// Of a draw that finds nothing new so often in a row, nothing more is expected.
const mostMisses = 20_000

// draw plays by chance up to a ply, and keeps positions with a decision, each once.
func (s Starts) draw(of *solve.Solution, rng *rand.Rand, most int) ([]string, error) {
	r := of.Rules()
	seen := map[digit.Position]bool{}
	var all []string
	for misses := 0; len(all) < most && misses < mostMisses; misses++ {
		p, ok := wander(r, rng, s.low+rng.IntN(s.high-s.low+1))
		if !ok || seen[p] || !s.wants(of, p) {
			continue
		}
		seen[p] = true
		all = append(all, r.Text(p))
		misses = 0
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("starts %s: no such position was found in %v", s.text, r)
	}
	return all, nil
}

// wander plays so many moves by chance; it fails if the game ends.
func wander(r digit.Rules, rng *rand.Rand, plies int) (p digit.Position, ok bool) {
	for range plies {
		m, ok := r.Pick(p, rng.IntN)
		if !ok {
			return p, false
		}
		p, _ = r.Play(p, m) // what is picked is legal
	}
	return p, !r.Result(p).Over()
}

func (s Starts) wants(of *solve.Solution, p digit.Position) bool {
	if s.kind == fromWon && of.Value(p).Outcome != solve.Win {
		return false
	}
	choices := of.Choices(p)
	if s.kind == fromDecision {
		return solve.Keep(choices) < len(choices)
	}
	for _, c := range choices {
		if c.Value.Outcome == solve.Loss {
			return true
		}
	}
	return false
}

// mix returns a number that has nothing to do with those of its neighbours.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Draw finds the positions that the games of a plan start from, and completes it. There is a solution for each of the rules.
func (p *Plan) Draw(s Starts, solutions []*solve.Solution) error {
	p.Starts, p.Positions = s.text, nil
	for i, of := range solutions {
		positions, err := s.positions(of, mix(p.Seed+uint64(i)), p.Pairs)
		if err != nil {
			return err
		}
		p.Positions = append(p.Positions, positions)
	}
	return p.seal()
}
