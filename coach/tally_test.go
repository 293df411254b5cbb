package coach

import (
	"testing"

	"digitduel/digit"
)

var testLevels = []string{"novice", "casual", "skilled"}

// tallyGames holds the games of the letters in TestTally.
var tallyGames = map[rune]string{
	'W': "highest 9a 1-0 resigned; first=Ada second=X second-level=casual starts=1",
	'w': "highest 9a 0-1 resigned; first=X second=Ada first-level=casual starts=2",
	'H': "highest 9a 1-0 resigned; first=Ada second=X second-level=casual starts=1 help=taken",
	'L': "highest 9a 0-1 resigned; first=Ada second=X second-level=casual starts=1",
	'l': "highest 9a 1-0 time; first=X second=Ada first-level=casual starts=2",
	'h': "highest 9a 0-1 resigned; first=Ada second=X second-level=casual starts=1 help=taken",
	'n': "highest 9a 0-1 resigned; first=Ada second=X second-level=novice starts=1",
	's': "highest 9a 1-0 resigned; first=Ada second=X second-level=skilled starts=1",
	'e': "highest 9a 1-0 resigned; first=Ada second=X second-level=engine starts=1",
	'r': "reverse 9a 0-1 resigned; first=Ada second=X second-level=casual starts=1",
	'4': "highest width=4 9a 0-1 resigned; first=Ada second=X second-level=casual starts=1",
	'2': "highest 9a 1-0 resigned; first=Ada second=Ben starts=1",
	'c': "highest 9a 1-0 resigned; first=Y second=X first-level=novice second-level=casual",
	'p': "highest 9a 1-0 resigned; first=Ada second=X second-level=casual program=first starts=1",
	'u': "highest 9a *; first=Ada second=X second-level=casual starts=1",
	'-': "highest 9a 1-0 resigned",
}

func TestTally(t *testing.T) {
	for _, tt := range []struct {
		games     string
		want      Tally // against casual
		series    int
		nextLevel string // after the last game
	}{
		{"", Tally{}, 1, ""},
		{"WW", Tally{2, 0, 0, 2}, 1, ""},
		{"WwW", Tally{3, 0, 0, 3}, 1, "skilled"},
		{"WWWW", Tally{4, 0, 0, 4}, 1, ""},        // once for each run
		{"WWWW", Tally{4, 0, 0, 4}, 2, "skilled"}, // when the series is over
		{"WWWWW", Tally{5, 0, 0, 5}, 2, ""},
		{"WWWLWWW", Tally{6, 1, 0, 3}, 1, "skilled"}, // another run
		{"WWLW", Tally{3, 1, 0, 1}, 1, ""},
		{"WWH", Tally{3, 0, 0, 0}, 1, ""},
		{"WWHW", Tally{4, 0, 0, 1}, 1, ""},
		{"WWWH", Tally{4, 0, 0, 0}, 1, ""},
		{"HWW", Tally{3, 0, 0, 2}, 1, ""},
		{"LL", Tally{0, 2, 0, -2}, 1, ""},
		{"LlL", Tally{0, 3, 0, -3}, 1, "novice"},
		{"LLLL", Tally{0, 4, 0, -4}, 1, ""},
		{"LLh", Tally{0, 3, 0, -3}, 1, "novice"}, // help does not excuse a loss
		{"LLHL", Tally{1, 3, 0, -1}, 1, ""},
		{"WrWn4W", Tally{3, 0, 0, 3}, 1, "skilled"}, // other games and levels
		{"W2WcpueW-", Tally{3, 0, 0, 3}, 1, ""},     // the last game is not against a level
		{"nnn", Tally{}, 1, ""},                     // the lowest and highest levels
		{"sss", Tally{}, 1, ""},
		{"eee", Tally{}, 1, ""},
	} {
		var games []digit.Record
		for _, letter := range tt.games {
			rec, err := digit.ParseRecord(tallyGames[letter])
			if err != nil {
				t.Fatal(err)
			}
			games = append(games, rec)
		}
		if got := TallyOf(games, digit.Highest, "casual"); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.games, got, tt.want)
		}
		if len(games) == 0 {
			continue
		}
		last := games[len(games)-1]
		if _, got := NextLevel(games, last, tt.series, testLevels); got != tt.nextLevel {
			t.Errorf("%s, %d in the series: %q is offered, want %q",
				tt.games, tt.series, got, tt.nextLevel)
		}
	}
}

// TestTallyDrawn checks that a draw ends a run.
func TestTallyDrawn(t *testing.T) {
	r, tag := digit.Divisibility, []digit.Tag{{Key: "second-level", Value: "casual"}}
	win := digit.Record{Rules: r, Result: digit.Result{Score: digit.FirstWins}, Tags: tag}
	draw := digit.Record{Rules: r, Result: digit.Result{Score: digit.Draw}, Tags: tag}
	got := TallyOf([]digit.Record{win, win, draw, win}, r, "casual")
	if want := (Tally{3, 0, 1, 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestHelped checks that only a game against a level is tagged.
func TestHelped(t *testing.T) {
	for text, want := range map[string]string{
		tallyGames['W']: tallyGames['H'], tallyGames['2']: tallyGames['2'],
		tallyGames['c']: tallyGames['c'], tallyGames['p']: tallyGames['p'],
	} {
		rec, err := digit.ParseRecord(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := Helped(rec).String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
