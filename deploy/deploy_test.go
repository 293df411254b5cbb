// Package deploy_test checks the files of this directory, and the page about them, against the
// program that they start.
package deploy_test

import (
	"bufio"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"go/version"
	"io"
	"net/http"
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

	"digitduel/ui/gate"
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

// find returns the matches of the expression's group in a text. There must be one.
func find(t *testing.T, expression, text string) []string {
	t.Helper()
	var found []string
	for _, match := range regexp.MustCompile("(?m)"+expression).FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	if len(found) == 0 {
		t.Fatalf("no match for %s in\n%s", expression, text)
	}
	return found
}

// files describe how to start the program, to people or to machines.
var files = []string{
	"duel.service", "Dockerfile", "compose.yaml", "nginx.conf", "nginx-site.conf", "../docs/serve.md",
}

// built builds the program, once for all tests, and returns its path.
var built func() (duel string, err error)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "deploy-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	built = sync.OnceValues(func() (string, error) {
		duel := filepath.Join(dir, "duel")
		// Unlike go build, go run caches the linked program for other tests.
		build := exec.Command("go", "run", "-exec", "cp", "digitduel/cmd/duel", duel)
		out, err := build.CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
		return duel, err
	})
	m.Run()
}

// build returns the path of the program.
func build(t *testing.T) string {
	t.Helper()
	duel, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return duel
}

// TestProgram checks the files against a running program.
func TestProgram(t *testing.T) {
	duel := build(t)
	t.Run("flags", func(t *testing.T) { testFlags(t, duel) })
	t.Run("metrics", func(t *testing.T) { testMetrics(t, duel) })
	t.Run("restart", func(t *testing.T) { testRestart(t, duel) })
	t.Run("open port", func(t *testing.T) { testOpenPort(t, duel) })
}

// service returns a command that starts the program as the unit does, with more settings as in its
// environment file. They override those of the unit; flags would override them.
func service(t *testing.T, duel string, settings ...string) *exec.Cmd {
	t.Helper()
	unit := read(t, "duel.service")
	line := strings.Fields(find(t, `^ExecStart=(.+)$`, unit)[0])
	if len(line) != 2 {
		t.Fatalf("%q: flags override the settings", line)
	}
	cmd := exec.CommandContext(t.Context(), duel, line[1:]...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.Dir = t.TempDir()
	cmd.Env = slices.DeleteFunc(os.Environ(), func(line string) bool {
		return strings.HasPrefix(line, "DUEL_")
	})
	cmd.Env = slices.Concat(cmd.Env, find(t, `^Environment=(.+)$`, unit),
		[]string{"DUEL_ADDR=127.0.0.1:0", "DUEL_DB=duel.db"}, settings)
	return cmd
}

// listening starts a service and returns its address.
func listening(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var logged strings.Builder
	for lines := bufio.NewScanner(log); !strings.Contains(logged.String(), "listening on") && lines.Scan(); {
		logged.WriteString(lines.Text() + "\n")
	}
	return find(t, `listening on (http://[0-9.:]+)`, logged.String())[0]
}

// testRestart ends services in several ways, and checks whether systemd would start them again.
func testRestart(t *testing.T, duel string) {
	unit := read(t, "duel.service")
	if how := find(t, `^Restart=(.+)$`, unit)[0]; how != "on-failure" {
		t.Fatalf("Restart is %s, want on-failure", how)
	}
	if find(t, `^StartLimitIntervalSec=(.+)$`, unit)[0] != "0" {
		t.Error("systemd gives up before a slow database is ready")
	}
	final := strings.Fields(find(t, `^RestartPreventExitStatus=(.+)$`, unit)[0])
	for _, test := range []struct {
		name, setting string
		end           syscall.Signal // 0: the service ends by itself
		again         bool
	}{
		{"crash", "", syscall.SIGQUIT, true}, // ends a Go program like a panic
		{"no database", "DUEL_DB=/dev/null/duel.db", 0, true},
		{"wrong setting", "DUEL_LOG_LEVEL=loud", 0, false},
		{"stopped", "", syscall.SIGTERM, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			cmd := service(t, duel, test.setting)
			if test.end == 0 {
				_ = cmd.Run() // the exit code is checked below
			} else {
				listening(t, cmd)
				if err := cmd.Process.Signal(test.end); err != nil {
					t.Fatal(err)
				}
				_ = cmd.Wait()
			}
			code := cmd.ProcessState.ExitCode() // -1: a signal
			if again := code != 0 && !slices.Contains(final, strconv.Itoa(code)); again != test.again {
				t.Errorf("%v: started again: %t, want %t", cmd.ProcessState, again, test.again)
			}
		})
	}
}

// testOpenPort checks for a warning when a server that trusts the address headers of a proxy
// listens on a public port.
func testOpenPort(t *testing.T, duel string) {
	for setting, warned := range map[string]bool{"DUEL_ADDR=127.0.0.1:0": false, "DUEL_ADDR=:0": true} {
		cmd := service(t, duel, setting, "DUEL_TRUST_PROXY=1")
		log, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(log)
		if got := lines.Scan() && strings.Contains(lines.Text(), "admit only the proxy"); got != warned {
			t.Errorf("%s: %s", setting, lines.Text())
		}
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, log)
		_ = cmd.Wait() // it was stopped
	}
}

// testFlags checks that all flags, settings and commands in the files exist. Each flag of serve has
// an environment variable: --base-url is DUEL_BASE_URL.
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
	// others matches lines with flags of other programs.
	others := regexp.MustCompile(`(?m)^.*\b(docker|COPY|systemctl)\b.*$`)
	for _, name := range files {
		text := others.ReplaceAllString(read(t, name), "")
		for _, m := range regexp.MustCompile(`(?m)`+flag).FindAllStringSubmatch(text, -1) {
			if !slices.Contains(flags, m[1]) {
				t.Errorf("%s: unknown flag --%s; flags: %s", name, m[1], strings.Join(flags, ", "))
			}
		}
		for _, setting := range regexp.MustCompile(`\bDUEL_[A-Z_]+\b`).FindAllString(text, -1) {
			flag := strings.ToLower(strings.TrimPrefix(setting, "DUEL_"))
			if !slices.Contains(serve, strings.ReplaceAll(flag, "_", "-")) {
				t.Errorf("%s: no flag of serve for the setting %s", name, setting)
			}
		}
		for _, m := range regexp.MustCompile(`\bduel admin ([a-z]+)`).FindAllStringSubmatch(text, -1) {
			if !slices.Contains(admin, m[1]) {
				t.Errorf("%s: unknown command duel admin %s; commands: %s",
					name, m[1], strings.Join(admin, ", "))
			}
		}
	}
}

// testMetrics starts a server as the unit does, at another address, and checks that all metrics and
// paths on the page exist.
func testMetrics(t *testing.T, duel string) {
	cmd := service(t, duel, "DUEL_MCP=1")
	address := listening(t, cmd)
	t.Cleanup(func() {
		if err := cmd.Wait(); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("the server ended with %v after SIGTERM", err)
		}
	})
	_, err := os.Stat(filepath.Join(cmd.Dir, "duel.db"))
	if err != nil || strings.HasSuffix(address, ":8080") {
		t.Errorf("the server at %s ignores the settings: %v", address, err)
	}
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
	metrics := get("/metrics")
	for _, name := range find(t, `\b(duel_[a-z_]+)`, page) {
		if !strings.Contains(metrics, name) {
			t.Errorf("../docs/serve.md: no metric %s in\n%s", name, metrics)
		}
	}
}

// TestTogether checks the values that several files must agree on.
func TestTogether(t *testing.T) {
	docker, compose := read(t, "Dockerfile"), read(t, "compose.yaml")
	nginx, unit := read(t, "nginx.conf"), read(t, "duel.service")
	port := find(t, `^EXPOSE ([0-9]+)$`, docker)[0]
	if address := find(t, `DUEL_ADDR=(\S+)`, docker)[0]; address != ":"+port {
		t.Errorf("the image listens at %s, but exposes %s", address, port)
	}
	language := find(t, `^go ([0-9]+\.[0-9]+)`, read(t, "../go.mod"))[0]
	if image := find(t, `^FROM golang:(\S+) `, docker)[0]; image != language {
		t.Errorf("the image is built with Go %s, but go.mod has %s", image, language)
	}
	services := find(t, `^  ([a-z0-9]+):(?: \*server)?$`, compose)
	for _, server := range find(t, `^\s*server ([a-z0-9.:]+) resolve max_fails=0;$`, nginx) {
		host, at, _ := strings.Cut(server, ":")
		if !slices.Contains(services, host) || at != port {
			t.Errorf("the proxy uses %s, which is not a service at port %s; services: %s",
				server, port, strings.Join(services, ", "))
		}
	}
	if mounted := find(t, `- \./(\S+?):/etc/nginx/nginx.conf`, compose)[0]; mounted != "nginx.conf" {
		t.Errorf("the proxy uses %s, want nginx.conf", mounted)
	}
	for _, state := range find(t, `/var/lib/([a-z]+)`, unit) {
		if state != find(t, `^StateDirectory=(.+)$`, unit)[0] {
			t.Errorf("the service writes to /var/lib/%s, which is not its directory", state)
		}
	}
}

// TestImageLicences runs the line of the Dockerfile that writes the third-party licences, and
// checks that all modules of the program are there.
func TestImageLicences(t *testing.T) {
	docker := read(t, "Dockerfile")
	line := find(t, `^RUN (.*) > THIRD_PARTY_LICENSES.txt$`, docker)[0]
	copied := strings.Fields(find(t, `^COPY --from=build (/src/duel .*) /$`, docker)[0])
	for _, name := range []string{"/src/duel", "/src/LICENSE", "/src/THIRD_PARTY_LICENSES.txt"} {
		if !slices.Contains(copied, name) {
			t.Errorf("the image has %v, but not %s", copied, name)
		}
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
	cmd.Dir = ".."
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	info, err := buildinfo.ReadFile(build(t))
	if err != nil || len(info.Deps) == 0 {
		t.Fatalf("the program has no list of its modules: %v", err)
	}
	for _, m := range info.Deps {
		if !strings.Contains(string(text), "\n"+m.Path+" "+m.Version+": LICENSE") {
			t.Errorf("no licence of %s", m.Path)
		}
	}
}

// TestIgnored checks that the file with the password of compose.yaml, and every other file that git
// ignores, gets neither into the repository nor into an image.
func TestIgnored(t *testing.T) {
	git := strings.Fields(read(t, "../.gitignore"))
	secret := "/deploy/" + find(t, `POSTGRES_PASSWORD=.* > (\S+)$`, read(t, "compose.yaml"))[0]
	if !slices.Contains(git, secret) {
		t.Errorf("git does not ignore %s; ignored: %s", secret, strings.Join(git, ", "))
	}
	docker := find(t, `^([^#\s]+)$`, read(t, "../.dockerignore"))
	for _, pattern := range git {
		want, rooted := strings.CutPrefix(pattern, "/") // all patterns of Docker are rooted
		if !rooted {
			want = "**/" + want
		}
		if !slices.Contains(docker, want) {
			t.Errorf("git ignores %s, but .dockerignore has no %s", pattern, want)
		}
	}
}

// since maps a directive of nginx, with or without a parameter, to the first version that has it.
// 0: before 1.0.
var since = map[string]string{
	"access_log": "0", "error_log": "0", "listen http2": "1.9.5", "server_name": "0",
	"ssl_certificate": "0", "ssl_certificate_key": "0", "ssl_protocols": "0",
	"ssl_protocols TLSv1.3": "1.13.0", "events": "0", "http": "0", "keepalive": "1.1.4",
	"least_conn": "1.3.1", "listen": "0", "location": "0", "log_format": "0",
	"map": "1.11.2" /* text and variables in a value */, "pid": "0", "proxy_buffering": "0",
	"proxy_connect_timeout": "0", "proxy_http_version": "1.1.4", "proxy_next_upstream": "0",
	"proxy_next_upstream non_idempotent": "1.9.13", "proxy_pass": "0", "proxy_read_timeout": "0",
	"proxy_set_header": "0", "resolver": "1.1.9", "resolver ipv6=off": "1.5.8", "return": "0",
	"server": "0", "server resolve": "1.27.3", "upstream": "0", "worker_connections": "0",
	"worker_processes": "0", "worker_processes auto": "1.3.8", "worker_rlimit_nofile": "0",
	"zone": "1.9.0", "add_header": "0", "add_header always": "1.7.5", "client_body_timeout": "0",
	"client_header_timeout": "0", "default_type": "0", "error_page": "0",
	"limit_conn": "0", "limit_conn_log_level": "0",
	"limit_conn_status": "1.3.15", "limit_conn_zone": "1.1.8", "limit_req": "0",
	"limit_req_log_level": "0", "limit_req_status": "1.3.15", "limit_req_zone": "0",
}

// TestNginx checks that the files and the page ask for the version of nginx that the files need,
// and that the image has it.
func TestNginx(t *testing.T) {
	page := find(t, required, read(t, "../docs/serve.md"))
	for i, name := range []string{"nginx.conf", "nginx-site.conf"} {
		conf := read(t, name)
		needed, by := neededBy(t, conf)
		if file := find(t, required, conf)[0]; file != needed || page[i] != needed {
			t.Errorf("%s: %s needs nginx %s, but the file asks for %s and ../docs/serve.md for %s",
				name, by, needed, file, page[i])
		}
	}
	needed, by := neededBy(t, read(t, "nginx.conf"))
	if image := find(t, `image: nginx:(\S+)$`, read(t, "compose.yaml"))[0]; older(image, needed) {
		t.Errorf("%s needs nginx %s, but the image is %s", by, needed, image)
	}
}

// TestLimits checks that the limits of the proxy equal those of the server.
func TestLimits(t *testing.T) {
	own := gate.DefaultLimits
	want := fmt.Sprint(own.Address, 10*own.Address, own.ConnectionsOfAddress)
	for _, name := range []string{"nginx.conf", "nginx-site.conf"} {
		conf := read(t, name)
		rate, burst := find(t, ` rate=([0-9]+)r/s;`, conf), find(t, ` burst=([0-9]+) nodelay;`, conf)
		connections := find(t, `limit_conn [a-z_]+ ([0-9]+);`, conf)
		if got := strings.Join(slices.Concat(rate, burst, connections), " "); got != want {
			t.Errorf("%s: rate, burst, connections: %s, but the server has %s", name, got, want)
		}
		status := find(t, `limit_[a-z]+_status ([0-9]+);`, conf)
		if !slices.Equal(status, []string{"429", "429"}) {
			t.Errorf("%s: status over a limit is %v, want 429", name, status)
		}
		visitor := find(t, `map \$remote_addr \$([a-z_]+)`, conf)[0]
		by := find(t, `limit_[a-z]+_zone \$([a-z_]+)`, conf)
		if !slices.Equal(by, []string{visitor, visitor}) {
			t.Errorf("%s: limits count by %v, want %s", name, by, visitor)
		}
	}
}

// required matches the version of nginx that a text asks for.
const required = `nginx ([0-9.]+[0-9]) or later`

// neededBy returns the version of nginx that a file needs, and the directive that needs it.
func neededBy(t *testing.T, conf string) (needed, by string) {
	t.Helper()
	needed = "0"
	for _, line := range find(t, `^ *([a-z_]+(?: [^{;]*)?)[{;]`, conf) {
		words := strings.Fields(line)
		if words[0] == "default" { // the entry of a map
			continue
		}
		if since[words[0]] == "" {
			t.Errorf("the first version with %s is unknown", words[0])
		}
		for _, parameter := range append(words[1:], "") {
			directive := strings.TrimSpace(words[0] + " " + parameter)
			if first := since[directive]; first != "" && older(needed, first) {
				needed, by = first, directive
			}
		}
	}
	return needed, by
}

// older reports whether version a comes before b.
func older(a, b string) bool { return version.Compare("go"+a, "go"+b) < 0 }

// TestSeatLinks checks that the log of the proxy does not show the secret end of a seat link.
func TestSeatLinks(t *testing.T) {
	for _, name := range []string{"nginx.conf", "nginx-site.conf"} {
		t.Run(name, func(t *testing.T) { testSeatLinks(t, read(t, name)) })
	}
}

func testSeatLinks(t *testing.T, nginx string) {
	shown := find(t, `"~(\S+)" "\$\{[a-z_]+\}-";`, nginx)[0]
	const path = "/t/k3v9q2m7x4ab/seat/SECRET"
	match := regexp.MustCompile(shown).FindStringSubmatch(path)
	if len(match) != 2 || match[1] != "/t/k3v9q2m7x4ab/seat/" {
		t.Errorf("for %s the log shows %q", path, match)
	}
	for _, format := range find(t, `log_format (.*);$`, nginx) {
		for _, variable := range []string{
			"$request ", "$request_uri", "$uri", "$args", "$http_referer", "$http_cookie",
			"$http_authorization",
		} {
			if strings.Contains(format+" ", variable) {
				t.Errorf("the log shows %s, which can contain a seat link", variable)
			}
		}
	}
	quiet := find(t, `location ~ (\S+) \{\s+error_log \S+ crit;`, nginx)[0]
	if !regexp.MustCompile(quiet).MatchString(path) {
		t.Errorf("errors of %s are logged with the link", path)
	}
}
