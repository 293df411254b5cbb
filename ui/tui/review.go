package tui

import (
	"cmp"
	"fmt"
	"slices"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/ui/tui/draw"
)

// A review is the page on which a game is reviewed move by move.
type review struct {
	board
	rec    digit.Record
	judged *coach.Review
	err    error
	busy   bool
	at     int // the index of the current move
	line   int // the number of moves of the best line on the board; 0: the line is not shown

	games []digit.Record // the games to review one after another, if there is more than one
	game  int            // the index of this game
}

func newReview(rec digit.Record, two pair) *review {
	v := &review{rec: rec}
	v.pair, v.picker.rules, v.closed = two, rec.Rules, func() bool { return true }
	return v
}

// openReviews shows the review of one of several games.
func (m *Model) openReviews(games []digit.Record, at int) {
	played, _ := match.GameInfoOf(games[at]) // invalid tags count as unknown
	v := newReview(games[at], pairIn(games[at].Rules, played))
	v.games, v.game = games, at
	m.push(v)
}

func (v *review) upkeep(m *Model) {
	if v.judged != nil || v.err != nil || v.busy {
		return
	}
	m.restudy(&v.study, v.rec.Rules)
	if !v.study.ready() {
		return
	}
	v.busy = true
	solution, cast := v.study.solution, v.pair.cast()
	m.run(func() act {
		judged, err := coach.ReviewGame(solution, v.rec, cast)
		return func(m *Model) {
			v.busy = false
			if v.err = err; err != nil {
				return
			}
			v.judged = &judged
			if !m.start.Replay {
				v.at = max(0, cmp.Or(judged.TurningPoint.Ply, len(v.rec.Moves))-1)
			}
			if m.start.Retry && m.top() == page(v) && judged.TurningPoint.Ply > 0 {
				v.retry(m)
			}
		}
	})
}

// move moves along the game or the best line.
func (v *review) move(by int) act {
	return func(*Model) {
		if v.line > 0 {
			v.line = min(max(v.line+by, 1), len(v.here().Line))
		} else {
			v.look(v.at + by)
		}
	}
}

// look chooses a move.
func (v *review) look(at int) { v.at, v.line = min(max(at, 0), max(0, len(v.rec.Moves)-1)), 0 }

// here returns the judgement of the current move.
func (v *review) here() coach.Judged { return v.judged.Moves[v.at] }

// mistake moves to the next mistake.
func (v *review) mistake(*Model) {
	n := len(v.rec.Moves)
	for i := 1; i <= n; i++ {
		if at := (v.at + i) % n; !v.judged.Moves[at].Kept() {
			v.look(at)
			return
		}
	}
}

// best shows the best line from the current move, or the game again.
func (v *review) best(*Model) { v.line = 1 - min(v.line, 1) }

// retry asks the player for a better move in the current position.
func (v *review) retry(m *Model) { m.push(newRetry(v.here(), v.rec.Rules, v.pair)) }

// playOn opens a table at the position before the current move.
func (v *review) playOn(m *Model) {
	book := v.rec.Rules.Named()
	settings := m.settings.withRules(book, v.rec.Rules)
	settings.Book, settings.Targets = book.Name, match.Targets{}
	settings.RandomOpening, settings.Swap = false, false
	m.toMenu()
	m.openTable(settings, beginning{
		first: v.pair[digit.First].seat, moves: append([]digit.Move{}, v.rec.Moves[:v.at]...),
	})
}

// turn shows another one of the games.
func (v *review) turn(m *Model, by int) act {
	return func(*Model) {
		m.layers = m.layers[:len(m.layers)-1]
		n := len(v.games)
		m.openReviews(v.games, (v.game+by+n)%n)
	}
}

func (v *review) keys(m *Model) []binding {
	keys := []binding{
		on(v.move(1), "step", "←→").ranked(moveRank),
		also(v.move(-1), "left", "up", ",", "k", "pgup"),
		also(v.move(1), "right", "down", ".", "j", "pgdown"),
		also(v.move(-len(v.rec.Moves)), "home", "<"), also(v.move(len(v.rec.Moves)), "end", ">"),
	}
	next := "next mistake"
	if m.width < 80 {
		next = "mistake"
	}
	judged := v.judged != nil && len(v.rec.Moves) > 0
	if judged && len(v.judged.Mistakes()) > 0 {
		keys = append(keys, on(v.mistake, next, "m"))
	}
	if judged && v.here().Grade != coach.Given {
		line := on(v.best, "best line", "b")
		if v.line > 0 {
			line = on(v.best, "back to the game", "b").ranked(moveRank)
		}
		keys = append(keys, on(v.retry, "try again", "t", "enter"), line)
	}
	if len(v.games) > 1 {
		keys = append(keys, on(v.turn(m, 1), "next game", "tab"), also(v.turn(m, -1), "shift+tab"))
	}
	return append(keys,
		on(v.playOn, "play on from here", "c"),
		m.rules(v.rec.Rules),
		m.help(), m.back())
}

// result describes how the game ended.
func (v *review) result() string {
	r, end := v.rec.Rules, after(v.rec.Rules, v.rec.Moves)
	return rulebook.Ending(r, end, v.rec.Result, v.pair.cast()).Short
}

// gradeMark returns the sign of a judgement next to a move, and its tone. It distinguishes the best
// moves from those that only keep the value.
func gradeMark(j coach.Judged) (sign string, t draw.Tone) {
	switch j.Grade {
	case coach.Best:
		if !j.Decision {
			return "·", draw.Quiet
		}
		return "✓", draw.Good
	case coach.Given:
		return "=", draw.Quiet
	case coach.Fine:
		return "~", draw.Even
	case coach.Mistake:
		return "?", draw.Bad
	default:
		return "??", draw.Bad
	}
}

// card returns the sentence about the current move, and more lines, the most important first.
func (v *review) card(m *Model) (first string, lines []line) {
	switch {
	case v.judged == nil:
		return v.status(m), nil
	case len(v.judged.Moves) == 0:
		return "No move was played.", nil
	case v.line > 0:
		return v.lineCard()
	}
	judged := v.here()
	add := func(s draw.Style, text string) {
		if text != "" {
			lines = append(lines, line{text: text, Style: s, rank: min(len(lines), otherRank)})
		}
	}
	sign, tone := gradeMark(judged)
	add(tone.Bold(), sign+" "+judged.Text)
	if judged.Ply == v.judged.TurningPoint.Ply {
		add(draw.Active, "This was the turning point.")
	}
	if v.at == len(v.judged.Moves)-1 {
		add(draw.Even.Style(), v.judged.Remark)
	}
	if judged.Reason != "" && judged.Grade != coach.Best {
		add(draw.Style{}, "Better: "+judged.Reason)
	}
	accounts := [2]coach.Accuracy{v.judged.First, v.judged.Second}
	for _, side := range v.pair.order(false) {
		add(v.pair.tone(side).Style(), accounts[side].Text(v.pair.cast(), side))
	}
	return fmt.Sprintf(
		"Move %d of %d: %s.", judged.Ply, len(v.rec.Moves), judged.Did(v.voice())), lines
}

// lineCard returns the sentence about the current move of the best line, and how the line ends.
func (v *review) lineCard() (first string, lines []line) {
	judged, r := v.here(), v.rec.Rules
	at := judged.At
	for i, m := range judged.Line {
		if i == v.line-1 {
			first = fmt.Sprintf(
				"The best line from move %d, %d of %d. %s: %s.", judged.Ply, v.line,
				len(judged.Line), v.pair.label(r.Turn(at)), v.voice().Back(at, m))
		}
		at, _ = r.Play(at, m) // it is legal
	}
	end := rulebook.Ending(r, at, r.Result(at), v.pair.cast()).Short
	return first, []line{lineOf(draw.Muted, "It ends: "+rulebook.Complete(end))}
}

// status explains why there is no judgement yet.
func (v *review) status(m *Model) string {
	if v.err != nil {
		return "✗ " + v.err.Error()
	}
	if about := v.study.describe(m.spin()); about != "" {
		return about
	}
	return m.spin() + " judging the moves"
}

// picture returns the picture of the position after the current move, or that of the best line.
func (v *review) picture(m *Model) *picture {
	moves, ply := v.rec.Moves, min(v.at+1, len(v.rec.Moves))
	if v.line > 0 {
		moves = append(slices.Clone(moves[:v.at]), v.here().Line...)
		ply = v.at + v.line
	}
	pic := v.board.picture(after(v.rec.Rules, moves[:ply]))
	first, lines := v.card(m)
	pic.title, pic.about, pic.right = "Review", v.heading(), v.result()
	pic.moves, pic.ply = moves, ply
	if pic.prompt, pic.lines = (prompt{Said: said(first)}), lines; v.judged != nil {
		pic.chart = v.drawChart
	}
	pic.look = func(ply int) act { return func(*Model) { v.look(ply - 1) } }
	return pic
}

// heading names the reviewed game: by its number among several, with the key of the next.
func (v *review) heading() string {
	if len(v.games) < 2 {
		return rulebook.Title(v.rec.Rules)
	}
	return fmt.Sprintf("game %d of %d, Tab for the next", v.game+1, len(v.games))
}

func (v *review) draw(m *Model, c *canvas) { v.picture(m).draw(c) }
