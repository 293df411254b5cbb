// Package docs_test writes the pages of docs that are computed, and checks those that name code.
package docs_test

import (
	"fmt"
	"os"
	"testing"
)

// TestMain runs the tests at the root of the repository, whose files the pages name.
func TestMain(m *testing.M) {
	if err := os.Chdir(".."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
