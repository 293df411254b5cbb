package web

import (
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/ui/gate"
)

// TestFairGames checks that each page that lists games has every fair game, and says why it is
// fair. A fair game is opened with its own rules, not with the target set for Divisibility Duel.
func TestFairGames(t *testing.T) {
	h := newTestServer(t)
	for _, game := range digit.Fair {
		fairness, ok := rulebook.FairnessOf(game.Rules)
		if !ok {
			t.Fatalf("the rulebook has no fairness of %s", game.Name)
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
				t.Errorf("the title of a table of %s is %q", game.Name, got)
			}
			b.press("button[data-act=resign]").press("button[data-act=publish]")
		}
		b.expectText("/games?book="+game.Name, "ul[class=list]", game.Title+":")
		b.expectText("/games", "nav[aria-label=Games of]", game.Title)
		if got := b.get("/games?book=" + game.Rules.Book().Name).textOf("main"); strings.Contains(got, game.Title+":") {
			t.Errorf("games of %s are listed as games of %s", game.Name, game.Rules.Book().Name)
		}
	}
}

// TestFairCostsNothing checks that the work for fair games is free, as for the books, because the
// home page offers them.
func TestFairCostsNothing(t *testing.T) {
	for _, game := range digit.Fair {
		if !gate.IsFree(game.Rules) {
			t.Errorf("%s is not free", game.Name)
		}
	}
	if r, _ := digit.ParseRules("seesaw target=22"); gate.IsFree(r) {
		t.Errorf("%v is free", r)
	}
}
