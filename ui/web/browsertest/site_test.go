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

// A site serves the files that duel site writes, without a game server.
type site struct {
	*httptest.Server
	path   string
	policy string                            // of sw.js; empty: none
	icon   bool                              // serve an icon, for pages that have none
	files  atomic.Pointer[map[string][]byte] // by name
	down   atomic.Bool                       // the host does not answer
}

// siteFiles returns the files of the offline site. It skips the test if they were not built.
func siteFiles(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := offline.Files(offline.Built())
	if err != nil {
		t.Skip(err)
	}
	return files
}

// serveSite serves files below a path. Only HTML, CSS and scripts have a content type.
func serveSite(t *testing.T, at string, files map[string][]byte) *site {
	t.Helper()
	s := &site{path: at}
	s.files.Store(&files)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// These are not part of the site.
		if r.URL.Path == "/outside" || s.icon && r.URL.Path == "/favicon.ico" {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<link rel="icon" href="data:,">`)
			return
		}
		if s.down.Load() {
			if !strings.HasSuffix(r.URL.Path, "/sw.js") { // the browser checks for a new version
				t.Errorf("request while the host is down: %s", r.URL)
			}
			panic(http.ErrAbortHandler)
		}
		name, below := strings.CutPrefix(r.URL.Path, s.path+"/")
		if name == "" {
			name = "index.html"
		}
		text, there := (*s.files.Load())[name]
		if !below || !there {
			t.Errorf("request for a missing file: %s", r.URL)
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

// visit opens the home page of the site, and then takes the host down.
func (s *site) visit(t *testing.T, name string) *visitor {
	t.Helper()
	s.down.Store(false)
	v := freshVisitor(t, s.address(), name)
	v.open(s.path + "/")
	v.sees("#start")
	s.down.Store(true)
	return v
}

func (s *site) address() string { return strings.TrimPrefix(s.URL, "http://") }

// startOnPhone starts a game for two players on one device, and returns its path.
func (v *visitor) startOnPhone(book string) string {
	v.t.Helper()
	v.openSheet()
	v.click(`#sheet label:has([value=phone])`)
	v.submit(`#sheet .main`)
	v.click(fmt.Sprintf(`button[value=%s]`, book))
	v.until("to be connected", live)
	return v.path()
}

// playMove plays the first free digit on the first free place, as move n.
func (v *visitor) playMove(n int) {
	v.t.Helper()
	v.click(`.tile:not(.gone)`)
	v.click(`.target`)
	v.hasMoves(n)
}

// hasMoves waits until the page shows n moves.
func (v *visitor) hasMoves(n int) {
	v.t.Helper()
	v.until(fmt.Sprint("for move ", n), `n => document.querySelectorAll('.full').length === n`, n)
}

// atBoth runs a test with the shared server and, if offline is set, with the offline site. There,
// Ada plays for both players of a table, unless the opponent is the computer.
func atBoth(t *testing.T, offline bool, test func(*testing.T, *testServer)) {
	t.Helper()
	t.Parallel()
	t.Run("server", func(t *testing.T) { test(t, sharedServer(t)) })
	if offline {
		t.Run("site", func(t *testing.T) {
			s := serveSite(t, "", siteFiles(t))
			test(t, &testServer{address: s.address(), site: s})
		})
	}
}

// TestSite plays a whole game while the host is down, with reloads, and checks that no page needs a
// server or links outside the folder.
func TestSite(t *testing.T) {
	t.Parallel()
	s := serveSite(t, "/some/folder", siteFiles(t))
	v := s.visit(t, "Ada")
	v.size(390, 844)
	v.openSheet()
	got := eval[string](v,
		`() => [...document.querySelectorAll('#sheet [name=opponent]')].map(i => i.value).join(' ')`)
	if got != "computer phone" {
		t.Errorf("got opponents %q, want computer and phone", got)
	}
	v.submit(`#sheet .main`)
	v.click(`button[value=highest]`)
	for turn := range 3 {
		v.sees(`.tile input:not(:disabled)`)
		v.click(`.tile:not(.gone)`)
		v.click(`.mine .target`)
		v.until("for the move", `n => document.querySelectorAll('.mine .full').length === n`, turn+1)
		v.reload()
		v.until("for the move after a reload",
			`n => document.querySelectorAll('.mine .full').length === n`, turn+1)
	}
	v.sees(`.over`)
	v.screenshot("over")
	v.click(`[data-act=review]`)
	v.sees(`.review`)
	v.screenshot("review")
	for _, path := range []string{
		"/", "/yours", "/puzzle", "/puzzle/all", "/learn", "/learn/dilemma",
		"/rules", "/rules/sevens", "/help", "/new?book=sevens",
	} {
		v.open(s.path + path)
		v.sees(`main h1, main h2`)
		got := eval[string](v, `() => [...document.querySelectorAll('a')]
			.filter(a => /\/(lobby|here|games|stats|api)\b/.test(a.pathname) && !a.pathname.includes('/t/'))
			.map(a => a.href).join(' ')`)
		if got != "" {
			t.Errorf("%s: links that need a server: %s", path, got)
		}
		for _, size := range [][2]int64{{1280, 800}, {390, 844}} {
			v.size(size[0], size[1])
			v.screenshot(fmt.Sprint(path, " ", size[0]))
		}
		for _, a := range eval[[]string](v, `() => {
			const names = ['href', 'src', 'action', 'data-live', 'data-table', 'data-again']
			return [...document.querySelectorAll(names.map(n => '[' + n + ']').join())]
				.flatMap(e => names.map(n => e.getAttribute(n)).filter(a => a?.startsWith('/')))
		}`) {
			if !strings.HasPrefix(a, s.path+"/") {
				t.Errorf("%s: the address %s is outside the folder", path, a)
			}
		}
	}
	v.allow("404")
	got = eval[string](v, `() => fetch('lobby').then(async r => r.status + ' ' + await r.text())`)
	if !strings.HasPrefix(got, "404") || !strings.Contains(got, "needs a server") {
		t.Errorf("lobby: got %.200s, want 404 and that it needs a server", got)
	}
	for _, path := range []string{"/api/tables", "/metrics", "/games", "/here"} {
		got := eval[int](v, `p => fetch(p).then(r => r.status)`, s.path+path)
		if got != http.StatusNotFound {
			t.Errorf("%s: got status %d, want 404", path, got)
		}
	}
}

// TestSiteStopped stops the service worker during a game for two players on one device. No move is
// lost, and another tab shows the same moves.
func TestSiteStopped(t *testing.T) {
	t.Parallel()
	s := serveSite(t, "/some/folder", siteFiles(t))
	v := s.visit(t, "Ada")
	at := v.startOnPhone("dilemma")
	other := v.tab(t)
	other.open(at)
	other.until("to be connected", live)
	for n := 1; n <= 3; n++ {
		v.playMove(n)
		other.hasMoves(n)
		v.stopWorkers()
		v.open(at)
		v.hasMoves(n)
		v.until("to be connected", live)
	}
	other.until("to be connected again", live)
	other.playMove(4)
	v.hasMoves(4)
}

// stopWorkers stops all service workers.
func (v *visitor) stopWorkers() {
	v.t.Helper()
	v.call("stop the worker",
		callStep(serviceworker.Enable, cdp.Empty{}), callStep(serviceworker.StopAllWorkers, cdp.Empty{}))
}

// TestSiteKilled kills the browser as soon as it shows a move. Another browser with the same
// profile finds the move.
func TestSiteKilled(t *testing.T) {
	if !nightly {
		t.Skip("killing the browser is part of make nightly")
	}
	t.Parallel()
	browser(t)                                // skips the test if there is none
	program, err := exec.LookPath("chromium") // the full browser, which has the real storage
	if err != nil {
		t.Skip(err)
	}
	s := serveSite(t, "/some/folder", siteFiles(t))
	profile, err := os.MkdirTemp("", "browsertest-killed-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(profile) }) // remaining processes of a browser may still write
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
			s.down.Store(true)
			at = v.startOnPhone("dilemma")
		} else {
			v.open(at)
			v.hasMoves(n)
		}
		v.playMove(n + 1)
		if err := process.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-chromedp.FromContext(ctx).Browser.LostConnection
	}
}

// newerFiles returns another version of the site's files.
func newerFiles(t *testing.T) map[string][]byte {
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

// versions reports whether the browser has n versions of the site.
const versions = `n => caches.keys().then(names => names.length === n)`

// TestSiteVersions publishes a new version during a game. It takes over when all pages are closed,
// or when the visitor accepts it, which is refused while another page is open.
func TestSiteVersions(t *testing.T) {
	t.Parallel()
	s := serveSite(t, "/some/folder", siteFiles(t))
	v := s.visit(t, "Ada")
	at := v.startOnPhone("dilemma")
	v.playMove(1)
	publish := func(files map[string][]byte) {
		s.files.Store(&files)
		s.down.Store(false)
		v.until("for the new version", `() => navigator.serviceWorker.getRegistration()
			.then(async r => !!r.waiting || !await r.update())`)
		v.until("for the new version to be waiting",
			`() => navigator.serviceWorker.getRegistration().then(r => !!r.waiting)`)
		s.down.Store(true)
	}
	publish(newerFiles(t))
	v.playMove(2)
	v.reload()
	v.hasMoves(2)
	v.until("for both versions", versions, 2)
	if v.there(".fresh") {
		t.Error("the page of a table offers the new version")
	}
	other := v.tab(t)
	other.open(at)
	other.hasMoves(2)
	v.open(s.path + "/")
	v.reads(".fresh", "A new version is ready.")
	v.screenshot("new version 1280")
	v.click(".fresh button")
	v.reads(".fresh", "Close the other pages first.")
	v.size(390, 844)
	v.screenshot("new version 390")
	v.until("for both versions", versions, 2)
	other.close()
	v.until("to be the only page",
		`() => { const use = document.querySelector('.fresh button'); use?.click(); return !use }`)
	v.until("for one version", versions, 1)
	v.open(at)
	v.hasMoves(2)
	v.playMove(3)
	publish(siteFiles(t)) // the older version again
	v.open("/outside")
	v.until("for the version to take over", versions, 1)
	v.open(at)
	v.hasMoves(3)
}

// TestSitePolicy serves sw.js with content security policies: with one that forbids WebAssembly,
// the site explains why it cannot start.
func TestSitePolicy(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ policy, sees, text string }{
		{"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'", "#start", "Play"},
		{"default-src 'none'; script-src 'self'; connect-src 'self'", "#state", "The game could not be downloaded: WebAssembly"},
	} {
		s := serveSite(t, "/some/folder", siteFiles(t))
		s.policy = test.policy
		v := freshVisitor(t, s.address(), "Ada")
		v.allow("Content Security Policy", "wasm", "Uncaught (in promise)")
		v.open(s.path + "/")
		v.reads("main", test.text)
		if !v.there(test.sees) {
			t.Errorf("policy %s: the page shows %s", test.policy, v.text("main"))
		}
	}
}

// TestSiteForeign checks that forms posted from another site are refused, also in Firefox, which
// does not give a worker the origin of a form.
func TestSiteForeign(t *testing.T) {
	t.Parallel()
	t.Run("with origin", func(t *testing.T) { postForeignForm(t, "") })
	t.Run("without origin", func(t *testing.T) {
		if !nightly {
			t.Skip("the form as in Firefox is part of make nightly")
		}
		postForeignForm(t, `
			const Shown = Headers
			self.Headers = function (all) {
				const shown = new Shown(all)
				shown.delete('Origin')
				return shown
			}
		`)
	})
}

// postForeignForm posts a form from another site. script is prepended to that of the worker.
func postForeignForm(t *testing.T, script string) {
	t.Helper()
	files := maps.Clone(siteFiles(t))
	files["sw.js"] = append([]byte(script), files["sw.js"]...)
	s := serveSite(t, "/some/folder", files)
	s.icon = true
	v := s.visit(t, "Ada")
	at := v.startOnPhone("dilemma")
	v.playMove(1)
	v.allow("a request to another host", "403", "favicon")
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<form method="post" action="%s%s/acts">
			<button name="act" value="resign">x</button></form>`, s.URL, at)
	}))
	t.Cleanup(other.Close)
	v.call("open the other site", func(ctx context.Context) error {
		return chromedp.Do(ctx, chromedp.Navigate(strings.Replace(other.URL, "127.0.0.1", "localhost", 1)))
	})
	v.click("button")
	v.reads("body", "another site")
	v.open(at)
	v.hasMoves(1)
	v.sees(".target")
	if v.there(".over") {
		t.Error("another site ended the game")
	}
}

// TestSiteFull checks that a move is refused if the browser has no room to save it. The game
// continues when there is room again.
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
	s := serveSite(t, "/some/folder", files)
	v := s.visit(t, "Ada")
	at := v.startOnPhone("dilemma")
	v.playMove(1)
	v.allow("507")
	eval[bool](v, `() => { navigator.serviceWorker.controller.postMessage('full'); return true }`)
	v.click(`.tile:not(.gone)`)
	v.click(`.target`)
	v.reads("body", "no room left")
	v.screenshot("no room")
	eval[bool](v, `() => { navigator.serviceWorker.controller.postMessage('room'); return true }`)
	v.open(at)
	v.hasMoves(1)
	v.playMove(2)
}

// blocked is a script that measures for how long, in milliseconds, each step of the solver blocks
// the worker.
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

// TestSiteSolve lets the worker solve a game, which takes at least a tenth of a second: the solver
// pauses at least ten times, so that the worker can answer requests.
func TestSiteSolve(t *testing.T) {
	t.Parallel()
	files := maps.Clone(siteFiles(t))
	files["sw.js"] = append([]byte(blocked), files["sw.js"]...)
	s := serveSite(t, "", files)
	v := s.visit(t, "Ada")
	measured := `() => new Promise(done => {
		const { serviceWorker } = navigator
		serviceWorker.onmessage = e => done(e.data.blocked)
		serviceWorker.controller.postMessage('blocked')
	})`
	eval[[]float64](v, measured) // discard those of today's puzzle
	v.open(v.createTable(params{"rules": "ducks", "seats": [2]string{"human", "perfect"}, "first": 2}))
	v.hasMoves(1)
	turns := eval[[]float64](v, measured)
	if len(turns) < 10 {
		t.Fatalf("the solver blocks the worker for %.1f ms, want at least 10 steps", turns)
	}
	slices.Sort(turns)
	t.Logf("the solver blocks the worker for at most %.1f ms, median %.1f ms",
		turns[len(turns)-1], turns[len(turns)/2])
}

// TestSiteMany checks that the worker starts about as fast with 1,000 games as with one.
func TestSiteMany(t *testing.T) {
	if !nightly {
		t.Skip("it measures time; make nightly runs it")
	}
	s := serveSite(t, "/some/folder", siteFiles(t))
	v := s.visit(t, "Ada")
	v.startOnPhone("dilemma")
	v.playMove(1)
	v.playMove(2)
	start := func() float64 {
		best := 1e9
		for range 7 {
			v.stopWorkers()
			best = min(best, eval[float64](v, `p => {
				const from = performance.now()
				return fetch(p).then(r => r.text()).then(() => performance.now() - from)
			}`, s.path+"/"))
		}
		return best
	}
	few := start()
	if n := eval[int](v, `async () => {
		const [{ name }] = await indexedDB.databases()
		const db = await new Promise(done => {
			const r = indexedDB.open(name)
			r.onsuccess = () => done(r.result)
		})
		const all = store => new Promise(done => {
			const r = db.transaction(store).objectStore(store).getAll()
			r.onsuccess = () => done(r.result)
		})
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
		t.Fatalf("got %d events, want at least 3000", n)
	}
	many := start()
	t.Logf("start: %.0f ms with one game, %.0f ms with 1,000", few, many)
	if many > few*1.25+100 {
		t.Errorf("the start takes %.0f ms with one game and %.0f ms with 1,000", few, many)
	}
}

// TestKeep installs a server's game for offline play: while the server is down, its address plays
// offline. A server without the feature removes it.
func TestKeep(t *testing.T) {
	t.Parallel()
	srv := newTestServer(t, time.Minute)
	if err := srv.stop(); err != nil {
		t.Fatal(err)
	}
	srv.files = siteFiles(t)
	if err := srv.start(); err != nil {
		t.Fatal(err)
	}
	v := freshVisitor(t, srv.address, "Ada")
	v.allow("ERR_", "Failed to load", "Failed to fetch")
	v.open("/")
	v.sees("#keep button")
	for _, width := range []int64{320, 1280, 390} {
		v.size(width, 844)
		v.fits(width)
		v.screenshot(fmt.Sprint("keep ", width))
	}
	v.click("#keep button")
	v.until("for the offline site",
		`() => location.pathname === '/offline/' && !!document.querySelector('#start')`)
	if err := srv.stop(); err != nil {
		t.Fatal(err)
	}
	v.open("/")
	v.until("for the offline site again",
		`() => location.pathname === '/offline/' && !!document.querySelector('#start')`)
	at := v.startOnPhone("dilemma")
	if !strings.HasPrefix(at, "/offline/t/") {
		t.Errorf("the table is at %s, want a path below /offline/t/", at)
	}
	v.playMove(1)
	if err := srv.start(); err != nil {
		t.Fatal(err)
	}
	v.open("/")
	v.sees("#start")
	if at := v.path(); at != "/" || v.there("#keep") {
		t.Errorf("after the restart the visitor is at %s, and the page offers to keep the game: %t",
			at, v.there("#keep"))
	}
	if err := srv.stop(); err != nil {
		t.Fatal(err)
	}
	srv.files = nil
	if err := srv.start(); err != nil {
		t.Fatal(err)
	}
	v.open("/")
	v.until("for the worker to go", `() => navigator.serviceWorker.getRegistrations()
		.then(all => all.every(r => r.scope.endsWith('/offline/')))`)
}
