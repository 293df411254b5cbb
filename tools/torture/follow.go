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

// follow runs a command that says something, line by line, and keeps what it says in a file. Whoever interrupts this program asks the
// command to come to an end, for which this waits; who does it again kills it.
//
// The command is in a group of its own, so that an interrupt from the keyboard does not reach the servers that it runs.
func follow(ctx context.Context, cmd *exec.Cmd, logFile string, take func(line string)) error {
	kept, err := os.Create(logFile)
	if err != nil {
		return err
	}
	defer kept.Close() //nolint:errcheck // what it says matters less than how it ends
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
		_ = cmd.Process.Signal(os.Interrupt) // it may have ended meanwhile
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
