package tui

import (
	"context"
	"sync"

	tea "charm.land/bubbletea/v2"
)

// A background holds the work of a model that runs in other goroutines. [Model.Close] waits for it.
type background struct {
	ctx  context.Context // ends when the background is closed
	stop context.CancelFunc
	mu   sync.Mutex // guards the start of work, so that none begins after the end
	work sync.WaitGroup
}

func newBackground() *background {
	ctx, stop := context.WithCancel(context.Background())
	return &background{ctx: ctx, stop: stop}
}

// begin counts some work, and reports whether it may begin.
func (b *background) begin() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ctx.Err() != nil {
		return false
	}
	b.work.Add(1)
	return true
}

// close ends all work and waits for it.
func (b *background) close() {
	b.mu.Lock()
	b.stop()
	b.mu.Unlock()
	b.work.Wait()
}

// run does some work in the background and then runs the act that it returns, which may be nil. The
// work is a command, so that a panic in it restores the terminal.
func (m *Model) run(work func() act) {
	m.send(func() tea.Msg {
		if !m.background.begin() {
			return nil
		}
		defer m.background.work.Done()
		return work()
	})
}

// send starts a command after the current message.
func (m *Model) send(cmd tea.Cmd) { m.cmds = append(m.cmds, cmd) }
