package web

import (
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/ui/gate"
)

// TestFairGames finds every fair game by its name on each page that lists games, with why it is fair, and plays it as it is: the target that
// is set for Divisibility Duel on the first page is not theirs.
func TestFairGames(t *testing.T) {
	h := newTestServer(t)
	for _, game := range digit.Fair {
		fairness, ok := rulebook.FairnessOf(game.Rules)
		if !ok {
			t.Fatalf("nothing is known of %s", game.Name)
		}
		b := h.browser(t)
		b.expectText("/", "button[value="+game.Name+"]", game.Title)
		b.expectText("/", "button[value="+game.Name+"]", "fair")
		b.expectText("/rules", "main", fairness.Why())
		b.expectText("/rules/"+game.Name, "h1", game.Title)
		b.expectText("/new?book="+game.Name, "p[class=lead]", fairness.Why())
		for _, path := range []string{"/", "/new?book=" + game.Name} {
			button := "button[class=main]"
			if path == "/" {
				button = "button[value=" + game.Name + "]"
			}
			id := b.get(path).press(button, "opponent=computer").id()
			if got := h.state(id).Setup.Rules; got != game.Rules {
				t.Errorf("%s: %s opens a table of %v", path, game.Name, got)
			}
			if got := b.textOf("h1"); got != game.Title {
				t.Errorf("a table of %s is called %q", game.Name, got)
			}
			b.press("button[data-act=resign]").press("button[data-act=publish]")
		}
		b.expectText("/games?book="+game.Name, "ul[class=list]", game.Title+":")
		b.expectText("/games", "nav[aria-label=Games of]", game.Title)
		if got := b.get("/games?book=" + game.Rules.Book().Name).textOf("main"); strings.Contains(got, game.Title+":") {
			t.Errorf("games of %s are listed as those of %s", game.Name, game.Rules.Book().Name)
		}
	}
}

// TestFairCostsNothing holds that fair games, which are on the first page, are as free as the books.
func TestFairCostsNothing(t *testing.T) {
	for _, game := range digit.Fair {
		if !gate.IsFree(game.Rules) {
			t.Errorf("%s costs something", game.Name)
		}
	}
	if r, _ := digit.ParseRules("seesaw target=22"); gate.IsFree(r) {
		t.Errorf("%v costs nothing", r)
	}
}
