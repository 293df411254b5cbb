package lab

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"digitduel/digit"
)

// A Grid is a set of rules: a book, and several values for some keys, in every combination.
type Grid struct {
	Base digit.Rules
	Axes []Axis
}

// An Axis is a key of the rules and the values it takes.
type Axis struct {
	Key    string
	Values []string
}

// mostCells is the maximum number of rules in a grid.
const mostCells = 1_000_000

// ParseGrid parses a book and values of keys: target=2..130 is a range, width=0,3,4 a list,
// zero=* all values. The values of pool and final contain commas, so their lists are separated by
// slashes: final=below/above,lower.
func ParseGrid(words []string) (Grid, error) {
	if len(words) == 0 {
		_, err := digit.ParseRules("")
		return Grid{}, err
	}
	base, err := digit.ParseRules(words[0])
	g := Grid{Base: base}
	if err != nil {
		return g, err
	}
	for _, word := range words[1:] {
		key, text, ok := strings.Cut(strings.ToLower(word), "=")
		if !ok || !slices.Contains(digit.Keys(), key) {
			return g,
				fmt.Errorf("%s: no such option; options are key=values with one of the keys %s",
					word, strings.Join(digit.Keys(), ", "))
		}
		if slices.ContainsFunc(g.Axes, func(a Axis) bool { return a.Key == key }) {
			return g, fmt.Errorf("%s: %s is given twice", word, key)
		}
		values, err := readValues(key, text)
		if err != nil {
			return g, err
		}
		for i, value := range values {
			r, err := base.With(key, value)
			if err != nil {
				return g, err
			}
			value = valueOf(r, key) // 07 becomes 7
			values[i] = value
			if slices.Contains(values[:i], value) {
				return g, fmt.Errorf("%s: %s appears twice", word, value)
			}
		}
		g.Axes = append(g.Axes, Axis{key, values})
	}
	if n := g.Len(); n > mostCells {
		return g, fmt.Errorf("a grid of %d rulesets is too large; allowed: up to %d", n, mostCells)
	}
	return g, nil
}

// readValues parses the values of a key.
func readValues(key, text string) ([]string, error) {
	list := ","
	if key == "pool" || key == "final" {
		list = "/"
	}
	var values []string
	for part := range strings.SplitSeq(text, list) {
		switch from, to, isRange := strings.Cut(part, ".."); {
		case part == "*" && key == "width":
			values = append(values, numbers(0, digit.MaxWidth)...)
		case part == "*" && digit.Values(key) == nil:
			return nil, fmt.Errorf("%s=*: there are too many values; "+
				"name them, as in target=2..130 or pool=1-9/0-9", key)
		case part == "*":
			values = append(values, digit.Values(key)...)
		case isRange && (key == "target" || key == "width"):
			low, err := strconv.Atoi(from)
			high, err2 := strconv.Atoi(to)
			switch {
			case err != nil || err2 != nil || low < 0 || high > digit.MaxTarget:
				return nil,
					fmt.Errorf("%s=%s: a range is two whole numbers of at most %d, as in 2..130",
						key, part, digit.MaxTarget)
			case low > high:
				return nil, fmt.Errorf("%s=%s: the range is empty; "+
					"the lower number comes first, as in 2..130", key, part)
			}
			values = append(values, numbers(low, high)...)
		case part == "":
			return nil, fmt.Errorf("%s=%s: a value is missing; lists are written with %q between",
				key, text, list)
		default:
			values = append(values, part)
		}
	}
	return values, nil
}

func numbers(low, high int) (all []string) {
	for n := low; n <= high; n++ {
		all = append(all, strconv.Itoa(n))
	}
	return all
}

// Len returns the number of cells of the grid.
func (g Grid) Len() int {
	n := 1
	for _, a := range g.Axes {
		if n *= len(a.Values); n > mostCells {
			return n
		}
	}
	return n
}

// cells yields the values of each cell by axis, the last axis varying fastest, and its rules,
// which may not be playable.
func (g Grid) cells() iter.Seq2[[]string, digit.Rules] {
	return func(yield func([]string, digit.Rules) bool) {
		for i := range g.Len() {
			values, r := make([]string, len(g.Axes)), g.Base
			for at, a := range slices.Backward(g.Axes) {
				values[at] = a.Values[i%len(a.Values)]
				i /= len(a.Values)
				r, _ = r.With(a.Key, values[at]) // the value is valid
			}
			if !yield(values, r) {
				return
			}
		}
	}
}

// valueOf returns the value of a key.
func valueOf(r digit.Rules, key string) string {
	options := r.Options()
	is := func(o digit.Option) bool { return o.Key == key }
	return options[slices.IndexFunc(options, is)].Value
}

// A Count counts the cells of a grid that are left out.
type Count struct {
	Refused int   // rules that do not fit each other
	Why     error // the error of the first of those
	Same    int   // rules of the same game as another cell
	Far     int   // rules that differ from the book in too many keys
}

// Rules returns the games of a grid, each once. A positive within leaves out rules that differ
// from the book in more keys than that.
func (g Grid) Rules(within int) ([]digit.Rules, Count) {
	book := make([]string, len(g.Axes))
	for i, a := range g.Axes {
		book[i] = valueOf(g.Base, a.Key)
	}
	var all []digit.Rules
	var count Count
	seen := map[digit.Rules]bool{}
	for values, r := range g.cells() {
		differ := 0
		for i, value := range values {
			if value != book[i] {
				differ++
			}
		}
		normal, refused := r.Normal(), r.Check()
		switch {
		case within > 0 && differ > within:
			count.Far++
		case refused != nil:
			count.Refused++
			count.Why = cmp.Or(count.Why, refused)
		case seen[normal]:
			count.Same++
		default:
			seen[normal] = true
			all = append(all, normal)
		}
	}
	return all, count
}
