package cli

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A sitting is a game, or a series, that is played through a pipe, and what came of it.
type sitting struct {
	setup  match.Setup
	toss   bool
	offer  bool
	colour bool

	out   string
	asked []asked
	kept  []string // without tags
	tags  [][]digit.Tag
	state match.State
	err   error
}

// asked is one question: what was said since the answer before it, the prompt, and how the table stood.
type asked struct {
	said, prompt string
	state        match.State
}

// spy is a pipe that notes what is asked.
type spy struct {
	*Pipe
	out   *bytes.Buffer
	read  int // how much of out has been noted
	table *match.Table
	asked []asked
}

func (s *spy) Ask(prompt string) {
	s.asked = append(s.asked, asked{s.out.String()[s.read:], prompt, s.table.State()})
	s.read = s.out.Len() + len(prompt)
	s.Pipe.Ask(prompt)
}

// rulesOf reads rules that must be good.
func rulesOf(t *testing.T, text string) digit.Rules {
	t.Helper()
	r, err := digit.ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// sit plays what is typed under some rules.
func sit(t *testing.T, rules, typed string) *sitting {
	t.Helper()
	s := &sitting{setup: match.Setup{Rules: rulesOf(t, rules)}}
	s.play(t, strings.NewReader(typed))
	return s
}

func (s *sitting) play(t *testing.T, in io.Reader) {
	t.Helper()
	s.setup.FreeUndo = true
	table, err := match.Open(t.Context(), "t", s.setup, new(match.Memory), rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	var out bytes.Buffer
	keyboard := &spy{Pipe: NewPipe(in, &out, false), out: &out, table: table}
	defer keyboard.Close() //nolint:errcheck // a pipe in memory
	game := &Game{Table: table, Keyboard: keyboard, Toss: s.toss, Colour: s.colour, Offer: s.offer, Solve: solving(t), Keep: func(rec digit.Record) error {
		s.tags = append(s.tags, rec.Tags)
		rec.Tags = nil
		s.kept = append(s.kept, rec.String())
		return nil
	}}
	s.err = game.Run(t.Context())
	s.out, s.asked, s.state = out.String(), keyboard.asked, table.State()
}

// solving returns what solves a game.
func solving(t *testing.T) func(digit.Rules) (*solve.Solution, error) {
	return func(r digit.Rules) (*solve.Solution, error) { return solve.Solve(t.Context(), r, solve.Config{}) }
}

// rules returns the text of the rules.
func (s *sitting) rules() string { return s.setup.Rules.String() }

// record returns the only game that was kept.
func (s *sitting) record(t *testing.T) string {
	t.Helper()
	if len(s.kept) != 1 {
		t.Fatalf("%d games were kept, want 1: %q\n%s", len(s.kept), s.kept, s.out)
	}
	return s.kept[0]
}

// last returns what was said after the last answer.
func (s *sitting) last() string {
	i := strings.LastIndex(s.out, s.asked[len(s.asked)-1].prompt+"\n")
	return s.out[i+len(s.asked[len(s.asked)-1].prompt)+1:]
}

// golden compares text with a file under testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got; -update rewrites it):\n%s", path, diff)
	}
}

// wantEnded checks that a game was left because the input ended.
func (s *sitting) wantEnded(t *testing.T) {
	t.Helper()
	if !errors.Is(s.err, ErrEnded) {
		t.Errorf("the game was left with %v, want %v", s.err, ErrEnded)
	}
}
