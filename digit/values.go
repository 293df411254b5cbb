package digit

import "slices"

// Values returns the values of an option that has a fixed list of them, and nothing for the others.
func Values(key string) []string {
	switch key {
	case "zero":
		return slices.Clone(zeroNames)
	case "place":
		return slices.Clone(placeNames)
	case "win":
		return slices.Clone(winNames)
	case "final":
		return slices.Clone(orderNames)
	}
	return nil
}
