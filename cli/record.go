package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// A RecordFile is a file of records, one on a line, to which games are added.
type RecordFile struct{ file *os.File }

// OpenRecords opens a file for adding records and makes it if there is none.
func OpenRecords(path string) (*RecordFile, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if folder, err := os.Open(filepath.Dir(path)); err == nil {
		_ = folder.Sync() // a new file can be lost with its folder's entry; not every file system can do this
		_ = folder.Close()
	}
	return &RecordFile{file}, nil
}

// Add adds a record and returns when it is on the disk. The line is written at once, so that no crash of this program
// leaves a part of it; after a line that another crash has torn it begins a new one.
func (f *RecordFile) Add(rec digit.Record) error {
	line := rec.String() + "\n"
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	regular := info.Mode().IsRegular()
	if regular && info.Size() > 0 {
		var last [1]byte
		if _, err := f.file.ReadAt(last[:], info.Size()-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			line = "\n" + line
		}
	}
	if n, err := f.file.WriteString(line); err != nil {
		if now, statErr := f.file.Stat(); regular && statErr == nil && now.Size() == info.Size()+int64(n) {
			err = errors.Join(err, f.file.Truncate(info.Size()))
		}
		return fmt.Errorf("the game was not recorded: %w", err)
	}
	if !regular {
		return nil
	}
	return f.file.Sync()
}

// Close closes the file.
func (f *RecordFile) Close() error { return f.file.Close() }

// An Entry is a line of a record file: a record, or why the line holds none.
type Entry struct {
	Line   int // counted from 1
	Record digit.Record
	Err    error // names the file and the line
}

// Records yields what is on the lines of a file of records; empty lines are passed over.
func Records(name string, in io.Reader) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		lines := bufio.NewReader(in)
		for n := 1; ; n++ {
			text, err := readLine(lines)
			if errors.Is(err, io.EOF) {
				return
			}
			last := err != nil
			e := Entry{Line: n}
			if strings.TrimSpace(text) == "" && !last {
				continue
			}
			if !last {
				e.Record, err = digit.ParseRecord(text)
			}
			if err != nil {
				e.Err = fmt.Errorf("%s:%d: %w", name, n, err)
			}
			if !yield(e) || last {
				return
			}
		}
	}
}

// Replay shows a recorded game as if it were played. Before each turn after the first it calls next, and stops when that returns false.
func Replay(out io.Writer, rec digit.Record, next func() bool) error {
	var state match.State
	see := func(e match.Event) error {
		var err error
		e.Seq = state.Seq + 1
		state, err = state.Apply(e)
		return err
	}
	setup := match.Setup{Rules: rec.Rules, Names: [2]string{rec.Tag("first"), rec.Tag("second")}}
	if rec.Tag("starts") == "2" { // the first to move sits second
		setup.First, setup.Names[match.One], setup.Names[match.Two] = match.Two, setup.Names[match.Two], setup.Names[match.One]
	}
	if setup.Check() != nil { // a record may call players what a table would not
		setup = match.Setup{Rules: rec.Rules}
	}
	if err := see(match.Event{Kind: match.Opened, Setup: &setup}); err != nil {
		return err
	}
	if err := see(match.Event{Kind: match.Began, At: time.Time{}}); err != nil {
		return err
	}
	fmt.Fprint(out, newScreen(state).opening())
	for i, m := range rec.Moves {
		if i > 0 && !next() {
			return nil
		}
		before := newScreen(state)
		if err := see(match.Event{Kind: match.Moved, Seat: state.Turn(), Move: &m}); err != nil {
			return err
		}
		fmt.Fprint(out, before.heading(), before.asked(m), newScreen(state).after(false))
	}
	if winner, won := rec.Result.Winner(); won && !state.Result.Over() {
		seat := state.SeatOf(winner)
		how := []match.Event{{Kind: match.Resigned, Seat: seat.Other()}}
		switch rec.Result.Reason {
		case digit.TimeOut:
			how = []match.Event{{Kind: match.Flagged, Seat: seat.Other()}}
		case digit.Departure:
			how = []match.Event{{Kind: match.Left, Seat: seat.Other()}, {Kind: match.Claimed, Seat: seat}}
		default: // resigned
		}
		for _, e := range how {
			if err := see(e); err != nil {
				return err
			}
		}
	}
	if !state.Result.Over() {
		fmt.Fprint(out, "\n"+newScreen(state).left())
		return nil
	}
	fmt.Fprint(out, newScreen(state).ending())
	return nil
}
