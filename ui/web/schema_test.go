package web

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"
)

// A schema describes JSON with the keywords of JSON Schema that openapi.json uses. Any other
// keyword is an error.
type schema map[string]any

// A document is openapi.json.
type document map[string]any

// theDocument is openapi.json as the server sends it.
var theDocument = sync.OnceValue(func() document {
	var d document
	if err := json.Unmarshal([]byte(documentText()), &d); err != nil {
		panic(err)
	}
	return d
})

// resolve follows a $ref of the document, if there is one.
func (d document) resolve(node map[string]any) map[string]any {
	ref, ok := node["$ref"].(string)
	if !ok {
		return node
	}
	found := map[string]any(d)
	for name := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		next, ok := found[name].(map[string]any)
		if !ok {
			return map[string]any{"no such thing": ref}
		}
		found = next
	}
	return d.resolve(found)
}

// check returns an error if a JSON value does not match a schema. The error names the place at.
func (d document) check(s schema, value any, at string) error {
	if _, ok := s["$ref"]; ok {
		if err := d.check(d.resolve(s), value, at); err != nil {
			return err
		}
	}
	for _, keyword := range sorted(s) {
		if keyword == "$ref" {
			continue // checked above
		}
		checkKeyword, known := keywords[keyword]
		if !known {
			return fmt.Errorf("%s: the schema has an unknown word: %s", at, keyword)
		}
		if err := checkKeyword(d, s, value, at); err != nil {
			return err
		}
	}
	return nil
}

func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// keywords maps each keyword of schemas to its check. A keyword ignores values of other types.
var keywords map[string]func(d document, s schema, value any, at string) error

func init() { // because the checks use keywords
	keywords = map[string]func(d document, s schema, value any, at string) error{
		"description": func(document, schema, any, string) error { return nil },
		"type":        checkType, "enum": checkEnum,
		"pattern": checkPattern, "format": checkFormat, "maxLength": checkLength,
		"minimum": checkRange, "maximum": checkRange,
		"items": checkItems, "minItems": checkItems, "maxItems": checkItems,
		"properties": checkProperties, "additionalProperties": checkProperties,
		"required": checkRequired,
	}
}

func checkType(_ document, s schema, value any, at string) error {
	is := map[string]bool{}
	switch v := value.(type) {
	case string:
		is["string"] = true
	case bool:
		is["boolean"] = true
	case float64:
		is["number"], is["integer"] = true, v == math.Trunc(v)
	case []any:
		is["array"] = true
	case map[string]any:
		is["object"] = true
	}
	if value == nil {
		is["null"] = true
	}
	if all, several := s["type"].([]any); several {
		if slices.ContainsFunc(all, func(t any) bool { return is[t.(string)] }) {
			return nil
		}
		return fmt.Errorf("%s: %v is of none of the types %v", at, value, all)
	}
	if want := s["type"].(string); !is[want] {
		return fmt.Errorf("%s: %v is not of type %s", at, value, want)
	}
	return nil
}

func checkEnum(_ document, s schema, value any, at string) error {
	if !slices.Contains(s["enum"].([]any), value) {
		return fmt.Errorf("%s: %v is none of %v", at, value, s["enum"])
	}
	return nil
}

func checkPattern(_ document, s schema, value any, at string) error {
	pattern := regexp.MustCompile(s["pattern"].(string))
	if text, ok := value.(string); ok && !pattern.MatchString(text) {
		return fmt.Errorf("%s: %q does not match %s", at, text, s["pattern"])
	}
	return nil
}

func checkFormat(_ document, s schema, value any, at string) error {
	if s["format"] != "date-time" {
		return fmt.Errorf("%s: the schema has an unknown format: %v", at, s["format"])
	}
	if text, ok := value.(string); ok {
		if _, err := time.Parse(time.RFC3339Nano, text); err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
	}
	return nil
}

func checkLength(_ document, s schema, value any, at string) error {
	most := int(s["maxLength"].(float64))
	if text, ok := value.(string); ok && utf8.RuneCountInString(text) > most {
		return fmt.Errorf("%s: longer than %v", at, s["maxLength"])
	}
	return nil
}

func checkRange(_ document, s schema, value any, at string) error {
	number, ok := value.(float64)
	if least, limited := s["minimum"].(float64); ok && limited && number < least {
		return fmt.Errorf("%s: %v is less than %v", at, number, least)
	}
	if most, limited := s["maximum"].(float64); ok && limited && number > most {
		return fmt.Errorf("%s: %v is more than %v", at, number, most)
	}
	return nil
}

func checkItems(d document, s schema, value any, at string) error {
	list, ok := value.([]any)
	if least, limited := s["minItems"].(float64); ok && limited && float64(len(list)) < least {
		return fmt.Errorf("%s: fewer than %v", at, least)
	}
	if most, limited := s["maxItems"].(float64); ok && limited && float64(len(list)) > most {
		return fmt.Errorf("%s: more than %v", at, most)
	}
	for i, item := range list {
		place := fmt.Sprintf("%s[%d]", at, i)
		if err := d.check(s["items"].(map[string]any), item, place); err != nil {
			return err
		}
	}
	return nil
}

func checkProperties(d document, s schema, value any, at string) error {
	object, _ := value.(map[string]any)
	known, _ := s["properties"].(map[string]any)
	for _, key := range sorted(object) {
		of, ok := known[key].(map[string]any)
		if !ok {
			if s["additionalProperties"] == nil {
				continue
			}
			if of, ok = s["additionalProperties"].(map[string]any); !ok {
				return fmt.Errorf("%s.%s: there is no such property", at, key)
			}
		}
		if err := d.check(of, object[key], at+"."+key); err != nil {
			return err
		}
	}
	return nil
}

func checkRequired(_ document, s schema, value any, at string) error {
	object, ok := value.(map[string]any)
	for _, key := range s["required"].([]any) {
		if _, there := object[key.(string)]; ok && !there {
			return fmt.Errorf("%s.%s is missing", at, key)
		}
	}
	return nil
}

func TestSchema(t *testing.T) {
	const move = `{"type":"object","properties":{"move":{"$ref":"#/components/schemas/Move"},
		"seq":{"type":"integer","minimum":0,"maximum":9}},
		"required":["move"],"additionalProperties":false}`
	const components = `{"components":{"schemas":{"Move":{"description":"a move","type":"string",
		"pattern":"^[0-9]+[a-c]$"}}}}`
	for _, test := range []struct{ schema, value, want string }{
		{move, `{"move":"7a","seq":3}`, ""},
		{move, `{"move":"7a"}`, ""},
		{move, `{"seq":3}`, "$.move is missing"},
		{move, `{"move":"7z"}`, `$.move: "7z" does not match ^[0-9]+[a-c]$`},
		{move, `{"move":"7a","seq":-1}`, "$.seq: -1 is less than 0"},
		{move, `{"move":"7a","seq":10}`, "$.seq: 10 is more than 9"},
		{move, `{"move":"7a","seq":1.5}`, "$.seq: 1.5 is not of type integer"},
		{move, `{"move":7}`, "$.move: 7 is not of type string"},
		{move, `{"move":"7a","more":1}`, "$.more: there is no such property"},
		{move, `[]`, "$: [] is not of type object"},
		{move, `null`, "$: <nil> is not of type object"},
		{`{"type":"number"}`, `1.5`, ""},
		{`{"type":"boolean","enum":[true]}`, `true`, ""},
		{`{"type":"boolean","enum":[true]}`, `false`, "$: false is none of [true]"},
		{`{"type":"array","items":{"type":"string","enum":["a"]},"minItems":1,"maxItems":2}`, `["a","a"]`, ""},
		{`{"type":"array","items":{"type":"string","enum":["a"]},"minItems":1,"maxItems":2}`, `["a","b"]`, "$[1]: b is none of [a]"},
		{`{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":2}`, `[]`, "$: fewer than 1"},
		{`{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":2}`, `["","",""]`, "$: more than 2"},
		{`{"type":"object","additionalProperties":{"type":"integer"}}`, `{"a":1,"b":2}`, ""},
		{`{"type":"object","additionalProperties":{"type":"integer"}}`, `{"a":1,"b":""}`, "$.b:  is not of type integer"},
		{`{"type":"object"}`, `{"a":1}`, ""},
		{`{"type":"string","format":"date-time"}`, `"2026-01-31T12:00:00.5Z"`, ""},
		{`{"type":"string","format":"date-time"}`, `"today"`, `$: parsing time "today" as "2006-01-02T15:04:05.999999999Z07:00": cannot parse "today" as "2006"`},
		{`{"type":"string","maxLength":2}`, `"äöü"`, "$: longer than 2"},
		{`{"type":"string","format":"email"}`, `""`, "$: the schema has an unknown format: email"},
		{`{"oneOf":[]}`, `1`, "$: the schema has an unknown word: oneOf"},
		{`{"$ref":"#/components/schemas/Move","enum":["7a"]}`, `"7b"`, "$: 7b is none of [7a]"},
		{`{"$ref":"#/components/schemas/Move","enum":["7z"]}`, `"7z"`, `$: "7z" does not match ^[0-9]+[a-c]$`},
		{`{"$ref":"#/components/schemas/None"}`, `1`, "$: the schema has an unknown word: no such thing"},
	} {
		var d document
		var s schema
		var value any
		for text, into := range map[string]any{
			components: &d, test.schema: &s, test.value: &value,
		} {
			if err := json.Unmarshal([]byte(text), into); err != nil {
				t.Fatal(err)
			}
		}
		got := ""
		if err := d.check(s, value, "$"); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s by %s:\n got %s\nwant %s", test.value, test.schema, got, test.want)
		}
	}
}
