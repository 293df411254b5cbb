// Package browsertest_test tests the pages in Chromium: with mouse, touch and keyboard, over a bad
// connection, and without script. It runs a complete server with a database in a file.
//
// The tests are skipped without Chromium, unless DUEL_REQUIRE_CHROMIUM is set. With -artifacts they
// save screenshots of the pages.
package browsertest_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// chromium is the browser that all tests share. Each visitor has a separate browser context, so
// visitors don't share cookies.
var chromium struct {
	start sync.Once
	ctx   context.Context
	stop  func()
	err   error
}

// nightly reports whether tests run at full size. make nightly sets the variable.
var nightly = os.Getenv("DUEL_NIGHTLY") != ""

func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		_ = flag.Set("test.parallel", "4") // tests spend most of their time waiting
	}
	code := m.Run()
	if chromium.stop != nil {
		chromium.stop()
	}
	if err := closeShared(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// browser returns the context of the shared browser, which runs until all tests are done.
func browser(t *testing.T) context.Context {
	t.Helper()
	path, err := findChromium()
	if err != nil {
		if os.Getenv("DUEL_REQUIRE_CHROMIUM") != "" {
			t.Fatal("chromium is not on the path, and DUEL_REQUIRE_CHROMIUM is set")
		}
		t.Skip("chromium is not on the path; install it to test the pages in a browser")
	}
	chromium.start.Do(func() { chromium.ctx, chromium.stop, chromium.err = startChromium(path) })
	if chromium.err != nil {
		t.Fatal(chromium.err)
	}
	return chromium.ctx
}

// findChromium returns the path of the browser. It prefers the headless shell, which needs half the
// CPU time; nightly tests use the full browser.
func findChromium() (string, error) {
	if !nightly {
		if path, err := exec.LookPath("chromium-headless-shell"); err == nil {
			return path, nil
		}
	}
	return exec.LookPath("chromium")
}

// startChromium starts a browser with a temporary profile.
func startChromium(path string) (context.Context, func(), error) {
	profile, err := os.MkdirTemp("", "browsertest-profile-")
	if err != nil {
		return nil, nil, err
	}
	ctx, stop, err := startChromiumIn(path, profile)
	return ctx, func() {
		stop()
		os.RemoveAll(profile)
	}, err
}

// startChromiumIn starts a browser with a profile directory, which may exist. The browser makes no
// requests of its own.
func startChromiumIn(
	path, profile string, more ...chromedp.ExecAllocatorOption,
) (context.Context, func(), error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.UserDataDir(profile),
		chromedp.NoSandbox, // the sandbox refuses to run as root
		chromedp.DisableGPU,
		// Start no process before it is needed.
		chromedp.Flag("disable-features", "Translate,SpareRendererForSitePerProcess"),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-domain-reliability", true),
		chromedp.Flag("no-pings", true),
		chromedp.Flag("force-prefers-reduced-motion", !nightly), // animations take time
	)
	if !nightly { // a site compiles its program only once, which is enough for a short visit
		options = append(options, chromedp.Flag("js-flags", "--no-wasm-tier-up"))
	}
	allocator, free := chromedp.NewExecAllocator(context.Background(), append(options, more...)...)
	ctx, quit := chromedp.NewContext(allocator)
	stop := func() {
		quit()
		free()
	}
	if err := chromedp.Do(ctx); err != nil {
		stop()
		return nil, func() {}, fmt.Errorf("start %s: %w", path, err)
	}
	return ctx, stop, nil
}
