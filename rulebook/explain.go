package rulebook

import (
	"fmt"
	"strings"

	"digitduel/digit"
)

// Explain tells the rules of a game as plain text, with the options in force.
func Explain(r digit.Rules) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s)\n\n", r.Book().Title, r)
	for _, s := range Sections(r) {
		b.WriteString(s.Heading + "\n" + wrap(s.Text, 76, "  ") + "\n")
	}
	b.WriteString("Options\n")
	wide := 0
	for _, o := range Options(r) {
		wide = max(wide, len(o.Key+"="+o.Value))
	}
	for _, o := range Options(r) {
		fmt.Fprintf(&b, "  %-*s  %s\n", wide, o.Key+"="+o.Value, o.Note)
	}
	return b.String()
}

// wrap breaks text into lines of at most width characters, each with an indent.
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
