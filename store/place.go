package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync/atomic"
)

// A place is where the files of a database lay when it was opened. A process that has a file open can
// write to it when its name leads elsewhere or nowhere, or when it was emptied, but nobody will find
// there what was written.
type place struct {
	files []located
	lost  atomic.Pointer[lostError]
}

// located is a file under a name.
type located struct {
	name string
	info os.FileInfo
}

// A lostError says that a file of the database is not where it was, or was emptied. It stays so until
// the server is started again: what was put there meanwhile may be another database.
type lostError struct{ how string }

func (e *lostError) Error() string {
	return fmt.Sprintf("the database file was %s; nothing is kept until the server is started again", e.how)
}

// suffixes end the names of the files of a database in use: itself, its log, the index of the log.
var suffixes = []string{"", "-wal", "-shm"}

// note takes down where the files of a database are.
func (p *place) note(db string) error {
	for _, suffix := range suffixes {
		name := db + suffix
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		os.SameFile(info, info) // not every system has looked closely before that
		p.files = append(p.files, located{name, info})
	}
	return nil
}

// look reports whether all files are where they were, with their contents. Once one was not, that is
// not forgotten.
func (p *place) look() error {
	for i, f := range p.files {
		switch is, err := os.Stat(f.name); {
		case errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(f.info, is):
			how := "deleted, moved or replaced: " + f.name + " is not the file that was opened"
			p.lost.CompareAndSwap(nil, &lostError{how})
		case err != nil:
			return fmt.Errorf("the database cannot be used: %w", err)
		case i == 0 && is.Size() == 0, i == 1 && is.Size() > 0 && !isLog(f.name):
			p.lost.CompareAndSwap(nil, &lostError{"emptied: " + f.name + " has lost its contents"})
		}
	}
	if lost := p.lost.Load(); lost != nil {
		return lost
	}
	return nil
}

// isLog reports whether a file begins as a log of SQLite does. One that was emptied and then written
// to has zeros there: SQLite writes the beginning only when it begins the log again.
func isLog(name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return true // it cannot be looked at
	}
	defer file.Close() //nolint:errcheck // it was only read
	var magic [3]byte
	_, err = io.ReadFull(file, magic[:])
	return err != nil || magic == [3]byte{0x37, 0x7f, 0x06}
}

// refuseEmptied refuses an empty file that had contents: SQLite would take it for a new database, and
// delete the log. The other files are looked at first; they are made when the database has contents.
func refuseEmptied(db string) error {
	for _, suffix := range suffixes[1:] {
		left, err := os.Stat(db + suffix)
		if err != nil || left.Size() == 0 {
			continue
		}
		if is, err := os.Stat(db); err == nil && is.Size() == 0 {
			return fmt.Errorf("it was emptied, but %s is left; move both away and restore a backup", db+suffix)
		}
	}
	return nil
}
