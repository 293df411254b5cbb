//go:build race

package tui

// raced reports whether the race detector is on, which makes everything slow.
const raced = true
