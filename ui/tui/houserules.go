package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A houseRules is the page of the house rules: the options that few people change. It has a copy of
// the setup page, which gets the settings in the end.
type houseRules struct {
	setup
	from  *setup
	draft map[string]string // the typed rules by key; they may be invalid
}

func newHouseRules(s *setup) *houseRules {
	h := &houseRules{setup: *s, from: s}
	h.shared = s.study
	h.reset(s.settings.RulesFor(s.book))
	h.form = form{rows: h.list}
	h.focus(nil, 0)
	return h
}

// reset fills the draft with rules.
func (h *houseRules) reset(r digit.Rules) {
	h.draft = map[string]string{}
	for _, o := range r.Options() {
		h.draft[o.Key] = o.Value
	}
}

// parsed returns the typed rules, or why they are invalid.
func (h *houseRules) parsed() (digit.Rules, error) {
	parts := []string{h.book.Name}
	for _, key := range digit.Keys() {
		if h.draft[key] == "" {
			return digit.Rules{}, fmt.Errorf("%s: it is empty", key)
		}
		parts = append(parts, key+"="+strings.ReplaceAll(h.draft[key], " ", ""))
	}
	return digit.ParseRules(strings.Join(parts, " "))
}

// last returns the last valid rules.
func (h *houseRules) last() digit.Rules { return h.settings.RulesFor(h.book) }

func (h *houseRules) upkeep(m *Model) {
	if r, err := h.parsed(); err == nil {
		h.settings = h.settings.withRules(h.book, r)
		h.setup.upkeep(m)
	}
}

func (h *houseRules) list(*Model) []row { return append(h.ruleRows(), h.matchRows()...) }

// houseTerms returns the terms of the table that are house rules.
func houseTerms() []match.Option {
	list := []match.Option{match.FindOption("swap")}
	for _, t := range rulebook.Terms {
		if t.Label != "" {
			list = append(list, t.Option)
		}
	}
	return list
}

// matchRows returns the rows of the table's terms.
func (h *houseRules) matchRows() (list []row) {
	w, r := &h.settings, h.last()
	if !w.RandomOpening {
		swap := row{
			name: "First move", value: "stays whose it is",
			about: "Each player has the moves they made.", change: func(int) { w.Swap = !w.Swap },
		}
		if w.Swap {
			swap.value, swap.about = "may be taken over", rulebook.Swap
		}
		list = append(list, swap)
	}
	for _, t := range rulebook.Terms {
		chosen, ok := t.Chosen(w.Terms)
		if t.Label == "" || !ok || t.Moot != nil && t.Moot(w.Terms, r) != "" {
			continue
		}
		list = append(list, row{
			name: t.Label, value: chosen.Brief, about: t.Means(r, w.Terms),
			// allowed
			change: func(by int) { _ = t.Set(&w.Terms, cycle(t.Choices, chosen, by).Value) },
		})
	}
	return list
}

// lists returns the values of a rule that can be chosen without typing.
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

// typed has the characters that may be typed for some rules, and a description of valid texts.
var typed = map[string]struct{ allowed, about string }{
	"target": {"0123456789", "Or type 2 to 9999, or 0 for none."},
	"width":  {"0123456789", "Or type 1 to 8, or 0 for ends that grow on."},
	"pool":   {"0123456789abcdef,-", "Or type them, as in 0-f or 2,4-8."},
}

func (h *houseRules) ruleRows() (list []row) {
	_, unfit := h.parsed()
	for _, o := range rulebook.Options(h.last()) {
		if o.Moot {
			continue
		}
		key := o.Key
		r := row{name: o.Label, value: o.Brief, about: o.Means}
		if unfit != nil && o.Value != h.draft[key] {
			r.value, r.about = h.draft[key], ""
		}
		if by, ok := typed[key]; ok {
			r.about = strings.TrimSpace(r.about + " " + by.about)
			r.field = &field{text: h.draft[key], most: 24, only: by.allowed}
		}
		r.change = func(by int) { h.draft[key] = h.next(key, by) }
		r.set = func(typed string) string { h.draft[key] = typed; return "" }
		list = append(list, r)
	}
	return list
}

// next returns the value of a rule that is by places after the chosen one.
func (h *houseRules) next(key string, by int) string {
	if values := lists(key); values != nil {
		return cycle(values, h.draft[key], by)
	}
	n, _ := strconv.Atoi(h.draft[key]) // nothing typed is 0
	return strconv.Itoa(max(0, n+by))
}

// refusal explains why no game can be played by these rules.
func (h *houseRules) refusal() string {
	_, err := h.parsed()
	if err == nil {
		err = h.settings.setup().Check()
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// done accepts the rules.
func (h *houseRules) done(m *Model) {
	if h.refusal() == "" {
		h.from.settings = h.settings
		m.pop()
	}
}

func (h *houseRules) keys(m *Model) []binding {
	keys := []binding{on(h.done, "done", "enter")}
	keys = append(keys, h.form.keys(m)...)
	return append(keys,
		on(func(*Model) {
			h.reset(usual(h.book))
			for _, o := range houseTerms() {
				_ = o.Set(&h.settings.Terms, "") // the zero value is allowed
			}
			h.focus(m, h.at)
		}, "back to the book", "u"),
		m.help(), on((*Model).pop, "cancel", "esc", "q"))
}

func (h *houseRules) draw(m *Model, c *canvas) {
	c.header("House rules", rulebook.Title(h.book.Rules), rulebook.Goal(h.last()).Short)
	h.drawPage(m, c, h.outlook(m, h.refusal()), "Done", h.done)
}
