package lab

import (
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

// A condition reports whether it holds for a report with the figures known so far, and whether it
// may hold once all are known.
type condition func(*Report) (holds, may bool)

// Wants reports whether a report is selected. The zero Filter selects all.
func (f Filter) Wants(r *Report) bool {
	if f.holds == nil {
		return true
	}
	holds, _ := f.holds(r)
	return holds
}

// May reports whether a report may be selected once all its figures are known.
func (f Filter) May(r *Report) bool {
	if f.holds == nil {
		return true
	}
	_, may := f.holds(r)
	return may
}

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
	left, err := p.both()
	for err == nil && p.take("or") {
		var right condition
		before := left
		right, err = p.both()
		left = func(r *Report) (bool, bool) {
			holds, may := before(r)
			holds2, may2 := right(r)
			return holds || holds2, may || may2
		}
	}
	return left, err
}

// both parses conditions joined by and.
func (p *filterParser) both() (condition, error) {
	left, err := p.one()
	for err == nil && p.take("and") {
		var right condition
		before := left
		right, err = p.one()
		left = func(r *Report) (bool, bool) {
			holds, may := before(r)
			holds2, may2 := right(r)
			return holds && holds2, may && may2
		}
	}
	return left, err
}

// one parses a comparison, or a condition in parentheses or after not.
func (p *filterParser) one() (condition, error) {
	switch {
	case p.take("not"):
		inner, err := p.one()
		return func(r *Report) (bool, bool) {
			holds, may := inner(r)
			return !may, !holds
		}, err
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
	compare, known := comparisons[p.word()]
	if !known {
		return nil, p.expected("one of < <= > >= = !=")
	}
	p.at++
	number, err := strconv.ParseFloat(p.word(), 64)
	if err != nil {
		return nil, p.expected("a number")
	}
	p.at++
	return func(r *Report) (bool, bool) {
		if !f.Fast && !r.Full() {
			return false, true
		}
		holds := compare(f.Of(r), number)
		return holds, holds
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
	return func(r *Report) (bool, bool) {
		holds := (r.Winner == who) == same
		return holds, holds
	}, nil
}

var comparisons = map[string]func(a, b float64) bool{
	"<":  func(a, b float64) bool { return a < b },
	"<=": func(a, b float64) bool { return a <= b },
	">":  func(a, b float64) bool { return a > b },
	">=": func(a, b float64) bool { return a >= b },
	"=":  func(a, b float64) bool { return a == b },
	"==": func(a, b float64) bool { return a == b },
	"!=": func(a, b float64) bool { return a != b },
}
