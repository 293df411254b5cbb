package mcp

import (
	"fmt"
	"reflect"
	"strings"
)

// textOf returns an answer as text for readers without JSON: a line for each field, with its name.
// A value of several lines follows its name, indented.
func textOf(answer any) string {
	var b strings.Builder
	for name, value := range fields(reflect.ValueOf(answer)) {
		text := valueText(value)
		switch {
		case text == "":
			fmt.Fprintf(&b, "%s:\n", name)
		case strings.Contains(text, "\n") || isList(value):
			fmt.Fprintf(&b, "%s:\n  %s\n", name, strings.ReplaceAll(text, "\n", "\n  "))
		default:
			fmt.Fprintf(&b, "%s: %s\n", name, text)
		}
	}
	return b.String()
}

// fields yields the fields of a struct as in JSON.
func fields(v reflect.Value) func(yield func(string, reflect.Value) bool) {
	return func(yield func(string, reflect.Value) bool) {
		for _, f := range reflect.VisibleFields(v.Type()) {
			value := v.FieldByIndex(f.Index)
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.Anonymous || !f.IsExported() ||
				strings.Contains(options, "omit") && value.IsZero() {
				continue
			}
			if !yield(name, value) {
				return
			}
		}
	}
}

// isList reports whether a value is a list of structs, each of which has its own line.
func isList(v reflect.Value) bool {
	return v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct
}

// valueText returns a value as text.
func valueText(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer:
		return valueText(v.Elem())
	case reflect.Slice:
		sep := ", "
		if isList(v) {
			sep = "\n"
		}
		items := make([]string, v.Len())
		for i := range items {
			items[i] = valueText(v.Index(i))
		}
		return strings.Join(items, sep)
	case reflect.Struct:
		var facts []string
		for name, value := range fields(v) {
			facts = append(facts, name+"="+valueText(value))
		}
		return strings.Join(facts, "; ")
	default:
		return fmt.Sprint(v.Interface())
	}
}
