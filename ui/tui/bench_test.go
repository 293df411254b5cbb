package tui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// maxKeyTime limits the time from a key press to the text of the screen at 120×40.
const maxKeyTime = 2 * time.Millisecond

// BenchmarkKey measures a key press, and drawing the screen after it, at a table with the analysis
// on.
func BenchmarkKey(b *testing.B) {
	k := &memory{}
	m := New(k.world(), people("dilemma"))
	defer m.Close() //nolint:errcheck // nothing is saved
	r := &runner{model: m, msgs: make(chan tea.Msg, 100)}
	r.run(m.Init())
	at := func() *table { t, _ := m.top().(*table); return t }
	r.until(b, func() bool { return at() != nil && at().state.Playing() })
	for _, msg := range []tea.Msg{
		tea.WindowSizeMsg{Width: 120, Height: 40},
		keyPress("space"), keyPress("a"), keyPress("7"), keyPress("a"), keyPress("enter"),
	} {
		_, cmd := m.Update(msg)
		r.run(cmd)
	}
	r.until(b, func() bool {
		return len(at().state.Moves) == 1 && at().analysis && at().insight.known()
	})
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m.Update(keyPress([]string{"right", "left"}[i%2]))
		if len(m.View().Content) < 120*40 {
			b.Fatal("the screen is not full")
		}
	}
	if took := b.Elapsed() / time.Duration(b.N); b.N > 10 && took > maxKeyTime {
		b.Errorf("a key takes %v, want at most %v", took, maxKeyTime)
	}
}

// BenchmarkFirstScreen measures making a model and the text of its first screen at 120×40.
func BenchmarkFirstScreen(b *testing.B) {
	k := &memory{solve: never}
	b.ReportAllocs()
	for b.Loop() {
		m := New(k.world(), people("dilemma"))
		m.Init()
		m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
		if len(m.View().Content) < 120*40 {
			b.Fatal("the screen is not full")
		}
		m.Close() //nolint:errcheck // nothing is saved
	}
	if took := b.Elapsed() / time.Duration(b.N); b.N > 10 && took > 50*time.Millisecond {
		b.Errorf("the first screen takes %v, want at most 50 ms", took)
	}
}

// A runner runs the commands of a model in real time.
type runner struct {
	model *Model
	msgs  chan tea.Msg
}

func (r *runner) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, cmd := range msg {
				r.run(cmd)
			}
		default:
			r.msgs <- msg
		}
	}()
}

// until passes messages to the model until a condition is met.
func (r *runner) until(b *testing.B, is func() bool) {
	b.Helper()
	for late := time.After(time.Minute); !is(); {
		select {
		case msg := <-r.msgs:
			_, cmd := r.model.Update(msg)
			r.run(cmd)
		case <-late:
			text := codes.ReplaceAllString(r.model.View().Content, "")
			b.Fatalf("the table is not ready:\n%s", text)
		}
	}
}

// isFast fails if a key takes too long on a screen. On a busy machine, one fast try is enough.
func isFast(t *testing.T, m *Model) {
	t.Helper()
	if raced {
		return
	}
	fastest := time.Hour
	for try := 0; fastest > maxKeyTime && try < 1000; try++ {
		began := time.Now()
		m.Update(keyPress("f12"))
		m.View()
		fastest = min(fastest, time.Since(began))
	}
	if fastest > maxKeyTime {
		t.Errorf("a key takes %v, want at most %v", fastest, maxKeyTime)
	}
}
