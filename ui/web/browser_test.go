package web

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
)

// A browser loads pages and submits forms like a browser without script. It checks every page that
// it loads.
type browser struct {
	*testServer
	t       testing.TB
	jar     *cookiejar.Jar
	path    string // of the current page
	status  int
	header  http.Header
	text    string
	page    *element // nil if the response is not a page
	cookies []*http.Cookie
}

func (h *testServer) browser(t testing.TB) *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{testServer: h, t: t, jar: jar}
}

// load sends a request with the browser's cookies and loads the response. It follows redirects.
func (b *browser) load(method, path, form string, headers ...string) {
	b.t.Helper()
	r, err := http.NewRequest(method, "http://duel.example"+path, strings.NewReader(form))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	if form != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	for _, line := range headers {
		key, value, _ := strings.Cut(line, ": ")
		r.Header.Set(key, value)
	}
	for _, c := range b.jar.Cookies(r.URL) {
		r.AddCookie(c)
	}
	client := http.Client{
		Transport: b.client.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
	answer, err := client.Do(r)
	// As over TCP, the server may just have closed an idle connection.
	if method == "GET" && errors.Is(err, io.ErrClosedPipe) {
		answer, err = client.Do(r)
	}
	if err != nil {
		b.t.Fatalf("%s %s: %v", method, path, err)
	}
	text, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil {
		b.t.Fatalf("%s %s: %v", method, path, err)
	}
	b.path, b.status, b.header, b.text, b.page = path, answer.StatusCode, answer.Header,
		string(text), nil
	b.cookies = answer.Cookies()
	b.jar.SetCookies(r.URL, b.cookies)
	if b.settle != nil {
		b.settle()
	}
	if to := answer.Header.Get("Location"); answer.StatusCode == http.StatusSeeOther {
		cookies := b.cookies
		to, _, _ = strings.Cut(to, "#")
		b.load("GET", to, "")
		b.cookies = append(cookies, b.cookies...)
		return
	}
	b.check()
}

// check checks the rules that hold for all pages.
func (b *browser) check() {
	b.t.Helper()
	if !strings.HasPrefix(b.header.Get("Content-Type"), "text/html") {
		return
	}
	page, err := parsePage(b.text)
	if err != nil {
		b.t.Fatalf("%s: %v\n%s", b.path, err, b.text)
	}
	b.page = page
	for _, fault := range faults(page, true) {
		b.t.Errorf("%s: %s", b.path, fault)
	}
	if cache := b.header.Get("Cache-Control"); cache != "no-store" {
		b.t.Errorf("%s: Cache-Control is %q", b.path, cache)
	}
}

// postLost posts a form and loses the response.
func (b *browser) postLost(path string, form url.Values) {
	b.t.Helper()
	other := *b
	other.jar, _ = cookiejar.New(nil)
	at := &url.URL{Scheme: "http", Host: "duel.example", Path: path}
	other.jar.SetCookies(at, b.jar.Cookies(at))
	if other.post(path, form); other.status != http.StatusOK {
		b.t.Errorf("%s: %d %s", path, other.status, other.text)
	}
}

// at connects the browser to another server of the same tables.
func (b *browser) at(h *testServer) *browser {
	b.testServer = h
	return b
}

func (b *browser) get(path string, headers ...string) *browser {
	b.t.Helper()
	b.load("GET", path, "", headers...)
	return b
}

func (b *browser) post(path string, form url.Values, headers ...string) *browser {
	b.t.Helper()
	b.load("POST", path, form.Encode(), headers...)
	return b
}

// press submits the form of a button, with the values changed by choices such as "digit=7".
func (b *browser) press(selector string, choices ...string) *browser {
	b.t.Helper()
	button := b.page.one(selector)
	if button == nil {
		b.t.Fatalf("%s: no element %s\n%s", b.path, selector, b.text)
	}
	form := button.within("form")
	if id := button.attrs["form"]; id != "" { // the form may be outside
		form = b.page.one("form[id=" + id + "]")
	}
	values := valuesOf(form)
	if name := button.attrs["name"]; name != "" {
		values.Set(name, button.attrs["value"])
	}
	for _, choice := range choices {
		key, value, _ := strings.Cut(choice, "=")
		if !offers(form, key, value) {
			b.t.Fatalf("%s: the form does not offer %s\n%s", b.path, choice, b.text)
		}
		values.Set(key, value)
	}
	action := cmp.Or(button.attrs["formaction"], form.attrs["action"])
	if action, _, _ := strings.Cut(action, "#"); form.attrs["method"] == "get" {
		return b.get(action + "?" + values.Encode())
	}
	b.load(strings.ToUpper(form.attrs["method"]), action, values.Encode())
	return b
}

// valuesOf returns the values that a form sends if nothing is changed.
func valuesOf(form *element) url.Values {
	values := url.Values{}
	form.each(func(e *element) {
		_, checked := e.attrs["checked"]
		chosen := e.attrs["type"] != "radio" && e.attrs["type"] != "checkbox" || checked
		if e.name == "input" && chosen {
			values.Set(e.attrs["name"], e.attrs["value"])
		}
		if e.name != "select" {
			return
		}
		for i, o := range e.all("option") {
			value, given := o.attrs["value"]
			if !given {
				value = o.inner()
			}
			if _, selected := o.attrs["selected"]; selected || i == 0 {
				values.Set(e.attrs["name"], value)
			}
		}
	})
	return values
}

// offers reports whether a value can be chosen in a form.
func offers(form *element, key, value string) bool {
	for _, e := range append(form.all("input[name="+key+"]"), form.all("select[name="+key+"]")...) {
		kind := e.attrs["type"]
		switch {
		case e.name == "select":
			for _, o := range e.all("option") {
				if o.attrs["value"] == value || o.attrs["value"] == "" && o.inner() == value {
					return true
				}
			}
		case kind == "radio" || kind == "checkbox":
			if e.attrs["value"] == value {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// textOf returns the text of the first element that matches a selector.
func (b *browser) textOf(selector string) string {
	if b.page == nil {
		return ""
	}
	return b.page.one(selector).inner()
}

// id returns the ID of the table on the current page.
func (b *browser) id() string {
	b.t.Helper()
	parts := strings.Split(strings.TrimPrefix(b.path, "/"), "/")
	if len(parts) < 2 || parts[0] != "t" {
		b.t.Fatalf("the browser is not at a table but at %s: %s", b.path, b.text)
	}
	id, _, _ := strings.Cut(parts[1], "?")
	return id
}
