//go:build race

package solve

// raced says that the race detector is on, under which all is much slower.
const raced = true
