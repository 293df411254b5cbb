package rulebook

import "digitduel/digit"

// An Option is one key of the rules, its value, and what it is for and may be.
type Option struct{ Key, Value, Note string }

// Options returns every key of the rules in the order in which they are written.
func Options(r digit.Rules) []Option {
	var options []Option
	for _, o := range r.Options() {
		options = append(options, Option{o.Key, o.Value, notes[o.Key]})
	}
	return options
}

var notes = map[string]string{
	"target": "whose multiples win: 2 to 9999, or 0 for none",
	"pool":   "the digits there are: 0-9, 1-9, 1-f, 2,4-8 …",
	"zero":   "a number that begins with 0: counts, inert, barred",
	"width":  "how many digits fill a number; 0: as many as the pool gives",
	"place":  "where a digit goes: slots, ends, hand",
	"win":    "when a number is tried: never, full, each, call",
	"final":  "what decides then: above below nearest higher lower later, or draw",
}
