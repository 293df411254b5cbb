package match

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"digitduel/digit"
)

// Terms is the agreement of the players in addition to the rules. It is embedded in all
// descriptions of a table, so it must have no String or Marshal method.
type Terms struct {
	BestOf    int           `json:"best_of,omitempty"`    // an odd number of games; 0: one game
	TurnTime  time.Duration `json:"turn_time,omitempty"`  // for each turn; 0: no clock
	OnTimeout TimeoutRule   `json:"on_timeout,omitempty"` // when TurnTime runs out
	AutoCall  bool          `json:"auto_call,omitempty"`  // the table calls for its players
	Hints     bool          `json:"hints,omitempty"`      // allowed from the start
	Targets   Targets       `json:"targets,omitzero"`     // of the games of a series, in turn
	Pair      bool          `json:"pair,omitempty"`       // two games, one started by each player
	Swap      bool          `json:"swap,omitempty"`       // the first move may be taken over
}

// Limits of the terms.
const (
	MaxBestOf   = 99
	MinTurnTime = time.Second
	MaxTurnTime = 24 * time.Hour
)

// An Option is one of the terms as text.
type Option struct {
	Name    string // as flags and tags spell it: auto-call
	Kind    string // bool, int, duration or string
	Allowed string // the allowed values, for errors
	// Get returns the value, or "" for the zero value.
	Get func(Terms) string
	// Set parses a value; "" is the zero value.
	Set func(t *Terms, text string) error
	// Moot explains why the value has no effect; it returns "" if it has one.
	Moot func(Terms, digit.Rules) string
}

// Key returns the name of the option in JSON and in forms.
func (o Option) Key() string { return strings.ReplaceAll(o.Name, "-", "_") }

// BadValue returns the error for a value in JSON or in a form that Set cannot parse.
func (o Option) BadValue(text string) error {
	return fmt.Errorf("%s %.60q: allowed: %s", o.Key(), text, o.Allowed)
}

// Options has an entry for each of the terms, in the order of the tags of a record.
var Options = []Option{
	option("best-of", "int", "a whole number", func(t *Terms) *int { return &t.BestOf },
		strconv.Itoa, strconv.Atoi, nil),
	option("turn-time", "duration", "a time such as 30s or 2m",
		func(t *Terms) *time.Duration { return &t.TurnTime },
		time.Duration.String, time.ParseDuration, nil),
	option("on-timeout", "string", strings.Join(timeoutNames, ", "),
		func(t *Terms) *TimeoutRule { return &t.OnTimeout },
		TimeoutRule.String, ParseTimeoutRule, func(t Terms, _ digit.Rules) string {
			return unless(t.TurnTime != 0, "time-out rule %v has no effect without a turn time; "+
				"set a turn time, or leave it out", t.OnTimeout)
		}),
	flag("auto-call", func(t *Terms) *bool { return &t.AutoCall },
		func(_ Terms, r digit.Rules) string {
			return unless(r.Win == digit.OnCall,
				"auto-call: there are no calls in %v; leave it out, or play with win=call", r)
		}),
	flag("hints", func(t *Terms) *bool { return &t.Hints }, nil),
	option("targets", "string", allowedTargets, func(t *Terms) *Targets { return &t.Targets },
		Targets.String, ParseTargets, func(t Terms, r digit.Rules) string {
			if t.BestOf > 1 {
				return unless(r.Target != 0,
					"targets %v: %v has no target; leave them out", t.Targets, r)
			}
			return fmt.Sprintf("targets %v: there is only one game; "+
				"set the length of a series, or a target in the rules", t.Targets)
		}),
	flag("pair", func(t *Terms) *bool { return &t.Pair }, nil),
	flag("swap", func(t *Terms) *bool { return &t.Swap }, nil),
}

// unless returns "" if effect is true, and else the formatted reason.
func unless(effect bool, format string, args ...any) string {
	if effect {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// option returns the Option of a field of Terms.
func option[T comparable](
	name, kind, allowed string, field func(*Terms) *T, write func(T) string,
	read func(string) (T, error), moot func(Terms, digit.Rules) string,
) Option {
	var zero T
	return Option{
		Name: name, Kind: kind, Allowed: allowed, Moot: moot,
		Get: func(t Terms) string {
			if v := *field(&t); v != zero {
				return write(v)
			}
			return ""
		},
		Set: func(t *Terms, text string) error {
			if text == "" {
				*field(t) = zero
				return nil
			}
			v, err := read(text)
			if err != nil && kind != "string" { // errors of strings are complete
				err = fmt.Errorf("%s %.60q: allowed: %s", name, text, allowed)
			}
			*field(t) = v
			return err
		},
	}
}

// flag returns the Option of a field that is on or off.
func flag(
	name string, field func(*Terms) *bool, moot func(Terms, digit.Rules) string,
) Option {
	read := func(text string) (bool, error) {
		if text == "on" || text == "off" {
			return text == "on", nil
		}
		return strconv.ParseBool(text)
	}
	return option(name, "bool", "on, off", field, func(bool) string { return "on" }, read, moot)
}

// FindOption returns the option with this name, or a zero Option.
func FindOption(name string) (found Option) {
	for _, o := range Options {
		if o.Name == name {
			found = o
		}
	}
	return found
}

// Effective returns the terms without those that have no effect with rules r.
func (t Terms) Effective(r digit.Rules) Terms {
	for _, o := range Options {
		if o.Moot != nil && o.Moot(t, r) != "" {
			_ = o.Set(&t, "") // the zero value is allowed
		}
	}
	return t
}

// Length returns the length of a series: an odd number of games, 2 for a pair, or 0 for one game.
func (t Terms) Length() int {
	if t.Pair {
		return 2
	}
	return t.BestOf
}

// check returns an error if the terms are not allowed.
func (t Terms) check() error {
	switch {
	case t.OnTimeout > Random:
		return fmt.Errorf("time-out rule %d: allowed: %d, %d", t.OnTimeout, Lose, Random)
	case t.BestOf < 0 || t.BestOf > MaxBestOf || t.BestOf > 0 && t.BestOf%2 == 0:
		return fmt.Errorf("best of %d: allowed: an odd number of games from 1 to %d",
			t.BestOf, MaxBestOf)
	case t.Pair && t.BestOf != 0:
		return fmt.Errorf("a pair and best of %d: allowed: one of them; a pair is two games",
			t.BestOf)
	case t.TurnTime != 0 && (t.TurnTime < MinTurnTime || t.TurnTime > MaxTurnTime):
		return fmt.Errorf("turn time %v: allowed: %v to %v, or 0 for no clock",
			t.TurnTime, MinTurnTime, MaxTurnTime)
	}
	return nil
}
