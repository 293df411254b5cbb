package browsertest_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// shapes lists, for each kind, elements with different meanings that must look different without
// colours.
var shapes = map[string][]shape{
	"tiles": {
		{"free", "mine", ".tile:not(.gone, :has(:checked)) .face"}, {"picked", "mine", ".tile:has(:checked) .face"},
		{"taken by player 1", "mine", ".gone.seat-1 .face"}, {"taken by player 2", "mine", ".gone.seat-2 .face"},
		{"not selectable now", "theirs", ".rest .face"},
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

// A shape is a selector and the page to find it on.
type shape struct{ name, page, selector string }

// TestShapes checks that elements that differ in colour also differ in shape or text, by looking at
// pages without colours.
func TestShapes(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	v := srv.visit(t, "Ada")
	v.call("no colours", callStep(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{
			{Name: "forced-colors", Value: "active"}, {Name: "prefers-reduced-motion", Value: "reduce"}}}))
	seen := map[string]map[string]string{}
	look := func(page string, o params, line, more string, do func()) {
		t.Helper()
		id, tokens := srv.newTable(t, o)
		for i, move := range strings.Fields(line) {
			srv.post(t, "/api/tables/"+id+"/moves", tokens[i%2], params{"move": move}, &struct{}{})
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
				seen[kind][s.name] = eval[string](v,
					`s => (`+lookOf+`)(document.querySelector(s))`, s.selector)
			}
		}
	}
	pick := func(d string) func() { return func() { v.click(`[data-digit="` + d + `"]`) } }
	look("mine", params{"rules": "dilemma", "turn_time": "10m"}, "7a 5a", "", pick("2"))
	look("hurry", params{"rules": "dilemma", "turn_time": "15s"}, "7a 5a", "", func() { v.sees(".clock.low") })
	look("theirs", params{"rules": "dilemma"}, "7a", "", nil)
	look("hint", params{"rules": "dilemma", "hints": true}, "7a 3b", "?hint=1", nil)
	look("call", params{"rules": "sevens"}, "1 5 2 8", "", func() {
		v.click(`[data-digit="7"]`)
		v.click(`[data-calls="7"] [data-call="217"]`)
	})
	look("over", params{"rules": "dilemma"}, "1a 0b 3b 6a 4c 7c", "", nil)
	look("review", params{"rules": "dilemma"}, "2c 7b 3a 8a 0b 5c", "/games/1?ply=5", func() {
		eval[bool](v,
			`() => { document.querySelectorAll('details').forEach(d => { d.open = true }); return true }`)
	})
	look("lobby", params{"rules": "dilemma"}, "", "", func() { v.open("/lobby") })
	for kind, all := range shapes {
		by := map[string]string{}
		for _, s := range all {
			is := seen[kind][s.name]
			if is == "" {
				t.Errorf("%s: no element is %s", kind, s.name)
			} else if other, twice := by[is]; twice {
				t.Errorf("%s: %q and %q differ only in colour: %s", kind, s.name, other, is)
			}
			by[is] = s.name
		}
	}
	v.openWith(`<p><b>x</b> <b>x</b></p>`, "")
	eval[bool](v, `() => {
		const [a, b] = document.querySelectorAll('main > p:last-child b')
		a.style.color = 'red'
		b.style.background = 'blue'
		return true
	}`)
	if !eval[bool](v, `() => {
		const look = `+lookOf+`, [a, b] = document.querySelectorAll('main > p:last-child b')
		return look(a) === look(b)
	}`) {
		t.Error("lookOf depends on colours")
	}
}

// lookOf describes the look of an element without colours, digits and names.
const lookOf = `e => {
	if (!e) return ''
	const shown = [e, ...e.querySelectorAll('*')].filter(e => e.checkVisibility() && !e.closest('.vh'))
	const parts = shown.map(e => [null, '::before', '::after'].map(p => {
		const s = getComputedStyle(e, p)
		if (p && (s.content === 'none' || s.content === 'normal')) return ''
		return [p && s.content, s.borderTopStyle, s.borderTopWidth, s.outlineStyle, s.outlineWidth, s.fontWeight,
			s.textDecorationLine, s.textDecorationStyle, s.transform, s.strokeWidth, s.strokeDasharray].join(' ')
	}).join(';'))
	const words = (e.innerText ?? '').replace(/[0-9]|Ada|Ben|put .*|not here now|here|has left/g, '').trim()
	return parts.join('|') + '|' + words
}`
