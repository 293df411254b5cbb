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

// A Repaired lists the repairs of a game.
type Repaired struct {
	Rules   digit.Rules `json:"rules"`
	Repairs []Repair    `json:"repairs"`
}

// A Repair is a way to make a game fairer, or a way that does not help.
type Repair struct {
	Kind  string  `json:"kind"`  // pair, lot, rules, swap or forbid
	Helps bool    `json:"helps"` // false if Proof says why not
	What  string  `json:"what"`  // the change
	Proof string  `json:"proof"` // why it helps, or does not
	Worse float64 `json:"worse"` // share of the weaker side at slip 0.2, a draw counting half
	Check []Check `json:"check"` // how to verify it
}

// A Check is a command and a part of its output.
type Check struct {
	Command string `json:"command"`
	Says    string `json:"says"`
}

func check(says, format string, args ...any) Check {
	return Check{"duel " + fmt.Sprintf(format, args...), says}
}

// Repairs returns ways to make a game fairer, best first, and at the end ways that do not help.
// The error is the context's, or says that the game is too large.
func Repairs(
	ctx context.Context, s *solve.Solution, sweep Sweep, progress func(done, total int64),
) ([]Repair, error) {
	g, err := Config{Most: sweep.Most}.graph(ctx, s)
	if err != nil {
		return nil, err
	}
	first := opening{s, s.Choices(digit.Position{}), g, g.shares(Slip)}
	near, err := nearby(ctx, s, sweep, progress)
	if err != nil {
		return nil, err
	}
	all := append([]Repair{
		first.pair(), first.swap(), first.forbid(), first.randomOpening(),
	}, near...)
	slices.SortStableFunc(all, func(a, b Repair) int {
		switch {
		case a.Helps && !b.Helps:
			return -1
		case b.Helps && !a.Helps:
			return 1
		}
		return cmp.Compare(b.Worse, a.Worse)
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

// of returns the first moves with an outcome, as texts.
func (o *opening) of(outcome solve.Outcome) (moves []string) {
	for _, c := range o.choices {
		if c.Value.Outcome == outcome {
			moves = append(moves, c.Move.String())
		}
	}
	return moves
}

// pair returns the repair of playing two games, each started by one player.
func (o *opening) pair() Repair {
	return Repair{
		Kind: "pair", Helps: true,
		What: "Play a pair (--pair): two games, each player starts one. One win each is a draw.",
		Proof: "Both players play the same two games, once from each side, " +
			"so neither has an advantage.",
		Worse: 0.5, Check: []Check{o.played("The two games are drawn", "--pair")},
	}
}

// played returns a check in which two perfect players play with the given flags.
func (o *opening) played(says, flags string) Check {
	return check(says, "play %v %s --p1 perfect --p2 perfect", o.rules(), flags)
}

// swap returns the repair of letting the second player take over the first move.
func (o *opening) swap() Repair {
	r := Repair{
		Kind:  "swap",
		What:  "Swap (--swap): the second player may take over the first move.",
		Worse: o.graph.cut(o.shares),
	}
	over := slices.IndexFunc(o.choices, func(c solve.Choice) bool {
		return c.Value.Outcome == solve.Win && c.Value.Plies == 1
	})
	switch draws := o.of(solve.Draw); {
	case over >= 0:
		r.Proof = fmt.Sprintf(
			"With %v the first player wins at once, so there is no move to take over.",
			o.choices[over].Move)
		r.Check = []Check{o.played("Player 1 wins", "--swap")}
	case len(draws) > 0:
		r.Helps = true
		r.What += fmt.Sprintf(" Begin with %s.", strings.Join(draws, " or "))
		r.Proof = fmt.Sprintf("After %s nobody can force a win.", draws[0])
		r.Check = []Check{check("draws", "analyze %v", o.rules()), o.played("draw", "--swap")}
	default:
		r.Proof = fmt.Sprintf("After each of the %d first moves one side can force a win, "+
			"so the second player takes the better side.", len(o.choices))
		r.Check = []Check{o.counted(),
			o.played("Player 2 wins", "--swap")}
	}
	return r
}

// counted returns a check of the number of first moves that win.
func (o *opening) counted() Check {
	return check(fmt.Sprintf("First moves: %d of %d win", len(o.of(solve.Win)), len(o.choices)),
		"solve %v", o.rules())
}

// forbid returns the repair of forbidding the first moves that win.
func (o *opening) forbid() Repair {
	wins, draws := o.of(solve.Win), o.of(solve.Draw)
	r := Repair{
		Kind:  "forbid",
		What:  "Forbid first moves.",
		Check: []Check{o.counted()},
	}
	switch {
	case len(wins) == 0:
		r.Proof = "No first move wins, so there is none to forbid."
	case len(draws) > 0:
		r.Helps = true
		r.What = fmt.Sprintf("Forbid Player 1 to begin with %s.", strings.Join(wins, " or "))
		r.Proof = fmt.Sprintf("Of the other first moves %s draws and none wins.", draws[0])
		var all, kept share
		for i, edge := range o.graph.edges(0) {
			if outcome := o.choices[i].Value.Outcome; outcome != solve.Win {
				all = all.plus(shareAfter(o.shares, edge))
				if outcome == solve.Draw {
					kept = kept.plus(shareAfter(o.shares, edge))
				}
			}
		}
		slips := all.over(len(o.choices) - len(wins)).times(Slip)
		share := slips.plus(kept.over(len(draws)).times(1 - Slip)).points()
		r.Worse = min(share, 1-share)
	case len(wins) == len(o.choices):
		r.Proof = "Every first move wins, so forbidding them leaves no move."
	default:
		r.Proof = fmt.Sprintf("Of the %d first moves %s and none draws, "+
			"so Player 2 can force a win after all others.", len(o.choices), some(len(wins), "win"))
	}
	return r
}

// some returns a number of moves and a verb: "1 wins", "2 win".
func some(n int, verb string) string {
	if n == 1 {
		verb += "s"
	}
	return fmt.Sprintf("%d %s", n, verb)
}

// mostLots is the number of openings of each outcome that are checked.
const mostLots = 3

// randomOpening returns the repair of starting a pair from a random opening.
func (o *opening) randomOpening() Repair {
	const what = "Random opening (--random-opening): a pair whose two games start from the same " +
		"moves"
	r := Repair{Kind: "lot", What: what + "."}
	set, ok := coach.BalancedOpenings(o.solution)
	if !ok {
		r.Proof = "No openings of up to four moves form a balanced set."
		r.Check = []Check{o.counted()}
		return r
	}
	says := map[solve.Outcome]string{solve.Win: "wins", solve.Draw: "draws", solve.Loss: "loses"}
	count := map[solve.Outcome]int{}
	for _, opening := range set.Openings {
		outcome := opening.Value.Outcome
		if count[outcome]++; count[outcome] <= mostLots {
			var moves []string
			for _, m := range opening.Moves {
				moves = append(moves, m.String())
			}
			r.Check = append(r.Check, check("is to move and "+says[outcome], "analyze %v %s",
				o.rules(), strings.Join(moves, " ")))
		}
	}
	r.Helps, r.Worse = true, 0.5
	r.What = fmt.Sprintf("%s, from %d openings.", what, len(set.Openings))
	r.Proof = "After each of them nobody can force a win, and it is played from both sides."
	if !set.Drawn {
		r.Proof = fmt.Sprintf("The player to move wins %d of them and the opponent %d, "+
			"and each is played from both sides.", count[solve.Win], count[solve.Loss])
	}
	r.Check = append(r.Check, o.played("The two games are drawn", "--random-opening --seed 1"))
	return r
}

const (
	mostNear     = 3   // similar rules to return
	mostMeasured = 12  // drawn games to measure to find them
	lastTarget   = 130 // highest target to try
)

// nearby looks for drawn games among the rules that differ in one key, or in the target and one
// other.
func nearby(
	ctx context.Context, s *solve.Solution, sweep Sweep, progress func(done, total int64),
) ([]Repair, error) {
	rules := neighbours(s.Rules())
	n := len(rules)
	rules = slices.DeleteFunc(rules, func(r digit.Rules) bool { return !r.Drawable() })
	at := make(map[digit.Rules]int, len(rules)) // the order of rules, from simple to unusual
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
	// Games with few drawing first moves are richer, and fewer of them end in a draw.
	drawing := func(v Verdict) float64 {
		return float64(v.FirstMoves.Draw) / float64(v.FirstMoves.Count())
	}
	slices.SortFunc(drawn, func(a, b Verdict) int {
		return cmp.Or(cmp.Compare(drawing(a), drawing(b)), at[a.Rules]-at[b.Rules])
	})
	var wanted []digit.Rules
	for _, v := range drawn[:min(mostMeasured, len(drawn))] {
		wanted = append(wanted, v.Rules)
	}
	var reports []Report
	sweep.Fast = false
	if err := sweep.Run(ctx, wanted, func(f Found) {
		if f.Large == nil && f.Draws < 0.75 { // a game that is nearly always drawn is dull
			reports = append(reports, f.Report)
		}
	}); err != nil {
		return nil, err
	}
	if len(reports) == 0 {
		return []Repair{noneNear(s.Rules(), n, len(rules), len(drawn))}, nil
	}
	unevenness := func(r Report) float64 { return math.Abs(r.Bias) + r.Draws/10 }
	slices.SortFunc(reports, func(a, b Report) int {
		return cmp.Or(cmp.Compare(unevenness(a), unevenness(b)), at[a.Rules]-at[b.Rules])
	})
	var all []Repair
	for _, r := range reports[:min(mostNear, len(reports))] {
		all = append(all, Repair{
			Kind: "rules", Helps: true, What: fmt.Sprintf("Play %v.", r.Rules),
			Proof: fmt.Sprintf(
				"Nobody can force a win: of the %d first moves none wins and %s. "+
					"Between people %.0f of 100 games are drawn.",
				r.FirstMoves.Count(), some(r.FirstMoves.Draw, "draw"), 100*r.Draws),
			Worse: 0.5 - math.Abs(r.Bias),
			Check: []Check{check("with best play, the game is a draw", "solve %v", r.Rules)},
		})
	}
	return all, nil
}

// noneNear returns the repair for the case that no similar rules help. Of n rules, drawable can
// end in a draw, and drawn are a draw under perfect play.
func noneNear(r digit.Rules, n, drawable, drawn int) Repair {
	repair := Repair{
		Kind: "rules",
		What: fmt.Sprintf("Change a key of the rules: %d similar rule sets were checked.", n),
	}
	name := r.Book().Name
	switch {
	case drawable == 0:
		repair.Proof = "None of them has games that end in a draw, " +
			"so in each of them one player can force a win."
		repair.Check = []Check{check("drawn: 0.",
			"lab sweep %s width=1..4 pool=1-9/0-9 final=higher/lower/later", name)}
	case drawn == 0:
		repair.Proof = fmt.Sprintf("In %d of them a game can end in a draw, "+
			"but in each of them one player can force a win.", drawable)
	default:
		repair.Proof = fmt.Sprintf("%d of them are a draw under perfect play, "+
			"but so are nearly all games between people.", drawn)
	}
	if repair.Check == nil {
		repair.Check = []Check{check("drawn: ", "lab sweep %s target=2..%d", name, lastTarget)}
	}
	return repair
}

// neighbours returns the rules that differ in one key, or in the target and one other. Place and
// Win stay the same, because they make up the character of a game, and a target that can be
// reached stays reachable.
func neighbours(r digit.Rules) []digit.Rules {
	values := map[string][]string{
		"pool": {"0-9", "1-9", "0-8", "1-8"},
		"zero": digit.Values("zero"),
		"final": append(digit.Values("final"), "above,lower", "above,higher",
			"nearest,lower", "nearest,higher", "below,higher", "below,lower"),
	}
	// Wider games are many times larger.
	for width := 1; width <= 4 && (r.Width == 0 || width <= int(r.Width)+1); width++ {
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
	// These final orders allow draws without making every game one.
	values["final"] = []string{"above", "below", "nearest"}
	for _, key := range []string{"final", "width"} {
		change(r, key, func(changed digit.Rules) {
			if r.Width == 0 || changed.Width <= r.Width {
				change(changed, "target", add)
			}
		})
	}
	return all
}
