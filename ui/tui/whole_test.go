package tui

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"digitduel/digit"
)

// windows lists the sizes at which every screen is checked.
var windows = [][2]int{
	{80, 24}, {80, 23}, {60, 20}, {54, 18}, {54, 19}, {70, 21},
	{79, 40}, {100, 30}, {119, 50}, {120, 40}, {121, 41}, {200, 60},
}

// isWhole fails if a sentence is cut, something is drawn outside the window, or a table does not
// show its goal.
func (s *screen) isWhole() {
	s.t.Helper()
	c := s.canvas()
	if len(c.Lost) > 0 {
		s.t.Errorf("%d×%d: %q does not fit:\n%s", s.width, s.height, c.Lost, s.text())
	}
	for row := range strings.SplitSeq(s.text(), "\n") {
		if strings.Contains(row, "…") {
			s.t.Errorf("%d×%d: a line is cut: %s", s.width, s.height, row)
		}
	}
	p, ok := s.Model.onScreen().(interface{ picture(*Model) *picture })
	if !ok {
		return
	}
	goal := p.picture(s.Model).goal.emblem
	s.settings.Signs = ASCIISigns // which draw digits as characters
	defer func() { s.settings.Signs = AutoSigns }()
	pl, rows := layoutOf(s.canvas()), strings.Split(s.text(), "\n")
	at := pl.goal
	var between strings.Builder
	for y := at.Y; y < at.Y+at.H; y++ {
		between.WriteString(fmt.Sprintf("%-*s", at.X+at.W, rows[y])[at.X:at.X+at.W] + "\n")
	}
	want := []string{goal.Above, goal.Below}
	if goal.Target > 0 {
		want = append(want, strconv.Itoa(goal.Target))
	}
	for _, text := range want {
		if !strings.Contains(between.String(), text) {
			s.t.Errorf("%d×%d: %q is not between the numbers:\n%s",
				s.width, s.height, text, strings.Join(rows, "\n"))
		}
	}
}

// TestGoalOfAnyRules draws tables of many rules, with one to eight places and targets of one to
// four digits.
func TestGoalOfAnyRules(t *testing.T) {
	for _, text := range []string{
		"dilemma target=9999 width=5", "dilemma pool=0-f width=8 target=13",
		"divisibility target=101", "sevens pool=0-f width=4 target=9998", "highest width=1",
		"reverse width=4", "highest final=later", "dilemma target=101 final=draw",
		"divisibility pool=1-f target=13", "sevens target=13 width=2",
	} {
		r := rulesOf(t, text)
		start := people(r.Book().Name)
		start.Play.Rules = map[string]digit.Rules{r.Book().Name: r}
		onScreen(t, &memory{solve: never}, start, func(s *screen) {
			for _, keys := range []string{"", "1", "enter", "enter", "enter", "space"} {
				if keys != "" {
					s.press(keys)
				}
				for _, size := range windows {
					s.size(size[0], size[1])
					s.isWhole()
				}
			}
		})
	}
}
