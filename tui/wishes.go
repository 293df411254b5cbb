package tui

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
)

// Wishes are what a person has chosen, remembered from one time to the next.
type Wishes struct {
	Book      string                 `json:"book"`
	Rules     map[string]digit.Rules `json:"rules,omitempty"` // by book, where they are not the book's own
	Opponent  Opponent               `json:"opponent"`
	Levels    [2]string              `json:"levels"` // of the computers on the two seats
	Names     [2]string              `json:"names"`  // of the people on the two seats; empty: Player 1, Player 2
	First     First                  `json:"first"`
	BestOf    int                    `json:"best_of"`   // 0: one game and no series
	TurnTime  time.Duration          `json:"turn_time"` // 0: no clock
	OnTimeout match.TimeoutRule      `json:"on_timeout"`
	Hints     bool                   `json:"hints"`
	AutoCall  bool                   `json:"auto_call"` // with hands: call the highest multiple for whoever has one

	Colours Colours `json:"colours"`
	Signs   Signs   `json:"signs"`
	Plain   bool    `json:"plain"`   // say everything in lines of text
	Confirm bool    `json:"confirm"` // ask before a move is played
	Motion  bool    `json:"motion"`  // things may move
}

// Defaults are the wishes of somebody who comes for the first time.
func Defaults() Wishes {
	return Wishes{
		Book: digit.Books[0].Name, Opponent: Computer, Levels: [2]string{"skilled", "casual"}, First: PlayerOne,
		Hints: true, Confirm: true, Motion: true,
	}
}

// An Opponent is who sits at the table.
type Opponent uint8

const (
	Person        Opponent = iota // two people at this screen
	Computer                      // a person, and a computer as Player 2
	ComputerFirst                 // a person, and a computer as Player 1
	Watch                         // two computers
)

var opponentNames = []string{"person", "computer", "computer-first", "watch"}

// First is who starts the first game.
type First uint8

const (
	PlayerOne First = iota
	PlayerTwo
	CoinToss
)

var firstNames = []string{"1", "2", "random"}

// Colours say which colours are used.
type Colours uint8

const (
	AutoColours Colours = iota // those that suit the terminal
	DarkColours
	PaleColours
	NoColours
)

var coloursNames = []string{"auto", "dark", "light", "none"}

// Signs say which characters are used.
type Signs uint8

const (
	AutoSigns Signs = iota // those that the terminal can show
	UnicodeSigns
	ASCIISigns
)

var signsNames = []string{"auto", "unicode", "ascii"}

func (o Opponent) String() string { return opponentNames[o] }
func (f First) String() string    { return firstNames[f] }
func (c Colours) String() string  { return coloursNames[c] }
func (s Signs) String() string    { return signsNames[s] }

// MarshalText implements [encoding.TextMarshaler].
func (o Opponent) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// MarshalText implements [encoding.TextMarshaler].
func (f First) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// MarshalText implements [encoding.TextMarshaler].
func (c Colours) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// MarshalText implements [encoding.TextMarshaler].
func (s Signs) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (o *Opponent) UnmarshalText(text []byte) error { return named(o, "opponent", opponentNames, text) }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (f *First) UnmarshalText(text []byte) error { return named(f, "first", firstNames, text) }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (c *Colours) UnmarshalText(text []byte) error { return named(c, "colours", coloursNames, text) }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (s *Signs) UnmarshalText(text []byte) error { return named(s, "signs", signsNames, text) }

func named[T ~uint8](to *T, what string, names []string, text []byte) error {
	i := slices.Index(names, string(text))
	if i < 0 {
		return fmt.Errorf("%s %q: allowed: %s", what, text, strings.Join(names, ", "))
	}
	*to = T(i)
	return nil
}

// parseWishes reads remembered wishes. What is not there or cannot be is as by default.
func parseWishes(text []byte) (Wishes, error) {
	w := Defaults()
	if len(text) == 0 {
		return w, nil
	}
	if err := json.Unmarshal(text, &w); err != nil {
		return Defaults(), fmt.Errorf("remembered choices: %w", err)
	}
	return w.mended(), nil
}

// mended returns the wishes with those that cannot be replaced by default ones.
func (w Wishes) mended() Wishes {
	d := Defaults()
	if !slices.Contains(digit.BookNames(), w.Book) {
		w.Book = d.Book
	}
	for i, name := range w.Levels {
		if _, err := bot.ParseLevel(name); err != nil {
			w.Levels[i] = d.Levels[i]
		}
	}
	if match.CheckName(w.Names[0]) != nil || match.CheckName(w.Names[1]) != nil || sameName(w.Names) {
		w.Names = d.Names
	}
	if (match.Setup{Rules: book(w.Book).Rules, BestOf: w.BestOf}).Check() != nil {
		w.BestOf = d.BestOf
	}
	if (match.Setup{Rules: book(w.Book).Rules, TurnTime: w.TurnTime}).Check() != nil {
		w.TurnTime = d.TurnTime
	}
	for book, rules := range w.Rules {
		if rules.Check() != nil || !slices.Contains(digit.BookNames(), book) {
			delete(w.Rules, book)
		}
	}
	return w
}

// text returns the wishes as parseWishes reads them.
func (w Wishes) text() []byte {
	text, err := json.MarshalIndent(w, "", "  ")
	if err != nil {
		panic("tui: wishes have a text: " + err.Error())
	}
	return append(text, '\n')
}

// same reports whether two wishes are the same.
func (w Wishes) same(v Wishes) bool {
	if !maps.Equal(w.Rules, v.Rules) {
		return false
	}
	w.Rules, v.Rules = nil, nil
	return reflect.DeepEqual(w, v)
}

// book returns the book of a name.
func book(name string) digit.Book {
	i := slices.IndexFunc(digit.Books, func(b digit.Book) bool { return b.Name == name })
	return digit.Books[max(i, 0)]
}

// rules returns the rules that are chosen for a book.
func (w Wishes) rules(book digit.Book) digit.Rules {
	if r, ok := w.Rules[book.Name]; ok {
		return r
	}
	return book.Rules
}

// withRules returns the wishes with other rules for a book.
func (w Wishes) withRules(book digit.Book, r digit.Rules) Wishes {
	rules := map[string]digit.Rules{}
	maps.Copy(rules, w.Rules)
	if rules[book.Name] = r; r == book.Rules {
		delete(rules, book.Name)
	}
	w.Rules = rules
	return w
}

// players returns who plays on the two seats.
func (w Wishes) sitters() [2]sitter {
	var seats [2]sitter
	for i := range seats {
		if w.Opponent == Watch || w.Opponent == Computer && i == 1 || w.Opponent == ComputerFirst && i == 0 {
			seats[i].level, _ = bot.ParseLevel(w.Levels[i]) // it was checked when it was chosen
			seats[i].kind = machine
		}
	}
	return seats
}

// setup returns what is agreed at a table, for a starter that is known.
func (w Wishes) setup(first match.Seat) match.Setup {
	s := match.Setup{
		Rules: w.rules(book(w.Book)), First: first, BestOf: w.BestOf, TurnTime: w.TurnTime, OnTimeout: w.OnTimeout,
		FreeUndo: w.Opponent != Watch, Names: w.Names,
	}
	seats := w.sitters()
	for i, p := range seats {
		if p.kind != machine {
			continue
		}
		s.Names[i] = p.level.Name + " bot"
		if other := seats[1-i]; other.kind == machine && other.level.Name == p.level.Name {
			s.Names[i] += fmt.Sprint(" ", i+1)
		}
	}
	if sameName(s.Names) {
		s.Names = [2]string{} // worse than none
	}
	return s
}

// sameName reports whether both players would be called the same.
func sameName(names [2]string) bool {
	s := match.Setup{Names: names}
	return s.Name(match.One) == s.Name(match.Two)
}

// summary says the wishes for a match in a line.
func (w Wishes) summary() string {
	parts := []string{[]string{"two people here", "against " + w.Levels[1], "against " + w.Levels[0], "watch " + w.Levels[0] + " against " + w.Levels[1]}[w.Opponent]}
	parts = append(parts, []string{"Player 1 starts", "Player 2 starts", "a coin toss"}[w.First])
	if w.BestOf > 0 {
		parts = append(parts, fmt.Sprintf("best of %d", w.BestOf))
	} else {
		parts = append(parts, "one game")
	}
	if w.TurnTime > 0 {
		parts = append(parts, durationText(w.TurnTime)+" a turn")
	}
	if w.Hints {
		parts = append(parts, "hints on")
	} else {
		parts = append(parts, "hints off")
	}
	return strings.Join(parts, ", ") + "."
}
