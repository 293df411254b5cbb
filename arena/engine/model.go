package engine

import (
	"encoding/json"
	"errors"
	"fmt"

	"digitduel/digit"
	"digitduel/solve"
)

// A Speech asks for moves in words and reads the answers, as an evaluation of a model does.
type Speech interface {
	Prompt(p digit.Position) (system, user string)
	Answer(p digit.Position, text string) (digit.Move, error) // the error is a [*FaultError]
}

// A choice is a legal move and what it is worth to the side to move.
type choice struct {
	Move    string        `json:"move"`
	Outcome solve.Outcome `json:"outcome"`
	Plies   int           `json:"plies"`
	Regret  float64       `json:"regret"`
}

// respond returns the answer to a query, which may be one about models.
func (s *session) respond(name, text string, game wording, at digit.Position) string {
	solution := s.solution()
	var found any
	var err error
	switch {
	case name == "choices" && solution != nil:
		found = s.choices(solution, at)
	case name == "rules":
		found = parts(game.rules)
	case name == "prompt":
		found, err = s.prompt(game, at)
	case name == "answer":
		found, err = s.read(game, at, text)
	default:
		return response(name, game.rules, at, solution)
	}
	if err != nil {
		s.say("info string %v", err)
		return unknown
	}
	return jsonText(found)
}

// choices returns the legal moves with their values.
func (s *session) choices(solution *solve.Solution, at digit.Position) []choice {
	best, list := 0.0, []choice{}
	for m := range s.rules.Moves(at) {
		v := solution.Choice(at, m).Value
		best = max(best, v.Outcome.Points())
		list = append(list, choice{m.String(), v.Outcome, v.Plies, -v.Outcome.Points()})
	}
	for i := range list {
		list[i].Regret += best
	}
	return list
}

// prompt returns the messages that ask a model for a move.
func (s *session) prompt(game wording, at digit.Position) (any, error) {
	words, err := s.speech(game)
	if err != nil {
		return nil, err
	}
	system, user := words.Prompt(at)
	return struct {
		System string `json:"system"`
		User   string `json:"user"`
	}{system, user}, nil
}

// read returns the move in the answer of a model, or why there is none.
func (s *session) read(game wording, at digit.Position, quoted string) (any, error) {
	words, err := s.speech(game)
	if err != nil {
		return nil, err
	}
	var text string
	if json.Unmarshal([]byte(quoted), &text) != nil {
		return nil, fmt.Errorf("query answer: %.40q is not a JSON string", quoted)
	}
	var found struct {
		Move   string `json:"move,omitempty"`
		Fault  Fault  `json:"fault,omitempty"`
		Reason string `json:"reason,omitempty"`
	}
	m, err := words.Answer(at, text)
	if fault, ok := errors.AsType[*FaultError](err); ok {
		found.Fault, found.Reason = fault.Fault, fault.Why
	} else {
		found.Move = m.String()
	}
	return found, nil
}

// parts returns the parts of the rules that decide how a move is written.
func parts(r digit.Rules) any {
	return struct {
		Rules  digit.Rules `json:"rules"`
		Digits string      `json:"digits"`
		Place  string      `json:"place"`
		Width  int         `json:"width"`
	}{r, r.Pool.List(""), r.Place.String(), r.Fills(digit.First)}
}

// A wording is a game, in a disguise unless that is empty.
type wording struct {
	rules    digit.Rules
	disguise string
}

func (s *session) speech(key wording) (Speech, error) {
	if words, ok := s.speeches[key]; ok {
		return words, nil
	}
	if s.config.Speech == nil {
		return nil, errors.New("this engine does not speak")
	}
	words, err := s.config.Speech(s.ctx, key.rules, key.disguise)
	if err == nil {
		if len(s.speeches) >= maxSpeeches {
			clear(s.speeches)
		}
		s.speeches[key] = words
	}
	return words, err
}

// maxSpeeches is the largest number of wordings kept.
const maxSpeeches = 100

// jsonText returns a value as JSON, or unknown if it does not fit into a line.
func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil || len(text) > MaxLine-len("response ") {
		return unknown
	}
	return string(text)
}
