package eval

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"sync"
	"time"

	"digitduel/arena/engine"
	"digitduel/disk"
)

// A Line of transcripts.jsonl is one attempt at one call. The file is the journal of a run: a line
// is written before its move is played, so a run that was killed is played again from it.
type Line struct {
	question
	Attempt      int             `json:"attempt"` // calls for this answer, from 1
	At           time.Time       `json:"at"`
	MS           float64         `json:"ms"`
	Status       int             `json:"status"`
	Messages     []Message       `json:"messages"`
	Content      string          `json:"content"`
	Reasoning    string          `json:"reasoning,omitempty"`
	FinishReason string          `json:"finish_reason,omitempty"`
	Model        string          `json:"model,omitempty"`
	Usage        json.RawMessage `json:"usage,omitempty"`
	Cost         *float64        `json:"cost"`
	Move         string          `json:"move,omitempty"`
	Fault        engine.Fault    `json:"fault,omitempty"`
	Error        string          `json:"error,omitempty"` // of the server
	Late         bool            `json:"late,omitempty"`  // no answer in time
}

// answered reports whether a line has an answer of the model.
func (l *Line) answered() bool { return l.Error == "" }

// tokens returns the usage of a call.
func (l *Line) tokens() (u usage) {
	_ = json.Unmarshal(l.Usage, &u) // without it there are none
	return u
}

// A question identifies a call.
type question struct {
	Game int `json:"game,omitempty"` // counted from 1
	Item int `json:"item,omitempty"` // of an exam
	Ply  int `json:"ply"`            // moves played since the start
	Try  int `json:"try"`            // answers to this question, from 1
}

// A journal stores the lines of a run.
type journal struct {
	mu    sync.Mutex
	file  *os.File
	known map[question][]Line // of earlier programs
}

// openJournal opens a journal and cuts off a line that a crash tore.
func openJournal(path string) (*journal, error) {
	file, err := disk.OpenAlone(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	j := &journal{file: file, known: map[question][]Line{}}
	_, err = disk.Resume(file, func(in io.Reader) (whole int64, err error) {
		return readLines(in, func(l *Line) {
			j.known[l.question] = append(j.known[l.question], *l)
		})
	})
	return j, err
}

// readLines calls each with the lines of a journal, and returns the number of their bytes.
func readLines(in io.Reader, each func(*Line)) (whole int64, err error) {
	err = disk.ReadLines(in, func(_ int, text []byte, end int64) error {
		var l Line
		if err := json.Unmarshal(text, &l); err != nil {
			return disk.Unreadable{Err: err}
		}
		each(&l)
		whole = end
		return nil
	})
	return whole, err
}

// add writes a line. It is on the disk after the next sync.
func (j *journal) add(l *Line) error {
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	lines.SetEscapeHTML(false)
	if err := lines.Encode(l); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	_, err := j.file.Write(text.Bytes())
	return err
}

func (j *journal) close() error { return j.file.Close() }
