package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"digitduel/digit"
)

// An Act is something that a player does besides moving. Its text is its name in the API, and
// [Act.Does] describes it.
type Act string

const (
	Resign        Act = "resign"
	Swap          Act = "swap"
	Undo          Act = "undo"
	AgreeUndo     Act = "agree-undo"
	RefuseUndo    Act = "refuse-undo"
	WithdrawUndo  Act = "withdraw-undo"
	Next          Act = "next"
	Rematch       Act = "rematch"
	RefuseRematch Act = "refuse-rematch"
	Claim         Act = "claim"
	Replace       Act = "replace"
	Publish       Act = "publish"
	AgreeHints    Act = "hints"
	EndHints      Act = "no-hints"
)

// An actRule describes an act.
type actRule struct {
	Act
	makes Kind   // the kind of event that belongs to it alone
	does  string // a phrase for the API
	// choose returns its event in a state; nil: an event of that kind for the seat.
	choose func(s State, seat Seat) (Event, error)
}

// acts has one rule for each act.
var acts = []actRule{
	{Resign, Resigned, "give up the game", nil},
	{Swap, Swapped, "take over the first move, where that was agreed", nil},
	{Undo, UndoAsked, "ask to take back your last move and what followed it, or agree when the " +
		"other player asks; the computer agrees", func(s State, seat Seat) (Event, error) {
		switch {
		case s.Asking && s.Asker != seat:
			return Event{Kind: Undone, Seat: s.Asker}, nil
		case s.Setup.FreeUndo:
			return Event{Kind: Undone, Seat: seat}, nil
		default:
			return Event{Kind: UndoAsked, Seat: seat}, nil
		}
	}},
	{AgreeUndo, Undone, "agree when the other player asks, and never ask", func(
		s State, seat Seat,
	) (Event, error) {
		if !s.asksUndo(seat.Other()) {
			return Event{}, ErrNotAsked
		}
		return Event{Kind: Undone, Seat: s.Asker}, nil
	}},
	{RefuseUndo, UndoRefused, "decline when the other player asks", nil},
	{WithdrawUndo, UndoWithdrawn, "no longer ask; your next move withdraws the request too", nil},
	// The next game begins at once, unless a person on the other seat may still be looking at the
	// last one: then it begins when both are ready, or after the [Countdown].
	{Next, Ready, "be ready for the next game of the series, which begins when both players are, " +
		"or 30 seconds after one is", func(s State, seat Seat) (Event, error) {
		switch other := seat.Other(); {
		case s.Phase() != Between || s.Game == 0 || s.Levels[other] != "" || s.Ready[other]:
			return Event{Kind: Began}, nil
		case s.Ready[seat]:
			return Event{}, errMoot
		default:
			return Event{Kind: Ready, Seat: seat}, nil
		}
	}},
	{Rematch, RematchAsked, "want another series, or agree to one, which begins it", nil},
	{RefuseRematch, RematchRefused, "decline another series", nil},
	{Claim, Claimed, "take the win because the other player has left", nil},
	{Replace, Replaced, "let the computer continue, at a level, for the other player, who has " +
		"left", func(_ State, seat Seat) (Event, error) {
		return Event{Kind: Replaced, Seat: seat.Other()}, nil
	}},
	{Publish, Published, "let anyone find the games played so far at a table that is not listed; " +
		"they are public when every person there does", nil},
	{AgreeHints, HintsAgreed, "agree to hints, which are allowed when every person at the table " +
		"agrees", nil},
	{EndHints, HintsEnded, "no longer agree to hints", nil},
}

// Acts returns all acts.
func Acts() []Act {
	all := make([]Act, len(acts))
	for i, a := range acts {
		all[i] = a.Act
	}
	return all
}

// rule returns the rule of an act; ok is false if there is no such act.
func (a Act) rule() (r actRule, ok bool) {
	i := slices.IndexFunc(acts, func(r actRule) bool { return r.Act == a })
	if i < 0 {
		return actRule{}, false
	}
	return acts[i], true
}

// Does describes an act in a phrase, or returns "" if there is no such act.
func (a Act) Does() string {
	r, _ := a.rule()
	return r.does
}

// InGame reports whether an act needs a game under way.
func (a Act) InGame() bool {
	r, _ := a.rule()
	return r.makes.InGame()
}

// ActOf returns the act that makes events of kind k; ok is false if none does.
func ActOf(k Kind) (a Act, ok bool) {
	for _, a := range acts {
		if a.makes == k || a.Act == Next && k == Began {
			return a.Act, true
		}
	}
	return "", false
}

// Check returns an error if a is not a known act.
func (a Act) Check() error {
	if _, ok := a.rule(); ok {
		return nil
	}
	var allowed []string
	for _, r := range acts {
		allowed = append(allowed, string(r.Act))
	}
	return fmt.Errorf("act %q: allowed: %s", string(a), strings.Join(allowed, ", "))
}

// event returns the event that performs a for a seat. Only [Replace] needs a level.
func (a Act) event(s State, seat Seat, level string) (e Event, err error) {
	r, ok := a.rule()
	if !ok {
		return e, a.Check()
	}
	e = Event{Kind: r.makes, Seat: seat}
	if r.choose != nil {
		e, err = r.choose(s, seat)
	}
	if e.Kind == Replaced {
		e.Level = level
	}
	return e, err
}

// May reports whether a table in state s accepts a from a seat.
func (a Act) May(s State, seat Seat) bool {
	e, err := a.event(s, seat, "any")
	if err == nil {
		e.Seq = s.Seq + 1
		_, err = s.Apply(e)
	}
	return err == nil
}

// Do performs an act for a seat. Level is the level of the computer in [Replace]. A [Rematch] that
// all players want begins at once; an act that has already been done changes nothing.
func (t *Table) Do(ctx context.Context, seat Seat, act Act, level string) (State, error) {
	s, err := t.act(ctx, func(s State) (Event, error) { return act.event(s, seat, level) })
	if act != Rematch || err != nil && !errors.Is(err, ErrAsked) || !s.rematch() {
		return s, err // or all have asked before it could begin
	}
	if s, err = t.Begin(ctx); errors.Is(err, ErrUnderWay) { // another player began it
		err = nil
	}
	return s, err
}

// Begin starts the first or next game of the series.
func (t *Table) Begin(ctx context.Context) (State, error) {
	return t.record(ctx, Event{Kind: Began})
}

// Play plays a move for a seat. It returns a [*digit.MoveError] for a move that the rules refuse;
// if the player is a program and it is its turn, that also counts as an [Illegal] fault, and the
// returned state includes it.
//
// Seen is the number of the last event the player has seen, or 0 to play in any case. A move made
// for another state returns [ErrStale]. A move that was already played right after that event
// returns the same answer again, so a player who missed the answer can retry.
func (t *Table) Play(ctx context.Context, seat Seat, m digit.Move, seen int) (State, error) {
	return t.play(ctx, seat, m, seen, func(now State) bool { return seen == now.Seq })
}

// PlayAfter plays a move that a person chose after event number seen. It is like [Table.Play], but
// accepts the move if no later event matters to it: the opponent may have left since.
func (t *Table) PlayAfter(ctx context.Context, seat Seat, m digit.Move, seen int) (State, error) {
	return t.play(ctx, seat, m, seen, func(State) bool {
		t.mu.Lock()
		defer t.mu.Unlock()
		return t.log.fits(seen)
	})
}

// play plays a move, if it fits the state or seen is 0.
func (t *Table) play(
	ctx context.Context, seat Seat, m digit.Move, seen int, fits func(State) bool,
) (State, error) {
	var illegal error // the reason, if a program's move is illegal
	again := false
	s, err := t.act(ctx, func(s State) (Event, error) {
		if seen != 0 && !fits(s) {
			if again = t.alreadyPlayed(seat, m, seen); again {
				return Event{}, errMoot
			}
			return Event{}, ErrStale
		}
		if s.Playing() && s.Turn() == seat {
			if out, err := t.overdue(ctx); err != nil {
				return Event{}, err
			} else if out {
				return Event{}, ErrTimeout // the clock is about to record it
			}
		}
		m := s.withCall(m)
		if illegal = t.illegalMove(s, seat, m); illegal != nil {
			return Event{Kind: Faulted, Seat: seat, Fault: Illegal}, nil
		}
		return Event{Kind: Moved, Seat: seat, Move: &m}, nil
	})
	if again && err == nil {
		steps, _ := t.Since(seen)
		return steps[0].After, nil
	}
	return s, cmp.Or(err, illegal)
}

// illegalMove returns the rule that a program's move breaks, or nil. For a table kept elsewhere the
// referee decides.
func (t *Table) illegalMove(s State, seat Seat, m digit.Move) error {
	if t.follows || !s.Playing() || s.Turn() != seat || !s.Setup.IsAgent(seat) {
		return nil
	}
	_, err := s.Setup.Rules.Play(s.Position, m)
	return err
}

// Fault records that the program on a seat, whose turn it is, did not answer with a legal move. Use
// it for [Unreadable] answers: [Table.Play] records [Illegal] ones. A program without tries left
// loses the game.
func (t *Table) Fault(ctx context.Context, seat Seat, fault Fault) (State, error) {
	return t.record(ctx, Event{Kind: Faulted, Seat: seat, Fault: fault})
}

// alreadyPlayed reports whether the event after number seen is this very move of the seat.
func (t *Table) alreadyPlayed(seat Seat, m digit.Move, seen int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if seen < 0 || seen >= len(t.log.events) {
		return false
	}
	e := t.log.events[seen]
	if e.Kind != Moved || e.Seat != seat || e.Auto {
		return false
	}
	return *e.Move == m || t.log.now.Setup.AutoCall && e.Move.Uncalled() == m
}

// Pick records that the player to move has picked a digit but not yet its place or call. Seen is
// the number of the last event the player has seen. If time runs out, the random move uses that
// digit.
func (t *Table) Pick(seat Seat, d digit.Digit, seen int) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.log.now
	switch {
	case !t.log.fits(seen):
		return ErrStale
	case !s.Playing() || s.Turn() != seat:
		return ErrTurn
	}
	if spots := s.Setup.Rules.Spots(s.Position, d); len(spots) == 0 {
		_, err := s.Setup.Rules.Play(s.Position, digit.Move{Digit: d, Spot: digit.Right})
		return err
	}
	t.picked = pick{seen, d}
	return nil
}

// PutBack cancels the pick of a player who has seen the events up to number seen.
func (t *Table) PutBack(seen int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.picked.seq <= seen {
		t.picked = pick{}
	}
}

// withCall returns m with the call that the table makes for the player, if it makes one.
func (s State) withCall(m digit.Move) digit.Move {
	r := s.Setup.Rules
	if s.Setup.AutoCall && !m.Calls() && r.MayCall(s.Position) &&
		r.Left(s.Position).Has(m.Digit) {
		m.Call = r.HighestMultiple(r.Held(s.Position, r.Turn(s.Position)) | digit.PoolOf(m.Digit))
	}
	return m
}

// Sit takes an open seat for a person. An empty name keeps the name of the setup. From then on the
// seat belongs to the holder of the token with this seal. Sitting down again with the same seal
// changes nothing, so a player who missed the answer can retry.
func (t *Table) Sit(ctx context.Context, seat Seat, name, seal string) (State, error) {
	return t.act(ctx, func(s State) (Event, error) {
		if seal != "" && !s.Open[seat] && s.Setup.Seals[seat] == seal {
			return Event{}, errMoot
		}
		return Event{Kind: Seated, Seat: seat, Name: name, Seal: seal}, nil
	})
}

// Rekey replaces the token of a seat by the token with this seal.
func (t *Table) Rekey(ctx context.Context, seat Seat, seal string) (State, error) {
	return t.record(ctx, Event{Kind: Rekeyed, Seat: seat, Seal: seal})
}

// Relocate does the same for the holder of a one-time token, which must still be for the seat.
func (t *Table) Relocate(
	ctx context.Context, keys Keys, token string, seat Seat, seal string,
) (State, error) {
	return t.act(ctx, func(s State) (Event, error) {
		if is, ok := keys.Linked(t.id, s, token); !ok || is != seat {
			return Event{}, ErrRekeyed
		}
		return Event{Kind: Rekeyed, Seat: seat, Seal: seal}, nil
	})
}

// Arrive records that the player on a seat, for whom the clock waits, is here.
func (t *Table) Arrive(ctx context.Context, seat Seat) (State, error) {
	return t.record(ctx, Event{Kind: Arrived, Seat: seat})
}

// Leave records that the player on a seat has left.
func (t *Table) Leave(ctx context.Context, seat Seat) (State, error) {
	return t.record(ctx, Event{Kind: Left, Seat: seat})
}

// Return records that the player on a seat, who had left, is back.
func (t *Table) Return(ctx context.Context, seat Seat) (State, error) {
	return t.record(ctx, Event{Kind: Back, Seat: seat})
}
