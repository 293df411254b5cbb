package tui

import (
	"fmt"
	"slices"
	"time"

	"digitduel/bot"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/match/local"
	"digitduel/rulebook"
	"digitduel/ui/tui/draw"
)

// learn opens a table for the first lesson, against a computer that follows it.
func (m *Model) learn() {
	lesson := coach.FirstLesson()
	setup := match.Setup{
		Rules: lesson.Rules, FreeUndo: true, Terms: match.Terms{Hints: true},
		Names: [2]string{"", "Computer"}, Levels: [2]string{"", bot.Levels[0].Name},
	}
	store := local.NewStore("lesson", nil)
	store.Close(time.Time{}) // a lesson is not saved
	at, err := match.Open(m.ctx, store.ID(), setup, store, m.rng())
	if err != nil {
		m.problem = err.Error()
		return
	}
	settings := m.settings
	settings.Book, settings.Opponent = lesson.Rules.Book().Name, Computer
	settings.Levels[match.Two] = bot.Levels[0].Name
	t := m.ownTable(at, store, settings)
	t.kept, t.lesson, t.keeps = true, &lesson, t.keepsTo
	t.begin(m, beginning{})
}

// asksFor returns the move that the lesson asks for, and its explanation; ok is false if it asks
// for none.
func (t *table) asksFor() (see string, ask digit.Move, ok bool) {
	if t.lesson == nil || !t.state.Playing() || t.look != live {
		return see, ask, false
	}
	return t.lesson.At(t.state.Moves)
}

// keepsTo reports whether a digit, and its spot if one is picked, follow the lesson. If not, it
// shows a note.
func (t *table) keepsTo(d digit.Digit, spot *digit.Spot) bool {
	_, ask, ok := t.asksFor()
	switch {
	case !ok:
		return true
	case d != ask.Digit:
		t.note = fmt.Sprintf("For now, press %v.", ask.Digit)
	case spot != nil && *spot != ask.Spot:
		t.note = fmt.Sprintf(
			"For now, press %v: %s.", ask.Spot, placeName(t.picker.rules, ask.Spot))
	default:
		return true
	}
	return false
}

// point moves the cursor to the digit or spot that the lesson asks for.
func (t *table) point() {
	_, ask, ok := t.asksFor()
	switch stage := t.stage(); {
	case !ok:
	case stage == pick:
		t.picker.cursor = slices.Index(t.picker.pool(), ask.Digit)
	case stage == place:
		t.picker.spot = ask.Spot
	}
}

// teach adds the explanations of the lesson to a picture.
func (t *table) teach(pic *picture) {
	pic.right, pic.prompt.how = "", "Esc skips the lesson."
	see, ask, ok := t.asksFor()
	switch {
	case t.state.Result.Over() && t.look == live:
		pic.prompt.how = "Enter plays the computer, Esc goes to the menu."
		pic.lines = []line{lineOf(draw.Active, t.lesson.End)}
	case ok:
		pic.lines = []line{lineOf(draw.Active, see)}
		switch t.stage() {
		case pick:
			pic.prompt.Said = said(fmt.Sprintf("Press %v, or click it.", ask.Digit))
		case place:
			pic.prompt.Said = said(
				fmt.Sprintf(
					"Now its place: press %v, for %s.", ask.Spot,
					rulebook.Voice{Rules: t.picker.rules}.Spot(ask.Spot)))
		case confirm:
			pic.prompt.Said = said("Press Enter: it is played.")
		case idle:
		}
	}
}
