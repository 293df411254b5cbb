package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"digitduel/coach"
	"digitduel/disk"
)

// dataDir returns the directory of the user's data.
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

// A userFile is a file of the user, in a directory that may be unknown.
type userFile struct {
	dir  func() (string, error)
	name string
}

var (
	streakFile   = userFile{dataDir, "streak.json"}
	settingsFile = userFile{os.UserConfigDir, filepath.Join("duel", "choices.json")}
)

func (f userFile) path() (string, error) {
	dir, err := f.dir()
	return filepath.Join(dir, f.name), err
}

// read returns the content of the file, or nil if it does not exist.
func (f userFile) read() ([]byte, error) {
	path, err := f.path()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// write replaces the whole file.
func (f userFile) write(text []byte) error {
	path, err := f.path()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return disk.WriteFile(path, text, 0o600)
}

// readStreak returns the user's record of daily puzzles.
func readStreak() (diary coach.Diary, err error) {
	text, err := streakFile.read()
	if err == nil && text != nil {
		if err = json.Unmarshal(text, &diary); err != nil {
			path, _ := streakFile.path() // read found it
			err = fmt.Errorf("%s: %w", path, err)
		}
	}
	if err != nil {
		return coach.Diary{}, fmt.Errorf("streak: %w", err)
	}
	return diary, nil
}

// countPuzzle records an answer that was just given to a daily puzzle.
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
