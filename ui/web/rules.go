package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

func (s *Server) pageBooks(w http.ResponseWriter, r *http.Request) error {
	return s.show(w, r, "books",
		page{Title: "Rules", Here: "rules",
			Data: [][]digit.Book{digit.Books, digit.Fair}})
}

// pageRules shows the rules of a book, or of a game that differs from it.
func (s *Server) pageRules(w http.ResponseWriter, r *http.Request) error {
	book, err := digit.FindBook(r.PathValue("book"))
	if err != nil {
		return notFound("there is no such book; there are %s",
			strings.Join(digit.AllNames(), ", "))
	}
	rules := book.Rules
	if text := r.URL.Query().Get("rules"); text != "" {
		if rules, err = digit.ParseRules(text); err != nil {
			return err
		}
	}
	data := struct {
		Rules    digit.Rules
		Table    string // the table from which the reader came
		Example  []frame
		Sections []rulebook.Section
		Options  []rulebook.Option
	}{rules, tableOf(r), exampleOf(rules), rulebook.Sections(rules), rulebook.Options(rules)}
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

// A frame is one picture of a worked example, with its text.
type frame struct {
	Boards       [2]board
	Long, Spoken string
}

// exampleMoves is the number of moves in an example, the last ones of a game.
const exampleMoves = 3

// exampleOf returns the end of the game in the lesson of a book: a position and the moves from
// there. It is empty for games without a lesson.
func exampleOf(r digit.Rules) (frames []frame) {
	i := slices.IndexFunc(rulebook.Lessons,
		func(l rulebook.Lesson) bool { return l.Record().Rules == r })
	if i < 0 {
		return nil
	}
	cast := rulebook.Cast{Names: [2]string{"Ada", "Ben"}}
	line := rulebook.Lessons[i].Record().Moves
	from := len(line) - exampleMoves
	p := match.State{Setup: match.Setup{Rules: r}, Moves: line}.PositionAt(from)
	frames = append(frames, frameOf(r, p, nil, cast, rulebook.Stands(r, p, cast)))
	for _, m := range line[from:] {
		next, _ := r.Play(p, m) // it is legal
		frames = append(frames, frameOf(r, next, &m, cast,
			rulebook.Played(r, p, m, cast, rulebook.Player)))
		p = next
	}
	return frames
}

func frameOf(r digit.Rules, p digit.Position, last *digit.Move, cast rulebook.Cast,
	said rulebook.Said) frame {
	f := frame{Long: said.Long, Spoken: said.Spoken}
	for side := range digit.Side(2) {
		f.Boards[side] = numberOf(r, p, side, match.Seat(side), cast.Names[side], false, last)
	}
	return f
}
