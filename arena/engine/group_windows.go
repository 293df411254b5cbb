package engine

import "os/exec"

// lead does nothing: a command has no group here.
func lead(*exec.Cmd) {}

// killGroup ends a command that was started.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() } // it may have ended
