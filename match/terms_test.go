package match

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"digitduel/digit"

	"github.com/google/go-cmp/cmp"
)

// flatSetup is a Setup with all terms at its top level, which is how its JSON looks.
type flatSetup struct {
	Rules     digit.Rules   `json:"rules"`
	Names     [2]string     `json:"names"`
	First     Seat          `json:"first,omitempty"`
	BestOf    int           `json:"best_of,omitempty"`
	TurnTime  time.Duration `json:"turn_time,omitempty"`
	OnTimeout TimeoutRule   `json:"on_timeout,omitempty"`
	FreeUndo  bool          `json:"free_undo,omitempty"`
	Levels    [2]string     `json:"levels,omitzero"`
	Open      [2]bool       `json:"open,omitzero"`
	Listed    bool          `json:"listed,omitempty"`
	Hints     bool          `json:"hints,omitempty"`
	AutoCall  bool          `json:"auto_call,omitempty"`
	Pair      bool          `json:"pair,omitempty"`
	Swap      bool          `json:"swap,omitempty"`
	Targets   Targets       `json:"targets,omitzero"`
	Openings  Openings      `json:"openings,omitempty"`
	Seals     [2]string     `json:"seals,omitzero"`
	Agent     Agent         `json:"agent,omitzero"`
	Class     string        `json:"class,omitempty"`
}

// allTerms has a nonzero value for each of the terms. They are not allowed together.
var allTerms = Terms{
	BestOf: 3, TurnTime: 90 * time.Second, OnTimeout: Random, AutoCall: true, Hints: true,
	Targets: Targets{11, 13}, Pair: true, Swap: true,
}

// TestSetupsAreWrittenAsBefore compares the JSON of setups with that of older programs.
func TestSetupsAreWrittenAsBefore(t *testing.T) {
	t.Parallel()
	for _, terms := range append(oneTermEach(t), Terms{}, allTerms) {
		s := Setup{
			Rules: digit.Sevens, Names: [2]string{"Ada", ""}, First: Two, Terms: terms, FreeUndo: true,
			Levels: [2]string{"", "casual"}, Open: [2]bool{true}, Listed: true, Openings: "7a",
			Seals: [2]string{"x"}, Agent: Agent{Tries: 3},
		}
		old := flatSetup{
			s.Rules, s.Names, s.First, s.BestOf, s.TurnTime, s.OnTimeout, s.FreeUndo, s.Levels, s.Open,
			s.Listed, s.Hints, s.AutoCall, s.Pair, s.Swap, s.Targets, s.Openings, s.Seals, s.Agent,
			s.Class,
		}
		if diff := cmp.Diff(keysAndValues(t, old), keysAndValues(t, s)); diff != "" {
			t.Errorf("%+v: %s", terms, diff)
		}
		text, err := json.Marshal(old)
		if err != nil {
			t.Fatal(err)
		}
		var read Setup
		if err := json.Unmarshal(text, &read); err != nil || read != s {
			t.Errorf("%s: got %+v, %v", text, read, err)
		}
	}
}

func keysAndValues(t *testing.T, v any) (all map[string]any) {
	t.Helper()
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// oneTermEach returns, for every option, terms with only that option set.
func oneTermEach(t *testing.T) (all []Terms) {
	t.Helper()
	for _, o := range Options {
		var one Terms
		if err := o.Set(&one, o.Get(allTerms)); err != nil {
			t.Errorf("%s: %v", o.Name, err)
		}
		all = append(all, one)
	}
	return all
}

// TestOptions compares the table of options with the fields of Terms: each field has one option,
// with the name of its JSON key, that can parse the value it prints.
func TestOptions(t *testing.T) {
	t.Parallel()
	kind := reflect.TypeFor[Terms]()
	if len(Options) != kind.NumField() {
		t.Fatalf("%d options for %d fields", len(Options), kind.NumField())
	}
	for i := range kind.NumField() {
		if reflect.ValueOf(allTerms).Field(i).IsZero() {
			t.Errorf("allTerms has no %s", kind.Field(i).Name)
		}
	}
	for i, one := range oneTermEach(t) {
		o := Options[i]
		key, _, _ := strings.Cut(kind.Field(i).Tag.Get("json"), ",")
		if o.Key() != key {
			t.Errorf("option %s is field %s", o.Name, key)
		}
		got, want := reflect.ValueOf(one), reflect.ValueOf(allTerms)
		for j := range kind.NumField() {
			is := got.Field(j).Interface()
			if i == j && is != want.Field(j).Interface() || i != j && !got.Field(j).IsZero() {
				t.Errorf("%s sets %s to %v", o.Name, kind.Field(j).Name, is)
			}
		}
		if err := o.Set(&one, "?"); err == nil || !strings.HasSuffix(err.Error(), `"?": allowed: `+o.Allowed) {
			t.Errorf("%s: %v", o.Name, err)
		}
		if err := o.Set(&one, ""); err != nil || one != (Terms{}) {
			t.Errorf("%s is still set: %+v, %v", o.Name, one, err)
		}
	}
}

// TestEffectiveTerms checks that Effective removes exactly the terms that CheckEffect refuses.
func TestEffectiveTerms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		r     digit.Rules
		terms Terms
		want  Terms
	}{
		{digit.Dilemma, Terms{OnTimeout: Random}, Terms{}},
		{
			digit.Dilemma, Terms{OnTimeout: Random, TurnTime: time.Minute},
			Terms{OnTimeout: Random, TurnTime: time.Minute},
		},
		{digit.Dilemma, Terms{AutoCall: true}, Terms{}},
		{digit.Sevens, Terms{AutoCall: true}, Terms{AutoCall: true}},
		{digit.Dilemma, Terms{Targets: Targets{11, 13}}, Terms{}},
		{
			digit.Dilemma, Terms{Targets: Targets{11, 13}, BestOf: 3},
			Terms{Targets: Targets{11, 13}, BestOf: 3},
		},
		{digit.Highest, Terms{Targets: Targets{11, 13}, BestOf: 3}, Terms{BestOf: 3}},
	} {
		got := c.terms.Effective(c.r)
		if got != c.want {
			t.Errorf("%v %+v: %+v, want %+v", c.r, c.terms, got, c.want)
		}
		err := Setup{Rules: c.r, Terms: c.terms}.CheckEffect()
		if (err == nil) != (got == c.terms) {
			t.Errorf("%v %+v: %v", c.r, c.terms, err)
		}
	}
}
