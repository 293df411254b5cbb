package arena

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"digitduel/arena/engine"
	"digitduel/bot"
	"digitduel/digit"
	"digitduel/disk"
	"digitduel/solve"
)

// A Candidate answers the items of an exam.
type Candidate struct {
	Player   string // a level or engine:COMMAND
	Seed     uint64
	MoveTime time.Duration // time limit of a program
	Solve    func(digit.Rules) (*solve.Solution, error)
}

// Sit answers the items without an answer, and writes each answer at once.
func (c *Candidate) Sit(ctx context.Context, s Sheet, a *Answers) error {
	if command, ok := Command(c.Player); ok {
		return s.sit(ctx, command, engine.Limit{MoveTime: c.MoveTime}, a)
	}
	level, err := bot.ParseLevel(c.Player)
	if err != nil {
		return err
	}
	for _, item := range s.Items[a.Given:] {
		if err := ctx.Err(); err != nil {
			return err
		}
		solution, err := c.Solve(item.Rules)
		if err != nil {
			return err
		}
		m, err := item.Choose(level, solution, c.Seed)
		if err != nil {
			return fmt.Errorf("item %d: %w", item.Item, err)
		}
		if err := a.keep(Reply{Item: item.Item, Move: m.String()}); err != nil {
			return err
		}
	}
	return nil
}

// ErrOtherAnswers reports that a file has answers of another run.
var ErrOtherAnswers = errors.New("it has answers of another run")

// Answers are the answers of one run of an exam. Each is written at once, so that an interrupted
// run can be resumed.
type Answers struct {
	Given int // number of items answered, from the first

	run   string // a hash of everything the answers depend on, and their number
	items []int  // the numbers of all items
	out   io.Writer
	file  *os.File // nil if answers go to out alone
	old   bool     // the file has all answers of an earlier run; the first new answer replaces them
}

// NewAnswers returns the answers of a candidate to a sheet. They are written to out.
func NewAnswers(c *Candidate, s Sheet, out io.Writer) (*Answers, error) {
	all := []any{s.Items, s.Words}
	text, err := json.Marshal([]any{all, c.Player, c.Seed, c.MoveTime.Milliseconds()})
	sum := sha256.Sum256(text)
	a := &Answers{out: out}
	for _, item := range s.Items {
		a.items = append(a.items, item.Item)
	}
	for _, item := range s.Words {
		a.items = append(a.items, item.Item)
	}
	a.run = fmt.Sprintf("%x/%d", sum[:6], len(a.items))
	return a, err
}

// isOver reports whether replies are all answers of a run.
func isOver(there []Reply) bool {
	for _, reply := range there {
		if reply.Run == "" || reply.Run != there[0].Run {
			return false
		}
	}
	return len(there) > 0 && strings.HasSuffix(there[0].Run, fmt.Sprintf("/%d", len(there)))
}

// Open opens a file for the answers, after those it has already. The error is [ErrOtherAnswers]
// if these are of another run.
func (a *Answers) Open(path string) error {
	file, err := disk.OpenAlone(path, os.O_RDWR|os.O_CREATE, fileMode)
	if errors.Is(err, disk.ErrBusy) {
		return fmt.Errorf("%s: another program writes answers into it", path)
	}
	if err != nil {
		return err
	}
	if err := a.resume(file); err != nil {
		return errors.Join(err, file.Close())
	}
	a.out, a.file = file, file
	return nil
}

// resume seeks to the place of the next answer, and cuts off a torn line. It changes no file of
// another run, and no file of a finished one.
func (a *Answers) resume(file *os.File) error {
	text, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	end := bytes.LastIndexByte(text, '\n') + 1
	there, err := parseSheet[Reply](file.Name(), text[:end], anAnswer)
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
		return ErrOtherAnswers
	}
	a.Given = len(there)
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
func (a *Answers) keep(reply Reply) error {
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
	a.Given++
	return nil
}

// Close closes the file, and deletes one without answers.
func (a *Answers) Close() error {
	if a.file == nil {
		return nil
	}
	err := errors.Join(a.file.Sync(), a.file.Close())
	if a.Given == 0 && !a.old {
		err = errors.Join(err, os.Remove(a.file.Name()))
	}
	return err
}

// String returns the number of items answered, as a sentence.
func (a *Answers) String() string {
	text := fmt.Sprintf("%d of %d items are answered", a.Given, len(a.items))
	if a.file != nil {
		text += "; run the same command to continue"
	}
	return text
}
