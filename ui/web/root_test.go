package web

import (
	"strings"
	"testing"
)

// addresses lists the attributes that hold a path on this server.
var addresses = []string{
	"href", "src", "action", "formaction", "data-live", "data-table", "data-again", "data-link",
	"data-rules",
}

// TestRoot visits all pages of a server with a base path, and plays a game: every link stays below
// it.
func TestRoot(t *testing.T) {
	const root = "/duel"
	h := newTestServer(t, func(c *testConfig) { c.BaseURL = "http://duel.example" + root + "/" })
	b := h.browser(t)
	queue, seen := []string{root + "/"}, map[string]bool{}
	check := func() {
		for _, c := range b.cookies {
			if !strings.HasPrefix(c.Path, root+"/") {
				t.Errorf("%s: cookie %s is for %s", b.path, c.Name, c.Path)
			}
		}
		if b.page == nil {
			return
		}
		b.page.each(func(e *element) {
			for _, name := range addresses {
				to, there := e.attrs[name]
				if !there || strings.HasPrefix(to, "#") || strings.HasPrefix(to, "http") {
					continue
				}
				if !strings.HasPrefix(to, root+"/") {
					t.Errorf("%s: %s of %s is %q", b.path, name, e.name, to)
					continue
				}
				to, _, _ = strings.Cut(to, "#")
				page, _, _ := strings.Cut(to, "?")
				if name == "href" && !seen[page] {
					seen[page] = true
					queue = append(queue, to)
				}
			}
		})
	}
	walk := func() {
		for ; len(queue) > 0; queue = queue[1:] {
			if b.get(queue[0]); b.status != 200 {
				t.Errorf("%s: %d", queue[0], b.status)
			}
			check()
		}
	}
	walk()
	b.get(root + "/").press("button[value=dilemma]")
	check()
	table := b.path
	if !strings.HasPrefix(table, root+"/t/") {
		t.Fatalf("the table is at %s", table)
	}
	b.press("button[data-act=resign]")
	check()
	walk()
	if !strings.Contains(b.get(table).text, table+"/games/1") {
		t.Error("the end of a game does not link to its review")
	}
	check()
	if b.get(root); b.path != root+"/" || b.status != 200 {
		t.Errorf("%s leads to %s: %d", root, b.path, b.status)
	}
	if b.get("/rules"); b.status != 200 { // behind a proxy that removes the base path
		t.Errorf("/rules: %d", b.status)
	}
}
