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

// stops lists the elements at which the Tab key should stop, in order: all visible controls, and
// one radio button of each group.
const stops = `() => {
	const groups = new Set()
	const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'
	return [...document.querySelectorAll(controls)].filter(e => {
		if (e.disabled || e.type === 'hidden' || e.tabIndex < 0) return false
		if (!e.checkVisibility({visibilityProperty: true})) return false
		if (e.type !== 'radio') return true
		const checked = document.querySelector('input[type=radio][name="' + e.name + '"]:checked')
		if (checked) return e === checked
		const first = !groups.has(e.name)
		groups.add(e.name)
		return first
	}).map(` + describe + `)
}`

// describe names an element in messages.
const describe = `(e => e.localName + (e.id ? '#' + e.id : '') +
	(e.name ? '[' + e.name + (e.type === 'radio' ? '' : '=' + e.value) + ']' : '') +
	(e.id || e.name ? '' : ' ' + e.textContent.trim().replace(/\s+/g, ' ').slice(0, 30)))`

// A stop is the element that has the focus.
type stop struct {
	Name   string
	Look   string // its outline, or that of the element shown in its place
	Plain  string // its outline without the focus
	InView bool
}

// focused returns the current stop.
const focused = `() => {
	const e = document.activeElement
	if (!e || e === document.body) return {Name: ''}
	const shown = getComputedStyle(e).opacity === '0' ? e.nextElementSibling : e
	const look = () => {
		const s = getComputedStyle(shown)
		return s.outlineStyle === 'none' || s.outlineWidth === '0px' ? s.boxShadow : s.outline
	}
	const b = shown.getBoundingClientRect()
	const at = {Name: ` + describe + `(e), Look: look(), InView: b.bottom > 0 && b.top < innerHeight && b.width > 0}
	e.blur()
	at.Plain = look()
	e.focus({preventScroll: true})
	return at
}`

// TestTab goes through pages with the Tab key: it reaches every control in order and gets out
// again, and the focus is visible.
func TestTab(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	id, tokens := srv.newTable(t, params{"rules": "dilemma"})
	srv.post(t, "/api/tables/"+id+"/moves", tokens[0], params{"move": "7a"}, &struct{}{})
	srv.post(t, "/api/tables/"+id+"/moves", tokens[1], params{"move": "3b"}, &struct{}{})
	v := srv.visit(t, "Ada")
	for _, path := range []string{
		"/", "/new?book=sevens", "/t/" + id + "/seat/" + tokens[0], "/t/" + id + "/games/1",
		"/puzzle", "/lobby",
	} {
		v.open(path)
		if strings.HasPrefix(path, "/t/") && strings.Contains(path, "seat") {
			v.until("to be connected", live)
		}
		want := eval[[]string](v, stops)
		var got []string
		for range len(want) + 3 {
			v.press(kb.Tab)
			at := eval[stop](v, focused)
			if at.Name == "" || len(got) > 0 && at.Name == got[0] {
				break
			}
			got = append(got, at.Name)
			if !at.InView {
				t.Errorf("%s: %s has the focus but is not in the window", path, at.Name)
			}
			if at.Look == "none" || at.Look == at.Plain {
				t.Errorf("%s: the focus on %s is not visible: %s", path, at.Name, at.Look)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: stops of the Tab key (-want +got):\n%s", path, diff)
		}
		v.shiftTab()
		if name := eval[stop](v, focused).Name; name != "" && !slices.Contains(want, name) {
			t.Errorf("%s: Shift+Tab leads to %s", path, name)
		}
	}
}

// TestSkip checks the link that skips the navigation.
func TestSkip(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	v := srv.visit(t, "Ada")
	v.open("/")
	v.press(kb.Tab)
	if name := eval[stop](v, focused).Name; !strings.Contains(name, "Skip") {
		t.Errorf("the first stop is %s, want the skip link", name)
	}
	v.until("to see the link", `() => document.activeElement.getBoundingClientRect().top >= 0`)
	v.press(kb.Enter)
	v.until("to be in the content", `() => document.activeElement === document.querySelector('main')`)
	v.press(kb.Tab)
	if !eval[bool](v, `() => document.querySelector('main').contains(document.activeElement)`) {
		t.Error("after the skip link, Tab leads out of the content")
	}
}

// TestKeys plays whole games with the keyboard, starting at the home page.
func TestKeys(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	for _, test := range []struct{ book, line string }{
		{"dilemma", "7a 3b 1c 5a 4b 2c"},
		{"divisibility", "4R 3R 5L 1R 6R"},
		{"sevens", "7 3 2 4 1=721"},
	} {
		t.Run(test.book, func(t *testing.T) {
			ada, ben := srv.visit(t, "Ada"), srv.visit(t, "Ben")
			ada.open("/")
			ada.tabTo("#how")
			ada.press(kb.Enter)
			ada.tabTo("#sheet [name=opponent][value=computer]")
			ada.press(kb.ArrowRight)
			ada.tabTo(`#sheet [name=aim][value="33"]`)
			ada.press(kb.ArrowLeft, kb.ArrowLeft, kb.ArrowLeft)
			ada.tabTo("#name")
			ada.markPage()
			ada.press("A", "d", "a", kb.Enter)
			ada.until("for the choices",
				`() => !window.marked && document.querySelector('#how')?.textContent === 'vs Friend'`)
			ada.tabTo(fmt.Sprintf("button[value=%q]", test.book))
			ada.press(kb.Enter)
			ada.reads("#turn", "Send this link to a friend")
			ben.open(ada.linkPath("#invite-link"))
			ben.tabTo("#sit-name")
			ben.press("B", "e", "n", kb.Enter)
			d := srv.duel(t, strings.TrimPrefix(ada.path(), "/t/"), test.book, ada, ben)
			d.allShow()

			// Escape undoes a choice.
			ada.press("9", kb.Escape)
			if eval[bool](ada, `() => !!document.querySelector('[name=digit]:checked')`) {
				t.Error("Escape does not undo the choice")
			}
			for _, m := range d.parse(test.line) {
				d.turn().enter(m)
				d.moves = append(d.moves, m)
				d.allShow()
			}
			ada.sees("#felt.over")
		})
	}
}

// enter makes a move with the keyboard.
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
			if eval[bool](v, `n => document.activeElement.value === n`, m.Call.String()) {
				break
			}
			v.press(kb.ArrowDown)
		}
	}
	v.press(kb.Enter)
}

// tabTo presses the Tab key until an element has the focus.
func (v *visitor) tabTo(selector string) {
	v.t.Helper()
	v.sees(selector)
	for range 80 {
		if eval[bool](v, `s => document.activeElement === document.querySelector(s)`, selector) {
			return
		}
		v.press(kb.Tab)
	}
	v.t.Fatalf("%s: the Tab key does not lead to %s", v.name, selector)
}
