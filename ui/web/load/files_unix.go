//go:build unix

package load

import (
	"fmt"
	"syscall"
)

// spareFiles is the number of open files besides the connections.
const spareFiles = 100

// allowFiles raises the limit of open files for n connections, if the system allows it.
func allowFiles(connections int) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return err
	}
	need := uint64(connections + spareFiles)
	if need > uint64(limit.Max) { // Max has different types on different systems
		return fmt.Errorf("%d connections: allowed: %d open files; see ulimit -Hn",
			connections, limit.Max)
	}
	if need <= uint64(limit.Cur) {
		return nil
	}
	limit.Cur = limit.Max
	return syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)
}
