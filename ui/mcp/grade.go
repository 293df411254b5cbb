package mcp

import (
	"context"
	"slices"

	"digitduel/arena"
	"digitduel/arena/engine"
)

// replies returns the answers of a sitting in the program's notation. A text that is not a move in
// the wording of its item is unreadable.
func (s *Server) replies(ctx context.Context, t *sitting, keys []arena.Key) ([]arena.Reply, error) {
	var all []arena.Reply
	for _, k := range keys {
		text, ok := t.answers[k.Item]
		if !ok {
			continue
		}
		v, err := s.speechOf(ctx, k.Rules, t.Disguise)
		if err != nil {
			return nil, err
		}
		reply := arena.Reply{Item: k.Item, Fault: engine.Unreadable}
		if m, err := v.ParseMove(text); err == nil {
			reply.Move, reply.Fault = m.String(), ""
		}
		all = append(all, reply)
	}
	return all, nil
}

// An ExamReport is the grade of an exam. Its figures are those of duel exam grade.
type ExamReport struct {
	Exam   string `json:"exam" jsonschema:"the id of the exam"`
	Name   string `json:"name" jsonschema:"the name or description of the exam"`
	Player string `json:"player" jsonschema:"the name of the player"`
	arena.Marks
	ByRules      []arena.Marks `json:"by_rules" jsonschema:"the same for each game"`
	ByDifficulty []arena.Marks `json:"by_difficulty" jsonschema:"the same by difficulty"`
}

func (s *Server) examReport(ctx context.Context, id string) (ExamReport, error) {
	t, err := s.findSitting(ctx, id)
	if err != nil {
		return ExamReport{}, err
	}
	if n := t.exam.Items(); len(t.answers) < n {
		return ExamReport{}, refusef("%d of %d items are answered; call report when all are",
			len(t.answers), n)
	}
	return s.graded(ctx, t)
}

// graded returns the grade of a sitting. An item without an answer counts as wrong.
func (s *Server) graded(ctx context.Context, t *sitting) (ExamReport, error) {
	keys, err := s.keys(ctx, t)
	if err != nil {
		return ExamReport{}, err
	}
	replies, err := s.replies(ctx, t, keys)
	if err != nil {
		return ExamReport{}, err
	}
	grade, err := arena.GradeReplies(keys, replies)
	if err != nil {
		return ExamReport{}, err
	}
	none := func(m arena.Marks) bool { return m.Items == 0 }
	return ExamReport{
		Exam: t.id, Name: t.describe(), Player: t.Player, Marks: grade.Marks,
		ByRules: grade.ByRules, ByDifficulty: slices.DeleteFunc(grade.ByDifficulty, none),
	}, nil
}

// saveGrades writes the grades of all sittings of a planned exam, if there is one. If that fails,
// the next call does it.
func (s *Server) saveGrades(ctx context.Context) {
	if s.Exam == nil {
		return
	}
	s.grading.Lock()
	defer s.grading.Unlock()
	var all []ExamReport
	for _, id := range s.Exam.Sittings() {
		t, err := s.findSitting(ctx, id)
		if err == nil {
			var grade ExamReport
			grade, err = s.graded(ctx, t)
			all = append(all, grade)
		}
		if err != nil {
			s.Log.Error("cannot grade an exam", "error", err)
			return
		}
	}
	if err := arena.SaveGrades(s.Exam, all); err != nil {
		s.Log.Error("cannot save the grades", "error", err)
	}
}
