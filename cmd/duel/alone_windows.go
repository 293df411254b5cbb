package main

import (
	"errors"
	"os"
	"syscall"
)

// openAlone opens a file that no other program that asks for the same has open. Others may read it.
func openAlone(path string, how int, _ os.FileMode) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	access, share, create := uint32(syscall.GENERIC_READ|syscall.GENERIC_WRITE), uint32(syscall.FILE_SHARE_READ), uint32(syscall.OPEN_EXISTING)
	if how&os.O_RDWR == 0 {
		access, share = syscall.GENERIC_READ, syscall.FILE_SHARE_READ
	}
	if how&os.O_CREATE != 0 {
		create = syscall.OPEN_ALWAYS
	}
	handle, err := syscall.CreateFile(name, access, share, nil, create, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, syscall.Errno(32)) { // a sharing violation
		return nil, errBusy
	}
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(handle), path), nil
}
