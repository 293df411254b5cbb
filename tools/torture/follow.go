package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// follow runs a command, calls take with each line of its output, and keeps the output in a file.
// An interrupt of this program asks the command to end, and follow waits for that; a second one
// kills it.
//
// The command has its own process group, so that an interrupt from the keyboard does not reach
// the servers that it runs.
func follow(ctx context.Context, cmd *exec.Cmd, logFile string, take func(line string)) error {
	kept, err := os.Create(logFile)
	if err != nil {
		return err
	}
	defer kept.Close() //nolint:errcheck // its exit status matters more than its output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		select {
		case <-ctx.Done():
		case <-ended:
			return
		}
		_ = cmd.Process.Signal(os.Interrupt) // it may have ended
		again := make(chan os.Signal, 1)
		signal.Notify(again, os.Interrupt)
		defer signal.Stop(again)
		select {
		case <-again:
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		case <-ended:
		}
	}()
	lines := bufio.NewScanner(io.TeeReader(out, kept))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		take(lines.Text())
	}
	err = cmd.Wait()
	close(ended)
	return err
}
