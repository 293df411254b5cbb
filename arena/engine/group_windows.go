package engine

import "os/exec"

// lead does nothing: a command has no group on this system.
func lead(*exec.Cmd) {}

// killGroup kills a started command.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() } // it may have ended
