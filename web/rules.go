package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
)

func (s *Server) pageBooks(w http.ResponseWriter, r *http.Request) error {
	return s.show(w, r, http.StatusOK, "books", page{Title: "Rules", Here: "rules", Data: cards()})
}

// pageRules tells the rules of a book, or of a game that differs from it.
func (s *Server) pageRules(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("book")
	i := slices.IndexFunc(digit.Books, func(b digit.Book) bool { return b.Name == name })
	if i < 0 {
		return &problem{status: http.StatusNotFound, text: "there is no such book; there are " + strings.Join(digit.BookNames(), ", ")}
	}
	rules := digit.Books[i].Rules
	if text := r.URL.Query().Get("rules"); text != "" {
		var err error
		if rules, err = digit.ParseRules(text); err != nil {
			return err
		}
	}
	data := struct {
		Book     bookCard
		Text     string
		Changes  string
		Table    string // from where somebody came to read the rules
		Example  []frame
		Sections []rulebook.Section
		Options  []rulebook.Option
	}{cardOf(rules.Book()), rules.String(), changesOf(rules), tableOf(r), exampleOf(rules), rulebook.Sections(rules), rulebook.Options(rules)}
	return s.show(w, r, http.StatusOK, "rules", page{Title: "Rules of " + rulebook.Title(rules), Here: "rules", Data: data})
}

// rulesLink returns the address of the rules of a table, with a way back.
func rulesLink(rules digit.Rules, table string) string {
	return "/rules/" + rules.Book().Name + "?" + url.Values{"rules": {rules.String()}, "table": {table}}.Encode()
}

// tableOf returns the table that a link to the rules names, if that can be the name of one.
func tableOf(r *http.Request) string {
	if id := r.URL.Query().Get("table"); isTableName(id) {
		return id
	}
	return ""
}
