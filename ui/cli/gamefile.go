package cli

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"digitduel/digit"
)

// A GameFile is the path of a record file in which games are saved.
type GameFile string

// Games returns the games of the file, none if there is no file. It skips lines without a game, and
// returns the error of the first one.
func (f GameFile) Games() (games []digit.Record, wrong error) {
	file, err := os.Open(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // it is only read
	for e := range Records(filepath.Base(string(f)), file) {
		if e.Err == nil {
			games = append(games, e.Record)
		} else if wrong == nil {
			wrong = e.Err
		}
	}
	return games, wrong
}

// Add adds a game to the file.
func (f GameFile) Add(rec digit.Record) error {
	records, err := OpenRecords(string(f))
	if err != nil {
		return err
	}
	return errors.Join(records.Add(rec), records.Close())
}

// Drop removes a game from the file. It overwrites the line with spaces, so that it does not
// disturb a program that adds a game at the same time, and no crash can lose another game.
func (f GameFile) Drop(rec digit.Record) error {
	file, err := os.OpenFile(string(f), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // the text is on the disk
	text, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	line := 0
	for e := range Records(filepath.Base(string(f)), bytes.NewReader(text)) {
		if e.Err == nil && e.Record.String() == rec.String() {
			line = e.Line
		}
	}
	var at int64
	for text := range bytes.Lines(text) {
		if line--; line == 0 {
			blank := bytes.Repeat([]byte(" "), len(bytes.TrimRight(text, "\r\n")))
			if _, err := file.WriteAt(blank, at); err != nil {
				return err
			}
			return file.Sync()
		}
		at += int64(len(text))
	}
	return nil // another program has removed it
}
