package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"time"
)

// A state is what was done so far.
type state struct {
	Stores map[string]killed `json:"stores"`
	Fuzz   map[string]fuzzed `json:"fuzz"` // by target
}

// killed is what was done to the servers on a store. Of each act that they confirmed it was seen that it was not lost.
type killed struct {
	Kills     int           `json:"kills"`
	Outages   int           `json:"outages"` // kills of the database itself
	Confirmed int           `json:"confirmed"`
	Spent     time.Duration `json:"spent"`
}

func (k killed) plus(more killed) killed {
	return killed{k.Kills + more.Kills, k.Outages + more.Outages, k.Confirmed + more.Confirmed, k.Spent + more.Spent}
}

// fuzzed is what was done to a target.
type fuzzed struct {
	Execs int           `json:"execs"`
	Spent time.Duration `json:"spent"`
}

// total returns what was done to all targets.
func (s state) total() (sum fuzzed) {
	for _, f := range s.Fuzz {
		sum.Execs, sum.Spent = sum.Execs+f.Execs, sum.Spent+f.Spent
	}
	return sum
}

// spent returns how long all that took.
func (s state) spent() time.Duration {
	sum := s.total().Spent
	for _, k := range s.Stores {
		sum += k.Spent
	}
	return sum
}

// readState reads what was done, which is nothing where there is no file.
func readState(name string) (state, error) {
	s := state{Stores: map[string]killed{}, Fuzz: map[string]fuzzed{}}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(text, &s)
}

// write keeps a state, whole or not at all.
func (s state) write(name string) error {
	text, err := json.MarshalIndent(s, "", "\t")
	if err != nil {
		return err
	}
	if err := os.WriteFile(name+".new", append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}
