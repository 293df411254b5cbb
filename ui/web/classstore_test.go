package web

import (
	"context"
	"slices"
	"time"

	"digitduel/match"
)

// classLogs holds the classes of a memStore.
type classLogs struct {
	logs  map[string][]string
	due   map[string]time.Time
	codes map[string]string // code to class ID
}

func (s *memStore) AppendClass(ctx context.Context, id string, seq int, bodies []string, _,
	due time.Time, code string) error {
	if err := s.fault(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &s.classes
	if c.logs == nil {
		*c = classLogs{map[string][]string{}, map[string]time.Time{}, map[string]string{}}
	}
	if seq != len(c.logs[id])+1 {
		return match.ErrConflict
	}
	c.logs[id], c.due[id] = append(c.logs[id], bodies...), due
	if code != "" {
		c.codes[code] = id
	}
	return nil
}

func (s *memStore) ClassEvents(ctx context.Context, id string, after int) ([]string, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	log := s.classes.logs[id]
	return slices.Clone(log[min(after, len(log)):]), nil
}

func (s *memStore) DueClasses(_ context.Context, before time.Time) (ids []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, due := range s.classes.due {
		if due.Before(before) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

func (s *memStore) ClassByCode(ctx context.Context, code string) (string, error) {
	if err := s.fault(ctx); err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.classes.codes[code], nil
}

func (s *memStore) DeleteClass(ctx context.Context, id string, _ []string) error {
	if err := s.fault(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.classes.logs, id)
	delete(s.classes.due, id)
	return nil
}
