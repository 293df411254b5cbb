package browsertest_test

import (
	"slices"
	"strings"
	"testing"
)

// TestFaults shows that what must not happen in a page is noticed.
func TestFaults(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	v := h.visit(t, "Ada")
	for _, test := range []struct{ name, script, fault string }{
		{"exception", `() => { setTimeout(() => { throw new Error('oops') }); return true }`, "oops"},
		{"console", `() => { console.error('oops'); return true }`, "console: \"oops\""},
		{"inline script", `() => { const s = document.createElement('script'); s.textContent = '1'; document.body.append(s); return true }`, "Content Security Policy"},
		{"inline style", `() => { document.body.innerHTML += '<p style="color:red">'; return true }`, "Content Security Policy"},
		{"other host", `() => { fetch('http://127.0.0.2:1/').catch(() => {}); return true }`, "Content Security Policy"},
		{"missing file", `() => { fetch('/static/missing.css'); return true }`, "404"},
	} {
		t.Run(test.name, func(t *testing.T) {
			v.lend(t).open("/")
			ask[bool](v, test.script)
			v.wait("for the fault", func() (bool, string) {
				v.mu.Lock()
				defer v.mu.Unlock()
				return slices.ContainsFunc(v.faults, func(f string) bool { return strings.Contains(f, test.fault) }), strings.Join(v.faults, "; ")
			})
			v.mu.Lock()
			defer v.mu.Unlock()
			v.faults = nil
		})
	}
}
