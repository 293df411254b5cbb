package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"digitduel/match/remote"
)

// seatsFile keeps the seats that the user has at tables of servers. What is in it is secret, as a key is, and the file is the user's alone.
var seatsFile = kept{dataDir, "seats.json"}

// mostSeats is how many seats are kept; those that were taken first go first.
const mostSeats = 200

// seats are what the user has elsewhere.
type seats struct {
	Name string `json:"name,omitempty"` // what the user was called last
	All  []seat `json:"seats"`
}

// A seat is a place at a table of a server.
type seat struct {
	Server string `json:"server"`
	remote.Place
	Key string `json:"key,omitempty"` // with which it is or was asked for, so that a lost answer comes again
}

func readSeats() (s seats, err error) {
	text, err := seatsFile.read()
	if err == nil && text != nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		return s, fmt.Errorf("seats at other tables: %w", err)
	}
	return s, nil
}

// find returns the seat at a table; the zero seat: none is kept.
func (s *seats) find(server, table string) seat {
	for _, one := range s.All {
		if one.Server == server && one.Table == table {
			return one
		}
	}
	return seat{}
}

// keep keeps a seat instead of what was kept of that table.
func (s *seats) keep(one seat) error {
	s.All = slices.DeleteFunc(s.All, func(old seat) bool { return old.Server == one.Server && old.Table == one.Table })
	s.All = append(s.All, one)
	s.All = s.All[max(0, len(s.All)-mostSeats):]
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return seatsFile.write(append(text, '\n'))
}
