// Package digitduel_test checks the whole repository.
package digitduel_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// imports lists the packages of this module that each package may import. Every package must be
// listed.
var imports = map[string][]string{
	"digit":             {},
	"solve":             {"digit"},
	"match":             {"digit"},
	"bot":               {"digit", "solve"},
	"bot/sit":           {"digit", "solve", "match", "bot", "arena/engine"},
	"coach":             {"digit", "solve", "rulebook"},
	"rulebook":          {"digit", "match"},
	"class":             {"digit", "match"},
	"store":             {"digit", "match"},
	"disk":              {},
	"store/pgtest":      {},
	"ui/cli":            {"digit", "solve", "match", "bot", "coach", "rulebook", "lab", "disk"},
	"ui/tui":            {"digit", "solve", "match", "match/local", "bot", "bot/sit", "coach", "rulebook", "ui/tui/draw"},
	"ui/tui/draw":       {"digit", "ui/tui/noprobe"},
	"ui/tui/noprobe":    {},
	"ui/ssh":            {"ui/gate", "ui/tui"},
	"ui/gate":           {"digit", "solve", "match", "rulebook"},
	"ui/web":            {"digit", "solve", "match", "class", "bot", "coach", "rulebook", "ui/gate"},
	"ui/web/load":       {"digit"},
	"ui/offline":        {},
	"ui/offline/kept":   {"digit", "match"},
	"ui/offline/worker": {"digit", "solve", "match", "bot/sit", "ui/gate", "ui/web", "ui/offline/kept"},
	"lab":               {"digit", "solve", "bot", "coach"},
	"arena":             {"digit", "solve", "bot", "arena/answer", "arena/engine", "arena/disguise", "disk"},
	"arena/disguise":    {"digit"},
	"arena/answer":      {},
	"arena/speech":      {"digit", "rulebook", "arena/answer", "arena/disguise"},
	"arena/eval":        {"digit", "solve", "bot", "disk", "arena", "arena/answer", "arena/disguise", "arena/engine", "arena/speech"},
	"match/local":       {"digit", "match", "disk"},
	"match/remote":      {"digit", "match"},
	"arena/engine":      {"digit", "solve", "bot", "arena/answer"},
	"ui/mcp":            {"digit", "solve", "match", "bot", "coach", "rulebook", "arena", "arena/engine", "arena/disguise", "arena/speech"},
	"cmd/duel":          {"digit", "solve", "match", "class", "bot", "bot/sit", "coach", "rulebook", "store", "ui/cli", "ui/tui", "ui/gate", "ui/web", "ui/web/load", "lab", "match/local", "match/remote", "disk", "arena/engine", "arena", "arena/disguise", "arena/eval", "arena/speech", "ui/mcp", "ui/offline", "ui/ssh", "cmd/duel/version"},
	"cmd/duel/version":  {},
}

// standard lists the packages of the standard library that the rules may import: none for time,
// randomness or input and output.
var standard = map[string][]string{
	"digit": {"cmp", "errors", "fmt", "iter", "math/bits", "slices", "strconv", "strings", "unicode", "unicode/utf8"},
}

// modules lists the packages that may import each third-party module.
var modules = map[string][]string{
	"charm.land/bubbletea/v2":                {"ui/ssh", "ui/tui", "cmd/duel"},
	"charm.land/lipgloss/v2":                 {"ui/tui/draw"},
	"charm.land/ssh":                         {"ui/ssh"},
	"charm.land/wish/v2":                     {"ui/ssh"},
	"github.com/charmbracelet/colorprofile":  {"ui/ssh", "ui/tui", "ui/tui/draw"},
	"github.com/google/jsonschema-go":        {"ui/mcp", "ui/web"},
	"github.com/jackc/pgx/v5":                {"store"},
	"github.com/modelcontextprotocol/go-sdk": {"ui/mcp"},
	"github.com/rivo/uniseg":                 {"match", "rulebook", "ui/tui", "ui/tui/draw"},
	"github.com/spf13/cobra":                 {"cmd/duel"},
	"github.com/spf13/pflag":                 {"cmd/duel"},
	"golang.org/x/crypto":                    {"ui/ssh"},
	"golang.org/x/term":                      {"ui/cli", "cmd/duel"},
	"modernc.org/sqlite":                     {"store"},
	"rsc.io/qr":                              {"ui/web"},
}

// TestImports checks the imports of every file, except tests, against the lists above. It skips
// tools, which is a module of its own.
func TestImports(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || name == "tools" ||
			name != "." && strings.HasPrefix(entry.Name(), ".")):
			return filepath.SkipDir
		case !strings.HasSuffix(name, ".go"), strings.HasSuffix(name, "_test.go"):
			return nil
		}
		files++
		pkg := filepath.ToSlash(filepath.Dir(name))
		allowed, known := imports[pkg]
		if !known {
			t.Errorf("%s: package %s is not in the list of packages", name, pkg)
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			inner, own := strings.CutPrefix(imported, "digitduel/")
			host, _, _ := strings.Cut(imported, "/")
			switch {
			case own:
				if !slices.Contains(allowed, inner) {
					t.Errorf("%s: %s may not import %s", name, pkg, inner)
				}
			case strings.Contains(host, "."):
				if !slices.Contains(modules[moduleOf(imported)], pkg) {
					t.Errorf("%s: %s may not import %s", name, pkg, imported)
				}
			default:
				if only, limited := standard[pkg]; limited && !slices.Contains(only, imported) {
					t.Errorf("%s: %s may not import %s", name, pkg, imported)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files == 0 {
		t.Error("no Go files found")
	}
}

// moduleOf returns the module in the list that an import path belongs to.
func moduleOf(imported string) string {
	for module := range modules {
		if imported == module || strings.HasPrefix(imported, module+"/") {
			return module
		}
	}
	return path.Dir(imported)
}

var mapName = regexp.MustCompile("`([a-z/]+/)?([a-z_]+\\.(?:go|js|md))`|`([a-z/]+)/`")

// TestMap checks that the files and folders named in docs/architecture.md exist. A file without a
// folder belongs to the folder named before it.
func TestMap(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	folder, names := "", 0
	for _, m := range mapName.FindAllStringSubmatch(string(text), -1) {
		names++
		if m[3] != "" {
			folder = m[3]
		}
		if m[1] != "" {
			folder = strings.TrimSuffix(m[1], "/")
		}
		name := path.Join(folder, m[2])
		if _, err := os.Stat(name); err != nil {
			if _, err := os.Stat(m[2]); m[2] == "" || err != nil {
				t.Errorf("%s does not exist", name)
			}
		}
	}
	if names < 20 {
		t.Errorf("found only %d names", names)
	}
}
