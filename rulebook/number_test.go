package rulebook

import (
	"testing"

	"digitduel/digit"
)

// firstNumber returns the number of the first player in a position.
func firstNumber(t *testing.T, r digit.Rules, text string) digit.Number {
	t.Helper()
	p, err := r.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	return r.Best(r.Number(p, digit.First))
}

func TestNumberForms(t *testing.T) {
	tests := []struct{ rules, at, want, spoken string }{
		{"dilemma", "721/53_", "721 = 7 × 103", "721 is 7 times 103"},
		{"dilemma", "708/53_", "708 = 7 × 101 + 1", "708 is 7 times 101 plus 1"},
		{"dilemma", "042/53_", "042 = 7 × 6", "0 4 2, that is 42, is 7 times 6"},
		{"dilemma pool=0-f", "9bc/53_", "9bc (2492) = 7 × 356",
			"9 b c, that is 2492, is 7 times 356"},
		{"divisibility target=99", "12/3", "12 is less than 99", "12 is less than 99"},
	}
	for _, tt := range tests {
		r := rulesOf(t, tt.rules)
		n := firstNumber(t, r, tt.at)
		got := Say(r, Cast{}, func(v Voice) string { return v.Sum(n) })
		if got.Long != tt.want || got.Spoken != tt.spoken {
			t.Errorf("%s %s: got %+v, want %q and %q", tt.rules, tt.at, got, tt.want, tt.spoken)
		}
	}
}

func TestDistanceForms(t *testing.T) {
	tests := []struct {
		at                string
		order             digit.Order
		distance, of, gap string
	}{
		{"685/14_", digit.Above, "1 short", "1 short of a multiple of 7",
			"685 is 1 short of 686 = 7 × 98"},
		{"816/23_", digit.Below, "4 over", "4 over a multiple of 7", "816 is 4 over 812 = 7 × 116"},
		{"816/23_", digit.Nearest, "3 short", "3 short of a multiple of 7",
			"816 is 3 short of 819 = 7 × 117"},
		{"815/23_", digit.Nearest, "3 over", "3 over a multiple of 7",
			"815 is 3 over 812 = 7 × 116"},
		{"042/13_", digit.Above, "7 short", "7 short of a multiple of 7",
			"042 is 7 short of 49 = 7 × 7"},
		{"042/13_", digit.Below, "a multiple of 7", "a multiple of 7", "042 = 7 × 6"},
	}
	for _, tt := range tests {
		v := Voice{digit.Dilemma, Cast{}, written}
		n := firstNumber(t, v.Rules, tt.at)
		got := [3]string{v.Distance(tt.order, n), v.OfMultiple(tt.order, n),
			v.Gap(tt.order, n)}
		if want := [3]string{tt.distance, tt.of, tt.gap}; got != want {
			t.Errorf("%s by %v: got %q, want %q", tt.at, tt.order, got, want)
		}
	}
	// 12 is as far from 8 as from 16.
	even := Voice{rulesOf(t, "divisibility target=8"), Cast{}, written}
	got, want := even.Distance(digit.Nearest, firstNumber(t, even.Rules, "12/3")), "4 over"
	if got != want {
		t.Errorf("12 is %s a multiple of 8, want %s", got, want)
	}
}

func TestMoveForms(t *testing.T) {
	tests := []struct{ rules, moves, put, did, back string }{
		{"dilemma", "7a", "put 7 on the left", "put 7 on the left", "7 on the left"},
		{"dilemma", "7b", "put 7 in the middle", "put 7 in the middle", "7 in the middle"},
		{"dilemma pool=0-f", "7c", "put 7 on the right", "put 7 on the right", "7 on the right"},
		{"dilemma pool=0-f width=4", "7b", "put 7 in the 2nd place", "put 7 in the 2nd place",
			"7 in the 2nd place"},
		{"highest", "7c", "put 7 in the units place", "put 7 in the units place",
			"7 in the units place"},
		{"highest pool=1-f", "7c", "put 7 in the 3rd place", "put 7 in the 3rd place",
			"7 in the 3rd place"},
		{"reverse", "7c", "put 7 in the ones place", "put 7 in the ones place",
			"7 in the ones place"},
		{"divisibility", "4R", "start with 4", "started with 4", "4"},
		{"divisibility", "4R 3R 2R", "add 2 on the right", "added 2 on the right",
			"2 on the right"},
		{"sevens", "2", "take 2", "took 2", "2"},
		{"sevens", "7 5 1 8 2=721", "take 2 and call 721", "took 2 and called 721",
			"2 and the call of 721"},
	}
	for _, tt := range tests {
		r := rulesOf(t, tt.rules)
		before, _, last := play(t, r, tt.moves)
		v := Voice{r, Cast{}, written}
		got := [3]string{v.Put(before, last), v.Did(before, last), v.Back(before, last)}
		if want := [3]string{tt.put, tt.did, tt.back}; got != want {
			t.Errorf("%s %s: got %q, want %q", tt.rules, tt.moves, got, want)
		}
	}
}

func TestTurnForms(t *testing.T) {
	v := Voice{digit.Dilemma, Cast{Names: [2]string{"You", "Youssef"}, You: [2]bool{true, false}},
		written}
	tests := []struct {
		n       int
		explain bool
		want    string
	}{
		{1, false, "this turn"}, {2, true, "after Youssef's next digit"},
		{5, false, "in 5 turns"}, {5, true, "in 5 turns, counting both players"},
	}
	for _, tt := range tests {
		if got := v.Turns(tt.n, digit.Second, tt.explain); got != tt.want {
			t.Errorf("%d turns: got %q, want %q", tt.n, got, tt.want)
		}
	}
}

// TestPeople checks the names of a player for different readers.
func TestPeople(t *testing.T) {
	machine := [2]bool{false, true}
	tests := []struct {
		cast                   Cast
		who, whom, whose, does string
	}{
		{Cast{You: machine}, "You", "you", "Your", "You take"},
		{Cast{You: [2]bool{true, false}, Computer: machine}, "The computer", "the computer",
			"The computer's", "The computer takes"},
		{Cast{Names: [2]string{"Ada", "Casual"}, Computer: machine}, "Casual", "Casual", "Casual's",
			"Casual takes"},
		{Cast{Names: [2]string{"Ada", "James"}}, "James", "James", "James's", "James takes"},
		{Cast{}, "Player 2", "Player 2", "Player 2's", "Player 2 takes"},
	}
	for _, tt := range tests {
		v, s := Voice{Cast: tt.cast, form: written}, digit.Second
		got := [4]string{v.Who(s), v.Whom(s), v.Whose(s), v.Does(s, "take")}
		if want := [4]string{tt.who, tt.whom, tt.whose, tt.does}; got != want {
			t.Errorf("%+v: got %q, want %q", tt.cast, got, want)
		}
	}
}
