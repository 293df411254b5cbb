// Package answer finds the move in the answer of a language model or another program. Matches,
// exams, evaluations and MCP share it, so the same answer is the same move everywhere.
package answer

import (
	"strings"
	"unicode"
)

// Read returns the text of the move in an answer. It reports false if there is none.
//
// Everything up to the last </think> is ignored, and an open <think> means no answer. The last
// line of the form "MOVE: 7a" counts, whatever its case and the marks around it. Without such a
// line, the whole answer must be a move. Prose is never searched.
func Read(text string) (move string, ok bool) {
	if i := strings.LastIndex(text, "</think>"); i >= 0 {
		text = text[i+len("</think>"):]
	}
	if strings.Contains(text, "<think>") {
		return "", false
	}
	text = strings.TrimSpace(marks.Replace(text))
	found := ""
	for line := range strings.Lines(text) {
		if rest, labelled := cutLabel(line); labelled {
			found, ok = rest, true
		}
	}
	if !ok {
		if strings.ContainsAny(text, "\r\n") {
			return "", false
		}
		found = text
	}
	found = trim(found)
	return found, found != ""
}

// marks removes the marks by which models emphasize text.
var marks = strings.NewReplacer("*", "", "_", "", "#", "", ">", "", "`", "")

// cutLabel returns the rest of a line after "move:" or "final move:".
func cutLabel(line string) (rest string, ok bool) {
	label, rest, ok := strings.Cut(line, ":")
	if !ok {
		return "", false
	}
	label = strings.ToLower(strings.Join(strings.Fields(label), " "))
	return rest, label == "move" || label == "final move"
}

// ends are the beginnings of a remark after a move.
var ends = []string{"(", ",", ";", " - ", " – ", " — ", "."}

// isAround reports whether a character may stand around a move.
func isAround(c rune) bool {
	return unicode.IsSpace(c) || strings.ContainsRune("\"'“”‘’«»()[]{}<>", c)
}

// trim removes what may stand around a move: quotes, brackets, and a remark after it.
func trim(text string) string {
	text = strings.TrimFunc(text, isAround)
	for _, end := range ends {
		text, _, _ = strings.Cut(text, end)
	}
	return strings.TrimFunc(text, isAround)
}
