package rulebook

import (
	"strconv"
	"strings"

	"digitduel/digit"
)

// The values of the options in a few words, as they stand beside their labels.

func (v Voice) briefTarget() string {
	if v.Rules.Target == 0 {
		return "nothing"
	}
	return strconv.Itoa(int(v.Rules.Target))
}

func (v Voice) briefPool() string {
	if from, to, span := strings.Cut(v.Rules.Pool.String(), "-"); span && len(from) == 1 && len(to) == 1 {
		return from + " to " + to
	}
	return v.Rules.Pool.List("")
}

func (v Voice) briefZero() string {
	r := v.Rules
	switch {
	case r.Zero == digit.Counts:
		return "counts as 42"
	case r.Place == digit.Hand && r.Win == digit.OnCall:
		return "cannot be called"
	case r.Place == digit.Hand:
		return "cannot be made"
	case r.Zero == digit.Barred:
		return "is not allowed"
	default:
		return "cannot win as a multiple"
	}
}

func (v Voice) briefWidth() string {
	if v.Rules.Width == 0 {
		return "until the pool is empty"
	}
	return plural(int(v.Rules.Width), "digit")
}

func (v Voice) briefPlace() string {
	return map[digit.Place]string{digit.Slots: "to a place, and stay", digit.Ends: "to the left or right end", digit.Hand: "into your hand"}[v.Rules.Place]
}

func (v Voice) briefWin() string {
	switch {
	case v.Rules.Win == digit.Never:
		return "only at the end"
	case v.Rules.Win == digit.EachTurn:
		return "after every digit"
	case v.Rules.Win == digit.OnCall:
		return "by calling it"
	case v.Rules.Place == digit.Hand:
		return "with a full hand"
	default:
		return "with a full number"
	}
}

func (v Voice) briefFinal() string {
	orders := v.Rules.Orders()
	if len(orders) == 0 {
		return "it is a draw"
	}
	switch orders[0] {
	case digit.Above:
		return "the shorter way up wins"
	case digit.Below:
		return "the smaller remainder wins"
	case digit.Nearest:
		return "the closer number wins"
	case digit.Later:
		return "the last digit wins"
	default:
		return "the " + orders[0].String() + " number wins"
	}
}
