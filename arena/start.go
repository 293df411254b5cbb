package arena

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"digitduel/digit"
	"digitduel/solve"
)

// Starts specify the positions that games start from.
type Starts struct {
	text      string
	kind      string
	low, high int      // plies
	openings  []string // lines of a file
}

// Kinds of starts.
const (
	fromBeginning = "beginning"
	fromWon       = "won"      // the side to move can win, and can lose by a mistake
	fromDecision  = "decision" // the side to move can make a mistake
	fromFile      = "file"
)

// StartsAllowed lists the allowed starts.
const StartsAllowed = "beginning, won:ply=1-4, decision:ply=1-4, file:PATH"

// ParseStarts parses starts. ReadFile reads a file of openings.
func ParseStarts(text string, readFile func(path string) ([]byte, error)) (Starts, error) {
	kind, rest, found := strings.Cut(text, ":")
	s := Starts{text: text, kind: kind, low: 1, high: 4}
	switch {
	case kind == fromBeginning && !found:
		return s, nil
	case kind == fromFile && rest != "":
		lines, err := readFile(rest)
		if err != nil {
			return s, fmt.Errorf("starts: %w", err)
		}
		s.openings = strings.Split(string(lines), "\n")
		return s, nil
	case IsDrawn(text):
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

// positions returns the starts under the rules of a solution, at most most.
func (s Starts) positions(of *solve.Solution, seed uint64, most int) ([]string, error) {
	r := of.Rules()
	switch s.kind {
	case fromBeginning:
		return []string{r.Text(digit.Position{})}, nil
	case fromFile:
		return s.read(r)
	}
	var all []string
	rng := rand.New(rand.NewPCG(seed, mix(seed)))
	draw(r, rng, s.low, s.high, most, func(p digit.Position) bool {
		wanted := s.wants(of, p)
		if wanted {
			all = append(all, r.Text(p))
		}
		return wanted
	})
	if len(all) == 0 {
		return nil, fmt.Errorf("starts %s: no such position was found in %v", s.text, r)
	}
	return all, nil
}

// read returns the openings of a file: positions, or moves from the beginning. Empty lines and
// lines that begin with # are ignored.
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
		return nil, fmt.Errorf("starts %s: the file has no opening", s.text)
	}
	return all, nil
}

// opening parses a position, or moves from the beginning. The game must not be over.
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

// StartOf returns one start: the beginning for "start" or "", a random one for won or decision, a
// given position, or the position after moves from the beginning.
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
		err = fmt.Errorf("%.40q: allowed: start, won, decision, a position, or moves; %s",
			text, example(r))
	}
	return p, err
}

// example returns an example of a move and of the position after it.
func example(r digit.Rules) string {
	for m := range r.Moves(digit.Position{}) {
		p, _ := r.Play(digit.Position{}, m) // the move is legal
		return fmt.Sprintf("under these rules %v is a move, and %s the position after it",
			m, r.Text(p))
	}
	return ""
}

// IsDrawn reports whether a start is a random position of a kind.
func IsDrawn(start string) bool {
	kind, _, _ := strings.Cut(start, ":")
	return kind == fromWon || kind == fromDecision
}

// mostMisses is the number of attempts in a row without a new position after which drawing ends.
const mostMisses = 20_000

// draw plays random moves up to a random ply from low to high, and calls take with each new
// position in which the game is not over, until it has returned true a number of times, or not for
// long.
func draw(
	r digit.Rules, rng *rand.Rand, low, high, most int, take func(digit.Position) bool,
) {
	seen := map[digit.Position]bool{}
	taken := 0
	for misses := 0; taken < most && misses < mostMisses; misses++ {
		var p digit.Position
		for range low + rng.IntN(high-low+1) {
			if m, ok := r.Pick(p, rng.IntN); ok {
				p, _ = r.Play(p, m) // the picked move is legal
			}
		}
		if seen[p] || r.Result(p).Over() {
			continue
		}
		seen[p] = true
		if take(p) {
			taken++
			misses = 0
		}
	}
}

// wants reports whether a position is a start of this kind.
func (s Starts) wants(of *solve.Solution, p digit.Position) bool {
	if s.kind == fromWon && of.Value(p).Outcome != solve.Win {
		return false
	}
	choices := of.Choices(p)
	if s.kind == fromDecision {
		return solve.Keep(choices) < len(choices)
	}
	return slices.ContainsFunc(choices, func(c solve.Choice) bool {
		return c.Value.Outcome == solve.Loss
	})
}

// mix returns a hash of x.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Draw chooses the positions that the games of a plan start from, and completes the plan. It
// needs a solution for each of the rules.
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
