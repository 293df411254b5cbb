package rulebook

import "testing"

func TestLevel(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{AskLevel(3, "skilled").Short, "3 wins in a row. Try skilled?"},
		{AskLevel(-4, "beginner").Short, "4 losses in a row. Try beginner?"},
		{Tally("casual", 5, 2, 1).Short, "casual: 5 won, 2 lost, 1 drawn"},
		{Tally("casual", 0, 2, 0).Long, "Against casual: 0 won, 2 lost."},
		{Tally("casual", 0, 0, 0).Long, ""},
	} {
		if tt.got != tt.want || len(tt.got) > 40 {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
