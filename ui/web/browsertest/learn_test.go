package browsertest_test

import "testing"

// TestLearn takes two lessons: only the right digit can be tapped, everything is in sight, and the
// learner wins.
func TestLearn(t *testing.T) { atBoth(t, nightly, learn) }

func learn(t *testing.T, srv *testServer) {
	v := srv.visit(t, "Ada")
	v.size(320, 568)
	v.open("/learn")
	v.axe("the lessons", false)
	for _, book := range []string{"sevens", "highest"} {
		v.open("/learn/" + book)
		for own := 0; v.there("#pool"); own++ {
			see := v.text("#answer")
			v.inSight(book+" "+see, false, "#answer", "#pool", "#board-1", "#board-2", "[data-act=skip]")
			n := eval[int](v, `() => document.querySelectorAll('#pool input').length`)
			if n != 1 || own > 2 {
				t.Fatalf("%s: %d digits can be tapped in move %d, want 1 in at most 3 moves", see, n, own+1)
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
