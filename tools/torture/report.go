package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A display shows the progress: on one line of a terminal, and elsewhere on a new line every ten
// seconds. The zero display is empty.
type display struct {
	at    time.Time
	shown string
}

func (d *display) kills(s store, done killed, of int) {
	d.set("%s: %s of %s kills, %s of the database; %s acts confirmed, lost: 0; "+
		"%.1f kills a second, %v left",
		s.name, grouped(done.Kills), grouped(of), grouped(done.Outages), grouped(done.Confirmed),
		rate(done.Kills, done.Spent), left(done.Kills, of, done.Spent))
}

func (d *display) fuzz(t target, done fuzzed, of int) {
	d.set("fuzz: %s of %s inputs, broken laws: 0; %.0f a second, %v left; now %v",
		grouped(done.Execs), grouped(of), rate(done.Execs, done.Spent),
		left(done.Execs, of, done.Spent), t)
}

func (d *display) set(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	info, err := os.Stdout.Stat()
	if isTerminal := err == nil && info.Mode()&os.ModeCharDevice != 0; isTerminal {
		fmt.Printf("\r\033[K%s", text)
		d.shown = text
	} else if time.Since(d.at) > 10*time.Second {
		fmt.Println(text)
		d.at = time.Now()
	}
}

// end ends the line shown.
func (d *display) end() {
	if d.shown != "" {
		fmt.Println()
		d.shown = ""
	}
}

func rate(n int, spent time.Duration) float64 { return float64(n) / max(spent.Seconds(), 1e-9) }

// left returns the estimated time for the rest.
func left(done, of int, spent time.Duration) time.Duration {
	if done == 0 {
		return 0
	}
	return (spent * time.Duration(max(0, of-done)) / time.Duration(done)).Round(time.Second)
}

// grouped formats a number as 1,234,567.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// machine describes the machine without naming it.
func machine() string {
	system := runtime.GOOS
	if file, err := os.Open("/etc/os-release"); err == nil {
		defer file.Close() //nolint:errcheck // it is only read
		for lines := bufio.NewScanner(file); lines.Scan(); {
			if name, ok := strings.CutPrefix(lines.Text(), "PRETTY_NAME="); ok {
				system = strings.Trim(name, `"`)
			}
		}
	}
	version := strings.Replace(runtime.Version(), "go", "Go ", 1)
	return fmt.Sprintf("%d cores, %s, %s, %s", runtime.NumCPU(), runtime.GOARCH, system, version)
}

// figures describes the run as a part of a page.
func (s state) figures(at time.Time, machine string, kills, execs int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Until %s, on %s;\n%v in all.\n\n",
		at.UTC().Format("2 January 2006"), machine, s.spent().Round(time.Minute))
	b.WriteString("| store | kills of a server | kills of the database | acts confirmed " +
		"| lost |\n|---|---|---|---|---|\n")
	for _, store := range stores {
		k := s.Stores[store.name]
		fmt.Fprintf(&b, "| %s | %s | %s | %s | 0 |\n",
			store.title, outOf(k.Kills, kills), grouped(k.Outages), grouped(k.Confirmed))
	}
	names := slices.SortedFunc(maps.Keys(s.Fuzz), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.Fuzz[a].Execs, s.Fuzz[b].Execs), strings.Compare(a, b))
	})
	if len(names) > 0 {
		least, most := names[0], names[len(names)-1]
		fmt.Fprintf(&b, "\nFuzzed: %s inputs to %d readers of text,\n"+
			"from %s (`%s`) to %s (`%s`).\n",
			outOf(s.total().Execs, execs), len(names),
			grouped(s.Fuzz[least].Execs), least, grouped(s.Fuzz[most].Execs), most)
	}
	return b.String()
}

// outOf formats a number, and the goal if it was not reached.
func outOf(n, wanted int) string {
	if n < wanted {
		return fmt.Sprintf("%s (of %s)", grouped(n), grouped(wanted))
	}
	return grouped(n)
}

// Lines around the figures of a page.
const begin, end = "<!-- figures of make torture -->\n", "<!-- end of figures -->\n"

// writeFigures replaces the figures in a page.
func writeFigures(name, figures string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return errors.New(name + ": the lines around the figures are missing")
	}
	return os.WriteFile(name, []byte(before+begin+"\n"+figures+"\n"+end+after), 0o644)
}
