package docs_test

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"digitduel/arena"
	"digitduel/arena/disguise"
	"digitduel/arena/eval"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/lab"
	"digitduel/solve"
	"digitduel/store"
	"digitduel/ui/cli"
	"digitduel/ui/mcp"
)

// jsonVersion is the version of all JSON documents. It changes when a field is renamed or removed,
// or changes its meaning.
const jsonVersion = 1

// A document is an output or a file in JSON. A line of a .jsonl file is a document.
type document struct {
	name, note string
	of         any
}

var documents = []document{
	{"`duel solve --json`", "", solve.Overview{}},
	{"`duel analyze --json`", "", solve.Analysis{}},
	{"`duel export --jsonl`", "a line for each position", solve.Sample{}},
	{"`duel perft --json`", "", cli.Perft{}},
	{"`duel lab --json`", "", lab.Measured{}},
	{"`duel lab sweep --json`", "a line for each ruleset", lab.Report{}},
	{"`duel lab sweep --fast --json`", "the same", lab.Verdict{}},
	{"`duel lab repair --json`", "", lab.Repaired{}},
	{"`duel review --json`", "a line for each game", coach.Review{}},
	{"`duel puzzle --json`", "", coach.Puzzle{}},
	{"`plan.json`", "of a match, a run or an evaluation", arena.Plan{}},
	{"`games.jsonl`", "the same; a line for each game", arena.Game{}},
	{"`summary.json`, `duel match --json`, `duel match report --json`", "", arena.Summary{}},
	{"`duel match check --json`", "", arena.Audit{}},
	{"`items.jsonl`", "of an exam", arena.Item{}},
	{"`items.jsonl` in words", "of an exam in disguise", arena.WordItem{}},
	{"`key.jsonl`", "", arena.Key{}},
	{"`answers.jsonl`", "", arena.Reply{}},
	{"`duel exam grade --json`", "", arena.Grade{}},
	{"`eval` in `plan.json`", "the settings of an evaluation", eval.Settings{}},
	{"`transcripts.jsonl`", "a line for each attempt", eval.Line{}},
	{"`duel eval report --json`", "", eval.Report{}},
	{"`duel disguise --json`", "", disguise.Document{}},
	{"state of a game over MCP", "", mcp.State{}},
	{"`duel admin check --json`", "a line for each fault", store.Problem{}},
	{"`duel admin check --json`, last line", "", store.Checked{}},
}

// usual has the meanings of fields without a comment, by name.
var usual = map[string]string{
	"rules": "the rules of the game", "position": "the text of the position", "move": "the move",
	"turn": "the side to move", "ply": "the number of moves played", "result": "the result",
	"plies":   "the number of moves to the end, or of the game",
	"outcome": "for the side to move, or for the player making the move",
	"games":   "the number of games", "pairs": "the number of pairs of games",
	"seed": "the random seed", "line": "the moves of a best line", "player": "the player",
	"classes": "different positions, apart from symmetry", "winner": "first, second or draw",
	"item": "the number of the item, from 1", "model": "the name of the model",
	"score": "points per game", "kappa": "κ: see matches", "ms": "time in milliseconds",
	"level": "the level of the computer", "over": "the game is over", "reason": "why it is over",
	"score_low": "its 95 % confidence interval", "score_high": "its 95 % confidence interval",
	"kappa_low": "its 95 % confidence interval", "kappa_high": "its 95 % confidence interval",
	"low": "95 % confidence interval", "high": "95 % confidence interval",
	"regret_low": "its 95 % confidence interval", "regret_high": "its 95 % confidence interval",
	"clean_kappa_low":  "its 95 % confidence interval",
	"clean_kappa_high": "its 95 % confidence interval",
	"complete":         "no game is missing", "decisions": "the number of decisions",
	"fault": "the fault of the answer", "version": "the version of this file",
	"status": "the HTTP status", "usage": "as the server reports it", "plan": "the id of the plan",
}

// texts describes the types whose JSON is a string.
var texts = map[reflect.Type]string{
	reflect.TypeFor[digit.Rules]():   "rules",
	reflect.TypeFor[digit.Move]():    "move",
	reflect.TypeFor[digit.Side]():    "`first` or `second`",
	reflect.TypeFor[digit.Result]():  "result",
	reflect.TypeFor[digit.Record]():  "record",
	reflect.TypeFor[solve.Outcome](): "`win`, `loss` or `draw`",
	reflect.TypeFor[time.Time]():     "time (RFC 3339)",
}

// isText reports whether the JSON of a type is a string, and returns its description.
func isText(t reflect.Type) (string, bool) {
	if what, ok := texts[t]; ok {
		return what, true
	}
	marshals := t.Implements(reflect.TypeFor[encoding.TextMarshaler]())
	return "string", t.Kind() == reflect.String || marshals
}

// isObject reports whether the JSON of a type is an object with named fields.
func isObject(t reflect.Type) bool {
	_, text := isText(t)
	return t.Kind() == reflect.Struct && !text
}

// inside returns the type of the elements of a type.
func inside(t reflect.Type) reflect.Type {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return inside(t.Elem())
	default:
		return t
	}
}

// fields returns the fields of a type that its JSON has, including promoted ones.
func fields(t reflect.Type) (all []reflect.StructField) {
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.Anonymous && f.IsExported() && name != "-" {
			all = append(all, f)
		}
	}
	return all
}

// objects returns the types of all objects. A type comes after those that refer to it.
func objects() (all []reflect.Type) {
	var add func(t reflect.Type)
	add = func(t reflect.Type) {
		if t = inside(t); !isObject(t) || slices.Contains(all, t) {
			return
		}
		all = append(all, t)
		for _, f := range fields(t) {
			add(f.Type)
		}
	}
	for _, d := range documents {
		add(reflect.TypeOf(d.of))
	}
	return all
}

// typeText returns a type in words.
func typeText(t reflect.Type) string {
	if what, ok := isText(t); ok {
		return what
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "number"
	case reflect.Pointer:
		return typeText(t.Elem()) + " or null"
	case reflect.Slice, reflect.Array:
		if t == reflect.TypeFor[json.RawMessage]() {
			return "any"
		}
		return "list of " + typeText(t.Elem())
	case reflect.Map:
		return "object of " + typeText(t.Elem())
	case reflect.Struct:
		return fmt.Sprintf("[%v](#%s)", t, strings.ToLower(strings.ReplaceAll(t.String(), ".", "")))
	case reflect.Interface:
		return "any"
	default:
		return "integer"
	}
}

// comments returns the comments of types and fields: by "digitduel/lab.Point" and
// "digitduel/lab.Point.Slip".
func comments(t *testing.T, all []reflect.Type) map[string]string {
	t.Helper()
	texts, read := map[string]string{}, map[string]bool{}
	for _, object := range all {
		for _, f := range append(fields(object), reflect.StructField{}) {
			pkg := owner(object, f).PkgPath()
			if read[pkg] {
				continue
			}
			read[pkg] = true
			files, err := filepath.Glob(strings.TrimPrefix(pkg, "digitduel/") + "/*.go")
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range files {
				file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
				if err != nil {
					t.Fatal(err)
				}
				ast.Inspect(file, func(n ast.Node) bool {
					d, ok := n.(*ast.GenDecl)
					if !ok {
						return true
					}
					for _, spec := range d.Specs {
						s, ok := spec.(*ast.TypeSpec)
						if !ok {
							continue
						}
						texts[pkg+"."+s.Name.Name] = d.Doc.Text()
						if object, ok := s.Type.(*ast.StructType); ok {
							for _, f := range object.Fields.List {
								for _, name := range f.Names {
									full := pkg + "." + s.Name.Name + "." + name.Name
									texts[full] = f.Doc.Text() + f.Comment.Text()
								}
							}
						}
					}
					return true
				})
			}
		}
	}
	return texts
}

// owner returns the type that declares a field.
func owner(t reflect.Type, f reflect.StructField) reflect.Type {
	for i := range max(0, len(f.Index)-1) {
		t = inside(t.Field(f.Index[i]).Type)
	}
	return t
}

var link = regexp.MustCompile(`\[\*?([\w.]+)\]`)

// meaning returns the comment or the tag of a field.
func meaning(t reflect.Type, f reflect.StructField, comments map[string]string) string {
	t = owner(t, f)
	text := comments[t.PkgPath()+"."+t.Name()+"."+f.Name]
	if tag := f.Tag.Get("jsonschema"); text == "" && !strings.Contains(tag, "{") {
		text = tag
	}
	text = strings.Join(strings.Fields(text), " ")
	text = link.ReplaceAllString(strings.ReplaceAll(text, "nil", "null"), "`$1`")
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return cmp.Or(strings.TrimPrefix(strings.TrimSuffix(text, "."), f.Name+" is "), usual[name])
}

var draw = solve.Draw.String()

// notations maps the notations of outcomes.
var notations = [][]string{
	{"where", "first wins", "second wins", "draw", "not over"},
	{
		"`result` of records, reviews and matches", digit.FirstWins.String(),
		digit.SecondWins.String(), digit.Draw.String(), digit.Open.String(),
	},
	{"`query result` of engines", "p1win", "p2win", "draw", "none"},
	{"`winner` of solve and lab", digit.First.String(), digit.Second.String(), draw, "–"},
	{"`outcome`, first to move or moving", solve.Win.String(), solve.Loss.String(), draw, "–"},
	{"`outcome`, second to move or moving", solve.Loss.String(), solve.Win.String(), draw, "–"},
	{"`query value`, and `score` of engines: as `outcome`", "win N", "loss N", "draw", "unknown"},
	{"`score` of a seat: first, second", "1, 0", "0, 1", "0.5, 0.5", "–"},
}

func row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

func rule(cells int) string { return strings.Repeat("|---", cells) + "|\n" }

// writeJSONPage writes docs/json.md.
func writeJSONPage(t *testing.T, page *bytes.Buffer) {
	all := objects()
	comments := comments(t, all)
	fmt.Fprintf(page, `# JSON

Every JSON output and file, with its fields. `+"`go test ./docs -run TestJSON -update`"+` writes this
page and [schema.json](schema.json), which has the same as JSON Schema, from the Go types.

This is **version %d**. Fields may be added without a new version, so ignore those that you don't
know. A field that is renamed or removed, or that changes its meaning, makes a new version. A
`+"`.jsonl`"+` file has a document on each line. [Notation](notation.md) describes the text of rules,
positions, moves, results and records. The JSON API of a server describes itself at
`+"`/api/openapi.json`"+` ([server](serve.md)).

## Notations of outcomes

`, jsonVersion)
	for i, cells := range notations {
		if i > 0 {
			for j, cell := range cells[1:] {
				cells = slices.Clone(cells)
				if cells[j+1] = cell; cell != "–" {
					cells[j+1] = "`" + cell + "`"
				}
			}
		}
		page.WriteString(row(cells...))
		if i == 0 {
			page.WriteString(rule(len(cells)))
		}
	}
	page.WriteString(`
An ` + "`outcome`" + ` is for the side to move, and that of a move for the player making it, under perfect
play. ` + "`plies`" + ` counts the moves to the end, if the winner hurries and the loser delays.

## Outputs and files

`)
	page.WriteString(row("output or file", "document", "") + rule(3))
	for _, d := range documents {
		page.WriteString(row(d.name, typeText(reflect.TypeOf(d.of)), d.note))
	}
	page.WriteString("\n## Documents\n\nFields marked with ? may be missing.\n")
	for _, object := range all {
		about := comments[object.PkgPath()+"."+object.Name()]
		about = strings.ReplaceAll(strings.Join(strings.Fields(about), " "), "nil", "null")
		fmt.Fprintf(page, "\n### %v\n\n%s\n\n", object, wrap(link.ReplaceAllString(about, "`$1`")))
		page.WriteString(row("field", "type", "meaning") + rule(3))
		for _, f := range fields(object) {
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			kind := typeText(f.Type)
			if strings.Contains(options, "omitempty") || throughPointer(object, f) {
				name += "?"
				kind = strings.TrimSuffix(kind, " or null")
			}
			page.WriteString(row("`"+name+"`", kind, meaning(object, f, comments)))
		}
	}
}

// wrap breaks a text into lines of at most 100 characters.
func wrap(text string) string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && utf8.RuneCountInString(line+" "+word) > 100 {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return strings.Join(append(lines, line), "\n")
}

// throughPointer reports whether a field is promoted from a pointer, which may be nil.
func throughPointer(t reflect.Type, f reflect.StructField) bool {
	return len(f.Index) > 1 && t.Field(f.Index[0]).Type.Kind() == reflect.Pointer
}

// schemaFile returns docs/schema.json.
func schemaFile(t *testing.T) map[string]any {
	t.Helper()
	all := objects()
	comments := comments(t, all)
	defs := map[string]*jsonschema.Schema{}
	for _, object := range all {
		known := map[reflect.Type]*jsonschema.Schema{
			reflect.TypeFor[json.RawMessage](): {},
		}
		promoted := map[reflect.Type]bool{}
		for _, f := range reflect.VisibleFields(object) {
			if f.Anonymous {
				promoted[inside(f.Type)] = true
			}
			known[inside(f.Type)] = nil
		}
		for _, other := range append(all, textTypes()...) {
			switch _, text := isText(other); {
			case text:
				known[other] = &jsonschema.Schema{Type: "string"}
			case other != object && !promoted[other]:
				known[other] = &jsonschema.Schema{Ref: "#/$defs/" + other.String()}
			}
		}
		for other, schema := range known {
			_, text := isText(other)
			switch {
			case schema == nil && text && other.Kind() != reflect.String:
				known[other] = &jsonschema.Schema{Type: "string"}
			case schema == nil:
				delete(known, other)
			}
		}
		schema, err := jsonschema.ForType(object, &jsonschema.ForOptions{TypeSchemas: known})
		if err != nil {
			t.Fatalf("%v: %v", object, err)
		}
		schema.AdditionalProperties = nil
		for _, f := range fields(object) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if property := schema.Properties[name]; property == nil {
				t.Errorf("%v has no property %s", object, name)
			} else {
				property.Description = meaning(object, f, comments)
				if f.Type.Kind() == reflect.Map { // like a list without elements
					property.Type, property.Types = "", []string{"null", "object"}
				}
			}
			if throughPointer(object, f) {
				i := slices.Index(schema.Required, name)
				schema.Required = slices.Delete(schema.Required, i, i+1)
			}
		}
		defs[object.String()] = schema
	}
	named := map[string]any{}
	for _, d := range documents {
		named[strings.ReplaceAll(d.name, "`",
			"")] = map[string]string{"$ref": fmt.Sprintf("#/$defs/%T", d.of)}
	}
	return map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   "Digit Duel", "version": jsonVersion, "documents": named, "$defs": defs,
	}
}

// textTypes returns the types whose JSON is a string.
func textTypes() (all []reflect.Type) {
	for t := range texts {
		all = append(all, t)
	}
	return all
}

// TestJSON compares docs/json.md and docs/schema.json with the Go types, or rewrites them.
func TestJSON(t *testing.T) {
	var page, schema bytes.Buffer
	writeJSONPage(t, &page)
	lines := json.NewEncoder(&schema)
	lines.SetIndent("", " ")
	lines.SetEscapeHTML(false)
	if err := lines.Encode(schemaFile(t)); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"docs/json.md": page.Bytes(), "docs/schema.json": schema.Bytes(),
	} {
		if *update {
			if err := os.WriteFile(name, text, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if old, err := os.ReadFile(name); err != nil || !bytes.Equal(old, text) {
			t.Errorf("%s has changed: run go test ./docs -run TestJSON -update (%v)", name, err)
		}
	}
}

// TestJSONValid checks that documents are valid by their schemas, and invalid without a field.
func TestJSONValid(t *testing.T) {
	text, err := os.ReadFile("docs/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	small, err := digit.ParseRules("dilemma pool=0-5 width=2")
	if err != nil {
		t.Fatal(err)
	}
	s, err := solve.Solve(t.Context(), small, solve.Config{})
	if err != nil {
		t.Fatal(err)
	}
	report, err := lab.Measure(t.Context(), s, lab.Config{})
	if err != nil {
		t.Fatal(err)
	}
	samples := slices.Collect(s.Samples())
	real := []any{
		s.Overview(), s.Analyze(nil, digit.Position{}), samples[0], samples[len(samples)-1], report,
		lab.Measured{Report: report, Levels: []lab.LevelResult{{Level: "casual"}}}, report.Verdict,
	}
	for _, d := range documents {
		real = append(real, d.of)
	}
	for _, value := range real {
		var schema jsonschema.Schema
		if err := json.Unmarshal(text, &schema); err != nil {
			t.Fatal(err)
		}
		schema.Ref = fmt.Sprintf("#/$defs/%T", value)
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		var parsed any
		if err := json.Unmarshal(text, &parsed); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(parsed); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		required := resolved.Schema().Defs[fmt.Sprintf("%T", value)].Required
		delete(parsed.(map[string]any), required[0])
		if resolved.Validate(parsed) == nil {
			t.Errorf("%s is valid without its first field", text)
		}
	}
}
