// Package noprobe keeps Lip Gloss from probing the terminal with a program when it is imported.
//
// Inside tmux, Lip Gloss runs "tmux info" while it is initialized, to find out about colours: three to eleven milliseconds in
// every command of a program that has it linked, and for nothing, since Bubble Tea asks again when there is a screen. It does
// not where it finds no tmux.
//
// Packages are initialized in the order of their import paths as far as their imports allow. This one imports nothing but os
// and so comes before github.com/charmbracelet/colorprofile, which Lip Gloss imports. Whoever imports Lip Gloss imports this
// package too and calls [End] in an init function, which comes after both.
package noprobe

import "os"

var socket, inside = os.LookupEnv("TMUX")

func init() {
	if inside {
		_ = os.Unsetenv("TMUX") // it was set
	}
}

// End makes the environment what it was.
func End() {
	if inside {
		_ = os.Setenv("TMUX", socket) // as it was
	}
}
