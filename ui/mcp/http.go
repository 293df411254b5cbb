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

// callTime is how long a call over HTTP may take, which is less than a server gives an answer.
const callTime = 20 * time.Second

var errSlow = refusef("that took too long; look at the state, or ask again")

// Handler answers clients over HTTP. Every request stands by itself: there are no sessions to keep. Whoever serves it looks at hosts and
// origins, and bounds the body.
func (s *Server) Handler() http.Handler {
	next := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.server }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxLine, DisableLocalhostProtection: true, Logger: quiet(s.Log),
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &refusing{ResponseWriter: w}
		body, err := io.ReadAll(r.Body)
		if large := new(http.MaxBytesError); errors.As(err, &large) {
			http.Error(answer, fmt.Sprintf("the request is too large; allowed: %d bytes", large.Limit), http.StatusRequestEntityTooLarge)
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

// refusing answers as JSON-RPC does where the SDK, and what is below it, refuse a request with a line of text.
type refusing struct {
	http.ResponseWriter
	id   json.RawMessage // of the request, as far as it is known
	text bool            // what is written now
}

// refuses reports whether a body is no message, and says so.
func (w *refusing) refuses(body []byte) bool {
	_, refusal := messageIn(body, "request")
	if refusal == nil {
		w.id, _ = idOf(body)
		return false
	}
	w.Header().Set("Content-Type", "application/json")
	w.ResponseWriter.WriteHeader(http.StatusBadRequest)
	w.ResponseWriter.Write(refusal)
	return true
}

// WriteHeader implements [http.ResponseWriter].
func (w *refusing) WriteHeader(status int) {
	if w.text = status >= http.StatusBadRequest && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain"); w.text {
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

// Unwrap lets the SDK flush what it writes.
func (w *refusing) Unwrap() http.ResponseWriter { return w.ResponseWriter }

type limitKey struct{}

// limited returns a context for a call that came over HTTP, which ends with the request or when that takes too long. The SDK lets calls go on
// after the client has gone.
func limited(ctx context.Context) (context.Context, func()) {
	limit, ok := ctx.Value(limitKey{}).(context.Context)
	if !ok {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(limit, func() { cancel(context.Cause(limit)) })
	return ctx, func() { stop(); cancel(nil) }
}
