package browsertest_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
)

// savePage saves the HTML and a screenshot of the page, to help investigate a failure.
func (v *visitor) savePage() {
	v.mu.Lock()
	defer v.mu.Unlock()
	dir := v.t.ArtifactDir()
	if !artifacts() { // that directory is deleted with the test
		var err error
		if dir, err = os.MkdirTemp("", "browsertest-"); err != nil {
			v.t.Log(err)
			return
		}
	}
	file := filepath.Join(dir, fileName(v.name))
	ctx, cancel := context.WithTimeout(v.ctx, 5*time.Second)
	defer cancel()
	const source = `location.href + '\n' + document.documentElement.outerHTML`
	if html, err := chromedp.Run(ctx, chromedp.Evaluate[string](source)); err != nil {
		v.t.Logf("%s: save the page: %v", v.name, err)
	} else if err := os.WriteFile(file+".html", []byte(html), 0o644); err != nil {
		v.t.Log(err)
	}
	if picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100)); err != nil {
		v.t.Logf("%s: save the screenshot: %v", v.name, err)
	} else if err := os.WriteFile(file+".png", picture, 0o644); err != nil {
		v.t.Log(err)
	}
	v.t.Logf("the page of %s is saved as %s.html and .png", v.name, file)
}

// screenshot saves a picture of the whole page, if -artifacts is set.
func (v *visitor) screenshot(name string) {
	v.t.Helper()
	if !artifacts() {
		return
	}
	v.call("screenshot "+name, func(ctx context.Context) error {
		picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(v.t.ArtifactDir(), fileName(name)+".png"), picture, 0o644)
	})
}

// artifacts reports whether the artifacts of tests are kept.
func artifacts() bool {
	f := flag.Lookup("test.artifacts")
	return f != nil && f.Value.String() == "true"
}

// fileName returns name without characters that don't belong in a file name.
func fileName(name string) string {
	return strings.NewReplacer(" ", "-", "/", "-", ":", "").Replace(name)
}
