package rulebook

import (
	"fmt"
	"slices"
	"strings"

	"digitduel/digit"
)

// A Section is a heading of the rules and its paragraph, in one line.
type Section struct{ Heading, Text string }

// Sections returns the rules of a game in words, in the order in which people learn them.
func Sections(r digit.Rules) []Section {
	v := Voice{r, Cast{}, written}
	var sections []Section
	add := func(heading, text string) {
		if text != "" {
			sections = append(sections, Section{heading, text})
		}
	}
	add("Goal", goalShort(r)+".")
	add("Digits", v.digits()+" A digit that either player takes is gone.")
	add("Start",
		"Player 1 starts, unless you agree otherwise or toss a coin. In a series, players take "+
			"turns starting.")
	add("Turn", v.turn())
	add("Winning", v.win())
	add("The end", v.end(v.whenOver())+v.beyond())
	add("Zero", v.zero())
	if f, ok := FairnessOf(r); ok {
		add("Reckoning", f.Reckon)
		add("Fair", f.Why()+" "+f.Feels())
	}
	add("Careful", v.warning())
	add("If you like", v.extras())
	return sections
}

// beyond explains the distance of a multiple to the next one, if that can count.
func (v Voice) beyond() string {
	if !slices.Contains(v.Rules.Orders(), digit.Above) {
		return ""
	}
	return v.fill(" A multiple itself is ${t} short of the next one.")
}

// extras lists the options that players may agree on.
func (v Voice) extras() string {
	text := "Play a series, best of 3 games or more: the majority wins"
	if v.Rules.Drawable() {
		text += ", and draws don't count"
	}
	text += ". Set a time for each turn: if it runs out, the player loses, or a random digit is " +
		"played"
	if v.Rules.Win == digit.OnCall && v.Rules.Reachable() {
		text += ", without a call. Make calls automatic: the game calls the highest multiple of " +
			"a full hand"
	}
	if v.Rules.Target != 0 {
		text += ". Agree on another number than ${t}, or on one for each game of a series"
	}
	return v.fill(text + ".")
}

// turn explains a turn.
func (v Voice) turn() string {
	r := v.Rules
	text := v.build()
	switch r.Place {
	case digit.Slots:
		if r.Width > 1 {
			var words []string
			for i := range int(r.Width) {
				words = append(words, v.spotWord(digit.SlotAt(i)))
			}
			text += " The places are " + Join(words, "and") + ". A digit stays where it is put."
		}
	case digit.Ends:
		text += " For the first digit, left and right are the same."
	case digit.Hand:
		if r.Win == digit.OnCall {
			text += " You can call only with your last digit; a call uses each of your digits once."
		}
	}
	return text + " You can't skip a turn."
}

// Explain returns the rules of a game and its options as plain text.
func Explain(r digit.Rules) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s)\n\n", r.Named().Title, r)
	for _, s := range Sections(r) {
		b.WriteString(s.Heading + "\n" + wrap(Capital(s.Text), 76, "  ") + "\n")
	}
	b.WriteString("Options\n")
	wide := 0
	options := Options(r)
	for _, o := range options {
		wide = max(wide, len(o.Key+"="+o.Value))
	}
	for _, o := range options {
		indent := strings.Repeat(" ", wide+4)
		lines := wrap(o.Means, 76, indent)
		fmt.Fprintf(&b, "  %-*s  %s", wide, o.Key+"="+o.Value, strings.TrimPrefix(lines, indent))
		b.WriteString(wrap("Allowed: "+o.Allowed+".", 76, indent))
	}
	return b.String()
}

// wrap breaks text into indented lines of at most width characters.
func wrap(text string, width int, indent string) string {
	var b strings.Builder
	line := indent
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > width && line != indent {
			b.WriteString(line + "\n")
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	return b.String() + line + "\n"
}
