package coach

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// reply returns the opponent's reply to a wrong move: the fastest win or a draw, then the lowest
// digit, then the leftmost place.
func (k *claim) reply() (best digit.Move, next digit.Position) {
	moves, nexts, worth := k.moves(k.q, true)
	at := 0
	for i := range moves {
		if worth[i].Compare(worth[at]) > 0 {
			at = i
		}
	}
	return moves[at], nexts[at]
}

// solution returns the digit of all moves that keep the outcome, or "" if they differ.
func (k *claim) solution() (d string) {
	moves, _, worth := k.moves(k.p, true)
	for i, m := range moves {
		if worth[i].Outcome != k.s.Value(k.p).Outcome {
			continue
		}
		if d != "" && d != m.Digit.String() {
			return ""
		}
		d = m.Digit.String()
	}
	return d
}

// hidden checks that the reply uses the digit of the solution, so that the text must not name it.
func (k *claim) hidden(o solve.Outcome, atOnce bool) error {
	r, q := k.reply()
	return errors.Join(must(r.Digit.String() == k.solution(), "the reply can be named"),
		must(k.s.Value(k.q).Outcome == o && k.wonBy(q, k.you) == atOnce, "it is not so"))
}

// shown checks that a text may name the reply, and returns the position after it.
func (k *claim) shown(text string) (digit.Position, error) {
	r, q := k.reply()
	return q, errors.Join(must(r.Digit.String() != k.solution(), "the reply reveals the solution"),
		must(text == "" || k.done(k.q, text) == r, fmt.Sprintf("the reply is %v", r)))
}

// wrongs are the forms of the text after the name of a wrong try.
var wrongs = append([]form{
	{`{n} = (\d+) × (\d+) \+ (\d+)|{n} is less than {t}`, func(k *claim, g []string) error {
		if g[1] == "" {
			return must(k.m.Call.String() == k.plain(g[5]) && k.value(k.plain(g[5])) < int(k.r.Target),
				"it is not")
		}
		n, rest := k.value(k.plain(g[1])), number(g[4])
		return must(k.m.Call.String() == k.plain(g[1]) && number(g[2]) == int(k.r.Target) &&
			number(g[2])*number(g[3])+rest == n && rest > 0 && rest < number(g[2]), "the sum is wrong")
	}},
	{`{you} then wins? at once`, func(k *claim, _ []string) error { return k.hidden(solve.Win, true) }},
	{`{you} can then force a win`, func(k *claim, _ []string) error { return k.hidden(solve.Win, false) }},
	{`then nobody can force a win`, func(k *claim, _ []string) error { return k.hidden(solve.Draw, false) }},
	{`{you} (makes?|calls?) {sum}`, func(k *claim, g []string) error {
		q, err := k.shown("")
		n, err2 := k.multiple(g[2])
		made := k.completions(k.q, k.you)[n] != ""
		called := (k.r.Win == digit.OnCall) == strings.HasPrefix(g[1], "call")
		return errors.Join(err, err2, must(k.wonBy(q, k.you) && made && called, "it doesn't"))
	}},
	{`{you} makes? {n}, and {me} finish(?:es)? with (.*)`, func(k *claim, g []string) error {
		q, err := k.shown("")
		return errors.Join(err, k.best(q, k.you, k.plain(g[1])),
			must(k.certain(q, k.you), "it can be beaten"), k.bounds(q, k.me, g[2], true))
	}},
	{`{you} makes? {n}, and nothing {me} can make beats it`, func(k *claim, g []string) error {
		q, err := k.shown("")
		_, nexts, _ := k.moves(q, true)
		for _, end := range nexts {
			err = errors.Join(err, must(k.wonBy(end, k.you), "it is beaten: "+k.r.Text(end)))
		}
		return errors.Join(err, must(len(nexts) > 0, "the game is over"),
			k.best(q, k.you, k.plain(g[1])))
	}},
	{`{you} makes? {n}`, func(k *claim, g []string) error { // the comparison follows
		q, err := k.shown("")
		k.end = q
		return errors.Join(err, k.best(q, k.you, k.plain(g[1])),
			must(k.wonBy(q, k.you), "it doesn't win"))
	}},
	{`{you} (\S+ .*?)(?:, stops? {list})? and threatens? {list}`, func(k *claim, g []string) error {
		q, err := k.shown(g[1])
		stop := error(nil)
		if mine := k.completing(k.q, k.me); g[2] != "" {
			var all []string
			for n := range k.completions(k.q, k.me) {
				all = append(all, n)
			}
			var listed []string
			for _, n := range things(g[2]) {
				listed = append(listed, k.plain(n))
			}
			slices.Sort(all)
			slices.Sort(listed)
			stop = must(len(mine) == 1 && slices.Equal(all, listed) && !k.r.Left(q).Has(moveOf(mine[0]).Digit), "it is not stopped")
		}
		return errors.Join(err, stop, must(len(k.completing(q, k.me)) == 0, "there is a win"),
			k.isNumbers(g[3], q, k.you))
	}},
	{`{you} (\S+ .*?), and (every move loses|nobody can force a win)`, func(k *claim, g []string) error {
		q, err := k.shown(g[1])
		o := map[bool]solve.Outcome{true: solve.Loss, false: solve.Draw}[strings.HasPrefix(g[2], "every")]
		return errors.Join(err, must(k.s.Value(q).Outcome == o, "it is not so"))
	}},
}, comparisons...)

// rights are the forms of the text about a right try.
var rights = append([]form{
	{`it keeps the draw`, func(k *claim, _ []string) error {
		return must(k.s.Value(k.q).Outcome == solve.Draw && k.s.Value(k.p).Outcome == solve.Draw,
			"it doesn't")
	}},
	{`{me} threatens? {n}`, func(k *claim, g []string) error {
		return must(k.completions(k.q, k.me)[k.plain(g[1])] != "", "it doesn't")
	}},
}, reasons...)

// checkTry checks the judgement of a try.
func checkTry(
	s *solve.Solution, p digit.Position, m digit.Move, cast rulebook.Cast,
) (*claim, error) {
	v, err := Judge(s, p, m, cast)
	if err != nil {
		return nil, err
	}
	return checkVerdict(s, p, v, cast)
}

// checkVerdict checks the written and the spoken text of a verdict.
func checkVerdict(
	s *solve.Solution, p digit.Position, v Verdict, cast rulebook.Cast,
) (*claim, error) {
	m := v.Move
	k, err := newClaim(s, p, m, cast)
	if err != nil {
		return nil, err
	}
	keeps := k.s.Value(k.q).Outcome.Other() == k.s.Value(k.p).Outcome
	for i, text := range []string{v.Text, v.Spoken} {
		if i == 1 {
			if strings.ContainsAny(text, "=×+÷_()/%") {
				return k, errors.New("the spoken text has a symbol: " + text)
			}
			text = k.read(text)
		}
		if text == "Every move loses." {
			if err := k.count(solve.Loss, k.all(p)); err != nil {
				return k, err
			}
			continue
		}
		rest, right := strings.CutPrefix(text, "Right! ")
		if right != keeps || v.Kept() != keeps {
			return k, fmt.Errorf("%q: the move keeps the outcome: %t", text, keeps)
		}
		if right {
			err = k.sentences(rights, rest)
		} else if rest, ok := strings.CutPrefix(text, "Not "+k.voice.Back(p, m)+". "); ok {
			err = k.sentences(wrongs, rest)
		} else {
			err = fmt.Errorf("%q doesn't name the move", text)
		}
		if err != nil {
			return k, err
		}
	}
	return k, nil
}

// A past is a claim about a move of a game, with the next move.
type past struct {
	*claim
	next digit.Move
	has  bool // there is a next move
}

// judgements returns the forms of a review.
func (h past) judgements() []form {
	change := func(k *claim) error {
		return must(k.s.Value(k.q).Outcome.Other().Points() < k.s.Value(k.p).Outcome.Points(),
			"nothing changed")
	}
	keep := func(k *claim) int { return k.outcomes(k.p, k.s.Value(k.p).Outcome) }
	stays := func(k *claim) error { return must(change(k) != nil, "it is a change") }
	won := map[solve.Outcome]string{solve.Win: "won", solve.Draw: "drew", solve.Loss: "lost"}
	leaves := func(k *claim, d string) (digit.Position, error) {
		q, err := k.r.Play(k.q, h.next)
		taken := k.done(k.p, k.voice.Put(k.p, k.m)) != nowhere
		could := false
		for m := range k.r.Moves(k.p) {
			could = could || m.Digit.String() == d
		}
		return q, errors.Join(err, change(k), must(h.has && taken && could && h.next.Digit.String() == d && k.wonBy(q, k.you) &&
			k.r.Result(q).Reason == digit.Multiple, "it was not left"), must(!k.canWin(k.p), "a win was missed"))
	}
	return []form{
		{`{me} called {n}, which is not a multiple of {t}`, func(k *claim, g []string) error {
			return must(k.m.Call.String() == k.plain(g[1]) && !k.divides(k.plain(g[1])) && k.wonBy(k.q, k.you),
				"it is")
		}},
		{`{me} missed (.*), which wins at once`, func(k *claim, g []string) error {
			return errors.Join(change(k), must(k.wins(k.p, k.named(k.p, g[1]), true), "it doesn't"))
		}},
		{`{me} left {d}, and {you} (?:made|called) {sum}`, func(k *claim, g []string) error {
			_, err := leaves(k, g[1])
			n, err2 := k.multiple(g[2])
			return errors.Join(err, err2,
				must(k.completions(k.q, k.you)[n] == g[1], "it made another"))
		}},
		{`(.*) was the only winning move`, func(k *claim, g []string) error {
			return errors.Join(change(k), equal("winning moves", k.outcomes(k.p, solve.Win), 1),
				must(k.wins(k.p, k.named(k.p, g[1]), false), "it doesn't win"))
		}},
		{`only (.*) kept the draw`, func(k *claim, g []string) error {
			q, err := k.r.Play(k.p, k.named(k.p, g[1]))
			return errors.Join(err, change(k), equal("draws", k.outcomes(k.p, solve.Draw), 1),
				must(k.s.Value(k.p).Outcome == solve.Draw && k.s.Value(q).Outcome == solve.Draw, "it doesn't"))
		}},
		{`(\d+) of (\d+) {kind}s kept the draw`, func(k *claim, g []string) error {
			return errors.Join(change(k),
				must(k.s.Value(k.p).Outcome == solve.Draw && k.r.Result(k.q).Over(), "it was not"),
				equal("draws", keep(k), number(g[1])), equal("all", k.all(k.p), number(g[2])))
		}},
		{`after it, ({you}|nobody) could force a win`, func(k *claim, g []string) error {
			o := map[bool]solve.Outcome{true: solve.Draw, false: solve.Win}[g[1] == "nobody"]
			return errors.Join(change(k),
				must(k.s.Value(k.q).Outcome == o && !k.r.Result(k.q).Over(), "it is not so"),
				must(keep(k) > 1, "there was one move"))
		}},
		{`{me} found the only (winning move out of (\d+)|move out of (\d+) that kept the draw)`, func(k *claim, g []string) error {
			o, n := solve.Draw, g[3]
			if g[2] != "" {
				o, n = solve.Win, g[2]
			}
			return errors.Join(k.count(o, 1), equal("moves", k.all(k.p), number(n)),
				must(number(n) > 1, "there was one move"),
				must(k.s.Value(k.p).Outcome == o, "it is not so"))
		}},
		{`every {kind} (won|drew|lost)`, func(k *claim, g []string) error {
			return errors.Join(stays(k), equal("moves", keep(k), k.all(k.p)),
				must(g[1] == won[k.s.Value(k.p).Outcome], "they did not"))
		}},
		{`this won too, but (.*) was faster`, func(k *claim, g []string) error {
			q, err := k.r.Play(k.p, k.named(k.p, g[1]))
			return errors.Join(err, k.count(solve.Win, keep(k)),
				must(k.s.Value(q).Outcome == solve.Loss && k.s.Value(q).Plies < k.s.Value(k.q).Plies, "it was not"))
		}},
		{`(\d+) of (\d+) {kind}s (won|drew|lost)`, func(k *claim, g []string) error {
			return errors.Join(stays(k), equal("moves", keep(k), number(g[1])),
				equal("all", k.all(k.p), number(g[2])),
				must(g[3] == won[k.s.Value(k.p).Outcome], "they did not"))
		}},
	}
}

// checkReview checks every sentence of a review, and its choice of moments.
func checkReview(
	s *solve.Solution, rec digit.Record, cast rulebook.Cast,
) (used map[string]bool, err error) {
	rv, err := ReviewGame(s, rec, cast)
	if err != nil {
		return nil, err
	}
	used = map[string]bool{}
	var changes, finds []int
	first := digit.Position{}
	for i, j := range rv.Moves {
		k, err := newClaim(s, first, j.Move, cast)
		if err != nil {
			return nil, err
		}
		k.used = used
		h := past{claim: k}
		if i+1 < len(rec.Moves) {
			h.next, h.has = rec.Moves[i+1], true
		}
		forms := h.judgements()
		for _, text := range []string{j.Text, k.read(j.Spoken)} {
			if err := k.sentences(forms, text); err != nil {
				return nil, fmt.Errorf("move %d: %w", i+1, err)
			}
		}
		text, ok := strings.CutPrefix(j.Moment, fmt.Sprintf("Move %d: ", i+1))
		short := strings.NewReplacer(" = ", " ", " × ", " ",
			k.voice.Whom(k.me), "X", k.voice.Whom(k.you), "X").Replace(text)
		if words := len(strings.Fields(short)); !ok || words > 14 {
			return nil, fmt.Errorf("%q has %d words", j.Moment, words)
		}
		if err := k.clause(forms, strings.TrimSuffix(text, ".")); err != nil {
			return nil, err
		}
		v := s.Value(first)
		switch drop := s.Value(k.q).Outcome.Other().Points() < v.Outcome.Points(); {
		case drop:
			changes = append(changes, i+1)
		case v.Outcome != solve.Loss && k.all(first) > 1 && k.outcomes(first, v.Outcome) == 1 &&
			(cast.You[j.Side] || cast.You == [2]bool{}):
			finds = append(finds, i+1)
		}
		if drop := !j.Kept(); drop {
			if err := checkAlternative(k, rv.Alternative(s, i+1, cast)); err != nil {
				return nil, fmt.Errorf("move %d: %w", i+1, err)
			}
		}
		first = k.q
	}
	if err := checkMoments(rv.Moments, changes, finds); err != nil {
		return nil, err
	}
	return used, checkTurning(s, rec, rv, changes, cast)
}

// checkMoments checks that the moments are the last change, the first, and the last finds.
func checkMoments(got, changes, finds []int) error {
	var want []int
	if n := len(changes); n > 0 {
		want = append(want, changes[n-1])
		if n > 1 {
			want = append(want, changes[0])
		}
	}
	for _, ply := range slices.Backward(finds) {
		if len(want) < 3 {
			want = append(want, ply)
		}
	}
	slices.Sort(want)
	return must(slices.Equal(got, want), fmt.Sprintf("the moments are %v, want %v", got, want))
}

// alternatives are the forms of the text about a better move.
var alternatives = []form{
	{`(.*?): {sum}`, func(k *claim, g []string) error {
		n, err := k.multiple(g[2])
		return errors.Join(err,
			must(k.wonBy(k.q, k.me) && k.completions(k.p, k.me)[n] == k.m.Digit.String(), "it doesn't win"))
	}},
	{`(.*?): a multiple of {t} on its own`, func(k *claim, _ []string) error {
		return must(k.wonBy(k.q, k.me) && k.r.Held(k.q, k.me).Len() == 1, "it doesn't win")
	}},
	{`(.*?): {n} is {far}`, func(k *claim, g []string) error {
		o, err := k.decided()
		return errors.Join(err, must(k.wonBy(k.q, k.me), "it doesn't win"),
			k.best(k.q, k.me, k.plain(g[2])), k.isFar(o, k.plain(g[2]), g[3]))
	}},
	{`(.*?): then {list} both win`, func(k *claim, g []string) error {
		return errors.Join(k.isNumbers(g[2], k.q, k.me),
			equal("digits", len(k.completing(k.q, k.me)), 2), k.onlyOne())
	}},
	{`(.*?): then {list} all win`, func(k *claim, g []string) error {
		return errors.Join(isList(g[2], k.completing(k.q, k.me)),
			must(len(k.completing(k.q, k.me)) > 2, "there are two"), k.onlyOne())
	}},
	{`(.*?) keeps the (win|draw)`, func(k *claim, g []string) error {
		o := map[string]solve.Outcome{"win": solve.Loss, "draw": solve.Draw}[g[2]]
		quick := !k.canWin(k.q) && len(k.completing(k.q, k.me)) > 1
		return must(k.s.Value(k.q).Outcome == o && !k.r.Result(k.q).Over() && !quick,
			"it doesn't, or does more")
	}},
	{`(.*?): (.*)`, func(k *claim, g []string) error { return k.clause(comparisons, g[2]) }},
}

// checkAlternative checks the better move for the move of a claim, and its text.
func checkAlternative(k *claim, a Alternative) error {
	moves, _, worth := k.moves(k.p, true)
	best := -1
	rank := func(i int) []int {
		plies, other := 0, 1
		if worth[i].Outcome == solve.Win {
			plies = worth[i].Plies
		}
		if moves[i].Spot == k.m.Spot {
			other = 0
		}
		return []int{plies, other, int(moves[i].Digit), int(moves[i].Spot)}
	}
	for i := range moves {
		if worth[i].Outcome == k.s.Value(k.p).Outcome &&
			(best < 0 || slices.Compare(rank(i), rank(best)) < 0) {
			best = i
		}
	}
	if !a.Exists || a.Better != moves[best] {
		return fmt.Errorf("better than %v is %v, want %v", k.m, a.Better, moves[best])
	}
	next, err := k.at(k.p, a.Better)
	if err != nil {
		return err
	}
	name := k.voice.Back(k.p, a.Better.Uncalled()) + " instead"
	switch same := a.Better.Digit == k.m.Digit; {
	case a.Better.Spot == k.m.Spot && same && a.Better.Call == digit.Number{}:
		name = "no call instead"
	case a.Better.Spot == k.m.Spot && same:
		name = "another call instead"
	case a.Better.Spot == k.m.Spot:
		name = fmt.Sprintf("%v instead of %v", a.Better.Digit, k.m.Digit)
	}
	for _, text := range []string{a.Text.Long, k.read(a.Text.Spoken)} {
		text = k.lower(text)
		if !strings.HasPrefix(text, name) {
			return fmt.Errorf("%q does not begin with %q", text, name)
		}
		if err := next.clause(alternatives, strings.TrimSuffix(text, ".")); err != nil {
			return err
		}
	}
	nth := k.r.Held(k.p, k.me).Len()
	title := []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"}[nth]
	if nth+1 == k.r.Fills(k.me) {
		title = "last"
	}
	return must(a.Title == k.voice.Whose(k.me)+" "+title+" digit", a.Title)
}

// checkTurning checks the sentences about the turning point.
func checkTurning(
	s *solve.Solution, rec digit.Record, rv Review, changes []int, cast rulebook.Cast,
) error {
	got := rv.TurningPoint
	var v rulebook.Voice
	rulebook.Say(rec.Rules, cast, func(w rulebook.Voice) string {
		if v.Rules != rec.Rules {
			v = w
		}
		return ""
	})
	if len(changes) == 0 {
		value := s.Value(digit.Position{})
		winner, won := value.Winner(digit.First)
		want := "Nobody made a mistake, and nobody could force a win."
		if won {
			want = fmt.Sprintf("Nobody made a mistake. %s could force a win from the start.", v.Who(winner))
		}
		return must(got.Ply == 0 && got.Text.Long == want, got.Text.Long+" instead of "+want)
	}
	last := rv.Moves[changes[len(changes)-1]-1]
	if got.Ply != last.Ply {
		return fmt.Errorf("the turning point is %d, want %d", got.Ply, last.Ply)
	}
	if len(changes) > 2 {
		return must(got.Text.Long == fmt.Sprintf("The lead changed %d times.", len(changes)),
			got.Text.Long)
	}
	k, err := newClaim(s, last.At, last.Move, cast)
	if err != nil {
		return err
	}
	o := s.Value(last.At).Outcome
	would := map[solve.Outcome]string{solve.Win: "won", solve.Draw: "kept the draw"}[o]
	check := func(name string) error {
		q, err := k.r.Play(last.At, k.named(last.At, name))
		return errors.Join(err,
			must(err == nil && s.Value(q).Outcome.Other() == o, name+" was not better"))
	}
	for _, text := range []string{got.Instead.Long, k.read(got.Instead.Spoken)} {
		form := form{pattern: `(?:(\w+) {kind}s would have ` + would + `; (.*) was one|(.*) would have ` + would + `)\.`}
		g := form.match(k, text)
		switch {
		case g == nil:
			return fmt.Errorf("%q: unknown sentence", text)
		case g[1] != "":
			err = errors.Join(equal("moves", k.outcomes(last.At, o), inWords(g[1])), check(g[2]))
		default:
			moves := k.either(last.At, g[3])
			err = equal("moves", k.outcomes(last.At, o), len(moves))
			for _, m := range moves {
				err = errors.Join(err, check(k.voice.Back(last.At, m)))
			}
		}
		if err != nil {
			return fmt.Errorf("%q: %w", text, err)
		}
	}
	return nil
}
