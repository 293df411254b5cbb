package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync/atomic"
)

// A place records where the files of a database were when it was opened. A process can still write
// to an open file after it was moved, replaced or emptied, but the data would be lost.
type place struct {
	files []located
	lost  atomic.Pointer[lostError]
}

// located is a file and its name.
type located struct {
	name string
	info os.FileInfo
}

// A lostError means that a file of the database was moved or emptied. It is permanent until the
// server restarts: the file in its place may be another database.
type lostError struct{ how string }

func (e *lostError) Error() string {
	return fmt.Sprintf("the database file was %s; restart the server to save events again", e.how)
}

// suffixes are those of the files of an open database: the data, the log, the index of the log.
var suffixes = []string{"", "-wal", "-shm"}

// note records the files of a database.
func (p *place) note(db string) error {
	for _, suffix := range suffixes {
		name := db + suffix
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		os.SameFile(info, info) // on some systems this reads the identity of the file
		p.files = append(p.files, located{name, info})
	}
	return nil
}

// look returns an error if a file was moved or has lost its contents. The error is permanent.
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

// isLog reports whether a file begins with the header of an SQLite log. A log that was emptied and
// then written to has zeros there: SQLite writes the header only when it restarts the log.
func isLog(name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return true // unknown
	}
	defer file.Close() //nolint:errcheck // it was only read
	var magic [3]byte
	_, err = io.ReadFull(file, magic[:])
	return err != nil || magic == [3]byte{0x37, 0x7f, 0x06}
}

// refuseEmptied returns an error for an empty file that had contents: SQLite would treat it as a
// new database and delete the log. It looks at the other files first, which exist only if the
// database had contents.
func refuseEmptied(db string) error {
	for _, suffix := range suffixes[1:] {
		left, err := os.Stat(db + suffix)
		if err != nil || left.Size() == 0 {
			continue
		}
		if is, err := os.Stat(db); err == nil && is.Size() == 0 {
			return fmt.Errorf("it was emptied, but %s exists; "+
				"move both away and restore a backup", db+suffix)
		}
	}
	return nil
}
