package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestStatic checks the contents and headers of static files. They are cached for good under the
// current version, and not under any other.
func TestStatic(t *testing.T) {
	h := newTestServer(t)
	for name := range statics().files {
		for _, small := range []bool{false, true} {
			headers := []string{"Accept-Encoding: identity"}
			if small {
				headers = []string{"Accept-Encoding: br, gzip;q=0.8"}
			}
			b := h.browser(t).get(staticPath(name), headers...)
			text := b.text
			if small {
				text = unzip(t, text)
			}
			want, err := staticFiles.ReadFile("static/" + name)
			if err != nil {
				t.Fatal(err)
			}
			if path.Ext(name) == ".css" {
				want = compact(want)
			}
			if text != string(want) || b.header.Get("Vary") != "Accept-Encoding" ||
				b.header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
				t.Errorf("%s: %d bytes with %v", name, len(text), b.header)
			}
			kind := b.header.Get("Content-Type")
			if kind == "" || strings.HasPrefix(kind, "text/plain") {
				t.Errorf("%s: the content type is %q", name, kind)
			}
		}
		older := h.browser(t).get("/static/older/" + name)
		if cache := older.header.Get("Cache-Control"); cache != "no-cache" {
			t.Errorf("%s of another version: Cache-Control is %q", name, cache)
		}
	}
}

func unzip(t testing.TB, text string) string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

// TestTakesGzip checks how the header Accept-Encoding is parsed.
func TestTakesGzip(t *testing.T) {
	for header, want := range map[string]bool{
		"": false, "gzip": true, "br": false, "deflate, gzip;q=1.0, *;q=0.5": true,
		"gzip;q=0": false, "gzip; q=0.0": false, "gzip;q=x": false, "x-gzip": false,
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Encoding", header)
		if got := takesGzip(r); got != want {
			t.Errorf("%q: %v, want %v", header, got, want)
		}
	}
}

// TestSmallAnswers checks that short answers are not compressed.
func TestSmallAnswers(t *testing.T) {
	for _, size := range []int{worthGzip - 1, worthGzip} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Encoding", "gzip")
		w := httptest.NewRecorder()
		writeWhole(w, r, http.StatusOK, bytes.Repeat([]byte("7"), size))
		got, want := w.Header().Get("Content-Encoding") == "gzip", size >= worthGzip
		if got != want {
			t.Errorf("%d bytes are compressed: %v, want %v", size, got, want)
		}
	}
}

// TestCompact checks that comments and needless spaces are removed from a style sheet.
func TestCompact(t *testing.T) {
	const sheet = "/* a\nnote */\n.a, .b > .c { color: red; margin: 0 calc(1rem - 2px) }\n" +
		"@media (min-width: 1rem) and (max-height: 2rem) {\n" +
		"  .a :is(b, i)::after { content: \" × \" }\n}\n"
	const want = ".a,.b>.c{color:red;margin:0 calc(1rem - 2px)}" +
		"@media (min-width:1rem) and (max-height:2rem){.a :is(b,i)::after{content:\" × \"}}"
	if got := strings.TrimSpace(string(compact([]byte(sheet)))); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestStyleWeight bounds the size of the style sheet of a table.
func TestStyleWeight(t *testing.T) {
	const most, mostSmall = 30_000, 9_800
	sheet := statics().files["duel.css"]
	if len(sheet.plain) > most || len(sheet.small()) > mostSmall {
		t.Errorf("the style sheet has %d bytes, %d compressed; want at most %d and %d",
			len(sheet.plain), len(sheet.small()), most, mostSmall)
	}
}

var importForm = regexp.MustCompile(`(?m)^import .*'\./([a-z]+\.js)'`)

// TestPageWeight bounds the size of a page with all that a browser loads for it: style, scripts,
// icon and manifest.
func TestPageWeight(t *testing.T) {
	const most = 40_000
	h := newTestServer(t)
	ada, _ := h.pair(t, "sevens", "hints=always")
	for _, path := range []string{"/t/" + ada.id() + "?hint=1", "/", "/puzzle"} {
		ada.get(path)
		seen := map[string]bool{}
		var load func(address string) int
		load = func(address string) int {
			if seen[address] {
				return 0
			}
			seen[address] = true
			r := httptest.NewRequest("GET", address, nil)
			r.Header.Set("Accept-Encoding", "gzip")
			for _, c := range ada.jar.Cookies(r.URL) {
				r.AddCookie(c)
			}
			w := httptest.NewRecorder()
			h.Server.ServeHTTP(w, r)
			if w.Code == http.StatusOK && w.Header().Get("Content-Type") == "image/png" {
				return w.Body.Len() // it is compressed already
			}
			if w.Code != http.StatusOK || w.Header().Get("Content-Encoding") != "gzip" {
				t.Fatalf("%s: %d %v", address, w.Code, w.Header())
			}
			weight := w.Body.Len()
			text := unzip(t, w.Body.String())
			for _, found := range importForm.FindAllStringSubmatch(text, -1) {
				weight += load("http://duel.example" + staticPath(found[1]))
			}
			return weight
		}
		weight := load("http://duel.example" + path)
		for _, e := range append(ada.page.all("link"), ada.page.all("script")...) {
			weight += load("http://duel.example" + e.attrs["href"] + e.attrs["src"])
		}
		if len(seen) < 5 || weight > most {
			t.Errorf("%s: %d files of %d bytes, want at most %d bytes",
				path, len(seen), weight, most)
		}
		t.Logf("%s: %d files, %d bytes", path, len(seen), weight)
	}
}

// TestModules checks that modules import only existing ones, and that none refers to another host.
func TestModules(t *testing.T) {
	for name, file := range statics().files {
		if path.Ext(name) != ".js" {
			continue
		}
		imports := regexp.MustCompile(`(?m)^import .*$`).FindAllString(string(file.plain), -1)
		for _, found := range imports {
			wanted := regexp.MustCompile(`'\./([^']+)'$`).FindStringSubmatch(found)
			if wanted == nil || statics().files[wanted[1]].plain == nil {
				t.Errorf("%s: %s imports a missing module", name, found)
			}
		}
		for _, bad := range []string{"http:", "https:", "eval(", "document.write"} {
			if bytes.Contains(file.plain, []byte(bad)) {
				t.Errorf("%s has %s", name, bad)
			}
		}
	}
}
