package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"digitduel/ui/web/load"
)

// TestBenchServe measures a real server for half a second.
func TestBenchServe(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "duel", "bench", "serve",
		"--games", "3", "--think", "0", "--duration", "500ms", "--watchers", "1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s%s", err, out, stderr.String())
	}
	for _, want := range []string{
		"3 games of dilemma, 0s thought, ", ", watchers: 1, servers: 1, SQLite\n", "\nmoves ", "\nseen ",
		"\nanswered ", "\nserver ", "\nerrors    none\n",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}

// TestBenchJSON measures other rules on a given database, and prints JSON.
func TestBenchJSON(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	db := filepath.Join(t.TempDir(), "tables")
	cmd := exec.CommandContext(ctx, "duel", "bench", "serve", "--games", "2", "--think", "10ms",
		"--duration", "200ms", "--rules", "highest width=4", "--db", db, "--json")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s%s", err, out, stderr.String())
	}
	var report struct {
		Store string
		Play  load.Figures
	}
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if report.Store != "SQLite" || report.Play.Moves == 0 ||
		report.Play.Rules != "highest width=4" {
		t.Errorf("printed %s", out)
	}
}

// TestBenchInterrupted stops a run: its server stops too, and its directory is deleted.
func TestBenchInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "duel", "bench", "serve", "--games", "2", "--duration", "1h")
	temp := t.TempDir()
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, time.Minute, "the database of the server exists", func() bool {
		files, err := filepath.Glob(filepath.Join(temp, "duel-bench-*", "duel.db"))
		if err != nil {
			t.Fatal(err)
		}
		return len(files) > 0
	})
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("ended with %v, want exit code 130: %s", err, stderr.String())
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestBenchRefuses(t *testing.T) {
	tests := []struct {
		args string
		code int
		want string
	}{
		{"chess", 2, `unknown command "chess" (commands: serve)`},
		{"serve --games -1", 2, "games -1: allowed: 1 to 100000"},
		{"serve --games 0", 2, "games 0: allowed: 1 to 100000"},
		{"serve --servers 0", 2, "servers 0: allowed: 1, or more with --db postgres://…"},
		{"serve --servers 2 --db games.db", 2, "servers 2: allowed: 1, or more with --db postgres://…"},
		{"serve --servers 2 --url http://127.0.0.1:8080 --db postgres://localhost/duel", 2, "--db does not fit --url"},
		{"serve --watchers -1", 2, "watchers -1: allowed: 0 and more"},
		{"serve --think -1s", 2, "think -1s: allowed: 0 to 1m0s"},
		{"serve --think 2m", 2, "think 2m0s: allowed: 0 to 1m0s"},
		{"serve dilemma", 2, `unexpected argument "dilemma" (see: duel bench serve --help)`},
		{"serve --duration 0", 2, "duration 0s: allowed: more than 0"},
		{"serve --rules chess", 2, "chess"},
		{"serve --url http://127.0.0.1:1 --db x", 2, "--db does not fit --url, which measures a running server"},
		{"serve --rematches 50", 2, "rematches 50: allowed: 0 to 49"},
		{"serve --url nowhere", 1, "unsupported protocol scheme"},
		{"serve --url http://127.0.0.1:1 --games 1", 1, "connection refused"},
		{"serve --server-flag=--nonsense", 1, "the server ended before it listened: exit status 2: duel: "},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, "duel", append([]string{"bench"}, strings.Fields(tt.args)...)...)
			out, _ := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != tt.code || !strings.Contains(string(out), tt.want) {
				t.Errorf("exit code %d, %s, want %d, %s", code, out, tt.code, tt.want)
			}
		})
	}
}
