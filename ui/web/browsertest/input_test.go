package browsertest_test

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A point is a position in the window.
type point struct{ X, Y float64 }

// point waits until an element can be clicked, and returns its middle.
func (v *visitor) point(selector string) point {
	v.t.Helper()
	var at struct {
		point
		Why string
	}
	v.wait("to click "+selector, func() (bool, string) {
		var err error
		if at, err = tryEval[struct {
			point
			Why string
		}](v, aim, selector); err != nil {
			return false, err.Error()
		}
		return at.Why == "", at.Why
	})
	return at.point
}

// aim scrolls to an element and returns its middle, or the reason why it cannot be clicked there.
const aim = `s => {
	if (document.readyState !== 'complete') return {Why: 'the page is not loaded'}
	const all = [...document.querySelectorAll(s)].filter(e => e.checkVisibility({visibilityProperty: true}))
	if (all.length === 0) return {Why: 'it is not there'}
	const e = all[0]
	if (e.disabled) return {Why: 'it is disabled'}
	e.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'})
	const box = e.getBoundingClientRect()
	const X = box.x + box.width / 2, Y = box.y + box.height / 2
	const top = document.elementFromPoint(X, Y)
	const labelled = top && (top.control === e || e.labels && [...e.labels].some(l => l.contains(top)))
	if (!top || !e.contains(top) && !labelled) {
		return {Why: 'it is covered by ' + (top ? top.outerHTML.slice(0, 200) : 'nothing')}
	}
	return {X, Y, Why: ''}
}`

// click clicks an element as soon as it can be clicked.
func (v *visitor) click(selector string) {
	v.t.Helper()
	at := v.point(selector)
	v.call("click "+selector,
		mouse(input.DispatchMouseEventTypeMouseMoved, at, 0),
		mouse(input.DispatchMouseEventTypeMousePressed, at, 1),
		mouse(input.DispatchMouseEventTypeMouseReleased, at, 0))
}

// mouse returns a step that sends a mouse event.
func mouse(kind input.DispatchMouseEventType, at point, buttons int64) step {
	p := input.DispatchMouseEventParams{Type: kind, X: at.X, Y: at.Y, Buttons: buttons}
	if kind != input.DispatchMouseEventTypeMouseMoved || buttons != 0 {
		p.Button = input.MouseButtonLeft
	}
	if kind != input.DispatchMouseEventTypeMouseMoved {
		p.ClickCount = 1
	}
	return callStep(input.DispatchMouseEvent, p)
}

// drag drags an element to another one with the mouse.
func (v *visitor) drag(from, to string) {
	v.t.Helper()
	a, b := v.ends(from, to)
	steps := []step{
		mouse(input.DispatchMouseEventTypeMouseMoved, a, 0),
		mouse(input.DispatchMouseEventTypeMousePressed, a, 1),
	}
	for _, at := range between(a, b) {
		steps = append(steps, mouse(input.DispatchMouseEventTypeMouseMoved, at, 1))
	}
	steps = append(steps, mouse(input.DispatchMouseEventTypeMouseReleased, b, 0))
	v.call("drag "+from+" to "+to, steps...)
}

// swipe drags an element to another one by touch.
func (v *visitor) swipe(from, to string) {
	v.t.Helper()
	a, b := v.ends(from, to)
	steps := []step{touch(input.DispatchTouchEventTypeTouchStart, a)}
	for _, at := range between(a, b) {
		steps = append(steps, touch(input.DispatchTouchEventTypeTouchMove, at))
	}
	v.call("swipe "+from+" to "+to, append(steps, touch(input.DispatchTouchEventTypeTouchEnd))...)
}

// touch returns a step that sends a touch event.
func touch(kind input.DispatchTouchEventType, fingers ...point) step {
	p := input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{}}
	for _, at := range fingers {
		p.TouchPoints = append(p.TouchPoints, &input.TouchPoint{X: at.X, Y: at.Y})
	}
	return callStep(input.DispatchTouchEvent, p)
}

// ends returns the points where a drag starts and ends, while both elements are in the window.
func (v *visitor) ends(from, to string) (a, b point) {
	v.t.Helper()
	v.point(from)
	b = v.point(to)
	a = eval[point](v, `s => {
		const b = document.querySelector(s).getBoundingClientRect()
		return {X: b.x + b.width / 2, Y: b.y + b.height / 2}
	}`, from)
	return a, b
}

// between returns points on the line from a to b, the last of which is b.
func between(a, b point) []point {
	const steps = 8
	var way []point
	for i := 1; i <= steps; i++ {
		part := float64(i) / steps
		way = append(way, point{a.X + (b.X-a.X)*part, a.Y + (b.Y-a.Y)*part})
	}
	return way
}

// press presses keys one after the other. Package kb has the keys that are not letters.
func (v *visitor) press(keys ...string) {
	v.t.Helper()
	for _, key := range keys {
		v.call(fmt.Sprintf("press %q", key), func(ctx context.Context) error {
			return chromedp.Do(ctx, chromedp.KeyEvent(key))
		})
	}
}

// shiftTab presses Shift+Tab.
func (v *visitor) shiftTab() {
	v.t.Helper()
	v.call("press shift and tab", func(ctx context.Context) error {
		return chromedp.Do(ctx, chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
	})
}

// write replaces the text of a field.
func (v *visitor) write(selector, text string) {
	v.t.Helper()
	v.click(selector)
	eval[bool](v, `s => { document.querySelector(s).select(); return true }`, selector)
	v.call("write "+text, callStep(input.InsertText, input.InsertTextParams{Text: text}))
}
