package engine

import (
	"os/exec"
	"syscall"
	"testing"
	"time"

	"digitduel/digit"
)

// init adds engines whose children leave their process group, for TestNothingIsLeft.
func init() {
	detach := func(child *exec.Cmd) { child.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
	detached := withChild(detach)
	defects["detached"] = defect{in: detached}
	defects["detached orphan"] = defect{in: func(line string) string {
		return exitOn("go", 3)(detached(line))
	}}
	defects["detached stays"] = defect{in: detached, end: hang}
	defects["detached bare"] = defect{in: withChild(func(child *exec.Cmd) {
		detach(child)
		child.Env = []string{"HOME=/"}
	})}
}

// TestOthersLive checks that closing an engine kills neither other children of the program nor
// another engine and its children.
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
		_ = input.Close() // so that it exits
		if err := other.Wait(); err != nil {
			t.Error("a child that is not an engine was killed:", err)
		}
	}()
	var engines []*Process
	for range 2 {
		p, err := Start(t.Context(), faultyCommand("detached"), ProcessConfig{Wait: time.Minute})
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
