package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// requires adds the third-party module to the program.
const requires = "require example.org/m v1.2.3\nreplace example.org/m => ./m\n"

// TestLicences checks the licences of programs with one third-party module, which has some files.
func TestLicences(t *testing.T) {
	for _, tt := range []struct {
		files string
		want  string // the files shown, or the error
		none  bool   // the module has no licence
	}{
		{files: "LICENSE", want: "LICENSE"},
		{files: "LICENSE.txt", want: "LICENSE.txt"},
		{files: "License.md", want: "License.md"},
		{files: "LICENCE", want: "LICENCE"},
		{files: "COPYING", want: "COPYING"},
		{files: "copying.lesser", want: "copying.lesser"},
		{files: "UNLICENSE", want: "UNLICENSE"},
		{files: "NOTICE LICENSE-MIT PATENTS A-LICENSE",
			want: "A-LICENSE LICENSE-MIT NOTICE PATENTS"},
		// Only linked packages count.
		{files: "LICENSE part/COPYING other/LICENSE", want: "LICENSE part/COPYING"},
		{files: "", none: true},
		{files: "NOTICE PATENTS", none: true},
		{files: "license.go unlicensed README.md", none: true},
		{files: "part/LICENSE other/LICENSE", none: true},
		{files: "LICENSE/text", none: true},
	} {
		t.Run(tt.files, func(t *testing.T) {
			root := t.TempDir()
			files := map[string]string{
				"go.mod":           "module program\ngo 1.26\n" + requires,
				"cmd/duel/main.go": "package main\nimport _ \"example.org/m/part\"\nfunc main() {}\n",
				"m/go.mod":         "module example.org/m\ngo 1.26\n",
				"m/part/part.go":   "package part\n",
				"m/other/other.go": "package other\n",
			}
			for name := range strings.FieldsSeq(tt.files) {
				files["m/"+name] = "package m\n"
			}
			for name, text := range files {
				name = filepath.Join(root, name)
				err := os.MkdirAll(filepath.Dir(name), 0o755)
				if err == nil {
					err = os.WriteFile(name, []byte(text), 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			text, err := licences(root)
			if tt.none {
				if err == nil ||
					!strings.HasPrefix(err.Error(), "example.org/m v1.2.3: no licence found") {
					t.Errorf("%v\n%s", err, text)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var shown []string
			for line := range strings.Lines(string(text)) {
				if name, ok := strings.CutPrefix(line, "example.org/m v1.2.3: "); ok {
					shown = append(shown, strings.TrimSpace(name))
				}
			}
			if got := strings.Join(shown, " "); got != tt.want {
				t.Errorf("got the files %s, want %s", got, tt.want)
			}
			if !strings.Contains(string(text), "Copyright 2009 The Go Authors") {
				t.Errorf("the licence of Go is missing:\n%s", text)
			}
		})
	}
}

// TestEmptyLicence checks that an empty licence is an error.
func TestEmptyLicence(t *testing.T) {
	file := filepath.Join(t.TempDir(), "LICENSE")
	if err := os.WriteFile(file, []byte("\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := write(new(bytes.Buffer), "m", map[string]string{"LICENSE": file}); err == nil {
		t.Error("an empty licence was accepted")
	}
}
