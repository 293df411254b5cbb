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

// makeExam returns the items of an exam and their keys, made without a server.
func makeExam(t *testing.T, e arena.Exam) (items []arena.Item, keys []arena.Key) {
	t.Helper()
	for i, part := range e.Parts {
		s, err := solver.Solve(t.Context(), part.Rules)
		if err != nil {
			t.Fatal(err)
		}
		partItems, partKeys, err := e.Make(i, s, len(items))
		if err != nil {
			t.Fatal(err)
		}
		items, keys = append(items, partItems...), append(keys, partKeys...)
	}
	return items, keys
}

// takeExam answers every item of an exam with the result of pick, and returns the report.
func takeExam(cl *testClient, wanted args, pick func(Item) string) ExamReport {
	cl.Helper()
	item := mustCall[Item](cl, "next_item", wanted)
	for n := 1; ; n++ {
		if item.Item != n {
			cl.Fatalf("item %d: got %+v", n, item)
		}
		a := mustCall[Answered](cl, "answer", args{
			"exam": item.Exam, "item": n, "move": pick(item),
		})
		if a.Remaining != item.Of-n {
			cl.Fatalf("item %d: %+v", n, a)
		}
		if a.Remaining == 0 {
			return mustCall[ExamReport](cl, "report", args{"exam": item.Exam})
		}
		item = mustCall[Item](cl, "next_item", args{"exam": item.Exam})
	}
}

// TestExam takes an exam of all books with good, bad and unreadable answers: the items and the
// grade are the same as those of package arena.
func TestExam(t *testing.T) {
	cl := newTestServer(t, &match.Memory{}, nil).client(t)
	e := arena.Exam{Seed: 5}
	for _, b := range digit.Books {
		e.Parts = append(e.Parts, arena.ExamPart{Rules: b.Rules, Items: 6})
	}
	items, keys := makeExam(t, e)
	var replies []arena.Reply
	rng := newRand(1)
	report := takeExam(cl, args{"items": 6, "seed": 5, "player": "Ada", "show_moves": true}, func(i Item) string {
		want := items[i.Item-1]
		var moves []string
		for _, m := range want.Moves {
			moves = append(moves, m.String())
		}
		slices.Sort(moves)
		if i.Of != len(items) || i.Rules != want.Rules.String() || i.Position != want.Position ||
			i.Turn != want.Turn.String() || i.Left != want.Left || !slices.Equal(i.Moves, moves) {
			t.Fatalf("got %+v, want %+v", i, want)
		}
		answer := moves[rng.IntN(len(moves))]
		switch rng.IntN(8) {
		case 0:
			answer = "no idea"
		case 1:
			answer = "fa" // no digit of these games
		}
		replies = append(replies, arena.Reply{Item: i.Item, Move: answer})
		return answer
	})
	grade, err := arena.GradeReplies(keys, replies)
	if err != nil {
		t.Fatal(err)
	}
	if grade.Unreadable == 0 || grade.Illegal == 0 || *grade.Kept == 0 {
		t.Fatalf("the answers are not of all kinds: %+v", grade)
	}
	sameGrade(t, grade, report)
	if report.Player != "Ada" ||
		report.Name != "6 items of dilemma, sevens, highest, divisibility, reverse, seed 5" {
		t.Errorf("%+v", report)
	}
}

// sameGrade compares a grade with a report.
func sameGrade(t *testing.T, grade *arena.Grade, report ExamReport) {
	t.Helper()
	got, err := json.Marshal(arena.Grade{
		Marks: report.Marks, ByRules: report.ByRules, ByDifficulty: report.ByDifficulty,
	})
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

// TestStandardExam checks every item of the standard exam, and that perfect answers get full marks.
func TestStandardExam(t *testing.T) {
	if os.Getenv("DUEL_NIGHTLY") == "" {
		t.Skip("the whole standard exam is part of make nightly")
	}
	cl := newTestServer(t, &match.Memory{}, nil).client(t)
	items, keys := makeExam(t, arena.Standard())
	report := takeExam(cl, args{"exam": "standard-1"}, func(i Item) string {
		if want := items[i.Item-1]; i.Of != 500 || i.Position != want.Position ||
			i.Rules != want.Rules.String() || len(i.Moves) > 0 {
			t.Fatalf("got %+v, want %+v", i, want)
		}
		return keys[i.Item-1].Keeps[0].String()
	})
	if report.Name != "standard-1" || *report.Kappa != 1 || report.Items != 500 ||
		len(report.ByRules) != 8 || report.Player != "guest" {
		t.Errorf("%+v", report)
	}
}

// TestFirstAnswersCount checks that wrong requests are refused, that the first answer to an item
// counts, and that another server can continue the exam.
func TestFirstAnswersCount(t *testing.T) {
	kept := &sittings{}
	sameSittings := func(c *Config) { c.Sittings = kept }
	cl := newTestServer(t, &match.Memory{}, sameSittings).client(t)
	first := mustCall[Item](cl, "next_item", args{"rules": "sevens", "items": 3, "seed": 1})
	if again := mustCall[Item](cl, "next_item", args{"exam": first.Exam}); again.Item != 1 ||
		again.Position != first.Position {
		t.Errorf("got %+v, want %+v", again, first)
	}
	refused := func(tool string, a args, want string) {
		t.Helper()
		if answer, is := tryCall[Refusal](cl, tool, a); !is ||
			!strings.Contains(answer.Reason, want) || answer.Fault != "" {
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
	if a := mustCall[Answered](cl, "answer", answer(1, rubbish)); a.Kind != "unreadable" ||
		len(a.Move) > mostAnswer || a.Remaining != 2 {
		t.Errorf("%+v", a)
	}
	mustCall[Answered](cl, "answer", answer(1, rubbish)) // the same answer again is accepted
	refused("answer", answer(1, "1"), "item 1: already answered, and the first answer counts; call next_item")
	taken := "0"
	if item := mustCall[Item](cl, "next_item", args{"exam": id}); strings.Contains(item.Left, "0") {
		taken = "a" // not a digit of the game
	}
	if a := mustCall[Answered](cl, "answer", answer(2, taken)); a.Kind != "illegal" {
		t.Errorf("%+v", a)
	}
	cl = newTestServer(t, &match.Memory{}, sameSittings).client(t)
	last := mustCall[Item](cl, "next_item", args{"exam": id})
	move, _, _ := strings.Cut(last.Left, " ")
	if a := mustCall[Answered](cl, "answer", answer(last.Item, move)); last.Item != 3 ||
		a.Kind != "legal" || a.Remaining != 0 {
		t.Errorf("%+v %+v", last, a)
	}
	refused("next_item", args{"exam": id}, "all 3 items are answered; call report for the grade")
	refused("answer", answer(4, "1"), "all 3 items are answered; call report for the grade")
	if report := mustCall[ExamReport](cl, "report", args{"exam": id}); report.Items != 3 ||
		report.Unreadable != 1 || report.Illegal != 1 {
		t.Errorf("%+v", report)
	}
}

var aDigit = regexp.MustCompile(`[0-9]`)

// harmless matches fields whose numbers reveal nothing about a game.
var harmless = regexp.MustCompile(`(?m)^(game|exam|item|of|ply|tries_left|remaining|player): .*$|ply [0-9]+`)

// revealed returns an error if a text reveals a game in disguise.
func revealed(text string) error {
	text = harmless.ReplaceAllString(text, "")
	if found := aDigit.FindString(text); found != "" {
		return fmt.Errorf("the text has the digit %s", found)
	}
	for _, word := range append(digit.BookNames(), "multiple", "digit", "http", "target") {
		if strings.Contains(strings.ToLower(text), word) {
			return fmt.Errorf("the text has the word %s", word)
		}
	}
	return nil
}

// smallRules are small variants of the books, whose disguises are proved quickly.
var smallRules = []string{
	"dilemma pool=0-6", "sevens pool=0-6", "highest pool=1-7", "divisibility pool=1-6", "reverse pool=1-7",
}

// rulesOf parses rules.
func rulesOf(t *testing.T, text string) digit.Rules {
	t.Helper()
	r, err := digit.ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestExamInDisguise checks that the same answers to an exam and to the exam in disguise get the
// same grade.
func TestExamInDisguise(t *testing.T) {
	srv := newTestServer(t, &match.Memory{}, nil)
	cl := srv.client(t)
	for seed, text := range smallRules {
		r, number := rulesOf(t, text), uint64(seed)
		items, _ := makeExam(t, arena.Exam{Seed: 7, Parts: []arena.ExamPart{{Rules: r, Items: 9}}})
		rng := newRand(number)
		wanted := args{"rules": text, "items": 9, "seed": 7}
		var answers []string
		plain := takeExam(cl, wanted, func(i Item) string {
			moves := items[i.Item-1].Moves
			answers = append(answers, moves[rng.IntN(len(moves))].String())
			if i.Item%7 == 0 {
				answers[i.Item-1] = "what?"
			}
			return answers[i.Item-1]
		})
		v, err := srv.speechOf(t.Context(), r, &number)
		if err != nil {
			t.Fatal(err)
		}
		wanted["disguise"], wanted["show_moves"] = number, true
		disguised := takeExam(cl, wanted, func(i Item) string {
			if err := revealed(textOf(i)); err != nil {
				t.Fatalf("%v:\n%s", err, textOf(i))
			}
			m, err := digit.ParseMove(answers[i.Item-1])
			if err != nil {
				return items[i.Item-1].Moves[0].String() // not a move in disguise
			}
			if !slices.Contains(i.Moves, v.Move(m)) || !slices.IsSorted(i.Moves) {
				t.Fatalf("%s is not among %v", v.Move(m), i.Moves)
			}
			return v.Move(m)
		})
		if disguised.Name != fmt.Sprintf("%s, in disguise %d", plain.Name, number) {
			t.Errorf("got name %s", disguised.Name)
		}
		disguised.Exam, disguised.Name = plain.Exam, plain.Name
		if textOf(disguised) != textOf(plain) {
			t.Errorf("got in disguise\n%s, want\n%s", textOf(disguised), textOf(plain))
		}
	}
}

// TestExamTooLarge asks for games that are too large for the solver or for a disguise.
func TestExamTooLarge(t *testing.T) {
	small := solve.Solver{Config: solve.Config{Budget: 1 << 20}}
	cl := newTestServer(t, &match.Memory{}, func(c *Config) {
		c.Solve, c.Disguised = small.Solve, 1000
	}).client(t)
	if r, is := tryCall[Refusal](cl, "next_item", args{"rules": "dilemma pool=0-f width=4"}); !is ||
		!strings.Contains(r.Reason, "cannot make the items") {
		t.Errorf("%+v", r)
	}
	if r, is := tryCall[Refusal](cl, "next_item", args{"rules": "sevens", "disguise": 1}); !is ||
		!strings.Contains(r.Reason, "cannot disguise sevens: it has more than 1000 positions") {
		t.Errorf("%+v", r)
	}
	if r, is := tryCall[Refusal](cl, "new_game", args{"rules": "sevens", "disguise": 1}); !is ||
		!strings.Contains(r.Reason, "cannot disguise sevens: ") {
		t.Errorf("%+v", r)
	}
}

// TestExamTooLargeAtOnce checks that an exam with a part that is too large for a disguise is
// refused before anything is computed.
func TestExamTooLargeAtOnce(t *testing.T) {
	cl := newTestServer(t, &match.Memory{}, func(c *Config) {
		c.Disguised = 1_000_000
		c.Solve = func(context.Context, digit.Rules) (*solve.Solution, error) {
			return nil, errors.New("a game is solved")
		}
		c.Work = func(context.Context, func()) error { return errors.New("a disguise is proved") }
	}).client(t)
	r, is := tryCall[Refusal](cl, "next_item", args{"exam": "standard-1", "disguise": 1})
	if want := "cannot disguise dilemma width=4: it has more than 1000000 positions"; !is ||
		r.Reason != want {
		t.Errorf("%+v", r)
	}
}

// TestExamIsKept checks that another program with the same database continues an exam.
func TestExamIsKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "duel.db")
	reopened := func() *testClient {
		db, err := store.Open(t.Context(), file, store.Config{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() }) // the test has no more use for it
		return newTestServer(t, &match.Memory{}, func(c *Config) { c.Sittings = db }).client(t)
	}
	item := mustCall[Item](reopened(), "next_item", args{
		"rules": "highest", "items": 3, "show_moves": true,
	})
	for n := 1; n <= 3; n++ {
		cl := reopened()
		item = mustCall[Item](cl, "next_item", args{"exam": item.Exam})
		answer := args{"exam": item.Exam, "item": n, "move": item.Moves[0]}
		if a := mustCall[Answered](cl, "answer", answer); item.Item != n || a.Kind != "legal" {
			t.Fatalf("item %d: %+v, %+v", n, item, a)
		}
		mustCall[Answered](reopened(), "answer", answer) // again, as if the answer was lost
		answer["move"] = item.Moves[1]
		if r, refused := tryCall[Refusal](reopened(), "answer", answer); !refused ||
			!strings.Contains(r.Reason, "the first answer counts") {
			t.Errorf("%+v", r)
		}
	}
	if report := mustCall[ExamReport](reopened(), "report", args{"exam": item.Exam}); report.Items != 3 {
		t.Errorf("%+v", report)
	}
}

// TestExamsAreLimited checks that the limits of a server apply to exams.
func TestExamsAreLimited(t *testing.T) {
	limits := &limitsRecorder{err: tooMuchError{}}
	cl := newTestServer(t, &match.Memory{}, func(c *Config) { c.Limits = limits }).client(t)
	if r, refused := tryCall[Refusal](cl, "next_item", args{"rules": "highest"}); !refused ||
		r.Reason != "too much" || len(limits.opened) != 1 {
		t.Errorf("%+v", r)
	}
}

type tooMuchError struct{}

func (tooMuchError) Error() string   { return "limited" }
func (tooMuchError) Refusal() string { return "too much" }

// TestExamsOnly checks that a server with only exams reports no games, not even those of another
// server. Their reports would reveal the values of items.
func TestExamsOnly(t *testing.T) {
	store := &match.Memory{}
	played := newTestServer(t, store, nil).client(t)
	s := mustCall[State](played, "new_game", args{"rules": "highest", "show_moves": true})
	for s.Result == "*" {
		s = mustCall[State](played, "play", args{"game": s.Game, "move": s.Moves[0]})
	}
	mustCall[GameReport](played, "report", args{"game": s.Game})

	cl := newTestServer(t, store, func(c *Config) { c.ExamsOnly = true }).client(t)
	if r, refused := tryCall[Refusal](cl, "report", args{"game": s.Game}); !refused ||
		!strings.Contains(r.Reason, "this server has only exams") {
		t.Errorf("%+v", r)
	}
	item := mustCall[Item](cl, "next_item", args{"rules": "highest", "items": 1})
	a := mustCall[Answered](cl, "answer", args{"exam": item.Exam, "item": 1, "move": "1a"})
	if a.Remaining != 0 {
		t.Errorf("%+v", a)
	}
	mustCall[ExamReport](cl, "report", args{"exam": item.Exam})
}

// planExam plans the standard exam in a folder, or resumes it, and returns a server for it.
func planExam(t *testing.T, dir string, kept Sittings, number *uint64) (*testServer, *arena.Run) {
	t.Helper()
	run, err := arena.Folder(dir).OpenRun(func(plan *arena.Plan) (*arena.Plan, error) {
		if plan != nil {
			return plan, nil
		}
		return arena.ExamPlan(arena.Plan{
			Exam: "standard-1", Once: true, Spec: disguise.Spec{Disguise: number},
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	srv := newTestServer(t, &match.Memory{}, func(c *Config) { c.Exam, c.Sittings = run.Exam, kept })
	if err := srv.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	return srv, run
}

// gradesIn returns the grades in the folder of an exam.
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

// TestPlannedExam lets two agents take an exam once each, on a server that restarts. The file of
// grades has both, even if an agent stops early or never asks for its grade.
func TestPlannedExam(t *testing.T) {
	dir, kept := t.TempDir(), &sittings{}
	_, keys := makeExam(t, arena.Standard())
	srv, run := planExam(t, dir, kept, nil)
	cl := srv.client(t)
	if strings.Contains(cl.listing(), `"name":"new_game"`) ||
		!strings.Contains(cl.listing(), `"name":"next_item"`) {
		t.Error("a planned exam must offer next_item and not new_game")
	}
	if why, refused := tryCall[Refusal](cl, "next_item", args{"seed": 1}); !refused ||
		why.Reason != `unknown argument "seed"; arguments: exam, player` {
		t.Errorf("%+v", why)
	}
	take := func(player string, items int) {
		t.Helper()
		item := mustCall[Item](cl, "next_item", args{"player": player})
		for ; items > 0; items-- {
			best := strings.ToUpper(keys[item.Item-1].Keeps[0].String())
			move := "Let me think.\n\n**Final move:** " + best + "."
			a := mustCall[Answered](cl, "answer", args{
				"exam": item.Exam, "item": item.Item, "move": move,
			})
			if a.Kind != "legal" || a.Remaining != 500-item.Item {
				t.Fatalf("%+v", a)
			}
			if items > 1 {
				item = mustCall[Item](cl, "next_item", args{"player": player})
			}
		}
	}
	take("Ada", 3)
	take("Ben", 2)
	srv.Close()
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}
	if all := gradesIn(t, dir); len(all) != 2 || all[0].Player != "Ada" ||
		all[0].Unanswered != 497 || *all[0].Kept != 3.0/500 || all[1].Unanswered != 498 {
		t.Errorf("%+v", all)
	}
	srv, run = planExam(t, dir, kept, nil)
	cl = srv.client(t)
	take("Ada", 497)
	all := gradesIn(t, dir) // before the server is closed
	if len(all) != 2 || all[0].Name != "standard-1" || *all[0].Kappa != 1 ||
		all[0].Unanswered != 0 || all[1].Player != "Ben" {
		t.Errorf("%+v", all)
	}
	if why, refused := tryCall[Refusal](cl, "next_item", args{"player": "Ada"}); !refused ||
		why.Reason != "all 500 items are answered; call report for the grade" {
		t.Errorf("%+v", why)
	}
	if report := mustCall[ExamReport](cl, "report", args{"exam": all[0].Exam}); *report.Kappa != 1 {
		t.Errorf("%+v", report)
	}
	if _, err := arena.Folder(dir).Standing(run.Exam.Plan); err == nil ||
		!strings.HasSuffix(err.Error(), ": an exam; its grades are in grades.jsonl") {
		t.Errorf("%v", err)
	}
	// In disguise, the lists do not reveal the games.
	srv, _ = planExam(t, t.TempDir(), &sittings{}, new(uint64(7)))
	revealing := regexp.MustCompile(`(?i)digit|multiple|` + bookNames())
	if names := revealing.FindAllString(srv.client(t).listing(), -1); names != nil {
		t.Errorf("the lists reveal the games: %q", names)
	}
}
