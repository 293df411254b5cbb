package digit

import (
	"slices"
	"strings"
)

// The five rulebooks.
var (
	Dilemma = Rules{
		Pool: zeroToNine, Place: Slots, Width: 3, Target: 7,
		Win: WhenFull, Zero: Inert, Final: FinalBy(Above, Lower),
	}
	Sevens = Rules{
		Pool: zeroToNine, Place: Hand, Width: 3, Target: 7,
		Win: OnCall, Zero: Inert, Final: FinalBy(Nearest, Higher),
	}
	Highest = Rules{
		Pool: oneToNine, Place: Slots, Width: 3, Final: FinalBy(Higher),
	}
	Divisibility = Rules{
		Pool: oneToNine, Place: Ends, Target: 7, Win: EachTurn, Final: FinalBy(Below),
	}
	Reverse = Rules{
		Pool: oneToNine, Place: Slots, Width: 3, Final: FinalBy(Lower, Later),
	}
)

const (
	zeroToNine Pool = 1<<10 - 1
	oneToNine  Pool = zeroToNine &^ 1
)

// A Book is a rulebook or one of the [Fair] games: rules with a name and a title. The name is
// unique; two books share a title.
type Book struct {
	Name  string
	Title string
	Rules Rules
}

// Books lists the rulebooks in display order.
var Books = []Book{
	{"dilemma", "Digit Dilemma", Dilemma},
	{"sevens", "Digit Duel", Sevens},
	{"highest", "Digit Duel", Highest},
	{"divisibility", "Divisibility Duel", Divisibility},
	{"reverse", "Reverse Digit Duel", Reverse},
}

// BookNames returns the names of the books.
func BookNames() []string { return namesOf(Books) }

// FairNames returns the names of the fair games.
func FairNames() []string { return namesOf(Fair) }

// AllBooks returns the rulebooks, and then the fair games.
func AllBooks() []Book { return slices.Concat(Books, Fair) }

// AllNames returns the names of all books and fair games.
func AllNames() []string { return namesOf(AllBooks()) }

func namesOf(books []Book) []string {
	names := make([]string, len(books))
	for i, b := range books {
		names[i] = b.Name
	}
	return names
}

// FindBook returns the book or fair game with a name, ignoring case. The error is a
// [*ParseError].
func FindBook(name string) (Book, error) {
	for _, b := range AllBooks() {
		if strings.EqualFold(b.Name, name) {
			return b, nil
		}
	}
	return Book{}, &ParseError{"book", name, "no such book; " + bookList()}
}

func bookList() string {
	return "books: " + strings.Join(BookNames(), ", ") +
		"; fair games: " + strings.Join(FairNames(), ", ")
}

// Book returns the closest of [Books]: see [Rules.Closest].
func (r Rules) Book() Book { return r.Closest(Books) }

// Closest returns the book that differs from the rules in the fewest keys, and then in the fewest
// final orders. There must be at least one book.
func (r Rules) Closest(books []Book) Book {
	return slices.MinFunc(books, func(a, b Book) int {
		return r.distance(a.Rules) - r.distance(b.Rules)
	})
}

// distance returns a measure of the differences between two rules, in which one key outweighs any
// difference in the final orders.
func (r Rules) distance(from Rules) int {
	shared, both := 0, 0 // the final orders in a common prefix, and those in both
	for shared < len(r.Final) && r.Final[shared] == from.Final[shared] &&
		r.Final[shared] != noOrder {
		shared++
	}
	for _, o := range r.Final.orders() {
		if from.Final.Has(o) {
			both++
		}
	}
	differ := 0
	for _, one := range [...]bool{
		r.Target != from.Target,
		r.Pool != from.Pool,
		r.Zero != from.Zero && !r.zeroMoot(),
		r.Width != from.Width,
		r.Place != from.Place,
		r.Win != from.Win,
		r.Final != from.Final,
	} {
		if one {
			differ++
		}
	}
	most := len(r.Final) + 1
	return (differ*most-shared)*most - both
}

// String returns the closest book and the differences from it, "divisibility target=11 pool=0-9",
// which [ParseRules] reads back.
func (r Rules) String() string {
	r = r.Normal()
	book := r.Book()
	var b strings.Builder
	b.WriteString(book.Name)
	for _, k := range keys {
		if k.name == "zero" && r.zeroMoot() {
			continue
		}
		if value := k.get(r); value != k.get(book.Rules) {
			b.WriteString(" " + k.name + "=" + value)
		}
	}
	return b.String()
}

// ParseRules parses a book or a fair game and options, in any order and case, checks that they
// make a playable game, and returns them as [Rules.Normal] does. The error is a [*ParseError] for
// a wrong word and a [*RulesError] for options that do not fit each other.
func ParseRules(text string) (Rules, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return Rules{}, &ParseError{"rules", text, "missing book name; " + bookList()}
	}
	book, err := FindBook(words[0])
	if err != nil {
		return Rules{}, err
	}
	r := book.Rules
	given := map[string]bool{}
	for _, word := range words[1:] {
		name, value, ok := strings.Cut(strings.ToLower(word), "=")
		switch {
		case !ok:
			return Rules{}, noOption(word)
		case given[name]:
			return Rules{}, &ParseError{"option", word, name + " is given twice"}
		}
		given[name] = true
		if r, err = r.With(name, value); err != nil {
			return Rules{}, err
		}
	}
	if err := r.Check(); err != nil {
		return Rules{}, err
	}
	return r.Normal(), nil
}

// MarshalText implements [encoding.TextMarshaler].
func (r Rules) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (r *Rules) UnmarshalText(text []byte) (err error) {
	*r, err = ParseRules(string(text))
	return err
}
