package offline_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"digitduel/ui/offline"
)

// built returns the files that make builds from a program.
func built(t *testing.T, program string) fstest.MapFS {
	t.Helper()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(program)); err != nil || z.Close() != nil {
		t.Fatal("gzip")
	}
	return fstest.MapFS{
		"duel.wasm.gz": {Data: packed.Bytes()}, "wasm_exec.js": {Data: []byte("support")},
		"icon.svg": {Data: []byte("icon")}, ".gitignore": {},
	}
}

// files returns the files of the site.
func files(t *testing.T, from fstest.MapFS) map[string][]byte {
	t.Helper()
	all, err := offline.Files(from)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestFiles checks the names of the files of the site, and that its version depends on their
// contents.
func TestFiles(t *testing.T) {
	one := files(t, built(t, "one"))
	if !maps.EqualFunc(one, files(t, built(t, "one")), bytes.Equal) {
		t.Error("two builds of one program differ")
	}
	hash := regexp.MustCompile(`[0-9a-f]{12}`)
	names := hash.ReplaceAllString(strings.Join(slices.Sorted(maps.Keys(one)), " "), "V")
	const want = "boot.css boot.js duel.V.wasm duel.V.wasm.gz icon.svg index.html probe.wasm " +
		"sw.js wasm_exec.V.js"
	if names != want {
		t.Errorf("the files are %s, want %s", names, want)
	}
	version := hash.FindString(string(one["sw.js"]))
	if got := string(one["duel."+version+".wasm"]); got != "one" || version == "" {
		t.Errorf("version %q of the program is %q, want one", version, got)
	}
	for name := range built(t, "") {
		changed := built(t, "one")
		if name == "duel.wasm.gz" {
			changed = built(t, "two")
		} else {
			changed[name] = &fstest.MapFile{Data: []byte("other")}
		}
		same := bytes.Equal(files(t, changed)["sw.js"], one["sw.js"])
		if same != (name == ".gitignore") {
			t.Errorf("after a change of %s, the version is the same: %t", name, same)
		}
		if name != "duel.wasm.gz" && name != "wasm_exec.js" {
			continue
		}
		delete(changed, name)
		if _, err := offline.Files(changed); !errors.Is(err, offline.ErrNotBuilt) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

// TestWrite checks that a new version replaces the old one, that files of the host stay, and that a
// folder with other files is refused.
func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "site")
	one, two := files(t, built(t, "one")), files(t, built(t, "two"))
	for _, site := range []map[string][]byte{one, two, two} {
		if err := offline.Write(dir, site); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "CNAME"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) != len(site)+1 { // a file of the host stays
			t.Errorf("the folder has %d files, want %d and CNAME", len(entries), len(site))
		}
		for name, want := range site {
			if got, err := os.ReadFile(filepath.Join(dir, name)); !bytes.Equal(got, want) {
				t.Errorf("%s differs: %v", name, err)
			}
		}
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "index.html"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := offline.Write(other, one); err == nil {
		t.Error("a folder with other files is not refused")
	}
	if entries, err := os.ReadDir(other); err != nil || len(entries) != 1 {
		t.Errorf("the refused folder now has %v, %v", entries, err)
	}
}

// TestSize bounds the download from a host that compresses nothing: 4.5 MB.
func TestSize(t *testing.T) {
	all, err := offline.Files(offline.Built())
	if err != nil {
		t.Skip(err)
	}
	size := 0
	for name, text := range all {
		if !strings.HasSuffix(name, ".wasm") || name == "probe.wasm" {
			size += len(text)
		}
	}
	if size > 4_500_000 {
		t.Errorf("the download has %d bytes, want at most 4,500,000", size)
	}
	t.Logf("%d bytes", size)
}
