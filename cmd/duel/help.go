package main

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/rulebook"
)

// helpWidth returns the width of help: that of the terminal, from 60 to 100 columns, or 80 if the
// output is not a terminal.
func helpWidth(cmd *cobra.Command) int {
	if file := terminal(cmd.OutOrStdout()); file != nil {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
			return min(max(width, 60), 100)
		}
	}
	return 80
}

// printHelp prints the help page of a command.
func printHelp(cmd *cobra.Command, _ []string) {
	text := helpPage{width: helpWidth(cmd)}
	if cmd.HasParent() {
		text.command(cmd)
	} else {
		text.overview(cmd)
	}
	cmd.Print(text.String())
}

// A helpPage is help text that is broken into lines of a width.
type helpPage struct {
	strings.Builder
	width int
}

// line writes text after a first indent, and continues it after another one.
func (p *helpPage) line(first, next, text string) {
	line, empty := first, true
	for word := range strings.FieldsSeq(text) {
		switch {
		case empty:
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > p.width:
			p.WriteString(line + "\n")
			line = next
		default:
			line += " "
		}
		line, empty = line+word, false
	}
	p.WriteString(strings.TrimRight(line, " ") + "\n")
}

// rows writes pairs of a label and its text in two columns, the first at least as wide as column.
func (p *helpPage) rows(column int, rows [][2]string) {
	const widest = 28
	for _, row := range rows {
		if n := utf8.RuneCountInString(row[0]); n <= widest {
			column = max(column, n)
		}
	}
	indent := strings.Repeat(" ", 2+column+2)
	for _, row := range rows {
		label := "  " + row[0]
		if n := utf8.RuneCountInString(row[0]); n <= column {
			label += strings.Repeat(" ", column-n+2)
		} else {
			p.WriteString(label + "\n")
			label = indent
		}
		p.line(label, indent, row[1])
	}
}

// paragraphs writes text of one paragraph a line. A line with a tab is a row of a label and text.
func (p *helpPage) paragraphs(text string) {
	var rows [][2]string
	for line := range strings.SplitSeq(text, "\n") {
		label, about, isRow := strings.Cut(line, "\t")
		if isRow {
			rows = append(rows, [2]string{label, about})
			continue
		}
		p.rows(0, rows)
		rows = nil
		p.line("", "", line)
	}
	p.rows(0, rows)
}

// overview writes the page of the program itself.
func (p *helpPage) overview(root *cobra.Command) {
	p.line("", "", root.Short)
	gap := "          "
	if p.width < 80 {
		gap = "\n        "
	}
	p.WriteString("\nUsage:  duel [command]" + gap + "Run duel alone to open the menu.\n\n")
	for _, g := range root.Groups() {
		p.WriteString(g.Title + "\n")
		p.rows(10, commandRows(root, g.ID))
	}
	p.WriteString("\nTry:  duel play dilemma --p2 casual\nMore: duel help ")
	for _, t := range topics {
		p.WriteString(t.name + " | ")
	}
	p.WriteString("COMMAND\n")
}

// command writes the page of a command: a sentence, usage, examples, flags and then details.
func (p *helpPage) command(cmd *cobra.Command) {
	p.line("", "", cmd.Short+".")
	p.WriteString("\n")
	p.line("Usage:  ", "        ", cmd.UseLine())
	if cmd.Example != "" {
		p.WriteString("\nExamples\n")
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			p.WriteString("  " + line + "\n")
		}
	}
	if rows := commandRows(cmd, ""); len(rows) > 0 {
		p.WriteString("\nCommands\n")
		p.rows(10, rows)
	}
	p.flags(cmd)
	if cmd.Long != "" {
		p.WriteString("\n")
		p.paragraphs(cmd.Long)
	}
}

// commandRows returns the commands of a group under a command that are not hidden.
func commandRows(cmd *cobra.Command, group string) (rows [][2]string) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && c.GroupID == group {
			rows = append(rows, [2]string{c.Name(), c.Short})
		}
	}
	return rows
}

// lastFlags are the flags of many commands. They end a section, in this order.
var lastFlags = []string{"seed", "memory", "json", "line", "plain"}

// flagTitle is the annotation of a flag that holds the title of its section.
const flagTitle = "title"

// titled puts the flags that add adds to a set into a section of help.
func titled(flags *pflag.FlagSet, title string, add func()) {
	before := map[string]bool{}
	flags.VisitAll(func(f *pflag.Flag) { before[f.Name] = true })
	add()
	flags.VisitAll(func(f *pflag.Flag) {
		if !before[f.Name] {
			annotate(f, flagTitle, title)
		}
	})
}

// annotate adds an annotation to a flag.
func annotate(f *pflag.Flag, key, value string) {
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[key] = []string{value}
}

// flags writes the flags of a command by section, apart from lastFlags in the order of their
// addition.
func (p *helpPage) flags(cmd *cobra.Command) {
	var all []*pflag.Flag
	cmd.Flags().SortFlags = false
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			all = append(all, f)
		}
	})
	slices.SortStableFunc(all, func(a, b *pflag.Flag) int {
		return slices.Index(lastFlags, a.Name) - slices.Index(lastFlags, b.Name)
	})
	const untitled = "Flags"
	titles, rows := []string{untitled}, map[string][][2]string{}
	for _, f := range all {
		title := append(f.Annotations[flagTitle], untitled)[0]
		if !slices.Contains(titles, title) {
			titles = append(titles, title)
		}
		name := strings.TrimSpace("--" + f.Name + " " + valueName(f))
		rows[title] = append(rows[title], [2]string{name, flagText(f)})
	}
	for _, title := range titles {
		if rows[title] != nil {
			p.WriteString("\n" + title + "\n")
			p.rows(0, rows[title])
		}
	}
}

// flagText returns the text of a flag and, in brackets, its default.
func flagText(f *pflag.Flag) string {
	value := f.DefValue
	if slices.Contains([]string{"", "0", "0s", "false", "[]"}, value) ||
		strings.Contains(f.Usage, "default") {
		return f.Usage
	}
	switch f.Value.Type() {
	case "stringArray":
		value = strings.Trim(value, "[]")
	case "duration":
		if minutes, ok := strings.CutSuffix(value, "m0s"); ok {
			value = minutes + "m"
		}
	}
	if text, ok := strings.CutSuffix(f.Usage, ")"); ok {
		return text + "; default " + value + ")"
	}
	return f.Usage + " (default " + value + ")"
}

// valueNames are the names of the values of flags. A flag has the same one in every command.
var valueNames = map[string]string{
	"addr": "ADDRESS", "api": "URL", "base-url": "URL", "context": "move|game", "csv": "FILE",
	"date": "DATE", "db": "DATABASE", "disguise": "SEED", "exam": "EXAM", "extra": "JSON",
	"filter": "CONDITION", "finished": "AGE", "first": "1|2|random", "format": "FORMAT",
	"header": "NAME=VAR", "html": "FILE", "idle": "AGE", "key": "FILE", "key-env": "VAR",
	"level": "LEVEL", "log-format": "FORMAT", "log-level": "LEVEL", "mcp-out": "DIR",
	"memory": "MIB", "metrics-addr": "ADDRESS", "model": "MODEL", "name": "NAME", "names": "A,B",
	"on-timeout": "lose|random", "opponent": "PLAYER", "out": "PATH", "p1": "PLAYER",
	"p2": "PLAYER", "player": "PLAYER", "price": "IN,OUT", "record": "FILE",
	"rules": "RULES", "seed": "SEED", "server-flag": "FLAG", "sort": "FIGURE", "sprt": "ELO,ELO",
	"sprt-model": "MODEL", "ssh": "ADDRESS", "starts": "STARTS", "svg": "FILE",
	"targets": "N,N…", "tls-cert": "FILE", "tls-key": "FILE", "url": "URL",
}

// valueName returns the name of a flag's value in help, or "" for a switch.
func valueName(f *pflag.Flag) string {
	switch kind := f.Value.Type(); {
	case kind == "bool":
		return ""
	case kind == "duration":
		return "TIME"
	case f.Name != "memory" && (strings.Contains(kind, "int") || kind == "float64"):
		return "N"
	}
	return valueNames[f.Name]
}

// renamed makes flags of a command work by their old names too. Pairs holds old and new names in
// turn. A flag that is given by its old name is annotated with it for [warnRenamed].
func renamed(cmd *cobra.Command, pairs ...string) {
	names := map[string]string{}
	for pair := range slices.Chunk(pairs, 2) {
		names[pair[0]] = pair[1]
	}
	cmd.Flags().SetNormalizeFunc(func(flags *pflag.FlagSet, name string) pflag.NormalizedName {
		now, old := names[name]
		if !old {
			return pflag.NormalizedName(name)
		}
		if f := flags.Lookup(now); f != nil {
			annotate(f, oldName, name)
		}
		return pflag.NormalizedName(now)
	})
}

// oldName is the annotation of a flag that holds the old name it was given by.
const oldName = "old name"

// warnRenamed warns of flags that were given by old names.
func warnRenamed(cmd *cobra.Command, _ []string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		for _, old := range f.Annotations[oldName] {
			cmd.PrintErrf("duel: --%s is deprecated, use --%s\n", old, f.Name)
		}
	})
}

// topics are the help pages that are not about a command.
var topics = []struct {
	name, title string
	write       func(*helpPage)
}{
	{"games", "The games", gamesTopic},
	{"levels", "The levels of the computer", levelsTopic},
	{"options", "The options of the rules", optionsTopic},
}

func gamesTopic(p *helpPage) {
	for _, list := range []struct {
		title string
		books []digit.Book
	}{{"Rulebooks", digit.Books}, {"Fair games", digit.Fair}} {
		p.WriteString(list.title + "\n")
		var rows [][2]string
		for _, b := range list.books {
			rows = append(rows, [2]string{b.Name, b.Title + ": " + rulebook.Line(b.Rules)})
		}
		p.rows(12, rows)
		p.WriteString("\n")
	}
	p.paragraphs("duel rules GAME shows the rules of a game, and duel play GAME starts one. " +
		"Its rules can be changed by options: see duel help options.")
}

func levelsTopic(p *helpPage) {
	var rows [][2]string
	for _, l := range bot.Levels {
		rows = append(rows, [2]string{l.Name, l.Line})
	}
	p.rows(0, rows)
	p.WriteString("\n")
	p.paragraphs("A PLAYER is human, a level, or engine:COMMAND, a program that speaks the " +
		"engine protocol (docs/protocol.md). docs/levels.md shows how the levels compare.")
}

func optionsTopic(p *helpPage) {
	p.paragraphs("Options change the rules of a game: duel play dilemma target=11 pool=1-9.\n")
	p.rows(0, [][2]string{
		{"target=N", "the number whose multiples count: 2 to 9999, or 0 for none"},
		{"pool=DIGITS", "the digits to take: 0-9, 1-9, 1-f, 2,4-8 and so on"},
		{"zero=WORD", "a number that begins with 0: " + strings.Join(digit.Values("zero"), ", ")},
		{"width=N", "the digits of a number: 1 to 8, or 0 with place=ends for no limit"},
		{"place=WORD", "the way digits are placed: " + strings.Join(digit.Values("place"), ", ")},
		{"win=WORD", "when a multiple wins: " + strings.Join(digit.Values("win"), ", ")},
		{"final=WORD,…", "the comparison when no multiple won, in the order of the words: " +
			strings.Join(digit.Values("final"), ", ")},
	})
	p.WriteString("\n")
	p.paragraphs("duel rules GAME shows the options of a game and their meaning. Options that do " +
		"not fit together are refused with the reason.")
}

func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "help [COMMAND | games | levels | options]",
		Short:  "Show help for a command",
		Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, t := range topics {
				if len(args) == 1 && args[0] == t.name {
					p := helpPage{width: helpWidth(cmd)}
					p.WriteString(t.title + "\n\n")
					t.write(&p)
					cmd.Print(p.String())
					return nil
				}
			}
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(cmd.Root(), strings.Join(args, " "))
			}
			return about.Help()
		},
	}
}
