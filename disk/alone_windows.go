package disk

import (
	"errors"
	"os"
	"syscall"
)

// OpenAlone opens a file for this program alone; others may read it. The error is [ErrBusy] if
// another program has opened it so.
func OpenAlone(path string, how int, _ os.FileMode) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	access, create := uint32(syscall.GENERIC_READ), uint32(syscall.OPEN_EXISTING)
	if how&os.O_RDWR != 0 {
		access |= syscall.GENERIC_WRITE
	}
	if how&os.O_CREATE != 0 {
		create = syscall.OPEN_ALWAYS
	}
	handle, err := syscall.CreateFile(
		name, access, syscall.FILE_SHARE_READ, nil, create, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, syscall.Errno(32)) { // a sharing violation
		return nil, ErrBusy
	}
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(handle), path), nil
}
