package lab

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/solve"
)

// A Repair is a way to make a game fairer, or one that does not help.
type Repair struct {
	Kind  string  `json:"kind"`  // pair, lot, rules, swap or forbid
	Helps bool    `json:"helps"` // otherwise it says why not
	What  string  `json:"what"`  // what to do, or what does not help
	Proof string  `json:"proof"` // why that is so
	Worse float64 `json:"worse"` // what the side that is behind then gets at slip 0.2, a draw counting half: at most a half
	Check []Check `json:"check"` // how to see it
}

// A Check is a command, and words that it then says.
type Check struct {
	Command string `json:"command"`
	Says    string `json:"says"`
}

func check(says, format string, args ...any) Check {
	return Check{"duel " + fmt.Sprintf(format, args...), says}
}

// Repairs looks for ways to make a game fairer, and returns the best first and at the end those that do not help. The error is the context's, or that the
// game is too large.
func Repairs(ctx context.Context, s *solve.Solution, sweep Sweep, progress func(done, total int64)) ([]Repair, error) {
	if c := (Config{Most: sweep.Most}); c.Large(s) {
		return nil, c.tooLarge(s)
	}
	g, err := newGraph(ctx, s, digit.Position{}, func(int64, int64) {})
	if err != nil {
		return nil, err
	}
	first := opening{s, s.Choices(digit.Position{}), g, g.shares(Slip)}
	near, err := nearby(ctx, s, sweep, progress)
	if err != nil {
		return nil, err
	}
	all := append([]Repair{first.pair(), first.swap(), first.forbid(), first.lot()}, near...)
	slices.SortStableFunc(all, func(a, b Repair) int {
		switch {
		case a.Helps != b.Helps:
			return cmp.Compare(is(b.Helps), is(a.Helps))
		default:
			return cmp.Compare(b.Worse, a.Worse)
		}
	})
	return all, nil
}

// An opening is the first turn of a game.
type opening struct {
	solution *solve.Solution
	choices  []solve.Choice
	graph    *graph
	shares   []share
}

func (o *opening) rules() digit.Rules { return o.solution.Rules() }

// of returns the first moves of some outcome, as texts.
func (o *opening) of(outcome solve.Outcome) (moves []string) {
	for _, c := range o.choices {
		if c.Value.Outcome == outcome {
			moves = append(moves, c.Move.String())
		}
	}
	return moves
}

// pair plays two games, and each player starts one.
func (o *opening) pair() Repair {
	return Repair{
		Kind: "pair", Helps: true, What: "Play a pair (--pair): two games, of which each player starts one. One win each is a draw.",
		Proof: "Both players have the same two games before them, once from each side, so neither can be ahead.",
		Worse: 0.5, Check: []Check{o.played("The pair is drawn", "--pair")},
	}
}

// played lets two perfect players play in some way.
func (o *opening) played(says, how string) Check {
	return check(says, "play %v %s --p1 perfect --p2 perfect", o.rules(), how)
}

// perfectly says what solve says of a game.
func perfectly(v Verdict) string {
	switch v.Winner {
	case "first":
		return "Player 1 wins"
	case "second":
		return "Player 2 wins"
	default:
		return "a draw if both play perfectly"
	}
}

// swap lets the second player take the first move over as his own.
func (o *opening) swap() Repair {
	r := Repair{Kind: "swap", What: "Swap (--swap): the second player may take over the first move as his own.", Worse: o.graph.cut(o.shares)}
	over := slices.IndexFunc(o.choices, func(c solve.Choice) bool { return c.Value.Outcome == solve.Win && c.Value.Plies == 1 })
	switch draws := o.of(solve.Draw); {
	case over >= 0:
		r.Proof = fmt.Sprintf("With %v the first player wins at once, and nothing is left to take over.", o.choices[over].Move)
		r.Check = []Check{o.played("Player 1 wins", "--swap")}
	case len(draws) > 0:
		r.Helps = true
		r.What += fmt.Sprintf(" Begin with %s.", strings.Join(draws, " or "))
		r.Proof = fmt.Sprintf("After %s nobody can force a win, whoever has it.", draws[0])
		r.Check = []Check{check("draws", "analyze %v", o.rules()), o.played("draw", "--swap")}
	default:
		r.Proof = fmt.Sprintf("After each of the %d first moves one side can force a win, so the second player takes the better side.", len(o.choices))
		r.Check = []Check{check(o.tally(), "solve %v", o.rules()), o.played("Player 2 wins", "--swap")}
	}
	return r
}

// tally says of the first moves what solve says.
func (o *opening) tally() string {
	return fmt.Sprintf("First moves: %d of %d win", len(o.of(solve.Win)), len(o.choices))
}

// forbid forbids the first moves that win.
func (o *opening) forbid() Repair {
	wins, draws := o.of(solve.Win), o.of(solve.Draw)
	r := Repair{Kind: "forbid", What: "Forbid first moves.", Check: []Check{check(o.tally(), "solve %v", o.rules())}}
	switch {
	case len(wins) == 0:
		r.Proof = "No first move wins, so there is none to forbid."
	case len(draws) > 0:
		r.Helps = true
		r.What = fmt.Sprintf("Forbid Player 1 to begin with %s.", strings.Join(wins, " or "))
		r.Proof = fmt.Sprintf("Of the first moves that are left %s draws and none wins.", draws[0])
		var all, kept share
		for i, edge := range o.graph.edges(0) {
			if outcome := o.choices[i].Value.Outcome; outcome != solve.Win {
				all = all.plus(shareAfter(o.shares, edge))
				if outcome == solve.Draw {
					kept = kept.plus(shareAfter(o.shares, edge))
				}
			}
		}
		share := all.over(len(o.choices) - len(wins)).times(Slip).plus(kept.over(len(draws)).times(1 - Slip)).points()
		r.Worse = min(share, 1-share)
	case len(wins) == len(o.choices):
		r.Proof = "Every first move wins, and one has to be made."
	default:
		r.Proof = fmt.Sprintf("Of the %d first moves %s and none draws, so Player 2 can force a win after all others.", len(o.choices), some(len(wins), "win"))
	}
	return r
}

// some says how many moves do something: 1 wins, 2 win.
func some(n int, what string) string {
	if n == 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// mostLots is how many openings of each kind are told.
const mostLots = 3

// lot draws the opening of a pair from the lot of the game.
func (o *opening) lot() Repair {
	r := Repair{Kind: "lot", What: "Draw lots (--lot): a pair whose two games begin with the same moves."}
	lot, ok := coach.LotOf(o.solution)
	if !ok {
		r.Proof = "No openings of up to four moves are even together."
		r.Check = []Check{check(o.tally(), "solve %v", o.rules())}
		return r
	}
	says := map[solve.Outcome]string{solve.Win: "is to move and wins", solve.Draw: "is to move and draws", solve.Loss: "is to move and loses"}
	count := map[solve.Outcome]int{}
	for _, opening := range lot.Openings {
		outcome := opening.Value.Outcome
		if count[outcome]++; count[outcome] <= mostLots {
			var moves []string
			for _, m := range opening.Moves {
				moves = append(moves, m.String())
			}
			r.Check = append(r.Check, check(says[outcome], "analyze %v %s", o.rules(), strings.Join(moves, " ")))
		}
	}
	r.Helps, r.Worse = true, 0.5
	r.What = fmt.Sprintf("Draw lots (--lot): a pair whose two games begin with the same moves, drawn from %d openings.", len(lot.Openings))
	r.Proof = "After each of them nobody can force a win, and it is played from both sides."
	if !lot.Drawn {
		r.Proof = fmt.Sprintf("%d of them are won by who moves next and %d by the other, and each is played from both sides.", count[solve.Win], count[solve.Loss])
	}
	r.Check = append(r.Check, o.played("The pair is drawn", "--lot --seed 1"))
	return r
}

// mostNear is how many rules nearby are told at the most, and mostMeasured how many drawn ones are measured to find them.
const (
	mostNear     = 3
	mostMeasured = 12
	lastTarget   = 130
)

// nearby looks for drawn games among the rules that differ in one key, or in the target and one other.
func nearby(ctx context.Context, s *solve.Solution, sweep Sweep, progress func(done, total int64)) ([]Repair, error) {
	rules := neighbours(s.Rules())
	n := len(rules)
	rules = slices.DeleteFunc(rules, func(r digit.Rules) bool { return !r.Drawable() }) // whose games are all won
	at := make(map[digit.Rules]int, len(rules))                                         // from simple to strange
	for i, r := range rules {
		at[r] = i
	}
	var drawn []Verdict
	done := int64(0)
	sweep.Fast = true
	if err := sweep.Run(ctx, rules, func(f Found) {
		done++
		progress(done, int64(len(rules)))
		if f.Large == nil && f.Winner == "draw" {
			drawn = append(drawn, f.Verdict)
		}
	}); err != nil {
		return nil, err
	}
	// Where few first moves draw there is more to find, and fewer games end in a draw.
	slices.SortFunc(drawn, func(a, b Verdict) int {
		return cmp.Or(cmp.Compare(float64(a.FirstMoves.Draw)/float64(a.FirstMoves.Count()), float64(b.FirstMoves.Draw)/float64(b.FirstMoves.Count())), at[a.Rules]-at[b.Rules])
	})
	var wanted []digit.Rules
	for _, v := range drawn[:min(mostMeasured, len(drawn))] {
		wanted = append(wanted, v.Rules)
	}
	var reports []Report
	sweep.Fast = false
	if err := sweep.Run(ctx, wanted, func(f Found) {
		if f.Large == nil && f.Draws < 0.75 { // what is nearly always a draw is no game
			reports = append(reports, f.Report)
		}
	}); err != nil {
		return nil, err
	}
	if len(reports) == 0 {
		return []Repair{noneNear(s.Rules(), n, len(rules), len(drawn))}, nil
	}
	slices.SortFunc(reports, func(a, b Report) int {
		return cmp.Or(cmp.Compare(math.Abs(a.Bias)+a.Draws/10, math.Abs(b.Bias)+b.Draws/10), at[a.Rules]-at[b.Rules])
	})
	var all []Repair
	for _, r := range reports[:min(mostNear, len(reports))] {
		all = append(all, Repair{
			Kind: "rules", Helps: true, What: fmt.Sprintf("Play %v.", r.Rules),
			Proof: fmt.Sprintf("Nobody can force a win: of the %d first moves none wins and %s. Between people %.0f of 100 games are drawn.", r.FirstMoves.Count(), some(r.FirstMoves.Draw, "draw"), 100*r.Draws),
			Worse: 0.5 - math.Abs(r.Bias), Check: []Check{check(perfectly(r.Verdict), "solve %v", r.Rules)},
		})
	}
	return all, nil
}

// noneNear says that no rules nearby help: of n of them so many can end in a draw, and so many are drawn by perfect play.
func noneNear(r digit.Rules, n, drawable, drawn int) Repair {
	repair := Repair{Kind: "rules", What: fmt.Sprintf("Change a key of the rules: %d rulesets nearby were looked at.", n)}
	name := r.Book().Name
	switch {
	case drawable == 0:
		repair.Proof = "In none of them a game can end in a draw, so in each of them one player can force a win."
		repair.Check = []Check{check(" 0 are drawn", "lab sweep %s width=1..4 pool=1-9/0-9 final=higher/lower/later", name)}
	case drawn == 0:
		repair.Proof = fmt.Sprintf("In %d of them a game can end in a draw, but in each of them one player can force a win.", drawable)
	default:
		repair.Proof = fmt.Sprintf("%d of them are a draw by perfect play, but so are nearly all games that people play.", drawn)
	}
	if repair.Check == nil {
		repair.Check = []Check{check("are drawn", "lab sweep %s target=2..%d", name, lastTarget)}
	}
	return repair
}

// neighbours returns the rules that differ in one key, or in the target and one other. The character of a game, where digits go and when a
// number is tried, stays, and so does that its target can be hit.
func neighbours(r digit.Rules) []digit.Rules {
	values := map[string][]string{
		"pool": {"0-9", "1-9", "0-8", "1-8"}, "zero": digit.Values("zero"),
		"final": append(digit.Values("final"), "above,lower", "above,higher", "nearest,lower", "nearest,higher", "below,higher", "below,lower"),
	}
	for width := 1; width <= 4 && (r.Width == 0 || width <= int(r.Width)+1); width++ { // wider games are many times larger
		values["width"] = append(values["width"], strconv.Itoa(width))
	}
	if r.Target > 0 {
		values["target"] = numbers(2, lastTarget)
	}
	var all []digit.Rules
	seen := map[digit.Rules]bool{r.Normal(): true}
	add := func(changed digit.Rules) {
		normal := changed.Normal()
		if changed.Check() != nil || seen[normal] || r.Reachable() && !changed.Reachable() {
			return
		}
		seen[normal] = true
		all = append(all, normal)
	}
	change := func(r digit.Rules, key string, then func(digit.Rules)) {
		for _, value := range values[key] {
			if changed, err := r.With(key, value); err == nil {
				then(changed)
			}
		}
	}
	for _, key := range digit.Keys() {
		change(r, key, add)
	}
	values["final"] = []string{"above", "below", "nearest"} // those that leave draws and are not all draws
	for _, key := range []string{"final", "width"} {
		change(r, key, func(changed digit.Rules) {
			if r.Width == 0 || changed.Width <= r.Width {
				change(changed, "target", add)
			}
		})
	}
	return all
}
