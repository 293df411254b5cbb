package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"digitduel/digit"
	"digitduel/disk"
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

// Add adds a game to the file, which it creates if there is none, and returns when the game is on
// the disk. It writes the line at once, so that a crash cannot tear it. After a torn line it begins
// a new one.
func (f GameFile) Add(rec digit.Record) error {
	file, err := os.OpenFile(string(f), os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	disk.SyncFolder(string(f))
	return errors.Join(add(file, rec), file.Close())
}

func add(file *os.File, rec digit.Record) error {
	line := rec.String() + "\n"
	info, err := file.Stat()
	if err != nil {
		return err
	}
	regular := info.Mode().IsRegular()
	if regular && info.Size() > 0 {
		var last [1]byte
		if _, err := file.ReadAt(last[:], info.Size()-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			line = "\n" + line
		}
	}
	if n, err := file.WriteString(line); err != nil {
		if now, statErr := file.Stat(); regular && statErr == nil &&
			now.Size() == info.Size()+int64(n) {
			err = errors.Join(err, file.Truncate(info.Size()))
		}
		return fmt.Errorf("the game was not recorded: %w", err)
	}
	if !regular {
		return nil
	}
	return file.Sync()
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
