// Package deploy_test holds the files of this directory, and the page about them, to the program they start.
package deploy_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// read returns the text of a file.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// find returns what the group of an expression matches in a text; there must be something.
func find(t *testing.T, expression, text string) []string {
	t.Helper()
	var found []string
	for _, match := range regexp.MustCompile("(?m)"+expression).FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	if len(found) == 0 {
		t.Fatalf("there is no %s in\n%s", expression, text)
	}
	return found
}

// files are what tells people or machines how to start the program.
var files = []string{"duel.service", "Dockerfile", "compose.yaml", "nginx.conf", "../docs/serve.md"}

// build builds the program and returns where it is.
func build(t *testing.T) string {
	t.Helper()
	duel := filepath.Join(t.TempDir(), "duel")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", duel, "digitduel/cmd/duel").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return duel
}

// TestProgram looks for everything of the program that is named anywhere.
func TestProgram(t *testing.T) {
	duel := build(t)
	t.Run("flags", func(t *testing.T) { testFlags(t, duel) })
	t.Run("figures", func(t *testing.T) { testFigures(t, duel) })
}

// testFlags looks for every flag, setting and command. Each flag of serve can be set in the environment too: --base-url as
// DUEL_BASE_URL.
func testFlags(t *testing.T, duel string) {
	help := func(command ...string) string {
		out, err := exec.CommandContext(t.Context(), duel, append(command, "--help")...).CombinedOutput()
		if err != nil {
			t.Fatalf("duel %v --help: %v: %s", command, err, out)
		}
		return string(out)
	}
	const flag = `(?:^|[\s(\x60])--([a-z][a-z-]*)`
	serve := find(t, flag, help("serve"))
	admin := find(t, `^  ([a-z]+) {2,}[A-Z]`, help("admin"))
	flags := slices.Clone(serve)
	for _, command := range admin {
		flags = append(flags, find(t, flag, help("admin", command))...)
	}
	foreign := regexp.MustCompile(`(?m)^.*\b(docker|COPY|systemctl)\b.*$`) // lines with flags of others
	for _, name := range files {
		text := foreign.ReplaceAllString(read(t, name), "")
		for _, m := range regexp.MustCompile(`(?m)`+flag).FindAllStringSubmatch(text, -1) {
			if !slices.Contains(flags, m[1]) {
				t.Errorf("%s: there is no flag --%s; flags: %s", name, m[1], strings.Join(flags, ", "))
			}
		}
		for _, setting := range regexp.MustCompile(`\bDUEL_[A-Z_]+\b`).FindAllString(text, -1) {
			if !slices.Contains(serve, strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(setting, "DUEL_")), "_", "-")) {
				t.Errorf("%s: there is no flag of serve for the setting %s", name, setting)
			}
		}
		for _, m := range regexp.MustCompile(`\bduel admin ([a-z]+)`).FindAllStringSubmatch(text, -1) {
			if !slices.Contains(admin, m[1]) {
				t.Errorf("%s: there is no command duel admin %s; commands: %s", name, m[1], strings.Join(admin, ", "))
			}
		}
	}
}

// testFigures starts a server as the unit does, at another address, and looks for every figure and path that the page names.
func testFigures(t *testing.T, duel string) {
	cmd := exec.CommandContext(t.Context(), duel, "serve", "--addr", "127.0.0.1:0", "--db", filepath.Join(t.TempDir(), "duel.db"))
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Wait(); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("asked to stop, the server ends with: %v", err)
		}
	})
	lines := bufio.NewScanner(log)
	if !lines.Scan() {
		t.Fatal("the server says nothing")
	}
	address := find(t, `listening on (http://[0-9.:]+)`, lines.Text())[0]
	get := func(path string) string {
		answer, err := http.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %s %v", path, answer.Status, err)
		}
		return string(text)
	}
	page := read(t, "../docs/serve.md")
	for _, path := range find(t, "`(/(?:healthz|readyz|metrics))`", page) {
		get(path)
	}
	figures := get("/metrics")
	for _, name := range find(t, `\b(duel_[a-z_]+)`, page) {
		if !strings.Contains(figures, name) {
			t.Errorf("../docs/serve.md: there is no figure %s in\n%s", name, figures)
		}
	}
}

// TestTogether compares what several files have to agree on.
func TestTogether(t *testing.T) {
	docker, compose, nginx, unit := read(t, "Dockerfile"), read(t, "compose.yaml"), read(t, "nginx.conf"), read(t, "duel.service")
	port := find(t, `^EXPOSE ([0-9]+)$`, docker)[0]
	if address := find(t, `DUEL_ADDR=(\S+)`, docker)[0]; address != ":"+port {
		t.Errorf("the image listens at %s, and exposes %s", address, port)
	}
	if language, image := find(t, `^go ([0-9]+\.[0-9]+)`, read(t, "../go.mod"))[0], find(t, `^FROM golang:(\S+) `, docker)[0]; image != language {
		t.Errorf("the image is built with Go %s, and go.mod says %s", image, language)
	}
	services := find(t, `^  ([a-z0-9]+):(?: \*server)?$`, compose)
	for _, server := range find(t, `^\s*server ([a-z0-9.:]+) resolve max_fails=0;$`, nginx) {
		host, at, _ := strings.Cut(server, ":")
		if !slices.Contains(services, host) || at != port {
			t.Errorf("the proxy asks %s, which is no service at port %s; services: %s", server, port, strings.Join(services, ", "))
		}
	}
	if mounted := find(t, `- \./(\S+?):/etc/nginx/nginx.conf`, compose)[0]; mounted != "nginx.conf" {
		t.Errorf("the proxy gets %s", mounted)
	}
	for _, state := range find(t, `/var/lib/([a-z]+)`, unit) {
		if state != find(t, `^StateDirectory=(.+)$`, unit)[0] {
			t.Errorf("the service writes to /var/lib/%s, which is not its directory", state)
		}
	}
}

// TestSeatLinks applies what the proxy replaces in its log to the path of a seat link, whose end is secret.
func TestSeatLinks(t *testing.T) {
	nginx := read(t, "nginx.conf")
	shown := find(t, `"~(\S+)" "\$\{seat\}-";`, nginx)[0]
	const path = "/t/k3v9q2m7x4ab/seat/SECRET"
	match := regexp.MustCompile(shown).FindStringSubmatch(path)
	if len(match) != 2 || match[1] != "/t/k3v9q2m7x4ab/seat/" {
		t.Errorf("of %s the log shows %q", path, match)
	}
	for _, format := range find(t, `log_format (.*);$`, nginx) {
		for _, telling := range []string{"$request ", "$request_uri", "$uri", "$args", "$http_referer", "$http_cookie", "$http_authorization"} {
			if strings.Contains(format+" ", telling) {
				t.Errorf("the log shows %s, which can hold a seat link", telling)
			}
		}
	}
	quiet := find(t, `location ~ (\S+) \{\s+error_log \S+ crit;`, nginx)[0]
	if !regexp.MustCompile(quiet).MatchString(path) {
		t.Errorf("errors at %s are logged with the link", path)
	}
}
