package digit

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files under testdata")

// golden compares text with a file under testdata, or writes it there with -update.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(file) {
		return
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(file), "\n")
	for i := 0; ; i++ {
		if i == len(gotLines) || i == len(wantLines) {
			t.Fatalf("%s: %d lines, want %d", path, len(gotLines), len(wantLines))
		}
		if gotLines[i] != wantLines[i] {
			t.Fatalf("%s:%d:\n got %s\nwant %s", path, i+1, gotLines[i], wantLines[i])
		}
	}
}
