package web

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
)

// An element is a node of a page. A text node has no name.
type element struct {
	name     string
	attrs    map[string]string
	text     string
	children []*element
	parent   *element
}

var (
	tagForm = regexp.MustCompile(`(?s)^<(/?)([a-zA-Z][a-zA-Z0-9-]*)` +
		`((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*(/?)>`)
	attrForm = regexp.MustCompile(`([^\s=>/]+)(?:="([^"]*)")?`)
	voids    = []string{"meta", "link", "input", "br", "hr", "img", "rect", "path", "circle"}
)

// parsePage parses a page more strictly than browsers do: attributes must be quoted, and elements
// closed in order.
func parsePage(text string) (*element, error) {
	root := &element{name: "page"}
	at := root
	for text != "" {
		switch {
		case strings.HasPrefix(text, "<!doctype html>"):
			text = text[len("<!doctype html>"):]
		case text[0] == '<':
			tag := tagForm.FindStringSubmatch(text)
			if tag == nil {
				return nil, fmt.Errorf("invalid tag: %.80s", text)
			}
			text = text[len(tag[0]):]
			if tag[1] != "" {
				if tag[2] != at.name {
					return nil, fmt.Errorf("%s is closed by </%s>", at.path(), tag[2])
				}
				at = at.parent
				continue
			}
			e := &element{name: tag[2], attrs: map[string]string{}, parent: at}
			for _, a := range attrForm.FindAllStringSubmatch(tag[3], -1) {
				if _, twice := e.attrs[a[1]]; twice {
					return nil, fmt.Errorf("%s has %s twice", e.path(), a[1])
				}
				e.attrs[a[1]] = html.UnescapeString(a[2])
			}
			at.children = append(at.children, e)
			if !slices.Contains(voids, e.name) {
				at = e
			}
		default:
			end := strings.IndexByte(text, '<')
			if end < 0 {
				end = len(text)
			}
			if strings.Contains(text[:end], ">") {
				return nil, fmt.Errorf("stray > in %.80q", text[:end])
			}
			node := &element{text: html.UnescapeString(text[:end]), parent: at}
			at.children = append(at.children, node)
			text = text[end:]
		}
	}
	if at != root {
		return nil, fmt.Errorf("%s is not closed", at.path())
	}
	return root, nil
}

func (e *element) path() string {
	if e.parent == nil {
		return e.name
	}
	return e.parent.path() + " " + e.name
}

// each calls f for every element, parents first.
func (e *element) each(f func(*element)) {
	if e.name != "" {
		f(e)
	}
	for _, c := range e.children {
		c.each(f)
	}
}

// all returns the elements that match a selector: a name, [key] or [key=value], or a name followed
// by one of them.
func (e *element) all(selector string) (found []*element) {
	name, rest, _ := strings.Cut(selector, "[")
	key, value, hasValue := strings.Cut(strings.TrimSuffix(rest, "]"), "=")
	e.each(func(c *element) {
		have, there := c.attrs[key]
		if (name == "" || c.name == name) && (key == "" || there && (!hasValue || have == value)) {
			found = append(found, c)
		}
	})
	return found
}

// one returns the first element that matches a selector, or nil.
func (e *element) one(selector string) *element {
	if found := e.all(selector); len(found) > 0 {
		return found[0]
	}
	return nil
}

// inner returns the text of an element, with each run of spaces replaced by one.
func (e *element) inner() string {
	if e == nil {
		return ""
	}
	var b strings.Builder
	var add func(*element)
	add = func(e *element) {
		b.WriteString(e.text)
		for _, c := range e.children {
			add(c)
		}
	}
	add(e)
	return strings.Join(strings.Fields(b.String()), " ")
}

// within returns the closest ancestor with a name, or e itself if it has that name, or nil.
func (e *element) within(name string) *element {
	for at := e; at != nil; at = at.parent {
		if at.name == name {
			return at
		}
	}
	return nil
}

// faults lists violations of the content security policy and of accessibility rules on a page. If
// whole is false, root is a part of a page, which needs no title or heading.
func faults(root *element, whole bool) (list []string) {
	bad := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	ids := map[string]bool{}
	root.each(func(e *element) {
		if id, there := e.attrs["id"]; there && (id == "" || ids[id]) {
			bad("the ID %q is duplicate or empty", id)
		}
		ids[e.attrs["id"]] = true
		for key := range e.attrs {
			if strings.HasPrefix(key, "on") || key == "style" {
				bad("%s has %s inline", e.path(), key)
			}
		}
		for _, key := range []string{"href", "src", "action"} {
			to, there := e.attrs[key]
			local := strings.HasPrefix(to, "/") || strings.HasPrefix(to, "#")
			if there && !local || strings.HasPrefix(to, "//") {
				bad("%s links to another site: %s", e.path(), to)
			}
		}
		if e.name == "style" || e.name == "script" && (e.attrs["src"] == "" || e.inner() != "") {
			bad("%s is inline", e.path())
		}
	})
	root.each(func(e *element) {
		for _, key := range []string{"for", "aria-labelledby", "aria-describedby"} {
			for id := range strings.FieldsSeq(e.attrs[key]) {
				if !ids[id] {
					bad("%s: %s=%s refers to no element", e.path(), key, id)
				}
			}
		}
		switch e.name {
		case "input", "select":
			labelled := e.within("label") != nil || root.one("label[for="+e.attrs["id"]+"]") != nil
			if e.attrs["type"] != "hidden" && !labelled {
				bad("%s %v has no label", e.path(), e.attrs)
			}
		case "button", "a", "h1", "h2", "summary", "legend", "label", "th":
			if e.inner() == "" && e.attrs["aria-label"] == "" {
				bad("%s %v has no text", e.path(), e.attrs)
			}
		case "section", "nav":
			name := e.attrs["aria-label"] + e.attrs["aria-labelledby"]
			if name == "" && e.one("h2") == nil {
				bad("%s has no accessible name", e.path())
			}
		case "svg":
			name := e.attrs["aria-label"] + e.attrs["aria-labelledby"]
			if e.attrs["aria-hidden"] == "" && (e.attrs["role"] != "img" || name == "") {
				bad("%s is a picture without an accessible name", e.path())
			}
		}
	})
	if whole {
		list = append(list, wholeFaults(root)...)
	}
	return list
}

// wholeFaults lists the elements that a page must have exactly once but root does not.
func wholeFaults(root *element) (list []string) {
	for _, selector := range []string{
		"html[lang=en]", "title", "main", "h1", "header", "a[class=brand]", "a[class=skip]",
		"meta[name=viewport]",
	} {
		if strings.HasPrefix(selector, "a[") && root.one("div[class=wall]") != nil {
			continue // the wall display of a class has no links
		}
		inPicture := func(e *element) bool { return e.within("svg") != nil }
		found := slices.DeleteFunc(root.all(selector), inPicture)
		if len(found) != 1 || found[0].name != "meta" && found[0].inner() == "" {
			list = append(list,
				fmt.Sprintf("%d elements %s, or an empty one; want one", len(found), selector))
		}
	}
	return list
}
