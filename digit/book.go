package digit

import (
	"slices"
	"strconv"
	"strings"
)

// The five rulebooks.
var (
	Dilemma      = Rules{Pool: zeroToNine, Place: Slots, Width: 3, Target: 7, Win: WhenFull, Zero: Inert, Final: FinalBy(Above, Lower)}
	Sevens       = Rules{Pool: zeroToNine, Place: Hand, Width: 3, Target: 7, Win: OnCall, Zero: Inert, Final: FinalBy(Nearest, Higher)}
	Highest      = Rules{Pool: oneToNine, Place: Slots, Width: 3, Final: FinalBy(Higher)}
	Divisibility = Rules{Pool: oneToNine, Place: Ends, Target: 7, Win: EachTurn, Final: FinalBy(Below)}
	Reverse      = Rules{Pool: oneToNine, Place: Slots, Width: 3, Final: FinalBy(Lower, Later)}
)

const (
	zeroToNine Pool = 1<<10 - 1
	oneToNine  Pool = zeroToNine &^ 1
)

// A Book is a rulebook: a name for some rules. Two books share a title, so names are needed.
type Book struct {
	Name  string
	Title string
	Rules Rules
}

// Books are the rulebooks, in the order in which they are listed to people.
var Books = []Book{
	{"dilemma", "Digit Dilemma", Dilemma},
	{"sevens", "Digit Duel", Sevens},
	{"highest", "Digit Duel", Highest},
	{"divisibility", "Divisibility Duel", Divisibility},
	{"reverse", "Reverse Digit Duel", Reverse},
}

// BookNames returns the names of the books.
func BookNames() []string {
	names := make([]string, len(Books))
	for i, b := range Books {
		names[i] = b.Name
	}
	return names
}

// Book returns the book that the rules differ least from: in the fewest keys, and then in the least of the final orders.
func (r Rules) Book() Book { return r.Closest(Books) }

// Closest returns the one of the books, of which there must be at least one, that the rules differ least from.
func (r Rules) Closest(books []Book) Book {
	return slices.MinFunc(books, func(a, b Book) int { return r.distance(a.Rules) - r.distance(b.Rules) })
}

func (r Rules) distance(from Rules) int {
	shared := 0
	for shared < len(r.Final) && r.Final[shared] == from.Final[shared] && r.Final[shared] != noOrder {
		shared++
	}
	differ := 0
	for _, k := range keys {
		if k.get(r) != k.get(from) {
			differ++
		}
	}
	return differ*(len(r.Final)+1) - shared
}

// A key is one option of the rules as text: key=value.
type key struct {
	name string
	get  func(Rules) string
	set  func(*Rules, string) error
}

// keys are the options in the order in which they are written.
var keys = []key{
	{"target", func(r Rules) string { return strconv.Itoa(int(r.Target)) }, func(r *Rules, text string) error {
		n, err := readNumber("target", text, MaxTarget, "2 to 9999, or 0 for none")
		r.Target = uint16(n)
		return err
	}},
	{"pool", func(r Rules) string { return r.Pool.String() }, func(r *Rules, text string) (err error) {
		r.Pool, err = ParsePool(text)
		return err
	}},
	{"zero", func(r Rules) string { return r.Zero.String() }, func(r *Rules, text string) (err error) {
		r.Zero, err = readName[Zero]("zero", text, zeroNames)
		return err
	}},
	{"width", func(r Rules) string { return strconv.Itoa(int(r.Width)) }, func(r *Rules, text string) error {
		n, err := readNumber("width", text, MaxWidth, "1 to 8, or 0 for as many digits as the pool gives")
		r.Width = uint8(n)
		return err
	}},
	{"place", func(r Rules) string { return r.Place.String() }, func(r *Rules, text string) (err error) {
		r.Place, err = readName[Place]("place", text, placeNames)
		return err
	}},
	{"win", func(r Rules) string { return r.Win.String() }, func(r *Rules, text string) (err error) {
		r.Win, err = readName[Win]("win", text, winNames)
		return err
	}},
	{"final", func(r Rules) string { return r.Final.String() }, func(r *Rules, text string) (err error) {
		r.Final, err = readFinal(text)
		return err
	}},
}

// Keys returns the names of the options in the order in which they are written.
func Keys() []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	return names
}

// Option is one key of the rules and its value, as text.
type Option struct{ Key, Value string }

// Options returns every key with its value.
func (r Rules) Options() []Option {
	options := make([]Option, len(keys))
	for i, k := range keys {
		options[i] = Option{k.name, k.get(r)}
	}
	return options
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
			return Final{}, &ParseError{"final", text, "allowed: draw, or one or more of " + strings.Join(orderNames[1:], ", ") + " with commas between"}
		}
		f[i] = o
	}
	return f, nil
}

// String returns the closest book and what differs from it, which [ParseRules] reads back: "divisibility target=11 pool=0-9".
func (r Rules) String() string {
	book := r.Book()
	var b strings.Builder
	b.WriteString(book.Name)
	for _, k := range keys {
		if value := k.get(r); value != k.get(book.Rules) {
			b.WriteString(" " + k.name + "=" + value)
		}
	}
	return b.String()
}

// ParseRules reads a book and options, in any order, and checks that they make a game.
// The error is a [*ParseError] where a word is wrong and a [*RulesError] where the options do not fit each other.
func ParseRules(text string) (Rules, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return Rules{}, &ParseError{"rules", text, "a book is missing; books: " + strings.Join(BookNames(), ", ")}
	}
	i := slices.IndexFunc(Books, func(b Book) bool { return b.Name == words[0] })
	if i < 0 {
		return Rules{}, &ParseError{"book", words[0], "there is no such book; books: " + strings.Join(BookNames(), ", ")}
	}
	r := Books[i].Rules
	given := map[string]bool{}
	for _, word := range words[1:] {
		name, value, ok := strings.Cut(word, "=")
		k := slices.IndexFunc(keys, func(k key) bool { return k.name == name })
		switch {
		case !ok || k < 0:
			return Rules{}, &ParseError{"option", word, "there is no such option; options are key=value with one of the keys " + strings.Join(Keys(), ", ")}
		case given[name]:
			return Rules{}, &ParseError{"option", word, name + " is given twice"}
		}
		given[name] = true
		if err := keys[k].set(&r, value); err != nil {
			return Rules{}, err
		}
	}
	if err := r.Check(); err != nil {
		return Rules{}, err
	}
	return r, nil
}

// AppendText implements [encoding.TextAppender].
func (r Rules) AppendText(b []byte) ([]byte, error) { return append(b, r.String()...), nil }

// MarshalText implements [encoding.TextMarshaler].
func (r Rules) MarshalText() ([]byte, error) { return r.AppendText(nil) }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (r *Rules) UnmarshalText(text []byte) (err error) {
	*r, err = ParseRules(string(text))
	return err
}
