// Package noprobe keeps Lip Gloss from probing the terminal with a program when it is imported.
//
// Inside tmux, Lip Gloss runs "tmux info" while it is initialized, to learn about colours. That
// takes three to eleven milliseconds in every command of a program that links it, for nothing,
// since Bubble Tea asks again when there is a screen. Lip Gloss does not do this where it finds no
// tmux.
//
// Packages are initialized in the order of their import paths, as far as their imports allow. This
// one imports only os, and so comes before github.com/charmbracelet/colorprofile, which Lip Gloss
// imports. A package that imports Lip Gloss must import this one too, and call [End] in an init
// function, which runs after both.
package noprobe

import "os"

var socket, inside = os.LookupEnv("TMUX")

func init() {
	if inside {
		_ = os.Unsetenv("TMUX") // it was set
	}
}

// End restores the environment.
func End() {
	if inside {
		_ = os.Setenv("TMUX", socket) // as it was
	}
}
