// Package local keeps the tables that are played on this machine, each in a file of its own: its
// events, one on a line. A program holds the file of a table that it plays, and the system releases
// the file when the program ends, even by a crash.
package local

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"digitduel/digit"
	"digitduel/disk"
	"digitduel/match"
)

const ending = ".jsonl"

// A Folder is the path of a folder with tables.
type Folder string

// A Log holds the events of a table that this program plays.
type Log struct {
	Events []match.Event              // the events in the file
	Left   time.Time                  // when the table was left
	Append func(...match.Event) error // saves all of the events, or none
	Close  func(left time.Time) error // releases the table
}

// A Table is a table in a folder.
type Table struct {
	ID    string
	State match.State
	At    time.Time // when it was left
	Busy  bool      // another program plays it
}

// Playable reports whether a person here can resume the table.
func (t Table) Playable() bool {
	return !t.Busy && !t.State.SelfPlay() && !t.State.SeriesOver()
}

func (f Folder) path(id string) string { return filepath.Join(string(f), id+ending) }

// Open takes a table for this program alone, and creates its file if there is none. If the file can
// be read but not written, Open returns its events with the error.
func (f Folder) Open(id string) (Log, error) {
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return Log{}, err
	}
	path := f.path(id)
	file, err := disk.OpenAlone(path, os.O_RDWR|os.O_CREATE, 0o600)
	if errors.Is(err, disk.ErrBusy) {
		return Log{}, err
	}
	if err != nil {
		log, _ := readFile(path) // the list of tables has reported this error
		return log, err
	}
	var log Log
	tail, err := disk.Resume(file, func(io.Reader) (whole int64, err error) {
		log, whole, err = read(file)
		return whole, err
	})
	if err != nil {
		return Log{}, errors.Join(err, file.Close())
	}
	disk.SyncFolder(path)
	h := &held{file: file, tail: tail}
	log.Append, log.Close = h.add, h.close
	return log, nil
}

// held is the file of a table that this program plays.
type held struct {
	mu   sync.Mutex
	file *os.File
	tail *disk.Tail
}

// add saves events and returns when they are on the disk.
func (h *held) add(events ...match.Event) error {
	var lines bytes.Buffer
	for _, e := range events {
		if err := json.NewEncoder(&lines).Encode(e); err != nil {
			return err
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.tail.Add(lines.Bytes())
}

// close releases the table, and saves when it was left. It deletes a file without events.
func (h *held) close(left time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	path := h.file.Name()
	if h.tail.Size() == 0 {
		return errors.Join(h.file.Close(), os.Remove(path))
	}
	return errors.Join(os.Chtimes(path, left, left), h.file.Close())
}

// read returns the events of a table, and the size of the lines that hold them.
func read(file *os.File) (log Log, whole int64, err error) {
	info, err := file.Stat()
	if err != nil {
		return Log{}, 0, err
	}
	log.Left = info.ModTime()
	err = disk.ReadLines(file, func(line int, text []byte, end int64) error {
		var e match.Event
		err := json.Unmarshal(text, &e)
		if err == nil && e.Seq != line {
			err = fmt.Errorf("event %d cannot follow event %d", e.Seq, line-1)
		}
		if err != nil {
			err = disk.Unreadable{Err: err}
			return fmt.Errorf("%s:%d: %w", filepath.Base(file.Name()), line, err)
		}
		log.Events, whole = append(log.Events, e), end
		return nil
	})
	if err != nil {
		return Log{}, 0, err
	}
	return log, whole, nil
}

// readFile reads a file that another program may hold.
func readFile(path string) (Log, error) {
	file, err := os.Open(path)
	if err != nil {
		return Log{}, err
	}
	log, _, err := read(file)
	return log, errors.Join(err, file.Close())
}

// Tables returns the tables in the folder, the one that was left last first. It skips files that
// cannot be read, and returns the error of the first one.
func (f Folder) Tables() (tables []Table, wrong error) {
	files, err := os.ReadDir(string(f))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, file := range files {
		id, ok := strings.CutSuffix(file.Name(), ending)
		if !ok {
			continue
		}
		t, err := f.table(id)
		switch {
		case err == nil && t.State.Seq > 0:
			tables = append(tables, t)
		case !errors.Is(err, fs.ErrNotExist): // another program may have deleted it just now
			wrong = cmp.Or(wrong, err)
		}
	}
	slices.SortFunc(tables, func(a, b Table) int {
		return cmp.Or(b.At.Compare(a.At), strings.Compare(a.ID, b.ID))
	})
	return tables, wrong
}

// table reads a table.
func (f Folder) table(id string) (t Table, err error) {
	path := f.path(id)
	log, err := readFile(path)
	if err != nil {
		return t, err
	}
	t = Table{ID: id, At: log.Left}
	for _, e := range log.Events {
		if t.State, err = t.State.Apply(e); err != nil {
			return t, fmt.Errorf("%s:%d: %w", filepath.Base(path), e.Seq, err)
		}
	}
	file, err := disk.OpenAlone(path, os.O_RDONLY, 0)
	if err == nil {
		return t, file.Close()
	}
	t.Busy = errors.Is(err, disk.ErrBusy)
	return t, nil
}

// Forget deletes a table that no other program plays.
func (f Folder) Forget(id string) error {
	path := f.path(id)
	file, err := disk.OpenAlone(path, os.O_RDWR, 0)
	if errors.Is(err, disk.ErrBusy) {
		return err
	}
	if err == nil {
		err = file.Close() // not every system deletes an open file
	}
	if gone := os.Remove(path); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
		return errors.Join(err, gone)
	}
	return nil
}

// Settle returns the tables that are not over. A program that was killed may have ended a game
// without adding it to the saved games: Settle adds it, and forgets tables that are over.
func (f Folder) Settle(
	games func() ([]digit.Record, error), add func(digit.Record) error,
) ([]Table, error) {
	tables, wrong := f.Tables()
	ended := func(t Table) bool { return t.State.Result.Over() && !t.Busy }
	if !slices.ContainsFunc(tables, ended) {
		return tables, wrong
	}
	known, err := games()
	if err != nil && known == nil {
		return tables, cmp.Or(wrong, err)
	}
	tables = slices.DeleteFunc(tables, func(t Table) bool {
		if !ended(t) {
			return false
		}
		rec := t.State.Record()
		// a saved game may have one more tag
		same := func(k digit.Record) bool { return strings.HasPrefix(k.String(), rec.String()) }
		if !slices.ContainsFunc(known, same) {
			if err := add(rec); err != nil {
				wrong = cmp.Or(wrong, err)
				return false
			}
		}
		if !t.State.SeriesOver() {
			return false
		}
		wrong = cmp.Or(wrong, f.Forget(t.ID))
		return true
	})
	return tables, wrong
}
