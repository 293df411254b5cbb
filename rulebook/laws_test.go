package rulebook

import (
	"errors"
	"fmt"
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

// randomRules returns rules that are accepted.
func randomRules(rng *rand.Rand) digit.Rules {
	for {
		r := digit.Rules{
			Pool: digit.Pool(rng.Uint32()), Place: digit.Place(rng.IntN(3)), Width: uint8(rng.IntN(6)), Target: uint16(rng.IntN(40)),
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

// casts are who may read, under names that are short, long, end in s, or are written from right to left.
var casts = []Cast{
	{Names: [2]string{"Ada", "Ben"}},
	{Names: [2]string{"A", "James"}, You: [2]bool{true, false}},
	{Names: [2]string{"Wolfeschlegelsteinhausenbergerdo", "Twelve chars"}, You: [2]bool{false, true}},
	{Names: [2]string{"עדה", "آدم"}},
	{},
}

// heardNot are the signs that nobody can hear.
const heardNot = "=×÷+→_()/%{}"

// never are words that are ours and not the players'.
var never = strings.Fields("side sides ply plies inert barred slot slots spot spots tried refutation seq through target namely")

// ours returns a word of a text that is not for players.
func ours(text string) string {
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) }) {
		if slices.Contains(never, word) {
			return word
		}
	}
	return ""
}

// form looks at the form of what is said.
func checkForm(t *testing.T, what string, s Said) {
	t.Helper()
	switch {
	case utf8.RuneCountInString(s.Short) > MostShort || strings.HasSuffix(s.Short, "."):
		t.Errorf("%s: the short form %q is too long or a sentence", what, s.Short)
	case s.Short == "" || s.Long == "" || s.Spoken == "":
		t.Errorf("%s: a form is missing in %+v", what, s)
	case strings.ContainsAny(s.Spoken, heardNot):
		t.Errorf("%s: the spoken form %q has a sign", what, s.Spoken)
	case ours(s.Short+" "+s.Long+" "+s.Spoken) != "":
		t.Errorf("%s: %q is not a word for players in %+v", what, ours(s.Short+" "+s.Long+" "+s.Spoken), s)
	case strings.Contains(s.Long, "  ") || strings.Contains(s.Long, "..") || !strings.ContainsAny(s.Long[len(s.Long)-1:], ".!?"):
		t.Errorf("%s: %q is no sentence", what, s.Long)
	}
}

// TestVoice plays random games of random rules, tells all there is to tell to every kind of reader, and takes each sentence apart again.
func TestVoice(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 103))
	games := 300
	if nightly {
		games = 3000
	}
	for range games {
		r := randomRules(rng)
		for _, s := range []Said{Goal(r), Goal(AutoCalled(r))} {
			checkForm(t, fmt.Sprintf("the goal of %v", r), s)
		}
		checkGoal(t, r)
		checkGoalNote(t, r)
		for range 3 {
			tellGame(t, rng, r)
		}
		if t.Failed() {
			return
		}
	}
}

// tellGame plays a game to its end.
func tellGame(t *testing.T, rng *rand.Rand, r digit.Rules) {
	t.Helper()
	c := casts[rng.IntN(len(casts))]
	var p digit.Position
	for !r.Result(p).Over() {
		m, _ := r.Pick(p, rng.IntN)
		if best := r.HighestMultiple(r.Held(p, r.Turn(p)) | digit.PoolOf(m.Digit)); r.MayCall(p) && rng.IntN(2) == 0 {
			m.Call = best // or none, so that not every game ends with a wrong call
		}
		what := fmt.Sprintf("%v %s", r, r.Text(p))
		here := rng.IntN(2) == 0
		checkForm(t, what, Turn(r, p, c, here))
		if r.Place != digit.Hand {
			checkForm(t, what, AskSpot(r, p, m.Digit))
		} else if r.MayCall(p) {
			checkForm(t, what, AskCall(r, p, m.Digit))
		}
		for range 3 {
			wrong := digit.Move{Digit: digit.Digit(rng.IntN(16)), Spot: []digit.Spot{0, 'L', 'R', 'a', 'b', 'h'}[rng.IntN(6)]}
			if rng.IntN(2) == 0 {
				wrong.Call = r.Number(p, r.Turn(p).Other())
			}
			_, err := r.Play(p, wrong)
			if refused, ok := errors.AsType[*digit.MoveError](err); ok {
				checkForm(t, fmt.Sprintf("%s %v", what, wrong), Refused(r, p, refused, c))
			}
		}
		by := Player
		if rng.IntN(4) == 0 {
			by = Chance
		}
		said := Played(r, p, m, c, by)
		checkForm(t, fmt.Sprintf("%s %v", what, m), said)
		checkSums(t, fmt.Sprintf("%s %v", what, m), r, said.Long)
		p, _ = r.Play(p, m)
	}
	what := fmt.Sprintf("%v %s %v", r, r.Text(p), r.Result(p))
	said := Ending(r, p, r.Result(p), c)
	checkForm(t, what, said)
	checkSums(t, what, r, said.Long)
	checkSpoken(t, what, r, said)
	checkEnding(t, what, r, p, c, said)
	_, err := r.Play(p, digit.Move{Digit: 1})
	if refused, ok := errors.AsType[*digit.MoveError](err); ok {
		checkForm(t, what, Refused(r, p, refused, c))
	}
}

const numeral = `([0-9a-f]+)(?: \((\d+)\))?`

var (
	sumSaid     = regexp.MustCompile(numeral + ` = (\d+) × (\d+)(?: \+ (\d+))?`)
	gapSaid     = regexp.MustCompile(numeral + ` is (\d+) (short of|over) (\d+) = (\d+) × (\d+)`)
	tieSaid     = regexp.MustCompile(numeral + ` and ` + numeral + ` are both (?:(\d+) (short of|over|away from) a multiple|multiples) of (\d+)`)
	rankSaid    = regexp.MustCompile(numeral + ` is (higher|lower) than ` + numeral)
	smallerSaid = regexp.MustCompile(numeral + ` is less than (\d+)`)
	couldSaid   = regexp.MustCompile(`You could have called ` + numeral + ` = `)
	soundSum    = regexp.MustCompile(`(\d+) is (\d+) times (\d+)(?: plus (\d+))?`)
)

// value reads a number that was told, and checks that it is told in base ten as well where that differs.
func value(t *testing.T, r digit.Rules, number, decimal string) int {
	t.Helper()
	n, err := strconv.ParseInt(number, r.Base(), 64)
	if err != nil {
		t.Errorf("%v: %q is no number", r, number)
	}
	if want := strconv.FormatInt(n, 10); r.Base() != 10 && number != want && decimal != want {
		t.Errorf("%v: %s is told as %q, want %d", r, number, decimal, n)
	}
	return int(n)
}

func atoi(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// checkSums recomputes every sum, gap and comparison of a text.
func checkSums(t *testing.T, what string, r digit.Rules, text string) {
	t.Helper()
	target := int(r.Target)
	rest := text
	for _, m := range gapSaid.FindAllStringSubmatch(text, -1) {
		n, far, to := value(t, r, m[1], m[2]), atoi(m[3]), atoi(m[5])
		if m[4] == "over" {
			far = -far
		}
		if n+far != to || to != target*atoi(m[7]) || atoi(m[6]) != target {
			t.Errorf("%s: %q is wrong", what, m[0])
		}
		rest = strings.ReplaceAll(rest, m[0], "")
	}
	for _, m := range sumSaid.FindAllStringSubmatch(rest, -1) {
		if value(t, r, m[1], m[2]) != target*atoi(m[4])+atoi(m[5]) || atoi(m[3]) != target || atoi(m[5]) >= target {
			t.Errorf("%s: %q is wrong", what, m[0])
		}
	}
	for _, m := range rankSaid.FindAllStringSubmatch(text, -1) {
		if a, b := value(t, r, m[1], m[2]), value(t, r, m[4], m[5]); a == b || (a > b) != (m[3] == "higher") {
			t.Errorf("%s: %q is wrong", what, m[0])
		}
	}
	for _, m := range smallerSaid.FindAllStringSubmatch(text, -1) {
		if value(t, r, m[1], m[2]) >= target || atoi(m[3]) != target {
			t.Errorf("%s: %q is wrong", what, m[0])
		}
	}
	for _, m := range tieSaid.FindAllStringSubmatch(text, -1) {
		a, b := value(t, r, m[1], m[2])%target, value(t, r, m[3], m[4])%target
		far := atoi(m[5])
		ok := map[string]bool{
			"":          a == 0 && b == 0,
			"short of":  a == b && target-a == far,
			"over":      a == b && a == far,
			"away from": a != b && min(a, target-a) == far && min(b, target-b) == far,
		}[m[6]]
		if !ok || atoi(m[7]) != target {
			t.Errorf("%s: %q is wrong", what, m[0])
		}
	}
}

// checkSpoken recomputes the sums that are heard.
func checkSpoken(t *testing.T, what string, r digit.Rules, said Said) {
	t.Helper()
	for _, m := range soundSum.FindAllStringSubmatch(said.Spoken, -1) {
		if r.Base() == 10 && atoi(m[1]) != atoi(m[2])*atoi(m[3])+atoi(m[4]) {
			t.Errorf("%s: %q is wrong in %q", what, m[0], said.Spoken)
		}
	}
	if strings.Count(said.Long, "×") != strings.Count(said.Spoken, " times ") {
		t.Errorf("%s: %q has other sums than %q", what, said.Spoken, said.Long)
	}
}

// checkEnding holds the winner and the reason that are told to the result.
func checkEnding(t *testing.T, what string, r digit.Rules, p digit.Position, c Cast, said Said) {
	t.Helper()
	result := r.Result(p)
	winner, won := result.Winner()
	wins := c.Names[winner&1] + " wins"
	switch {
	case c.You[winner&1]:
		wins = "You win"
	case c.Names[winner&1] == "":
		wins = fmt.Sprintf("Player %d wins", winner+1)
	}
	long := strings.NewReplacer("\u2068", "", "\u2069", "").Replace(said.Long)
	if won != strings.Contains(long, " win") || won && !strings.Contains(long, wins+".") && !strings.Contains(long, wins+"!") {
		t.Errorf("%s: %q does not say %q", what, long, wins)
	}
	if result.Reason == digit.Multiple {
		made := r.Number(p, winner)
		if called, ok := r.Called(p); ok {
			made = called
		} else if r.Place == digit.Hand {
			made = r.HighestMultiple(made.Pool())
		}
		if m := sumSaid.FindStringSubmatch(long); m == nil || m[1] != made.String() || m[5] != "" {
			t.Errorf("%s: %q does not tell that %v is a multiple", what, long, made)
		}
	}
	if m := tieSaid.FindStringSubmatch(long); m != nil && m[6] != "" {
		over, t2 := value(t, r, m[1], m[2])%int(r.Target), int(r.Target)
		way := map[digit.Order]string{digit.Above: "short of", digit.Below: "over", digit.Nearest: "over"}[r.Orders()[0]]
		if r.Orders()[0] == digit.Nearest && 2*over > t2 {
			way = "short of"
		}
		if m[6] != way && m[6] != "away from" {
			t.Errorf("%s: %q is not how %v measures", what, m[0], r.Orders()[0])
		}
	}
	if !won && !strings.Contains(said.Long, "is a draw") {
		t.Errorf("%s: %q does not tell a draw", what, said.Long)
	}
	if short := (Voice{r, c, brief}); won && !strings.HasPrefix(said.Short, short.Does(winner, "win")) {
		t.Errorf("%s: %q names another winner", what, said.Short)
	}
	rules := map[digit.Order]string{digit.Above: "The shorter way up", digit.Below: "The smaller remainder wins", digit.Nearest: "The closer number wins",
		digit.Higher: "higher", digit.Lower: "lower", digit.Later: "placed the last digit"}
	decided, _ := result.Reason.Order()
	for order, words := range rules {
		if tells := strings.Contains(said.Long, words); tells != (order == decided) {
			t.Errorf("%s: %q tells %v", what, said.Long, order)
		}
	}
	// The order that is told is the first that can decide and does.
	var differ []digit.Order
	for _, o := range r.Orders() {
		a, b := r.Value(p, digit.First), r.Value(p, digit.Second)
		if o == digit.Later || r.Measure(o, a) != r.Measure(o, b) {
			differ = append(differ, o)
		}
	}
	byOrder := result.Reason != digit.Multiple && result.Reason != digit.Miscalled
	if byOrder && (len(differ) == 0) != (result.Score == digit.Draw) || byOrder && len(differ) > 0 && differ[0] != decided {
		t.Errorf("%s: %v decides by the orders %v of those that can", what, decided, differ)
	}
	for side, you := range c.You {
		missed := r.HighestMultiple(r.Held(p, digit.Side(side)))
		want := you && r.Win == digit.OnCall && byOrder && missed.Len() > 0
		m := couldSaid.FindStringSubmatch(said.Long)
		if you && want != (m != nil) || want && m[1] != missed.String() {
			t.Errorf("%s: %q of a hand that makes %v", what, said.Long, missed)
		}
	}
	if result.Reason == digit.Multiple && !r.Reachable() {
		t.Errorf("%s: a multiple won that is out of reach", what)
	}
}

// checkGoal holds what is said of a game to its rules: who gets how many digits, when it is over, and what decides.
func checkGoal(t *testing.T, r digit.Rules) {
	t.Helper()
	long := Goal(r).Long
	if first, second := r.Fills(digit.First), r.Fills(digit.Second); (first != second) != strings.Contains(long, fmt.Sprintf("The starter gets %s, the other player %d.", plural(first, "digit"), second)) {
		t.Errorf("%v: %q gives other numbers of digits than %d and %d", r, long, first, second)
	}
	if says := strings.Contains(long, "can be a multiple of"); says != (r.Win != digit.Never && !r.Reachable()) {
		t.Errorf("%v: %q says of a multiple that it cannot be made", r, long)
	}
	if says := strings.Contains(long, "it is a draw"); says != r.Drawable() {
		t.Errorf("%v: %q says of a draw what is not so", r, long)
	}
	if reach, known := reachable(r); known {
		if says := strings.Contains(Goal(r).Short, "irst ") || strings.HasPrefix(Goal(r).Short, "Call "); says != reach {
			t.Errorf("%v: %q is told of a game in which a multiple can be made: %v", r, Goal(r).Short, reach)
		}
		if says := strings.Contains(long, "If nobody"); says != reach {
			t.Errorf("%v: %q is told of a game in which a multiple can be made: %v", r, long, reach)
		}
	}
	at := 0
	for _, o := range r.Orders() {
		words := (Voice{r, Cast{}, written}).decides(o)
		i := strings.Index(long[at:], words)
		if i < 0 {
			t.Errorf("%v: %q does not tell %q in its place", r, long, words)
			return
		}
		at += i
	}
	for _, o := range []digit.Order{digit.Above, digit.Below, digit.Nearest, digit.Higher, digit.Lower, digit.Later} {
		if words := (Voice{r, Cast{}, written}).decides(o); !slices.Contains(r.Orders(), o) && strings.Contains(long, words) {
			t.Errorf("%v: %q tells %v, which never decides", r, long, o)
		}
	}
	checkSections(t, r)
	if alone := r.Alone(); (alone != 0) != strings.Contains(long, "Careful") {
		t.Errorf("%v: %q warns of %v", r, long, alone)
	}
}

var likeSaid = regexp.MustCompile(`^Like (\w+)(?: \((\d+)\))? = (\d+) × (\d+)\. `)

// checkGoalNote holds the number that is told beside the goal to the rules: it can be made, is tried, and wins.
func checkGoalNote(t *testing.T, r digit.Rules) {
	t.Helper()
	said := GoalNote(r).Long
	m := likeSaid.FindStringSubmatch(said)
	if m == nil {
		if r.Reachable() && r.Zero != digit.Counts || strings.Contains(said, "Like") {
			t.Errorf("%v: %q has no number that wins", r, said)
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
	case err != nil || m[3] != strconv.Itoa(int(r.Target)) || times*int64(r.Target) != value || (r.Base() != 10) != (m[2] != "") || m[2] != "" && m[2] != strconv.FormatInt(value, 10):
		t.Errorf("%v: %q tells a wrong sum", r, said)
	case digits&^r.Pool != 0 || digits.Len() != len(m[1]) || m[1][0] == '0':
		t.Errorf("%v: %q tells a number that cannot be made", r, said)
	case r.Win == digit.Never || r.Win != digit.EachTurn && len(m[1]) != r.Fills(digit.First) && len(m[1]) != r.Fills(digit.Second):
		t.Errorf("%v: %q tells a number that does not win", r, said)
	}
}

// reachable goes through all numbers that can be made, unless they are too many.
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
		tried := r.Win == digit.EachTurn || len(number) == r.Fills(digit.First) || len(number) == r.Fills(digit.Second)
		if number != "" && tried && (number[0] != '0' || r.Zero == digit.Counts) && n%int64(r.Target) == 0 {
			return true
		}
		for d := range left.All() {
			if len(number) < r.Fills(digit.First) && look(number+d.String(), left&^digit.PoolOf(d)) {
				return true
			}
		}
		return false
	}
	return r.Win != digit.Never && look("", r.Pool), true
}

// checkSections holds what the rules in words say of the end, of a leading 0 and of what else there is to what random games come to.
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
		if over := byOrder || r.Result(p).Reason == digit.Equal; over && strings.Contains(said["The end"], "pool is empty") && r.Left(p) != 0 {
			t.Errorf("%v ends with %v left, and is told as %q", r, r.Left(p), said["The end"])
		}
		for side, n := range []digit.Number{r.Number(p, 0), r.Number(p, 1)} {
			lead := r.Place != digit.Hand && n.Len() > 0 && n.String()[0] == '0'
			switch zero := said["Zero"]; {
			case lead && zero == "No number may begin with 0.":
				t.Errorf("%v: %s has a number that begins with 0, which is told as %q", r, r.Text(p), zero)
			case lead && strings.Contains(zero, "cannot win as a multiple") && r.Result(p) == (digit.Result{Score: digit.WinFor(digit.Side(side)), Reason: digit.Multiple}):
				t.Errorf("%v: %s wins, and is told as %q", r, r.Text(p), zero)
			}
		}
	}
	if (said["Zero"] != "") != r.Pool.Has(0) {
		t.Errorf("%v: of a leading 0 is told %q", r, said["Zero"])
	}
	for words, holds := range map[string]bool{
		"in any order":             r.Place == digit.Hand && r.Width > 1,
		"Let the game call":        r.Win == digit.OnCall && r.Reachable(),
		"drawn games do not count": r.Drawable(),
		"Agree on another number":  r.Target != 0,
		"Play a series":            true,
		"Set a time for each turn": true,
		"one of the 1 ":            false,
		"a multiple of 0":          false,
		"both hands are full":      r.Place == digit.Hand,
		"left or right end":        r.Place == digit.Ends,
		"stays where it is put":    r.Place == digit.Slots && r.Width > 1,
		"any other number loses":   r.Win == digit.OnCall && r.Reachable(),
		"The lower number wins":    !r.Reachable() && len(r.Orders()) > 0 && r.Orders()[0] == digit.Lower,
		"settled before the first": !r.Reachable() && len(r.Orders()) > 0 && r.Orders()[0] == digit.Later,
	} {
		if strings.Contains(whole, words) != holds {
			t.Errorf("%v: %q is told or not told wrongly in %s", r, words, whole)
		}
	}
}
