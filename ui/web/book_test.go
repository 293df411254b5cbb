package web

import (
	"testing"
	"time"

	"digitduel/digit"
)

// TestSmallWords checks the texts for changed rules, times and counts.
func TestSmallWords(t *testing.T) {
	aimed := digit.Divisibility
	aimed.Target = 33
	for got, want := range map[string]string{
		changesOf(aimed):         "multiples of 33",
		ago(30 * time.Second):    "just now",
		ago(90 * time.Second):    "1 minute ago",
		ago(5 * time.Hour):       "5 hours ago",
		ago(100 * time.Hour):     "4 days ago",
		changesOf(digit.Dilemma): "",
		watchersText(2):          "2 people watch",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
