//go:build unix

package load

import (
	"fmt"
	"syscall"
)

// spareFiles is for what a process has open beside its connections.
const spareFiles = 100

// allowFiles lets this process open so many connections, if the system lets it.
func allowFiles(connections int) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return err
	}
	need := uint64(connections + spareFiles)
	if need > uint64(limit.Max) { // the type of a limit is not the same on all systems
		return fmt.Errorf("%d connections: a process may have %d files open, which are too few; see ulimit -Hn", connections, limit.Max)
	}
	if need <= uint64(limit.Cur) {
		return nil
	}
	limit.Cur = limit.Max
	return syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)
}
