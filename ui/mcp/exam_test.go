package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"digitduel/arena"
	"digitduel/arena/disguise"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
	"digitduel/store"
)

// paper returns the items of an exam and their keys as they are made by itself.
func paper(t *testing.T, e arena.Exam) (items []arena.Item, keys []arena.Key) {
	t.Helper()
	for i, part := range e.Parts {
		s, err := solver.Solve(t.Context(), part.Rules)
		if err != nil {
			t.Fatal(err)
		}
		some, theirs, err := e.Make(i, s, len(items))
		if err != nil {
			t.Fatal(err)
		}
		items, keys = append(items, some...), append(keys, theirs...)
	}
	return items, keys
}

// sits answers every item of an exam by what pick says, and returns its report.
func sits(g *guest, wanted args, pick func(Item) string) ExamReport {
	g.Helper()
	item := got[Item](g, "next_item", wanted)
	for n := 1; ; n++ {
		if item.Item != n {
			g.Fatalf("item %d: got %+v", n, item)
		}
		a := got[Answered](g, "answer", args{"exam": item.Exam, "item": n, "move": pick(item)})
		if a.Remaining != item.Of-n {
			g.Fatalf("item %d: %+v", n, a)
		}
		if a.Remaining == 0 {
			return got[ExamReport](g, "report", args{"exam": item.Exam})
		}
		item = got[Item](g, "next_item", args{"exam": item.Exam})
	}
}

// TestExam sits an exam of every book with answers good, bad and useless: its items are those that
// duel exam would make, and so is its grade.
func TestExam(t *testing.T) {
	g := open(t, &match.Memory{}, nil).guest(t)
	e := arena.Exam{Seed: 5}
	for _, b := range digit.Books {
		e.Parts = append(e.Parts, arena.ExamPart{Rules: b.Rules, Items: 6})
	}
	items, keys := paper(t, e)
	var replies []arena.Reply
	rng := chance(1)
	report := sits(g, args{"items": 6, "seed": 5, "player": "Ada", "show_moves": true}, func(i Item) string {
		want := items[i.Item-1]
		var moves []string
		for _, m := range want.Moves {
			moves = append(moves, m.String())
		}
		slices.Sort(moves)
		if i.Of != len(items) || i.Rules != want.Rules.String() || i.Position != want.Position || i.Turn != want.Turn.String() || i.Left != want.Left || !slices.Equal(i.Moves, moves) {
			t.Fatalf("got %+v, want %+v", i, want)
		}
		answer := moves[rng.IntN(len(moves))]
		switch rng.IntN(8) {
		case 0:
			answer = "no idea"
		case 1:
			answer = "fa" // there is no such digit
		}
		replies = append(replies, arena.Reply{Item: i.Item, Move: answer})
		return answer
	})
	grade, err := arena.GradeReplies(keys, replies)
	if err != nil {
		t.Fatal(err)
	}
	if grade.Unreadable == 0 || grade.Illegal == 0 || *grade.Kept == 0 {
		t.Fatalf("the answers are not of every kind: %+v", grade)
	}
	sameGrade(t, grade, report)
	if report.Player != "Ada" || report.Name != "6 items of dilemma, sevens, highest, divisibility, reverse, seed 5" {
		t.Errorf("%+v", report)
	}
}

func sameGrade(t *testing.T, grade *arena.Grade, report ExamReport) {
	t.Helper()
	got, err := json.Marshal(arena.Grade{Marks: report.Marks, ByRules: report.ByRules, ByDifficulty: report.ByDifficulty})
	if err != nil {
		t.Fatal(err)
	}
	want, err := json.Marshal(grade)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestStandardExam finds every item of the standard exam where it belongs, and gets everything for
// knowing everything.
func TestStandardExam(t *testing.T) {
	if os.Getenv("DUEL_NIGHTLY") == "" {
		t.Skip("the whole standard exam is part of make nightly")
	}
	g := open(t, &match.Memory{}, nil).guest(t)
	items, keys := paper(t, arena.Standard())
	report := sits(g, args{"exam": "standard-1"}, func(i Item) string {
		if want := items[i.Item-1]; i.Of != 500 || i.Position != want.Position || i.Rules != want.Rules.String() || len(i.Moves) > 0 {
			t.Fatalf("got %+v, want %+v", i, want)
		}
		return keys[i.Item-1].Keeps[0].String()
	})
	if report.Name != "standard-1" || *report.Kappa != 1 || report.Items != 500 || len(report.ByRules) != 8 || report.Player != "guest" {
		t.Errorf("%+v", report)
	}
}

// TestFirstAnswersCount goes wrong in every way that there is, and goes on with the exam at another
// server after all.
func TestFirstAnswersCount(t *testing.T) {
	kept := &sittings{}
	sameSittings := func(c *Config) { c.Sittings = kept }
	g := open(t, &match.Memory{}, sameSittings).guest(t)
	first := got[Item](g, "next_item", args{"rules": "sevens", "items": 3, "seed": 1})
	if again := got[Item](g, "next_item", args{"exam": first.Exam}); again.Item != 1 || again.Position != first.Position {
		t.Errorf("got %+v, want %+v", again, first)
	}
	refused := func(tool string, a args, want string) {
		t.Helper()
		if answer, is := try[Refusal](g, tool, a); !is || !strings.Contains(answer.Reason, want) || answer.Fault != "" {
			t.Errorf("%s %v: got %+v, want %s", tool, a, answer, want)
		}
	}
	id := first.Exam
	answer := func(item int, move string) args { return args{"exam": id, "item": item, "move": move} }
	refused("answer", answer(2, "1"), "item 2: not the next item; allowed: 1")
	refused("answer", answer(0, "1"), "item 0: no such item; allowed: 1, the next one")
	refused("answer", answer(4, "1"), "item 4: no such item")
	refused("answer", answer(1, " "), "missing move; nothing was recorded")
	refused("answer", args{"exam": "nothing", "item": 1, "move": "1"}, "exam: no such exam")
	refused("report", args{"exam": id}, "0 of 3 items are answered; call report when all are")
	refused("report", args{"exam": "nothing"}, "exam: no such exam")
	refused("report", args{"exam": id, "game": "x.y"}, "game, exam: allowed: only one of them")
	refused("report", args{}, "missing game or exam; allowed: the id of a game or of an exam")
	refused("answer", args{"exam": id, "item": 1}, "missing move: the move that you choose, ")
	refused("next_item", args{"exam": "standard-2"}, "exam: no such exam")
	refused("next_item", args{"exam": id, "seed": 2}, "exam: it has begun; omit the other arguments")
	refused("next_item", args{"exam": "standard-1", "seed": 2}, "exam: standard-1 is fixed")
	refused("next_item", args{"rules": "chess"}, "chess")
	refused("next_item", args{"items": 1001}, "items 1001: allowed: a whole number, 1 to 1000")
	refused("next_item", args{"items": 0}, "items 0: allowed: a whole number, 1 to 1000")
	refused("next_item", args{"items": -1}, "items -1: allowed: a whole number, 1 to 1000")
	refused("next_item", args{"seed": uint64(1) << 53}, "seed 9007199254740992: allowed: a whole number, 0 to 9007199254740991")
	refused("answer", args{"exam": id, "item": 1e30, "move": "1"}, "item 1e+30: too large")
	refused("next_item", args{"items": 1e30}, "items 1e+30: allowed: a whole number, 1 to 1000")
	refused("next_item", args{"rules": "highest", "disguise": uint64(1) << 60}, "9007199254740991")
	refused("next_item", args{"rules": "sevens", "hard": true}, "sevens: only 0 of 20 hard items were found")
	rubbish := strings.Repeat("well, \xff\x00 ", 200)
	if a := got[Answered](g, "answer", answer(1, rubbish)); a.Kind != "unreadable" || len(a.Move) > mostAnswer || a.Remaining != 2 {
		t.Errorf("%+v", a)
	}
	got[Answered](g, "answer", answer(1, rubbish)) // again the same
	refused("answer", answer(1, "1"), "item 1: already answered, and the first answer counts; call next_item")
	taken := "0"
	if item := got[Item](g, "next_item", args{"exam": id}); strings.Contains(item.Left, "0") {
		taken = "a" // which is no digit of the game
	}
	if a := got[Answered](g, "answer", answer(2, taken)); a.Kind != "illegal" {
		t.Errorf("%+v", a)
	}
	g = open(t, &match.Memory{}, sameSittings).guest(t)
	last := got[Item](g, "next_item", args{"exam": id})
	move, _, _ := strings.Cut(last.Left, " ")
	if a := got[Answered](g, "answer", answer(last.Item, move)); last.Item != 3 || a.Kind != "legal" || a.Remaining != 0 {
		t.Errorf("%+v %+v", last, a)
	}
	refused("next_item", args{"exam": id}, "all 3 items are answered; call report for the grade")
	refused("answer", answer(4, "1"), "all 3 items are answered; call report for the grade")
	if report := got[ExamReport](g, "report", args{"exam": id}); report.Items != 3 || report.Unreadable != 1 || report.Illegal != 1 {
		t.Errorf("%+v", report)
	}
}

var aDigit = regexp.MustCompile(`[0-9]`)

// numbers are the fields with numbers that reveal nothing of a game.
var numbers = regexp.MustCompile(`(?m)^(game|exam|item|of|ply|tries_left|remaining|player): .*$|ply [0-9]+`)

// secret returns the parts of a text that reveal a game in disguise.
func secret(text string) error {
	text = numbers.ReplaceAllString(text, "")
	if found := aDigit.FindString(text); found != "" {
		return fmt.Errorf("there is a digit %s", found)
	}
	for _, word := range append(digit.BookNames(), "multiple", "digit", "http", "target") {
		if strings.Contains(strings.ToLower(text), word) {
			return fmt.Errorf("there is the word %s", word)
		}
	}
	return nil
}

// smaller are games like the books, which are soon proved.
var smaller = []string{"dilemma pool=0-6", "sevens pool=0-6", "highest pool=1-7", "divisibility pool=1-6", "reverse pool=1-7"}

func rulesOf(t *testing.T, text string) digit.Rules {
	t.Helper()
	r, err := digit.ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestExamInDisguise gives the same answers to an exam and to the same one in disguise: both come
// to the same.
func TestExamInDisguise(t *testing.T) {
	h := open(t, &match.Memory{}, nil)
	g := h.guest(t)
	for seed, text := range smaller {
		r, words := rulesOf(t, text), uint64(seed)
		items, _ := paper(t, arena.Exam{Seed: 7, Parts: []arena.ExamPart{{Rules: r, Items: 9}}})
		rng := chance(words)
		wanted := args{"rules": text, "items": 9, "seed": 7}
		var answers []string
		open := sits(g, wanted, func(i Item) string {
			moves := items[i.Item-1].Moves
			answers = append(answers, moves[rng.IntN(len(moves))].String())
			if i.Item%7 == 0 {
				answers[i.Item-1] = "what?"
			}
			return answers[i.Item-1]
		})
		v, err := h.speechOf(t.Context(), r, &words)
		if err != nil {
			t.Fatal(err)
		}
		wanted["disguise"], wanted["show_moves"] = words, true
		veiled := sits(g, wanted, func(i Item) string {
			if err := secret(textOf(i)); err != nil {
				t.Fatalf("%v:\n%s", err, textOf(i))
			}
			m, err := digit.ParseMove(answers[i.Item-1])
			if err != nil {
				return items[i.Item-1].Moves[0].String() // digits are no move there
			}
			if !slices.Contains(i.Moves, v.Move(m)) || !slices.IsSorted(i.Moves) {
				t.Fatalf("%s is not among %v", v.Move(m), i.Moves)
			}
			return v.Move(m)
		})
		if veiled.Name != fmt.Sprintf("%s, in disguise %d", open.Name, words) {
			t.Errorf("%s", veiled.Name)
		}
		veiled.Exam, veiled.Name = open.Exam, open.Name
		if textOf(veiled) != textOf(open) {
			t.Errorf("in disguise it is\n%s, else\n%s", textOf(veiled), textOf(open))
		}
	}
}

// TestExamTooLarge asks for what the server does not solve.
func TestExamTooLarge(t *testing.T) {
	small := solve.Solver{Config: solve.Config{Budget: 1 << 20}}
	g := open(t, &match.Memory{}, func(c *Config) { c.Solve, c.Disguised = small.Solve, 1000 }).guest(t)
	if r, is := try[Refusal](g, "next_item", args{"rules": "dilemma pool=0-f width=4"}); !is || !strings.Contains(r.Reason, "cannot make the items") {
		t.Errorf("%+v", r)
	}
	if r, is := try[Refusal](g, "next_item", args{"rules": "sevens", "disguise": 1}); !is || !strings.Contains(r.Reason, "cannot disguise sevens: it has more than 1000 positions") {
		t.Errorf("%+v", r)
	}
	if r, is := try[Refusal](g, "new_game", args{"rules": "sevens", "disguise": 1}); !is || !strings.Contains(r.Reason, "cannot disguise sevens: ") {
		t.Errorf("%+v", r)
	}
}

// TestExamTooLargeAtOnce asks for an exam of which one part cannot be disguised at a server:
// nothing is worked out for that.
func TestExamTooLargeAtOnce(t *testing.T) {
	g := open(t, &match.Memory{}, func(c *Config) {
		c.Disguised = 1_000_000
		c.Solve = func(context.Context, digit.Rules) (*solve.Solution, error) {
			return nil, errors.New("a game is solved")
		}
		c.Work = func(context.Context, func()) error { return errors.New("a disguise is proved") }
	}).guest(t)
	r, is := try[Refusal](g, "next_item", args{"exam": "standard-1", "disguise": 1})
	if want := "cannot disguise dilemma width=4: it has more than 1000000 positions"; !is || r.Reason != want {
		t.Errorf("%+v", r)
	}
}

// TestExamIsKept goes on with an exam in another program on the same database.
func TestExamIsKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "duel.db")
	reopened := func() *guest {
		db, err := store.Open(t.Context(), file, store.Config{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() }) // it was only read and written
		return open(t, &match.Memory{}, func(c *Config) { c.Sittings = db }).guest(t)
	}
	item := got[Item](reopened(), "next_item", args{"rules": "highest", "items": 3, "show_moves": true})
	for n := 1; n <= 3; n++ {
		g := reopened()
		item = got[Item](g, "next_item", args{"exam": item.Exam})
		answer := args{"exam": item.Exam, "item": n, "move": item.Moves[0]}
		if a := got[Answered](g, "answer", answer); item.Item != n || a.Kind != "legal" {
			t.Fatalf("item %d: %+v, %+v", n, item, a)
		}
		got[Answered](reopened(), "answer", answer) // again, after an answer that did not come
		answer["move"] = item.Moves[1]
		if r, refused := try[Refusal](reopened(), "answer", answer); !refused || !strings.Contains(r.Reason, "the first answer counts") {
			t.Errorf("%+v", r)
		}
	}
	if report := got[ExamReport](reopened(), "report", args{"exam": item.Exam}); report.Items != 3 {
		t.Errorf("%+v", report)
	}
}

// TestExamsAreLimited has a server that lets nobody in.
func TestExamsAreLimited(t *testing.T) {
	limits := &ledger{full: tooMuch{}}
	g := open(t, &match.Memory{}, func(c *Config) { c.Limits = limits }).guest(t)
	if r, refused := try[Refusal](g, "next_item", args{"rules": "highest"}); !refused || r.Reason != "too much" || len(limits.opened) != 1 {
		t.Errorf("%+v", r)
	}
}

type tooMuch struct{}

func (tooMuch) Error() string   { return "limited" }
func (tooMuch) Refusal() string { return "too much" }

// TestExamsOnly offers no way to a game, whose report would reveal the value of an item, not even
// to one that was played elsewhere.
func TestExamsOnly(t *testing.T) {
	store := &match.Memory{}
	played := open(t, store, nil).guest(t)
	s := got[State](played, "new_game", args{"rules": "highest", "show_moves": true})
	for s.Result == "*" {
		s = got[State](played, "play", args{"game": s.Game, "move": s.Moves[0]})
	}
	got[GameReport](played, "report", args{"game": s.Game})

	g := open(t, store, func(c *Config) { c.ExamsOnly = true }).guest(t)
	if r, refused := try[Refusal](g, "report", args{"game": s.Game}); !refused || !strings.Contains(r.Reason, "this server has only exams") {
		t.Errorf("%+v", r)
	}
	item := got[Item](g, "next_item", args{"rules": "highest", "items": 1})
	if a := got[Answered](g, "answer", args{"exam": item.Exam, "item": 1, "move": "1a"}); a.Remaining != 0 {
		t.Errorf("%+v", a)
	}
	got[ExamReport](g, "report", args{"exam": item.Exam})
}

// planExam plans the standard exam in a folder, or resumes it, and returns a server for it.
func planExam(t *testing.T, dir string, kept Sittings, words *uint64) (*house, *arena.Run) {
	t.Helper()
	run, err := arena.Folder(dir).OpenRun(func(plan *arena.Plan) (*arena.Plan, error) {
		if plan != nil {
			return plan, nil
		}
		return arena.ExamPlan(arena.Plan{Exam: "standard-1", Once: true, Spec: disguise.Spec{Disguise: words}})
	})
	if err != nil {
		t.Fatal(err)
	}
	h := open(t, &match.Memory{}, func(c *Config) { c.Exam, c.Sittings = run.Exam, kept })
	if err := h.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	return h, run
}

// gradesIn returns the grades that the owner of an exam reads.
func gradesIn(t *testing.T, dir string) (all []ExamReport) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, arena.GradesFile))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var one ExamReport
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

// TestPlannedExam lets two agents take an exam once each, on a server that restarts. The owner gets
// both grades, also of an agent that never asks for its own, and one that stops early.
func TestPlannedExam(t *testing.T) {
	dir, kept := t.TempDir(), &sittings{}
	_, keys := paper(t, arena.Standard())
	h, run := planExam(t, dir, kept, nil)
	g := h.guest(t)
	if strings.Contains(g.listed(), `"name":"new_game"`) || !strings.Contains(g.listed(), `"name":"next_item"`) {
		t.Error("a planned exam has no games, and its items")
	}
	if why, refused := try[Refusal](g, "next_item", args{"seed": 1}); !refused || why.Reason != `unknown argument "seed"; arguments: exam, player` {
		t.Errorf("%+v", why)
	}
	take := func(player string, items int) {
		t.Helper()
		item := got[Item](g, "next_item", args{"player": player})
		for ; items > 0; items-- {
			move := "Let me think.\n\n**Final move:** " + strings.ToUpper(keys[item.Item-1].Keeps[0].String()) + "."
			if a := got[Answered](g, "answer", args{"exam": item.Exam, "item": item.Item, "move": move}); a.Kind != "legal" || a.Remaining != 500-item.Item {
				t.Fatalf("%+v", a)
			}
			if items > 1 {
				item = got[Item](g, "next_item", args{"player": player})
			}
		}
	}
	take("Ada", 3)
	take("Ben", 2)
	h.Close()
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}
	if all := gradesIn(t, dir); len(all) != 2 || all[0].Player != "Ada" || all[0].Unanswered != 497 || *all[0].Kept != 3.0/500 || all[1].Unanswered != 498 {
		t.Errorf("%+v", all)
	}
	h, run = planExam(t, dir, kept, nil)
	g = h.guest(t)
	take("Ada", 497)
	all := gradesIn(t, dir) // before any program ends
	if len(all) != 2 || all[0].Name != "standard-1" || *all[0].Kappa != 1 || all[0].Unanswered != 0 || all[1].Player != "Ben" {
		t.Errorf("%+v", all)
	}
	if why, refused := try[Refusal](g, "next_item", args{"player": "Ada"}); !refused || why.Reason != "all 500 items are answered; call report for the grade" {
		t.Errorf("%+v", why)
	}
	if report := got[ExamReport](g, "report", args{"exam": all[0].Exam}); *report.Kappa != 1 {
		t.Errorf("%+v", report)
	}
	if _, err := arena.Folder(dir).Standing(run.Exam.Plan); err == nil || !strings.HasSuffix(err.Error(), ": an exam; its grades are in grades.jsonl") {
		t.Errorf("%v", err)
	}
	// In disguise, no list reveals the games.
	h, _ = planExam(t, t.TempDir(), &sittings{}, new(uint64(7)))
	if names := regexp.MustCompile(`(?i)digit|multiple|`+bookNames()).FindAllString(h.guest(t).listed(), -1); names != nil {
		t.Errorf("what is listed shows the games: %q", names)
	}
}
