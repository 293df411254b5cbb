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

// timeout is the time limit for a single step. It is long because the machine may be busy.
const timeout = 30 * time.Second

// A visitor is a browser page used by one person. The test fails if the page reports an error or
// sends a request to another host.
type visitor struct {
	t       *testing.T
	address string // host and port of the server, or of the proxy to it
	name    string
	ctx     context.Context
	close   func() // closes the browser; further calls do nothing

	mu      sync.Mutex
	errors  []string
	allowed []string                    // parts of errors that the test expects
	files   map[network.RequestID]*file // the requested files
}

// A file is a file that a browser requested.
type file struct {
	url  string
	size float64 // bytes received over the network; 0: not complete
}

// visit returns a visitor without cookies, for use until the end of the test. It reuses an idle one
// if possible.
func (srv *testServer) visit(t *testing.T, name string) *visitor {
	t.Helper()
	if srv.site != nil {
		return srv.site.visit(t, name)
	}
	v := srv.reuse()
	if v == nil {
		v = newVisitor(t, srv.address)
	}
	v.t, v.name = t, name
	v.size(1280, 800)
	t.Cleanup(func() {
		v.check()
		if !t.Failed() && v.ctx.Err() == nil && v.reset(srv.url("/robots.txt")) == nil {
			srv.mu.Lock()
			defer srv.mu.Unlock()
			srv.idle = append(srv.idle, v)
			return
		}
		v.close()
	})
	return v
}

// freshVisitor returns a new visitor for the address of a server or a proxy. It is not reused.
func freshVisitor(t *testing.T, address, name string) *visitor {
	t.Helper()
	v := newVisitor(t, address)
	v.name = name
	v.size(1280, 800)
	t.Cleanup(func() {
		v.check()
		v.close()
	})
	return v
}

// reuse returns an idle visitor, or nil if there is none.
func (srv *testServer) reuse() *visitor {
	srv.mu.Lock()
	defer srv.mu.Unlock()
	if len(srv.idle) == 0 {
		return nil
	}
	v := srv.idle[len(srv.idle)-1]
	srv.idle = srv.idle[:len(srv.idle)-1]
	return v
}

func newVisitor(t *testing.T, address string) *visitor {
	t.Helper()
	return newVisitorIn(t, browser(t), address, chromedp.WithNewBrowserContext())
}

// newVisitorIn returns a visitor with a new page in a browser.
func newVisitorIn(
	t *testing.T, browser context.Context, address string, options ...chromedp.ContextOption,
) *visitor {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser, options...)
	v := &visitor{t: t, address: address, ctx: ctx, close: sync.OnceFunc(cancel)}
	if err := chromedp.Do(ctx); err != nil {
		cancel()
		t.Fatal(err)
	}
	v.listen()
	v.focus(true)
	return v
}

// forSubtest returns the visitor for use in a subtest, whose errors fail the subtest.
func (v *visitor) forSubtest(t *testing.T) *visitor {
	owner := v.t
	v.t = t
	t.Cleanup(func() {
		v.check()
		v.t = owner
	})
	return v
}

// check fails the test for each collected error, and saves the page if the test failed.
func (v *visitor) check() {
	v.mu.Lock()
	found := v.errors
	v.errors = nil
	v.mu.Unlock()
	for _, text := range found {
		v.t.Errorf("%s: %s", v.name, text)
	}
	if v.t.Failed() && v.ctx.Err() == nil {
		v.savePage()
	}
}

// reset opens an empty page, and resets the settings, cookies and storage of the browser.
func (v *visitor) reset(url string) error {
	ctx, cancel := context.WithTimeout(v.ctx, timeout)
	defer cancel()
	for _, do := range []step{
		callStep(emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: false}),
		callStep(emulation.SetTouchEmulationEnabled,
			emulation.SetTouchEmulationEnabledParams{Enabled: false}),
		callStep(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{}),
		func(ctx context.Context) error { return chromedp.Do(ctx, chromedp.Navigate(url)) },
		callStep(network.ClearBrowserCookies, cdp.Empty{}),
		func(ctx context.Context) error {
			return chromedp.Do(ctx,
				chromedp.Evaluate[chromedp.Void](`localStorage.clear(); sessionStorage.clear()`))
		},
	} {
		if err := do(ctx); err != nil {
			return err
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.errors, v.allowed, v.files = nil, nil, nil
	return nil
}

// listen collects errors and requests while the page is open.
func (v *visitor) listen() {
	onEvent(v, runtime.ExceptionThrown, func(e runtime.EventExceptionThrown) {
		text := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
		v.addError("exception: " + text)
	})
	onEvent(v, runtime.ConsoleAPICalled, func(e runtime.EventConsoleAPICalled) {
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			var text []string
			for _, arg := range e.Args {
				text = append(text, string(arg.Value)+arg.Description)
			}
			v.addError("console: " + strings.Join(text, " "))
		}
	})
	onEvent(v, log.EntryAdded, func(e log.EventEntryAdded) {
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			v.addError(fmt.Sprintf("log: %s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL))
		}
	})
	onEvent(v, network.RequestWillBeSent, func(e network.EventRequestWillBeSent) {
		u, err := url.Parse(e.Request.URL)
		if err != nil || u.Host != v.address && u.Scheme != "data" && u.Scheme != "blob" {
			v.addError("a request to another host: " + e.Request.URL)
		}
		v.updateFile(e.RequestID, func(f *file) { f.url = e.Request.URL })
	})
	onEvent(v, network.LoadingFinished, func(e network.EventLoadingFinished) {
		v.updateFile(e.RequestID, func(f *file) { f.size = e.EncodedDataLength })
	})
}

// updateFile updates the file of a request. Events of different kinds may arrive in any order.
func (v *visitor) updateFile(id network.RequestID, set func(*file)) {
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

// onEvent calls f for each event of a kind.
func onEvent[E any](v *visitor, kind cdp.Event[E], f func(E)) {
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

// addError adds an error, unless the test expects it.
func (v *visitor) addError(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !slices.ContainsFunc(v.allowed, func(part string) bool { return strings.Contains(text, part) }) {
		v.errors = append(v.errors, text)
	}
}

// allow makes errors that contain one of parts not fail the test.
func (v *visitor) allow(parts ...string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.allowed = append(v.allowed, parts...)
}

// A step is a command to the browser.
type step func(ctx context.Context) error

// callStep returns a step that calls a command of the DevTools protocol.
func callStep[P, R any](command cdp.Command[P, R], params P) step {
	return func(ctx context.Context) error {
		_, err := chromedp.Call(ctx, command, params)
		return err
	}
}

// call runs steps. If one fails, it fails the test with a message that contains purpose.
func (v *visitor) call(purpose string, steps ...step) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.ctx, timeout)
	defer cancel()
	for _, do := range steps {
		if err := do(ctx); err != nil {
			v.t.Fatalf("%s: %s: %v", v.name, purpose, err)
		}
	}
}

// open opens a page and waits until it is loaded.
func (v *visitor) open(path string) {
	v.t.Helper()
	v.call("open "+path, func(ctx context.Context) error {
		return chromedp.Do(ctx, chromedp.Navigate("http://"+v.address+path))
	})
}

// reload reloads the page.
func (v *visitor) reload() {
	v.t.Helper()
	v.call("reload", func(ctx context.Context) error { return chromedp.Do(ctx, chromedp.Reload()) })
}

// focus sets whether the page behaves as if its window had the focus.
func (v *visitor) focus(front bool) {
	v.t.Helper()
	v.call("focus", callStep(emulation.SetFocusEmulationEnabled,
		emulation.SetFocusEmulationEnabledParams{Enabled: front}))
}

// size sets the size of the window.
func (v *visitor) size(width, height int64) {
	v.t.Helper()
	v.call("size", callStep(emulation.SetDeviceMetricsOverride,
		emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1}))
}

// scheme sets the preferred colour scheme, light or dark.
func (v *visitor) scheme(name string) {
	v.t.Helper()
	v.call("scheme", callStep(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}}))
}

// script sets whether pages may run script, from the next load on.
func (v *visitor) script(allowed bool) {
	v.t.Helper()
	v.call("script", callStep(emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: !allowed}))
}

// tryEval calls a JavaScript function in the page, with arguments as JSON, and returns its result.
// It awaits a promise.
func tryEval[T any](v *visitor, function string, args ...any) (T, error) {
	ctx, cancel := context.WithTimeout(v.ctx, timeout)
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
	expression := "(" + function + ")(" + strings.Join(texts, ", ") + ")"
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// eval is [tryEval], but fails the test on an error.
func eval[T any](v *visitor, function string, args ...any) T {
	v.t.Helper()
	answer, err := tryEval[T](v, function, args...)
	if err != nil {
		v.t.Fatalf("%s: %s: %v", v.name, function, err)
	}
	return answer
}

// until waits until a function returns true in the page. Errors, as between two pages, count as
// false.
func (v *visitor) until(what, function string, args ...any) {
	v.t.Helper()
	v.wait(what, func() (bool, string) {
		is, err := tryEval[bool](v, function, args...)
		if err != nil {
			return false, err.Error()
		}
		return is, ""
	})
}

// wait waits until a condition holds. If it does not, holds describes the state instead.
func (v *visitor) wait(what string, holds func() (ok bool, instead string)) {
	v.t.Helper()
	if err := poll(v.ctx, holds); err != nil {
		v.t.Fatalf("%s: waiting %s: %v", v.name, what, err)
	}
}

// poll calls holds, with growing pauses, until it reports true.
func poll(ctx context.Context, holds func() (ok bool, instead string)) error {
	late := time.After(timeout)
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
			return errors.New("timeout: " + instead)
		}
	}
}

// path returns the path and the query of the page.
func (v *visitor) path() string {
	v.t.Helper()
	return eval[string](v, `() => location.pathname + location.search`)
}

// text returns the text of an element, or "" if there is none.
func (v *visitor) text(selector string) string {
	v.t.Helper()
	return eval[string](v,
		`s => (document.querySelector(s)?.innerText ?? '').replace(/\s+/g, ' ').trim()`, selector)
}

// there reports whether an element is visible.
func (v *visitor) there(selector string) bool {
	v.t.Helper()
	return eval[bool](v, isVisible, selector)
}

const isVisible = `s => [...document.querySelectorAll(s)]
	.some(e => e.checkVisibility({visibilityProperty: true}) && e.getClientRects().length > 0)`

// sees waits until an element is visible.
func (v *visitor) sees(selector string) {
	v.t.Helper()
	v.until("to see "+selector, isVisible, selector)
}

// reads waits until an element contains a text.
func (v *visitor) reads(selector, part string) {
	v.t.Helper()
	v.wait(fmt.Sprintf("to read %q in %s", part, selector), func() (bool, string) {
		text, err := tryEval[string](v, `s => [...document.querySelectorAll(s)]
			.map(e => e.textContent).join(' ').replace(/\s+/g, ' ')`, selector)
		if err != nil {
			return false, err.Error()
		}
		return strings.Contains(text, part), text
	})
}

// setLifecycle freezes the page or makes it active again.
func (v *visitor) setLifecycle(state page.SetWebLifecycleStateState) {
	v.t.Helper()
	v.call(state.String(),
		callStep(page.SetWebLifecycleState, page.SetWebLifecycleStateParams{State: state}))
}
