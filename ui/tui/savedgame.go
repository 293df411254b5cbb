package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A SavedGame is a record, a table that was left, or a seat at a server.
type SavedGame struct {
	digit.Record
	Info   match.GameInfo
	Left   *Unfinished // the table; nil: there is only the record
	pair   pair
	end    digit.Position
	at     time.Time  // when it was played or left; zero: unknown
	seat   *SavedSeat // at a server, which keeps the game; nil: it is here
	name   string     // the name of the game in one word
	who    string
	stands string // the result or the turn
	words  string // the text in which find searches
}

// SavedGames returns the games of tables, in their order, and then those of records, the newest
// first, and those without a time last. A game that was left and resumed appears once.
func SavedGames(tables []Unfinished, records []digit.Record) []SavedGame {
	var games []SavedGame
	known := map[string]bool{}
	for _, u := range tables {
		g := newGame(u.State.Record())
		g.Left, g.at = &u, u.At
		known[tagText(g.Record)] = true
		games = append(games, g)
	}
	for _, rec := range slices.Backward(records) {
		text := tagText(rec)
		if text != "" && known[text] && !rec.Result.Over() {
			continue
		}
		known[text] = true
		games = append(games, newGame(rec))
	}
	slices.SortStableFunc(games[len(tables):], func(a, b SavedGame) int {
		return b.at.Compare(a.at)
	})
	return games
}

// seatGame returns the entry of a game at a server.
func seatGame(s SavedSeat) SavedGame {
	return SavedGame{
		seat: &s, name: "At a server", who: s.host(), at: s.At, stands: "unfinished",
		words: "server unfinished " + s.host(),
	}
}

// tagText returns a text that identifies a game by its players and its start.
func tagText(rec digit.Record) string {
	if len(rec.Tags) == 0 {
		return ""
	}
	return fmt.Sprint(rec.Rules, rec.Tags)
}

func newGame(rec digit.Record) SavedGame {
	info, _ := match.GameInfoOf(rec) // invalid tags count as unknown
	g := SavedGame{
		Record: rec, Info: info, pair: pairIn(rec.Rules, info), at: info.At,
		name: gameName(rec.Rules), end: after(rec.Rules, rec.Moves),
	}
	for side := range g.pair {
		p := &g.pair[side]
		p.you = p.level == "" && !p.program && g.pair[1-side].level != ""
	}
	g.who, g.stands = g.against(), rulebook.Standing(rec.Rules, g.end, rec.Result, g.cast())
	if !rec.Result.Over() && len(rec.Tags) == 0 {
		g.stands = "unfinished"
	}
	g.words = strings.ToLower(fmt.Sprintln(
		rulebook.Title(rec.Rules), g.name, g.who, g.stands, g.how(),
		info.At.Format("2 Jan 2006 Monday")))
	return g
}

// gameName returns a short name of a game, with its target if it differs from the book's: "Sevens",
// "Divisibility 13".
func gameName(r digit.Rules) string {
	if r.Target != r.Named().Rules.Target {
		return fmt.Sprintf("%s %d", rulebook.Name(r), r.Target)
	}
	return rulebook.Name(r)
}

// cast returns the players. A computer without a name is called by its level.
func (g SavedGame) cast() rulebook.Cast {
	c := g.pair.cast()
	for side, p := range g.pair {
		if p.level != "" && (strings.HasPrefix(p.name, "Computer") || p.name == p.seat.String()) {
			c.Names[side] = p.level
		}
	}
	return c
}

// against returns the reader's opponent, or both players.
func (g SavedGame) against() string {
	c := g.cast()
	for side := range c.You {
		if c.You[side] {
			return c.Names[1-side]
		}
	}
	if g.Info.Names == [2]string{} {
		return "2 people"
	}
	return c.Names[0] + ", " + c.Names[1]
}

// sign returns the sign before the result, so that colour is not needed to see it.
func (g SavedGame) sign() string {
	winner, won := g.Result.Winner()
	switch {
	case !g.Result.Over():
		return "▶"
	case !won:
		return "="
	case g.pair[winner.Other()].you:
		return "✗"
	default:
		return "✓"
	}
}

// how describes briefly how the game was won or, if it is not over, shows the numbers.
func (g SavedGame) how() string {
	switch {
	case g.seat != nil:
		return ""
	case g.Result.Over():
		return rulebook.How(g.Rules, g.end, g.Result, g.cast())
	case g.Left != nil && g.Left.Busy:
		return "open in another window"
	}
	two := g.pair.order(false)
	return g.number(two[0]) + " / " + g.number(two[1])
}

// number returns the number of a side, or a dash if it has no digit yet.
func (g SavedGame) number(side digit.Side) string {
	return cmp.Or(spaced(g.Rules.Number(g.end, side)), "–")
}

// Resumable reports whether the game can be resumed.
func (g SavedGame) Resumable() bool {
	return g.seat != nil || g.Left != nil && !g.Left.Busy && !g.Left.State.SeriesOver()
}

// resume resumes the game.
func (g SavedGame) resume(m *Model) {
	if g.seat != nil {
		m.toMenu()
		m.openServer(g.seat.Server, g.seat.Link)
		return
	}
	m.resume(*g.Left)
}

// Title describes the game by its players: "your game against casual", "the game of Ada and Ben".
func (g SavedGame) Title() string {
	for _, p := range g.pair {
		if p.you {
			return "your game against " + g.who
		}
	}
	return "the game of " + strings.Replace(g.who, ", ", " and ", 1)
}

// Text returns a line about the game.
func (g SavedGame) Text(now time.Time) string {
	text := g.name + ", " + g.who
	if when := whenText(g.at, now); when != "" {
		text += ", " + when
	}
	text += ": " + g.stands
	if g.Result.Over() {
		text += ". " + rulebook.Capital(g.how())
	}
	return text + "."
}

// Matches reports whether the game has all of the words: a player, the game, its end, its day.
func (g SavedGame) Matches(words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool {
		return !strings.Contains(g.words, strings.ToLower(word))
	})
}

// item returns the game as an entry of a list.
func (g SavedGame) item(now time.Time) item {
	about := g.stands
	if when := whenText(g.at, now); when != "" {
		about = when + ", " + about
	}
	it := item{key: g.sign(), name: g.name + ", " + g.who, about: []string{about}}
	if how := g.how(); how != "" {
		it.about = []string{about + ", " + how, about}
	}
	return it
}

// whenText describes a time: "just now", "12 min ago", "2 hours ago", "yesterday", "Friday", "12
// Nov", "12 Nov 2025".
func whenText(then, now time.Time) string {
	if then.IsZero() {
		return ""
	}
	then = then.In(now.Location())
	since := now.Sub(then)
	within := func(days int) bool { // today, or that many days before
		y, m, d := now.Date()
		return !then.Before(time.Date(y, m, d-days, 0, 0, 0, 0, now.Location()))
	}
	switch {
	case since < time.Minute:
		return "just now"
	case since < time.Hour:
		return fmt.Sprintf("%d min ago", since/time.Minute)
	case within(0) || since < 6*time.Hour:
		return rulebook.Plural(int(since/time.Hour), "hour") + " ago"
	case within(1):
		return "yesterday"
	case within(6):
		return then.Format("Monday")
	case then.Year() == now.Year():
		return then.Format("2 Jan")
	default:
		return then.Format("2 Jan 2006")
	}
}
