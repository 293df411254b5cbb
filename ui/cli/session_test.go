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

// A session is a game or a series that is played through a pipe, with its results.
type session struct {
	setup  match.Setup
	toss   bool
	offer  bool
	colour bool

	out   string
	asked []asked
	kept  []string // the saved games, without tags
	tags  [][]digit.Tag
	state match.State
	err   error
}

// asked is a prompt, with the output since the prompt before it and the state of the table.
type asked struct {
	said, prompt string
	state        match.State
}

// spy is a pipe that records the prompts.
type spy struct {
	*Pipe
	out   *bytes.Buffer
	read  int // the length of the output before the last answer
	table *match.Table
	asked []asked
}

func (s *spy) Ask(prompt string) {
	s.asked = append(s.asked, asked{s.out.String()[s.read:], prompt, s.table.State()})
	s.read = s.out.Len() + len(prompt)
	s.Pipe.Ask(prompt)
}

// rulesOf parses rules, and fails if they are invalid.
func rulesOf(t *testing.T, text string) digit.Rules {
	t.Helper()
	r, err := digit.ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// playTyped plays a session with rules and typed lines.
func playTyped(t *testing.T, rules, typed string) *session {
	t.Helper()
	s := &session{setup: match.Setup{Rules: rulesOf(t, rules)}}
	s.play(t, strings.NewReader(typed))
	return s
}

func (s *session) play(t *testing.T, in io.Reader) {
	t.Helper()
	s.setup.FreeUndo = true
	rng := rand.New(rand.NewPCG(1, 1))
	table, err := match.Open(t.Context(), "t", s.setup, new(match.Memory), rng)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	var out bytes.Buffer
	keyboard := &spy{Pipe: NewPipe(in, &out, false), out: &out, table: table}
	defer keyboard.Close() //nolint:errcheck // a pipe in memory
	game := &Game{
		Table: table, Keyboard: keyboard, Toss: s.toss, Colour: s.colour, Offer: s.offer,
		Solve: solving(t),
		Keep: func(rec digit.Record) error {
			s.tags = append(s.tags, rec.Tags)
			rec.Tags = nil
			s.kept = append(s.kept, rec.String())
			return nil
		},
	}
	s.err = game.Run(t.Context())
	s.out, s.asked, s.state = out.String(), keyboard.asked, table.State()
}

// solving returns a function that solves a game.
func solving(t *testing.T) func(digit.Rules) (*solve.Solution, error) {
	return func(r digit.Rules) (*solve.Solution, error) {
		return solve.Solve(t.Context(), r, solve.Config{})
	}
}

// rules returns the text of the rules.
func (s *session) rules() string { return s.setup.Rules.String() }

// record returns the only saved game.
func (s *session) record(t *testing.T) string {
	t.Helper()
	if len(s.kept) != 1 {
		t.Fatalf("%d games were saved, want 1: %q\n%s", len(s.kept), s.kept, s.out)
	}
	return s.kept[0]
}

// last returns the output after the last answer.
func (s *session) last() string {
	prompt := s.asked[len(s.asked)-1].prompt + "\n"
	return s.out[strings.LastIndex(s.out, prompt)+len(prompt):]
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
		t.Errorf("%s (-want +got; rewrite it with -update):\n%s", path, diff)
	}
}

// wantEnded fails unless the session ended with its input.
func (s *session) wantEnded(t *testing.T) {
	t.Helper()
	if !errors.Is(s.err, ErrEnded) {
		t.Errorf("the session ended with %v, want %v", s.err, ErrEnded)
	}
}
