package lab

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Filter selects the reports for which all its comparisons hold.
type Filter []comparison

// A comparison compares a figure, or the winner, with a value.
type comparison struct {
	Figure
	winner  string // if not empty, compared instead of the figure
	number  float64
	allowed [3]bool // whether the figure may be less than the number, equal, and greater
}

// Fast reports whether the filter uses only figures of the verdict.
func (f Filter) Fast() bool {
	return !slices.ContainsFunc(f, func(c comparison) bool { return !c.Fast })
}

// Wants reports whether a report is selected. Figures that are not known yet are assumed to pass.
func (f Filter) Wants(r *Report) bool {
	return !slices.ContainsFunc(f, func(c comparison) bool {
		switch {
		case c.winner != "":
			return (r.Winner == c.winner) != c.allowed[1]
		case !c.Fast && !r.Full():
			return false
		}
		return !c.allowed[1+cmp.Compare(c.Of(r), c.number)]
	})
}

// ParseFilter parses comparisons of figures with numbers, or of the winner with first, second or
// draw, joined by and: "winner=draw and draws<0.3".
func ParseFilter(text string) (f Filter, err error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, " and ") {
		c, found, allowed := parseComparison(part)
		if allowed != "" {
			return nil, fmt.Errorf("filter %q: unexpected %q; allowed: %s", text, found, allowed)
		}
		f = append(f, c)
	}
	return f, nil
}

// parseComparison parses a comparison. If it is not one, it returns the wrong part of the text and
// what is allowed instead.
func parseComparison(text string) (c comparison, found, allowed string) {
	words := comparisonForm.FindStringSubmatch(text)
	if words == nil {
		return c, strings.TrimSpace(text), "comparisons by one of < <= > >= = !=, joined by and"
	}
	name, sign, value := words[1], words[2], words[3]
	c.allowed = comparisons[sign]
	if name == "winner" {
		c.winner, c.Fast = value, true
		if !slices.Contains([]string{"first", "second", "draw"}, value) ||
			!slices.Contains([]string{"=", "==", "!="}, sign) {
			return c, sign + value, "= or !=, and first, second or draw"
		}
		return c, "", ""
	}
	var err error
	if c.Figure, err = FigureOf(name); err != nil {
		return c, name, "winner or a figure: " + strings.Join(FigureNames(), ", ")
	}
	if c.number, err = strconv.ParseFloat(value, 64); err != nil {
		return c, value, "a number"
	}
	return c, "", ""
}

var comparisonForm = regexp.MustCompile(`^\s*([a-z_]+)\s*([<>!=]?=|[<>])\s*(\S+)\s*$`)

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
