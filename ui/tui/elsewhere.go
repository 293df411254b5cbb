package tui

import (
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// Elsewhere is what is known of a table that another program keeps, beside its events.
type Elsewhere interface {
	// Presence returns who is there, and a channel that is closed when that or what Lost tells has changed.
	Presence() (match.Presence, <-chan struct{})
	// Lost returns why the table cannot be reached now; nil: it can. [match.ErrRekeyed] and [match.ErrNoTable] are for good.
	Lost() error
}

// A company is what a table has that others sit at too, beside its events.
type company struct {
	Elsewhere
	invite   string // the link by which somebody takes the open seat
	people   match.Presence
	lost     error  // why the table cannot be reached; nil: it can
	leaves   func() // lets go of the table, which goes on; nil: somebody else does
	declined int    // the event up to which nobody here wants hints
}

// sitAt shows a table that others may sit at.
func (m *Model) sitAt(at Sitting) tea.Cmd {
	sitters := [2]sitter{{kind: remote}, {kind: remote}}
	for _, seat := range at.Mine {
		sitters[seat].kind = human
	}
	t := m.newTable(at.Table, sitters, m.wishes.Hints)
	t.company = company{Elsewhere: at.Elsewhere, invite: at.Invite, leaves: at.Close}
	m.push(t)
	if _, plays := t.mine(); plays && t.state.Phase() == match.Waiting {
		m.lay(&invitation{t})
	}
	return tea.Batch(t.watch(m), t.lookAround(m))
}

// mine returns the seat that is played from here at a table that others sit at too; ok is false for who watches.
func (t *table) mine() (seat match.Seat, ok bool) {
	for _, seat := range match.Seats {
		if !t.own && t.here(seat) {
			return seat, true
		}
	}
	return 0, false
}

// lookAround takes up who is there and whether the table can be reached, now and when that changes.
func (t *table) lookAround(m *Model) tea.Cmd {
	if t.Elsewhere == nil {
		return nil
	}
	people, changed := t.Presence()
	t.people, t.lost = people, t.Lost()
	return m.crew.run(func(context.Context) later {
		select {
		case <-changed:
		case <-t.ctx.Done():
		}
		return func(m *Model) tea.Cmd {
			if !m.shows(t) {
				return nil
			}
			return t.lookAround(m)
		}
	})
}

// offers are the events that are told when they happen; others are told for as long as they hold.
var offers = map[match.Kind]rulebook.Offer{
	match.Seated: rulebook.Joins, match.Back: rulebook.Returns, match.Replaced: rulebook.Replaced, match.RematchRefused: rulebook.RefusesRematch,
	match.HintsAgreed: rulebook.AgreesToHints, match.HintsEnded: rulebook.EndsHints,
}

// aside reports whether an event is beside the game: what is picked stays picked, and a move that is on its way is.
func aside(k match.Kind) bool {
	_, told := offers[k]
	return told || k == match.Left
}

// goOn takes up an event that is beside the game.
func (t *table) goOn(m *Model, e match.Event, state match.State) {
	picker, hint := t.picker, t.hint
	t.follow(state)
	t.picker = picker
	if t.helps() {
		t.hint = hint
	} else {
		t.analysis = false
	}
	if text := t.happening(e); text != "" {
		t.news = text
	}
	if state.Phase() != match.Waiting {
		m.layers = slices.DeleteFunc(m.layers, func(l layer) bool {
			i, ok := l.page.(*invitation)
			return ok && i.table == t
		})
	}
}

// happening tells an event in which somebody comes, goes or answers.
func (t *table) happening(e match.Event) string {
	offer, ok := offers[e.Kind]
	switch {
	case !ok:
		return ""
	case e.Kind == match.HintsAgreed && t.state.HintsAllowed():
		offer = rulebook.AllowsHints
	case e.Kind == match.HintsAgreed && t.hintsAsked():
		return ""
	}
	return t.tells(offer, e.Seat)
}

// tells tells something of a seat.
func (t *table) tells(o rulebook.Offer, seat match.Seat) string {
	return rulebook.Offered(o, t.pair.seats(), digit.Side(seat), "").Long
}

// holds tells what others wait for or may do, for as long as it is so.
func (t *table) holds() string {
	seat, plays := t.mine()
	other, s := seat.Other(), t.state
	switch {
	case t.gone() || t.lost != nil && t.sent:
		return "" // the prompt tells
	case t.lost != nil:
		return rulebook.ServerLost.Long
	case s.Playing() && s.Tried > 0:
		return rulebook.Faulted(s.Setup.Rules, s.Position, t.pair.cast(), int(s.Tried), s.TriesLeft()).Long
	case !plays:
		return ""
	case s.Playing() && s.Away[other] && s.Levels[other] == "":
		return t.tells(rulebook.Goes, other) + " Space c takes it, Space k lets the computer play."
	case s.Ready[seat]:
		return t.tells(rulebook.IsReady, seat)
	case s.Ready[other]:
		return t.tells(rulebook.IsReady, other)
	case s.SeriesOver() && s.Again[other]:
		return t.tells(rulebook.AsksRematch, other) + " y plays again, n does not."
	case s.SeriesOver() && s.Again[seat]:
		return t.tells(rulebook.AsksRematch, seat)
	case t.hintsAsked():
		return t.tells(rulebook.AgreesToHints, other) + " y agrees, n does not."
	case t.Elsewhere != nil && !s.Open[other] && s.Levels[other] == "" && !t.people.Seats[other]:
		return rulebook.NotHere(t.name(other)).Long
	}
	return ""
}

// gone reports whether nothing can be played any more from here.
func (t *table) gone() bool {
	return errors.Is(t.lost, match.ErrRekeyed) || errors.Is(t.lost, match.ErrNoTable)
}

// hintsAsked reports whether the other player wants hints, and the one here has not said yet.
func (t *table) hintsAsked() bool {
	seat, plays := t.mine()
	s := t.state
	e, _ := t.at.Last(s.Seq, match.HintsAgreed)
	return plays && s.Playing() && s.Hints[seat.Other()] && s.Levels[seat.Other()] == "" && !s.Hints[seat] && e.Seq > t.declined
}

// requests returns the keys that answer what the other player wants.
func (t *table) requests(m *Model) []binding {
	seat, plays := t.mine()
	yes := func(tells string, act func(context.Context, match.Seat) (match.State, error)) binding {
		return on(func() tea.Cmd { return t.doFor(m, seat, act) }, tells, "y", "Y").ranked(moveRank)
	}
	switch s := t.state; {
	case plays && s.SeriesOver() && s.Again[seat.Other()] && !s.Again[seat]:
		return []binding{
			yes("play again", t.at.Rematch),
			on(func() tea.Cmd { return t.doFor(m, seat, t.at.RefuseRematch) }, "do not", "n", "N").ranked(moveRank),
		}
	case t.hintsAsked():
		return []binding{
			yes("agree", t.agree(true)),
			on(func() tea.Cmd { t.declined = s.Seq; return nil }, "refuse", "n", "N").ranked(moveRank),
		}
	}
	return nil
}

func (t *table) agree(yes bool) func(context.Context, match.Seat) (match.State, error) {
	return func(ctx context.Context, seat match.Seat) (match.State, error) {
		return t.at.AgreeToHints(ctx, seat, yes)
	}
}

// again returns what follows a game that is over, if that is up to somebody here, and what it is called.
func (t *table) again(m *Model) (tells string, do act) {
	seat, plays := t.mine()
	switch s := t.state; {
	case t.lesson != nil:
		return "play the computer", func() tea.Cmd { return t.next(m) }
	case t.own && !s.SeriesOver():
		return "next game", func() tea.Cmd { return t.next(m) }
	case t.own:
		return "play again", func() tea.Cmd { return t.next(m) }
	case !plays || s.Ready[seat] || s.Again[seat] || t.sent:
		return "", nil
	case !s.SeriesOver():
		return "next game", func() tea.Cmd { return t.doFor(m, seat, t.at.Next) }
	default:
		return "play again", func() tea.Cmd { return t.doFor(m, seat, t.at.Rematch) }
	}
}

// agreements returns the commands of a table that others sit at too.
func (t *table) agreements(m *Model) []binding {
	seat, plays := t.mine()
	if !plays {
		return nil
	}
	other, s := seat.Other(), t.state
	do := func(letter, tells, note string, act func(context.Context, match.Seat) (match.State, error)) binding {
		return command(func() tea.Cmd { return t.doFor(m, seat, act) }, tells, letter).noted(note)
	}
	var keys []binding
	if s.Playing() && !s.Hints[seat] {
		keys = append(keys, do("h", "ask for hints", "they are on when both agree", t.agree(true)))
	}
	if s.Playing() && s.Hints[seat] {
		keys = append(keys, do("e", "end hints", "for both of you", t.agree(false)))
	}
	if s.Playing() && s.Away[other] && s.Levels[other] == "" {
		keys = append(keys, do("c", "claim", "take the win", t.at.Claim), do("k", "computer", "it plays on for "+t.name(other), t.replace))
	}
	if s.Phase() == match.Waiting {
		keys = append(keys, command(func() tea.Cmd { m.lay(&invitation{t}); return nil }, "invite", "i").noted("the link for the other player"))
	}
	return keys
}

// replace lets the computer play on, as somebody does who knows the game a little.
func (t *table) replace(ctx context.Context, seat match.Seat) (match.State, error) {
	return t.at.Replace(ctx, seat, "casual")
}

// awaits returns what a table that others sit at too waits for, where that is not a move.
func (t *table) awaits() (p prompt, ok bool) {
	switch _, plays := t.mine(); {
	case t.own || t.look != live:
		return p, false
	case errors.Is(t.lost, match.ErrRekeyed):
		return prompt{Said: rulebook.LoggedOut}, true
	case errors.Is(t.lost, match.ErrNoTable):
		return prompt{Said: said(rulebook.NoTable.Short + ".")}, true
	case t.lost != nil && t.sent:
		return prompt{Said: rulebook.Unconfirmed}, true
	case t.state.Phase() != match.Waiting:
		return p, false
	case !plays:
		return prompt{Said: rulebook.LookingForAnybody(t.state.Setup.Rules, t.host())}, true
	case t.state.Setup.Listed:
		return prompt{Said: rulebook.WaitingForAnybody, how: "Space i shows the link."}, true
	default:
		return prompt{Said: rulebook.WaitingForFriend, how: "Space i shows the link."}, true
	}
}

// depart leaves a table that goes on: the program too, if it was begun for that table.
func (t *table) depart(m *Model) tea.Cmd {
	question, gone := "Leave the table? The game goes on, and you can come back.", func() tea.Cmd { m.home(); return nil }
	switch {
	case t.hasEngine():
		question, gone = "Leave the game? It cannot go on later: the engine was started for it.", func() tea.Cmd { return t.abandon(m) }
	case t.leaves != nil:
		gone = func() tea.Cmd {
			for m.shows(t) { // to the tables of the server
				m.pop()
			}
			return nil
		}
	case t.Elsewhere != nil:
		gone = func() tea.Cmd { return tea.Quit }
	}
	if _, plays := t.mine(); !plays || !t.state.Playing() {
		return gone()
	}
	m.lay(&confirmation{question: question, does: "Leave", no: "Stay", do: gone})
	return nil
}

// host returns the name of the player who waits.
func (t *table) host() string {
	if t.state.Open[match.One] {
		return t.name(match.Two)
	}
	return t.name(match.One)
}

// An invitation shows the link by which somebody takes the open seat, until that has happened.
type invitation struct{ table *table }

// told returns what is said above the link.
func (i *invitation) told() string {
	s := i.table.state.Setup
	if s.Listed {
		return rulebook.WaitingForAnybody.Long
	}
	told, _ := rulebook.Invitation(s.Rules, "")
	return told.Long
}

func (i *invitation) keys(m *Model) []binding {
	keys := []binding{on(func() tea.Cmd { m.pop(); return nil }, "the table", "esc", "enter", "space").ranked(staysRank)}
	if i.table.invite != "" {
		keys = append([]binding{command(func() tea.Cmd { return tea.SetClipboard(i.table.invite) }, "copy the link", "c").ranked(moveRank)}, keys...)
	}
	return append(keys, m.help())
}

func (i *invitation) draw(m *Model, c *canvas) {
	in := c.drawer(5, "Waiting for a player")
	y := in.y + c.paragraph(in.x, in.y, in.w, 2, style{}, i.told())
	x, w := in.x, in.w
	if n := textWidth(i.table.invite); n > w { // in one line if that is possible at all, so that it can be marked
		x, w = max(0, (c.w-n)/2), min(n, c.w)
	}
	c.paragraph(x, y, w, 3, style{fg: accent, bold: true}, i.table.invite)
}

func (i *invitation) say(*Model) []string {
	return []string{"Waiting for a player.", strings.TrimSpace(i.told() + " " + i.table.invite)}
}
