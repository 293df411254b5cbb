package engine

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"digitduel/digit"
	"digitduel/solve"
)

const (
	inFlight     = 1024    // queries sent ahead of their answers
	mostOfPly    = 2000    // positions of each ply of random rules
	smallBudget  = 4 << 20 // bytes; values of larger random games are not asked for
	mostFailures = 10      // random rules that may fail before the rest is skipped
)

// A question is a position, the lines that set it, and the names of the queries about it.
type question struct {
	at      place
	lines   []string
	queries []string
}

// A difference is a wrong answer to a query, or none because of a fault.
type difference struct {
	question
	query, got, want string
	fault            error
}

func (d *difference) Error() string {
	r, what := d.at.rules, fmt.Sprintf("%.200q", d.got)
	if d.fault != nil {
		what = bare(d.fault).Error()
	} else if d.query == "legal" {
		what = wrongMove(strings.Fields(d.got), strings.Fields(d.want))
	}
	after := ""
	if moves, _ := r.Path(d.at.at); len(moves) > 0 {
		after = " after " + movesText(moves)
	}
	return fmt.Sprintf("query %s: %s in %s of %v%s, want %.200q",
		d.query, what, r.Text(d.at.at), r, after, d.want)
}

// wrongMove describes the first fault in a list of legal moves.
func wrongMove(got, want []string) string {
	for _, m := range want {
		if !slices.Contains(got, m) {
			return m + " is missing"
		}
	}
	for i, m := range got {
		if !slices.Contains(want, m) || slices.Contains(got[:i], m) {
			return fmt.Sprintf("%.40q is not a legal move, or appears twice,", m)
		}
	}
	return "no fault" // agree has found one
}

// dialogue returns the lines that show the difference.
func (d *difference) dialogue() (lines []string) {
	for _, line := range append(slices.Clone(d.lines), "query "+d.query) {
		lines = append(lines, "> "+line)
	}
	if d.fault == nil {
		lines = append(lines, "< response "+d.got)
	}
	return lines
}

// agree reports whether an answer is right. Moves may have any order, and a value may be unknown.
func agree(query, got, want string) bool {
	if got == want || query == "value" && got == unknown || want == unknown {
		return true
	}
	a, b := strings.Fields(got), strings.Fields(want)
	if query == "legal" {
		slices.Sort(a)
		slices.Sort(b)
	}
	return slices.Equal(a, b)
}

// compare asks questions ahead of their answers, and calls differ with each difference, in order,
// until it returns false. It counts the known values. A fault is the last difference; the error is
// the context's.
func (c *checker) compare(
	p *Process, questions iter.Seq[question], differ func(*difference) bool,
) error {
	next, stop := iter.Pull(questions)
	defer stop()
	var flight []difference // without answers yet
	more, wanted := true, true
	for {
		var lines []string
		for more && wanted && len(flight) < inFlight {
			var q question
			if q, more = next(); !more {
				break
			}
			lines = append(lines, q.lines...)
			over := q.at.rules.Result(q.at.at).Over()
			for _, name := range q.queries {
				if over && (name == "p1turn" || name == "value") {
					continue // neither side is to move
				}
				want := response(name, q.at.rules, q.at.at, c.solved)
				flight = append(flight, difference{question: q, query: name, want: want})
				lines = append(lines, "query "+name)
			}
		}
		if len(lines) > 0 {
			p.send(lines...)
		}
		if len(flight) == 0 {
			return nil
		}
		now := (len(flight) + 1) / 2 // the engine answers the others meanwhile
		for _, d := range flight[:now] {
			d.got, d.fault = p.reply(c.ctx, "response")
			if d.fault != nil && c.ctx.Err() != nil {
				return c.ctx.Err()
			}
			if d.query == "value" && d.got != unknown {
				c.values++
			}
			if wanted && (d.fault != nil || !agree(d.query, d.got, d.want)) {
				wanted = differ(&d)
			}
			if d.fault != nil {
				return nil
			}
		}
		flight = slices.Delete(flight, 0, now)
	}
}

// wants asks a question and returns the first difference.
func (c *checker) wants(p *Process, at place, lines []string, queries ...string) (err error) {
	asked := slices.Values([]question{{at, lines, queries}})
	stopped := c.compare(p, asked, func(d *difference) bool {
		err = d
		return false
	})
	return errors.Join(stopped, err)
}

// solve solves a game, unless that needs more memory than the budget.
func (c *checker) solve(r digit.Rules, budget int64) (err error) {
	if c.solved != nil && c.solved.Rules() == r {
		return nil
	}
	c.solved, err = solve.Solve(c.ctx, r, solve.Config{Budget: budget})
	if errors.As(err, new(*solve.BudgetError)) {
		return nil
	}
	return err
}

// about asks for the legal moves, the result and, if the game is solved, the value of positions.
func (c *checker) about(r digit.Rules, positions iter.Seq[digit.Position]) iter.Seq[question] {
	queries := []string{"legal", "result"}
	if c.solved != nil {
		queries = append(queries, "value")
	}
	return func(yield func(question) bool) {
		for at := range positions {
			c.asked++
			l := place{rules: r, at: at}
			if !yield(question{l, []string{l.byText()}, queries}) {
				return
			}
		}
	}
}

// differences asks about positions of a game, and calls differ with each difference until it
// returns false.
func (c *checker) differences(
	r digit.Rules, positions iter.Seq[digit.Position], differ func(*difference) bool,
) error {
	if c.process == nil {
		p, err := Start(c.ctx, c.command, c.config.Process)
		if err != nil {
			return err
		}
		c.process = p
	}
	if err := c.process.setRules(r); err != nil {
		return err
	}
	c.process.send("uginewgame")
	fault := false
	err := c.compare(c.process, c.about(r, positions), func(d *difference) bool {
		fault = d.fault != nil
		return differ(d)
	})
	if fault {
		c.end()
	}
	return err
}

// end ends the process whose positions are compared.
func (c *checker) end() {
	if c.process != nil {
		c.process.Close()
		c.process = nil
	}
}

// everyPosition compares every position of the rules, in the order of their plies.
func (c *checker) everyPosition(r digit.Rules) Finding {
	f := Finding{Point: "every position of " + r.String()}
	if c.solved, f.Err = solve.Solve(c.ctx, r, solve.Config{}); f.Err == nil {
		f.Err = c.solved.CheckCensus()
	}
	if f.Err != nil {
		return f
	}
	positions := func(yield func(digit.Position) bool) {
		for at := range c.solved.Positions() {
			if !yield(at) {
				return
			}
		}
	}
	var first *difference
	kinds := map[string]int{}
	c.asked, c.values = 0, 0
	err := c.differences(r, positions, func(d *difference) bool {
		first = cmp.Or(first, d)
		kinds[d.query]++
		return true
	})
	f.Note = fmt.Sprintf("%d positions, and the value of %d of them", c.asked, c.values)
	switch {
	case err != nil:
		f.Err = bare(err)
	case first != nil:
		f.Dialogue = first.dialogue()
		f.Err = fmt.Errorf("%w; differences in %d positions: legal %d, result %d, value %d",
			first, c.asked, kinds["legal"], kinds["result"], kinds["value"])
	}
	return f
}

// randomRules yields a finding for each of some random rules that the engine does not play
// correctly, reduced to the fewest keys, and one for all of them.
func (c *checker) randomRules(yield func(Finding) bool) {
	all := Finding{Point: "random rules"}
	if !c.anyRules {
		all.Skipped, all.Note = true, "it has no option Rules of type string"
		yield(all)
		return
	}
	failed, drawn := map[digit.Rules]bool{}, 0
	for drawn < c.config.Random && len(failed) < mostFailures && all.Err == nil {
		drawn++
		d, err := c.firstDifference(drawRules(c.rng))
		if d != nil && err == nil {
			d, err = c.reduce(d)
		}
		if all.Err = err; d == nil || failed[d.at.rules] {
			continue
		}
		failed[d.at.rules] = true
		if !yield(Finding{Point: d.at.rules.String(), Err: d, Dialogue: d.dialogue()}) {
			return
		}
	}
	all.Note = fmt.Sprintf("%d rulesets, %d positions", drawn, c.asked)
	if len(failed) > 0 && all.Err == nil {
		all.Err = fmt.Errorf("%s: at least %d rulesets differ", all.Note, len(failed))
	}
	yield(all)
}

// firstDifference returns the first difference in a game, or nil. It asks about all positions of
// a small game.
func (c *checker) firstDifference(r digit.Rules) (first *difference, err error) {
	if err := c.solve(r, smallBudget); err != nil {
		return nil, err
	}
	err = c.differences(r, c.somePositions(r), func(d *difference) bool {
		first = d
		return false
	})
	return first, err
}

// reduce returns a difference in rules that differ from their book in the fewest keys.
func (c *checker) reduce(d *difference) (*difference, error) {
	r, book := d.at.rules, d.at.rules.Book().Rules
	var changed []digit.Option
	for i, o := range r.Options() {
		if o != book.Options()[i] {
			changed = append(changed, o)
		}
	}
	sets := make([]uint, 1<<len(changed))
	for i := range sets {
		sets[i] = uint(i)
	}
	slices.SortStableFunc(sets, func(a, b uint) int {
		return bits.OnesCount(a) - bits.OnesCount(b)
	})
	for _, set := range sets[:len(sets)-1] {
		fewer := book
		for i, o := range changed {
			if set>>i&1 == 1 {
				fewer, _ = fewer.With(o.Key, o.Value) // the value is that of valid rules
			}
		}
		if fewer = fewer.Normal(); fewer.Check() != nil {
			continue
		}
		if found, err := c.firstDifference(fewer); found != nil || err != nil {
			return found, err
		}
	}
	return d, nil
}

// somePositions yields positions ply by ply: all of them, or a random part of each ply that has
// too many.
func (c *checker) somePositions(r digit.Rules) iter.Seq[digit.Position] {
	return func(yield func(digit.Position) bool) {
		for now := []digit.Position{{}}; len(now) > 0; now = c.nextPly(r, now) {
			for _, at := range now {
				if !yield(at) {
					return
				}
			}
		}
	}
}

// nextPly returns the positions after those of one ply, or a random part of them.
func (c *checker) nextPly(r digit.Rules, now []digit.Position) (next []digit.Position) {
	seen := map[digit.Position]bool{}
	add := func(at digit.Position, m digit.Move) {
		at, _ = r.Play(at, m) // the move is legal
		if !seen[at] {
			seen[at] = true
			next = append(next, at)
		}
	}
	for _, at := range now {
		for m := range r.Moves(at) {
			if add(at, m); len(next) > mostOfPly {
				next = nil
				clear(seen)
				for range mostOfPly {
					at := now[c.rng.IntN(len(now))]
					if m, ok := r.Pick(at, c.rng.IntN); ok {
						add(at, m)
					}
				}
				return next
			}
		}
	}
	return next
}

// drawRules returns the rules of a random book with random values for about half of the keys.
func drawRules(rng *rand.Rand) digit.Rules {
	for {
		r := digit.Books[rng.IntN(len(digit.Books))].Rules
		for _, key := range digit.Keys() {
			if rng.IntN(2) == 0 {
				r, _ = r.With(key, drawValue(rng, key)) // the value is a valid one
			}
		}
		if r = r.Normal(); r.Check() == nil {
			return r
		}
	}
}

// drawValue returns a random value of a key. Low targets and widths are more likely.
func drawValue(rng *rand.Rand, key string) string {
	values := digit.Values(key)
	switch key {
	case "target":
		return strconv.Itoa(2 + rng.IntN([]int{10, 100, digit.MaxTarget - 1}[rng.IntN(3)]))
	case "width":
		return strconv.Itoa(rng.IntN([]int{4, digit.MaxWidth + 1}[rng.IntN(2)]))
	case "pool":
		digits := rng.Perm([]int{8, 10, 16}[rng.IntN(3)])
		var pool strings.Builder
		for _, d := range digits[:2+rng.IntN(len(digits)-1)] {
			pool.WriteString(strconv.FormatInt(int64(d), 16))
		}
		return pool.String()
	case "final":
		orders := values[1:]
		rng.Shuffle(len(orders), func(i, j int) { orders[i], orders[j] = orders[j], orders[i] })
		if n := rng.IntN(5); n > 0 {
			return strings.Join(orders[:n], ",")
		}
		return values[0]
	}
	return values[rng.IntN(len(values))]
}
