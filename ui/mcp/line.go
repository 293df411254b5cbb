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

// A line is what a client wrote up to the end of a line.
type line struct {
	text []byte
	long bool // it is longer than may be, and was not kept
}

// linesOf yields the lines of an input, also a last one without an end, and of none more than so many bytes.
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

// byteOrderMark begins what some programs write.
var byteOrderMark = []byte("\ufeff")

// message returns the message that a line is, or a refusal of what is none; a line with nothing in it is neither.
func (l line) message() (m jsonrpc.Message, refusal []byte) {
	text := bytes.TrimPrefix(l.text, byteOrderMark)
	switch {
	case l.long:
		return nil, refusalOf(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("the line is too long; allowed: %d bytes", maxLine))
	case len(bytes.TrimSpace(text)) == 0:
		return nil, nil
	}
	return messageIn(text, "line")
}

// messageIn returns the message that a text is, or a refusal of what is none; what it came as is a line or a request.
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
		return nil, refusalOf(nil, jsonrpc.CodeInvalidRequest, "batches are not taken"+allowed)
	}
	id, err := idOf(text)
	if err == nil {
		m, err = jsonrpc.DecodeMessage(text)
	}
	if err != nil {
		return nil, refusalOf(id, jsonrpc.CodeInvalidRequest, "this is no JSON-RPC 2.0 message: "+err.Error())
	}
	return m, nil
}

// idOf returns the id of a message, which may have none; the SDK would take one that is not a whole number or too large for another one.
func idOf(text []byte) (json.RawMessage, error) {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, errors.New("it is no object")
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
	return nil, fmt.Errorf("id %.40s: allowed: a text, or a whole number of up to %d", m.ID, maxNumber)
}

// maxNumber is the largest number that every client can tell from its neighbours: those that keep numbers as float64 round above it.
const maxNumber = 1<<53 - 1

// refusalOf returns the answer to what is no request.
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
