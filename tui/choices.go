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

// Choices are what a person has chosen, remembered from one time to the next.
type Choices struct {
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

// Defaults are the choices of somebody who comes for the first time.
func Defaults() Choices {
	return Choices{
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

// parseChoices reads remembered choices. What is not there or cannot be is as by default.
func parseChoices(text []byte) (Choices, error) {
	c := Defaults()
	if len(text) == 0 {
		return c, nil
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return Defaults(), fmt.Errorf("remembered choices: %w", err)
	}
	return c.mended(), nil
}

// mended returns the choices with those that cannot be replaced by default ones.
func (c Choices) mended() Choices {
	d := Defaults()
	if !slices.Contains(digit.BookNames(), c.Book) {
		c.Book = d.Book
	}
	for i, name := range c.Levels {
		if _, err := bot.ParseLevel(name); err != nil {
			c.Levels[i] = d.Levels[i]
		}
	}
	trial := match.Setup{Rules: digit.Dilemma, Names: c.Names}
	if trial.Check() != nil {
		c.Names = d.Names
	}
	trial = match.Setup{Rules: digit.Dilemma, BestOf: c.BestOf}
	if trial.Check() != nil {
		c.BestOf = d.BestOf
	}
	trial = match.Setup{Rules: digit.Dilemma, TurnTime: c.TurnTime}
	if trial.Check() != nil {
		c.TurnTime = d.TurnTime
	}
	for book, rules := range c.Rules {
		if rules.Check() != nil || !slices.Contains(digit.BookNames(), book) {
			delete(c.Rules, book)
		}
	}
	return c
}

// text returns the choices as parseChoices reads them.
func (c Choices) text() []byte {
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		panic("tui: choices have a text: " + err.Error())
	}
	return append(text, '\n')
}

// same reports whether two choices are the same.
func (c Choices) same(d Choices) bool {
	if !maps.Equal(c.Rules, d.Rules) {
		return false
	}
	c.Rules, d.Rules = nil, nil
	return reflect.DeepEqual(c, d)
}

// book returns the book of a name.
func book(name string) digit.Book {
	i := slices.IndexFunc(digit.Books, func(b digit.Book) bool { return b.Name == name })
	return digit.Books[max(i, 0)]
}

// rules returns the rules that are chosen for a book.
func (c Choices) rules(book digit.Book) digit.Rules {
	if r, ok := c.Rules[book.Name]; ok {
		return r
	}
	return book.Rules
}

// withRules returns the choices with other rules for a book.
func (c Choices) withRules(book digit.Book, r digit.Rules) Choices {
	rules := map[string]digit.Rules{}
	maps.Copy(rules, c.Rules)
	if rules[book.Name] = r; r == book.Rules {
		delete(rules, book.Name)
	}
	c.Rules = rules
	return c
}

// players returns who plays on the two seats.
func (c Choices) players() [2]player {
	var seats [2]player
	for i := range seats {
		if c.Opponent == Watch || c.Opponent == Computer && i == 1 || c.Opponent == ComputerFirst && i == 0 {
			seats[i].level, _ = bot.ParseLevel(c.Levels[i]) // it was checked when it was chosen
			seats[i].kind = machine
		}
	}
	return seats
}

// setup returns what is agreed at a table, for a starter that is known.
func (c Choices) setup(first match.Seat) match.Setup {
	s := match.Setup{
		Rules: c.rules(book(c.Book)), First: first, BestOf: c.BestOf, TurnTime: c.TurnTime, OnTimeout: c.OnTimeout,
		FreeUndo: c.Opponent != Watch, Names: c.Names,
	}
	seats := c.players()
	for i, p := range seats {
		if p.kind != machine {
			continue
		}
		s.Names[i] = p.level.Name + " bot"
		if other := seats[1-i]; other.kind == machine && other.level.Name == p.level.Name {
			s.Names[i] += fmt.Sprint(" ", i+1)
		}
	}
	if s.Name(match.One) == s.Name(match.Two) {
		s.Names = [2]string{} // names that collide are worse than none
	}
	return s
}

// summary says the choices for a match in a line.
func (c Choices) summary() string {
	parts := []string{[]string{"two people here", "against " + c.Levels[1], "against " + c.Levels[0], "watch " + c.Levels[0] + " against " + c.Levels[1]}[c.Opponent]}
	parts = append(parts, []string{"Player 1 starts", "Player 2 starts", "a coin toss"}[c.First])
	if c.BestOf > 0 {
		parts = append(parts, fmt.Sprintf("best of %d", c.BestOf))
	} else {
		parts = append(parts, "one game")
	}
	if c.TurnTime > 0 {
		parts = append(parts, durationText(c.TurnTime)+" a turn")
	}
	if c.Hints {
		parts = append(parts, "hints on")
	} else {
		parts = append(parts, "hints off")
	}
	return strings.Join(parts, ", ") + "."
}
