package tui

import tea "charm.land/bubbletea/v2"

// run does some work in the background and then runs the act that it returns, which may be nil.
// [Model.Close] waits for work that has begun. The work is a command, so that a panic in it
// restores the terminal.
func (m *Model) run(work func() act) {
	m.send(func() tea.Msg {
		m.work.RLock()
		defer m.work.RUnlock()
		if m.ctx.Err() != nil {
			return nil
		}
		return work()
	})
}

// send starts a command after the current message.
func (m *Model) send(cmd tea.Cmd) { m.cmds = append(m.cmds, cmd) }
