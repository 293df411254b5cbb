package browsertest_test

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

var update = flag.Bool("update", false, "rewrite the pictures of the README")

// TestPictures compares the pictures of the README and of the manifest with the pages: they have
// the right size, are small files, and show about the same. Fonts differ between machines, so some
// pixels may differ.
func TestPictures(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	playing, p := srv.newTable(t, params{"rules": "dilemma"})
	reviewed, r := srv.newTable(t, params{"rules": "dilemma"})
	growing, g := srv.newTable(t, params{"rules": "divisibility target=33"})
	for _, game := range []struct {
		id     string
		tokens [2]string
		line   string
	}{{playing, p, "7a 5a"}, {reviewed, r, "7a 3b 1c 5a 4b 2c"}, {growing, g, "4R 2R 7L 8R"}} {
		for i, move := range strings.Fields(game.line) {
			srv.post(t, "/api/tables/"+game.id+"/moves", game.tokens[i%2], params{"move": move}, &struct{}{})
		}
	}
	v := freshVisitor(t, srv.address, "Ada")
	v.size(390, 844)
	v.call("no motion", callStep(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{
			{Name: "prefers-reduced-motion", Value: "reduce"}, {Name: "prefers-color-scheme", Value: "light"}}}))
	v.open("/t/" + playing + "/seat/" + p[0])
	v.until("to be connected", live)
	v.click(`[data-digit="2"]`)
	v.comparePicture(t, "../../../docs/phone-game.png", 390, 844)
	v.open("/t/" + reviewed + "/seat/" + r[0])
	v.open("/t/" + reviewed + "/games/1")
	v.sees("#moments")
	v.comparePicture(t, "../../../docs/phone-review.png", 390, 844)
	v.open("/t/" + growing + "/seat/" + g[0])
	v.until("to be connected", live)
	v.click(`[data-digit="5"]`)
	v.comparePicture(t, "../static/narrow.png", 390, 844)
	v.size(1280, 800)
	v.open("/t/" + playing)
	v.until("to be connected", live)
	v.click(`[data-digit="2"]`)
	v.comparePicture(t, "../static/wide.png", 1280, 800)
}

// comparePicture compares a screenshot with a picture file, which -update rewrites.
func (v *visitor) comparePicture(t *testing.T, file string, width, height int) {
	t.Helper()
	var now []byte
	v.call("picture", func(ctx context.Context) (err error) {
		now, err = chromedp.Run(ctx, chromedp.CaptureScreenshot())
		return err
	})
	got := decode(t, now)
	if *update {
		if err := os.WriteFile(file, encodeSmall(t, got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := decode(t, kept)
	size := image.Rect(0, 0, width, height)
	if len(kept) > 60_000 || want.Bounds() != size || got.Bounds() != want.Bounds() {
		t.Fatalf("%s: %d bytes, size %v; the page has %v", file, len(kept), want.Bounds(), got.Bounds())
	}
	if share := differingShare(got, want); share > .25 {
		t.Errorf("%s: %.0f %% of the pixels differ from the page; "+
			"run go test ./ui/web/browsertest -run TestPictures -update", file, 100*share)
	}
}

// encodeSmall encodes a picture as PNG with its 64 most common colours.
func encodeSmall(t *testing.T, full image.Image) []byte {
	t.Helper()
	count := map[color.RGBA]int{}
	for y := range full.Bounds().Dy() {
		for x := range full.Bounds().Dx() {
			count[color.RGBAModel.Convert(full.At(x, y)).(color.RGBA)]++
		}
	}
	common := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	small := image.NewPaletted(full.Bounds(), nil)
	for _, c := range common[:min(64, len(common))] {
		small.Palette = append(small.Palette, c)
	}
	draw.Draw(small, small.Rect, full, image.Point{}, draw.Src)
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, small); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func decode(t *testing.T, file []byte) image.Image {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// differingShare returns the share of pixels that differ clearly between two pictures of one size.
func differingShare(a, b image.Image) float64 {
	other, all := 0, a.Bounds().Dx()*a.Bounds().Dy()
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r, g, l, _ := a.At(x, y).RGBA()
			s, h, m, _ := b.At(x, y).RGBA()
			if max(r, s)-min(r, s) > 0x2000 || max(g, h)-min(g, h) > 0x2000 || max(l, m)-min(l, m) > 0x2000 {
				other++
			}
		}
	}
	return float64(other) / float64(all)
}
