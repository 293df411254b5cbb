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

// keep saves the page as it is for whoever looks into a failure.
func (v *visitor) keep() {
	v.mu.Lock()
	defer v.mu.Unlock()
	dir := v.t.ArtifactDir()
	if !artifacts() { // then that directory is deleted with the test
		var err error
		if dir, err = os.MkdirTemp("", "browsertest-"); err != nil {
			v.t.Log(err)
			return
		}
	}
	file := filepath.Join(dir, fileName(v.name))
	ctx, cancel := context.WithTimeout(v.ctx, 5*time.Second)
	defer cancel()
	if html, err := chromedp.Run(ctx, chromedp.Evaluate[string](`location.href + '\n' + document.documentElement.outerHTML`)); err != nil {
		v.t.Logf("%s: the page cannot be kept: %v", v.name, err)
	} else if err := os.WriteFile(file+".html", []byte(html), 0o644); err != nil {
		v.t.Log(err)
	}
	if picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100)); err != nil {
		v.t.Logf("%s: no picture: %v", v.name, err)
	} else if err := os.WriteFile(file+".png", picture, 0o644); err != nil {
		v.t.Log(err)
	}
	v.t.Logf("the page of %s is kept as %s.html and .png", v.name, file)
}

// picture keeps a picture of the whole page, if pictures are kept.
func (v *visitor) picture(name string) {
	v.t.Helper()
	if !artifacts() {
		return
	}
	v.call("picture "+name, func(ctx context.Context) error {
		picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(v.t.ArtifactDir(), fileName(name)+".png"), picture, 0o644)
	})
}

// artifacts reports whether what tests leave is kept.
func artifacts() bool {
	f := flag.Lookup("test.artifacts")
	return f != nil && f.Value.String() == "true"
}

// fileName makes a name fit for a file.
func fileName(name string) string {
	return strings.NewReplacer(" ", "-", "/", "-", ":", "").Replace(name)
}
