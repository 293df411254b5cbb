package eval

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"digitduel/arena"
	"digitduel/arena/engine"
	"digitduel/arena/speech"
	"digitduel/bot"
	"digitduel/digit"
	"digitduel/disk"
	"digitduel/solve"
)

// Files of a run, in addition to those of [arena.Folder].
const (
	TranscriptsFile = "transcripts.jsonl"
	ItemsFile       = "items.jsonl"
	KeyFile         = "key.jsonl"
	AnswersFile     = "answers.jsonl"
)

// A Solver returns the solution of a game of a plan.
type Solver func(digit.Rules) (*solve.Solution, error)

// A Runner asks a model for the moves of a plan.
type Runner struct {
	Plan        *Plan
	Folder      string
	Secrets     Secrets
	Concurrency int
	Solve       Solver
	// Speech returns the wording of a game of the plan.
	Speech func(digit.Rules) speech.Speech
	// Progress, if not nil, is called after results are stored, never concurrently.
	Progress func(done, open, planned int)

	client  *client
	journal *journal
	keys    []arena.Key // of an exam
}

// storeEvery is the time between two writes of the results. The journal has them before.
const storeEvery = 2 * time.Second

// errOpen reports that the server failed too often, so the game or item stays open.
var errOpen = errors.New("the server failed")

// A result is a finished game or item.
type result struct {
	number int
	line   []byte
	err    error
}

// Run plays all games, or asks all items, without a result. It returns how many stay open because
// the server failed, with the last failure.
func (r *Runner) Run(ctx context.Context) (open int, failure error, err error) {
	r.client = newClient(&r.Plan.Settings, r.Secrets, max(1, r.Concurrency))
	if r.journal, err = openJournal(filepath.Join(r.Folder, TranscriptsFile)); err != nil {
		return 0, nil, err
	}
	defer func() { err = errors.Join(err, r.journal.close()) }()
	planned, file, do := r.Plan.Games(), arena.GamesFile, r.playGame
	if r.Plan.Settings.Kind == Exam {
		if r.keys, err = arena.ReadKeys(filepath.Join(r.Folder, KeyFile)); err != nil {
			return 0, nil, err
		}
		planned, file, do = len(r.keys), AnswersFile, r.askItem
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next, results := make(chan int, planned), make(chan result, planned) // no worker waits
	for number := range planned {
		next <- number + 1
	}
	close(next)
	var workers sync.WaitGroup
	for range max(1, r.Concurrency) {
		workers.Go(func() {
			for number := range next {
				if ctx.Err() != nil {
					return
				}
				line, err := do(ctx, number)
				if err != nil && !errors.Is(err, errOpen) {
					cancel(err)
				}
				results <- result{number, line, err}
			}
		})
	}
	go func() {
		workers.Wait()
		close(results)
	}()
	done, stored := make(map[int][]byte, planned), time.Now()
	for one := range results {
		switch {
		case one.err == nil:
			done[one.number] = one.line
		case errors.Is(one.err, errOpen):
			open, failure = open+1, one.err
		}
		if now := time.Now(); err == nil && now.Sub(stored) > storeEvery {
			stored, err = now, r.store(file, planned, done)
		}
		if r.Progress != nil {
			r.Progress(len(done), open, planned)
		}
	}
	return open, failure, errors.Join(err, context.Cause(ctx), r.store(file, planned, done))
}

// store writes the results in the order of the plan, after the journal that they follow from.
func (r *Runner) store(file string, planned int, done map[int][]byte) error {
	if err := r.journal.file.Sync(); err != nil {
		return err
	}
	var text bytes.Buffer
	for number := 1; number <= planned; number++ {
		text.Write(done[number])
	}
	return disk.WriteFile(filepath.Join(r.Folder, file), text.Bytes(), 0o644)
}

// A talk is the conversation with a model about one game.
type talk struct {
	*Runner
	question // of the next answer
	speech.Speech
	rules    digit.Rules
	messages []Message
}

// ask asks for a move in a position, again after an answer that is not a legal move. It returns
// the last fault if there is none.
func (t *talk) ask(ctx context.Context, p digit.Position) (
	m arena.Move, f engine.Fault, err error,
) {
	if t.Plan.Settings.Context == ByMove || len(t.messages) == 0 {
		t.messages = []Message{{"system", speech.System(t.Speech)}}
	}
	question := speech.Question(t.Speech, t.rules, p, t.Plan.ShowMoves)
	t.messages = append(t.messages, Message{"user", question})
	for t.Try = 1; ; t.Try++ {
		line, err := t.answer(ctx, p)
		if err != nil {
			return m, "", err
		}
		used := line.tokens()
		m.Tries, m.MS, m.Tokens = t.Try, m.MS+line.MS, m.Tokens+used.Prompt+used.Completion
		if line.Cost != nil {
			m.Cost = math.Round((m.Cost+*line.Cost)*1e9) / 1e9
		}
		var why error
		m.Move, why = speech.Answer(t.Speech, t.rules, p, line.Content)
		t.messages = append(t.messages, Message{"assistant", line.Content})
		if line.Fault == "" || line.Fault == engine.Late || t.Try > t.Plan.Retries {
			return m, line.Fault, nil
		}
		m.Faults = append(m.Faults, line.Fault)
		t.messages = append(t.messages, again(line.Content, why))
	}
}

// answer returns the line with the model's answer to a question: that of the journal, or a new
// one.
func (t *talk) answer(ctx context.Context, p digit.Position) (*Line, error) {
	late, attempts := 0, 0
	for _, l := range t.journal.known[t.question] {
		if attempts = l.Attempt; l.answered() {
			return &l, nil
		}
		if l.Late {
			late++
		}
	}
	for n := 1; ; n++ {
		attempts++
		line, failure, err := t.attempt(ctx, p, attempts, late)
		switch {
		case err != nil || failure == nil:
			return line, err
		case failure.late:
			late++
		case failure.now:
			n-- // the request was changed
		}
		if n >= t.Plan.Settings.Attempts {
			return nil, fmt.Errorf("%w: %w", errOpen, failure)
		}
		if err := t.client.wait(ctx, failure, n-1); err != nil {
			return nil, err
		}
	}
}

// attempt makes one call and writes its line. The second call without an answer in time is a
// fault of the model.
func (t *talk) attempt(
	ctx context.Context, p digit.Position, attempt, late int,
) (*Line, *retryError, error) {
	began := time.Now()
	line, err := t.client.call(ctx, t.messages)
	var failure *retryError
	if err != nil && !errors.As(err, &failure) {
		return nil, nil, err
	}
	line.question, line.Attempt = t.question, attempt
	line.At, line.MS = began.UTC(), arena.Milliseconds(time.Since(began))
	line.Messages = slices.Clone(t.messages)
	switch {
	case failure != nil && failure.late && late == 1:
		line.Fault, failure = engine.Late, nil
	case failure != nil:
		line.Error, line.Late = failure.Error(), failure.late
	default:
		t.read(&line, p)
	}
	return &line, failure, t.journal.add(&line)
}

// read reads the move in an answer.
func (t *talk) read(line *Line, p digit.Position) {
	m, err := speech.Answer(t.Speech, t.rules, p, line.Content)
	if refused, ok := errors.AsType[*speech.Refusal](err); ok {
		line.Fault = engine.Fault(refused.Fault)
	} else {
		line.Move = t.Move(m)
	}
}

// playGame plays a game of the plan and returns its line.
func (r *Runner) playGame(ctx context.Context, number int) ([]byte, error) {
	due := r.Plan.Due(number)
	s, err := r.Solve(due.Rules)
	if err != nil {
		return nil, err
	}
	t := talk{Runner: r, Speech: r.Speech(due.Rules), rules: due.Rules}
	t.Game = number
	choose := func(p digit.Position, ply int) (arena.Move, engine.Fault, error) {
		t.Ply = ply
		return t.ask(ctx, p)
	}
	g, err := r.Plan.play(due, s, choose)
	if err != nil {
		return nil, fmt.Errorf("game %d: %w", number, err)
	}
	return arena.JSONLines(g)
}

// play plays a game of the plan. Mine chooses the moves for the model, after a number of others.
func (p *Plan) play(
	due arena.Due, s *solve.Solution,
	mine func(at digit.Position, ply int) (arena.Move, engine.Fault, error),
) (g arena.Game, err error) {
	level, err := bot.ParseLevel(due.Opponent)
	if err != nil {
		return g, err
	}
	start, err := due.Rules.ParsePosition(due.Start)
	if err != nil {
		return g, err
	}
	var made []arena.Move
	var fault engine.Fault
	for at := start; !due.Rules.Result(at).Over(); {
		move := arena.Move{Tries: 1}
		if due.Rules.Turn(at) == due.Side {
			if move, fault, err = mine(at, len(made)); err != nil {
				return g, err
			}
			if fault != "" {
				break
			}
		} else {
			move.Move = bot.Foretold(level, s, due.Seed, 1, due.Rules.Ply(at)).Choose(at)
		}
		made = append(made, move)
		at, _ = due.Rules.Play(at, move.Move) // it is legal
	}
	return p.EvaluateGame(s, due.Game, start, made, fault)
}

// askItem asks for the answer to an item of an exam and returns its line.
func (r *Runner) askItem(ctx context.Context, number int) ([]byte, error) {
	item := r.keys[number-1]
	p, err := item.Rules.ParsePosition(item.Position)
	if err != nil {
		return nil, err
	}
	t := talk{Runner: r, Speech: r.Speech(item.Rules), rules: item.Rules}
	t.Item = item.Item
	m, fault, err := t.ask(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("item %d: %w", item.Item, err)
	}
	reply := arena.Reply{Item: item.Item, Fault: fault}
	if fault == "" {
		reply.Move = t.Move(m.Move)
	}
	return arena.JSONLines(reply)
}

// Discard removes a run without any answer, and its folder if nothing else is in it.
func Discard(dir string) {
	path := filepath.Join(dir, TranscriptsFile)
	if info, err := os.Stat(path); err != nil || info.Size() > 0 {
		return
	}
	for _, name := range []string{TranscriptsFile, ItemsFile, KeyFile, AnswersFile,
		arena.GamesFile, arena.PlanFile} {
		_ = os.Remove(filepath.Join(dir, name)) // some do not exist
	}
	_ = os.Remove(dir) // fails if it has other files
}

// Begin writes the plan, and the items of an exam.
func (r *Runner) Begin(ctx context.Context) error {
	if r.Plan.Settings.Kind == Exam {
		exam, err := r.Plan.Settings.exam(r.Plan.Plan)
		if err != nil {
			return err
		}
		items, keys, err := exam.Lines(ctx, r.Plan.Spec, r.Solve)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(r.Folder, 0o755); err != nil {
			return err
		}
		for name, text := range map[string][]byte{ItemsFile: items, KeyFile: keys} {
			if err := disk.WriteFile(filepath.Join(r.Folder, name), text, 0o644); err != nil {
				return err
			}
		}
	}
	return arena.Folder(r.Folder).WritePlan(r.Plan.Plan)
}

// Describe prints a prompt, the number of calls and, with prices, the cost.
func (r *Runner) Describe(out io.Writer) error {
	exam, err := r.Plan.Settings.exam(r.Plan.Plan)
	if err != nil {
		return err
	}
	rules := r.Plan.Rules[0]
	words := r.Speech(rules)
	calls, start := exam.Items(), digit.Position{}
	count := fmt.Sprintf("%d items, %[1]d calls", calls)
	if r.Plan.Settings.Kind == Games {
		calls = r.Plan.calls()
		count = fmt.Sprintf("%d games, up to %d calls", r.Plan.Games(), calls)
		start, _ = rules.ParsePosition(r.Plan.Positions[0][0]) // the plan was checked
	}
	system := speech.System(words)
	question := speech.Question(words, rules, start, r.Plan.ShowMoves)
	text := strings.Join([]string{system, question, count + "\n"}, "\n\n---\n\n")
	if price := r.Plan.Settings.Price; price != nil {
		in := float64(calls) * float64(len(system)+len(question)) / 4
		text += fmt.Sprintf("prompts: about %.0f tokens, $%.2f; each 1,000 tokens of an answer "+
			"add $%.2f in all\n", in, in*price[0]/1e6, float64(calls)*price[1]/1e3)
	}
	_, err = io.WriteString(out, text)
	return err
}

// calls returns the number of calls if every game is played to its last move, and every answer is
// a legal move.
func (p *Plan) calls() (calls int) {
	for number := 1; number <= p.Games(); number++ {
		due := p.Due(number)
		at, _ := due.Rules.ParsePosition(due.Start) // the plan was checked
		left := due.Rules.Fills(digit.First) + due.Rules.Fills(digit.Second) - due.Rules.Ply(at)
		if due.Rules.Turn(at) == due.Side {
			left++
		}
		calls += left / 2
	}
	return calls
}
