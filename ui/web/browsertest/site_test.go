package browsertest_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/serviceworker"

	"digitduel/ui/offline"
)

// A site is the folder of duel site at a host that knows nothing else.
type site struct {
	*httptest.Server
	path string
	gone atomic.Bool // the host does not answer any more
}

// hostSite writes the site to a folder and serves it below a path.
func hostSite(t *testing.T) *site {
	t.Helper()
	files, err := offline.Files(offline.Built())
	if err != nil {
		t.Skip(err)
	}
	dir := filepath.Join(t.TempDir(), "site")
	if err := offline.Write(dir, files); err != nil {
		t.Fatal(err)
	}
	s := &site{path: "/some/games"}
	mux := http.NewServeMux()
	mux.Handle(s.path+"/", http.StripPrefix(s.path, http.FileServer(http.Dir(dir))))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("the host was asked for %s", r.URL)
		http.NotFound(w, r)
	})
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.gone.Load() {
			if strings.HasSuffix(r.URL.Path, "/sw.js") { // the browser looks for a new version
				panic(http.ErrAbortHandler)
			}
			t.Errorf("the host is gone, and was asked for %s", r.URL)
			panic(http.ErrAbortHandler)
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// visit opens the site until its home page is there, and then takes the host away.
func (s *site) visit(t *testing.T, name string) *visitor {
	t.Helper()
	v := visitAnew(t, strings.TrimPrefix(s.URL, "http://"), name)
	v.open(s.path + "/")
	v.sees("#start")
	s.gone.Store(true)
	return v
}

// TestSite plays a whole game after the host is gone, loads every page again and again, and finds
// every move.
func TestSite(t *testing.T) {
	t.Parallel()
	s := hostSite(t)
	v := s.visit(t, "Ada")
	v.size(390, 844)
	v.click(`#how`)
	if got := ask[string](v, `() => [...document.querySelectorAll('#sheet [name=opponent]')].map(i => i.value).join(' ')`); got != "computer phone" {
		t.Errorf("opponents without a server: %q", got)
	}
	v.click(`#sheet .main`)
	v.until("the sheet to close", `() => !document.querySelector('#sheet').open`)
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
	v.click(`[data-act=review]`)
	v.sees(`.review`)
	for _, path := range []string{"/", "/yours", "/puzzle", "/puzzle/all", "/learn", "/learn/dilemma", "/rules", "/rules/sevens", "/help", "/new?book=sevens"} {
		v.open(s.path + path)
		v.sees(`main h1, main h2`)
		for _, a := range ask[[]string](v, `() => [...document.querySelectorAll('[href], [src], [action], [data-live], [data-table], [data-again]')].flatMap(e =>
			['href', 'src', 'action', 'data-live', 'data-again'].map(n => e.getAttribute(n)).filter(a => a?.startsWith('/')))`) {
			if !strings.HasPrefix(a, s.path+"/") {
				t.Errorf("%s: the address %s leaves the folder", path, a)
			}
		}
	}
	v.excuse("404")
	if got := ask[string](v, `() => fetch('lobby').then(async r => r.status + ' ' + await r.text())`); !strings.HasPrefix(got, "404") || !strings.Contains(got, "needs a server") {
		t.Errorf("the lobby without a server: %.200s", got)
	}
	for _, path := range []string{"/api/tables", "/metrics", "/games", "/stats", "/here"} {
		if got := ask[int](v, `p => fetch(p).then(r => r.status)`, s.path+path); got != http.StatusNotFound {
			t.Errorf("%s without a server: %d", path, got)
		}
	}
}

// TestSiteStopped stops the worker, whose memory is only a cache, in the middle of a game for two
// on one device, and watches the game from another tab.
func TestSiteStopped(t *testing.T) {
	t.Parallel()
	s := hostSite(t)
	v := s.visit(t, "Ada")
	v.click(`#how`)
	v.click(`#sheet label:has([value=phone])`)
	v.click(`#sheet .main`)
	v.until("the sheet to close", `() => !document.querySelector('#sheet').open`)
	v.click(`button[value=dilemma]`)
	v.sees(`.shared`)
	at := ask[string](v, `() => location.pathname`)
	for n := 1; n <= 6; n++ {
		v.click(`.tile:not(.gone)`)
		v.click(`.target`)
		v.until("the move", `n => document.querySelectorAll('.full').length >= n`, n)
		if n%2 == 1 {
			v.call("stop the worker", callOf(serviceworker.Enable, cdp.Empty{}), callOf(serviceworker.StopAllWorkers, cdp.Empty{}))
			v.until("the worker again", `p => fetch(p).then(r => r.ok)`, s.path+"/help")
			v.open(at)
			v.until("the move after a stop", `n => document.querySelectorAll('.full').length >= n`, n)
		}
		if ask[bool](v, `() => !!document.querySelector('.over')`) {
			break
		}
	}
}
