package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// addTool adds a tool whose arguments are an In, by the schema of that if it has none, and whose answers are an Out: as structured content
// and, with the same facts, as text.
func addTool[In, Out any](s *Server, t sdk.Tool, do func(context.Context, *sdk.CallToolRequest, In) (Out, error)) {
	in, ok := t.InputSchema.(*jsonschema.Schema)
	if !ok {
		in = schemaOf[In]()
	}
	arguments := resolved(in)
	if t.InputSchema = in; t.OutputSchema == nil {
		t.OutputSchema = answerSchema(schemaOf[Out]())
	}
	s.server.AddTool(&t, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		ctx, done := context.WithCancel(ctx) // until which solutions are lent
		defer done()
		ctx, called := s.noting(ctx, t.Name)
		asked, err := read[In](arguments, req.Params.Arguments)
		var answer Out
		if err == nil {
			answer, err = do(ctx, req, asked)
		}
		err = whyOf(ctx, err)
		if called(err); err != nil {
			return s.refused(t.Name, err), nil
		}
		return resultOf(answer), nil
	})
}

// read reads arguments that a schema has. One that is null is left out, as some clients do with what they have nothing for.
func read[In any](schema *jsonschema.Resolved, arguments json.RawMessage) (in In, err error) {
	given := map[string]json.RawMessage{}
	if len(arguments) > 0 && string(arguments) != "null" {
		if err := json.Unmarshal(arguments, &given); err != nil {
			return in, refusef("the arguments are no object with names and values")
		}
	}
	maps.DeleteFunc(given, func(_ string, value json.RawMessage) bool { return string(value) == "null" })
	var plain any
	text, err := json.Marshal(given)
	if err == nil {
		err = json.Unmarshal(text, &plain)
	}
	if err != nil {
		return in, err
	}
	if err := schema.Validate(plain); err != nil {
		return in, wrong(schema.Schema(), given)
	}
	if text, err = json.Marshal(plain); err != nil { // 7.0 is 7
		return in, err
	}
	err = json.Unmarshal(text, &in)
	if large := new(json.UnmarshalTypeError); errors.As(err, &large) { // a schema knows no bounds of what a program counts with
		return in, refusef("%s %.40s: it is too large", large.Field, given[large.Field])
	}
	return in, err
}

// wrong says which of some arguments a schema does not have, and what it has.
func wrong(schema *jsonschema.Schema, given map[string]json.RawMessage) error {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		allowed := schema.Properties[name]
		if allowed == nil {
			return refusef("%.40q: there is no such argument; arguments: %s", name, strings.Join(schema.PropertyOrder, ", "))
		}
		var value any
		if err := json.Unmarshal(given[name], &value); err != nil || resolved(allowed.CloneSchemas()).Validate(value) != nil {
			return refusef("%s %.40s: allowed: %s", name, given[name], allowedBy(allowed))
		}
	}
	for _, name := range schema.Required {
		if given[name] == nil {
			return refusef("%s is missing: %s", name, schema.Properties[name].Description)
		}
	}
	return refusef("the arguments cannot be read; arguments: %s", strings.Join(schema.PropertyOrder, ", "))
}

// allowedBy tells what an argument may be.
func allowedBy(s *jsonschema.Schema) string {
	switch {
	case s.Type == "boolean":
		return "true or false"
	case s.Type == "integer" && s.Maximum != nil:
		return fmt.Sprintf("a whole number, %.0f to %.0f", *s.Minimum, *s.Maximum)
	case s.Type == "integer":
		return "a whole number"
	}
	return "a text"
}

func resultOf(answer any) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: textOf(answer)}}, StructuredContent: answer}
}

// errGone is the reason for a client that has gone, which does not read it.
var errGone = refusef("the request was given up")

// whyOf returns why a call failed. When its context is done that is the reason, whatever broke of it:
// the client has gone, or the call took too long.
func whyOf(ctx context.Context, err error) error {
	if ctx.Err() == nil || outcomeOf(err) != "broken" || errors.Is(err, match.ErrInDoubt) {
		return err
	}
	if cause := context.Cause(ctx); errors.As(cause, new(*refusal)) {
		return cause
	}
	return errGone
}

// refused returns the result of a call that got nothing.
func (s *Server) refused(tool string, err error) *sdk.CallToolResult {
	var why *refusal
	var told teller
	switch {
	case errors.As(err, &why):
	case errors.As(err, &told):
		why = &refusal{reason: told.Refusal()}
	default:
		s.Log.Error("a tool broke", "tool", tool, "error", err)
		why = &refusal{reason: rulebook.Broken.Long}
		if errors.Is(err, match.ErrInDoubt) {
			why.reason = rulebook.InDoubt.Long
		}
	}
	result := resultOf(Refusal{why.reason, why.fault})
	if why.state != nil {
		state := *why.state
		state.Refusal = Refusal{why.reason, why.fault}
		result = resultOf(state)
	}
	result.IsError = true
	return result
}

// A Refusal is why a call got nothing.
type Refusal struct {
	Reason string `json:"reason,omitempty" jsonschema:"only in an error: what is wrong, and what is allowed"`
	Fault  string `json:"fault,omitempty" jsonschema:"only in an error that cost a try: illegal (the rules do not allow the move) or unreadable (it is no move)"`
}

// schemaOf returns the schema of a type. The SDK would let lists and what is pointed to be null, which breaks clients.
func schemaOf[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[uint64]():    {Type: "integer", Minimum: new(float64), Maximum: new(float64(maxNumber))},
		reflect.TypeFor[itemCount](): {Type: "integer", Minimum: new(1.0), Maximum: new(float64(mostItems))},
	}})
	if err != nil {
		panic(fmt.Sprintf("mcp: %v", err))
	}
	games := strings.Join(slices.Concat(digit.BookNames(), digit.FairNames()), ", ")
	fit(s, strings.NewReplacer("{games}", games, "{levels}", strings.Join(bot.LevelNames(), ", ")))
	return s
}

// fit makes a schema one that clients take, and names in it what there is to name.
func fit(s *jsonschema.Schema, names *strings.Replacer) {
	if s == nil {
		return
	}
	s.Description = names.Replace(s.Description)
	if s.Types = slices.DeleteFunc(s.Types, func(name string) bool { return name == "null" }); len(s.Types) == 1 {
		s.Type, s.Types = s.Types[0], nil
	}
	fit(s.Items, names)
	for _, p := range s.Properties {
		fit(p, names)
	}
}

// answerSchema returns the schema of what a tool answers: all of one of some schemas or, in an error, a reason.
func answerSchema(s *jsonschema.Schema, others ...*jsonschema.Schema) *jsonschema.Schema {
	refusal := schemaOf[Refusal]()
	refusal.Required = []string{"reason"}
	s.AnyOf = []*jsonschema.Schema{{Required: s.Required}}
	s.Required = nil
	for _, other := range append(others, refusal) {
		for name, p := range other.Properties {
			if s.Properties[name] == nil {
				s.Properties[name] = p
			}
		}
		s.AnyOf = append(s.AnyOf, &jsonschema.Schema{Required: other.Required})
	}
	return s
}

func resolved(s *jsonschema.Schema) *jsonschema.Resolved {
	r, err := s.Resolve(nil)
	if err != nil {
		panic(fmt.Sprintf("mcp: %v", err))
	}
	return r
}

// What tools do to the world, as they tell their clients.
var (
	looks = &sdk.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: new(bool), IdempotentHint: true, OpenWorldHint: new(bool)}
	acts  = &sdk.ToolAnnotations{DestructiveHint: new(bool), OpenWorldHint: new(bool)}
	once  = &sdk.ToolAnnotations{DestructiveHint: new(bool), IdempotentHint: true, OpenWorldHint: new(bool)} // the same again changes nothing
)
