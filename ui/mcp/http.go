package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// callTime is the time limit of a call over HTTP, shorter than that of the HTTP server.
const callTime = 20 * time.Second

var errSlow = refusef("the call took too long; call state, or try again")

// Handler returns the handler for clients over HTTP. It is stateless: there are no sessions. The
// caller checks hosts and origins, and limits the body.
func (s *Server) Handler() http.Handler {
	server := func(*http.Request) *sdk.Server { return s.server }
	next := sdk.NewStreamableHTTPHandler(server, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxLine,
		DisableLocalhostProtection: true,
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &refusing{ResponseWriter: w}
		body, err := io.ReadAll(r.Body)
		if large := new(http.MaxBytesError); errors.As(err, &large) {
			text := fmt.Sprintf("the request is too large; allowed: %d bytes", large.Limit)
			http.Error(answer, text, http.StatusRequestEntityTooLarge)
			return
		}
		if r.Method == http.MethodPost && answer.refuses(body) {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		limit, end := context.WithTimeoutCause(r.Context(), callTime, errSlow)
		defer end()
		next.ServeHTTP(answer, r.WithContext(context.WithValue(r.Context(), limitKey{}, limit)))
	})
}

// refusing turns refusals of the SDK in plain text into answers of JSON-RPC.
type refusing struct {
	http.ResponseWriter
	id   json.RawMessage // of the request, if it is known
	text bool            // whether the body is plain text
}

// refuses reports whether a body is not a message, and then answers so.
func (w *refusing) refuses(body []byte) bool {
	refusal := w.fault(bytes.TrimSpace(body))
	if refusal == nil {
		return false
	}
	w.Header().Set("Content-Type", "application/json")
	w.ResponseWriter.WriteHeader(http.StatusBadRequest)
	w.ResponseWriter.Write(refusal)
	return true
}

// fault returns the refusal of a body that is not a message, and sets the id of one that is.
func (w *refusing) fault(body []byte) []byte {
	const allowed = "; allowed: one JSON-RPC 2.0 message a request"
	switch {
	case len(body) == 0:
		return refusalOf(nil, jsonrpc.CodeInvalidRequest, "the request is empty"+allowed)
	case !utf8.Valid(body):
		return refusalOf(nil, jsonrpc.CodeParseError, "the request is not UTF-8")
	case !json.Valid(body):
		return refusalOf(nil, jsonrpc.CodeParseError, "the request is not JSON"+allowed)
	case body[0] == '[': // limits count requests
		return refusalOf(nil, jsonrpc.CodeInvalidRequest, "batches are not supported"+allowed)
	}
	id, err := idOf(body)
	if err == nil {
		_, err = jsonrpc.DecodeMessage(body)
	}
	if err != nil {
		why := "not a JSON-RPC 2.0 message: " + err.Error()
		return refusalOf(id, jsonrpc.CodeInvalidRequest, why)
	}
	w.id = id
	return nil
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

// WriteHeader implements [http.ResponseWriter].
func (w *refusing) WriteHeader(status int) {
	plain := strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain")
	if w.text = status >= http.StatusBadRequest && plain; w.text {
		w.Header().Set("Content-Type", "application/json")
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (w *refusing) Write(text []byte) (int, error) {
	if !w.text {
		return w.ResponseWriter.Write(text)
	}
	code := jsonrpc.CodeInvalidRequest
	if bytes.HasPrefix(text, []byte("JSON RPC not handled: ")) {
		code = jsonrpc.CodeMethodNotFound
	}
	_, err := w.ResponseWriter.Write(refusalOf(w.id, code, strings.TrimSpace(string(text))))
	return len(text), err
}

// Unwrap lets the SDK flush the response.
func (w *refusing) Unwrap() http.ResponseWriter { return w.ResponseWriter }

type limitKey struct{}

// limited returns a context for a call over HTTP that ends with the request or its time limit. The
// SDK continues calls after the client has gone.
func limited(ctx context.Context) (context.Context, func()) {
	limit, ok := ctx.Value(limitKey{}).(context.Context)
	if !ok {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(limit, func() { cancel(context.Cause(limit)) })
	return ctx, func() { stop(); cancel(nil) }
}
