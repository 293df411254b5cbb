package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// readJSON reads the JSON object of a request into a struct. It is strict, so that no mistake goes
// unnoticed: keys must be exactly those of the struct, each at most once.
func readJSON(r *http.Request, into any) error {
	const wanted = "application/json"
	if given := r.Header.Get("Content-Type"); given != wanted {
		if kind, _, err := mime.ParseMediaType(given); err != nil || kind != wanted {
			return problemf(http.StatusUnsupportedMediaType, "content type %q: allowed: %s",
				clip(given), wanted)
		}
	}
	body, err := io.ReadAll(r.Body)
	if isA[*http.MaxBytesError](err) {
		return err
	}
	bad := func(why string) error {
		return problemf(http.StatusBadRequest, "invalid body: %s", why)
	}
	if err != nil {
		return bad("cannot be read")
	}
	if !utf8.Valid(body) {
		return bad("not UTF-8")
	}
	if err := checkKeys(body, keysOf(into)); err != nil {
		return bad(err.Error())
	}
	if err := json.Unmarshal(body, into); err != nil {
		return bad(describe(err))
	}
	return nil
}

// readKeyed is like readJSON, and returns the key for repeating the request; empty: none was sent.
func readKeyed(r *http.Request, into any) (key string, err error) {
	if err := readJSON(r, into); err != nil {
		return "", err
	}
	given := r.Header.Values("Idempotency-Key")
	if len(given) == 0 {
		return "", nil
	}
	return given[0], checkKey(given[0])
}

// keysOf returns the JSON keys of a pointer to a request struct.
func keysOf(into any) map[string]bool {
	keys := map[string]bool{}
	for _, field := range reflect.VisibleFields(reflect.TypeOf(into).Elem()) {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
			keys[name] = true
		}
	}
	return keys
}

// checkKeys returns an error unless a text is one JSON object with some of the keys.
func checkKeys(body []byte, keys map[string]bool) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if start, err := d.Token(); err != nil {
		return errors.New(describe(err))
	} else if start != json.Delim('{') {
		return errors.New("not a JSON object")
	}
	seen := map[string]bool{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return errors.New(describe(err))
		}
		name, _ := key.(string) // the decoder allows no other key
		switch {
		case !keys[name]:
			return fmt.Errorf("unknown field %q", clip(name))
		case seen[name]:
			return fmt.Errorf("duplicate field %q", name)
		}
		seen[name] = true
		var value any
		if err := d.Decode(&value); err != nil {
			return errors.New(describe(err))
		}
		if list, ok := value.([]any); value == nil || ok && slices.Contains(list, nil) {
			return fmt.Errorf("field %q is null or has a null; leave it out", name)
		}
	}
	if _, err := d.Token(); err != nil {
		return errors.New(describe(err))
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("trailing data after the JSON object")
	}
	return nil
}

// describe explains an error in JSON in one line, without the names of Go types.
func describe(err error) string {
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		wanted := map[reflect.Kind]string{reflect.String: "a text", reflect.Int: "a whole number",
			reflect.Bool: "true or false", reflect.Slice: "a list"}
		// without the names of embedded types
		name := kind.Field[strings.LastIndex(kind.Field, ".")+1:]
		return fmt.Sprintf("field %q is a %s; allowed: %s", name, clip(kind.Value),
			wanted[kind.Type.Kind()])
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "unexpected end"
	}
	return strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\n", " "), "json: ")
}

// readForm reads the form that a page posts.
func readForm(r *http.Request) error {
	err := r.ParseForm()
	if err == nil || isA[*http.MaxBytesError](err) {
		return err
	}
	return problemf(http.StatusBadRequest, "cannot read the form")
}

// number returns the number in a field of a form, or 0.
func number(form url.Values, key string) int {
	n, _ := strconv.Atoi(form.Get(key))
	return n
}

func writeJSON(w http.ResponseWriter, status int, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(append(body, '\n'))
	return nil
}

func writeText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	w.Write([]byte(text))
}
