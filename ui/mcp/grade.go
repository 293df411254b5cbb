package mcp

import (
	"context"

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
	Marks
	ByRules      []Part `json:"by_rules" jsonschema:"the same for each game"`
	ByDifficulty []Part `json:"by_difficulty" jsonschema:"the same by difficulty"`
}

// A Part is the grade of some items of an exam.
type Part struct {
	Name string `json:"name" jsonschema:"the game or the difficulty of the items"`
	Marks
}

// Marks are the figures of some items.
type Marks struct {
	Items      int     `json:"items" jsonschema:"how many items"`
	Kept       float64 `json:"kept" jsonschema:"the share of items whose answer threw nothing away"`
	Chance     float64 `json:"chance" jsonschema:"the share that random moves would keep"`
	Kappa      float64 `json:"kappa" jsonschema:"(kept - chance) / (1 - chance): 0 is random, 1 is perfect"`
	KappaLow   float64 `json:"kappa_low" jsonschema:"the lower bound of the 95 % interval of kappa"`
	KappaHigh  float64 `json:"kappa_high" jsonschema:"the upper bound of that interval"`
	Unanswered int     `json:"unanswered" jsonschema:"items without an answer; always 0 in a report"`
	Unreadable int     `json:"unreadable" jsonschema:"answers that are not moves"`
	Illegal    int     `json:"illegal" jsonschema:"answers that are illegal moves"`
}

func (s *Server) examReport(ctx context.Context, id string) (ExamReport, error) {
	t, e, err := s.findSitting(ctx, id)
	if err != nil {
		return ExamReport{}, err
	}
	if n := e.Items(); len(t.answers) < n {
		return ExamReport{}, refusef("%d of %d items are answered; call report when all are",
			len(t.answers), n)
	}
	keys, err := s.keys(ctx, e)
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
	return ExamReport{
		Exam: id, Name: t.describe(), Player: t.Player,
		Marks: marksOf(grade.Marks), ByRules: partsOf(grade.ByRules),
		ByDifficulty: partsOf(grade.ByDifficulty),
	}, nil
}

func partsOf(all []arena.Marks) []Part {
	parts := []Part{}
	for _, m := range all {
		if m.Items > 0 {
			parts = append(parts, Part{m.Name, marksOf(m)})
		}
	}
	return parts
}

func marksOf(m arena.Marks) Marks {
	return Marks{
		m.Items, *m.Kept, *m.Chance, *m.Kappa, *m.KappaLow, *m.KappaHigh,
		m.Unanswered, m.Unreadable, m.Illegal,
	}
}
