package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"digitduel/digit"
	"digitduel/solve"
)

const (
	quick      = 20 * time.Millisecond // for each of many moves
	fewPlaces  = 100                   // in which all queries are asked
	mostLate   = 3                     // after which the rest of many moves is not waited for
	tries      = 4                     // of who is late, since it may be this machine that is busy
	longLength = 60 << 10
)

// infinite begins to think without end in the first of the rules.
func (c *checker) infinite(p *Process) error {
	err := c.newGame(p, c.rules[0])
	p.tell(Command{Verb: "position"}, Command{Verb: "go", Limit: Limit{Infinite: true}})
	return err
}

// firstMove wants a move, whatever move it is.
func (c *checker) firstMove(p *Process) (string, error) {
	if err := c.newGame(p, c.rules[0]); err != nil {
		return "", err
	}
	a, err := p.Choose(c.ctx, digit.Position{}, nil, Limit{MoveTime: time.Second})
	if err = unless(err, Unreadable, Illegal, Late); err != nil {
		err = p.buffers(err)
	}
	return fmt.Sprintf("%.40s after %v", a.Text, a.Took.Round(time.Millisecond)), err
}

func (c *checker) readyWhileThinking(p *Process) (string, error) {
	if err := c.infinite(p); err != nil {
		return "", err
	}
	p.tell(Command{Verb: "isready"})
	if err := p.want(c.ctx, "readyok"); err != nil {
		return "", err
	}
	p.tell(Command{Verb: "stop"})
	return "", nil
}

// stopAnswered wants no move before stop, and then one at once.
func (c *checker) stopAnswered(p *Process) (string, error) {
	if err := c.infinite(p); err != nil {
		return "", err
	}
	early, err := c.answersBefore(p, 100*time.Millisecond)
	if early {
		err = errors.New("a move before stop: go infinite is answered when it is stopped")
	}
	if err != nil {
		return "", err
	}
	p.tell(Command{Verb: "stop"})
	began := time.Now()
	answered, err := c.answersBefore(p, p.config.Wait)
	took := time.Since(began)
	switch {
	case err != nil:
		return "", err
	case !answered:
		return "", p.fault(Silent, "no move within %v of stop", p.config.Wait)
	case took > lastWait+p.config.Margin:
		return "", p.fault(Late, "a move %v after stop: a second is allowed", took.Round(time.Millisecond))
	}
	return fmt.Sprintf("after %v", took.Round(time.Millisecond)), nil
}

// few draws some positions of each of the rules, half of them finished if wanted.
func (c *checker) few(finished bool) (places []place) {
	for i := range fewPlaces {
		places = append(places, c.draw(c.rules[i*len(c.rules)/fewPlaces], finished && i%2 == 0, digit.Side(i/2%2)))
	}
	return places
}

// inEach does something in each of some positions, after the engine was told their rules.
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

// positions wants the text and the legal moves of positions that are told by moves, by text, and by both.
func (c *checker) positions(p *Process) (string, error) {
	places := c.few(false)
	return fmt.Sprintf("%d positions", len(places)), c.inEach(p, places, func(at place) error {
		for _, told := range []Command{at.byMoves(), at.byText(), at.byBoth()} {
			p.tell(Command{Verb: "position"}, told) // so that who does not read one of them is found out
			if err := c.wants(p, at, "fen", at.rules.Text(at.at)); err != nil {
				return err
			}
			if err := c.wantsLegal(p, at); err != nil {
				return err
			}
		}
		return nil
	})
}

// wantsLegal wants the legal moves, in any order.
func (c *checker) wantsLegal(p *Process, at place) error {
	want := strings.Fields(legalText(at.rules, at.at))
	slices.Sort(want)
	text, err := c.query(p, "legal")
	if err != nil {
		return err
	}
	got := strings.Fields(text)
	slices.Sort(got)
	if slices.Equal(got, want) {
		return nil
	}
	for _, m := range want {
		if !slices.Contains(got, m) {
			return fmt.Errorf("query legal: %s is missing in %s of %v", m, at.rules.Text(at.at), at.rules)
		}
	}
	for i, m := range got {
		if !slices.Contains(want, m) || i > 0 && got[i-1] == m {
			return fmt.Errorf("query legal: %.40q is not a legal move, or is there twice, in %s of %v", m, at.rules.Text(at.at), at.rules)
		}
	}
	return nil
}

// results wants to be told how games stand. What a position is worth an engine need not know.
func (c *checker) results(p *Process) (string, error) {
	places, values := c.few(true), 0
	err := c.inEach(p, places, func(at place) error {
		p.tell(at.byText())
		result := at.rules.Result(at.at)
		for _, q := range [][2]string{
			{"gameover", fmt.Sprint(result.Over())}, {"result", resultText(result)}, {"p1turn", fmt.Sprint(at.rules.Turn(at.at) == digit.First)},
		} {
			if q[0] == "p1turn" && result.Over() {
				continue // it is nobody's
			}
			if err := c.wants(p, at, q[0], q[1]); err != nil {
				return err
			}
		}
		told, err := c.query(p, "value")
		if err != nil || told == unknown || result.Over() {
			return err
		}
		values++
		return c.judge(at, told)
	})
	return fmt.Sprintf("%d positions, and what %d of them are worth", len(places), values), err
}

// judge compares what a position is said to be worth with what it is.
func (c *checker) judge(at place, told string) (err error) {
	if c.solved == nil || c.solved.Rules() != at.rules {
		if c.solved, err = solve.Solve(c.ctx, at.rules, solve.Config{}); err != nil {
			return err
		}
	}
	if want := valueText(c.solved.Value(at.at)); told != want {
		return fmt.Errorf("query value: %.40q in %s of %v, and not %q; who does not know it says unknown", told, at.rules.Text(at.at), at.rules, want)
	}
	return nil
}

// everyMove wants legal moves for both sides. Who is late is told so at another point.
func (c *checker) everyMove(p *Process) (string, error) {
	var places []place
	for i := range c.config.Positions {
		places = append(places, c.draw(c.rules[i*len(c.rules)/c.config.Positions], false, digit.Side(i%2)))
	}
	tried, late := 0, 0
	err := c.inEach(p, places, func(at place) error {
		if late == mostLate {
			return errSkipped
		}
		tried++
		var err error
		for range tries {
			if err = c.choose(p, at, tried%4 < 2, Limit{MoveTime: quick}); !isLate(err) {
				break
			}
		}
		if isLate(err) {
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

func isLate(err error) bool { return err != nil && unless(err, Late) == nil }

// unless returns an error unless it is a fault of a kind that another point looks at.
func unless(err error, kinds ...Kind) error {
	var fault *Fault
	if errors.As(err, &fault) && slices.Contains(kinds, fault.Kind) {
		return nil
	}
	return err
}

// choose wants a legal move, and that nothing comes after it.
func (c *checker) choose(p *Process, at place, byText bool, limit Limit) error {
	start, moves := digit.Position{}, at.moves
	if byText {
		start, moves = at.at, nil
	}
	if _, err := p.Choose(c.ctx, start, moves, limit); err != nil {
		return err
	}
	p.tell(Command{Verb: "isready"})
	return p.want(c.ctx, "readyok")
}

func rulesList(rules []digit.Rules) string {
	var texts []string
	for _, r := range rules {
		texts = append(texts, r.String())
	}
	return strings.Join(texts, ", ")
}

// timeKept wants moves within a time for the move and within what a clock shows, for both sides.
func (c *checker) timeKept(p *Process) (string, error) {
	if err := c.newGame(p, c.rules[0]); err != nil {
		return "", err
	}
	clock := Limit{Clock: [2]time.Duration{time.Second, time.Second}}
	for i, limit := range []Limit{{MoveTime: 50 * time.Millisecond}, {MoveTime: 300 * time.Millisecond}, clock} {
		for _, side := range []digit.Side{digit.First, digit.Second} {
			at := c.draw(c.rules[0], false, side)
			err := c.choose(p, at, i%2 == 0, limit)
			for n := 1; n < tries && isLate(err); n++ {
				err = c.choose(p, at, i%2 == 0, limit)
			}
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

// finishedGame wants to be told that there is no move.
func (c *checker) finishedGame(p *Process) (string, error) {
	var places []place
	for _, r := range c.rules {
		places = append(places, c.draw(r, true, digit.First))
	}
	return "", c.inEach(p, places, func(at place) error {
		for _, byText := range []bool{true, false} {
			err := c.choose(p, at, byText, Limit{MoveTime: 100 * time.Millisecond})
			if unless(err, Late) != nil {
				return fmt.Errorf("bestmove %s is wanted in %s of %v, which is over: %w", noMove, at.rules.Text(at.at), at.rules, bare(err))
			}
		}
		return nil
	})
}

func (c *checker) crlf(p *Process) (string, error) {
	p.newline = "\r\n"
	at := c.draw(c.rules[0], false, digit.Second)
	return "", c.inEach(p, []place{at}, func(at place) error {
		if err := c.understands(p, at); err != nil {
			return err
		}
		return unless(c.choose(p, at, true, Limit{MoveTime: 100 * time.Millisecond}), Unreadable, Illegal, Late)
	})
}

// understands wants that a position is read as it is told. In words it is asked for a move there, since nothing is queried.
func (c *checker) understands(p *Process, at place) error {
	if c.config.Words != nil {
		return unless(c.choose(p, at, false, Limit{MoveTime: 100 * time.Millisecond}), Late)
	}
	p.tell(at.byMoves())
	return c.wants(p, at, "fen", at.rules.Text(at.at))
}

// longLine sends a long line that is no command. Who takes it for several quits.
func (c *checker) longLine(p *Process) (string, error) {
	at := c.draw(c.rules[0], false, digit.Second)
	return "", c.inEach(p, []place{at}, func(at place) error {
		words := strings.Repeat(strings.Repeat(" ", 16)+"quit", longLength/20) // wherever it is cut, the next word is quit
		p.note(fmt.Sprintf("> comment quit quit quit … (%d bytes)", len("comment"+words)))
		p.send("comment" + words + "\n")
		return c.understands(p, at)
	})
}

// endOfInput wants that the engine ends when its input does, also while it thinks.
func (c *checker) endOfInput(p *Process) (string, error) {
	if err := c.infinite(p); err != nil {
		return "", err
	}
	p.tell(Command{Verb: "isready"})
	if err := p.want(c.ctx, "readyok"); err != nil {
		return "", err
	}
	if !p.end(lastWait + p.config.Margin) {
		return "", fmt.Errorf("it still runs %v after its input ended", lastWait+p.config.Margin)
	}
	return "", nil
}

func (c *checker) quits(p *Process) (string, error) {
	p.tell(Command{Verb: "quit"})
	if !p.ends(lastWait + p.config.Margin) {
		return "", fmt.Errorf("it still runs %v after quit", lastWait+p.config.Margin)
	}
	return "", nil
}
