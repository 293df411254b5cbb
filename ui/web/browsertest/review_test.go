package browsertest_test

import "testing"

// TestReviewOpens reads the review of a lost game: it opens at the turning point, which can be tried.
func TestReviewOpens(t *testing.T) { atBoth(t, true, reviewOpens) }

func reviewOpens(t *testing.T, h *testServer) {
	d := h.seat(t, order{"rules": "dilemma"})
	d.play("2c 7b 3a 8a 0b 5c")
	ada := d.players[0]
	ada.size(390, 664)
	ada.open("/t/" + d.id + "/games/1")
	ada.inSight("the turning point", true, "#turned", "#turned [data-act=retry]")
	if n := ask[int](ada, `() => document.querySelectorAll('.moment').length`); n != 3 {
		t.Errorf("there are %d moments", n)
	}
	if !ask[bool](ada, `() => document.activeElement.id === 'turned'`) {
		t.Error("the turning point has no focus")
	}
	ada.axe("review", false)
	ada.click("[data-act=retry]")
	ada.reads("#answer", "Find a better move")
}
