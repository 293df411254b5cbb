package mcp

import (
	"fmt"
	"reflect"
	"strings"
)

// textOf tells an answer to whoever reads no JSON: a line for each field, with its name; what has more lines follows its name, indented.
func textOf(answer any) string {
	var b strings.Builder
	for name, value := range fields(reflect.ValueOf(answer)) {
		text := said(value)
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

// fields yields the fields of a struct as JSON has them.
func fields(v reflect.Value) func(yield func(string, reflect.Value) bool) {
	return func(yield func(string, reflect.Value) bool) {
		for _, f := range reflect.VisibleFields(v.Type()) {
			value := v.FieldByIndex(f.Index)
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.Anonymous || strings.Contains(options, "omit") && value.IsZero() {
				continue
			}
			if !yield(name, value) {
				return
			}
		}
	}
}

// isList reports whether a value has items of several facts, of which each has a line.
func isList(v reflect.Value) bool {
	return v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct
}

// said returns the text of a value.
func said(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer:
		return said(v.Elem())
	case reflect.Slice:
		sep := ", "
		if isList(v) {
			sep = "\n"
		}
		items := make([]string, v.Len())
		for i := range items {
			items[i] = said(v.Index(i))
		}
		return strings.Join(items, sep)
	case reflect.Struct:
		var facts []string
		for name, value := range fields(v) {
			facts = append(facts, name+"="+said(value))
		}
		return strings.Join(facts, "; ")
	default:
		return fmt.Sprint(v.Interface())
	}
}
