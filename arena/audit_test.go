package arena

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"digitduel/arena/disguise"
	"digitduel/arena/engine"
	"digitduel/digit"
	"digitduel/solve"
)

// A keptRun is a match or a run as stored in its folder.
type keptRun struct {
	plan          *Plan
	games, tables string
	solutions     map[digit.Rules]*solve.Solution
}

func (k keptRun) check(t *testing.T, games string) *Audit {
	t.Helper()
	audit, err := CheckRun(t.Context(), k.plan, []byte(games), []byte(k.tables),
		func(r digit.Rules) (*solve.Solution, error) {
			if k.solutions[r] == nil {
				return nil, fmt.Errorf("%v: not a game of this run", r)
			}
			return k.solutions[r], nil
		})
	if err != nil {
		t.Fatal(err)
	}
	return audit
}

// keptRuns returns runs of every kind, with games that use every field.
func keptRuns(t *testing.T) map[string]keptRun {
	t.Helper()
	all := map[string]keptRun{}
	keep := func(name string, plan *Plan, solutions []*solve.Solution, games, tables string) {
		k := keptRun{plan, games, tables, map[digit.Rules]*solve.Solution{}}
		for _, s := range solutions {
			k.solutions[s.Rules()] = s
		}
		all[name] = k
	}
	plan, solutions := planOf(t,
		Plan{Players: []string{"casual", "perfect", "beginner"}, Pairs: 1, Seed: 3},
		"decision:ply=0-2", "dilemma", "sevens")
	games, _ := play(t, Runner{Plan: plan, Solutions: solutions, Concurrency: 2})
	keep("levels", plan, solutions, games, "")

	seed := uint64(7)
	plan, solutions = planOf(t,
		Plan{Players: []string{"casual", "engine:fake"}, Pairs: 4, Seed: 3, Retries: 2,
			Spec: disguise.Spec{Disguise: &seed}}, "decision:ply=1-2", "divisibility", "highest")
	replies := []string{"illegal", "", "", "unreadable", "illegal", "", "", "late", "", "crashed",
		"", "", "silent", "", "", "unreadable", "illegal", "illegal", ""}
	asked := 0
	games, _ = play(t, Runner{Plan: plan, Solutions: solutions, Concurrency: 1,
		Open: func(context.Context, string) (Engine, error) {
			return &fakeEngine{closed: new(int),
				answers: func() string { asked++; return replies[asked%len(replies)] }}, nil
		}})
	keep("engine", plan, solutions, games, "")

	plan, solutions = agentPlan(t, 1)
	planned := newAgentRun(t, plan, solutions)
	if err := planned.playOn(rand.New(rand.NewPCG(1, 1)), 1<<30); err != nil {
		t.Fatal(err)
	}
	keep("planned", plan, solutions, timeless(t, planned.games), timeless(t, planned.tables))
	return all
}

// reported has the fields that are not computed, but reported by the clock, a program or an agent,
// with impossible values. CheckRun cannot detect a possible value.
var reported = map[string][]any{
	"ms": {nil, "1"}, "tries": {nil, 0, -1, 102, 1.5}, "faults": {[]any{"late"}, []any{"illegal", "illegal", "illegal"}}, "tokens": {nil, -1, 0.5}, "cost": {nil, -1, "0"},
}

// forgeries returns the values to put into a field.
func forgeries(key string, value any) []any {
	if forged, ok := reported[key]; ok {
		return forged
	}
	switch v := value.(type) {
	case float64:
		return []any{v + 1, v - 1, v + 0.5, "1", nil}
	case string:
		others := map[string]string{"rules": "reverse", "start": "___/___", "player": "novice",
			"move": "1a", "position": "123/456", "result": "1-0 higher", "fault": "illegal"}
		return []any{"", v + "0", others[key], 1, nil}
	case []any:
		if len(v) == 0 {
			return []any{[]any{"1a"}, nil, ""}
		}
		return []any{v[:len(v)-1], v[1:], append(slices.Clone(v), v[0]), nil, ""}
	default:
		return []any{nil, []any{}}
	}
}

// forge calls each for every forgery of every field of a line, one at a time, with a description of
// the change.
func forge(t *testing.T, line string, each func(forged, change string)) {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal([]byte(line), &root); err != nil {
		t.Fatal(err)
	}
	write := func(change string) {
		text, err := json.Marshal(root)
		if err != nil {
			t.Fatal(err)
		}
		each(string(text)+"\n", change)
	}
	var walk func(at map[string]any, where string)
	walk = func(at map[string]any, where string) {
		at["more"] = 1
		write("more was added" + where)
		delete(at, "more")
		for _, key := range slices.Sorted(maps.Keys(at)) {
			value := at[key]
			was, _ := json.Marshal(value) // no error, as value comes from JSON
			for _, forged := range forgeries(key, value) {
				if is, _ := json.Marshal(forged); !bytes.Equal(is, was) { // can be marshaled, too
					at[key] = forged
					write(fmt.Sprintf("%s became %s and was %s%s", key, is, was, where))
				}
			}
			if _, ok := reported[key]; !ok || key == "ms" || key == "tries" {
				delete(at, key)
				write(key + " was left out" + where)
			}
			at[key] = value
			switch v := value.(type) {
			case map[string]any:
				walk(v, where+" of "+key)
			case []any:
				for i := range v {
					// The elements between the first and the last are similar.
					if fields, ok := v[i].(map[string]any); ok && (i == 0 || i == len(v)-1) {
						walk(fields, fmt.Sprintf("%s of %s %d", where, key, i+1))
					}
				}
			}
		}
	}
	walk(root, "")
}

// undetectable reports whether a change replaces one fault by another with the same result, or with
// the result it had before Forfeit was a reason. Nothing else in the line depends on the fault.
func undetectable(change string) bool {
	var is, was engine.Fault
	n, _ := fmt.Sscanf(change, "fault became %q and was %q", &is, &was) // n is 0 for other fields
	return n == 2 && slices.Contains(engine.Faults, was) &&
		(is.Reason() == was.Reason() || is.Again() && was == engine.Crashed)
}

// TestCheckRun forges every field of every line of runs of every kind, one at a time, and checks
// that CheckRun finds each forgery in the right game.
func TestCheckRun(t *testing.T) {
	seen := map[string]bool{}
	for name, run := range keptRuns(t) {
		lines := slices.Collect(strings.Lines(run.games))
		if audit := run.check(t, run.games); len(audit.Differences) > 0 ||
			audit.Games != len(lines) || audit.Torn || audit.Planned != run.plan.Games() {
			t.Fatalf("%s: differences in an unchanged run: %+v", name, audit)
		}
		for i, f := range new(Audit).fixtures(run.plan, []byte(run.games)) {
			forge(t, lines[i], func(forged, change string) {
				if undetectable(change) {
					return
				}
				seen[strings.Fields(change)[0]] = true
				f.text = []byte(forged)
				if all, err := run.plan.differences(run.solutions[run.plan.Rules[f.rules]], f); len(all) == 0 && err == nil {
					t.Errorf("%s: game %d: %s, but no difference was found", name, f.game, change)
				}
				if i != 1 {
					return // one line suffices for the whole file
				}
				audit := run.check(t,
					strings.Join(lines[:i], "")+forged+strings.Join(lines[i+1:], ""))
				if len(audit.Differences) == 0 {
					t.Errorf("%s: game %d: %s, but the file has no difference",
						name, f.game, change)
				}
				for _, d := range audit.Differences {
					if d.Game != f.game && !strings.HasPrefix(change, "game ") {
						t.Errorf("%s: game %d: %s, but the difference is in another game: %v",
							name, f.game, change, d)
					}
				}
			})
		}
	}
	for _, field := range []string{"game", "pair", "plan", "rules", "start", "player", "value",
		"score", "regret", "move", "ms", "plies_lost", "tries", "faults", "keep", "of", "tokens", "cost",
		"position", "result", "fault", "forfeited", "more"} {
		if !seen[field] {
			t.Errorf("%s was never forged", field)
		}
	}
}

// TestCheckRunWords checks the text of differences.
func TestCheckRunWords(t *testing.T) {
	run := keptRuns(t)["engine"]
	lines := slices.Collect(strings.Lines(run.games))
	change := func(line int, old, now string) []string {
		t.Helper()
		changed := slices.Clone(lines)
		if changed[line-1] = strings.Replace(lines[line-1], old, now, 1); changed[line-1] == lines[line-1] {
			t.Fatalf("no %s in %s", old, lines[line-1])
		}
		return changed
	}
	swapped := slices.Clone(lines)
	swapped[2], swapped[3] = swapped[3], swapped[2]
	for _, v := range []struct {
		lines []string
		want  string // in the report
	}{
		{change(1, `"rules":"divisibility"`, `"rules":"reverse"`),
			"game 1: rules is \"reverse\", want \"divisibility\"\n16 of 16 games were checked: 1 difference\n"},
		{change(2, `"of":`, `"of":1`), "game 2: move 1: of is "},
		{change(2, `{"game":2,`, `{`), "game 2: game is missing, want 2\n"},
		{change(2, `{"game":2,`, `{"game":2,"x":[3],`),
			`game 2: invalid JSON: json: unknown field "x"` + "\n"},
		{change(2, `{`, `[`), "game 2: invalid JSON: invalid character ':' after array element\n"},
		{slices.Delete(slices.Clone(lines), 4, 6),
			"game 5: missing: line 5 has game 7\n14 of 16 games were checked: 1 difference\n"},
		{swapped, "game 3: game is 4, want 3\n"},
		{append(slices.Clone(lines), lines[0]),
			"game 17: not in the plan: it has fewer games\n16 of 16 games were checked: 1 difference\n"},
		{lines[:7], "7 of 16 games were checked: every line follows from the plan, its moves and the solution\n"},
		{append(slices.Clone(lines[:7]), lines[7][:99]),
			"7 of 16 games were checked; the last line is incomplete, and not a game yet: every line follows "},
		{append(slices.Clone(lines[:7]), lines[7][:99]+"\n"),
			"7 of 16 games were checked; the last line is incomplete, and not a game yet: every line follows "},
		{nil, "0 of 16 games were checked: every line follows"},
	} {
		var b strings.Builder
		if err := run.check(t, strings.Join(v.lines, "")).Print(&b); err != nil ||
			!strings.Contains(b.String(), v.want) {
			t.Errorf("%v: got\n%swant\n%s", err, b.String(), v.want)
		}
	}
	// A run from before Forfeit was a reason.
	if old := strings.ReplaceAll(run.games, "forfeit\"", "left\""); old == run.games ||
		len(run.check(t, old).Differences) > 0 {
		t.Errorf("an older run: %v", run.check(t, old).Differences)
	}
	broken := errors.New("no memory")
	if _, err := CheckRun(t.Context(), run.plan, []byte(run.games), nil, func(digit.Rules) (*solve.Solution, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
	run.tables = "{}\n{}\n"
	run.plan, _ = agentPlan(t, 1)
	if _, err := CheckRun(t.Context(), run.plan, nil, []byte(run.tables), nil); err == nil ||
		err.Error() != "the list of tables: line 1: game 0: not in the plan" {
		t.Error(err)
	}
}

// TestCheckRunMoves replaces the last move of games, with all figures of the line correct for the
// new move, and checks that CheckRun finds the moves that a level would not play.
func TestCheckRunMoves(t *testing.T) {
	for name, run := range keptRuns(t) {
		lines := slices.Collect(strings.Lines(run.games))
		forged := 0
		for i, line := range lines {
			var g Game
			if err := g.read([]byte(line)); err != nil {
				t.Fatal(err)
			}
			last := len(g.Moves) - 1
			start, err := g.Rules.ParsePosition(g.Start)
			if err != nil || last < 0 || g.Fault != "" {
				continue
			}
			at := start
			for _, m := range g.Moves[:last] {
				at, _ = g.Rules.Play(at, m.Move)
			}
			mover := g.seat(g.Rules.Turn(at)).Player
			for m := range g.Rules.Moves(at) {
				moves := slices.Clone(g.Moves)
				moves[last].Move = m
				other, err := EvaluateGame(run.solutions[g.Rules], start,
					[2]string{g.First.Player, g.Second.Player}, moves, "")
				if err != nil || m == g.Moves[last].Move {
					continue // not over, or unchanged
				}
				other.Game, other.Pair, other.Plan = g.Game, g.Pair, g.Plan
				text, err := json.Marshal(other)
				if err != nil {
					t.Fatal(err)
				}
				found := run.check(t,
					strings.Join(lines[:i], "")+string(text)+"\n"+
						strings.Join(lines[i+1:], "")).Differences
				want := fmt.Sprintf("game %d: move %d: move is %v, but %s plays %v there by the seed of the plan", g.Game, last+1, m, mover, g.Moves[last].Move)
				if isProgram(mover) && len(found) == 0 { // a program may play any move
					continue
				}
				if forged++; len(found) != 1 || found[0].String() != want {
					t.Errorf("%s: %v, want %s", name, found, want)
				}
				break // one other move suffices
			}
		}
		if forged == 0 {
			t.Errorf("%s: no move was forged", name)
		}
	}
}
