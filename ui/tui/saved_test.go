package tui

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// parsed returns games as they are kept.
func parsed(t *testing.T, lines ...string) (games []digit.Record) {
	t.Helper()
	for _, line := range lines {
		rec, err := digit.ParseRecord(line)
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, rec)
	}
	return games
}

// onGames runs a test on the page of the games, at noon of 15 January 2000.
func onGames(t *testing.T, k *memory, test func(*screen)) {
	t.Helper()
	onScreen(t, k, Start{}, func(s *screen) {
		time.Sleep(14*24*time.Hour + 12*time.Hour) // nothing moves
		s.send(act((*Model).openSaved))
		s.settle()
		s.press("home")
		test(s)
	})
}

// TestSaved shows games that tell who played, and some that do not or tell what cannot be; and reviews them.
func TestSaved(t *testing.T) {
	draw, ok := drawn(rulesOf(t, "divisibility pool=1-4"), digit.Position{})
	if !ok {
		t.Fatal("no game is a draw")
	}
	for _, tt := range []struct{ record, list, told, review string }{
		{lines["highest"] + `; first="Ben B." second=Ada starts=2 game=2/3 at=1999-12-31T23:59:00Z`, `Highest +Ben B\., Ada +31 Dec 1999 +✓ Ben B\. won`, "Played 31 Dec 1999 23:59. No clock. Hints off. Game 2, best of 3.", "Ben B. wins"},
		{lines["highest"] + "; first=Ada second=Ben starts=1", `Highest +Ada, Ben +✓ Ada won`, "952 is higher than 876. Ada wins.", "Ada wins"},
		{lines["highest"] + "; first=Ada second=Ben starts=3", `Highest +2 people +✓ Player 1 won`, "Player 1 wins.", "Player 1 wins"},
		{lines["highest"], `Highest +2 people +✓ Player 1 won`, "Player 1 wins.", "Player 1 wins"},
		{lines["reverse"] + `; first="Player 1" second="Casual bot" second-level=casual starts=1 hints=on turn-time=30s at=2000-01-15T02:00:00Z`, `Reverse +casual +10 hours ago +✗ you lost`, "Played today 02:00. 30 seconds a turn. If time runs out, you lose. Hints on.", "Computer wins"},
		{lines["sevens"] + `; first=Ada second="Expert bot" second-level=expert starts=1 at=2000-01-14T02:00:00Z`, `Sevens +expert +yesterday +✓ you won +721 = 7 × 103`, "Played yesterday 02:00.", "You win"},
		{draw.String() + "; first=Ada second=Ben starts=1 at=2000-01-12T02:00:00Z", `Divisibility +Ada, Ben +Wednesday += drawn`, "both", "Draw: both"},
		{`highest 9a 8a 1-0 resigned; first=Ada second="Expert bot" second-level=expert starts=1 at=2000-01-02T02:00:00Z`, `Highest +expert +2 Jan +✓ you won`, "The computer resigned. You win.", "resigned"},
		{`highest 9a 8a *`, `Highest +2 people +▶ unfinished`, "It cannot be continued: its record does not name the players.", "Stopped after 2 digits"},
		{`highest 9a 8a *; first=Ada second=Ben starts=2 game=2/3`, `Highest +Ada, Ben +▶ Ada's turn`, "It cannot be continued: the score of its series was not saved.", "Stopped after 2 digits"},
		{`highest 9a 8a *; first=Ada second=X second-level=genius starts=1`, `Highest +X +▶ your turn`, `It cannot be continued: unknown level "genius"`, "Stopped after 2 digits"},
	} {
		onGames(t, &memory{games: parsed(t, tt.record)}, func(s *screen) {
			if !regexp.MustCompile(tt.list).MatchString(s.text()) {
				s.t.Errorf("%s is not listed:\n%s", tt.list, s.text())
			}
			s.shows(tt.told)
			s.press("v")
			s.shows(tt.review)
		})
	}
}

// drawn returns a game by some rules that ends in a draw, from a position on.
func drawn(r digit.Rules, p digit.Position, moves ...digit.Move) (digit.Record, bool) {
	if r.Result(p).Over() {
		return digit.Record{Rules: r, Moves: moves, Result: r.Result(p)}, r.Result(p).Score == digit.Draw
	}
	for m := range r.Moves(p) {
		next, _ := r.Play(p, m)
		if rec, ok := drawn(r, next, append(moves[:len(moves):len(moves)], m)...); ok {
			return rec, true
		}
	}
	return digit.Record{}, false
}

func TestWhenText(t *testing.T) {
	now := time.Date(2026, time.November, 15, 12, 30, 0, 0, time.UTC)
	for _, tt := range []struct {
		ago         time.Duration
		long, short string
	}{
		{-time.Hour, "just now", "just now"}, {59 * time.Second, "just now", "just now"}, {time.Minute, "1 min ago", "1 min"},
		{59 * time.Minute, "59 min ago", "59 min"}, {time.Hour, "1 hour ago", "1 h ago"}, {12 * time.Hour, "12 hours ago", "12 h ago"},
		{13 * time.Hour, "yesterday", "yesterday"}, {36 * time.Hour, "yesterday", "yesterday"}, {37 * time.Hour, "Friday", "Fri"},
		{6 * 24 * time.Hour, "Monday", "Mon"}, {7 * 24 * time.Hour, "8 Nov", "8 Nov"}, {365 * 24 * time.Hour, "15 Nov 2025", "Nov 2025"},
	} {
		if long, short := whenText(now.Add(-tt.ago), now, false), whenText(now.Add(-tt.ago), now, true); long != tt.long || short != tt.short || len(short) > 9 {
			t.Errorf("%v ago: %q and %q, want %q and %q", tt.ago, long, short, tt.long, tt.short)
		}
	}
	early := time.Date(2026, time.November, 15, 0, 30, 0, 0, time.UTC)
	if got := whenText(early.Add(-2*time.Hour), early, false); got != "2 hours ago" {
		t.Errorf("before midnight: %q", got)
	}
}

// TestGamesOrder has games at tables and on record: what can go on is first, and what went on is there once.
func TestGamesOrder(t *testing.T) {
	const ada = "; first=Ada second=Ben starts=1 at="
	records := parsed(t,
		"highest 9a *"+ada+"2000-01-01T00:00:00Z", // went on at the table
		"highest 8a *"+ada+"2000-01-02T00:00:00Z", // went on to its end
		"highest 7a *"+ada+"2000-01-03T00:00:00Z", // can go on
		"reverse 7a *", // cannot
		"highest 8a 0-1 resigned"+ada+"2000-01-02T00:00:00Z",
		"highest 6a 0-1 resigned"+ada+"2000-01-04T00:00:00Z",
	)
	played, err := match.PlayedOf(records[0])
	if err != nil {
		t.Fatal(err)
	}
	state := match.State{Setup: played.Setup(digit.Highest), Game: 1, Moves: records[0].Moves, Began: played.At}
	var got []string
	for _, g := range SavedGames([]Unfinished{{ID: "it", State: state, At: played.At}}, records) {
		got = append(got, fmt.Sprintf("%v %v %v", g.Rules, g.Moves, g.Result))
	}
	want := "highest [7a] *, highest [9a] *, highest [6a] 0-1 resigned, highest [8a] 0-1 resigned, reverse [7a] *"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("the order is %s, want %s", text, want)
	}
}

// TestGameOfProgram: a program is told apart from the reader, who is nobody in its games.
func TestGameOfProgram(t *testing.T) {
	for line, want := range map[string]string{
		"highest 9a 0-1 resigned; first=Ada second=\"Beginner bot\" second-level=beginner starts=1":                "You, Computer (beginner): beginner",
		"highest 9a 0-1 resigned; first=Robo second=\"Beginner bot\" second-level=beginner program=first starts=1": "Robo (program), Computer (beginner): Robo, beginner",
	} {
		g := newGame(parsed(t, line)[0])
		if got := g.pair.label(digit.First) + ", " + g.pair.label(digit.Second) + ": " + g.against(); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

// TestNarrowGames lists games of people with long names in the smallest window: nothing is cut.
func TestNarrowGames(t *testing.T) {
	k := &memory{games: parsed(t,
		"divisibility target=1001 7R *; first=\"Bartholomew the Third\" second=Wilhelmina starts=1 at=1999-12-31T00:00:00Z",
		lines["dilemma"]+"; first=Ada second=\"Beginner bot\" second-level=beginner starts=1 at=2000-01-14T00:00:00Z")}
	onGames(t, k, func(s *screen) {
		s.size(54, 18)
		for _, row := range []string{`Divisibility 1001 2 people +Dec 1999 +▶ unfinished`, `Dilemma +beginner +yesterday ✗ you lost`} {
			if !regexp.MustCompile(row).MatchString(s.text()) {
				s.t.Errorf("%s is not listed:\n%s", row, s.text())
			}
		}
		if strings.Contains(s.text(), "…") {
			s.t.Errorf("something is cut:\n%s", s.text())
		}
		s.shows("Bartholomew the Third 7, Wilhelmina –", "Enter continues it exactly where you left it.")
	})
}

// TestFind finds games by words.
func TestFind(t *testing.T) {
	k := &memory{games: parsed(t, lines["highest"]+"; first=Ada second=Ben starts=1", lines["reverse"]+"; first=Ada second=Cleo starts=1", lines["dilemma"])}
	onGames(t, k, func(s *screen) {
		s.shows("3 games")
		s.press("/", "a", "d", "a", "space", "r", "e")
		s.shows("1 of 3 games", "Find: ada re_", "Cleo", "Enter done")
		s.press("q", "enter")
		s.shows("Find: ada req", "No game has all of these words", "Esc all games")
		s.press("esc")
		s.shows("3 games", "Dilemma", "Ada, Ben")
		s.press("esc")
		if _, ok := s.top().(*menu); !ok {
			s.t.Error("the menu does not follow")
		}
	})
}

// TestDelete deletes a game and a table, after being asked.
func TestDelete(t *testing.T) {
	k := &memory{games: parsed(t, lines["highest"]+"; first=Ada second=Ben starts=1", lines["reverse"])}
	onScreen(t, k, people("dilemma"), func(s *screen) { s.press("7", "a") })
	k.games = k.games[:2] // this world keeps what was left twice
	onGames(t, k, func(s *screen) {
		s.shows("3 games, 1 unfinished")
		s.press("d", "enter")
		s.shows("3 games, 1 unfinished")
		s.press("d", "right", "enter")
		s.shows("2 games")
		if _, ok := s.unfinished(); ok || len(k.tables) != 0 {
			s.t.Errorf("the table is still there: %v", k.tables)
		}
		s.press("down", "d", "y")
		s.shows("1 game")
		if len(k.games) != 1 || k.games[0].Rules != digit.Reverse {
			s.t.Errorf("left: %v", k.games)
		}
		s.world.Drop = func(digit.Record) error { return fmt.Errorf("the disk is read-only") }
		s.press("d", "y")
		s.shows("the game was not deleted: the disk is read-only", "There are no saved games yet")
	})
}

// TestGoOn goes on with a game at a table and with one of which there is only a record.
func TestGoOn(t *testing.T) {
	const record = "dilemma 7a 3b *; first=\"Player 1\" second=\"Casual bot\" second-level=casual starts=1 turn-time=1m0s hints=on at=1999-12-31T00:00:00Z"
	k := &memory{games: parsed(t, record)}
	onGames(t, k, func(s *screen) {
		s.shows("Enter continue", "1 game, 1 unfinished")
		s.press("enter")
		at := s.onTable()
		if movesText(at.state.Moves) != "7a 3b" || at.state.Setup.TurnTime != time.Minute || at.sitters[match.Two].level.Name != "casual" || !at.state.Setup.Hints {
			s.t.Errorf("it stands as %+v", at.state)
		}
		if len(k.games) != 0 || len(k.tables) != 1 {
			s.t.Errorf("%d games and %d tables are kept", len(k.games), len(k.tables))
		}
		s.press("esc")
		k.games = nil
		s.send(act((*Model).openSaved))
		s.settle()
		s.shows("1 game, 1 unfinished", "7 _ _ / _ 3 _")
		s.press("enter")
		if again := s.onTable(); again == at || movesText(again.state.Moves) != "7a 3b" {
			s.t.Errorf("it stands as %+v", again.state)
		}
		s.send(act((*Model).openSaved)) // over the table, which is not listed since it is here
		s.settle()
		s.shows("There are no saved games yet")
	})
}

// TestManyGames draws a page of many games about as fast as one of few.
func TestManyGames(t *testing.T) {
	few, many := &saved{find: field{most: 30}, loaded: true}, &saved{find: field{most: 30}, loaded: true}
	var records []digit.Record
	for i := range 5000 {
		records = append(records, parsed(t, lines["highest"]+"; first=Ada second=Ben starts=1 at="+time.Unix(int64(i)*3600, 0).UTC().Format(time.RFC3339))...)
	}
	few.games, many.games = SavedGames(nil, records[:50]), SavedGames(nil, records)
	m := New((&memory{}).world(), Start{})
	m.width, m.height = 80, 24
	draw := func(p *saved) time.Duration {
		p.search()
		p.at = len(p.shown) / 2
		best := time.Hour
		for range 20 {
			began := time.Now()
			c := newCanvas(80, 24)
			p.draw(m, c)
			best = min(best, time.Since(began))
		}
		return best
	}
	slow, fast := draw(many), draw(few)
	for range 20 { // the machine may be busy
		if slow <= 3*fast {
			return
		}
		slow = min(slow, draw(many))
	}
	t.Errorf("5000 games take %v to draw, 50 take %v", slow, fast)
}

// movesText returns moves as a line of play.
func movesText(moves []digit.Move) string {
	texts := make([]string, len(moves))
	for i, m := range moves {
		texts[i] = m.String()
	}
	return strings.Join(texts, " ")
}
