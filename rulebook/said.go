// Package rulebook writes every sentence about a game, once, for all front ends: goals, prompts,
// moves, endings, refusals, offers, and the rules with their options.
//
// A sentence is a [Said]: short for a narrow screen, long for a page, spoken for a screen reader. A
// front end chooses the form, never the words. A [Cast] says who is "you" and names the others. A
// [Voice] writes the parts of a sentence about numbers, moves and players; coach uses it for
// sentences that need a solved game.
package rulebook

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"digitduel/digit"
)

// A Said is a text in three forms.
type Said struct {
	Short  string // at most 40 characters, without a full stop
	Long   string // full sentences
	Spoken string // the long form without signs, for a screen reader
}

// plain returns a text whose long and spoken forms are the same.
func plain(short, long string) Said { return Said{short, long, long} }

// Sentence returns a sentence that is the same in all forms, given without its full stop.
func Sentence(text string) Said { return plain(text, text+".") }

// Then returns s followed by more. The short form is that of s.
func (s Said) Then(more Said) Said {
	return Said{s.Short, after(s.Long, more.Long), after(s.Spoken, more.Spoken)}
}

// after joins two texts with a space.
func after(text, more string) string { return strings.TrimSpace(text + " " + more) }

// MostShort is the maximum length of a short form in characters.
const MostShort = 40

// Fit returns the first text that is short enough. The last one has to be.
func Fit(texts ...string) string {
	for _, text := range texts[:len(texts)-1] {
		if utf8.RuneCountInString(text) <= MostShort {
			return text
		}
	}
	return texts[len(texts)-1]
}

// A Cast holds the players by side, or by seat in sentences about a series. The zero Cast is Player
// 1 and Player 2, read by a third person.
type Cast struct {
	Names    [2]string
	You      [2]bool // the readers: none at a shared keyboard, nor for those who watch
	Computer [2]bool
	Levels   [2]string // of computers, if known
}

// name returns the name of a side.
func (c Cast) name(s digit.Side) string {
	if c.Names[s] != "" {
		return c.Names[s]
	}
	return "Player " + string('1'+rune(s))
}

// A form selects one of the forms of a [Said].
type form uint8

const (
	brief form = iota
	written
	heard
)

// A Voice writes about a game to a reader in one form.
type Voice struct {
	Rules digit.Rules
	Cast  Cast
	form  form
}

// LongVoice returns the Voice of the long form.
func LongVoice(r digit.Rules, c Cast) Voice { return Voice{r, c, written} }

// Say returns a text in its long and its spoken form.
func Say(r digit.Rules, c Cast, say func(Voice) string) Said {
	return Said{Long: say(Voice{r, c, written}), Spoken: say(Voice{r, c, heard})}
}

// sayAll returns all three forms. The short form is the first candidate that fits.
func sayAll(r digit.Rules, c Cast, short func(Voice) []string, long func(Voice) string) Said {
	said := Say(r, c, long)
	said.Short = Fit(short(Voice{r, c, brief})...)
	return said
}

// SaySentence returns a sentence, given without its full stop, in all forms.
func SaySentence(r digit.Rules, c Cast, say func(Voice) string) Said {
	said := Say(r, c, func(v Voice) string { return say(v) + "." })
	return said.Titled(say(Voice{r, c, brief}))
}

// Titled returns s with another short form.
func (s Said) Titled(short string) Said {
	s.Short = short
	return s
}

// Who returns a player at the beginning of a sentence: "You", "The computer", "Ben".
func (v Voice) Who(s digit.Side) string {
	return v.begin(s, v.Whom(s))
}

// begin capitalizes words that begin with a player, but not a name.
func (v Voice) begin(s digit.Side, words string) string {
	if v.Cast.You[s] || v.Cast.isComputer(s) {
		return Capital(words)
	}
	return words
}

// Whom returns a player within a sentence: "you", "the computer", "Ben".
func (v Voice) Whom(s digit.Side) string {
	switch {
	case v.Cast.You[s]:
		return "you"
	case v.Cast.isComputer(s):
		return "the computer"
	default:
		return v.name(s)
	}
}

// isComputer reports whether a side is "the computer" to its reader. A reader who watches sees the
// name.
func (c Cast) isComputer(s digit.Side) bool {
	return c.Computer[s] && c.You[s.Other()] && !c.You[s]
}

// StandIn names the computer that moves for a side whose player has left.
func (v Voice) StandIn(s digit.Side) string {
	v.Cast.Computer = [2]bool{}
	return "The computer, for " + v.Whom(s) + ","
}

// Whose returns the possessive of a player at the beginning of a sentence: "Your", "The
// computer's", "Ben's".
func (v Voice) Whose(s digit.Side) string {
	return v.begin(s, v.Possessive(s))
}

// Possessive returns the possessive of a player within a sentence: "your", "the computer's",
// "Ben's".
func (v Voice) Possessive(s digit.Side) string {
	if v.Cast.You[s] {
		return "your"
	}
	return v.Whom(s) + "'s"
}

// Does returns a player and a verb at the beginning of a sentence: "You take", "Ben takes".
func (v Voice) Does(s digit.Side, verb string) string { return v.Who(s) + " " + v.Verb(s, verb) }

// Verb returns the form of a verb for a player: "take", "takes".
func (v Voice) Verb(s digit.Side, verb string) string {
	if v.Cast.You[s] {
		return verb
	}
	return cmp.Or(irregular[verb], verb+"s")
}

// irregular has the third person of verbs that do more than add an s.
var irregular = map[string]string{"are": "is", "finish": "finishes", "have": "has", "were": "was"}

// name returns a name, cut in a short form, and isolated if it is written from right to left.
func (v Voice) name(s digit.Side) string {
	name := v.Cast.name(s)
	if v.form == brief {
		return shorten(name, v.Cast.name(s.Other()))
	}
	for _, c := range name {
		if unicode.In(c, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana,
			unicode.Nko) {
			return "\u2068" + name + "\u2069"
		}
	}
	return name
}

// shorten cuts the name of one player so that it differs from the other's. Brackets after the name
// go first.
func shorten(name, other string) string {
	bare, _, more := strings.Cut(name, " (")
	if bare == "" || !more || cut(name) == name || strings.HasPrefix(other, bare) {
		return cut(name)
	}
	return cut(bare)
}

// cut cuts a name to twelve characters.
func cut(name string) string {
	const most = 12
	if utf8.RuneCountInString(name) <= most {
		return name
	}
	kept, size := "", 0
	// A grapheme is never cut.
	for whole := uniseg.NewGraphemes(name); whole.Next(); kept += whole.Str() {
		if size += len(whole.Runes()); size >= most {
			break
		}
	}
	return strings.TrimSpace(kept) + "…"
}

// Capital returns a text with its first letter in upper case.
func Capital(text string) string {
	_, size := utf8.DecodeRuneInString(text)
	return strings.ToUpper(text[:size]) + text[size:]
}

// lower returns a text that begins with an English word with its first letter in lower case.
func lower(text string) string { return strings.ToLower(text[:1]) + text[1:] }

// Complete returns a text as a sentence, with a capital letter and a full stop.
func Complete(text string) string {
	if text != "" && !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return Capital(text)
}

// Countdown returns the time left as on a clock: "0:09".
func Countdown(left time.Duration) string {
	seconds := int((max(left, 0) + time.Second - 1) / time.Second)
	if seconds >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	}
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// List joins words: "1", "1 and 2", "1, 2 and 3". Of five or more it lists three "and 2 more".
func List(words ...string) string {
	if len(words) > 4 {
		words = append(words[:3:3], count(len(words)-3)+" more")
	}
	return Join(words, "and")
}

// Join joins all words: "1, 2 and 7".
func Join(words []string, and string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " " + and + " " + words[last]
}
