package cli

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"
)

// A Pipe is a [Keyboard] of plain lines: a file, another program, or a terminal in its normal mode.
type Pipe struct {
	mu      sync.Mutex
	out     Wrapper
	echoes  bool // the typed text appears after the prompt by itself
	asked   bool // the current line has a prompt
	awaited bool // a line is requested and not read yet
	want    chan struct{}
	lines   chan Line
}

// NewPipe reads lines from in and writes to out. It reads a line when one is requested. If in
// echoes, as a terminal does, the typed line ends the line of the prompt, and long lines are
// wrapped.
func NewPipe(in io.Reader, out io.Writer, echoes bool) *Pipe {
	p := &Pipe{
		out: Wrapper{Out: out}, echoes: echoes, want: make(chan struct{}, 1),
		lines: make(chan Line),
	}
	if echoes {
		p.out.Terminal, _ = in.(*os.File)
	}
	go p.read(bufio.NewReader(in))
	return p
}

func (p *Pipe) read(in *bufio.Reader) {
	for range p.want {
		text, err := readLine(in)
		p.mu.Lock()
		p.awaited = false
		if p.echoes && err == nil {
			p.asked = false
		}
		p.endPrompt()
		p.mu.Unlock()
		p.lines <- Line{text, err}
	}
}

// readLine reads a line up to a maximum length. A longer one is cut and ends with "…", so that it
// is not mistaken for a whole line.
func readLine(in *bufio.Reader) (string, error) {
	const most = 4096
	var text []byte
	cut := ""
	for {
		part, err := in.ReadSlice('\n')
		if room := most - len(text); len(part) > room {
			part, cut = part[:room], "…"
		}
		text = append(text, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == nil, errors.Is(err, io.EOF) && len(text) > 0:
			return string(bytes.TrimRight(text, "\r\n")) + cut, nil
		default:
			return "", err
		}
	}
}

// endPrompt ends the line of a prompt, as the Enter key would. The lock is held.
func (p *Pipe) endPrompt() {
	if p.asked {
		io.WriteString(p.out.Out, "\n")
		p.asked = false
	}
}

// Ask implements [Keyboard].
func (p *Pipe) Ask(prompt string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.endPrompt()
	io.WriteString(p.out.Out, prompt)
	p.asked = true
	if !p.awaited {
		p.awaited = true
		p.want <- struct{}{}
	}
}

// Lines implements [Keyboard].
func (p *Pipe) Lines() <-chan Line { return p.lines }

// Write implements [Keyboard].
func (p *Pipe) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.endPrompt()
	return p.out.Write(text)
}

// Close ends the line of a prompt that was not answered.
func (p *Pipe) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.endPrompt()
	return nil
}

// A Terminal is a [Keyboard] with line editing and history. Its prompt can change while a line is
// typed.
type Terminal struct {
	file  *os.File
	out   io.Writer
	keys  *keys
	line  *term.Terminal
	lines chan Line

	mu sync.Mutex
	// the state to restore; nil: the terminal is not raw, since no line is requested
	cooked *term.State
}

// NewTerminal reads lines typed on a terminal.
func NewTerminal(in *os.File, out io.Writer) *Terminal {
	t := &Terminal{file: in, out: out, keys: newKeys(in), lines: make(chan Line, 1)}
	t.line = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{t.keys, out}, "")
	return t
}

// keys passes on typed keys, and keys that the program itself presses. It notices Ctrl-C, which the
// line editor takes for the end of input, and knows all sequences of Home and End. It only reads on
// request, so that other readers get the rest of the input.
type keys struct {
	in          io.Reader
	interrupted bool
	reading     bool // a read has started, and its result has not been passed on
	typed       chan Line
	pressed     chan string
}

func newKeys(in io.Reader) *keys {
	return &keys{in: in, typed: make(chan Line, 1), pressed: make(chan string, 1)}
}

// clearLine has the keys that clear the line: after the cursor, then before it.
const clearLine = "\x05\x15"

// homeAndEnd replaces the sequences of tmux, screen and other terminals by those that the line
// editor knows.
var homeAndEnd = strings.NewReplacer(
	"\x1b[1~", "\x01", "\x1b[7~", "\x01", "\x1bOH", "\x01",
	"\x1b[4~", "\x05", "\x1b[8~", "\x05", "\x1bOF", "\x05")

func (k *keys) Read(b []byte) (int, error) {
	if !k.reading {
		k.reading = true
		go func() {
			b := make([]byte, min(len(b), 256))
			n, err := k.in.Read(b)
			k.typed <- Line{string(b[:n]), err}
		}()
	}
	select {
	case text := <-k.pressed:
		return copy(b, text), nil
	case typed := <-k.typed:
		k.reading = false
		k.interrupted = strings.Contains(typed.Text, "\x03")
		return copy(b, homeAndEnd.Replace(typed.Text)), typed.Err
	}
}

// Ask implements [Keyboard]. It clears the line and drops a line that was typed too late, since
// they were answers to another question.
func (t *Terminal) Ask(prompt string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case late := <-t.lines:
		if late.Err != nil {
			t.lines <- late
			return
		}
	default:
	}
	if width, height, err := term.GetSize(int(t.file.Fd())); err == nil && width > 0 {
		_ = t.line.SetSize(width, height) // if it fails, lines are wrapped as before
	}
	t.line.SetPrompt(prompt)
	if t.cooked != nil {
		_, _ = t.line.Write(nil) // shows the prompt
		select {
		case t.keys.pressed <- clearLine:
		default: // it is pressed already
		}
		return
	}
	select {
	case <-t.keys.pressed:
	default:
	}
	cooked, err := term.MakeRaw(int(t.file.Fd()))
	if err != nil {
		t.lines <- Line{Err: err}
		return
	}
	t.cooked = cooked
	go t.read()
}

// read reads one line.
func (t *Terminal) read() {
	text, err := t.line.ReadLine()
	if errors.Is(err, term.ErrPasteIndicator) {
		err = nil
	}
	if errors.Is(err, io.EOF) && t.keys.interrupted {
		err = ErrInterrupted
	}
	if err != nil {
		io.WriteString(t.out, "\r\n")
	}
	t.mu.Lock()
	if failed := t.restore(); err == nil {
		err = failed
	}
	t.mu.Unlock()
	t.lines <- Line{text, err}
}

// Retitle changes the prompt of the current line.
func (t *Terminal) Retitle(prompt string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cooked != nil {
		t.line.SetPrompt(prompt)
		_, _ = t.line.Write(nil) // shows the prompt
	}
}

// Lines implements [Keyboard].
func (t *Terminal) Lines() <-chan Line { return t.lines }

// Write implements [Keyboard].
func (t *Terminal) Write(text []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cooked != nil {
		return Wrapper{t.line, t.file}.Write(text)
	}
	return Wrapper{t.out, t.file}.Write(text)
}

// Close restores the terminal, and removes a prompt without an answer.
func (t *Terminal) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cooked != nil {
		io.WriteString(t.out, "\r\x1b[K")
	}
	return t.restore()
}

// restore ends the raw mode of the terminal. The lock is held.
func (t *Terminal) restore() error {
	if t.cooked == nil {
		return nil
	}
	cooked := t.cooked
	t.cooked = nil
	return term.Restore(int(t.file.Fd()), cooked)
}
