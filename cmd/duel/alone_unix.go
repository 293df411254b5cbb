//go:build !windows

package main

import (
	"errors"
	"os"
	"syscall"
)

// openAlone opens a file that no other program that asks for the same has open, and that is still where it was.
func openAlone(path string, how int, mode os.FileMode) (*os.File, error) {
	file, err := os.OpenFile(path, how, mode)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, errors.Join(errBusy, file.Close())
	} // on a file system without locks nobody can be kept out
	opened, err := file.Stat()
	if err == nil {
		var there os.FileInfo
		if there, err = os.Stat(path); err == nil && !os.SameFile(opened, there) {
			err = errBusy
		}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}
