package digit

import (
	"slices"
	"strconv"
	"strings"
)

// A key is one option of the rules as text: key=value.
type key struct {
	name   string
	get    func(Rules) string
	set    func(*Rules, string) error
	values []string // all of them, if there is a fixed list
}

// keys lists the options in the order of their text form.
var keys = []key{
	numbered("target", MaxTarget, "2 to 9999, or 0 for none",
		func(r *Rules) *uint16 { return &r.Target }),
	{
		"pool",
		func(r Rules) string { return r.Pool.String() },
		func(r *Rules, text string) (err error) {
			r.Pool, err = ParsePool(text)
			return err
		},
		nil,
	},
	named("zero", zeroNames, func(r *Rules) *Zero { return &r.Zero }),
	numbered("width", MaxWidth, "1 to 8, or 0 for as many digits as the pool gives",
		func(r *Rules) *uint8 { return &r.Width }),
	named("place", placeNames, func(r *Rules) *Place { return &r.Place }),
	named("win", winNames, func(r *Rules) *Win { return &r.Win }),
	{
		"final",
		func(r Rules) string { return r.Final.String() },
		func(r *Rules, text string) (err error) {
			r.Final, err = readFinal(text)
			return err
		},
		orderNames,
	},
}

// numbered returns the key of a field that holds a number.
func numbered[T uint8 | uint16](name string, most uint64, allowed string,
	field func(*Rules) *T) key {
	return key{
		name,
		func(r Rules) string { return strconv.Itoa(int(*field(&r))) },
		func(r *Rules, text string) error {
			n, err := strconv.ParseUint(text, 10, 16)
			if err != nil || n > most {
				return &ParseError{name, text, "allowed: " + allowed}
			}
			*field(r) = T(n)
			return nil
		},
		nil,
	}
}

// named returns the key of a field whose values have names.
func named[T ~uint8](name string, names []string, field func(*Rules) *T) key {
	return key{
		name,
		func(r Rules) string { return NameOf(names, *field(&r)) },
		func(r *Rules, text string) (err error) {
			*field(r), err = ReadName[T](name, text, names)
			return err
		},
		names,
	}
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
	for _, k := range keys {
		if k.name == key {
			return slices.Clone(k.values)
		}
	}
	return nil
}

// NameOf returns the name of a value, which is its index in names.
func NameOf[T ~uint8](names []string, value T) string {
	if int(value) < len(names) {
		return names[value]
	}
	return strconv.Itoa(int(value)) + "?"
}

// ReadName returns the value with a name. It undoes [NameOf]. The error is a [*ParseError].
func ReadName[T ~uint8](what, text string, names []string) (T, error) {
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
		o, err := ReadName[Order]("final", name, orderNames)
		if err != nil || o == noOrder {
			return Final{}, &ParseError{"final", text, "allowed: draw, or one or more of " +
				strings.Join(orderNames[1:], ", ") + " with commas between"}
		}
		f[i] = o
	}
	return f, nil
}
