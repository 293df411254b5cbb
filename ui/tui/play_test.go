package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/ui/tui/draw"
)

// TestGamesByKeys plays a game of every book from the menu to the end with keys only.
func TestGamesByKeys(t *testing.T) {
	for i, b := range digit.Books {
		for _, arrows := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s arrows=%v", b.Name, arrows), func(t *testing.T) {
				t.Parallel()
				rec := record(t, b.Name)
				k := &memory{settings: standardSettings().Text()}
				onScreen(t, k, Start{}, func(s *screen) {
					s.press(strings.Fields(strings.Repeat("down ", i) + "enter left enter")...)
					for n, m := range rec.Moves {
						if arrows {
							s.byArrows(m)
						} else {
							before := keysOf(b.Rules, rec.Moves[:n])
							keys := keysOf(b.Rules, rec.Moves[:n+1])[len(before):]
							s.press(strings.Fields(keys)...)
						}
						s.played(n + 1)
					}
					s.ended(k, rec)
				})
			})
		}
	}
}

// byArrows plays a move with the arrow keys and Enter.
func (s *screen) byArrows(m digit.Move) {
	s.t.Helper()
	tb := s.top().(*table)
	for range 20 {
		if tb.picker.pool()[tb.picker.cursor] == m.Digit {
			break
		}
		s.press("right")
	}
	s.press("enter")
	for range 20 {
		if tb.stage() != place || tb.picker.spot == m.Spot {
			break
		}
		s.press("left")
	}
	if tb.stage() == place {
		s.press("enter")
		return
	}
	if _, ok := s.top().(*call); ok {
		for c := range strings.SplitSeq(m.Call.String(), "") {
			if c != "" {
				s.press(c)
			}
		}
		if m.Call == (digit.Number{}) {
			s.press("n")
			return
		}
	}
	s.press("enter")
}

// played fails unless n moves were played at the table.
func (s *screen) played(n int) {
	s.t.Helper()
	tb, ok := s.top().(*table)
	if !ok || len(tb.state.Moves) != n || tb.Table.State().Seq != tb.state.Seq {
		s.t.Fatalf("the table does not have %d moves:\n%s", n, s.text())
	}
}

// ended fails unless the game at the table ended as in a record, is saved, and can be reviewed,
// played again and left.
func (s *screen) ended(k *memory, rec digit.Record) {
	s.t.Helper()
	tb := s.top().(*table)
	want := rec.String() +
		`; first="Player 1" second="Player 2" starts=1 hints=on at=2000-01-01T00:00:00Z`
	if got := tb.state.Record().String(); got != want {
		s.t.Fatalf("the game is %s, want %s", got, want)
	}
	if len(k.games) != 1 || k.games[0].String() != want {
		s.t.Errorf("saved %v, want %s", k.games, want)
	}
	winner, won := tb.state.Winner()
	if won {
		s.shows(strings.ToUpper(tb.name(winner)) + " WINS")
	}
	s.pass(time.Second)
	s.press("v")
	s.shows("Review", "Move ", "wins")
	s.press("esc", "enter")
	s.played(0)
	s.press("esc")
	if _, ok := s.top().(*menu); !ok {
		s.t.Errorf("Esc does not leave a table without moves:\n%s", s.text())
	}
}

// TestGamesByMouse plays a game of every book from the menu to the end with clicks only.
func TestGamesByMouse(t *testing.T) {
	for _, b := range digit.Books {
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			rec := record(t, b.Name)
			k := &memory{settings: standardSettings().Text()}
			onScreen(t, k, Start{}, func(s *screen) {
				t := s.t
				line := rulebook.Goal(b.Rules).Short
				s.click(line)
				if s.settings.Book != b.Name {
					t.Fatalf("%s is not chosen:\n%s", b.Name, s.text())
				}
				s.click(line)
				s.click("Opponent")
				for !strings.Contains(s.text(), "a person here") {
					s.click("‹")
				}
				s.click("▸Play◂")
				for n, m := range rec.Moves {
					s.byMouse(n, m)
					s.played(n + 1)
				}
				s.ended(k, rec)
			})
		})
	}
}

// byMouse plays a move with clicks.
func (s *screen) byMouse(n int, m digit.Move) {
	s.t.Helper()
	d := m.Digit.String()
	rows := strings.Split(s.text(), "\n")
	for _, tile := range []string{"│ " + d + " │", "┃ " + d + " ┃"} {
		if before, _, ok := strings.Cut(rows[4], tile); ok {
			s.send(tea.MouseClickMsg{X: draw.Width(before) + 2, Y: 4, Button: tea.MouseLeft})
		}
	}
	tb := s.top()
	if t, ok := tb.(*table); ok && t.stage() == place {
		name := strings.ToLower(placeName(t.picker.rules, m.Spot))
		if t.picker.rules.Place == digit.Ends {
			name = t.picker.with(m.Spot).String()
		}
		row := strings.Split(s.text(), "\n")[14]
		before := strings.Index(row, name)
		if t.picker.rules.Place == digit.Slots && n%2 == 1 {
			before = strings.LastIndex(row, name)
		}
		if before < 0 {
			s.t.Fatalf("%q is not in %q", name, row)
		}
		x := draw.Width(row[:before]) + len(name)/2
		s.send(tea.MouseClickMsg{X: x, Y: 11, Button: tea.MouseLeft})
		return
	}
	if _, ok := tb.(*call); ok {
		if m.Call == (digit.Number{}) {
			s.click("No call")
			return
		}
		for c := range strings.SplitSeq(m.Call.String(), "") {
			row, _, _ := strings.Cut(s.text(), "You hold")
			y := strings.Count(row, "\n")
			line := strings.Split(s.text(), "\n")[y]
			before, after, _ := strings.Cut(line, "You hold")
			at := draw.Width(before) + len("You hold") + strings.Index(after, c)
			s.send(tea.MouseClickMsg{X: at, Y: y, Button: tea.MouseLeft})
		}
		s.click("Call " + m.Call.String())
		return
	}
	s.click("┃ " + d + " ┃") // the second click plays it
}

// TestTakenBack takes back a picked digit, and a move.
func TestTakenBack(t *testing.T) {
	onScreen(t, &memory{}, people("dilemma"), func(s *screen) {
		t := s.t
		tb := s.top().(*table)
		for _, back := range []string{"esc", "backspace", "up"} {
			s.press("7")
			if tb.stage() != place {
				t.Fatalf("7 is not picked:\n%s", s.text())
			}
			s.press(back)
			if tb.stage() != pick || len(tb.state.Moves) != 0 {
				t.Errorf("%s does not take back the digit", back)
			}
		}
		s.press("7", "right", "4", "c") // another digit
		if got := fmt.Sprint(tb.state.Moves); got != "[4c]" {
			t.Errorf("moves %s, want [4c]", got)
		}
		s.press("space", "u")
		if len(tb.state.Moves) != 0 {
			t.Error("u does not take back the move")
		}
		s.shows("Ada took back 4 on the right.", "ADA'S TURN  Pick a digit")
		if strings.Contains(s.text(), "✗") {
			t.Errorf("the message is marked as an error:\n%s", s.text())
		}
		s.press("space", "u")
		s.shows("You have no move to take back.")
	})
}

// TestBurst types several moves at once: all are played, between two people and against a computer,
// until one is illegal.
func TestBurst(t *testing.T) {
	onScreen(t, &memory{}, people("dilemma"), func(s *screen) {
		var cmds []tea.Cmd
		for key := range strings.FieldsSeq("7 a 3 b 1 c 5 a") {
			_, cmd := s.Update(keyPress(key))
			cmds = append(cmds, cmd)
		}
		s.run(tea.Batch(cmds...))
		s.pass(time.Second)
		s.played(4)
	})
	against := Defaults()
	against.Levels[match.Two] = "novice"
	onScreen(t, &memory{}, Start{Play: &against}, func(s *screen) {
		s.press("7", "a", "1", "b")
		s.shows("Your next keys: 1 b")
		s.press("backspace")
		s.shows("Your next keys: 1")
		s.press("b")
		s.pass(10 * time.Second)
		if n := len(s.top().(*table).state.Moves); n != 4 && !strings.Contains(s.text(), "✗") {
			s.t.Errorf("%d moves are played, want 4 or an error:\n%s", n, s.text())
		}
	})
	onScreen(t, &memory{}, Start{Play: &against}, func(s *screen) {
		s.press("7", "a", "7", "1", "c")
		s.shows("Your next keys: 7 1 c")
		s.pass(10 * time.Second)
		s.played(2)
		s.shows("You already have 7.")
		s.press("2", "b") // the keys after the illegal one are not played later either
		s.pass(10 * time.Second)
		s.played(4)
	})
}

// TestAheadEnds checks that keys typed before the end of a game are not played in the next one.
func TestAheadEnds(t *testing.T) {
	settings := Defaults()
	settings.BestOf = 3
	onScreen(t, &memory{}, Start{Play: &settings}, func(s *screen) {
		s.press("7", "a", "1", "b")
		s.shows("Your next keys: 1 b")
		s.follow("space x y 1s enter 5s") // the computer starts the next game
		s.shows("leads 1–0")
		s.played(1)
	})
}

// TestRefused checks that an illegal digit or place shows a message and changes nothing.
func TestRefused(t *testing.T) {
	onScreen(t, &memory{}, people("dilemma"), func(s *screen) {
		t := s.t
		tb := s.top().(*table)
		s.press("7", "a", "7")
		s.shows("Ada has 7. Still in the pool: 0 1 2 3 4 5 6 8 9.")
		s.press("3", "a", "5", "a")
		if tb.stage() != place || !strings.Contains(s.text(), "✗") {
			t.Errorf("a filled place is accepted:\n%s", s.text())
		}
		if len(tb.state.Moves) != 2 {
			t.Errorf("the moves are %v, want two", tb.state.Moves)
		}
	})
}

// TestAgainstComputers plays series against a computer on each seat, and watches two computers.
func TestAgainstComputers(t *testing.T) {
	for _, opponent := range []Opponent{Computer, ComputerFirst, Watch} {
		t.Run(string(opponent), func(t *testing.T) {
			t.Parallel()
			c := Defaults()
			c.Opponent, c.Levels = opponent, [2]string{"master", "novice"}
			c.BestOf, c.First = 3, CoinToss
			k := &memory{}
			onScreen(t, k, Start{Play: &c}, func(s *screen) {
				t := s.t
				s.shows(" won the toss and start")
				tb := s.top().(*table)
				for !tb.state.SeriesOver() {
					switch {
					case tb.state.Result.Over():
						s.pass(time.Second)
						s.press("enter")
					case !tb.waits():
						half := func(n int) int { return n / 2 }
						m, _ := tb.picker.rules.Pick(tb.state.Position, half)
						s.press(m.Digit.String())
						if tb.stage() == place {
							s.press(m.Spot.String())
						}
						s.press("enter")
					default:
						s.pass(time.Second)
					}
				}
				s.shows("the series 2–")
				if len(k.games) != tb.state.Game {
					t.Errorf("%d of %d games are saved", len(k.games), tb.state.Game)
				}
			})
		})
	}
}

// TestToss checks that a coin toss can choose either seat.
func TestToss(t *testing.T) {
	onScreen(t, &memory{}, Start{}, func(s *screen) {
		w := Defaults()
		w.First = CoinToss
		var starts [2]int
		for range 30 {
			s.play(w)
			starts[s.top().(*table).Table.State().Setup.First]++
		}
		w.Pair, w.RandomOpening = true, true
		s.send(act(func(m *Model) { m.play(w) }))
		s.shows(" won the toss and start", "The game starts with ")
		if starts[match.One] == 0 || starts[match.Two] == 0 {
			s.t.Errorf("30 tosses chose the seats %v times", starts)
		}
	})
}

// TestWatchedPace pauses two computers, plays single moves and changes the speed.
func TestWatchedPace(t *testing.T) {
	c := Defaults()
	c.Opponent = Watch
	onScreen(t, &memory{}, Start{Play: &c}, func(s *screen) {
		t := s.t
		tb := s.top().(*table)
		moves := func() int { return len(tb.state.Moves) }
		s.press("enter")
		s.pass(time.Minute)
		if moves() != 0 {
			t.Fatalf("%d moves were played during the pause", moves())
		}
		s.shows("Paused")
		for want := 1; want <= 2; want++ {
			s.press(".")
			s.pass(time.Minute)
			if moves() != want {
				t.Fatalf("%d moves after %d steps", moves(), want)
			}
		}
		s.press("-", "-", "enter") // a quarter of the speed: two seconds per move
		s.shows("peed ×1/4")
		s.pass(1900 * time.Millisecond)
		if moves() != 2 {
			t.Errorf("%d moves shortly before the time of the next one, want 2", moves())
		}
		s.pass(200 * time.Millisecond)
		if moves() != 3 {
			t.Errorf("%d moves after the time of the next one, want 3", moves())
		}
		s.press("+", "+", "+", "+", "+", "+")
		s.shows("peed ×16")
		s.pass(time.Second)
		if tb.state.Playing() {
			t.Error("the game is not over after a second at the highest speed")
		}
	})
}

// TestThinkingDoesNotFreeze checks that keys work while a computer thinks, and that its late move
// is ignored.
func TestThinkingDoesNotFreeze(t *testing.T) {
	c := Defaults()
	onScreen(t, &memory{}, Start{Play: &c}, func(s *screen) {
		t := s.t
		tb := s.top().(*table)
		s.press("7", "a")
		s.shows("COMPUTER (CASUAL)  is thinking")
		s.press("space", "r")
		s.shows("Rules")
		s.press("esc", "space", "a", "space", "f", "space", "h")
		if tb.state.Turn() != match.Two {
			t.Fatal("the computer has moved already")
		}
		s.press("space", "u") // while the computer thinks about it
		if len(tb.state.Moves) != 0 {
			t.Fatalf("u does not take back the move:\n%s", s.text())
		}
		s.press("3", "b")
		s.pass(3 * time.Second)
		if got := tb.state.Moves; len(got) != 2 || got[0].String() != "3b" {
			t.Errorf("moves %v, want 3b and a reply", got)
		}
		tb.Table.State()
	})
}

// TestClock lets time run out: the player to move loses, or a random move is played.
func TestClock(t *testing.T) {
	c := *people("highest").Play
	c.TurnTime = 10 * time.Second
	onScreen(t, &memory{}, Start{Play: &c}, func(s *screen) {
		s.shows("10 s left", "10 SECONDS")
		s.pass(4 * time.Second)
		s.shows("6 s left", "6 SECONDS")
		s.press("9", "a")
		s.shows("10 s left")
		s.pass(11 * time.Second)
		s.shows("Ben's time ran out", "ADA WINS")
	})
	c.OnTimeout = match.Random
	onScreen(t, &memory{}, Start{Play: &c}, func(s *screen) {
		s.pass(11 * time.Second)
		s.shows("Ada's time ran out, so a random digit was played: ", "Ben's turn. Pick a digit")
	})
}

// TestChanceLeavesPicked lets time run out at every prompt. The random move keeps a picked digit
// and has no call, and a message is shown. Without a picked digit it is the same in every run,
// since the seed is.
func TestChanceLeavesPicked(t *testing.T) {
	const hands = "7 enter 5 enter 1 enter 8 enter "
	for _, tt := range []struct {
		prompt, book, before string
		keys                 [2]string // of two runs
		want                 [2]string // the digits played; empty: any
	}{
		{"digit", "highest", "", [2]string{"", "3 esc"}, [2]string{}},
		{"digit", "highest", "", [2]string{"", "8 right esc"}, [2]string{}},
		{"place", "highest", "", [2]string{"3", "8"}, [2]string{"3", "8"}},
		{"place", "highest", "", [2]string{"8 3", "3 right"}, [2]string{"3", "3"}},
		{"confirm", "sevens", "", [2]string{"3", "8 esc 4"}, [2]string{"3", "4"}},
		{"call", "sevens", hands, [2]string{"2", "4 1"}, [2]string{"2", "4"}},
		{"digit", "sevens", hands, [2]string{"", "2 esc"}, [2]string{}},
	} {
		var played [2]digit.Move
		for i, keys := range tt.keys {
			c := *people(tt.book).Play
			c.TurnTime, c.OnTimeout = 10*time.Second, match.Random
			onScreen(t, &memory{}, Start{Play: &c}, func(s *screen) {
				s.press(strings.Fields(tt.before + keys)...)
				s.pass(10 * time.Second)
				s.shows("Ada's time ran out, so a random digit was played: ")
				if strings.Contains(s.text(), "✗") {
					s.t.Errorf("the message is marked as an error:\n%s", s.text())
				}
				moves := s.top().(*table).state.Moves
				played[i] = moves[len(moves)-1]
				if played[i].Call != (digit.Number{}) ||
					tt.want[i] != "" && played[i].Digit.String() != tt.want[i] {
					s.t.Errorf("%s prompt of %s, %q: the random move is %v, want %s",
						tt.prompt, tt.book, keys, played[i], tt.want[i])
				}
			})
		}
		if tt.want[0] == "" && played[0] != played[1] {
			t.Errorf("%s: after %q the random move is %v, want %v as without a picked digit",
				tt.book, tt.keys[1], played[1], played[0])
		}
	}
}

// TestAutoCall checks automatic calls, also when time runs out. In a game without calls, the
// setting has no effect.
func TestAutoCall(t *testing.T) {
	c := *people("sevens").Play
	c.AutoCall, c.TurnTime, c.OnTimeout = true, 10*time.Second, match.Random
	for _, keys := range []string{"2 enter", "2 11s"} {
		keys = "7 enter 5 enter 1 enter 8 enter " + keys
		scene{start: Start{Play: &c}, keys: keys}.play(t, func(s *screen) {
			s.shows("First hand to make a multiple of 7 wins", "ADA WINS")
			text := s.top().(*table).picture(s.Model).played().Long
			if !strings.Contains(text, "The game called 721 = 7 × 103 for Ada.") {
				s.t.Errorf("the call is described as %q", text)
			}
			want := "sevens 7 5 1 8 2=721 1-0 multiple; first=Ada second=Ben starts=1" +
				" turn-time=10s on-timeout=random auto-call=on hints=on"
			if got := s.memory.games[0].String(); !strings.HasPrefix(got, want) {
				s.t.Errorf("saved %s, want %s", got, want)
			}
		})
	}
	c.Book, c.TurnTime = "dilemma", 0
	scene{start: Start{Play: &c}, keys: "7 a"}.play(t, func(s *screen) { s.played(1) })
}

// TestTargets watches two perfect players in a series with a different target in each game: every
// game is played perfectly by its own rules.
func TestTargets(t *testing.T) {
	c := Defaults()
	c.Book, c.Opponent, c.Levels = "divisibility", Watch, [2]string{"perfect", "perfect"}
	c.BestOf, c.Targets = 5, match.Targets{11, 13, 17}
	k := &memory{}
	onScreen(t, k, Start{Play: &c}, func(s *screen) {
		t := s.t
		tb := s.top().(*table)
		for game, target := range []uint16{11, 13, 17} {
			s.shows(fmt.Sprintf("First multiple of %d wins", target))
			s.pass(10 * time.Second)
			if len(k.games) != game+1 {
				t.Fatalf("game %d is not over:\n%s", game+1, s.text())
			}
			rec := k.games[game]
			if rec.Rules.Target != target || tb.study.rules != rec.Rules {
				t.Errorf("game %d is %v, studied as %v, want target %d",
					game+1, rec, tb.study.rules, target)
			}
			positions, err := rec.Positions()
			if err != nil {
				t.Fatal(err)
			}
			for i, m := range rec.Moves {
				solution := tb.study.solution
				got := solution.Choice(positions[i], m).Value.Outcome
				if got != solution.Value(positions[i]).Outcome {
					t.Errorf("%v: move %d, %v, is not perfect", rec, i+1, m)
				}
			}
			s.pass(time.Second)
			s.press("enter")
		}
	})
	c.Opponent = Person
	onScreen(t, &memory{}, Start{Play: &c}, func(s *screen) {
		s.press("4", "enter", "space", "n", "space", "x", "y")
		s.pass(time.Second)
		s.press("enter")
		s.shows("First multiple of 13 wins.", "no digit makes a multiple of 13 now")
		s.press("2", "enter", "1", "enter", "space", "h", "space", "h", "space", "h")
		s.shows("Hint: Add 6 on the right: 26 = 13 × 2.")
	})
}

// TestHintAboutDigit checks hints about a picked digit, and those about the position.
func TestHintAboutDigit(t *testing.T) {
	onScreen(t, &memory{}, people("dilemma"), func(s *screen) {
		s.press(strings.Fields(keysOf(digit.Dilemma, record(s.t, "dilemma").Moves[:4]))...)
		s.press("4", "space", "h")
		s.shows("Hint: With 4, you can't force a win.")
		s.press("esc")
		if strings.Contains(s.text(), "Hint") {
			s.t.Errorf("the hint about the digit is still shown:\n%s", s.text())
		}
		s.press("space", "h")
		s.shows("Hint: You can win this turn.")
		s.press("2") // the hint about the position stays
		s.shows("Hint: You can win this turn.")
		s.press("space", "h", "space", "h", "space", "h")
		s.shows("Hint: Put 2 in the middle: 721 = 7 × 103.")
	})
}

// TestClockEndsCall lets time run out on the page that asks for a call.
func TestClockEndsCall(t *testing.T) {
	c := *people("sevens").Play
	c.TurnTime = 10 * time.Second
	onScreen(t, &memory{}, Start{Play: &c}, func(s *screen) {
		s.press("7", "enter", "5", "enter", "1", "enter", "8", "enter", "2")
		s.shows("Call a multiple of 7")
		s.pass(11 * time.Second)
		s.played(4)
		s.shows("Ada's time ran out", "BEN WINS")
	})
}

// TestPlayOn continues a saved game against a computer, many times: the computer never moves before
// all moves of the game are played.
func TestPlayOn(t *testing.T) {
	rec := record(t, "dilemma")
	for range 50 {
		c := Defaults()
		onScreen(t, &memory{games: []digit.Record{rec}}, Start{}, func(s *screen) {
			s.world.Pace, s.settings = 0, c
			s.press("g", "enter", "end", "c")
			moves := s.top().(*table).state.Moves
			if len(moves) < 5 || fmt.Sprint(moves[:5]) != fmt.Sprint(rec.Moves[:5]) {
				s.t.Fatalf("moves %v, want those of %v first", moves, rec)
			}
		})
	}
	onScreen(t, &memory{games: []digit.Record{rec}}, Start{}, func(s *screen) {
		s.settings.Opponent, s.settings.BestOf = Person, 3
		s.settings.Targets = match.Targets{11, 13}
		s.press("g", "enter", "end", "c")
		s.played(5)
		s.shows("First three-digit multiple of 7 wins") // not the targets of the settings
	})
}

// TestShared connects two screens to one table, as over a network: each plays one seat, sees the
// opponent's moves, and needs consent to take back a move.
func TestShared(t *testing.T) {
	onScreen(t, &memory{}, Start{}, func(s *screen) {
		t := s.t
		setup := match.Setup{Rules: digit.Highest, Names: [2]string{"Ada", "Ben"}}
		at, err := match.Open(t.Context(), "shared", setup, new(match.Memory), s.rng())
		if err != nil {
			t.Fatal(err)
		}
		defer at.Close()
		if _, err := at.Begin(t.Context()); err != nil {
			t.Fatal(err)
		}
		var both [2]*screen
		for i := range both {
			k := &memory{}
			start := Start{Sitting: Sitting{Table: at, Mine: []match.Seat{match.Seat(i)}}}
			both[i] = &screen{
				t: t, memory: k, Model: New(k.world(), start), msgs: make(chan tea.Msg, 1000),
			}
			both[i].run(both[i].Init())
			both[i].size(80, 24)
			defer both[i].Close() //nolint:errcheck // nothing is saved
		}
		settle := func() {
			for range 3 {
				both[0].settle()
				both[1].settle()
			}
		}
		settle()
		both[0].press("9", "a")
		settle()
		both[0].shows("BEN'S TURN")
		both[1].shows("YOUR TURN  Pick a digit, then a place for it.", "● Ada      9a")
		both[0].press("space", "u")
		settle()
		both[0].shows("You asked Ben to let you take back 9 in the")
		both[1].shows("Ada wants to take back 9 in the hundreds place.")
		both[1].press("n")
		settle()
		both[0].shows("Ben said no. The move stands.")
		both[0].press("space", "u")
		settle()
		both[1].press("y")
		settle()
		both[0].shows("YOUR TURN  Pick a digit, then a place for it.",
			"You took back 9 in the hundreds place.")
		both[1].shows("ADA'S TURN", "Ada took back 9 in the hundreds place.")
	})
}
