package tui

import (
	"strings"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// A SavedGame is an entry of the list of saved games in line mode.
type SavedGame struct {
	Record    digit.Record
	Played    match.Played
	Left      *Unfinished // the table of an unfinished game; nil: there is only the record
	Resumable bool        // it can be continued
	Title     string      // "your game against casual"
	Text      string      // a line about the game
	words     string
}

// Matches reports whether the game has all of the words: a player, the game, its end, its day.
func (g SavedGame) Matches(words []string) bool { return matches(g.words, words) }

// SavedGames returns the games of tables and records, unfinished ones first, then the newest.
func SavedGames(tables []Unfinished, records []digit.Record, now time.Time) []SavedGame {
	games := gamesOf(tables, records)
	list := make([]SavedGame, len(games))
	for i, g := range games {
		text := g.name + ", " + g.who
		if when := whenText(g.at, now, false); when != "" {
			text += ", " + when
		}
		text += ": " + strings.TrimPrefix(g.stands, g.sign()+" ")
		if g.Result.Over() {
			text += ". " + capital(g.how())
		}
		list[i] = SavedGame{
			Record: g.Record, Played: g.played, Left: g.left, Resumable: g.goesOn(),
			Title: g.title(), Text: text + ".", words: g.words,
		}
	}
	return list
}

// matches reports whether a text has all of some words.
func matches(text string, words []string) bool {
	for _, word := range words {
		if !strings.Contains(text, strings.ToLower(word)) {
			return false
		}
	}
	return true
}
