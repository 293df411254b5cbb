// Package python_test runs the tests of the Python package.
package python_test

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// run runs a command that has to succeed, and returns its output.
func run(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Env = append(os.Environ(), append(env, "PYTHONDONTWRITEBYTECODE=1")...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return string(out)
}

// program builds the program and returns its path.
func program(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "duel")
	// Unlike go build, go run caches the linked program for other tests.
	run(t, nil, "go", "run", "-exec", "cp", "digitduel/cmd/duel", file)
	return file
}

// packages returns the path of a Python with the packages of a requirements file, or skips the
// test.
func packages(t *testing.T, file string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "../tools/python.sh", file)
	var why bytes.Buffer
	cmd.Stderr = &why
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("no Python with the packages of %s: %s", file, strings.TrimSpace(why.String()))
	}
	return strings.TrimSpace(string(out))
}

// TestCore tests the package without any other packages.
func TestCore(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err == nil {
		err = exec.Command(python, "-c", "import sys; sys.exit(sys.version_info < (3, 10))").Run()
	}
	if err != nil {
		t.Skip("Python 3.10 or later is missing")
	}
	env := []string{"DUEL_BINARY=" + program(t)}
	run(t, env, python, "-I", "-S", "-c", "import sys; sys.path.insert(0, '.'); import digitduel")
	t.Log(run(t, env, python, "-m", "unittest", "tests.test_core"))
}

// TestAdapters tests the adapters with the real libraries, and checks all types with mypy.
func TestAdapters(t *testing.T) {
	t.Parallel()
	python := packages(t, "tests/requirements.txt")
	env := []string{"DUEL_BINARY=" + program(t)}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = t.TempDir()
	}
	run(t, env, python, "-m", "mypy", "--cache-dir", filepath.Join(cache, "duel", "mypy"),
		"digitduel", "digitduel_verifiers.py", "tests")
	t.Log(run(t, env, python, "-W", "ignore", "-m", "unittest", "tests.test_inspect",
		"tests.test_pettingzoo", "tests.test_verifiers", "tests.test_examples"))
}

// TestWheel builds the wheel for this system and plays with it in an empty environment. With
// DUEL_NIGHTLY it builds the wheel twice and compares the files.
func TestWheel(t *testing.T) {
	t.Parallel()
	pip := packages(t, "requirements.txt")
	made := make([][]byte, 1)
	if os.Getenv("DUEL_NIGHTLY") != "" {
		made = make([][]byte, 2)
	}
	var file string
	for i := range made {
		out := t.TempDir()
		printed := run(t, []string{"SOURCE_DATE_EPOCH=1700000000"}, "sh", "-c",
			`"$(go -C ../tools tool -n digitduel/tools/dist)" -root .. -wheel -out `+out)
		file = strings.TrimSpace(printed)
		var err error
		if made[i], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(made[0], made[len(made)-1]) {
		t.Error("two builds of the wheel differ")
	}
	if len(made[0]) > 13e6 {
		t.Errorf("the wheel has %d bytes, more than 13 MB", len(made[0]))
	}
	archive, err := zip.NewReader(bytes.NewReader(made[0]), int64(len(made[0])))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, f := range archive.File {
		if strings.Contains(f.Name, ".dist-info/") {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			texts[f.Name[strings.Index(f.Name, "/")+1:]] = string(text)
		}
	}
	if !strings.Contains(texts["licenses/THIRD_PARTY_LICENSES.txt"], "modernc.org/sqlite") ||
		!strings.Contains(texts["licenses/LICENSE"], "MIT License") ||
		!strings.Contains(texts["entry_points.txt"], "digitduel.inspect") {
		t.Errorf("licences or entry points are missing: %v", texts)
	}
	empty := t.TempDir()
	run(t, nil, "python3", "-m", "venv", "--without-pip", empty)
	python := filepath.Join(empty, "bin", "python")
	run(t, nil, pip, "-m", "pip", "--python", python, "install", "--no-index", "--no-deps", file)
	const play = `from digitduel import Engine, binary, exam
with Engine() as engine:
    game = engine.game("dilemma")
    while game.result is None:
        game = game.play(min(game.choices(), key=lambda c: c.regret).move)
    print(binary().endswith("bin/duel"), game.result, len(list(exam(["dilemma"], 2))))
`
	out := run(t, []string{"PATH=", "DUEL_BINARY="}, python, "-I", "-c", play)
	if strings.TrimSpace(out) != "True p1win 2" {
		t.Errorf("the installed wheel printed %q", out)
	}
}
