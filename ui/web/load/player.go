package load

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"digitduel/digit"
)

// A player follows the stream of a table, checks it against the rules and, with a token, plays.
type player struct {
	table  *table
	name   string // for errors
	token  string // of a seat; empty: a watcher
	side   digit.Side
	ask    *conn
	stream *stream
	rng    *rand.Rand
	first  bool // before its first move

	seq      int // of the last event seen
	game     int // counted from 1
	playing  bool
	position digit.Position
	moves    []digit.Move   // of this game
	seen     []numberedMove // all moves at this table
}

// A numberedMove is a move with the number of its event.
type numberedMove struct {
	seq  int
	move digit.Move
}

// play follows the table until its last game is over.
func (p *player) play() error {
	r := p.table.run
	for {
		e, err := p.stream.next(r.Patience + 2*r.Think)
		now := time.Now()
		if err != nil {
			return fmt.Errorf("%s after event %d: %w", p.name, p.seq, err)
		}
		if err := p.follow(e, now); err != nil {
			return fmt.Errorf("%s, event %d: %w", p.name, e.Seq, err)
		}
		switch {
		case p.endedBy(e):
			if !p.table.hasNext(p.game) {
				return nil
			}
			if err := p.act("next"); err != nil {
				return err
			}
		case p.mayMove(e):
			if err := p.turn(); err != nil {
				return err
			}
		}
	}
}

// mayMove reports whether the player is to move after an event.
func (p *player) mayMove(e event) bool {
	return p.token != "" && p.playing && e.Turn == p.side.String() &&
		(e.Kind == "moved" || e.Kind == "began")
}

// follow checks and applies an event that arrived now.
func (p *player) follow(e event, now time.Time) error {
	switch {
	case e.Seq <= p.seq:
		return faultf(Repeat, "the event was sent before")
	case e.Seq > p.seq+1:
		return faultf(Gap, "the last one was %d", p.seq)
	}
	p.seq = e.Seq
	switch e.Kind {
	case "began":
		if p.game++; p.game > 1 {
			p.side = p.side.Other() // the start alternates
		}
		p.playing, p.position, p.moves = true, digit.Position{}, p.moves[:0]
	case "moved":
		if err := p.followMove(e, now); err != nil {
			return err
		}
	}
	rules := &p.table.run.Rules
	if text := rules.Text(p.position); p.game > 0 && text != e.Position {
		return faultf(Mismatch, "the position is %q; by the rules it is %s", e.Position, text)
	}
	return nil
}

func (p *player) followMove(e event, now time.Time) error {
	r := p.table.run
	m, err := digit.ParseMove(e.Move)
	if err != nil {
		return faultf(Mismatch, "%w", err)
	}
	mover := r.Rules.Turn(p.position)
	if e.Side != mover.String() || !p.playing {
		return faultf(Mismatch, "the %q side moved out of turn", e.Side)
	}
	if p.position, err = r.Rules.Play(p.position, m); err != nil {
		return faultf(Mismatch, "%w", err)
	}
	if want := r.Rules.Result(p.position); e.Result != want.String() {
		return faultf(Mismatch, "the result is %q; by the rules it is %v", e.Result, want)
	}
	p.moves, p.seen = append(p.moves, m), append(p.seen, numberedMove{e.Seq, m})
	if p.token != "" && mover != p.side {
		r.record(&r.seen, now.Sub(p.table.sent()))
	}
	return nil
}

// endedBy reports whether an event ended the game, and records it.
func (p *player) endedBy(e event) bool {
	ended := p.playing && e.Result != digit.Result{}.String()
	p.playing = p.playing && !ended
	return ended
}

// An answer is the server's answer to an act.
type answer struct {
	Seq      int    `json:"seq"`
	Position string `json:"position"`
}

// turn thinks and plays a move. When time is up it resigns instead, which ends the game for
// everyone at the table.
func (p *player) turn() error {
	r := p.table.run
	if !p.think() {
		return p.act("resign")
	}
	m, _ := r.Rules.Pick(p.position, p.rng.IntN) // a game under way has a move
	began := time.Now()
	p.table.send(began)
	var a answer
	body := fmt.Appendf(nil, `{"move":"%v","seq":%d}`, m, p.seq)
	if err := p.post("/moves", body, &a); err != nil {
		return fmt.Errorf("%s, move %v: %w", p.name, m, err)
	}
	r.record(&r.answered, time.Since(began))
	r.moves.Add(1)
	after, err := r.Rules.Play(p.position, m)
	if text := r.Rules.Text(after); err != nil || a.Seq != p.seq+1 || a.Position != text {
		return faultf(Mismatch, "%s, move %v after event %d is answered by event %d and %q; "+
			"by the rules it is %s", p.name, m, p.seq, a.Seq, a.Position, text)
	}
	p.table.acknowledge(numberedMove{a.Seq, m})
	return nil
}

// think waits for the player's time for a move, and reports whether there is still time to play it.
// The first wait may be short, so that the players of a run do not move in step.
func (p *player) think() bool {
	r := p.table.run
	part := 0.5 + p.rng.Float64()
	if p.first {
		p.first, part = false, part-0.5
	}
	timer := time.NewTimer(time.Duration(part * float64(r.Think)))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.stop:
	}
	return !r.stopped()
}

// act performs an act other than a move.
func (p *player) act(what string) error {
	if p.token == "" {
		return nil
	}
	var a answer
	if err := p.post("/acts", fmt.Appendf(nil, `{"act":%q}`, what), &a); err != nil {
		return fmt.Errorf("%s, %s: %w", p.name, what, err)
	}
	if a.Seq <= p.seq {
		return faultf(Mismatch, "%s, %s after event %d is answered by event %d",
			p.name, what, p.seq, a.Seq)
	}
	return nil
}

func (p *player) post(path string, body []byte, a *answer) error {
	return p.ask.call(p.table.run.Patience, "POST", p.table.path+path, p.token, body, 200, a)
}

// check compares the moves in the stream with those that were acknowledged.
func (p *player) check(acknowledged []numberedMove) error {
	for _, a := range acknowledged {
		if !slices.Contains(p.seen, a) {
			return faultf(Unseen, "%s: %v was acknowledged as event %d and not sent",
				p.name, a.move, a.seq)
		}
	}
	if len(p.seen) > len(acknowledged) {
		return faultf(Stray, "%s: %d moves were sent and %d acknowledged",
			p.name, len(p.seen), len(acknowledged))
	}
	return nil
}
