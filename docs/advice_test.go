package docs_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

var update = flag.Bool("update", false, "rewrite docs/advice.md")

const adviceIntro = `# Playing well

How the coach teaches, and how to play each book well. All five games are [solved](solutions.md), so
every statement is proved. Written by ` + "`go test ./docs -run TestAdvice -update`" + `.

## Hints

A hint has three steps. You are to move against Ben; ` + "`7a`" + ` is 7 in the left place, ` + "`7R`" + ` on the right.

`

// hintKinds has a game as an example for each kind of hint.
var hintKinds = []struct{ kind, game string }{
	{"A winning multiple", "dilemma 7a 3b 1c 5a"},
	{"A block", "dilemma 6b 2c 7c"},
	{"Two threats", "dilemma 7a 9b"},
	{"A threat", "dilemma 9c 7a"},
	{"A last digit that decides", "dilemma 9b 1c 2c 4b 6a"},
	{"The opponent's last digit", "divisibility target=11 8R 9R 6R 7R 3R 5R 2L"},
	{"A number that can't be caught", "highest 6b 2b 8c"},
	{"A plan", "dilemma"},
	{"A draw", "tug"},
	{"A lost position", "dilemma 4a 6c 1c 7b"},
}

// coached returns the section of the page with an example of each kind of hint, and of a review.
func coached(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	cast := func(turn digit.Side) rulebook.Cast {
		c := rulebook.Cast{Names: [2]string{"Ben", "Ben"}}
		c.You[turn] = true
		return c
	}
	for _, h := range hintKinds {
		rec, err := digit.ParseRecord(h.game + " *")
		if err != nil {
			t.Fatal(err)
		}
		positions, err := rec.Positions()
		if err != nil {
			t.Fatal(err)
		}
		s, err := solve.Solve(t.Context(), rec.Rules, solve.Config{})
		if err != nil {
			t.Fatal(err)
		}
		p := positions[len(positions)-1]
		hint, _ := coach.Advise(s, p, cast(rec.Rules.Turn(p)))
		fmt.Fprintf(&b, "**%s**, `%s`\n\n1. %s\n2. %s\n3. %s\n\n", h.kind, h.game, hint.Look, hint.Idea, hint.Reason)
	}
	const game = "dilemma 2c 7b 3a 8a 0b 5c 0-1 multiple"
	rec, err := digit.ParseRecord(game)
	if err != nil {
		t.Fatal(err)
	}
	s, err := solve.Solve(t.Context(), rec.Rules, solve.Config{})
	if err != nil {
		t.Fatal(err)
	}
	rv, err := coach.ReviewGame(s, rec, cast(digit.First))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&b, "## Reviews\n\n`duel review` gives at most three moments; "+
		"`--all` adds every move. `%s`, for the starter:\n\n", game)
	for _, ply := range rv.Moments {
		fmt.Fprintf(&b, "- %s\n", rv.Moves[ply-1].Moment)
	}
	fmt.Fprintf(&b, "- %s\n- %s\n- At the end of a lost game: %s. %s\n", rv.TurningPoint.Text.Then(rv.TurningPoint.Instead).Long,
		rv.First.Text(cast(digit.First), digit.First), rv.Missed.Title, rv.Missed.Text.Long)
	return b.String()
}

// wrapped breaks lines at 100 columns, except those of tables.
func wrapped(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		width := 0
		if strings.HasPrefix(line, "|") {
			b.WriteString(line)
			continue
		}
		for i, word := range strings.Split(strings.TrimSuffix(line, "\n"), " ") {
			if n := utf8.RuneCountInString(word); i > 0 && width+1+n > 100 {
				indent := ""
				if strings.HasPrefix(line, "- ") {
					indent = "  "
				} else if len(line) > 2 && line[1] == '.' {
					indent = "   "
				}
				b.WriteString("\n" + indent + word)
				width = len(indent) + n
			} else {
				if i > 0 {
					b.WriteString(" ")
					width++
				}
				b.WriteString(word)
				width += n
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// A claim is advice of a rulebook on playing well, and our verdict on it.
type claim struct {
	id      string
	advice  string // paraphrased
	verdict string
	judge   func(s *study) finding
}

// A finding is the result of the solver for a claim, better advice, and whether the result confirms
// the verdict.
type finding struct {
	result, instead string
	confirmed       bool
}

// A judgement has the claims of a book, and better advice in two or three lines.
type judgement struct {
	book    string
	claims  []claim
	instead func(s *study) []string
}

var judgements = []judgement{
	{"dilemma", dilemmaClaims, dilemmaInstead},
	{"sevens", sevensClaims, sevensInstead},
	{"highest", highestClaims, highestInstead},
	{"divisibility", divisibilityClaims, divisibilityInstead},
	{"reverse", reverseClaims, reverseInstead},
}

// TestAdvice checks the verdicts on the books' advice, and compares docs/advice.md with the
// results, or rewrites it with -update.
func TestAdvice(t *testing.T) {
	var page, sections strings.Builder
	page.WriteString(adviceIntro + coached(t))
	page.WriteString("\n## The books' own advice\n\nThe rulebooks say how to play well, too. `docs/advice_test.go` tries their claims in every position. ")
	studies, count, all := map[string]*study{}, map[string]int{}, 0
	for _, j := range judgements {
		i := slices.IndexFunc(digit.Books, func(b digit.Book) bool { return b.Name == j.book })
		s := studyOf(t, digit.Books[i].Rules)
		studies[j.book] = s
		all += len(j.claims)
		for _, c := range j.claims {
			f := c.judge(s)
			if !f.confirmed {
				t.Errorf("%s/%s is not %s: %s", j.book, c.id, c.verdict, f.result)
			}
			count[c.verdict]++
		}
		fmt.Fprintf(&sections, "\n### %s (`%s`)\n\n", digit.Books[i].Title, j.book)
		for _, line := range j.instead(s) {
			fmt.Fprintf(&sections, "- %s\n", line)
		}
	}
	fmt.Fprintf(&page, "Of %d, %d are right, %d half right, %d wrong, %d without effect and %d open. Better advice:\n",
		all, count["right"], count["half right"], count["wrong"], count["idle"], count["open"])
	page.WriteString(sections.String())
	text := wrapped(page.String())
	for _, s := range studies {
		if s.luck[1][0] < 0.9995 {
			t.Errorf("%v: a starter who makes only right moves wins %.4f of the games", s.rules, s.luck[1][0])
		}
	}
	if n := len(strings.Fields(text)); n > 1200 {
		t.Errorf("the page has %d words, more than 1200", n)
	}
	t.Run("by hand", func(t *testing.T) { byHand(t, studies) })

	const name = "docs/advice.md"
	if *update {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(kept) != text {
		t.Errorf("%s has changed; run go test ./docs -run TestAdvice -update and review the difference", name)
	}
}

const digitSum = "twice the hundreds, three times the tens and the units must add up to a multiple of 7 (721: 14 + 6 + 1 = 21)"

var dilemmaClaims = []claim{
	{"keep-track", "Tip: keep track of which digits are gone and which are left.", "idle", func(s *study) finding {
		return finding{
			fmt.Sprintf("There is nothing to remember: in all %s positions the digits left are those that neither number shows.", figure(s.positions)),
			"Look in the pool for the digits that complete your own number.",
			s.shown == s.positions,
		}
	}},
	{"take-first", "Tip: take a digit that the other player may need before it is needed.", "wrong", func(s *study) finding {
		return finding{
			fmt.Sprintf("In the %s quiet decisions, a move that leaves the other player the fewest multiples is right in %s. A blind move is right in %s.",
				figure(s.quiet), of100(s.spoil, s.quiet), of100(s.quietBlind, s.quiet)),
			fmt.Sprintf("Build: a move that leaves you the most multiples is right in %s.", of100(s.build, s.quiet)),
			s.spoil-s.quietBlind < 0.01*float64(s.quiet) && s.build > 0.9*float64(s.quiet),
		}
	}},
	{"know-multiples", "Tip: know the three-digit multiples of 7.", "right", func(s *study) finding {
		all, built, sums := 0, 0, 0
		for n := 100; n < 1000; n++ {
			a, b, c := n/100, n/10%10, n%10
			if n%7 == (2*a+3*b+c)%7 {
				sums++
			}
			if n%7 == 0 {
				all++
				if a != b && a != c && b != c {
					built++
				}
			}
		}
		return finding{
			fmt.Sprintf("In %s of the %s positions in which the game goes on, the next digit can make one.", figure(s.winNow), figure(s.open)),
			fmt.Sprintf("Of the %d multiples only %d can come up, since no digit comes twice. And no list is needed: %s.", all, built, digitSum),
			2*s.winNow > s.open && sums == 900,
		}
	}},
	{"plan-multiples", "Tip: plan your number by the multiples that the digits left still allow.", "right", func(s *study) finding {
		return finding{
			fmt.Sprintf("In the %s quiet decisions, a move that leaves you the most multiples is right in %s, a blind one in %s.",
				figure(s.quiet), of100(s.build, s.quiet), of100(s.quietBlind, s.quiet)),
			"Count them for each move, and take the move with the most.",
			s.build > 0.9*float64(s.quiet),
		}
	}},
	{"weigh-places", "Tip: weigh the places, and put each digit where it helps most.", "right", func(s *study) finding {
		left, middle, right := s.firstWins('a'), s.firstWins('b'), s.firstWins('c')
		return finding{
			s.placing() + fmt.Sprintf(" Of the ten first digits %d win on the left, %d in the middle and %d on the right.", left, middle, right),
			"In the middle no first digit is wrong.",
			2*s.placeMatters > s.placeable && middle == 10 && left < 10 && right < 10,
		}
	}},
	{"block", "Tip, and part of the aim: take the digits that the other player's number needs.", "half right", (*study).blocking},
	{"foresight", "Rule: look ahead, or you are stuck with a number that cannot win.", "right", func(s *study) finding {
		none, one, two := openPairs()
		return finding{
			fmt.Sprintf("There are %d ways to fill two places. In %d of them no third digit makes a multiple, in %d one does, in %d two do.",
				none+one+two, none, one, two),
			fmt.Sprintf("Aim for one of the %d: the other player can take only one of two digits.", two),
			none > 0 && two > 0,
		}
	}},
	{"valid-numbers", "Scoring: skill shows in making valid numbers again and again.", "half right", func(s *study) finding {
		return finding{
			fmt.Sprintf("%s of the %s positions in which the game is over have no multiple: the comparison has decided.",
				figure(s.over-s.multiples), figure(s.over)),
			"Know the comparison too: closer to the next multiple above wins, so a multiple plus 6 is best and a multiple plus 1 is worst.",
			s.multiples < s.over && s.rules.Measure(digit.Above, 6) == 1 && s.rules.Measure(digit.Above, 1) == 6,
		}
	}},
	{"foresee", "Aim and summary: watch the other player, and foresee the moves to come.", "half right", func(s *study) finding {
		must, all := s.mustLook()
		return finding{
			fmt.Sprintf("Suppose you see your number and the digits left, but not where the other player's digits stand. In %s of %s cases some move is right "+
				"wherever they stand; in %s you have to look.", figure(all-must), figure(all), figure(must)),
			"Look for one thing: is the other number one digit from a multiple?",
			must > 0 && 2*must < all,
		}
	}},
	{"skill", "Closing words: skilled players reliably beat those with less practice.", "half right", (*study).skill},
}

func dilemmaInstead(s *study) []string {
	// After a first move: the least number of second moves, over all answers, that leave two digits
	// that complete a multiple.
	start := s.Choices(digit.Position{})
	fewest := map[digit.Move]int{}
	answers, answered := 0, 0
	var lost []string
	for _, first := range start {
		fewest[first.Move] = 99
		for _, answer := range s.Choices(first.Next) {
			pairs := 0
			for _, second := range s.Choices(answer.Next) {
				if s.wins(second.Next, digit.First).Len() == 2 {
					pairs++
				}
			}
			fewest[first.Move] = min(fewest[first.Move], pairs)
			if first.Value.Outcome == solve.Win {
				answers++
				answered += min(pairs, 1)
			}
		}
		if first.Value.Outcome != solve.Win {
			lost = append(lost, s.describe(first.Move))
		}
	}
	most := slices.Max(slices.Collect(maps.Values(fewest)))
	var best []string
	for _, first := range start {
		if fewest[first.Move] == most {
			best = append(best, s.describe(first.Move))
		}
	}
	if answered < answers || s.twins < s.doubles {
		s.t.Errorf("twins do not always win: in %d of %d answers, %d of %d pairs", answered, answers, s.twins, s.doubles)
	}
	return []string{
		fmt.Sprintf("Begin with any of the %d moves that win. Only these lose: %s.", len(start)-len(lost), strings.Join(lost, "; ")),
		fmt.Sprintf("0 and 7, 1 and 8, 2 and 9 are twins: in any place one makes a multiple where the other does, but for 0 on the left. "+
			"With your second digit make a number that lacks a twin while both are in the pool; the other player can take only one of them. After each "+
			"of the %s answers to a winning first move there is such a digit. There is no other way: in all %s cases in which two digits complete "+
			"a number, they are twins.", figure(answers), figure(s.doubles)),
		fmt.Sprintf("Safest: %s. After each answer at least %d moves make such a pair; no other first move leaves as many.",
			strings.Join(best, ", or "), most),
	}
}

var sevensClaims = []claim{
	{"high-digits", "Tip: high digits such as 7 or 9, taken early, give more ways to a multiple.", "wrong", func(s *study) finding {
		hands, with := winningHands()
		least, most := slices.Min(with[:]), slices.Max(with[:])
		var row []string
		for n := most; n >= least; n-- {
			var set digit.Pool
			for d, have := range with {
				if have == n {
					set |= 1 << d
				}
			}
			if set != 0 {
				row = append(row, fmt.Sprintf("%s in %d", rulebook.Digits(set), n))
			}
		}
		first := s.firstWins(digit.InHand)
		return finding{
			fmt.Sprintf("%d of the 120 hands make a multiple. Of the digits, %s: 7 is in the fewest. And all %d first digits win anyway.",
				hands, strings.Join(row, "; "), first),
			"Begin with any digit. If you like to have many ways, take 3.",
			with[7] == least && with[9] < with[3] && with[3] == most && first == 10,
		}
	}},
	{"block", "Tip and rule: take the digits that the other player needs.", "wrong", func(s *study) finding {
		return finding{
			fmt.Sprintf("In %s positions the other player is one digit from a multiple and you cannot win at once. In all of them two "+
				"digits or more would do, so taking one never saves you.", figure(s.one+s.more)),
			"Take what makes your own multiple.",
			s.one == 0 && s.more > 0 && s.moreSaved == 0,
		}
	}},
	{"flexible", "Tip: take digits that go together in many ways.", "idle", func(s *study) finding {
		good, least, most, barren := pairsOfHands()
		wins, all := s.secondDigits()
		return finding{
			fmt.Sprintf("%d of the 45 pairs have %d to %d third digits that make a multiple; only %s have none. "+
				"With the second digit %d of the starter's %d moves win.", good, least, most, barren, wins, all),
			fmt.Sprintf("Never hold %s together; any other pair will do.", barren),
			good == 44 && all-wins == 16,
		}
	}},
	{"calculate", "Tip and closing words: be quick at testing divisibility; arithmetic is half the game.", "right", func(s *study) finding {
		hands, single := 0, 0
		for hand := range hands3() {
			orders := 0
			for n := range s.rules.Arrangements(hand) {
				if n.Value(10)%7 == 0 {
					orders++
				}
			}
			hands += min(orders, 1)
			if orders == 1 {
				single++
			}
		}
		return finding{
			fmt.Sprintf("%s of the %s decisions are about the third digit. Of the %d hands that make a multiple %d make it in one order only; "+
				"a wrong call loses.", figure(s.lastDigit), figure(s.decisions), hands, single),
			"Try all orders: " + digitSum + ".",
			100*s.lastDigit > 99*s.decisions,
		}
	}},
	{"careful", "Rule and closing words: careful choice and looking ahead raise your chances.", "half right", func(s *study) finding {
		return finding{
			fmt.Sprintf("Against a blind starter the second player wins %s games with blind moves and %s with right ones; against right moves, none. "+
				"What the starter takes hardly matters: see above.", of100(s.luck[0][1], 1), of100(s.luck[2][1], 1)),
			"What counts is who starts and who finds the multiple: take turns to start.",
			s.luck[2][1] > s.luck[0][1] && s.luck[2][1] < 0.5 && s.luck[1][0] > 1-1e-9,
		}
	}},
}

func sevensInstead(s *study) []string {
	_, least, _, barren := pairsOfHands()
	if least < 3 {
		s.t.Errorf("a pair has only %d third digits", least)
	}
	return []string{
		fmt.Sprintf("Start, and take any two digits, but not %s together. At least %d third digits make a multiple, and the other player has taken only two "+
			"digits by then: one is left for you.", barren, least),
		"Then find the order, and call it. " + strings.ToUpper(digitSum[:1]) + digitSum[1:] + ".",
		fmt.Sprintf("If you move second, you win only when the starter holds %s, misses a multiple or calls wrong.", barren),
	}
}

var highestClaims = []claim{
	{"placement", "Rule: where you put a digit is crucial.", "right", func(s *study) finding {
		return finding{s.placing(), "The higher the digit, the higher the place.", 2*s.placeMatters > s.placeable}
	}},
	{"high-early", "Tip: a high digit in the hundreds place early puts pressure on the other player.", "right", func(s *study) finding {
		return finding{
			s.settling("9a") + fmt.Sprintf(" But 8 in the hundreds place loses to %s: 9 in the hundreds place.", s.replies("8a")),
			"Begin with 9 in the hundreds place. It does not press, it wins.",
			s.onlyFirst("9a") && s.settled > 0 && s.settledDecisions == 0 && s.after("8a", "9a").Outcome == solve.Loss,
		}
	}},
	{"block", "Tip: take digits that the other player needs for a high number.", "half right", func(s *study) finding {
		return finding{
			fmt.Sprintf("Taking the highest digit left is right in all %s decisions, if it goes to your highest open place. Put lower, only to keep it "+
				"from the other player, it is right in %s of %s cases.", figure(s.decisions), figure(s.lowerRight), figure(s.lower)),
			"Take the highest digit for yourself; that it blocks comes with it.",
			s.greedyDecisions == s.decisions && 2*s.lowerRight < s.lower,
		}
	}},
	{"leave-open", "Tip: leave some places open for better digits to come.", "wrong", (*study).leaving},
	{"watch", "Tip and rule: watch the other player's choices, and think of the numbers that may come of them.", "idle", (*study).unwatched},
	{"every-decision", "Closing words: every choice counts, for your number and for the other player's.", "half right", func(s *study) finding {
		return s.undecided("9a", "The first digit matters; after 9 in the hundreds place nothing does.")
	}},
	{"luck", "Closing words: the game mixes luck and foresight.", "wrong", func(s *study) finding {
		return finding{
			fmt.Sprintf("Only the toss for the start is luck. A starter who makes only right moves wins %s games. "+
				"Who moves second and does so beats a blind starter in %s. And no foresight is needed: see the rule below.",
				of100(s.luck[1][0], 1), of100(s.luck[2][1], 1)),
			"Take turns to start.",
			s.luck[1][0] > 1-1e-9 && s.greedy == s.open,
		}
	}},
}

func highestInstead(s *study) []string {
	return []string{
		"Begin with 9 in the hundreds place. Whatever happens then, your number is higher.",
		fmt.Sprintf("Always take the highest digit left and put it in your highest open place. That is right in all %s positions, no matter who is ahead.", figure(s.open)),
		fmt.Sprintf("If the starter does not take 9 for the hundreds place, you win by the same rule: all %d other first moves lose.",
			len(s.Choices(digit.Position{}))-1),
	}
}

var divisibilityClaims = []claim{
	{"plan", "Tip: think ahead which digits will help you.", "right", func(s *study) finding {
		seven, lost := s.answerSeven()
		return finding{
			fmt.Sprintf("At the start it is one digit of nine: 7 is a multiple of 7 and wins at once. After each of the %d other first digits "+
				"the only winning answer is 7.", lost),
			"Take 7.",
			s.onlyFirst("7R") && seven == lost,
		}
	}},
	{"ends", "Tip: think what a digit does at the left end and what at the right.", "right", func(s *study) finding {
		return finding{
			s.placing(),
			"Keep the remainder by 7, and forget the number. At the right end: 3 times the remainder plus the digit. At the left end of 1, 2, 3 or 4 " +
				"digits: the remainder plus 3, 2, 6 or 4 times the digit.",
			2*s.placeMatters > s.placeable && remaindersHold(),
		}
	}},
	{"deny", "Tip: see which digits the other player needs, and take them.", "half right", (*study).blocking},
	{"flexible", "Tip: keep your number flexible, with many chances to come.", "half right", func(s *study) finding {
		return finding{
			fmt.Sprintf("In the %s quiet decisions, a move after which the most digits would make a multiple next turn is right in %s, a blind one in %s.",
				figure(s.quiet), of100(s.build, s.quiet), of100(s.quietBlind, s.quiet)),
			"Aim for two such digits at once: the other player cannot take both.",
			s.build > 1.2*s.quietBlind && s.build < 0.9*float64(s.quiet) && s.moreSaved == 0,
		}
	}},
	{"know-multiples", "Tip: know the multiples of the target.", "right", func(s *study) finding {
		return finding{
			fmt.Sprintf("In %s of the %s positions in which the game goes on, the next digit can make one.", figure(s.winNow), figure(s.open)),
			"Multiples of five digits nobody knows. Keep the remainder of your number instead, as above.",
			4*s.winNow > s.open,
		}
	}},
	{"primes", "Variant: prime targets such as 11 or 13 make it harder.", "half right", func(s *study) finding {
		prime, other := s.targets()
		all := slices.Concat(prime, other)
		slices.SortStableFunc(all, func(a, b target) int { return cmp.Compare(b.wins, a.wins) })
		return finding{
			fmt.Sprintf("Harder than 7, which is over with the first digit. But with 11 all %d first digits win, with 13 %d of 9: no "+
				"targets from 10 to 99 are easier to begin with. On average %.1f of 9 win with the %d primes and %.1f with the %d others.",
				find(all, 11).wins, find(all, 13).wins, mean(prime), len(prime), mean(other), len(other)),
			"Harder: 10, where one first digit wins, and only with the last of all digits; or 30, where none does.",
			all[0].number == 11 && all[1].number == 13 && all[1].wins > all[2].wins && mean(prime) > mean(other) &&
				find(all, 10) == target{10, 1, 9} && find(all, 30).wins == 0,
		}
	}},
	{"zero", "Variant: a 0 in the pool gives more options and changes much about divisibility.", "half right", func(s *study) finding {
		with := solved(s.t, "divisibility pool=0-9")
		made := 0
		for n := 1; n < 100_000; n++ {
			for _, t := range []int{7, 11, 13} {
				if n%t != 0 && 10*n%t == 0 { // 0 on the right; on the left it leaves n as it is
					made++
				}
			}
		}
		return finding{
			fmt.Sprintf("There is one option more: a 0 alone wins at once, as 7 does (%d of 10 first digits). Later it never wins: a 0 at either end "+
				"makes no number a multiple of 7, of 11 or of 13 that is none without it (tried below 100,000).", solve.Keep(with.Choices(digit.Position{}))),
			"After your first digit take 0 only to spend a turn. At the left end it does not change the value.",
			made == 0 && solve.Keep(with.Choices(digit.Position{})) == 2,
		}
	}},
	{"clock", "Variant: a time limit makes it more of a challenge.", "open", func(s *study) finding {
		return finding{
			fmt.Sprintf("The solver has no clock. What can be said: in %s of %s positions there is nothing to decide, so no time is needed.",
				figure(s.open-s.decisions), figure(s.open)),
			"Try it.",
			true,
		}
	}},
	{"battle", "Closing words: a contest of planning and calculating decides.", "wrong", func(s *study) finding {
		seven, lost := s.answerSeven()
		return finding{
			fmt.Sprintf("With target 7 one digit decides: a starter who takes it has won, and after each of the %d others the second player takes it and has won.", lost),
			"Agree on a target of two digits: no digit alone wins then.",
			s.after("7R").Plies == 0 && seven == lost,
		}
	}},
}

func divisibilityInstead(s *study) []string {
	prime, other := s.targets()
	var second []string
	for _, x := range slices.SortedFunc(slices.Values(slices.Concat(prime, other)), func(a, b target) int { return a.number - b.number }) {
		if x.wins == 0 {
			second = append(second, strconv.Itoa(x.number))
		}
	}
	return []string{
		"With target 7 begin with 7: you have won. If the starter began with anything else, take 7: you have won.",
		fmt.Sprintf("To have a game at all, agree on a target of two digits. The starter wins with %d of the %d targets from 10 to 99; the second player wins with %s.",
			len(prime)+len(other)-len(second), len(prime)+len(other), strings.Join(second, ", ")),
		"When two digits or more would complete your number, the other player is lost, unless the very next digit wins for them. Aim for that.",
	}
}

var reverseClaims = []claim{
	{"placement", "Rule: where you put a digit is key.", "right", func(s *study) finding {
		return finding{s.placing(), "The lower the digit, the higher the place.", 2*s.placeMatters > s.placeable}
	}},
	{"high-to-high", "Tip: a high digit that you are forced to take goes to a high place.", "wrong", func(s *study) finding {
		return finding{
			fmt.Sprintf("After `9a`, 9 in the hundreds place, %s win; after `9b` %s, after `9c` %s. With two places or more open, the highest digit left is worse "+
				"in the highest of them than in the lowest in %s of %s positions, and better in none. And nobody is forced: in all %s decisions some right move "+
				"takes another digit.", s.replies("9a"), s.replies("9b"), s.replies("9c"), figure(s.highWorse), figure(s.high), figure(s.decisions)),
			"Do not take a high digit; if you have, put it in the ones place.",
			s.highBetter == 0 && s.highWorse > 0 && s.forced == 0,
		}
	}},
	{"anticipate", "Tip and rule: keep track of the digits left, and think which will be there in later turns.", "idle", (*study).unwatched},
	{"fill-or-leave", "Tip: decide whether to fill the high places first or to leave them for lower digits.", "half right", func(s *study) finding {
		f := s.leaving()
		f.result = "It is the right question, and the book leaves it open. " + f.result
		return f
	}},
	{"turn-order", "Rule: equal numbers are won by the player who finishes second, which shows what the order of turns is worth.", "wrong", func(s *study) finding {
		without := solved(s.t, "reverse final=lower")
		changed := 0
		for p, v := range s.Positions() {
			if without.Value(p) != v {
				changed++
			}
		}
		return finding{
			fmt.Sprintf("No digit comes twice, so numbers are never equal: without this rule all %s positions are worth the same. "+
				"The order of turns is worth a game, but to the starter.", figure(s.positions)),
			"Start.",
			changed == 0 && s.Value(digit.Position{}).Outcome == solve.Win,
		}
	}},
	{"every-turn", "Closing words: each turn asks for a smart choice.", "wrong", func(s *study) finding {
		return s.undecided("1a", "The first digit matters; after 1 in the hundreds place nothing does.")
	}},
	{"depth", "Closing words: the game is deep, and mastery comes from foreseeing the other player's choices.", "wrong", func(s *study) finding {
		return finding{
			fmt.Sprintf("One rule plays all %s positions right, and it looks neither ahead nor at the other number.", figure(s.open)),
			"The lowest digit left to your highest open place, every time.",
			s.greedy == s.open,
		}
	}},
}

func reverseInstead(s *study) []string {
	return []string{
		"Begin with 1 in the hundreds place. Whatever happens then, your number is lower.",
		fmt.Sprintf("Always take the lowest digit left and put it in your highest open place. That is right in all %s positions, no matter who is ahead.", figure(s.open)),
		fmt.Sprintf("If the starter does not take 1 for the hundreds place, you win by the same rule: all %d other first moves lose.",
			len(s.Choices(digit.Position{}))-1),
	}
}

// blocking judges taking the digit that completes the other player's multiple.
func (s *study) blocking() finding {
	return finding{
		fmt.Sprintf("Say the other player is one digit from a multiple and you cannot win at once. If one digit would do, taking it saves you in "+
			"%s of %s positions, and no other move ever does. If two or more would, you are lost: that is so in all %s positions.",
			figure(s.oneSaved), figure(s.one), figure(s.more)),
		"First look for your own win. Block what would win next turn, and nothing else.",
		s.otherSaves == 0 && s.oneSaved > 0 && s.oneSaved < s.one && s.moreSaved == 0,
	}
}

// skill judges that the player who plays well wins.
func (s *study) skill() finding {
	return finding{
		fmt.Sprintf("A starter who makes only right moves wins %s games. Who moves second and makes only right moves beats a blind starter in %s, "+
			"and a good one never.", of100(s.luck[1][0], 1), of100(s.luck[2][1], 1)),
		"Take turns to start.",
		s.luck[1][0] > 1-1e-9 && s.luck[2][1] > 0.9,
	}
}

// leaving judges leaving the hundreds place open.
func (s *study) leaving() finding {
	return finding{
		fmt.Sprintf("There are %s decisions with your hundreds place open. Leaving it open is right too in %s of them, wrong in %s, and never better than filling it.",
			figure(s.hundreds), figure(s.mayLeave), figure(s.hundreds-s.mayLeave)),
		"Fill the highest open place first, with the best digit left.",
		s.mustLeave == 0 && 10*s.mayLeave < s.hundreds,
	}
}

// unwatched judges looking at the other player's number and moves.
func (s *study) unwatched() finding {
	extreme := "highest"
	if s.rules.Final.Has(digit.Lower) {
		extreme = "lowest"
	}
	return finding{
		fmt.Sprintf("You need not look: the %s digit left, put in your highest open place, is right in all %s positions, whatever the other player has or does.",
			extreme, figure(s.open)),
		fmt.Sprintf("Look only for the %s digit left.", extreme),
		s.greedy == s.open,
	}
}

// undecided judges that every turn matters.
func (s *study) undecided(first, instead string) finding {
	return finding{
		fmt.Sprintf("It changes the numbers, but seldom who wins: in %s of %s positions every move wins, or every move loses. After `%s` there is "+
			"nothing to decide in any of %s positions.", figure(s.open-s.decisions), figure(s.open), first, figure(s.settled)),
		instead,
		2*s.decisions < s.open && s.settledDecisions == 0,
	}
}

// placing describes how often the spot of a digit decides.
func (s *study) placing() string {
	where, one := "two places or more open", "in one place and wrong in another"
	if s.rules.Place == digit.Ends {
		where, one = "two ends to choose from", "at one end and wrong at the other"
	}
	return fmt.Sprintf("In %s of the %s decisions with %s, some digit is right %s.", figure(s.placeMatters), figure(s.placeable), where, one)
}

// settling describes the positions after the only good first move.
func (s *study) settling(first string) string {
	return fmt.Sprintf("`%s`, 9 in the hundreds place, is the one first move of %d that wins, and it settles the game: there is nothing to decide in "+
		"any of the %s positions that follow.", first, len(s.Choices(digit.Position{})), figure(s.settled))
}

// figure formats a count with commas.
func figure(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// of100 formats a share.
func of100[N int | float64](part float64, all N) string {
	return fmt.Sprintf("%.0f of 100", 100*part/float64(all))
}
