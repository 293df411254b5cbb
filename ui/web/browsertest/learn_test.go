package browsertest_test

import "testing"

// TestLearn takes two lessons by taps: only the digit and the place asked for can be tapped, everything is in sight, and each is won.
func TestLearn(t *testing.T) { atBoth(t, nightly, learn) }

func learn(t *testing.T, h *testServer) {
	v := h.visit(t, "Ada")
	v.size(320, 568)
	v.open("/learn")
	v.axe("the lessons", false)
	for _, book := range []string{"sevens", "highest"} {
		v.open("/learn/" + book)
		for own := 0; v.there("#pool"); own++ {
			see := v.text("#answer")
			v.inSight(book+" "+see, false, "#answer", "#pool", "#board-1", "#board-2", "[data-act=skip]")
			if n := ask[int](v, `() => document.querySelectorAll('#pool input').length`); n != 1 || own > 2 {
				t.Fatalf("%s: %d digits can be tapped in move %d", see, n, own+1)
			}
			v.click("#move .next.tile")
			v.click("#move .target label")
			if v.there("#move .chip.next") {
				v.click("#move .chip.next")
			}
			v.until("for the answer", `see => document.querySelector('#answer').innerText !== see`, see)
		}
		v.reads("#turn", "You win!")
		v.inSight(book+" won", false, "#turn", "#board-1", "#board-2", "#acts")
		v.axe(book+" won", false)
	}
}
