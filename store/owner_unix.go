//go:build unix

package store

import (
	"os"
	"path/filepath"
	"syscall"
)

// chownToFolder gives a file made by root to the owner of its folder. A command is often run as
// root for a server that is not.
func chownToFolder(file *os.File) error {
	if os.Geteuid() != 0 {
		return nil
	}
	folder, err := os.Stat(filepath.Dir(file.Name()))
	if err != nil {
		return err
	}
	if owner, ok := folder.Sys().(*syscall.Stat_t); ok {
		return file.Chown(int(owner.Uid), int(owner.Gid))
	}
	return nil
}
