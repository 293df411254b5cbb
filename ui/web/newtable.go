package web

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/ui/gate"
)

// A tableForm is the form of a new table, with the answers in it.
type tableForm struct {
	url.Values
	Book      digit.Book
	Changes   bool // the target may change from game to game
	Options   []optionField
	Changed   bool // an option differs from the book
	Alert     string
	Players   []question // about the opponent and the target
	Questions []question // the others
}

const (
	computer           = "computer"  // the opponent is the computer
	computers          = "computers" // two computers play, and the user watches
	samePhone          = "phone"     // two players share this device
	takeTurns          = "turns"     // the player who did not start the last game starts
	toss               = "toss"      // a coin decides who starts
	typedAnswer        = "other"     // the answer is typed
	pairGames          = "pair"      // a series of two games, one started by each player
	swapStart          = "swap"      // the second player may take over the first move
	randomOpeningStart = "lot"       // the games of a pair begin with moves drawn at random
)

// A question is a field of a form with a few answers.
type question struct {
	Name, Text string
	Answers    []formOption
	Other      *typed // for another answer; nil: there is none
	Notes      []string
}

// A typed answer is one that a question does not offer. Its field has the name of the question with
// -other appended.
type typed struct {
	Value, Note string
	Chosen      bool
}

// ask returns a question with its answers, each a value and its text.
func ask(name, text, chosen string, answers ...string) question {
	q := question{Name: name, Text: text}
	for pair := range slices.Chunk(answers, 2) {
		q.Answers = append(q.Answers, formOption{Value: pair[0], Text: pair[1]})
	}
	return q.chosen(chosen)
}

// chosen returns the question with an answer chosen.
func (q question) chosen(value string) question {
	for i := range q.Answers {
		q.Answers[i].Chosen = q.Answers[i].Value == value
	}
	return q
}

// values returns the values of the answers.
func (q question) values() (all []string) {
	for _, o := range q.Answers {
		all = append(all, o.Value)
	}
	return all
}

// askOpponent asks for the opponent. Waiting is the number of players in the lobby.
func askOpponent(chosen string, waiting int) question {
	lobby := "wait in the lobby"
	switch {
	case waiting == 1:
		lobby = "1 player is waiting"
	case waiting > 1:
		lobby = strconv.Itoa(waiting) + " players are waiting"
	}
	return question{Name: "opponent", Text: "Opponent", Answers: []formOption{
		{Value: computer, Text: "Computer", Note: "Private: only you can see this game."},
		{Value: match.Friend, Text: "A friend", Small: "you send a link",
			Note: "Private: only people with the link can see it."},
		{Value: match.Anyone, Text: "Anyone", Small: lobby, Note: "Public: anyone can watch."},
		{Value: samePhone, Text: "Same phone", Small: "you take turns here",
			Note: "Private: stays on this phone."},
	}}.chosen(chosen)
}

// askLevel asks for the strength of a computer.
func askLevel(name, text, chosen string) question {
	q := question{Name: name, Text: text}
	for i, l := range bot.Levels {
		number := strconv.Itoa(i + 1)
		q.Answers = append(q.Answers, formOption{Value: l.Name, Text: number,
			Note: number + ", " + l.Name + ": " + l.Line + "."})
	}
	return q.chosen(chosen)
}

// askFirst asks who starts.
func askFirst(chosen string) question {
	return ask("first", "Who starts", chosen, takeTurns, "Take turns", "1", "Me", "2", "Opponent",
		toss, "Coin toss")
}

// askClock asks for the time of a turn.
func askClock(chosen string) question {
	return ask("turn_time", "Clock for each turn", chosen, "", "None", "15s", "15 s", "30s", "30 s",
		"1m", "60 s")
}

// askTerm asks for a term of the table.
func askTerm(t rulebook.Term, chosen string) question {
	q := question{Name: t.Key(), Text: t.Question}
	chosen = cmp.Or(chosen, t.Choices[0].Value)
	for _, c := range t.Choices {
		q.Answers = append(q.Answers, formOption{Value: c.Value, Text: c.Text})
	}
	q = q.chosen(chosen)
	if t.Typed != "" {
		return q.orTyped(chosen, t.Typed)
	}
	return q
}

// askAim asks for the target of a game, and warns of those that make it short.
func askAim(r digit.Rules, text, chosen string) question {
	q := question{Name: "aim", Text: text}
	for _, r.Target = range rulebook.Aims(r) {
		value := strconv.Itoa(int(r.Target))
		q.Answers = append(q.Answers,
			formOption{Value: value, Text: value, Note: rulebook.Warning(r).Long})
	}
	return q.chosen(chosen).orTyped(chosen, "another number")
}

// orTyped lets the user type another answer. A chosen answer that is not offered was typed.
func (q question) orTyped(chosen, note string) question {
	offered := slices.Contains(q.values(), chosen)
	q.Other = &typed{Note: note, Chosen: !offered}
	if !offered && chosen != typedAnswer {
		q.Other.Value = chosen
	}
	return q
}

// answered returns the answer of a form to a question that allows a typed one. It is the word other
// if nothing was typed.
func answered(form url.Values, name string) string {
	if form.Get(name) != typedAnswer {
		return form.Get(name)
	}
	return cmp.Or(strings.TrimSpace(form.Get(name+"-other")), typedAnswer)
}

// noted adds notes to a question.
func (q question) noted(notes ...string) question {
	q.Notes = notes
	return q
}

// A formOption is a value that a form offers.
type formOption struct {
	Value, Text string
	Small       string // small print
	Note        string // what it means, shown while it is chosen
	Chosen      bool
}

// An optionField is an option of the rules in a form.
type optionField struct {
	rulebook.Option
	Values []formOption // none: it is typed
	Number bool
}

// fill adds the questions and lists of the form to its answers, for a game by some rules.
func (h *tableForm) fill(r digit.Rules) {
	against := askOpponent("", 0)
	against.Answers = append(against.Answers, formOption{Value: computers, Text: "Nobody",
		Small: "you watch two computers", Note: "Public: anyone can watch."})
	h.Players = []question{against.chosen(h.Get("opponent"))}
	if choosesTarget(r) {
		h.Players = append(h.Players, askAim(r, "Multiples of", answered(h.Values, "aim")))
	}
	h.Players = append(h.Players, askLevel("level", "Strength of the computer", h.Get("level")),
		askLevel("other_level", "Strength of the first computer", h.Get("other_level")))
	length := answered(h.Values, "best_of")
	h.Questions = []question{
		askFirst(h.Get("first")),
		ask("best_of", "How long?", length, "0", "one game", pairGames, "two games", "3",
			"best of 3", "5", "best of 5", "7", "best of 7").orTyped(length,
			"an odd number of games, up to 99").noted(rulebook.BestOf(r, rulebook.PairLength)),
		ask("start", "Fair start", h.Get("start"), "", "standard", swapStart, "swap",
			randomOpeningStart, "random opening").noted(rulebook.Swap, rulebook.RandomOpening),
	}
	// with other answers
	possible := match.Terms{BestOf: match.MaxBestOf, TurnTime: match.MaxTurnTime}
	for _, t := range rulebook.Terms {
		if t.Moot == nil || t.Moot(possible, r) == "" {
			h.Questions = append(h.Questions, askTerm(t, answered(h.Values, t.Key())))
		}
	}
	h.Questions = slices.Insert(h.Questions, 5, // after the clock
		ask("hints", "Hints", h.Get("hints"), "computer", "only against the computer", "always",
			"for both players", "never", "none"))
	h.Changes = r.Target != 0
}

// setOptions shows rules in the fields of a form; typed values take precedence.
func (h *tableForm) setOptions(r digit.Rules, typed url.Values) {
	for _, o := range rulebook.Options(r) {
		if v, given := typed[o.Key]; given {
			o.Value = v[0]
		}
		if o.Key == "target" && choosesTarget(r) { // it has a question of its own
			continue
		}
		field := optionField{Option: o, Number: o.Key == "target" || o.Key == "width"}
		for _, value := range rulebook.Values(r, o.Key) {
			field.Values = append(field.Values,
				formOption{Value: value.Value, Text: value.Means, Chosen: value.Value == o.Value})
		}
		h.Options = append(h.Options, field)
	}
}

// rulesOf returns the rules in a form or an address: as one text, or as a book and its options.
func rulesOf(values url.Values) string {
	if text := values.Get("rules"); text != "" {
		return text
	}
	var text strings.Builder
	text.WriteString(values.Get("book"))
	for _, key := range digit.Keys() {
		if value := strings.Join(strings.Fields(values.Get(key)), ""); value != "" {
			text.WriteString(" " + key + "=" + value)
		}
	}
	return text.String()
}

func (s *Server) pageNew(w http.ResponseWriter, r *http.Request) error {
	values := r.URL.Query()
	if rulesOf(values) == "" {
		values.Set("book", digit.Books[0].Name)
	}
	rules, err := digit.ParseRules(rulesOf(values))
	if err != nil {
		return err
	}
	if choosesTarget(rules) && !values.Has("rules") && !values.Has("target") {
		rules.Target = rulebook.UsualAim
	}
	h := tableForm{Values: prefsOf(r).Values(), Book: rules.Named()}
	h.Set("aim", strconv.Itoa(int(rules.Target)))
	h.Set("other_level", h.Get("level"))
	h.Set("best_of", "0")
	h.Set("hints", computer)
	if against := values.Get("against"); against != "" {
		h.Set("opponent", against)
	}
	if h.Get("opponent") == match.Anyone {
		h.Set("first", toss) // the start suits any opponent
	}
	h.Changed = !gate.IsFree(rules)
	h.setOptions(rules, nil)
	return s.showNew(w, r, http.StatusOK, h, rules)
}

func (s *Server) showNew(w http.ResponseWriter, r *http.Request, status int, h tableForm,
	rules digit.Rules) error {
	h.fill(rules)
	h.Players, h.Questions = s.possible(h.Players), s.possible(h.Questions)
	return s.show(w, r, "new", page{Status: status,
		Title: "New table: " + rulebook.Title(h.Book.Rules), Data: h})
}

// complete returns the answers of a form. A button of the home page sends a book, and in older
// pages an opponent with it: "dilemma friend".
func complete(form url.Values) url.Values {
	form = maps.Clone(form)
	if book, against, both := strings.Cut(form.Get("go"), " "); book != "" {
		form.Set("book", book)
		form.Set("hints", computer)
		if both {
			form.Set("opponent", against)
		}
		if form.Get("opponent") == match.Anyone {
			form.Set("first", toss) // the start suits any opponent
		}
	}
	form.Set("level", cmp.Or(form.Get("level"), usualLevel))
	aim := answered(form, "aim")
	if rules, err := digit.ParseRules(form.Get("book")); err == nil && choosesTarget(rules) &&
		aim != "" && aim != typedAnswer {
		form.Set("target", aim)
	}
	return form
}

// orderOf returns the order in the answers of a form, without those that have no effect.
func orderOf(form url.Values) (orderRequest, error) {
	o := orderRequest{Rules: rulesOf(form), Toss: form.Get("first") == toss}
	for _, q := range [][]string{
		{"opponent", computer, match.Friend, match.Anyone, samePhone, computers},
		{"hints", computer, "always", "never"}, {"start", swapStart, randomOpeningStart},
		{"first", "1", "2", toss},
	} {
		if value := form.Get(q[0]); !slices.Contains(q[1:], value) &&
			(value != "" || q[0] == "opponent") {
			return o, invalid("%s %q: allowed: %s", q[0], clip(value), strings.Join(q[1:], ", "))
		}
	}
	opponent, level := form.Get("opponent"), form.Get("level")
	o.Names = []string{form.Get("name"), form.Get("other_name")}
	o.Seats = []string{match.Human, opponent}
	switch opponent {
	case computer:
		o.Seats[1] = level
	case computers:
		o.Seats = []string{cmp.Or(form.Get("other_level"), level), level}
		o.Names[0] = "" // it is the name of the watcher
	case samePhone:
		o.Seats[1] = match.Human
	}
	if answered(form, "aim") == typedAnswer {
		return o, invalid("target: type the other number, or choose one of those that are offered")
	}
	hints, start := form.Get("hints"), form.Get("start")
	o.Hints = hints == "always" || hints == computer && opponent == computer
	o.Swap, o.RandomOpening = start == swapStart, start == randomOpeningStart
	length := answered(form, "best_of")
	if o.Pair = length == pairGames; length != "" && !o.Pair {
		n, err := strconv.Atoi(length)
		if err != nil {
			return o, invalid("best_of %q: allowed: an odd number of games, or %s", clip(length),
				pairGames)
		}
		o.BestOf = n
	}
	rules, _ := digit.ParseRules(o.Rules) // errors in them are reported later
	for _, t := range rulebook.Terms {
		if text := answered(form, t.Key()); t.Set(&o.Terms, text) != nil {
			return o, invalid("%v", t.BadValue(text))
		}
	}
	o.WireTerms = o.Effective(rules).Wire()
	if o.BestOf > 1 && rules.Target != 0 {
		o.Targets = strings.TrimSpace(form.Get("targets"))
	}
	if form.Get("first") == "2" {
		o.First = 2
	}
	return o, nil
}

// postTable opens a table for a visitor, or seats the visitor at a matching table that waits.
func (s *Server) postTable(w http.ResponseWriter, r *http.Request) error {
	form := r.PostForm
	if err := s.Open(s.Address(r)); err != nil {
		return err
	}
	asked := complete(form)
	if asked.Get("first") == takeTurns {
		own, _ := s.ownSeats(r) // without them the visitor starts
		rules, _ := digit.ParseRules(rulesOf(asked))
		first, _ := nextStarter(own, rules, asked.Get("opponent") == computer)
		asked.Set("first", first)
	}
	o, err := orderOf(asked)
	var setup match.Setup
	if err == nil {
		setup, err = s.setup(r, o, "")
	}
	if against := asked.Get("opponent"); s.Alone &&
		(setup.TurnTime > 0 || against == match.Friend || against == match.Anyone) {
		return errAlone
	}
	if err != nil && form.Has("go") {
		return s.refuseSettings(w, r, form, err)
	}
	if err != nil {
		p := s.problemOf(r, err)
		book, wrong := digit.FindBook(asked.Get("book"))
		if p.status != http.StatusUnprocessableEntity || wrong != nil {
			return p
		}
		h := tableForm{Values: asked, Book: book, Changed: true, Alert: p.sentence()}
		h.setOptions(book.Rules, asked)
		return s.showNew(w, r, p.status, h, book.Rules)
	}
	id, token, err := s.place(r, s.browserKey(w, r), setup, asked.Get("first") == toss)
	if err != nil {
		return err
	}
	c := prefsOf(r)
	c.name = asked.Get("name")
	if _, err := bot.ParseLevel(asked.Get("level")); err == nil {
		c.level = asked.Get("level")
	}
	c.keep(w, r, s)
	if token != "" {
		s.giveSeat(w, r, id, token)
	}
	return s.redirect(w, r, "/t/"+id)
}

// place finds a table for a visitor who wants to play by a setup: an open table of the lobby with
// the same terms, or a new one. With anyStart it does not matter who starts. It returns the token
// of the seat, which depends on the key of the browser; a watcher has none.
func (s *Server) place(r *http.Request, key string, setup match.Setup,
	anyStart bool) (table, token string, err error) {
	if setup.Listed {
		waiting, err := s.lobby(r, mostListed, true)
		if err != nil {
			return "", "", err
		}
		for _, t := range waiting {
			if t.Rules != setup.Rules || t.Terms != setup.Terms {
				continue
			}
			if token, err := s.join(r, t.ID, key, setup, anyStart); err == nil {
				return t.ID, token, nil
			}
		}
	}
	id := match.NewID(s.Now())
	if setup.Levels[match.One] == "" {
		token = s.Keys.Fresh(id, match.One, key)
		setup.Seals[match.One] = match.Seal(token)
	}
	if setup.Levels[match.Two] == "" && !setup.Open[match.Two] { // both share the browser
		setup.Seals[match.Two] = match.Seal(s.Keys.Fresh(id, match.Two, key))
	}
	v, err := s.openTable(r, id, setup)
	if err != nil {
		return "", "", err
	}
	defer v.Close()
	return id, token, nil
}

// join takes the open seat of a table in the lobby if its terms match the visitor's own setup, in
// which the visitor has the first seat, and the same browser did not open it.
func (s *Server) join(r *http.Request, table, key string, own match.Setup,
	anyStart bool) (token string, err error) {
	v, err := s.Hall.Visit(r.Context(), table)
	if err != nil {
		return "", err
	}
	defer v.Close()
	state := v.Table.State()
	seat, err := freeSeat(state, viewer{})
	if err != nil {
		return "", err
	}
	name, starts := own.Names[match.One], own.First == match.One
	there := state.Setup
	own.Names, own.Open, own.First, own.Seals = there.Names, there.Open, there.First, there.Seals
	if own.Openings != "" && there.Openings != "" { // either opening will do
		own.Openings = there.Openings
	}
	if own != there || !anyStart && starts != (there.First == seat) ||
		s.known(r, table, state).plays {
		return "", match.ErrTaken
	}
	now, err := s.sit(r.Context(), v, viewer{}, name, key)
	return now.token, err
}
