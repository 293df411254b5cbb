package browsertest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long a page may take for anything; the machine may be busy.
const patience = 30 * time.Second

// A visitor is somebody at a browser. What goes wrong in it, and what it asks of another host, fails the test.
type visitor struct {
	t       *testing.T
	address string // of the house, or of the line to it
	name    string
	ctx     context.Context
	leave   func() // closes the browser; further calls do nothing

	mu      sync.Mutex
	faults  []string
	excused []string                    // parts of faults that belong to the test
	files   map[network.RequestID]*file // what was asked for
}

// A file is what a browser asked for, and how many bytes of it came over the network; 0: it is not all there.
type file struct {
	url  string
	size float64
}

// visit opens a browser for somebody whom the house does not know yet, or gives them one that is free. It is theirs until the
// end of the test.
func (h *testServer) visit(t *testing.T, name string) *visitor {
	t.Helper()
	if h.site != nil {
		return h.site.visit(t, name)
	}
	v := h.reuse()
	if v == nil {
		v = newVisitor(t, h.address)
	}
	v.t, v.name = t, name
	v.size(1280, 800)
	t.Cleanup(func() {
		if v.check(); !t.Failed() && v.ctx.Err() == nil && v.forget(h.url("/robots.txt")) == nil {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.idle = append(h.idle, v)
			return
		}
		v.leave()
	})
	return v
}

// visitAnew opens a browser that nobody has had before, for somebody who comes by the address of a house or of a line to it.
func visitAnew(t *testing.T, address, name string) *visitor {
	t.Helper()
	v := newVisitor(t, address)
	v.name = name
	v.size(1280, 800)
	t.Cleanup(func() {
		v.check()
		v.leave()
	})
	return v
}

// reuse returns a browser that is free; nil: there is none.
func (h *testServer) reuse() *visitor {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.idle) == 0 {
		return nil
	}
	v := h.idle[len(h.idle)-1]
	h.idle = h.idle[:len(h.idle)-1]
	return v
}

func newVisitor(t *testing.T, address string) *visitor {
	t.Helper()
	return newVisitorIn(t, browser(t), address, chromedp.WithNewBrowserContext())
}

// newVisitorIn opens a page in a browser.
func newVisitorIn(t *testing.T, browser context.Context, address string, options ...chromedp.ContextOption) *visitor {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser, options...)
	v := &visitor{t: t, address: address, ctx: ctx, leave: sync.OnceFunc(cancel)}
	if err := chromedp.Do(ctx); err != nil {
		cancel()
		t.Fatal(err)
	}
	v.listen()
	v.focus(true)
	return v
}

// lend lets a part of the test use the browser for a while.
func (v *visitor) lend(t *testing.T) *visitor {
	owner := v.t
	v.t = t
	t.Cleanup(func() {
		v.check()
		v.t = owner
	})
	return v
}

// check fails the test for every fault that was collected, and keeps the page if something was wrong.
func (v *visitor) check() {
	v.mu.Lock()
	faults := v.faults
	v.faults = nil
	v.mu.Unlock()
	for _, fault := range faults {
		v.t.Errorf("%s: %s", v.name, fault)
	}
	if v.t.Failed() && v.ctx.Err() == nil {
		v.keep()
	}
}

// forget makes the browser like a new one. It is left at a page with nothing on it.
func (v *visitor) forget(url string) error {
	ctx, cancel := context.WithTimeout(v.ctx, patience)
	defer cancel()
	for _, do := range []step{
		callOf(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: false}),
		callOf(emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: false}),
		callOf(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{}),
		func(ctx context.Context) error { return chromedp.Do(ctx, chromedp.Navigate(url)) },
		callOf(network.ClearBrowserCookies, cdp.Empty{}),
		func(ctx context.Context) error {
			return chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void](`localStorage.clear(); sessionStorage.clear()`))
		},
	} {
		if err := do(ctx); err != nil {
			return err
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.faults, v.excused, v.files = nil, nil, nil
	return nil
}

// listen collects faults and requests for as long as the browser is open.
func (v *visitor) listen() {
	hear(v, runtime.ExceptionThrown, func(e runtime.EventExceptionThrown) {
		text := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
		v.fault("exception: " + text)
	})
	hear(v, runtime.ConsoleAPICalled, func(e runtime.EventConsoleAPICalled) {
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			var text []string
			for _, arg := range e.Args {
				text = append(text, string(arg.Value)+arg.Description)
			}
			v.fault("console: " + strings.Join(text, " "))
		}
	})
	hear(v, log.EntryAdded, func(e log.EventEntryAdded) {
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			v.fault(fmt.Sprintf("log: %s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL))
		}
	})
	hear(v, network.RequestWillBeSent, func(e network.EventRequestWillBeSent) {
		u, err := url.Parse(e.Request.URL)
		if err != nil || u.Host != v.address && u.Scheme != "data" && u.Scheme != "blob" {
			v.fault("a request to another host: " + e.Request.URL)
		}
		v.note(e.RequestID, func(f *file) { f.url = e.Request.URL })
	})
	hear(v, network.LoadingFinished, func(e network.EventLoadingFinished) {
		v.note(e.RequestID, func(f *file) { f.size = e.EncodedDataLength })
	})
}

// note notes something of a file. That it was asked for may be heard after that it is there, since each kind of event is heard by itself.
func (v *visitor) note(id network.RequestID, set func(*file)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.files == nil {
		v.files = map[network.RequestID]*file{}
	}
	if v.files[id] == nil {
		v.files[id] = new(file)
	}
	set(v.files[id])
}

// hear calls a function for each event of a kind.
func hear[E any](v *visitor, kind cdp.Event[E], f func(E)) {
	events := chromedp.Events(v.ctx, kind)
	go func() {
		for e, err := range events {
			if err != nil {
				return
			}
			f(e)
		}
	}()
}

func (v *visitor) fault(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !slices.ContainsFunc(v.excused, func(part string) bool { return strings.Contains(text, part) }) {
		v.faults = append(v.faults, text)
	}
}

// excuse says that a fault belongs to the test.
func (v *visitor) excuse(parts ...string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.excused = append(v.excused, parts...)
}

// A step is something a browser is told to do.
type step func(ctx context.Context) error

func callOf[P, R any](command cdp.Command[P, R], params P) step {
	return func(ctx context.Context) error {
		_, err := chromedp.Call(ctx, command, params)
		return err
	}
}

// call takes steps, and says what they were for if one fails.
func (v *visitor) call(what string, steps ...step) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.ctx, patience)
	defer cancel()
	for _, do := range steps {
		if err := do(ctx); err != nil {
			v.t.Fatalf("%s: %s: %v", v.name, what, err)
		}
	}
}

// open goes to a page and waits until it is there.
func (v *visitor) open(path string) {
	v.t.Helper()
	v.call("open "+path, func(ctx context.Context) error { return chromedp.Do(ctx, chromedp.Navigate("http://"+v.address+path)) })
}

// reload loads the page anew.
func (v *visitor) reload() {
	v.t.Helper()
	v.call("reload", func(ctx context.Context) error { return chromedp.Do(ctx, chromedp.Reload()) })
}

// focus says whether the window seems to be the one in front, as each of them is to its visitor.
func (v *visitor) focus(front bool) {
	v.t.Helper()
	v.call("focus", callOf(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: front}))
}

// size sets the size of the window.
func (v *visitor) size(width, height int64) {
	v.t.Helper()
	v.call("size", callOf(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1}))
}

// scheme sets whether the visitor likes light or dark pages.
func (v *visitor) scheme(name string) {
	v.t.Helper()
	v.call("scheme", callOf(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}}))
}

// script says whether the page may run script from its next load on.
func (v *visitor) script(allowed bool) {
	v.t.Helper()
	v.call("script", callOf(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !allowed}))
}

// try calls a function in the page, with arguments as JSON, and returns what it returns or promises.
func try[T any](v *visitor, function string, args ...any) (T, error) {
	ctx, cancel := context.WithTimeout(v.ctx, patience)
	defer cancel()
	texts := make([]string, len(args))
	for i, arg := range args {
		text, err := json.Marshal(arg)
		if err != nil {
			var zero T
			return zero, err
		}
		texts[i] = string(text)
	}
	return chromedp.Run(ctx, chromedp.Evaluate[T]("("+function+")("+strings.Join(texts, ", ")+")", chromedp.EvalAwaitPromise))
}

// ask is [try] for what must not fail.
func ask[T any](v *visitor, function string, args ...any) T {
	v.t.Helper()
	answer, err := try[T](v, function, args...)
	if err != nil {
		v.t.Fatalf("%s: %s: %v", v.name, function, err)
	}
	return answer
}

// until waits until a function returns true in the page. Between two pages there may be none to ask.
func (v *visitor) until(what, function string, args ...any) {
	v.t.Helper()
	v.wait(what, func() (bool, string) {
		is, err := try[bool](v, function, args...)
		if err != nil {
			return false, err.Error()
		}
		return is, ""
	})
}

// wait waits until a condition holds, which says what is instead.
func (v *visitor) wait(what string, holds func() (ok bool, instead string)) {
	v.t.Helper()
	if err := await(v.ctx, holds); err != nil {
		v.t.Fatalf("%s waits in vain: %s: %v", v.name, what, err)
	}
}

// await asks again and again, and ever less often, until a condition holds.
func await(ctx context.Context, holds func() (ok bool, instead string)) error {
	late := time.After(patience)
	for pause := 5 * time.Millisecond; ; pause = min(pause*5/4, 60*time.Millisecond) {
		ok, instead := holds()
		if ok {
			return nil
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		case <-late:
			return errors.New("late: " + instead)
		}
	}
}

// path returns where the visitor is.
func (v *visitor) path() string {
	v.t.Helper()
	return ask[string](v, `() => location.pathname + location.search`)
}

// text returns the text of an element, or "" if there is none.
func (v *visitor) text(selector string) string {
	v.t.Helper()
	return ask[string](v, `s => (document.querySelector(s)?.innerText ?? '').replace(/\s+/g, ' ').trim()`, selector)
}

// there reports whether an element is there and can be seen.
func (v *visitor) there(selector string) bool {
	v.t.Helper()
	return ask[bool](v, isVisible, selector)
}

const isVisible = `s => [...document.querySelectorAll(s)].some(e => e.checkVisibility({visibilityProperty: true}) && e.getClientRects().length > 0)`

// sees waits until an element is there and can be seen.
func (v *visitor) sees(selector string) {
	v.t.Helper()
	v.until("to see "+selector, isVisible, selector)
}

// reads waits until an element has a text in it.
func (v *visitor) reads(selector, part string) {
	v.t.Helper()
	v.wait(fmt.Sprintf("to read %q in %s", part, selector), func() (bool, string) {
		text, err := try[string](v, `s => [...document.querySelectorAll(s)].map(e => e.textContent).join(' ').replace(/\s+/g, ' ')`, selector)
		if err != nil {
			return false, err.Error()
		}
		return strings.Contains(text, part), text
	})
}

// state freezes or thaws the page.
func (v *visitor) state(state page.SetWebLifecycleStateState) {
	v.t.Helper()
	v.call(state.String(), callOf(page.SetWebLifecycleState, page.SetWebLifecycleStateParams{State: state}))
}
