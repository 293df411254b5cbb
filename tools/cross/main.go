// Command cross type-checks the packages of the folder it runs in for other systems. Of their
// dependencies it checks declarations only. That takes seconds; compiling takes a minute.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	log.SetFlags(0)
	dir, err := os.Getwd()
	if err != nil {
		log.Fatal("cross: ", err)
	}
	failed := false
	for _, system := range os.Args[1:] {
		all, err := packages.Load(&packages.Config{
			Mode:      packages.LoadAllSyntax,
			Env:       append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system),
			ParseFile: parseIn(dir),
		}, "./...")
		if err != nil {
			log.Fatal("cross: ", err)
		}
		for _, p := range all {
			for _, err := range p.Errors {
				fmt.Fprintf(os.Stderr, "for %s: %v\n", system, err)
				failed = true
			}
		}
	}
	if failed {
		os.Exit(1)
	}
}

// parseIn returns a parser of files. In files outside of a folder it leaves functions empty.
func parseIn(dir string) func(*token.FileSet, string, []byte) (*ast.File, error) {
	return func(set *token.FileSet, name string, src []byte) (*ast.File, error) {
		file, err := parser.ParseFile(set, name, src, parser.SkipObjectResolution)
		if err != nil || strings.HasPrefix(name, dir+string(os.PathSeparator)) {
			return file, err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				// An endless loop needs no return.
				f.Body.List = []ast.Stmt{&ast.ForStmt{Body: &ast.BlockStmt{}}}
			}
		}
		return file, nil
	}
}
