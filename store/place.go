package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync/atomic"
)

// A place is where the files of a database lay when it was opened. Who has a file open can go on writing to it when its name
// leads elsewhere or nowhere, but nobody will find there what was written.
type place struct {
	files []located
	lost  atomic.Pointer[lostError]
}

// located is a file under a name.
type located struct {
	name string
	info os.FileInfo
}

// A lostError says that a file of the database is not where it was. It stays so until the server is started again: what was put
// there meanwhile may be another database.
type lostError struct{ name string }

func (e *lostError) Error() string {
	return fmt.Sprintf("the database file was deleted, moved or replaced: %s is not the file that was opened; nothing is kept until the server is started again", e.name)
}

// note takes down where files are.
func (p *place) note(names ...string) error {
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		os.SameFile(info, info) // not every system has looked closely before that
		p.files = append(p.files, located{name, info})
	}
	return nil
}

// look reports whether all files are where they were. Once one was not, that is not forgotten.
func (p *place) look() error {
	for _, f := range p.files {
		switch is, err := os.Stat(f.name); {
		case errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(f.info, is):
			p.lost.CompareAndSwap(nil, &lostError{f.name})
		case err != nil:
			return fmt.Errorf("the database cannot be used: %w", err)
		}
	}
	if lost := p.lost.Load(); lost != nil {
		return lost
	}
	return nil
}
