package arena

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"digitduel/disk"
)

// Files of a match or a run.
const (
	PlanFile     = "plan.json"
	GamesFile    = "games.jsonl"
	TablesFile   = "tables.jsonl"   // the tables of the games of a run
	SittingsFile = "sittings.jsonl" // the sittings of an exam for agents
	GradesFile   = "grades.jsonl"   // the grades of the sittings
	SummaryFile  = "summary.json"
	PictureFile  = "report.svg"
)

// Modes of the files of matches and exams: everyone may read them, but only the owner the plan,
// which has commands and addresses.
const (
	fileMode = 0o644
	planMode = 0o600
)

// A Folder is the path of the folder of a match or a run.
type Folder string

func (f Folder) file(name string) string { return filepath.Join(string(f), name) }

// Plan reads the plan.
func (f Folder) Plan() (*Plan, error) {
	path := f.file(PlanFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	plan, err := ReadPlan(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return plan, nil
}

// WritePlan writes the plan, and creates the folder if there is none.
func (f Folder) WritePlan(p *Plan) error {
	if err := os.MkdirAll(string(f), 0o755); err != nil {
		return err
	}
	return disk.WriteFile(f.file(PlanFile), p.Text(), planMode)
}

// OpenGames opens the file of games for this program alone. The error is [disk.ErrBusy] if another
// program has opened it.
func (f Folder) OpenGames() (*os.File, error) {
	return disk.OpenAlone(f.file(GamesFile), os.O_RDWR|os.O_CREATE, fileMode)
}

// WriteSummary writes a summary as JSON and as a picture.
func (f Folder) WriteSummary(s *Summary) error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	if err := disk.WriteFile(f.file(SummaryFile), append(text, '\n'), fileMode); err != nil {
		return err
	}
	var picture bytes.Buffer
	if err := s.Draw(&picture); err != nil {
		return err
	}
	return disk.WriteFile(f.file(PictureFile), picture.Bytes(), fileMode)
}

// Games returns the files of games and of tables. A file that does not exist is empty.
func (f Folder) Games() (games, tables []byte, err error) {
	for name, text := range map[string]*[]byte{GamesFile: &games, TablesFile: &tables} {
		*text, err = os.ReadFile(f.file(name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
	}
	return games, tables, nil
}

// Standing reads the standing of a match or a run.
func (f Folder) Standing(p *Plan) (*Standing, error) {
	if p.Exam != "" {
		return nil, fmt.Errorf("%s: an exam; its grades are in %s", f, GradesFile)
	}
	games, _, err := f.Games()
	if err != nil {
		return nil, err
	}
	standing, err := ReadRun(p, bytes.NewReader(games))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.file(GamesFile), err)
	}
	return standing, nil
}

// A Run is the desk of the games of agents, or of their exam, and the folder of its files.
type Run struct {
	Desk          *Desk     // nil for an exam
	Exam          *ExamDesk // nil for games
	folder        Folder
	plan          *Plan
	games, tables *os.File
}

// OpenRun resumes the run in the folder, or begins one. It calls planned with the plan of the
// folder, or nil if there is none, for the plan of the run.
func (f Folder) OpenRun(planned func(kept *Plan) (*Plan, error)) (r *Run, err error) {
	if err := os.MkdirAll(string(f), 0o755); err != nil {
		return nil, err
	}
	r = &Run{folder: f}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.shut())
		}
	}()
	if r.games, err = f.OpenGames(); errors.Is(err, disk.ErrBusy) {
		return r, fmt.Errorf("%s: another program is writing this run", f)
	} else if err != nil {
		return r, err
	}
	if err := r.begin(planned); err != nil {
		return r, err
	}
	list := TablesFile
	if r.plan.Exam != "" {
		list = SittingsFile
	}
	r.tables, err = os.OpenFile(f.file(list), os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return r, err
	}
	if r.plan.Exam != "" {
		r.Exam, err = openExamDesk(r.plan, f, r.tables)
	} else {
		r.Desk, err = OpenDesk(DeskConfig{Plan: r.plan, Games: r.games, Tables: r.tables})
	}
	if err != nil {
		return r, fmt.Errorf("%s: %w", f, err)
	}
	return r, nil
}

// begin reads the plan, or writes a new one. If planned returns an error for a new plan, begin
// deletes the files it has created.
func (r *Run) begin(planned func(kept *Plan) (*Plan, error)) error {
	kept, err := r.folder.Plan()
	if fresh := errors.Is(err, fs.ErrNotExist); !fresh {
		if err == nil {
			r.plan, err = planned(kept)
		}
		return err
	}
	if info, err := r.games.Stat(); err != nil || info.Size() > 0 {
		return errors.Join(err,
			fmt.Errorf("%s: games without a plan (%s)", r.folder, PlanFile))
	}
	if r.plan, err = planned(nil); err != nil {
		_ = os.Remove(r.games.Name())   // it is empty
		_ = os.Remove(string(r.folder)) // fails if it has other files
		return err
	}
	return r.folder.WritePlan(r.plan)
}

// Close writes a summary of the games and releases the run. A nil Run has no games.
func (r *Run) Close() error {
	if r == nil {
		return nil
	}
	if r.Exam != nil {
		return r.shut()
	}
	standing, err := r.folder.Standing(r.plan)
	if err == nil {
		summary := standing.Summary()
		err = r.folder.WriteSummary(&summary)
	}
	return errors.Join(err, r.shut())
}

// shut closes the files. Every line in them is synced.
func (r *Run) shut() (err error) {
	for _, file := range []*os.File{r.games, r.tables} {
		if file != nil {
			err = errors.Join(err, file.Close())
		}
	}
	return err
}
