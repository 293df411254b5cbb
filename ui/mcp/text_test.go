package mcp

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/match"
)

// checkText checks that the text of an answer has the same fields and values as its structure.
func (cl *testClient) checkText(result *sdk.CallToolResult) {
	cl.Helper()
	if len(result.Content) != 1 {
		cl.Fatalf("got %d contents, want 1", len(result.Content))
	}
	text := result.Content[0].(*sdk.TextContent).Text
	fields := readText(text)
	structure := result.StructuredContent.(map[string]any)
	for name, value := range structure {
		line, ok := fields[name]
		if !ok || !same(line, value) {
			cl.Fatalf("%s: the text has %q, want %v\n%s", name, line, value, text)
		}
	}
	for name := range fields {
		if _, ok := structure[name]; !ok {
			cl.Fatalf("%s is in the text, but not in the structure %v", name, structure)
		}
	}
}

// readText returns the values in a text by their labels. A value of several lines is indented.
func readText(text string) map[string]string {
	fields := map[string]string{}
	label := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if more, ok := strings.CutPrefix(line, "  "); ok {
			if fields[label] != "" {
				more = fields[label] + "\n" + more
			}
			fields[label] = more
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if _, twice := fields[name]; !ok || twice {
			return map[string]string{line: "no label, or one twice"}
		}
		label = name
		fields[label] = strings.TrimPrefix(value, " ")
	}
	return fields
}

// same reports whether a text shows a value.
func same(text string, value any) bool {
	switch value := value.(type) {
	case string:
		return text == value
	case float64:
		n, err := strconv.ParseFloat(text, 64)
		return err == nil && n == value
	case []any:
		return sameList(text, value)
	default:
		return text == fmt.Sprint(value)
	}
}

// sameList reports whether a text shows a list.
func sameList(text string, list []any) bool {
	if text == "" {
		return len(list) == 0
	}
	sep := ", "
	_, facts := list[0].(map[string]any)
	if facts {
		sep = "\n"
	}
	items := strings.Split(text, sep)
	if len(items) != len(list) {
		return false
	}
	for i, item := range items {
		if !facts && item != list[i] || facts && !sameFacts(item, list[i].(map[string]any)) {
			return false
		}
	}
	return true
}

// sameFacts reports whether a line shows facts as name=value, separated by semicolons.
func sameFacts(line string, facts map[string]any) bool {
	shown, last := map[string]string{}, ""
	for part := range strings.SplitSeq(line, "; ") {
		name, value, _ := strings.Cut(part, "=")
		if _, known := facts[name]; !known { // the value has a semicolon
			shown[last] += "; " + part
			continue
		}
		last, shown[name] = name, value
	}
	for name, value := range facts {
		if line, ok := shown[name]; !ok || !same(line, value) {
			return false
		}
	}
	return len(shown) == len(facts)
}

// TestText plays random games with many rules until it has seen a thousand states.
// [testClient.callTool] checks the text of each.
func TestText(t *testing.T) {
	cl := newTestServer(t, &match.Memory{}, nil).client(t)
	rules := []string{
		"dilemma", "sevens", "highest", "divisibility", "reverse", "nines", "tug", "dilemma pool=0-f",
		"divisibility target=11 pool=0-9", "sevens win=full", "highest width=1", "dilemma zero=barred",
	}
	states, rng := 0, newRand(3)
	for game := 0; states < 1000; game++ {
		a := args{
			"rules": rules[game%len(rules)], "opponent": "novice", "show_moves": game%3 == 0, "seed": game,
		}
		if game%4 == 3 {
			a["start"] = "decision"
		}
		s, none := tryCall[State](cl, "new_game", a)
		if none { // a game without decisions
			continue
		}
		for ; s.Result == "*"; states++ {
			move := "?"
			if legal := mustCall[LegalMoves](cl, "legal_moves", args{"game": s.Game}); rng.IntN(5) > 0 {
				move = legal.Moves[rng.IntN(len(legal.Moves))]
			}
			s, _ = tryCall[State](cl, "play", args{"game": s.Game, "move": move})
		}
	}
}

// TestReadText checks that checkText's helpers notice differences.
func TestReadText(t *testing.T) {
	facts := map[string]any{"move": "7a", "lost": 0.5, "told": "one; two"}
	for line, want := range map[string]bool{
		"move=7a; lost=0.5; told=one; two":         true,
		"move=7b; lost=0.5; told=one; two":         false,
		"move=7a; lost=0.5":                        false,
		"move=7a; lost=0.5; told=one; two; lost=1": false,
	} {
		if sameFacts(line, facts) != want {
			t.Errorf("%q: got %v", line, !want)
		}
	}
	if !same("7a, 7b", []any{"7a", "7b"}) || same("7a", []any{"7a", "7b"}) || same("1", 2.0) ||
		same("x", "y") || !same("", []any{}) {
		t.Error("lists or values are compared wrongly")
	}
	if fields := readText("board:\n  one\n  two\nlast: x\n"); fields["board"] != "one\ntwo" ||
		fields["last"] != "x" {
		t.Errorf("%v", fields)
	}
	got := textOf(GameReport{Moves: []ReportMove{{Move: "7a"}}})
	want := "move=7a; side=; lost=0; plies_lost=0; keep=0; of=0; tries=0; ms=0"
	if readText(got)["moves"] != want {
		t.Errorf("%s", got)
	}
}
