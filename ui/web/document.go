//go:build !js

package web

import (
	"bytes"
	_ "embed"
	"encoding"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"digitduel/bot"
	"digitduel/class"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// openAPI is the OpenAPI document without its schemas. A reference is written as a plain string
// that begins with "#/components/", and names in braces stand for lists that Go knows.
//
//go:embed openapi.json
var openAPI string

// schemaTexts holds the parts of the schemas that Go types cannot express: descriptions, patterns,
// limits and enums. A key is the name of a schema, of a field of one schema (Table.moves), or of a
// field that means the same in all schemas (seq).
//
//go:embed schemas.json
var schemaTexts string

// schemaTypes holds a value of each Go type that requests are decoded into or answers encoded
// from, by the name of its schema. A schema without a type is that of a string.
var schemaTypes = map[string]any{
	"Acting":        actRequest{},
	"Books":         statsList{},
	"Class":         classView{},
	"ClassAct":      class.Act{},
	"ClassEvent":    class.Event{},
	"ClassFormat":   class.Format(""),
	"ClassGame":     classGame{},
	"ClassGames":    classGames{},
	"ClassLog":      classLog{},
	"ClassNow":      classNow{},
	"ClassOpened":   classOpened{},
	"ClassOrder":    class.Order{},
	"ClassPhase":    class.Phase(""),
	"ClassPupil":    pupilView{},
	"ClassStanding": class.Standing{},
	"Error":         errorView{},
	"Event":         eventView{},
	"Fault":         match.Fault(0),
	"Game":          gameView{},
	"Games":         gameList{},
	"Hint":          hintView{},
	"Joining":       joinRequest{},
	"Kind":          match.Kind(""),
	"Link":          linkView{},
	"Linking":       linkRequest{},
	"Log":           logView{},
	"LogEvent":      match.Logged{},
	"Move":          digit.Move{},
	"Moving":        moveRequest{},
	"Opened":        openedView{},
	"OpenedSeat":    openedSeat{},
	"Openings":      match.Openings(""),
	"Order":         orderRequest{},
	"Outcome":       solve.Outcome(0),
	"Pairing":       class.Pairing{},
	"Phase":         match.Phase(""),
	"Player":        sitterView{},
	"Record":        digit.Record{},
	"Rejoining":     rejoinRequest{},
	"Result":        digit.Result{},
	"Rules":         digit.Rules{},
	"Seat":          seatView{},
	"Side":          digit.Side(0),
	"Sitting":       sitRequest{},
	"Standing":      standing{},
	"Stats":         match.Stats{},
	"Summary":       match.Listed{},
	"Table":         tableView{},
	"Tables":        tableList{},
	"Targets":       match.Targets{},
	"Ticket":        class.Ticket{},
	"Time":          time.Time{},
	"Value":         solve.Value{},
}

// documentText returns the OpenAPI document that the server serves, made once.
var documentText = sync.OnceValue(makeDocument)

func makeDocument() string {
	fill := strings.NewReplacer(
		`"{book}"`, jsonList(digit.AllNames()),
		`"{kind}"`, jsonList(match.Kinds()),
		`"{act}"`, jsonList(match.Acts()),
		`"{acts}"`, jsonText(describeActs()),
		`"{unknown act}"`, jsonText(match.Act("dance").Check().Error()),
		`"{level}"`, jsonList(bot.LevelNames()),
		"{levels}", strings.Join(bot.LevelNames(), ", "),
		"{books}", "`"+strings.Join(digit.BookNames(), "`, `")+"`",
		"{fair}", "`"+strings.Join(digit.FairNames(), "`, `")+"`",
	)
	reference := regexp.MustCompile(`"#/components/[^"]+"`)
	expand := func(text string) string {
		return reference.ReplaceAllString(fill.Replace(text), `{"$$ref": $0}`)
	}
	made, err := schemas(expand(schemaTexts))
	if err != nil {
		panic(err) // the files and types are part of the program
	}
	var indented bytes.Buffer
	text := strings.Replace(expand(openAPI), `"{schemas}"`, made, 1)
	if err := json.Indent(&indented, []byte(text), "", "  "); err != nil {
		panic(err)
	}
	return indented.String()
}

// describeActs returns a list of all acts.
func describeActs() string {
	var lines []string
	for _, a := range match.Acts() {
		lines = append(lines, fmt.Sprintf("- `%s`: %s", a, a.Does()))
	}
	return strings.Join(lines, "\n")
}

// jsonText returns a text as JSON.
func jsonText(text string) string {
	quoted, _ := json.Marshal(text) // strings can be marshalled
	return string(quoted)
}

// jsonList returns the elements of a JSON array.
func jsonList[T ~string](names []T) string {
	text, _ := json.Marshal(names) // strings can be marshalled
	return string(text[1 : len(text)-1])
}

// schemas returns the schemas as a JSON object: the Go types, completed by texts.
func schemas(texts string) (string, error) {
	var byKey map[string]json.RawMessage
	if err := json.Unmarshal([]byte(texts), &byKey); err != nil {
		return "", fmt.Errorf("schemas.json: %w", err)
	}
	all := map[string]*jsonschema.Schema{}
	for name, text := range byKey {
		if name[0] >= 'a' || strings.Contains(name, ".") {
			continue // the text of a field
		}
		s, err := schemaOf(reflect.TypeOf(schemaTypes[name]))
		if err == nil {
			err = json.Unmarshal(text, s)
		}
		for field, property := range s.Properties {
			own, ok := byKey[name+"."+field]
			if !ok {
				own, ok = byKey[field]
			}
			if ok && err == nil {
				err = json.Unmarshal(own, property)
			}
			clean(property)
		}
		if err != nil {
			return "", fmt.Errorf("schema %s: %w", name, err)
		}
		all[name] = s
	}
	text, err := json.Marshal(all)
	return string(text), err
}

// schemaOf returns the schema of a type. Types with a schema of their own are references in it.
func schemaOf(t reflect.Type) (*jsonschema.Schema, error) {
	text := reflect.TypeFor[encoding.TextMarshaler]()
	if t == nil || t.Kind() == reflect.String || t.Implements(text) {
		return &jsonschema.Schema{Type: "string"}, nil
	}
	refs := map[reflect.Type]*jsonschema.Schema{}
	for name, other := range schemaTypes {
		refs[reflect.TypeOf(other)] = &jsonschema.Schema{Ref: "#/components/schemas/" + name}
	}
	refs[reflect.TypeFor[match.Order]()] = refs[reflect.TypeFor[orderRequest]()]
	delete(refs, t)
	for _, field := range reflect.VisibleFields(t) {
		if field.Anonymous {
			delete(refs, field.Type)
		} else if refs[field.Type] == nil && field.Type.Implements(text) {
			refs[field.Type] = &jsonschema.Schema{Type: "string"}
		}
	}
	return jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: refs})
}

// clean removes null from the types of a property, which is not sent unless its description says
// so, and the type of a reference.
func clean(s *jsonschema.Schema) {
	if len(s.Types) > 0 && !strings.Contains(s.Description, "null") {
		s.Type, s.Types = s.Types[len(s.Types)-1], nil
	}
	if s.Ref != "" {
		s.Type = ""
	}
}

func (s *Server) apiDocument(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, documentText())
	return nil
}
