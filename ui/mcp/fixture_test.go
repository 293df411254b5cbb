package mcp

import (
	"context"
	"encoding/json"
	"io/fs"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/bot/sit"
	"digitduel/match"
	"digitduel/solve"
)

// A house is a server with everything around it.
type house struct {
	*Server
	store  *match.Memory
	solver *solve.Solver
}

// open opens a house over a store. What is asked of it is solved once for all tests.
func open(t *testing.T, store *match.Memory, change func(*Config)) *house {
	t.Helper()
	h := &house{store: store, solver: &solver}
	hall := match.NewHall(store, match.HallConfig{Host: func(ctx context.Context, t *match.Table) error { return sit.HostLevels(ctx, t, h.solver.Solve) }})
	t.Cleanup(hall.Close)
	c := Config{
		Hall: hall, Keys: match.NewKeys(make([]byte, 32)), Solve: h.solver.Solve, Link: func(_ context.Context, table string) string { return "http://duel.test/t/" + table },
		Sittings: &sittings{}, Version: "test", Now: time.Now,
	}
	if change != nil {
		change(&c)
	}
	h.Server = New(c)
	t.Cleanup(h.Close)
	return h
}

// sittings are kept as long as a test lasts.
type sittings struct {
	mu      sync.Mutex
	exams   map[string]string
	items   map[string]int
	answers map[string]map[int]string
}

func (s *sittings) OpenSitting(_ context.Context, id, exam string, items int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.exams == nil {
		s.exams, s.items, s.answers = map[string]string{}, map[string]int{}, map[string]map[int]string{}
	}
	s.exams[id], s.items[id], s.answers[id] = exam, items, map[int]string{}
	return nil
}

func (s *sittings) Sitting(_ context.Context, id string) (exam string, answers map[int]string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.exams[id]; !ok {
		return "", nil, fs.ErrNotExist
	}
	return s.exams[id], maps.Clone(s.answers[id]), nil
}

func (s *sittings) AnswerItem(_ context.Context, id string, item int, answer string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, there := s.answers[id][item]
	switch {
	case item < 1 || item > s.items[id]:
		return fs.ErrNotExist
	case there && before != answer:
		return fs.ErrExist
	}
	s.answers[id][item] = answer
	return nil
}

var solver solve.Solver

// A guest is a client of a house that holds every answer to what its tool promises.
type guest struct {
	*testing.T
	session *sdk.ClientSession
	schemas map[string]*jsonschema.Resolved
}

func (h *house) guest(t *testing.T) *guest {
	t.Helper()
	ours, theirs := sdk.NewInMemoryTransports()
	served, err := h.server.Connect(t.Context(), ours, nil)
	if err != nil {
		t.Fatal(err)
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "guest", Version: "1"}, nil).Connect(t.Context(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close(); _ = served.Wait() }) // what matters has been answered
	g := &guest{T: t, session: session}
	g.learn()
	return g
}

// learn asks what each tool promises.
func (g *guest) learn() {
	g.Helper()
	g.schemas = map[string]*jsonschema.Resolved{}
	tools, err := g.session.ListTools(g.Context(), nil)
	if err != nil {
		g.Fatal(err)
	}
	for _, tool := range tools.Tools {
		text, err := json.Marshal(tool.OutputSchema)
		if err != nil {
			g.Fatal(err)
		}
		var schema jsonschema.Schema
		if err := json.Unmarshal(text, &schema); err != nil {
			g.Fatal(err)
		}
		if g.schemas[tool.Name], err = schema.Resolve(nil); err != nil {
			g.Fatal(err)
		}
	}
}

type args map[string]any

// call calls a tool, again if the answer asks for it, and checks the answer against its schema and
// its text against its structure.
func (g *guest) call(tool string, a args) *sdk.CallToolResult {
	g.Helper()
	result, err := g.session.CallTool(g.Context(), &sdk.CallToolParams{Name: tool, Arguments: a})
	if err != nil {
		g.Fatalf("%s %v: %v", tool, a, err)
	}
	if text, ok := result.Content[0].(*sdk.TextContent); ok && strings.Contains(text.Text, stillComputing) {
		return g.call(tool, a)
	}
	if err := g.schemas[tool].Validate(result.StructuredContent); err != nil {
		g.Fatalf("%s %v: %v\n%v", tool, a, err, result.StructuredContent)
	}
	g.agree(result)
	return result
}

// got reads the answer of a tool.
func got[T any](g *guest, tool string, a args) T {
	g.Helper()
	answer, refused := try[T](g, tool, a)
	if refused {
		g.Fatalf("%s %v: %+v", tool, a, answer)
	}
	return answer
}

// try reads the answer of a tool, which may be an error.
func try[T any](g *guest, tool string, a args) (answer T, refused bool) {
	g.Helper()
	result := g.call(tool, a)
	text, err := json.Marshal(result.StructuredContent)
	if err == nil {
		err = json.Unmarshal(text, &answer)
	}
	if err != nil {
		g.Fatal(err)
	}
	return answer, result.IsError
}

// chance returns numbers that are the same in every run.
func chance(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 16)) }
