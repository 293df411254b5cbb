package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/match/remote"
)

// TestPlayAtServer plays at one server from the menu of the full screen and with duel join: it
// opens a table for anyone, joins, leaves and returns to it, while the server is killed.
func TestPlayAtServer(t *testing.T) {
	t.Parallel()
	s := newServer(t, "--db", filepath.Join(t.TempDir(), "tables.db"))
	s.start()
	screen := func(args string) pane {
		return openPane(t, fmt.Sprintf("XDG_DATA_HOME=%s XDG_CONFIG_HOME=%[1]s duel %s", t.TempDir(), args))
	}
	ada := screen("")
	ada.shows(`o Play at a server`)
	ada.types("o")
	ada.shows(`Type the address of a server`)
	ada.types(s.addr, "Enter")
	ada.shows(`No table is open there\.`)
	ada.types("Enter", "Down", "Right")
	ada.shows(`‹ anyone ›`)
	ada.types("Enter")
	ada.shows(`Waiting for anyone to join`)

	ben := screen("join " + s.addr)
	ben.shows(`waits for you\.`)
	ben.types("Enter")
	ada.shows(`YOUR TURN`)
	ada.types("7", "a", "Enter")
	ben.shows(`YOUR TURN`)
	s.kill()
	ben.shows(`The connection to the server is`)
	ben.types("3", "b", "Enter")
	s.start()
	ada.shows(`Player 2 put 3 in the middle`)

	ada.types("Escape")
	ada.shows(`Leave the table\?`)
	ada.types("y")
	ada.shows(`You have a seat here\.`)
	ada.types("Enter")
	ada.shows(`YOUR TURN`)
	ada.types("Escape")
	ada.shows(`Leave the table\?`)
	ada.types("y")
	ada.shows(`You have a seat here\.`)
	ada.types("Escape")
	ada.shows(`games of numbers`)
	ada.types("q")
	ada.shows(`^Come back: duel join http://` + s.addr + `/t/\w+$`)
	ada.restored(0)
}

// TestFairStartOnScreen plays a swap, and a pair with a random opening, on the full screen.
func TestFairStartOnScreen(t *testing.T) {
	t.Parallel()
	swap := openPane(t, "duel play highest --swap --names Ada,Ben")
	swap.shows(`ADA'S TURN`)
	swap.types("9", "a", "Enter")
	swap.shows(`You may take over 9 in the hundreds place`)
	swap.types("y")
	swap.shows(`Ben took over the first move\.`)
	swap.types("Space", "u")
	swap.shows(`Ben gave the first move back\.`)
	swap.types("Escape")

	drawn := openPane(t, "duel play dilemma --random-opening --names Ada,Ben --seed 4")
	drawn.shows(`The game starts with `)
	drawn.shows(`game 1 of 2`)
}

// TestSeatsAtServer opens a table at a server under a name, and finds that another one was deleted.
func TestSeatsAtServer(t *testing.T) {
	t.Parallel()
	s := newServer(t, "--db", filepath.Join(t.TempDir(), "tables.db"))
	s.start()
	url, saved := "http://"+s.addr, []byte(nil)
	user := func(string) (*remote.Client, error) {
		return remote.NewClient(url, nil, remote.Storage{
			Load: func() ([]byte, error) { return saved, nil },
			Save: func(text []byte) error { saved = text; return nil },
		})
	}
	setup := match.Setup{Rules: digit.Highest, Open: [2]bool{false, true}}
	at, err := serverList(user).Open(t.Context(), url, "Ada", setup)
	if err != nil {
		t.Fatal(err)
	}
	if got := at.Table.State().Setup.Names; got != [2]string{"Ada", ""} {
		t.Errorf("the names are %q", got)
	}
	at.Close()

	c, err := user("")
	if err == nil {
		err = c.Keep(remote.Place{Table: "gone", Token: "t"}, "Ada", "")
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := new(cobra.Command)
	cmd.SetContext(t.Context())
	j, err := joiningAt(user, url+"/t/gone", "Ada")
	if err == nil {
		_, err = j.find(cmd, nil)
	}
	seats, wrong := serverList(user).Seats()
	if !errors.Is(err, match.ErrNoTable) || wrong != nil || len(seats) != 1 {
		t.Errorf("a deleted table: %v; seats %v, %v, want the other one", err, seats, wrong)
	}
}
