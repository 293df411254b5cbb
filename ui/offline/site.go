// Package offline writes the site that plays without a server: a folder for any static host, whose
// service worker answers with the handler of package web.
package offline

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

//go:embed static
var static embed.FS

// ErrNotBuilt means that this program was built without the site.
var ErrNotBuilt = errors.New("this program was built without the offline site; " +
	"build it with make, which compiles the site first")

const (
	packedName  = "duel.wasm.gz"
	supportName = "wasm_exec.js"
	worker      = "sw.js"
)

// versioned matches the names of files that belong to one version.
var versioned = regexp.MustCompile(`^(duel|wasm_exec)\.[0-9a-f]{12}\.`)

// probe is an empty WebAssembly module with a comment of 2 KB. A host that compresses it compresses
// the program too.
var probe = append([]byte("\x00asm\x01\x00\x00\x00\x00\x80\x10"), make([]byte, 2048)...)

// Files returns the files of the site by their names. Built has the program for browsers,
// duel.wasm.gz, wasm_exec.js of the same Go, and the icon.
func Files(built fs.FS) (map[string][]byte, error) {
	scripts, err := fs.Sub(static, "static")
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"probe.wasm": probe}
	for _, from := range []fs.FS{scripts, built} {
		names, err := fs.Glob(from, "[a-z]*") // not .gitignore
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if files[name], err = fs.ReadFile(from, name); err != nil {
				return nil, err
			}
		}
	}
	packed, support := files[packedName], files[supportName]
	if packed == nil || support == nil {
		return nil, ErrNotBuilt
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	program, err := io.ReadAll(unpacked)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(sum, "%s %d\n%s", name, len(files[name]), files[name])
	}
	version := hex.EncodeToString(sum.Sum(nil)[:6])
	delete(files, packedName)
	delete(files, supportName)
	files["duel."+version+".wasm"], files["duel."+version+".wasm.gz"] = program, packed
	files["wasm_exec."+version+".js"] = support
	files[worker] = bytes.ReplaceAll(files[worker], []byte("VERSION'"), []byte(version+"'"))
	return files, nil
}

// Write writes the site to a folder, which must not exist, be empty, or hold an earlier site.
func Write(dir string, files map[string][]byte) error {
	there, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, "probe.wasm")); err != nil && len(there) > 0 {
		return fmt.Errorf("%s: the folder is not empty, and not an earlier site; "+
			"allowed: a new or empty folder, or one that duel site has written", dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(files)),
		func(name string) bool { return name == worker })
	for _, name := range append(names, worker) { // which names the others
		if err := os.WriteFile(filepath.Join(dir, name), files[name], 0o644); err != nil {
			return err
		}
	}
	for _, e := range there {
		if _, current := files[e.Name()]; !current && versioned.MatchString(e.Name()) {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}
