package coach

import (
	"fmt"

	"digitduel/digit"
	"digitduel/solve"
)

// look says what kind of thing to look for in a position, without giving away the choice that is advised.
func (v *view) look(c solve.Choice) string {
	danger := v.winning(v.position, v.me.Other())
	if c.Value.Outcome == solve.Loss {
		wrong, _ := v.spoilt(c)
		switch {
		case c.Value.Plies == 1:
			return "every move loses"
		case wrong == 0:
			return "every move loses, and no reply can spoil that"
		case danger.Len() > 1:
			return "nothing stops every multiple: set a trap"
		default:
			return "every move loses: set a trap"
		}
	}
	switch {
	case v.rules.Result(c.Next).Reason == digit.Multiple:
		return fmt.Sprintf("a multiple of %d is within reach", v.rules.Target)
	case c.Value.Plies == 1:
		return "the last digit decides: compare the numbers"
	case danger != 0:
		return fmt.Sprintf("the other side is one digit from a multiple of %d", v.rules.Target)
	case c.Value.Outcome == solve.Draw:
		return "nothing wins: find a move that does not lose"
	default:
		return v.lookAhead(c)
	}
}

// lookAhead does it where a win takes more than a turn and nothing has to be stopped.
func (v *view) lookAhead(c solve.Choice) string {
	switch {
	case v.winning(c.Next, v.me).Len() > 1:
		return "of two digits that win next only one can be taken"
	case v.ranked() && v.settled(v.position, v.me):
		return "nothing can go wrong any more"
	case v.certain(c) != "":
		return "a move makes it certain: think of the places from the left"
	case v.pair(c) != "":
		return "of two moves that make it certain only one can be prevented"
	default:
		return "there is a win " + inTurns(c.Value.Plies)
	}
}
