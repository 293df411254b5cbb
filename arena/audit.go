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

// An Audit is what came of going through all games of a match or a run.
type Audit struct {
	Plan        string       `json:"plan"`
	Games       int          `json:"games"`   // that are there
	Planned     int          `json:"planned"` // none in an open run
	Torn        bool         `json:"torn"`    // whether the last line was not written to its end, and is no game yet
	Differences []Difference `json:"differences"`
}

// A Difference is where a run is not what it has to be.
type Difference struct {
	Game int    `json:"game,omitempty"` // none: it is not about one game
	What string `json:"what"`
}

func (d Difference) String() string {
	if d.Game == 0 {
		return d.What
	}
	return fmt.Sprintf("game %d: %s", d.Game, d.What)
}

// A fixture is a game as the plan or the list of tables has it, and the line that tells what came of it.
type fixture struct {
	game, pair int
	rules      digit.Rules
	start      string
	players    [2]string // by side
	text       []byte
}

// CheckRun goes through all games of a match or a run: every figure is worked out again from the plan, the moves and the solution, and so is every
// move of a level that follows from the plan. Games of the same rules are checked together, so that one solution is there at a time. Differences
// are no error; what keeps it from checking is.
func CheckRun(ctx context.Context, p *Plan, games, tables []byte, solved func(digit.Rules) (*solve.Solution, error)) (*Audit, error) {
	a := &Audit{Plan: p.ID, Differences: []Difference{}}
	fixtures, err := a.fixtures(p, games, tables)
	if err != nil {
		return nil, err
	}
	a.Games = len(fixtures)
	byRules := map[digit.Rules][]fixture{}
	var rules []digit.Rules
	for _, f := range fixtures {
		if byRules[f.rules] == nil {
			rules = append(rules, f.rules)
		}
		byRules[f.rules] = append(byRules[f.rules], f)
	}
	for _, r := range rules {
		s, err := solved(r)
		if err != nil {
			return nil, err
		}
		for _, f := range byRules[r] {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			for _, what := range p.differences(s, f) {
				a.add(f.game, "%s", what)
			}
		}
	}
	if len(a.Differences) == 0 { // what is wrong with all of them together
		if _, err := ReadRun(p, bytes.NewReader(games), bytes.NewReader(tables), uncounted); err != nil {
			a.add(0, "%v", err)
		}
	}
	slices.SortStableFunc(a.Differences, func(x, y Difference) int { return cmp.Compare(x.Game, y.Game) })
	return a, nil
}

// uncounted stands in for the counts of an older line where only its place in the run matters.
func uncounted(digit.Rules, digit.Position) (keep, of int, err error) { return 1, 1, nil }

func (a *Audit) add(game int, format string, args ...any) {
	what := digit.Printable(fmt.Sprintf(format, args...))
	a.Differences = append(a.Differences, Difference{game, what})
}

// Print writes for people what came of it.
func (a *Audit) Print(out io.Writer) error {
	var b bytes.Buffer
	for _, d := range a.Differences {
		fmt.Fprintln(&b, d)
	}
	fmt.Fprintf(&b, "%d", a.Games)
	if a.Planned > 0 {
		fmt.Fprintf(&b, " of %d", a.Planned)
	}
	fmt.Fprint(&b, " games were checked")
	if a.Torn {
		fmt.Fprint(&b, "; the last line was not written to its end, and is no game yet")
	}
	switch n := len(a.Differences); n {
	case 0:
		fmt.Fprintln(&b, ": every line is what the plan, its moves and the solution make of it")
	case 1:
		fmt.Fprintln(&b, ": 1 difference")
	default:
		fmt.Fprintf(&b, ": %d differences\n", n)
	}
	_, err := out.Write(b.Bytes())
	return err
}

// fixtures returns the games that are there, each with its line.
func (a *Audit) fixtures(p *Plan, games, tables []byte) ([]fixture, error) {
	d := newDesk(p, nil)
	if p.Format == Open || p.forAgent() && len(tables) > 0 {
		if _, err := d.readTables(bytes.NewReader(tables)); err != nil {
			return nil, fmt.Errorf("the list of tables: %w", err)
		}
	}
	lines, told := a.lines(games)
	if p.Format == Open {
		return a.begun(d, lines, told), nil
	}
	a.Planned = p.Games()
	return a.due(p, lines, told), nil
}

// lines returns the lines of a file of games, and which game each says it is: none, if that cannot be read.
func (a *Audit) lines(games []byte) (lines [][]byte, told []int) {
	for text := range bytes.Lines(games) {
		var line struct{ Game int }
		_ = json.Unmarshal(text, &line) // what is wrong with it is told when its turn comes
		lines, told = append(lines, text), append(told, line.Game)
		a.Torn = !bytes.HasSuffix(text, []byte("\n")) || !json.Valid(text)
	}
	if a.Torn {
		return lines[:len(lines)-1], told[:len(told)-1]
	}
	return lines, told
}

// begun returns the games of an open run, which are in the order in which they ended.
func (a *Audit) begun(d *Desk, lines [][]byte, told []int) (all []fixture) {
	begun := map[int]Due{}
	for _, due := range d.underWay {
		begun[due.Game] = due
	}
	for i, text := range lines {
		due, ok := begun[told[i]]
		if !ok {
			a.add(0, "line %d: game %d was never begun, or is there twice", i+1, told[i])
			continue
		}
		delete(begun, told[i])
		f := fixture{game: due.Game, rules: due.Rules, start: due.Start, text: text}
		f.players[due.Side], f.players[due.Side.Other()] = due.Player, due.Opponent
		all = append(all, f)
	}
	return all
}

// due returns the games of a plan, which come in their order. If one is left out it is told, and those behind it are what they say they are.
func (a *Audit) due(p *Plan, lines [][]byte, told []int) (all []fixture) {
	at, count := p.pairs()
	game := 0
	for i, text := range lines {
		game++
		if left := told[i] - game; left > 0 && told[i] <= 2*count && (i+1 == len(told) || told[i+1] == told[i]+1) {
			a.add(game, "it is left out: line %d has game %d", i+1, told[i])
			game += left
		}
		if game > 2*count {
			a.add(game, "the plan ends before it")
			continue
		}
		pair := at((game - 1) / 2)
		f := fixture{game: game, pair: (game + 1) / 2, rules: p.Rules[pair.rules], start: pair.start, players: [2]string{p.Players[pair.a], p.Players[pair.b]}, text: text}
		if game%2 == 0 {
			f.players[0], f.players[1] = f.players[1], f.players[0]
		}
		all = append(all, f)
	}
	return all
}

// differences says where the line of a game is not what the plan, its moves and the solution make of it.
func (p *Plan) differences(s *solve.Solution, f fixture) (all []string) {
	var g Game
	if err := decode(f.text, &g); err != nil {
		return []string{err.Error()}
	}
	start, err := f.rules.ParsePosition(f.start)
	if err != nil {
		return []string{err.Error()}
	}
	again, err := Judge(s, start, f.players, g.Moves, g.Fault)
	if err != nil {
		return []string{err.Error()}
	}
	again.Game, again.Pair, again.Plan = f.game, f.pair, p.ID
	if g.Result.Reason == digit.Departure && g.Fault.again() {
		again.Result.Reason = digit.Departure // as it was written before there was a word for it
	}
	if g.Keep == 0 && g.Of == 0 {
		again.Keep, again.Of = 0, 0 // lines of older versions lack both
	}
	text, err := json.Marshal(again)
	if err != nil {
		return []string{err.Error()}
	}
	if !bytes.Equal(text, bytes.TrimSuffix(f.text, []byte("\n"))) {
		var told, want any
		if err := cmp.Or(json.Unmarshal(f.text, &told), json.Unmarshal(text, &want)); err != nil {
			return []string{err.Error()}
		}
		compare("", told, want, func(what string) { all = append(all, what) })
	}
	return append(all, p.conduct(s, f, start, &again)...)
}

// compare says in which fields what is told is not what it has to be.
func compare(where string, told, want any, add func(what string)) {
	switch want := want.(type) {
	case map[string]any:
		if fields, ok := told.(map[string]any); ok {
			for _, key := range slices.Sorted(maps.Keys(want)) {
				if value, ok := fields[key]; ok {
					compare(within(where, key), value, want[key], add)
				} else {
					add(fmt.Sprintf("%s is missing and would have to be %s", within(where, key), written(want[key])))
				}
			}
			for _, key := range slices.Sorted(maps.Keys(fields)) {
				if _, ok := want[key]; !ok {
					add(fmt.Sprintf("%s is %s and would have to be left out", within(where, key), written(fields[key])))
				}
			}
			return
		}
	case []any:
		if list, ok := told.([]any); ok && len(list) == len(want) {
			for i := range want {
				compare(fmt.Sprintf("%s %d", strings.TrimSuffix(where, "s"), i+1), list[i], want[i], add)
			}
			return
		}
	default:
		if told == want {
			return
		}
	}
	add(fmt.Sprintf("%s is %s and would have to be %s", where, written(told), written(want)))
}

// within returns where a field is.
func within(where, key string) string {
	if where == "" {
		return key
	}
	return where + ": " + key
}

// written returns a value as JSON has it.
func written(value any) string {
	text, _ := json.Marshal(value) // it comes from JSON
	return string(text)
}

// conduct says what of a game cannot have been as the plan has it: more tries than it allows, or what a level does not do.
func (p *Plan) conduct(s *solve.Solution, f fixture, start digit.Position, g *Game) (all []string) {
	wrong := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	tries := mostTries
	if p.Format != Open {
		tries = p.Retries + 1
	}
	levels := [2]bool{!reads(f.players[0]), !reads(f.players[1])}
	foretold := p.foretold(s, f)
	at := start
	for i, m := range g.Moves {
		turn := f.rules.Turn(at)
		name := f.players[turn]
		_, engine := Command(name)
		switch {
		case m.Tries > tries:
			wrong("move %d: tries is %d, and the plan allows %d", i+1, m.Tries, tries)
		case levels[turn] && m.Tries > 1:
			wrong("move %d: tries is %d, and %s is a level, which takes one", i+1, m.Tries, name)
		}
		switch {
		case !engine && (m.Tokens != 0 || m.Cost != 0):
			wrong("move %d: tokens %d and cost %v, which nobody tells of %s", i+1, m.Tokens, m.Cost, name)
		case m.Tokens < 0 || m.Cost < 0 || m.MS < 0 && p.Format != Open && !p.forAgent(): // the clock that times agents may be set back
			wrong("move %d: ms %v, tokens %d, cost %v: that cannot be", i+1, m.MS, m.Tokens, m.Cost)
		}
		if choose := foretold[turn]; choose != nil {
			if own := choose(at); own != m.Move {
				wrong("move %d: move is %v, and %s plays %v there by the seed of the plan", i+1, m.Move, name, own)
				foretold[turn] = nil // from here on it would have played another game
			}
		}
		at, _ = f.rules.Play(at, m.Move) // it was played before
	}
	if turn := f.rules.Turn(at); g.Fault != "" && levels[turn] {
		wrong("fault is %s, and %s is a level, which makes none", g.Fault, f.players[turn])
	}
	return all
}

// foretold returns what levels play in a game, by side, where the plan says so.
func (p *Plan) foretold(s *solve.Solution, f fixture) (choose [2]func(digit.Position) digit.Move) {
	for side, name := range f.players {
		level, err := bot.ParseLevel(levelOf(name))
		switch {
		case err != nil || p.Format == Open:
		case p.forAgent(): // at a table of its own
			seed := p.due(f.game).Seed
			choose[side] = func(at digit.Position) digit.Move { return bot.Foretold(level, s, seed, 1, f.rules.Ply(at)).Choose(at) }
		default:
			choose[side] = p.level(level, s, f.game, side).Choose
		}
	}
	return choose
}
