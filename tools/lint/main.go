// Command lint runs the checks of go vet, those of staticcheck and others: go vet -vettool=… ./...
// One program with all of them loads each package once, and go vet caches its results.
//
// A comment //nolint:NAME // why excuses a line from a check. It needs a reason.
package main

import (
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/jingyugao/rowserrcheck/passes/rowserr"
	"github.com/kisielk/errcheck/errcheck"
	"github.com/nishanths/exhaustive"
	"github.com/polyfloyd/go-errorlint/errorlint"
	sqlclose "github.com/ryanrolds/sqlclosecheck/pkg/analyzer"
	"github.com/timakin/bodyclose/passes/bodyclose"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/analysis/unitchecker"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/stylecheck"
	"honnef.co/go/tools/unused"
)

// unchecked lists the functions whose errors may be ignored.
var unchecked = []string{
	// The reader of a message may be gone. Where that matters the writer keeps the error, as in
	// cmd/duel.
	"fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln", "io.WriteString",
	// Closing a file that was only read, or a connection without a waiting peer, loses nothing.
	"(io.Closer).Close", "(io.ReadCloser).Close", "(net.Conn).Close", "(net.Listener).Close",
	"(*net/http.Server).Close", "(*database/sql.Rows).Close", "(*database/sql.Stmt).Close",
	// It is deferred, and does nothing after a commit.
	"(*database/sql.Tx).Rollback", "(github.com/jackc/pgx/v5.Tx).Rollback",
	// Files left behind are temporary.
	"os.Remove", "os.RemoveAll",
	// The client is gone, or has no deadlines.
	"(net/http.ResponseWriter).Write", "(*net/http.ResponseController).Flush",
	"(*net/http.ResponseController).SetReadDeadline",
	"(*net/http.ResponseController).SetWriteDeadline",
}

// unasked has the suffix of the files that each analyzer skips.
var unasked = map[string]string{
	"exhaustive": "_test.go",        // a test covers the cases it is about
	"errcheck":   "example_test.go", // an example shows acts, and its output checks them
	"scannererr": "_test.go",        // a test knows how much there is to read
}

func main() {
	errcheck.DefaultExcludedSymbols = append(errcheck.DefaultExcludedSymbols, unchecked...)
	// A default covers the other cases.
	err := exhaustive.Analyzer.Flags.Set(exhaustive.DefaultSignifiesExhaustiveFlag, "true")
	if err != nil {
		panic(err)
	}
	analyzers := append(slices.Clone(vet.Suite),
		errcheck.Analyzer,
		errorlint.NewAnalyzer(),
		exhaustive.Analyzer,
		bodyclose.Analyzer,
		sqlclose.NewAnalyzer(),
		rowserr.NewAnalyzer("github.com/jackc/pgx/v5"),
	)
	for _, a := range analyzers {
		excusable(a)
	}
	for _, a := range slices.Concat(simple.Analyzers, staticcheck.Analyzers, stylecheck.Analyzers) {
		if !a.Doc.NonDefault {
			analyzers = append(analyzers, a.Analyzer)
		}
	}
	unitchecker.Main(append(analyzers, unusedCode)...)
}

// unusedCode reports what staticcheck finds unused in a package and its tests.
var unusedCode = &analysis.Analyzer{
	Name:     "unused",
	Doc:      "report unused code",
	Requires: []*analysis.Analyzer{unused.Analyzer.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		found, _ := pass.ResultOf[unused.Analyzer.Analyzer].(unused.Result)
		for _, o := range found.Unused {
			for _, file := range pass.Files {
				if f := pass.Fset.File(file.Pos()); f.Name() == o.Position.Filename {
					at := f.LineStart(o.Position.Line)
					pass.Reportf(at, "%s %s is unused (U1000)", o.Kind, o.Name)
				}
			}
		}
		return nil, nil
	},
}

var excuse = regexp.MustCompile(`^//nolint:(\w+) // \S`)

// excusable silences an analyzer on the lines that excuse it.
func excusable(a *analysis.Analyzer) {
	run := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		type line struct {
			file   string
			number int
		}
		at := func(p token.Pos) line {
			position := pass.Fset.Position(p)
			return line{position.Filename, position.Line}
		}
		excused := map[line]bool{}
		for _, file := range pass.Files {
			for _, group := range file.Comments {
				for _, c := range group.List {
					if m := excuse.FindStringSubmatch(c.Text); m != nil && m[1] == a.Name {
						excused[at(c.Pos())] = true
					}
				}
			}
		}
		strict := *pass
		strict.Report = func(d analysis.Diagnostic) {
			if suffix, some := unasked[a.Name]; some && strings.HasSuffix(at(d.Pos).file, suffix) {
				return
			}
			if !excused[at(d.Pos)] {
				d.Message = a.Name + ": " + d.Message
				pass.Report(d)
			}
		}
		return run(&strict)
	}
}
