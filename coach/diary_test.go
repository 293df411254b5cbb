package coach

import (
	"encoding/json"
	"testing"
)

// TestDiary checks the mark of a day, the streak and the explanation after some answers.
func TestDiary(t *testing.T) {
	type answer struct {
		today, day Day
		right      bool
	}
	for _, tt := range []struct {
		answers []answer
		day     Day
		mark    Mark
		current int
		why     string
	}{
		{nil, 100, Untried, 0, "Today counts if your first try is right. You may use hints, but not the last step."},
		{nil, 99, Untried, 0, "Past days are for practice. Only today's puzzle counts."},
		{nil, 101, Untried, 0, "This day hasn't come yet."},
		{[]answer{{100, 100, true}}, 100, Solved, 1, "Today counts: your first try was right."},
		{[]answer{{100, 100, false}}, 100, Missed, 0, "Today doesn't count: your first try was wrong, or the answer was shown."},
		{[]answer{{99, 99, false}, {100, 99, true}}, 99, Late, 0, "That day doesn't count: you solved it later."},
		{[]answer{{100, 100, false}, {100, 100, true}}, 100, Late, 0, "Today doesn't count: your first try was wrong, or the answer was shown."},
		{[]answer{{100, 100, true}, {100, 100, false}}, 100, Solved, 1, "Today counts: your first try was right."},
		{[]answer{{99, 99, true}, {100, 100, true}}, 99, Solved, 2, "That day counts: your first try was right."},
		{[]answer{{100, 98, false}}, 98, Untried, 0, "Past days are for practice. Only today's puzzle counts."},
		{[]answer{{100, 98, false}, {100, 98, true}}, 98, Late, 0, "That day doesn't count: you solved it later."},
		{[]answer{{98, 98, true}, {100, 99, true}, {100, 100, true}}, 99, Late, 1, "That day doesn't count: you solved it later."},
	} {
		var d Diary
		for _, a := range tt.answers {
			d = d.After(a.today, a.day, a.right)
		}
		if d.Mark(tt.day) != tt.mark || d.Current != tt.current || d.Why(100, tt.day) != tt.why {
			t.Errorf("%v: day %d is %v, %d in a row, %q",
				tt.answers, tt.day, d.Mark(tt.day), d.Current, d.Why(100, tt.day))
		}
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		var back Diary
		err = json.Unmarshal(text, &back)
		if err != nil || back.Streak != d.Streak || back.Mark(tt.day) != tt.mark {
			t.Errorf("%s is read as %+v, %v", text, back, err)
		}
	}
	if err := json.Unmarshal([]byte(`{"days":{"2026-01-31":"often"}}`), new(Diary)); err == nil {
		t.Error("an unknown mark was accepted")
	}
}

// TestOldDiary reads diaries without days, as they were once saved: the streak gives the days.
func TestOldDiary(t *testing.T) {
	for _, tt := range []struct {
		text string
		want string // the marks of 8 to 13 January
	}{
		{`{"last":"2026-01-12","current":3,"longest":5,"solved":9,"tried":12}`, "untried untried solved solved solved untried"},
		{`{"last":"2026-01-12","current":0,"longest":5,"solved":9,"tried":12}`, "untried untried untried untried missed untried"},
		{`{"last":"1970-01-01","current":0,"longest":0,"solved":0,"tried":0}`, "untried untried untried untried untried untried"},
		{`{"last":"2026-01-12","current":1,"longest":5,"solved":9,"tried":12,"days":{"2026-01-10":"late"}}`, "untried untried late untried solved untried"},
	} {
		var d Diary
		if err := json.Unmarshal([]byte(tt.text), &d); err != nil {
			t.Fatal(err)
		}
		eighth, got := Day(20461), ""
		for day := eighth; day <= eighth+5; day++ {
			got += " " + d.Mark(day).String()
		}
		if got[1:] != tt.want || eighth.String() != "2026-01-08" {
			t.Errorf("%s: from %v %s, want %s", tt.text, eighth, got, tt.want)
		}
	}
}

// TestDiaryCopied checks that a try changes no earlier diary.
func TestDiaryCopied(t *testing.T) {
	today := FirstDay + 10
	before := Diary{}.After(today, today, true)
	before.After(today+1, today+1, false)
	if mark := before.Mark(today + 1); mark != Untried {
		t.Errorf("the earlier diary says %v", mark)
	}
}
