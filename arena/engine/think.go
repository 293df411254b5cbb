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

// solved returns a channel that is closed when the game is solved, or nil if no answer waits for
// that.
func (s *session) solved() <-chan struct{} {
	if s.job == nil || s.woken {
		return nil
	}
	return s.job.done
}

// whenSolved calls do as soon as the game is solved, or cannot be, after the calls that wait
// longer.
func (s *session) whenSolved(do func()) {
	s.prepare()
	s.waiting = append(s.waiting, do)
	if s.woken {
		s.answerWaiting()
	}
}

// prepare starts to solve the game.
func (s *session) prepare() {
	if s.job != nil {
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	j, r := &job{done: make(chan struct{}), cancel: cancel}, s.rules
	s.job = j
	go func() {
		defer close(j.done)
		j.solution, j.err = s.config.Solve(ctx, r)
	}()
}

// solution returns the solution of the game, or nil if it is not known.
func (s *session) solution() *solve.Solution {
	if !s.woken || s.job.err != nil {
		return nil
	}
	return s.job.solution
}

// wake gives the answers that waited for the game to be solved.
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

// forget gives the waiting answers, cancels solving the game, and waits for that.
func (s *session) forget() {
	s.answerWaiting()
	if s.job != nil {
		s.job.cancel()
		<-s.job.done
		s.job, s.woken = nil, false
	}
}

// finish gives the outstanding answers before the end, as well as possible in the time left.
func (s *session) finish() {
	ctx, cancel := context.WithTimeout(s.ctx, farewell)
	defer cancel()
	for s.search != nil || len(s.waiting) > 0 {
		if s.search == nil || !s.search.infinite {
			select {
			case <-s.solved():
				s.wake()
			case <-s.search.timeUp():
			case <-ctx.Done():
			}
		}
		s.answerWaiting()
		s.stop()
	}
}

// think starts to look for a move. If the game is over it answers at once.
func (s *session) think(limit Limit) {
	if s.rules.Result(s.at).Over() {
		s.say("bestmove %s", noMove)
		return
	}
	s.search = &search{
		at: s.at, infinite: limit.Infinite,
		swap: limit.Swap && (s.at == digit.Position{} || one(s.rules, s.at)),
	}
	s.prepare()
	if limit.Infinite {
		return
	}
	if s.woken {
		s.answer()
		return
	}
	if t := ownTime(limit, s.rules.Turn(s.at)); t > 0 {
		s.search.timer = time.NewTimer(t)
	}
}

// ownTime returns the maximum time for a move, so that the answer is in time; 0 for no limit.
func ownTime(limit Limit, turn digit.Side) time.Duration {
	t := limit.MoveTime
	if left := limit.Clock[turn]; left > 0 && (t == 0 || left/4 < t) {
		t = left / 4
	}
	return t - min(t/4, 50*time.Millisecond)
}

// atOnce is how much longer a stopped search may take. Most games are solved by then.
const atOnce = 50 * time.Millisecond

// stop answers the current search with what is known.
func (s *session) stop() {
	asked := s.search
	if asked == nil {
		return
	}
	if !s.woken {
		select {
		case <-s.job.done:
			s.wake()
		case <-time.After(atOnce):
		}
	}
	if s.search == asked {
		s.answer()
	}
}

// answer answers the search, and then handles the held commands.
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

// choose writes the move for a position. Swap says whether the first move may be taken over.
func (s *session) choose(at digit.Position, swap bool) {
	solution := s.solution()
	if solution == nil {
		s.say("bestmove %v", s.guess(at))
		return
	}
	if s.bot == nil {
		s.bot = bot.New(s.level, solution, s.config.Rand)
	}
	m := s.bot.Choose(at)
	if swap {
		if m, swap = s.bot.Swap(at); swap {
			s.say("bestmove %s", takeOver)
			return
		}
	}
	if s.level == bot.Perfect() { // the others do not know the value of their move
		choice := solution.Choice(at, m)
		line := append([]digit.Move{m}, solution.Line(choice.Next)...)
		s.say("info score %s pv %s", valueText(choice.Value), movesText(line))
	}
	s.say("bestmove %v", m)
}

// guess returns a move that wins at once, or else a random one. It needs no solution.
func (s *session) guess(at digit.Position) digit.Move {
	for m := range s.rules.Moves(at) {
		next, _ := s.rules.Play(at, m) // the move is legal
		if winner, ok := s.rules.Result(next).Winner(); ok && winner == s.rules.Turn(at) {
			return m
		}
	}
	m, _ := s.rules.Pick(at, s.config.Rand.IntN) // the game is not over
	return m
}

// movesText returns moves with spaces between them.
func movesText(moves []digit.Move) string { return strings.Trim(fmt.Sprint(moves), "[]") }

// valueText returns a value in the words of the protocol.
func valueText(v solve.Value) string {
	if v.Outcome == solve.Draw {
		return "draw"
	}
	return fmt.Sprintf("%v %d", v.Outcome, v.Plies)
}
