//go:build race

package tui

const walkSteps = 4_000 // the race detector makes them slow

const raced = true
