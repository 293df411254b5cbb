//go:build js

package main

import (
	"bytes"
	"context"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"syscall/js"
)

// A bridge answers requests of the browser with a handler.
type bridge struct {
	handler http.Handler
	db      database
	jar     *cookiejar.Jar // a service worker cannot leave cookies to the browser
}

// fetch is called with a method, an address, a list of headers, the body, and functions that
// resolve and reject the promise of a response.
func (b *bridge) fetch(_ js.Value, args []js.Value) any {
	body := make([]byte, args[3].Length())
	js.CopyBytesToGo(body, args[3])
	ctx, cancel := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, args[0].String(), args[1].String(),
		bytes.NewReader(body))
	if err != nil {
		cancel()
		args[5].Invoke(err.Error())
		return nil
	}
	for i := range args[2].Length() {
		pair := args[2].Index(i)
		r.Header.Add(pair.Index(0).String(), pair.Index(1).String())
	}
	r.RequestURI, r.RemoteAddr = r.URL.RequestURI(), "127.0.0.1:1"
	for _, c := range b.jar.Cookies(r.URL) {
		r.AddCookie(c)
	}
	w := &writer{
		bridge: b, url: r.URL, header: http.Header{}, resolve: args[4], reject: args[5],
		cancel: cancel,
	}
	go func() {
		defer cancel()
		b.handler.ServeHTTP(w, r)
		w.finish()
	}()
	return nil
}

// A writer turns an answer into a response of the browser. Its body is a stream, which begins with
// the first flush or the end of the answer.
type writer struct {
	*bridge
	url             *url.URL
	header          http.Header
	status          int
	body            bytes.Buffer
	resolve, reject js.Value
	stream          js.Value // the controller of the body; undefined before the response
	cancelled       js.Func
	cancel          context.CancelFunc
}

func (w *writer) Header() http.Header { return w.header }

func (w *writer) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *writer) Write(text []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(text)
}

// Flush implements [http.Flusher].
func (w *writer) Flush() {
	w.WriteHeader(http.StatusOK)
	if w.stream.IsUndefined() {
		w.respond()
	}
	if w.body.Len() > 0 && w.stream.Truthy() {
		chunk := js.Global().Get("Uint8Array").New(w.body.Len())
		js.CopyBytesToJS(chunk, w.body.Bytes())
		w.body.Reset()
		_ = try(func() { w.stream.Call("enqueue", chunk) }) // the reader may be gone
	}
}

// respond saves the cookies of the answer and then passes on its header.
func (w *writer) respond() {
	w.stream = js.Null()
	if cookies := (&http.Response{Header: w.header}).Cookies(); len(cookies) > 0 {
		w.header.Del("Set-Cookie")
		if err := w.db.put(cookies...); err != nil {
			w.reject.Invoke(err.Error())
			w.cancel()
			return
		}
		w.jar.SetCookies(w.url, cookies)
	}
	// Firefox shows a worker nothing else of the page that sends a form.
	w.header.Set("Referrer-Policy", "same-origin")
	headers := map[string]any{}
	for key, values := range w.header {
		headers[key] = strings.Join(values, ", ")
	}
	content := js.Null()
	if w.status != http.StatusNoContent && w.status != http.StatusNotModified {
		start := js.FuncOf(func(_ js.Value, args []js.Value) any {
			w.stream = args[0]
			return nil
		})
		defer start.Release() // it is called at once
		w.cancelled = js.FuncOf(func(js.Value, []js.Value) any {
			w.cancel()
			return nil
		})
		content = js.Global().Get("ReadableStream").New(
			map[string]any{"start": start, "cancel": w.cancelled})
	}
	w.resolve.Invoke(js.Global().Get("Response").New(content,
		map[string]any{"status": w.status, "headers": headers}))
}

// finish ends the answer.
func (w *writer) finish() {
	w.Flush()
	if w.stream.Truthy() {
		_ = try(func() { w.stream.Call("close") })
		w.cancelled.Release()
	}
}
