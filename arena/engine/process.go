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

// A ProcessConfig says how long an engine is waited for. The zero value is good for most uses.
type ProcessConfig struct {
	Wait   time.Duration // for anything but a move; 0: ten seconds
	Margin time.Duration // how much later than its time a move may arrive; 0: a quarter of a second
}

const (
	lastWait  = time.Second // for what an engine still has to say when it was told to stop, and for it to end
	keptLines = 40          // of what was said last, of what was told with a move, of what should not have been said
	keptErrs  = 4 << 10     // bytes of what it wrote last to its standard error

	mostOptions = 1000
)

// A Process is somebody's engine at work. It is for one goroutine at a time. Whatever the engine does, its owner gets an answer or a
// [*Fault] in time, and Close ends it with all that it has started.
type Process struct {
	Name    string   // that the engine goes by
	Options []Option // that it has

	command string
	config  ProcessConfig
	rules   digit.Rules
	words   Words // that it plays in; nil: in digits

	cmd    *exec.Cmd
	mark   string      // a variable that the engine and all that it starts have in their environment
	pipes  [3]*os.File // our ends of its input, output and standard error
	told   chan string // to be written; closed to end its input
	lines  chan string // what it wrote; closed when it writes no more
	done   chan struct{}
	exited chan struct{} // closed when it has ended
	quiet  chan struct{} // closed when its standard error has
	work   sync.WaitGroup
	close  sync.Once

	patience time.Duration // with a move, once it was told to stop
	newline  string        // that ends what it is told
	ended    bool          // its input
	unsaid   []string      // what it is told with the next that it is told
	talk     []string
	awaited  map[string]int // how many answers are still to come, by their verb
	infos    []string

	strays    []string // what should not have been written
	strayTalk []string // what was said up to the first of them

	mu   sync.Mutex
	errs []byte // the last that it wrote to its standard error
}

// An Answer is a move that an engine chose.
type Answer struct {
	Text  string     // what it wrote for the move
	Move  digit.Move // that this is, if it is one
	Swap  bool       // it takes over the first move instead
	Infos []string   // what it told before, the last of it: each without the word info
	Took  time.Duration
}

// Start runs an engine and shakes hands with it. The error is a [*Fault], that of the context, or says what is wrong with the command.
func Start(ctx context.Context, command string, config ProcessConfig) (*Process, error) {
	p, err := launch(ctx, command, config)
	if err != nil {
		return nil, err
	}
	if err := p.shake(ctx); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// launch runs an engine.
func launch(ctx context.Context, command string, config ProcessConfig) (*Process, error) {
	words, err := splitCommand(command)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	config.Wait, config.Margin = cmp.Or(config.Wait, 10*time.Second), cmp.Or(config.Margin, 250*time.Millisecond)
	p := &Process{
		command: command, config: config, rules: digit.Dilemma, cmd: exec.Command(words[0], words[1:]...), mark: "DUEL_ENGINE_" + rand.Text(),
		told: make(chan string, 64), lines: make(chan string), done: make(chan struct{}), exited: make(chan struct{}), quiet: make(chan struct{}), awaited: map[string]int{}, patience: lastWait, newline: "\n",
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
		return nil, &Fault{Crashed, command, "it cannot be started: " + err.Error()}
	}
	closeAll(theirs)
	for _, work := range []func(){p.write, p.read, p.readErrors, p.waitForEnd} {
		p.work.Go(work)
	}
	return p, nil
}

func closeAll(lists ...[3]*os.File) {
	for _, files := range lists {
		for _, f := range files {
			if f != nil {
				_ = f.Close() // nothing is kept in a pipe
			}
		}
	}
}

// splitCommand splits a command line at spaces. What is between quotes stays together.
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
		return nil, fmt.Errorf("engine %q: a quote is not closed", command)
	case len(words) == 0 || words[0] == "":
		return nil, fmt.Errorf("engine %q: a command is wanted, as in engine:python3 my.py", command)
	}
	return words, nil
}

// write writes what the engine is told. An engine that does not read holds up nobody else.
func (p *Process) write() {
	defer p.pipes[0].Close() //nolint:errcheck // nothing is kept in a pipe
	for text := range p.told {
		if _, err := io.WriteString(p.pipes[0], text); err != nil { // it has ended, which its output says
			for range p.told {
			}
			return
		}
	}
}

// read reads lines for whoever waits for them. While nobody does, the engine has to wait too.
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

// readErrors keeps the end of what the engine writes to its standard error.
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

// waitForEnd waits for the engine to end, and ends what it has started.
func (p *Process) waitForEnd() {
	_ = p.cmd.Wait() // how it ended is asked of its state
	killGroup(p.cmd)
	close(p.exited) // callers wait for the engine itself
	p.killDescendants()
}

// killDescendants kills what the engine has started, until no more is found.
func (p *Process) killDescendants() {
	const rounds = 100 // against an engine that starts processes faster than they end
	killed := map[int]bool{}
	for range rounds {
		before := len(killed)
		for pid, process := range descendants(p.cmd.Process, p.mark) {
			_ = process.Kill()    // it may have ended
			_ = process.Release() // only its handle is closed
			killed[pid] = true
		}
		if len(killed) == before {
			return
		}
	}
}

// Close ends the engine: it is asked to quit, and after a second it is killed with all that it has started.
func (p *Process) Close() {
	p.close.Do(func() {
		before := descendants(p.cmd.Process, p.mark) // those of an engine that has ended are harder to find
		p.tell(Command{Verb: "quit"})
		p.end(lastWait)
		for _, process := range before {
			_ = process.Kill()    // it may have ended
			_ = process.Release() // only its handle is closed
		}
		p.killDescendants()
		select {
		case <-p.exited: // with its group, whose number may be another's by now
		default:
			killGroup(p.cmd)
		}
		close(p.done)
		for _, f := range p.pipes[1:] {
			_ = f.Close() // nothing is kept in a pipe
		}
		_ = p.pipes[0].SetWriteDeadline(time.Now()) // for what it never read
		p.work.Wait()
	})
}

// end ends the input of the engine, and reports whether the engine ends within a time.
func (p *Process) end(within time.Duration) bool {
	if !p.ended {
		p.ended = true
		close(p.told)
	}
	return p.ends(within)
}

// ends reports whether the engine ends within a time. What it still has to say is heard.
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
			p.hear(line)
		case <-exited:
			exited = nil
		case <-timer.C:
			return exited == nil // what it has started may hold its output open
		}
	}
	return true
}

// tell tells the engine something, as soon as it reads it. What an engine that does not read is told is lost, and is not answered.
func (p *Process) tell(commands ...Command) {
	var lines []string
	for _, c := range commands {
		lines = append(lines, c.String())
	}
	p.say(lines...)
}

// say tells the engine lines, after those that were left unsaid.
func (p *Process) say(lines ...string) {
	var text strings.Builder
	lines, p.unsaid = append(p.unsaid, lines...), nil
	for _, line := range lines {
		told, _, _ := strings.Cut(line, " ")
		if verb := answers[told]; verb != "" {
			p.awaited[verb]++
		}
		text.WriteString(line + p.newline)
		p.note("> " + line)
	}
	p.send(text.String())
}

func (p *Process) send(text string) {
	if p.ended {
		return
	}
	select {
	case p.told <- text:
	default:
	}
}

// answers are the words that commands are answered with.
var answers = map[string]string{"ugi": "ugiok", "isready": "readyok", "go": "bestmove", "query": "response"}

func (p *Process) note(line string) {
	if len(p.talk) >= 2*keptLines { // so that it is rarely moved
		p.talk = slices.Delete(p.talk, 0, keptLines)
	}
	p.talk = append(p.talk, line)
}

// Dialogue returns what was said last: "> " begins what the engine was told, "< " what it told.
func (p *Process) Dialogue() []string { return p.talk[max(0, len(p.talk)-keptLines):] }

// hear sorts a line of the engine, and returns its first word and what follows.
func (p *Process) hear(line string) (verb, rest string) {
	p.note("< " + line)
	line = strings.TrimSpace(digit.Printable(line))
	verb, rest, _ = strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	counted := verb == "ugiok" || verb == "readyok" || verb == "bestmove" || verb == "response"
	switch {
	case line == "":
	case !isReply(line) || counted && p.awaited[verb] == 0:
		if len(p.strays) == 0 {
			p.strayTalk = slices.Clone(p.Dialogue())
		}
		if len(p.strays) < keptLines {
			p.strays = append(p.strays, line)
		}
		return "", ""
	case counted:
		p.awaited[verb]--
	case verb == "id":
		if name, ok := strings.CutPrefix(rest, "name "); ok {
			p.Name = strings.TrimSpace(name)
		}
	case verb == "option":
		if len(p.Options) < mostOptions {
			p.Options = append(p.Options, parseOption(rest))
		}
	case verb == "info":
		if len(p.infos) >= keptLines {
			p.infos = slices.Delete(p.infos, 0, 1)
		}
		p.infos = append(p.infos, rest)
	}
	return verb, rest
}

// await waits for a line that begins with a word, and returns what follows that. Late is true if it did not come in time.
func (p *Process) await(ctx context.Context, verb string, within time.Duration) (rest string, late bool, err error) {
	timer := time.NewTimer(within)
	defer timer.Stop()
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				return "", false, p.crashed()
			}
			if heard, rest := p.hear(line); heard == verb {
				return rest, false, nil
			}
		case <-timer.C:
			return "", true, nil
		case <-ctx.Done():
			return "", false, ctx.Err()
		}
	}
}

// crashed says how an engine that writes no more has ended.
func (p *Process) crashed() error {
	enough := time.After(lastWait)
	select {
	case <-p.exited:
	case <-enough:
		return p.fault(Crashed, "it closed its output")
	}
	select {
	case <-p.quiet: // what it wrote last says why
	case <-enough:
	}
	return p.fault(Crashed, "it ended with %v", p.cmd.ProcessState)
}

// fault returns what the engine did wrong, with the last that it wrote to its standard error.
func (p *Process) fault(kind Kind, format string, args ...any) *Fault {
	why := fmt.Sprintf(format, args...)
	p.mu.Lock()
	defer p.mu.Unlock()
	errs := strings.Split(strings.TrimSpace(string(p.errs)), "\n")
	if last := errs[len(errs)-1]; kind == Crashed && last != "" {
		why += fmt.Sprintf("; the last it wrote to its standard error: %.200s", digit.Printable(last))
	}
	return &Fault{kind, p.command, why}
}
