// Command skips runs shell commands that run tests with go test -json: the first one, and then all
// others at the same time. It shows their results as go test does without that flag, and ends with
// a list of the tests that were skipped, and why. Other lines are shown as they are; those that
// begin with "skipped: " join the list.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("skips: missing command")
	}
	lines, output := io.Pipe()
	var code int
	go func() {
		code = runAll(output, os.Args[1:])
		output.Close()
	}()
	if err := show(os.Stdout, lines); err != nil {
		log.Fatal("skips: ", err)
	}
	os.Exit(code)
}

// runAll runs the first command and, if it succeeds, all others at the same time. It returns the
// exit code of a failed command, or 0.
func runAll(w io.Writer, commands []string) int {
	code := run(w, commands[0])
	if code != 0 {
		return code
	}
	codes := make(chan int)
	for _, command := range commands[1:] {
		go func() { codes <- run(w, command) }()
	}
	for range commands[1:] {
		code = cmp.Or(code, <-codes)
	}
	return code
}

// run runs a shell command and returns its exit code. It writes whole lines, so that those of
// several commands do not mix.
func run(w io.Writer, command string) int {
	cmd := exec.Command("sh", "-c", command)
	cmd.Stdin, cmd.Stderr = os.Stdin, os.Stderr
	lines, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		log.Print("skips: ", err)
		return 1
	}
	for r := bufio.NewReader(lines); err == nil; {
		var line []byte
		if line, err = r.ReadBytes('\n'); err != nil && len(line) > 0 {
			line = append(line, '\n')
		}
		_, _ = w.Write(line) // show reads to the end
	}
	if err := cmd.Wait(); err != nil {
		if failed := new(exec.ExitError); errors.As(err, &failed) && failed.ExitCode() > 0 {
			return failed.ExitCode()
		}
		log.Print("skips: ", err)
		return 1
	}
	return 0
}

// An event is one line of go test -json.
type event struct{ Action, Package, Test, Output string }

// show copies lines, with tests as go test shows them, and ends with the list.
func show(w io.Writer, lines io.Reader) error {
	var skipped list
	output := map[string]map[string]string{} // of packages in progress, by test
	failed := map[string]string{}            // the output of failed tests
	r := bufio.NewReader(lines)
	for {
		line, err := r.ReadString('\n')
		var e event
		if json.Unmarshal([]byte(line), &e) != nil || e.Action == "" {
			e = event{Action: "build-output", Output: line} // shown as it is, too
		}
		tests := output[e.Package]
		if tests == nil {
			tests = map[string]string{}
			output[e.Package] = tests
		}
		switch {
		case e.Action == "build-output":
			if why, ok := strings.CutPrefix(e.Output, "skipped: "); ok {
				skipped.add(strings.TrimSpace(why), "")
			}
			fmt.Fprint(w, e.Output)
		case e.Action == "output":
			tests[e.Test] += e.Output
		case e.Test != "" && slices.Contains(ends, e.Action):
			if e.Action == "fail" {
				failed[e.Package] += tests[e.Test]
			}
			if e.Action == "skip" {
				skipped.add(e.Package+": "+reason(tests[e.Test]), e.Test)
			}
			delete(tests, e.Test)
		case slices.Contains(ends, e.Action):
			if e.Action == "fail" {
				fmt.Fprint(w, progress.ReplaceAllString(failed[e.Package], ""))
				// Tests that did not end failed, too.
				for _, test := range slices.Sorted(maps.Keys(tests)) {
					fmt.Fprint(w, progress.ReplaceAllString(tests[test], ""))
				}
			} else {
				fmt.Fprint(w, verdict.FindString(tests[""]))
			}
			delete(output, e.Package)
			delete(failed, e.Package)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	skipped.print(w)
	return nil
}

// A list holds reasons in order of appearance, with the tests skipped for them.
type list struct {
	reasons []string
	tests   map[string][]string
}

func (l *list) add(reason, test string) {
	if l.tests == nil {
		l.tests = map[string][]string{}
	}
	if _, there := l.tests[reason]; !there {
		l.reasons = append(l.reasons, reason)
		l.tests[reason] = nil
	}
	if test != "" {
		l.tests[reason] = append(l.tests[reason], test)
	}
}

// print prints the list, unless it is empty.
func (l *list) print(w io.Writer) {
	if len(l.reasons) > 0 {
		fmt.Fprint(w, "\nskipped:\n")
	}
	for _, reason := range l.reasons {
		const most = 3
		tests, more := l.tests[reason], ""
		if len(tests) > most {
			more = fmt.Sprintf(" and %d more", len(tests)-most)
			tests = tests[:most]
		}
		if len(tests) > 0 {
			more = " (" + strings.Join(tests, ", ") + more + ")"
		}
		fmt.Fprintf(w, "  %s%s\n", reason, more)
	}
}

// ends are the final actions of a test or package.
var ends = []string{"pass", "fail", "skip"}

// These match what go test adds to the output of tests: lines that it shows only with -v, the
// last line about a package, and the text around the reason of a skipped test.
var (
	progress = regexp.MustCompile(`(?m)^=== .*\n`)
	verdict  = regexp.MustCompile(`(?m)^(ok  |\?   )\t.*\n`)
	around   = regexp.MustCompile(`(?m)^(=== .*|\s*--- SKIP.*|\s*\S+\.go:\d+: )`)
)

// reason returns why a test was skipped.
func reason(output string) string {
	why := strings.Join(strings.Fields(around.ReplaceAllString(output, "")), " ")
	return cmp.Or(why, "no reason given")
}
