package coach

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// mostText is the limit of a hint's third step in characters, unless long names exceed it. A text
// to be heard has no limit.
const mostText = 160

// phrase returns the words of a view to be read and to be heard.
func phrase[T any](s *solve.Solution, p digit.Position, cast rulebook.Cast,
	say func(*view) T) (written, spoken T) {
	limit := mostText
	rulebook.Say(s.Rules(), cast, func(voice rulebook.Voice) string {
		v := see(s, p, voice)
		v.limit = limit
		written, spoken = spoken, say(v) // the text to be read comes first
		limit = 0
		return ""
	})
	return written, spoken
}

// fit returns the first of some texts that is not too long, or the last.
func (v *view) fit(texts []string) string {
	for _, text := range texts {
		if v.limit == 0 || utf8.RuneCountInString(text) <= v.limit {
			return text
		}
	}
	return texts[len(texts)-1]
}

// begin turns a text from the middle of a sentence into its beginning. Names and numbers stay as
// they are.
func (v *view) begin(text string) string {
	for _, s := range digit.Sides {
		if rest, ok := strings.CutPrefix(text, v.Whom(s)); ok && strings.IndexAny(rest, " '") == 0 {
			return v.Who(s) + rest
		}
	}
	word, rest, _ := strings.Cut(text, " ")
	word = strings.TrimRight(word, ",:")
	isNumber := len(word) == 1 || strings.ContainsAny(word, "0123456789") ||
		strings.HasPrefix(rest, "(")
	if isNumber && strings.Trim(word, "0123456789abcdef") == "" {
		return text
	}
	return rulebook.Capital(text)
}

// say writes a sentence. ${me} is the player to move and ${they} the opponent, ${my} and ${their}
// are their possessives, and a capital letter begins a sentence. A verb may follow a player, as in
// ${they have}. ${t} is the target, and ${move} the noun for a choice.
func (v *view) say(text string, args ...any) string {
	return fmt.Sprintf(os.Expand(text, func(key string) string {
		who, verb, acts := strings.Cut(key, " ")
		side, word := v.me, ""
		if strings.HasPrefix(strings.ToLower(who), "the") {
			side = v.other
		}
		switch who {
		case "Me", "They":
			word = v.Who(side)
		case "me", "they":
			word = v.Whom(side)
		case "My", "Their":
			word = v.Whose(side)
		case "my", "their":
			word = v.Possessive(side)
		case "move":
			word = v.kind()
		default:
			word = fmt.Sprint(v.Rules.Target)
		}
		if acts {
			word += " " + v.Verb(side, verb)
		}
		return strings.ReplaceAll(word, "%", "%%")
	}), args...)
}

// does returns a player and a verb within a sentence: "you take", "Ben takes".
func (v *view) does(s digit.Side, verb string) string { return v.Whom(s) + " " + v.Verb(s, verb) }

// plays describes a move of a position: "you put 7 on the left", "Ben takes 2 and calls 721".
func (v *view) plays(p digit.Position, m digit.Move) string {
	verb, rest, _ := strings.Cut(v.Put(p, m), " ")
	side := v.Rules.Turn(p)
	if !v.Cast.You[side] {
		rest = strings.Replace(rest, " and call ", " and calls ", 1)
	}
	return v.does(side, verb) + " " + rest
}

// either lists moves to choose from: "8 or 9 on the left", "8 on the left or 2 in the middle".
func (v *view) either(p digit.Position, moves []digit.Move) string {
	var names, digits, where []string
	for _, m := range moves {
		name, d := v.Back(p, m), m.Digit.String()
		names, digits = append(names, name), append(digits, d)
		where = append(where, strings.TrimPrefix(name, d))
	}
	if len(slices.Compact(where)) > 1 {
		return rulebook.Join(names, "or")
	}
	return rulebook.Join(digits, "or") + where[0]
}

// numbers lists numbers without their sums: "721 and 791".
func (v *view) numbers(numbers []digit.Number, and string) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = v.Number(n)
	}
	return rulebook.Join(words, and)
}

// allWin says that digits win: "2 and 9 both win", "2, 5 and 9 all win".
func allWin(digits digit.Pool) string {
	if digits.Len() == 2 {
		return rulebook.Digits(digits) + " both win"
	}
	return rulebook.Digits(digits) + " all win"
}

// manyWin says that a choice makes two threats or more: "then 721 and 791 both win". It is empty if
// the choice doesn't.
func (v *view) manyWin(c solve.Choice) string {
	switch open := v.winning(c.Next, v.me); {
	case open.Len() == 2:
		return "then " + v.numbers(v.threats(c.Next, v.me), "and") + " both win"
	case open.Len() > 2:
		return "then " + allWin(open)
	default:
		return ""
	}
}

// noun returns the noun for a choice: a digit of a hand, or else a move.
func noun(r digit.Rules) string {
	if r.Place == digit.Hand {
		return "digit"
	}
	return "move"
}

// kind returns the noun for a choice of a view, which may be a place for a picked digit.
func (v *view) kind() string {
	switch {
	case v.picked && v.Rules.Place == digit.Ends:
		return "end"
	case v.picked && v.Rules.Place == digit.Slots:
		return "place"
	default:
		return noun(v.Rules)
	}
}

// count says how many choices win. It is empty if none does, or if there is nothing to choose.
func (v *view) count() string {
	keep, all := solve.Keep(v.choices), len(v.choices)
	switch {
	case v.best.Outcome != solve.Win || v.picked && all == 1:
		return ""
	case keep == all && all > 1:
		return v.say("Every ${move} wins.")
	case keep == all:
		return v.say("It's ${my} only ${move}.")
	case keep == 1:
		return v.say("It's ${my} only winning ${move}.")
	default:
		return v.say("%d of ${my} %d ${move}s win.", keep, all)
	}
}

// share counts the moves of a player that do something: "only 1 of Ben's 5 replies wins".
func (v *view) share(s digit.Side, n, all int, moves, do, object string) string {
	if n == 1 {
		do += "s"
	}
	text := fmt.Sprintf("%d of %s %d %s %s%s", n, v.Possessive(s), all, moves, do, object)
	if 2*n < all {
		return "only " + text
	}
	return text
}

// compared gives the reason for an ending without a multiple: "685 is 1 short of a multiple of 7;
// 143 is 4 short".
func (v *view) compared(f rulebook.Finish) string {
	switch {
	case len(f.Ties) > 0 || f.Order != 0 && f.Order != digit.Later:
		return v.Compared(f)
	case f.Order == digit.Later:
		return v.Whom(f.Winner) + " placed the last digit"
	default:
		return v.say("nobody has a multiple of ${t}")
	}
}
