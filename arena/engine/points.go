package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"digitduel/digit"
	"digitduel/solve"
)

const (
	quick     = 20 * time.Millisecond // time for each of many moves
	fewPlaces = 100                   // positions for queries
	mostLate  = 3                     // late moves after which the rest of many moves is skipped
	// tries is the number of attempts if a move is late, because this machine may be busy.
	tries      = 4
	longLength = 60 << 10
)

var (
	brief   = Limit{MoveTime: 100 * time.Millisecond}
	thinkOn = []string{atStart, "go infinite"} // starts thinking without a limit
)

// firstMove checks that any move is answered.
func (c *checker) firstMove(p *Process) (string, error) {
	a, err := p.Choose(c.ctx, digit.Position{}, nil, Limit{MoveTime: time.Second})
	err = p.buffers(unless(err, Unreadable, Illegal, Late))
	return fmt.Sprintf("%.40s after %v", a.Text, a.Took.Round(time.Millisecond)), err
}

// readyWhileThinking checks that isready is answered during a search.
func (c *checker) readyWhileThinking(p *Process) (string, error) {
	err := p.ready(c.ctx, thinkOn...)
	p.send("stop")
	return "", err
}

// stopAnswered checks that a move is sent at once after stop, and not before.
func (c *checker) stopAnswered(p *Process) (string, error) {
	p.send(thinkOn...)
	_, late, err := p.await(c.ctx, "bestmove", cmp.Or(c.config.Early, time.Second/10))
	if err == nil && !late {
		err = errors.New("a move before stop: go infinite is answered after stop")
	}
	if err != nil {
		return "", err
	}
	p.send("stop")
	began := time.Now()
	_, late, err = p.await(c.ctx, "bestmove", p.config.Wait)
	took := time.Since(began)
	switch {
	case err != nil:
		return "", err
	case late:
		return "", p.fault(Silent, "no move within %v of stop", p.config.Wait)
	case took > lastWait+p.config.Margin:
		return "", p.fault(Late, "a move %v after stop: a second is allowed",
			took.Round(time.Millisecond))
	}
	err = p.ready(c.ctx, "stop") // this stop is not answered
	return fmt.Sprintf("after %v", took.Round(time.Millisecond)), err
}

// places returns n random positions of all rules, half of them finished if wanted.
func (c *checker) places(n int, finished bool) (places []place) {
	for i := range n {
		r, over := c.rules[i*len(c.rules)/n], finished && i%2 == 0
		places = append(places, c.draw(r, over, digit.Side(i/2%2)))
	}
	return places
}

// inEach calls do in each of some positions, after setting their rules.
func (c *checker) inEach(p *Process, places []place, do func(place) error) error {
	var rules digit.Rules
	for _, at := range places {
		if at.rules != rules {
			if err := c.newGame(p, at.rules); err != nil {
				return err
			}
			rules = at.rules
		}
		if err := do(at); err != nil {
			return err
		}
	}
	return nil
}

// positions checks the text and the legal moves of positions given by moves, by text, and by
// both.
func (c *checker) positions(p *Process) (string, error) {
	places := c.places(fewPlaces, false)
	return fmt.Sprintf("%d positions", len(places)), c.inEach(p, places, func(at place) error {
		for _, position := range []string{at.byMoves(), at.byText(), at.byBoth()} {
			err := c.wants(p, at, []string{atStart, position}, "fen", "legal")
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// results checks the results of positions. An engine need not know the value of a position.
func (c *checker) results(p *Process) (string, error) {
	places := c.places(fewPlaces, true)
	c.values = 0
	err := c.inEach(p, places, func(at place) error {
		if err := c.solve(at.rules, solve.DefaultBudget); err != nil {
			return err
		}
		return c.wants(p, at, []string{at.byText()}, "gameover", "result", "p1turn", "value")
	})
	return fmt.Sprintf("%d positions, and the value of %d of them", len(places), c.values), err
}

// everyMove checks that moves are legal for both sides. Another point checks that they are in
// time.
func (c *checker) everyMove(p *Process) (string, error) {
	places := c.places(c.config.Positions, false)
	tried, late := 0, 0
	err := c.inEach(p, places, func(at place) error {
		if late == mostLate {
			return errSkipped
		}
		tried++
		err := c.chooseInTime(p, at, tried%4 < 2, Limit{MoveTime: quick})
		if FaultOf(err) == Late {
			late++
			c.late, c.lateTalk = err, slices.Clone(p.Dialogue())
			return nil
		}
		if err != nil {
			return fmt.Errorf("position %d of %d, %v: %w", tried, len(places), at.rules, bare(err))
		}
		return nil
	})
	if errors.Is(err, errSkipped) {
		return fmt.Sprintf("it was late %d times in %d positions", late, tried), err
	}
	return fmt.Sprintf("%d positions of %s", tried, rulesList(c.rules)), err
}

// unless returns err, or nil if it is a fault of a kind that another point checks.
func unless(err error, kinds ...Fault) error {
	if slices.Contains(kinds, FaultOf(err)) {
		return nil
	}
	return err
}

// choose checks that a move is legal, and that nothing follows it.
func (c *checker) choose(p *Process, at place, byText bool, limit Limit) error {
	start, moves := digit.Position{}, at.moves
	if byText {
		start, moves = at.at, nil
	}
	a, err := p.Choose(c.ctx, start, moves, limit)
	if err != nil {
		return err
	}
	if len(strings.Fields(a.Text)) > 1 {
		return p.fault(Unreadable,
			"bestmove %.80s: want bestmove MOVE and nothing after it", a.Text)
	}
	return p.ready(c.ctx)
}

// chooseInTime is like choose, but asks again after a late move.
func (c *checker) chooseInTime(p *Process, at place, byText bool, limit Limit) (err error) {
	for range tries {
		if err = c.choose(p, at, byText, limit); FaultOf(err) != Late {
			break
		}
	}
	return err
}

func rulesList(rules []digit.Rules) string {
	var texts []string
	for _, r := range rules {
		texts = append(texts, r.String())
	}
	return strings.Join(texts, ", ")
}

// timeKept checks that moves are within a time for the move and within a clock, for both sides.
func (c *checker) timeKept(p *Process) (string, error) {
	clock := Limit{Clock: [2]time.Duration{time.Second, time.Second}}
	limits := []Limit{{MoveTime: 50 * time.Millisecond}, {MoveTime: 300 * time.Millisecond}, clock}
	for i, limit := range limits {
		for _, side := range []digit.Side{digit.First, digit.Second} {
			at := c.draw(c.rules[0], false, side)
			err := c.chooseInTime(p, at, i%2 == 0, limit)
			if err := unless(err, Unreadable, Illegal); err != nil {
				return "", err
			}
		}
	}
	if c.late != nil {
		p.talk = c.lateTalk
	}
	return "", c.late
}

// finishedGame checks that an engine answers that there is no move.
func (c *checker) finishedGame(p *Process) (string, error) {
	var places []place
	for _, r := range c.rules {
		places = append(places, c.draw(r, true, digit.First))
	}
	return "", c.inEach(p, places, func(at place) error {
		for _, byText := range []bool{true, false} {
			err := c.choose(p, at, byText, brief)
			if unless(err, Late) != nil {
				return fmt.Errorf("want bestmove %s in %s of %v, which is over: %w",
					noMove, at.rules.Text(at.at), at.rules, bare(err))
			}
		}
		p.send("go infinite", "stop")
		got, err := p.reply(c.ctx, "bestmove")
		if err == nil && got != noMove {
			err = fmt.Errorf("go infinite: bestmove %.40q in %s of %v, which is over",
				got, at.rules.Text(at.at), at.rules)
		}
		return err
	})
}

// refused checks that an engine still answers when its answer is refused.
func (c *checker) refused(p *Process) (string, error) {
	at := c.draw(c.rules[0], false, digit.Second)
	for range 2 {
		err := c.choose(p, at, false, brief)
		if err := unless(err, Unreadable, Illegal, Late); err != nil {
			return "", err
		}
		p.refuse("the move is not legal")
	}
	return "", nil
}

// crlf checks that lines may end with CRLF.
func (c *checker) crlf(p *Process) (string, error) {
	p.newline = "\r\n"
	at := c.draw(c.rules[0], false, digit.Second)
	return "", c.inEach(p, []place{at}, func(at place) error {
		if err := c.understands(p, at); err != nil {
			return err
		}
		err := c.choose(p, at, true, brief)
		return unless(err, Unreadable, Illegal, Late)
	})
}

// understands checks that a position is read correctly. In words it asks for a move there,
// because there are no queries.
func (c *checker) understands(p *Process, at place) error {
	if c.config.Words != nil {
		err := c.choose(p, at, false, brief)
		return unless(err, Late)
	}
	return c.wants(p, at, []string{at.byMoves()}, "fen")
}

// longLine sends a long unknown line. An engine that splits it quits.
func (c *checker) longLine(p *Process) (string, error) {
	// Wherever the line is cut, the next word is quit.
	words := strings.Repeat(strings.Repeat(" ", 16)+"quit", longLength/20)
	p.note(fmt.Sprintf("> comment quit quit quit … (%d bytes)", len("comment"+words)))
	p.queue("comment" + words + "\n")
	return "", c.understands(p, c.draw(c.rules[0], false, digit.Second))
}

// endOfInput checks that the engine ends when its input does, even while thinking.
func (c *checker) endOfInput(p *Process) (string, error) {
	if err := p.ready(c.ctx, thinkOn...); err != nil {
		return "", err
	}
	if !p.end(lastWait + p.config.Margin) {
		return "", fmt.Errorf("it still runs %v after its input ended", lastWait+p.config.Margin)
	}
	return "", nil
}

// quits checks that the engine ends after quit.
func (c *checker) quits(p *Process) (string, error) {
	p.send("quit")
	if !p.ends(lastWait + p.config.Margin) {
		return "", fmt.Errorf("it still runs %v after quit", lastWait+p.config.Margin)
	}
	return "", nil
}
