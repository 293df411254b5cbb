package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
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

// A Runner asks a model for the moves of a plan.
type Runner struct {
	Plan        *Plan
	Folder      string
	Secrets     Secrets
	Concurrency int
	// Solve returns the solution of a game of the plan.
	Solve func(digit.Rules) (*solve.Solution, error)
	// Speech returns the wording of a game of the plan.
	Speech func(digit.Rules) (speech.Speech, error)
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
	planned, file, do := 0, arena.GamesFile, r.playGame
	if r.Plan.Settings.Kind == Exam {
		if r.keys, err = arena.ReadKeys(filepath.Join(r.Folder, KeyFile)); err != nil {
			return 0, nil, err
		}
		planned, file, do = len(r.keys), AnswersFile, r.askItem
	} else {
		planned = r.Plan.Games()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results := r.start(ctx, cancel, planned, do)
	done, stored := make(map[int][]byte, planned), r.client.now()
	for one := range results {
		batch := []result{one}
		for more := true; more; {
			select {
			case next, ok := <-results:
				more = ok
				if ok {
					batch = append(batch, next)
				}
			default:
				more = false
			}
		}
		for _, one := range batch {
			switch {
			case one.err == nil:
				done[one.number] = one.line
			case errors.Is(one.err, errOpen):
				open, failure = open+1, one.err
			case err == nil && !errors.Is(one.err, context.Canceled):
				err = one.err
			}
		}
		if now := r.client.now(); err == nil && now.Sub(stored) > storeEvery {
			stored, err = now, r.store(file, planned, done)
		}
		if r.Progress != nil {
			r.Progress(len(done), open, planned)
		}
	}
	if cause := context.Cause(ctx); err == nil && cause != nil {
		err = cause
	}
	return open, failure, errors.Join(err, r.store(file, planned, done))
}

// start starts the workers. The channel is closed when all have ended.
func (r *Runner) start(
	ctx context.Context, cancel context.CancelCauseFunc, planned int,
	do func(context.Context, int) ([]byte, error),
) <-chan result {
	next, results := make(chan int), make(chan result)
	go func() {
		defer close(next)
		for number := 1; number <= planned; number++ {
			select {
			case <-ctx.Done():
				return
			case next <- number:
			}
		}
	}()
	var all sync.WaitGroup
	for range max(1, r.Concurrency) {
		all.Go(func() {
			for number := range next {
				line, err := do(ctx, number)
				if err != nil && !errors.Is(err, errOpen) {
					cancel(err)
				}
				results <- result{number, line, err}
			}
		})
	}
	go func() {
		all.Wait()
		close(results)
	}()
	return results
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
	retries  int
}

// A said is the answer to a question, in the end.
type said struct {
	move   digit.Move
	text   string // of the move, as it was written
	faults []arena.Fault
	fault  arena.Fault // the last, if there is no move
	ms     float64
	tokens int64
	cost   float64
}

// ask asks for a move in a position, again after an answer that is not a legal move.
func (t *talk) ask(ctx context.Context, p digit.Position) (a said, err error) {
	if t.Plan.Settings.Context == ByMove || len(t.messages) == 0 {
		t.messages = []Message{System(t.Speech)}
	}
	t.messages = append(t.messages, Question(t.Speech, t.rules, p, t.Plan.ShowMoves))
	for t.try = 1; ; t.try++ {
		line, err := t.answer(ctx, p)
		if err != nil {
			return a, err
		}
		used := line.tokens()
		a.ms, a.tokens = a.ms+line.MS, a.tokens+used.Prompt+used.Completion
		if line.Cost != nil {
			a.cost += *line.Cost
		}
		m, why := speech.Answer(t.Speech, t.rules, p, line.Content)
		t.messages = append(t.messages, Message{"assistant", line.Content})
		if line.Fault == "" {
			a.move, a.text = m, line.Move
			return a, nil
		}
		if a.fault = line.Fault; line.Fault == engine.Late || t.try > t.retries {
			return a, nil
		}
		a.faults, a.fault = append(a.faults, line.Fault), ""
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
	for n := 0; n < t.Plan.Settings.Attempts; n++ {
		attempts++
		line, failure, err := t.attempt(ctx, p, attempts, late)
		if err != nil || failure == nil {
			return line, err
		}
		if failure.late {
			late++
		}
		if n == t.Plan.Settings.Attempts-1 {
			return nil, fmt.Errorf("%w: %w", errOpen, failure)
		}
		if err := t.client.wait(ctx, failure, n); err != nil {
			return nil, err
		}
	}
	return nil, errOpen
}

// attempt makes one call and writes its line. The second call without an answer in time is a
// fault of the model.
func (t *talk) attempt(
	ctx context.Context, p digit.Position, attempt, late int,
) (*Line, *retryError, error) {
	began := t.client.now()
	reply, err := t.client.call(ctx, t.messages)
	var failure *retryError
	if err != nil && !errors.As(err, &failure) {
		return nil, nil, err
	}
	line := &Line{
		Game: t.game, Item: t.item, Ply: t.ply, Try: t.try, Attempt: attempt,
		At: began.UTC(), MS: arena.Milliseconds(t.client.now().Sub(began)), Status: reply.status,
		Messages: slices.Clone(t.messages), Content: reply.content, Reasoning: reply.reasoning,
		FinishReason: reply.finishReason, Model: reply.model, Usage: reply.usage, Cost: reply.cost,
	}
	switch {
	case failure != nil && failure.late && late == 1:
		line.Fault, failure = engine.Late, nil
	case failure != nil:
		line.Error, line.Late = failure.Error(), failure.late
	default:
		t.read(line, p)
	}
	return line, failure, t.journal.add(line)
}

// read reads the move in an answer.
func (t *talk) read(line *Line, p digit.Position) {
	m, err := speech.Answer(t.Speech, t.rules, p, line.Content)
	refused, isRefused := errors.AsType[*speech.Refusal](err)
	switch {
	case !isRefused:
		line.Move = t.Move(m)
	case refused.Readable:
		line.Fault = engine.Illegal
	default:
		line.Fault = engine.Unreadable
	}
}

// playGame plays a game of the plan and returns its line.
func (r *Runner) playGame(ctx context.Context, number int) ([]byte, error) {
	due := r.Plan.Due(number)
	s, err := r.Solve(due.Rules)
	if err != nil {
		return nil, err
	}
	words, err := r.Speech(due.Rules)
	if err != nil {
		return nil, err
	}
	level, err := bot.ParseLevel(due.Opponent)
	if err != nil {
		return nil, err
	}
	start, err := due.Rules.ParsePosition(due.Start)
	if err != nil {
		return nil, err
	}
	t := talk{Runner: r, Speech: words, rules: due.Rules, retries: r.Plan.Retries}
	t.game = number
	var made []arena.Move
	var fault arena.Fault
	for p := start; fault == "" && !due.Rules.Result(p).Over(); {
		move := arena.Move{Tries: 1}
		if due.Rules.Turn(p) == due.Side {
			t.ply = len(made)
			a, err := t.ask(ctx, p)
			if err != nil {
				return nil, fmt.Errorf("game %d: %w", number, err)
			}
			if fault = a.fault; fault != "" {
				break
			}
			move = arena.Move{
				Move: a.move, MS: a.ms, Tries: 1 + len(a.faults), Faults: a.faults,
				Tokens: a.tokens, Cost: math.Round(a.cost*1e9) / 1e9,
			}
		} else {
			move.Move = bot.Foretold(level, s, due.Seed, 1, due.Rules.Ply(p)).Choose(p)
		}
		made = append(made, move)
		p, _ = due.Rules.Play(p, move.Move) // it is legal
	}
	players := [2]string{due.Opponent, due.Opponent}
	players[due.Side] = due.Player
	g, err := arena.Judge(s, start, players, made, fault)
	if err != nil {
		return nil, fmt.Errorf("game %d: %w", number, err)
	}
	g.Game, g.Pair, g.Plan = number, (number+1)/2, r.Plan.ID
	line, err := json.Marshal(g)
	return append(line, '\n'), err
}

// askItem asks for the answer to an item of an exam and returns its line.
func (r *Runner) askItem(ctx context.Context, number int) ([]byte, error) {
	item := r.keys[number-1]
	p, err := item.Rules.ParsePosition(item.Position)
	if err != nil {
		return nil, err
	}
	words, err := r.Speech(item.Rules)
	if err != nil {
		return nil, err
	}
	t := talk{Runner: r, Speech: words, rules: item.Rules, retries: r.Plan.Retries}
	t.item = item.Item
	a, err := t.ask(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("item %d: %w", item.Item, err)
	}
	line, err := json.Marshal(arena.Reply{Item: item.Item, Move: a.text, Fault: a.fault})
	return append(line, '\n'), err
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

// Calls returns the number of calls of a plan if every game is played to its last move, and every
// answer is a legal move.
func Calls(p *Plan) (calls int) {
	for number := 1; number <= p.Games(); number++ {
		due := p.Due(number)
		at, err := due.Rules.ParsePosition(due.Start)
		if err != nil {
			continue // the plan was checked
		}
		left := due.Rules.Fills(digit.First) + due.Rules.Fills(digit.Second) - due.Rules.Ply(at)
		if due.Rules.Turn(at) == due.Side {
			left++
		}
		calls += left / 2
	}
	return calls
}
