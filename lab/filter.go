package lab

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Filter says which reports are wanted.
type Filter struct {
	holds condition
	Fast  bool // it asks only for what the solution alone tells
}

// A condition says whether it holds for a report, whatever figures are still missing there, and whether it may hold.
type condition func(*Report) (holds, may bool)

// Wants reports whether a report is wanted. The zero Filter wants all of them.
func (f Filter) Wants(r *Report) bool {
	if f.holds == nil {
		return true
	}
	holds, _ := f.holds(r)
	return holds
}

// May reports whether the report may be wanted once all its figures are known.
func (f Filter) May(r *Report) bool {
	if f.holds == nil {
		return true
	}
	_, may := f.holds(r)
	return may
}

// ParseFilter reads comparisons of figures with numbers, or of the winner with first, second or draw, joined by and, or, not and brackets:
// "draws<0.3 and decisions>2", "winner=draw or (bias>-0.05 and bias<0.05)".
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

// take goes on if the next word is a certain one.
func (p *filterParser) take(word string) bool {
	if p.word() != word {
		return false
	}
	p.at++
	return true
}

func (p *filterParser) expected(what string) error {
	found := "it ends"
	if p.at < len(p.words) {
		found = fmt.Sprintf("%q stands", p.word())
	}
	return fmt.Errorf("filter %q: %s where there should be %s", p.text, found, what)
}

// either reads conditions joined by or.
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

// both reads conditions joined by and.
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

// one reads a comparison, or a condition in brackets or after not.
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

// winner reads what the winner is compared with.
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
