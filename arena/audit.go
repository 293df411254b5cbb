package arena

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/solve"
)

// An Audit is the result of checking all games of a match or a run.
type Audit struct {
	Plan        string       `json:"plan"`
	Games       int          `json:"games"` // games in the file
	Planned     int          `json:"planned"`
	Torn        bool         `json:"torn"` // the last line is incomplete, and not a game yet
	Differences []Difference `json:"differences"`
}

// A Difference is a fault in a run.
type Difference struct {
	Game int    `json:"game,omitempty"` // 0 if it is not about one game
	What string `json:"what"`
}

func (d Difference) String() string {
	if d.Game == 0 {
		return d.What
	}
	return fmt.Sprintf("game %d: %s", d.Game, d.What)
}

// A fixture is a game as planned, and its line.
type fixture struct {
	pair
	game    int
	players [2]string // by side
	text    []byte
}

// CheckRun checks all games of a match or a run: it recomputes every figure from the plan, the
// moves and the solution, and every move of a level that follows from the plan. It checks games
// of the same rules together, so that it needs one solution at a time. A difference is not an
// error.
func CheckRun(
	ctx context.Context, p *Plan, games, tables []byte,
	solved func(digit.Rules) (*solve.Solution, error),
) (*Audit, error) {
	a := &Audit{Plan: p.ID, Differences: []Difference{}}
	if p.forAgent() && len(tables) > 0 {
		if _, err := newDesk(p).readTables(bytes.NewReader(tables)); err != nil {
			return nil, fmt.Errorf("the list of tables: %w", err)
		}
	}
	fixtures := a.fixtures(p, games)
	a.Planned, a.Games = p.Games(), len(fixtures)
	byRules := func(x, y fixture) int { return x.rules - y.rules }
	slices.SortStableFunc(fixtures, byRules)
	var s *solve.Solution
	for i, f := range fixtures {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if i == 0 || f.rules != fixtures[i-1].rules {
			var err error
			if s, err = solved(p.Rules[f.rules]); err != nil {
				return nil, err
			}
		}
		all, err := p.differences(s, f)
		if err != nil {
			all = []string{err.Error()}
		}
		for _, what := range all {
			a.add(f.game, "%s", what)
		}
	}
	if len(a.Differences) == 0 { // check all games together
		if _, err := ReadRun(p, bytes.NewReader(games)); err != nil {
			a.add(0, "%v", err)
		}
	}
	byGame := func(x, y Difference) int { return cmp.Compare(x.Game, y.Game) }
	slices.SortStableFunc(a.Differences, byGame)
	return a, nil
}

func (a *Audit) add(game int, format string, args ...any) {
	what := digit.Printable(fmt.Sprintf(format, args...))
	a.Differences = append(a.Differences, Difference{game, what})
}

// Print prints the result as text.
func (a *Audit) Print(out io.Writer) error {
	var b bytes.Buffer
	for _, d := range a.Differences {
		fmt.Fprintln(&b, d)
	}
	fmt.Fprintf(&b, "%d of %d games were checked", a.Games, a.Planned)
	if a.Torn {
		fmt.Fprint(&b, "; the last line is incomplete, and not a game yet")
	}
	switch n := len(a.Differences); n {
	case 0:
		fmt.Fprintln(&b, ": every line follows from the plan, its moves and the solution")
	case 1:
		fmt.Fprintln(&b, ": 1 difference")
	default:
		fmt.Fprintf(&b, ": %d differences\n", n)
	}
	_, err := out.Write(b.Bytes())
	return err
}

// lines returns the lines of a file of games, and the number of the game in each, 0 if it cannot
// be read.
func (a *Audit) lines(games []byte) (lines [][]byte, numbers []int) {
	for text := range bytes.Lines(games) {
		var line struct{ Game int }
		_ = json.Unmarshal(text, &line) // differences reports the error
		lines, numbers = append(lines, text), append(numbers, line.Game)
		a.Torn = !bytes.HasSuffix(text, []byte("\n")) || !json.Valid(text)
	}
	if a.Torn {
		return lines[:len(lines)-1], numbers[:len(numbers)-1]
	}
	return lines, numbers
}

// fixtures returns the games in the file, which are in the order of the plan. It reports a missing
// game, and takes the number of the game after it from its line.
func (a *Audit) fixtures(p *Plan, games []byte) (all []fixture) {
	lines, numbers := a.lines(games)
	game := 0
	for i, text := range lines {
		game++
		skipped := numbers[i] - game
		inOrder := i+1 == len(numbers) || numbers[i+1] == numbers[i]+1
		if skipped > 0 && numbers[i] <= p.Games() && inOrder {
			a.add(game, "missing: line %d has game %d", i+1, numbers[i])
			game += skipped
		}
		if game > p.Games() {
			a.add(game, "not in the plan: it has fewer games")
			continue
		}
		pair := p.pair((game - 1) / 2)
		all = append(all, fixture{pair, game, p.names(pair.sides(game)), text})
	}
	return all
}

// differences returns the differences between the line of a game and the line that follows from
// the plan, its moves and the solution.
func (p *Plan) differences(s *solve.Solution, f fixture) (all []string, err error) {
	var g Game
	if err := decode(f.text, &g); err != nil {
		return nil, err
	}
	start, err := s.Rules().ParsePosition(f.start)
	if err != nil {
		return nil, err
	}
	again, err := p.EvaluateGame(s, f.game, start, g.Moves, g.Fault)
	if err != nil {
		return nil, err
	}
	if g.Result.Reason == digit.Departure && g.Fault.Again() {
		again.Result.Reason = digit.Departure // written before Forfeit was a reason
	}
	if g.Keep == 0 && g.Of == 0 {
		again.Keep, again.Of = 0, 0 // lines of older versions lack both
	}
	text, err := json.Marshal(again)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(text, bytes.TrimSuffix(f.text, []byte("\n"))) {
		var got, want any
		err := cmp.Or(json.Unmarshal(f.text, &got), json.Unmarshal(text, &want))
		if err != nil {
			return nil, err
		}
		compare("", got, want, func(what string) { all = append(all, what) })
	}
	return append(all, p.conduct(s, f, start, &again)...), nil
}

// compare calls add for each field in which got differs from want.
func compare(where string, got, want any, add func(what string)) {
	switch want := want.(type) {
	case map[string]any:
		if fields, ok := got.(map[string]any); ok {
			for _, key := range slices.Sorted(maps.Keys(want)) {
				if value, ok := fields[key]; ok {
					compare(within(where, key), value, want[key], add)
				} else {
					add(fmt.Sprintf("%s is missing, want %s",
						within(where, key), written(want[key])))
				}
			}
			for _, key := range slices.Sorted(maps.Keys(fields)) {
				if _, ok := want[key]; !ok {
					add(fmt.Sprintf("%s is %s, want none",
						within(where, key), written(fields[key])))
				}
			}
			return
		}
	case []any:
		if list, ok := got.([]any); ok && len(list) == len(want) {
			for i := range want {
				item := fmt.Sprintf("%s %d", strings.TrimSuffix(where, "s"), i+1)
				compare(item, list[i], want[i], add)
			}
			return
		}
	default:
		if got == want {
			return
		}
	}
	add(fmt.Sprintf("%s is %s, want %s", where, written(got), written(want)))
}

// within returns the path of a field.
func within(where, key string) string {
	if where == "" {
		return key
	}
	return where + ": " + key
}

// written returns a value as JSON.
func written(value any) string {
	text, _ := json.Marshal(value) // the value comes from JSON
	return string(text)
}

// conduct returns what in a game contradicts the plan: more tries than it allows, or moves and
// faults that a level does not make.
func (p *Plan) conduct(s *solve.Solution, f fixture, start digit.Position, g *Game) (all []string) {
	wrong := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	r, tries := s.Rules(), p.Retries+1
	levels := [2]bool{!isProgram(f.players[0]), !isProgram(f.players[1])}
	choosers := p.choosers(s, f)
	at := start
	for i, m := range g.Moves {
		turn := r.Turn(at)
		name := f.players[turn]
		_, agent := Agent(name)
		switch {
		case m.Tries > tries:
			wrong("move %d: tries is %d, but the plan allows %d", i+1, m.Tries, tries)
		case levels[turn] && m.Tries > 1:
			wrong("move %d: tries is %d, but %s is a level, which needs one", i+1, m.Tries, name)
		}
		switch {
		case (m.Tokens != 0 || m.Cost != 0) && (levels[turn] || agent && len(p.Eval) == 0):
			wrong("move %d: tokens %d and cost %v, but %s does not report them",
				i+1, m.Tokens, m.Cost, name)
		case m.Tokens < 0 || m.Cost < 0,
			m.MS < 0 && !p.forAgent(): // the clock of agents may be set back
			wrong("move %d: ms %v, tokens %d, cost %v: impossible values",
				i+1, m.MS, m.Tokens, m.Cost)
		}
		if choose := choosers[turn]; choose != nil {
			if own := choose(at); own != m.Move {
				wrong("move %d: move is %v, but %s plays %v there by the seed of the plan",
					i+1, m.Move, name, own)
				choosers[turn] = nil // from here it would have played another game
			}
		}
		at, _ = r.Play(at, m.Move) // played before
	}
	if turn := r.Turn(at); g.Fault != "" && levels[turn] {
		wrong("fault is %s, but %s is a level, which has none", g.Fault, f.players[turn])
	}
	return all
}

// choosers returns functions that choose the moves of levels in a game, by side, if they follow
// from the plan.
func (p *Plan) choosers(s *solve.Solution, f fixture) (choose [2]func(digit.Position) digit.Move) {
	for side, name := range f.players {
		level, err := levelOf(name)
		switch {
		case err != nil:
		case p.forAgent(): // at its own table
			seed := p.Due(f.game).Seed
			choose[side] = func(at digit.Position) digit.Move {
				return bot.Foretold(level, s, seed, 1, s.Rules().Ply(at)).Choose(at)
			}
		default:
			choose[side] = p.level(level, s, f.game, side).Choose
		}
	}
	return choose
}
