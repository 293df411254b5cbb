package lab

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Filter selects reports.
type Filter struct {
	holds condition
	Fast  bool // it uses only figures of the verdict
}

// A condition reports whether it holds for a report. Comparisons of figures that are not known yet
// are assumed to hold or not.
type condition func(r *Report, assumed bool) bool

// Wants reports whether a report is selected. The zero Filter selects all.
func (f Filter) Wants(r *Report) bool { return f.holds == nil || f.holds(r, false) }

// May reports whether a report may be selected once all its figures are known.
func (f Filter) May(r *Report) bool { return f.holds == nil || f.holds(r, true) }

// ParseFilter parses comparisons of figures with numbers, or of the winner with first, second or
// draw, joined by and, or, not and parentheses: "draws<0.3 and decisions>2", "winner=draw or
// (bias>-0.05 and bias<0.05)".
func ParseFilter(text string) (Filter, error) {
	p := &filterParser{text: text, words: filterWord.FindAllString(text, -1), fast: true}
	if strings.TrimSpace(text) == "" {
		return Filter{Fast: true}, nil
	}
	holds, err := p.either()
	if err == nil && p.at < len(p.words) {
		err = p.expected("and, or, or the end")
	}
	if err != nil {
		return Filter{}, err
	}
	return Filter{holds, p.fast}, nil
}

var filterWord = regexp.MustCompile(`[a-z_]+|[-+]?[0-9]*\.?[0-9]+|<=|>=|==|!=|[<>=()]|\S`)

type filterParser struct {
	text  string
	words []string
	at    int
	fast  bool
}

func (p *filterParser) word() string {
	if p.at == len(p.words) {
		return ""
	}
	return p.words[p.at]
}

// take consumes the next word if it is the given one.
func (p *filterParser) take(word string) bool {
	if p.word() != word {
		return false
	}
	p.at++
	return true
}

// expected returns an error for the next word, where one of allowed was expected.
func (p *filterParser) expected(allowed string) error {
	found := "unexpected end"
	if p.at < len(p.words) {
		found = fmt.Sprintf("unexpected %q", p.word())
	}
	return fmt.Errorf("filter %q: %s; allowed: %s", p.text, found, allowed)
}

// either parses conditions joined by or.
func (p *filterParser) either() (condition, error) {
	return p.joined("or", p.both, func(a, b bool) bool { return a || b })
}

// both parses conditions joined by and.
func (p *filterParser) both() (condition, error) {
	return p.joined("and", p.one, func(a, b bool) bool { return a && b })
}

// joined parses conditions joined by a word.
func (p *filterParser) joined(word string, part func() (condition, error),
	join func(a, b bool) bool) (condition, error) {
	left, err := part()
	for err == nil && p.take(word) {
		var right condition
		before := left
		right, err = part()
		left = func(r *Report, assumed bool) bool {
			return join(before(r, assumed), right(r, assumed))
		}
	}
	return left, err
}

// one parses a comparison, or a condition in parentheses or after not.
func (p *filterParser) one() (condition, error) {
	switch {
	case p.take("not"):
		inner, err := p.one()
		return func(r *Report, assumed bool) bool { return !inner(r, !assumed) }, err
	case p.take("("):
		inner, err := p.either()
		if err == nil && !p.take(")") {
			err = p.expected(")")
		}
		return inner, err
	case p.take("winner"):
		return p.winner()
	}
	f, err := FigureOf(p.word())
	if err != nil {
		return nil, p.expected("winner or a figure: " + strings.Join(FigureNames(), ", "))
	}
	p.at++
	p.fast = p.fast && f.Fast
	allowed, known := comparisons[p.word()]
	if !known {
		return nil, p.expected("one of < <= > >= = !=")
	}
	p.at++
	number, err := strconv.ParseFloat(p.word(), 64)
	if err != nil {
		return nil, p.expected("a number")
	}
	p.at++
	return func(r *Report, assumed bool) bool {
		if !f.Fast && !r.Full() {
			return assumed
		}
		return allowed[1+cmp.Compare(f.Of(r), number)]
	}, nil
}

// winner parses the comparison of the winner.
func (p *filterParser) winner() (condition, error) {
	same := p.word() != "!="
	if !p.take("=") && !p.take("==") && !p.take("!=") {
		return nil, p.expected("= or !=")
	}
	who := p.word()
	if !slices.Contains([]string{"first", "second", "draw"}, who) {
		return nil, p.expected("first, second or draw")
	}
	p.at++
	return func(r *Report, _ bool) bool { return (r.Winner == who) == same }, nil
}

// comparisons says for each sign whether a figure may be less than the number, equal, or greater.
var comparisons = map[string][3]bool{
	"<":  {true, false, false},
	"<=": {true, true, false},
	">":  {false, false, true},
	">=": {false, true, true},
	"=":  {false, true, false},
	"==": {false, true, false},
	"!=": {true, false, true},
}
