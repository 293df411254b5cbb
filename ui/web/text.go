package web

import (
	"fmt"
	"strings"
	"time"

	"digitduel/digit"
	"digitduel/rulebook"
)

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

// ago describes how long ago something was.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return rulebook.Plural(int(d/time.Minute), "minute") + " ago"
	case d < 48*time.Hour:
		return rulebook.Plural(int(d/time.Hour), "hour") + " ago"
	default:
		return rulebook.Plural(int(d/(24*time.Hour)), "day") + " ago"
	}
}
