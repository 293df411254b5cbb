package match

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"digitduel/digit"
)

// newTable opens a table without a game.
func newTable(t *testing.T, setup Setup) *Table {
	t.Helper()
	table, err := Open(t.Context(), "t", setup, new(Memory), rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(table.Close)
	return table
}

var (
	adaBen   = Setup{Rules: digit.Highest, Names: [2]string{"Ada", "Ben"}}
	bestOf3  = Setup{Rules: digit.Highest, Names: [2]string{"Ada", "Ben"}, Terms: Terms{BestOf: 3}}
	lobby    = Setup{Rules: digit.Highest, Names: [2]string{"Ada", ""}, Open: [2]bool{false, true}}
	robot    = Setup{Rules: digit.Highest, Names: [2]string{"Ada", "Ben"}, Levels: [2]string{"", "casual"}}
	robots   = Setup{Rules: digit.Highest, Levels: [2]string{"expert", "casual"}}
	hinted   = Setup{Rules: digit.Highest, Names: [2]string{"Ada", "Ben"}, Terms: Terms{Hints: true}}
	lobbyAll = Setup{Rules: digit.Highest, Open: [2]bool{true, true}}
)

// TestPeople checks the state of a table after players sit down, leave, return, and agree to games
// and hints.
func TestPeople(t *testing.T) {
	tests := []struct {
		name, script, want string
		setup              Setup
	}{
		{"a seat is open", "", "game 0 ___/___ * 0–0, Player 2 is awaited", lobby},
		{"a seat is taken", "sit:2=Ben begin leave:2", "game 1 ___/___ * 0–0, Player 1 to move, Ben is away", lobby},
		{"a seat is taken without a name", "sit:2 begin leave:2", "game 1 ___/___ * 0–0, Player 1 to move, Player 2 is away", lobby},
		{"one of two seats is taken", "sit:2=Ben", "game 0 ___/___ * 0–0, Player 1 is awaited", lobbyAll},
		{"both seats are taken", "sit:2=Ben sit:1=Ada begin 9a", "game 1 9__/___ * 0–0, Player 2 to move", lobbyAll},

		{"one leaves", "begin 9a leave:2", "game 1 9__/___ * 0–0, Player 2 to move, Ben is away", adaBen},
		{"both leave", "begin leave:2 leave:1", "game 1 ___/___ * 0–0, Player 1 to move, Ada is away, Ben is away", adaBen},
		{"one comes back", "begin leave:2 back:2 leave:1", "game 1 ___/___ * 0–0, Player 1 to move, Ada is away", adaBen},
		{"one leaves before the first game", "leave:2 begin", "game 1 ___/___ * 0–0, Player 1 to move, Ben is away", adaBen},
		{"the win is claimed on one's own turn", "begin leave:2 claim:1", "game 1 ___/___ 1-0 left 1–0, over, Ben is away", adaBen},
		{"the win is claimed on the other's turn", "begin 9a leave:2 claim:1", "game 1 9__/___ 1-0 left 1–0, over, Ben is away", adaBen},
		{"the second claims the win", "begin 9a 8a leave:1 claim:2", "game 1 9__/8__ 0-1 left 0–1, over, Ada is away", adaBen},
		{"a claim ends what was asked", "begin 9a undo:1 leave:2 claim:1", "game 1 9__/___ 1-0 left 1–0, over, Ben is away", adaBen},
		{"claimed games win a series", "begin leave:2 claim:1 begin claim:1", "game 2 ___/___ 0-1 left 2–0, over, Ben is away", bestOf3},
		{"a player who left may still move", "begin leave:1 9a", "game 1 9__/___ * 0–0, Player 2 to move, Ada is away", adaBen},

		{"the computer takes over", "begin leave:2 replace:1=casual 9a 8a", "game 1 9__/8__ * 0–0, Player 1 to move, Ben is away, casual plays for Ben", adaBen},
		{"and stays for the series", "begin leave:2 replace:1=casual resign:2 begin", "game 2 ___/___ * 1–0, Player 2 to move, Ben is away, casual plays for Ben", bestOf3},
		{"until the player is back", "begin leave:2 replace:1=casual 9a back:2 8a", "game 1 9__/8__ * 0–0, Player 1 to move", adaBen},
		{"and takes over again", "begin leave:2 replace:1=casual back:2 leave:2 replace:1=expert", "game 1 ___/___ * 0–0, Player 1 to move, Ben is away, expert plays for Ben", adaBen},
		{"both are replaced", "begin leave:1 leave:2 replace:1=novice replace:2=expert", "game 1 ___/___ * 0–0, Player 1 to move, Ada is away, expert plays for Ada, Ben is away, novice plays for Ben", adaBen},

		{"one is ready", "begin resign:1 next:2 next:2", "game 1 ___/___ 0-1 resigned 0–1, Ben is ready", bestOf3},
		{"both are ready", "begin resign:1 next:2 next:1", "game 2 ___/___ * 0–1, Player 2 to move", bestOf3},
		{"and again", "begin resign:1 next:2 next:1 resign:2 next:1 next:2", "game 3 ___/___ * 1–1, Player 1 to move", bestOf3},
		{"the computer is ready at once", "begin leave:2 replace:1=casual resign:1 next:1", "game 2 ___/___ * 0–1, Player 2 to move, Ben is away, casual plays for Ben", bestOf3},
		{"one wants a rematch", "begin resign:1 again:1", "game 1 ___/___ 0-1 resigned 0–1, over, Ada wants another", adaBen},
		{"both want a rematch", "begin resign:1 again:1 again:2", "game 2 ___/___ * 0–0, Player 2 to move", adaBen},
		{"and another", "begin resign:1 again:1 again:2 9a resign:1 again:2 again:1 9a", "game 3 9__/___ * 0–0, Player 2 to move", adaBen},
		{"a rematch is refused", "begin resign:1 again:1 refuse-again:2", "game 1 ___/___ 0-1 resigned 0–1, over", adaBen},
		{"and asked for again", "begin resign:1 again:1 refuse-again:2 again:2 again:1", "game 2 ___/___ * 0–0, Player 2 to move", adaBen},
		{"the computer wants it at once", "begin resign:1 again:1", "game 2 ___/___ * 0–0, Player 2 to move, casual plays for Ben", robot},
		{"so does one that plays for a player", "begin leave:2 replace:1=casual resign:2 again:1", "game 2 ___/___ * 0–0, Player 2 to move, Ben is away, casual plays for Ben", adaBen},
		{"a player who is away is waited for", "begin leave:2 claim:1 again:1", "game 1 ___/___ 1-0 left 1–0, over, Ada wants another, Ben is away", adaBen},
		{"a rematch of a series", "begin resign:1 begin resign:1 again:1 again:2 resign:1", "game 3 ___/___ 0-1 resigned 0–1", bestOf3},
		{"is a series", "begin resign:1 begin resign:1 again:1 again:2 resign:1 begin resign:2 begin resign:2", "game 5 ___/___ 1-0 resigned 2–1, over", bestOf3},

		{"hints are agreed to", "hints:1 begin hints:2", "game 1 ___/___ * 0–0, Player 1 to move, Ada agrees to hints, Ben agrees to hints", adaBen},
		{"and no longer", "hints:1 begin nohints:1", "game 1 ___/___ * 0–0, Player 1 to move", adaBen},
		{"from the start", "nohints:2", "game 0 ___/___ * 0–0, Ada agrees to hints", hinted},
		{"for a rematch too", "begin hints:1 resign:1 again:1 again:2", "game 2 ___/___ * 0–0, Player 2 to move, Ada agrees to hints", adaBen},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table := newTable(t, tt.setup)
			if err := act(t, table, tt.script); err != nil {
				t.Fatal(err)
			}
			if got := summary(table.State()); got != tt.want {
				t.Errorf("%s\n got %s\nwant %s", tt.script, got, tt.want)
			}
		})
	}
}

func TestPeopleRefused(t *testing.T) {
	tests := []struct {
		name, script string
		setup        Setup
		want         string
	}{
		{"a game at an open table", "begin", lobby, "begin: a seat is still open"},
		{"a game at a half open table", "sit:1 begin", lobbyAll, "begin: a seat is still open"},
		{"a move at an open table", "9a:1", lobby, "9a:1: no game is under way"},
		{"a seat that was never open", "sit:1=Eve", lobby, "sit:1=Eve: the seat is taken"},
		{"a seat taken before", "sit:2=Ben sit:2=Eve", lobby, "sit:2=Eve: the seat is taken"},
		{"the computer's seat", "sit:2=Eve", robot, "sit:2=Eve: the seat is taken"},
		{"the opponent's name", "sit:2=Ada", lobby, `sit:2=Ada: name "Ada": both players have it`},
		{"a name that is too long", "sit:2=" + strings.Repeat("x", 33), lobby, "sit:2=" + strings.Repeat("x", 33) + ": name “" + strings.Repeat("x", 24) + "…”: it is too long; allowed: up to 24 characters"},
		{"a name that cannot be printed", "sit:2=\x07", lobby, "sit:2=\x07: name \"\\a\": '\\a' cannot be part of a name"},

		{"leaving an open seat", "leave:2", lobby, "leave:2: that is so already"},
		{"leaving twice", "leave:1 leave:1", adaBen, "leave:1: that is so already"},
		{"the computer leaves", "begin leave:2", robot, "leave:2: that is so already"},
		{"the computer that plays for a player leaves", "begin leave:2 replace:1=casual leave:2", adaBen, "leave:2: that is so already"},
		{"back without leaving", "back:1", adaBen, "back:1: that is so already"},
		{"back twice", "leave:1 back:1 back:1", adaBen, "back:1: that is so already"},
		{"the computer is back", "back:2", robot, "back:2: that is so already"},

		{"a claim against a player who is here", "begin claim:1", adaBen, "claim:1: the other player has not left"},
		{"a claim against oneself", "begin leave:1 claim:1", adaBen, "claim:1: the other player has not left"},
		{"a claim against a player who is back", "begin leave:2 back:2 claim:1", adaBen, "claim:1: the other player has not left"},
		{"a claim against the computer", "begin claim:1", robot, "claim:1: the other player has not left"},
		{"a claim against a player who is replaced", "begin leave:2 replace:1=casual claim:1", adaBen, "claim:1: the other player has not left"},
		{"a claim before the game", "leave:2 claim:1", adaBen, "claim:1: no game is under way"},
		{"a claim twice", "begin leave:2 claim:1 claim:1", adaBen, "claim:1: no game is under way"},

		{"replacing a player who is here", "begin replace:1=casual", adaBen, "replace:1=casual: the other player has not left"},
		{"replacing oneself", "begin leave:1 replace:1=casual", adaBen, "replace:1=casual: the other player has not left"},
		{"replacing the computer", "begin replace:1=expert", robot, "replace:1=expert: the other player has not left"},
		{"replacing twice", "begin leave:2 replace:1=casual replace:1=expert", adaBen, "replace:1=expert: that is so already"},
		{"replacing without a level", "begin leave:2 replace:1", adaBen, "replace:1: missing level for the computer"},
		{"replacing before the game", "leave:2 replace:1=casual", adaBen, "replace:1=casual: no game is under way"},

		{"ready in a game", "begin next:1", bestOf3, "next:1: a game is under way"},
		{"ready after the series", "begin resign:1 next:1", adaBen, "next:1: the series is over"},
		{"a rematch before the game", "again:1", adaBen, "again:1: the series is not over"},
		{"a rematch in a game", "begin again:1", adaBen, "again:1: the series is not over"},
		{"a rematch in a series", "begin resign:1 again:1", bestOf3, "again:1: the series is not over"},
		{"a rematch asked for twice", "begin resign:1 again:1 again:1", adaBen, "again:1: you have asked already"},
		{"a rematch nobody wants", "begin resign:1 refuse-again:1", adaBen, "refuse-again:1: nobody asks for that"},
		{"refusing one's own rematch", "begin resign:1 again:1 refuse-again:1", adaBen, "refuse-again:1: nobody asks for that"},
		{"refusing too late", "begin resign:1 again:1 again:2 refuse-again:1", adaBen, "refuse-again:1: nobody asks for that"},
		{"a rematch that only one player wants", "begin resign:1 again:1 begin", adaBen, "begin: the series is over"},
		{"a rematch that was refused", "begin resign:1 again:1 refuse-again:2 begin", adaBen, "begin: the series is over"},
		{"a rematch of computers that nobody asked for", "begin resign:1 begin", robots, "begin: the series is over"},
		{"a second game after a rematch", "begin resign:1 again:1 again:2 resign:2 begin", adaBen, "begin: the series is over"},

		{"hints twice", "hints:1 hints:1", adaBen, "hints:1: that is so already"},
		{"hints again", "hints:1", hinted, "hints:1: that is so already"},
		{"no hints twice", "nohints:1", adaBen, "nohints:1: that is so already"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table := newTable(t, tt.setup)
			words := strings.Fields(tt.script)
			last := len(words) - 1
			if err := act(t, table, strings.Join(words[:last], " ")); err != nil {
				t.Fatal(err)
			}
			before := table.State()
			err := act(t, table, words[last])
			if err == nil || err.Error() != tt.want {
				t.Errorf(" got %v\nwant %s", err, tt.want)
			}
			if d := diff(before, table.State()); d != "" {
				t.Errorf("%s changed the table:\n%s", words[last], d)
			}
		})
	}
}

func TestPhase(t *testing.T) {
	tests := []struct {
		script string
		setup  Setup
		want   Phase
	}{
		{"", lobby, Waiting},
		{"sit:1", lobbyAll, Waiting},
		{"sit:2", lobby, Between},
		{"", adaBen, Between},
		{"begin", adaBen, UnderWay},
		{"begin leave:1", adaBen, UnderWay},
		{"begin resign:1", adaBen, Over},
		{"begin resign:1 again:1", adaBen, Over},
		{"begin resign:1 again:1 again:2", adaBen, UnderWay},
		{"begin resign:1", bestOf3, Between},
		{"begin resign:1 begin resign:1", bestOf3, Over},
		{"begin resign:1 begin resign:1 again:1 again:2 resign:1", bestOf3, Between},
	}
	for _, tt := range tests {
		table := newTable(t, tt.setup)
		if err := act(t, table, tt.script); err != nil {
			t.Fatal(err)
		}
		if got := table.State().Phase(); got != tt.want {
			t.Errorf("after %q the phase is %q, want %q", tt.script, got, tt.want)
		}
	}
}

// TestHintsAllowed checks that hints need the agreement of all persons at the table; the computer
// need not agree.
func TestHintsAllowed(t *testing.T) {
	tests := []struct {
		script string
		setup  Setup
		want   bool
	}{
		{"", adaBen, false},
		{"hints:1", adaBen, false},
		{"hints:1 hints:2", adaBen, true},
		{"hints:1 hints:2 nohints:1", adaBen, false},
		{"", hinted, true},
		{"nohints:2", hinted, false},
		{"", robot, false},
		{"hints:1", robot, true},
		{"", robots, true},
		{"begin leave:2 hints:1", adaBen, false},
		{"begin leave:2 hints:1 replace:1=casual", adaBen, true},
		{"begin leave:2 hints:1 replace:1=casual back:2", adaBen, false},
	}
	for _, tt := range tests {
		table := newTable(t, tt.setup)
		if err := act(t, table, tt.script); err != nil {
			t.Fatal(err)
		}
		if got := table.State().HintsAllowed(); got != tt.want {
			t.Errorf("%+v: after %q hints are allowed: %v, want %v", tt.setup, tt.script, got, tt.want)
		}
	}
}

// rivalStore is a store in which another writer always begins a game first.
type rivalStore struct{ Memory }

func (r *rivalStore) Append(ctx context.Context, table string, e Event, after State) error {
	if e.Kind == Began {
		if err := r.Memory.Append(ctx, table, e, after); err != nil {
			return err
		}
	}
	return r.Memory.Append(ctx, table, e, after)
}

// TestRematchRival checks that a rematch succeeds if another writer has begun its game.
func TestRematchRival(t *testing.T) {
	store := new(rivalStore)
	table, err := Open(t.Context(), "t", adaBen, store, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	if err := act(t, table, "begin"); !errors.Is(err, ErrUnderWay) {
		t.Errorf("a game that another writer has begun: got %v, want ErrUnderWay", err)
	}
	if err := act(t, table, "resign:1 again:1 again:2 9a"); err != nil {
		t.Error(err)
	}
	if got, want := summary(table.State()), "game 2 9__/___ * 0–0, Player 1 to move"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestRematchBroken lets the store fail after the second request for a rematch is saved, and before
// the game begins: the next request begins it.
func TestRematchBroken(t *testing.T) {
	store := &failingStore{}
	table, err := Open(t.Context(), "t", adaBen, store, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	if err := act(t, table, "begin resign:1 again:1"); err != nil {
		t.Fatal(err)
	}
	store.breakAt(table.State().Seq + 2)
	if err := act(t, table, "again:2"); err == nil || errors.Is(err, ErrAsked) {
		t.Errorf("a game that was not saved: %v", err)
	}
	if got, want := summary(table.State()), "game 1 ___/___ 0-1 resigned 0–1, over, Ada wants another, Ben wants another"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	store.breakAt(0)
	if err := act(t, table, "again:2"); err != nil {
		t.Error(err)
	}
	if got, want := summary(table.State()), "game 2 ___/___ * 0–0, Player 2 to move"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
