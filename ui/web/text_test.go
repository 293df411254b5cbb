package web

import (
	"testing"
	"time"

	"digitduel/digit"
)

// TestSmallWords says times, counts and sentences.
func TestSmallWords(t *testing.T) {
	aimed := digit.Divisibility
	aimed.Target = 33
	for got, want := range map[string]string{
		changesOf(aimed):                   "multiples of 33",
		sentence("seat is taken"):          "Seat is taken.",
		sentence("éa!"):                    "Éa!",
		sentence(""):                       "",
		clockText(9500 * time.Millisecond): "0:10",
		clockText(-time.Second):            "0:00",
		clockText(3661 * time.Second):      "1:01:01",
		ago(30 * time.Second):              "just now",
		ago(90 * time.Second):              "1 minute ago",
		ago(5 * time.Hour):                 "5 hours ago",
		ago(100 * time.Hour):               "4 days ago",
		changesOf(digit.Dilemma):           "",
		watchersText(2):                    "2 people watch",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
