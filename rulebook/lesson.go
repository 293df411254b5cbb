package rulebook

import "digitduel/digit"

// A Lesson is a short game that teaches the idea of a book, with the sentences about it that need
// no solved game. The learner makes the first move of the lesson, and wins with the last.
type Lesson struct {
	Game string // its record
	From int    // the number of moves that were made before it begins
	Idea string // "Leave two ways to win."
	More string // said after the first instruction; may be empty
}

// Lessons holds a lesson for each book.
var Lessons = []Lesson{
	{"dilemma 7a 3b 1c 2a 9b 1-0 multiple", 0, "Leave two ways to win.",
		"A digit that is taken is gone for both."},
	{"sevens 2 1 8 5 7=728 1-0 multiple", 0, "Take three digits, then call.",
		"You choose the order later."},
	{"highest 6b 2b 8c 9a 7a 5c 0-1 higher", 3, "The hundreds place counts most.", ""},
	{"divisibility target=11 5R 4R 2R 8L 3L 1-0 multiple", 0, "Add on the left or right.", ""},
	{"reverse 4b 8b 2c 1a 3a 9c 0-1 lower", 3, "Keep the hundreds low.", ""},
}

// Record returns the game of a lesson.
func (l Lesson) Record() digit.Record {
	game, err := digit.ParseRecord(l.Game)
	if err != nil {
		panic("rulebook: a lesson is not a game: " + err.Error())
	}
	return game
}
