package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// parsed returns the games of records.
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

// onGames runs a test on the page of saved games, at noon on 15 January 2000.
func onGames(t *testing.T, k *memory, test func(*screen)) {
	t.Helper()
	onScreen(t, k, Start{}, func(s *screen) {
		time.Sleep(14*24*time.Hour + 12*time.Hour) // in the bubble
		s.send(act((*Model).openSaved))
		s.settle()
		s.press("home")
		test(s)
	})
}

// TestSaved lists and reviews games with players, without them, and with tags that cannot be right.
func TestSaved(t *testing.T) {
	draw, ok := findDraw(rulesOf(t, "divisibility pool=1-4"), digit.Position{})
	if !ok {
		t.Fatal("no drawn game found")
	}
	for _, tt := range []struct{ record, list, review string }{
		{lines["highest"] + `; first="Ben B." second=Ada starts=2 game=2/3 at=1999-12-31T23:59:00Z`, "✓ Highest, Ben B., Ada  31 Dec 1999, Ben B. won, 952 is higher than 876", "Ben B. wins"},
		{lines["highest"] + "; first=Ada second=Ben starts=1", "✓ Highest, Ada, Ben  Ada won, 952 is higher than 876", "Ada wins"},
		{lines["highest"] + "; first=Ada second=Ben starts=3", "✓ Highest, 2 people  Player 1 won", "Player 1 wins"},
		{lines["highest"], "✓ Highest, 2 people  Player 1 won", "Player 1 wins"},
		{lines["reverse"] + `; first="Player 1" second="Casual bot" second-level=casual starts=1 hints=on turn-time=30s at=2000-01-15T02:00:00Z`, "✗ Reverse, casual  10 hours ago, you lost", "Computer wins"},
		{lines["sevens"] + `; first=Ada second="Expert bot" second-level=expert starts=1 at=2000-01-14T02:00:00Z`, "✓ Sevens, expert  yesterday, you won, 721 = 7 × 103", "You win"},
		{draw.String() + "; first=Ada second=Ben starts=1 at=2000-01-12T02:00:00Z", "= Divisibility, Ada, Ben  Wednesday, drawn, both", "Draw: both"},
		{`highest 9a 8a 1-0 resigned; first=Ada second="Expert bot" second-level=expert starts=1 at=2000-01-02T02:00:00Z`, "✓ Highest, expert  2 Jan, you won", "resigned"},
		{`highest 9a 8a *`, "▶ Highest, 2 people  unfinished", "Stopped after 2 digits"},
		{`highest 9a 8a *; first=Ada second=Ben starts=2 game=2/3`, "▶ Highest, Ada, Ben  Ada's turn, 8 _ _ / 9 _ _", "Stopped after 2 digits"},
		{`highest 9a 8a *; first=Ada second=X second-level=genius starts=1`, "▶ Highest, X  your turn, 9 _ _ / 8 _ _", "Stopped after 2 digits"},
	} {
		onGames(t, &memory{games: parsed(t, tt.record)}, func(s *screen) {
			s.shows("▸ "+tt.list, "Enter review")
			s.press("v")
			s.shows(tt.review)
		})
	}
}

// findDraw returns a game that ends in a draw, with these moves up to a position.
func findDraw(r digit.Rules, p digit.Position, moves ...digit.Move) (digit.Record, bool) {
	if r.Result(p).Over() {
		result := r.Result(p)
		return digit.Record{Rules: r, Moves: moves, Result: result}, result.Score == digit.Draw
	}
	for m := range r.Moves(p) {
		next, _ := r.Play(p, m)
		if rec, ok := findDraw(r, next, append(moves[:len(moves):len(moves)], m)...); ok {
			return rec, true
		}
	}
	return digit.Record{}, false
}

func TestWhenText(t *testing.T) {
	now := time.Date(2026, time.November, 15, 12, 30, 0, 0, time.UTC)
	for _, tt := range []struct {
		ago  time.Duration
		want string
	}{
		{-time.Hour, "just now"}, {59 * time.Second, "just now"}, {time.Minute, "1 min ago"}, {59 * time.Minute, "59 min ago"},
		{time.Hour, "1 hour ago"}, {12 * time.Hour, "12 hours ago"}, {13 * time.Hour, "yesterday"}, {36 * time.Hour, "yesterday"},
		{37 * time.Hour, "Friday"}, {6 * 24 * time.Hour, "Monday"}, {7 * 24 * time.Hour, "8 Nov"}, {365 * 24 * time.Hour, "15 Nov 2025"},
	} {
		if got := whenText(now.Add(-tt.ago), now); got != tt.want {
			t.Errorf("%v ago: %q, want %q", tt.ago, got, tt.want)
		}
	}
	early := time.Date(2026, time.November, 15, 0, 30, 0, 0, time.UTC)
	if got := whenText(early.Add(-2*time.Hour), early); got != "2 hours ago" {
		t.Errorf("before midnight: %q", got)
	}
}

// TestGamesOrder checks the order of saved games: a game that can be continued is first, and a game
// with several records is listed once.
func TestGamesOrder(t *testing.T) {
	const ada = "; first=Ada second=Ben starts=1 at="
	records := parsed(t,
		"highest 9a *"+ada+"2000-01-01T00:00:00Z", // has a table
		"highest 8a *"+ada+"2000-01-02T00:00:00Z", // was continued to its end
		"highest 7a *"+ada+"2000-01-03T00:00:00Z", // was left, without a table
		"reverse 7a *",
		"highest 8a 0-1 resigned"+ada+"2000-01-02T00:00:00Z",
		"highest 6a 0-1 resigned"+ada+"2000-01-04T00:00:00Z",
	)
	played, err := match.GameInfoOf(records[0])
	if err != nil {
		t.Fatal(err)
	}
	state := match.State{
		Setup: played.Setup(digit.Highest), Game: 1, Moves: records[0].Moves, Began: played.At,
	}
	var got []string
	for _, g := range SavedGames([]Unfinished{{ID: "it", State: state, At: played.At}}, records) {
		got = append(got, fmt.Sprintf("%v %v %v", g.Rules, g.Moves, g.Result))
	}
	want := "highest [9a] *, highest [6a] 0-1 resigned, highest [7a] *, " +
		"highest [8a] 0-1 resigned, reverse [7a] *"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("the order is %s, want %s", text, want)
	}
}

// TestGameOfProgram checks that the list names a program, and does not call it You.
func TestGameOfProgram(t *testing.T) {
	for line, want := range map[string]string{
		"highest 9a 0-1 resigned; first=Ada second=\"Beginner bot\" second-level=beginner starts=1":                "You, Computer (beginner): beginner",
		"highest 9a 0-1 resigned; first=Robo second=\"Beginner bot\" second-level=beginner program=first starts=1": "Robo (program), Computer (beginner): Robo, beginner",
	} {
		g := newGame(parsed(t, line)[0])
		players := g.pair.label(digit.First) + ", " + g.pair.label(digit.Second)
		if got := players + ": " + g.against(); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

// TestNarrowGames checks that nothing is cut in a list of games with long names in the smallest
// window.
func TestNarrowGames(t *testing.T) {
	k := &memory{games: parsed(t,
		"divisibility target=1001 7R *; first=\"Bartholomew the Third\" second=Wilhelmina starts=1 at=1999-12-31T00:00:00Z",
		lines["dilemma"]+"; first=Ada second=\"Beginner bot\" second-level=beginner starts=1 at=2000-01-14T00:00:00Z")}
	onGames(t, k, func(s *screen) {
		s.size(54, 18)
		s.shows("Divisibility 1001, Bartholomew the Third,", "Wilhelmina",
			"31 Dec 1999, Wilhelmina's turn, 7 / –", "✗ Dilemma, beginner")
		if strings.Contains(s.text(), "…") {
			s.t.Errorf("a line is cut:\n%s", s.text())
		}
	})
}

// TestFind searches the saved games for words.
func TestFind(t *testing.T) {
	k := &memory{games: parsed(t,
		lines["highest"]+"; first=Ada second=Ben starts=1",
		lines["reverse"]+"; first=Ada second=Cleo starts=1", lines["dilemma"])}
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
			s.t.Error("Esc does not lead to the menu")
		}
	})
}

// TestDelete deletes a game and a table after a confirmation.
func TestDelete(t *testing.T) {
	k := &memory{games: parsed(t,
		lines["highest"]+"; first=Ada second=Ben starts=1", lines["reverse"])}
	onScreen(t, k, people("dilemma"), func(s *screen) { s.press("7", "a") })
	k.games = k.games[:2] // a memory saves a game that was left as a table and as a record
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
			s.t.Errorf("the games are %v, want one of reverse", k.games)
		}
		s.world.Drop = func(digit.Record) error { return fmt.Errorf("the disk is read-only") }
		s.press("d", "y")
		s.shows("the game was not deleted: the disk is read-only", "1 game")
	})
}

// TestGoOn resumes a game from the list.
func TestGoOn(t *testing.T) {
	k := &memory{}
	onScreen(t, k, people("dilemma"), func(s *screen) { s.press("7", "a", "3", "b") })
	onGames(t, k, func(s *screen) {
		s.shows("Enter continue", "1 game, 1 unfinished", "7 _ _ / _ 3 _")
		s.press("enter")
		if at := s.openTable(); movesText(at.state.Moves) != "7a 3b" {
			s.t.Errorf("the state is %+v", at.state)
		}
		k.games = nil                   // the record of the game
		s.send(act((*Model).openSaved)) // over the table, which is not listed while it is open
		s.settle()
		s.shows("There are no saved games yet")
	})
}

// TestManyGames checks that drawing a page of many games is about as fast as one of few.
func TestManyGames(t *testing.T) {
	few, many := &saved{loaded: true}, &saved{loaded: true}
	var records []digit.Record
	for i := range 5000 {
		at := time.Unix(int64(i)*3600, 0).UTC().Format(time.RFC3339)
		records = append(records,
			parsed(t, lines["highest"]+"; first=Ada second=Ben starts=1 at="+at)...)
	}
	few.games, many.games = SavedGames(nil, records[:50]), SavedGames(nil, records)
	m := New((&memory{}).world(), Start{})
	m.width, m.height = 80, 24
	drawTime := func(p *saved) time.Duration {
		p.search()
		p.at = len(p.shown) / 2
		best := time.Hour
		for range 20 {
			began := time.Now()
			c := m.newCanvas()
			p.draw(m, c)
			best = min(best, time.Since(began))
		}
		return best
	}
	slow, fast := drawTime(many), drawTime(few)
	for range 20 { // the machine may be busy
		if slow <= 3*fast {
			return
		}
		slow = min(slow, drawTime(many))
	}
	t.Errorf("5000 games take %v to draw, 50 take %v", slow, fast)
}

// movesText returns the text of moves, with blanks between them.
func movesText(moves []digit.Move) string {
	texts := make([]string, len(moves))
	for i, m := range moves {
		texts[i] = m.String()
	}
	return strings.Join(texts, " ")
}
