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
	streakFile   = kept{dataDir, "streak.json"}
	settingsFile = kept{os.UserConfigDir, filepath.Join("duel", "choices.json")}
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

// write replaces the file as a whole.
func (k kept) write(text []byte) error {
	path, err := k.path()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return disk.WriteFile(path, text, 0o600)
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
