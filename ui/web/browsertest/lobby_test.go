package browsertest_test

import (
	"strings"
	"testing"
)

// TestLobby lets Ada open a table for anyone, and Ben join it from the lobby, which refreshes
// itself.
func TestLobby(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	ada, ben := srv.visit(t, "Ada"), srv.visit(t, "Ben")
	ben.open("/lobby")
	ada.open("/new?book=reverse&against=anyone")
	ada.write("#name", "Ada")
	ada.click("#new input[name=first][value='1']") // otherwise the start is random
	ada.click("#new button.main")
	ada.reads("#turn", "Waiting for anyone to join")
	entry := "#open-" + strings.TrimPrefix(ada.path(), "/t/")
	ben.write(entry+" input[name=name]", "Ben")
	ben.click(entry + " [data-act=join]")
	d := srv.duel(t, strings.TrimPrefix(ada.path(), "/t/"), "reverse", ada, ben)
	d.allShow()
	d.play("1a 2a")
	eve := srv.visit(t, "Eve")
	eve.open("/lobby")
	eve.click("#lobby a[href='/t/" + d.id + "']")
	d.shows(eve)
}
