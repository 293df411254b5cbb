package web

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestContrast checks the contrast of each colour with its backgrounds, in light and dark mode: 4.5
// to 1 for text, and 3 to 1 for the edges of controls.
func TestContrast(t *testing.T) {
	file, err := staticFiles.ReadFile("static/duel.css")
	if err != nil {
		t.Fatal(err)
	}
	lightCSS, darkCSS, found := strings.Cut(string(file), "@media (prefers-color-scheme: dark)")
	if !found {
		t.Fatal("the style sheet has no colours for dark mode")
	}
	light := colours(lightCSS)
	dark := colours(darkCSS[:strings.Index(darkCSS, "*, ::before")])
	for _, test := range []struct {
		least float64
		over  string
		under string
	}{
		{4.5, "bg card tile tint well", "ink"},
		{4.5, "bg card", "soft accent one two win loss"},
		{4.5, "accent", "on-accent"},
		{4.5, "win-bg", "win ink"},
		{4.5, "draw-bg", "draw ink"},
		{4.5, "loss-bg", "loss"},
		{4.5, "tint", "accent soft"},
		{3, "bg card well", "edge one two accent"},
	} {
		schemes := map[string]map[string]float64{"light mode": light, "dark mode": dark}
		for name, scheme := range schemes {
			for over := range strings.FieldsSeq(test.over) {
				for under := range strings.FieldsSeq(test.under) {
					a, okA := scheme[over]
					b, okB := scheme[under]
					if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); !okA || !okB ||
						ratio < test.least {
						t.Errorf("%s: %s on %s has a contrast of %.2f, want %.1f", name, under,
							over, ratio, test.least)
					}
				}
			}
		}
	}
}

// colours returns the luminance of each named colour of a style sheet.
func colours(style string) map[string]float64 {
	found := map[string]float64{}
	for _, m := range regexp.MustCompile(`--([a-z-]+): #([0-9a-f]{3}|[0-9a-f]{6});`).FindAllStringSubmatch(style, -1) {
		hex := m[2]
		if len(hex) == 3 {
			hex = hex[:1] + hex[:1] + hex[1:2] + hex[1:2] + hex[2:] + hex[2:]
		}
		light := 0.0
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			n, _ := strconv.ParseUint(hex[2*i:2*i+2], 16, 8) // the pattern allows only hex digits
			c := float64(n) / 255
			if c <= 0.04045 {
				c /= 12.92
			} else {
				c = math.Pow((c+0.055)/1.055, 2.4)
			}
			light += weight * c
		}
		found[m[1]] = light
	}
	return found
}
