package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"errors"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestSameBytes checks that two folders with the same source make the same files for this system.
// Only the repository has the program for browsers already, as make test compiles it first.
func TestSameBytes(t *testing.T) {
	if os.Getenv("DUEL_NIGHTLY") == "" {
		t.Skip("make nightly compares the archives of two builds")
	}
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	t.Setenv("SOURCE_COMMIT", "0123456789abcdef")
	here, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	there := t.TempDir()
	listed, err := command(here, nil, "git", "ls-files", "--cached", "--others",
		"--exclude-standard")
	if err != nil {
		t.Skipf("git cannot list the source: %v", err)
	}
	for name := range strings.Lines(string(listed)) {
		name = strings.TrimSuffix(name, "\n")
		info, err := os.Stat(filepath.Join(here, name))
		if errors.Is(err, os.ErrNotExist) {
			continue // removed, but not committed yet
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(here, name))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(there, name)), 0o755)
		}
		if err == nil { // keep the mode, because scripts are run
			err = os.WriteFile(filepath.Join(there, name), text, info.Mode().Perm())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := command(there, nil, "make", "offline"); err != nil {
		t.Fatal(err)
	}
	var made [2]map[string][]byte
	for i, root := range []string{here, there} {
		out := t.TempDir()
		if err := run(root, out, []string{runtime.GOOS + "/" + runtime.GOARCH}); err != nil {
			t.Fatal(err)
		}
		made[i] = map[string][]byte{}
		files, err := os.ReadDir(out)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if made[i][f.Name()], err = os.ReadFile(filepath.Join(out, f.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(made[0]) != 4 || len(made[1]) != 4 {
		t.Errorf("made %d and %d files, want an archive, a wheel, a Python source and the checksums", len(made[0]), len(made[1]))
	}
	for name, bytesOf := range made[0] {
		if !bytes.Equal(bytesOf, made[1][name]) {
			t.Errorf("%s differs between %s and %s", name, here, there)
		}
		if !strings.HasPrefix(name, "duel_") {
			continue
		}
		files := unpack(t, bytesOf)
		names := strings.Join(slices.Sorted(maps.Keys(files)), " ")
		for _, want := range []string{"/duel ", "/LICENSE ", "/README.md ", "/CHANGELOG.md ",
			"/docs/serve.md ", "/deploy/duel.service ", "/man/duel-serve.1 ", "/completions/_duel ", "/completions/duel.bash ", "/completions/duel.fish ", "/completions/duel.ps1 "} {
			if !strings.Contains(names+" ", want) {
				t.Errorf("%s is missing in %s", want, names)
			}
		}
		for name, content := range files {
			if path.Base(name) == "duel" {
				testVersion(t, content)
				testLinked(t, content, string(files[path.Dir(name)+"/THIRD_PARTY_LICENSES.txt"]))
			}
		}
	}
}

// testVersion checks that the program of an archive prints its commit.
func testVersion(t *testing.T, program []byte) {
	file := filepath.Join(t.TempDir(), "duel")
	if err := os.WriteFile(file, program, 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := command(".", nil, file, "--version")
	if err != nil || !strings.HasSuffix(string(out), " (0123456789ab)\n") {
		t.Errorf("the version is %q: %v", out, err)
	}
}

// TestPack checks archives for Windows and for other systems.
func TestPack(t *testing.T) {
	at := time.Unix(1700000000, 0).UTC()
	files := map[string][]byte{"duel": []byte("program"), "duel.exe": []byte("program"),
		"README.md": []byte("text"), "man/duel.1": []byte("page")}
	want := []string{"x/README.md -rw-r--r--", "x/duel -rwxr-xr-x", "x/duel.exe -rwxr-xr-x",
		"x/man/duel.1 -rw-r--r--"}
	archive, err := zipped("x", files, at)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range z.File {
		got = append(got, f.Name+" "+f.Mode().String())
		if !f.Modified.Equal(at) {
			t.Errorf("%s has the time %v", f.Name, f.Modified)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("zipped %q, want %q", got, want)
	}
	if archive, err = tarball("x", files, at); err != nil {
		t.Fatal(err)
	}
	names := slices.Sorted(maps.Keys(unpack(t, archive)))
	if !slices.Equal(names, []string{"x/README.md", "x/duel", "x/duel.exe", "x/man/duel.1"}) {
		t.Errorf("got the names %q", names)
	}
}

// testLinked checks that there is a licence for each module that a program was built with.
func testLinked(t *testing.T, program []byte, licences string) {
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil || len(info.Deps) == 0 {
		t.Fatalf("cannot read the modules of the program: %v", err)
	}
	modules := []string{"Go " + strings.TrimPrefix(info.GoVersion, "go")}
	for _, m := range info.Deps {
		modules = append(modules, m.Path+" "+m.Version)
	}
	for _, module := range modules {
		if !strings.Contains(licences, "\n"+module+": LICENSE") {
			t.Errorf("the licence of %s is missing", module)
		}
	}
	listed := strings.Count(licences, ": LICENSE\n") + strings.Count(licences, ": LICENSE.txt\n")
	if listed != len(modules) {
		t.Errorf("got the licences of %d modules, want %d", listed, len(modules))
	}
}

// unpack returns the files in a tarball.
func unpack(t *testing.T, archive []byte) map[string][]byte {
	t.Helper()
	unpacked := map[string][]byte{}
	text, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	for files := tar.NewReader(text); ; {
		head, err := files.Next()
		if errors.Is(err, io.EOF) {
			return unpacked
		}
		if err == nil {
			unpacked[head.Name], err = io.ReadAll(files)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
