package draw_test

import (
	"fmt"

	"github.com/charmbracelet/colorprofile"

	"digitduel/ui/tui/draw"
)

func Example() {
	c := draw.New(9, 3, true)
	frame := draw.Rect(0, 0, 9, 3)
	c.Box(frame, draw.Thin, draw.Outline)
	c.Centre(frame.X, 1, frame.W, draw.Strong, "7 _ 1")
	fmt.Println(c.Render(draw.NewTheme(colorprofile.NoTTY, true, c.ASCII)))
	// Output:
	// +-------+
	// | 7 _ 1 |
	// +-------+
}
