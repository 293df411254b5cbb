// Package version holds the version of duel. For duel --version alone it prints the version before
// the other packages of the program initialize.
//
// With servers, databases and screens linked, initialization takes longer than the rest of a short
// command. Packages initialize in the order of their import paths as far as their imports allow, so
// this one imports little.
package version

import (
	"os"
	"runtime/debug"
)

// Number is the version without the commit.
const Number = "0.1.0"

// commit is set by the linker in archives, which are built without version control.
var commit string

func init() {
	if len(os.Args) != 2 || os.Args[1] != "--version" {
		return
	}
	if _, err := os.Stdout.WriteString("duel " + Text() + "\n"); err == nil {
		os.Exit(0)
	} // otherwise main reports the error
}

// Text returns the version and the commit that the program was built from: "0.1.0 (1a2b3c4d5e6f)".
// A commit with uncommitted changes is followed by "modified". A build that does not record the
// commit, such as go run, is "devel".
func Text() string {
	info, _ := debug.ReadBuildInfo()
	return text(info, commit)
}

// text returns the version by the build information, or else by a commit.
func text(info *debug.BuildInfo, commit string) string {
	modified := ""
	if info != nil {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				modified = ", modified"
			}
		}
	}
	if commit == "" {
		commit = "devel"
	}
	return Number + " (" + commit[:min(12, len(commit))] + modified + ")"
}
