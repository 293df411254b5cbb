package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A review is the page on which a game is reviewed move by move.
type review struct {
	rec    digit.Record
	pair   pair
	study  *study
	judged *coach.Review
	err    error
	busy   bool
	at     int // the index of the current move
	line   int // the number of moves of the best line on the board; 0: the line is not shown

	games []digit.Record // the games to review one after another, if there is more than one
	game  int            // the index of this game
}

// openReview shows the review of a game.
func (m *Model) openReview(rec digit.Record, two pair) tea.Cmd {
	return m.push(&review{rec: rec, pair: two})
}

// openReviews shows the review of one of several games.
func (m *Model) openReviews(games []digit.Record, at int) tea.Cmd {
	rec := games[at]
	played, _ := match.PlayedOf(rec) // invalid tags count as unknown
	return m.push(&review{rec: rec, pair: pairIn(rec.Rules, played), games: games, game: at})
}

func (v *review) upkeep(m *Model) tea.Cmd {
	if v.judged != nil || v.err != nil || v.busy {
		return nil
	}
	cmd := m.restudy(&v.study, v.rec.Rules)
	if !v.study.ready() {
		return cmd
	}
	v.busy = true
	solution, cast := v.study.solution, v.pair.cast()
	return m.background.run(func(context.Context) later {
		judged, err := coach.ReviewGame(solution, v.rec, cast)
		return func(*Model) tea.Cmd {
			v.busy = false
			if v.err = err; err == nil {
				v.judged = &judged
				v.at = max(0, cmp.Or(judged.TurningPoint.Ply, len(v.rec.Moves))-1)
			}
			return nil
		}
	})
}

func (v *review) moving(*Model) bool { return v.study.working() }

// move moves along the game or the best line.
func (v *review) move(by int) act {
	return func() tea.Cmd {
		if v.line > 0 {
			v.line = min(max(v.line+by, 1), len(v.here().Line))
		} else {
			v.look(v.at + by)
		}
		return nil
	}
}

// look chooses a move.
func (v *review) look(at int) { v.at, v.line = min(max(at, 0), max(0, len(v.rec.Moves)-1)), 0 }

// here returns the judgement of the current move.
func (v *review) here() coach.Judged { return v.judged.Moves[v.at] }

// mistake moves to the next mistake.
func (v *review) mistake() tea.Cmd {
	n := len(v.rec.Moves)
	for i := 1; i <= n; i++ {
		if at := (v.at + i) % n; !v.judged.Moves[at].Kept() {
			v.look(at)
			break
		}
	}
	return nil
}

// best shows the best line from the current move, or the game again.
func (v *review) best() tea.Cmd {
	v.line = 1 - min(v.line, 1)
	return nil
}

// retry asks the player for a better move in the current position.
func (v *review) retry(m *Model) tea.Cmd {
	judged := v.here()
	task := map[solve.Outcome]string{
		solve.Win: "Find a move that wins.", solve.Draw: "Find a move that keeps the draw.",
		solve.Loss: "Every move loses: play any.",
	}[judged.Best.Outcome]
	title := fmt.Sprintf("Move %d again", judged.Ply)
	return m.push(newExercise(title, said(task), v.rec.Rules, judged.At, v.pair))
}

// playOn opens a table at the position before the current move.
func (v *review) playOn(m *Model) tea.Cmd {
	book := v.rec.Rules.Named()
	settings := m.settings.withRules(book, v.rec.Rules)
	settings.Book, settings.Targets = book.Name, match.Targets{}
	settings.Lot, settings.Swap = false, false
	at := min(v.at, len(v.rec.Moves))
	m.toMenu()
	return m.openTable(
		settings,
		beginning{
			first: v.pair[digit.First].seat, moves: append([]digit.Move{}, v.rec.Moves[:at]...),
		})
}

// turn shows another one of the games.
func (v *review) turn(m *Model, by int) act {
	return func() tea.Cmd {
		m.pop()
		n := len(v.games)
		return m.openReviews(v.games, (v.game+by+n)%n)
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
		keys = append(keys, command(v.mistake, next, "m"))
	}
	if judged && v.here().Grade != coach.Given {
		line := command(v.best, "best line", "b")
		if v.line > 0 {
			line = command(v.best, "back to the game", "b").ranked(moveRank)
		}
		keys = append(keys, on(m.does(v.retry), "try again", "t", "enter"), line)
	}
	if len(v.games) > 1 {
		keys = append(keys, on(v.turn(m, 1), "next game", "tab"), also(v.turn(m, -1), "shift+tab"))
	}
	return append(keys,
		command(m.does(v.playOn), "play on from here", "c"),
		m.rules(v.rec.Rules),
		m.help(), m.back("back"))
}

// result describes how the game ended.
func (v *review) result() string { return ending(v.rec, v.pair).Short }

func (v *review) voice() rulebook.Voice {
	return rulebook.Voice{Rules: v.rec.Rules, Cast: v.pair.cast()}
}

// gradeSign returns the sign of a judgement next to a move. It distinguishes the best moves from
// those that only keep the value.
func gradeSign(j coach.Judged) string {
	if j.Grade == coach.Best && !j.Decision {
		return "·"
	}
	return map[coach.Grade]string{
		coach.Best: "✓", coach.Fine: "~", coach.Mistake: "?", coach.Blunder: "??", coach.Given: "=",
	}[j.Grade]
}

func gradeTone(j coach.Judged) tone {
	switch {
	case j.Grade == coach.Best && j.Decision:
		return good
	case j.Grade == coach.Best || j.Grade == coach.Given:
		return quiet
	case j.Grade == coach.Fine:
		return even
	default:
		return bad
	}
}

// account describes how well a side played.
func (v *review) account(side digit.Side) string {
	accounts := [2]coach.Accuracy{v.judged.First, v.judged.Second}
	return accounts[side].Text(v.pair.cast(), side)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// card returns the lines about the current move, the most important first.
func (v *review) card() []line {
	switch {
	case len(v.judged.Moves) == 0:
		return []line{{text: "No move was played."}}
	case v.line > 0:
		return v.lineCard()
	}
	judged, last := v.here(), v.at == len(v.judged.Moves)-1
	lines := []line{
		strong.line(
			fmt.Sprintf("Move %d of %d: %s.", judged.Ply, len(v.rec.Moves), judged.Did(v.voice()))),
		gradeTone(judged).bold().line(gradeSign(judged) + " " + judged.Text),
	}
	if judged.Ply == v.judged.TurningPoint.Ply {
		lines = append(lines, active.line("This was the turning point."))
	}
	if v.judged.Remark != "" && last {
		lines = append(lines, even.line(v.judged.Remark))
	}
	if judged.Reason != "" && judged.Grade != coach.Best {
		lines = append(lines, line{text: "Better: " + judged.Reason})
	}
	goal := lower(rulebook.Goal(v.rec.Rules).Short)
	lines = append(lines, muted.line("The goal: "+goal+"."))
	for _, side := range v.pair.order(false) {
		lines = append(lines, v.pair.tone(side).line(v.account(side)))
	}
	return lines
}

// lineCard returns the lines about the best line from the current move.
func (v *review) lineCard() []line {
	judged, voice := v.here(), v.voice()
	at, r := judged.At, v.rec.Rules
	lines := []line{
		strong.line(
			fmt.Sprintf(
				"The best line from move %d, %d of %d:", judged.Ply, v.line, len(judged.Line))),
	}
	for i, m := range judged.Line {
		text, look := fmt.Sprintf(
			"  %d. %s: %s", judged.Ply+i, v.pair.label(r.Turn(at)), voice.Back(at, m)), style{}
		if at, _ = r.Play(at, m); i == v.line-1 { // it is legal
			text, look = "▸"+text[1:], active
		}
		lines = append(lines, look.line(text))
	}
	return append(
		lines, muted.line(sentence(rulebook.Ending(r, at, r.Result(at), v.pair.cast()).Short)))
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

// picture returns the position after the current move, or that of the best line.
func (v *review) picture() *picture {
	moves := v.rec.Moves[:v.at+1]
	if v.line > 0 {
		moves = append(slices.Clone(v.rec.Moves[:v.at]), v.here().Line[:v.line]...)
	}
	p := digit.Position{}
	for _, m := range moves {
		p, _ = v.rec.Rules.Play(p, m) // it is legal
	}
	return &picture{
		rules: v.rec.Rules, at: p, pair: v.pair, turn: !v.rec.Rules.Result(p).Over(), moves: moves,
		ply: len(moves),
	}
}
