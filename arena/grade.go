package arena

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"digitduel/arena/answer"
	"digitduel/arena/engine"
	"digitduel/digit"
)

// A Reply is an answer to an item: the text of a move, or none.
type Reply struct {
	Item  int          `json:"item"`
	Move  string       `json:"move"`
	Fault engine.Fault `json:"fault,omitempty"` // why there is no move
	// Run is a hash of everything the answer depends on. It is empty for answers from elsewhere.
	Run string `json:"run,omitempty"`
}

// A Grade is the grade of an exam. An item without an answer, or with an answer that is not a
// legal move, counts as not kept.
type Grade struct {
	Marks
	ByRules      []Marks `json:"by_rules"`
	ByDifficulty []Marks `json:"by_difficulty"`
}

// Marks are the figures of some items. An answer keeps the value of a position or not.
type Marks struct {
	Name       string   `json:"name,omitempty" jsonschema:"the game or the difficulty"`
	Items      int      `json:"items" jsonschema:"how many items"`
	Kept       *float64 `json:"kept" jsonschema:"the share of items whose answer lost nothing"`
	Chance     *float64 `json:"chance" jsonschema:"the share that random moves would keep"`
	Kappa      *float64 `json:"kappa" jsonschema:"(kept - chance) / (1 - chance)"`
	KappaLow   *float64 `json:"kappa_low" jsonschema:"the lower bound of its 95 % interval"`
	KappaHigh  *float64 `json:"kappa_high" jsonschema:"the upper bound of that interval"`
	Unanswered int      `json:"unanswered" jsonschema:"items without an answer"`
	Unreadable int      `json:"unreadable" jsonschema:"answers that are not moves"`
	Illegal    int      `json:"illegal" jsonschema:"answers that are illegal moves"`

	decisions
}

// GradeReplies grades answers, in the words of a disguise if the key has one. It returns an error
// for an answer to an unknown item, or a second answer to one.
func GradeReplies(keys []Key, replies []Reply) (*Grade, error) {
	known, byItem := map[int]bool{}, map[int]Reply{}
	for _, k := range keys {
		known[k.Item] = true
	}
	for _, r := range replies {
		if !known[r.Item] {
			return nil, fmt.Errorf("item %d: answered, but not in the key", r.Item)
		}
		if _, twice := byItem[r.Item]; twice {
			return nil, fmt.Errorf("item %d: answered twice", r.Item)
		}
		byItem[r.Item] = r
	}
	grade := &Grade{}
	for _, difficulty := range []string{Easy, Middle, Hard} {
		grade.ByDifficulty = append(grade.ByDifficulty, Marks{Name: difficulty})
	}
	for i := range keys {
		k := &keys[i]
		verdict, err := k.grade(byItem[k.Item])
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", k.Item, err)
		}
		grade.add(k, verdict)
		find(&grade.ByRules, k.Rules.String()).add(k, verdict)
		find(&grade.ByDifficulty, digit.Printable(k.Difficulty)).add(k, verdict)
	}
	grade.finish()
	for _, list := range [][]Marks{grade.ByRules, grade.ByDifficulty} {
		for i := range list {
			list[i].finish()
		}
	}
	return grade, nil
}

// A verdict is the grade of one answer.
type verdict uint8

const (
	lost verdict = iota
	kept
	unanswered
	unreadable
	illegal
)

// grade returns the verdict on an answer. With a disguise, it has to be a move in its words, even
// if it is one in digits. A digit without a call counts with its best call; with a call it counts
// as called.
func (k *Key) grade(r Reply) (verdict, error) {
	p, err := k.Rules.ParsePosition(k.Position)
	if err != nil {
		return lost, err
	}
	parse := digit.ReadMove
	if k.Disguise != nil {
		d, err := k.Disguised(k.Rules)
		if err != nil {
			return lost, err
		}
		parse = d.ParseMove
	}
	text := strings.TrimSpace(r.Move)
	if text == "" && !r.Fault.Again() {
		return unanswered, nil
	}
	word, _ := answer.Read(text)
	m, err := parse(word)
	if r.Fault != engine.Illegal && err != nil {
		return unreadable, nil
	}
	next, err := k.Rules.Play(p, m)
	if r.Fault == engine.Illegal || err != nil {
		return illegal, nil
	}
	if k.Rules.Result(next).Reason == digit.Miscalled {
		return lost, nil
	}
	if slices.Contains(k.Keeps, m.Uncalled()) {
		return kept, nil
	}
	return lost, nil
}

// find returns the marks with a name, and adds them if there are none.
func find(list *[]Marks, name string) *Marks {
	i := slices.IndexFunc(*list, func(m Marks) bool { return m.Name == name })
	if i < 0 {
		i = len(*list)
		*list = append(*list, Marks{Name: name})
	}
	return &(*list)[i]
}

func (m *Marks) add(k *Key, v verdict) {
	m.Items++
	m.decisions.add(k.Chance, v == kept)
	switch v {
	case unanswered:
		m.Unanswered++
	case unreadable:
		m.Unreadable++
	case illegal:
		m.Illegal++
	case lost, kept:
	}
}

// finish computes the shares.
func (m *Marks) finish() {
	m.Kept, m.Chance = share(m.kept, m.count), share(m.chance, m.count)
	m.Kappa, m.KappaLow, m.KappaHigh = m.kappa(m.count)
}

// Print prints a grade as text.
func (g *Grade) Print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w,
		"\titems\tkept\tchance\tkappa\t95 % from\tto\tunanswered\tunreadable\tillegal\t")
	all := g.Marks
	all.Name = "all"
	for _, m := range slices.Concat([]Marks{all}, g.ByRules, g.ByDifficulty) {
		if m.Items == 0 {
			continue
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t\n",
			m.Name, m.Items, percent(m.Kept), percent(m.Chance),
			figure(m.Kappa, "%.3f"), figure(m.KappaLow, "%.3f"), figure(m.KappaHigh, "%.3f"),
			m.Unanswered, m.Unreadable, m.Illegal)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out,
		"\n%s;\nhard: at most a third of the moves keep, and none wins at once; "+
			"easy: more than two thirds do, or one wins at once\n", Legend)
	return err
}
