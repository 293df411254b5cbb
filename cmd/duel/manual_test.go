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

var manual = flag.String("manual", "", "write the manual into this folder, and keep it")

// markdown returns the description of a command for the manual, whose rows are a list.
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

// TestManual writes a page of the manual for every command, and checks its flags. It is a test so
// that the program does not contain the generator.
func TestManual(t *testing.T) {
	dir := cmp.Or(*manual, t.TempDir())
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	root := newRoot(nil)
	root.DisableAutoGenTag = true
	walk(root, func(cmd *cobra.Command) { cmd.Long = markdown(cmd) })
	if err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "duel " + version.Number, Manual: "Digit Duel"}, dir); err != nil {
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
				t.Errorf("%s: there is no %q in\n%s", cmd.CommandPath(), want, page)
			}
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if kind := f.Value.Type(); !strings.HasPrefix(kind, "string") && allowedFor(f) == "" { // any text is a string, or one of several
				t.Errorf("%s --%s: an error does not name the values of a %s", cmd.CommandPath(), f.Name, kind)
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
