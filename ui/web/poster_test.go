package web

import (
	"encoding/json"
	"fmt"
	"image/png"
	"net/url"
	"strings"
	"testing"
	"time"
)

// pictureAt loads a picture and holds it to be one of the size that is announced.
func (b *browser) pictureAt(path string) string {
	b.t.Helper()
	b.get(path)
	picture, err := png.DecodeConfig(strings.NewReader(b.text))
	if err != nil || b.status != 200 || b.header.Get("Content-Type") != "image/png" || picture.Width != posterWidth || picture.Height != posterHeight {
		b.t.Fatalf("%s: %d %v, %+v, %v", path, b.status, b.header, picture, err)
	}
	return b.text
}

// TestPosters draws what everybody sees of a table: each thing looks different, and the same each time.
func TestPosters(t *testing.T) {
	h := newTestServer(t)
	b := h.browser(t)
	seen := map[string]string{}
	for _, tt := range []struct{ order, moves, path string }{
		{`{"rules":"dilemma","names":["Ada","Ben"]}`, "1:7a 2:3b 1:1c 2:5a 1:2b", "/games/1"},
		{`{"rules":"dilemma","names":["Ada","Bob"]}`, "1:7a 2:3b 1:1c 2:5a 1:2b", "/games/1"},
		{`{"rules":"dilemma","names":["علی","李"]}`, "1:7a 2:3b 1:1c 2:5a 1:2b", "/games/1"},
		{`{"rules":"dilemma","names":["Ada","Ben"]}`, "1:7a 2:resign", "/games/1"},
		{`{"rules":"highest","names":["Ada","Ben"]}`, "1:7a", ""},
		{`{"rules":"highest","names":["Ada",""],"seats":["human","friend"]}`, "", ""},
	} {
		table := h.open(tt.order)
		table.play(tt.moves)
		path := "/t/" + table.id + tt.path + "/card.png"
		picture := b.pictureAt(path)
		if again := h.browser(t).pictureAt(path); again != picture {
			t.Errorf("%s %s looks different the next time", tt.order, tt.moves)
		}
		if other, twice := seen[picture]; twice {
			t.Errorf("%s %s looks as %s does", tt.order, tt.moves, other)
		}
		seen[picture] = tt.order + tt.moves
	}
	b.pictureAt("/card.png")
	for _, path := range []string{"/t/aaaaaaaaaaaa/card.png", "/t/aaaaaaaaaaaa/games/1/card.png"} {
		if b.get(path); b.status != 404 {
			t.Errorf("%s: %d", path, b.status)
		}
	}
	if n := len(h.posters.recent); n != len(seen)+1 || h.posters.most != mostPosters {
		t.Errorf("%d posters are kept of %d, at most %d", n, len(seen)+1, h.posters.most)
	}
}

// TestPosterNames draws of a name what there are letters for.
func TestPosterNames(t *testing.T) {
	for name, want := range map[string]string{"Ada": "Ada", "Émilie 🎲 Müller": "Émilie Müller", "Бен": "Бен", "علی": "Player 1", "🎲": "Player 1", "": "Player 1"} {
		if got := drawable(name, "Player 1"); got != want {
			t.Errorf("%q is drawn as %q, want %q", name, got, want)
		}
	}
}

// TestPostersCost charges an address for what is drawn for it, and not for what is kept.
func TestPostersCost(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	h := newTestServer(t, func(p *testConfig) {
		p.Limits.Work = 0.001
		p.Now = func() time.Time { now = now.Add(10 * time.Millisecond); return now } // whatever is drawn takes that long
	})
	var last reply
	for i := range 50 {
		table := h.open(`{"rules":"dilemma","names":["Ada","` + strings.Repeat("b", i%20+1) + strings.Repeat("c", i/20) + `"]}`)
		if last = h.ask("GET", "/t/"+table.id+"/card.png", "", ""); last.status != 200 {
			break
		}
	}
	if last.status != 429 {
		t.Errorf("an address has as much drawn as it likes: %d", last.status)
	}
}

// TestLinkPreview reads what programs show of a link: the result, an invitation, the house; never a token.
func TestLinkPreview(t *testing.T) {
	h := newTestServer(t)
	over := h.open(`{"rules":"dilemma","names":["Ada","Ben"]}`)
	over.play("1:7a 2:3b 1:1c 2:5a 1:2b")
	open := h.open(`{"rules":"dilemma","names":["Ada",""],"seats":["human","friend"]}`)
	for _, tt := range []struct{ path, title, image string }{
		{"/t/" + over.id + "/games/1", "Ada beat Ben at Digit Dilemma: 721 = 7 × 103", "/t/" + over.id + "/games/1/card.png"},
		{"/t/" + over.id, "Ada beat Ben at Digit Dilemma: 721 = 7 × 103", "/t/" + over.id + "/card.png"},
		{"/t/" + open.id, "Ada invites you to Digit Dilemma. First three-digit multiple of 7 wins.", "/t/" + open.id + "/card.png"},
		{"/t/" + open.id + "/seat/" + h.Keys.Token(open.id, 1), "Ada invites you to Digit Dilemma. First three-digit multiple of 7 wins.", "/t/" + open.id + "/card.png"},
		{"/", "Digit Duel", "/card.png"},
	} {
		b := h.browser(t).get(tt.path)
		told := map[string]string{}
		for _, meta := range b.page.all("meta") {
			told[meta.attrs["property"]+meta.attrs["name"]] = meta.attrs["content"]
			for _, id := range []string{over.id, open.id} {
				for _, secret := range []string{h.Keys.Token(id, 0), h.Keys.Token(id, 1), over.tokens[0], over.tokens[1], open.tokens[0]} {
					if strings.Contains(meta.attrs["content"], secret) {
						t.Errorf("%s: %v gives a seat away", tt.path, meta.attrs)
					}
				}
			}
		}
		if told["og:title"] != tt.title || told["og:image"] != "http://duel.example"+tt.image || told["og:description"] == "" || told["twitter:card"] != "summary_large_image" {
			t.Errorf("%s is shown as %q", tt.path, told)
		}
		b.pictureAt(tt.image)
	}
	if robots := h.browser(t).get("/robots.txt").text; !strings.Contains(robots, "User-agent: WhatsApp\n") {
		t.Errorf("programs that show links may not look: %q", robots)
	}
}

// TestIcons holds every picture that the manifest and the pages name to be there, in the size that is said, and the colours to be the page's.
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
	if err := json.Unmarshal([]byte(b.text), &manifest); err != nil || len(manifest.Icons) < 3 || len(manifest.Screenshots) != 2 || manifest.Screenshots[0].Form != "narrow" || manifest.Screenshots[1].Form != "wide" || touch == nil {
		t.Fatalf("%v in %s, with %v", err, b.text, touch)
	}
	if manifest.Theme != paper || manifest.Background != paper {
		t.Errorf("the colours are %s and %s, and the page's is %s", manifest.Theme, manifest.Background, paper)
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
