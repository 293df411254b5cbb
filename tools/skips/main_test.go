package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain runs the program instead of the tests, if the arguments are not those of a test.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-test.") {
		main()
		return
	}
	m.Run()
}

// files are the files of a module with tests of every kind.
var files = map[string]string{
	"go.mod":  "module m\ngo 1.26\n",
	"none.go": "package m\n",
	"good/a_test.go": `package good
import ("fmt"; "testing")
func TestQuiet(t *testing.T) { t.Log("hidden"); fmt.Println("hidden") }
func TestSub(t *testing.T) { t.Run("a b", func(t *testing.T) { t.Skip("no tea") }) }
func Test1(t *testing.T) { t.Skip("no tea") }
func Test2(t *testing.T) { t.Parallel(); t.Skip("no\n tea") }
func Test3(t *testing.T) { t.Skipf("no %s", "tea") }
func Test4(t *testing.T) { t.SkipNow() }
`,
	"bad/a_test.go": `package bad
import "testing"
func TestQuiet(t *testing.T) { t.Log("hidden") }
func TestBad(t *testing.T) { t.Run("sub", func(t *testing.T) { t.Error("wrong") }) }
func TestOff(t *testing.T) { t.Skip("no milk") }
`,
	"exits/a_test.go": `package exits
import ("os"; "testing")
func TestExit(t *testing.T) { t.Log("before the end"); os.Exit(3) }
`,
	"broken/a_test.go": "package broken\nvar n int = \"text\"\n",
}

// TestSkips checks the exit code and output of the program for commands in that module.
func TestSkips(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(name), 0o755)
		if err == nil {
			err = os.WriteFile(name, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	const teaList = "\nskipped:\n  m/good: no tea (TestSub/a_b, Test1, Test3 and 1 more)\n" +
		"  m/good: no reason given (Test4)\n"
	for _, tt := range []struct {
		command string // several are joined by "; and "
		code    int
		want    []string
	}{
		{"echo '{}'; echo plain; printf open", 0, []string{"{}\nplain\nopen"}},
		{"exit 7", 7, nil},
		{"kill -KILL $$", 1, []string{"skips: signal: killed\n"}},
		{"echo 'skipped: all of it'; exit 2", 2, []string{"of it\n\nskipped:\n  all of it\n"}},
		{"go test -json . ./good", 0, []string{"?   \tm\t[no test files]\n", "ok  \tm/good\t", teaList}},
		{"go test -json ./bad ./good", 1, []string{"ok  \tm/good\t", "wrong\n", "--- FAIL: TestBad",
			"FAIL\tm/bad\t", "  m/bad: no milk (TestOff)\n"}},
		{"go test -json ./exits", 1, []string{"before the end\n", "FAIL\tm/exits\t"}},
		{"go test -json ./broken", 1, []string{"cannot use \"text\"", "FAIL\tm/broken [build failed]\n"}},
		{"go test -json ./good && go test -json ./bad && echo never", 1, []string{
			"ok  \tm/good\t", "FAIL\tm/bad\t", "\nskipped:\n  m/good: no tea"}},
		{"exit 3; and echo never", 3, nil},
		{"printf 'skipped: tea\n'; and printf 'a\nb'; and exit 4; and echo c", 4, []string{
			"a\n", "b", "c\n", "\nskipped:\n  tea\n"}},
		// These two commands wait for each other to start.
		{"mkfifo ab ba; and echo >ab && cat ba; and cat ab && echo >ba", 0, []string{"\n\n"}},
	} {
		t.Run(tt.command, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), program, strings.Split(tt.command, "; and ")...)
			cmd.Dir = dir
			out, _ := cmd.CombinedOutput() // the exit code is compared
			if code := cmd.ProcessState.ExitCode(); code != tt.code {
				t.Errorf("got the exit code %d, want %d", code, tt.code)
			}
			for _, want := range tt.want {
				if !strings.Contains(string(out), want) {
					t.Errorf("the output lacks %q", want)
				}
			}
			for _, none := range []string{"hidden", "never", "=== ", `"Action"`} {
				if strings.Contains(string(out), none) {
					t.Errorf("the output contains %q", none)
				}
			}
			if t.Failed() {
				t.Logf("%s", out)
			}
		})
	}
}
