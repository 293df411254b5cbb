package browsertest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"digitduel/digit"
)

// stops lists what the tab key is to stop at, in order: what can be used and seen, and of radio buttons one in a group.
const stops = `() => {
	const groups = new Set()
	return [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter(e => {
		if (e.disabled || e.type === 'hidden' || e.tabIndex < 0 || !e.checkVisibility({visibilityProperty: true})) return false
		if (e.type !== 'radio') return true
		const checked = document.querySelector('input[type=radio][name="' + e.name + '"]:checked')
		if (checked) return e === checked
		const first = !groups.has(e.name)
		groups.add(e.name)
		return first
	}).map(` + nameOf + `)
}`

// nameOf names an element for people who read a test's output.
const nameOf = `(e => e.localName + (e.id ? '#' + e.id : '') + (e.name ? '[' + e.name + (e.type === 'radio' ? '' : '=' + e.value) + ']' : '') +
	(e.id || e.name ? '' : ' ' + e.textContent.trim().replace(/\s+/g, ' ').slice(0, 30)))`

// A stop is where the focus is, and how that is seen.
type stop struct {
	Name   string
	Look   string // of the element, or of what stands for it
	Plain  string // its look without the focus
	InView bool
}

// focused tells where the focus is.
const focused = `() => {
	const e = document.activeElement
	if (!e || e === document.body) return {Name: ''}
	const shown = getComputedStyle(e).opacity === '0' ? e.nextElementSibling : e
	const look = () => { const s = getComputedStyle(shown); return s.outlineStyle === 'none' || s.outlineWidth === '0px' ? s.boxShadow : s.outline }
	const b = shown.getBoundingClientRect()
	const at = {Name: ` + nameOf + `(e), Look: look(), InView: b.bottom > 0 && b.top < innerHeight && b.width > 0}
	e.blur()
	at.Plain = look()
	e.focus({preventScroll: true})
	return at
}`

// TestTab goes through pages with the tab key: it reaches everything in order, what has the focus can be seen, and there is a
// way out.
func TestTab(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	id, tokens := h.table(t, order{"rules": "dilemma"})
	h.post(t, "/api/tables/"+id+"/moves", tokens[0], order{"move": "7a"}, &struct{}{})
	h.post(t, "/api/tables/"+id+"/moves", tokens[1], order{"move": "3b"}, &struct{}{})
	v := h.visit(t, "Ada")
	for _, path := range []string{"/", "/new?book=sevens", "/t/" + id + "/seat/" + tokens[0], "/t/" + id + "/games/1", "/puzzle", "/lobby"} {
		v.open(path)
		if strings.HasPrefix(path, "/t/") && strings.Contains(path, "seat") {
			v.until("to be connected", live)
		}
		want := ask[[]string](v, stops)
		var got []string
		for range len(want) + 3 {
			v.press(kb.Tab)
			at := ask[stop](v, focused)
			if at.Name == "" || len(got) > 0 && at.Name == got[0] {
				break
			}
			got = append(got, at.Name)
			if !at.InView {
				t.Errorf("%s: %s has the focus and is not in the window", path, at.Name)
			}
			if at.Look == "none" || at.Look == at.Plain {
				t.Errorf("%s: it cannot be seen that %s has the focus: %s", path, at.Name, at.Look)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: stops of the tab key (-want +got):\n%s", path, diff)
		}
		v.shiftTab()
		if name := ask[stop](v, focused).Name; name != "" && !slices.Contains(want, name) {
			t.Errorf("%s: shift and tab lead to %s", path, name)
		}
	}
}

// TestSkip jumps over the navigation.
func TestSkip(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	v := h.visit(t, "Ada")
	v.open("/")
	v.press(kb.Tab)
	if name := ask[stop](v, focused).Name; !strings.Contains(name, "Skip") {
		t.Errorf("the first stop is %s", name)
	}
	v.until("to see the link", `() => document.activeElement.getBoundingClientRect().top >= 0`)
	v.press(kb.Enter)
	v.until("to be in the content", `() => document.activeElement === document.querySelector('main')`)
	v.press(kb.Tab)
	if !ask[bool](v, `() => document.querySelector('main').contains(document.activeElement)`) {
		t.Error("after the skip link, tab leads elsewhere")
	}
}

// TestKeys plays whole games without a mouse, from the home page on.
func TestKeys(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	for _, test := range []struct{ book, line string }{
		{"dilemma", "7a 3b 1c 5a 4b 2c"},
		{"divisibility", "4R 3R 5L 1R 6R"},
		{"sevens", "7 3 2 4 1=721"},
	} {
		t.Run(test.book, func(t *testing.T) {
			ada, ben := h.visit(t, "Ada"), h.visit(t, "Ben")
			ada.open("/")
			ada.tabTo("#how")
			ada.press(kb.Enter)
			ada.tabTo("#sheet [name=opponent][value=computer]")
			ada.press(kb.ArrowRight)
			ada.tabTo(`#sheet [name=aim][value="33"]`)
			ada.press(kb.ArrowLeft, kb.ArrowLeft, kb.ArrowLeft)
			ada.tabTo("#name")
			ada.mark()
			ada.press("A", "d", "a", kb.Enter)
			ada.until("for the choices", `() => !window.marked && document.querySelector('#how')?.textContent === 'vs Friend'`)
			ada.tabTo(fmt.Sprintf("button[value=%q]", test.book))
			ada.press(kb.Enter)
			ada.reads("#turn", "Send this link to a friend")
			ben.open(ada.link("#invite-link"))
			ben.tabTo("#sit-name")
			ben.press("B", "e", "n", kb.Enter)
			d := h.duel(t, strings.TrimPrefix(ada.path(), "/t/"), test.book, ada, ben)
			d.agree()

			// What was chosen by mistake is taken back with escape.
			ada.press("9", kb.Escape)
			if ask[bool](ada, `() => !!document.querySelector('[name=digit]:checked')`) {
				t.Error("escape does not take back what was chosen")
			}
			for _, m := range d.parse(test.line) {
				d.turn().enter(m)
				d.moves = append(d.moves, m)
				d.agree()
			}
			ada.sees("#felt.over")
		})
	}
}

// enter makes a move with keys.
func (v *visitor) enter(m digit.Move) {
	v.t.Helper()
	v.sees("#move .tile")
	v.press(m.Digit.String())
	if m.Spot != 0 {
		v.press(strings.ToLower(m.Spot.String()))
	}
	if (m.Call != digit.Number{}) {
		v.tabTo(fmt.Sprintf("[data-calls=%q] input", m.Digit))
		for range 10 {
			if ask[bool](v, `n => document.activeElement.value === n`, m.Call.String()) {
				break
			}
			v.press(kb.ArrowDown)
		}
	}
	v.press(kb.Enter)
}

// tabTo presses the tab key until an element has the focus.
func (v *visitor) tabTo(selector string) {
	v.t.Helper()
	v.sees(selector)
	for range 80 {
		if ask[bool](v, `s => document.activeElement === document.querySelector(s)`, selector) {
			return
		}
		v.press(kb.Tab)
	}
	v.t.Fatalf("%s: the tab key does not lead to %s", v.name, selector)
}
