package digit

// Values returns the values of an option that has a fixed list of them, and nothing for the others.
func Values(key string) []string {
	switch key {
	case "zero":
		return zeroNames
	case "place":
		return placeNames
	case "win":
		return winNames
	case "final":
		return orderNames
	}
	return nil
}
