package main

import (
	"bytes"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write the pages that the program writes anew")

// TestFacts holds docs/solutions.md to what the program finds.
func TestFacts(t *testing.T) {
	const page = "../../docs/solutions.md"
	var facts bytes.Buffer
	if err := printFacts(t.Context(), &facts); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(page, facts.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, facts.Bytes()) {
		t.Errorf("%s is not what duel solve --facts writes; run go test ./cmd/duel -update and read the difference", page)
	}
}
