//go:build !js

package web

import (
	"strconv"
	"strings"

	"rsc.io/qr"
)

// quiet is the width of the border that readers of the code need.
const quiet = 4

// codeOf returns the QR code of a text; nil: the text is too long for one.
func codeOf(text string) *code {
	q, err := qr.Encode(text, qr.M)
	if err != nil {
		return nil
	}
	var b strings.Builder
	for y := range q.Size {
		for x := 0; x < q.Size; x++ {
			from := x
			for q.Black(x, y) {
				x++
			}
			if run := x - from; run > 0 {
				b.WriteString("M" + strconv.Itoa(from+quiet) + " " + strconv.Itoa(y+quiet) + "h" +
					strconv.Itoa(run) + "v1h-" + strconv.Itoa(run) + "z")
			}
		}
	}
	return &code{q.Size + 2*quiet, b.String()}
}
