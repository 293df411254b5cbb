//go:build !windows

package disk

import (
	"errors"
	"os"
	"syscall"
)

// OpenAlone opens a file for this program alone. The error is [ErrBusy] if another program has
// opened it so, or has replaced it meanwhile.
func OpenAlone(path string, how int, mode os.FileMode) (*os.File, error) {
	file, err := os.OpenFile(path, how, mode)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) { // other errors: the file system has no locks
		return nil, errors.Join(ErrBusy, file.Close())
	}
	opened, err := file.Stat()
	if err == nil {
		var there os.FileInfo
		if there, err = os.Stat(path); err == nil && !os.SameFile(opened, there) {
			err = ErrBusy
		}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}
