package mcp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
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
		body, err := io.ReadAll(r.Body)
		if large := new(http.MaxBytesError); errors.As(err, &large) {
			refuseRequest(w, http.StatusRequestEntityTooLarge, "the request is too large")
			return
		}
		if bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) {
			refuseRequest(w, http.StatusBadRequest, "several messages in one request; allowed: one")
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		limit, end := context.WithTimeoutCause(r.Context(), callTime, errSlow)
		defer end()
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), limitKey{}, limit)))
	})
}

// refuseRequest answers what is no message.
func refuseRequest(w http.ResponseWriter, status int, why string) {
	text, _ := jsonrpc.EncodeMessage(&jsonrpc.Response{Error: &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: why}}) // it is text
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(text)
}

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
