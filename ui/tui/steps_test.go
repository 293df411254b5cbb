//go:build !race

package tui

const walkSteps = 100_000

const raced = false
