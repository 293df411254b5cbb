package web

import (
	"net/http"
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
		Sections []rulebook.Section
		Options  []rulebook.Option
	}{cardOf(rules.Book()), rules.String(), changesOf(rules), rulebook.Sections(rules), rulebook.Options(rules)}
	return s.show(w, r, http.StatusOK, "rules", page{Title: "Rules of " + rulebook.Title(rules), Here: "rules", Data: data})
}
