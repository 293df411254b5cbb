package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"digitduel/arena"
	"digitduel/store/disk"
)

// answers are those of one run of an exam. Each is written as it comes, so that a run that was broken off goes on.
type answers struct {
	run   string // a sum of all that they depend on, and how many there will be
	items []int  // the numbers of all items
	given int    // how many of them, the first ones, are answered
	out   io.Writer
	file  *os.File // that they are written to; nil: standard output
	old   bool     // the file has all answers of a run that is over, which the first new one replaces
}

// nameOfRun returns a sum of all that the answers to some items depend on, and how many there are: 0123456789ab/500.
func nameOfRun(items any, count int, player string, seed uint64, movetime time.Duration) (string, error) {
	text, err := json.Marshal([]any{items, player, seed, movetime.Milliseconds()})
	sum := sha256.Sum256(text)
	return fmt.Sprintf("%x/%d", sum[:6], count), err
}

// isOver reports whether these are all answers of a run.
func isOver(there []arena.Reply) bool {
	for _, reply := range there {
		if reply.Run == "" || reply.Run != there[0].Run {
			return false
		}
	}
	return len(there) > 0 && strings.HasSuffix(there[0].Run, fmt.Sprintf("/%d", len(there)))
}

// open opens the file of the answers, and reads those that are there.
func (a *answers) open(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return usagef("out %s: a file is wanted; without --out answers go to the standard output", path)
	}
	file, err := disk.OpenAlone(path, os.O_RDWR|os.O_CREATE, fileMode)
	if errors.Is(err, disk.ErrBusy) {
		return fmt.Errorf("%s: another program writes answers into it", path)
	}
	if err != nil {
		return err
	}
	if err := a.goOn(file); err != nil {
		return errors.Join(err, file.Close())
	}
	a.out, a.file = file, file
	return nil
}

// goOn goes to where the next answer belongs. A line that was torn is cut off; a file of anything else is not changed, nor one of a run that
// is over before there is something new.
func (a *answers) goOn(file *os.File) error {
	text, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	end := bytes.LastIndexByte(text, '\n') + 1
	there, err := parseLines[arena.Reply](file.Name(), text[:end], anAnswer)
	if err != nil {
		return err
	}
	if isOver(there) && end == len(text) {
		a.old = true
		return nil
	}
	ours := len(there) <= len(a.items)
	for i, reply := range there {
		ours = ours && reply.Run == a.run && reply.Item == a.items[i]
	}
	if torn := string(text[end:]); ours && torn != "" {
		ours = len(there) < len(a.items) && isBegun(torn, a.items[len(there)])
	}
	if !ours {
		return usagef("%s: it has answers to other items, or of another --player, --seed or --movetime; choose another file", file.Name())
	}
	a.given = len(there)
	if err := file.Truncate(int64(end)); err != nil {
		return err
	}
	_, err = file.Seek(int64(end), io.SeekStart)
	return err
}

// isBegun reports whether a line is the beginning of the answer to an item.
func isBegun(line string, item int) bool {
	begins := fmt.Sprintf(`{"item":%d,"move":"`, item)
	n := min(len(line), len(begins))
	return line[:n] == begins[:n]
}

// keep writes the next answer.
func (a *answers) keep(reply arena.Reply) error {
	if a.old {
		_, err := a.file.Seek(0, io.SeekStart)
		if err = cmp.Or(err, a.file.Truncate(0)); err != nil {
			return err
		}
		a.old = false
	}
	reply.Run = a.run
	if err := json.NewEncoder(a.out).Encode(reply); err != nil {
		return err
	}
	a.given++
	return nil
}

// close leaves the answers where they are. A file without any is no file of answers.
func (a *answers) close() error {
	if a.file == nil {
		return nil
	}
	err := errors.Join(a.file.Sync(), a.file.Close())
	if a.given == 0 && !a.old {
		err = errors.Join(err, os.Remove(a.file.Name()))
	}
	return err
}

// String says how far they have come.
func (a *answers) String() string {
	told := fmt.Sprintf("%d of %d items are answered", a.given, len(a.items))
	if a.file != nil {
		told += "; the same command goes on"
	}
	return told
}
