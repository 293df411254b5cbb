package browsertest_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
)

// TestTakenKey presses the key of a digit that is taken, then that of a free one.
func TestTakenKey(t *testing.T) { atBoth(t, nightly, takenKey) }

func takenKey(t *testing.T, srv *testServer) {
	d := srv.seat(t, params{"rules": "dilemma"})
	d.play("7a 3b")
	ada := d.players[0]
	idle := ada.text("#more")
	ada.press("3")
	ada.reads("#more", "3 is taken.")
	ada.until("for the message to go by itself",
		`idle => document.querySelector('#more').textContent === idle`, idle)
	ada.press("3")
	ada.reads("#more", "3 is taken.")
	ada.press("5")
	ada.until("for the message to go",
		`() => document.querySelector('#more').textContent === 'Tap a place for 5.' &&
			document.querySelector('#digit-5').checked`)
}

// TestLargeFont checks that no page overflows to the side when the font is twice as large.
func TestLargeFont(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	won, w := srv.newTable(t, params{"rules": "dilemma"})
	lost, l := srv.newTable(t, params{"rules": "dilemma"})
	ends, e := srv.newTable(t, params{"rules": "divisibility"})
	for _, game := range []struct {
		id     string
		tokens [2]string
		line   string
	}{{won, w, "7a 5a 2b 3b 1c"}, {lost, l, "1a 0b 3b 6a 4c 7c"}, {ends, e, "4R 3R 5L 1R"}} {
		for i, move := range strings.Fields(game.line) {
			srv.post(t, "/api/tables/"+game.id+"/moves", game.tokens[i%2], params{"move": move}, &struct{}{})
		}
	}
	waits, b := srv.newTable(t, byLink("divisibility"))
	v := freshVisitor(t, srv.address, "Ada")
	v.call("large font", callStep(page.SetFontSizes, page.SetFontSizesParams{
		FontSizes: &page.FontSizes{Standard: 32, Fixed: 26}}))
	v.size(390, 844)
	for _, path := range []string{
		"/", "/new?book=sevens", "/lobby", "/games", "/rules", "/rules/sevens", "/puzzle?day=2025-03-01", "/help",
		"/t/" + won + "/seat/" + w[0], "/t/" + lost + "/seat/" + l[0], "/t/" + ends + "/seat/" + e[0],
		"/t/" + won + "/games/1", "/t/" + lost + "/games/1?ply=6", "/learn", "/learn/sevens?step=2",
		"/t/" + waits, "/t/" + waits + "/seat/" + b[1], "/t/" + waits + "/seat/" + b[0],
	} {
		v.open(path)
		size := eval[float64](v, `() => parseFloat(getComputedStyle(document.documentElement).fontSize)`)
		if size != 32 {
			t.Fatalf("%s: the font size is %v pixels, want 32", path, size)
		}
		if strings.Contains(path, "?ply=") { // with the chart
			eval[bool](v,
				`() => { document.querySelectorAll('.card').forEach(d => { d.open = true }); return true }`)
		}
		if wide := eval[[]string](v, tooWide); len(wide) > 0 {
			t.Errorf("%s: %s", path, strings.Join(wide, "\n\t"))
		}
		v.screenshot("large " + path)
	}
}

// TestPrint checks that pages print dark text on white, even in dark mode.
func TestPrint(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	id, tokens := srv.newTable(t, params{"rules": "dilemma", "hints": true})
	v := srv.visit(t, "Ada")
	v.call("paper", callStep(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: "print", Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}}))
	see := func(path string) {
		t.Helper()
		v.open(path)
		if pale := eval[[]string](v, palePrint); len(pale) > 0 {
			t.Errorf("%s: %s", path, strings.Join(pale, "\n\t"))
		}
	}
	see("/t/" + id + "/seat/" + tokens[0])
	for i, move := range strings.Fields("7a 5a 2b") {
		srv.post(t, "/api/tables/"+id+"/moves", tokens[i%2], params{"move": move}, &struct{}{})
	}
	see("/t/" + id)
	for i, move := range strings.Fields("3b 1c") {
		srv.post(t, "/api/tables/"+id+"/moves", tokens[1-i], params{"move": move}, &struct{}{})
	}
	see("/t/" + id)
	see("/t/" + id + "/games/1?ply=3")
}

// palePrint lists the elements that print with a dark background or light text, except for rings,
// main buttons and charts.
const palePrint = `() => {
	const light = c => {
		const [r, g, b, a = 1] = c.match(/[\d.]+/g).map(Number)
		return a === 0 ? null : (r + g + b) / 765
	}
	const printed = e => e.checkVisibility() && !e.closest('.ring, .main, svg, .vh') && e.matches('main *')
	return [...document.body.querySelectorAll('*')].filter(printed).flatMap(e => {
		const style = getComputedStyle(e), ground = light(style.backgroundColor), ink = light(style.color)
		if (e.closest('label.chip, label.pill') || style.position === 'absolute') return []
		const pale = ground !== null && ground < .9 || ink > .45
		return pale ? [style.backgroundColor + ' ' + style.color + ' ' + e.outerHTML.slice(0, 80)] : []
	}).slice(0, 6)
}`
