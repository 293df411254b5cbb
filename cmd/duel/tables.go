package main

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
	"digitduel/match"
	"digitduel/ui/tui"
)

// Tables that are under way at the full screen are kept in a folder, each in a file of its own: its events, one on a line. Who plays
// at one holds its file alone, and the system lets go of it when the program ends, however that comes about.

// errBusy says that another program plays at a table.
var errBusy = errors.New("it is open in another window")

const tableEnding = ".jsonl"

func tablesDir() (string, error) {
	dir, err := dataDir()
	return filepath.Join(dir, "tables"), err
}

// tablePath returns the file of a table.
func tablePath(id string) (string, error) {
	dir, err := tablesDir()
	return filepath.Join(dir, id+tableEnding), err
}

// A tableFile is the file of a table that is played here.
type tableFile struct {
	path string

	mu   sync.Mutex
	file *os.File
	size int64 // of the lines that are whole
}

// openTable takes a table for this program alone, and makes its file if there is none. If it can be read but not written, its events are
// returned with the error.
func openTable(id string) (tui.Log, error) {
	path, err := tablePath(id)
	if err != nil {
		return tui.Log{}, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return tui.Log{}, err
	}
	file, err := openAlone(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		if errors.Is(err, errBusy) {
			return tui.Log{}, err
		}
		events, _, _, _ := readTable(path) // what it cannot read was told before
		return tui.Log{Events: events}, err
	}
	events, size, left, err := readTable(path)
	if err == nil {
		err = file.Truncate(size) // what a crash has torn was never told to anybody
	}
	if err != nil {
		return tui.Log{}, errors.Join(err, file.Close())
	}
	syncFolder(filepath.Dir(path))
	f := &tableFile{path: path, file: file, size: size}
	return tui.Log{Events: events, Left: left, Append: f.add, Close: f.close}, nil
}

// syncFolder keeps the entry of a new file, without which the file could be lost. Not every file system can do this.
func syncFolder(path string) {
	if folder, err := os.Open(path); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
}

// add adds events and returns when they are on the disk.
func (f *tableFile) add(events ...match.Event) error {
	var lines bytes.Buffer
	for _, e := range events {
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		lines.Write(append(line, '\n'))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.file.WriteAt(lines.Bytes(), f.size); err != nil {
		return errors.Join(err, f.file.Truncate(f.size))
	}
	if err := f.file.Sync(); err != nil {
		return err // the same lines are written there again
	}
	f.size += int64(lines.Len())
	return nil
}

// close leaves the table, and notes when it was left.
func (f *tableFile) close(left time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.size == 0 { // nothing could be kept
		return errors.Join(f.file.Close(), os.Remove(f.path))
	}
	return errors.Join(os.Chtimes(f.path, left, left), f.file.Close())
}

// readTable returns the events of a table, how long the lines are that hold them, and when it was left. A last line that is not whole
// is passed over.
func readTable(path string) (events []match.Event, size int64, left time.Time, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, time.Time{}, err
	}
	defer file.Close() //nolint:errcheck // it is only read
	info, err := file.Stat()
	if err != nil {
		return nil, 0, time.Time{}, err
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, 0, time.Time{}, err
	}
	for line := range bytes.Lines(text) {
		var e match.Event
		err := json.Unmarshal(line, &e)
		if err == nil && e.Seq != len(events)+1 {
			err = fmt.Errorf("event %d cannot follow event %d", e.Seq, len(events))
		}
		if end := size + int64(len(line)); !bytes.HasSuffix(line, []byte("\n")) || err != nil && end == int64(len(text)) {
			break // torn
		}
		if err != nil {
			return nil, 0, time.Time{}, fmt.Errorf("%s:%d: %w", filepath.Base(path), len(events)+1, err)
		}
		events, size = append(events, e), size+int64(len(line))
	}
	return events, size, info.ModTime(), nil
}

// readTables returns the tables in the folder, that which was left last first. Those that cannot be read are passed over, and the first of
// them is told.
func readTables() (tables []tui.Unfinished, wrong error) {
	dir, err := tablesDir()
	if err != nil {
		return nil, err
	}
	files, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, f := range files {
		id, ok := strings.CutSuffix(f.Name(), tableEnding)
		if !ok {
			continue
		}
		t, err := stateOf(filepath.Join(dir, f.Name()))
		switch t.ID = id; {
		case err == nil && t.State.Seq > 0:
			tables = append(tables, t)
		case err != nil && !errors.Is(err, fs.ErrNotExist) && wrong == nil: // another program may have ended it just now
			wrong = err
		}
	}
	slices.SortFunc(tables, func(a, b tui.Unfinished) int { return cmp.Or(b.At.Compare(a.At), strings.Compare(a.ID, b.ID)) })
	return tables, wrong
}

// stateOf returns how the table of a file stands.
func stateOf(path string) (t tui.Unfinished, err error) {
	events, _, left, err := readTable(path)
	for _, e := range events {
		if t.State, err = t.State.Apply(e); err != nil {
			return t, fmt.Errorf("%s:%d: %w", filepath.Base(path), e.Seq, err)
		}
	}
	if t.At = left; err == nil {
		file, held := openAlone(path, os.O_RDONLY, 0o600)
		t.Busy = errors.Is(held, errBusy)
		if held == nil {
			err = file.Close()
		}
	}
	return t, err
}

// forgetTable deletes a table that no other program plays at.
func forgetTable(id string) error {
	path, err := tablePath(id)
	if err != nil {
		return err
	}
	file, err := openAlone(path, os.O_RDWR, 0o600)
	if errors.Is(err, errBusy) {
		return err
	}
	if err == nil {
		err = file.Close() // before it is deleted, which not every system does with a file that is open
	}
	if gone := os.Remove(path); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
		return errors.Join(err, gone)
	}
	return nil
}

// leftTables returns the tables that can be gone on with. A program that was killed may have ended a game without adding it to the file of
// games: that is done now, and tables that are over are forgotten.
func leftTables(games string) ([]tui.Unfinished, error) {
	tables, wrong := readTables()
	ended := slices.ContainsFunc(tables, func(t tui.Unfinished) bool { return t.State.Result.Over() && !t.Busy })
	if !ended {
		return tables, wrong
	}
	known, err := readGames(games)
	if err != nil && known == nil {
		return tables, cmp.Or(wrong, err)
	}
	tables = slices.DeleteFunc(tables, func(t tui.Unfinished) bool {
		if !t.State.Result.Over() || t.Busy {
			return false
		}
		rec := t.State.Record()
		if !slices.ContainsFunc(known, func(k digit.Record) bool { return k.String() == rec.String() }) {
			if err := addGame(games, rec); err != nil {
				wrong = cmp.Or(wrong, err)
				return false
			}
		}
		if !t.State.SeriesOver() {
			return false
		}
		wrong = cmp.Or(wrong, forgetTable(t.ID))
		return true
	})
	return tables, wrong
}
