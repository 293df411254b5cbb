package rulebook

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"digitduel/digit"
)

func rulesOf(t *testing.T, text string) digit.Rules {
	t.Helper()
	r, err := digit.ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestBooks asks for the words of every book, and for no others.
func TestBooks(t *testing.T) {
	for _, b := range digit.Books {
		w, known := words[b.Name]
		if !known || w.line == "" || Line(b.Name) != w.line {
			t.Errorf("%s is told in the line %q", b.Name, Line(b.Name))
		}
		if want := int(b.Rules.Width); b.Rules.Place == digit.Slots && len(w.places) != want {
			t.Errorf("%s has names for %d places, want %d", b.Name, len(w.places), want)
		}
		if b.Rules.Place != digit.Slots && len(w.places) > 0 {
			t.Errorf("%s has no fixed places, but the names %q", b.Name, w.places)
		}
		if got := Closest(b.Rules); got != b {
			t.Errorf("%s is told in the words of %s", b.Name, got.Name)
		}
	}
	if len(words) != len(digit.Books) {
		t.Errorf("there are words for %d books, and %d books", len(words), len(digit.Books))
	}
	if got := Line("chess"); got != "" {
		t.Errorf("a book that is not there is told as %q", got)
	}
}

func TestPlaces(t *testing.T) {
	tests := []struct{ rules, places, powers string }{
		{"dilemma", "Left Middle Right", "hundreds tens units"},
		{"highest", "hundreds tens units", "hundreds tens units"},
		{"reverse", "hundreds tens ones", "hundreds tens units"},
		{"reverse width=4", "thousands hundreds tens units", "thousands hundreds tens units"},
		{"highest width=1", "units", "units"},
		{"highest width=5 pool=0-9", "ten-thousands thousands hundreds tens units", "ten-thousands thousands hundreds tens units"},
		{"dilemma pool=0-f", "Left Middle Right", "a b c"},
		{"dilemma pool=0-f width=2", "a b", "a b"},
		{"sevens place=slots win=full", "Left Middle Right", "hundreds tens units"}, // the words of the closest book with places
		{"sevens", "", ""},
		{"divisibility", "", ""},
		{"divisibility width=3", "", ""},
	}
	for _, tt := range tests {
		r := rulesOf(t, tt.rules)
		got := [2]string{strings.Join(Places(r), " "), strings.Join(Powers(r), " ")}
		if want := [2]string{tt.places, tt.powers}; got != want {
			t.Errorf("%s has the places and powers %q, want %q", tt.rules, got, want)
		}
	}
}

// TestPlacesAreCopies changes what was returned, which must not change the words of the book.
func TestPlacesAreCopies(t *testing.T) {
	Places(digit.Dilemma)[0] = "changed"
	if got := Places(digit.Dilemma)[0]; got != "Left" {
		t.Errorf("the first place is %q, want Left", got)
	}
}

func TestClosest(t *testing.T) {
	tests := []struct{ rules, want string }{
		{"divisibility place=slots width=3 win=full", "dilemma"},
		{"dilemma place=hand", "sevens"},
		{"highest place=ends", "divisibility"},
		{"highest final=lower", "reverse"},
	}
	for _, tt := range tests {
		if got := Closest(rulesOf(t, tt.rules)); got.Name != tt.want {
			t.Errorf("%s is told in the words of %s, want %s", tt.rules, got.Name, tt.want)
		}
	}
}

// variants are rules that are told differently.
var variants = []struct{ rules, heading, want string }{
	{"dilemma", "Goal", "Be the first with a number that is a multiple of 7."},
	{"highest", "Goal", "Have the higher number in the end."},
	{"reverse", "Goal", "Have the lower number in the end."},
	{"highest final=later", "Goal", "Place the last digit."},
	{"divisibility win=never target=11", "Goal", "closer to a multiple of 11"},
	{"dilemma", "Pool", "The digits 0 1 2 3 4 5 6 7 8 9, each of them once."},
	{"reverse pool=0-f", "Pool", "Numbers are read in base 16; a is ten"},
	{"dilemma", "Start", "in a series the start alternates"},
	{"dilemma", "Turn", "one of the 3 places of your number: left, middle, right."},
	{"highest width=4", "Turn", "one of the 4 places of your number: thousands, hundreds, tens, units."},
	{"divisibility", "Turn", "The first digit has no sides. Nobody may pass."},
	{"divisibility width=3", "Turn", "A number has at most 3 digits."},
	{"sevens", "Turn", "call a number that uses each digit of the hand once."},
	{"sevens win=full", "Turn", "Take a digit into your hand, which holds up to 3. Nobody may pass."},
	{"dilemma", "Winning", "A number is tried when its last digit is placed. A multiple of 7 wins at once."},
	{"sevens win=full", "Winning", "may be arranged in any order"},
	{"divisibility target=11", "Winning", "tried after every digit. A multiple of 11 wins"},
	{"sevens", "Winning", "any other call loses at once"},
	{"highest", "Winning", "Nobody wins before the end."},
	{"dilemma", "The end", "When both numbers are full and nobody has won, the number closer to the next multiple of 7 above it wins"},
	{"dilemma", "The end", "if that is equal, the lower number wins. Digits are unique, so there is no draw."},
	{"sevens", "The end", "When both hands are full and nobody has won, each hand counts as the number that suits it best"},
	{"highest", "The end", "When both numbers are full, the higher number wins."},
	{"divisibility", "The end", "When the pool is empty and nobody has won, the number with the smaller remainder by 7 wins; if that is equal, the game is a draw."},
	{"divisibility final=draw", "The end", "nobody has won, the game is a draw."},
	{"dilemma", "Zero", "never wins as a multiple"},
	{"dilemma zero=counts", "Zero", "042 is 42"},
	{"dilemma zero=barred", "Zero", "A number may not begin with 0."},
	{"highest pool=0-9", "Zero", "042 is 42"},
	{"highest pool=0-9 zero=inert", "Zero", "is then a small one"},
	{"sevens", "Zero", "A number made of a hand may not begin with 0."},
}

func TestSections(t *testing.T) {
	for _, tt := range variants {
		said := map[string]string{}
		for _, s := range Sections(rulesOf(t, tt.rules)) {
			said[s.Heading] = s.Text
		}
		if !strings.Contains(said[tt.heading], tt.want) {
			t.Errorf("%s: %s: %q is missing in %q", tt.rules, tt.heading, tt.want, said[tt.heading])
		}
	}
}

// TestSectionsOfBooks reads the headings of the books: without a 0 in the pool nothing is said of it.
func TestSectionsOfBooks(t *testing.T) {
	for _, b := range digit.Books {
		want := []string{"Goal", "Pool", "Start", "Turn", "Winning", "The end"}
		if b.Rules.Pool.Has(0) {
			want = append(want, "Zero")
		}
		var got []string
		for _, s := range Sections(b.Rules) {
			got = append(got, s.Heading)
			if s.Text == "" || strings.Join(strings.Fields(s.Text), " ") != s.Text {
				t.Errorf("%s: %s: %q is not a paragraph in one line", b.Name, s.Heading, s.Text)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s has other headings (-want +got):\n%s", b.Name, diff)
		}
	}
}

func TestOptions(t *testing.T) {
	var keys []string
	for _, o := range Options(rulesOf(t, "divisibility target=11")) {
		keys = append(keys, o.Key)
		if o.Note == "" {
			t.Errorf("nothing is said of the key %s", o.Key)
		}
		if o.Key == "target" && o.Value != "11" {
			t.Errorf("the target is %s, want 11", o.Value)
		}
	}
	if diff := cmp.Diff(digit.Keys(), keys); diff != "" {
		t.Errorf("other keys (-want +got):\n%s", diff)
	}
}

// TestExplain looks for every section and option in the text, and at its form.
func TestExplain(t *testing.T) {
	for _, tt := range variants {
		r := rulesOf(t, tt.rules)
		text := Explain(r)
		if title := r.Book().Title + " (" + r.String() + ")\n\n"; !strings.HasPrefix(text, title) {
			t.Errorf("%s: the text does not begin with %q:\n%s", tt.rules, title, text)
		}
		flat := strings.Join(strings.Fields(text), " ")
		for _, s := range Sections(r) {
			if !strings.Contains(flat, s.Heading+" "+s.Text) {
				t.Errorf("%s: the section %s is missing in\n%s", tt.rules, s.Heading, text)
			}
		}
		for _, o := range Options(r) {
			if !strings.Contains(flat, " "+o.Key+"="+o.Value+" "+o.Note) {
				t.Errorf("%s: the option %s=%s is missing in\n%s", tt.rules, o.Key, o.Value, text)
			}
		}
		for line := range strings.SplitSeq(text, "\n") {
			if utf8.RuneCountInString(line) > 100 || strings.TrimRight(line, " ") != line {
				t.Errorf("%s: a line is too long or ends with spaces: %q", tt.rules, line)
			}
		}
	}
}
