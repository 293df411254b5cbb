package rulebook

import (
	"testing"
	"time"
)

// TestSmallWords checks sentences and times.
func TestSmallWords(t *testing.T) {
	for got, want := range map[string]string{
		Complete("seat is taken"):          "Seat is taken.",
		Complete("éa!"):                    "Éa!",
		Complete(""):                       "",
		Countdown(9500 * time.Millisecond): "0:10",
		Countdown(-time.Second):            "0:00",
		Countdown(3661 * time.Second):      "1:01:01",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
