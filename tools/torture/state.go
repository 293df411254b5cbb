package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"time"
)

// A state is the progress so far.
type state struct {
	Stores map[string]killed `json:"stores"`
	Fuzz   map[string]fuzzed `json:"fuzz"` // by target
}

// A killed counts kills of the servers on a store. Every act that they confirmed was verified.
type killed struct {
	Kills     int           `json:"kills"`
	Outages   int           `json:"outages"` // kills of the database itself
	Confirmed int           `json:"confirmed"`
	Spent     time.Duration `json:"spent"`
}

func (k killed) plus(more killed) killed {
	return killed{
		k.Kills + more.Kills, k.Outages + more.Outages, k.Confirmed + more.Confirmed,
		k.Spent + more.Spent,
	}
}

// A fuzzed counts the inputs of a target.
type fuzzed struct {
	Execs int           `json:"execs"`
	Spent time.Duration `json:"spent"`
}

// total returns the sum over all targets.
func (s state) total() (sum fuzzed) {
	for _, f := range s.Fuzz {
		sum.Execs, sum.Spent = sum.Execs+f.Execs, sum.Spent+f.Spent
	}
	return sum
}

// spent returns the total time spent.
func (s state) spent() time.Duration {
	sum := s.total().Spent
	for _, k := range s.Stores {
		sum += k.Spent
	}
	return sum
}

// readState reads the progress, which is empty if there is no file.
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

// write writes a state atomically.
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
