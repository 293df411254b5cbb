package coach

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// most is how many characters a text that is read may have. Names are as long as they are, so one with the shortest proof and
// two long names may have more. What is heard has no limit.
const most = 160

// fit returns the first of some texts, from rich to poor, that is not too long, or the last.
func (v *view) fit(texts []string) string {
	for _, text := range texts {
		if v.limit == 0 || utf8.RuneCountInString(text) <= v.limit {
			return text
		}
	}
	return texts[len(texts)-1]
}

// begin makes the beginning of a sentence of a text for the middle of one. A name stays as it is, and so does a number of letters.
func (v *view) begin(text string) string {
	for _, s := range []digit.Side{digit.First, digit.Second} {
		if !v.Cast.You[s] && strings.HasPrefix(text, v.Whom(s)) {
			return text
		}
	}
	if word, _, _ := strings.Cut(text, " "); strings.Trim(word, "0123456789abcdef,") == "" {
		return text
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// now returns a word for the game as it stands, or one for a game that is over.
func (v *view) now(now, then string) string {
	if v.past {
		return then
	}
	return now
}

// does says within a sentence that a side does something: "you take", "Ben takes".
func (v *view) does(s digit.Side, verb string) string {
	return v.Whom(s) + strings.TrimPrefix(v.Does(s, verb), v.Who(s))
}

// whose returns whose something is within a sentence: "your", "Ben's".
func (v *view) whose(s digit.Side) string {
	return v.Whom(s) + strings.TrimPrefix(v.Whose(s), v.Who(s))
}

// plays tells a move of a position: "you put 7 on the left", "Ben takes 2 and calls 721".
func (v *view) plays(p digit.Position, m digit.Move) string {
	verb, rest, _ := strings.Cut(v.Put(p, m), " ")
	side := v.Rules.Turn(p)
	if !v.Cast.You[side] {
		rest = strings.Replace(rest, " and call ", " and calls ", 1)
	}
	return v.does(side, verb) + " " + rest
}

// either tells moves of a side to choose from: "8 or 9 on the left", "8 on the left or 2 in the middle".
func (v *view) either(p digit.Position, moves []digit.Move) string {
	var names, digits, where []string
	for _, m := range moves {
		name := v.Back(p, m)
		names, digits, where = append(names, name), append(digits, m.Digit.String()), append(where, strings.TrimPrefix(name, m.Digit.String()))
	}
	if len(slices.Compact(where)) > 1 {
		return or(names)
	}
	return or(digits) + where[0]
}

// or joins words to choose from; of five or more only the first three.
func or(words []string) string {
	if n := len(words); n > 4 {
		words = []string{words[0], words[1], words[2], strconv.Itoa(n-3) + " others"}
	}
	last := len(words) - 1
	return strings.TrimPrefix(strings.Join(words[:last], ", ")+" or "+words[last], " or ")
}

// makes tells what the first one of some digits that win makes, and the second: "then 0 makes 490 = 7·70 and 7 makes 497 = 7·71", and in
// short without the sums; of three or more only that they do.
func (v *view) makes(p digit.Position, s digit.Side, open digit.Pool) []string {
	if open.Len() > 2 {
		return []string{"then " + digits(open) + " each make a multiple of " + strconv.Itoa(int(v.Rules.Target))}
	}
	var sums, numbers []string
	for d := range open.All() {
		n := v.completes(p, s, digit.PoolOf(d))[0]
		sums = append(sums, d.String()+" makes "+v.Made(n))
		numbers = append(numbers, d.String()+" makes "+v.Number(n))
	}
	and := " and "
	if strings.Contains(sums[0], ", ") { // it is heard
		and = ", and "
	}
	return []string{"then " + strings.Join(sums, and), "then " + strings.Join(numbers, " and ")}
}

// digits lists the digits of a set; of five or more only the first three.
func digits(set digit.Pool) string { return rulebook.List(strings.Fields(set.List(" "))...) }

// kind returns what is chosen: moves, or where a digit goes that is picked.
func (v *view) kind() string {
	switch {
	case v.Rules.Place == digit.Hand:
		return "digit"
	case v.picked && v.Rules.Place == digit.Ends:
		return "end"
	case v.picked:
		return "place"
	default:
		return "move"
	}
}

// count tells how many choices are as good.
func (v *view) count() string {
	n, all := v.kept()
	if v.picked && all == 1 {
		return "" // there is nothing to choose any more
	}
	what := v.kind()
	win := v.best.Outcome == solve.Win
	keep, keeps := v.now("keep", "kept")+" the draw", v.now("keeps", "kept")+" the draw"
	if win {
		keep, keeps = v.now("win", "won"), v.now("wins", "won")
	}
	only := "It " + v.now("is", "was") + " " + v.whose(v.me) + " only "
	switch {
	case all == 1:
		return only + what + "."
	case n == all:
		return "Every " + what + " " + keeps + "."
	case n == 1 && win:
		return only + "winning " + what + "."
	case n == 1:
		return only + what + " that " + v.now("does", "did") + " not lose."
	default:
		return fmt.Sprintf("%d of %s %d %ss %s.", n, v.whose(v.me), all, what, keep)
	}
}
