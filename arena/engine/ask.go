package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"digitduel/digit"
)

// handshake performs the handshake, and stores what the engine declares.
func (p *Process) handshake(ctx context.Context) error {
	p.send("ugi")
	_, err := p.reply(ctx, "ugiok")
	return p.buffers(err)
}

// reply waits for an answer that is not a move, and returns its text.
func (p *Process) reply(ctx context.Context, verb string) (string, error) {
	rest, late, err := p.await(ctx, verb, p.config.Wait)
	if late {
		err = p.fault(Silent, "no %s within %v", verb, p.config.Wait)
	}
	return rest, err
}

// buffers extends the fault of a silent engine if it has answered but buffers its output.
func (p *Process) buffers(err error) error {
	var fault *FaultError
	if !errors.As(err, &fault) || fault.Fault != Silent {
		return err
	}
	before := len(p.talk)
	p.end(lastWait)
	if len(p.talk) > before {
		fault.Why += "; it answered when its input ended, so it buffers its output: " +
			"flush after each line"
	}
	return fault
}

// Option returns the option with a name, ignoring case.
func (p *Process) Option(name string) (o Option, ok bool) {
	same := func(o Option) bool { return strings.EqualFold(o.Name, name) }
	i := slices.IndexFunc(p.Options, same)
	if i < 0 {
		return o, false
	}
	return p.Options[i], true
}

// NewGame sets the rules of the next game, and waits until the engine is ready for it.
func (p *Process) NewGame(ctx context.Context, r digit.Rules) error {
	if err := p.setRules(r); err != nil {
		return err
	}
	p.words = nil
	return p.ready(ctx, "uginewgame")
}

// ready sends lines, and waits until the engine is ready.
func (p *Process) ready(ctx context.Context, lines ...string) error {
	p.send(append(lines, "isready")...)
	_, err := p.reply(ctx, "readyok")
	return err
}

// set sets an option. The line is sent with the next one, because waking the engine costs more
// than reading it.
func (p *Process) set(o Option, value string) {
	p.pending = append(p.pending, "setoption name "+o.Name+" value "+value)
}

// SetSeed sets the random seed of the next game, if the engine has such an option.
func (p *Process) SetSeed(seed uint64) {
	if o, ok := p.Option("Seed"); ok {
		p.set(o, strconv.FormatUint(seed, 10))
	}
}

// Plays returns nil if the engine declares that it plays the rules.
func (p *Process) Plays(r digit.Rules) error {
	o, ok := p.Option("Rules")
	switch {
	case !ok && r != digit.Dilemma:
		return fmt.Errorf("engine %.80q: no option Rules, so it plays only %v, not %v",
			p.command, digit.Dilemma, r)
	case ok && o.Type == "combo" && !slices.Contains(o.Vars, r.String()):
		return fmt.Errorf("engine %.80q: it does not play %v; it plays: %s",
			p.command, r, strings.Join(o.Vars, ", "))
	}
	return nil
}

// setRules sets the rules.
func (p *Process) setRules(r digit.Rules) error {
	if err := p.Plays(r); err != nil {
		return err
	}
	if o, ok := p.Option("Rules"); ok {
		p.set(o, r.String())
	}
	p.rules = r
	return nil
}

// Choose asks for a move after some moves from a position, under the rules of the last NewGame.
// The error is that of the context or a [*FaultError]. If that is unreadable, illegal or late,
// there is an answer too.
func (p *Process) Choose(
	ctx context.Context, start digit.Position, moves []digit.Move, limit Limit,
) (Answer, error) {
	at := start
	for _, m := range moves {
		var err error
		if at, err = p.rules.Play(at, m); err != nil {
			return Answer{}, err
		}
	}
	a, late, err := p.ask(ctx, p.position(start, moves), limit, p.rules.Turn(at))
	if err != nil {
		return a, err
	}
	over := p.rules.Result(at).Over()
	if a.Text == noMove && over {
		return a, nil
	}
	if a.Text == noMove {
		return a, p.fault(Illegal, "no move in %s, where the game is not over", p.rules.Text(at))
	}
	if a.Text == takeOver && limit.Swap && one(p.rules, at) && !over {
		a.Swap = true
		return a, late
	}
	m, err := p.parse(a.Text)
	if err != nil {
		p.refuse(err.Error())
		return a, p.fault(Unreadable, "%v", err)
	}
	a.Move = m
	if _, err := p.rules.Play(at, m); err != nil {
		why := err.Error()
		if illegal, ok := errors.AsType[*digit.MoveError](err); ok && p.words != nil {
			why = p.words.Refused(at, illegal)
		}
		p.refuse(why)
		return a, p.fault(Illegal, "%v in %s", err, p.rules.Text(at))
	}
	return a, late
}

// refuse queues the reason why an answer is not a legal move, for an engine that is asked again.
func (p *Process) refuse(why string) {
	p.pending = append(p.pending, "refused "+strings.Join(strings.Fields(why), " "))
}

// catchUp processes the lines that the engine has written in the meantime, so that they are not
// taken for an answer.
func (p *Process) catchUp() {
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				return
			}
			p.receive(line)
		default:
			return
		}
	}
}

// allowed returns the time that an engine has for a move.
func (p *Process) allowed(limit Limit, turn digit.Side) time.Duration {
	return cmp.Or(limit.MoveTime, limit.Clock[turn], p.config.Wait)
}

// ask sends a position and asks for a move there, without checking it. It sends stop to an engine
// that is late, and then late is not nil.
func (p *Process) ask(
	ctx context.Context, position string, limit Limit, turn digit.Side,
) (a Answer, late, err error) {
	p.catchUp()
	p.infos = nil
	p.send(position, "go"+limit.String())
	began, allowed := time.Now(), p.allowed(limit, turn)
	rest, overdue, err := p.await(ctx, "bestmove", allowed+p.config.Margin)
	if overdue {
		p.send("stop")
		var silent bool
		if rest, silent, err = p.await(ctx, "bestmove", p.patience); silent {
			return a, nil, p.fault(Silent, "no move after %v, nor after stop", allowed)
		}
	}
	if err != nil {
		return a, nil, err
	}
	a.Took, a.Infos = time.Since(began), p.infos
	a.Text = strings.TrimSpace(rest)
	if overdue {
		late = p.fault(Late, "a move after %v, but %v are allowed",
			a.Took.Round(time.Millisecond), allowed)
	}
	return a, late, nil
}

const (
	noMove   = "(none)" // the answer if there is no legal move
	takeOver = "swap"   // the answer that takes over the first move
)

// one reports whether exactly one move was made.
func one(r digit.Rules, p digit.Position) bool {
	return r.Held(p, digit.First).Len() == 1 && r.Held(p, digit.Second) == 0
}
