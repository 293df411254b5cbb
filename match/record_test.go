package match

import (
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"digitduel/digit"
)

// TestRecordTags checks the tags of the records of games, and that GameInfoOf reads them back.
func TestRecordTags(t *testing.T) {
	tests := []struct {
		setup Setup
		acts  string
		want  string
	}{
		{Setup{Rules: digit.Dilemma}, "7a", `dilemma 7a *; first="Player 1" second="Player 2" starts=1 at=2000-01-01T00:00:00Z`},
		{Setup{Rules: digit.Dilemma, Names: [2]string{"Ada", "Ben"}, First: Two}, "7a", `dilemma 7a *; first=Ben second=Ada starts=2 at=2000-01-01T00:00:00Z`},
		{Setup{Rules: digit.Divisibility, Names: [2]string{"Ada; B=", "casual bot"}, Levels: [2]string{"", "casual"}, Terms: Terms{BestOf: 3, TurnTime: time.Minute, OnTimeout: Random, Hints: true}},
			"7R begin", `divisibility *; first="casual bot" second="Ada; B=" first-level=casual starts=2 game=2/3 turn-time=1m0s on-timeout=random hints=on at=2000-01-01T00:00:00Z`},
		{Setup{Rules: digit.Divisibility, Terms: Terms{BestOf: 3, Targets: Targets{11, 13}}}, "resign:1 begin resign:2 begin",
			`divisibility target=11 *; first="Player 1" second="Player 2" starts=1 game=3/3 targets=11,13 at=2000-01-01T00:00:00Z`},
		{Setup{Rules: digit.Sevens, Terms: Terms{AutoCall: true}}, "7 5 1 8 2", `sevens 7 5 1 8 2=721 1-0 multiple; first="Player 1" second="Player 2" starts=1 auto-call=on at=2000-01-01T00:00:00Z`},
		{Setup{Rules: digit.Dilemma, Levels: [2]string{"casual", "expert"}}, "7a", `dilemma 7a *; first="Player 1" second="Player 2" first-level=casual second-level=expert starts=1 at=2000-01-01T00:00:00Z`},
		{agentSetup, "9a 8a", `highest 9a 8a *; first=Robo second=Casual second-level=casual program=first starts=1 at=2000-01-01T00:00:00Z`},
		{Setup{Rules: digit.Highest, First: Two, Levels: agentSetup.Levels, Agent: agentSetup.Agent}, "9a fault:1=illegal fault:1=illegal 8a 1c fault:1=unreadable",
			`highest 9a 8a 1c *; first="Player 2" second="Player 1" first-level=casual program=second illegal=2 unreadable=1 starts=2 at=2000-01-01T00:00:00Z`},
		{agentSetup, "fault:1=illegal fault:1=illegal fault:1=illegal again:1",
			`highest *; first=Casual second=Robo first-level=casual program=second starts=2 at=2000-01-01T00:00:00Z`},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			table := open(t, tt.setup)
			if err := act(t, table, tt.acts); err != nil {
				t.Fatal(err)
			}
			s := table.State()
			rec := s.Record()
			if got := rec.String(); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			read, err := digit.ParseRecord(rec.String())
			if err != nil {
				t.Fatal(err)
			}
			played, err := GameInfoOf(read)
			if err != nil {
				t.Fatal(err)
			}
			if want := s.gameInfo(); !played.At.Equal(want.At) {
				t.Errorf("%s: got time %v, want %v", rec, played.At, want.At)
			} else if want.At = played.At; played != want { // == distinguishes equal times
				t.Errorf("%s: got %+v, want %+v", rec, played, s.gameInfo())
			}
			for _, seat := range Seats {
				if played.Name(seat) != s.Setup.Name(seat) || played.Side(seat) != s.Side(seat) {
					t.Errorf("%s: %v is %q on the %v side", rec, seat, played.Name(seat), played.Side(seat))
				}
			}
		})
	}
}

// TestTagsDocumented checks that the notation lists all tags, in the order in which they are
// written.
func TestTagsDocumented(t *testing.T) {
	info := GameInfo{
		Levels: [2]string{"casual", "casual"}, Agents: [2]bool{true}, Illegal: 1, Unreadable: 1, Game: 1,
		Terms: allTerms, Given: 1, At: time.Unix(0, 0),
	}
	var written []string
	for _, tag := range info.tags() {
		written = append(written, tag.Key)
	}
	text, err := os.ReadFile("../docs/notation.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "These tags are written, in this order:")
	table, _, _ = strings.Cut(table, "\n\nAn impossible value")
	var listed []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*)").FindAllStringSubmatch(table, -1) {
		for key := range strings.SplitSeq(strings.TrimSpace(row[1]), ", ") {
			listed = append(listed, strings.Trim(key, "`"))
		}
	}
	if diff := cmp.Diff(append(written, digit.ClockTag, "help"), listed); diff != "" {
		t.Errorf("written and listed: %s", diff)
	}
}

func TestGameInfoOf(t *testing.T) {
	bare, err := digit.ParseRecord("dilemma 7a *")
	if err != nil {
		t.Fatal(err)
	}
	if played, err := GameInfoOf(bare); err != nil || played != (GameInfo{}) || played.Name(Two) != "Player 2" {
		t.Errorf("a record without tags: got %+v, %v", played, err)
	}
	for line, want := range map[string]string{
		"dilemma *; starts=3":        `tag "starts=3": allowed: 1, 2`,
		"dilemma *; starts=x":        `tag "starts=x": allowed: 1, 2`,
		"dilemma *; program=1":       `tag "program=1": allowed: first, second`,
		"dilemma *; illegal=0":       `tag "illegal=0": allowed: the number of illegal moves, as in 2`,
		"dilemma *; unreadable=x":    `tag "unreadable=x": allowed: the number of unreadable answers, as in 2`,
		"dilemma *; game=2":          `tag "game=2": allowed: the number of the game and the length of its series, as in 2/3`,
		"dilemma *; game=7/3":        `tag "game=7/3": allowed: the number of the game and the length of its series, as in 2/3`,
		"dilemma *; turn-time=-1s":   `tag "turn-time=-1s": allowed: a time such as 30s or 2m`,
		"dilemma *; on-timeout=pass": `tag "on-timeout=pass": allowed: lose, random`,
		"dilemma *; auto-call=maybe": `tag "auto-call=maybe": allowed: on, off`,
		"dilemma *; hints=3":         `tag "hints=3": allowed: on, off`,
		`dilemma *; hints=""`:        `tag "hints=": allowed: on, off`,
		`dilemma *; targets=""`:      `tag "targets=": allowed: up to 8 numbers from 2 to 9999 with commas between, as in 11,13,17`,
		"dilemma *; targets=1":       `tag "targets=1": allowed: up to 8 numbers from 2 to 9999 with commas between, as in 11,13,17`,
		"dilemma *; at=today":        `tag "at=today": allowed: a time, as in 2026-11-15T09:12:00Z`,
	} {
		rec, err := digit.ParseRecord(line)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := GameInfoOf(rec); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
	later, err := digit.ParseRecord("dilemma *; first=Ada weather=fine")
	if err != nil {
		t.Fatal(err)
	}
	if played, err := GameInfoOf(later); err != nil || played.Names[One] != "Ada" {
		t.Errorf("a record with an unknown key: got %+v, %v", played, err)
	}
}

// TestTimeoutNeverCalls lets the clock play whole games with hands: it never calls, even if a call
// would win, unless the table calls for its players.
func TestTimeoutNeverCalls(t *testing.T) {
	for _, auto := range []bool{false, true} {
		called := 0
		for seed := range uint64(60) {
			synctest.Test(t, func(t *testing.T) {
				setup := Setup{
					Rules: digit.Sevens, Terms: Terms{TurnTime: time.Second, OnTimeout: Random, AutoCall: auto},
				}
				table, err := Open(t.Context(), "t", setup, new(Memory), rand.New(rand.NewPCG(seed, 1)))
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(table.Close)
				if _, err := table.Begin(t.Context()); err != nil {
					t.Fatal(err)
				}
				for table.State().Playing() {
					advance(time.Second)
				}
				s := table.State()
				r := s.Setup.Rules
				_, isCalled := r.Called(s.Position)
				if isCalled {
					called++
				}
				switch {
				case s.Result.Reason == digit.Miscalled:
					t.Errorf("seed %d: the clock called wrong: %v", seed, s.Record())
				case isCalled && !auto:
					t.Errorf("seed %d: the clock called: %v", seed, s.Record())
				case auto && !isCalled && (r.HighestMultiple(r.Held(s.Position, digit.First)).Len() > 0 ||
					r.HighestMultiple(r.Held(s.Position, digit.Second)).Len() > 0):
					t.Errorf("seed %d: a multiple was not called: %v", seed, s.Record())
				}
			})
		}
		if auto != (called > 0) {
			t.Errorf("with auto-call %v, %d of 60 games ended with a call", auto, called)
		}
	}
}

// TestClockTag checks that a record lists the moves that the clock played, without those that were
// taken back.
func TestClockTag(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := open(t, Setup{
			Rules: digit.Highest, FreeUndo: true, Terms: Terms{TurnTime: time.Second, OnTimeout: Random},
		})
		for _, step := range []struct{ act, want string }{
			{"9a", ""}, {"", "2"}, {"8b", "2"}, {"", "2,4"}, {"undo:2", "2"}, {"", "2,4"}, {"", "2,4,5"},
		} {
			if step.act == "" {
				advance(time.Second)
			} else if err := act(t, table, step.act); err != nil {
				t.Fatal(err)
			}
			rec := table.State().Record()
			n := len(rec.Moves)
			if got := rec.Tag(digit.ClockTag); got != step.want || rec.Clocked(n) != (step.act == "") {
				t.Errorf("after %q: moves of the clock: got %q, want %q: %v", step.act, got, step.want, rec)
			}
		}
	})
}

// TestPicked picks a digit and lets the time run out before the turn is complete: the clock plays
// the picked digit.
func TestPicked(t *testing.T) {
	for _, tt := range []struct {
		rules   digit.Rules
		acts    string
		pick    digit.Digit
		since   string // after the pick
		putBack bool
	}{
		{digit.Dilemma, "7a", 3, "", false}, {digit.Highest, "", 1, "", false},
		{digit.Divisibility, "4R 3R", 9, "", false}, {digit.Divisibility, "", 2, "", false},
		{digit.Sevens, "7 5 1 8", 2, "", false}, {digit.Reverse, "9a", 1, "", true},
		{digit.Dilemma, "7a", 3, "leave:1 back:1", false}, {digit.Reverse, "9a", 1, "hints:1", true},
	} {
		kept := 0
		for seed := range uint64(20) {
			synctest.Test(t, func(t *testing.T) {
				setup := Setup{Rules: tt.rules, Terms: Terms{TurnTime: time.Minute, OnTimeout: Random}}
				table, err := Open(t.Context(), "t", setup, new(Memory), rand.New(rand.NewPCG(seed, 2)))
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(table.Close)
				if err := act(t, table, "begin "+tt.acts); err != nil {
					t.Fatal(err)
				}
				s := table.State()
				if err := table.Pick(s.Turn(), tt.pick, s.Seq); err != nil {
					t.Fatal(err)
				}
				if err := act(t, table, tt.since); err != nil {
					t.Fatal(err)
				}
				table.PutBack(s.Seq - 1) // from an earlier turn: it has no effect
				if tt.putBack {
					table.PutBack(table.State().Seq)
				}
				advance(time.Minute)
				moves := table.State().Moves
				if len(moves) != len(s.Moves)+1 {
					t.Fatalf("%v: the clock did not play", moves)
				}
				if last := moves[len(moves)-1]; last.Digit == tt.pick && last.Call == (digit.Number{}) {
					kept++
				}
				advance(time.Minute) // the pick is no longer valid
			})
		}
		if tt.putBack == (kept == 20) {
			t.Errorf("%v %s: the clock played %v in %d of 20 games", tt.rules, tt.acts, tt.pick, kept)
		}
	}
}

func TestPickRefused(t *testing.T) {
	table := open(t, Setup{Rules: digit.Dilemma})
	if err := act(t, table, "7a"); err != nil {
		t.Fatal(err)
	}
	s := table.State()
	for _, tt := range []struct {
		seat Seat
		d    digit.Digit
		seen int
		want string
	}{
		{One, 3, s.Seq, ErrTurn.Error()},
		{Two, 3, s.Seq - 1, ErrStale.Error()},
		{Two, 7, s.Seq, "7R: 7 is taken; left: 0 1 2 3 4 5 6 8 9"},
	} {
		if err := table.Pick(tt.seat, tt.d, tt.seen); err == nil || err.Error() != tt.want {
			t.Errorf("%v picks %v: %v, want %s", tt.seat, tt.d, err, tt.want)
		}
	}
}

// TestAutoCall checks that a table with auto-call makes the winning call for its players, also if
// the move is sent twice.
func TestAutoCall(t *testing.T) {
	table := open(t, Setup{Rules: digit.Sevens, Terms: Terms{AutoCall: true}})
	if err := act(t, table, "7 5 1 8"); err != nil {
		t.Fatal(err)
	}
	seen := table.State().Seq
	for range 2 {
		s, err := table.Play(t.Context(), One, digit.Move{Digit: 2}, seen)
		if err != nil || s.Result != (digit.Result{Score: digit.FirstWins, Reason: digit.Multiple}) {
			t.Errorf("after the third digit: %v, %v", s.Result, err)
		}
	}
	for _, setup := range []Setup{
		{Rules: digit.Dilemma, Terms: Terms{AutoCall: true}},
		{Rules: digit.Dilemma, Terms: Terms{OnTimeout: Random}},
		{Rules: digit.Dilemma, Terms: Terms{Targets: Targets{11}}},
		{Rules: digit.Highest, Terms: Terms{BestOf: 3, Targets: Targets{11}}},
	} {
		if _, err := Open(t.Context(), "t", setup, new(Memory), nil); err == nil {
			t.Errorf("%+v is accepted although an option has no effect", setup)
		}
	}
}

// TestTargets checks that the target changes from game to game, and that invalid lists of targets
// are refused.
func TestTargets(t *testing.T) {
	table := open(t, Setup{Rules: digit.Divisibility, Terms: Terms{BestOf: 5, Targets: Targets{11, 13, 17}}})
	for game, want := range []uint16{11, 13, 17, 11} {
		s := table.State()
		if s.Game != game+1 || s.Setup.Rules.Target != want {
			t.Errorf("game %d has target %d, want %d", s.Game, s.Setup.Rules.Target, want)
		}
		loser := One
		if game%2 == 1 {
			loser = Two
		}
		if _, err := table.Do(t.Context(), loser, Resign, ""); err != nil {
			t.Fatal(err)
		}
		if _, err := table.Begin(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	again := open(t, Setup{Rules: digit.Divisibility, Terms: Terms{BestOf: 3, Targets: Targets{11, 13, 17}}})
	for series := 1; series <= 3; series++ { // of two games: the third target is not reached
		for game, want := range []uint16{11, 13} {
			if got := again.State().Setup.Rules.Target; got != want {
				t.Errorf("game %d of series %d has target %d, want %d", game+1, series, got, want)
			}
			if err := act(t, again, []string{"resign:1 begin", "resign:1 again:1 again:2"}[game]); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, text := range []string{"", "11,", "1", "10000", "x", "2,3,4,5,6,7,8,9,10", "11;13"} {
		if got, err := ParseTargets(text); err == nil {
			t.Errorf("ParseTargets(%q) = %v, want an error", text, got)
		}
	}
	if got, err := ParseTargets(" 11, 13 "); err != nil || got.String() != "11,13" {
		t.Errorf("got %v, %v, want 11,13", got, err)
	}
}
