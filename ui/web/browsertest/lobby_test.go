package browsertest_test

import (
	"strings"
	"testing"
)

// TestLobby lets Ada open a table for anybody, and Ben find it in the lobby, which looks again by itself.
func TestLobby(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	ada, ben := h.visit(t, "Ada"), h.visit(t, "Ben")
	ben.open("/lobby")
	ada.open("/new?book=reverse&against=anyone")
	ada.write("#name", "Ada")
	ada.click("#new input[name=first][value='1']") // a coin decides otherwise
	ada.click("#new button.main")
	ada.reads("#turn", "Waiting for anyone to join")
	entry := "#open-" + strings.TrimPrefix(ada.path(), "/t/")
	ben.write(entry+" input[name=name]", "Ben")
	ben.click(entry + " [data-act=join]")
	d := h.duel(t, strings.TrimPrefix(ada.path(), "/t/"), "reverse", ada, ben)
	d.agree()
	d.play("1a 2a")
	eve := h.visit(t, "Eve")
	eve.open("/lobby")
	eve.click("#lobby a[href='/t/" + d.id + "']")
	d.shows(eve)
}
