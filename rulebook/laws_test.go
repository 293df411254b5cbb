package rulebook

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"digitduel/digit"
)

// randomRules returns random valid rules.
func randomRules(rng *rand.Rand) digit.Rules {
	for {
		r := digit.Rules{
			Pool: digit.Pool(rng.Uint32()), Place: digit.Place(rng.IntN(3)),
			Width: uint8(rng.IntN(6)), Target: uint16(rng.IntN(40)),
			Win: digit.Win(rng.IntN(4)), Zero: digit.Zero(rng.IntN(3)),
		}
		if rng.IntN(2) == 0 {
			r.Pool &= 1<<10 - 1
		}
		if rng.IntN(4) == 0 {
			r.Target = uint16(rng.IntN(digit.MaxTarget))
		}
		var orders []digit.Order
		for range rng.IntN(4) {
			orders = append(orders, digit.Order(1+rng.IntN(6)))
		}
		r.Final = digit.FinalBy(orders...)
		if r.Check() == nil {
			return r
		}
	}
}

// casts lists players and readers: names of 1, 12 and 32 characters, names that end in s or are
// written from right to left, computers, and no names.
var casts = []Cast{
	{Names: [2]string{"Ada", "Ben"}},
	{Names: [2]string{"A", "James"}, You: [2]bool{true, false}},
	{Names: [2]string{"Wolfeschlegelsteinhausenbergerdo", "Twelve chars"},
		You: [2]bool{false, true}},
	{Names: [2]string{"עדה", "آدم"}},
	{Names: [2]string{"آدم", "Wolfeschlegelsteinhausenbergers"}, You: [2]bool{true, false}},
	{Names: [2]string{"Youssef", "Computer (casual)"}, You: [2]bool{true, false},
		Computer: [2]bool{false, true}, Levels: [2]string{"", "casual"}},
	{Names: [2]string{"Casual", "Skilled"}, Computer: [2]bool{true, true},
		Levels: [2]string{"casual", "skilled"}},
	{},
}

// called returns the name of a player at the beginning of a sentence.
func called(c Cast, s digit.Side) string {
	switch {
	case c.You[s]:
		return "You"
	case c.Computer[s] && c.You[1-s]:
		return "The computer"
	case c.Names[s] == "":
		return fmt.Sprintf("Player %d", s+1)
	default:
		return c.Names[s]
	}
}

// within returns the name of a player within a sentence.
func within(c Cast, s digit.Side) string {
	if c.You[s] || c.Computer[s] && c.You[1-s] {
		return strings.ToLower(called(c, s))
	}
	return called(c, s)
}

// unspoken are the signs that a screen reader cannot read.
const unspoken = "=×÷·+→_()/%–{}"

// never lists words that no sentence has: those that are not plain English, and terms of the code.
var never = []string{
	"tell", "tells", "told", "telling", "whoever", "somebody", "anybody", "beside", "by lot",
	"chance plays", "the better of it", "side", "sides", "ply", "plies", "inert", "barred",
	"target", "targets", "any more", "slot", "slots", "spot", "spots", "seq",
}

// unwanted returns the first word of never that a text has, or "".
func unwanted(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text),
		func(c rune) bool { return !unicode.IsLetter(c) })
	text = " " + strings.Join(words, " ") + " "
	i := slices.IndexFunc(never,
		func(word string) bool { return strings.Contains(text, " "+word+" ") })
	if i < 0 {
		return ""
	}
	return never[i]
}

// checkForm checks the form of a text.
func checkForm(t *testing.T, label string, s Said) {
	t.Helper()
	all := s.Short + " " + s.Long + " " + s.Spoken
	switch {
	case utf8.RuneCountInString(s.Short) > MostShort || strings.HasSuffix(s.Short, "."):
		t.Errorf("%s: the short form %q is too long or a sentence", label, s.Short)
	case s.Short == "" || s.Long == "" || s.Spoken == "":
		t.Errorf("%s: a form is missing in %+v", label, s)
	case strings.ContainsAny(s.Spoken, unspoken):
		t.Errorf("%s: the spoken form %q has a sign", label, s.Spoken)
	case unwanted(all) != "":
		t.Errorf("%s: %q is in %+v", label, unwanted(all), s)
	case strings.Contains(all, "{"):
		t.Errorf("%s: %+v is not filled in", label, s)
	case strings.Contains(s.Long, "  ") || strings.Contains(s.Long, "..") ||
		!strings.ContainsAny(s.Long[len(s.Long)-1:], ".!?"):
		t.Errorf("%s: %q is not a sentence", label, s.Long)
	case strings.Count(s.Long, " × ") != strings.Count(s.Spoken, " times "):
		t.Errorf("%s: %q has other sums than %q", label, s.Spoken, s.Long)
	}
}

// kinds lists words of each kind of sentence about a game.
var kinds = []string{
	"made", "called", "on its own", "left over", "less than", "short of a multiple",
	"over a multiple", "away from", "multiples of", "higher than", "lower than", ", and ",
	"last digit", "Nobody made", "Nobody called", "both open", "stop only one", "was winning",
	"were winning", "could have made", "could have called", "so no win", "so it can't win",
	"each hand counts", "a random digit", "and holds", "and hold ", "started with",
}

// TestVoice plays random games of random rules, describes them to every kind of reader, and parses
// and recomputes every sentence.
func TestVoice(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 103))
	games := 1
	if nightly {
		games = 10
	}
	seen := map[string]int{}
	for range 3000 {
		r := randomRules(rng)
		for _, s := range []Said{Goal(r), Goal(AutoCalled(r))} {
			checkForm(t, fmt.Sprintf("the goal of %v", r), s)
		}
		checkGoal(t, r)
		checkGoalNote(t, r)
		checkSeries(t, rng, r)
		for range games {
			checkGame(t, rng, r, seen)
		}
		if t.Failed() {
			return
		}
	}
	for _, words := range kinds {
		if seen[words] == 0 {
			t.Errorf("no sentence has %q", words)
		}
	}
}

// checkGame plays a random game to its end, and checks all texts about it.
func checkGame(t *testing.T, rng *rand.Rand, r digit.Rules, seen map[string]int) {
	t.Helper()
	c := casts[rng.IntN(len(casts))]
	see := func(s Said) {
		for _, words := range kinds {
			if strings.Contains(s.Long, words) {
				seen[words]++
			}
		}
	}
	var p digit.Position
	var moves []digit.Move
	for !r.Result(p).Over() {
		m, _ := r.Pick(p, rng.IntN)
		switch { // so that not every game ends with a wrong call
		case r.MayCall(p) && rng.IntN(3) > 0:
			m.Call = digit.Number{}
		case r.MayCall(p) && rng.IntN(2) == 0:
			m.Call = r.HighestMultiple(r.Held(p, r.Turn(p)) | digit.PoolOf(m.Digit))
		}
		if wins := slices.Collect(firsts(r.Threats(p, r.Turn(p)))); len(wins) > 0 &&
			rng.IntN(2) == 0 {
			m = wins[rng.IntN(len(wins))]
		}
		label := fmt.Sprintf("%v %s", r, r.Text(p))
		checkTurn(t, label, r, p, c, rng.IntN(2) == 0)
		if r.Place != digit.Hand {
			checkForm(t, label, AskSpot(r, p, m.Digit))
			checkForm(t, label, TapSpot(r, p, m.Digit))
		} else if r.MayCall(p) {
			checkForm(t, label, AskCall(r, p, m.Digit))
			checkForm(t, label, NoCall(r))
		}
		checkRefusals(t, rng, r, p, c)
		resigned := digit.Result{Score: digit.WinFor(digit.Side(rng.IntN(2))),
			Reason: digit.Resignation}
		see(checkDetail(t, label, r, moves, resigned, c))
		by := Player
		if rng.IntN(4) == 0 {
			by = Chance
		}
		said := Played(r, p, m, c, by)
		see(said)
		checkForm(t, fmt.Sprintf("%s %v", label, m), said)
		checkSums(t, fmt.Sprintf("%s %v", label, m), r, said)
		checkPlayed(t, fmt.Sprintf("%s %v", label, m), r, p, m, c, by, said.Long)
		moves = append(moves, m)
		p, _ = r.Play(p, m)
	}
	result := r.Result(p)
	label := fmt.Sprintf("%v %s %v", r, r.Text(p), result)
	why, ending := Why(r, p, result, c), Ending(r, p, result, c)
	see(why)
	for _, said := range []Said{why, ending} {
		checkForm(t, label, said)
		checkSums(t, label, r, said)
	}
	checkWhy(t, label, r, p, c, why.Long)
	checkEnding(t, label, r, p, c, ending)
	see(checkDetail(t, label, r, moves, result, c))
	checkShared(t, label, result, c, Shared(r, p, result, c))
	_, err := r.Play(p, digit.Move{Digit: 1})
	if refused, ok := errors.AsType[*digit.MoveError](err); ok {
		checkForm(t, label, Refused(r, p, refused, c))
	}
}

// firsts yields the first values of pairs.
func firsts[A, B any](pairs iter.Seq2[A, B]) iter.Seq[A] {
	return func(yield func(A) bool) {
		for a := range pairs {
			if !yield(a) {
				return
			}
		}
	}
}

const numeral = `([0-9a-f]+)(?: \((\d+)\))?`

var (
	sumSaid  = regexp.MustCompile(numeral + ` = (\d+) × (\d+)(?: \+ (\d+))?`)
	gapSaid  = regexp.MustCompile(numeral + ` is (\d+) (short of|over) (\d+) = (\d+) × (\d+)`)
	lessSaid = regexp.MustCompile(numeral + ` is less than (\d+)`)
	soundSum = regexp.MustCompile(`(\d+),? is (\d+) times (\d+)(?: plus (\d+))?`)

	madeSaid  = regexp.MustCompile(`^(.+) (made|called) ` + numeral + ` = \d+ × \d+\.$`)
	aloneSaid = regexp.MustCompile(`^([0-9a-f]) is a multiple of (\d+) on its own\.$`)
	wrongSaid = regexp.MustCompile(`^(.+) called ([0-9a-f]+), but ` + numeral +
		`(?: = \d+ × \d+ \+ (\d+): (\w+) left over| is less than \d+)\.$`)
	rankSaid    = regexp.MustCompile(`^` + numeral + ` is (higher|lower) than ` + numeral + `\.$`)
	measureSaid = regexp.MustCompile(`^` + numeral +
		` is (?:(\d+) (short of|over) )?a multiple of (\d+); ` + numeral +
		` is (\d+) (short|over)\.$`)
	tieSaid = regexp.MustCompile(`^` + numeral + ` and ` + numeral +
		` are both (?:(\d+) (short of|over|away from) a multiple|multiples) of (\d+)(?:, and (.*))?\.$`)
	nextRank    = regexp.MustCompile(`^` + numeral + ` is (higher|lower)$`)
	nextMeasure = regexp.MustCompile(`^` + numeral + ` is (\d+) (short|over); ` + numeral +
		` is (\d+) (short|over)$`)
	lastSaid   = regexp.MustCompile(`^(.+) placed the last digit$`)
	nobodySaid = regexp.MustCompile(`^Nobody (made|called) a multiple of (\d+)\.$`)
)

// value parses a number, and checks its value in base ten if that differs.
func value(t *testing.T, r digit.Rules, number, decimal string) int {
	t.Helper()
	n, err := strconv.ParseInt(number, r.Base(), 64)
	if err != nil {
		t.Errorf("%v: %q is not a number", r, number)
	}
	if want := strconv.FormatInt(n, 10); r.Base() != 10 && number != want && decimal != want {
		t.Errorf("%v: %s has the value %q, want %d", r, number, decimal, n)
	}
	return int(n)
}

func atoi(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// bareText returns a text without the marks around names written from right to left.
func bareText(text string) string {
	return strings.NewReplacer("\u2068", "", "\u2069", "").Replace(text)
}

// checkSums recomputes every sum and gap of a text, written and spoken.
func checkSums(t *testing.T, label string, r digit.Rules, said Said) {
	t.Helper()
	target := int(r.Target)
	rest := said.Long
	for _, m := range gapSaid.FindAllStringSubmatch(said.Long, -1) {
		n, far, to := value(t, r, m[1], m[2]), atoi(m[3]), atoi(m[5])
		if m[4] == "over" {
			far = -far
		}
		if n+far != to || to != target*atoi(m[7]) || atoi(m[6]) != target {
			t.Errorf("%s: %q is wrong", label, m[0])
		}
		rest = strings.ReplaceAll(rest, m[0], "")
	}
	for _, m := range sumSaid.FindAllStringSubmatch(rest, -1) {
		if value(t, r, m[1], m[2]) != target*atoi(m[4])+atoi(m[5]) || atoi(m[3]) != target ||
			atoi(m[5]) >= target {
			t.Errorf("%s: %q is wrong", label, m[0])
		}
	}
	for _, m := range lessSaid.FindAllStringSubmatch(said.Long, -1) {
		if value(t, r, m[1], m[2]) >= target || atoi(m[3]) != target {
			t.Errorf("%s: %q is wrong", label, m[0])
		}
	}
	for _, m := range soundSum.FindAllStringSubmatch(said.Spoken, -1) {
		if atoi(m[1]) != atoi(m[2])*atoi(m[3])+atoi(m[4]) {
			t.Errorf("%s: %q is wrong in %q", label, m[0], said.Spoken)
		}
	}
}

// far returns the distance of a value from a multiple as an order measures it, and its direction.
func far(o digit.Order, t, value int) (int, string) {
	over := value % t
	if o == digit.Above || o == digit.Nearest && t-over < over {
		return t - over, "short"
	}
	return over, "over"
}

// checkWhy parses the reason of a result and recomputes it from the position.
func checkWhy(t *testing.T, label string, r digit.Rules, p digit.Position, c Cast, text string) {
	t.Helper()
	result, target := r.Result(p), int(r.Target)
	text = bareText(text)
	winner, won := result.Winner()
	winner &= 1
	numbers := [2]digit.Number{r.Best(r.Number(p, 0)), r.Best(r.Number(p, 1))}
	if n, ok := r.Called(p); ok {
		numbers[1-r.Turn(p)] = n
	} else if result.Reason == digit.Multiple && r.Place == digit.Hand {
		numbers[winner] = r.HighestMultiple(r.Held(p, winner))
	}
	w, l := numbers[winner], numbers[1-winner]
	x, y := w.Value(r.Base()), l.Value(r.Base())
	fail := func() { t.Helper(); t.Errorf("%s: %q is not the reason", label, text) }
	is := func(m []string, at int, n digit.Number) bool {
		return m[at] == n.String() && value(t, r, m[at], m[at+1]) == n.Value(r.Base())
	}
	switch result.Reason {
	case digit.Multiple:
		if m := aloneSaid.FindStringSubmatch(text); m != nil {
			if m[1] != w.String() || atoi(m[2]) != target || x%target != 0 ||
				r.Win == digit.OnCall {
				fail()
			}
			return
		}
		verb := map[bool]string{true: "called", false: "made"}[r.Win == digit.OnCall]
		if m := madeSaid.FindStringSubmatch(text); m == nil || m[1] != called(c, winner) ||
			m[2] != verb || !is(m, 3, w) {
			fail()
		}
		return
	case digit.Miscalled:
		m := wrongSaid.FindStringSubmatch(text)
		if m == nil || m[1] != called(c, 1-winner) || m[2] != l.String() || !is(m, 3, l) ||
			m[6] != "" && (m[6] != InWords(y%target) || atoi(m[5]) != y%target) ||
			(m[6] == "") != (y < target) {
			fail()
		}
		return
	default:
	}
	var ties []digit.Order // the orders that find both equal, before the one that decides
	var decides digit.Order
	for _, o := range r.Orders() {
		same := o != digit.Later && o != digit.Higher && o != digit.Lower
		if same {
			a, _ := far(o, target, x)
			b, _ := far(o, target, y)
			same = a == b
		}
		if !same {
			decides = o
			break
		}
		ties = append(ties, o)
	}
	if (decides == 0) == won {
		t.Errorf("%s: the result is decided by %v", label, decides)
	}
	next := text
	if len(ties) > 0 {
		m := tieSaid.FindStringSubmatch(text)
		if m == nil || !is(m, 1, w) || !is(m, 3, l) || atoi(m[7]) != target {
			fail()
			return
		}
		last := ties[len(ties)-1]
		a, way := far(last, target, x)
		_, other := far(last, target, y)
		want := map[string]string{"short": "short of", "over": "over"}[way]
		switch {
		case a == 0:
			want = ""
		case way != other:
			want = "away from"
		}
		if m[6] != want || atoi(m[5]) != a || (m[8] == "") != (decides == 0) {
			fail()
		}
		next = m[8]
	}
	switch decides {
	case 0:
		verb := map[bool]string{true: "called", false: "made"}[r.Win == digit.OnCall]
		if m := nobodySaid.FindStringSubmatch(text); len(ties) == 0 && (m == nil || m[1] != verb ||
			atoi(m[2]) != target) {
			fail()
		}
	case digit.Later:
		who := within(c, winner)
		if len(ties) == 0 {
			who = called(c, winner)
		}
		if m := lastSaid.FindStringSubmatch(strings.TrimSuffix(next, ".")); m == nil ||
			m[1] != who || r.Last() != winner {
			fail()
		}
	case digit.Higher, digit.Lower:
		way := map[bool]string{true: "higher", false: "lower"}[x > y]
		if len(ties) > 0 {
			if m := nextRank.FindStringSubmatch(next); m == nil || !is(m, 1, w) || m[3] != way ||
				way != decides.String() {
				fail()
			}
		} else if m := rankSaid.FindStringSubmatch(next); m == nil || !is(m, 1, w) ||
			!is(m, 4, l) || m[3] != way || way != decides.String() {
			fail()
		}
	default:
		a, one := far(decides, target, x)
		b, two := far(decides, target, y)
		if len(ties) > 0 {
			m := nextMeasure.FindStringSubmatch(next)
			if m == nil || !is(m, 1, w) || !is(m, 5, l) || atoi(m[3]) != a || m[4] != one ||
				atoi(m[7]) != b || m[8] != two || a >= b {
				fail()
			}
			return
		}
		m := measureSaid.FindStringSubmatch(next)
		if m == nil || !is(m, 1, w) || !is(m, 6, l) || atoi(m[3]) != a || atoi(m[8]) != b ||
			m[9] != two || atoi(m[5]) != target || a >= b ||
			m[4] != map[string]string{"short": "short of", "over": "over"}[one] && a > 0 {
			fail()
		}
	}
}

// checkEnding compares the winner in an ending and its headline with the result.
func checkEnding(t *testing.T, label string, r digit.Rules, p digit.Position, c Cast, said Said) {
	t.Helper()
	result := r.Result(p)
	winner, won := result.Winner()
	winner &= 1
	wins := called(c, winner) + " wins"
	if c.You[winner] {
		wins = "You win"
	}
	long := bareText(said.Long)
	switch {
	case won && !strings.HasSuffix(long, wins+".") && !strings.HasSuffix(long, wins+"!"):
		t.Errorf("%s: %q does not end with %q", label, long, wins)
	case !won && !strings.HasSuffix(long, "It's a draw."):
		t.Errorf("%s: %q is not a draw", label, long)
	case result.Reason == digit.Multiple && !r.Reachable():
		t.Errorf("%s: a multiple won, but the rules allow none", label)
	}
	head := wins
	switch {
	case !won:
		head = "Draw"
	case c.You[winner]:
		head = "You win!"
	case c.You[1-winner]:
		head = "Not this time"
	}
	if got := bareText(Outcome(r, result, c).Long); got != head {
		t.Errorf("%s: the headline is %q, want %q", label, got, head)
	}
	short := Voice{r, c, brief}
	if won && !strings.HasPrefix(said.Short, short.Does(winner, "win")) || !won &&
		!strings.HasPrefix(said.Short, "Draw") {
		t.Errorf("%s: %q names another winner", label, said.Short)
	}
}

var (
	openSaid = regexp.MustCompile(`^(?:(.+) (was|were) winning: )?` + numeral + ` and ` + numeral +
		` were both open(?:, and (.+) could stop only one)?\.$`)
	couldSaid = regexp.MustCompile(`(?:^|\. )(Your|[^.]+'s) digits could have (made|called) ` +
		numeral + ` = `)
)

// checkDetail checks the detail of a result. It tries every move to find the open numbers.
func checkDetail(t *testing.T, label string, r digit.Rules, moves []digit.Move, result digit.Result,
	c Cast) Said {
	t.Helper()
	said := Detail(r, moves, result, c)
	if said == (Said{}) {
		said = Said{}
	} else {
		short := said
		short.Short = "-"
		checkForm(t, label, short)
		checkSums(t, label, r, said)
	}
	long := bareText(said.Long)
	winner, won := result.Winner()
	var line []digit.Position
	var p digit.Position
	for _, m := range moves {
		line = append(line, p)
		p, _ = r.Play(p, m)
	}
	m := openSaid.FindStringSubmatch(long)
	at, wants := p, false
	switch result.Reason {
	case digit.Resignation:
		wants = true
	case digit.Multiple:
		if len(line) > 1 {
			at, wants = line[len(line)-2], true
		}
	default:
	}
	if !wants {
		if strings.Contains(long, "open") {
			t.Errorf("%s: %q is false", label, long)
		}
		checkHands(t, label, r, p, result, c, long)
		return said
	}
	// The numbers that win for the winner with each digit, and whether the opponent wins next.
	ways := map[digit.Digit][]string{}
	for move, n := range r.Threats(at, winner) {
		ways[move.Digit] = append(ways[move.Digit], n.String())
	}
	stopped := r.Turn(at) == winner || r.Result(at).Over()
	for move := range r.Moves(at) {
		next, _ := r.Play(at, move)
		if s, over := r.Result(next).Winner(); over && s != winner {
			stopped = true
		}
	}
	open := won && !stopped && len(ways) == 2
	if open && result.Reason == digit.Multiple { // the winner used one of the two digits
		open = len(ways[moves[len(moves)-1].Digit]) > 0
	}
	if open != (m != nil) {
		t.Errorf("%s: %q, but the numbers %v win for %v", label, long, ways, winner)
		return said
	}
	if m == nil {
		return said
	}
	var made []string
	for _, numbers := range ways {
		for _, n := range []string{m[3], m[5]} {
			if slices.Contains(numbers, n) {
				made = append(made, n)
			}
		}
	}
	if len(made) != 2 {
		t.Errorf("%s: %q, but the numbers %v win", label, long, ways)
	}
	verb := map[bool]string{true: "were", false: "was"}[c.You[winner]]
	if result.Reason == digit.Resignation && (m[1] != called(c, winner) || m[2] != verb ||
		m[7] != "") ||
		result.Reason == digit.Multiple && (m[1] != "" || m[7] != within(c, 1-winner)) {
		t.Errorf("%s: %q names another player", label, long)
	}
	return said
}

// checkHands checks the detail of a result by comparison or call, from the digits of the players.
func checkHands(t *testing.T, label string, r digit.Rules, p digit.Position, result digit.Result,
	c Cast, long string) {
	t.Helper()
	_, byOrder := result.Reason.Order()
	byOrder = byOrder || result.Reason == digit.Equal
	winner, won := result.Winner()
	for side, you := range c.You {
		s := digit.Side(side)
		missed := r.HighestMultiple(r.Held(p, s))
		verb := "called"
		want := r.Win == digit.OnCall && byOrder && you && (!won || winner != s) && missed.Len() > 0
		if result.Reason == digit.Miscalled {
			want, verb = winner != s && missed.Len() > 0, "made"
		}
		whose := "Your"
		if !you {
			whose = called(c, s) + "'s"
		}
		found := false
		for _, m := range couldSaid.FindAllStringSubmatch(long, -1) {
			found = found || m[1] == whose && m[2] == verb && m[3] == missed.String()
		}
		if want != found && (want || you) {
			t.Errorf("%s: wrong detail %q: %s digits make %v", label, long, whose, missed)
		}
	}
	if says, is := strings.Contains(long, "ach hand counts"), r.Place == digit.Hand && byOrder &&
		len(r.Orders()) > 0; says != is {
		t.Errorf("%s: wrong detail %q about hands", label, long)
	}
	for _, n := range []digit.Number{r.Number(p, 0), r.Number(p, 1)} {
		is := byOrder && r.Win == digit.WhenFull && r.Place != digit.Hand &&
			n.Value(r.Base())%int(r.Target) == 0
		if strings.Contains(long, Voice{r, c, written}.Number(n)+" starts with 0") != is {
			t.Errorf("%s: wrong detail %q about %v", label, long, n)
		}
	}
}

// placeWords matches a place as moves name it.
var placeWords = regexp.MustCompile(`^(?:on|in) the (\S+?)(?: place)?$`)

var playedSaid = regexp.MustCompile(`^(?:(.+) (put|added|took|started with) ([0-9a-f])` +
	`|(.+) time ran out, so a random digit was played: ([0-9a-f]))` +
	`((?: (?:on|in) the [^:. ]+(?: place)?)?)` +
	`(?:( and called | and holds? |: |, )([^.]*)|\. (.*))?(?:\.|!)`)

// checkPlayed parses the text about a move, and compares it with the move.
func checkPlayed(t *testing.T, label string, r digit.Rules, before digit.Position, move digit.Move,
	c Cast, by By, text string) {
	t.Helper()
	text = bareText(text)
	side := r.Turn(before)
	next, _ := r.Play(before, move)
	n := r.Number(next, side)
	m := playedSaid.FindStringSubmatch(text)
	if m == nil {
		t.Errorf("%s: %q is not a move", label, text)
		return
	}
	whose := called(c, side) + "'s"
	if c.You[side] {
		whose = "Your"
	}
	verb := map[digit.Place]string{digit.Slots: "put", digit.Ends: "added",
		digit.Hand: "took"}[r.Place]
	first := r.Place == digit.Ends && n.Len() == 1
	if first {
		verb = "started with"
	}
	if by == Player && (m[1] != called(c, side) || m[2] != verb || m[3] != move.Digit.String()) ||
		by == Chance && (m[4] != whose || m[5] != move.Digit.String()) {
		t.Errorf("%s: %q names another move", label, text)
	}
	where := placeWords.FindStringSubmatch(strings.TrimSpace(m[6]))
	if (where != nil) != (r.Place != digit.Hand && !first) || where != nil && spotOf(r,
		where[1]) != move.Spot {
		t.Errorf("%s: %q names another place", label, text)
	}
	full := r.Win == digit.WhenFull && r.Place != digit.Hand && r.Full(next, side) &&
		!r.Result(next).Over()
	multiple := full && n.Value(r.Base())%int(r.Target) == 0
	if strings.Contains(text, "so no win") != (full && !multiple) || strings.Contains(text,
		"so it can't win") != multiple {
		t.Errorf("%s: wrong text %q about %v", label, text, n)
	}
	switch over := r.Result(next).Over(); {
	case over, full, first, by == Chance:
	case r.Place == digit.Hand && n.Len() == 1:
	case r.Place == digit.Hand && m[8] != Join(strings.Split(n.String(), ""), "and"):
		t.Errorf("%s: %q has another hand than %v", label, text, n)
	case r.Place != digit.Hand && strings.ReplaceAll(m[8], " ", "") != n.String():
		t.Errorf("%s: %q has another number than %v", label, text, n)
	}
	won := r.Result(next).Reason == digit.Multiple
	alone := fmt.Sprintf(", a multiple of %d on its own", r.Target)
	if won != strings.HasSuffix(text, "!") || strings.Contains(text, alone) != (won &&
		n.Len() == 1 && r.Win != digit.OnCall) {
		t.Errorf("%s: wrong text %q about a win", label, text)
	}
}

// spotOf returns the spot of a word: "left", "2nd", "tens".
func spotOf(r digit.Rules, word string) digit.Spot {
	width := int(r.Width)
	at := map[string]int{
		"left": 0, "middle": 1, "right": 2, "units": width - 1, "ones": width - 1,
		"tens": width - 2, "hundreds": width - 3, "thousands": width - 4, "ten-thousands": width - 5,
	}
	if r.Place == digit.Ends {
		return map[string]digit.Spot{"left": digit.Left, "right": digit.Right}[word]
	}
	if word[0] >= '1' && word[0] <= '8' {
		return digit.SlotAt(int(word[0] - '1'))
	}
	i, ok := at[word]
	if !ok || r.Base() != 10 && strings.HasSuffix(word, "s") {
		return 0
	}
	return digit.SlotAt(i)
}

// checkTurn compares a prompt with the position.
func checkTurn(t *testing.T, label string, r digit.Rules, p digit.Position, c Cast, here bool) {
	t.Helper()
	said := Turn(r, p, c, here)
	checkForm(t, label, said)
	turn := r.Turn(p)
	whose := called(c, turn) + "'s turn"
	switch {
	case c.You[turn]:
		whose = "Your turn"
	case c.Computer[turn] && !here:
		whose = "The computer is thinking"
	}
	long := bareText(said.Long)
	if !strings.HasPrefix(long, whose+".") || here == (long == whose+".") {
		t.Errorf("%s: %q, want %q", label, long, whose)
	}
	left := r.Fills(turn) - r.Held(p, turn).Len()
	for words, holds := range map[string]bool{
		"Then call":            r.MayCall(p),
		"last digit":           r.MayCall(p) || r.Place == digit.Slots && left == 1,
		"your first digit":     r.Place == digit.Ends && r.Held(p, turn) == 0,
		"then left or right":   r.Place == digit.Ends && r.Held(p, turn) != 0,
		"then a place for it":  r.Place == digit.Slots && left > 1,
		"a digit for your han": r.Place == digit.Hand && !r.MayCall(p),
	} {
		if strings.Contains(long, words) != (holds && here) {
			t.Errorf("%s: %q has %q, or should", label, long, words)
		}
	}
	if here && !strings.Contains(said.Spoken, "Still in the pool: "+r.Left(p).List(", ")+".") {
		t.Errorf("%s: %q has another pool", label, said.Spoken)
	}
}

var (
	poolSaid = regexp.MustCompile(`Still in the pool: ([^.]*)\.`)
	freeSaid = regexp.MustCompile(`Free: ([^.]*)\.`)
	useSaid  = regexp.MustCompile(`^Use (.*), each once\.$`)
)

// checkRefusals checks the texts about random illegal moves.
func checkRefusals(t *testing.T, rng *rand.Rand, r digit.Rules, p digit.Position, c Cast) {
	t.Helper()
	turn := r.Turn(p)
	for range 3 {
		wrong := digit.Move{
			Digit: digit.Digit(rng.IntN(16)),
			Spot:  []digit.Spot{0, 'L', 'R', 'a', 'b', 'h'}[rng.IntN(6)],
		}
		if rng.IntN(2) == 0 {
			wrong.Call = r.Number(p, turn.Other())
		}
		_, err := r.Play(p, wrong)
		refused, ok := errors.AsType[*digit.MoveError](err)
		if !ok {
			continue
		}
		label := fmt.Sprintf("%v %s %v", r, r.Text(p), wrong)
		said := Refused(r, p, refused, c)
		checkForm(t, label, said)
		long, d := bareText(said.Long), wrong.Digit
		if m := poolSaid.FindStringSubmatch(long); m != nil && m[1] != r.Left(p).List(" ") {
			t.Errorf("%s: %q has another pool", label, long)
		}
		if m := freeSaid.FindStringSubmatch(long); m != nil &&
			len(strings.Split(m[1], ", ")) != len(r.Spots(p, d)) {
			t.Errorf("%s: %q has other places than %v", label, long, r.Spots(p, d))
		}
		hand := r.Held(p, turn) | digit.PoolOf(d)
		if m := useSaid.FindStringSubmatch(long); m != nil &&
			m[1] != Join(strings.Split(hand.List(" "), " "), "and") {
			t.Errorf("%s: %q has another hand than %v", label, long, hand)
		}
		for _, s := range []digit.Side{digit.First, digit.Second} {
			has := called(c, s) + map[bool]string{true: " have ", false: " has "}[c.You[s]]
			if s == turn {
				has = called(c, s) + map[bool]string{true: " already have ",
					false: " already has "}[c.You[s]]
			}
			taken := refused.Breach == digit.Taken && r.Held(p, s).Has(d)
			if strings.HasPrefix(long, has+d.String()+".") != taken {
				t.Errorf("%s: %q begins with %q, want %v", label, long, has, taken)
			}
		}
	}
}

var seriesSaid = regexp.MustCompile(`^(?:(.+) (leads?|wins?)(?: the series)? |It's ` +
	`|The (?:series is|two games are) drawn, )(\d+)–(\d+)(?:, with (\d+) draws?)?[.!]$`)

// checkSeries checks the texts about the score of a series, and its length.
func checkSeries(t *testing.T, rng *rand.Rand, r digit.Rules) {
	t.Helper()
	c := casts[rng.IntN(len(casts))]
	s := Score{Wins: [2]int{rng.IntN(50), rng.IntN(50)}, Draws: rng.IntN(3), Over: rng.IntN(2) == 0,
		Pair: rng.IntN(2) == 0}
	said := Series(c, s)
	checkForm(t, fmt.Sprintf("%+v", s), said)
	m := seriesSaid.FindStringSubmatch(bareText(said.Long))
	leader := digit.First
	if s.Wins[1] > s.Wins[0] {
		leader = digit.Second
	}
	name := called(c, leader)
	if s.Wins[0] == s.Wins[1] {
		name = ""
	}
	if m == nil || m[1] != name || atoi(m[3]) != max(s.Wins[0], s.Wins[1]) ||
		atoi(m[4]) != min(s.Wins[0], s.Wins[1]) || atoi(m[5]) != s.Draws ||
		name != "" && strings.HasPrefix(m[2], "win") != s.Over || name == "" &&
		strings.Contains(said.Long, "drawn") != s.Over {
		t.Errorf("%+v: %q is wrong", s, said.Long)
	}
	games := 3 + 2*rng.IntN(48)
	want := fmt.Sprintf("Best of %d: first to %d wins.", games, (games+1)/2)
	if r.Drawable() {
		want += fmt.Sprintf(" Draws don't count; after %d games the leader wins.", games+games)
	}
	if got := BestOf(r, games); got != want {
		t.Errorf("%v: got %q, want %q", r, got, want)
	}
}

var sharedSaid = regexp.MustCompile(`^(.+?) (?:beat (.+)|and (.+) drew) at ` +
	`(?:Digit|Divisibility|Reverse|Nines|Seesaw|Two|Tug|Marathon)`)

// checkShared compares the players of a shared text with the result.
func checkShared(t *testing.T, label string, result digit.Result, c Cast, text string) {
	t.Helper()
	text = bareText(text)
	winner, won := result.Winner()
	name := func(s digit.Side) string {
		switch {
		case c.You[s]:
			return "me"
		case c.Computer[s] && c.You[1-s]:
			return "the computer (" + c.Levels[s] + ")"
		default:
			return called(c, s)
		}
	}
	m := sharedSaid.FindStringSubmatch(text)
	if m == nil || won != (m[2] != "") || unwanted(text) != "" {
		t.Errorf("%s: %q is not a text to share", label, text)
		return
	}
	one := name(winner & 1)
	if one == "me" {
		one = "I"
	}
	if won && (!strings.EqualFold(m[1], one) || m[2] != name(1-winner)) {
		t.Errorf("%s: %q names other players", label, text)
	}
	if !won && (m[3] == "I") != (c.You != [2]bool{}) {
		t.Errorf("%s: %q names other players", label, text)
	}
}

// checkGoal compares the goal with the rules: the number of digits, the end, and the orders that
// decide.
func checkGoal(t *testing.T, r digit.Rules) {
	t.Helper()
	goal, long := Goal(r).Short, Goal(r).Long
	first, second := r.Fills(digit.First), r.Fills(digit.Second)
	unequal := fmt.Sprintf("The starter gets %s and the second player %d.", Plural(first, "digit"),
		second)
	reach, known := reachable(r)
	if !known {
		reach = r.Reachable()
	}
	inFull := reach && r.Win == digit.WhenFull && r.Place != digit.Hand
	length := InWords(first) + "-digit multiple"
	for words, holds := range map[string]bool{
		unequal:                  first != second,
		"is possible":            r.Win != digit.Never && !reach,
		"so don't call a number": r.Win == digit.OnCall && !reach,
		"it's a draw":            r.Drawable(),
		"If nobody":              reach,
		"If nobody calls":        reach && r.Win == digit.OnCall,
		"on its own":             r.Alone().Len() == 1,
		"on their own":           r.Alone().Len() > 1,
		"however short":          reach && r.Win == digit.EachTurn,
		"The first " + length:    inFull && first == second,
		"The first full-length":  inFull && first != second,
		"each hand counts": r.Place == digit.Hand && len(r.Orders()) > 0 &&
			r.Orders()[0] != digit.Later,
		"anything else loses":       reach && r.Win == digit.OnCall,
		"When both hands are full":  !reach && r.Place == digit.Hand,
		"to the left or right":      r.Place == digit.Ends,
		"and use them in any order": r.Place == digit.Hand && r.Width > 1,
	} {
		if strings.Contains(long, words) != holds {
			t.Errorf("%v: %q has %q, want %v", r, long, words, holds)
		}
	}
	for words, holds := range map[string]bool{
		"First ": reach && r.Win != digit.OnCall, "Call ": reach && r.Win == digit.OnCall,
		"First " + length:   inFull && first == second,
		"First full-length": inFull && first != second,
		"First multiple":    reach && r.Win == digit.EachTurn && r.Place != digit.Hand,
		"First hand":        reach && r.Win != digit.OnCall && r.Place == digit.Hand,
	} {
		if strings.HasPrefix(goal, words) != holds {
			t.Errorf("%v: %q has %q, want %v", r, goal, words, holds)
		}
	}
	at := 0
	for _, o := range r.Orders() {
		words := (Voice{r, Cast{}, written}).decides(o)
		i := strings.Index(long[at:], words)
		if i < 0 {
			t.Errorf("%v: %q does not have %q in its place", r, long, words)
			return
		}
		at += i
	}
	for _, o := range []digit.Order{digit.Above, digit.Below, digit.Nearest, digit.Higher,
		digit.Lower, digit.Later} {
		if words := (Voice{r, Cast{}, written}).decides(o); !slices.Contains(r.Orders(), o) &&
			strings.Contains(long, words) {
			t.Errorf("%v: %q has %v, which never decides", r, long, o)
		}
	}
	checkSections(t, r)
}

var likeSaid = regexp.MustCompile(`^Like (\w+)(?: \((\d+)\))? = (\d+) × (\d+)\. `)

// checkGoalNote checks the example in the note on the goal: it can be made, and wins.
func checkGoalNote(t *testing.T, r digit.Rules) {
	t.Helper()
	said := GoalNote(r).Long
	m := likeSaid.FindStringSubmatch(said)
	if m == nil {
		if r.Reachable() && r.Zero != digit.Counts || strings.Contains(said, "Like") {
			t.Errorf("%v: %q has no example, or an example without a number", r, said)
		}
		return
	}
	value, err := strconv.ParseInt(m[1], r.Base(), 64)
	var digits digit.Pool
	for _, c := range m[1] {
		d, _ := strconv.ParseUint(string(c), 16, 8)
		digits |= digit.PoolOf(digit.Digit(d))
	}
	times, _ := strconv.ParseInt(m[4], 10, 64)
	switch {
	case err != nil || m[3] != strconv.Itoa(int(r.Target)) || times*int64(r.Target) != value ||
		cmp.Or(m[2], m[1]) != strconv.FormatInt(value, 10) || m[2] == m[1]:
		t.Errorf("%v: %q has a wrong sum", r, said)
	case digits&^r.Pool != 0 || digits.Len() != len(m[1]) || m[1][0] == '0':
		t.Errorf("%v: %q has a number that cannot be made", r, said)
	case r.Win == digit.Never || r.Win != digit.EachTurn && len(m[1]) != r.Fills(digit.First) &&
		len(m[1]) != r.Fills(digit.Second):
		t.Errorf("%v: %q has a number that does not win", r, said)
	}
}

// reachable reports whether a multiple can be made, by trying all numbers, unless there are too
// many.
func reachable(r digit.Rules) (reach, known bool) {
	most := 1
	for i := range r.Fills(digit.First) {
		most *= r.Pool.Len() - i
	}
	if most > 5000 {
		return false, false
	}
	var look func(number string, left digit.Pool) bool
	look = func(number string, left digit.Pool) bool {
		n, _ := strconv.ParseInt(number, r.Base(), 64)
		tried := r.Win == digit.EachTurn || len(number) == r.Fills(digit.First) ||
			len(number) == r.Fills(digit.Second)
		if number != "" && tried && (number[0] != '0' || r.Zero == digit.Counts) &&
			n%int64(r.Target) == 0 {
			return true
		}
		for d := range left.All() {
			if len(number) < r.Fills(digit.First) && look(number+d.String(),
				left&^digit.PoolOf(d)) {
				return true
			}
		}
		return false
	}
	return r.Win != digit.Never && look("", r.Pool), true
}

// checkSections compares the rules in words with random games: the end, a leading 0, and the
// sentences that depend on the rules.
func checkSections(t *testing.T, r digit.Rules) {
	t.Helper()
	said := map[string]string{}
	for _, s := range Sections(r) {
		said[s.Heading] = s.Text
	}
	whole := fmt.Sprint(Sections(r))
	rng := rand.New(rand.NewPCG(uint64(r.Pool), uint64(r.Target)))
	for range 4 {
		var p digit.Position
		for !r.Result(p).Over() {
			m, _ := r.Pick(p, rng.IntN)
			p, _ = r.Play(p, m.Uncalled())
		}
		_, byOrder := r.Result(p).Reason.Order()
		if over := byOrder || r.Result(p).Reason == digit.Equal; over &&
			strings.Contains(said["The end"], "pool is empty") && r.Left(p) != 0 {
			t.Errorf("%v: a game ends with %v left, but the text is %q",
				r, r.Left(p), said["The end"])
		}
		for side, n := range []digit.Number{r.Number(p, 0), r.Number(p, 1)} {
			lead := r.Place != digit.Hand && n.Len() > 0 && n.String()[0] == '0'
			switch zero := said["Zero"]; {
			case lead && zero == "No number may start with 0.":
				t.Errorf("%v: a number of %s starts with 0, but the text is %q", r, r.Text(p), zero)
			case lead && strings.Contains(zero, "can't win as a multiple") &&
				r.Result(p) == (digit.Result{Score: digit.WinFor(digit.Side(side)),
					Reason: digit.Multiple}):
				t.Errorf("%v: %s wins, but the text is %q", r, r.Text(p), zero)
			}
		}
	}
	if (said["Zero"] != "") != r.Pool.Has(0) {
		t.Errorf("%v: the text about 0 is %q", r, said["Zero"])
	}
	for words, holds := range map[string]bool{
		"in any order":             r.Place == digit.Hand && r.Width > 1,
		"Make calls automatic":     r.Win == digit.OnCall && r.Reachable(),
		"draws don't count":        r.Drawable(),
		"Agree on another number":  r.Target != 0,
		"Play a series":            true,
		"Set a time for each turn": true,
		"one of your one ":         false,
		"a multiple of 0":          false,
		"both hands are full":      r.Place == digit.Hand,
		"to the left or right":     r.Place == digit.Ends,
		"stays where it is put":    r.Place == digit.Slots && r.Width > 1,
		"anything else loses":      r.Win == digit.OnCall && r.Reachable(),
		"The lower number wins":    !r.Reachable() && firstOrder(r) == digit.Lower,
		"always wins":              !r.Reachable() && firstOrder(r) == digit.Later,
		"short of the next one":    slices.Contains(r.Orders(), digit.Above),
	} {
		if strings.Contains(whole, words) != holds {
			t.Errorf("%v: the text has %q: %v, want %v:\n%s", r, words, !holds, holds, whole)
		}
	}
}
