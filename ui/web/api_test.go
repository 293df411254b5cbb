package web

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// TestOpen opens tables and checks that each is as ordered.
func TestOpen(t *testing.T) {
	h := newTestServer(t)
	for _, test := range []struct{ order, want string }{
		{`{"rules":"dilemma"}`, "dilemma playing game 1, 1 first human Player 1, 2 second human Player 2"},
		{`{"rules":"  dilemma   target=8 "}`, "dilemma target=8 playing game 1, 1 first human Player 1, 2 second human Player 2"},
		{`{"rules":"reverse final=higher"}`, "highest playing game 1, 1 first human Player 1, 2 second human Player 2"},
		{`{"rules":"sevens","best_of":0,"turn_time":"","on_timeout":"lose","names":[],"hints":false,"seats":[]}`, "sevens playing game 1, 1 first human Player 1, 2 second human Player 2"},
		{`{"rules":"sevens","best_of":3,"turn_time":"90s","on_timeout":"random","first":2,"names":[" Ada ","Ben"],"hints":true,"seats":["human","human"]}`,
			"sevens best of 3 1m30s playing game 1, 1 second human Ada, 2 first human Ben, hints"},
		{`{"rules":"highest","first":1,"names":["Ada"]}`, "highest playing game 1, 1 first human Ada, 2 second human Player 2"},
		{`{"rules":"reverse","seats":["human","anyone"]}`, "reverse open game 0, 1 first human Player 1, 2 second open Player 2"},
		{`{"rules":"reverse","first":2,"seats":["anyone"]}`, "reverse open game 0, 1 second open Player 1, 2 first human Player 2"},
		{`{"rules":"reverse","seats":["human","perfect"]}`, "reverse playing game 1, 1 first human Player 1, 2 second perfect Computer (perfect)"},
		{`{"rules":"reverse","seats":["human","beginner"],"names":["Ada","Robo"]}`, "reverse playing game 1, 1 first human Ada, 2 second beginner Robo"},
		{`{"rules":"dilemma","seats":["anyone","casual"]}`, "dilemma open game 0, 1 first open Player 1, 2 second casual Computer (casual)"},
		{`{"rules":"dilemma","names":["ÅÄÖ日本 😀é"]}`, "dilemma playing game 1, 1 first human ÅÄÖ日本 😀é, 2 second human Player 2"},
	} {
		table := h.open(test.order)
		var v struct {
			Rules, Phase string
			TurnTime     string `json:"turn_time"`
			BestOf       int    `json:"best_of"`
			Game         int
			Seats        []struct {
				Seat               int
				Side, Name, Player string
			}
			Hints bool
		}
		if err := json.Unmarshal([]byte(table.say("look").text), &v); err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		got.WriteString(v.Rules)
		if v.BestOf > 0 {
			got.WriteString(fmt.Sprint(" best of ", v.BestOf))
		}
		if v.TurnTime != "" {
			got.WriteString(" " + v.TurnTime)
		}
		got.WriteString(fmt.Sprintf(" %s game %d", v.Phase, v.Game))
		for i, seat := range v.Seats {
			got.WriteString(fmt.Sprintf(", %d %s %s %s", seat.Seat, seat.Side, seat.Player,
				seat.Name))
			if want := seat.Player == match.Human; (table.tokens[i] != "") != want {
				t.Errorf("%s: seat %d has a token: %t, want %t", test.order, i+1, !want, want)
			}
			if table.sides[i] != seat.Side {
				t.Errorf("%s: the response to opening says that seat %d is %s", test.order, i+1,
					table.sides[i])
			}
		}
		if v.Hints {
			got.WriteString(", hints")
		}
		if got.String() != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.order, got.String(), test.want)
		}
	}
}

// TestWholeGames plays random games of every book to the end, and checks every response against the
// rules.
func TestWholeGames(t *testing.T) {
	const games = 4
	h := newTestServer(t)
	rng := rand.New(rand.NewPCG(7, 7))
	for _, book := range digit.Books {
		t.Run(book.Name, func(t *testing.T) {
			for n := range games {
				table := h.open(fmt.Sprintf(`{"rules":%q,"first":%d}`, book.Name, n%2+1))
				record := digit.Record{Rules: book.Rules}
				for p := (digit.Position{}); !book.Rules.Result(p).Over(); {
					look := table.say("look")
					legal := look.strings("legal")
					want := []string{}
					for m := range book.Rules.Moves(p) {
						want = append(want, m.String())
					}
					if diff := cmp.Diff(want, legal); diff != "" {
						t.Fatalf("legal after %v:\n%s", record, diff)
					}
					move := legal[rng.IntN(len(legal))]
					m, err := digit.ParseMove(move)
					if err != nil {
						t.Fatal(err)
					}
					seat := int(book.Rules.Turn(p)) ^ n%2
					if p, err = book.Rules.Play(p, m); err != nil {
						t.Fatal(err)
					}
					record.Moves, record.Result = append(record.Moves, m), book.Rules.Result(p)
					got := table.say(fmt.Sprintf("%d:%s@%d", seat+1, move, look.number("seq")))
					turn, phase := book.Rules.Turn(p).String(), "playing"
					if record.Result.Over() {
						turn, phase = "", "over"
					}
					standing := fmt.Sprintf("200 seq %d %s %s %s %v", look.number("seq")+1, phase,
						book.Rules.Text(p), turn, record.Result)
					if want := strings.Join(strings.Fields(standing), " "); got.String() != want {
						t.Fatalf("%v:\n got %v\nwant %s", record, got, want)
					}
				}
				if legal := table.say("look").text; !strings.Contains(legal, `"legal":[]`) {
					t.Errorf("legal moves after the end of the game: %s", legal)
				}
				table.play("1:publish 2:publish")
				last := h.ask("GET", "/api/games?limit=1&book="+book.Name, "", "")
				if want := fmt.Sprintf(`"record":"%v; first=\"Player %d\"`, record,
					n%2+1); !strings.Contains(last.text, want) {
					t.Errorf("the last game is %s, want %s", last.text, want)
				}
			}
		})
	}
}

// TestConversations runs scripts at a table and checks the last reply. A ? in it matches any
// character that the computer is free to choose.
func TestConversations(t *testing.T) {
	const (
		dilemma  = `{"rules":"dilemma"}`
		series   = `{"rules":"dilemma","best_of":3}`
		lobby    = `{"rules":"dilemma","names":["Ada"],"seats":["human","anyone"]}`
		computer = `{"rules":"dilemma","seats":["human","perfect"]}`
	)
	for _, test := range []struct{ order, script, want string }{
		// Moves.
		{dilemma, "1:7a", "200 seq 3 playing 7__/___ second *"},
		{dilemma, "1:7a@2", "200 seq 3 playing 7__/___ second *"},
		{dilemma, "1:7a@0", "200 seq 3 playing 7__/___ second *"},
		{dilemma, "1:7a 2:3b 1:1c 2:5a 1:4b 2:2c", "200 seq 8 over 741/532 0-1 multiple"},
		{dilemma, "2:7a", "409 it is not your turn"},
		{dilemma, "1:7a 1:8a", "409 it is not your turn"},
		{dilemma, "1:7a 2:7b", "422 7b: 7 is taken; left: 0 1 2 3 4 5 6 8 9"},
		{dilemma, "1:7L", "422 7L: there is no place L; allowed: a b c"},
		{dilemma, "1:hello", `422 move "hello": it does not begin with a digit; a move is a digit and a place a to h (7a), a digit and an end (4L, 4R), a digit (2), or a digit and a call (2=721)`},
		{dilemma, "1:7a 2:3b@2", "409 the table has gone on since; seq is now 3: read the table again and choose another move"},
		{dilemma, "1:7a@9", "409 the table has no event 9 yet; seq is now 2: read the table again and choose another move"},
		{dilemma, "1:7a@-1", "422 seq -1: allowed: the number of the last event you saw, or 0"},
		{dilemma, "1:resign 2:7a", "409 no game is under way"},
		// The same move again.
		{dilemma, "1:7a@2 1:7a@2", "200 seq 3 playing 7__/___ second *"},
		{dilemma, "1:7a@2 2:3b@3 1:7a@2", "200 seq 3 playing 7__/___ second *"},
		{dilemma, "1:7a@2 2:3b@3 1:1c@4 1:7a@2 look", "200 seq 5 playing 7_1/_3_ second *"},
		{dilemma, "1:7a@2 2:resign 1:7a@2", "200 seq 3 playing 7__/___ second *"},
		{dilemma, "1:7a@2 1:7b@2", "409 the table has gone on since; seq is now 3: read the table again and choose another move"},
		{dilemma, "1:7a@2 2:7a@2", "409 the table has gone on since; seq is now 3: read the table again and choose another move"},
		{dilemma, "1:7a 1:7a", "409 it is not your turn"},
		// Giving up, taking back.
		{dilemma, "2:resign", "200 seq 3 over ___/___ 1-0 resigned"},
		{dilemma, "1:resign", "200 seq 3 over ___/___ 0-1 resigned"},
		{dilemma, "1:resign 1:resign", "409 no game is under way"},
		{dilemma, "1:7a 1:undo", "200 seq 4 playing 7__/___ second *"},
		{dilemma, "1:7a 1:undo 2:undo", "200 seq 5 playing ___/___ first *"},
		{dilemma, "1:7a 2:3b 1:undo 2:undo", "200 seq 6 playing ___/___ first *"},
		{dilemma, "1:7a 1:undo 2:agree-undo", "200 seq 5 playing ___/___ first *"},
		{dilemma, "1:7a 2:agree-undo", "409 nobody asks for that"},
		{dilemma, "1:7a 1:undo 1:agree-undo", "409 nobody asks for that"},
		{dilemma, "1:7a 1:undo 2:refuse-undo", "200 seq 5 playing 7__/___ second *"},
		{dilemma, "1:7a 1:undo 2:refuse-undo 1:undo 2:3b 2:refuse-undo", "409 nobody asks for that"},
		{dilemma, "1:7a 1:undo 2:3b 1:1c 2:undo 1:undo", "200 seq 8 playing 7__/___ second *"},
		{dilemma, "1:undo", "409 there is no move of yours to take back"},
		{dilemma, "1:7a 2:undo", "409 there is no move of yours to take back"},
		{dilemma, "1:7a 1:undo 1:undo", "409 you have asked already"},
		{dilemma, "1:7a 1:undo 1:withdraw-undo", "200 seq 5 playing 7__/___ second *"},
		{dilemma, "1:7a 2:3b 1:undo 1:4b", "200 seq 6 playing 74_/_3_ second *"},
		{dilemma, "1:7a 1:undo 2:withdraw-undo", "409 nobody asks for that"},
		{dilemma, "2:refuse-undo", "409 nobody asks for that"},
		{dilemma, "1:7a 1:undo 1:refuse-undo", "409 nobody asks for that"},
		{dilemma, "1:resign 1:undo", "409 no game is under way"},
		// A series alternates the start, and a rematch continues from there.
		{series, "1:next", "409 a game is under way"},
		{series, "1:resign look", "200 seq 3 between ___/___ 0-1 resigned"},
		{series, "1:resign 2:next", "200 seq 4 between ___/___ 0-1 resigned"},
		{series, "1:resign 2:next 2:next", "200 seq 4 between ___/___ 0-1 resigned"},
		{series, "1:resign 2:next 2:7a", "409 no game is under way"},
		{series, "1:resign 2:next 1:next", "200 seq 5 playing ___/___ first *"},
		{series, "1:resign 1:next 2:next 1:next", "409 a game is under way"},
		{series, "1:resign 1:next 2:next 1:7a", "409 it is not your turn"},
		{series, "1:resign 1:next 2:next 2:7a", "200 seq 6 playing 7__/___ second *"},
		{series, "1:resign 1:next 2:next 2:resign 2:next 1:next 1:7a 1:resign", "200 seq 10 over 7__/___ 0-1 resigned"},
		{series, "1:resign 1:next 2:next 1:resign", "200 seq 6 over ___/___ 1-0 resigned"},
		{series, "1:resign 1:next 2:next 1:resign 1:next", "409 the series is over"},
		{series, "1:resign 1:rematch", "409 the series is not over"},
		{series, "1:resign 1:next 2:next 1:resign 2:rematch 1:rematch", "200 seq 9 playing ___/___ first *"},
		{series, "1:resign 1:next 2:next 1:resign 2:rematch 1:rematch 2:7a", "409 it is not your turn"},
		{dilemma, "1:rematch", "409 the series is not over"},
		{dilemma, "1:resign 1:next", "409 the series is over"},
		{dilemma, "1:resign 1:rematch", "200 seq 4 over ___/___ 0-1 resigned"},
		{dilemma, "1:resign 1:rematch 1:rematch", "409 you have asked already"},
		{dilemma, "1:resign 1:rematch 2:rematch 2:7a", "200 seq 7 playing 7__/___ second *"},
		{dilemma, "1:resign 1:rematch 2:refuse-rematch", "200 seq 5 over ___/___ 0-1 resigned"},
		{dilemma, "1:resign 1:rematch 2:refuse-rematch 2:rematch", "200 seq 6 over ___/___ 0-1 resigned"},
		{dilemma, "1:resign 1:refuse-rematch", "409 nobody asks for that"},
		// Nobody has left.
		{dilemma, "1:claim", "409 the other player has not left"},
		{dilemma, "1:replace", "409 the other player has not left"},
		{dilemma, "1:replace=dog", `422 unknown level "dog" (use one of beginner, novice, casual, skilled, expert, master, perfect)`},
		// Hints need everyone's consent.
		{dilemma, "1:hint", "403 hints are not allowed here until every person at the table agrees: act hints"},
		{dilemma, "1:hints 1:hint", "403 hints are not allowed here until every person at the table agrees: act hints"},
		{dilemma, "1:hints 2:hints 1:hint", "200 hint ?? win"},
		{dilemma, "1:hints 2:hints 2:no-hints 1:hint", "403 hints are not allowed here until every person at the table agrees: act hints"},
		{dilemma, "1:hints 1:hints", "409 that is so already"},
		{dilemma, "1:no-hints", "409 that is so already"},
		{dilemma, "1:hints 2:hints 1:resign 1:hint", "409 no game is under way"},
		{`{"rules":"dilemma","hints":true}`, "1:7a 2:3b 1:1c 2:5a 1:4b 2:hint", "200 hint 2c win"},
		// A seat for anyone.
		{lobby, "look", "200 seq 1 open ___/___ *"},
		{lobby, "1:7a", "409 no game is under way"},
		{lobby, "1:next", "409 a seat is still open"},
		{lobby, "2:7a", "401 missing seat token: send Authorization: Bearer TOKEN"},
		{lobby, "sit=Ben", "201 seat 2 second"},
		{lobby, "sit=Ben 1:7a 2:3b", "200 seq 5 playing 7__/_3_ first *"},
		{lobby, "sit= look", "200 seq 3 playing ___/___ first *"},
		{lobby, "sit=Ben sit=Eve", "409 the seat is taken"},
		{lobby, "sit=Ada", `422 name "Ada": both players have it`},
		{lobby, "sit=" + strings.Repeat("x", 25), "422 name “" + strings.Repeat("x", 24) + "…”: it is too long; allowed: up to 24 characters"},
		{dilemma, "sit=Ben", "409 the seat is taken"},
		// The computer moves at once, and agrees to take back a move and to a rematch.
		{computer, "1:7a look", "200 seq 4 playing 7__/??? first *"},
		{computer, "1:7a 1:undo look", "200 seq 6 playing ___/___ first *"},
		{computer, "1:hint", "403 hints are not allowed here until every person at the table agrees: act hints"},
		{computer, "1:hints 1:hint", "200 hint ?? win"},
		{computer, "1:resign 1:rematch look", "200 seq 6 playing ???/___ second *"},
		{computer, "1:claim", "409 the other player has not left"},
		{`{"rules":"dilemma","seats":["perfect","perfect"]}`, "look look", "200 seq 7 over ???/??? 1-0 multiple"},
	} {
		t.Run(test.script, func(t *testing.T) {
			inBubble(t, func(t *testing.T, h *testServer) {
				if got := h.open(test.order).play(test.script).String(); !alike(got, test.want) {
					t.Errorf("%s %s:\n got %s\nwant %s", test.order, test.script, got, test.want)
				}
			})
		})
	}
}

// alike reports whether got equals want, where a ? in want matches any byte.
func alike(got, want string) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range len(want) {
		if want[i] != '?' && got[i] != want[i] {
			return false
		}
	}
	return true
}

// TestIllegalMove checks that a refusal lists the legal moves and has the number of the last event.
func TestIllegalMove(t *testing.T) {
	h := newTestServer(t)
	for _, test := range []struct {
		script string
		legal  int
		seq    int
	}{
		{"1:7a 2:7b", 27, 3},
		{"1:7a 2:x", 27, 3},
		{"1:7a 2:3b 1:1a", 16, 4},
		{"1:7a 2:3b@1", 27, 3},  // it is seat 2's turn
		{"1:7a 1:3b@2", 0, 3},   // it is not seat 1's turn
		{"1:7a 1:3b", 0, 3},     // the same, without a seq
		{"1:resign 2:3b", 0, 3}, // no game is under way
		{"1:resign 2:3b@2", 0, 3},
	} {
		got := h.open(`{"rules":"dilemma"}`).play(test.script)
		if len(got.strings("legal")) != test.legal || got.number("seq") != test.seq {
			t.Errorf("%s: %s; want %d legal moves and seq %d", test.script, got.text, test.legal,
				test.seq)
		}
	}
}

// TestAgainstComputer plays at random against the perfect level, and checks that no move of the
// computer makes its outcome worse.
func TestAgainstComputer(t *testing.T) {
	for _, book := range digit.Books {
		t.Run(book.Name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, h *testServer) {
				solution, err := solved.Solve(t.Context(), book.Rules)
				if err != nil {
					t.Fatal(err)
				}
				rng := rand.New(rand.NewPCG(3, 3))
				for n := range 4 {
					playPerfect(t, h, solution, n%2, rng)
				}
			})
		})
	}
}

// playPerfect plays one random game against the perfect level.
func playPerfect(t *testing.T, h *testServer, solution *solve.Solution, first int, rng *rand.Rand) {
	rules := solution.Rules()
	table := h.open(fmt.Sprintf(`{"rules":"%v","first":%d,"seats":["human","perfect"]}`, rules,
		first+1))
	forged := h.Keys.Token(table.id, match.Two) // no player has it
	if got, want := h.ask("POST", table.path+"/moves", forged, `{"move":"1a"}`).String(),
		"403 the computer plays on this seat"; got != want {
		t.Errorf("the computer's token: %s, want %s", got, want)
	}
	var p digit.Position
	var seen []string
	for {
		synctest.Wait()
		look := table.say("look")
		for i, move := range look.strings("moves") {
			if i < len(seen) {
				continue
			}
			seen = append(seen, move)
			m, _ := digit.ParseMove(move) // the client has checked it against the document
			before := solution.Value(p)
			p, _ = rules.Play(p, m)
			if after := solution.Value(p); i%2 != first && after.Outcome.Other() != before.Outcome {
				t.Errorf("%v: the computer turned a %v into a %v for the opponent", seen,
					before, after)
			}
		}
		legal := look.strings("legal")
		if len(legal) == 0 {
			return
		}
		if got := table.say("1:" + legal[rng.IntN(len(legal))]); got.status != http.StatusOK {
			t.Fatal(got)
		}
	}
}

// TestManyLegalMoves checks the limited list of a position with many legal moves, in the table and
// in a refusal.
func TestManyLegalMoves(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"sevens width=8 pool=0-f"}`)
	if look := table.say("look"); strings.Contains(look.text, "legal_count") {
		t.Errorf("all moves are listed, but legal_count is there: %s", look.text)
	}
	last := table.play("1:0 2:1 1:2 2:3 1:4 2:5 1:6 2:7 1:8 2:9 1:a 2:b 1:c 2:d 1:0")
	for _, got := range []reply{last, table.say("look")} {
		state := h.state(table.id)
		all := 0
		for range state.Setup.Rules.Moves(state.Position) {
			all++
		}
		listed := got.strings("legal")
		if len(listed) != 1000 || got.number("legal_count") != all || all <= 1000 ||
			len(got.text) > 20_000 {
			t.Errorf("%d of %d moves are listed, legal_count is %v, in %d bytes", len(listed), all,
				got.field("legal_count"), len(got.text))
		}
	}
}
