package mcp

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/match"
)

// agree fails unless the text of an answer, read back, has every fact of its structure and no
// other.
func (g *guest) agree(result *sdk.CallToolResult) {
	g.Helper()
	if len(result.Content) != 1 {
		g.Fatalf("%d contents", len(result.Content))
	}
	text := result.Content[0].(*sdk.TextContent).Text
	told := readText(text)
	structure := result.StructuredContent.(map[string]any)
	for name, value := range structure {
		line, ok := told[name]
		if !ok || !same(line, value) {
			g.Fatalf("%s is told as %q, and is %v\n%s", name, line, value, text)
		}
	}
	for name := range told {
		if _, ok := structure[name]; !ok {
			g.Fatalf("%s is told, and is not in the structure %v", name, structure)
		}
	}
}

// readText reads lines with labels; what has more lines is indented under its label.
func readText(text string) map[string]string {
	told := map[string]string{}
	label := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if more, ok := strings.CutPrefix(line, "  "); ok {
			if told[label] != "" {
				more = told[label] + "\n" + more
			}
			told[label] = more
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if _, twice := told[name]; !ok || twice {
			return map[string]string{line: "no label, or one twice"}
		}
		label = name
		told[label] = strings.TrimPrefix(value, " ")
	}
	return told
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

// sameFacts reports whether a line shows facts as name=value, with semicolons between them.
func sameFacts(line string, facts map[string]any) bool {
	told, last := map[string]string{}, ""
	for part := range strings.SplitSeq(line, "; ") {
		name, value, _ := strings.Cut(part, "=")
		if _, known := facts[name]; !known { // a sentence goes on
			told[last] += "; " + part
			continue
		}
		last, told[name] = name, value
	}
	for name, value := range facts {
		if line, ok := told[name]; !ok || !same(line, value) {
			return false
		}
	}
	return len(told) == len(facts)
}

// TestText plays random games under many rules for a thousand states, each of which [guest.call]
// has compared.
func TestText(t *testing.T) {
	g := open(t, &match.Memory{}, nil).guest(t)
	rules := []string{"dilemma", "sevens", "highest", "divisibility", "reverse", "nines", "tug", "dilemma pool=0-f", "divisibility target=11 pool=0-9", "sevens win=full", "highest width=1", "dilemma zero=barred"}
	states, rng := 0, chance(3)
	for game := 0; states < 1000; game++ {
		a := args{"rules": rules[game%len(rules)], "opponent": "novice", "show_moves": game%3 == 0, "seed": game}
		if game%4 == 3 {
			a["start"] = "decision"
		}
		s, none := try[State](g, "new_game", a)
		if none { // a game without decisions
			continue
		}
		for ; s.Result == "*"; states++ {
			move := "?"
			if legal := got[LegalMoves](g, "legal_moves", args{"game": s.Game}); rng.IntN(5) > 0 {
				move = legal.Moves[rng.IntN(len(legal.Moves))]
			}
			s, _ = try[State](g, "play", args{"game": s.Game, "move": move})
		}
	}
}

// TestReadText makes sure that a text that does not agree is found.
func TestReadText(t *testing.T) {
	facts := map[string]any{"move": "7a", "lost": 0.5, "told": "one; two"}
	for line, want := range map[string]bool{
		"move=7a; lost=0.5; told=one; two": true, "move=7b; lost=0.5; told=one; two": false, "move=7a; lost=0.5": false, "move=7a; lost=0.5; told=one; two; lost=1": false,
	} {
		if sameFacts(line, facts) != want {
			t.Errorf("%q is taken for the facts: %v", line, !want)
		}
	}
	if !same("7a, 7b", []any{"7a", "7b"}) || same("7a", []any{"7a", "7b"}) || same("1", 2.0) || same("x", "y") || !same("", []any{}) {
		t.Error("lists and values are not compared")
	}
	if told := readText("board:\n  one\n  two\nlast: x\n"); told["board"] != "one\ntwo" || told["last"] != "x" {
		t.Errorf("%v", told)
	}
	if got := textOf(GameReport{Moves: []ReportMove{{Move: "7a"}}}); readText(got)["moves"] != "move=7a; side=; lost=0; plies_lost=0; keep=0; of=0; tries=0; ms=0" {
		t.Errorf("%s", got)
	}
}
