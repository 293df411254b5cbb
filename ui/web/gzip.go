package web

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// worthGzip is the least number of bytes that are compressed; less fits a packet anyway.
const worthGzip = 512

// gzips holds writers for reuse, since each takes much memory.
var gzips = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// compress returns a text compressed.
func compress(text []byte) []byte {
	z := gzips.Get().(*gzip.Writer)
	defer gzips.Put(z)
	var b bytes.Buffer
	z.Reset(&b)
	_, _ = z.Write(text) // writing to a buffer cannot fail
	_ = z.Close()
	return b.Bytes()
}

// takesGzip reports whether the client accepts gzip.
func takesGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		coding, parameters, _ := strings.Cut(part, ";")
		if strings.TrimSpace(coding) != "gzip" {
			continue
		}
		q, given := strings.CutPrefix(strings.TrimSpace(parameters), "q=")
		weight, err := strconv.ParseFloat(q, 64)
		return !given || err == nil && weight > 0
	}
	return false
}

// writeWhole answers with a text, compressed if that is worthwhile and accepted.
func writeWhole(w http.ResponseWriter, r *http.Request, status int, text []byte) {
	header := w.Header()
	header.Add("Vary", "Accept-Encoding")
	if len(text) >= worthGzip && takesGzip(r) {
		header.Set("Content-Encoding", "gzip")
		text = compress(text)
	}
	header.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	w.Write(text)
}
