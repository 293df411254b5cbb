package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// always are the documents of every archive, whether or not README.md links to them.
var always = []string{"README.md", "CHANGELOG.md", "LICENSE", "deploy/duel.service"}

// link matches the target of a link or a picture in Markdown, without a fragment.
var link = regexp.MustCompile(`\]\(([^)#\s]+)`)

// documents returns the documents of an archive by their paths: those of always, and those that
// README.md links to. A link to a folder stands for the pages in it.
func documents(root string) (map[string][]byte, error) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		return nil, err
	}
	names := always
	for _, found := range link.FindAllStringSubmatch(string(readme), -1) {
		if !strings.Contains(found[1], ":") { // an address of the web or of mail
			names = append(names, path.Clean(found[1]))
		}
	}
	files := map[string][]byte{}
	for _, name := range names {
		file := filepath.Join(root, filepath.FromSlash(name))
		info, err := os.Stat(file)
		if err != nil {
			return nil, fmt.Errorf("README.md links to %s: %w", name, err)
		}
		pages := []string{file}
		if info.IsDir() {
			if pages, err = filepath.Glob(filepath.Join(file, "*.md")); err != nil {
				return nil, err
			}
		}
		for _, page := range pages {
			inner, err := filepath.Rel(root, page)
			if err != nil {
				return nil, err
			}
			if files[filepath.ToSlash(inner)], err = os.ReadFile(page); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}
