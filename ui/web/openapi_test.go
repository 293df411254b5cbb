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

// A documentChecker sees every request and answer of a test, and holds them against the document.
type documentChecker struct {
	testServer *testServer
	next       http.RoundTripper
}

// seenAnswers are the answers that were seen, as "GET /api/tables/{id} 200".
var seenAnswers = struct {
	sync.Mutex
	answers map[string]bool
}{answers: map[string]bool{}}

func (w documentChecker) RoundTrip(r *http.Request) (*http.Response, error) {
	var sent []byte
	if r.Body != nil && r.Body != http.NoBody { // another empty body is sent if the machine is slow
		sent, _ = io.ReadAll(r.Body) // it is a text in memory
		r.Body = io.NopCloser(bytes.NewReader(sent))
	}
	answer, err := w.next.RoundTrip(r)
	if err != nil {
		return answer, err
	}
	var got []byte
	if isStream := strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream"); !isStream {
		if got, err = io.ReadAll(answer.Body); err != nil {
			return nil, err
		}
		answer.Body.Close()
		answer.Body = io.NopCloser(bytes.NewReader(got))
	}
	if err := theDocument().exchange(r, sent, answer, got); err != nil {
		w.testServer.t.Errorf("%s %s, answered with %d: %v\nsent: %s\ngot: %s", r.Method, r.URL.Path, answer.StatusCode, err, sent, got)
	}
	return answer, nil
}

// exchange returns what is wrong with an answer to a request by the document.
func (d document) exchange(r *http.Request, sent []byte, answer *http.Response, got []byte) error {
	name, operation, allowed := d.operation(r.Method, r.URL.EscapedPath())
	switch {
	case name == "" && !strings.HasPrefix(r.URL.Path, "/api/"):
		return nil // a page
	case answer.StatusCode >= 300 && answer.StatusCode < 400:
		return nil // to the path as it should be written
	case name == "":
		return d.refusal(answer, got, http.StatusNotFound)
	case operation == nil && !strings.HasPrefix(r.URL.Path, "/api/"):
		return nil
	case operation == nil:
		if have := strings.Split(answer.Header.Get("Allow"), ", "); !cmp.Equal(sortedList(have), sortedList(allowed)) && answer.StatusCode == http.StatusMethodNotAllowed {
			return fmt.Errorf("Allow is %v, and the document has %v", have, allowed)
		}
		return d.refusal(answer, got, http.StatusMethodNotAllowed)
	}
	seenAnswers.Lock()
	seenAnswers.answers[fmt.Sprintf("%s %d", name, answer.StatusCode)] = true
	seenAnswers.Unlock()
	described, ok := operation["responses"].(map[string]any)[fmt.Sprint(answer.StatusCode)].(map[string]any)
	if !ok {
		return fmt.Errorf("the document does not know this status of %s", name)
	}
	if err := d.content(d.resolve(described), answer, got, r.Method == http.MethodHead); err != nil {
		return err
	}
	if body, ok := operation["requestBody"].(map[string]any); ok && answer.StatusCode < 300 {
		return d.text(body["content"].(map[string]any)["application/json"].(map[string]any), sent, "the request")
	}
	return nil
}

// operation returns the operation of the document that a request asks for, or at least which methods its path allows.
func (d document) operation(method, at string) (name string, operation map[string]any, allowed []string) {
	pieces := strings.Split(at, "/")
	for i, piece := range pieces {
		pieces[i], _ = url.PathUnescape(piece) // it was read once
		if !utf8.ValidString(pieces[i]) || strings.ContainsRune(pieces[i], 0) {
			return "", nil, nil // there is nothing
		}
	}
	for template, item := range d["paths"].(map[string]any) {
		if !slices.EqualFunc(strings.Split(template, "/"), pieces, func(want, got string) bool {
			return want == got || strings.HasPrefix(want, "{") && got != ""
		}) {
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

// refusal returns what is wrong with an answer that is to say that a request is for nothing, or comes too often or from elsewhere.
func (d document) refusal(answer *http.Response, got []byte, status int) error {
	if !slices.Contains([]int{status, http.StatusTooManyRequests, http.StatusForbidden}, answer.StatusCode) {
		return fmt.Errorf("the document does not know this, so %d is due", status)
	}
	if answer.Request.Method == http.MethodHead {
		return nil
	}
	return d.text(map[string]any{"schema": map[string]any{"$ref": "#/components/schemas/Error"}}, got, "the answer")
}

// content returns what is wrong with the headers and the body of an answer.
func (d document) content(described map[string]any, answer *http.Response, got []byte, headOnly bool) error {
	headers, _ := described["headers"].(map[string]any)
	for key, h := range headers {
		if err := d.check(h.(map[string]any)["schema"].(map[string]any), answer.Header.Get(key), key); err != nil || answer.Header.Get(key) == "" {
			return fmt.Errorf("header %s: %q: %v", key, answer.Header.Get(key), err)
		}
	}
	kind := answer.Header.Get("Content-Type")
	media, ok := described["content"].(map[string]any)[kind].(map[string]any)
	if !ok {
		return fmt.Errorf("the document does not know this content type: %s", kind)
	}
	if kind != "application/json" || headOnly {
		return nil
	}
	return d.text(media, got, "the answer")
}

// text returns what is wrong with some JSON by the schema of its medium.
func (d document) text(media map[string]any, text []byte, what string) error {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return d.check(media["schema"].(map[string]any), value, what)
}

func sortedList(list []string) []string { return slices.Sorted(slices.Values(list)) }

// TestMain holds, when all tests were run, that each answer of the document was seen in one of them.
func TestMain(m *testing.M) {
	code := m.Run()
	given := func(name string) bool { f := flag.Lookup("test." + name); return f != nil && f.Value.String() != "" }
	if whole := !given("run") && !given("skip") && !given("fuzz") && !given("list") && !testing.Short(); code == 0 && whole {
		var missing []string
		for name, operation := range theDocument().operations() {
			for status := range operation["responses"].(map[string]any) {
				if answer := name + " " + status; !seenAnswers.answers[answer] {
					missing = append(missing, answer)
				}
			}
		}
		if len(missing) > 0 {
			fmt.Printf("no test has seen these answers of openapi.json:\n%s\n", strings.Join(sortedList(missing), "\n"))
			code = 1
		}
	}
	os.Exit(code)
}

// operations returns all operations by names such as "GET /api/tables".
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
		t.Errorf("routes (-) and openapi.json (+):\n%s", diff)
	}
}

// actNames returns the names of all acts.
func actNames() (names []string) {
	for _, a := range match.Acts() {
		names = append(names, string(a))
	}
	return names
}

// TestDocumentNames holds the lists of names in the document against the program's own.
func TestDocumentNames(t *testing.T) {
	levels := bot.LevelNames()
	kinds := []match.Kind{match.Opened, match.Seated, match.Ready, match.Began, match.Arrived, match.Moved, match.Faulted, match.Swapped, match.Resigned, match.Flagged, match.UndoAsked, match.UndoRefused, match.UndoWithdrawn,
		match.Undone, match.Left, match.Back, match.Claimed, match.Replaced, match.RematchAsked, match.RematchRefused, match.HintsAgreed, match.HintsEnded, match.Published, match.Rekeyed}
	var kindNames []string
	for _, k := range kinds {
		kindNames = append(kindNames, string(k))
	}
	for where, want := range map[string][]string{
		"components/schemas/Level":                         levels,
		"components/schemas/Order/properties/seats/items":  slices.Concat([]string{match.Human, match.Friend, match.Anyone}, levels, []string{""}),
		"components/schemas/OpenedSeat/properties/player":  append([]string{match.Human, match.Friend, match.Anyone}, levels...),
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
		for _, name := range theDocument().resolve(map[string]any{"$ref": "#/" + where})["enum"].([]any) {
			got = append(got, name.(string))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: this test (-) and the document (+):\n%s", where, diff)
		}
	}
	for name, operation := range theDocument().operations() {
		if name != "GET /api/games" {
			continue
		}
		book := operation["parameters"].([]any)[0].(map[string]any)["schema"].(map[string]any)["enum"]
		if got, want := fmt.Sprint(book), fmt.Sprint(slices.Concat(digit.BookNames(), digit.FairNames())); got != want {
			t.Errorf("books are %s, want %s", got, want)
		}
	}
}

// TestDocumentForm holds that the document is written with two spaces, refers to what is there, has nothing that nothing refers
// to, and describes each operation and field. Each text of schemas.json must be that of a schema or a field.
func TestDocumentForm(t *testing.T) {
	var formatted bytes.Buffer
	if err := json.Indent(&formatted, []byte(openAPI), "", "  "); err != nil {
		t.Fatal(err)
	}
	if formatted.String() != openAPI {
		t.Error("openapi.json is not written with two spaces for each level")
	}
	d := theDocument()
	used := map[string]bool{}
	walk(map[string]any(d), "#", func(at string, node map[string]any) {
		if ref, ok := node["$ref"].(string); ok {
			used[ref] = true
			if _, wrong := d.resolve(node)["no such thing"]; wrong {
				t.Errorf("%s refers to %s, which is not there", at, ref)
			}
		}
		if strings.HasSuffix(at, "/schema") || strings.Contains(at, "/schemas/") && !strings.HasSuffix(at, "/properties") {
			for word := range node {
				if _, known := words[word]; !known && word != "$ref" {
					t.Errorf("%s: the word %s is not checked by tests", at, word)
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
			t.Errorf("schemas.json: there is no %s", key)
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
			t.Errorf("%s: operationId %v, also of %q; summary %v", name, id, other, operation["summary"])
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

// TestDocumentExamples holds the examples against their schemas, and sends those of requests.
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
		t.Errorf("%d examples were found", count)
	}
	h := newTestServer(t)
	for name, example := range examplesOf(d.operations()["POST /api/tables"]["requestBody"].(map[string]any)["content"].(map[string]any)["application/json"].(map[string]any)) {
		text, _ := json.Marshal(example) // it was read from JSON
		if got := h.ask("POST", "/api/tables", "", string(text)); got.status != http.StatusCreated {
			t.Errorf("example %s: %v", name, got)
		}
	}
	stream := d.operations()["GET /api/tables/{id}/events"]["responses"].(map[string]any)["200"].(map[string]any)["content"].(map[string]any)["text/event-stream"].(map[string]any)["example"].(string)
	l := newListener(t, io.NopCloser(strings.NewReader(stream)))
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

// TestDocumentTenLines plays a whole game with the lines of shell in the document.
func TestDocumentTenLines(t *testing.T) {
	if out, err := exec.CommandContext(t.Context(), "sh", "-c", "sed --version && curl --json x --version").CombinedOutput(); err != nil {
		t.Skipf("sh, sed and a curl that knows --json are wanted: %v\n%s", err, out)
	}
	about := theDocument()["info"].(map[string]any)["description"].(string)
	_, rest, _ := strings.Cut(about, "```sh\n")
	script, _, _ := strings.Cut(rest, "```")
	if n := strings.Count(script, "\n"); n != 10 {
		t.Errorf("the ten lines are %d", n)
	}
	h := newTestServer(t)
	server := httptest.NewServer(h.Server)
	defer server.Close()
	const address = "http://127.0.0.1:8080"
	if !strings.Contains(script, address) {
		t.Fatalf("%s is not in\n%s", address, script)
	}
	out, err := exec.CommandContext(t.Context(), "sh", "-c", strings.ReplaceAll(script, address, server.URL)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	games := h.memStore.games
	if len(games) != 1 || !strings.Contains(string(out), `"result":"`+games[0].Record.Result.String()+`"`) {
		t.Errorf("games are %v, and the lines printed\n%s", games, out)
	}
}
