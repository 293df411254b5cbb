package browsertest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestHome checks that all games are in sight on the home page, even with two games in progress,
// and that every button is large.
func TestHome(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	ada := srv.visit(t, "Ada")
	seen := func(games int) {
		t.Helper()
		for _, size := range [][2]int64{{390, 844}, {1280, 800}, {390, 664}} {
			if ada.size(size[0], size[1]); size[1] == 664 && games > 0 {
				continue
			}
			ada.open("/")
			look := eval[homeLook](ada, lookHome)
			if look.High > int(size[1]) {
				t.Errorf("with %d games the page is %d pixels high at %v", games, look.High, size)
			}
			if look.Own != games || look.Start != 1 || look.Grid != 9 || look.Fair != 5 {
				t.Errorf("with %d games the page has %+v", games, look)
			}
			if slices.Sort(look.Rings); len(slices.Compact(slices.Clone(look.Rings))) != 10 {
				t.Errorf("two games have the same ring: %q", look.Rings)
			}
			for _, small := range look.Small {
				t.Errorf("%v: too small: %s", size, small)
			}
		}
	}
	seen(0)
	ada.start("dilemma", "computer")
	seen(1)
	ada.start("highest", "friend")
	seen(2)
	ada.size(390, 844)
	ada.reads("#now li:nth-child(1)", "Your turn")
	ada.reads("#now li:nth-child(2)", "Waiting for your friend")
	ada.start("sevens", "friend")
	ada.open("/")
	ada.reads("#now", "1 more")
	ada.submit("#now li:nth-child(1) a") // the game is still there
	ada.sees("#move label.tile")
}

// A homeLook describes the home page.
type homeLook struct {
	High, Own, Start, Grid, Fair int
	Rings, Small                 []string
}

const lookHome = `() => {
	const count = s => document.querySelectorAll(s).length
	const pressed = [...document.querySelectorAll('.home :is(a, button), header :is(a, summary)')]
		.filter(e => e.checkVisibility())
	return {
		High: document.documentElement.scrollHeight, Own: count('#now li'), Start: count('.start'),
		Grid: count('.grid button'), Fair: count('button .fair'),
		Rings: [...document.querySelectorAll('button .ring')].map(e => e.textContent),
		Small: pressed.filter(e => Math.min(e.offsetWidth, e.offsetHeight) < 44).map(e => e.outerHTML.slice(0, 100)),
	}
}`

// TestSheet chooses settings in a sheet, and on a page without script: it shows the settings for
// the opponent, warns of easy targets, remembers the choice, and reports a name that is too long.
func TestSheet(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	for _, script := range []bool{true, false} {
		ada := srv.visit(t, "Ada")
		ada.allow("422")
		ada.size(390, 844)
		ada.script(script)
		ada.open("/")
		if ada.there("#sheet") {
			t.Error("the sheet is open at the start")
		}
		ada.openSheet()
		for _, test := range []struct{ against, there, gone string }{
			{"friend", "#about-opponent-friend, [name=first]", "[name=level], #about-opponent-anyone"},
			{"anyone", "#about-opponent-anyone", "[name=level], [name=first]"},
			{"computer", "[name=level], #about-level-casual", "#about-opponent-friend, #about-level-novice"},
		} {
			ada.click(fmt.Sprintf(".pill:has([name=opponent][value=%s])", test.against))
			ada.sees(test.there)
			if ada.there(test.gone) {
				t.Errorf("against %s the page shows %s", test.against, test.gone)
			}
		}
		ada.click(`.pill:has([name=aim][value="7"])`)
		ada.reads("#about-aim-7", "7 is a multiple of 7 on its own")
		ada.click(`.pill:has([name=aim][value=other])`)
		ada.write("#aim-other", "17")
		ada.write("#name", strings.Repeat("x", 25))
		ada.submit("#sheet .main")
		ada.sees("#sheet")
		ada.reads("#alert", "too long")
		ada.write("#name", "Ada")
		ada.submit("#sheet .main")
		ada.until("for the sheet to go", `() => !document.querySelector('#sheet').open`)
		ada.reads("[data-book=divisibility] .ring", "17")
		ada.start("divisibility", "friend")
		ada.reads("#goal .ring", "17")
	}
}

// TestSheetCloses checks that Escape closes the sheet without changes, and that Escape and a tap
// elsewhere close the menu.
func TestSheetCloses(t *testing.T) {
	t.Parallel()
	ada := sharedServer(t).visit(t, "Ada")
	ada.size(390, 844)
	ada.open("/")
	ada.openSheet()
	ada.click(".pill:has([name=opponent][value=friend])")
	ada.press(kb.Escape)
	ada.until("for the sheet to go",
		`() => !document.querySelector('#sheet').open && document.activeElement.id === 'how'`)
	ada.reads("#how", "vs Computer")
	ada.until("for the unconfirmed choice to be undone",
		`() => document.querySelector('#sheet [name=opponent][value=computer]').checked`)
	for _, closeMenu := range []func(){
		func() { ada.press(kb.Escape) },
		func() { ada.click("#start h2") },
	} {
		ada.click(".more summary")
		ada.sees(".more a")
		closeMenu()
		ada.until("for the menu to go", `() => !document.querySelector('.more').open`)
	}
}

// TestOwnGames checks that the list of a player's games shows the state of a game, from its first
// turn to the review.
func TestOwnGames(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	d := srv.meet(t, "dilemma")
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
	ben.open("/yours")
	ben.reads(".yours", "You win! against Ada")
	ben.submit(".yours a")
	if want := "/t/" + d.id + "/games/1"; ben.path() != want {
		t.Errorf("the link to Ben's game leads to %s, want %s", ben.path(), want)
	}
	other := srv.visit(t, "Eve")
	for _, path := range []string{"/", "/yours"} {
		if other.open(path); other.there(".yours") {
			t.Errorf("%s shows the games of others", path)
		}
	}
}
