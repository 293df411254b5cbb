package tui

import (
	"context"
	"sync"

	tea "charm.land/bubbletea/v2"
)

// A background runs the goroutines of a model. They run as commands, so that a panic in one
// restores the terminal. [Model.Close] waits for them. The zero background is ready to use.
type background struct {
	mu     sync.Mutex
	closed bool
	ctx    context.Context
	stop   context.CancelFunc
	work   sync.WaitGroup
}

// context returns a context that ends when the background is closed.
func (c *background) context() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx == nil {
		c.ctx, c.stop = context.WithCancel(context.Background())
		if c.closed {
			c.stop()
		}
	}
	return c.ctx
}

// run returns a command that does some work and then handles its result.
func (c *background) run(work func(context.Context) later) tea.Cmd {
	ctx := c.context()
	return func() tea.Msg {
		c.mu.Lock()
		if c.closed {
			c.mu.Unlock()
			return nil
		}
		c.work.Add(1)
		c.mu.Unlock()
		defer c.work.Done()
		if done := work(ctx); done != nil {
			return done
		}
		return nil
	}
}

// first returns the command of some work that calls do before it handles the result.
func first(work tea.Cmd, do func(*Model)) tea.Cmd {
	return func() tea.Msg {
		done, ok := work().(later)
		if !ok {
			return nil
		}
		return later(func(m *Model) tea.Cmd {
			do(m)
			return done(m)
		})
	}
}

// close ends all work and waits for it.
func (c *background) close() {
	c.mu.Lock()
	c.closed = true
	if c.stop != nil {
		c.stop()
	}
	c.mu.Unlock()
	c.work.Wait()
}
