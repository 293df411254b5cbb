package engine

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"digitduel/digit"
)

func TestParseCommand(t *testing.T) {
	for line, want := range map[string]string{ // the command as written back, or the error
		"ugi":                     "ugi",
		" \t isready  now\r":      "isready",
		"":                        "",
		"xyzzy go infinite":       "",
		"GO infinite":             "",
		"go":                      "go",
		"go movetime 100":         "go movetime 100",
		"go movetime 0":           "go movetime 0",
		"go swap movetime 7":      "go movetime 7 swap",
		"go movetime -7":          "go movetime 0",
		"go movetime":             "go",
		"go movetime soon":        "go",
		"go p2inc 3 p1time 60000": "go p1time 60000",
		"go ponder depth 4 movetime 99999999999999999999 infinite": "go movetime 1000000000000 infinite",
		"setoption name Rules value divisibility  target=11":       "setoption name Rules value divisibility target=11",
		"setoption name Clear Hash":                                "setoption name Clear Hash",
		"setoption Rules dilemma":                                  "setoption: want setoption name NAME value VALUE",
		"setoption name value 3":                                   "setoption: want setoption name NAME value VALUE",
		"position startpos":                                        "position startpos",
		"position startpos moves":                                  "position startpos",
		"position fen 7_1/53_ moves 2b":                            "position fen 7_1/53_ moves 2b",
		"position fen / moves 4R 3L":                               "position fen / moves 4R 3L",
		"position startpos moves 7 5 1 8 2=721":                    "position startpos moves 7 5 1 8 2=721",
		"position":                                                 "position: want position startpos, or position fen POSITION, then moves MOVE…",
		"position startpos 7a":                                     `position: "7a": want moves MOVE…`,
		"query fen":                                                "query fen",
		"query mood":                                               "query mood",
		"query fen please":                                         "query fen",
		"query":                                                    "query nothing",
	} {
		c, err := ParseCommand(line)
		got := written(c)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// written returns a command as a Process writes it.
func written(c Command) string {
	line := c.Verb
	switch c.Verb {
	case "setoption":
		line += " name " + c.Name
		if c.Value != "" {
			line += " value " + c.Value
		}
	case "position":
		line = positionLine(c.Start, c.Moves, digit.Move.String)
	case "go":
		line += c.Limit.String()
	case "query":
		line += strings.TrimSuffix(" "+c.Name+" "+c.Value, " ")
	}
	return line
}

// FuzzParseCommand checks that a written command is parsed back, and that neither spaces nor the
// end of a line matter.
func FuzzParseCommand(f *testing.F) {
	for _, line := range []string{
		"ugi", "setoption name A b value c  d", "setoption name a value value", "position fen 7_1/53_ moves 2b 3c", "position startpos moves 2=721", "query legal",
		"go movetime 0 p1time 5 p2time -1 p1inc 3 p2inc 4 depth 2 nodes 9 infinite", "go movetime movetime 7", "stop", "quit now", "\x00", "go infinite movetime 1e3",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		c, err := ParseCommand(line)
		if err != nil {
			return
		}
		again, err := ParseCommand(written(c))
		if err != nil || !reflect.DeepEqual(again, c) {
			t.Errorf("%q is %#v, written as %q and parsed back as %#v, %v",
				line, c, written(c), again, err)
		}
		if c.Verb == "query" && c.Value != "" { // spaces in a JSON string count
			return
		}
		spaced, err := ParseCommand("\t" + strings.Join(strings.Fields(line), " \t ") + " \r")
		if err != nil || !reflect.DeepEqual(spaced, c) {
			t.Errorf("%q with other spaces is %#v, %v", line, spaced, err)
		}
	})
}

func TestLineReader(t *testing.T) {
	long := strings.Repeat("x", MaxLine)
	in := newLineReader(strings.NewReader("a\r\n\n" + long + "\r\n" + long + "x\nb\n" + long +
		long + long + "\nrest"))
	for _, want := range []string{"a", "", long, errLong.Error(), "b", errLong.Error(),
		"rest", "EOF"} {
		got, err := in.next()
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%.20q of %d bytes, want %.20q of %d", got, len(got), want, len(want))
		}
	}
}

// FuzzLineReader compares the lines read with those of strings.SplitAfter.
func FuzzLineReader(f *testing.F) {
	f.Add("a\r\nb\n\nc", uint16(3))
	f.Fuzz(func(t *testing.T, text string, repeat uint16) {
		text = strings.Repeat(text, int(repeat%2048)+1)
		var want []string
		for _, line := range strings.SplitAfter(text, "\n") {
			if line == "" {
				continue
			}
			if line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"); len(line) > MaxLine {
				line = errLong.Error()
			}
			want = append(want, line)
		}
		in := newLineReader(strings.NewReader(text))
		for i := 0; ; i++ {
			line, err := in.next()
			if err != nil && !errors.Is(err, errLong) {
				if i != len(want) {
					t.Errorf("%d lines, want %d", i, len(want))
				}
				return
			}
			if err != nil {
				line = err.Error()
			}
			if i >= len(want) || line != want[i] {
				t.Fatalf("unexpected line %d: %.40q", i, line)
			}
		}
	})
}

func TestOption(t *testing.T) {
	for _, text := range []string{
		"option name Rules type string default dilemma", "option name Level type combo default a b var a b var c", "option name Clear Hash type button",
	} {
		if got := parseOption(strings.TrimPrefix(text, "option ")).String(); got != text {
			t.Errorf("%q is written %q", text, got)
		}
	}
}

func TestSplitCommand(t *testing.T) {
	for command, want := range map[string]string{
		"python3 my.py":               "python3|my.py",
		`  "my engine" -x 'a "b"' ''`: `my engine|-x|a "b"|`,
		`C:\engines\e.exe`:            `C:\engines\e.exe`,
		`a"b c"d`:                     `ab cd`,
	} {
		words, err := splitCommand(command)
		if got := strings.Join(words, "|"); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", command, got, err, want)
		}
	}
}
