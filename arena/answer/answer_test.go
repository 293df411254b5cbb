package answer_test

import (
	"testing"

	"digitduel/arena/answer"
)

// TestRead checks answers as models write them. In the table, "" means that there is no answer.
func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		"MOVE: 7a":                             "7a",
		"move:7a":                              "7a",
		"I take the centre.\n\n**MOVE:** 7a":   "7a",
		"**Final Move: `7a`**":                 "7a",
		"> Final move : 7 A":                   "7 A",
		"### MOVE: 7a\nGood luck!":             "7a",
		"MOVE: 1a\nNo, wait.\nMOVE: 7a":        "7a",
		"MOVE: 7a (wins at once)":              "7a",
		"MOVE: 7a, because 791 = 7 × 113.":     "7a",
		"MOVE: 7a; it blocks":                  "7a",
		"MOVE: 7a - it blocks":                 "7a",
		"MOVE: 7a — it blocks":                 "7a",
		"MOVE: 7a.":                            "7a",
		`MOVE: "7a"`:                           "7a",
		"MOVE: [7a]":                           "7a",
		"MOVE: (7a)":                           "7a",
		"MOVE: 2 = 721":                        "2 = 721",
		"MOVE: amber@mill":                     "amber@mill",
		"MOVE: amber=fern+amber+opal":          "amber=fern+amber+opal",
		"7a":                                   "7a",
		" `7a` ":                               "7a",
		"<think>MOVE: 1a</think>MOVE: 7a":      "7a",
		"<think>MOVE: 1a</think>\n7a":          "7a",
		"a</think>b</think>MOVE: 7a":           "7a",
		"MOVE: 7a\r\n":                         "7a",
		"<think>I will play 7a":                "",
		"MOVE: 1a <think>or":                   "",
		"I play 7a because it wins.\nYes: 7a.": "",
		"MOVE: ...":                            "",
		"MOVE:":                                "",
		"MOVE:\n7a":                            "",
		"":                                     "",
		"My move is 7a\nthat is all":           "",
		"7a or 3b":                             "7a or 3b", // not a move
		"remove: 7a":                           "remove: 7a",
	} {
		got, ok := answer.Read(text)
		if got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v; want %q", text, got, ok, want)
		}
	}
}

// FuzzRead checks that an answer is read unchanged when it is read again.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"MOVE: 7a", "x</think>**Move:** `7a`.", "<think>", "7a\n8b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := answer.Read(text)
		if ok != (got != "") {
			t.Fatalf("%q: %q, %v", text, got, ok)
		}
		if again, _ := answer.Read("MOVE: " + got); ok && again != got {
			t.Errorf("%q gives %q, which gives %q", text, got, again)
		}
	})
}
