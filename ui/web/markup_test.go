package web

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
)

// An element is a part of a page. That of no name is a text.
type element struct {
	name     string
	attrs    map[string]string
	text     string
	children []*element
	parent   *element
}

var (
	tagForm  = regexp.MustCompile(`(?s)^<(/?)([a-zA-Z][a-zA-Z0-9-]*)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*(/?)>`)
	attrForm = regexp.MustCompile(`([^\s=>/]+)(?:="([^"]*)")?`)
	voids    = []string{"meta", "link", "input", "br", "hr", "img", "rect", "path", "circle"}
)

// parsePage reads a page more strictly than browsers do: every attribute is quoted, every element is closed in its turn, nothing
// is left over.
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
				return nil, fmt.Errorf("no tag: %.80s", text)
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
				return nil, fmt.Errorf("a stray > in %.80q", text[:end])
			}
			at.children = append(at.children, &element{text: html.UnescapeString(text[:end]), parent: at})
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

// each calls f for every element, outer ones first.
func (e *element) each(f func(*element)) {
	if e.name != "" {
		f(e)
	}
	for _, c := range e.children {
		c.each(f)
	}
}

// all returns the elements that a selector asks for: a name, with [key] or [key=value] behind it, of which any may be missing.
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

// one returns the first element that a selector asks for; nil: there is none.
func (e *element) one(selector string) *element {
	if found := e.all(selector); len(found) > 0 {
		return found[0]
	}
	return nil
}

// inner returns the text of an element with single blanks.
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

// within returns the closest element of a name around one; nil: there is none.
func (e *element) within(name string) *element {
	for at := e; at != nil; at = at.parent {
		if at.name == name {
			return at
		}
	}
	return nil
}

// faults returns what is wrong with a page for browsers that obey the policy and for people who cannot see it. A part of a page is
// held to less.
func faults(root *element, whole bool) (list []string) {
	bad := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	ids := map[string]bool{}
	root.each(func(e *element) {
		if id, there := e.attrs["id"]; there && (id == "" || ids[id]) {
			bad("the id %q is there twice, or is empty", id)
		}
		ids[e.attrs["id"]] = true
		for key := range e.attrs {
			if strings.HasPrefix(key, "on") || key == "style" {
				bad("%s has %s inline", e.path(), key)
			}
		}
		for _, key := range []string{"href", "src", "action"} {
			if to, there := e.attrs[key]; there && !(strings.HasPrefix(to, "/") || strings.HasPrefix(to, "#")) || strings.HasPrefix(to, "//") {
				bad("%s leads elsewhere: %s", e.path(), to)
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
					bad("%s: %s=%s leads nowhere", e.path(), key, id)
				}
			}
		}
		switch e.name {
		case "input", "select":
			if e.attrs["type"] != "hidden" && e.within("label") == nil && root.one("label[for="+e.attrs["id"]+"]") == nil {
				bad("%s %v has no label", e.path(), e.attrs)
			}
		case "button", "a", "h1", "h2", "summary", "legend", "label", "th":
			if e.inner() == "" && e.attrs["aria-label"] == "" {
				bad("%s %v says nothing", e.path(), e.attrs)
			}
		case "section", "nav":
			if name := e.attrs["aria-label"] + e.attrs["aria-labelledby"]; name == "" && e.one("h2") == nil {
				bad("%s has no name", e.path())
			}
		case "svg":
			if e.attrs["aria-hidden"] == "" && (e.attrs["role"] != "img" || e.attrs["aria-label"]+e.attrs["aria-labelledby"] == "") {
				bad("%s is a picture without words", e.path())
			}
		}
	})
	if whole {
		list = append(list, wholeFaults(root)...)
	}
	return list
}

func wholeFaults(root *element) (list []string) {
	for _, selector := range []string{"html[lang=en]", "title", "main", "h1", "header", "a[class=brand]", "a[class=skip]", "meta[name=viewport]"} {
		if strings.HasPrefix(selector, "a[") && root.one("div[class=wall]") != nil { // nothing on it can be pressed
			continue
		}
		found := slices.DeleteFunc(root.all(selector), func(e *element) bool { return e.within("svg") != nil })
		if len(found) != 1 || found[0].name != "meta" && found[0].inner() == "" {
			list = append(list, fmt.Sprintf("%d times %s, or nothing in it", len(found), selector))
		}
	}
	return list
}
