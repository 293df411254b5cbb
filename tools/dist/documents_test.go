package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDocuments checks the documents found from the links of a README, and those of this
// repository.
func TestDocuments(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"README.md": "![picture](docs/a.svg) [page](docs/page.md#part) [folder](docs/more/) " +
			"[web](https://example.org/x.md) [mail](mailto:a@example.org) [here](#part)",
		"CHANGELOG.md": "", "LICENSE": "", "deploy/duel.service": "", "deploy/other": "",
		"docs/a.svg": "", "docs/page.md": "text", "docs/unlinked.md": "",
		"docs/more/1.md": "", "docs/more/2.md": "", "docs/more/3.txt": "",
	} {
		name = filepath.Join(root, name)
		err := os.MkdirAll(filepath.Dir(name), 0o755)
		if err == nil {
			err = os.WriteFile(name, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	files, err := documents(root)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	const want = "CHANGELOG.md LICENSE README.md deploy/duel.service docs/a.svg docs/more/1.md " +
		"docs/more/2.md docs/page.md"
	if got := strings.Join(names, " "); got != want || string(files["docs/page.md"]) != "text" {
		t.Errorf("got %s, want %s", got, want)
	}
	if err := os.Remove(filepath.Join(root, "docs/page.md")); err != nil {
		t.Fatal(err)
	}
	if _, err := documents(root); err == nil || !strings.Contains(err.Error(), "docs/page.md") {
		t.Errorf("a link to a file that does not exist: %v", err)
	}

	if files, err = documents("../.."); err != nil {
		t.Fatal(err)
	}
	for _, name := range append(always, "docs/serve.md") {
		if len(files[name]) == 0 {
			t.Errorf("no %s among %d documents", name, len(files))
		}
	}
}
