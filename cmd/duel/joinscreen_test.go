package main

import (
	"fmt"
	"path/filepath"
	"testing"
)

// TestPlayAtServer goes from the menus of two full screens to one server: a table is opened for anybody, joined, left and come back to,
// while the server is killed.
func TestPlayAtServer(t *testing.T) {
	t.Parallel()
	s := newServer(t, "--db", filepath.Join(t.TempDir(), "tables.db"))
	s.start()
	menu := func() pane { return open(t, fmt.Sprintf("XDG_DATA_HOME=%s XDG_CONFIG_HOME=%[1]s duel", t.TempDir())) }
	toServer := func(w pane) {
		w.shows(`o Play at a server`)
		w.types("o")
		w.shows(`Type the address of a server`)
		w.types(s.addr, "Enter")
	}
	ada, ben := menu(), menu()
	toServer(ada)
	ada.shows(`No table is open there\.`)
	ada.types("Enter", "Down", "Right")
	ada.shows(`‹ anyone ›`)
	ada.types("Enter")
	ada.shows(`Waiting for anyone to join`)

	toServer(ben)
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
	ada.restored(0)
}

// TestWaysOnScreen plays a pair, a swap and a lot that were asked for by flags on the full screen.
func TestWaysOnScreen(t *testing.T) {
	t.Parallel()
	swap := open(t, "duel play highest --swap --names Ada,Ben")
	swap.shows(`ADA'S TURN`)
	swap.types("9", "a", "Enter")
	swap.shows(`You may take over 9 in the hundreds place`)
	swap.types("y")
	swap.shows(`Ben took over the first move\.`)
	swap.types("Space", "u")
	swap.shows(`Ben gave the first move back\.`)
	swap.types("Escape")

	lot := open(t, "duel play dilemma --random-opening --names Ada,Ben --seed 4")
	lot.shows(`The game starts with `)
	lot.shows(`game 1 of 2`)
}
