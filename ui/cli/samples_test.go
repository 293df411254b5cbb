package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"digitduel/digit"
	"digitduel/match"
)

// samples lists the sessions of testdata/samples, as the rulebooks print them, without the
// asterisks of dilemma. Turns that a book leaves out are added: in highest from its example game,
// in reverse with moves of our own. reverse-example is the example game of that book.
var samples = []struct {
	name, record string
}{
	{"dilemma", "dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple"},
	{"sevens", "sevens 7 5 1 8 2=721 1-0 multiple"},
	{"highest", "highest 9a 8a 2c 7b 5b 6c 1-0 higher"},
	{"divisibility", "divisibility 4R 3R 2R 1-0 multiple"},
	{"reverse", "reverse 6c 1a 8b 2c 3a 4b 0-1 lower"},
	{"reverse-example", "reverse 9a 1a 8b 2c 3c 4b 0-1 lower"},
}

// question matches a prompt of a rulebook and the answer to it.
var question = regexp.MustCompile(`^(Enter the .*: |Choose position .*: ` +
	`|(?:- )?Select a digit .*: |Assign digit .*: |- Place digit .*\? ` +
	`|Player [12], pick a digit: )(.+)$`)

func readSample(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "samples", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestSamples types the answers of each sample session, and compares the rest of it.
func TestSamples(t *testing.T) {
	for _, tt := range samples {
		t.Run(tt.name, func(t *testing.T) {
			var typed, want []string
			for line := range strings.SplitSeq(readSample(t, tt.name), "\n") {
				if parts := question.FindStringSubmatch(line); parts != nil {
					line = parts[1]
					typed = append(typed, parts[2])
				}
				want = append(want, line)
			}
			rules := recordOf(t, tt.record).Rules
			terms := match.Terms{AutoCall: rules.Win == digit.OnCall}
			s := session{setup: match.Setup{Rules: rules, Terms: terms}}
			s.play(t, strings.NewReader(strings.Join(typed, "\n")))
			if diff := cmp.Diff(want, strings.Split(s.out, "\n")); diff != "" {
				t.Errorf("typed %q (-want +got):\n%s", typed, diff)
			}
			if got := s.record(t); s.err != nil || got != tt.record {
				t.Errorf("recorded %s, %v; want %s", got, s.err, tt.record)
			}
		})
	}
}

// TestReplaySamples replays the record of each sample session, and compares all of it.
func TestReplaySamples(t *testing.T) {
	for _, tt := range samples {
		t.Run(tt.name, func(t *testing.T) {
			want := readSample(t, tt.name)
			if got := replayed(t, tt.record); got != want {
				diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n"))
				t.Errorf("%s (-want +got):\n%s", tt.record, diff)
			}
		})
	}
}

func TestEveryWordingHasASample(t *testing.T) {
	for _, w := range wordings {
		named := func(s struct{ name, record string }) bool { return s.name == w.book }
		if !slices.ContainsFunc(samples, named) {
			t.Errorf("%s has no sample", w.book)
		}
	}
	if len(wordings) < 5 {
		t.Errorf("%d wordings, want one for each of the five books", len(wordings))
	}
}

func recordOf(t *testing.T, text string) digit.Record {
	t.Helper()
	rec, err := digit.ParseRecord(text)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func replayed(t *testing.T, record string) string {
	t.Helper()
	var out strings.Builder
	if err := Replay(&out, recordOf(t, record), func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
