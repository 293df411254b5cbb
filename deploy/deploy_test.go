// Package deploy_test holds the files of this directory, and the page about them, to the program
// they start.
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

// files describe how to start the program, for people or machines.
var files = []string{"duel.service", "Dockerfile", "compose.yaml", "nginx.conf", "nginx-site.conf", "../docs/serve.md"}

// built builds the program, once for all tests, and returns where it is.
var built func() (duel string, err error)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "deploy-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	built = sync.OnceValues(func() (string, error) {
		duel := filepath.Join(dir, "duel")
		// Unlike go build, go run keeps what it links for other tests.
		build := exec.Command("go", "run", "-exec", "cp", "digitduel/cmd/duel", duel)
		out, err := build.CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
		return duel, err
	})
	m.Run()
}

// build returns where the program is.
func build(t *testing.T) string {
	t.Helper()
	duel, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return duel
}

// TestProgram looks for everything of the program that is named anywhere.
func TestProgram(t *testing.T) {
	duel := build(t)
	t.Run("flags", func(t *testing.T) { testFlags(t, duel) })
	t.Run("figures", func(t *testing.T) { testFigures(t, duel) })
	t.Run("restart", func(t *testing.T) { testRestart(t, duel) })
	t.Run("open port", func(t *testing.T) { testOpenPort(t, duel) })
}

// service returns the program as the unit starts it, with settings as they would be in its file:
// they win over those of the unit, and a flag would win over them.
func service(t *testing.T, duel string, settings ...string) *exec.Cmd {
	t.Helper()
	unit := read(t, "duel.service")
	line := strings.Fields(find(t, `^ExecStart=(.+)$`, unit)[0])
	if len(line) != 2 {
		t.Fatalf("%q: flags win over the settings", line)
	}
	cmd := exec.CommandContext(t.Context(), duel, line[1:]...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.Dir = t.TempDir()
	cmd.Env = slices.DeleteFunc(os.Environ(), func(line string) bool { return strings.HasPrefix(line, "DUEL_") })
	cmd.Env = slices.Concat(cmd.Env, find(t, `^Environment=(.+)$`, unit), []string{"DUEL_ADDR=127.0.0.1:0", "DUEL_DB=duel.db"}, settings)
	return cmd
}

// listening starts a service and returns where it listens.
func listening(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	for lines := bufio.NewScanner(log); !strings.Contains(said.String(), "listening on") && lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
	}
	return find(t, `listening on (http://[0-9.:]+)`, said.String())[0]
}

// testRestart ends services in several ways, and asks whether the unit has systemd start them
// again.
func testRestart(t *testing.T, duel string) {
	unit := read(t, "duel.service")
	if how := find(t, `^Restart=(.+)$`, unit)[0]; how != "on-failure" {
		t.Fatalf("it is started again %s", how)
	}
	if find(t, `^StartLimitIntervalSec=(.+)$`, unit)[0] != "0" {
		t.Error("a database that comes late finds that systemd has given up")
	}
	final := strings.Fields(find(t, `^RestartPreventExitStatus=(.+)$`, unit)[0])
	for _, test := range []struct {
		name, setting string
		end           syscall.Signal // 0: it ends by itself
		again         bool
	}{
		{"crash", "", syscall.SIGQUIT, true}, // which ends a Go program as a panic does
		{"no database", "DUEL_DB=/dev/null/duel.db", 0, true},
		{"wrong setting", "DUEL_LOG_LEVEL=loud", 0, false},
		{"stopped", "", syscall.SIGTERM, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			cmd := service(t, duel, test.setting)
			if test.end == 0 {
				_ = cmd.Run() // how it ended is asked below
			} else {
				listening(t, cmd)
				if err := cmd.Process.Signal(test.end); err != nil {
					t.Fatal(err)
				}
				_ = cmd.Wait()
			}
			code := cmd.ProcessState.ExitCode() // -1: a signal
			if again := code != 0 && !slices.Contains(final, strconv.Itoa(code)); again != test.again {
				t.Errorf("it ends with %v, and is started again: %t", cmd.ProcessState, again)
			}
		})
	}
}

// testOpenPort wants to be warned when everybody can reach a port at which a visitor's word about
// the own address is believed.
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

// testFlags looks for every flag, setting and command. Each flag of serve can be set in the
// environment too: --base-url as DUEL_BASE_URL.
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

// testFigures starts a server as the unit does, at another address, and looks for every figure and
// path that the page names.
func testFigures(t *testing.T, duel string) {
	cmd := service(t, duel, "DUEL_MCP=1")
	address := listening(t, cmd)
	t.Cleanup(func() {
		if err := cmd.Wait(); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("asked to stop, the server ends with: %v", err)
		}
	})
	if _, err := os.Stat(filepath.Join(cmd.Dir, "duel.db")); err != nil || strings.HasSuffix(address, ":8080") {
		t.Errorf("it listens at %s, whatever the settings say: %v", address, err)
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

// TestImageLicences runs the line of the Dockerfile that writes the licences of others, and looks
// for all modules that the program says it was built with.
func TestImageLicences(t *testing.T) {
	docker := read(t, "Dockerfile")
	line := find(t, `^RUN (.*) > THIRD_PARTY_LICENSES.txt$`, docker)[0]
	copied := strings.Fields(find(t, `^COPY --from=build (/src/duel .*) /$`, docker)[0])
	for _, name := range []string{"/src/duel", "/src/LICENSE", "/src/THIRD_PARTY_LICENSES.txt"} {
		if !slices.Contains(copied, name) {
			t.Errorf("the image has %v, and not %s", copied, name)
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
		t.Fatalf("the program does not say what is in it: %v", err)
	}
	for _, m := range info.Deps {
		if !strings.Contains(string(text), "\n"+m.Path+" "+m.Version+": LICENSE") {
			t.Errorf("there is no licence of %s", m.Path)
		}
	}
}

// TestIgnored holds that the password that compose.yaml has one write into a file gets neither into
// the repository nor into an image, and nothing else does that git ignores.
func TestIgnored(t *testing.T) {
	git := strings.Fields(read(t, "../.gitignore"))
	if secret := "/deploy/" + find(t, `POSTGRES_PASSWORD=.* > (\S+)$`, read(t, "compose.yaml"))[0]; !slices.Contains(git, secret) {
		t.Errorf("git takes %s; ignored: %s", secret, strings.Join(git, ", "))
	}
	docker := find(t, `^([^#\s]+)$`, read(t, "../.dockerignore"))
	for _, pattern := range git {
		want, rooted := strings.CutPrefix(pattern, "/") // which all patterns of Docker are
		if !rooted {
			want = "**/" + want
		}
		if !slices.Contains(docker, want) {
			t.Errorf("git ignores %s, and .dockerignore has no %s", pattern, want)
		}
	}
}

// since is the first version of nginx with a directive, or with one of its parameters, by its
// documentation. 0: before 1.0.
var since = map[string]string{
	"access_log": "0", "error_log": "0", "listen http2": "1.9.5", "server_name": "0", "ssl_certificate": "0", "ssl_certificate_key": "0", "ssl_protocols": "0",
	"ssl_protocols TLSv1.3": "1.13.0", "events": "0", "http": "0", "keepalive": "1.1.4", "least_conn": "1.3.1", "listen": "0", "location": "0",
	"log_format": "0", "map": "1.11.2" /* text and variables in a value */, "pid": "0", "proxy_buffering": "0", "proxy_connect_timeout": "0",
	"proxy_http_version": "1.1.4", "proxy_next_upstream": "0", "proxy_next_upstream non_idempotent": "1.9.13", "proxy_pass": "0",
	"proxy_read_timeout": "0", "proxy_set_header": "0", "resolver": "1.1.9", "resolver ipv6=off": "1.5.8", "return": "0", "server": "0",
	"server resolve": "1.27.3", "upstream": "0", "worker_connections": "0", "worker_processes": "0", "worker_processes auto": "1.3.8",
	"worker_rlimit_nofile": "0", "zone": "1.9.0",
	"add_header": "0", "add_header always": "1.7.5", "client_body_timeout": "0",
	"client_header_timeout": "0", "default_type": "0", "error_page": "0",
	"limit_conn": "0", "limit_conn_log_level": "0",
	"limit_conn_status": "1.3.15", "limit_conn_zone": "1.1.8", "limit_req": "0",
	"limit_req_log_level": "0", "limit_req_status": "1.3.15", "limit_req_zone": "0",
}

// TestNginx compares the versions of nginx that are asked for with what the files use, and with the
// image.
func TestNginx(t *testing.T) {
	page := find(t, said, read(t, "../docs/serve.md"))
	for i, name := range []string{"nginx.conf", "nginx-site.conf"} {
		conf := read(t, name)
		needed, by := neededBy(t, conf)
		if file := find(t, said, conf)[0]; file != needed || page[i] != needed {
			t.Errorf("%s: %s needs nginx %s; the file says %s, and ../docs/serve.md %s", name, by, needed, file, page[i])
		}
	}
	needed, by := neededBy(t, read(t, "nginx.conf"))
	if image := find(t, `image: nginx:(\S+)$`, read(t, "compose.yaml"))[0]; older(image, needed) {
		t.Errorf("%s needs nginx %s, and the image is %s", by, needed, image)
	}
}

// TestLimits compares the limits of the proxy with those of the server.
func TestLimits(t *testing.T) {
	own := gate.DefaultLimits
	want := fmt.Sprint(own.Address, 10*own.Address, own.ConnectionsOfAddress)
	for _, name := range []string{"nginx.conf", "nginx-site.conf"} {
		conf := read(t, name)
		rate, burst := find(t, ` rate=([0-9]+)r/s;`, conf), find(t, ` burst=([0-9]+) nodelay;`, conf)
		connections := find(t, `limit_conn [a-z_]+ ([0-9]+);`, conf)
		if got := strings.Join(slices.Concat(rate, burst, connections), " "); got != want {
			t.Errorf("%s: requests a second, at once, connections: %s; of the server %s", name, got, want)
		}
		status := find(t, `limit_[a-z]+_status ([0-9]+);`, conf)
		if !slices.Equal(status, []string{"429", "429"}) {
			t.Errorf("%s: over a limit it answers %v", name, status)
		}
		visitor := find(t, `map \$remote_addr \$([a-z_]+)`, conf)[0]
		by := find(t, `limit_[a-z]+_zone \$([a-z_]+)`, conf)
		if !slices.Equal(by, []string{visitor, visitor}) {
			t.Errorf("%s: limits count by %v", name, by)
		}
	}
}

// said is how a version is asked for.
const said = `nginx ([0-9.]+[0-9]) or later`

// neededBy returns the version of nginx that a file needs, and by what.
func neededBy(t *testing.T, conf string) (needed, by string) {
	t.Helper()
	needed = "0"
	for _, line := range find(t, `^ *([a-z_]+(?: [^{;]*)?)[{;]`, conf) {
		words := strings.Fields(line)
		if words[0] == "default" { // of a map
			continue
		}
		if since[words[0]] == "" {
			t.Errorf("since which version is there %s?", words[0])
		}
		for _, what := range append(words[1:], "") {
			what = strings.TrimSpace(words[0] + " " + what)
			if first := since[what]; first != "" && older(needed, first) {
				needed, by = first, what
			}
		}
	}
	return needed, by
}

// older reports whether a version comes before another.
func older(a, b string) bool { return version.Compare("go"+a, "go"+b) < 0 }

// TestSeatLinks applies what the proxy replaces in its log to the path of a seat link, whose end is
// secret.
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
