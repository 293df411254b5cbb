package store

import (
	"os"
	"slices"
	"strings"
	"syscall"
)

// init puts the files of tests in memory if there is enough of it: no test needs a disk that keeps
// them after a crash of the machine. Benchmarks measure the disk.
func init() {
	const memory, enough = "/dev/shm", 4 << 30 // bytes
	var free syscall.Statfs_t
	isBench := func(arg string) bool { return strings.HasPrefix(arg, "-test.bench=") }
	if syscall.Statfs(memory, &free) == nil && free.Bavail*uint64(free.Bsize) > enough &&
		!slices.ContainsFunc(os.Args, isBench) {
		_ = os.Setenv("TMPDIR", memory) // cannot fail: the name is valid
	}
}
