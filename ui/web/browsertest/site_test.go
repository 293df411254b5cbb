package browsertest_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"

	"digitduel/ui/offline"
)

// A site is the folder of duel site at a host that knows nothing else.
type site struct {
	*httptest.Server
	path   string
	policy string                            // of sw.js; empty: none
	icon   bool                              // a page has no icon, and the browser looks for one
	files  atomic.Pointer[map[string][]byte] // by name
	gone   atomic.Bool                       // the host does not answer any more
}

// siteFiles returns the files of the site.
func siteFiles(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := offline.Files(offline.Built())
	if err != nil {
		t.Skip(err)
	}
	return files
}

// hostSite serves files below a path. It knows the content types of no file but pages and scripts.
func hostSite(t *testing.T, at string, files map[string][]byte) *site {
	t.Helper()
	s := &site{path: at}
	s.files.Store(&files)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/outside" || s.icon && r.URL.Path == "/favicon.ico" { // not of the site
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<link rel="icon" href="data:,">`)
			return
		}
		if s.gone.Load() {
			if !strings.HasSuffix(r.URL.Path, "/sw.js") { // the browser looks for a new version
				t.Errorf("the host is gone, and was asked for %s", r.URL)
			}
			panic(http.ErrAbortHandler)
		}
		name, below := strings.CutPrefix(r.URL.Path, s.path+"/")
		if name == "" {
			name = "index.html"
		}
		text, there := (*s.files.Load())[name]
		if !below || !there {
			t.Errorf("the host was asked for %s", r.URL)
			http.NotFound(w, r)
			return
		}
		kinds := map[string]string{".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
		w.Header().Set("Content-Type", kinds[path.Ext(name)])
		if name == "sw.js" && s.policy != "" {
			w.Header().Set("Content-Security-Policy", s.policy)
		}
		w.Write(text)
	}))
	t.Cleanup(s.Close)
	return s
}

// visit opens the site until its home page is there, and then takes the host away.
func (s *site) visit(t *testing.T, name string) *visitor {
	t.Helper()
	s.gone.Store(false)
	v := visitAnew(t, s.address(), name)
	v.open(s.path + "/")
	v.sees("#start")
	s.gone.Store(true)
	return v
}

func (s *site) address() string { return strings.TrimPrefix(s.URL, "http://") }

// share starts a game for two on one device, and returns its address.
func (v *visitor) share(book string) string {
	v.t.Helper()
	v.openSheet()
	v.click(`#sheet label:has([value=phone])`)
	v.submit(`#sheet .main`)
	v.click(fmt.Sprintf(`button[value=%s]`, book))
	v.until("to be connected", live)
	return v.path()
}

// put plays the first digit that is left on the first place that is free, as move n.
func (v *visitor) put(n int) {
	v.t.Helper()
	v.click(`.tile:not(.gone)`)
	v.click(`.target`)
	v.has(n)
}

// has waits until n moves are shown.
func (v *visitor) has(n int) {
	v.t.Helper()
	v.until(fmt.Sprint("move ", n), `n => document.querySelectorAll('.full').length === n`, n)
}

// atBoth runs a test at the server that tests share and, if asked to, at the offline site. There,
// Ada plays for both players of a table, unless the other one is the computer.
func atBoth(t *testing.T, offline bool, test func(*testing.T, *testServer)) {
	t.Helper()
	t.Parallel()
	t.Run("server", func(t *testing.T) { test(t, atTown(t)) })
	if offline {
		t.Run("site", func(t *testing.T) {
			s := hostSite(t, "", siteFiles(t))
			test(t, &testServer{address: s.address(), site: s})
		})
	}
}

// TestSite plays a whole game after the host is gone, loads every page again and again, and finds
// every move.
func TestSite(t *testing.T) {
	t.Parallel()
	s := hostSite(t, "/some/folder", siteFiles(t))
	v := s.visit(t, "Ada")
	v.size(390, 844)
	v.openSheet()
	if got := ask[string](v, `() => [...document.querySelectorAll('#sheet [name=opponent]')].map(i => i.value).join(' ')`); got != "computer phone" {
		t.Errorf("opponents without a server: %q", got)
	}
	v.submit(`#sheet .main`)
	v.click(`button[value=highest]`)
	for turn := range 3 {
		v.sees(`.tile input:not(:disabled)`)
		v.click(`.tile:not(.gone)`)
		v.click(`.mine .target`)
		v.until("the move", `n => document.querySelectorAll('.mine .full').length === n`, turn+1)
		v.reload()
		v.until("the move after a reload", `n => document.querySelectorAll('.mine .full').length === n`, turn+1)
	}
	v.sees(`.over`)
	v.picture("over")
	v.click(`[data-act=review]`)
	v.sees(`.review`)
	v.picture("review")
	for _, path := range []string{"/", "/yours", "/puzzle", "/puzzle/all", "/learn", "/learn/dilemma", "/rules", "/rules/sevens", "/help", "/new?book=sevens"} {
		v.open(s.path + path)
		v.sees(`main h1, main h2`)
		if got := ask[string](v, `() => [...document.querySelectorAll('a')].filter(a => /\/(lobby|here|games|stats|api)\b/.test(a.pathname) && !a.pathname.includes('/t/')).map(a => a.href).join(' ')`); got != "" {
			t.Errorf("%s: links that need a server: %s", path, got)
		}
		for _, size := range [][2]int64{{1280, 800}, {390, 844}} {
			v.size(size[0], size[1])
			v.picture(fmt.Sprint(path, " ", size[0]))
		}
		for _, a := range ask[[]string](v, `() => [...document.querySelectorAll('[href], [src], [action], [data-live], [data-table], [data-again]')].flatMap(e =>
			['href', 'src', 'action', 'data-live', 'data-table', 'data-again'].map(n => e.getAttribute(n)).filter(a => a?.startsWith('/')))`) {
			if !strings.HasPrefix(a, s.path+"/") {
				t.Errorf("%s: the address %s leaves the folder", path, a)
			}
		}
	}
	v.excuse("404")
	if got := ask[string](v, `() => fetch('lobby').then(async r => r.status + ' ' + await r.text())`); !strings.HasPrefix(got, "404") || !strings.Contains(got, "needs a server") {
		t.Errorf("the lobby without a server: %.200s", got)
	}
	for _, path := range []string{"/api/tables", "/metrics", "/games", "/here"} {
		if got := ask[int](v, `p => fetch(p).then(r => r.status)`, s.path+path); got != http.StatusNotFound {
			t.Errorf("%s without a server: %d", path, got)
		}
	}
}

// TestSiteStopped stops the worker, whose memory is only a cache, in the middle of a game for two
// on one device. Another tab shows the same moves.
func TestSiteStopped(t *testing.T) {
	t.Parallel()
	s := hostSite(t, "/some/folder", siteFiles(t))
	v := s.visit(t, "Ada")
	at := v.share("dilemma")
	other := v.tab(t)
	other.open(at)
	other.until("to be connected", live)
	for n := 1; n <= 3; n++ {
		v.put(n)
		other.has(n)
		v.stopWorkers()
		v.open(at)
		v.has(n)
		v.until("to be connected", live)
	}
	other.until("to be connected again", live)
	other.put(4)
	v.has(4)
}

// stopWorkers stops all service workers.
func (v *visitor) stopWorkers() {
	v.t.Helper()
	v.call("stop the worker", callOf(serviceworker.Enable, cdp.Empty{}), callOf(serviceworker.StopAllWorkers, cdp.Empty{}))
}

// TestSiteKilled kills the browser as soon as a move is shown. Another one finds it.
func TestSiteKilled(t *testing.T) {
	if !nightly {
		t.Skip("killing the browser is part of make nightly")
	}
	t.Parallel()
	browser(t)                                // there is one
	program, err := exec.LookPath("chromium") // the one that people use, so that its disk is too
	if err != nil {
		t.Skip(err)
	}
	s := hostSite(t, "/some/folder", siteFiles(t))
	profile, err := os.MkdirTemp("", "browsertest-killed-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(profile) }) // what is left of a browser may still write
	at := ""
	for n := range 3 {
		var process *exec.Cmd
		ctx, stop, err := startChromiumIn(program, profile,
			chromedp.ModifyCmdFunc(func(cmd *exec.Cmd) { process = cmd }))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(stop)
		v := newVisitorIn(t, ctx, s.address())
		v.name = fmt.Sprint("browser ", n+1)
		v.size(390, 844)
		if n == 0 {
			v.open(s.path + "/")
			v.sees("#start")
			s.gone.Store(true)
			at = v.share("dilemma")
		} else {
			v.open(at)
			v.has(n)
		}
		v.put(n + 1)
		if err := process.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-chromedp.FromContext(ctx).Browser.LostConnection
	}
}

// newer returns another version of the files.
func newer(t *testing.T) map[string][]byte {
	t.Helper()
	built := fstest.MapFS{}
	err := fs.WalkDir(offline.Built(), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			text, failed := fs.ReadFile(offline.Built(), name)
			built[name], err = &fstest.MapFile{Data: text}, failed
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	built["icon.svg"] = &fstest.MapFile{Data: []byte("<svg/>")}
	files, err := offline.Files(built)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// versions counts the versions that a browser has.
const versions = `n => caches.keys().then(names => names.length === n)`

// TestSiteVersions publishes a new version during a game. It waits until all pages are closed, or
// until the visitor takes it, which is refused while another page is open.
func TestSiteVersions(t *testing.T) {
	t.Parallel()
	s := hostSite(t, "/some/folder", siteFiles(t))
	v := s.visit(t, "Ada")
	at := v.share("dilemma")
	v.put(1)
	publish := func(files map[string][]byte) {
		s.files.Store(&files)
		s.gone.Store(false)
		v.until("the new version", `() => navigator.serviceWorker.getRegistration().then(async r => !!r.waiting || !await r.update())`)
		v.until("the new version to wait", `() => navigator.serviceWorker.getRegistration().then(r => !!r.waiting)`)
		s.gone.Store(true)
	}
	publish(newer(t))
	v.put(2)
	v.reload()
	v.has(2)
	v.until("both versions", versions, 2)
	if v.there(".fresh") {
		t.Error("a table offers the new version")
	}
	other := v.tab(t)
	other.open(at)
	other.has(2)
	v.open(s.path + "/")
	v.reads(".fresh", "A new version is ready.")
	v.picture("new version 1280")
	v.click(".fresh button")
	v.reads(".fresh", "Close the other pages first.")
	v.size(390, 844)
	v.picture("new version 390")
	v.until("both versions", versions, 2)
	other.leave()
	v.until("to be the only page", `() => { const use = document.querySelector('.fresh button'); use?.click(); return !use }`)
	v.until("one version", versions, 1)
	v.open(at)
	v.has(2)
	v.put(3)
	publish(siteFiles(t)) // the older one again
	v.open("/outside")
	v.until("the version to take over", versions, 1)
	v.open(at)
	v.has(3)
}

// TestSitePolicy serves sw.js with policies: the site says why it cannot start.
func TestSitePolicy(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ policy, sees, text string }{
		{"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'", "#start", "Play"},
		{"default-src 'none'; script-src 'self'; connect-src 'self'", "#state", "The game could not be downloaded: WebAssembly"},
	} {
		s := hostSite(t, "/some/folder", siteFiles(t))
		s.policy = test.policy
		v := visitAnew(t, s.address(), "Ada")
		v.excuse("Content Security Policy", "wasm", "Uncaught (in promise)")
		v.open(s.path + "/")
		v.reads("main", test.text)
		if !v.there(test.sees) {
			t.Errorf("with the policy %s, the page shows %s", test.policy, v.text("main"))
		}
	}
}

// TestSiteForeign posts forms from another site: they are refused, and nothing changes. So it is in
// Firefox, which does not show a worker the origin of a form.
func TestSiteForeign(t *testing.T) {
	t.Parallel()
	t.Run("with origin", func(t *testing.T) { foreign(t, "") })
	t.Run("without origin", func(t *testing.T) {
		foreign(t, `
			const Shown = Headers
			self.Headers = function (all) {
				const shown = new Shown(all)
				shown.delete('Origin')
				return shown
			}
		`)
	})
}

// foreign posts a form from another site, with a script before the one of the worker.
func foreign(t *testing.T, script string) {
	t.Helper()
	files := maps.Clone(siteFiles(t))
	files["sw.js"] = append([]byte(script), files["sw.js"]...)
	s := hostSite(t, "/some/folder", files)
	s.icon = true
	v := s.visit(t, "Ada")
	at := v.share("dilemma")
	v.put(1)
	v.excuse("a request to another host", "403", "favicon")
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<form method="post" action="%s%s/acts"><button name="act" value="resign">x</button></form>`, s.URL, at)
	}))
	t.Cleanup(other.Close)
	v.call("open the other site", func(ctx context.Context) error {
		return chromedp.Do(ctx, chromedp.Navigate(strings.Replace(other.URL, "127.0.0.1", "localhost", 1)))
	})
	v.click("button")
	v.reads("body", "another site")
	v.open(at)
	v.has(1)
	v.sees(".target")
	if v.there(".over") {
		t.Error("another site ended the game")
	}
}

// TestSiteFull refuses a move that the browser cannot save. The game stays as it is.
func TestSiteFull(t *testing.T) {
	t.Parallel()
	files := maps.Clone(siteFiles(t))
	files["sw.js"] = append([]byte(`
		const add = IDBObjectStore.prototype.add
		addEventListener('message', e => { if (e.data in {full: 1, room: 1}) self.full = e.data === 'full' })
		IDBObjectStore.prototype.add = function (...args) {
			if (self.full) throw new DOMException('no room', 'QuotaExceededError')
			return add.apply(this, args)
		}
	`), files["sw.js"]...)
	s := hostSite(t, "/some/folder", files)
	v := s.visit(t, "Ada")
	at := v.share("dilemma")
	v.put(1)
	v.excuse("507")
	ask[bool](v, `() => { navigator.serviceWorker.controller.postMessage('full'); return true }`)
	v.click(`.tile:not(.gone)`)
	v.click(`.target`)
	v.reads("body", "no room left")
	v.picture("no room")
	ask[bool](v, `() => { navigator.serviceWorker.controller.postMessage('room'); return true }`)
	v.open(at)
	v.has(1)
	v.put(2)
}

// blocked measures for how long the solver blocks the worker at a time, in milliseconds.
const blocked = `
	const Channel = MessageChannel, blocked = []
	self.MessageChannel = function () {
		const { port1, port2 } = new Channel()
		const timed = handle => e => {
			const from = performance.now()
			handle(e)
			blocked.push(performance.now() - from)
		}
		return { port1: { set onmessage(handle) { port1.onmessage = timed(handle) } }, port2 }
	}
	addEventListener('message', e => {
		if (e.data === 'blocked') e.source.postMessage({ blocked: blocked.splice(0) })
	})
`

// TestSiteSolve lets the worker solve a game, which takes a tenth of a second or longer: it often
// has time for others meanwhile.
func TestSiteSolve(t *testing.T) {
	t.Parallel()
	files := maps.Clone(siteFiles(t))
	files["sw.js"] = append([]byte(blocked), files["sw.js"]...)
	s := hostSite(t, "", files)
	v := s.visit(t, "Ada")
	measured := `() => new Promise(done => {
		const { serviceWorker } = navigator
		serviceWorker.onmessage = e => done(e.data.blocked)
		serviceWorker.controller.postMessage('blocked')
	})`
	ask[[]float64](v, measured) // of today's puzzle
	v.open(v.order(order{"rules": "ducks", "seats": [2]string{"human", "perfect"}, "first": 2}))
	v.has(1)
	turns := ask[[]float64](v, measured)
	if len(turns) < 10 {
		t.Fatalf("the solver blocks the worker for %.1f ms", turns)
	}
	slices.Sort(turns)
	t.Logf("the solver blocks the worker for %.1f ms, half of the time for less than %.1f ms",
		turns[len(turns)-1], turns[len(turns)/2])
}

// TestSiteMany starts the worker with 1,000 games, hardly later than with one.
func TestSiteMany(t *testing.T) {
	if !nightly {
		t.Skip("it measures time; make nightly runs it")
	}
	s := hostSite(t, "/some/folder", siteFiles(t))
	v := s.visit(t, "Ada")
	v.share("dilemma")
	v.put(1)
	v.put(2)
	start := func() float64 {
		best := 1e9
		for range 7 {
			v.stopWorkers()
			best = min(best, ask[float64](v, `p => { const from = performance.now(); return fetch(p).then(r => r.text()).then(() => performance.now() - from) }`, s.path+"/"))
		}
		return best
	}
	few := start()
	if n := ask[int](v, `async () => {
		const [{ name }] = await indexedDB.databases()
		const db = await new Promise(done => { const r = indexedDB.open(name); r.onsuccess = () => done(r.result) })
		const all = store => new Promise(done => { const r = db.transaction(store).objectStore(store).getAll(); r.onsuccess = () => done(r.result) })
		const [events, [row]] = [await all('events'), await all('tables')]
		const tx = db.transaction(['events', 'tables'], 'readwrite')
		for (let i = 0; i < 1000; i++) {
			events.forEach((e, n) => tx.objectStore('events').put(e, ['copy' + i, n + 1]))
			tx.objectStore('tables').put(row.replace(/"ID":"[^"]*"/, '"ID":"copy' + i + '"'), 'copy' + i)
		}
		await new Promise(done => { tx.oncomplete = done })
		db.close()
		return 1000 * events.length
	}`); n < 3000 {
		t.Fatalf("%d events", n)
	}
	many := start()
	t.Logf("start: %.0f ms with one game, %.0f ms with 1,000", few, many)
	if many > few*1.25+100 {
		t.Errorf("the start takes %.0f ms with one game and %.0f ms with 1,000", few, many)
	}
}

// TestKeep keeps the game of a server for offline play: when the server is gone, its address plays
// offline; a server without the feature ends that.
func TestKeep(t *testing.T) {
	t.Parallel()
	h := openHouse(t, time.Minute)
	if err := h.stop(); err != nil {
		t.Fatal(err)
	}
	h.files = siteFiles(t)
	if err := h.start(); err != nil {
		t.Fatal(err)
	}
	v := visitAnew(t, h.address, "Ada")
	v.excuse("ERR_", "Failed to load", "Failed to fetch")
	v.open("/")
	v.sees("#keep button")
	for _, width := range []int64{320, 1280, 390} {
		v.size(width, 844)
		v.fits(width)
		v.picture(fmt.Sprint("keep ", width))
	}
	v.click("#keep button")
	v.until("the offline site", `() => location.pathname === '/offline/' && !!document.querySelector('#start')`)
	if err := h.stop(); err != nil {
		t.Fatal(err)
	}
	v.open("/")
	v.until("the offline site again", `() => location.pathname === '/offline/' && !!document.querySelector('#start')`)
	at := v.share("dilemma")
	if !strings.HasPrefix(at, "/offline/t/") {
		t.Errorf("the table is at %s", at)
	}
	v.put(1)
	if err := h.start(); err != nil {
		t.Fatal(err)
	}
	v.open("/")
	v.sees("#start")
	if at := v.path(); at != "/" || v.there("#keep") {
		t.Errorf("the server is back, and the visitor at %s is offered to keep the game: %t", at, v.there("#keep"))
	}
	if err := h.stop(); err != nil {
		t.Fatal(err)
	}
	h.files = nil
	if err := h.start(); err != nil {
		t.Fatal(err)
	}
	v.open("/")
	v.until("the worker to go", `() => navigator.serviceWorker.getRegistrations().then(all => all.every(r => r.scope.endsWith('/offline/')))`)
}
