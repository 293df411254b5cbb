// Package disk writes files that outlast a crash: whole files, and files to which lines are added.
package disk

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// ErrBusy says that another program holds a file.
var ErrBusy = errors.New("it is open in another window")

// WriteFile replaces a file as a whole: after a crash it has the old text or the new one.
func WriteFile(path string, text []byte, mode fs.FileMode) error {
	name := fmt.Sprintf("%s.%x", path, rand.Uint64())
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: it cannot be written: %w", path, failed.Err)
	}
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(name, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(name))
	}
	SyncFolder(path)
	return nil
}

// SyncFolder saves the folder entry of a new file, without which a crash could lose the file.
// Not every file system can do this, so it reports no error.
func SyncFolder(path string) {
	if folder, err := os.Open(filepath.Dir(path)); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
}

// A File is a file to which lines are added.
type File interface {
	io.ReadWriteSeeker
	Truncate(size int64) error
	Sync() error
}

// A Tail is the end of a file to which lines are added.
type Tail struct {
	file File
	size int64
}

// Resume reads a file and cuts off everything after the bytes that read returns as whole.
func Resume(file File, read func(io.Reader) (whole int64, err error)) (*Tail, error) {
	whole, err := read(file)
	if err != nil {
		return nil, err
	}
	t := &Tail{file, whole}
	return t, t.cut()
}

// Size returns the size of the file without the text of a failed Add.
func (t *Tail) Size() int64 { return t.size }

// Add writes a text to the end of the file and returns when it is on the disk. If that fails, it
// cuts the text off again.
func (t *Tail) Add(text []byte) error {
	_, err := t.file.Write(text)
	if err == nil {
		err = t.file.Sync()
	}
	if err != nil {
		return errors.Join(err, t.cut())
	}
	t.size += int64(len(text))
	return nil
}

// cut removes everything that was not added completely.
func (t *Tail) cut() error {
	if err := t.file.Truncate(t.size); err != nil {
		return err
	}
	_, err := t.file.Seek(t.size, io.SeekStart)
	return err
}

// An Unreadable error says that a line cannot be read, as one that was torn by a crash.
type Unreadable struct{ Err error }

func (e Unreadable) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e Unreadable) Unwrap() error { return e.Err }

// ReadLines calls read for each line, counted from 1, with the offset of the line's end. It
// ignores a last line that has no line break, and one for which read returns [Unreadable]: a crash
// tore them.
func ReadLines(file io.Reader, read func(line int, text []byte, end int64) error) error {
	in := bufio.NewReaderSize(file, 1<<16)
	end := int64(0)
	for line := 1; ; line++ {
		text, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		end += int64(len(text))
		if err := read(line, text, end); err != nil {
			_, more := in.Peek(1)
			if _, torn := errors.AsType[Unreadable](err); torn && more != nil {
				return nil
			}
			return err
		}
	}
}
