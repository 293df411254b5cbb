package coach

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// games lists the games whose reviews are golden files: for each book the one it prints, one
// without a mistake, one with many, and one that was not finished.
var games = []string{
	"dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple",
	"dilemma 0b 1a 3c 2b 9a 1-0 multiple",
	"dilemma 2c 9b 3b 6a 8a 7c 1-0 above",
	"dilemma 7a 3b 0-1 resigned",
	"dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple; opening=2",
	"sevens 7 5 1 8 2=721 1-0 multiple",
	"sevens 0 1 2 3 4=420 1-0 multiple",
	"sevens 8 1 3 9 0 5 1-0 nearest",
	"sevens 8 1 3 9 5=538 0-1 miscalled",
	"sevens 7 5 1 8 0-1 time",
	"highest 9a 8a 2c 7b 5b 6c 1-0 higher",
	"highest 9a 1a 2b 3b 4c 5c 1-0 higher",
	"highest 7b 9a 2a 8b 6c 3c 0-1 higher",
	"highest 5b 6c 7c 0-1 resigned",
	"highest 7b 9a 2a 8b 6c 3c 0-1 higher; on-timeout=random clock=3,5",
	"divisibility 4R 3R 2R 1-0 multiple",
	"divisibility 7R 1-0 multiple",
	"divisibility 2R 3R 4R 9L 6L 5L 7R 1L 8R 1-0 below",
	"divisibility 1R 2R 3R 1-0 resigned",
	"reverse 9a 1a 8b 2c 3c 4b 0-1 lower",
	"reverse 1a 2a 3b 4b 5c 6c 1-0 lower",
	"reverse 7b 1a 3a 9b 8c 4c 0-1 lower",
	"reverse *",
}

func recordOf(t testing.TB, line string) digit.Record {
	t.Helper()
	rec, err := digit.ParseRecord(line)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// render returns a review as text, for the starter.
func render(t *testing.T, line string) string {
	t.Helper()
	rec := recordOf(t, line)
	s := solved(t, rec.Rules.String())
	cast := casts(digit.First)[0]
	rv, err := ReviewGame(s, rec, cast)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	say := func(label, text string) {
		if text != "" {
			fmt.Fprintf(&b, "    %-7s %s\n", label, text)
		}
	}
	moves := func(line []digit.Move) string { return strings.Trim(fmt.Sprint(line), "[]") }
	fmt.Fprintf(&b, "%s\n\n", line)
	for _, step := range rv.Moves {
		fmt.Fprintf(&b, "%2d %v %s %v: %v, %v of %v", step.Ply, step.Side, step.Position,
			step.Move, step.Grade, step.Value, step.Best)
		if step.Decision {
			fmt.Fprintf(&b, ", decides")
		}
		b.WriteString("\n")
		say("told", step.Text)
		if step.Grade != Best {
			say("better", step.Reason)
		}
		say("line", moves(step.Line))
		say("refuted", moves(step.Refutation))
	}
	fmt.Fprintf(&b, "\n%s\n", rv.Chart(cast))
	for _, side := range []digit.Side{digit.First, digit.Second} {
		a := *rv.side(side)
		fmt.Fprintf(&b, "%v: %d of %d decisions, %d mistakes, %d blunders, lost %v in %d moves\n",
			side, a.Kept, a.Decisions, a.Mistakes, a.Blunders, a.Lost, a.Moves)
	}
	fmt.Fprintf(&b, "%s %s %s\n", rv.Course(cast),
		rv.First.Text(cast, digit.First), rv.Second.Text(cast, digit.Second))
	for _, step := range rv.Mistakes() {
		fmt.Fprintf(&b, "try again: %s\n", step.Position)
	}
	for _, ply := range rv.Moments {
		b.WriteString(rv.Moves[ply-1].Moment + "\n")
	}
	for _, text := range []string{rv.TurningPoint.Text.Long, rv.TurningPoint.Instead.Long, rv.Remark} {
		if text != "" {
			b.WriteString(text + "\n")
		}
	}
	if text := rv.Missed.Text.Long; text != "" {
		b.WriteString(rv.Missed.Title + ": " + text + "\n")
	}
	return b.String()
}

// TestReviews compares reviews of games of each book with golden files.
func TestReviews(t *testing.T) {
	for _, book := range digit.Books {
		t.Run(book.Name, func(t *testing.T) {
			var all []string
			for _, line := range games {
				if name, _, _ := strings.Cut(line, " "); name == book.Name {
					all = append(all, render(t, line))
				}
			}
			golden(t, book.Name+".txt", strings.Join(all, "\n"+strings.Repeat("=", 80)+"\n\n"))
		})
	}
}

// TestReviewJSON compares the JSON of a review with a golden file, and reads it back.
func TestReviewJSON(t *testing.T) {
	rec := recordOf(t, "divisibility 4R 3R 2R 1-0 multiple")
	rv, err := ReviewGame(solved(t, "divisibility"), rec, rulebook.Cast{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(rv, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "review.json", string(text)+"\n")
	var back Review
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(rv, back,
		cmpopts.IgnoreFields(Judged{}, "At", "Moment", "Better"),
		cmpopts.IgnoreFields(Review{}, "TurningPoint", "Missed"),
		cmpopts.IgnoreFields(Verdict{}, "Text", "Spoken"),
		cmp.Comparer(func(a, b digit.Move) bool { return a == b }),
	); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
	for _, bad := range []string{
		`{"moves":[{"grade":"great"}]}`, `{"moves":[{"side":"third"}]}`,
		`{"value":{"outcome":"maybe"}}`, `{"value":3}`,
	} {
		if err := json.Unmarshal([]byte(bad), &back); err == nil {
			t.Errorf("%s was accepted", bad)
		}
	}
}

// TestReviewErrors checks the errors of records that cannot be reviewed.
func TestReviewErrors(t *testing.T) {
	s := solved(t, "dilemma")
	move := func(text string) digit.Move { return moveOf(text) }
	for _, tt := range []struct {
		rec  digit.Record
		want string
	}{
		{digit.Record{Rules: digit.Highest}, "cannot review a record of highest with the solution of dilemma"},
		{digit.Record{Rules: digit.Dilemma, Moves: []digit.Move{move("7a"), move("7b")}}, "move 2: 7b: 7 is taken; left: 0 1 2 3 4 5 6 8 9"},
		{digit.Record{Rules: digit.Dilemma, Moves: []digit.Move{move("7a"), move("3d")}}, "move 2: 3d: there is no place d; allowed: a b c"},
		{digit.Record{Rules: digit.Dilemma, Result: digit.Result{Score: digit.FirstWins, Reason: digit.Multiple}},
			"result 1-0 multiple: the moves do not end the game; allowed: *, and 1-0 or 0-1 with time, resigned, left or forfeit"},
	} {
		_, err := ReviewGame(s, tt.rec, rulebook.Cast{})
		if err == nil || err.Error() != tt.want {
			t.Errorf("%v:\n got %v\nwant %s", tt.rec, err, tt.want)
		}
	}
	var wrong *digit.RecordError
	rec := digit.Record{Rules: digit.Dilemma, Moves: []digit.Move{move("7a"), move("7b")}}
	if _, err := ReviewGame(s, rec, rulebook.Cast{}); !errors.As(err, &wrong) || wrong.Ply != 2 {
		t.Errorf("got %v, want a RecordError of move 2", err)
	}
}

// TestRetry checks the verdicts when a player tries a mistake again.
func TestRetry(t *testing.T) {
	s := solved(t, "dilemma")
	rv, err := ReviewGame(s, recordOf(t, "dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple"), rulebook.Cast{})
	if err != nil {
		t.Fatal(err)
	}
	if none := rv.Mistakes(digit.Second); len(none) != 0 {
		t.Errorf("mistakes of the second: %v", none)
	}
	own := rv.Mistakes(digit.First)
	if len(own) != 1 || own[0].Position != "7_1/53_" || own[0].Ply != 5 {
		t.Fatalf("mistakes of the first: %v", own)
	}
	for _, tt := range []struct {
		move string
		kept bool
		want string
	}{
		{"2b", true, "best: Right! 721 = 7 × 103."},
		{"9b", true, "best: Right! 791 = 7 × 113."},
		{"0b", false, "blunder: Not 0 in the middle. Ben makes 532 = 7 × 76."},
	} {
		v, err := Judge(s, own[0].At, moveOf(tt.move), casts(digit.First)[0])
		got := v.Grade.String() + ": " + v.Text
		if err != nil || got != tt.want || v.Kept() != tt.kept {
			t.Errorf("%s:\n got %s\nwant %s", tt.move, got, tt.want)
		}
	}
}

// TestAccuracy checks that only real decisions count.
func TestAccuracy(t *testing.T) {
	for _, tt := range []struct {
		record        string
		first, second Accuracy
	}{
		{"highest 9a 8a 2c 7b 5b 6c 1-0 higher", Accuracy{Moves: 3, Decisions: 1, Kept: 1}, Accuracy{Moves: 3}},
		{"reverse 9a 1a 8b 2c 3c 4b 0-1 lower", Accuracy{Moves: 3, Decisions: 1, Mistakes: 1, Lost: 1}, Accuracy{Moves: 3}},
		{"divisibility 4R 3R 2R 1-0 multiple", Accuracy{Moves: 2, Decisions: 2, Kept: 1, Blunders: 1, Lost: 1}, Accuracy{Moves: 1, Decisions: 1, Blunders: 1, Lost: 1}},
		{"sevens *", Accuracy{}, Accuracy{}},
		{"highest 9a 8a 0-1 forfeit; program=first illegal=2 unreadable=1", Accuracy{Moves: 1, Decisions: 1, Kept: 1, Illegal: 2, Unreadable: 1}, Accuracy{Moves: 1}},
		{"highest 9a 1-0 forfeit; program=second illegal=3", Accuracy{Moves: 1, Decisions: 1, Kept: 1}, Accuracy{Illegal: 3}},
		{"highest 9a 1-0 forfeit; illegal=3", Accuracy{Moves: 1, Decisions: 1, Kept: 1}, Accuracy{}},
	} {
		rec := recordOf(t, tt.record)
		rv, err := ReviewGame(solved(t, rec.Rules.String()), rec, rulebook.Cast{})
		if err != nil {
			t.Fatal(err)
		}
		if rv.First != tt.first || rv.Second != tt.second {
			t.Errorf("%s: %+v, %+v", tt.record, rv.First, rv.Second)
		}
	}
}

// TestGivenUp checks the texts about games that a player did not play to the end.
func TestGivenUp(t *testing.T) {
	for _, tt := range []struct{ record, accuracy, remark, turning, missed string }{
		{"highest 9a 8a 0-1 forfeit; program=first illegal=2 unreadable=1",
			"You got 1 of 1 decision right. Besides, 2 answers were illegal and 1 was unreadable.",
			"You named no legal move, but 7 in the tens place would have won.",
			"You named no legal move, but 7 in the tens place would have won.", "You were winning: 1 in the tens place keeps the win."},
		{"highest 9a 8a 2c 7b 5b 6c 1-0 higher; program=first unreadable=1",
			"You got 1 of 1 decision right. Besides, 1 answer was unreadable.", "",
			"Nobody made a mistake. You could force a win from the start.", ": "},
		{"dilemma 5c 9a 0-1 forfeit; program=first unreadable=3 opening=2", "You made no move: 3 answers were unreadable.",
			"You named no legal move, but 0 in the middle would have won.", "You named no legal move, but 0 in the middle would have won.",
			"You were winning: 0 in the middle: then 105 and 805 both win."},
		{"reverse 9a 1a 0-1 resigned", "You got 0 of 1 decision right.", "You resigned in a lost position.",
			"Your first move decided it. 1 in the hundreds place would have won.", "Your first digit: 1 instead of 9 keeps the win."},
		{"dilemma 7a 3b 1c 0-1 resigned", "You got 2 of 2 decisions right.", "You resigned, but you could force a win.",
			"You resigned, but you could force a win.", "You were winning: "},
		{"dilemma 7a 3b 0-1 time", "You got 1 of 1 decision right.", "Your time ran out, but 1 on the right would have won.",
			"Your time ran out, but 1 on the right would have won.", "You were winning: 1 on the right: then 721 and 791 both win."},
		{"divisibility 4R 7R 0-1 multiple", "You got 0 of 1 decision right.", "",
			"Your first move decided it. 7 would have won.", "Your first digit: 7 instead of 4: a multiple of 7 on its own."},
		{"highest 8a 9a 0-1 left", "You got 0 of 1 decision right.", "You left in a lost position.",
			"Your first move decided it. 9 in the hundreds place would have won.", "Your first digit: 9 instead of 8 keeps the win."},
	} {
		rec := recordOf(t, tt.record)
		cast := casts(digit.First)[0]
		rv, err := ReviewGame(solved(t, rec.Rules.String()), rec, cast)
		if err != nil {
			t.Fatal(err)
		}
		turning := rv.TurningPoint.Text.Then(rv.TurningPoint.Instead).Long
		missed := rv.Missed.Title + ": " + rv.Missed.Text.Long
		accuracy := rv.First.Text(cast, digit.First)
		if accuracy != tt.accuracy || rv.Remark != tt.remark || turning != tt.turning ||
			missed != tt.missed {
			t.Errorf("%s:\n%s\n%s\n%s\n%s", tt.record, accuracy, rv.Remark, turning, missed)
		}
	}
}

// TestNothingMissed checks the text about a loss without a mistake.
func TestNothingMissed(t *testing.T) {
	s, moves := gameOf(t, "divisibility 7R")
	result := s.Rules().Result(s.Rules().After(moves))
	rec := digit.Record{Rules: s.Rules(), Moves: moves, Result: result}
	rv, err := ReviewGame(s, rec, casts(digit.Second)[0])
	if got := rv.Missed; err != nil || got.Exists ||
		got.Text.Long != "Nothing would have helped against best play." {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestLastChance checks whose last chance is named: the reader's, unless the reader won, and else
// the loser's.
func TestLastChance(t *testing.T) {
	rv, won := Review{Rules: digit.Dilemma}, solve.Value{Outcome: solve.Win, Plies: 3}
	lost := solve.Value{Outcome: solve.Loss, Plies: 2}
	for i, side := range []digit.Side{digit.First, digit.Second, digit.First} {
		rv.Moves = append(rv.Moves, Judged{
			Ply: i + 1, Side: side, Verdict: Verdict{Grade: Mistake, Best: won, Value: lost},
		})
	}
	cast := rulebook.Cast{Names: [2]string{"Ada", "Ben"}}
	for _, tt := range []struct {
		score  digit.Score
		reader digit.Side
		want   string
	}{
		{digit.Draw, digit.First, "Your last chance was move 3."},
		{digit.Draw, digit.Second, "Your last chance was move 2."},
		{digit.FirstWins, digit.Second, "Your last chance was move 2."},
		{digit.FirstWins, digit.First, "Ben's last chance was move 2."},
		{digit.SecondWins, digit.First, "Your last chance was move 3."},
	} {
		rv.Result = digit.Result{Score: tt.score, Reason: digit.Resignation}
		cast.You = [2]bool{tt.reader == digit.First, tt.reader == digit.Second}
		if got := rv.lastChance(cast).Long; got != tt.want {
			t.Errorf("%v for %v: got %q, want %q", tt.score, tt.reader, got, tt.want)
		}
	}
}
