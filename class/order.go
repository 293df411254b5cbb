package class

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"digitduel/digit"
	"digitduel/match"
)

// A Format decides when the next games of a class begin.
type Format string

const (
	Flow   Format = "flow"   // anyone who is free plays on, until the time is up
	Rounds Format = "rounds" // everyone plays a game in each round
)

// Limits of a class.
const (
	MostPupils  = 200
	mostMinutes = 90
	mostRounds  = 9 // with more, rematches could not be avoided in a small class
	mostTitle   = 60
	mostWait    = Span(time.Minute)
	day         = 24 * time.Hour
	mostKeep    = Span(90 * day)
)

// A Span is a duration whose text may be in days, as in 2d.
type Span time.Duration

// String returns a span as in 2d or 30s.
func (s Span) String() string {
	if d := time.Duration(s); d == 0 || d%day != 0 {
		return d.String()
	}
	return fmt.Sprintf("%dd", time.Duration(s)/day)
}

// MarshalText implements [encoding.TextMarshaler].
func (s Span) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (s *Span) UnmarshalText(text []byte) error {
	if days, ok := strings.CutSuffix(string(text), "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 && n <= 1000 {
			*s = Span(time.Duration(n) * day)
			return nil
		}
	}
	d, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("time %.20q: allowed: a time such as 30s, 5m or 2d", text)
	}
	*s = Span(d)
	return nil
}

// An Order is the request for a class.
type Order struct {
	Title         string            `json:"title"`
	Rules         digit.Rules       `json:"rules"`
	Format        Format            `json:"format"`
	Minutes       int               `json:"minutes"` // from the start until no more games begin
	Rounds        int               `json:"rounds"`
	Auto          bool              `json:"auto"` // rounds begin by themselves
	Wait          Span              `json:"wait"` // flow pairs the free pupils this often
	TurnTime      Span              `json:"turn_time"`
	OnTimeout     match.TimeoutRule `json:"on_timeout"`
	Pair          *bool             `json:"pair,omitempty"` // nil: as the rules need it
	Swap          bool              `json:"swap,omitempty"`
	RandomOpening bool              `json:"random_opening,omitempty"`
	Names         []string          `json:"names,omitempty"` // the roster; none: any name
	Keep          Span              `json:"keep"`            // how long after its end
}

// DefaultOrder returns the order of a class for which nothing is chosen.
func DefaultOrder() Order {
	return Order{
		Title: "Digit Duel", Rules: digit.Fair[1].Rules, Format: Flow, Minutes: 25, Rounds: 5,
		Auto: true, Wait: Span(10 * time.Second), TurnTime: Span(30 * time.Second),
		OnTimeout: match.Random, Keep: Span(day),
	}
}

// Checked returns the order with a clean title and clean names, and with pair set. The error says
// what is allowed.
func (o Order) Checked() (Order, error) {
	o.Title = strings.Join(strings.Fields(digit.Printable(o.Title)), " ")
	if n := utf8.RuneCountInString(o.Title); n < 1 || n > mostTitle {
		return o, refuse(Invalid, "title of %d characters: allowed: 1 to %d", n, mostTitle)
	}
	if o.Pair == nil { // the starter wins the books
		pair := o.RandomOpening || slices.ContainsFunc(digit.Books[:],
			func(b digit.Book) bool { return b.Rules == o.Rules })
		o.Pair = &pair
	}
	if o.Format != Flow && o.Format != Rounds {
		return o, refuse(Invalid, "format %.20q: allowed: flow, rounds", o.Format)
	}
	err := cmp.Or(
		within("minutes", o.Minutes, 1, mostMinutes),
		within("rounds", o.Rounds, 1, mostRounds),
		within("names", len(o.Names), 0, MostPupils),
		within("wait", o.Wait, Span(time.Second), mostWait),
		within("keep", o.Keep, Span(day), mostKeep),
		within("turn_time", o.TurnTime, Span(match.MinTurnTime), Span(MostTurnTime)),
	)
	if err != nil {
		return o, err
	}
	if o.Names, err = cleanNames(o.Names); err != nil {
		return o, err
	}
	setup := o.Setup([2]string{"1", "2"})
	if err := cmp.Or(setup.Check(), setup.CheckEffect()); err != nil {
		return o, refuse(Invalid, "%v", err)
	}
	return o, nil
}

// within returns an error if a value is not allowed.
func within[T cmp.Ordered](name string, is, least, most T) error {
	if is < least || is > most {
		return refuse(Invalid, "%s %v: allowed: %v to %v", name, is, least, most)
	}
	return nil
}

// MostTurnTime bounds the games of a class, for which others wait.
const MostTurnTime = 5 * time.Minute

// cleanNames returns the names of a roster. Each must be there once.
func cleanNames(names []string) (clean []string, err error) {
	for i, text := range names {
		name, err := match.CleanName(text)
		switch {
		case err != nil:
			return nil, refuse(Invalid, "%v", err)
		case name == "":
			return nil, refuse(Invalid, "names: name %d is empty", i+1)
		case slices.ContainsFunc(clean, func(n string) bool { return strings.EqualFold(n, name) }):
			return nil, refuse(Invalid, "names: “%s” is there twice", name)
		}
		clean = append(clean, name)
	}
	return clean, nil
}

// Setup returns the setup of a table for two pupils, the first of whom starts.
func (o Order) Setup(names [2]string) match.Setup {
	return match.Setup{
		Rules: o.Rules, Names: names,
		Terms: match.Terms{
			TurnTime: time.Duration(o.TurnTime), OnTimeout: o.OnTimeout,
			Pair: *o.Pair, Swap: o.Swap,
		},
	}
}
