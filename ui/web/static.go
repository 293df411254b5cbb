package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"sync"
)

//go:embed static
var staticFiles embed.FS

// A staticFile is a file that is the same for everyone.
type staticFile struct {
	plain []byte
	small func() []byte // compressed, on the first request
}

// A staticSet holds all static files. Their version is part of their addresses, so that browsers
// keep them for good, and modules of one version import each other.
type staticSet struct {
	version string
	files   map[string]staticFile
}

// kinds holds the content types by file extension, independent of the operating system.
var kinds = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml", ".webmanifest": "application/manifest+json", ".png": "image/png",
	".html": "text/html; charset=utf-8", ".wasm": "application/wasm", ".gz": "application/gzip",
}

// statics reads the files on the first request.
var statics = sync.OnceValue(func() staticSet {
	set := staticSet{files: map[string]staticFile{}}
	sum := sha256.New()
	err := fs.WalkDir(staticFiles, "static", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := staticFiles.ReadFile(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%s %d\n%s", name, len(text), text)
		if path.Ext(name) == ".css" {
			text = compact(text)
		}
		small := sync.OnceValue(func() []byte { return compress(text) })
		set.files[path.Base(name)] = staticFile{text, small}
		return nil
	})
	if err != nil {
		panic(err) // they are part of the program
	}
	set.version = hex.EncodeToString(sum.Sum(nil)[:6])
	return set
})

var (
	commentForm = regexp.MustCompile(`(?s)/\*.*?\*/`)
	spaceForm   = regexp.MustCompile(`\s+`)
	signForm    = regexp.MustCompile(` ?([{};,>]) ?|(:) `)
)

// compact returns a style sheet without comments and spaces that mean nothing. No text in one has
// a comma, a colon, a brace or an angle bracket next to a space.
func compact(sheet []byte) []byte {
	sheet = commentForm.ReplaceAll(sheet, nil)
	sheet = spaceForm.ReplaceAll(sheet, []byte(" "))
	return signForm.ReplaceAll(sheet, []byte("$1$2"))
}

// staticPath returns the address of a static file.
func staticPath(name string) string { return "/static/" + statics().version + "/" + name }

// setFile sets the headers of a file. Browsers keep it for good if its address has its version.
func setFile(header http.Header, name string, forGood bool) {
	header.Set("Content-Type", kinds[path.Ext(name)])
	header.Set("Cache-Control", "no-cache")
	if forGood {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
}

// static answers with a static file. A page of an older version gets the current file, uncached.
func (s *Server) static(w http.ResponseWriter, r *http.Request) error {
	set, name := statics(), r.PathValue("name")
	file, there := set.files[name]
	if !there {
		return notFound("there is no such file")
	}
	header := w.Header()
	setFile(header, name, r.PathValue("version") == set.version)
	header.Set("Vary", "Accept-Encoding")
	text := file.plain
	if takesGzip(r) {
		header.Set("Content-Encoding", "gzip")
		text = file.small()
	}
	header.Set("Content-Length", strconv.Itoa(len(text)))
	w.Write(text)
	return nil
}
