package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A line is a line of input.
type line struct {
	text []byte
	long bool // it was too long, and is not stored
}

// linesOf yields the lines of an input, including a last one without a line break. A line of more
// than most bytes is long.
func linesOf(in io.Reader, most int) iter.Seq[line] {
	return func(yield func(line) bool) {
		r := bufio.NewReaderSize(in, 64<<10)
		var next line
		for {
			part, err := r.ReadSlice('\n')
			if next.long = next.long || len(next.text)+len(part) > most; next.long {
				next.text = nil
			} else {
				next.text = append(next.text, part...)
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if (len(next.text) > 0 || next.long) && !yield(next) || err != nil {
				return
			}
			next = line{}
		}
	}
}

// byteOrderMark begins the output of some programs.
var byteOrderMark = []byte("\ufeff")

// message returns the message in a line, or a refusal. An empty line returns neither.
func (l line) message() (m jsonrpc.Message, refusal []byte) {
	text := bytes.TrimPrefix(l.text, byteOrderMark)
	switch {
	case l.long:
		text := fmt.Sprintf("the line is too long; allowed: %d bytes", maxLine)
		return nil, refusalOf(nil, jsonrpc.CodeInvalidRequest, text)
	case len(bytes.TrimSpace(text)) == 0:
		return nil, nil
	}
	return messageIn(text, "line")
}

// messageIn returns the message in a text, or a refusal. Came is "line" or "request".
func messageIn(text []byte, came string) (m jsonrpc.Message, refusal []byte) {
	text = bytes.TrimSpace(text)
	allowed := "; allowed: one JSON-RPC 2.0 message a " + came
	switch {
	case len(text) == 0:
		return nil, refusalOf(nil, jsonrpc.CodeInvalidRequest, "the "+came+" is empty"+allowed)
	case !utf8.Valid(text):
		return nil, refusalOf(nil, jsonrpc.CodeParseError, "the "+came+" is not UTF-8")
	case !json.Valid(text):
		return nil, refusalOf(nil, jsonrpc.CodeParseError, "the "+came+" is not JSON"+allowed)
	case text[0] == '[':
		return nil, refusalOf(nil, jsonrpc.CodeInvalidRequest, "batches are not supported"+allowed)
	}
	id, err := idOf(text)
	if err == nil {
		m, err = jsonrpc.DecodeMessage(text)
	}
	if err != nil {
		why := "not a JSON-RPC 2.0 message: " + err.Error()
		return nil, refusalOf(id, jsonrpc.CodeInvalidRequest, why)
	}
	return m, nil
}

// idOf returns the id of a message, if it has one. The SDK would change an id that is not a whole
// number or too large.
func idOf(text []byte) (json.RawMessage, error) {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, errors.New("not an object")
	}
	var id any
	if m.ID == nil || json.Unmarshal(m.ID, &id) != nil {
		return nil, nil
	}
	switch id := id.(type) {
	case string:
		return m.ID, nil
	case float64:
		if id == math.Trunc(id) && math.Abs(id) <= maxNumber {
			return m.ID, nil
		}
	}
	return nil, fmt.Errorf("id %.40s: allowed: a text, or a whole number of up to %d",
		m.ID, maxNumber)
}

// maxNumber is the largest number that every client represents exactly: many use float64.
const maxNumber = 1<<53 - 1

// refusalOf returns the error answer to a text that is not a request.
func refusalOf(id json.RawMessage, code int, why string) []byte {
	text, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"` // null where it is not known
		Error   any             `json:"error"`
	}{"2.0", id, &jsonrpc.Error{Code: int64(code), Message: why}})
	if err != nil {
		panic("mcp: a refusal cannot be written: " + err.Error())
	}
	return text
}
