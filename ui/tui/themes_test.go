package tui

import (
	"image/color"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// TestThemes keeps a few screens for a light background and for terminals with sixteen colours. Whatever the colours, the
// words and signs are the same, so nothing is said by colour alone.
func TestThemes(t *testing.T) {
	full := regexp.MustCompile(`\x1b\[[0-9;]*[34]8[;:]`) // any colour that sixteen-colour terminals do not have
	for _, sc := range scenes(t) {
		if !slices.Contains([]string{
			"menu-dilemma", "review-dilemma", "start-highest", "picked-divisibility", "analysis-dilemma", "confirm", "call-typed", "commands", "chance", "thinking", "over-dilemma", "leave",
		}, sc.name) {
			continue
		}
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			sc.play(t, func(s *screen) {
				t := s.t
				s.size(80, 24)
				s.send(tea.ColorProfileMsg{Profile: colorprofile.NoTTY})
				words := s.View().Content
				for _, look := range []struct {
					name    string
					profile colorprofile.Profile
					ground  color.Color
				}{
					{"light", colorprofile.TrueColor, color.White},
					{"dark", colorprofile.TrueColor, color.Black},
					{"light16", colorprofile.ANSI, color.White},
					{"dark16", colorprofile.ANSI, color.Black},
					{"light256", colorprofile.ANSI256, color.White},
					{"dark256", colorprofile.ANSI256, color.Black},
					{"none", colorprofile.ASCII, color.Black},
				} {
					s.send(tea.BackgroundColorMsg{Color: look.ground})
					s.send(tea.ColorProfileMsg{Profile: look.profile})
					content := s.View().Content
					if got := codes.ReplaceAllString(content, ""); got != words {
						t.Errorf("%s: without its colours the screen is\n%s\nand not\n%s", look.name, got, words)
					}
					if look.profile == colorprofile.ANSI && full.MatchString(content) {
						t.Errorf("%s: there are colours that such a terminal does not have: %q", look.name, full.FindString(content))
					}
					golden(t, filepath.Join("testdata", "themes", sc.name+"."+look.name), content)
				}
				s.settings.Signs = ASCIISigns
				golden(t, filepath.Join("testdata", "themes", sc.name+".ascii"), s.View().Content)
			})
		})
	}
}
