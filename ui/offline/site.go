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
	"slices"
	"strings"
)

//go:embed static
var static embed.FS

// ErrNotBuilt means that this program was built without the site.
var ErrNotBuilt = errors.New("this program was built without the offline site; " +
	"build it with make, which compiles the site first")

// probe is the smallest WebAssembly module. A host that compresses it compresses the program too.
var probe = append([]byte("\x00asm\x01\x00\x00\x00"), make([]byte, 2048)...)

// Files returns the files of the site by their names. Built has the program for browsers,
// duel.wasm.gz, wasm_exec.js of the same Go, and the icon.
func Files(built fs.FS) (map[string][]byte, error) {
	packed, err := fs.ReadFile(built, "duel.wasm.gz")
	if err != nil {
		return nil, ErrNotBuilt
	}
	support, err := fs.ReadFile(built, "wasm_exec.js")
	if err != nil {
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
	icon, err := fs.ReadFile(built, "icon.svg")
	if err != nil {
		return nil, ErrNotBuilt
	}
	files := map[string][]byte{"probe.wasm": probe, "icon.svg": icon}
	err = fs.WalkDir(static, "static", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files[filepath.Base(name)], err = static.ReadFile(name)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(sum, "%s %d\n%s", name, len(files[name]), files[name])
	}
	sum.Write(packed)
	sum.Write(support)
	version := hex.EncodeToString(sum.Sum(nil)[:6])
	files["duel."+version+".wasm"], files["duel."+version+".wasm.gz"] = program, packed
	files["wasm_exec."+version+".js"] = support
	files["sw.js"] = bytes.ReplaceAll(files["sw.js"], []byte("VERSION'"), []byte(version+"'"))
	return files, nil
}

// Write writes the site to a folder, which must not exist, be empty, or hold an earlier site.
func Write(dir string, files map[string][]byte) error {
	there, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	earlier := slices.ContainsFunc(there, func(e fs.DirEntry) bool { return e.Name() == "sw.js" }) &&
		slices.ContainsFunc(there, func(e fs.DirEntry) bool { return e.Name() == "probe.wasm" })
	if len(there) > 0 && !earlier {
		return fmt.Errorf("%s: the folder is not empty, and not an earlier site; "+
			"allowed: a new or empty folder, or one that duel site has written", dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(files))
	slices.SortStableFunc(names, func(a, b string) int { // what names the others comes last
		return strings.Compare(order(a), order(b))
	})
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), files[name], 0o644); err != nil {
			return err
		}
	}
	for _, e := range there {
		if _, kept := files[e.Name()]; !kept && isOurs(e.Name()) {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

func order(name string) string {
	if name == "sw.js" {
		return "2"
	}
	return "1"
}

// isOurs reports whether a file belongs to some version of the site alone.
func isOurs(name string) bool {
	return strings.HasPrefix(name, "duel.") && strings.Contains(name, ".wasm") ||
		strings.HasPrefix(name, "wasm_exec.")
}
