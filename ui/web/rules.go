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
	return s.show(w, r, "books",
		page{Title: "Rules", Here: "rules",
			Data: [][]bookCard{cards(digit.Books), cards(digit.Fair)}})
}

// pageRules shows the rules of a book, or of a game that differs from it.
func (s *Server) pageRules(w http.ResponseWriter, r *http.Request) error {
	book, err := digit.FindBook(r.PathValue("book"))
	if err != nil {
		return notFound("there is no such book; there are %s",
			strings.Join(slices.Concat(digit.BookNames(), digit.FairNames()), ", "))
	}
	rules := book.Rules
	if text := r.URL.Query().Get("rules"); text != "" {
		if rules, err = digit.ParseRules(text); err != nil {
			return err
		}
	}
	data := struct {
		Book     bookCard
		Goal     goalView
		Text     string
		Changes  string
		Table    string // the table from which the reader came
		Example  []frame
		Sections []rulebook.Section
		Options  []rulebook.Option
	}{cardOf(rules.Named()), goalOf(rules), rules.String(), changesOf(rules), tableOf(r),
		exampleOf(rules), rulebook.Sections(rules), rulebook.Options(rules)}
	return s.show(w, r, "rules",
		page{Title: "Rules of " + rulebook.Title(rules), Here: "rules", Sheet: "rules.css",
			Data: data})
}

// rulesLink returns the address of the rules of a table, with a link back.
func rulesLink(rules digit.Rules, table string) string {
	return "/rules/" + rules.Named().Name + "?" + url.Values{"rules": {rules.String()},
		"table": {table}}.Encode()
}

// tableOf returns the table in a link to the rules, if it can be the name of one.
func tableOf(r *http.Request) string {
	if id := r.URL.Query().Get("table"); isTableName(id) {
		return id
	}
	return ""
}
