package web

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
)

// A documentChecker checks every request and answer of a test against openapi.json.
type documentChecker struct {
	testServer *testServer
	next       http.RoundTripper
}

// seenAnswers holds the answers of all tests, in the form "GET /api/tables/{id} 200".
var seenAnswers = struct {
	sync.Mutex
	answers map[string]bool
}{answers: map[string]bool{}}

func (c documentChecker) RoundTrip(r *http.Request) (*http.Response, error) {
	var sent []byte
	// NoBody stays: on a slow machine, the transport sends another empty body in chunks.
	if r.Body != nil && r.Body != http.NoBody {
		sent, _ = io.ReadAll(r.Body) // from memory
		r.Body = io.NopCloser(bytes.NewReader(sent))
	}
	answer, err := c.next.RoundTrip(r)
	if err != nil {
		return answer, err
	}
	var got []byte
	if !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		if got, err = io.ReadAll(answer.Body); err != nil {
			return nil, err
		}
		answer.Body.Close()
		answer.Body = io.NopCloser(bytes.NewReader(got))
	}
	if err := theDocument().exchange(r, sent, answer, got); err != nil {
		c.testServer.t.Errorf("%s %s, answered with %d: %v\nsent: %s\ngot: %s",
			r.Method, r.URL.Path, answer.StatusCode, err, sent, got)
	}
	return answer, nil
}

// exchange returns an error if a request or its answer does not conform to the document.
func (d document) exchange(r *http.Request, sent []byte, answer *http.Response, got []byte) error {
	name, operation, allowed := d.operation(r.Method, r.URL.EscapedPath())
	switch {
	case name == "" && !strings.HasPrefix(r.URL.Path, "/api/"):
		return nil // a page
	case answer.StatusCode >= 300 && answer.StatusCode < 400:
		return nil // a redirect to the canonical path
	case name == "":
		return d.refusal(answer, got, http.StatusNotFound)
	case operation == nil && !strings.HasPrefix(r.URL.Path, "/api/"):
		return nil
	case operation == nil:
		have := strings.Split(answer.Header.Get("Allow"), ", ")
		if !cmp.Equal(sortedList(have), sortedList(allowed)) &&
			answer.StatusCode == http.StatusMethodNotAllowed {
			return fmt.Errorf("Allow is %v; the document has %v", have, allowed)
		}
		return d.refusal(answer, got, http.StatusMethodNotAllowed)
	}
	seenAnswers.Lock()
	seenAnswers.answers[fmt.Sprintf("%s %d", name, answer.StatusCode)] = true
	seenAnswers.Unlock()
	responses := operation["responses"].(map[string]any)
	described, ok := responses[fmt.Sprint(answer.StatusCode)].(map[string]any)
	if !ok {
		return fmt.Errorf("the document lists no such status for %s", name)
	}
	headOnly := r.Method == http.MethodHead
	if err := d.content(d.resolve(described), answer, got, headOnly); err != nil {
		return err
	}
	if body, ok := operation["requestBody"].(map[string]any); ok && answer.StatusCode < 300 {
		return d.text(jsonContent(body), sent, "the request")
	}
	return nil
}

// jsonContent returns the description of the JSON body of a request.
func jsonContent(body map[string]any) map[string]any {
	return body["content"].(map[string]any)["application/json"].(map[string]any)
}

// operation returns the name and description of the operation for a request, and the methods that
// its path allows. They are empty if the document has no such path.
func (d document) operation(method, at string) (
	name string, operation map[string]any, allowed []string,
) {
	pieces := strings.Split(at, "/")
	for i, piece := range pieces {
		pieces[i], _ = url.PathUnescape(piece) // valid, as it was parsed before
		if !utf8.ValidString(pieces[i]) || strings.ContainsRune(pieces[i], 0) {
			return "", nil, nil
		}
	}
	for template, item := range d["paths"].(map[string]any) {
		matches := func(want, got string) bool {
			return want == got || strings.HasPrefix(want, "{") && got != ""
		}
		if !slices.EqualFunc(strings.Split(template, "/"), pieces, matches) {
			continue
		}
		for key := range item.(map[string]any) {
			switch key {
			case "get":
				allowed = append(allowed, "GET", "HEAD")
			case "post":
				allowed = append(allowed, "POST")
			}
		}
		if method == http.MethodHead {
			method = http.MethodGet
		}
		if method == strings.ToUpper(method) {
			operation, _ = item.(map[string]any)[strings.ToLower(method)].(map[string]any)
		}
		return method + " " + template, operation, allowed
	}
	return "", nil, nil
}

// refusal returns an error unless an answer refuses a request with a status, or because of a limit
// or the origin of the request.
func (d document) refusal(answer *http.Response, got []byte, status int) error {
	allowed := []int{status, http.StatusTooManyRequests, http.StatusForbidden}
	if !slices.Contains(allowed, answer.StatusCode) {
		return fmt.Errorf("not in the document: want status %d", status)
	}
	if answer.Request.Method == http.MethodHead {
		return nil
	}
	ref := map[string]any{"$ref": "#/components/schemas/Error"}
	return d.text(map[string]any{"schema": ref}, got, "the answer")
}

// content returns an error if the headers or the body of an answer do not match their description.
func (d document) content(
	described map[string]any, answer *http.Response, got []byte, headOnly bool,
) error {
	headers, _ := described["headers"].(map[string]any)
	for key, h := range headers {
		value := answer.Header.Get(key)
		err := d.check(h.(map[string]any)["schema"].(map[string]any), value, key)
		if err != nil || value == "" {
			return fmt.Errorf("header %s: %q: %v", key, value, err)
		}
	}
	kind := answer.Header.Get("Content-Type")
	media, ok := described["content"].(map[string]any)[kind].(map[string]any)
	if !ok {
		return fmt.Errorf("the document lists no content type %s", kind)
	}
	if kind != "application/json" || headOnly {
		return nil
	}
	return d.text(media, got, "the answer")
}

// text returns an error if a JSON text does not match the schema of its media type.
func (d document) text(media map[string]any, text []byte, name string) error {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return d.check(media["schema"].(map[string]any), value, name)
}

func sortedList(list []string) []string { return slices.Sorted(slices.Values(list)) }

// TestMain checks, after a run of all tests, that every answer of the document occurred in one.
func TestMain(m *testing.M) {
	code := m.Run()
	given := func(name string) bool {
		f := flag.Lookup("test." + name)
		return f != nil && f.Value.String() != ""
	}
	whole := !given("run") && !given("skip") && !given("fuzz") && !given("list") && !testing.Short()
	if code == 0 && whole {
		var missing []string
		for name, operation := range theDocument().operations() {
			for status := range operation["responses"].(map[string]any) {
				if answer := name + " " + status; !seenAnswers.answers[answer] {
					missing = append(missing, answer)
				}
			}
		}
		if len(missing) > 0 {
			fmt.Printf("no test gets these answers of openapi.json:\n%s\n",
				strings.Join(sortedList(missing), "\n"))
			code = 1
		}
	}
	os.Exit(code)
}

// operations returns all operations by name, such as "GET /api/tables".
func (d document) operations() map[string]map[string]any {
	all := map[string]map[string]any{}
	for template, item := range d["paths"].(map[string]any) {
		for key, operation := range item.(map[string]any) {
			if key != "parameters" {
				all[strings.ToUpper(key)+" "+template] = operation.(map[string]any)
			}
		}
	}
	return all
}

func TestDocumentHasEveryRoute(t *testing.T) {
	want := []string{"GET /healthz", "GET /readyz", "GET /metrics"}
	for _, route := range new(Server).apiRoutes() {
		want = append(want, route.pattern)
	}
	got := slices.Collect(maps.Keys(theDocument().operations()))
	if diff := cmp.Diff(sortedList(want), sortedList(got)); diff != "" {
		t.Errorf("the routes differ (-server +document):\n%s", diff)
	}
}

// actNames returns the names of all acts.
func actNames() (names []string) {
	for _, a := range match.Acts() {
		names = append(names, string(a))
	}
	return names
}

// TestDocumentNames checks that the lists of names in the document match those of the program.
func TestDocumentNames(t *testing.T) {
	levels := bot.LevelNames()
	kinds := []match.Kind{
		match.Opened, match.Seated, match.Ready, match.Began, match.Arrived, match.Moved,
		match.Faulted, match.Swapped, match.Resigned, match.Flagged, match.UndoAsked,
		match.UndoRefused, match.UndoWithdrawn, match.Undone, match.Left, match.Back, match.Claimed,
		match.Replaced, match.RematchAsked, match.RematchRefused, match.HintsAgreed,
		match.HintsEnded, match.Published, match.Rekeyed,
	}
	var kindNames []string
	for _, k := range kinds {
		kindNames = append(kindNames, string(k))
	}
	people := []string{match.Human, match.Friend, match.Anyone}
	for where, want := range map[string][]string{
		"components/schemas/Level":                         levels,
		"components/schemas/Order/properties/seats/items":  slices.Concat(people, levels, []string{""}),
		"components/schemas/OpenedSeat/properties/player":  slices.Concat(people, levels),
		"components/schemas/Player/properties/player":      append([]string{match.Human, "open"}, levels...),
		"components/schemas/Game/properties/players/items": append([]string{match.Human}, levels...),
		"components/schemas/Acting/properties/act":         actNames(),
		"components/schemas/Acting/properties/level":       slices.Concat(levels, []string{""}),
		"components/schemas/Kind":                          kindNames,
		"components/schemas/Phase":                         {"open", "playing", "between", "over"},
		"components/schemas/Order/properties/on_timeout":   {match.Lose.String(), match.Random.String(), ""},
		"components/schemas/Fault":                         {match.Illegal.String(), match.Unreadable.String()},
		"components/schemas/Side":                          {digit.First.String(), digit.Second.String()},
		"components/schemas/Outcome":                       {"win", "draw", "loss"},
	} {
		var got []string
		list := theDocument().resolve(map[string]any{"$ref": "#/" + where})
		for _, name := range list["enum"].([]any) {
			got = append(got, name.(string))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-program +document):\n%s", where, diff)
		}
	}
	for name, operation := range theDocument().operations() {
		if name != "GET /api/games" {
			continue
		}
		book := operation["parameters"].([]any)[0].(map[string]any)["schema"].(map[string]any)
		want := fmt.Sprint(slices.Concat(digit.BookNames(), digit.FairNames()))
		if got := fmt.Sprint(book["enum"]); got != want {
			t.Errorf("the books are %s, want %s", got, want)
		}
	}
	acts := theDocument().operations()["POST /api/tables/{id}/acts"]["description"].(string)
	for _, a := range match.Acts() {
		if line := fmt.Sprintf("- `%s`: %s", a, a.Does()); a.Does() == "" || !strings.Contains(acts, line) {
			t.Errorf("the act %q is not described", a)
		}
	}
}

// TestDocumentForm checks that the document is indented with two spaces, has no dangling references
// and no unused components, and describes each operation and field. Each text in schemas.json must
// belong to a schema or a field.
func TestDocumentForm(t *testing.T) {
	var formatted bytes.Buffer
	if err := json.Indent(&formatted, []byte(openAPI), "", "  "); err != nil {
		t.Fatal(err)
	}
	if formatted.String() != openAPI {
		t.Error("openapi.json is not indented with two spaces per level")
	}
	d := theDocument()
	used := map[string]bool{}
	walk(map[string]any(d), "#", func(at string, node map[string]any) {
		if ref, ok := node["$ref"].(string); ok {
			used[ref] = true
			if _, wrong := d.resolve(node)["no such thing"]; wrong {
				t.Errorf("%s refers to %s, which does not exist", at, ref)
			}
		}
		if strings.HasSuffix(at, "/schema") ||
			strings.Contains(at, "/schemas/") && !strings.HasSuffix(at, "/properties") {
			for keyword := range node {
				if _, known := keywords[keyword]; !known && keyword != "$ref" {
					t.Errorf("%s: the keyword %s is not checked by tests", at, keyword)
				}
			}
		}
	})
	for _, kind := range []string{"schemas", "responses", "parameters"} {
		for name := range d["components"].(map[string]any)[kind].(map[string]any) {
			if ref := "#/components/" + kind + "/" + name; !used[ref] {
				t.Errorf("nothing refers to %s", ref)
			}
		}
	}
	fields := map[string]bool{}
	for name, s := range d["components"].(map[string]any)["schemas"].(map[string]any) {
		fields[name] = true
		properties, _ := s.(map[string]any)["properties"].(map[string]any)
		for key, property := range properties {
			fields[key], fields[name+"."+key] = true, true
			if p := property.(map[string]any); p["description"] == nil && p["$ref"] == nil {
				t.Errorf("%s.%s has no description", name, key)
			}
		}
	}
	var texts map[string]any
	if err := json.Unmarshal([]byte(schemaTexts), &texts); err != nil {
		t.Fatal(err)
	}
	for key := range texts {
		if !fields[key] {
			t.Errorf("schemas.json: %s does not exist", key)
		}
	}
	for name := range schemaTypes {
		if texts[name] == nil {
			t.Errorf("schemas.json: %s is missing", name)
		}
	}
	ids := map[any]string{}
	for name, operation := range d.operations() {
		id := operation["operationId"]
		if other := ids[id]; id == nil || other != "" || operation["summary"] == nil {
			t.Errorf("%s: operationId %v, also of %q; summary %v",
				name, id, other, operation["summary"])
		}
		ids[id] = name
	}
}

// walk visits every object of the document.
func walk(node any, at string, visit func(at string, node map[string]any)) {
	switch node := node.(type) {
	case map[string]any:
		visit(at, node)
		for key, value := range node {
			if key != "example" && key != "examples" {
				walk(value, at+"/"+strings.ReplaceAll(key, "/", "~1"), visit)
			}
		}
	case []any:
		for i, value := range node {
			walk(value, fmt.Sprint(at, "/", i), visit)
		}
	}
}

// TestDocumentExamples checks the examples against their schemas, and sends those for new tables.
func TestDocumentExamples(t *testing.T) {
	d := theDocument()
	count := 0
	walk(map[string]any(d), "#", func(at string, node map[string]any) {
		if !strings.HasSuffix(at, "/content/application~1json") {
			return
		}
		for name, example := range examplesOf(node) {
			count++
			if err := d.check(node["schema"].(map[string]any), example, at+" "+name); err != nil {
				t.Error(err)
			}
		}
	})
	if count < 30 {
		t.Errorf("%d examples were found, want at least 30", count)
	}
	h := newTestServer(t)
	opening := d.operations()["POST /api/tables"]["requestBody"].(map[string]any)
	for name, example := range examplesOf(jsonContent(opening)) {
		text, _ := json.Marshal(example) // it was parsed from JSON
		if got := h.ask("POST", "/api/tables", "", string(text)); got.status != http.StatusCreated {
			t.Errorf("example %s: %v", name, got)
		}
	}
	found := any(d.operations()["GET /api/tables/{id}/events"])
	for _, key := range []string{"responses", "200", "content", "text/event-stream", "example"} {
		found = found.(map[string]any)[key]
	}
	l := newListener(t, io.NopCloser(strings.NewReader(found.(string))))
	if got, want := fmt.Sprint(l.rest()), "[1 opened 2 began 3 moved : ping bye]"; got != want {
		t.Errorf("the example of a stream is %s, want %s", got, want)
	}
}

func examplesOf(media map[string]any) map[string]any {
	all := map[string]any{}
	if one, ok := media["example"]; ok {
		all["example"] = one
	}
	some, _ := media["examples"].(map[string]any)
	for name, example := range some {
		all[name] = example.(map[string]any)["value"]
	}
	return all
}

// TestDocumentTenLines plays a whole game with the ten-line shell script in the document.
func TestDocumentTenLines(t *testing.T) {
	const probe = "sed --version && curl --json x --version"
	out, err := exec.CommandContext(t.Context(), "sh", "-c", probe).CombinedOutput()
	if err != nil {
		t.Skipf("sh, sed and a curl that knows --json are wanted: %v\n%s", err, out)
	}
	about := theDocument()["info"].(map[string]any)["description"].(string)
	_, rest, _ := strings.Cut(about, "```sh\n")
	script, _, _ := strings.Cut(rest, "```")
	if n := strings.Count(script, "\n"); n != 10 {
		t.Errorf("the script has %d lines, want 10", n)
	}
	h := newTestServer(t)
	server := httptest.NewServer(h.Server)
	defer server.Close()
	const address = "http://127.0.0.1:8080"
	if !strings.Contains(script, address) {
		t.Fatalf("%s is not in\n%s", address, script)
	}
	script = strings.ReplaceAll(script, address, server.URL)
	out, err = exec.CommandContext(t.Context(), "sh", "-c", script).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	games := h.memStore.games
	if len(games) != 1 ||
		!strings.Contains(string(out), `"result":"`+games[0].Record.Result.String()+`"`) {
		t.Errorf("the games are %v, and the script printed\n%s", games, out)
	}
}
