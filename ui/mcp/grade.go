package mcp

import (
	"context"

	"digitduel/arena"
)

// replies returns the answers of a sitting in the spelling of the program. What is no move in the words that it was asked in is unreadable.
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
		reply := arena.Reply{Item: k.Item, Fault: arena.Unreadable}
		if m, err := v.ParseMove(text); err == nil {
			reply.Move, reply.Fault = m.String(), ""
		}
		all = append(all, reply)
	}
	return all, nil
}

// An ExamReport is what the answers of an exam come to. Its figures are those of duel exam grade.
type ExamReport struct {
	Exam   string `json:"exam" jsonschema:"the id of the exam"`
	Name   string `json:"name" jsonschema:"which exam it was"`
	Player string `json:"player" jsonschema:"who sat it"`
	Marks
	ByRules      []Part `json:"by_rules" jsonschema:"the same for each game"`
	ByDifficulty []Part `json:"by_difficulty" jsonschema:"the same by how hard the items are"`
}

// A Part is some items of an exam.
type Part struct {
	Name string `json:"name" jsonschema:"which items: their game, or how hard they are"`
	Marks
}

// Marks are the figures of some items.
type Marks struct {
	Items      int     `json:"items" jsonschema:"how many items"`
	Kept       float64 `json:"kept" jsonschema:"the share of the items in which the answer threw nothing away"`
	Chance     float64 `json:"chance" jsonschema:"the share that moves by chance would have kept"`
	Kappa      float64 `json:"kappa" jsonschema:"(kept - chance) / (1 - chance): 0 is chance, 1 is perfect"`
	KappaLow   float64 `json:"kappa_low" jsonschema:"kappa is above this, 95 times in 100 with kappa_high"`
	KappaHigh  float64 `json:"kappa_high" jsonschema:"kappa is below this"`
	Unanswered int     `json:"unanswered" jsonschema:"items without an answer; there are none in a report"`
	Unreadable int     `json:"unreadable" jsonschema:"answers that are no move"`
	Illegal    int     `json:"illegal" jsonschema:"answers that are no legal move"`
}

func (s *Server) examReport(ctx context.Context, id string) (ExamReport, error) {
	t, e, err := s.sat(ctx, id)
	if err != nil {
		return ExamReport{}, err
	}
	if n := e.Items(); len(t.answers) < n {
		return ExamReport{}, refusef("%d of %d items are answered: there is a report when all are", len(t.answers), n)
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
		Marks: marksOf(grade.Marks), ByRules: partsOf(grade.ByRules), ByDifficulty: partsOf(grade.ByDifficulty),
	}, nil
}

func partsOf(all []arena.Marks) []Part {
	told := []Part{}
	for _, m := range all {
		if m.Items > 0 {
			told = append(told, Part{m.Name, marksOf(m)})
		}
	}
	return told
}

func marksOf(m arena.Marks) Marks {
	return Marks{m.Items, *m.Kept, *m.Chance, *m.Kappa, *m.KappaLow, *m.KappaHigh, m.Unanswered, m.Unreadable, m.Illegal}
}
