package tui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// Settings are the choices of a user, which the program remembers.
type Settings struct {
	Book string `json:"book"`
	// by book, if they differ from the usual ones
	Rules    map[string]digit.Rules `json:"rules,omitempty"`
	Opponent Opponent               `json:"opponent"`
	// the levels of the computers, by seat
	Levels [2]string `json:"levels"`
	// the names of the people, by seat; empty: Player 1, Player 2
	Names [2]string `json:"names"`
	// the names of the computers, by seat; empty: their levels
	BotNames [2]string `json:"bot_names,omitzero"`
	First    First     `json:"first"`
	match.Terms
	Hints         bool `json:"hints"`         // on request; not in Terms, which cannot store "off"
	RandomOpening bool `json:"lot,omitempty"` // the pair begins with a random opening
	Needs         bool `json:"needs"`         // show the digits that complete each number
	Analysis      bool `json:"analysis"`      // show the value of every digit

	Server string `json:"server,omitempty"` // the last server
	// the switches of the table that was left last
	Switches Switches `json:"switches,omitzero"`

	Colours Colours `json:"colours"`
	Signs   Signs   `json:"signs"`
	Plain   bool    `json:"plain"`  // start in line mode
	Motion  bool    `json:"motion"` // animate the screen
}

// Switches are the choices for the view of one table.
type Switches struct {
	Table    string `json:"table"` // its ID
	Needs    bool   `json:"needs,omitempty"`
	Analysis bool   `json:"analysis,omitempty"`
	Flip     bool   `json:"flip,omitempty"`
}

// Defaults returns the settings of a new user.
func Defaults() Settings {
	return Settings{
		Book: digit.Books[0].Name, Opponent: Computer, Levels: [2]string{
			"skilled", "casual",
		}, First: PlayerOne,
		Hints: true, Colours: AutoColours, Signs: AutoSigns, Motion: true,
	}
}

// SettingsOf returns settings for a table like another one, with the same starter.
func SettingsOf(s match.Setup) Settings {
	book := s.Rules.Named()
	w := Settings{
		Book: book.Name, Rules: map[string]digit.Rules{book.Name: s.Rules}, Names: s.Names,
		BotNames: s.Names, Levels: s.Levels, Opponent: Person, First: PlayerOne,
		Terms: s.Terms, Hints: s.Hints, RandomOpening: s.Openings != "",
	}
	w.Terms.Hints = false
	if s.First == match.Two {
		w.First = PlayerTwo
	}
	for opponent, seats := range computers {
		if seats == [2]bool{s.Levels[match.One] != "", s.Levels[match.Two] != ""} {
			w.Opponent = opponent
		}
	}
	return w
}

// An Opponent says who plays.
type Opponent string

const (
	Person        Opponent = "person"         // two people at this screen
	Computer      Opponent = "computer"       // a person, and a computer as Player 2
	ComputerFirst Opponent = "computer-first" // a person, and a computer as Player 1
	Watch         Opponent = "watch"          // two computers
)

// computers has the seats of computers.
var computers = map[Opponent][2]bool{
	Computer: {match.Two: true}, ComputerFirst: {match.One: true}, Watch: {true, true},
}

// First says who starts the first game.
type First string

const (
	PlayerOne First = "1"
	PlayerTwo First = "2"
	CoinToss  First = "random"
)

// Colours says which colours are used.
type Colours string

const (
	AutoColours Colours = "auto" // those of the terminal
	DarkColours Colours = "dark"
	PaleColours Colours = "light"
	NoColours   Colours = "none"
)

// Signs says which characters are used.
type Signs string

const (
	AutoSigns    Signs = "auto" // those that the terminal can show
	UnicodeSigns Signs = "unicode"
	ASCIISigns   Signs = "ascii"
)

// The values to choose from.
var (
	// the setup page shows the third as Computer, since it asks for the starter separately
	opponents = []Opponent{Person, Computer, ComputerFirst, Watch}
	firsts    = []First{PlayerOne, PlayerTwo, CoinToss}
	colours   = []Colours{AutoColours, DarkColours, PaleColours, NoColours}
	signs     = []Signs{AutoSigns, UnicodeSigns, ASCIISigns}
)

// among returns a value if it is in a list, else another one.
func among[T comparable](list []T, wish, other T) T {
	if slices.Contains(list, wish) {
		return wish
	}
	return other
}

// ParseSettings parses saved settings. Missing and invalid values are the defaults.
func ParseSettings(text []byte) (Settings, error) {
	w := Defaults()
	if len(text) == 0 {
		return w, nil
	}
	if err := json.Unmarshal(text, &w); err != nil {
		return Defaults(), fmt.Errorf("remembered choices: %w", err)
	}
	return w.mended(), nil
}

// mended returns the settings with defaults in place of invalid values.
func (w Settings) mended() Settings {
	d := Defaults()
	w.Book = book(w.Book).Name
	w.Opponent, w.First = among(opponents, w.Opponent, d.Opponent), among(firsts, w.First, d.First)
	w.Colours, w.Signs = among(colours, w.Colours, d.Colours), among(signs, w.Signs, d.Signs)
	for i, name := range w.Levels {
		w.Levels[i] = among(bot.LevelNames(), name, d.Levels[i])
	}
	setup := match.Setup{Rules: book(w.Book).Rules, Names: w.Names}
	if setup.Check() != nil {
		w.Names, setup.Names = d.Names, d.Names
	}
	setup.BestOf, setup.TurnTime = w.BestOf, w.TurnTime
	if setup.Check() != nil {
		w.BestOf, w.TurnTime = d.BestOf, d.TurnTime
	}
	if w.Pair = w.Pair || w.RandomOpening; w.Pair {
		w.BestOf = 0
	}
	for name, rules := range w.Rules {
		if rules.Check() != nil || book(name).Name != name {
			delete(w.Rules, name)
		}
	}
	return w
}

// Text returns the settings as ParseSettings reads them.
func (w Settings) Text() []byte {
	text, _ := json.MarshalIndent(w, "", "  ") // every value has a text
	return append(text, '\n')
}

// same reports whether two settings are equal.
func (w Settings) same(v Settings) bool {
	return bytes.Equal(w.Text(), v.Text())
}

// book returns the book or the fair game of a name, or the first book.
func book(name string) digit.Book {
	b, err := digit.FindBook(name)
	if err != nil {
		return digit.Books[0]
	}
	return b
}

// isFair reports whether a book is one of the fair games.
func isFair(b digit.Book) bool { return slices.Contains(digit.FairNames(), b.Name) }

// usual returns the default rules of a book. Where players agree on a target, it is the one of the
// longer game, unless the game is fair without it.
func usual(book digit.Book) digit.Rules {
	if isFair(book) {
		return book.Rules
	}
	return rulebook.Usual(book.Rules)
}

// RulesFor returns the rules that are chosen for a book.
func (w Settings) RulesFor(book digit.Book) digit.Rules {
	if r, ok := w.Rules[book.Name]; ok {
		return r
	}
	return usual(book)
}

// withRules returns the settings with other rules for a book.
func (w Settings) withRules(book digit.Book, r digit.Rules) Settings {
	rules := map[string]digit.Rules{}
	maps.Copy(rules, w.Rules)
	if rules[book.Name] = r; r == usual(book) {
		delete(rules, book.Name)
	}
	w.Rules = rules
	return w
}

// A length is the number of games of a series, and how they begin.
type length struct {
	bestOf              int
	pair, randomOpening bool
}

// lengths are the lengths on offer.
var lengths = []length{
	{}, {pair: true}, {pair: true, randomOpening: true}, {bestOf: 3}, {bestOf: 5}, {bestOf: 7},
	{bestOf: 9}, {bestOf: 11}, {bestOf: 21}, {bestOf: 99},
}

func (w Settings) length() length { return length{w.BestOf, w.Pair, w.RandomOpening} }

func (l length) String() string {
	switch {
	case l.randomOpening:
		return "two games, random opening"
	case l.pair:
		return "two games"
	case l.bestOf == 0:
		return "one"
	default:
		return fmt.Sprintf("best of %d", l.bestOf)
	}
}

// targets returns the targets of the games of a series, if they change.
func (w Settings) targets(r digit.Rules) match.Targets { return w.Effective(r).Targets }

// opening returns the rules of the first game of a book.
func (w Settings) opening(book digit.Book) digit.Rules {
	r := w.RulesFor(book)
	return w.targets(r).Rules(r, 1)
}

// setup returns the setup of a table, without terms that have no effect. Player 1 starts, unless
// Player 2 is chosen.
func (w Settings) setup() match.Setup {
	r := w.opening(book(w.Book))
	terms := w.Terms
	terms.Hints, terms.Swap = w.Hints, w.Swap && !w.RandomOpening
	s := match.Setup{
		Rules: r, Terms: terms.Effective(r), FreeUndo: w.Opponent != Watch, Names: w.Names,
	}
	if w.First == PlayerTwo {
		s.First = match.Two
	}
	for i, level := range w.Levels {
		if !computers[w.Opponent][i] {
			continue
		}
		s.Names[i], s.Levels[i] = w.BotNames[i], level
		if s.Names[i] == "" {
			s.Names[i] = rulebook.Capital(level) + " bot"
			if w.Opponent == Watch && level == w.Levels[1-i] {
				s.Names[i] += fmt.Sprint(" ", i+1)
			}
		}
	}
	if sameName(s.Names) {
		s.Names = [2]string{} // no names are better than equal ones
	}
	return s
}

// sameName reports whether both players would have the same name.
func sameName(names [2]string) bool {
	s := match.Setup{Names: names}
	return s.Name(match.One) == s.Name(match.Two)
}
