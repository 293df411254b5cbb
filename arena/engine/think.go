package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/solve"
)

// solved returns what tells that the game is solved; nil if nothing waits for that.
func (s *session) solved() <-chan struct{} {
	if s.job == nil || s.woken {
		return nil
	}
	return s.job.done
}

// whenSolved does something as soon as the game is solved, or turns out not to be, after what has waited for longer.
func (s *session) whenSolved(do func()) {
	s.prepare()
	s.waiting = append(s.waiting, do)
	switch {
	case !s.isSolved():
	case s.woken:
		s.answerWaiting()
	default:
		s.wake()
	}
}

// prepare begins to solve the game.
func (s *session) prepare() {
	if s.job != nil {
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	j, r := &job{done: make(chan struct{}), cancel: cancel}, s.rules
	s.job, s.woken = j, false
	go func() {
		defer close(j.done)
		j.solution, j.err = s.config.Solve(ctx, r)
	}()
}

func (s *session) isSolved() bool {
	if s.job == nil {
		return false
	}
	select {
	case <-s.job.done:
		return true
	default:
		return false
	}
}

// wake answers what has waited for the game to be solved.
func (s *session) wake() {
	s.woken = true
	if s.job.err != nil {
		s.say("info string %v", s.job.err)
	}
	s.answerWaiting()
	if s.search != nil && !s.search.infinite {
		s.answer()
	}
}

func (s *session) answerWaiting() {
	for _, do := range s.waiting {
		do()
	}
	s.waiting = nil
}

// forget answers what is waited for, gives up solving the game, and waits for that.
func (s *session) forget() {
	s.answerWaiting()
	if s.job != nil {
		s.job.cancel()
		<-s.job.done
		s.job = nil
	}
}

// finish answers what was asked before the end, as well as can be in the time there is for that.
func (s *session) finish() {
	ctx, cancel := context.WithTimeout(s.ctx, farewell)
	defer cancel()
	for s.search != nil || len(s.waiting) > 0 {
		if s.search == nil || !s.search.infinite {
			select {
			case <-s.job.done:
			case <-s.search.timeUp():
			case <-ctx.Done():
			}
		}
		if s.isSolved() && !s.woken {
			s.wake()
		}
		s.answerWaiting()
		s.stop()
	}
}

// think begins to look for a move. Where the game is over there is none to wait for.
func (s *session) think(limit Limit) {
	if s.rules.Result(s.at).Over() {
		s.say("bestmove %s", noMove)
		return
	}
	s.search = &search{at: s.at, infinite: limit.Infinite, swap: limit.Swap && (s.at == digit.Position{} || one(s.rules, s.at))}
	s.prepare()
	if limit.Infinite {
		return
	}
	if s.isSolved() {
		if s.woken {
			s.answer()
		} else { // something may have waited for longer
			s.wake()
		}
		return
	}
	if t := ownTime(limit, s.rules.Turn(s.at)); t > 0 {
		s.search.timer = time.NewTimer(t)
	}
}

// ownTime returns how long the engine takes over a move at the most, so that the answer is there in time; 0: as long as it needs.
func ownTime(limit Limit, turn digit.Side) time.Duration {
	t := limit.MoveTime
	if left := limit.Clock[turn]; left > 0 && (t == 0 || left/4 < t) {
		t = left / 4
	}
	return t - min(t/4, 50*time.Millisecond)
}

// atOnce is how much longer a search may take that is stopped. Most games are solved by then.
const atOnce = 50 * time.Millisecond

// stop answers a search that is under way with what is known by now.
func (s *session) stop() {
	asked := s.search
	if asked == nil {
		return
	}
	select {
	case <-s.job.done:
	case <-time.After(atOnce):
	}
	if s.isSolved() && !s.woken {
		s.wake()
	}
	if s.search == asked {
		s.answer()
	}
}

// answer answers the search, and does what was to be done after it.
func (s *session) answer() {
	s.endSearch()
	for len(s.held) > 0 && (s.search == nil || s.search.infinite) {
		c := s.held[0]
		s.held = s.held[1:]
		if s.search != nil && c.Verb != "query" {
			s.endSearch()
		}
		s.do(c)
	}
}

// endSearch answers the search.
func (s *session) endSearch() {
	at, swap := s.search.at, s.search.swap
	if s.search.timer != nil {
		s.search.timer.Stop()
	}
	s.search = nil
	s.choose(at, swap)
}

// choose says what it plays in a position, where the first move may be taken over or not.
func (s *session) choose(at digit.Position, swap bool) {
	if !s.isSolved() || s.job.err != nil {
		s.say("bestmove %v", s.guess(at))
		return
	}
	if s.bot == nil {
		s.bot = bot.New(s.level, s.job.solution, s.config.Rand)
	}
	m := s.bot.Choose(at)
	if swap {
		if m, swap = s.bot.Swap(at); swap {
			s.say("bestmove %s", takeOver)
			return
		}
	}
	if s.level == bot.Perfect() { // the others do not know what their move is worth
		s.say("info score %s pv %s", valueText(s.job.solution.Choice(at, m).Value), s.line(at, m))
	}
	s.say("bestmove %v", m)
}

// guess returns a move that wins at once, or else any move, for who does not know better.
func (s *session) guess(at digit.Position) digit.Move {
	for m := range s.rules.Moves(at) {
		next, err := s.rules.Play(at, m)
		if winner, ok := s.rules.Result(next).Winner(); err == nil && ok && winner == s.rules.Turn(at) {
			return m
		}
	}
	m, _ := s.rules.Pick(at, s.config.Rand.IntN) // the game goes on
	return m
}

// line returns a move and how the game goes on after it if both play as well as can be.
func (s *session) line(at digit.Position, m digit.Move) string {
	var b strings.Builder
	b.WriteString(m.String())
	if next, err := s.rules.Play(at, m); err == nil {
		for _, m := range s.job.solution.Line(next) {
			b.WriteString(" " + m.String())
		}
	}
	return b.String()
}

// value returns what a position is worth to the side to move, if that is known.
func (s *session) value(at digit.Position) string {
	if !s.isSolved() || s.job.err != nil {
		return unknown
	}
	return valueText(s.job.solution.Value(at))
}

// valueText returns a value in the words of the protocol.
func valueText(v solve.Value) string {
	if v.Outcome == solve.Draw {
		return "draw"
	}
	return fmt.Sprintf("%v %d", v.Outcome, v.Plies)
}
