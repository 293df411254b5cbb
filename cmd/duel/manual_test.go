package main

import (
	"cmp"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"digitduel/cmd/duel/version"
)

var manual = flag.String("manual", "", "write the manual to this folder and keep it")

// markdown returns the description of a command for the manual, with rows as a list.
func markdown(cmd *cobra.Command) string {
	var text strings.Builder
	text.WriteString(strings.TrimSuffix(cmd.Short, ".") + ".\n\n")
	for line := range strings.Lines(cmd.Long) {
		if label, about, ok := strings.Cut(line, "\t"); ok {
			line = "- " + label + ": " + about
		}
		text.WriteString(line + "\n") // a paragraph or an item of a list
	}
	return text.String()
}

// TestManual writes the manual page of every command and checks its flags. It is a test so that the
// program does not contain the generator.
func TestManual(t *testing.T) {
	dir := cmp.Or(*manual, t.TempDir())
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	root := newRoot(nil)
	root.DisableAutoGenTag = true
	walk(root, func(cmd *cobra.Command) { cmd.Long = markdown(cmd) })
	header := &doc.GenManHeader{
		Section: "1", Source: "duel " + version.Number, Manual: "Digit Duel",
	}
	if err := doc.GenManTree(root, header, dir); err != nil {
		t.Fatal(err)
	}
	pages := 0
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		pages++
		page, err := os.ReadFile(filepath.Join(dir, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1"))
		if err != nil {
			t.Error(err)
		}
		for _, want := range []string{".SH NAME", cmd.Short, ".SH SYNOPSIS", ".SH OPTIONS"} {
			if !strings.Contains(string(page), want) {
				t.Errorf("%s: the page has no %q:\n%s", cmd.CommandPath(), want, page)
			}
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			kind := f.Value.Type() // a string allows any text
			if !strings.HasPrefix(kind, "string") && allowedFor(f) == "" {
				t.Errorf("%s --%s: errors don't name the values of a %s",
					cmd.CommandPath(), f.Name, kind)
			}
		})
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				check(c)
			}
		}
	}
	check(root)
	if pages < 20 {
		t.Errorf("only %d pages", pages)
	}
}
