//go:build unix

package engine

import (
	"os/exec"
	"syscall"
)

// lead makes a command the leader of a group of its own, so that what it starts ends with it.
func lead(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends a command that was started, and what it has started.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // it may have ended
