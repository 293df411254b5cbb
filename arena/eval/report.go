package eval

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"digitduel/arena"
	"digitduel/arena/disguise"
	"digitduel/arena/engine"
	"digitduel/bot"
	"digitduel/digit"
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
	figures arena.Figures // of games
	keys    []arena.Key   // of an exam
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
func NewReport(ctx context.Context, dirs []string, solved Solver) (*Report, error) {
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
	priced, unpriced, cost := false, false, 0.0
	_, err = readLines(file, func(l *Line) {
		used := l.tokens()
		r.Calls++
		r.Tokens.Prompt += used.Prompt
		r.Tokens.Completion += used.Completion
		r.Tokens.Reasoning += used.Details.Reasoning
		switch {
		case l.Cost != nil:
			priced, cost = true, cost+*l.Cost
		case l.answered() && l.Fault != engine.Late:
			unpriced = true
		}
	})
	if priced && !unpriced {
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
	open := map[digit.Rules]int{}
	for number := 1; number <= r.plan.Games(); number++ {
		open[r.plan.Due(number).Rules]++
	}
	err = arena.EachGame(r.plan.Plan, games, func(g *arena.Game) {
		r.figures.Add(startOf(g), g, r.plan.Due(g.Game).Side)
		if open[g.Rules]--; open[g.Rules] == 0 {
			delete(open, g.Rules)
		}
	})
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(r.Dir, arena.GamesFile), err)
	}
	r.figures.Open, r.Complete = open, len(open) == 0
	r.Rows = r.figures.Rows(r.plan.Rules)
	for i := range r.Rows {
		r.Rows[i].Withhold()
	}
	return nil
}

// startOf returns the start of a game.
func startOf(g *arena.Game) arena.Start { return arena.Start{Rules: g.Rules, Position: g.Start} }

// grade grades the answers to an exam.
func (r *RunReport) grade() (err error) {
	if r.keys, err = arena.ReadKeys(filepath.Join(r.Dir, KeyFile)); err != nil {
		return err
	}
	replies, err := arena.ReadReplies(filepath.Join(r.Dir, AnswersFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	r.Rows, err = examRows(r.keys, replies)
	r.Complete = err == nil && len(replies) == len(r.keys)
	return err
}

// examRows returns the rows of answers to an exam. Items without an answer are open.
func examRows(keys []arena.Key, replies []arena.Reply) (rows []arena.Row, err error) {
	grade, err := arena.GradeReplies(keys, replies)
	if err != nil {
		return nil, err
	}
	faults := map[int]engine.Fault{}
	for _, reply := range replies {
		faults[reply.Item] = reply.Fault
	}
	all := grade.Marks
	all.Name = "all"
	for _, m := range append(grade.ByRules, all) {
		row := arena.Row{
			Rules: m.Name, Games: m.Items, Decisions: m.Items, Kept: m.Kept, Chance: m.Chance,
			Kappa: m.Kappa, KappaLow: m.KappaLow, KappaHigh: m.KappaHigh,
			Faults: map[engine.Fault]int{},
		}
		for _, k := range keys {
			fault, answered := faults[k.Item]
			switch {
			case m.Name != "all" && m.Name != k.Rules.String():
			case !answered:
				row.Open++
				row.Games--
			case fault != "":
				row.Faults[fault]++
				row.Forfeits++
			}
		}
		row.Withhold()
		rows = append(rows, row)
	}
	return rows, nil
}

// ladder returns the figures of the seven levels over the plan.
func (r *RunReport) ladder(ctx context.Context, solved Solver) (all []LevelReport, _ error) {
	measure := r.levelGames
	if r.Kind == Exam {
		measure = r.levelExam
	}
	for _, level := range bot.Levels {
		rows, err := measure(ctx, level, solved)
		if err != nil {
			return nil, err
		}
		all = append(all, LevelReport{level.Name, rows})
	}
	return all, nil
}

// levelGames lets a level play the games of the plan in place of the model.
func (r *RunReport) levelGames(
	ctx context.Context, level bot.Level, solved Solver,
) ([]arena.Row, error) {
	var figures arena.Figures
	for number := 1; number <= r.plan.Games(); number++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		due := r.plan.Due(number)
		s, err := solved(due.Rules)
		if err != nil {
			return nil, err
		}
		b := bot.New(level, s, rand.New(rand.NewPCG(due.Seed, uint64(number))))
		choose := func(p digit.Position, _ int) (arena.Move, engine.Fault, error) {
			return arena.Move{Move: b.Choose(p), Tries: 1}, "", nil
		}
		g, err := r.plan.play(due, s, choose)
		if err != nil {
			return nil, err
		}
		figures.Add(startOf(&g), &g, due.Side)
	}
	return figures.Rows(r.plan.Rules), nil
}

// levelExam lets a level answer the items of the exam.
func (r *RunReport) levelExam(
	ctx context.Context, level bot.Level, solved Solver,
) ([]arena.Row, error) {
	keys := slices.Clone(r.keys)
	var replies []arena.Reply
	for i := range keys {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		keys[i].Spec = disguise.Spec{}
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
	add := func(rules *digit.Rules) {
		if d, ok := a.figures.Compare(&b.figures, rules); ok {
			d.A, d.B = a.label(), b.label()
			r.Differences = append(r.Differences, d)
		}
	}
	for _, rules := range a.plan.Rules {
		add(&rules)
	}
	add(nil)
}

// label names a run by the model and, in a disguise, the arm.
func (r *RunReport) label() string {
	if r.Arm == disguise.Plain {
		return r.Name
	}
	return r.Name + " (" + r.Arm + ")"
}
