package arena

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestPictureHoldsItsTexts checks that texts do not overflow the picture, and that players have
// different labels, even with long commands.
func TestPictureHoldsItsTexts(t *testing.T) {
	long := "engine:python3 " + strings.Repeat("a-folder/", 9)
	for _, names := range [][]string{{"casual", "perfect"},
		{long + "one.py", long + "two.py", "master"}} {
		s := Summary{Games: 2, Planned: 2}
		for _, name := range names {
			s.Players = append(s.Players, PlayerTotal{Player: name})
		}
		var b strings.Builder
		if err := s.Draw(&b); err != nil {
			t.Fatal(err)
		}
		width, _ := strconv.ParseFloat(regexp.MustCompile(` width="(\d+)"`).FindStringSubmatch(b.String())[1], 64)
		seen := map[string]bool{}
		for _, text := range regexp.MustCompile(`<text x="([\d.]+)" y="[\d.]+" (.*?)>(.*?)</text>`).FindAllStringSubmatch(b.String(), -1) {
			x, _ := strconv.ParseFloat(text[1], 64)
			room := 6.6 * float64(len([]rune(text[3]))) // nearly all letters are narrower
			if strings.Contains(text[2], "middle") {
				room /= 2
			}
			if x+room > width {
				t.Errorf("%q ends at %.0f, but the picture at %.0f", text[3], x+room, width)
			}
			if strings.HasPrefix(text[3], "1.") || strings.HasPrefix(text[3], "2.") {
				seen[text[1]+text[3][:2]] = true
			}
		}
		if len(seen) != 4 {
			t.Errorf("%v: players 1 and 2 have %d labels, want one for a row and one for a column each", names, len(seen))
		}
	}
}
