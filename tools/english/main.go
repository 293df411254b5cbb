// Command english checks the words of comments, strings, pages and documents, and the width of Go
// code and documents. It reads all files under the current folder, and prints a line for each
// finding:
//
//	digit/play.go:12: "WORD": write plainly
//	digit/play.go:30: 107 columns: break the line
//
// The comments english:ok and width:ok, followed by a reason, except the line that they are on, as
// a quotation or a row of a table. An exception that is not needed is a finding too.
//
// Folders named testdata are not checked; of tests, only the comments are. Names are not checked:
// identifiers of Go and templates, and attributes of pages that nobody reads. A struct tag cannot
// be broken, and does not count for the width. In documents, code fences, rows of tables (lines
// that begin with |) and lines that begin with "- Pinned by:" may be wider.
package main

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

// words matches the words and phrases to avoid.
var words = regexp.MustCompile(`(?i)\b(` + strings.Join([]string{
	`tells?|told|telling`,             //english:ok the words to avoid
	`whoever|somebody|anybody`,        //english:ok the words to avoid
	`beside|anew|so many|at the most`, //english:ok the words to avoid
	`by lot|chance plays`,             //english:ok the words to avoid
	`(to|for|of|by|with|from|than) who`,
	`(is|are|was|were|be|been) said`,
}, "|") + `)\b`)

// exception matches an exception with its reason.
var exception = regexp.MustCompile(`(?://|<!-- )(english|width):ok [^\s-]`)

// widest is the number of columns of a line of Go or of a document. A tab has four.
const widest = 100

// structTag matches the tag of a field at the end of a line.
var structTag = regexp.MustCompile("`\\w+:\"[^`]*`(\\s*//.*)?$")

// markup matches the parts of a page without words: template actions, and attributes with names.
var markup = regexp.MustCompile(`\{\{[^}]*\}\}|` +
	`\b(class|id|for|name|href|src|action|data-[-a-z]+|aria-[a-z]+by)="[^"]*"`)

// codeFence matches the line that opens a code fence in a document.
var codeFence = regexp.MustCompile("^\\s*(`{3,}|~{3,})[^`]*$")

// unchecked is the file that is not checked: the test of this command has the words to avoid.
const unchecked = "tools/english/main_test.go"

func main() {
	count := 0
	err := check(os.DirFS("."), func(finding string) {
		count++
		fmt.Println(finding)
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "english:", err)
	}
	if err != nil || count > 0 {
		os.Exit(1)
	}
}

// check reports the findings in a tree of files.
func check(tree fs.FS, report func(finding string)) error {
	return fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		base := path.Base(name)
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if base == "testdata" || base == "node_modules" || name != "." && base[0] == '.' {
				return fs.SkipDir
			}
			return nil
		}
		var find func(string) []found
		switch ext := path.Ext(name); {
		case name == unchecked:
			return nil
		case strings.HasSuffix(name, "_test.go"):
			find = func(text string) []found { return inGo(text, true) }
		case ext == ".go":
			find = func(text string) []found { return inGo(text, false) }
		case ext == ".md":
			find = inDocument
		case ext == ".html":
			find = inPage
		default:
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		for _, f := range excused(string(text), find(string(text))) {
			report(fmt.Sprintf("%s:%d: %s", name, f.line, f.what))
		}
		return nil
	})
}

// A found is something found on a line. An exception of its kind excuses it on that line or, in a
// string of several lines, on the last one.
type found struct {
	line, last int
	kind, what string
}

// inText finds words in the lines of a page or a document.
func inText(text string) (all []found) {
	return inLines(text, 1, 0)
}

// inDocument finds words and wide lines in a document.
func inDocument(text string) []found {
	return append(wideLines(text), inText(text)...)
}

// wideLines finds the wide lines of a document, except in code fences, tables and lists of tests.
func wideLines(text string) (all []found) {
	line, fence := 0, "" // the characters that open the code fence around the line
	for part := range strings.Lines(text) {
		line++
		trimmed := strings.TrimSpace(part)
		opens := codeFence.FindStringSubmatch(part)
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
				fence = ""
			}
		case opens != nil:
			fence = opens[1]
		case strings.HasPrefix(part, "|") || strings.HasPrefix(part, "- Pinned by:"):
		default:
			all = append(all, tooWide(part, line)...)
		}
	}
	return all
}

// tooWide returns a finding if a line is too wide.
func tooWide(part string, line int) []found {
	part = strings.ReplaceAll(strings.TrimRight(part, "\r\n"), "\t", "    ")
	n := utf8.RuneCountInString(part)
	if n <= widest {
		return nil
	}
	return []found{{line, line, "width", fmt.Sprintf("%d columns: break the line", n)}}
}

// inPage finds words in a page, outside its markup.
func inPage(text string) []found {
	return inText(markup.ReplaceAllStringFunc(text, func(part string) string {
		return strings.Repeat("\n", strings.Count(part, "\n"))
	}))
}

// inLines finds words in the lines of a text that begins on a line of a file. Last is the line for
// exceptions, or 0 if that is the line of the word.
func inLines(text string, line, last int) (all []found) {
	for part := range strings.Lines(text) {
		for _, word := range words.FindAllString(part, -1) {
			f := found{line, last, "english", fmt.Sprintf("%q: write plainly", word)}
			if last == 0 {
				f.last = line
			}
			all = append(all, f)
		}
		line++
	}
	return all
}

// inGo finds wide lines, and words in comments and strings, or only comments.
func inGo(text string, comments bool) (all []found) {
	line, output := 0, false // output of an example, which cannot be broken
	for part := range strings.Lines(text) {
		line++
		trimmed := strings.TrimSpace(part)
		comment := strings.HasPrefix(trimmed, "//")
		output = comment && (output || trimmed == "// Output:")
		if comments && !comment || output {
			continue
		}
		part = structTag.ReplaceAllString(strings.TrimRight(part, "\r\n"), "")
		all = append(all, tooWide(part, line)...)
	}
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), nil, scanner.ScanComments)
	for {
		at, kind, literal := s.Scan()
		switch kind { //nolint:exhaustive // other tokens have no words
		case token.EOF:
			return all
		case token.COMMENT:
			literal = exception.ReplaceAllString(literal, "")
			all = append(all, inLines(literal, file.Line(at), 0)...)
		case token.STRING:
			if comments {
				continue
			}
			first := file.Line(at)
			all = append(all, inLines(literal, first, first+strings.Count(literal, "\n"))...)
		}
	}
}

// excused returns the findings without an exception, and the exceptions without a finding.
func excused(text string, all []found) (left []found) {
	type place struct {
		line int
		kind string
	}
	used := map[place]bool{} // by exception
	line := 0
	for part := range strings.Lines(text) {
		line++
		for _, m := range exception.FindAllStringSubmatch(part, -1) {
			used[place{line, m[1]}] = false
		}
	}
	for _, f := range all {
		excuse := place{f.line, f.kind}
		if _, ok := used[excuse]; !ok {
			excuse.line = f.last
		}
		if _, ok := used[excuse]; !ok {
			left = append(left, f)
			continue
		}
		used[excuse] = true
	}
	for excuse, needed := range used {
		if !needed {
			what := excuse.kind + ":ok is not needed"
			left = append(left, found{line: excuse.line, kind: excuse.kind, what: what})
		}
	}
	return left
}
