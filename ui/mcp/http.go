package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

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
		answer.asked = body
		if bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) { // limits count requests
			const text = "batches are not supported; allowed: one JSON-RPC 2.0 message a request"
			http.Error(answer, text, http.StatusBadRequest)
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
	asked []byte // the body of the request
	text  bool   // whether the body of the answer is plain text
}

// maxNumber is the largest number that every client represents exactly: many use float64.
const maxNumber = 1<<53 - 1

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
	var answer struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"` // null where it is not known
		Error   jsonrpc.Error   `json:"error"`
	}
	failed := json.Unmarshal(w.asked, &answer)
	answer.Version, answer.Error = "2.0", jsonrpc.Error{
		Code: jsonrpc.CodeInvalidRequest, Message: strings.TrimSpace(string(text)),
	}
	switch {
	case bytes.HasPrefix(text, []byte("JSON RPC not handled: ")):
		answer.Error.Code = jsonrpc.CodeMethodNotFound
	case errors.As(failed, new(*json.SyntaxError)):
		answer.Error.Code = jsonrpc.CodeParseError
	}
	return len(text), json.NewEncoder(w.ResponseWriter).Encode(answer)
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
