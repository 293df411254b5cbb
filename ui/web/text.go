package web

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"digitduel/digit"
	"digitduel/rulebook"
)

// capital returns text with a capital first letter.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// sentence returns text as a sentence.
func sentence(text string) string {
	if text != "" && !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return capital(text)
}

// longText returns the long form of a sentence.
func longText(r digit.Rules, c rulebook.Cast, say func(rulebook.Voice) string) string {
	return rulebook.Say(r, c, say).Long
}

// changesOf returns the options in which rules differ from their book. A fair game has a name of
// its own, and so none.
func changesOf(r digit.Rules) string {
	if isFair(r) {
		return ""
	}
	_, changes, _ := strings.Cut(withoutTarget(r).String(), " ")
	if r.Target > 0 && r.Target != r.Book().Rules.Target {
		changes = strings.TrimSpace(fmt.Sprintf("multiples of %d %s", r.Target, changes))
	}
	return changes
}

// clockText returns a time as on a clock: "0:09".
func clockText(d time.Duration) string {
	seconds := int((max(d, 0) + time.Second - 1) / time.Second)
	if seconds >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	}
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// counted returns a number with its noun.
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// ago describes how long ago something was.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return counted(int(d/time.Minute), "minute") + " ago"
	case d < 48*time.Hour:
		return counted(int(d/time.Hour), "hour") + " ago"
	default:
		return counted(int(d/(24*time.Hour)), "day") + " ago"
	}
}
