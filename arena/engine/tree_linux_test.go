package engine

import (
	"os/exec"
	"syscall"
	"testing"
	"time"

	"digitduel/digit"
)

// Engines whose children leave their process group. TestNothingIsLeft closes them too.
func init() {
	hermit := withChild(func(child *exec.Cmd) { child.SysProcAttr = &syscall.SysProcAttr{Setsid: true} })
	twists["hermit"] = twist{in: hermit}
	twists["hermit orphan"] = twist{in: func(line string) string { return exitOn("go", 3)(hermit(line)) }}
	twists["hermit stays"] = twist{in: hermit, end: hang}
	twists["hermit bare"] = twist{in: withChild(func(child *exec.Cmd) {
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		child.Env = []string{"HOME=/"}
	})}
}

// TestOthersLive ends an engine while other children of the same program run, and another engine
// with its own.
func TestOthersLive(t *testing.T) {
	other := exec.Command("/proc/self/exe", "faulty", "honest")
	input, err := other.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = input.Close() // with which it exits by itself
		if err := other.Wait(); err != nil {
			t.Error("a process that no engine started:", err)
		}
	}()
	var engines []*Process
	for range 2 {
		p, err := Start(t.Context(), faultyCommand("hermit"), ProcessConfig{Wait: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		if n := len(descendants(p.cmd.Process, p.mark)); n != 1 {
			t.Fatalf("the engine has %d descendants, want 1", n)
		}
		engines = append(engines, p)
	}
	engines[0].Close()
	if n := len(descendants(engines[1].cmd.Process, engines[1].mark)); n != 1 {
		t.Errorf("the other engine has %d descendants, want 1", n)
	}
	if _, err := engines[1].Choose(t.Context(), digit.Position{}, nil, Limit{MoveTime: time.Minute}); err != nil {
		t.Error(err)
	}
}
