package web

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// The colours of the light page.
var (
	paper  = color.RGBA{0xf4, 0xf1, 0xea, 0xff}
	white  = color.RGBA{0xff, 0xfd, 0xf9, 0xff}
	ink    = color.RGBA{0x24, 0x21, 0x2c, 0xff}
	soft   = color.RGBA{0x57, 0x52, 0x66, 0xff}
	accent = color.RGBA{0x4a, 0x3a, 0xa8, 0xff}
	edge   = color.RGBA{0xd9, 0xd2, 0xc4, 0xff}
	winner = color.RGBA{0xdf, 0xf1, 0xd9, 0xff}
	seats  = [2]color.RGBA{{0x0a, 0x5a, 0xa8, 0xff}, {0xc2, 0x5f, 0x00, 0xff}}
)

// letters is the font of pictures: Latin, Greek and Cyrillic.
var letters = sync.OnceValue(func() *opentype.Font {
	f, err := opentype.Parse(gobold.TTF)
	if err != nil {
		panic(err) // it is part of the program
	}
	return f
})

// drawable returns the characters of a text that the font has, or another text if there are none.
func drawable(text, instead string) string {
	kept := strings.Map(func(c rune) rune {
		if i, err := letters().GlyphIndex(nil, c); err != nil || i == 0 {
			return -1
		}
		return c
	}, text)
	if kept = strings.Join(strings.Fields(kept), " "); kept == "" {
		return instead
	}
	return kept
}

// A canvas is a picture that is being drawn.
type canvas struct{ *image.RGBA } // drawing on this type is fast

func newCanvas(width, height int, fuzzServer color.Color) canvas {
	c := canvas{image.NewRGBA(image.Rect(0, 0, width, height))}
	draw.Draw(c.RGBA, c.Bounds(), image.NewUniform(fuzzServer), image.Point{}, draw.Src)
	return c
}

// png returns the picture as a file.
func (c canvas) png() []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, c.RGBA); err != nil {
		panic(err) // writing to a buffer cannot fail, and the picture has a size
	}
	return b.Bytes()
}

// box fills a rectangle with round corners.
func (c canvas) box(x, y, w, h, r float64, fill color.Color) {
	r = min(r, w/2, h/2)
	const k = 0.5523 // makes a cubic curve a quarter of a circle
	at := image.Pt(int(math.Floor(x)), int(math.Floor(y)))
	z := vector.NewRasterizer(int(math.Ceil(w))+2, int(math.Ceil(h))+2)
	fx, fy := x-float64(at.X), y-float64(at.Y)
	p := func(px, py float64) (float32, float32) { return float32(fx + px), float32(fy + py) }
	curve := func(x1, y1, x2, y2, x3, y3 float64) {
		a, b := p(x1, y1)
		d, e := p(x2, y2)
		f, g := p(x3, y3)
		z.CubeTo(a, b, d, e, f, g)
	}
	z.MoveTo(p(r, 0))
	z.LineTo(p(w-r, 0))
	curve(w-r+k*r, 0, w, r-k*r, w, r)
	z.LineTo(p(w, h-r))
	curve(w, h-r+k*r, w-r+k*r, h, w-r, h)
	z.LineTo(p(r, h))
	curve(r-k*r, h, 0, h-r+k*r, 0, h-r)
	z.LineTo(p(0, r))
	curve(0, r-k*r, r-k*r, 0, r, 0)
	z.ClosePath()
	z.Draw(c.RGBA, z.Bounds().Add(at), image.NewUniform(fill), image.Point{})
}

func (c canvas) disc(x, y, r float64, fill color.Color) { c.box(x-r, y-r, 2*r, 2*r, r, fill) }

// shape fills a polygon.
func (c canvas) shape(fill color.Color, points ...[2]float64) {
	low, high := points[0], points[0]
	for _, p := range points {
		low = [2]float64{min(low[0], math.Floor(p[0])), min(low[1], math.Floor(p[1]))}
		high = [2]float64{max(high[0], p[0]), max(high[1], p[1])}
	}
	at := image.Pt(int(math.Floor(low[0])), int(math.Floor(low[1])))
	z := vector.NewRasterizer(int(high[0])-at.X+2, int(high[1])-at.Y+2)
	for i, p := range points {
		x, y := float32(p[0]-float64(at.X)), float32(p[1]-float64(at.Y))
		if i == 0 {
			z.MoveTo(x, y)
		} else {
			z.LineTo(x, y)
		}
	}
	z.ClosePath()
	z.Draw(c.RGBA, z.Bounds().Add(at), image.NewUniform(fill), image.Point{})
}

// stroke draws a line with round ends.
func (c canvas) stroke(x1, y1, x2, y2, width float64, fill color.Color) {
	l := math.Hypot(x2-x1, y2-y1)
	dx, dy := (y2-y1)/l*width/2, (x1-x2)/l*width/2
	c.shape(fill, [2]float64{x1 + dx, y1 + dy}, [2]float64{x2 + dx, y2 + dy},
		[2]float64{x2 - dx, y2 - dy}, [2]float64{x1 - dx, y1 - dy})
	c.disc(x1, y1, width/2, fill)
	c.disc(x2, y2, width/2, fill)
}

// text writes a text with its baseline at y, up to a size and as large as the width allows. It
// begins at x, or is centred there.
func (c canvas) text(text string, x, y, size, width float64, centred bool, fill color.Color) {
	at, w := face(size), 0.0
	if w = measure(at, text); w > width {
		size *= width / w
		at = face(size)
		w = measure(at, text)
	}
	if centred {
		x -= w / 2
	}
	d := font.Drawer{Dst: c.RGBA, Src: image.NewUniform(fill), Face: at,
		Dot: fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y * 64)}}
	d.DrawString(text)
}

func face(size float64) font.Face {
	f, err := opentype.NewFace(letters(), &opentype.FaceOptions{Size: size, DPI: 72})
	if err != nil {
		panic(err) // any size is valid
	}
	return f
}

func measure(f font.Face, text string) float64 { return float64(font.MeasureString(f, text)) / 64 }

// logo draws the logo in a square.
func (c canvas) logo(x, y, size float64) {
	u := size / 32
	c.box(x+u, y+4*u, 17*u, 21*u, 4*u, seats[0])
	c.box(x+14*u, y+7*u, 17*u, 21*u, 4*u, seats[1])
	c.stroke(x+18.5*u, y+12.5*u, x+26.5*u, y+12.5*u, 2.6*u, color.White)
	c.stroke(x+26.5*u, y+12.5*u, x+22*u, y+23.5*u, 2.6*u, color.White)
}

// ring draws the symbol of a goal.
func (c canvas) ring(sign string, x, y, r float64) {
	c.disc(x, y, r, accent)
	c.disc(x, y, r*.9, white)
	c.disc(x, y, r*.84, accent)
	switch h := r * .42; sign {
	case "▲":
		c.shape(white, [2]float64{x, y - h}, [2]float64{x + h, y + h*.7},
			[2]float64{x - h, y + h*.7})
	case "▼":
		c.shape(white, [2]float64{x, y + h}, [2]float64{x + h, y - h*.7},
			[2]float64{x - h, y - h*.7})
	default:
		c.text(sign, x, y+r*.36, r, r*1.3, true, white)
	}
}
