// Package version knows the version of duel, and tells it to whoever asks for nothing else before the libraries of the program start.
//
// With servers, databases and screens linked, what packages do to start takes longer than all the rest of a short command. Packages are
// initialized in the order of their import paths as far as their imports allow, so this one imports little.
package version

import (
	"os"
	"runtime/debug"
)

// Number is the version without the commit.
const Number = "0.1.0"

func init() {
	if len(os.Args) != 2 || os.Args[1] != "--version" {
		return
	}
	if _, err := os.Stdout.WriteString("duel " + Text() + "\n"); err == nil {
		os.Exit(0)
	} // or else main tells why
}

// Text is the version and, where the build knows it, the commit.
func Text() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Number
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return Number + " (" + s.Value[:12] + ")"
		}
	}
	return Number
}
