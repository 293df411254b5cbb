package web

import "sync"

// A showcase keeps what those who watch are shown of a table after its last event, for it is the same for all of them, and
// hundreds may watch. It is made once for each event, when the first of them asks. The zero showcase is ready to use.
type showcase struct {
	mu    sync.Mutex
	shown map[string]*shown // by table
}

// shown is what is shown of a table after an event.
type shown struct {
	seq    int
	once   sync.Once
	update update
	err    error
}

// mostShown is how many tables are kept in a showcase. When there are more, all are made anew.
const mostShown = 1000

// show returns what is shown of a table after an event, and makes it if nobody has.
func (c *showcase) show(table string, seq int, make func() (update, error)) (update, error) {
	c.mu.Lock()
	if c.shown == nil || len(c.shown) > mostShown {
		c.shown = map[string]*shown{}
	}
	s := c.shown[table]
	if s == nil || s.seq < seq {
		s = &shown{seq: seq}
		c.shown[table] = s
	}
	c.mu.Unlock()
	if s.seq > seq { // somebody has seen more of the table than who asks
		return make()
	}
	s.once.Do(func() { s.update, s.err = make() })
	if s.err != nil { // which may be the fault of who asked first
		return make()
	}
	return s.update, nil
}
