package browsertest_test

import (
	"fmt"
	"strings"
	"testing"

	"digitduel/digit"
)

// TestHome looks for a game on a phone: all of them are in sight, also under two that wait for whoever looks.
func TestHome(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	ada := h.visit(t, "Ada")
	ada.size(390, 844)
	seen := func(when string) {
		t.Helper()
		ada.open("/")
		const bottoms = `() => [...document.querySelectorAll('#books [data-go]')].map(b => Math.ceil(b.getBoundingClientRect().bottom))`
		all := ask[[]int](ada, bottoms)
		if len(all) != len(digit.Books) {
			t.Errorf("%s: there are %d games to start", when, len(all))
		}
		for i, bottom := range all {
			if bottom > 844 {
				t.Errorf("%s: game %d ends at %d, below the screen", when, i+1, bottom)
			}
		}
	}
	seen("at first")
	ada.start("dilemma", "computer")
	ada.open("/")
	ada.start("highest", "friend")
	seen("with two games")
	ada.reads("#now li:nth-child(1)", "Your turn")
	ada.reads("#now li:nth-child(2)", "Waiting for your friend")
	ada.submit("#now li:nth-child(1) a") // nothing is lost by leaving
	ada.sees("#move label.tile")
}

// TestStrength shows what belongs to an opponent when that one is chosen.
func TestStrength(t *testing.T) {
	t.Parallel()
	ada := atTown(t).visit(t, "Ada")
	ada.open("/")
	for _, test := range []struct{ against, there, gone string }{
		{"computer", "#level", ".what"}, {"friend", ".for-friend", "#level, .for-anyone"}, {"anyone", ".for-anyone", "#level, .for-friend"},
	} {
		ada.click(fmt.Sprintf(".chip:has([name=opponent][value=%s])", test.against))
		ada.sees(test.there)
		if ada.there(test.gone) {
			t.Errorf("against %s there is %s", test.against, test.gone)
		}
	}
}

// TestAim chooses a target: the ring, the line and the warning follow, with script and without, and the table keeps it.
func TestAim(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	for _, script := range []bool{true, false} {
		ada := h.visit(t, "Ada")
		ada.script(script)
		ada.open("/")
		const row = `[data-book="divisibility"]`
		for _, aim := range []string{"33", "7", "13", "11"} {
			if aim != "33" { // which is set
				ada.click(fmt.Sprintf(".chip:has([name=aim][value=%q])", aim))
			}
			if got := ada.text(row + " [data-go]"); !strings.HasPrefix(got, aim+" Divisibility") || !strings.Contains(got, "first multiple of "+aim+" wins") {
				t.Errorf("with %s the game is %q", aim, got)
			}
			if warned := strings.Contains(ada.text(row), "7 is a multiple of 7 on its own"); warned != (aim == "7") {
				t.Errorf("with %s a warning is given: %v", aim, warned)
			}
		}
		ada.start("divisibility", "friend")
		ada.reads("#goal .ring", "11")
	}
}

// TestOwnGames sees on the first page how a game goes on, from the invitation to the review.
func TestOwnGames(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	d := h.meet(t, "dilemma")
	ada, ben := d.players[0], d.players[1]
	ben.reads("#turn", "Ada's turn")
	ada.open("/")
	ada.reads("#now .urgent", "Your turn against Ben")
	ben.open("/")
	ben.reads("#now", "Ada's turn")
	ada.submit("#now a")
	ada.click("#menu > summary")
	ada.click("#resign summary")
	ada.click("[data-act=resign]")
	ada.sees("#felt.over")
	ben.open("/")
	ben.reads("#yours", "You win! against Ada")
	ben.submit("#yours a")
	if want := "/t/" + d.id + "/games/1"; ben.path() != want {
		t.Errorf("Ben's game leads to %s, want %s", ben.path(), want)
	}
	other := h.visit(t, "Eve")
	other.open("/")
	if other.there(".yours") {
		t.Error("somebody else has games of their own here")
	}
}
