package engine

import (
	"strings"
	"testing"

	"digitduel/digit"
)

// TestToldAtOnce tells an engine all that begins a game, which is one write, and so wakes it once.
func TestToldAtOnce(t *testing.T) {
	p := &Process{told: make(chan string, 9), awaited: map[string]int{}, newline: "\n", Options: []Option{{Name: "Seed"}, {Name: "Rules", Type: "string"}}}
	p.SetSeed(7)
	if err := p.setRules(digit.Reverse); err != nil {
		t.Fatal(err)
	}
	if len(p.told) > 0 || len(p.talk) > 0 {
		t.Error("it is told before there is something to answer")
	}
	p.tell(Command{Verb: "uginewgame"}, Command{Verb: "isready"})
	p.tell(Command{Verb: "quit"})
	want := "setoption name Seed value 7\nsetoption name Rules value reverse\nuginewgame\nisready\n"
	if got := <-p.told; got != want || len(p.told) != 1 || p.awaited["readyok"] != 1 {
		t.Errorf("it is told\n%s\nwant\n%s", got, want)
	}
	if got := <-p.told; got != "quit\n" {
		t.Errorf("then it is told %q", got)
	}
	if got, want := strings.Join(p.Dialogue(), "\n"), "> setoption name Seed value 7\n> setoption name Rules value reverse\n> uginewgame\n> isready\n> quit"; got != want {
		t.Errorf("the dialogue is\n%s\nwant\n%s", got, want)
	}
}
