package cli

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// A desk is a keyboard at which a test types, and all that is known of a table beside its events.
type desk struct {
	t     *testing.T
	lines chan Line
	seats []match.Seat

	mu      sync.Mutex
	said    string
	heard   int // how much of that was awaited
	people  match.Presence
	lost    error
	changed chan struct{} // when people or lost have
	more    chan struct{} // when more was said
}

func (d *desk) Lines() <-chan Line { return d.lines }

func (d *desk) Ask(prompt string) { _, _ = d.Write([]byte(prompt)) } // it cannot fail

func (d *desk) Write(text []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.said += string(text)
	close(d.more)
	d.more = make(chan struct{})
	return len(text), nil
}

func (d *desk) Seats() []match.Seat { return d.seats }

func (d *desk) Presence() (match.Presence, <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.people, d.changed
}

func (d *desk) Lost() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.lost
}

// told changes what is known of the table.
func (d *desk) told(people match.Presence, lost error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.people, d.lost = people, lost
	close(d.changed)
	d.changed = make(chan struct{})
}

// hears waits for something that is said after what was awaited before.
func (d *desk) hears(text string) {
	d.t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		d.mu.Lock()
		i, more := strings.Index(d.said[d.heard:], text), d.more
		if i >= 0 {
			d.heard += i + len(text)
		}
		said := d.said
		d.mu.Unlock()
		if i >= 0 {
			return
		}
		select {
		case <-more:
		case <-deadline:
			d.t.Fatalf("%q was not said, but\n%s", text, said)
		}
	}
}

func (d *desk) types(text string) { d.lines <- Line{Text: text} }

// everybody is there.
var everybody = match.Presence{Seats: [2]bool{true, true}}

// sitElsewhere runs a game on some seats of a table that others sit at too.
func sitElsewhere(t *testing.T, table *match.Table, seats ...match.Seat) (*desk, <-chan error) {
	t.Helper()
	d := &desk{t: t, lines: make(chan Line), seats: seats, people: everybody, changed: make(chan struct{}), more: make(chan struct{})}
	g := &Game{Table: table, Keyboard: d, Remote: d, Invite: "LINK\n", Solve: func(r digit.Rules) (*solve.Solution, error) {
		return solve.Solve(t.Context(), r, solve.Config{})
	}}
	ended := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	go func() { ended <- g.Run(ctx) }()
	return d, ended
}

// TestElsewhere sits at a table that others sit at too, from the wait for a player to another series.
func TestElsewhere(t *testing.T) {
	ctx := t.Context()
	setup := match.Setup{Rules: digit.Highest, Names: [2]string{"Ada", "Ben"}, Open: [2]bool{false, true}, Terms: match.Terms{BestOf: 3}}
	table, err := match.Open(ctx, "far", setup, new(match.Memory), rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	must := func(_ match.State, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ada, ended := sitElsewhere(t, table, match.One)
	ada.hears("LINK\n(waiting for a player) ")
	must(table.Sit(ctx, match.Two, "Ben", ""))
	ada.hears("Ben joined the table.")
	must(table.Begin(ctx))
	ada.hears("select: ")
	ada.types("hint")
	ada.hears("Hints are off until both players agree.")
	ada.types("hints")
	ada.hears("You agreed to hints. They start when Ben agrees.")
	ada.hears("select: ")
	ada.types("hint")
	ada.hears("Hints are off until both players agree.")
	must(table.Do(ctx, match.Two, match.AgreeHints, ""))
	ada.hears("Hints are on.")
	ada.hears("select: ")
	ada.types("hint")
	ada.hears("Hint: ")
	ada.types("9 hundreds")
	ada.hears("(Ben's turn) ")
	ada.types("hint")
	ada.hears("It's Ben's turn.")
	ada.types("7")
	ada.hears("It's Ben's turn.")
	ada.types("undo")
	ada.hears("You asked Ben to let you take back 9 in the hundreds place.")
	must(table.Do(ctx, match.Two, match.RefuseUndo, ""))
	ada.hears("Ben said no.")
	m, _ := digit.ParseMove("8a")
	must(table.Play(ctx, match.Two, m, 0))
	ada.hears("Ben put 8 in the hundreds place")
	ada.hears("select: ")
	ada.types("undo")
	ada.hears("You asked Ben to let you take back 9 in the hundreds place.")
	ada.hears("select: ") // it does not block the own turn
	ada.types("withdraw")
	ada.hears("You no longer ask to take back a move.")
	ada.hears("select: ")
	must(table.Do(ctx, match.Two, match.Undo, ""))
	ada.hears("Ben wants to take back 8 in the hundreds place.")
	ada.types("perhaps")
	ada.hears("Type y or n.")
	ada.types("y")
	ada.hears("Ben took back 8 in the hundreds place.\nAda: [9]")
	must(table.Play(ctx, match.Two, m, 0))
	ada.hears("select: ")
	must(table.Do(ctx, match.Two, match.Undo, ""))
	ada.hears("Allow it? (y/n, or your move) ")
	ada.types("7 tens")
	ada.hears("Ada's Number: [9][7][ ]")
	ada.hears("(Ben's turn) ")
	m, _ = digit.ParseMove("6b")
	must(table.Play(ctx, match.Two, m, 0))
	ada.hears("select: ")
	ada.types("undo")
	ada.hears("You asked Ben to let you take back 7 in the tens place")
	ada.hears("select: ")
	ada.types("5 units")
	ada.hears("Ada's Number: [9][7][5]")
	ada.told(match.Presence{Seats: [2]bool{true, false}}, nil)
	ada.hears("Ben isn't here now.")
	ada.types("claim")
	ada.hears("The other player has not left.")
	must(table.Leave(ctx, match.Two))
	ada.hears("Ben has left.")
	ada.told(everybody, errors.New("the wire is cut"))
	ada.hears("The connection to the server is lost.")
	ada.told(everybody, nil)
	ada.hears("Connected again.")
	ada.types("claim")
	ada.hears("Ben left. Ada wins.")
	ada.hears("Press Enter for the next game. ")
	must(table.Return(ctx, match.Two))
	ada.types("")
	ada.hears("You are ready.")
	must(table.Do(ctx, match.Two, match.Next, ""))
	ada.hears("(Ben's turn) ")
	must(table.Do(ctx, match.Two, match.Resign, ""))
	ada.hears("Play again? (y/n) ")
	must(table.Do(ctx, match.Two, match.Rematch, ""))
	ada.hears("Ben wants a rematch.")
	ada.types("y")
	ada.hears("select: ")
	ada.types("resign")
	ada.hears("Ada resigned.")
	ada.types("quit")
	if err := <-ended; err != nil {
		t.Errorf("it ends with %v", err)
	}
	if s := table.State(); s.Game != 3 || s.Wins != [2]int{0, 1} {
		t.Errorf("game %d, %v", s.Game, s.Wins)
	}
}

// TestSwapElsewhere describes to both players and to a watcher that a first move is taken over, and
// then handed back.
func TestSwapElsewhere(t *testing.T) {
	ctx := t.Context()
	setup := match.Setup{Rules: digit.Highest, Names: [2]string{"Ada", "Ben"}, Terms: match.Terms{Swap: true}}
	table, err := match.Open(ctx, "far", setup, new(match.Memory), rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	ada, _ := sitElsewhere(t, table, match.One)
	ben, _ := sitElsewhere(t, table, match.Two)
	watcher, _ := sitElsewhere(t, table)
	for _, d := range []*desk{ada, ben} {
		d.hears("Press Enter for the next game. ")
	}
	watcher.hears("(you watch) ")
	if _, err := table.Begin(ctx); err != nil {
		t.Fatal(err)
	}
	ada.hears("select: ")
	ada.types("9 hundreds")
	ben.hears("Type swap to do so.")
	ben.hears("select: ")
	ben.types("swap")
	ada.hears("Ben took over 9 in the hundreds place, so it's your turn again.\nAda: [ ]")
	ben.hears("You took over 9 in the hundreds place, so Ada moves again.\n")
	watcher.hears("Ben took over the first move.\n")
	ben.hears("(Ada's turn) ") // before the prompt, lines are dropped
	ben.types("undo")
	ada.hears("Ben wants to give 9 in the hundreds place back.")
	ada.hears("Allow it? (y/n, or your move) ")
	ada.types("y")
	ben.hears("You gave 9 in the hundreds place back to Ada.\n")
	watcher.hears("Ben gave the first move back.\n")
}

// TestWatchElsewhere watches a table at which others play.
// TestWatchProgram watches a program that fails to name a legal move, until it has lost by that.
func TestWatchProgram(t *testing.T) {
	ctx := t.Context()
	setup := match.Setup{Rules: digit.Highest, Names: [2]string{"Robo", "Casual"}, Levels: [2]string{"", "casual"}, Openings: "5a 4a", Agent: match.Agent{Tries: 2}}
	table, err := match.Open(ctx, "far", setup, new(match.Memory), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	if _, err := table.Begin(ctx); err != nil {
		t.Fatal(err)
	}
	eve, ended := sitElsewhere(t, table)
	eve.hears("(you watch) ")
	for _, want := range []string{"Robo made no legal move; 1 try left.", "Robo used every try without a legal move. Casual wins."} {
		if _, err := table.Fault(ctx, match.One, match.Illegal); err != nil {
			t.Fatal(err)
		}
		eve.hears(want)
	}
	eve.types("quit")
	<-ended
}

func TestWatchElsewhere(t *testing.T) {
	ctx := t.Context()
	table, err := match.Open(ctx, "far", match.Setup{Rules: digit.Highest, Terms: match.Terms{Hints: true}}, new(match.Memory), rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	if _, err := table.Begin(ctx); err != nil {
		t.Fatal(err)
	}
	eve, ended := sitElsewhere(t, table)
	eve.hears("(you watch) ")
	m, _ := digit.ParseMove("9a")
	if _, err := table.Play(ctx, match.One, m, 0); err != nil {
		t.Fatal(err)
	}
	eve.hears("Player 1 put 9 in the hundreds place")
	for _, act := range []string{"resign", "undo", "claim", "hints"} {
		eve.types(act)
		eve.hears("You watch this table")
	}
	eve.types("hint")
	eve.hears("It's Player 2's turn.")
	if len(table.State().Moves) != 1 || !table.State().Playing() {
		t.Error("who watches has acted")
	}
	eve.types("quit")
	if err := <-ended; err != nil {
		t.Errorf("it ends with %v", err)
	}
}
