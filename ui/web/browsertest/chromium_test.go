// Package browsertest_test plays on the pages in a real Chromium, as people do: with the mouse, a finger, the keyboard, over
// a bad line, and without script. The server is the whole one, over a database in a file.
//
// The tests are skipped where there is no Chromium, unless DUEL_REQUIRE_CHROMIUM is set. With -artifacts the pictures of the
// pages are kept.
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

// chromium is the one browser that all tests share. Each visitor has a context of their own in it, so that nobody has the
// cookies of another.
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
		_ = flag.Set("test.parallel", "4") // which is not too many: most of the time a test waits
	}
	code := m.Run()
	if chromium.stop != nil {
		chromium.stop()
	}
	if err := closeTown(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// browser returns the context of the browser, which runs until the last test is done.
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

// findChromium returns the path of the browser: Chromium without windows if it is there, because it
// needs half the processor time, and the one that people use in nightly tests.
func findChromium() (string, error) {
	if !nightly {
		if path, err := exec.LookPath("chromium-headless-shell"); err == nil {
			return path, nil
		}
	}
	return exec.LookPath("chromium")
}

// startChromium starts a browser with a profile of its own that asks nobody for anything by itself.
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

// startChromiumIn starts a browser with a profile that may be there.
func startChromiumIn(path, profile string, more ...chromedp.ExecAllocatorOption) (context.Context, func(), error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.UserDataDir(profile),
		chromedp.NoSandbox, // it refuses to run as root otherwise
		chromedp.DisableGPU,
		// No process is started before it is needed.
		chromedp.Flag("disable-features", "Translate,SpareRendererForSitePerProcess"),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-domain-reliability", true),
		chromedp.Flag("no-pings", true),
		chromedp.Flag("force-prefers-reduced-motion", !nightly), // frames of motion take time
	)
	allocator, free := chromedp.NewExecAllocator(context.Background(), append(options, more...)...)
	ctx, quit := chromedp.NewContext(allocator)
	stop := func() {
		quit()
		free()
	}
	if err := chromedp.Do(ctx); err != nil {
		stop()
		return nil, func() {}, fmt.Errorf("%s does not start: %w", path, err)
	}
	return ctx, stop, nil
}
