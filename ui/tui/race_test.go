//go:build race

package tui

// raced reports whether the race detector is on, which makes the tests slow.
const raced = true
