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
	Played match.Played
	Left   *Unfinished // the table; nil: there is only the record
	pair   pair
	end    digit.Position
	at     time.Time // when it was played or left; zero: unknown
	seat   *Seat     // at a server, which keeps the game; nil: it is here
	name   string    // the name of the game in one word
	who    string
	stands string // the result or the turn, with a sign
	words  string // the text in which find searches
}

// SavedGames returns the games of tables and records: first those that can be resumed, then the
// others, the newest first, and those without a time last. A game that was left and resumed appears
// once.
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
	slices.SortStableFunc(games, func(a, b SavedGame) int {
		return cmp.Or(cmp.Compare(b.open(), a.open()), b.at.Compare(a.at))
	})
	return games
}

// seatGame returns the entry of a game at a server.
func seatGame(s Seat) SavedGame {
	return SavedGame{
		seat: &s, name: "At a server", who: s.host(), at: s.At, stands: "▶ unfinished",
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
	played, _ := match.PlayedOf(rec) // invalid tags count as unknown
	g := SavedGame{
		Record: rec, Played: played, pair: pairIn(rec.Rules, played), at: played.At,
		name: gameName(rec.Rules), end: after(rec.Rules, rec.Moves),
	}
	for side := range g.pair {
		p := &g.pair[side]
		p.you = !p.computer && !p.program && g.pair[1-side].computer
	}
	stands := rulebook.Standing(rec.Rules, g.end, rec.Result, g.cast())
	if !rec.Result.Over() && !g.Resumable() && len(rec.Tags) == 0 {
		stands = "unfinished"
	}
	g.who, g.stands = g.against(), g.sign()+" "+stands
	g.words = strings.ToLower(
		strings.Join(
			[]string{
				rulebook.Title(rec.Rules), g.name, g.who, g.stands, g.how(),
				played.At.Format("2 Jan 2006 Monday"),
			},
			" "))
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
		if p.computer && (strings.HasPrefix(p.name, "Computer") || p.name == p.seat.String()) {
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
	if g.Played.Names == [2]string{} {
		return "2 people"
	}
	return c.Names[0] + ", " + c.Names[1]
}

// whoIn returns the players for a column of a width. If two names do not fit, it leaves out both;
// they are shown below the list.
func (g SavedGame) whoIn(width int) string {
	switch two := g.pair; {
	case g.seat != nil || textWidth(g.who) <= width || two[0].you || two[1].you:
		return g.who
	case two[0].computer && two[1].computer:
		return "computers"
	default:
		return "2 people"
	}
}

// standsIn returns the result for a column of a width, without names that are too long for it.
func (g SavedGame) standsIn(width int) string {
	switch {
	case textWidth(g.stands) <= width:
		return g.stands
	case g.Result.Over():
		return g.sign() + " finished"
	default:
		return g.sign() + " unfinished"
	}
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

func (g SavedGame) tone() tone {
	return map[string]tone{"▶": accent, "✓": good, "✗": bad, "=": even}[g.sign()]
}

// how describes briefly how the game was won or, if it is not over, shows the numbers.
func (g SavedGame) how() string {
	if g.seat != nil {
		return ""
	}
	if g.Result.Over() {
		return rulebook.How(g.Rules, g.end, g.Result, g.cast())
	}
	return g.number(g.pair.order(false)[0]) + " / " + g.number(g.pair.order(false)[1])
}

// number returns the number of a side, or a dash if it has no digit yet.
func (g SavedGame) number(side digit.Side) string {
	return cmp.Or(spaced(g.Rules.Number(g.end, side)), "–")
}

// canGoOn reports whether the game can be resumed and, if it is unfinished and cannot, why not.
func (g SavedGame) canGoOn() (ok bool, why string) {
	switch {
	case g.seat != nil:
		return true, ""
	case g.Result.Over() && (g.Left == nil || g.Left.State.SeriesOver()):
		return false, ""
	case g.Left != nil && g.Left.Busy:
		return false, "It is open in another window."
	case g.Left != nil:
		return true, ""
	case len(g.Tags) == 0:
		return false, "It cannot be continued: its record does not name the players."
	case g.Played.Game > 1:
		return false, "It cannot be continued: the score of its series was not saved."
	}
	if _, err := seated(match.State{Levels: g.Played.Levels}); err != nil {
		return false, "It cannot be continued: " + err.Error() + "."
	}
	return true, ""
}

// Resumable reports whether the game can be resumed.
func (g SavedGame) Resumable() bool {
	ok, _ := g.canGoOn()
	return ok
}

// open returns 1 for a game that is listed first: it is unfinished, and can be resumed here or in
// another window.
func (g SavedGame) open() int {
	if g.Left != nil || g.Resumable() {
		return 1
	}
	return 0
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
	if when := whenText(g.at, now, false); when != "" {
		text += ", " + when
	}
	text += ": " + strings.TrimPrefix(g.stands, g.sign()+" ")
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

// details returns the lines about the chosen game, the most important first.
func (g SavedGame) details(now time.Time) []line {
	if g.seat != nil {
		return []line{
			strong.line("Your seat at " + g.who + "."),
			accent.line("Enter goes back to it."),
		}
	}
	cast := g.pair.cast()
	head := rulebook.Ending(g.Rules, g.end, g.Result, cast).Long
	if !g.Result.Over() {
		var numbers []string
		for _, side := range g.pair.order(false) {
			numbers = append(numbers, together(g.pair.label(side)+" "+g.number(side)))
		}
		stands := rulebook.Standing(g.Rules, g.end, g.Result, cast)
		head = strings.Join(numbers, ", ") + ": " + stands + "."
	}
	lines := []line{strong.line(head)}
	switch goesOn, why := g.canGoOn(); {
	case why != "":
		lines = append(lines, even.line(why))
	case goesOn:
		lines = append(lines, accent.line("Enter continues it exactly where you left it."))
	}
	rules := rulebook.Title(g.Rules) + ": " + rulebook.Line(g.Rules) + "."
	if g.Rules.Pool != g.Rules.Named().Rules.Pool {
		rules += " Digits " + g.Rules.Pool.List(" ") + "."
	}
	return append(lines, line{text: rules}, muted.line(g.terms(now)))
}

// terms describes when and how the game was played.
func (g SavedGame) terms(now time.Time) string {
	var parts []string
	begun := "Played"
	if !g.Result.Over() {
		begun = "Begun"
	}
	if at := g.Played.At; !at.IsZero() {
		at = at.In(now.Location())
		day := at.Format("2 Jan 2006")
		if days := daysBetween(at, now); days == 0 {
			day = "today"
		} else if days == 1 {
			day = "yesterday"
		}
		parts = append(parts, begun+" "+day+" "+at.Format("15:04")+".")
	}
	if len(g.Tags) > 0 {
		parts = append(
			parts,
			rulebook.Capital(
				rulebook.TurnTime(g.Rules, g.Played.TurnTime, g.Played.OnTimeout == match.Random)),
			"Hints "+onOff(g.Played.Hints)+".")
	}
	if g.Played.Game > 0 {
		parts = append(parts, "Game "+gameOf(g.Played.Game, g.Played.Length())+".")
	}
	if g.Left != nil && g.Played.Length() > 0 {
		s := g.Left.State
		seats := g.pair.seats()
		parts = append(
			parts,
			rulebook.Series(
				seats,
				rulebook.Score{
					Wins: s.Wins, Draws: s.Draws, Over: s.SeriesOver(), Pair: s.Setup.Pair,
				}).Long)
	}
	return strings.Join(parts, " ")
}

// daysBetween returns the number of midnights between two times.
func daysBetween(then, now time.Time) int {
	day := func(t time.Time) time.Time {
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	}
	return int(day(now).Sub(day(then)).Hours() / 24)
}

// whenText describes a time: "just now", "12 min ago", "2 hours ago", "yesterday", "Friday", "12
// Nov", "12 Nov 2025". The short form has at most 9 characters: "12 min", "2 h ago", "Fri", "Nov
// 2025".
func whenText(then, now time.Time, short bool) string {
	if then.IsZero() {
		return ""
	}
	then = then.In(now.Location())
	since, days := now.Sub(then), daysBetween(then, now)
	forms := func(long, brief string) string {
		if short {
			return brief
		}
		return long
	}
	switch {
	case since < time.Minute:
		return "just now"
	case since < time.Hour:
		return fmt.Sprintf(forms("%d min ago", "%d min"), since/time.Minute)
	case days == 0 || since < 6*time.Hour:
		hours := int(since / time.Hour)
		return forms(rulebook.Plural(hours, "hour"), fmt.Sprint(hours, " h")) + " ago"
	case days == 1:
		return "yesterday"
	case days < 7:
		return then.Format(forms("Monday", "Mon"))
	case then.Year() == now.Year():
		return then.Format("2 Jan")
	default:
		return then.Format(forms("2 Jan 2006", "Jan 2006"))
	}
}
