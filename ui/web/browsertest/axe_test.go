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

// axeNamed is the checksum and the name of axe-core, which checks pages for what keeps people with disabilities out.
//
//go:embed testdata/axe-core.sha256
var axeNamed string

// axeCore returns axe-core, which tools/needs.sh puts where caches are. Where it could not, pages are looked at without it.
var axeCore = sync.OnceValues(func() (string, error) {
	sum, name, _ := strings.Cut(strings.TrimSpace(axeNamed), "  ")
	text, err := os.ReadFile(filepath.Join(cmp.Or(os.Getenv("XDG_CACHE_HOME"), filepath.Join(os.Getenv("HOME"), ".cache")), "duel", name))
	if err != nil {
		return "", err
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(text)); got != sum {
		return "", fmt.Errorf("%s has the checksum %s, not %s", name, got, sum)
	}
	return string(text), nil
})

// TestAxe shows that axe-core is the one that is named, and that it notices what is wrong with a page.
func TestAxe(t *testing.T) {
	t.Parallel()
	if _, err := axeCore(); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the accessibility of the pages is not checked, because axe-core is missing; tools/needs.sh fetches it: %v", err)
	} else if err != nil {
		t.Fatal(err)
	}
	v := atTown(t).visit(t, "Ada")
	for plant, complaint := range map[string]string{
		`<button></button>`: "button-name",
		`<p>pale</p>`:       "color-contrast",
	} {
		v.plant(plant, "color: #eee")
		if all := strings.Join(v.complaints(false), "\n"); !strings.Contains(all, complaint) {
			t.Errorf("%s: complaints: %q", plant, all)
		}
	}
}

// axe checks the page for what keeps people with disabilities out, or of that only the colours.
func (v *visitor) axe(when string, colours bool) {
	v.t.Helper()
	for _, fault := range v.complaints(colours) {
		v.t.Errorf("%s: %s", when, fault)
	}
}

// complaints returns what axe-core has to say of the page, which is nothing where it is missing. It is not loaded as a page loads
// its scripts, which its policy forbids.
func (v *visitor) complaints(colours bool) []string {
	v.t.Helper()
	source, err := axeCore()
	if err != nil {
		return nil
	}
	if !ask[bool](v, `() => !!window.axe`) {
		ask[bool](v, "() => { "+source+"; return true }")
	}
	return ask[[]string](v, runAxe, colours)
}

const runAxe = `async colours => {
	for (const motion of document.getAnimations()) motion.finish()
	const {violations, passes} = await axe.run(document, {
		runOnly: colours ? ['color-contrast', 'link-in-text-block'] : ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'],
		preload: false})
	if (passes.length < (colours ? 1 : 10)) return ['axe-core looked at next to nothing']
	return violations.flatMap(v => v.nodes.map(n => v.id + ': ' + v.help + ': ' + n.html.slice(0, 160) + ': ' + n.failureSummary.replace(/\s+/g, ' ')))
}`
