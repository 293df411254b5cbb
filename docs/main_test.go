// Package docs_test writes the computed pages of docs, and checks those that name code.
package docs_test

import (
	"fmt"
	"os"
	"testing"
)

// TestMain runs the tests in the root of the repository, because the pages name its files.
func TestMain(m *testing.M) {
	if err := os.Chdir(".."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
