// Command lint is what go vet runs beside its own checks: go vet -vettool=… ./...
//
// A line may say why something on it is as it should be: //nolint:NAME // why. Without a reason it says nothing.
package main

import (
	"go/token"
	"regexp"
	"strings"

	"github.com/jingyugao/rowserrcheck/passes/rowserr"
	"github.com/kisielk/errcheck/errcheck"
	"github.com/nishanths/exhaustive"
	"github.com/polyfloyd/go-errorlint/errorlint"
	sqlclose "github.com/ryanrolds/sqlclosecheck/pkg/analyzer"
	"github.com/timakin/bodyclose/passes/bodyclose"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"
)

// unchecked are the functions whose errors may be dropped without a word.
var unchecked = []string{
	// What is printed is for somebody who may have gone. Where that matters the writer remembers, as in cmd/duel.
	"fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln", "io.WriteString",
	// Nothing is lost with what was only read, or was an answer that nobody waits for.
	"(io.Closer).Close", "(net.Conn).Close", "(net.Listener).Close", "(*net/http.Server).Close", "(io.ReadCloser).Close", "(*database/sql.Rows).Close", "(*database/sql.Stmt).Close", "(*digitduel/ui/web/load.conn).Close",
	// It is deferred, and after a commit it has nothing to do.
	"(*database/sql.Tx).Rollback", "(github.com/jackc/pgx/v5.Tx).Rollback",
	// What is left behind is in a folder for temporary files.
	"os.Remove", "os.RemoveAll",
	// The client has gone, or is none that has deadlines.
	"(net/http.ResponseWriter).Write", "(*net/http.ResponseController).Flush",
	"(*net/http.ResponseController).SetReadDeadline", "(*net/http.ResponseController).SetWriteDeadline",
}

// unasked are the files in which an analyzer is not wanted, by how their names end.
var unasked = map[string]string{
	"exhaustive": "_test.go",        // a test looks at the cases that it is about
	"errcheck":   "example_test.go", // an example shows acts, and its output checks them
}

func main() {
	errcheck.DefaultExcludedSymbols = append(errcheck.DefaultExcludedSymbols, unchecked...)
	// A default says what becomes of the rest.
	if err := exhaustive.Analyzer.Flags.Set(exhaustive.DefaultSignifiesExhaustiveFlag, "true"); err != nil {
		panic(err)
	}
	analyzers := []*analysis.Analyzer{
		errcheck.Analyzer,
		errorlint.NewAnalyzer(),
		exhaustive.Analyzer,
		bodyclose.Analyzer,
		sqlclose.NewAnalyzer(),
		rowserr.NewAnalyzer("github.com/jackc/pgx/v5"),
	}
	for _, a := range analyzers {
		excusable(a)
	}
	unitchecker.Main(analyzers...)
}

var excuse = regexp.MustCompile(`^//nolint:(\w+) // \S`)

// excusable makes an analyzer silent on the lines that excuse it.
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
