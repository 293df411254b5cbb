package arena

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"digitduel/arena/engine"
	"digitduel/bot"
	"digitduel/digit"
	"digitduel/solve"
)

// TestStandard checks every item of the standard exam, and that the exam has not changed.
func TestStandard(t *testing.T) {
	const want = "3cffd98d72d59be8ece377158f58fef27da63eb2452ee27d9b7c97fe295b9a56"
	exam, sum := Standard(), sha256.New()
	var all []Key
	var right, poor []Reply
	for i, part := range exam.Parts {
		s, err := solve.Solve(t.Context(), part.Rules, solve.Config{})
		if err != nil {
			t.Fatal(err)
		}
		items, keys, err := exam.Make(i, s, len(all))
		if err != nil {
			t.Fatal(err)
		}
		for n, item := range items {
			line, err := json.Marshal(item)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(line), "keep") || strings.Contains(string(line), "chance") {
				t.Errorf("an item contains the answer: %s", line)
			}
			sum.Write(line)
			checkItem(t, s, item, keys[n], part.Hard)
			best, err := item.Choose(bot.Perfect(), s, 1)
			if err != nil {
				t.Fatal(err)
			}
			right = append(right, Reply{Item: item.Item, Move: best.String()})
			worst, err := item.Choose(bot.Levels[0], s, 1)
			if err != nil {
				t.Fatal(err)
			}
			poor = append(poor, Reply{Item: item.Item, Move: worst.String()})
		}
		all = append(all, keys...)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		t.Errorf("%s has changed: the checksum of its items is %s", exam.Name, got)
	}
	high, err := GradeReplies(all, right)
	if err != nil || *high.Kappa != 1 || *high.KappaHigh != 1 || len(high.ByRules) != 8 {
		t.Errorf("perfect answers get %+v, %v", high, err)
	}
	low, err := GradeReplies(all, poor)
	if err != nil || *low.Kappa < 0.02 || *low.Kappa > 0.4 {
		t.Errorf("answers of the lowest level get %+v, %v", low, err)
	}
}

// checkItem compares an item with the values of the positions after its moves.
func checkItem(t *testing.T, s *solve.Solution, item Item, key Key, hard bool) {
	t.Helper()
	p, err := item.At()
	if err != nil {
		t.Fatal(err)
	}
	best := map[digit.Move]float64{}
	immediate := false
	for m := range item.Rules.Moves(p) {
		next, err := item.Rules.Play(p, m)
		if err != nil {
			t.Fatal(err)
		}
		points := 1 - s.Value(next).Outcome.Points()
		best[m.Uncalled()] = max(best[m.Uncalled()], points)
		immediate = immediate || points == 1 && item.Rules.Result(next).Over()
	}
	top := 0.0
	for _, points := range best {
		top = max(top, points)
	}
	keeps := 0
	for _, m := range item.Moves {
		if best[m] == top {
			keeps++
		}
		if slices.Contains(key.Keeps, m) != (best[m] == top) {
			t.Errorf("item %d: %v is worth %v of %v, but the key has %v",
				item.Item, m, best[m], top, key.Keeps)
		}
	}
	if len(item.Moves) != len(best) || keeps == len(best) ||
		math.Abs(key.Chance-float64(keeps)/float64(len(best))) > 1e-12 {
		t.Errorf("item %d: %d of %d moves keep the value, but the key has %+v",
			item.Item, keeps, len(best), key)
	}
	want := Middle
	switch {
	case immediate || 3*keeps > 2*len(best):
		want = Easy
	case 3*keeps <= len(best):
		want = Hard
	}
	if key.Difficulty != want || hard && want != Hard {
		t.Errorf("item %d: %d of %d moves keep the value, immediate win: %v: difficulty %s, want %s", item.Item, keeps, len(best), immediate, key.Difficulty, want)
	}
}

// TestDifficulty checks every position of a small game, including borderline ones.
func TestDifficulty(t *testing.T) {
	r, err := digit.ParseRules("dilemma width=3 pool=1-7")
	if err != nil {
		t.Fatal(err)
	}
	s, err := solve.Solve(t.Context(), r, solve.Config{})
	if err != nil {
		t.Fatal(err)
	}
	thirds := [4]int{}
	for p := range s.Positions() {
		key := keyOf(s, p)
		if len(key.Keeps) == 0 {
			continue
		}
		checkItem(t, s, itemOf(key, p), key, false)
		if choices := len(s.Choices(p)); 3*len(key.Keeps)%choices == 0 && key.Difficulty != Easy {
			thirds[3*len(key.Keeps)/choices]++
		}
	}
	if thirds[1] == 0 || thirds[2] == 0 {
		t.Errorf("one third of the moves keeps the value in %d positions and two thirds in %d, want some of both", thirds[1], thirds[2])
	}
}

// TestGrade checks the grades of all kinds of replies to an item in which 721 can be called.
func TestGrade(t *testing.T) {
	s, err := solve.Solve(t.Context(), digit.Sevens, solve.Config{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := digit.Sevens.ParsePosition("27/58")
	if err != nil {
		t.Fatal(err)
	}
	key := keyOf(s, p)
	key.Item = 7
	for _, v := range []struct {
		reply Reply
		want  verdict
	}{
		{Reply{Move: "1"}, kept}, {Reply{Move: "1=721"}, kept}, {Reply{Move: "1=127"}, lost},
		{Reply{Move: "9"}, lost}, {Reply{Move: " 1 "}, kept},
		{Reply{}, unanswered}, {Reply{Fault: engine.Late}, unanswered},
		{Reply{Fault: engine.Illegal}, illegal}, {Reply{Fault: engine.Unreadable}, unreadable},
		{Reply{Move: "5"}, illegal}, {Reply{Move: "one"}, unreadable},
	} {
		if got, err := key.grade(v.reply); err != nil || got != v.want {
			t.Errorf("%+v: %v, %v; want %v; the key is %v", v.reply, got, err, v.want, key.Keeps)
		}
	}
	for _, v := range []struct {
		replies []Reply
		want    string
	}{
		{[]Reply{{Item: 8, Move: "1"}}, "item 8: answered, but not in the key"},
		{[]Reply{{Item: 7, Move: "1"}, {Item: 7, Move: "1"}}, "item 7: answered twice"},
	} {
		if _, err := GradeReplies([]Key{key}, v.replies); err == nil || err.Error() != v.want {
			t.Errorf("%v: got %v, want %s", v.replies, err, v.want)
		}
	}
	grade, err := GradeReplies([]Key{key}, nil)
	if err != nil || grade.Unanswered != 1 || *grade.Kept != 0 || *grade.Kappa >= 0 {
		t.Errorf("without replies: %+v, %v", grade, err)
	}
}
