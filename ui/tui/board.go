package tui

import (
	"errors"
	"strings"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/ui/tui/draw"
)

// A board is the part that a game and an exercise share: the players, the move that is being
// picked, and the analysis of the position.
type board struct {
	pair   pair
	picker picker
	// reports whether no move can be picked: it is not the turn of a player here
	closed func() bool
	play   func(*Model, digit.Move) // plays the picked move
	// is called when the picked digit or place has changed
	picks func()
	auto  bool // the table calls for its players
	swaps bool // a swap can still affect the first move
	// reports whether the lesson allows a digit, or a spot for it; nil: there is no lesson
	keeps func(digit.Digit, *digit.Spot) bool

	analysis bool // the value of every move is shown
	needs    bool // the digits that complete each number are shown
	hint     *hint
	study    *study
	insight  *insight
	looking  bool // an insight is being computed
	flip     bool
	goal     goal
	note     string // an error to show
}

// A goal describes how a game is won. Computing it takes a while where numbers are long.
type goal struct {
	rules  digit.Rules
	emblem rulebook.Emblem
	text   string // with a number that reaches it, and the rule that decides if nobody does
}

// aim returns the goal of the game.
func (b *board) aim() *goal {
	r := b.game()
	if b.goal.rules != r {
		b.goal = goal{r, rulebook.GoalEmblem(r), rulebook.GoalNote(r).Long}
		if like, ok := strings.CutPrefix(b.goal.text, "Like "); ok {
			b.goal.text = rulebook.Goal(r).Short + ", like " + like
		}
		if r.Win == digit.OnCall {
			b.goal.text += " " + rulebook.NoCall(r).Long
		}
	}
	return &b.goal
}

// A hint explains the best move in a position.
type hint struct {
	coach.Hint
	topic
	step int // the steps that are shown: what to look for, the idea, the move and its reason
}

// A topic identifies the position of a hint, and the picked digit, if there is one.
type topic struct {
	at     digit.Position
	digit  digit.Digit
	picked bool
}

// stand shows another position, in which nothing is picked.
func (b *board) stand(p digit.Position) {
	b.picker, b.hint = newPicker(b.picker.rules, p), nil
}

// stage returns the next thing to pick.
func (b *board) stage() stage {
	if b.closed() {
		return idle
	}
	return b.picker.stage
}

// voice returns the voice for places with little room.
func (b *board) voice() rulebook.Voice {
	return rulebook.Voice{Rules: b.picker.rules, Cast: b.pair.cast()}
}

// game returns the rules as they are played here.
func (b *board) game() digit.Rules {
	if b.auto {
		return rulebook.AutoCalled(b.picker.rules)
	}
	return b.picker.rules
}

// refuse explains why something cannot be picked. It does nothing without an error.
func (b *board) refuse(err error) (refused bool) {
	var why *digit.MoveError
	switch b.note = ""; {
	case errors.As(err, &why):
		b.note = rulebook.Refused(b.picker.rules, b.picker.at, why, b.pair.cast()).Long
	case err != nil:
		b.note = rulebook.Broken.Long
	}
	return err != nil
}

// take picks a digit. If it has only one spot, Enter plays it, or the player is asked for a call.
func (b *board) take(d digit.Digit) act {
	return func(m *Model) {
		if b.stage() == idle || b.keeps != nil && !b.keeps(d, nil) || b.refuse(b.picker.take(d)) {
			return
		}
		if b.picks(); b.stage() == confirm && b.calls() {
			m.lay(&call{board: b})
		}
	}
}

// click returns the act of a click on a digit: the first one picks it, the second one plays it.
func (b *board) click(d digit.Digit) act {
	if b.stage() == confirm && b.picker.digit == d {
		return b.enter
	}
	return b.take(d)
}

// calls reports whether the player is asked for a call now.
func (b *board) calls() bool { return b.picker.rules.MayCall(b.picker.at) && !b.auto }

// put picks the spot of the digit and plays the move.
func (b *board) put(spot digit.Spot) act {
	return func(m *Model) {
		k, stage := &b.picker, b.stage()
		if stage == pick {
			b.note = rulebook.NoDigit(k.rules, k.at).Long
		}
		if stage <= pick || b.keeps != nil && !b.keeps(k.digit, &spot) || b.refuse(k.put(spot)) {
			return
		}
		b.send(m, digit.Number{})
	}
}

// send plays the picked move, with or without a call.
func (b *board) send(m *Model, call digit.Number) {
	if b.stage() != confirm {
		return
	}
	move := b.picker.picked()
	move.Call = call
	b.play(m, move)
}

// back undoes the last pick, and reports whether there was one.
func (b *board) back() bool {
	b.note = ""
	if b.stage() == idle || !b.picker.back() {
		return false
	}
	b.picks()
	return true
}

// enter picks the item at the cursor, or plays the picked move.
func (b *board) enter(m *Model) {
	switch b.stage() {
	case pick:
		b.take(b.picker.pool()[b.picker.cursor])(m)
	case place:
		b.put(b.picker.spot)(m)
	default:
		b.send(m, digit.Number{})
	}
}

// upkeep starts the analysis of the game and of a position in it.
func (b *board) upkeep(m *Model, p digit.Position) {
	m.restudy(&b.study, b.picker.rules)
	key := insightKey{b.picker.rules, p, b.study.ready()}
	if !b.looking && (b.insight == nil || b.insight.insightKey != key) {
		b.looking = true
		solution := b.study.solution
		m.run(func() act {
			in := newInsight(key, solution)
			return func(*Model) { b.insight, b.looking = in, false }
		})
	}
}

// topic returns the topic of a hint in a position.
func (b *board) topic(p digit.Position) topic {
	if b.stage() > pick {
		return topic{p, b.picker.digit, true}
	}
	return topic{at: p}
}

// ask shows the next step of a hint: what to look for, then the idea, then the move and its reason.
func (b *board) ask(m *Model, p digit.Position) {
	what := b.topic(p)
	switch {
	case !b.study.ready():
		b.note = b.study.describe("")
	case b.picker.rules.Result(p).Over():
		b.note = rulebook.NoGameNow.Long
	case b.hint != nil && b.hint.topic == what:
		if b.hint.step = min(b.hint.step+1, 2); b.hint.Idea == "" {
			b.hint.step = 2
		}
	default:
		solution, cast, turn := b.study.solution, b.pair.cast(), b.picker.rules.Turn(p)
		cast.You[turn], cast.You[turn.Other()] = true, false // a hint is for the player to move
		swaps := b.swaps
		m.run(func() act {
			h, _ := coach.AdviseWith(solution, p, what.digit, cast) // it could be picked
			if !what.picked {
				h, _ = coach.Advise(solution, p, cast)
			}
			given := &hint{Hint: h, topic: what}
			if swap := coach.Swap(solution, p).Long; swaps && swap != "" {
				given.Reason, given.step = swap, 2 // this was the last step
			}
			return func(*Model) { b.hint = given }
		})
	}
}

// turnPrompt returns a prompt that shows whose turn it is.
func (b *board) turnPrompt(side digit.Side) prompt {
	return prompt{
		badge: strings.ToUpper(b.voice().Whose(side) + " turn"), tone: b.pair.tone(side),
		Said: said("Wait for the move."),
	}
}

// asks returns the prompt for a player who picks a move.
func (b *board) asks() prompt {
	k := &b.picker
	turn := k.rules.Turn(k.at)
	p := b.turnPrompt(turn)
	switch b.stage() {
	case pick:
		p.Said = rulebook.ToDo(b.game(), k.at)
	case place:
		var ways []string
		for _, spot := range k.spots {
			ways = append(ways, b.wayTo(spot))
		}
		p.Said = said(rulebook.AskSpot(k.rules, k.at, k.digit).Short)
		p.how = strings.Join(ways, ", ") + "."
	case confirm:
		p.Said = said(rulebook.PressEnter(k.rules, k.at, k.picked()).Long + b.preview())
		p.how = "Backspace takes it back."
		if k.rules.Place == digit.Hand && k.hand().Len() > 1 {
			p.how = "Then you have " + rulebook.Digits(k.hand()) + "."
		}
	case idle:
		p.Said = said("…")
	}
	return p
}

// wayTo returns the key of a spot and its name: "a left". For an end it returns the number that the
// digit makes there: "L makes 147".
func (b *board) wayTo(spot digit.Spot) string {
	way, name := spot.String(), strings.ToLower(placeName(b.picker.rules, spot))
	if b.picker.rules.Place == digit.Ends {
		return way + " makes " + b.picker.with(spot).String()
	}
	if names := spotKeys(b.picker.rules, b.picker.at)[spot]; len(names) > 1 {
		way += " or " + names[1]
	}
	if name == spot.String() {
		return way
	}
	return way + " " + name
}

// preview returns the number that the picked move makes, if needs are shown and it decides
// something.
func (b *board) preview() string {
	k := &b.picker
	n := k.with(k.spot)
	if !b.needs || k.rules.Target == 0 || k.rules.Place == digit.Hand || !n.Full() {
		return ""
	}
	return "  " + b.voice().Sum(n)
}

// lines returns the lines about a position that are allowed: a hint, the verdict, the needs of each
// number. Needs are left out where they would give the answer away.
func (b *board) lines(m *Model, p digit.Position) []line {
	var lines []line
	r := b.picker.rules
	over := r.Result(p).Over()
	if h := b.hint; h != nil && (h.topic == b.topic(p) || h.topic == topic{at: p}) {
		text := []string{h.Look, h.Look + " " + h.Idea, h.Reason}[h.step]
		if lines = append(lines, lineOf(draw.Active, "Hint: "+text)); h.step < 2 {
			lines = append(lines, lineOf(draw.Muted, "Space h shows more."))
		}
	}
	in := b.insight.of(r, p)
	switch {
	case !b.analysis:
	case !in.known():
		lines = append(lines, lineOf(draw.Muted, b.study.describe(m.spin())))
	case b.swaps && in.swap != "":
		if len(lines) == 0 { // it would be the same
			lines = append(lines, lineOf(draw.Active, in.swap))
		}
	case !over:
		text := "Best play: " + stands(b.voice(), in.value, r.Turn(p)) + "."
		lines = append(lines, lineOf(verdictTone(in.value.Outcome).Bold(), text))
	}
	if in != nil && !over && b.needs {
		for _, side := range b.pair.order(b.flip) {
			if text := needText(in, side, b.pair.label(side)); text != "" {
				lines = append(
					lines, line{text: text, Style: b.pair.tone(side).Style(), rank: otherRank})
			}
		}
	}
	return lines
}

// picture returns the picture of a position.
func (b *board) picture(p digit.Position) *picture {
	pic := &picture{
		board: b, rules: b.picker.rules, at: p, about: rulebook.Goal(b.game()).Short,
		turn: !b.picker.rules.Result(p).Over(),
	}
	// with a swap, a winning move may not win
	if in := b.insight.of(pic.rules, p); b.analysis && in.known() && (!b.swaps || in.swap == "") {
		pic.worth = in
	}
	return pic
}
