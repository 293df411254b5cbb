package browsertest_test

import "testing"

// TestReviewOpens checks that the review of a lost game opens at the turning point, which the
// player can try again.
func TestReviewOpens(t *testing.T) { atBoth(t, nightly, reviewOpens) }

func reviewOpens(t *testing.T, srv *testServer) {
	d := srv.seat(t, params{"rules": "dilemma"})
	d.play("2c 7b 3a 8a 0b 5c")
	ada := d.players[0]
	ada.size(390, 664)
	ada.open("/t/" + d.id + "/games/1")
	ada.inSight("the turning point", true, "#turned", "#turned [data-act=retry]")
	if n := eval[int](ada, `() => document.querySelectorAll('.moment').length`); n != 3 {
		t.Errorf("there are %d moments, want 3", n)
	}
	if !eval[bool](ada, `() => document.activeElement.id === 'turned'`) {
		t.Error("the turning point does not have the focus")
	}
	ada.axe("review", false)
	ada.click("[data-act=retry]")
	ada.reads("#answer", "Find a better move")
}
