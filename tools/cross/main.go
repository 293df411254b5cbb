// Command cross type-checks the packages of the folder it runs in for other systems, with their
// dependencies. That takes five seconds for each system; compiling takes a minute.
package main

import (
	"fmt"
	"os"

	"golang.org/x/tools/go/packages"
)

func main() {
	failed := 0
	for _, system := range os.Args[1:] {
		all, err := packages.Load(&packages.Config{
			Mode: packages.LoadAllSyntax,
			Env:  append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system),
		}, "./...")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if n := packages.PrintErrors(all); n > 0 {
			fmt.Fprintf(os.Stderr, "for %s: %d errors\n", system, n)
			failed += n
		}
	}
	if failed > 0 {
		os.Exit(1)
	}
}
