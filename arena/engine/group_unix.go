//go:build unix

package engine

import (
	"os/exec"
	"syscall"
)

// lead makes a command the leader of its own process group, so that its children end with it.
func lead(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a started command and its group.
func killGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it may have ended
}
