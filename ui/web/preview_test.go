package web

import (
	"encoding/json"
	"fmt"
	"image/png"
	"net/url"
	"strings"
	"testing"
)

// TestLinkPreview checks the preview of a link: the result, an invitation or the site, with one
// picture, and never a token.
func TestLinkPreview(t *testing.T) {
	h := newTestServer(t)
	over := h.open(`{"rules":"dilemma","names":["Ada","Ben"]}`)
	over.play("1:7a 2:3b 1:1c 2:5a 1:2b")
	open := h.open(`{"rules":"dilemma","names":["Ada",""],"seats":["human","friend"]}`)
	for _, tt := range []struct{ path, title string }{
		{"/t/" + over.id + "/games/1", "Ada beat Ben at Digit Dilemma: 721 = 7 × 103"},
		{"/t/" + over.id, "Ada beat Ben at Digit Dilemma: 721 = 7 × 103"},
		{"/t/" + open.id, "Ada invites you to Digit Dilemma. First three-digit multiple of 7 wins."},
		{"/t/" + open.id + "/seat/" + h.Keys.Token(open.id, 1), "Ada invites you to Digit Dilemma. First three-digit multiple of 7 wins."},
		{"/", "Digit Duel"},
	} {
		b := h.browser(t).get(tt.path)
		tags := map[string]string{}
		for _, meta := range b.page.all("meta") {
			tags[meta.attrs["property"]+meta.attrs["name"]] = meta.attrs["content"]
			for _, id := range []string{over.id, open.id} {
				for _, secret := range []string{
					h.Keys.Token(id, 0), h.Keys.Token(id, 1),
					over.tokens[0], over.tokens[1], open.tokens[0],
				} {
					if strings.Contains(meta.attrs["content"], secret) {
						t.Errorf("%s: %v contains a token", tt.path, meta.attrs)
					}
				}
			}
		}
		if tags["og:title"] != tt.title || tags["og:description"] == "" ||
			tags["og:image"] != "http://duel.example"+staticPath("wide.png") ||
			tags["twitter:card"] != "summary_large_image" {
			t.Errorf("%s is shown as %q", tt.path, tags)
		}
		picture, err := png.DecodeConfig(strings.NewReader(b.get(staticPath("wide.png")).text))
		if size := []string{fmt.Sprint(picture.Width), fmt.Sprint(picture.Height)}; err != nil ||
			size[0] != tags["og:image:width"] || size[1] != tags["og:image:height"] {
			t.Errorf("%s: the picture is %v, %v: %q", tt.path, size, err, tags)
		}
	}
	robots := h.browser(t).get("/robots.txt").text
	if !strings.Contains(robots, "User-agent: WhatsApp\n") {
		t.Errorf("programs that preview links are not allowed: %q", robots)
	}
}

// TestIcons checks that every picture named in the manifest and on the pages exists in the stated
// size, and that the colours are those of the page.
func TestIcons(t *testing.T) {
	h := newTestServer(t)
	b := h.browser(t).get("/")
	touch := b.page.one("link[rel=apple-touch-icon]")
	paper := b.page.one("meta[name=theme-color]").attrs["content"]
	at := &url.URL{Path: b.page.one("link[rel=manifest]").attrs["href"]}
	b.get(at.Path)
	var manifest struct {
		Theme              string `json:"theme_color"`
		Background         string `json:"background_color"`
		Icons, Screenshots []struct {
			Src, Sizes, Type string
			Form             string `json:"form_factor"`
		}
	}
	if err := json.Unmarshal([]byte(b.text), &manifest); err != nil || touch == nil ||
		len(manifest.Icons) < 3 || len(manifest.Screenshots) != 2 ||
		manifest.Screenshots[0].Form != "narrow" || manifest.Screenshots[1].Form != "wide" {
		t.Fatalf("the manifest is %s: %v; the touch icon is %v", b.text, err, touch)
	}
	if manifest.Theme != paper || manifest.Background != paper {
		t.Errorf("the colours are %s and %s, want that of the page, %s",
			manifest.Theme, manifest.Background, paper)
	}
	sizes := map[string]string{touch.attrs["href"]: "180x180"}
	for _, p := range append(manifest.Icons, manifest.Screenshots...) {
		if p.Type == "image/png" {
			sizes[at.ResolveReference(&url.URL{Path: p.Src}).Path] = p.Sizes
		}
	}
	for path, want := range sizes {
		picture, err := png.DecodeConfig(strings.NewReader(b.get(path).text))
		if got := fmt.Sprintf("%dx%d", picture.Width, picture.Height); err != nil || got != want {
			t.Errorf("%s is %s, %v, want %s", path, got, err, want)
		}
	}
}
