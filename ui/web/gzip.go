package web

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// worthGzip is how many bytes an answer has at least if it is compressed; less fits a packet anyway.
const worthGzip = 512

// gzips are writers to use again, for each of them takes much memory.
var gzips = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// compress returns a text compressed.
func compress(text []byte) []byte {
	z := gzips.Get().(*gzip.Writer)
	defer gzips.Put(z)
	var b bytes.Buffer
	z.Reset(&b)
	_, _ = z.Write(text) // a buffer takes everything
	_ = z.Close()
	return b.Bytes()
}

// takesGzip reports whether whoever asks understands gzip.
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

// writeWhole answers with a whole text, compressed if that is worth it and understood.
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
