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
)

// A remotePlayer is the keyboard of a test, and its connection to a remote table.
type remotePlayer struct {
	t     *testing.T
	lines chan Line
	seats []match.Seat

	mu      sync.Mutex
	out     string
	heard   int // the length of the output that was awaited
	people  match.Presence
	lost    error
	changed chan struct{} // closed when people or lost change
	more    chan struct{} // closed when there is more output
}

func (d *remotePlayer) Lines() <-chan Line { return d.lines }

func (d *remotePlayer) Ask(prompt string) { _, _ = d.Write([]byte(prompt)) } // never fails

func (d *remotePlayer) Write(text []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.out += string(text)
	close(d.more)
	d.more = make(chan struct{})
	return len(text), nil
}

func (d *remotePlayer) Seats() []match.Seat { return d.seats }

func (d *remotePlayer) Presence() (match.Presence, <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.people, d.changed
}

func (d *remotePlayer) Lost() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.lost
}

// setRemote changes the presence and the connection.
func (d *remotePlayer) setRemote(people match.Presence, lost error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.people, d.lost = people, lost
	close(d.changed)
	d.changed = make(chan struct{})
}

// waitFor waits for a text in the output after the last awaited text.
func (d *remotePlayer) waitFor(text string) {
	d.t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		d.mu.Lock()
		i, more := strings.Index(d.out[d.heard:], text), d.more
		if i >= 0 {
			d.heard += i + len(text)
		}
		out := d.out
		d.mu.Unlock()
		if i >= 0 {
			return
		}
		select {
		case <-more:
		case <-deadline:
			d.t.Fatalf("no output %q in\n%s", text, out)
		}
	}
}

func (d *remotePlayer) types(text string) { d.lines <- Line{Text: text} }

// bothPresent is the presence of both players.
var bothPresent = match.Presence{Seats: [2]bool{true, true}}

// join runs a game on some seats of a remote table.
func join(t *testing.T, table *match.Table, seats ...match.Seat) (*remotePlayer, <-chan error) {
	t.Helper()
	d := &remotePlayer{
		t: t, lines: make(chan Line), seats: seats, people: bothPresent,
		changed: make(chan struct{}), more: make(chan struct{}),
	}
	g := &Game{Table: table, Keyboard: d, Remote: d, Invite: "LINK\n", Solve: solving(t)}
	ended := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	go func() { ended <- g.Run(ctx) }()
	return d, ended
}

// TestElsewhere plays at a remote table, from the wait for a player to a rematch.
func TestElsewhere(t *testing.T) {
	ctx := t.Context()
	setup := match.Setup{
		Rules: digit.Highest, Names: [2]string{"Ada", "Ben"}, Open: [2]bool{false, true},
		Terms: match.Terms{BestOf: 3},
	}
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
	ada, ended := join(t, table, match.One)
	ada.waitFor("LINK\n(waiting for a player) ")
	must(table.Sit(ctx, match.Two, "Ben", ""))
	ada.waitFor("Ben joined the table.")
	must(table.Begin(ctx))
	ada.waitFor("select: ")
	ada.types("hint")
	ada.waitFor("Hints are off until both players agree.")
	ada.types("hints")
	ada.waitFor("You agreed to hints. They start when Ben agrees.")
	ada.waitFor("select: ")
	ada.types("hint")
	ada.waitFor("Hints are off until both players agree.")
	must(table.Do(ctx, match.Two, match.AgreeHints, ""))
	ada.waitFor("Hints are on.")
	ada.waitFor("select: ")
	ada.types("hint")
	ada.waitFor("Hint: ")
	ada.types("9 hundreds")
	ada.waitFor("(Ben's turn) ")
	ada.types("hint")
	ada.waitFor("It's Ben's turn.")
	ada.types("7")
	ada.waitFor("It's Ben's turn.")
	ada.types("undo")
	ada.waitFor("You asked Ben to let you take back 9 in the hundreds place.")
	must(table.Do(ctx, match.Two, match.RefuseUndo, ""))
	ada.waitFor("Ben said no.")
	m, _ := digit.ParseMove("8a")
	must(table.Play(ctx, match.Two, m, 0))
	ada.waitFor("Ben put 8 in the hundreds place")
	ada.waitFor("select: ")
	ada.types("undo")
	ada.waitFor("You asked Ben to let you take back 9 in the hundreds place.")
	ada.waitFor("select: ") // Ada may still move
	ada.types("withdraw")
	ada.waitFor("You no longer ask to take back a move.")
	ada.waitFor("select: ")
	must(table.Do(ctx, match.Two, match.Undo, ""))
	ada.waitFor("Ben wants to take back 8 in the hundreds place.")
	ada.types("perhaps")
	ada.waitFor("Type y or n.")
	ada.types("y")
	ada.waitFor("Ben took back 8 in the hundreds place.\nAda: [9]")
	must(table.Play(ctx, match.Two, m, 0))
	ada.waitFor("select: ")
	must(table.Do(ctx, match.Two, match.Undo, ""))
	ada.waitFor("Allow it? (y/n, or your move) ")
	ada.types("7 tens")
	ada.waitFor("Ada's Number: [9][7][ ]")
	ada.waitFor("(Ben's turn) ")
	m, _ = digit.ParseMove("6b")
	must(table.Play(ctx, match.Two, m, 0))
	ada.waitFor("select: ")
	ada.types("undo")
	ada.waitFor("You asked Ben to let you take back 7 in the tens place")
	ada.waitFor("select: ")
	ada.types("5 units")
	ada.waitFor("Ada's Number: [9][7][5]")
	ada.setRemote(match.Presence{Seats: [2]bool{true, false}}, nil)
	ada.waitFor("Ben isn't here now.")
	ada.types("claim")
	ada.waitFor("The other player has not left.")
	must(table.Leave(ctx, match.Two))
	ada.waitFor("Ben has left.")
	ada.setRemote(bothPresent, errors.New("the wire is cut"))
	ada.waitFor("The connection to the server is lost.")
	ada.setRemote(bothPresent, nil)
	ada.waitFor("Connected again.")
	ada.types("claim")
	ada.waitFor("Ben left. Ada wins.")
	ada.waitFor("Press Enter for the next game. ")
	must(table.Return(ctx, match.Two))
	ada.types("")
	ada.waitFor("You are ready.")
	must(table.Do(ctx, match.Two, match.Next, ""))
	ada.waitFor("(Ben's turn) ")
	must(table.Do(ctx, match.Two, match.Resign, ""))
	ada.waitFor("Play again? (y/n) ")
	must(table.Do(ctx, match.Two, match.Rematch, ""))
	ada.waitFor("Ben wants a rematch.")
	ada.types("y")
	ada.waitFor("select: ")
	ada.types("resign")
	ada.waitFor("Ada resigned.")
	ada.types("quit")
	if err := <-ended; err != nil {
		t.Errorf("the game ends with %v", err)
	}
	if s := table.State(); s.Game != 3 || s.Wins != [2]int{0, 1} {
		t.Errorf("game %d, wins %v; want game 3, wins [0 1]", s.Game, s.Wins)
	}
}

// TestSwapElsewhere checks the messages to both players and to a watcher when a first move is taken
// over and given back.
func TestSwapElsewhere(t *testing.T) {
	ctx := t.Context()
	setup := match.Setup{
		Rules: digit.Highest, Names: [2]string{"Ada", "Ben"}, Terms: match.Terms{Swap: true},
	}
	table, err := match.Open(ctx, "far", setup, new(match.Memory), rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	ada, _ := join(t, table, match.One)
	ben, _ := join(t, table, match.Two)
	watcher, _ := join(t, table)
	for _, d := range []*remotePlayer{ada, ben} {
		d.waitFor("Press Enter for the next game. ")
	}
	watcher.waitFor("(you watch) ")
	if _, err := table.Begin(ctx); err != nil {
		t.Fatal(err)
	}
	ada.waitFor("select: ")
	ada.types("9 hundreds")
	ben.waitFor("Type swap to do so.")
	ben.waitFor("select: ")
	ben.types("swap")
	ada.waitFor("Ben took over 9 in the hundreds place, so it's your turn again.\nAda: [ ]")
	ben.waitFor("You took over 9 in the hundreds place, so Ada moves again.\n")
	watcher.waitFor("Ben took over the first move.\n")
	ben.waitFor("(Ada's turn) ") // before the prompt, lines are dropped
	ben.types("undo")
	ada.waitFor("Ben wants to give 9 in the hundreds place back.")
	ada.waitFor("Allow it? (y/n, or your move) ")
	ada.types("y")
	ben.waitFor("You gave 9 in the hundreds place back to Ada.\n")
	watcher.waitFor("Ben gave the first move back.\n")
}

// TestWatchProgram watches a program that makes no legal move until it loses.
func TestWatchProgram(t *testing.T) {
	ctx := t.Context()
	setup := match.Setup{
		Rules: digit.Highest, Names: [2]string{"Robo", "Casual"}, Levels: [2]string{"", "casual"},
		Openings: "5a 4a", Agent: match.Agent{Tries: 2},
	}
	table, err := match.Open(ctx, "far", setup, new(match.Memory), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	if _, err := table.Begin(ctx); err != nil {
		t.Fatal(err)
	}
	eve, ended := join(t, table)
	eve.waitFor("(you watch) ")
	for _, want := range []string{
		"Robo made no legal move; 1 try left.",
		"Robo used every try without a legal move. Casual wins.",
	} {
		if _, err := table.Fault(ctx, match.One, match.Illegal); err != nil {
			t.Fatal(err)
		}
		eve.waitFor(want)
	}
	eve.types("quit")
	<-ended
}

// TestWatchElsewhere watches a remote table, where a watcher can neither act nor get a hint.
func TestWatchElsewhere(t *testing.T) {
	ctx := t.Context()
	setup := match.Setup{Rules: digit.Highest, Terms: match.Terms{Hints: true}}
	rng := rand.New(rand.NewPCG(1, 2))
	table, err := match.Open(ctx, "far", setup, new(match.Memory), rng)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	if _, err := table.Begin(ctx); err != nil {
		t.Fatal(err)
	}
	eve, ended := join(t, table)
	eve.waitFor("(you watch) ")
	m, _ := digit.ParseMove("9a")
	if _, err := table.Play(ctx, match.One, m, 0); err != nil {
		t.Fatal(err)
	}
	eve.waitFor("Player 1 put 9 in the hundreds place")
	for _, act := range []string{"resign", "undo", "claim", "hints"} {
		eve.types(act)
		eve.waitFor("You watch this table")
	}
	eve.types("hint")
	eve.waitFor("It's Player 2's turn.")
	if len(table.State().Moves) != 1 || !table.State().Playing() {
		t.Error("a watcher has changed the game")
	}
	eve.types("quit")
	if err := <-ended; err != nil {
		t.Errorf("the game ends with %v", err)
	}
}

// TestLateEvent plays a move while an event that does not matter to it is on its way to the player.
func TestLateEvent(t *testing.T) {
	ctx := t.Context()
	setup := match.Setup{Rules: digit.Highest, Names: [2]string{"Ada", "Ben"}}
	table, err := match.Open(ctx, "far", setup, new(match.Memory), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	seen, err := table.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.Do(ctx, match.Two, match.AgreeHints, ""); err != nil {
		t.Fatal(err)
	}
	g := &Game{Table: table, state: seen}
	m, _ := digit.ParseMove("9a")
	if err := g.play(ctx, m); err != nil || len(table.State().Moves) != 1 {
		t.Errorf("%v: the moves are %v, want 9a", err, table.State().Moves)
	}
}

// TestGoneOnce checks that a player who goes is reported, unless the table says so already.
func TestGoneOnce(t *testing.T) {
	for _, tt := range []struct {
		change func(*match.State)
		want   string
	}{
		{func(*match.State) {}, "Ben isn't here now.\n"},
		{func(s *match.State) { s.Away[match.Two] = true }, ""},
		{func(s *match.State) { s.Open[match.Two] = true }, ""},
		{func(s *match.State) { s.Levels[match.Two] = "casual" }, ""},
	} {
		d := &remotePlayer{
			t: t, seats: []match.Seat{match.One}, more: make(chan struct{}),
			people: match.Presence{Seats: [2]bool{true, false}},
		}
		g := &Game{Keyboard: d, Remote: d, people: bothPresent}
		g.state.Setup.Names = [2]string{"Ada", "Ben"}
		tt.change(&g.state)
		if g.lookAround(); d.out != tt.want {
			t.Errorf("%+v: got %q, want %q", g.state, d.out, tt.want)
		}
	}
}

// TestNothingDone checks that the prompt returns after an act that had been done already.
func TestNothingDone(t *testing.T) {
	setup := match.Setup{Rules: digit.Highest, Names: [2]string{"Ada", "Ben"}}
	table, err := match.Open(t.Context(), "far", setup, new(match.Memory), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	d := &remotePlayer{t: t, seats: []match.Seat{match.Two}, more: make(chan struct{})}
	for seen, want := range map[int]string{1: "Press Enter for the next game. ", 0: ""} {
		d.out = ""
		g := &Game{Table: table, Keyboard: d, Remote: d, state: table.State()}
		g.state.Seq = seen // at 0 the event asks
		if err := g.did(nil); err != nil || d.out != want {
			t.Errorf("after event %d: got %q, %v, want %q", seen, d.out, err, want)
		}
	}
}
