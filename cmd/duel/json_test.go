package main

import (
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestJSONDocumented checks that docs/json.md has the output of every command with --json
// that is not hidden.
func TestJSONDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	walk(newRoot(nil), func(cmd *cobra.Command) {
		for _, flag := range []string{"json", "jsonl"} {
			if cmd.Flags().Lookup(flag) == nil || cmd.HasParent() && cmd.Parent().Hidden {
				continue
			}
			found++
			line := "`" + cmd.CommandPath() + " --" + flag + "`"
			if !strings.Contains(string(page), line) {
				t.Errorf("docs/json.md has no %s", line)
			}
		}
	})
	if found < 10 {
		t.Errorf("only %d commands with --json", found)
	}
}
