package main

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestCheck checks the findings in files of each kind, with and without exceptions.
func TestCheck(t *testing.T) {
	wide := "// " + strings.Repeat("x", 98)
	for _, tt := range []struct {
		name, text string
		want       string // the findings without the file name, joined by |
	}{
		{"a.go", "package a // it is told\n", `1: "told": write plainly`},
		{"a.go", "package a\n\n/* one\nSomebody\n*/\n", `4: "Somebody": write plainly`},
		{"a.go", "package a\n\nconst s = \"so many\" + `by\nlot, by lot`\n", `3: "so many": write plainly|4: "by lot": write plainly`},
		{"a.go", "package a\n\nvar told, anew int // names are not words\n", ""},
		{"a.go", "package a // retell besides\n", ""},
		{"a.go", "package a // it is told //english:ok quotes the rulebook\n", ""},
		{"a.go", "package a // it is told //english:ok\n", `1: "told": write plainly`},
		{"a.go", "package a\n\nconst s = `\ntold\n` //english:ok quotes the rulebook\n", ""},
		{"a.go", "package a\n\nconst s = \"told\" //width:ok a reason\n", `3: "told": write plainly|3: width:ok is not needed`},
		{"a.go", "package a //english:ok a reason\n", `1: english:ok is not needed`},
		{"a.go", "package a\n\n" + wide + "\n", `3: 101 columns: break the line`},
		{"a.go", "package a\n\n\t\t\t" + wide[:88] + "\n", ""},
		{"a.go", "package a\n\n\t\t\t" + wide[:89] + "\n", `3: 101 columns: break the line`},
		{"a.go", "package a\n\n" + wide + " //width:ok a row of a table\n", ""},
		{"a_test.go", "package a // told\n", `1: "told": write plainly`},
		{"a_test.go", "package a\n\n\t" + wide + "\n", `3: 105 columns: break the line`},
		{"a_test.go", "package a\n\n// Output:\n" + wide + "\n\n" + wide + "\n", `6: 101 columns: break the line`},
		{"a_test.go", "package a\n\nconst s = \"told\" " + wide + "\n", ""},
		{"testdata/a.go", "package a // told\n", ""},
		{".git/a.md", "told\n", ""},
		{"docs/a.md", "fine\nTo who is said\n", `2: "To who": write plainly|2: "is said": write plainly`},
		{"docs/a.md", "told <!-- english:ok quotes the rulebook -->\n", ""},
		{"docs/a.md", "told <!-- english:ok -->\n", `1: "told": write plainly`},
		{"docs/a.md", wide[:100] + "\n", ""},
		{"docs/a.md", wide + "\n", `1: 101 columns: break the line`},
		{"docs/a.md", "- told " + wide + "\n", `1: "told": write plainly|1: 108 columns: break the line`},
		{"docs/a.md", wide[:99] + "é\r\n", ""},
		{"docs/a.md", wide + " <!-- width:ok an address -->\n", ""},
		{"docs/a.md", "fine <!-- width:ok an address -->\n", `1: width:ok is not needed`},
		{"docs/a.md", "| " + wide + " |\n", ""},
		{"docs/a.md", "- Pinned by: " + wide + "\n", ""},
		{"docs/a.md", "- " + wide + "\n", `1: 103 columns: break the line`},
		{"docs/a.md", "```go\n" + wide + "\n~~~\n" + wide + "\n```\n" + wide + "\n", `6: 101 columns: break the line`},
		{"docs/a.md", "- a\n\n  ~~~~\n~~~\n" + wide + "\n  ~~~~~\n" + wide + "\n", `7: 101 columns: break the line`},
		{"docs/a.md", "```told``` is code\n" + wide + "\n", `1: "told": write plainly|2: 101 columns: break the line`},
		{"CHANGELOG.md", "told\n" + wide + "\n", `1: "told": write plainly|2: 101 columns: break the line`},
		{"testdata/a.md", wide + "\n", ""},
		{"tools/english/main_test.go", "package a // told\n", ""},
		{"pages/a.html", "<p>anybody\n", `1: "anybody": write plainly`},
		{"pages/a.html", `<p class="told" data-tell="x">{{.Told}}` + "\n", ""},
		{"pages/a.html", "{{/* told\n\n*/}}told\n", `3: "told": write plainly`},
		{"pages/a.html", `<p title="told">{{if .A}}beside{{end}}` + "\n", `1: "beside": write plainly|1: "told": write plainly`},
		{"a.go", "package a\n\ntype t struct {\n\tA int `json:\"" + wide + "\"`\n}\n", ""},
		{"a.go", "package a\n\nconst s = `" + wide + "`\n", `3: 113 columns: break the line`},
		{"a.go", "package a\n\ntype t struct {\n\tA int `json:\"told\"`\n}\n", `4: "told": write plainly`},
		{"a.json", "told\n", ""},
	} {
		var got []string
		tree := fstest.MapFS{tt.name: {Data: []byte(tt.text)}}
		err := check(tree, func(finding string) {
			got = append(got, strings.TrimPrefix(finding, tt.name+":"))
		})
		slices.Sort(got)
		if all := strings.Join(got, "|"); err != nil || all != tt.want {
			t.Errorf("%s %q: got %s, %v, want %s", tt.name, tt.text, all, err, tt.want)
		}
	}
}
