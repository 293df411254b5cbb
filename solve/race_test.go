//go:build race

package solve

// raced reports whether the race detector is on, which makes everything much slower.
const raced = true
