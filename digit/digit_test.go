package digit

import (
	"slices"
	"testing"
)

func TestDigit(t *testing.T) {
	for d := range Digit(16) {
		if read, ok := readDigit(d.String()[0]); !ok || read != d {
			t.Errorf("%v is read as %v, %v", d, read, ok)
		}
	}
	if got := Digit(16).String(); got != "?" {
		t.Errorf("16 is written %s", got)
	}
	for _, c := range []byte("ABCDEFg/: -_\x00\xff") {
		if d, ok := readDigit(c); ok {
			t.Errorf("%q is read as %v", c, d)
		}
	}
}

// TestPool checks that every pool is parsed back from its texts, and lists its digits.
func TestPool(t *testing.T) {
	for i := 1; i < 1<<16; i++ {
		p := Pool(i)
		read, err := ParsePool(p.String())
		if err != nil || read != p {
			t.Fatalf("%v is read as %v, %v", p, read, err)
		}
		if read, err = ParsePool(p.List("")); err != nil || read != p {
			t.Fatalf("%s is read as %v, %v", p.List(""), read, err)
		}
		digits := slices.Collect(p.All())
		if !slices.IsSorted(digits) || PoolOf(digits...) != p || p.Len() != len(digits) {
			t.Fatalf("pool %v yields the digits %v", p, digits)
		}
		for n, d := range digits {
			if p.nth(n) != d || !p.Has(d) {
				t.Fatalf("digit %d of %v is %v, want %v", n, p, p.nth(n), d)
			}
		}
	}
	if p := Pool(1<<16 - 1); p.Has(16) || p.Has(255) || PoolOf(16) != 0 {
		t.Error("a pool has the digit 16")
	}
}

func TestPoolText(t *testing.T) {
	for _, test := range []struct{ text, want, list string }{
		{"0-9", "0-9", "0 1 2 3 4 5 6 7 8 9"},
		{"0-f", "0-f", "0 1 2 3 4 5 6 7 8 9 a b c d e f"},
		{"13579", "1,3,5,7,9", "1 3 5 7 9"},
		{"2,1", "1,2", "1 2"},
		{"123", "1-3", "1 2 3"},
		{"4-68-f1", "1,4-6,8-f", "1 4 5 6 8 9 a b c d e f"},
		{"5-5", "5", "5"},
		{"ef", "e,f", "e f"},
	} {
		p, err := ParsePool(test.text)
		if err != nil || p.String() != test.want || p.List(" ") != test.list {
			t.Errorf("%s is %v (%s), %v; want %s (%s)",
				test.text, p, p.List(" "), err, test.want, test.list)
		}
	}
}

// TestHighestMultiple checks the highest multiple that a hand can call.
func TestHighestMultiple(t *testing.T) {
	for _, tt := range []struct {
		rules string
		hand  Pool
		want  string
	}{
		{"sevens", PoolOf(1, 2, 7), "721"},
		{"sevens", PoolOf(0, 2, 4), "420"}, // 042 may not be called
		{"sevens", PoolOf(0, 1, 9), "910"},
		{"sevens", PoolOf(5, 7, 8), "875"},
		{"sevens", PoolOf(1, 2, 3), "231"},
		{"sevens", PoolOf(1, 2, 4), ""},
		{"highest place=hand", PoolOf(1, 2, 3), ""}, // no target
	} {
		if got := rulesOf(t, tt.rules).HighestMultiple(tt.hand).String(); got != tt.want {
			t.Errorf("%s: %v makes %q, want %q", tt.rules, tt.hand, got, tt.want)
		}
	}
}
