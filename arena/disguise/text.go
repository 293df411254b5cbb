package disguise

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A describer writes the rules of a game of tokens, with numbers as digits or as words.
type describer struct {
	*Game
	num func(int) string
}

// Text returns the rules in words, for a reader who does not know digits. A strict text contains
// no digit either.
func (g *Game) Text(strict bool) string {
	t := describer{g, strconv.Itoa}
	if strict {
		t.num = spell
	}
	paragraphs := []string{t.store(), t.turns(), t.worth(), t.winning(), t.end(), t.writing()}
	paragraphs = slices.DeleteFunc(paragraphs, func(p string) bool { return p == "" })
	return strings.Join(paragraphs, "\n\n") + "\n"
}

func (t describer) store() string {
	return "Two players take tokens in turn from a common store. Each token is there once: " +
		listed(t.Tokens) + "."
}

// thing returns the noun for what a player builds.
func (t describer) thing() string { return string(t.Form) }

func (t describer) turns() string {
	switch t.Form {
	case Row:
		text := fmt.Sprintf("Each player has a row of %s: %s, all empty at first. "+
			"On your turn you take one token from the store and put it into an empty place "+
			"of your own row, where it stays.",
			t.count(len(t.Places), "place"), listed(t.Places))
		if t.Bound == Shut {
			text += fmt.Sprintf(" You may not put %s into %s.", t.Tokens[t.Blank].Name, t.leading())
		}
		return text
	case Line:
		text := fmt.Sprintf("Each player builds a line of tokens. "+
			"It has two ends, %[1]s and %[2]s. On your turn you take one token from the store "+
			"and add it to your own line at one of its ends, where it stays. "+
			"Your first token has no choice of ends and counts as put at %[1]s.",
			t.Places[0].Name, t.Places[1].Name)
		if t.Bound == Shut {
			text += fmt.Sprintf(" You may neither begin with %[1]s nor put it at %[2]s.",
				t.Tokens[t.Blank].Name, t.leading())
		}
		if t.Size[0] == t.Size[1] {
			return text + fmt.Sprintf(" A line is full when it has %s.",
				t.count(t.Size[0], "token"))
		}
		return text +
			fmt.Sprintf(" The line of the player who moves first is full when it has %s, "+
				"the other's when it has %s.", t.count(t.Size[0], "token"),
				t.count(t.Size[1], "token"))
	default:
		text := fmt.Sprintf("Each player has a hand, which is full when it has %s. "+
			"On your turn you take one token from the store into your own hand, where it stays. "+
			"The tokens of a full hand can be arranged in %s: %s, one in each.",
			t.count(t.Size[0], "token"), t.count(len(t.Places), "place"), listed(t.Places))
		if t.Bound != Free {
			text += fmt.Sprintf(" They are never arranged with %s in %s.",
				t.Tokens[t.Blank].Name, t.leading())
		}
		return text
	}
}

// leading returns the name of the leading place.
func (g *Game) leading() string { return g.Places[g.lead()].Name }

func (t describer) worth() string {
	if !slices.ContainsFunc(t.Tokens, func(one Token) bool { return one.Worth > 0 }) {
		return ""
	}
	var weights []string
	text := t.each("a worth", func(one Token) int { return one.Worth })
	if t.Share == 0 {
		return text
	}
	text += " "
	if t.Form == Line {
		for _, w := range t.Weights {
			weights = append(weights, t.num(w))
		}
		text += fmt.Sprintf("Each token of a line also has a weight by where it then stands, "+
			"counted from %s: %s. A token that is added at %[1]s moves the others on.",
			t.Places[0].Name, sequence(weights))
	} else {
		for _, p := range t.Places {
			weights = append(weights, p.Name+" "+t.num(p.Weight))
		}
		text += "Each place has a weight: " + list(weights) + "."
	}
	what := t.thing()
	if t.Form == Held {
		what = "hand, as it is arranged"
	}
	return text + fmt.Sprintf(" The sum of a %s: the worth of each token times its weight, "+
		"all added up. Share the sum out evenly among %s, in whole parts; "+
		"what cannot be shared so is left over, always less than %[2]s.", what, t.num(t.Share))
}

// each lists a figure of all tokens, in the order of the list.
func (t describer) each(figure string, of func(Token) int) string {
	var tokens []string
	for _, one := range t.Tokens {
		tokens = append(tokens, one.Name+" "+t.num(of(one)))
	}
	return "Each token has " + figure + ": " + list(tokens) + "."
}

func (t describer) winning() string {
	except := ""
	if t.Bound == Idle && t.Form != Held {
		at := "in"
		if t.Form == Line {
			at = "at"
		}
		except = fmt.Sprintf(" But a %s with %s %s %s never wins in this way.",
			t.thing(), t.Tokens[t.Blank].Name, at, t.leading())
	}
	switch t.Try {
	case TryFull:
		if t.Form == Held {
			return "As soon as your hand is full, you win at once " +
				"if it can be arranged so that nothing of its sum is left over."
		}
		return fmt.Sprintf("As soon as your %s is full, "+
			"you win at once if nothing of its sum is left over.", t.thing()) + except
	case TryEach:
		return fmt.Sprintf("After each token that you add, you win at once "+
			"if nothing of the sum of your %s is left over, however short it is.", t.thing()) +
			except
	case TryCall:
		return "With the token that fills your hand, and only then, " +
			"you may call one arrangement of it. If nothing of its sum is left over " +
			"you win at once; if something is, you lose at once. " +
			"If you call nothing, the game goes on."
	case TryNever:
	}
	return ""
}

func (t describer) end() string {
	both := "both " + t.thing() + "s are full"
	text := "When " + both
	if t.Try != TryNever {
		text += " and nobody has won"
	}
	if len(t.Orders) == 0 {
		return text + ", the game is a draw."
	}
	if t.Form == Held {
		text += ", each player's hand counts as arranged in the way " +
			"that is best for that player by what follows. Then"
	} else {
		text += ","
	}
	for i, o := range t.Orders {
		if i > 0 {
			text += " If that is equal,"
		}
		text += " " + t.criterion(o) + "."
	}
	switch t.Orders[len(t.Orders)-1] {
	case MoreOver, LessOver, NearEven:
		text += " If that is equal, the game is a draw."
	case EarlyRank, LateRank, LastPlaced: // they always decide
	}
	if slices.Contains(t.Orders, EarlyRank) || slices.Contains(t.Orders, LateRank) {
		text += "\n\n" + t.ranking()
	}
	return text
}

func (t describer) criterion(o Criterion) string {
	switch o {
	case MoreOver:
		return "the player wins whose sum has more left over"
	case LessOver:
		return "the player wins whose sum has less left over"
	case NearEven:
		return fmt.Sprintf("take for each player what is left over of the sum, "+
			"or how much that is short of %s, whichever is less; "+
			"the player wins for whom this is less", t.num(t.Share))
	case EarlyRank:
		return fmt.Sprintf("the player wins whose %s comes earlier in the ranking", t.thing())
	case LateRank:
		return fmt.Sprintf("the player wins whose %s comes later in the ranking", t.thing())
	default:
		return "the player wins who has placed the last token"
	}
}

func (t describer) ranking() string {
	text := "The ranking goes by rank. " +
		t.each("a rank", func(one Token) int { return one.Rank }) +
		" The lower its rank, the earlier a token comes."
	if t.Form == Line {
		return text + t.rankingOfLines()
	}
	places := slices.Clone(t.Places)
	slices.SortFunc(places, func(a, b Place) int { return a.Rank - b.Rank })
	text += fmt.Sprintf(" Two %ss are compared by their tokens in %s: "+
		"the one whose token there comes earlier is the earlier one.", t.thing(), t.leading())
	if t.Form == Held && len(places) > 1 { // two rows never have the same token
		text += fmt.Sprintf(" Of two arrangements of one hand that have the same token there, "+
			"the next place decides: the order of the places is %s.", listed(places))
	}
	return text
}

func (t describer) rankingOfLines() string {
	text := ""
	if t.Size[0] != t.Size[1] {
		which := "shorter"
		if t.LongFirst {
			which = "longer"
		}
		if t.Blank >= 0 && t.Bound != Shut {
			text = fmt.Sprintf(" For the ranking of lines, %s at %s is left out "+
				"as if it were not there.", t.Tokens[t.Blank].Name, t.leading())
		}
		text += fmt.Sprintf(" Of two lines, the %s one is the earlier one. "+
			"Lines of the same length", which)
	} else {
		text = " Two lines"
	}
	return text + fmt.Sprintf(" are compared by the tokens at %s: "+
		"the one whose token there comes earlier is the earlier one.", t.leading())
}

func (t describer) writing() string {
	var free []string // tokens that may be put anywhere
	for i, one := range t.Tokens {
		if i != t.Blank {
			free = append(free, one.Name)
		}
	}
	a, b := free[0], t.Places[0].Name
	switch {
	case t.Form == Row:
		return fmt.Sprintf("Write a move as the token and the place with @ between them: %s@%s.",
			a, b)
	case t.Form == Line:
		return fmt.Sprintf("Write a move as the token and the end with @ between them: %s@%s.",
			a, b)
	case t.Try == TryCall:
		return fmt.Sprintf("Write a move as the token: %s. To call, write = behind it "+
			"and then the tokens as they stand in %s, with + between them: %s=%s.",
			a, listed(t.Places), a, strings.Join(free[:len(t.Places)], "+"))
	default:
		return fmt.Sprintf("Write a move as the token: %s.", a)
	}
}

func (t describer) count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return t.num(n) + " " + noun
}

// listed lists the names of tokens or places.
func listed[T interface{ String() string }](all []T) string {
	var names []string
	for _, one := range all {
		names = append(names, one.String())
	}
	return list(names)
}

func (t Token) String() string { return t.Name }
func (p Place) String() string { return p.Name }

func list(words []string) string { return strings.Join(words, ", ") }

// sequence lists weights with their ordinals.
func sequence(weights []string) string {
	where := []string{
		"the first", "the second", "the third", "the fourth",
		"the fifth", "the sixth", "the seventh", "the eighth",
	}
	var all []string
	for i, w := range weights {
		all = append(all, where[i]+" "+w)
	}
	return list(all)
}

var (
	belowTwenty = []string{
		"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
		"eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
		"nineteen",
	}
	tens = []string{
		"", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
	}
)

// spell returns a number below a million in words.
func spell(n int) string {
	part := func(unit int, name string) string {
		text := spell(n/unit) + name
		if n%unit != 0 {
			text += " " + spell(n%unit)
		}
		return text
	}
	switch {
	case n < 20:
		return belowTwenty[n]
	case n < 100 && n%10 == 0:
		return tens[n/10]
	case n < 100:
		return tens[n/10] + "-" + belowTwenty[n%10]
	case n < 1000:
		return part(100, " hundred")
	default:
		return part(1000, " thousand")
	}
}
