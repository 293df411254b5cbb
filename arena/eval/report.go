package eval

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"digitduel/arena"
	"digitduel/arena/engine"
	"digitduel/bot"
	"digitduel/digit"
	"digitduel/disk"
	"digitduel/solve"
)

// A Report compares runs with each other and with the levels.
type Report struct {
	Version     int                      `json:"version"`
	Runs        []RunReport              `json:"runs"`
	Ladder      []LevelReport            `json:"ladder"` // over the plan of the first run
	Differences []arena.PairedDifference `json:"differences"`
}

// A RunReport sums up a run.
type RunReport struct {
	Dir      string      `json:"dir"`
	Name     string      `json:"name"`
	Model    string      `json:"model"`
	Arm      string      `json:"arm"`
	Kind     string      `json:"kind"`
	Complete bool        `json:"complete"`
	Calls    int         `json:"calls"`
	Tokens   Tokens      `json:"tokens"`
	Cost     *float64    `json:"cost"` // USD; nil if unknown
	Rows     []arena.Row `json:"rows"` // for each of the rules, and for all

	plan    *Plan
	figures map[digit.Rules]*arena.Figures // of games
	all     *arena.Figures
}

// Tokens counts the tokens of all calls.
type Tokens struct {
	Prompt     int64 `json:"prompt"`
	Completion int64 `json:"completion"`
	Reasoning  int64 `json:"reasoning"` // of the completion
}

// A LevelReport has the figures of a level over the same plan.
type LevelReport struct {
	Level string      `json:"level"`
	Rows  []arena.Row `json:"rows"`
}

// reportVersion is the version of the JSON of a report.
const reportVersion = 1

// NewReport reads runs. Solve solves the games that the levels play.
func NewReport(
	ctx context.Context, dirs []string, solved func(digit.Rules) (*solve.Solution, error),
) (*Report, error) {
	report := &Report{Version: reportVersion, Differences: []arena.PairedDifference{}}
	for _, dir := range dirs {
		run, err := readRun(dir)
		if err != nil {
			return nil, err
		}
		report.Runs = append(report.Runs, *run)
	}
	var err error
	if report.Ladder, err = report.Runs[0].ladder(ctx, solved); err != nil {
		return nil, err
	}
	for i := range report.Runs {
		for j := range i {
			report.compare(&report.Runs[j], &report.Runs[i])
		}
	}
	return report, nil
}

// readRun reads the folder of a run.
func readRun(dir string) (*RunReport, error) {
	plan, err := ReadPlan(dir)
	if err != nil {
		return nil, err
	}
	run := &RunReport{
		Dir: dir, Name: plan.Settings.Name, Model: plan.Settings.Model, Arm: plan.Arm(),
		Kind: plan.Settings.Kind, plan: plan,
	}
	if err := run.readCalls(); err != nil {
		return nil, err
	}
	if run.Kind == Exam {
		return run, run.grade()
	}
	return run, run.readGames()
}

// readCalls adds up the calls of the journal.
func (r *RunReport) readCalls() error {
	file, err := os.Open(filepath.Join(r.Dir, TranscriptsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // it is only read
	priced := true
	var cost float64
	err = disk.ReadLines(file, func(_ int, text []byte, _ int64) error {
		var l Line
		if err := json.Unmarshal(text, &l); err != nil {
			return disk.Unreadable{Err: err}
		}
		used := l.tokens()
		r.Calls++
		r.Tokens.Prompt += used.Prompt
		r.Tokens.Completion += used.Completion
		r.Tokens.Reasoning += used.Details.Reasoning
		if l.Cost != nil {
			cost += *l.Cost
		} else if l.answered() && l.Fault != engine.Late {
			priced = false
		}
		return nil
	})
	if priced && r.Calls > 0 {
		r.Cost = &cost
	}
	return err
}

// readGames adds up the games.
func (r *RunReport) readGames() error {
	games, _, err := arena.Folder(r.Dir).Games()
	if err != nil {
		return err
	}
	r.all, r.figures = &arena.Figures{}, map[digit.Rules]*arena.Figures{}
	planned := r.plan.Games()
	for number := 1; number <= planned; number++ {
		rules := r.plan.Due(number).Rules
		if r.figures[rules] == nil {
			r.figures[rules] = &arena.Figures{}
		}
		r.figures[rules].Open++
	}
	r.all.Open = planned
	err = arena.EachGame(r.plan.Plan, games, func(g *arena.Game) {
		side := r.plan.Due(g.Game).Side
		for _, f := range []*arena.Figures{r.all, r.figures[g.Rules]} {
			f.Add(g, side)
			f.Open--
		}
	})
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(r.Dir, arena.GamesFile), err)
	}
	r.Complete = r.all.Open == 0
	r.Rows = rowsOf(r.plan.Rules, r.figures, r.all)
	return nil
}

// rowsOf returns a row for each of the rules, and one for all.
func rowsOf(
	rules []digit.Rules, figures map[digit.Rules]*arena.Figures, all *arena.Figures,
) (rows []arena.Row) {
	for _, r := range rules {
		rows = append(rows, figures[r].Row(r.String()))
	}
	return append(rows, all.Row("all"))
}

// grade grades the answers to an exam.
func (r *RunReport) grade() error {
	keys, err := arena.ReadKeys(filepath.Join(r.Dir, KeyFile))
	if err != nil {
		return err
	}
	replies, err := arena.ReadReplies(filepath.Join(r.Dir, AnswersFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	r.Rows, err = examRows(keys, replies)
	r.Complete = err == nil && len(replies) == len(keys)
	return err
}

// examRows returns the rows of answers to an exam. Items without an answer are open.
func examRows(keys []arena.Key, replies []arena.Reply) ([]arena.Row, error) {
	grade, err := arena.GradeReplies(keys, replies)
	if err != nil {
		return nil, err
	}
	answered := map[int]arena.Reply{}
	for _, reply := range replies {
		answered[reply.Item] = reply
	}
	open, faults := map[string]int{}, map[string]map[arena.Fault]int{}
	for _, k := range keys {
		for _, name := range []string{k.Rules.String(), "all"} {
			if faults[name] == nil {
				faults[name] = map[arena.Fault]int{}
			}
			if reply, ok := answered[k.Item]; !ok {
				open[name]++
			} else if reply.Fault != "" {
				faults[name][reply.Fault]++
			}
		}
	}
	all := grade.Marks
	all.Name = "all"
	var rows []arena.Row
	for _, m := range append(grade.ByRules, all) {
		row := arena.Row{
			Rules: m.Name, Games: m.Items, Decisions: m.Items, Kept: m.Kept, Chance: m.Chance,
			Kappa: m.Kappa, KappaLow: m.KappaLow, KappaHigh: m.KappaHigh,
			Open: open[m.Name], Faults: faults[m.Name],
		}
		for _, n := range row.Faults {
			row.Forfeits += n
		}
		if row.Open > 0 {
			row.Kept, row.Kappa, row.KappaLow, row.KappaHigh = nil, nil, nil, nil
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// ladder returns the figures of the seven levels over the plan.
func (r *RunReport) ladder(
	ctx context.Context, solved func(digit.Rules) (*solve.Solution, error),
) (all []LevelReport, err error) {
	for _, level := range bot.Levels {
		var rows []arena.Row
		if r.Kind == Exam {
			rows, err = r.levelExam(ctx, level, solved)
		} else {
			rows, err = r.levelGames(ctx, level, solved)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, LevelReport{level.Name, rows})
	}
	return all, nil
}

// levelGames lets a level play the games of the plan in place of the model.
func (r *RunReport) levelGames(
	ctx context.Context, level bot.Level,
	solved func(digit.Rules) (*solve.Solution, error),
) ([]arena.Row, error) {
	all, figures := &arena.Figures{}, map[digit.Rules]*arena.Figures{}
	for number := 1; number <= r.plan.Games(); number++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		due := r.plan.Due(number)
		s, err := solved(due.Rules)
		if err != nil {
			return nil, err
		}
		opponent, err := bot.ParseLevel(due.Opponent)
		if err != nil {
			return nil, err
		}
		start, err := due.Rules.ParsePosition(due.Start)
		if err != nil {
			return nil, err
		}
		mine := bot.New(level, s, rand.New(rand.NewPCG(due.Seed, uint64(number))))
		var made []arena.Move
		for p := start; !due.Rules.Result(p).Over(); {
			m := arena.Move{Tries: 1}
			if due.Rules.Turn(p) == due.Side {
				m.Move = mine.Choose(p)
			} else {
				m.Move = bot.Foretold(opponent, s, due.Seed, 1, due.Rules.Ply(p)).Choose(p)
			}
			made = append(made, m)
			p, _ = due.Rules.Play(p, m.Move) // it is legal
		}
		g, err := arena.Judge(s, start, [2]string{"", ""}, made, "")
		if err != nil {
			return nil, err
		}
		figures[due.Rules] = cmp.Or(figures[due.Rules], &arena.Figures{})
		all.Add(&g, due.Side)
		figures[due.Rules].Add(&g, due.Side)
	}
	return rowsOf(r.plan.Rules, figures, all), nil
}

// levelExam lets a level answer the items of the exam.
func (r *RunReport) levelExam(
	ctx context.Context, level bot.Level,
	solved func(digit.Rules) (*solve.Solution, error),
) ([]arena.Row, error) {
	keys, err := arena.ReadKeys(filepath.Join(r.Dir, KeyFile))
	if err != nil {
		return nil, err
	}
	var replies []arena.Reply
	for i := range keys {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		keys[i].Disguise = nil
		s, err := solved(keys[i].Rules)
		if err != nil {
			return nil, err
		}
		item := arena.Item{Item: keys[i].Item, Rules: keys[i].Rules, Position: keys[i].Position}
		m, err := item.Choose(level, s, r.plan.Seed)
		if err != nil {
			return nil, err
		}
		replies = append(replies, arena.Reply{Item: item.Item, Move: m.String()})
	}
	return examRows(keys, replies)
}

// compare adds the differences between two runs from the same starts.
func (r *Report) compare(a, b *RunReport) {
	if a.Kind != Games || b.Kind != Games {
		return
	}
	add := func(rules string, mine, theirs *arena.Figures) {
		if theirs == nil {
			return
		}
		if d, ok := mine.Compare(theirs); ok {
			d.A, d.B, d.Rules = a.label(), b.label(), rules
			r.Differences = append(r.Differences, d)
		}
	}
	for _, rules := range a.plan.Rules {
		add(rules.String(), a.figures[rules], b.figures[rules])
	}
	add("all", a.all, b.all)
}

// label names a run by the model and, in a disguise, the arm.
func (r *RunReport) label() string {
	if r.Arm == PlainArm {
		return r.Name
	}
	return r.Name + " (" + r.Arm + ")"
}
