package mcp

import (
	"cmp"
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

	"digitduel/match"
	"digitduel/rulebook"
)

// addTool adds a tool with arguments of type In and answers of type Out. Answers are structured
// content and, with the same facts, text.
func addTool[In, Out any](
	s *Server, t sdk.Tool, do func(context.Context, In) (Out, error),
) {
	in := schemaOf[In]()
	arguments := resolved(in)
	if t.InputSchema = in; t.OutputSchema == nil {
		t.OutputSchema = answerSchema(schemaOf[Out]())
	}
	s.server.AddTool(&t, func(
		ctx context.Context, req *sdk.CallToolRequest,
	) (*sdk.CallToolResult, error) {
		began, c := s.Now(), new(call)
		if info := req.ClientInfo(); info != nil {
			c.client = info.Name
		}
		ctx, done := context.WithCancel(context.WithValue(ctx, callKey{}, c))
		defer done() // ends the use of solutions
		asked, err := read[In](arguments, req.Params.Arguments)
		var answer Out
		if err == nil {
			answer, err = do(ctx, asked)
		}
		err = whyOf(ctx, err)
		s.Limits.Called(ctx, t.Name, c.table, outcomeOf(err), s.Now().Sub(began))
		if err != nil {
			return s.refused(t.Name, err), nil
		}
		return resultOf(answer), nil
	})
}

// addGameTool adds a tool for the game that its arguments name.
func addGameTool[In interface{ id() string }, Out any](
	s *Server, t sdk.Tool, do func(context.Context, *seat, In) (Out, error),
) {
	addTool(s, t, func(ctx context.Context, asked In) (answer Out, err error) {
		v, err := s.sit(ctx, asked.id())
		if err != nil {
			return answer, err
		}
		defer v.Close()
		return do(ctx, v, asked)
	})
}

// A call is a call of a tool, as its context holds it.
type call struct {
	client string // the name of the client
	table  string // at which the caller has a seat; other ids may be secrets and are not logged
}

type callKey struct{}

func callOf(ctx context.Context) *call { return ctx.Value(callKey{}).(*call) }

// read decodes arguments and validates them. It ignores null values, which some clients send for
// missing ones.
func read[In any](schema *jsonschema.Resolved, arguments json.RawMessage) (in In, err error) {
	given := map[string]any{}
	if len(arguments) > 0 && json.Unmarshal(arguments, &given) != nil {
		return in, refusef("the arguments are not an object")
	}
	maps.DeleteFunc(given, func(_ string, value any) bool { return value == nil })
	if err := schema.Validate(given); err != nil {
		return in, argumentError(schema.Schema(), given)
	}
	text, err := json.Marshal(given) // makes 7.0 a 7
	if err != nil {
		return in, err
	}
	err = json.Unmarshal(text, &in)
	// A schema does not limit numbers to those of a Go type.
	if large := new(json.UnmarshalTypeError); errors.As(err, &large) {
		return in, refusef("%s %v: too large", large.Field, given[large.Field])
	}
	return in, err
}

// argumentError returns the refusal for arguments that a schema does not allow.
func argumentError(schema *jsonschema.Schema, given map[string]any) error {
	names := cmp.Or(strings.Join(schema.PropertyOrder, ", "), "none")
	for _, name := range slices.Sorted(maps.Keys(given)) {
		allowed := schema.Properties[name]
		if allowed == nil {
			return refusef("unknown argument %.40q; arguments: %s", name, names)
		}
		if resolved(allowed.CloneSchemas()).Validate(given[name]) != nil {
			text, _ := json.Marshal(given[name]) // it was JSON
			return refusef("%s %.40s: allowed: %s", name, text, allowedBy(allowed))
		}
	}
	for _, name := range schema.Required {
		if given[name] == nil {
			return refusef("missing %s: %s", name, schema.Properties[name].Description)
		}
	}
	return refusef("invalid arguments; arguments: %s", names)
}

// allowedBy returns the allowed values of an argument.
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
	text := &sdk.TextContent{Text: textOf(answer)}
	return &sdk.CallToolResult{Content: []sdk.Content{text}, StructuredContent: answer}
}

// errGone is the answer to a client that has gone and does not read it.
var errGone = refusef("the request was canceled")

// whyOf returns why a call failed. If its context is done, that is the reason for any error of this
// program: the client has gone, or the call took too long.
func whyOf(ctx context.Context, err error) error {
	if ctx.Err() == nil || outcomeOf(err) != "broken" || errors.Is(err, match.ErrInDoubt) {
		return err
	}
	if cause := context.Cause(ctx); errors.As(cause, new(*refusal)) {
		return cause
	}
	return errGone
}

// refused returns the result of a call with an error.
func (s *Server) refused(tool string, err error) *sdk.CallToolResult {
	var why *refusal
	var limit limitError
	var answer any
	switch {
	case errors.As(err, &why):
		answer = why.answer
	case errors.As(err, &limit):
		answer = Refusal{Reason: limit.Refusal()}
	case errors.Is(err, match.ErrInDoubt):
		answer = Refusal{Reason: rulebook.InDoubt.Long}
	default:
		answer = Refusal{Reason: rulebook.Broken.Long}
	}
	if outcomeOf(err) == "broken" {
		s.Log.Error("tool failed", "tool", tool, "error", err)
	}
	result := resultOf(answer)
	result.IsError = true
	return result
}

// A Refusal is the reason for the error of a call.
type Refusal struct {
	Reason string `json:"reason,omitempty" jsonschema:"{reason}"`
	Fault  string `json:"fault,omitempty" jsonschema:"{fault}"`
}

// schemaOf returns the schema of a type. Unlike the SDK's it does not allow null for lists and
// pointers, which breaks clients.
func schemaOf[T any]() *jsonschema.Schema {
	types := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[uint64](): {
			Type: "integer", Minimum: new(float64), Maximum: new(float64(maxNumber)),
		},
		reflect.TypeFor[itemCount](): {
			Type: "integer", Minimum: new(1.0), Maximum: new(float64(mostItems)),
		},
	}
	s, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: types})
	if err != nil {
		panic(fmt.Sprintf("mcp: %v", err))
	}
	if s.Properties == nil { // without arguments; clients expect an empty list
		s.Properties = map[string]*jsonschema.Schema{}
	}
	adapt(s)
	return s
}

// adapt changes a schema for clients and replaces the placeholders in its descriptions.
func adapt(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	s.Description = descriptions.Replace(s.Description)
	s.Types = slices.DeleteFunc(s.Types, func(name string) bool { return name == "null" })
	if len(s.Types) == 1 {
		s.Type, s.Types = s.Types[0], nil
	}
	adapt(s.Items)
	for _, p := range s.Properties {
		adapt(p)
	}
}

// answerSchema returns the schema of an answer: all of one of the schemas or, in an error, a
// reason.
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

// Annotations of tools.
var (
	looks = &sdk.ToolAnnotations{
		ReadOnlyHint: true, DestructiveHint: new(bool),
		IdempotentHint: true, OpenWorldHint: new(bool),
	}
	acts = &sdk.ToolAnnotations{DestructiveHint: new(bool), OpenWorldHint: new(bool)}
	once = &sdk.ToolAnnotations{
		DestructiveHint: new(bool), IdempotentHint: true, OpenWorldHint: new(bool),
	}
)
