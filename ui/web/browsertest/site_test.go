package browsertest_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"digitduel/ui/offline"
)

// A site is the folder of duel site at a host that knows nothing else.
type site struct {
	*httptest.Server
	path string
}

// hostSite writes the site to a folder and serves it below a path.
func hostSite(t *testing.T) *site {
	t.Helper()
	files, err := offline.Files(offline.Built())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "site")
	if err := offline.Write(dir, files); err != nil {
		t.Fatal(err)
	}
	const path = "/some/games"
	mux := http.NewServeMux()
	mux.Handle(path+"/", http.StripPrefix(path, http.FileServer(http.Dir(dir))))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("the host was asked for %s", r.URL)
		http.NotFound(w, r)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return &site{server, path}
}

// TestSite plays a whole game after the host is gone.
func TestSite(t *testing.T) {
	t.Parallel()
	host := hostSite(t)
	v := visitAnew(t, strings.TrimPrefix(host.URL, "http://"), "Ada")
	v.open(host.path + "/")
	v.until("the home page", `() => document.title.includes('Digit Duel') && !!document.querySelector('nav')`)
	t.Log(ask[string](v, `() => document.body.innerText`))
	host.Close()
	v.reload()
	v.until("the home page again", `() => !!document.querySelector('nav')`)
	t.Log(ask[string](v, `() => location.href + document.documentElement.outerHTML`))
}
