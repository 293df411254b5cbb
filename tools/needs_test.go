package tools

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// aptGet is a fake apt-get. Like the scripts of packages, it asks the policy whether a service may
// start. Then it creates the command of the package.
const aptGet = `#!/bin/sh
for package; do :; done
case $package in update | $BROKEN) exit ;; postgresql) package=postgres ;; esac
policy=$NEEDS_ROOT/usr/sbin/policy-rc.d
[ -x "$policy" ] && "$policy" "$package" start
[ $? = 101 ] || echo "$package starts" >>"$NEEDS_ROOT/started"
[ "$package" != "$DEADLY" ] || { kill -KILL $PPID; exit; }
[ "$package" = npm ] || printf '#!/bin/sh\n' >"$BIN/$package" && chmod +x "$BIN/$package"
`

// TestNeeds checks that the script installs packages, into another root folder, without starting
// services, and restores the file that decides whether they start.
func TestNeeds(t *testing.T) {
	const own = "#!/bin/sh\n# of the machine\nexit 0\n"
	const left = "#!/bin/sh\n# tools/needs.sh\nexit 101\n"
	for _, tt := range []struct {
		name         string
		policy, kept string // before the run; "" if missing
		settings     []string
		missing      string // reported as missing
		fails        string // the programs for want of which CI fails
		after        string // the policy after the run
	}{
		{name: "no policy"},
		{name: "a policy", policy: own, after: own},
		{name: "killed before", policy: left, kept: own, after: own},
		{name: "killed before, without a policy", policy: left},
		{name: "no nginx", settings: []string{"BROKEN=nginx"}, missing: "nginx"},
		{name: "an old node", settings: []string{"NODE=v18.19.1"}, missing: "Node 20 or later"},
		{name: "ci", policy: own, settings: []string{"CI=true"}, after: own},
		{name: "ci, no nginx", settings: []string{"CI=true", "BROKEN=nginx"}, fails: "nginx"},
		{name: "ci, an old node", settings: []string{"CI=true", "NODE=v18.19.1"}, fails: "node"},
		{
			name: "ci, nothing", settings: []string{"CI=true", "BROKEN=*", "NODE=none"},
			fails: "chromium node postgres nginx",
		},
		{name: "ci, no tmux", settings: []string{"CI=true", "BROKEN=tmux"}, missing: "tmux"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newMachine(t, tt.policy, tt.kept)
			out, err := m.needs(t, tt.settings...)
			_, without, failed := strings.Cut(out, "for want of: ")
			if failed != (err != nil) || strings.TrimSpace(without) != tt.fails {
				t.Errorf("got %v, want a failure for want of %q:\n%s", err, tt.fails, out)
			}
			if tt.missing != "" && !strings.Contains(out, "because "+tt.missing+" is missing") {
				t.Errorf("%s is not reported as missing:\n%s", tt.missing, out)
			}
			m.check(t, tt.after)
		})
	}
}

// TestNeedsAfterKill checks that a run restores the policy after one that was killed.
func TestNeedsAfterKill(t *testing.T) {
	m := newMachine(t, "of the machine", "")
	if out, err := m.needs(t, "DEADLY=nginx"); err == nil {
		t.Fatalf("the script was not killed:\n%s", out)
	}
	if out, err := m.needs(t); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	m.check(t, "of the machine")
}

// A machine is a root folder, and a folder with the commands available to the script.
type machine struct{ root, bin string }

func newMachine(t *testing.T, policy, kept string) machine {
	t.Helper()
	m := machine{t.TempDir(), t.TempDir()}
	m.write(t, filepath.Join(m.bin, "apt-get"), aptGet)
	m.write(t, filepath.Join(m.bin, "id"), "#!/bin/sh\necho 0\n")
	m.write(t, filepath.Join(m.bin, "node"), "#!/bin/sh\n[ $NODE != none ] && echo $NODE\n")
	m.write(t, filepath.Join(m.bin, "update-rc.d"),
		"#!/bin/sh\necho $* >>\"$NEEDS_ROOT/disabled\"\n")
	const commands = "sh ls mkdir rm mv cp chmod cat grep cut cmp mktemp sha256sum flock tar"
	for name := range strings.FieldsSeq(commands) {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skip(err)
		}
		if err := os.Symlink(path, filepath.Join(m.bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"": policy, ".kept": kept} {
		if text != "" {
			m.write(t, m.policy()+name, text)
		}
	}
	return m
}

func (m machine) policy() string { return filepath.Join(m.root, "usr/sbin/policy-rc.d") }

func (m machine) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(m.root, "usr/sbin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// needs runs the script.
func (m machine) needs(t *testing.T, settings ...string) (string, error) {
	t.Helper()
	if _, err := os.Stat("needs.sh"); err != nil { // go test must not cache results if it changes
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "tools/needs.sh")
	cmd.Dir = ".."
	cmd.Env = append([]string{
		"PATH=" + m.bin, "BIN=" + m.bin, "HOME=" + m.root, "NEEDS_ROOT=" + m.root, "NODE=v20.1.0",
	}, settings...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// check checks the state of the machine after a run. Want is the policy.
func (m machine) check(t *testing.T, want string) {
	t.Helper()
	policy, _ := os.ReadFile(m.policy()) // empty if missing
	if string(policy) != want {
		t.Errorf("the policy is %q, want %q", policy, want)
	}
	if started, err := os.ReadFile(filepath.Join(m.root, "started")); err == nil {
		t.Errorf("services were started: %s", started)
	}
	const cluster = "etc/postgresql-common/createcluster.d/none.conf"
	for _, name := range []string{"usr/sbin/policy-rc.d.kept", cluster} {
		if _, err := os.Stat(filepath.Join(m.root, name)); err == nil {
			t.Errorf("%s was not removed", name)
		}
	}
	_, missing := os.Stat(filepath.Join(m.bin, "nginx"))
	disabled, err := os.ReadFile(filepath.Join(m.root, "disabled"))
	if missing == nil && string(disabled) != "nginx disable\n" {
		t.Errorf("nginx is not disabled: %q %v", disabled, err)
	}
}
