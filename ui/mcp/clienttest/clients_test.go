// Package clienttest tests the program with the official clients of the Model Context Protocol, and
// with the examples of docs/agents.md.
package clienttest_test

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"digitduel/digit"
)

// duel is the path of the program, which TestMain builds.
var duel string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "duel")
	if err != nil {
		panic(err)
	}
	duel = filepath.Join(dir, "duel")
	// Unlike go build, go run caches the linked program for other tests.
	build := exec.Command("go", "run", "-exec", "cp", "digitduel/cmd/duel", duel)
	if out, err := build.CombinedOutput(); err != nil {
		panic(string(out))
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// statSources reads the directories of all sources. go test caches a result until a file changes
// that the test has opened, and does not know the sources of the program.
var statSources = sync.OnceValue(func() error {
	return filepath.WalkDir("../../..", func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() == ".git" {
			return fs.SkipDir
		}
		return err
	})
})

// environment returns an environment with a temporary home, so that no files of the user are read
// or written.
func environment(t *testing.T) []string {
	t.Helper()
	if err := statSources(); err != nil {
		t.Fatal(err)
	}
	env := slices.DeleteFunc(os.Environ(), func(line string) bool {
		return strings.HasPrefix(line, "DUEL_") || strings.HasPrefix(line, "XDG_") ||
			strings.HasPrefix(line, "MCP_")
	})
	return append(env, "HOME="+t.TempDir())
}

// serve starts a server for agents and returns its URL.
func serve(t *testing.T) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), duel, "serve", "--mcp", "--addr", "127.0.0.1:0",
		"--db", filepath.Join(t.TempDir(), "games.db"))
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.Env = environment(t)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	listens := regexp.MustCompile(`listening on (http://[0-9.:]+)`)
	for lines.Scan() {
		if at := listens.FindStringSubmatch(lines.Text()); at != nil {
			var rest sync.WaitGroup
			rest.Go(func() {
				for lines.Scan() {
				}
			})
			t.Cleanup(func() {
				rest.Wait()
				_ = cmd.Wait() // it ends by a signal
			})
			return at[1] + "/mcp"
		}
	}
	t.Fatalf("the server does not listen: %v", cmd.Wait())
	return ""
}

// clients returns a folder with the official clients and the scripts of testdata. tools/needs.sh
// downloads the clients to the cache directory. If they are missing, the test is skipped.
func clients(t *testing.T) string {
	t.Helper()
	version, err := exec.Command("node", "--version").Output()
	if err != nil {
		t.Skip("the official clients are not tried, because node is missing (Debian package nodejs)")
	}
	if major, _, _ := strings.Cut(strings.TrimPrefix(string(version), "v"), "."); len(major) < 2 ||
		major < "20" {
		t.Skipf("the official clients are not tried, because node is %s; they need 20", strings.TrimSpace(string(version)))
	}
	cache := cmp.Or(os.Getenv("XDG_CACHE_HOME"), filepath.Join(os.Getenv("HOME"), ".cache"))
	cached := filepath.Join(cache, "duel", "mcp-clients")
	lock, err := os.ReadFile(filepath.Join(cached, "package-lock.json"))
	if err != nil {
		t.Skipf("the official clients are not tried, because they are missing; tools/needs.sh fetches them: %v", err)
	}
	if named, err := os.ReadFile("testdata/package-lock.json"); err != nil ||
		!bytes.Equal(lock, named) {
		t.Skipf("the official clients are not tried, because others are in %s; tools/needs.sh fetches them", cached)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(cached, "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// node runs a script that must exit with a code, and returns its output.
func node(t *testing.T, dir string, code int, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", args...)
	cmd.Dir, cmd.Env = dir, environment(t)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != code {
		t.Fatalf("%q: %v\n%s%s", args, err, out, stderr.String())
	}
	return out
}

// transports returns the arguments with which a client reaches the program, by transport.
func transports(t *testing.T) map[string][]string {
	return map[string][]string{
		"stdio": {duel, "mcp", "--db", filepath.Join(t.TempDir(), "games.db")},
		"http":  {serve(t)},
	}
}

// A state has the fields of a state that the tests use.
type state struct {
	Game, Rules, Goal, Board, Position, Left, Turn, You, Result, Reason, Fault, Watch, Start string
	Moves, Played                                                                            []string
	Ply                                                                                      int
	TriesLeft                                                                                int `json:"tries_left"`
}

// A report has the fields of a report that the tests use.
type report struct {
	Result, Record  string
	Kept            *float64
	Decisions, Lost float64
	Moves           []struct{ Move string }
}

// TestJavaScript plays whole games with the official JavaScript clients, for two versions of the
// protocol, over both transports.
func TestJavaScript(t *testing.T) {
	dir := clients(t)
	for library, protocol := range map[string]string{"sdk": "2025-11-25", "modern": "2026-07-28"} {
		// Each library has its own server, because a server limits computing.
		for transport, target := range transports(t) {
			t.Run(library+" over "+transport, func(t *testing.T) {
				t.Parallel()
				var saw struct {
					Protocol                          string
					Tools                             []tool
					ResourceTemplates                 []struct{ URITemplate string }
					Rules                             string
					Seen                              []state
					State, Other, Illegal, Unreadable state
					Again                             []string
					Moves                             []string
					Rounded, Early                    struct{ Reason string }
					Report                            report
					Exam                              struct {
						Items        int
						Kept, Chance float64
					}
					Veiled   struct{ State state }
					Unveiled report
				}
				out := node(t, dir, 0, append([]string{"game.mjs", library}, target...)...)
				if err := json.Unmarshal(out, &saw); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
				if saw.Protocol != protocol {
					t.Errorf("got protocol %s, want %s", saw.Protocol, protocol)
				}
				checkTools(t, saw.Tools, allTools)
				var templates []string
				for _, r := range saw.ResourceTemplates {
					templates = append(templates, r.URITemplate)
				}
				slices.Sort(templates)
				if got := strings.Join(templates, " "); got != "duel://rules/{+rules}" {
					t.Errorf("got resources %s", got)
				}
				if !strings.Contains(saw.Rules, "multiple of 13") {
					t.Errorf("the rules of dilemma target=13 are %s", saw.Rules)
				}
				for _, at := range saw.Seen {
					if at.Rules != "dilemma target=13" || at.You != "second" || at.TriesLeft != 3 ||
						len(at.Moves) == 0 {
						t.Errorf("state %+v", at)
					}
				}
				if saw.Seen[0].Ply != 1 || len(saw.Seen[0].Played) != 1 {
					t.Errorf("the computer did not make the first move: %+v", saw.Seen[0])
				}
				checkGame(t, saw.State, saw.Report)
				if !slices.Equal(saw.Again, saw.State.Played) {
					t.Errorf("the same seed gave %q and %q", saw.State.Played, saw.Again)
				}
				checkFaults(t, saw.Other, saw.Illegal, saw.Unreadable)
				if saw.Rounded.Reason == "" ||
					!strings.Contains(saw.Rounded.Reason, strconv.Itoa(1<<53-1)) {
					t.Errorf("a seed that clients round: got %q, want the largest seed", saw.Rounded.Reason)
				}
				if len(saw.Moves) == 0 {
					t.Error("there are no legal moves")
				}
				if saw.Early.Reason == "" {
					t.Error("a game in progress has a report")
				}
				if saw.Exam.Items != 3 || saw.Exam.Chance <= 0 || saw.Exam.Chance >= 1 {
					t.Errorf("got exam report %+v", saw.Exam)
				}
				disguised := saw.Veiled.State
				if strings.ContainsAny(disguised.Goal+disguised.Position, "0123456789") ||
					saw.Unveiled.Result != disguised.Result {
					t.Errorf("a game in disguise: %+v, %+v", disguised, saw.Unveiled)
				}
			})
		}
	}
}

// A tool is a tool in the list of a client.
type tool struct {
	Name                      string
	Annotations               *struct{ ReadOnlyHint bool }
	InputSchema, OutputSchema json.RawMessage
}

// The tools without a coach, and those of a planned run.
const (
	allTools = "answer legal_moves new_game next_item play report state"
	runTools = "new_game play report state"
)

// checkTools checks the names and schemas of a list of tools.
func checkTools(t *testing.T, tools []tool, want string) {
	t.Helper()
	var names []string
	for _, tool := range tools {
		names = append(names, tool.Name)
		if tool.Annotations == nil || len(tool.OutputSchema) == 0 {
			t.Errorf("%s has no annotations or no schema", tool.Name)
		}
		if bytes.Contains(slices.Concat(tool.InputSchema, tool.OutputSchema), []byte(`"null"`)) {
			t.Errorf("a schema of %s allows null", tool.Name)
		}
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got tools %s, want %s", got, want)
	}
}

// checkGame replays the record of a finished game and compares the results.
func checkGame(t *testing.T, last state, answer report) {
	t.Helper()
	game, err := digit.ParseRecord(answer.Record)
	if err != nil {
		t.Fatalf("the record is %q: %v", answer.Record, err)
	}
	p := digit.Position{}
	for _, m := range game.Moves {
		if p, err = game.Rules.Play(p, m); err != nil {
			t.Fatal(err)
		}
	}
	if got := game.Rules.Result(p).String(); got != last.Result || got != answer.Result {
		t.Errorf("%s: got result %[3]s and %[4]s, want %[2]s",
			answer.Record, got, last.Result, answer.Result)
	}
	if got := game.Rules.Text(p); got != last.Position {
		t.Errorf("%s: got position %[3]s, want %[2]s", answer.Record, got, last.Position)
	}
	if len(answer.Moves) == 0 || answer.Kept != nil && (*answer.Kept < 0 || *answer.Kept > 1) {
		t.Errorf("report: %+v", answer)
	}
}

// checkFaults checks that each fault costs a try and does not change the game.
func checkFaults(t *testing.T, before, illegal, unreadable state) {
	t.Helper()
	if before.TriesLeft != 3 || illegal.TriesLeft != 2 || unreadable.TriesLeft != 1 {
		t.Errorf("got %d, %d and %d tries left, want 3, 2 and 1",
			before.TriesLeft, illegal.TriesLeft, unreadable.TriesLeft)
	}
	if illegal.Fault != "illegal" || illegal.Reason == "" || unreadable.Fault != "unreadable" ||
		unreadable.Reason == "" {
		t.Errorf("got faults %+v, %+v", illegal, unreadable)
	}
	if before.Position != unreadable.Position || before.Turn != unreadable.Turn {
		t.Error("a fault changed the game")
	}
}
