package browsertest_test

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// axeChecksum is the checksum and the file name of axe-core, which checks the accessibility of
// pages.
//
//go:embed testdata/axe-core.sha256
var axeChecksum string

// axeCore returns the source of axe-core, which tools/needs.sh downloads to the cache directory. If
// it is missing, pages are not checked for accessibility.
var axeCore = sync.OnceValues(func() (string, error) {
	sum, name, _ := strings.Cut(strings.TrimSpace(axeChecksum), "  ")
	cache := cmp.Or(os.Getenv("XDG_CACHE_HOME"), filepath.Join(os.Getenv("HOME"), ".cache"))
	text, err := os.ReadFile(filepath.Join(cache, "duel", name))
	if err != nil {
		return "", err
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(text)); got != sum {
		return "", fmt.Errorf("%s: checksum %s, want %s", name, got, sum)
	}
	return string(text), nil
})

// TestAxe checks the checksum of axe-core, and that it finds violations.
func TestAxe(t *testing.T) {
	t.Parallel()
	if _, err := axeCore(); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the accessibility of the pages is not checked, because axe-core is missing; tools/needs.sh fetches it: %v", err)
	} else if err != nil {
		t.Fatal(err)
	}
	v := sharedServer(t).visit(t, "Ada")
	for html, violation := range map[string]string{
		`<button></button>`: "button-name",
		`<p>pale</p>`:       "color-contrast",
	} {
		v.openWith(html, "color: #eee")
		if all := strings.Join(v.violations(false), "\n"); !strings.Contains(all, violation) {
			t.Errorf("%s: got violations %q, want %s", html, all, violation)
		}
	}
}

// axe checks the accessibility of the page, or only its colours.
func (v *visitor) axe(when string, colours bool) {
	v.t.Helper()
	for _, violation := range v.violations(colours) {
		v.t.Errorf("%s: %s", when, violation)
	}
}

// violations returns the violations that axe-core finds in the page, or nil if axe-core is missing.
// It evaluates the source, because the content security policy forbids adding a script.
func (v *visitor) violations(colours bool) []string {
	v.t.Helper()
	source, err := axeCore()
	if err != nil {
		return nil
	}
	if !eval[bool](v, `() => !!window.axe`) {
		eval[bool](v, "() => { "+source+"; return true }")
	}
	return eval[[]string](v, runAxe, colours)
}

const runAxe = `async colours => {
	for (const motion of document.getAnimations()) motion.finish()
	const {violations, passes} = await axe.run(document, {
		runOnly: colours ? ['color-contrast', 'link-in-text-block'] :
			['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
		resultTypes: ['violations'], preload: false})
	if (passes.length < (colours ? 1 : 10)) return ['axe-core checked almost nothing']
	return violations.flatMap(v => v.nodes.map(n =>
		[v.id, v.help, n.html.slice(0, 160), n.failureSummary.replace(/\s+/g, ' ')].join(': ')))
}`
