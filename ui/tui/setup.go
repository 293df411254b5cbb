package tui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"digitduel/bot"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A setup is the page on which a new game is set up. The settings are saved when the game begins.
type setup struct {
	book digit.Book
	form
	settings Settings
	study    *study
	shared   *study         // of the page below, which still needs it; nil: there is none
	server   *server        // opens the table; nil: it is played here
	games    []digit.Record // the saved games
}

func newSetup(m *Model, b digit.Book) *setup {
	s := &setup{book: b, settings: m.settings}
	if s.settings.Opponent == ComputerFirst { // the page asks for the starter separately
		s.settings.Opponent, s.settings.Levels[match.Two] = Computer, s.settings.Levels[match.One]
	}
	s.settings.Book, s.settings.BotNames = b.Name, [2]string{}
	s.form.rows = s.list
	m.run(func() act {
		games, _ := m.world.Games() // the list of games reports lines that are not games
		return func(*Model) { s.games = games }
	})
	return s
}

// rules returns the rules of the first game.
func (s *setup) rules() digit.Rules { return s.settings.opening(s.book) }

func (s *setup) upkeep(m *Model) {
	if s.study != s.shared && s.study.rules != s.rules() {
		m.forget(s.study)
	}
	m.restudy(&s.study, s.rules())
}

func (s *setup) list(m *Model) (list []row) {
	w, r, here := &s.settings, s.settings.RulesFor(s.book), s.server == nil
	starters, all := firsts, lengths
	if !here {
		starters = firsts[:2]
		all = slices.DeleteFunc(slices.Clone(lengths), func(l length) bool {
			return l.randomOpening
		})
	}
	list = append([]row{s.opponentRow()}, s.seatRows()...)
	if w.Opponent == Computer && here {
		level := w.Levels[match.Two]
		t := coach.TallyOf(s.games, s.rules(), level)
		for i := range list {
			list[i].about += " " + together(rulebook.Tally(level, t.Won, t.Lost, t.Drawn).Long)
		}
	}
	if !here || isFair(s.book) {
		list = slices.Insert(list, 0, s.gameRow(r))
	}
	list = append(list, row{
		name: "Who starts", value: s.starter(), about: "After each game the start changes.",
		change: cycles(starters, &w.First),
	}, row{
		name: "Games", value: w.length().String(), about: s.gamesText(r),
		change: func(by int) {
			next := cycle(all, w.length(), by)
			w.BestOf, w.Pair, w.RandomOpening = next.bestOf, next.pair, next.randomOpening
		},
	})
	if r.Target != 0 && !isFair(s.book) && here { // a fair game depends on its target
		list = append(list, s.targetRow(r))
	}
	list = append(list, row{
		name: "Clock", value: clockName(w.TurnTime), about: rulebook.TurnTime(
			r, w.TurnTime, w.OnTimeout == match.Random),
		change: cycles(clockTimes, &w.TurnTime),
	})
	switch said := rulebook.Help(w.Hints, w.Needs, w.Analysis); {
	case !here:
		about := "Hints are on when both of you agree to them."
		if w.Hints {
			about = "Both of you may ask for hints."
		}
		list = append(list, onOffRow("Hints", about, &w.Hints))
	case w.Opponent != Watch:
		list = append(list, row{
			name: "Help", value: said.Short, about: said.Long,
			change: func(by int) {
				now := cycle(helps, [3]bool{w.Hints, w.Needs, w.Analysis}, by)
				w.Hints, w.Needs, w.Analysis = now[0], now[1], now[2]
			},
		})
	}
	return append(list, row{
		name: "House rules", value: s.changes(),
		about: "Digits, length, when a number wins, what decides at the end, and more.",
		open:  func(m *Model) { m.push(newHouseRules(s)) },
	})
}

// helps are the combinations on offer of hints, needs and analysis.
var helps = [][3]bool{{}, {true}, {true, true}, {true, true, true}}

func (s *setup) opponentRow() row {
	w, list := &s.settings, []Opponent{Person, Computer, Watch}
	said := map[Opponent][2]string{
		Person:   {"a person here", "Two people take turns at this screen."},
		Computer: {"the computer", "You play against the computer."},
		Watch:    {"two computers", "You watch two computers play; + and - change the speed."},
		friend:   {"a friend", "A friend, who gets a link from you."},
		anyone:   {"anyone", "Anyone who finds the table in the list."},
	}
	if s.server != nil {
		list = []Opponent{friend, anyone, Computer}
		said[Computer] = [2]string{
			"the computer there", "You play against the computer of the server.",
		}
	}
	return row{
		name: "Opponent", value: said[w.Opponent][0], about: said[w.Opponent][1],
		change: cycles(list, &w.Opponent),
	}
}

// seatRows returns the rows for the names of people and the levels of computers.
func (s *setup) seatRows() (list []row) {
	w := &s.settings
	for _, seat := range match.Seats {
		name := seat.String()
		switch {
		case computers[w.Opponent][seat]:
			if w.Opponent == Computer {
				name = "Level"
			}
			list = append(list, levelRow(w, seat, name))
		case w.Opponent == Person:
			list = append(list, nameRow(w, seat, name))
		}
	}
	return list
}

// levelRow returns the row for the level of the computer on a seat.
func levelRow(w *Settings, seat match.Seat, name string) row {
	level, _ := bot.ParseLevel(w.Levels[seat]) // it was checked when it was chosen
	return row{
		name: name, value: level.Name, about: rulebook.Complete("it " + level.Line),
		change: cycles(bot.LevelNames(), &w.Levels[seat]),
	}
}

// nameRow returns the row for the name of the player on a seat.
func nameRow(w *Settings, seat match.Seat, name string) row {
	return row{
		name: name, value: cmp.Or(w.Names[seat], "no name"), about: "Type a name, or leave it.",
		field: nameField(w.Names[seat]),
		set: func(typed string) (wrong string) {
			names := w.Names
			name, err := match.CleanName(typed)
			switch names[seat] = name; {
			case err != nil:
			case sameName(names):
				wrong = rulebook.NameTaken.Long
			default:
				w.Names = names
			}
			return wrong
		},
	}
}

// starter returns the name of the starter.
func (s *setup) starter() string {
	people := map[First]string{
		PlayerOne: "you", PlayerTwo: "the computer", CoinToss: "a coin decides",
	}
	if s.server != nil {
		people[PlayerTwo] = "the other player"
	} else if s.settings.Opponent != Computer {
		two := pairOf(s.settings.setup(), match.One)
		people[PlayerOne], people[PlayerTwo] = two.label(digit.First), two.label(digit.Second)
	}
	return people[s.settings.First]
}

// gamesText describes the number of games, and whether it is fair.
func (s *setup) gamesText(r digit.Rules) string {
	text := rulebook.BestOf(r, s.settings.setup().Length())
	switch {
	case s.settings.RandomOpening:
		text += " " + rulebook.RandomOpening
	case !s.settings.Pair && s.study.ready():
		text += " " + coach.Fairer(s.study.solution)
	}
	return strings.TrimSpace(text)
}

// targetRow returns the row for the target: a few to choose from, or a typed one.
func (s *setup) targetRow(r digit.Rules) row {
	set := func(target uint16) {
		next := r
		if next.Target = target; next.Check() == nil && target != 0 {
			s.settings, s.settings.Targets = s.settings.withRules(s.book, next), match.Targets{}
		}
	}
	few := rulebook.Aims(r)
	if few == nil {
		few = []uint16{7, 11, 13}
	}
	row := row{
		name: "Target", value: strconv.Itoa(int(r.Target)), about: s.targetText(r),
		change: func(by int) { set(cycle(few, r.Target, by)) },
		field:  &field{text: strconv.Itoa(int(r.Target)), most: 4, only: "0123456789"},
		set: func(typed string) (wrong string) {
			n, _ := strconv.ParseUint(typed, 10, 16) // nothing typed is 0, which is ignored
			set(uint16(n))
			return ""
		},
	}
	if list := s.settings.targets(r); list != (match.Targets{}) {
		row.value, row.field = strings.ReplaceAll(list.String(), ",", ", "), nil
		row.about = rulebook.Targets(list.List())
	}
	return row
}

// targetText describes the chosen target, with a warning if there is one.
func (s *setup) targetText(r digit.Rules) string {
	i := slices.Index(digit.Keys(), "target")
	text := strings.TrimSpace(rulebook.Options(r)[i].Means + " " + rulebook.Warning(r).Long)
	if rulebook.Aims(r) != nil && r.Target == s.book.Rules.Target {
		text += " It is the book's example."
	}
	return text + " Or type another number."
}

// changes counts the house rules that differ from the book, without the target.
func (s *setup) changes() string {
	r, n := s.settings.RulesFor(s.book), 0
	for i, o := range r.Options() {
		if o.Key != "target" && o != s.book.Rules.Options()[i] {
			n++
		}
	}
	terms := s.settings.setup().Terms
	for _, o := range houseTerms() {
		if o.Get(terms) != "" {
			n++
		}
	}
	if n == 0 {
		return "as in the book"
	}
	return rulebook.Plural(n, "change")
}

var clockTimes = []time.Duration{
	0, 5 * time.Second, 10 * time.Second, 20 * time.Second, 30 * time.Second, time.Minute,
	2 * time.Minute, 5 * time.Minute, 10 * time.Minute,
}

func clockName(d time.Duration) string {
	if d == 0 {
		return "none"
	}
	return rulebook.Duration(d) + " a turn"
}

// onOffRow returns the row of a setting that is on or off.
func onOffRow(name, about string, on *bool) row {
	value := map[bool]string{true: "on", false: "off"}[*on]
	return row{name: name, value: value, about: about, change: func(int) { *on = !*on }}
}

// start opens a table, and saves the settings.
func (s *setup) start(m *Model) {
	if s.refusal() != "" {
		return
	}
	if s.server != nil {
		s.send(m)
		return
	}
	m.settings = s.settings
	m.play(m.settings)
}

// refusal explains why no game can begin.
func (s *setup) refusal() string {
	if err := s.settings.setup().Check(); err != nil {
		return err.Error()
	}
	if s.settings.Opponent != Person && s.study != nil && s.study.err != nil {
		return "The computer cannot play: " + lower(s.study.describe(""))
	}
	return ""
}

// outlook describes who wins with best play, or why no game can begin.
func (s *setup) outlook(m *Model, refusal string) string {
	switch {
	case refusal != "":
		return "✗ " + refusal
	case s.study.ready():
		return coach.Outlook(s.study.solution)
	}
	return s.study.describe(m.spin())
}

func (s *setup) keys(m *Model) []binding {
	if s.writes() {
		return s.typingKeys(m)
	}
	enter := on(s.start, "play", "enter")
	if open := s.current(m).open; open != nil {
		enter = on(open, "open", "enter")
	}
	return append(append([]binding{enter}, s.form.keys(m)...),
		m.rules(s.rules()), m.help(), m.back())
}

func (s *setup) draw(m *Model, c *canvas) {
	right := "new game"
	if s.server != nil {
		right = "at a server"
	}
	if c.class() == compact { // the goal is more important
		right = ""
	}
	c.header(rulebook.Title(s.book.Rules), rulebook.Goal(s.rules()).Short, right)
	s.drawPage(m, c, s.outlook(m, s.refusal()), "Play", s.start)
}

// gameRow returns the row for the game: any at a server, here one of the fair games.
func (s *setup) gameRow(r digit.Rules) row {
	names, about := digit.FairNames(), rulebook.Goal(r).Short+"."
	if fairness, fair := rulebook.FairnessOf(s.book.Rules); fair {
		about = fairness.Reckon
	}
	if s.server != nil {
		names = append(digit.BookNames(), names...)
	}
	return row{
		name: "Game", value: rulebook.Title(s.book.Rules), about: about,
		change: func(by int) {
			s.settings.Book = cycle(names, s.settings.Book, by)
			s.book = book(s.settings.Book)
		},
	}
}
