package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licencesName is the name of the file with the licences of other projects.
const licencesName = "THIRD_PARTY_LICENSES.txt"

// legal matches the names of files with licences and notices. Licence matches those of which a
// module needs at least one.
var (
	licence = regexp.MustCompile(`(?i)^(.*[-_.])?(un)?(licen[cs]es?|copying|copyright)([-_.].*)?$`)
	legal   = regexp.MustCompile(licence.String() + `|(?i)^(.*[-_.])?(notices?|patents)([-_.].*)?$`)
)

// licences returns the licences of Go and of each module that is linked into the program for a
// system. A module without a licence is an error.
func licences(root string, system ...string) ([]byte, error) {
	env := append(slices.Clone(portable), system...)
	out, err := command(root, env, "go", "list", "-deps", "-json=Dir,Module", "./cmd/duel")
	if err != nil {
		return nil, err
	}
	files := map[string]map[string]string{} // by module
	for list := json.NewDecoder(bytes.NewReader(out)); ; {
		var listed struct {
			Dir    string
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		if err := list.Decode(&listed); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		m := listed.Module
		if m == nil || m.Main { // a module is nil in the standard library
			continue
		}
		name := m.Path + " " + m.Version
		if files[name] == nil {
			files[name] = map[string]string{}
		}
		for dir := listed.Dir; ; dir = filepath.Dir(dir) { // a package may have its own licence
			if err := addLegal(files[name], m.Dir, dir); err != nil {
				return nil, err
			}
			if dir == m.Dir {
				break
			}
		}
	}
	output, err := command(root, env, "go", "env", "GOVERSION", "GOROOT")
	if err != nil {
		return nil, err
	}
	version, goroot, _ := strings.Cut(strings.TrimSpace(string(output)), "\n")
	goFiles := map[string]string{}
	if err := addLegal(goFiles, goroot, goroot); err != nil {
		return nil, err
	}
	var text bytes.Buffer
	text.WriteString("This program contains Go and the modules below, under their licences.\n")
	if err := write(&text, "Go "+strings.TrimPrefix(version, "go"), goFiles); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := write(&text, name, files[name]); err != nil {
			return nil, err
		}
	}
	return text.Bytes(), nil
}

// addLegal adds the licences and notices in a folder of a module, by their paths in it.
func addLegal(files map[string]string, module, dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if !e.IsDir() && legal.MatchString(e.Name()) && filepath.Ext(e.Name()) != ".go" {
			file := filepath.Join(dir, e.Name())
			files[filepath.ToSlash(strings.TrimPrefix(file, module)[1:])] = file
		}
	}
	return err
}

// write writes the files of a module, at least one of which must be a licence.
func write(text *bytes.Buffer, module string, files map[string]string) error {
	licensed := false
	for _, name := range slices.Sorted(maps.Keys(files)) {
		content, err := os.ReadFile(files[name])
		if err != nil {
			return err
		}
		content = bytes.TrimSpace(content)
		licensed = licensed || licence.MatchString(name) && len(content) > 0
		rule := strings.Repeat("=", 80)
		fmt.Fprintf(text, "\n%s\n%s: %s\n%s\n\n%s\n", rule, module, name, rule, content)
	}
	if !licensed {
		return fmt.Errorf("%s: no licence found, such as a file LICENSE or COPYING", module)
	}
	return nil
}
