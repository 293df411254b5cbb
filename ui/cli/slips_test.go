package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"digitduel/match"
)

// prompts lists all kinds of prompts of all books: the rules, the lines up to the prompt, and lines
// that are bad at this prompt.
var prompts = []struct {
	name, rules, lead string
	bad               []string
}{
	{"dilemma digit", "dilemma", "7 left\n3 middle\n", []string{"7", "3", "a", "1 left", "1 nowhere"}},
	{"dilemma place", "dilemma", "7 left\n3 middle\n1\n", []string{"left", "L", "a", "hundreds", "1", "d", "le ft"}},
	{"sevens digit", "sevens", "7\n5\n", []string{"7", "5", "1 721", "1=7", "2721"}},
	{"sevens third digit", "sevens", "7\n5\n1\n8\n", []string{"7", "8", "22", "2721", "2 712x", "2 77", "2 7210", "0 071", "2 258"}},
	{"sevens call", "sevens", "7\n5\n1\n8\n2\n", []string{"2", "72", "7217", "722", "-721", "+721", "721.0", "７２１", "7_1", "0x1"}},
	{"sevens call with 0", "sevens", "7\n5\n1\n8\n0\n", []string{"071", "017"}},
	{"highest digit", "highest", "9 h\n8 h\n", []string{"9", "8", "0", "7 hundreds", "7 here"}},
	{"highest place", "highest", "9 h\n8 h\n2\n", []string{"hundreds", "H", "a", "left", "9"}},
	{"divisibility first digit", "divisibility", "", []string{"0", "0 R", "4 up", "4 middle"}},
	{"divisibility first place", "divisibility", "4\n", []string{"up", "middle", "a", "c"}},
	{"divisibility digit", "divisibility", "4 r\n3 r\n", []string{"4", "3", "2 M"}},
	{"divisibility place", "divisibility", "4 r\n3 r\n2\n", []string{"middle", "a", "2"}},
	{"reverse digit", "reverse", "9 h\n1 h\n", []string{"9", "1", "0", "8 hundreds"}},
	{"reverse place", "reverse", "9 h\n1 h\n8\n", []string{"hundreds", "hun", "h", "a", "8"}},
	{"barred zero", "divisibility pool=0-9 zero=barred", "", []string{"0", "0 L", "0 R"}},
	{"barred zero place", "divisibility pool=0-9 zero=barred", "1 r\n2 r\n0\n", []string{"L", ""}},
	{"barred zero, one place free", "dilemma zero=barred width=2", "7 b\n3 b\n", []string{"0", "0a", "0 tens"}},
	{"barred zero, two places free", "dilemma zero=barred", "7 c\n3 b\n0\n", []string{"left", ""}},
	{"wide place", "highest width=4", "9\n", []string{"t", "m", "middle", "e"}},
	{"wider place", "highest width=5 pool=0-9", "9\n", []string{"t", "ten", "th ousands"}},
	{"hexadecimal digit", "highest pool=0-e", "", []string{"f", "g", "ten", "7 7", "77"}},
	{"hexadecimal place", "highest pool=0-f width=8", "f\n", []string{"i", "thousands", "0"}},
}

// garbage lists lines that are bad at every prompt.
var garbage = []string{
	"", "   ", "\t", "xyz", "?!", "77", "-1", "+7", "7.5", "1e1", "null", "NaN", "undo it", "--help", ";", "\r",
	"\x00", "7\x00", "\xff\xfe", "7\xff", "７", "７ left", "٣", "²", "⅞", "é", "🂡",
	"\x1b[31m", "7\x1b[2J", "\x1b]0;title\x07", "\x7f", "\b\b", "a\vb",
	strings.Repeat("7", 10_000), strings.Repeat(" ", 10_000),
	"7" + strings.Repeat(" ", 10_000) + "left", strings.Repeat("é", 10_000),
}

// TestBadInput types bad lines at every kind of prompt. Each time one line explains the error, the
// prompt is repeated, and nothing changes. testdata/slips.txt lists the explanations, each followed
// by the bad lines; TYPED stands for the bad line in an explanation.
func TestBadInput(t *testing.T) {
	var lines strings.Builder
	for _, p := range prompts {
		fmt.Fprintf(&lines, "%s (%s)\n", p.name, p.rules)
		var order []string
		answered := map[string][]string{}
		for _, bad := range append(p.bad, garbage...) {
			takesNothing := strings.HasPrefix(p.name, "sevens call")
			if takesNothing && strings.TrimSpace(bad) == "" && len(bad) < 100 {
				continue // an empty line plays without a call
			}
			slip := slipOf(t, p.rules, p.lead, strings.NewReader(bad+"\n"))
			slip = strings.Replace(slip, quoted(bad), "TYPED", 1)
			if answered[slip] == nil {
				order = append(order, slip)
			}
			answered[slip] = append(answered[slip], quoted(bad))
		}
		for _, slip := range order {
			fmt.Fprintf(&lines, "\t%s\n\t\t%s\n", slip, strings.Join(answered[slip], "  "))
		}
	}
	golden(t, "slips.txt", lines.String())
}

// slipOf types a lead and then a bad line, checks that nothing changed, and returns the
// explanation.
func slipOf(t *testing.T, rules, lead string, bad io.Reader) string {
	t.Helper()
	s := session{setup: match.Setup{Rules: rulesOf(t, rules)}}
	s.play(t, io.MultiReader(strings.NewReader(lead), bad))
	s.wantEnded(t)
	n := len(s.asked)
	if n != strings.Count(lead, "\n")+2 {
		t.Fatalf("%s: wrong number of prompts, %d:\n%s", rules, n, s.out)
	}
	before, after := s.asked[n-2], s.asked[n-1]
	if before.prompt != after.prompt {
		t.Errorf("%s: the prompt %q is followed by %q:\n%s",
			rules, before.prompt, after.prompt, s.out)
	}
	b, a := before.state, after.state
	if b.Seq != a.Seq || b.Position != a.Position || b.Turn() != a.Turn() || b.Result != a.Result {
		t.Errorf("%s: the table changed from %+v to %+v", rules, b, a)
	}
	said := after.said
	line := strings.TrimSuffix(strings.TrimPrefix(said, "\n"), "\n")
	switch {
	case said != "\n"+line+"\n" || line == "" || strings.Contains(line, "\n"):
		t.Errorf("%s: the explanation is not one line: %q", rules, said)
	case !utf8.ValidString(line) || strings.ContainsFunc(line, unprintable):
		t.Errorf("%s: the explanation is not printable: %q", rules, line)
	case utf8.RuneCountInString(line) > 200 ||
		!strings.HasSuffix(line, ".") && !strings.HasSuffix(line, "?"):
		t.Errorf("%s: the explanation is not a short sentence: %s", rules, line)
	}
	return line
}

// unprintable reports whether a character cannot be printed.
func unprintable(c rune) bool { return !unicode.IsPrint(c) }

// TestLineEnds types a game with other line ends, and without the last one.
func TestLineEnds(t *testing.T) {
	for _, typed := range []string{
		"7\r\nleft\r\n3\r\nright\r\n", "7\nleft\n3\nright", "7\r\nleft\n 3 \r\n\tright\t\r\n",
	} {
		s := playTyped(t, "dilemma", typed)
		if got, want := s.record(t), "dilemma 7a 3c *"; got != want {
			t.Errorf("%q is recorded as %s, want %s", typed, got, want)
		}
	}
}

// endlessSevens is a reader of an endless line of 7s.
type endlessSevens struct{}

func (endlessSevens) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = '7'
	}
	return len(b), nil
}

// TestLongLine types lines of ten million characters, which must not be kept in memory.
func TestLongLine(t *testing.T) {
	const length = 10 << 20
	for _, p := range prompts[:6] {
		before := allocated()
		line := io.MultiReader(io.LimitReader(endlessSevens{}, length), strings.NewReader("\n"))
		slip := slipOf(t, p.rules, p.lead, line)
		if used := allocated() - before; used > length/10 {
			t.Errorf("%s: %d bytes were allocated for a line of %d", p.name, used, length)
		}
		if strings.Contains(slip, "777") {
			t.Errorf("%s: the explanation quotes the line: %s", p.name, slip)
		}
	}
}

// allocated returns the number of bytes allocated so far.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

func TestReadLine(t *testing.T) {
	full := strings.Repeat("7", 4096)
	tests := []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"7", []string{"7"}},
		{"7\n", []string{"7"}},
		{"\n\n7\r\n", []string{"", "", "7"}},
		{"7\x00\xff\n8", []string{"7\x00\xff", "8"}},
		{full[1:] + "\n8\n", []string{full[1:], "8"}},
		{full + "\n8\n", []string{full + "…", "8"}},
		{full + full + full + "9\n8\n", []string{full + "…", "8"}},
		{"7" + strings.Repeat(" ", 5000) + "left", []string{"7" + strings.Repeat(" ", 4095) + "…"}},
	}
	for _, tt := range tests {
		in := bufio.NewReader(strings.NewReader(tt.in))
		var got []string
		for {
			line, err := readLine(in)
			if err != nil {
				if !errors.Is(err, io.EOF) {
					t.Error(err)
				}
				break
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%.20q (-want +got):\n%s", tt.in, diff)
		}
	}
}
