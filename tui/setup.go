package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A setup is the page on which a game of a book is chosen.
type setup struct {
	book  digit.Book
	rows  rows
	draft map[string]string // the rules and the targets as they are typed, by key; they may not fit yet
	study *study
}

// targets is the key of what is typed for the targets of a series.
const targets = "targets"

func newSetup(m *Model, b digit.Book) *setup {
	s := &setup{book: b}
	s.reset(m.wishes.rules(b))
	s.draft[targets] = m.wishes.Targets.String()
	return s
}

// reset takes over rules.
func (s *setup) reset(r digit.Rules) {
	s.draft = map[string]string{}
	for _, o := range r.Options() {
		s.draft[o.Key] = o.Value
	}
}

// rules returns the rules as they are typed, or what is wrong with them.
func (s *setup) rules() (digit.Rules, error) {
	var text strings.Builder
	text.WriteString(s.book.Name)
	for _, key := range digit.Keys() {
		if s.draft[key] == "" {
			return digit.Rules{}, fmt.Errorf("%s: it is empty", key)
		}
		text.WriteString(" " + key + "=" + strings.ReplaceAll(s.draft[key], " ", ""))
	}
	return digit.ParseRules(text.String())
}

// series returns the targets of a series as they are typed, or what is wrong with them; nothing typed is none.
func (s *setup) series() (match.Targets, error) {
	if s.draft[targets] == "" {
		return match.Targets{}, nil
	}
	return match.ParseTargets(s.draft[targets])
}

func (s *setup) upkeep(m *Model) tea.Cmd {
	if list, err := s.series(); err == nil {
		m.wishes.Targets = list
	}
	r, err := s.rules()
	if err != nil {
		return nil
	}
	if m.wishes.rules(s.book) != r {
		m.wishes = m.wishes.withRules(s.book, r)
	}
	r = m.wishes.opening(s.book)
	if s.study != nil && s.study.rules == r {
		return nil
	}
	m.forget(s.study)
	var cmd tea.Cmd
	s.study, cmd = m.study(r)
	return cmd
}

func (s *setup) moving(m *Model) bool { return m.top() == page(s) && s.study.working() }

// list returns all rows: those of the match, then those of the rules.
func (s *setup) list(m *Model) []row { return append(s.matchRows(m), s.ruleRows(m)...) }

func (s *setup) matchRows(m *Model) []row {
	w := &m.wishes
	r := w.rules(s.book) // the last ones that fit
	sit := map[Opponent][2]string{
		Person:        {"a person here", "Two people take turns at this screen."},
		Computer:      {"the computer", "You are Player 1, the computer is Player 2."},
		ComputerFirst: {"the computer", "The computer is Player 1, you are Player 2."},
		Watch:         {"two computers", "You watch two computers play; + and - change the speed."},
	}[w.Opponent]
	list := []row{{name: "Opponent", value: sit[0], tells: sit[1], change: func(by int) { w.Opponent = cycle(opponents, w.Opponent, by) }}}
	for seat, p := range w.sitters() {
		name := fmt.Sprintf("Player %d", seat+1)
		if p.kind == machine {
			list = append(list, row{
				name: name, value: capital(p.level.Name) + " bot", tells: sentence("it " + p.level.Line),
				change: func(by int) { w.Levels[seat] = cycle(bot.LevelNames(), w.Levels[seat], by) },
			})
			continue
		}
		value := w.Names[seat]
		if value == "" {
			value = "(no name)"
		}
		list = append(list, row{
			name: name, value: value, tells: "Type a name, or leave it.", field: nameField(w.Names[seat]),
			set: func(typed string) {
				names := w.Names
				names[seat] = strings.TrimLeft(typed, " ")
				if match.CheckName(names[seat]) == nil && !sameName(names) {
					w.Names = names
				}
			},
		})
	}
	list = append(list, row{
		name: "First move", value: map[First]string{PlayerOne: "Player 1", PlayerTwo: "Player 2", CoinToss: "coin toss"}[w.First], tells: "Who starts the first game; after it the start changes hands.",
		change: func(by int) { w.First = cycle(firsts, w.First, by) },
	}, row{
		name: "Series", value: seriesName(w.BestOf), tells: rulebook.BestOf(r, w.BestOf),
		change: func(by int) { w.BestOf = cycle([]int{0, 3, 5, 7, 9, 11, 21, 99}, w.BestOf, by) },
	})
	if w.mayVary(r) {
		list = append(list, row{
			name: "Targets", value: cmp.Or(s.draft[targets], "all the same"), tells: targetsText(w.Targets),
			field: &field{text: s.draft[targets], most: 48, allows: func(r rune) bool { return strings.ContainsRune("0123456789,", r) }},
			set:   func(typed string) { s.draft[targets] = typed },
		})
	}
	list = append(list, row{
		name: "Clock", value: clockName(w.TurnTime), tells: rulebook.TurnTime(r, w.TurnTime, w.OnTimeout == match.Random),
		change: func(by int) { w.TurnTime = cycle(clockTimes, w.TurnTime, by) },
	})
	if w.TurnTime > 0 {
		list = append(list, row{
			name: "Out of time", value: []string{"loses", "random move"}[w.OnTimeout], tells: rulebook.TurnTime(r, w.TurnTime, w.OnTimeout == match.Random),
			change: func(int) { w.OnTimeout = match.Random - w.OnTimeout },
		})
	}
	list = append(list, row{
		name: "Hints", value: onOff(w.Hints), tells: rulebook.Help(w.Hints),
		change: func(int) { w.Hints = !w.Hints },
	})
	if r.Win == digit.OnCall {
		list = append(list, row{
			name: "Auto-call", value: onOff(w.AutoCall), tells: rulebook.Calls(w.AutoCall),
			change: func(int) { w.AutoCall = !w.AutoCall },
		})
	}
	return list
}

var clockTimes = []time.Duration{0, 5 * time.Second, 10 * time.Second, 20 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute}

func clockName(d time.Duration) string {
	if d == 0 {
		return "none"
	}
	return rulebook.Duration(d) + " a turn"
}

func seriesName(bestOf int) string {
	if bestOf == 0 {
		return "one game"
	}
	return fmt.Sprintf("best of %d", bestOf)
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// targetsText tells the targets of a series, and how to choose them.
func targetsText(t match.Targets) string {
	text := "Every game of the series has the same target."
	if t != (match.Targets{}) {
		text = rulebook.Targets(t.List())
	}
	return text + " Type a target for each game, as in 11,13,17; after the last one comes the first again."
}

// lists returns what can be chosen of a key of the rules without typing.
func lists(key string) []string {
	switch key {
	case "pool":
		return []string{"0-9", "1-9", "0-7", "1-6", "0-f", "1-f"}
	case "final":
		finals := []string{digit.Final{}.String()}
		for _, b := range digit.Books {
			if final := b.Rules.Final.String(); !slices.Contains(finals, final) {
				finals = append(finals, final)
			}
		}
		return finals
	default:
		return digit.Values(key)
	}
}

// typed are the characters that may be typed for the keys of rules that are typed.
var typed = map[string]string{"target": "0123456789", "width": "0123456789", "pool": "0123456789abcdef,-", "final": "abcdefghijklmnopqrstuvwxyz,"}

func (s *setup) ruleRows(m *Model) []row {
	var list []row
	for _, o := range rulebook.Options(m.wishes.rules(s.book)) {
		key := o.Key
		r := row{name: capital(key), value: s.draft[key], tells: o.Label + ": " + o.Means}
		if o.Value != s.draft[key] { // what is typed does not fit
			r.tells = o.Label + "."
		}
		if allowed := typed[key]; allowed != "" {
			r.tells += " Allowed: " + o.Allowed + "."
			r.field = &field{text: s.draft[key], most: 48, allows: func(r rune) bool { return strings.ContainsRune(allowed, r) }}
		}
		r.change = func(by int) {
			if values := lists(key); values != nil {
				s.draft[key] = cycle(values, s.draft[key], by)
				return
			}
			n, _ := strconv.Atoi(s.draft[key]) // nothing typed is 0
			s.draft[key] = strconv.Itoa(max(0, n+by))
		}
		r.set = func(typed string) { s.draft[key] = typed }
		list = append(list, r)
	}
	return list
}

// typing implements typist.
func (s *setup) typing() *field { return s.rows.field }

// typed implements typist.
func (s *setup) typed(m *Model) { s.rows.current(s.list(m)).set(s.rows.field.text) }

// start opens a table if the rules allow it.
func (s *setup) start(m *Model) tea.Cmd {
	if s.refusal(m) != "" {
		return nil
	}
	return m.play(m.wishes)
}

// refusal says why no game can begin.
func (s *setup) refusal(m *Model) string {
	_, err := s.rules()
	if _, wrong := s.series(); err == nil && m.wishes.mayVary(m.wishes.rules(s.book)) {
		err = wrong
	}
	if err == nil {
		err = m.wishes.setup(match.One).Check()
	}
	if err != nil {
		return err.Error()
	}
	if m.wishes.Opponent != Person && s.study != nil && s.study.err != nil {
		return "the computer cannot play: " + lower(s.study.tells(""))
	}
	return ""
}

func (s *setup) keys(m *Model) []binding {
	keys := []binding{on(func() tea.Cmd { return s.start(m) }, "start", "enter")}
	keys = append(keys, s.rows.keys(m, s.list)...)
	return append(keys,
		on(func() tea.Cmd { s.reset(s.book.Rules); s.rows.focus(s.list(m), s.rows.at); return nil }, "the book's rules", "ctrl+r"),
		on(func() tea.Cmd {
			if _, err := s.rules(); err == nil {
				m.push(rulesPage(m.wishes.opening(s.book)))
			}
			return nil
		}, "rules", "r", "R"),
		m.help(), m.back("menu"))
}

func (s *setup) draw(m *Model, c *canvas) {
	st := c.stage()
	c.header(rulebook.Title(s.book.Rules), rulebook.Goal(m.wishes.opening(s.book)).Short, "set up a game")
	half := (st.w - 6) / 2
	matches, rules := s.matchRows(m), s.ruleRows(m)
	y := st.y + 2
	columns := []struct {
		x    int
		name string
		from int
		n    int
	}{{st.x + 2, "THE MATCH", 0, len(matches)}, {st.x + 4 + half, "THE RULES", len(matches), len(rules)}}
	for _, col := range columns {
		c.text(col.x, y, style{fg: quiet}, col.name)
		for i := range col.n {
			s.rows.drawRow(m, c, rect{col.x, y + 1 + i, half, 1}, s.list, col.from+i, 12)
		}
	}
	y = st.y + 14
	c.rule(st.x+1, y-1, st.w-2, style{fg: faint})
	c.paragraph(st.x+2, y, st.w-4, 3, style{}, s.rows.current(s.list(m)).tells)
	y += 3
	_, err := s.rules()
	r := m.wishes.opening(s.book)
	if err == nil {
		x := c.text(st.x+2, y, style{fg: quiet}, "These rules  ")
		c.within(x, y, st.x+st.w-2-x, style{bold: true}, r.String())
	}
	if why := s.refusal(m); why == "" {
		c.within(st.x+2, y+1, st.w-4, style{}, s.study.best(m.spin()))
	} else {
		c.paragraph(st.x+2, y+1, st.w-4, 2, style{fg: bad, bold: true}, "✗ "+why)
	}
	x := c.button(st.x+2, y+3, "Start", s.refusal(m) == "", func() tea.Cmd { return s.start(m) })
	c.button(x+2, y+3, "Back", false, func() tea.Cmd { m.pop(); return nil })
	if room := st.h - 2 - (y + 5 - st.y); room > 6 && err == nil {
		in := c.panel(rect{st.x + 1, y + 5, st.w - 2, room}, thin, style{fg: faint}, style{fg: accent, bold: true}, "How it is played")
		c.paragraph(in.x+2, in.y, in.w-4, in.h, style{}, rulebook.Goal(r).Long)
	}
}

func (s *setup) say(m *Model) []string {
	list := s.list(m)
	lines := []string{"Set up a game of " + rulebook.Title(s.book.Rules) + ": " + rulebook.Goal(m.wishes.opening(s.book)).Short + ".", "Here: " + s.rows.sayRow(list, min(s.rows.at, len(list)-1))}
	_, err := s.rules()
	r := m.wishes.opening(s.book)
	if err == nil {
		lines = append(lines, "These rules: "+r.String()+". "+s.study.best(m.spin()))
	}
	if why := s.refusal(m); why != "" {
		lines = append(lines, "No game can start: "+why)
	}
	matches := len(s.matchRows(m))
	lines = append(lines, "The match:")
	for i := range list {
		if i == matches {
			lines = append(lines, "The rules:")
		}
		lines = append(lines, s.rows.sayRow(list, i))
	}
	if err == nil {
		lines = append(lines, "How it is played: "+rulebook.Goal(r).Spoken)
	}
	return append(lines, "Enter starts the game; Esc goes back to the menu.")
}
