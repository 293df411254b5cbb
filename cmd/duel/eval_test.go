package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spf13/pflag"

	"digitduel/arena"
	"digitduel/arena/eval"
	"digitduel/digit"
)

// firstMove answers a question about dilemma with the first legal move.
func firstMove(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Messages []struct{ Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var rows []string
	for line := range strings.Lines(in.Messages[1].Content) {
		if name, row, ok := strings.Cut(line, "  "); ok && (name == "first" || name == "second") {
			rows = append(rows, strings.ReplaceAll(strings.TrimSpace(row), " ", ""))
		}
	}
	p, err := digit.Dilemma.ParsePosition(strings.Join(rows, "/"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	for m := range digit.Dilemma.Moves(p) {
		fmt.Fprintf(w, `{"choices":[{"message":{"content":"I go.\nMOVE: %v"}}],"usage":{"prompt_tokens":9,"completion_tokens":3}}`, m)
		return
	}
}

// TestEvalKilled kills an evaluation in the middle and resumes it. It repeats at most the requests
// that were in flight, the games are complete, and the API key is not written anywhere.
func TestEvalKilled(t *testing.T) {
	const key, concurrency = "sk-a&b", 8
	dir := filepath.Join(t.TempDir(), "run")
	var calls atomic.Int64
	started := make(chan *os.Process, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+key {
			t.Errorf("header %q", r.Header.Get("Authorization"))
		}
		if n := calls.Add(1); n == 30 {
			_, _ = io.Copy(io.Discard, r.Body) // so that the end of the connection is noticed
			_ = (<-started).Kill()             // it cannot have ended
			<-r.Context().Done()
			return
		}
		firstMove(w, r)
	}))
	defer server.Close()
	start := func(args ...string) (*exec.Cmd, *bytes.Buffer) {
		cmd := exec.Command("duel", append([]string{"eval", "--out", dir, "--concurrency", fmt.Sprint(concurrency)}, args...)...)
		cmd.Env = append(os.Environ(), "DUEL_API_KEY="+key, "GORACE="+noWait)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		started <- cmd.Process
		return cmd, &out
	}
	cmd, _ := start("--api", server.URL+"/v1", "--model", "fake", "--rules", "dilemma", "--pairs", "20")
	if err := cmd.Wait(); err == nil {
		t.Fatal("the evaluation was not killed")
	}
	before := calls.Load()
	cmd, out := start("--resume")
	if err := cmd.Wait(); err != nil || !strings.Contains(out.String(), "fake: ") {
		t.Fatalf("%v\n%s", err, out)
	}
	plan, err := eval.ReadPlan(dir)
	if err != nil {
		t.Fatal(err)
	}
	games, _, err := arena.Folder(dir).Games()
	if err != nil || bytes.Count(games, []byte("\n")) != plan.Games() {
		t.Errorf("%d of %d games, %v", bytes.Count(games, []byte("\n")), plan.Games(), err)
	}
	lines, err := os.ReadFile(filepath.Join(dir, eval.TranscriptsFile))
	if again := calls.Load() - int64(bytes.Count(lines, []byte("\n"))); err != nil || again > concurrency {
		t.Errorf("%d calls, %d before the kill: %d were asked again; %v",
			calls.Load(), before, again, err)
	}
	if info, err := os.Stat(filepath.Join(dir, arena.PlanFile)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("plan: %v, %v", info.Mode(), err)
	}
	for _, flags := range [][]string{{"--json"}, {"--csv", filepath.Join(dir, "csv"), "--html", filepath.Join(dir, "html")}} {
		report, err := exec.Command("duel", append([]string{"eval", "report", dir}, flags...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, report)
		}
		out.Write(report)
	}
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && entry.Name() != arena.PlanFile {
			var text []byte
			text, err = os.ReadFile(path)
			out.Write(text)
		}
		return err
	})
	for _, secret := range []string{key, `sk-a\u0026b`, "sk-a&amp;b", server.URL} {
		if err != nil || strings.Contains(out.String(), secret) {
			t.Errorf("%s is written somewhere; %v", secret, err)
		}
	}
}

// TestEvalRetries checks that a wrong answer is final in exams, unless retries are given.
func TestEvalRetries(t *testing.T) {
	for line, want := range map[string]int{
		"": 2, "--retries 1": 1, "--items 3": 0, "--items 3 --retries 1": 1, "--exam standard-1": 0,
	} {
		var f evalFlags
		flags := pflag.NewFlagSet("eval", pflag.ContinueOnError)
		f.add(flags)
		err := flags.Parse(strings.Fields(line))
		if err == nil {
			err = f.settings(flags)
		}
		if err != nil || f.retries != want {
			t.Errorf("%q: got %d retries, %v, want %d", line, f.retries, err, want)
		}
	}
}
