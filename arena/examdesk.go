package arena

import (
	"io"
	"slices"
	"sync"

	"digitduel/disk"
)

// ExamPlan completes the plan of an exam for agents.
func ExamPlan(p Plan) (*Plan, error) {
	p.Format = ExamFormat
	return &p, p.seal()
}

// An ExamDesk keeps the list of the sittings of a planned exam, and their grades.
type ExamDesk struct {
	Plan   *Plan
	folder Folder

	mu       sync.Mutex
	list     *disk.Tail // of sittings.jsonl
	sittings []examSitting
}

// An examSitting is a line of sittings.jsonl.
type examSitting struct {
	Exam   string `json:"exam"` // the ID of the sitting
	Player string `json:"player"`
}

// openExamDesk opens or resumes an exam.
func openExamDesk(p *Plan, f Folder, file disk.File) (d *ExamDesk, err error) {
	d = &ExamDesk{Plan: p, folder: f}
	d.list, err = disk.Resume(file, func(file io.Reader) (whole int64, err error) {
		err = readLines(file, anything, func(_ int, next examSitting, end int64) error {
			d.sittings = append(d.sittings, next)
			whole = end
			return nil
		})
		return whole, err
	})
	return d, err
}

// Begin returns the ID of the sitting of a player. It calls open for the ID of a new one, unless
// the plan allows one sitting and the player has begun it.
func (d *ExamDesk) Begin(player string, open func() (id string, err error)) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.sittings, func(s examSitting) bool { return s.Player == player })
	if d.Plan.Once && i >= 0 {
		return d.sittings[i].Exam, nil
	}
	id, err := open()
	if err != nil {
		return "", err
	}
	next := examSitting{id, player}
	line, err := JSONLines(next)
	if err == nil {
		err = d.list.Add(line)
	}
	if err == nil {
		d.sittings = append(d.sittings, next)
	}
	return id, err
}

// Sittings returns the IDs of all sittings.
func (d *ExamDesk) Sittings() (all []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.sittings {
		all = append(all, s.Exam)
	}
	return all
}

// SaveGrades writes the grades of an exam, one on each line.
func SaveGrades[T any](d *ExamDesk, grades []T) error {
	text, err := JSONLines(grades...)
	if err != nil {
		return err
	}
	return disk.WriteFile(d.folder.file(GradesFile), text, fileMode)
}
