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

// TestThemes compares some screens in all themes with golden files. The words and signs are the
// same in all of them, so colour alone carries no information.
func TestThemes(t *testing.T) {
	full := regexp.MustCompile(`\x1b\[[0-9;]*[34]8[;:]`) // a colour that is not one of the sixteen
	for _, sc := range scenes(t) {
		if !slices.Contains([]string{
			"menu-dilemma", "review-dilemma", "start-highest", "picked-divisibility",
			"analysis-dilemma", "confirm", "call-typed", "commands", "chance", "thinking",
			"over-dilemma", "leave",
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
						t.Errorf("%s: without colours got\n%s\nwant\n%s", look.name, got, words)
					}
					if look.profile == colorprofile.ANSI && full.MatchString(content) {
						t.Errorf("%s: a terminal with sixteen colours does not know %q",
							look.name, full.FindString(content))
					}
					golden(t, filepath.Join("testdata", "themes", sc.name+"."+look.name), content)
				}
				s.settings.Signs = ASCIISigns
				golden(t, filepath.Join("testdata", "themes", sc.name+".ascii"), s.View().Content)
			})
		})
	}
}
