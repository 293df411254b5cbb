package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"digitduel/digit"
)

// A ruleBug changes the rules that an engine plays, and reports whether it did.
type ruleBug struct {
	name   string
	change func(*digit.Rules) bool
}

// without returns a bug that ignores an order of final.
func without(o digit.Order) ruleBug {
	return ruleBug{"final without " + o.String(), func(r *digit.Rules) bool {
		return exchange(r, o, 0)
	}}
}

// exchange replaces an order of final, or removes it.
func exchange(r *digit.Rules, old, changed digit.Order) bool {
	var orders []digit.Order
	found := false
	for _, o := range r.Final {
		switch {
		case o == old && o != 0:
			found = true
			if changed != 0 {
				orders = append(orders, changed)
			}
		case o != 0 && o != changed:
			orders = append(orders, o)
		}
	}
	r.Final = digit.FinalBy(orders...)
	return found
}

// bugWhere returns a bug that changes only some rules.
func bugWhere(
	name string, where func(digit.Rules) bool, change func(*digit.Rules),
) ruleBug {
	return ruleBug{name, func(r *digit.Rules) bool {
		if !where(*r) {
			return false
		}
		change(r)
		return true
	}}
}

func zero(place digit.Place, from, to digit.Zero) ruleBug {
	return bugWhere(fmt.Sprintf("zero=%v as %v with %v", from, to, place),
		func(r digit.Rules) bool { return r.Place == place && r.Zero == from },
		func(r *digit.Rules) { r.Zero = to })
}

func win(place digit.Place, from, to digit.Win) ruleBug {
	return bugWhere(fmt.Sprintf("win=%v as %v with %v", from, to, place),
		func(r digit.Rules) bool { return r.Place == place && r.Win == from },
		func(r *digit.Rules) { r.Win = to })
}

// ruleBugs lists bugs in final, zero and win. Each affects only some rulesets.
var ruleBugs = []ruleBug{
	without(digit.Above), without(digit.Below), without(digit.Nearest), without(digit.Higher),
	without(digit.Lower), without(digit.Later),
	{"final=nearest as above", func(r *digit.Rules) bool {
		return exchange(r, digit.Nearest, digit.Above)
	}},
	{"final=later as higher", func(r *digit.Rules) bool {
		return exchange(r, digit.Later, digit.Higher)
	}},
	bugWhere("final with only two orders", func(r digit.Rules) bool { return r.Final[2] != 0 },
		func(r *digit.Rules) { r.Final[2] = 0 }),
	bugWhere("final with only one order", func(r digit.Rules) bool { return r.Final[1] != 0 },
		func(r *digit.Rules) { r.Final = digit.FinalBy(r.Final[0]) }),
	bugWhere("final of hands", func(r digit.Rules) bool {
		return r.Place == digit.Hand && r.Final == digit.FinalBy(digit.Higher)
	}, func(r *digit.Rules) { r.Final = digit.FinalBy(digit.Lower) }),
	zero(digit.Slots, digit.Inert, digit.Counts), zero(digit.Slots, digit.Barred, digit.Inert),
	zero(digit.Slots, digit.Counts, digit.Inert), zero(digit.Ends, digit.Barred, digit.Counts),
	zero(digit.Ends, digit.Inert, digit.Counts), zero(digit.Hand, digit.Counts, digit.Inert),
	zero(digit.Hand, digit.Inert, digit.Counts),
	win(digit.Slots, digit.WhenFull, digit.Never), win(digit.Ends, digit.WhenFull, digit.EachTurn),
	win(digit.Ends, digit.EachTurn, digit.WhenFull), win(digit.Hand, digit.OnCall, digit.Never),
	win(digit.Ends, digit.Never, digit.EachTurn),
}

func init() {
	for i, bug := range ruleBugs {
		defects[fmt.Sprint("rules ", i)] = defect{in: func(line string) string {
			text, ok := strings.CutPrefix(line, "setoption name Rules value ")
			if !ok {
				return line
			}
			r, err := digit.ParseRules(text)
			if err != nil || !bug.change(&r) {
				return line
			}
			return "setoption name Rules value " + r.Normal().String() + "\n"
		}}
	}
	// The other engines have a bug in one position, or ignore all rules.
	defects["one"] = defect{in: func(line string) string {
		return strings.Replace(line, "position fen 1_/2_", "position fen 1_/3_", 1)
	}}
	defects["dies at one"] = defect{in: exitOn("position fen 1_/2_", 3)}
	defects["ignores rules"] = defect{in: func(line string) string {
		return strings.Replace(line, "setoption name Rules", "setoption name Nothing", 1)
	}}
}

// firstFailure returns the first failure of a check, or the last finding if there is none.
func firstFailure(t *testing.T, fault string, config CheckConfig) (f Finding) {
	t.Helper()
	config.Process = ProcessConfig{Wait: time.Minute}
	for f = range Check(t.Context(), faultyCommand(fault), config) {
		if f.Err != nil {
			return f
		}
	}
	return f
}

// TestRuleBugs checks that random rules find bugs in final, zero and win that affect few rulesets,
// and that the rules are reduced to a few keys that still show the bug.
func TestRuleBugs(t *testing.T) {
	for i, bug := range ruleBugs {
		if i%12 != 0 && !nightly {
			continue
		}
		f := firstFailure(t, fmt.Sprint("rules-", i), CheckConfig{Random: 200, Seed: 1})
		if f.Err == nil {
			t.Errorf("%s: not found: %s", bug.name, f.Note)
			continue
		}
		r, err := digit.ParseRules(f.Point)
		if changed := r; err != nil || !bug.change(&changed) {
			t.Errorf("%s: found in %s, which it does not affect: %v", bug.name, f.Point, f.Err)
		}
		if keys := strings.Count(f.Point, "="); keys > 4 {
			t.Errorf("%s: found in %s, with %d keys", bug.name, f.Point, keys)
		}
	}
}

// TestWalk runs checks of every position and of random rules, with and without a bug.
func TestWalk(t *testing.T) {
	small, err := digit.ParseRules("highest pool=1-6 width=2")
	if err != nil {
		t.Fatal(err)
	}
	all := CheckConfig{All: true, Rules: []digit.Rules{small}}
	for _, test := range []struct {
		fault    string
		config   CheckConfig
		want     string // the error, or the note
		dialogue string
	}{
		{"honest", all, "733 positions, and the value of 373 of them", ""},
		{"one", all, `query legal: 3b is missing in 1_/2_ of highest pool=1-6 width=2 after 1a 2a, want ` +
			`"3b 4b 5b 6b"; differences in 733 positions: legal 1, result 0, value 0`,
			"> position fen 1_/2_|> query legal|< response 2b 4b 5b 6b"},
		{"dies-at-one", all, "query ", "> position fen "},
		{"honest", CheckConfig{Random: 3, Seed: 1}, "3 rulesets, ", ""},
		{"ignores-rules", CheckConfig{Random: 10, Seed: 1}, "query ", "> position fen "},
	} {
		f := firstFailure(t, test.fault, test.config)
		got := f.Note
		if f.Err != nil {
			got = f.Err.Error()
		}
		if dialogue := strings.Join(f.Dialogue, "|"); !strings.HasPrefix(got, test.want) ||
			!strings.HasPrefix(dialogue, test.dialogue) {
			t.Errorf("%s: %s\n%s\nwant %s\n%s", test.fault, got, dialogue, test.want, test.dialogue)
		}
	}
	combo := Finding{}
	needPython(t)
	for combo = range Check(t.Context(), "python3 ../../examples/engine.py", CheckConfig{Random: 3}) {
	}
	if !combo.Skipped {
		t.Errorf("random rules with an engine that plays three games: got %+v, want it skipped",
			combo)
	}
}
