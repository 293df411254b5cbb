package coach

import (
	"slices"

	"digitduel/digit"
)

// longRun is the number of wins or losses in a row after which another level is offered.
const longRun = 3

// helpTag marks the record of a game in which the player had help.
const helpTag = "help"

// A Tally counts the games of a person against a level of the computer.
type Tally struct {
	Won, Lost, Drawn int
	Run              int // wins in a row or, if negative, losses; a win with help ends a run
}

// TallyOf counts the finished games of one person against a level by some rules. The oldest game
// comes first.
func TallyOf(games []digit.Record, r digit.Rules, level string) (t Tally) {
	for _, rec := range games {
		if rec.Rules == r && level != "" && Opponent(rec) == level {
			t = t.After(rec)
		}
	}
	return t
}

// After returns the tally after another game of a person against the level. A game that is not
// over does not count.
func (t Tally) After(rec digit.Record) Tally {
	_, person := opponent(rec)
	switch winner, won := rec.Result.Winner(); {
	case !rec.Result.Over():
	case !won:
		t.Drawn++
		t.Run = 0
	case winner != person:
		t.Lost++
		t.Run = min(t.Run, 0) - 1
	case rec.Tag(helpTag) != "":
		t.Won++
		t.Run = 0
	default:
		t.Won++
		t.Run = max(t.Run, 0) + 1
	}
	return t
}

// Next returns the level to offer after some games against a level: the next stronger one after
// three wins in a row, the next weaker one after three losses. It is empty if the run is shorter,
// if it was as long before those games, and at the ends of levels, which are sorted by strength.
func (t Tally) Next(level string, games int, levels []string) string {
	length, step := t.Run, 1
	if t.Run < 0 {
		length, step = -t.Run, -1
	}
	at := slices.Index(levels, level)
	next := at + step
	if at < 0 || length < longRun || length >= longRun+games || next < 0 || next >= len(levels) {
		return ""
	}
	return levels[next]
}

// NextLevel returns the level to offer after a series of some games, as [Tally.Next] does. Last is
// the last of the saved games. Run is the length of the run, negative for losses.
func NextLevel(
	games []digit.Record, last digit.Record, series int, levels []string,
) (run int, level string) {
	level = Opponent(last)
	t := TallyOf(games, last.Rules, level)
	return t.Run, t.Next(level, series, levels)
}

// Helped returns the record of a game in which the player took back a move, asked for a hint or saw
// the values of moves. It marks a game against the computer, and no other.
func Helped(rec digit.Record) digit.Record {
	if Opponent(rec) != "" {
		rec.Tags = append(slices.Clip(rec.Tags), digit.Tag{Key: helpTag, Value: "taken"})
	}
	return rec
}

// Opponent returns the level in a game of one person against the computer. That of another game is
// empty.
func Opponent(rec digit.Record) string {
	level, _ := opponent(rec)
	return level
}

// opponent returns the level in a game of one person against the computer, and the person's side.
// The level of another game is empty.
func opponent(rec digit.Record) (level string, person digit.Side) {
	first, second := rec.Tag("first-level"), rec.Tag("second-level")
	switch {
	case rec.Tag(digit.ProgramTag) != "" || first != "" && second != "":
		return "", person
	case first != "":
		return first, digit.Second
	default:
		return second, digit.First
	}
}
