package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/ui/cli"
)

// dataDir returns the directory in which the program keeps what belongs to the user.
func dataDir() (string, error) {
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "duel"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("data directory: %w; set XDG_DATA_HOME", err)
	}
	return filepath.Join(home, ".local", "share", "duel"), nil
}

// A kept file belongs to the user, in a directory that may not be known.
type kept struct {
	dir  func() (string, error)
	name string
}

var (
	streakFile = kept{dataDir, "streak.json"}
	wishesFile = kept{os.UserConfigDir, filepath.Join("duel", "choices.json")}
)

func (k kept) path() (string, error) {
	dir, err := k.dir()
	return filepath.Join(dir, k.name), err
}

// read returns what is in the file; nothing if there is none.
func (k kept) read() ([]byte, error) {
	path, err := k.path()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// write writes the file so that it is there as a whole or as it was before.
func (k kept) write(text []byte) error {
	path, err := k.path()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

// readStreak returns how the user does with the daily puzzles.
func readStreak() (diary coach.Diary, err error) {
	text, err := streakFile.read()
	if err == nil && text != nil {
		if err = json.Unmarshal(text, &diary); err != nil {
			path, _ := streakFile.path() // it was read
			err = fmt.Errorf("%s: %w", path, err)
		}
	}
	if err != nil {
		return coach.Diary{}, fmt.Errorf("streak: %w", err)
	}
	return diary, nil
}

// countPuzzle counts an answer to a daily puzzle, as one of now.
func countPuzzle(day coach.Day, right bool) error {
	diary, err := readStreak()
	if err != nil {
		return err
	}
	text, err := json.Marshal(diary.After(coach.DayOf(time.Now()), day, right))
	if err != nil {
		return err
	}
	if err := streakFile.write(append(text, '\n')); err != nil {
		return fmt.Errorf("streak: %w", err)
	}
	return nil
}

// readGames returns the games of a file; lines that hold none are passed over, and the first of them is told.
func readGames(path string) (games []digit.Record, wrong error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // it is only read
	for e := range cli.Records(filepath.Base(path), file) {
		if e.Err == nil {
			games = append(games, e.Record)
		} else if wrong == nil {
			wrong = e.Err
		}
	}
	return games, wrong
}

// addGame adds a game to a file.
func addGame(path string, rec digit.Record) error {
	records, err := cli.OpenRecords(path)
	if err != nil {
		return err
	}
	return errors.Join(records.Add(rec), records.Close())
}

// dropGame takes a game out of a file. Its line becomes an empty one, so that whoever adds a game at the same time is not disturbed and
// no crash can lose another game.
func dropGame(path string, rec digit.Record) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // what is written is on the disk
	text, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	line := 0
	for e := range cli.Records(filepath.Base(path), bytes.NewReader(text)) {
		if e.Err == nil && e.Record.String() == rec.String() {
			line = e.Line
		}
	}
	var at int64
	for text := range bytes.Lines(text) {
		if line--; line == 0 {
			if _, err := file.WriteAt(bytes.Repeat([]byte(" "), len(bytes.TrimRight(text, "\r\n"))), at); err != nil {
				return err
			}
			return file.Sync()
		}
		at += int64(len(text))
	}
	return nil // somebody else has done it
}
