package web

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"digitduel/digit"
)

// TestPages gets every page that needs no table. The browser checks that each is well formed.
func TestPages(t *testing.T) {
	for _, test := range []struct{ path, selector, want string }{
		{"/", "title", "Digit Duel"},
		{"/", "li[data-book=divisibility]", "33 Divisibility: First multiple of 33 wins"},
		{"/", "section[id=daily]", "Only one move wins"},
		{"/settings", "dialog", "How do you want to play?"},
		{"/yours", "main", "No games yet"},
		{"/new", "h1", "Digit Dilemma: a new table"},
		{"/new?book=sevens", "h1", "Digit Duel: Sevens: a new table"},
		{"/new?rules=divisibility+target%3D11", "form[id=new]", "Multiples of"},
		{"/new?rules=dilemma+target%3D11", "details[id=options]", "Multiples of"},
		{"/lobby", "section", "Nobody is waiting"},
		{"/games", "main", "No game has been finished yet"},
		{"/games?book=reverse", "main", "of this kind"},
		{"/rules", "h1", "Rules"},
		{"/rules/dilemma", "main", "First three-digit multiple of 7 wins."},
		{"/rules/divisibility?rules=divisibility+target%3D11", "main", "multiple of 11"},
		{"/puzzle", "h1", "Today’s puzzle"},
		{"/puzzle?day=2026-01-31", "h1", "31 January 2026"},
		{"/help", "main", "Screen readers"},
	} {
		h := newTestServer(t)
		b := h.browser(t).get(test.path)
		got := b.textOf(test.selector)
		if b.status != http.StatusOK || !strings.Contains(got, test.want) {
			t.Errorf("%s: %d, %s is %q, want %q",
				test.path, b.status, test.selector, got, test.want)
		}
	}
}

// TestStrayPages requests pages that do not exist.
func TestStrayPages(t *testing.T) {
	h := newTestServer(t)
	for _, test := range []struct {
		method, path string
		status       int
		want         string
	}{
		{"GET", "/nothing", 404, "There is no page at this address."},
		{"GET", "/t/aaaaaaaaaaaa", 404, "No such table."},
		{"GET", "/rules/chess", 404, "There is no such book; there are " + strings.Join(append(digit.BookNames(), digit.FairNames()...), ", ") + "."},
		{"GET", "/rules/dilemma?rules=chess", 422, "Book \"chess\": no such book"},
		{"GET", "/new?book=chess", 422, "Book \"chess\": no such book"},
		{"GET", "/games?book=chess", 422, "Book \"chess\": allowed: dilemma"},
		{"GET", "/games?before=yesterday", 422, "Before \"yesterday\": allowed: a time"},
		{"GET", "/puzzle?day=tomorrow", 422, "not a date such as 2026-01-31"},
		{"GET", "/puzzle?day=2999-01-01", 404, "There is no puzzle for 2999-01-01"},
		{"GET", "/puzzle?day=1999-01-01", 404, "There is no puzzle for 1999-01-01"},
		{"GET", "/puzzle?day=2026-01-31&move=zz", 422, "Move \"zz\""},
		{"GET", "/static/x/nothing.css", 404, "There is no such file."},
		{"POST", "/lobby", 405, "Method POST: allowed here: GET."},
		{"GET", "/tables", 405, "Method GET: allowed here: POST."},
		{"DELETE", "/", 405, "Method DELETE: allowed here: GET."},
	} {
		b := h.browser(t)
		b.load(test.method, test.path, "")
		got := b.textOf("p[class=lead]")
		if b.status != test.status || !strings.Contains(got, test.want) {
			t.Errorf("%s %s: %d %q, want %d %q",
				test.method, test.path, b.status, got, test.status, test.want)
		}
	}
	got := h.browser(t).get("/nothing", "Accept: */*").text
	if got != "there is no page at this address\n" {
		t.Errorf("a program gets %q", got)
	}
	const want = `{"error":"There is no page at this address.","seq":0}` + "\n"
	if got := h.browser(t).get("/nothing", "X-Requested-With: duel").text; got != want {
		t.Errorf("a script gets %q, want %q", got, want)
	}
}

// TestRobots checks that robots.txt keeps crawlers away from tables.
func TestRobots(t *testing.T) {
	got := newTestServer(t).browser(t).get("/robots.txt").text
	if !slices.Contains(strings.Split(got, "\n"), "Disallow: /t/") {
		t.Errorf("robots.txt is %q", got)
	}
}
