package browsertest_test

import (
	"slices"
	"strings"
	"testing"
)

// TestFaults checks that a visitor notices errors in a page.
func TestFaults(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	v := srv.visit(t, "Ada")
	for _, test := range []struct{ name, script, want string }{
		{"exception", `() => { setTimeout(() => { throw new Error('oops') }); return true }`, "oops"},
		{"console", `() => { console.error('oops'); return true }`, "console: \"oops\""},
		{"inline script", `() => { const s = document.createElement('script'); s.textContent = '1'; document.body.append(s); return true }`, "Content Security Policy"},
		{"inline style", `() => { document.body.innerHTML += '<p style="color:red">'; return true }`, "Content Security Policy"},
		{"other host", `() => { fetch('http://127.0.0.2:1/').catch(() => {}); return true }`, "Content Security Policy"},
		{"missing file", `() => { fetch('/static/missing.css'); return true }`, "404"},
	} {
		t.Run(test.name, func(t *testing.T) {
			v.forSubtest(t).open("/")
			eval[bool](v, test.script)
			v.wait("for the error", func() (bool, string) {
				v.mu.Lock()
				defer v.mu.Unlock()
				found := slices.ContainsFunc(v.errors, func(e string) bool {
					return strings.Contains(e, test.want)
				})
				return found, strings.Join(v.errors, "; ")
			})
			v.mu.Lock()
			defer v.mu.Unlock()
			v.errors = nil
		})
	}
}
