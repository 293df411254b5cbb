package browsertest_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// shapes are things that mean something different, by what tells them apart and where they are found.
var shapes = map[string][]shape{
	"tiles": {
		{"free", "mine", ".tile:not(.gone, :has(:checked)) .face"}, {"picked", "mine", ".tile:has(:checked) .face"},
		{"gone to one", "mine", ".gone.seat-1 .face"}, {"gone to the other", "mine", ".gone.seat-2 .face"}, {"not to be taken now", "theirs", ".rest .face"},
	},
	"places": {
		{"free, with a digit picked", "mine", ".mine .target .well"}, {"free", "theirs", ".mine .cell:not(.full) .well"},
		{"full", "mine", ".mine .full .well"}, {"the last move", "theirs", ".last .well"},
	},
	"boards": {{"to move", "mine", ".board.on .who"}, {"not to move", "mine", ".board:not(.on) .who"}},
	"hints":  {{"wins", "hint", ".tile .verdict.win"}, {"loses", "hint", ".tile .verdict.loss"}},
	"clock":  {{"time enough", "mine", ".clock"}, {"little time", "hurry", ".clock"}},
	"calls":  {{"chosen", "call", ".call .chip:has(:checked)"}, {"not chosen", "call", ".call .chip:not(:has(:checked))"}},
	"pages":  {{"here", "lobby", "nav [aria-current=page]"}, {"elsewhere", "lobby", "nav a:not([aria-current])"}},
	"moves":  {{"shown", "review", ".review .here a"}, {"not shown", "review", ".review li:not(.here) a:not(:has(.tag))"}},
	"grades": {{"best", "review", ".tag.best"}, {"mistake", "review", ".tag.mistake"}},
	"course": {{"best", "review", ".dot:not(.mistake, .blunder)"}, {"mistake", "review", ".dot.mistake"}},
	"acts":   {{"first", "over", "#acts .main"}, {"other", "over", "#acts a.button"}},
}

type shape struct{ name, page, selector string }

// TestShapes looks at what has a colour of its own where there are no colours: it has a shape or a word of its own too.
func TestShapes(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	v := h.visit(t, "Ada")
	v.call("no colours", callOf(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{
			{Name: "forced-colors", Value: "active"}, {Name: "prefers-reduced-motion", Value: "reduce"}}}))
	seen := map[string]map[string]string{}
	look := func(page string, o order, line, more string, do func()) {
		t.Helper()
		id, tokens := h.table(t, o)
		for i, move := range strings.Fields(line) {
			h.post(t, "/api/tables/"+id+"/moves", tokens[i%2], order{"move": move}, &struct{}{})
		}
		v.open("/t/" + id + "/seat/" + tokens[0])
		if more != "" {
			v.open("/t/" + id + more)
		}
		if do != nil {
			do()
		}
		for kind, all := range shapes {
			for _, s := range all {
				if s.page != page {
					continue
				}
				if seen[kind] == nil {
					seen[kind] = map[string]string{}
				}
				seen[kind][s.name] = ask[string](v, `s => (`+outline+`)(document.querySelector(s))`, s.selector)
			}
		}
	}
	pick := func(d string) func() { return func() { v.click(`[data-digit="` + d + `"]`) } }
	look("mine", order{"rules": "dilemma", "turn_time": "10m"}, "7a 5a", "", pick("2"))
	look("hurry", order{"rules": "dilemma", "turn_time": "15s"}, "7a 5a", "", func() { v.sees(".clock.low") })
	look("theirs", order{"rules": "dilemma"}, "7a", "", nil)
	look("hint", order{"rules": "dilemma", "hints": true}, "7a 3b", "?hint=1", nil)
	look("call", order{"rules": "sevens"}, "1 5 2 8", "", func() {
		v.click(`[data-digit="7"]`)
		v.click(`[data-calls="7"] [data-call="217"]`)
	})
	look("over", order{"rules": "dilemma"}, "1a 0b 3b 6a 4c 7c", "", nil)
	look("review", order{"rules": "dilemma"}, "2c 7b 3a 8a 0b 5c", "/games/1?ply=5", func() {
		ask[bool](v, `() => { document.querySelectorAll('details').forEach(d => { d.open = true }); return true }`)
	})
	look("lobby", order{"rules": "dilemma"}, "", "", func() { v.open("/lobby") })
	for kind, all := range shapes {
		by := map[string]string{}
		for _, s := range all {
			is := seen[kind][s.name]
			if is == "" {
				t.Errorf("%s: nothing is %s", kind, s.name)
			} else if other, twice := by[is]; twice {
				t.Errorf("%s: only a colour tells %q from %q: %s", kind, s.name, other, is)
			}
			by[is] = s.name
		}
	}
	v.plant(`<p><b>x</b> <b>x</b></p>`, "")
	ask[bool](v, `() => { const [a, b] = document.querySelectorAll('main > p:last-child b'); a.style.color = 'red'; b.style.background = 'blue'; return true }`)
	if !ask[bool](v, `() => { const look = `+outline+`, [a, b] = document.querySelectorAll('main > p:last-child b'); return look(a) === look(b) }`) {
		t.Error("what differs in colour alone is not noticed")
	}
}

// outline tells what something looks like without colours, and without the digits and names that are its own.
const outline = `e => {
	if (!e) return ''
	const parts = [e, ...e.querySelectorAll('*')].filter(e => e.checkVisibility() && !e.closest('.vh')).map(e => [null, '::before', '::after'].map(p => {
		const s = getComputedStyle(e, p)
		if (p && (s.content === 'none' || s.content === 'normal')) return ''
		return [p && s.content, s.borderTopStyle, s.borderTopWidth, s.outlineStyle, s.outlineWidth, s.fontWeight, s.textDecorationLine, s.textDecorationStyle, s.transform, s.strokeWidth, s.strokeDasharray].join(' ')
	}).join(';'))
	const words = (e.innerText ?? '').replace(/[0-9]|Ada|Ben|put .*|not here now|here|has left/g, '').trim()
	return parts.join('|') + '|' + words
}`
