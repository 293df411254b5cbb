package engine

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"digitduel/digit"
)

// A ProcessConfig has the time limits for an engine. The zero value is good for most uses.
type ProcessConfig struct {
	Wait   time.Duration // for anything but a move; 0 for ten seconds
	Margin time.Duration // how late a move may be; 0 for a quarter of a second
}

const (
	lastWait  = time.Second // time for the last answers after stop, and for the engine to exit
	keptLines = 40          // lines kept of the dialogue, of infos and of stray lines
	keptErrs  = 4 << 10     // bytes kept of its standard error

	mostOptions = 1000
)

// A Process is a running engine. It is for one goroutine at a time. Whatever the engine does, its
// owner gets an answer or a [*FaultError] in time, and Close ends it with all its descendants.
type Process struct {
	Name    string   // the name of the engine
	Options []Option // the options of the engine

	command string
	config  ProcessConfig
	rules   digit.Rules
	words   Words // the words of the game; nil for digits

	cmd     *exec.Cmd
	mark    string      // a variable in the environment of the engine and its descendants
	pipes   [3]*os.File // our ends of its input, output and standard error
	input   chan string // text to write; closed to end its input
	lines   chan string // lines it wrote; closed at the end of its output
	done    chan struct{}
	exited  chan struct{} // closed when it has exited
	quiet   chan struct{} // closed at the end of its standard error
	running sync.WaitGroup
	close   sync.Once

	patience time.Duration  // time to answer after stop
	newline  string         // ends each line sent
	ended    bool           // its input
	pending  []string       // lines to send before the next one
	talk     []string       // the dialogue, latest line last
	awaited  map[string]int // number of outstanding answers, by their verb
	infos    []string

	strays    []string // lines that it should not have written
	strayTalk []string // the dialogue up to the first of them

	mu   sync.Mutex
	errs []byte // the end of its standard error
}

// An Answer is the answer of an engine to go.
type Answer struct {
	Text  string     // the word after bestmove
	Move  digit.Move // the move, if it is one
	Swap  bool       // it takes over the first move instead
	Infos []string   // the last info lines before it, each without the word info
	Took  time.Duration
}

// Start starts an engine and performs the handshake. The error is a [*FaultError], that of the
// context, or reports a fault in the command.
func Start(ctx context.Context, command string, config ProcessConfig) (*Process, error) {
	p, err := launch(ctx, command, config)
	if err != nil {
		return nil, err
	}
	if err := p.handshake(ctx); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// launch starts an engine.
func launch(ctx context.Context, command string, config ProcessConfig) (*Process, error) {
	words, err := splitCommand(command)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	config.Wait = cmp.Or(config.Wait, 10*time.Second)
	config.Margin = cmp.Or(config.Margin, 250*time.Millisecond)
	p := &Process{
		command: command, config: config, rules: digit.Dilemma,
		cmd:   exec.Command(words[0], words[1:]...),
		mark:  "DUEL_ENGINE_" + rand.Text(),
		input: make(chan string, 64), lines: make(chan string),
		done: make(chan struct{}), exited: make(chan struct{}), quiet: make(chan struct{}),
		awaited: map[string]int{}, patience: lastWait, newline: "\n",
	}
	lead(p.cmd)
	p.cmd.Env = append(p.cmd.Environ(), p.mark+"=1")
	var theirs [3]*os.File
	for i := range theirs {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(p.pipes, theirs)
			return nil, err
		}
		if p.pipes[i], theirs[i] = r, w; i == 0 {
			p.pipes[i], theirs[i] = w, r
		}
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirs[0], theirs[1], theirs[2]
	if err := p.cmd.Start(); err != nil {
		closeAll(p.pipes, theirs)
		return nil, &FaultError{Crashed, command, "cannot start: " + err.Error()}
	}
	closeAll(theirs)
	for _, run := range []func(){p.write, p.read, p.readErrors, p.waitForEnd} {
		p.running.Go(run)
	}
	return p, nil
}

func closeAll(lists ...[3]*os.File) {
	for _, files := range lists {
		for _, f := range files {
			if f != nil {
				_ = f.Close() // a pipe holds nothing to lose
			}
		}
	}
}

// splitCommand splits a command line at spaces. Text in quotes stays together.
func splitCommand(command string) (words []string, err error) {
	var word strings.Builder
	var quote rune
	begun := false
	for _, r := range command {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, begun = r, true
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n'):
			if begun {
				words, begun = append(words, word.String()), false
				word.Reset()
			}
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("engine %q: missing closing quote", command)
	case len(words) == 0 || words[0] == "":
		return nil, fmt.Errorf("engine %q: missing command, as in engine:python3 my.py", command)
	}
	return words, nil
}

// write writes the text sent to the engine. An engine that does not read blocks only this
// goroutine.
func (p *Process) write() {
	defer p.pipes[0].Close() //nolint:errcheck // a pipe holds nothing to lose
	for text := range p.input {
		if _, err := io.WriteString(p.pipes[0], text); err != nil { // the engine has exited
			for range p.input {
			}
			return
		}
	}
}

// read reads the engine's lines for the caller that waits for them. Until then the engine is
// blocked.
func (p *Process) read() {
	defer close(p.lines)
	in := newLineReader(p.pipes[1])
	for {
		line, err := in.next()
		if errors.Is(err, errLong) {
			line = "(" + err.Error() + ")"
		} else if err != nil {
			return
		}
		select {
		case p.lines <- line:
		case <-p.done:
			return
		}
	}
}

// readErrors keeps the end of the engine's standard error.
func (p *Process) readErrors() {
	defer close(p.quiet)
	buffer := make([]byte, keptErrs)
	for {
		n, err := p.pipes[2].Read(buffer)
		p.mu.Lock()
		p.errs = append(p.errs, buffer[:n]...)
		p.errs = p.errs[max(0, len(p.errs)-keptErrs):]
		p.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// waitForEnd waits for the engine to exit, and kills its descendants.
func (p *Process) waitForEnd() {
	_ = p.cmd.Wait() // its state says how it ended
	killGroup(p.cmd)
	close(p.exited) // callers wait for the engine itself
	p.killDescendants()
}

// killDescendants kills the engine's descendants, until there are no more.
func (p *Process) killDescendants() {
	const rounds = 100 // against an engine that starts processes faster than they end
	killed := map[int]bool{}
	for range rounds {
		before := len(killed)
		found := descendants(p.cmd.Process, p.mark)
		kill(found)
		for pid := range found {
			killed[pid] = true
		}
		if len(killed) == before {
			return
		}
	}
}

func kill(processes map[int]*os.Process) {
	for _, process := range processes {
		_ = process.Kill()    // it may have ended
		_ = process.Release() // this closes only the handle
	}
}

// Close ends the engine: it asks it to quit, and after a second kills it with all its
// descendants.
func (p *Process) Close() {
	p.close.Do(func() {
		// The descendants of an engine that has exited are harder to find.
		before := descendants(p.cmd.Process, p.mark)
		p.send("quit")
		p.end(lastWait)
		kill(before)
		select {
		case <-p.exited: // its group is gone, and waitForEnd kills its descendants
		default:
			p.killDescendants()
			killGroup(p.cmd)
		}
		close(p.done)
		for _, f := range p.pipes[1:] {
			_ = f.Close() // a pipe holds nothing to lose
		}
		_ = p.pipes[0].SetWriteDeadline(time.Now()) // drop what it never read
		p.running.Wait()
	})
}

// end closes the input of the engine, and reports whether the engine exits within a time.
func (p *Process) end(within time.Duration) bool {
	if !p.ended {
		p.ended = true
		close(p.input)
	}
	return p.ends(within)
}

// ends reports whether the engine exits within a time. It receives the last lines.
func (p *Process) ends(within time.Duration) bool {
	timer := time.NewTimer(within)
	defer timer.Stop()
	lines, exited := p.lines, p.exited
	for lines != nil || exited != nil {
		select {
		case line, ok := <-lines:
			if !ok {
				lines = nil
				continue
			}
			p.receive(line)
		case <-exited:
			exited = nil
		case <-timer.C:
			return exited == nil // its descendants may hold its output open
		}
	}
	return true
}

// send sends lines to the engine, after pending ones. If the engine does not read, they are lost,
// and not answered.
func (p *Process) send(lines ...string) {
	var text strings.Builder
	lines, p.pending = append(p.pending, lines...), nil
	for _, line := range lines {
		command, _, _ := strings.Cut(line, " ")
		if verb := answers[command]; verb != "" {
			p.awaited[verb]++
		}
		text.WriteString(line + p.newline)
		p.note("> " + line)
	}
	p.queue(text.String())
}

// queue queues text for the engine, unless its queue is full.
func (p *Process) queue(text string) {
	if p.ended {
		return
	}
	select {
	case p.input <- text:
	default:
	}
}

// answers has the verb that answers each command.
var answers = map[string]string{
	"ugi": "ugiok", "isready": "readyok", "go": "bestmove", "query": "response",
}

// note adds a line to the dialogue.
func (p *Process) note(line string) {
	if len(p.talk) >= 2*keptLines { // delete rarely
		p.talk = slices.Delete(p.talk, 0, keptLines)
	}
	p.talk = append(p.talk, line)
}

// Dialogue returns the last lines of the dialogue. Those sent to the engine begin with "> ",
// those received with "< ".
func (p *Process) Dialogue() []string { return p.talk[max(0, len(p.talk)-keptLines):] }

// receive processes a line of the engine, and returns its verb and the rest.
func (p *Process) receive(line string) (verb, rest string) {
	p.note("< " + line)
	line = strings.TrimSpace(digit.Printable(line))
	verb, rest, _ = strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch {
	case line == "":
	// An empty bestmove or response is an answer too: an invalid move, or no legal moves.
	case p.awaited[verb] > 0 && (rest == "" || verb == "bestmove" || verb == "response"):
		p.awaited[verb]--
	case verb == "id" && rest != "":
		if name, ok := strings.CutPrefix(rest, "name "); ok {
			p.Name = strings.TrimSpace(name)
		}
	case verb == "option" && rest != "":
		if len(p.Options) < mostOptions {
			p.Options = append(p.Options, parseOption(rest))
		}
	case verb == "info" && rest != "":
		if len(p.infos) >= keptLines {
			p.infos = slices.Delete(p.infos, 0, 1)
		}
		p.infos = append(p.infos, rest)
	default:
		if len(p.strays) == 0 {
			p.strayTalk = slices.Clone(p.Dialogue())
		}
		if len(p.strays) < keptLines {
			p.strays = append(p.strays, line)
		}
		return "", ""
	}
	return verb, rest
}

// await waits for a line with a verb, and returns the rest of the line. Late is true if there was
// none in time.
func (p *Process) await(
	ctx context.Context, verb string, within time.Duration,
) (rest string, late bool, err error) {
	timer := time.NewTimer(within)
	defer timer.Stop()
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				return "", false, p.crashed()
			}
			if heard, rest := p.receive(line); heard == verb {
				return rest, false, nil
			}
		case <-timer.C:
			return "", true, nil
		case <-ctx.Done():
			return "", false, ctx.Err()
		}
	}
}

// crashed returns a fault that describes how an engine without output has ended.
func (p *Process) crashed() error {
	enough := time.After(lastWait)
	select {
	case <-p.exited:
	case <-enough:
		return p.fault(Crashed, "it closed its output")
	}
	select {
	case <-p.quiet: // its last lines explain why
	case <-enough:
	}
	return p.fault(Crashed, "it ended with %v", p.cmd.ProcessState)
}

// fault returns a fault of the engine. After a crash it includes the last line of its standard
// error.
func (p *Process) fault(kind Fault, format string, args ...any) *FaultError {
	why := fmt.Sprintf(format, args...)
	p.mu.Lock()
	defer p.mu.Unlock()
	errs := strings.Split(strings.TrimSpace(string(p.errs)), "\n")
	if last := errs[len(errs)-1]; kind == Crashed && last != "" {
		why += fmt.Sprintf("; its last line on standard error: %.200s", digit.Printable(last))
	}
	return &FaultError{kind, p.command, why}
}
