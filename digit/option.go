package digit

import (
	"slices"
	"strconv"
	"strings"
)

// A key is one option of the rules as text: key=value.
type key struct {
	name string
	get  func(Rules) string
	set  func(*Rules, string) error
}

// keys lists the options in the order of their text form.
var keys = []key{
	{
		"target",
		func(r Rules) string { return strconv.Itoa(int(r.Target)) },
		func(r *Rules, text string) error {
			n, err := readNumber("target", text, MaxTarget, "2 to 9999, or 0 for none")
			r.Target = uint16(n)
			return err
		},
	},
	{
		"pool",
		func(r Rules) string { return r.Pool.String() },
		func(r *Rules, text string) (err error) {
			r.Pool, err = ParsePool(text)
			return err
		},
	},
	{
		"zero",
		func(r Rules) string { return r.Zero.String() },
		func(r *Rules, text string) (err error) {
			r.Zero, err = readName[Zero]("zero", text, zeroNames)
			return err
		},
	},
	{
		"width",
		func(r Rules) string { return strconv.Itoa(int(r.Width)) },
		func(r *Rules, text string) error {
			n, err := readNumber("width", text, MaxWidth,
				"1 to 8, or 0 for as many digits as the pool gives")
			r.Width = uint8(n)
			return err
		},
	},
	{
		"place",
		func(r Rules) string { return r.Place.String() },
		func(r *Rules, text string) (err error) {
			r.Place, err = readName[Place]("place", text, placeNames)
			return err
		},
	},
	{
		"win",
		func(r Rules) string { return r.Win.String() },
		func(r *Rules, text string) (err error) {
			r.Win, err = readName[Win]("win", text, winNames)
			return err
		},
	},
	{
		"final",
		func(r Rules) string { return r.Final.String() },
		func(r *Rules, text string) (err error) {
			r.Final, err = readFinal(text)
			return err
		},
	},
}

// Keys returns the names of the options in the order of their text form.
func Keys() []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	return names
}

// An Option is one key of the rules and its value, as text.
type Option struct{ Key, Value string }

// Options returns every key with its value.
func (r Rules) Options() []Option {
	options := make([]Option, len(keys))
	for i, k := range keys {
		options[i] = Option{k.name, k.get(r)}
	}
	return options
}

// With returns the rules with another value for one key. It does not check that the keys fit each
// other; [Rules.Check] does. The error is a [*ParseError].
func (r Rules) With(key, value string) (Rules, error) {
	for _, k := range keys {
		if k.name == key {
			err := k.set(&r, value)
			return r, err
		}
	}
	return r, noOption(key + "=" + value)
}

func noOption(word string) error {
	return &ParseError{"option", word,
		"no such option; options are key=value with one of the keys " +
			strings.Join(Keys(), ", ")}
}

// Values returns the values of an option with a fixed list of them, or nil for the others.
func Values(key string) []string {
	switch key {
	case "zero":
		return slices.Clone(zeroNames)
	case "place":
		return slices.Clone(placeNames)
	case "win":
		return slices.Clone(winNames)
	case "final":
		return slices.Clone(orderNames)
	}
	return nil
}

func readNumber(what, text string, most int, allowed string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || int(n) > most {
		return 0, &ParseError{what, text, "allowed: " + allowed}
	}
	return int(n), nil
}

func readName[T ~uint8](what, text string, names []string) (T, error) {
	i := slices.Index(names, text)
	if i < 0 {
		return 0, &ParseError{what, text, "allowed: " + strings.Join(names, ", ")}
	}
	return T(i), nil
}

func readFinal(text string) (Final, error) {
	if text == orderNames[noOrder] {
		return Final{}, nil
	}
	names := strings.Split(text, ",")
	var f Final
	if len(names) > len(f) {
		return f, &ParseError{"final", text, "at most " + strconv.Itoa(len(f)) + " orders"}
	}
	for i, name := range names {
		o, err := readName[Order]("final", name, orderNames)
		if err != nil || o == noOrder {
			return Final{}, &ParseError{"final", text, "allowed: draw, or one or more of " +
				strings.Join(orderNames[1:], ", ") + " with commas between"}
		}
		f[i] = o
	}
	return f, nil
}
