package browsertest_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
)

// TestTakenKey presses the key of a digit that is gone, and of one that is left.
func TestTakenKey(t *testing.T) { atBoth(t, nightly, takenKey) }

func takenKey(t *testing.T, h *testServer) {
	d := h.seat(t, order{"rules": "dilemma"})
	d.play("7a 3b")
	ada := d.players[0]
	idle := ada.text("#more")
	ada.press("3")
	ada.reads("#more", "3 is taken.")
	ada.until("for it to go by itself",
		`idle => document.querySelector('#more').textContent === idle`, idle)
	ada.press("3")
	ada.reads("#more", "3 is taken.")
	ada.press("5")
	ada.until("for it to go", `() => document.querySelector('#more').textContent === 'Tap a place for 5.' && document.querySelector('#digit-5').checked`)
}

// TestLargeFont shows pages to somebody whose letters are twice as large: nothing is cut off sideways.
func TestLargeFont(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	won, w := h.table(t, order{"rules": "dilemma"})
	lost, l := h.table(t, order{"rules": "dilemma"})
	ends, e := h.table(t, order{"rules": "divisibility"})
	for _, game := range []struct {
		id     string
		tokens [2]string
		line   string
	}{{won, w, "7a 5a 2b 3b 1c"}, {lost, l, "1a 0b 3b 6a 4c 7c"}, {ends, e, "4R 3R 5L 1R"}} {
		for i, move := range strings.Fields(game.line) {
			h.post(t, "/api/tables/"+game.id+"/moves", game.tokens[i%2], order{"move": move}, &struct{}{})
		}
	}
	waits, b := h.table(t, byLink("divisibility"))
	v := visitAnew(t, h.address, "Ada")
	v.call("large letters", callOf(page.SetFontSizes, page.SetFontSizesParams{FontSizes: &page.FontSizes{Standard: 32, Fixed: 26}}))
	v.size(390, 844)
	for _, path := range []string{
		"/", "/new?book=sevens", "/lobby", "/games", "/rules", "/rules/sevens", "/puzzle?day=2025-03-01", "/help",
		"/t/" + won + "/seat/" + w[0], "/t/" + lost + "/seat/" + l[0], "/t/" + ends + "/seat/" + e[0], "/t/" + won + "/games/1", "/t/" + lost + "/games/1?ply=6", "/learn", "/learn/sevens?step=2", "/t/" + waits, "/t/" + waits + "/seat/" + b[1], "/t/" + waits + "/seat/" + b[0],
	} {
		v.open(path)
		if size := ask[float64](v, `() => parseFloat(getComputedStyle(document.documentElement).fontSize)`); size != 32 {
			t.Fatalf("%s: the letters are %v pixels high", path, size)
		}
		if strings.Contains(path, "?ply=") { // with the chart
			ask[bool](v, `() => { document.querySelectorAll('.card').forEach(d => { d.open = true }); return true }`)
		}
		if wide := ask[[]string](v, tooWide); len(wide) > 0 {
			t.Errorf("%s: %s", path, strings.Join(wide, "\n\t"))
		}
		v.picture("large " + path)
	}
}

// TestPrint prints from a dark page: dark letters on white.
func TestPrint(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	id, tokens := h.table(t, order{"rules": "dilemma", "hints": true})
	v := h.visit(t, "Ada")
	v.call("paper", callOf(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: "print", Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}}))
	see := func(path string) {
		t.Helper()
		v.open(path)
		if pale := ask[[]string](v, palePrint); len(pale) > 0 {
			t.Errorf("%s: %s", path, strings.Join(pale, "\n\t"))
		}
	}
	see("/t/" + id + "/seat/" + tokens[0])
	for i, move := range strings.Fields("7a 5a 2b") {
		h.post(t, "/api/tables/"+id+"/moves", tokens[i%2], order{"move": move}, &struct{}{})
	}
	see("/t/" + id)
	for i, move := range strings.Fields("3b 1c") {
		h.post(t, "/api/tables/"+id+"/moves", tokens[1-i], order{"move": move}, &struct{}{})
	}
	see("/t/" + id)
	see("/t/" + id + "/games/1?ply=3")
}

// palePrint lists what has a dark ground on paper, but for the ring, and letters that are light.
const palePrint = `() => {
	const light = c => { const [r, g, b, a = 1] = c.match(/[\d.]+/g).map(Number); return a === 0 ? null : (r + g + b) / 765 }
	return [...document.body.querySelectorAll('*')].filter(e => e.checkVisibility() && !e.closest('.ring, .main, svg, .vh') && e.matches('main *')).flatMap(e => {
		const style = getComputedStyle(e), ground = light(style.backgroundColor), ink = light(style.color)
		if (e.closest('label.chip, label.pill') || style.position === 'absolute') return []
		return ground !== null && ground < .9 || ink > .45 ? [style.backgroundColor + ' ' + style.color + ' ' + e.outerHTML.slice(0, 80)] : []
	}).slice(0, 6)
}`
